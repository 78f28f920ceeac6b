import { describe, expect, test } from '@jest/globals';
import { PRIVILEGES, privilegesOf, type Privilege } from '../../src/auth/roles.js';
import type { Role } from '../../src/values/enums.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, join } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';
import { expectData, expectError } from '../support/matchers.js';
import { buildInvitation, newMember } from '../support/people.js';
import { pagingCases } from '../support/rest.js';

const { gateway, testData } = await startSeededGateway();

/** The privileges that each role has beside those of the roles below it. */
const ADDED = {
  AUDITOR: [],
  VIEWER: [
    ...['READ_ORGANIZATION', 'READ_WORKFLOWS', 'READ_DOCUMENTS', 'READ_INCIDENTS', 'READ_BRANDING'],
    ...['LEAVE_ORGANIZATION', 'SET_OWN_ALERTS', 'ATTEST_CONTROLS'],
  ],
  SECURITY_ANALYST: [
    ...['UPLOAD_DOCUMENTS', 'EDIT_INCIDENTS', 'ATTACH_FILES', 'SET_CONTROL_STATUS', 'READ_ENGAGEMENTS'],
    'ANSWER_REQUESTS',
  ],
  SECURITY_OFFICER: [
    ...['LIST_MEMBERS', 'DELETE_EVIDENCE', 'CORRECT_REPORTS', 'REOPEN_INCIDENTS', 'COUNTERSIGN_ATTESTATIONS'],
    'READ_AUDIT_TRAIL',
  ],
  ORGANIZATION_MANAGER: [
    ...['READ_REPORTS', 'READ_DEVICES', 'MANAGE_DEVICES', 'REPORT_CHECKS', 'MANAGE_WORKFLOWS', 'MANAGE_BRANDING'],
    ...['MANAGE_SETTINGS', 'READ_WEBHOOKS', 'MANAGE_WEBHOOKS', 'MANAGE_MEMBERS', 'READ_IDENTITY_PROVIDERS'],
    ...['READ_SCIM', 'LIST_INVITATIONS', 'LIST_SERVICE_ACCOUNTS', 'MANAGE_SCIM', 'MANAGE_SERVICE_ACCOUNTS'],
    'MANAGE_ENGAGEMENTS',
  ],
  ORGANIZATION_OWNER: [
    ...['MANAGE_OWNERS', 'LIST_TOKENS', 'BLOCK_TOKENS', 'TRANSFER_ORGANIZATION', 'DELETE_ORGANIZATION'],
    ...['RESTORE_ORGANIZATION', 'MANAGE_IDENTITY_PROVIDERS', 'SET_AUDIT_RETENTION'],
  ],
} as const satisfies Record<Role, readonly Privilege[]>;

