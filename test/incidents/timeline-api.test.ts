import { beforeAll, describe, expect, test } from '@jest/globals';
import { IncidentReminderService } from '../../src/services/incidents/reminders.service.js';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { REGIMES } from '../support/catalog.js';
import { TestClock } from '../support/clock.js';
import { multipart } from '../support/rest.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildOrganization, join } from '../support/test-data.js';

const ITEM = `at kind actor { username }
  entry { id: position at action changes { field before after } }
  report { id: databaseId stage reason recorded_by: recordedBy { username } }
  attachment { id: databaseId original_name: filename content_type: contentType size created_at: createdAt download_url: downloadUrl }
  note { id: databaseId text created_by: createdBy { username } created_at: createdAt }`;

const TIMELINE: Operation = {
  rest: 'GET /api/v1/v-ciso/incidents/{organization_id}/{incident_id}/timeline',
  graphql: `query ($organizationId: ID!, $incidentId: ID!, $first: Int, $offset: Int, $orderBy: IncidentTimelineOrder) {
    incident(organizationId: $organizationId, id: $incidentId) {
      timeline(first: $first, offset: $offset, orderBy: $orderBy) { totalCount nodes { ${ITEM} } } } }`,
  at: 'incident.timeline',
};

interface Item {
  at: string;
  kind: string;
  actor: string | null;
  entry: { action: string } | null;
  report: { stage: string } | null;
  attachment: { original_name: string; download_url: string } | null;
  note: { text: string } | null;
}

const clock = new TestClock();
let incidentId: number;

const { gateway, testData } = await startSeededGateway({ now: clock.now });

beforeAll(async () => {
  incidentId = await story(testData.organizationId);
});

const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

async function post(path: string, body: object, token: string, method: 'POST' | 'PATCH' = 'POST') {
  const answer = await gateway.rest.call(method, path, { token, body });
  expect(answer.status).toBeLessThan(300);
  return answer.body.data;
}

/** An incident that was opened, noted, reported, changed, given a file and noted again, an hour apart. */
async function story(organizationId: number): Promise<number> {
  const { analyst, officer } = testData;
  const path = `/api/v1/v-ciso/incidents/${organizationId}`;
  clock.set(0);
  const { id } = await post(path, { title: 'Phish', severity: 'LOW', significant: true }, analyst.token);
  clock.set(1);
  await post(`${path}/${id}/notes`, { text: 'First' }, analyst.token);
  clock.set(2);
  await post(`${path}/${id}/reports`, { regime_id: 'nis2', stage: 'EARLY_WARNING' }, officer.token);
  clock.set(3);
  await post(`${path}/${id}`, { severity: 'HIGH' }, analyst.token, 'PATCH');
  await sql(
    `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by, created_at)
     values ($1, $2, 'log.txt', 'text/plain', 1, repeat('0', 64), $3, $4)`,
    [organizationId, id, analyst.username, clock.at(4)],
  );
  clock.set(5);
  await post(`${path}/${id}/notes`, { text: 'Second' }, officer.token);
  clock.set(0);
  return id;
}

/** Summaries of items: `3 ENTRY INCIDENT_UPDATED`, hours first. */
function summaries(items: Item[]): string[] {
  return items.map(({ at, kind, entry, report, attachment, note }) => {
    const hours = (Date.parse(at) - clock.at(0).getTime()) / 3_600_000;
    return [hours, kind, entry?.action ?? report?.stage ?? attachment?.original_name ?? note?.text].join(' ');
  });
}

const OWN = ['1 NOTE First', '2 REPORT EARLY_WARNING', '4 ATTACHMENT log.txt', '5 NOTE Second'];
const WHOLE = ['0 ENTRY INCIDENT_OPENED', ...OWN.slice(0, 2), '3 ENTRY INCIDENT_UPDATED', ...OWN.slice(2)];

