import { describe, expect, test } from '@jest/globals';
import type { Actor } from '../../src/auth/caller.js';
import { PersonalValue } from '../../src/services/audit/personal-values.js';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';

const ENTRY = `position at action actor { type user { username } user_id: userId job token_id: tokenId address via client } request_id: requestId
  subject { type id: databaseId name parent { type id: databaseId } } changes { field before after } reason hash`;
const LIST: Operation = {
  rest: 'GET /api/v1/organizations/{id}/audit-trail',
  graphql: `query ($id: ID!, $first: Int, $offset: Int, $filter: AuditEntryFilter, $orderBy: AuditEntryOrder) {
    organization(id: $id) { auditTrail(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { ${ENTRY} } } } }`,
  at: 'organization.auditTrail',
};

/** Sort, limit and offset; the last one begins after the end of a page. */
const PAGES = [
  ['position', 2, 1],
  ['-position', 2, 1],
  ['-position', 1, 3],
] as const;

/** The tested fields of an entry. */
interface Entry {
  position: number;
  hash: string;
  at: string;
  action: string;
  actor: { user: string | { username: string } | null; user_id: string | null; job: string | null };
  subject: { type: string };
}

const { gateway, testData } = await startSeededGateway();

/** An organization with an empty trail; officers of the test data read it. */
async function newOrganization(): Promise<number> {
  const id = await buildOrganization(gateway.app.database, 'With a trail');
  await join(gateway.app.database, testData.officer, id, 'SECURITY_OFFICER');
  return id;
}

async function actorOf({ id }: Person): Promise<Actor> {
  const [row] = await gateway.app.database.rows<{ key: Buffer }>(
    'select personal_key as key from app_user where id = $1',
    [id],
  );
  const origin = { address: '192.0.2.17', requestId: 'the-request' };
  return { kind: 'user', userId: id, tokenId: 31, personalKey: row!.key, origin };
}

