import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '../../src/values/enums.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData, expectError, withStory } from '../support/matchers.js';
import {
  buildOrganization,
  buildPerson,
  seedTestData,
  join,
  type Person,
  type TestData,
} from '../support/test-data.js';
import { graphqlOutcome, restOutcome } from '../support/parity.js';

const DAY = 24 * 60 * 60 * 1000;
const START = new Date('2026-11-21T10:00:00.000Z');

let gateway: TestGateway;
let testData: TestData;
let now = START;
/** An organization with an owner, a manager and a viewer, anew for each test. */
let id: number;
let owner: Person;
let manager: Person;
let viewer: Person;

beforeAll(async () => {
  gateway = await startGateway({ now: () => now });
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

beforeEach(async () => {
  now = START;
  const { database } = gateway.app;
  id = await buildOrganization(database, 'Passing');
  owner = await buildPerson(database, 'o');
  manager = await buildPerson(database, 'm');
  viewer = await buildPerson(database, 'v');
  await join(database, owner, id, 'ORGANIZATION_OWNER');
  await join(database, manager, id, 'ORGANIZATION_MANAGER');
  await join(database, viewer, id, 'VIEWER');
});

const path = (rest = '', organization = id) => `/api/v1/organizations/${organization}${rest}`;
const get = ({ token }: Person, rest = '') => gateway.rest.get(path(rest), { token });
const del = ({ token }: Person, ifMatch?: string) =>
  gateway.rest.delete(path(), { token, headers: { ...(ifMatch !== undefined && { 'if-match': ifMatch }) } });
const restore = ({ token }: Person) => gateway.rest.post(path('/restore'), { token });
const leave = ({ token }: Person) => gateway.rest.post(path('/leave'), { token });
const transfer = ({ token }: Person, to: { id: string }) =>
  gateway.rest.post(path('/transfer'), { token, body: { user_id: to.id } });

const roles = async () => {
  const rows = await gateway.app.database.rows<{ userId: string; role: string }>(
    'select user_id as "userId", role from membership where organization_id = $1',
    [id],
  );
  return new Map(rows.map(({ userId, role }) => [userId, role]));
};
const titlesOf = async ({ token }: Person) => {
  const { body } = await gateway.rest.get(`/api/v1/notifications?organization_id=${id}`, { token });
  return (body.data as { title: string; message: string }[]).map(({ title, message }) => [title, message]);
};

describe('DELETE /api/v1/organizations/{id}', () => {
  test('answers the organization, which looks absent to everybody from then on', async () => {
    const before = expectData(await get(owner));
    const answer = await del(owner);
    expect(expectData(answer)).toEqual({ ...before, updated_at: START.toISOString() });
    for (const member of [owner, manager, viewer]) {
      for (const below of ['', '/branding', '/settings', '/users', '/privileges']) {
        expectError(await get(member, below), 404, [1004]);
      }
      expect((await gateway.rest.get('/api/v1/organizations', { token: member.token })).body).toMatchObject({
        total: 0,
      });
    }
    expectError(await del(owner), 404, [1004]);
  });

  test('is refused with 412 when If-Match names an older version', async () => {
    expectError(await del(owner, '"2"'), 412, [1012]);
    expectData(await del(owner, '"1"'));
  });

  test('happens once, however many ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => del(owner)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
  });
});

describe("what waits for a change of the caller's role", () => {
  /** What becomes of a call that is let in, and waits until its caller is less than it was. */
  async function overtaken<Result>(call: () => Promise<Result>, change: string, { id: userId }: Person) {
    const { database } = gateway.app;
    const { answer } = await database.transaction(async (tx) => {
      await tx.rows('select 1 from organization where id = $1 for update', [id]);
      const waiting = call();
      await someoneWaits(database);
      await tx.rows(`${change} where organization_id = $1 and user_id = $2`, [id, userId]);
      return { answer: waiting };
    });
    return answer;
  }
  const becoming = (role: Role) => `update membership set role = '${role}'`;

  test('changes nothing', async () => {
    const rename = ({ token }: Person) => gateway.rest.patch(path(), { token, body: { name: 'Renamed' } });
    expectError(await overtaken(() => rename(manager), becoming('VIEWER'), manager), 403, [1003]);
    expectError(await overtaken(() => rename(owner), 'delete from membership', owner), 404, [1004]);
    expect(expectData(await get(viewer)).name).toBe('Passing');
  });

  test('deletes nothing', async () => {
    expectError(await overtaken(() => del(owner), becoming('ORGANIZATION_MANAGER'), owner), 403, [1003]);
    expectData(await get(viewer));
  });

  test('restores nothing', async () => {
    expectData(await del(owner));
    expectError(await overtaken(() => restore(owner), becoming('ORGANIZATION_MANAGER'), owner), 404, [1004]);
    expectError(await get(viewer), 404, [1004]);
  });
});

describe('POST /api/v1/organizations/{id}/restore', () => {
  test('brings it back to everybody, and asked again leaves it as it is', async () => {
    expectData(await del(owner));
    const restored = await restore(owner);
    expect(restored.headers.get('etag')).toBe('"3"');
    withStory(restored, () => expect(restored.status).toBe(200));
    for (const member of [owner, manager, viewer]) expect((await get(member)).body).toEqual(restored.body);
    const again = await restore(owner);
    expect([again.text, again.headers.get('etag')]).toEqual([restored.text, '"3"']);
  });

  test('looks absent to everybody but an owner, and a token must be allowed to write', async () => {
    expectData(await del(owner));
    for (const person of [manager, viewer, testData.nonMember, testData.userWithoutOrganization, testData.owner]) {
      expectError(await restore(person), 404, [1004]);
    }
    expectError(await gateway.rest.post(path('/restore'), { token: testData.tokens.readOnly }), 403, [1003]);
    expectError(await gateway.rest.post(path('/restore')), 401, [1001]);
    expectError(await gateway.rest.post(path('/restore', 999_999), { token: owner.token }), 404, [1004]);
  });

  test('refuses who is no owner of an organization that is not deleted', async () => {
    expectError(await restore(manager), 403, [1003]);
    expectError(await restore(testData.nonMember), 404, [1004]);
  });

  test('is possible for 30 days to the millisecond', async () => {
    expectData(await del(owner));
    now = new Date(START.getTime() + 30 * DAY + 1);
    expectError(await restore(owner), 404, [1004]);
    now = new Date(START.getTime() + 30 * DAY);
    expectData(await restore(owner));
  });

  test('tells the members, but not who did it, and nothing of a deletion that is over', async () => {
    expectData(await del(owner));
    expectData(await restore(owner));
    expect(await titlesOf(viewer)).toEqual([
      ['The organization was restored', 'Passing is there again, with all that belongs to it.'],
    ]);
    expect(await titlesOf(owner)).toEqual([]);
  });

  test('succeeds for all who ask at once, and moves the version once', async () => {
    expectData(await del(owner));
    const answers = await Promise.all(Array.from({ length: 5 }, () => restore(owner)));
    for (const answer of answers) expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"3"']);
  });
});

describe('POST /api/v1/organizations/{id}/transfer', () => {
  test('makes the member the owner and the owner a manager', async () => {
    expect(expectData(await transfer(owner, viewer)).id).toBe(id);
    expect(await roles()).toEqual(
      new Map([
        [owner.id, 'ORGANIZATION_MANAGER'],
        [manager.id, 'ORGANIZATION_MANAGER'],
        [viewer.id, 'ORGANIZATION_OWNER'],
      ]),
    );
    expectError(await transfer(owner, manager), 403, [1003]);
    expect(expectData(await get(viewer, '/privileges')).role).toBe('ORGANIZATION_OWNER');
    const notified = [
      ['The ownership was transferred', `${viewer.username} is Organization Owner now; ${owner.username} was before.`],
    ];
    expect(await titlesOf(manager)).toEqual(notified);
    expect(await titlesOf(owner)).toEqual([]);
  });

  test('leaves other owners what they are', async () => {
    const other = await buildPerson(gateway.app.database, 'other');
    await join(gateway.app.database, other, id, 'ORGANIZATION_OWNER');
    expectData(await transfer(owner, manager));
    expect((await roles()).get(other.id)).toBe('ORGANIZATION_OWNER');
  });

  test('finds no heir who is no member, is deactivated or is no UUID, and changes nothing', async () => {
    const { database } = gateway.app;
    await database.rows('update app_user set deactivated_at = now() where id = $1', [manager.id]);
    await database.rows('update membership set deactivated_at = now() where user_id = $1', [viewer.id]);
    for (const heir of [
      manager,
      viewer,
      testData.nonMember,
      { id: '00000000-0000-4000-8000-000000000000' },
      { id: 'x' },
    ]) {
      const answer = await gateway.rest.call('POST', path('/transfer'), {
        token: owner.token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user_id: heir.id }),
      });
      expectError(answer, 404, [1004]);
    }
    expect((await roles()).get(owner.id)).toBe('ORGANIZATION_OWNER');
  });

  test('refuses the caller as the heir, and a body that names nobody', async () => {
    expectError(await transfer(owner, owner), 400, ['user_id must be another member']);
    expectError(await gateway.rest.post(path('/transfer'), { token: owner.token, body: {} }), 400, [
      'user_id is required',
    ]);
    const { status } = await gateway.rest.post(path('/transfer'), { token: owner.token, body: { userId: viewer.id } });
    expect(status).toBe(400);
  });

  test('of two transfers at once the second finds an owner no more', async () => {
    const answers = await Promise.all([transfer(owner, manager), transfer(owner, viewer)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect([...(await roles()).values()].filter((role) => role === 'ORGANIZATION_OWNER')).toHaveLength(1);
  });
});

describe('POST /api/v1/organizations/{id}/leave', () => {
  test('takes the caller out and answers what was left', async () => {
    const before = expectData(await get(viewer));
    expect(expectData(await leave(viewer))).toEqual(before);
    expectError(await get(viewer), 404, [1004]);
    expectError(await leave(viewer), 404, [1004]);
    expect((await roles()).has(viewer.id)).toBe(false);
    expect(await titlesOf(manager)).toEqual([
      ['A member has left', `${viewer.username} does not belong to the organization any more.`],
    ]);
  });

  test('is a conflict for the last owner who can act', async () => {
    expectError(await leave(owner), 409, [1009]);
    const other = await buildPerson(gateway.app.database, 'other');
    await join(gateway.app.database, other, id, 'ORGANIZATION_OWNER');
    await gateway.app.database.rows('update app_user set deactivated_at = now() where id = $1', [other.id]);
    expectError(await leave(owner), 409, [1009]);
    await gateway.app.database.rows('update app_user set deactivated_at = null where id = $1', [other.id]);
    expectData(await leave(owner));
  });

  test("is nobody else's conflict: a member leaves also where no owner can act", async () => {
    await gateway.app.database.rows('update app_user set deactivated_at = now() where id = $1', [owner.id]);
    expectData(await leave(viewer));
  });

  test('lets one stay when all owners leave at once', async () => {
    const { database } = gateway.app;
    const others = await Promise.all(['a', 'b', 'c'].map((name) => buildPerson(database, name)));
    for (const other of others) await join(database, other, id, 'ORGANIZATION_OWNER');
    const answers = await Promise.all([owner, ...others].map(leave));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409]);
    expect([...(await roles()).values()].filter((role) => role === 'ORGANIZATION_OWNER')).toHaveLength(1);
  });
});