describe.each(APIS)('through %s', (api) => {
  const call = (query: object = {}, { token } = testData.officer) =>
    callThrough(
      api,
      gateway,
      TIMELINE,
      { organization_id: testData.organizationId, incident_id: incidentId, ...query },
      token,
    );

  test('an officer sees all that has happened, oldest first, each with its object and its actor', async () => {
    const { data, total } = await call();
    expect(summaries(data)).toEqual(WHOLE);
    expect(total).toBe(WHOLE.length);
    const { analyst, officer } = testData;
    expect(data.map(({ actor }: Item) => actor)).toEqual(
      [analyst, analyst, officer, analyst, analyst, officer].map(({ username }) => username),
    );
    for (const { kind, ...fields } of data as Item[]) {
      const given = (['entry', 'report', 'attachment', 'note'] as const).filter((field) => fields[field] !== null);
      expect(given).toEqual([kind.toLowerCase()]);
    }
    expect(data[4].attachment.download_url).toContain('/api/v1/downloads/attachments/');
    expect(data[3].entry.changes).toEqual([{ field: 'severity', before: 'LOW', after: 'HIGH' }]);
  });

  test.each(['viewer', 'analyst'] as const)(
    'a %s sees no entry of the audit trail, and none is counted',
    async (role) => {
      const { data, total } = await call({}, testData[role]);
      expect([summaries(data), total]).toEqual([OWN, OWN.length]);
    },
  );

  test('it is ordered newest first on demand, and pages have each item once', async () => {
    expect(summaries(dataOf(await call({ sort: '-at' })))).toEqual(WHOLE.toReversed());
    const pages = [0, 2, 4, 6].map(async (offset) => summaries(dataOf(await call({ limit: 2, offset }))));
    expect((await Promise.all(pages)).flat()).toEqual(WHOLE);
  });

  test('an incident of another organization, or none, has no timeline', async () => {
    const theirs = await buildIncident(gateway.app.database, testData.otherOrganizationId);
    for (const incident of [theirs, 2_000_000_000]) expectFailure(await call({ incident_id: incident }), 'NOT_FOUND');
    expectFailure(await call({}, testData.nonMember), 'NOT_FOUND');
    expectFailure(await call({ organization_id: testData.otherOrganizationId }), 'NOT_FOUND');
  });

  test('that a file was attached is not lost with the file', async () => {
    const { organizationId, analyst, officer } = testData;
    const id = await buildIncident(gateway.app.database, organizationId);
    const path = `/api/v1/v-ciso/incidents/${organizationId}/${id}/attachments`;
    const { filename, contentType: type, bytes: content } = samples.TXT;
    const attach = async () => {
      const form = multipart([{ name: 'file', filename, type, content }]);
      return (await gateway.rest.call('POST', path, { token: analyst.token, ...form })).body.data.id as number;
    };
    clock.set(1);
    const first = await attach();
    clock.set(2);
    await attach();
    clock.set(3);
    expect((await gateway.rest.delete(`${path}/${first}`, { token: officer.token })).status).toBe(200);
    clock.set(0);
    const items = dataOf(await call({ incident_id: id })) as Item[];
    expect(summaries(items)).toEqual([
      '1 ENTRY ATTACHMENT_ADDED',
      `2 ATTACHMENT ${filename}`,
      '3 ENTRY ATTACHMENT_DELETED',
    ]);
    expect(items.map(({ actor }) => actor)).toEqual([analyst, analyst, officer].map(({ username }) => username));
  });

  test('what the gateway did has no actor', async () => {
    const id = await buildIncident(gateway.app.database, testData.organizationId);
    await sql('update incident set aware_at = $2, next_reminder_at = $2 where id = $1', [id, clock.at(-23)]);
    await new IncidentReminderService(gateway.app.database, REGIMES, clock.now).remind();
    const items = dataOf(await call({ incident_id: id }));
    expect(items).toMatchObject([{ kind: 'ENTRY', actor: null, entry: { action: 'REPORT_DUE_SOON' } }]);
  });
});

describe('in GraphQL', () => {
  const send = (document: string, variables: object = {}, { token } = testData.officer) =>
    gateway.graphql.data(document, { token, variables });
  const PAGE = `query ($organizationId: ID!, $id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    incident(organizationId: $organizationId, id: $id) { timeline(first: $first, after: $after, last: $last, before: $before) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { at kind note { text } } } } }`;

  test('cursors lead through items of one time, forwards and backwards', async () => {
    const id = await buildIncident(gateway.app.database, testData.organizationId);
    await sql(
      `insert into incident_note (organization_id, incident_id, text, created_by, created_at)
       select $1, $2, n::text, 'ann', $3 from generate_series(1, 5) n`,
      [testData.organizationId, id, clock.at(0)],
    );
    await sql(
      `insert into incident_report (organization_id, incident_id, regime_id, stage, sent_by, recorded_by, recorded_at)
       values ($1, $2, 'nis2', 'EARLY_WARNING', 'ann', 'ann', $3)`,
      [testData.organizationId, id, clock.at(0)],
    );
    const variables = { organizationId: testData.organizationId, id };
    const all = ['R', '1', '2', '3', '4', '5'];
    for (const [size, edge, next, cursor, more] of [
      ['first', 'after', 'hasNextPage', 'endCursor', (seen: string[], page: string[]) => [...seen, ...page]],
      ['last', 'before', 'hasPreviousPage', 'startCursor', (seen: string[], page: string[]) => [...page, ...seen]],
    ] as const) {
      let seen: string[] = [];
      for (let at: string | null = null, isMore = true; isMore;) {
        const { incident } = await send(PAGE, { ...variables, [size]: 2, [edge]: at });
        const { nodes, pageInfo } = incident.timeline;
        seen = more(
          seen,
          nodes.map(({ note }: Item) => note?.text ?? 'R'),
        );
        [at, isMore] = [pageInfo[cursor], pageInfo[next]];
      }
      expect(seen).toEqual(all);
    }
  });

  test('of incidents of several organizations each has the entries of those whose trail the caller reads', async () => {
    const other = await buildOrganization(gateway.app.database, 'Only read');
    const { analyst, officer, manager } = testData;
    await join(gateway.app.database, analyst, other, 'SECURITY_ANALYST');
    await join(gateway.app.database, officer, other, 'SECURITY_OFFICER');
    await join(gateway.app.database, manager, other, 'VIEWER');
    await story(other);
    const document = `{ viewer { organizations(first: 9) { nodes { organization { id: databaseId
      incidents(first: 1, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { timeline(first: 9) { totalCount nodes { kind } } } } } } } } }`;
    const { viewer } = await send(document, {}, manager);
    const has = (id: number) =>
      viewer.organizations.nodes
        .find(({ organization }: { organization: { id: number } }) => organization.id === id)
        .organization.incidents.nodes[0].timeline.nodes.some(({ kind }: Item) => kind === 'ENTRY');
    expect([has(testData.organizationId), has(other)]).toEqual([true, false]);
  });
});