describe.each(APIS)('through %s', (api) => {
  const list = (id: number, input: object = {}, token = testData.officer.token) =>
    callThrough(api, gateway, LIST, { id, ...input }, token);
  /** GraphQL has an object where REST shows the user name. */
  const entries = async (...request: Parameters<typeof list>) =>
    (dataOf(await list(...request)) as Entry[]).map(({ actor, ...entry }): Entry => {
      const { user } = actor;
      return { ...entry, actor: { ...actor, user: typeof user === 'string' ? user : (user?.username ?? null) } };
    });
  const positions = async (...request: Parameters<typeof list>) =>
    (await entries(...request)).map(({ position }) => position);

  test('an entry names the actor with its address, the subject with its parent, and the changes by field', async () => {
    const id = await newOrganization();
    const person = await buildPerson(gateway.app.database, 'reader');
    const other = await buildPerson(gateway.app.database, 'renamed');
    await buildAuditEntry(
      gateway.app.database,
      id,
      {
        at: new Date('2026-11-20T08:15:30.500Z'),
        action: 'ATTACHMENT_ADDED',
        subject: { type: 'INCIDENT_ATTACHMENT', id: 7, name: 'mail.eml', parent: { type: 'INCIDENT', id: 12 } },
        changes: {
          size: { after: 20 },
          name: { before: null, after: new PersonalValue(other.id, 'Ann Other') },
          list: { before: [1, { deep: [true, null] }], after: 'x' },
        },
        reason: 'It belongs there.',
      },
      await actorOf(person),
    );
    const [{ hash, ...entry } = { hash: '' }] = await entries(id);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(entry).toEqual({
      position: 1,
      at: '2026-11-20T08:15:30.500Z',
      action: 'ATTACHMENT_ADDED',
      actor: {
        type: 'USER',
        user: person.username,
        user_id: person.id,
        job: null,
        token_id: 31,
        address: '192.0.2.17',
        via: null,
        client: null,
      },
      request_id: 'the-request',
      subject: {
        type: 'INCIDENT_ATTACHMENT',
        id: '7',
        name: 'mail.eml',
        parent: { type: 'INCIDENT', id: '12' },
      },
      changes: [
        { field: 'list', before: [1, { deep: [true, null] }], after: 'x' },
        { field: 'name', before: null, after: 'Ann Other' },
        { field: 'size', before: null, after: 20 },
      ],
      reason: 'It belongs there.',
    });
  });

  test('a program that follows a trail by positions gets each entry once', async () => {
    const id = await newOrganization();
    for (let number = 0; number < 5; number += 1) await buildAuditEntry(gateway.app.database, id);
    expect(await positions(id, { sort: 'position', after_position: 2, limit: 2 })).toEqual([3, 4]);
    expect(await positions(id, { sort: 'position', after_position: 4, limit: 2 })).toEqual([5]);
    expect(await list(id, { sort: 'position', after_position: 5 })).toMatchObject({ data: [], total: 0 });
    await buildAuditEntry(gateway.app.database, id, { action: 'INCIDENT_CLOSED' });
    expect(await positions(id, { sort: 'position', after_position: 0, action: 'INCIDENT_CLOSED' })).toEqual([6]);
    expect((await list(id, { after_position: -1 })).code).toBe('BAD_USER_INPUT');
  });

  test('what is about a person who was erased is null, and the rest of the entry stays', async () => {
    const id = await newOrganization();
    const person = await buildPerson(gateway.app.database, 'erased');
    const name = new PersonalValue(person.id, 'Ann Other');
    const subject = { type: 'MEMBER', id: person.id, name } as const;
    const changes = { role: { before: 'VIEWER', after: 'SECURITY_ANALYST' }, name: { after: name } };
    await buildAuditEntry(gateway.app.database, id, { subject, changes }, await actorOf(person));
    await gateway.app.database.rows('update app_user set personal_key = null where id = $1', [person.id]);
    const [entry] = await entries(id);
    expect(entry).toMatchObject({
      actor: { type: 'USER', user: null, user_id: person.id, address: null },
      subject: { type: 'MEMBER', id: person.id, name: null },
      changes: [
        { field: 'name', before: null, after: null },
        { field: 'role', before: 'VIEWER', after: 'SECURITY_ANALYST' },
      ],
    });
  });

  test('a job is an actor without a user', async () => {
    const id = await newOrganization();
    await buildAuditEntry(gateway.app.database, id);
    const [entry] = await entries(id);
    expect(entry!.actor).toEqual({
      ...{ type: 'SYSTEM', user: null, user_id: null, job: 'tests.record', token_id: null, address: null },
      ...{ via: null, client: null },
    });
  });

  test('lists entries newest first, in pages, with the total of the filter, or oldest first', async () => {
    const id = await newOrganization();
    for (let number = 0; number < 5; number += 1) await buildAuditEntry(gateway.app.database, id);
    expect(await positions(id)).toEqual([5, 4, 3, 2, 1]);
    const page = await list(id, { limit: 2, offset: 1 });
    expect([(dataOf(page) as { position: number }[]).map(({ position }) => position), page.total]).toEqual([[4, 3], 5]);
    expect(await positions(id, { sort: 'position' })).toEqual([1, 2, 3, 4, 5]);
    expect(await positions(id, { sort: '-position', limit: 1 })).toEqual([5]);
  });

  test('filters by actor, action, subject and time, all of which apply at once', async () => {
    const id = await newOrganization();
    const { database } = gateway.app;
    const actor = await actorOf(testData.analyst);
    const on = (day: number) => new Date(Date.UTC(2026, 10, day));
    await buildAuditEntry(database, id, { at: on(1) });
    await buildAuditEntry(database, id, { at: on(2), action: 'INCIDENT_CLOSED' }, actor);
    await buildAuditEntry(database, id, { at: on(3), subject: { type: 'INCIDENT', id: 12, name: 'Other' } }, actor);
    await buildAuditEntry(database, id, { at: on(4), subject: { type: 'TOKEN', id: 1, name: 'Token' } });
    for (const actor_id of [testData.analyst.id, testData.analyst.id.toUpperCase()])
      expect(await positions(id, { actor_id })).toEqual([3, 2]);
    expect(await positions(id, { actor_job: 'tests.record' })).toEqual([4, 1]);
    expect(await positions(id, { actor_job: 'another.job' })).toEqual([]);
    expect(await positions(id, { action: 'INCIDENT_CLOSED' })).toEqual([2]);
    expect(await positions(id, { subject_type: 'INCIDENT' })).toEqual([3, 2, 1]);
    expect(await positions(id, { subject_type: 'INCIDENT', subject_id: '1' })).toEqual([2, 1]);
    expect(await positions(id, { from: on(2).toISOString(), to: on(4).toISOString() })).toEqual([3, 2]);
    expect(await positions(id, { actor_id: testData.analyst.id, from: on(3).toISOString() })).toEqual([3]);
    const counted = await list(id, { subject_type: 'INCIDENT', limit: 1 });
    expect([dataOf(counted)].flat()).toHaveLength(1);
    expect(counted.total).toBe(3);
  });

  test('every combination of filters finds what it names and counts it, also what was recorded late', async () => {
    const id = await newOrganization();
    const actor = await actorOf(testData.analyst);
    const minute = (number: number) => new Date(Date.UTC(2026, 10, 1, 12, number));
    // Sorted by position; the clock is set back twice.
    for (const [index, at] of [0, 5, 3, 9, 10, 1, 10, 12, 11, 15, 15, 20].entries())
      await buildAuditEntry(
        gateway.app.database,
        id,
        {
          at: minute(at),
          action: index % 3 === 0 ? 'DEVICE_UPDATED' : 'DEVICE_DELETED',
          subject: { type: index % 2 === 0 ? 'CLOUD_DEFENDER' : 'THREAT_BLOCKER', id: 1, name: 'Device' },
        },
        ...(index % 4 < 2 ? [actor] : []),
      );
    const all = await entries(id);
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const actor of [undefined, testData.analyst.id, 'tests.record'])
      for (const action of [undefined, 'DEVICE_UPDATED'])
        for (const subject of [
          {},
          { subject_type: 'THREAT_BLOCKER' },
          { subject_type: 'CLOUD_DEFENDER', subject_id: '1' },
        ])
          for (const [from, to] of [
            [undefined, undefined],
            [minute(3), minute(11)],
            [minute(10), new Date('9999-12-31T23:59:59.999Z')],
            [new Date('0001-01-01T00:00:00.000Z'), minute(10)],
            [minute(21), undefined],
          ])
            for (const [sort, limit, offset] of PAGES) {
              const filter = {
                ...(actor && { [actor === testData.analyst.id ? 'actor_id' : 'actor_job']: actor }),
                ...(action && { action }),
                ...subject,
                ...(from && { from: from.toISOString() }),
                ...(to && { to: to.toISOString() }),
              };
              const answer = await list(id, { ...filter, sort, limit, offset });
              const page = (dataOf(answer) as Entry[]).map(({ position }) => position);
              found.push([filter, sort, offset, page, answer.total]);
              const matching = all
                .filter((entry) => actor === undefined || [entry.actor.user_id, entry.actor.job].includes(actor))
                .filter((entry) => action === undefined || entry.action === action)
                .filter((entry) => !('subject_type' in subject) || entry.subject.type === subject.subject_type)
                .filter(
                  ({ at }) => (from === undefined || new Date(at) >= from) && (to === undefined || new Date(at) < to),
                )
                .map(({ position }) => position);
              const sorted = sort === 'position' ? matching.toReversed() : matching;
              expected.push([filter, sort, offset, sorted.slice(offset, offset + limit), matching.length]);
            }
    expect(found).toEqual(expected);
  });

  test('an instant with another offset filters by the same instant', async () => {
    const id = await newOrganization();
    await buildAuditEntry(gateway.app.database, id, { at: new Date('2026-11-20T08:00:00Z') });
    expect(await positions(id, { from: '2026-11-20T09:00:00+01:00' })).toEqual([1]);
    expect(await positions(id, { from: '2026-11-20T09:00:01+01:00' })).toEqual([]);
  });

  test('is forbidden below SECURITY_OFFICER, and looks absent to who is no member', async () => {
    const { organizationId, analyst, nonMember } = testData;
    for (const { token } of [analyst, testData.viewer])
      expectFailure(await list(organizationId, {}, token), 'FORBIDDEN');
    expectFailure(await list(organizationId, {}, nonMember.token), 'NOT_FOUND');
  });

  test('shows nothing of the trail of another organization', async () => {
    const [mine, other] = [await newOrganization(), await newOrganization()];
    await buildAuditEntry(gateway.app.database, other);
    expect(await positions(mine)).toEqual([]);
  });
});

