import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

const users = async (args: string, fields: string, token = testData.officer.token) => {
  const query = `query ($id: ID!) { organization(id: $id) { users${args} { ${fields} } } }`;
  const data = await dataTwice(gateway.graphql, query, { token, variables: { id: testData.organizationId } });
  return data.organization.users;
};
const names = (connection: { nodes: { username: string }[] }) => connection.nodes.map(({ username }) => username);

test('shows every field of a member', async () => {
  const { viewer, organizationId } = testData;
  await gateway.app.database.rows('update membership set alert_atb = false, alert_v_ciso = false where user_id = $1', [
    viewer.id,
  ]);
  const list = await users(
    '(filter: { role: VIEWER })',
    'totalCount nodes { __typename id userId username email firstName lastName role alerts { atb cloudDefender vCiso } }',
  );
  expect(list).toEqual({
    totalCount: 1,
    nodes: [
      {
        __typename: 'OrganizationUser',
        id: `OrganizationUser:${organizationId}/${viewer.id}`,
        userId: viewer.id,
        username: viewer.username,
        email: `${viewer.username}@example.com`,
        firstName: 'viewer',
        lastName: 'Person',
        role: 'VIEWER',
        alerts: { atb: false, cloudDefender: true, vCiso: false },
      },
    ],
  });
});

test('lists by user name unless asked otherwise, and only this organization', async () => {
  const { analyst, manager, officer, owner, viewer } = testData;
  expect(names(await users('', 'nodes { username }'))).toEqual(
    [analyst, manager, officer, owner, viewer].map(({ username }) => username),
  );
});

test.each([
  ['{ field: ROLE }', ['viewer', 'analyst', 'officer', 'manager', 'owner']],
  ['{ field: ROLE, direction: DESC }', ['owner', 'manager', 'officer', 'analyst', 'viewer']],
  ['{ field: EMAIL, direction: DESC }', ['viewer', 'owner', 'officer', 'manager', 'analyst']],
  ['{ field: USERNAME, direction: ASC }', ['analyst', 'manager', 'officer', 'owner', 'viewer']],
])('orders by %s', async (order, expected) => {
  const list = await users(`(orderBy: ${order})`, 'nodes { firstName }');
  expect(list.nodes.map(({ firstName }: { firstName: string }) => firstName)).toEqual(expected);
});

test.each([
  ['OFFICER', ['officer']],
  ['er person', ['manager', 'officer', 'owner', 'viewer']],
  ['%', []],
  ['_', []],
  ['\\\\', []],
  ['', ['analyst', 'manager', 'officer', 'owner', 'viewer']],
])('searches %j in names and addresses, in any case, as it stands', async (search, expected) => {
  const list = await users(`(filter: { search: "${search}" })`, 'totalCount nodes { firstName }');
  expect(list.nodes.map(({ firstName }: { firstName: string }) => firstName)).toEqual(expected);
  expect(list.totalCount).toBe(expected.length);
});

test('pages by every order without dropping or repeating anybody', async () => {
  for (const order of ['USERNAME', 'EMAIL', 'ROLE']) {
    const seen: string[] = [];
    let after = '';
    for (let page = 0; page < 5; page += 1) {
      const list = await users(
        `(first: 1, orderBy: { field: ${order} }${after && `, after: "${after}"`})`,
        'nodes { userId } pageInfo { hasNextPage endCursor }',
      );
      seen.push(list.nodes[0].userId);
      after = list.pageInfo.endCursor;
      expect(list.pageInfo.hasNextPage).toBe(page < 4);
    }
    expect(new Set(seen).size).toBe(5);
  }
});

test('refuses the cursor of another order', async () => {
  const { pageInfo } = await users('(first: 1)', 'pageInfo { endCursor }');
  const errors = await errorsTwice(
    gateway.graphql,
    `query ($id: ID!) { organization(id: $id) { users(after: "${pageInfo.endCursor}", orderBy: { field: ROLE }) { totalCount } } }`,
    { token: testData.officer.token, variables: { id: testData.organizationId } },
  );
  expect(errors[0]?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    messages: ['after must be a cursor of this list in the same order'],
  });
});

test('are null with an error beside them for lower ranks, and the organization is still shown', async () => {
  const answer = await gateway.graphql.call(
    'query ($id: ID!) { organization(id: $id) { name users { totalCount } } }',
    { token: testData.analyst.token, variables: { id: testData.organizationId } },
  );
  expect(answer.body).toEqual({
    errors: [
      {
        message: 'Your role or the scopes of your token do not allow this',
        locations: [expect.anything()],
        path: ['organization', 'users'],
        extensions: { code: 'FORBIDDEN', messages: [1003] },
      },
    ],
    data: { organization: { name: 'First Organization', users: null } },
  });
});
