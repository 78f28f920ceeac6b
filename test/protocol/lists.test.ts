import { describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { withStory } from '../support/matchers.js';
import { buildNotifications, buildOrganization, buildPerson, join } from '../support/test-data.js';
import { graphqlOutcome, restOutcome } from '../support/parity.js';

const { gateway, testData } = await startSeededGateway();
for (const name of ['zeta', 'Alpha', 'gamma', 'beta', 'beta']) {
  await join(gateway.app.database, await buildPerson(gateway.app.database, name), testData.organizationId, 'VIEWER');
}
await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 12);
// Ties: both APIs must break them equally by id.
await gateway.app.database.rows(`update notification set created_at = '2026-01-01T00:00:00Z' where id % 3 = 0`);

interface Page {
  total: number;
  ids: unknown[];
}

/** Empty pages: no match, no organization, or beyond the end. */
const EMPTY = /search=nobody|organization_id=2147483647|offset=99/;

async function restPage(path: string): Promise<Page> {
  const { body } = await gateway.rest.get(path, { token: testData.owner.token });
  expect([path, body.data.length === 0]).toEqual([path, EMPTY.test(path)]);
  return { total: body.total as number, ids: body.data.map(({ id }: { id: unknown }) => id) };
}

async function graphqlPage(query: string, at: string[]): Promise<Page> {
  const data = await gateway.graphql.data(query, { token: testData.owner.token });
  const list = at.reduce((value, key) => value[key], data);
  return { total: list.totalCount, ids: list.nodes.map(({ id }: { id: unknown }) => id) };
}

const call = (args: string) => (args === '' ? '' : `(${args})`);
const users = (args: string) =>
  graphqlPage(
    `{ organization(id: ${testData.organizationId}) { users${call(args)} { totalCount nodes { id: userId } } } }`,
    ['organization', 'users'],
  );
const notifications = (args: string) =>
  graphqlPage(`{ notifications${call(args)} { totalCount nodes { id: databaseId } } }`, ['notifications']);
const workflows = (args: string) =>
  graphqlPage(`{ availableWorkflows${call(args)} { totalCount nodes { id: databaseId } } }`, ['availableWorkflows']);

describe('users', () => {
  test.each([
    ['', ''],
    ['sort=username', 'orderBy: { field: USERNAME }'],
    ['sort=-username', 'orderBy: { field: USERNAME, direction: DESC }'],
    ['sort=email', 'orderBy: { field: EMAIL, direction: ASC }'],
    ['sort=-email', 'orderBy: { field: EMAIL, direction: DESC }'],
    ['sort=role', 'orderBy: { field: ROLE }'],
    ['sort=-role', 'orderBy: { field: ROLE, direction: DESC }'],
    ['limit=2&offset=3', 'first: 2, offset: 3'],
    ['role=VIEWER', 'filter: { role: VIEWER }'],
    ['role=VIEWER&search=BETA', 'filter: { role: VIEWER, search: "BETA" }'],
    ['search=nobody', 'filter: { search: "nobody" }'],
    ['search=', 'filter: { search: "" }'],
  ])('%s is the page of %s', async (query, args) => {
    const page = await restPage(`/api/v1/organizations/${testData.organizationId}/users?${query}`);
    expect(await users(args)).toEqual(page);
    // Compiled when it is repeated.
    expect(await users(args)).toEqual(page);
  });
});

describe('notifications', () => {
  test.each([
    ['', ''],
    ['sort=datetime', 'orderBy: { field: DATETIME, direction: ASC }'],
    ['sort=-datetime', 'orderBy: { field: DATETIME, direction: DESC }'],
    ['limit=5&offset=4', 'first: 5, offset: 4'],
    ['read=true', 'filter: { read: true }'],
    ['read=false&type=DEVICE', 'filter: { read: false, type: DEVICE }'],
    [`organization_id=${testData.organizationId}`, `filter: { organizationId: ${testData.organizationId} }`],
    ['organization_id=2147483647', 'filter: { organizationId: 2147483647 }'],
  ])('%s is the page of %s', async (query, args) => {
    const page = await restPage(`/api/v1/notifications?${query}`);
    expect(await notifications(args)).toEqual(page);
    expect(await notifications(args)).toEqual(page);
  });
});

test.each([
  ['', ''],
  ['limit=1', 'first: 1'],
  ['offset=1', 'offset: 1'],
  ['offset=99', 'offset: 99'],
])('workflows: %s is the page of %s', async (query, args) => {
  expect(await workflows(args)).toEqual(await restPage(`/api/v1/v-ciso/available-workflows?${query}`));
});