test('an id of a subject without its type is refused in the names of each API', async () => {
  const { organizationId, officer } = testData;
  const path = `/api/v1/organizations/${organizationId}/audit-trail?subject_id=1`;
  const rest = await gateway.rest.get(path, officer);
  expect([rest.status, rest.body.messages]).toEqual([400, ['subject_id must be given together with subject_type']]);
  const query = `{ organization(id: ${organizationId}) { auditTrail(filter: { subjectId: "1" }) { totalCount } } }`;
  const { body } = await gateway.graphql.call(query, officer);
  expect(body.errors?.[0]?.extensions.messages).toEqual(['subjectId must be given together with subjectType']);
});

test('a time that ends before it begins is refused in the names of each API', async () => {
  const { organizationId, officer } = testData;
  const [early, late] = ['2026-11-01T00:00:00Z', '2026-11-01T02:00:00+01:00'];
  const list = (query: string) =>
    gateway.rest.get(`/api/v1/organizations/${organizationId}/audit-trail?${query}`, officer);
  for (const to of [early, '2026-10-31T23:59:59.999Z'])
    expect(await list(`from=${early}&to=${to}`)).toMatchObject({
      status: 400,
      body: { messages: ['to must be after from'] },
    });
  expect((await list(`from=${early}&to=${encodeURIComponent(late)}`)).status).toBe(200);
  const filter = `{ from: "${early}", to: "${early}" }`;
  const query = `{ organization(id: ${organizationId}) { auditTrail(filter: ${filter}) { totalCount } } }`;
  const { body } = await gateway.graphql.call(query, officer);
  expect(body.errors?.[0]?.extensions.messages).toEqual(['to must be after from']);
});

