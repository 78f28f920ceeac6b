import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestClock } from '../support/clock.js';
import { inRestValues } from '../support/rest-values.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, withStory } from '../support/matchers.js';
import { buildIncident, seedTestData, type TestData } from '../support/test-data.js';
import { callersOf, expectBothEnds, graphqlOutcome, restOutcome } from '../support/parity.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  // A clock that stands still: both APIs write the same instants.
  gateway = await startGateway({ now: new TestClock().now });
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

const STAGE = '{ state due_at: dueAt sent_at: sentAt sent_by: sentBy { username } }';
const INCIDENT = `id: databaseId organization { id: databaseId name logo } title description severity status significant aware_at: awareAt
  clock { applies early_warning: earlyWarning ${STAGE} notification ${STAGE} final_report: finalReport ${STAGE} }
  opened_by: openedBy { username } created_at: createdAt updated_at: updatedAt closed_at: closedAt closed_by: closedBy { username }`;
const REPORT =
  'id: databaseId stage sent_at: sentAt reason recorded_by: recordedBy { username } recorded_at: recordedAt';

/** An incident with an early warning, made anew for each call that changes it. */
async function make(significant: 'significant' | 'small' = 'significant'): Promise<number> {
  const id = await buildIncident(gateway.app.database, testData.organizationId);
  await gateway.app.database.rows(
    `update incident set aware_at = '2026-01-31T10:00:00Z', early_warning_sent_at = '2026-02-01T10:00:00Z',
            early_warning_sent_by = 'ann', created_at = '2026-02-01T00:00:00Z', updated_at = '2026-02-01T00:00:00Z', significant = $2 where id = $1`,
    [id, significant === 'significant'],
  );
  await gateway.app.database.rows(
    `insert into incident_report (incident_id, stage, sent_at, recorded_by, recorded_at)
     values ($1, 'EARLY_WARNING', '2026-02-01T10:00:00Z', 'ann', '2026-02-01T10:00:00Z')`,
    [id],
  );
  return id;
}

const root = () => `/api/v1/v-ciso/incidents/${testData.organizationId}`;

describe('reading', () => {
  test('shows one value for each field in both APIs, to every caller that may', async () => {
    const id = await make();
    const query = `{ incident(organizationId: ${testData.organizationId}, id: ${id}) { ${INCIDENT} reports { nodes { ${REPORT} } } } }`;
    const codes = new Set<string>();
    for (const [name, token] of callersOf(testData)) {
      const options = token === undefined ? {} : { token };
      const rest = await gateway.rest.get(`${root()}/${id}`, options);
      const answer = await gateway.graphql.call(query, options);
      withStory(answer, () => expect([name, graphqlOutcome(answer)]).toEqual([name, restOutcome(rest)]));
      codes.add(restOutcome(rest).code);
      if (rest.status !== 200) continue;
      const { reports, ...incident } = answer.body.data.incident;
      expect(JSON.stringify(inRestValues(incident))).toBe(JSON.stringify(rest.body.data));
      expect(inRestValues(reports.nodes)).toEqual(
        expectData(await gateway.rest.get(`${root()}/${id}/reports`, options)),
      );
    }
    expectBothEnds(codes);
  });

  test.each([
    ['', ''],
    ['sort=severity&limit=2', '(orderBy: { field: SEVERITY }, first: 2)'],
    ['sort=-aware_at&offset=1', '(orderBy: { field: AWARE_AT, direction: DESC }, offset: 1)'],
    ['sort=updated_at', '(orderBy: { field: UPDATED_AT, direction: ASC })'],
    ['status=OPEN&significant=true', '(filter: { status: OPEN, significant: true })'],
    ['severity=HIGH', '(filter: { severity: HIGH })'],
  ])('the list %s is the list %s', async (query, args) => {
    for (let count = 0; count < 2; count += 1) await make();
    const { token } = testData.viewer;
    const { data, total } = (await gateway.rest.get(`${root()}?${query}`, { token })).body;
    expect(data).not.toEqual([]);
    const document = `{ organization(id: ${testData.organizationId}) { incidents${args} { totalCount nodes { ${INCIDENT} } } } }`;
    const { incidents } = (await gateway.graphql.data(document, { token })).organization;
    expect(inRestValues(incidents)).toEqual({ totalCount: total, nodes: data });
  });
});

/** Each write: the request to REST, and the same input to GraphQL. */
const WRITES = {
  openIncident: { method: 'POST', tail: '', body: { title: ' A ', severity: 'LOW' }, made: true },
  updateIncident: { method: 'PATCH', tail: '/{id}', body: { severity: 'CRITICAL', description: null } },
  recordIncidentReport: {
    method: 'POST',
    tail: '/{id}/reports',
    body: { stage: 'NOTIFICATION', sent_at: '2026-02-02T10:00:00Z' },
    made: true,
  },
  correctIncidentReport: {
    method: 'PATCH',
    tail: '/{id}/reports/EARLY_WARNING',
    body: { sent_at: '2026-02-01T09:00:00Z', reason: 'Wrong' },
    said: { stage: 'EARLY_WARNING' },
  },
  closeIncident: { method: 'POST', tail: '/{id}/close', small: true },
  reopenIncident: { method: 'POST', tail: '/{id}/reopen' },
} as const;

const camel = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

describe.each(Object.entries(WRITES))('%s', (mutation, write) => {
  const { method, tail } = write;
  const made = () => make('small' in write ? 'small' : 'significant');
  const body = 'body' in write ? write.body : undefined;
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { ${mutation}(input: $input) { incident { ${INCIDENT} } } }`;
  const rest = (id: number, token?: string, sent: object | undefined = body) =>
    gateway.rest.call(method, root() + tail.replace('{id}', String(id)), {
      ...(token !== undefined && { token }),
      ...(sent && { body: sent }),
    });
  const graphql = (id: number, token?: string, sent: object | undefined = body) => {
    const input = {
      organizationId: testData.organizationId,
      ...(tail !== '' && { incidentId: id }),
      ...('said' in write && write.said),
      ...camel(sent ?? {}),
    };
    return gateway.graphql.call(document, { ...(token !== undefined && { token }), variables: { input } });
  };

  test('ends alike through both APIs for every kind of caller', async () => {
    const codes = new Set<string>();
    for (const [name, token] of callersOf(testData)) {
      const notified = restOutcome(await rest(await made(), token));
      const answer = await graphql(await made(), token);
      withStory(answer, () => expect([name, graphqlOutcome(answer)]).toEqual([name, notified]));
      codes.add(notified.code);
    }
    expectBothEnds(codes);
  });

  test('answers the same record through both APIs', async () => {
    const { token } = testData.owner;
    const one = await rest(await made(), token);
    const other = await graphql(await made(), token);
    const record = { ...expectData(one, 'made' in write ? 201 : 200), id: expect.any(Number) };
    withStory(other, () => expect(inRestValues(other.body.data[mutation].incident)).toEqual(record));
  });

  if (body === undefined) return;
  test('names the same errors through both APIs', async () => {
    const { token } = testData.owner;
    const wrong = { ...body, ...Object.fromEntries(Object.keys(body).map((field) => [field, '\u0007'])) };
    const notified = restOutcome(await rest(await made(), token, wrong));
    expect(notified.code).toBe('BAD_USER_INPUT');
    expect(graphqlOutcome(await graphql(await made(), token, wrong))).toEqual(notified);
  });
});