test.each([0, 101, -1])('a page of %i items is refused through both APIs', async (size) => {
  const { token } = testData.owner;
  const rest = restOutcome(await gateway.rest.get(`/api/v1/notifications?limit=${size}`, { token }));
  expect(rest).toEqual({ code: 'BAD_USER_INPUT', messages: ['limit must be from 1 to 100'] });
  for (let times = 0; times < 2; times += 1) {
    const answer = await gateway.graphql.call(`{ notifications(first: ${size}) { totalCount } }`, { token });
    withStory(answer, () =>
      expect(graphqlOutcome(answer)).toEqual({ code: 'BAD_USER_INPUT', messages: ['first must be from 1 to 100'] }),
    );
  }
});

describe('a cursor', () => {
  const { organizationId } = testData;
  const members = (after: string) =>
    gateway.graphql.call(
      `query ($after: String) { organization(id: ${organizationId}) {
         users(after: $after, orderBy: { field: USERNAME }) { edges { cursor } } } }`,
      { token: testData.owner.token, variables: { after } },
    );
  const latest = (after: string) =>
    gateway.graphql.call(`query ($after: String) { notifications(after: $after) { edges { cursor } } }`, {
      token: testData.owner.token,
      variables: { after },
    });
  const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

  test.each([
    ['of another order', members, cursor('EMAIL', 'a', testData.owner.id)],
    ['with a character that a text has not', members, cursor('USERNAME', 'a\u0000', testData.owner.id)],
    ['without the id of a user', members, cursor('USERNAME', 'a', 'b')],
    ['of a day that the month has not', latest, cursor('DATETIME', '2026-02-30T00:00:00.000Z', 1)],
    ['of a year before all', latest, cursor('DATETIME', '-271821-04-20T00:00:00.000Z', 1)],
    ['of a number beyond all', latest, cursor('DATETIME', '2026-02-28T00:00:00.000Z', 2 ** 60)],
  ])('%s is refused', async (_which, list, after) =>
    expect(graphqlOutcome(await list(after))).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['after must be a cursor of this list in the same order'],
    }),
  );
});

test('lists of several parents have their totals on every page', async () => {
  const second = await buildOrganization(gateway.app.database, 'Second Organization');
  const owner = await buildPerson(gateway.app.database, 'several');
  await join(gateway.app.database, owner, testData.organizationId, 'ORGANIZATION_OWNER');
  await join(gateway.app.database, owner, second, 'ORGANIZATION_OWNER');
  const totals = async (args: string) => {
    const { viewer } = await gateway.graphql.data(
      `{ viewer { organizations { nodes { organization { users(${args}) { totalCount } } } } } }`,
      { token: owner.token },
    );
    const { nodes } = viewer.organizations as { nodes: { organization: { users: { totalCount: number } } }[] };
    return nodes.map(({ organization }) => organization.users.totalCount);
  };
  const all = await totals('first: 100');
  expect(all.toSorted((one, other) => one - other)).toEqual([1, 11]);
  for (const args of ['first: 1', 'first: 5, offset: 99', 'first: 1, offset: 1', 'last: 1'])
    expect([args, await totals(args)]).toEqual([args, all]);
});

describe('the default of `first`', () => {
  const sizes = async (args: string, variables: object = {}) => {
    const declared = Object.entries({ first: 'Int', last: 'Int', before: 'String' })
      .filter(([name]) => args.includes(`$${name}`))
      .map(([name, type]) => `$${name}: ${type}`);
    const query = `query ${declared.length > 0 ? `(${declared.join(', ')})` : ''} {
      availableWorkflows${args} { nodes { id } edges { cursor } } }`;
    const answers = [];
    for (let time = 0; time < 2; time += 1) {
      const { body } = await gateway.graphql.call(query, { token: testData.viewer.token, variables });
      answers.push(body.errors?.[0]?.extensions.messages ?? body.data.availableWorkflows);
    }
    expect(answers[1]).toEqual(answers[0]);
    return answers[0];
  };

  test('steps aside for `last` and `before`, whether the operation is known or not', async () => {
    const all = await sizes('(first: $first, last: $last)');
    expect(all.nodes.length).toBeGreaterThan(2);
    for (const found of [await sizes('(last: 1)'), await sizes('(first: $first, last: $last)', { last: 1 })])
      expect(found.nodes).toEqual(all.nodes.slice(-1));
    const before = all.edges[1].cursor as string;
    for (const found of [
      await sizes('(before: $before)', { before }),
      await sizes('(first: $first, last: $last, before: $before)', { before, last: 50, first: null }),
    ])
      expect(found.nodes).toEqual(all.nodes.slice(0, 1));
    expect(await sizes('(first: null)')).toEqual(all);
  });

  test('does not make a given `first` go together with `last`', async () => {
    const message = ['first and last must not be given together'];
    expect(await sizes('(first: 50, last: 1)')).toEqual(message);
    expect(await sizes('(first: $first, last: $last)', { first: 50, last: 1 })).toEqual(message);
  });
});