describe('the members of an organization', () => {
  const users = async (args: string, fields: string) => {
    const query = `query ($id: ID!) { organization(id: $id) { users${args} { ${fields} } } }`;
    const { token } = testData.officer;
    const data = await dataTwice(gateway.graphql, query, { token, variables: { id: testData.organizationId } });
    return data.organization.users;
  };

  test('are paged by cursor in every order, none dropped and none repeated', async () => {
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

  test('are paged in both directions where all have the same place in the order', async () => {
    const { database } = gateway.app;
    const id = await buildOrganization(database, 'Alike');
    const { token } = await newMember(database, id, 'SECURITY_OFFICER');
    for (let others = 0; others < 3; others += 1) await newMember(database, id, 'SECURITY_OFFICER');
    const page = async (args: string) => {
      const query = `{ organization(id: ${id}) { users(${args}, orderBy: { field: ROLE }) {
        nodes { userId } pageInfo { startCursor endCursor } } } }`;
      return (await gateway.graphql.data(query, { token })).organization.users;
    };
    const { nodes } = await page('first: 4');
    const first = await page('first: 2');
    const last = await page('last: 2');
    expect([...first.nodes, ...last.nodes]).toEqual(nodes);
    expect((await page(`first: 2, after: "${first.pageInfo.endCursor}"`)).nodes).toEqual(last.nodes);
    expect((await page(`last: 2, before: "${last.pageInfo.startCursor}"`)).nodes).toEqual(first.nodes);
  });

  // The places of EMAIL are texts as well.
  test.each(['ROLE', 'EMAIL'])('are not paged in the order of %s by a cursor of that of USERNAME', async (order) => {
    const { pageInfo } = await users('(first: 1)', 'pageInfo { endCursor }');
    const errors = await errorsTwice(
      gateway.graphql,
      `query ($id: ID!) { organization(id: $id) { users(after: "${pageInfo.endCursor}", orderBy: { field: ${order} }) { totalCount } } }`,
      { token: testData.officer.token, variables: { id: testData.organizationId } },
    );
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      messages: ['after must be a cursor of this list in the same order'],
    });
  });

  test('are null beside an error for roles that may not list them, and the organization is still shown', async () => {
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
});

describe('the viewer', () => {
  test('shows the token of this very request without its secret', async () => {
    const { readOnly } = testData.tokens;
    await gateway.app.database.rows(
      `update api_token set created_at = '2026-01-02T03:04:05Z', expires_at = '2099-02-01T00:00:00Z', last_used_at = null
        where scopes = '{read}'`,
    );
    const { viewer } = await gateway.graphql.data(
      '{ viewer { token { name prefix scopes createdAt expiresAt revokedAt } } }',
      { token: readOnly },
    );
    expect(viewer.token).toEqual({
      name: 'test',
      prefix: readOnly.slice(0, 8),
      scopes: ['READ'],
      createdAt: '2026-01-02T03:04:05.000Z',
      expiresAt: '2099-02-01T00:00:00.000Z',
      revokedAt: null,
    });
  });

  test('lists the organizations of the caller by name, with role and privileges', async () => {
    await join(gateway.app.database, testData.viewer, testData.otherOrganizationId, 'SECURITY_ANALYST');
    const { viewer } = await dataTwice(
      gateway.graphql,
      `{ viewer { organizations { totalCount pageInfo { hasNextPage hasPreviousPage }
          nodes { role privileges organization { id: databaseId name } } } } }`,
      { token: testData.viewer.token },
    );
    expect(viewer.organizations).toEqual({
      totalCount: 2,
      pageInfo: { hasNextPage: false, hasPreviousPage: false },
      nodes: [
        {
          role: 'VIEWER',
          privileges: privilegesOf('VIEWER'),
          organization: { id: testData.organizationId, name: 'First Organization' },
        },
        {
          role: 'SECURITY_ANALYST',
          privileges: privilegesOf('SECURITY_ANALYST'),
          organization: { id: testData.otherOrganizationId, name: 'Other Organization' },
        },
      ],
    });
  });

  test('counts the members of each where a page of each is read, from either end', async () => {
    const counts = (page: string) =>
      dataTwice(
        gateway.graphql,
        `{ viewer { organizations { nodes { organization { users(${page}) { totalCount nodes { userId } } } } } } }`,
        { token: testData.officer.token },
      );
    const of = await buildOrganization(gateway.app.database, 'Third Organization');
    await join(gateway.app.database, testData.officer, of, 'SECURITY_OFFICER');
    const [whole, first, last] = [await counts('first: 100'), await counts('first: 1'), await counts('last: 1')].map(
      ({ viewer }) =>
        viewer.organizations.nodes.map(
          ({ organization: { users } }: { organization: { users: { totalCount: number; nodes: object[] } } }) => users,
        ) as { totalCount: number; nodes: object[] }[],
    );
    expect(whole!.map(({ nodes }) => nodes.length)).toEqual([5, 1]);
    for (const pages of [whole, first, last]) expect(pages!.map(({ totalCount }) => totalCount)).toEqual([5, 1]);
  });

  test('lists no more privileges than the scopes of the token allow', async () => {
    const query = '{ viewer { organizations { nodes { role privileges } } } }';
    const { viewer } = await dataTwice(gateway.graphql, query, { token: testData.tokens.readOnly });
    const read = Object.values(ADDED)
      .flat()
      .filter((privilege) => PRIVILEGES[privilege].scope === 'read');
    expect(viewer.organizations.nodes).toEqual([
      { role: 'ORGANIZATION_OWNER', privileges: expect.arrayContaining(read) },
    ]);
    expect(viewer.organizations.nodes[0].privileges).toHaveLength(read.length);
  });

  test('lists no organization for a user without one', async () => {
    const query =
      '{ viewer { organizations { totalCount nodes { role } edges { cursor } pageInfo { startCursor endCursor } } } }';
    const { viewer } = await dataTwice(gateway.graphql, query, { token: testData.userWithoutOrganization.token });
    expect(viewer.organizations).toEqual({
      totalCount: 0,
      nodes: [],
      edges: [],
      pageInfo: { startCursor: null, endCursor: null },
    });
  });
});

test('each role has the privileges of the roles below it and more', async () => {
  const { formOptions } = await dataTwice(gateway.graphql, '{ formOptions { roles { role rank privileges } } }', {
    token: testData.userWithoutOrganization.token,
  });
  const { roles } = formOptions;
  expect(roles.map(({ role, rank }: { role: string; rank: number }) => [rank, role])).toEqual([
    ...Object.keys(ADDED).entries(),
  ]);
  const privileges: string[][] = roles.map((each: { privileges: string[] }) => each.privileges);
  const added = privileges.map((own, index) => own.filter((one) => !(privileges[index - 1] ?? []).includes(one)));
  expect(added.map((own) => own.toSorted())).toEqual(Object.values(ADDED).map((own) => own.toSorted()));
  privileges.slice(1).forEach((own, index) => expect(own).toEqual(expect.arrayContaining(privileges[index] ?? [])));
});

for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) {
  await buildInvitation(gateway.app.database, { ...testData, email });
}

const path = (rest: string) => `/api/v1/organizations/${testData.organizationId}${rest}`;
const users = (query: string) => gateway.rest.get(`${path('/users')}?${query}`, testData.manager);
const patch = (body?: object) =>
  gateway.rest.patch(path(`/users/${testData.viewer.id}`), { token: testData.manager.token, ...(body && { body }) });

describe('the parameters of the list of members', () => {
  pagingCases(users);

  test('are refused when they name an order or a role that does not exist, or contain a NUL character', async () => {
    for (const sort of ['first_name', 'USERNAME', '--username', '', 'id', 'username,email']) {
      expectError(await users(`sort=${sort}`), 400, [
        'sort must be one of username, -username, email, -email, role, -role',
      ]);
    }
    for (const role of ['viewer', 'BOSS', '']) {
      expectError(await users(`role=${role}`), 400, [
        'role must be one of VIEWER, SECURITY_ANALYST, SECURITY_OFFICER, ORGANIZATION_MANAGER, ORGANIZATION_OWNER',
      ]);
    }
    expectError(await users('search=a%00'), 400, ['search must not contain control characters']);
  });
});

describe('the parameters of the list of invitations', () => {
  pagingCases((query) => gateway.rest.get(`${path('/invitations')}?${query}`, testData.manager));
});

test('a change of a member without a body changes nothing', async () => {
  expect(expectData(await patch())).toMatchObject({ role: 'VIEWER', active: true });
});

test('a change of a member has no field for the id of the user', async () => {
  expectError(await patch({ userId: 'x', user_id: testData.viewer.id }), 400, [
    'userId is not a known field',
    'user_id is not a known field',
  ]);
});

test('an invitation that was made is at the path of Location, and answered there in the same bytes', async () => {
  const body = { email: 'new@example.org', role: 'VIEWER' };
  const invited = await gateway.rest.post(path('/invitations'), { token: testData.manager.token, body });
  const { id } = expectData(invited, 201);
  expect(invited.headers.get('location')).toBe(path(`/invitations/${id}`));
  expect((await gateway.rest.get(path(`/invitations/${id}`), testData.manager)).text).toBe(invited.text);
});

test('every route that needs no token refuses a body of more than 4 KB', async () => {
  for (const route of ['invitations/preview', 'invitations/accept', 'recovery', 'recovery/accept']) {
    const response = await gateway.rest.post(`/api/v1/${route}`, { body: { secret: 's'.repeat(4 * 1024) } });
    expectError(response, 400, ['The body must not exceed 4096 bytes']);
  }
});