test('cursors page through the trail in both directions, and entries that are added do not move them', async () => {
  const id = await newOrganization();
  for (let number = 0; number < 4; number += 1) await buildAuditEntry(gateway.app.database, id);
  const page = async (args: string) => {
    const query = `{ organization(id: ${id}) { auditTrail(${args}) {
      nodes { position } pageInfo { hasNextPage hasPreviousPage endCursor } } } }`;
    return (await gateway.graphql.call(query, testData.officer)).body.data.organization.auditTrail;
  };
  const first = await page('first: 2');
  await buildAuditEntry(gateway.app.database, id);
  const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
  expect([first, second].map(({ nodes }) => nodes.map(({ position }: { position: number }) => position))).toEqual([
    [4, 3],
    [2, 1],
  ]);
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const last = await page('last: 2');
  expect(last.nodes).toEqual([{ position: 2 }, { position: 1 }]);
});

test('each of several trails is narrowed to the time by its own positions', async () => {
  const person = await buildPerson(gateway.app.database, 'of several times');
  const day = (number: number) => new Date(Date.UTC(2026, 10, number));
  for (const [index, days] of [
    [1, 2, 3, 4, 5, 6],
    [4, 2, 5],
    [6, 7],
  ].entries()) {
    const id = await buildOrganization(gateway.app.database, `Number ${index}`);
    await join(gateway.app.database, person, id, 'SECURITY_OFFICER');
    for (const number of days) await buildAuditEntry(gateway.app.database, id, { at: day(number) });
  }
  const filter = `from: "${day(4).toISOString()}", to: "${day(6).toISOString()}", action: INCIDENT_OPENED`;
  const query = `{ organizations { nodes { auditTrail(first: 1, filter: { ${filter} }) { totalCount nodes { position } } } } }`;
  const { body } = await gateway.graphql.call(query, person);
  expect(body.data.organizations.nodes.map(({ auditTrail }: { auditTrail: unknown }) => auditTrail)).toEqual([
    { totalCount: 2, nodes: [{ position: 5 }] },
    { totalCount: 2, nodes: [{ position: 3 }] },
    { totalCount: 0, nodes: [] },
  ]);
});

test('trails of several organizations are read together, and a refused one leaves the others', async () => {
  const query = `{ organizations { nodes { name auditTrail(first: 1) { nodes { action } } } } }`;
  const person = await buildPerson(gateway.app.database, 'of several');
  const ids = [];
  for (const role of ['SECURITY_OFFICER', 'SECURITY_OFFICER', 'VIEWER'] as const) {
    const id = await buildOrganization(gateway.app.database, `Number ${ids.length}`);
    await join(gateway.app.database, person, id, role);
    await buildAuditEntry(gateway.app.database, id);
    ids.push(id);
  }
  const { body } = await gateway.graphql.call(query, person);
  const entry = { nodes: [{ action: 'INCIDENT_OPENED' }] };
  expect(body.data.organizations.nodes.map(({ auditTrail }: { auditTrail: unknown }) => auditTrail)).toEqual([
    entry,
    entry,
    null,
  ]);
  expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
});