test('GraphQL ends each of them as REST does', async () => {
  const call = (document: string, { token }: Person) =>
    gateway.graphql.call(`mutation { ${document} { organization { id: databaseId version } } }`, { token });
  for (const [document, request, person] of [
    ['deleteOrganization(input: { organizationId: ORG })', del, () => manager],
    ['leaveOrganization(input: { organizationId: ORG })', leave, () => owner],
    ['restoreOrganization(input: { organizationId: ORG })', restore, () => viewer],
    ['restoreOrganization(input: { organizationId: ORG })', restore, () => owner],
    [
      'transferOwnership(input: { organizationId: ORG, userId: "x" })',
      (one: Person) => transfer(one, { id: 'x' }),
      () => owner,
    ],
    ['leaveOrganization(input: { organizationId: ORG })', leave, () => testData.nonMember],
  ] as const) {
    const graphql = await call(document.replace('ORG', String(id)), person());
    const rest = await request(person());
    const expected = rest.status === 409 ? { code: 'CONFLICT', messages: [1009] } : restOutcome(rest);
    expect([document, graphqlOutcome(graphql)]).toEqual([document, expected]);
  }
  const gone = await call(`deleteOrganization(input: { organizationId: ${id}, version: 1 })`, owner);
  expect(gone.body.data.deleteOrganization.organization).toEqual({ id, version: 2 });
});
