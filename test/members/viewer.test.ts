import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seedTestData, join, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  await gateway.app.database.rows(`update app_user set created_at = '2026-01-02T03:04:05.006Z'`);
});

afterAll(() => gateway?.close());

test('tells who calls, with every field of the user', async () => {
  const { owner } = testData;
  const data = await dataTwice(
    gateway.graphql,
    '{ viewer { __typename user { __typename id: databaseId username email firstName lastName createdAt } } }',
    { token: owner.token },
  );
  expect(data).toEqual({
    viewer: {
      __typename: 'Viewer',
      user: {
        __typename: 'User',
        id: owner.id,
        username: owner.username,
        email: `${owner.username}@example.com`,
        firstName: 'owner',
        lastName: 'Person',
        createdAt: '2026-01-02T03:04:05.006Z',
      },
    },
  });
});

test('tells of the token of this very request, and never the token itself', async () => {
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
  const readers = [
    'READ_ORGANIZATION',
    'READ_WORKFLOWS',
    'READ_DOCUMENTS',
    'READ_INCIDENTS',
    'READ_BRANDING',
    'LEAVE_ORGANIZATION',
    'SET_OWN_ALERTS',
  ];
  expect(viewer.organizations).toEqual({
    totalCount: 2,
    pageInfo: { hasNextPage: false, hasPreviousPage: false },
    nodes: [
      {
        role: 'VIEWER',
        privileges: readers,
        organization: { id: testData.organizationId, name: 'First Organization' },
      },
      {
        role: 'SECURITY_ANALYST',
        privileges: [...readers, 'UPLOAD_DOCUMENTS', 'EDIT_INCIDENTS', 'ATTACH_FILES', 'SET_CONTROL_STATUS'],
        organization: { id: testData.otherOrganizationId, name: 'Other Organization' },
      },
    ],
  });
});

test('grants no more than the scopes of the token allow', async () => {
  const query = '{ viewer { organizations { nodes { role privileges } } } }';
  const { viewer } = await dataTwice(gateway.graphql, query, { token: testData.tokens.readOnly });
  expect(viewer.organizations.nodes).toEqual([
    {
      role: 'ORGANIZATION_OWNER',
      privileges: [
        'READ_ORGANIZATION',
        'READ_WORKFLOWS',
        'READ_DOCUMENTS',
        'READ_INCIDENTS',
        'READ_BRANDING',
        'LIST_MEMBERS',
        'READ_AUDIT_TRAIL',
        'READ_REPORTS',
        'READ_DEVICES',
        'LIST_INVITATIONS',
        'LIST_TOKENS',
      ],
    },
  ]);
});

test('tells a newcomer of no organization', async () => {
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

test('a token without the scope "read" may not even ask who it is', async () => {
  for (const token of [testData.tokens.writeOnly, testData.tokens.telemetry]) {
    const [error] = await errorsTwice(gateway.graphql, '{ viewer { user { id: databaseId } } }', { token });
    expect(error).toMatchObject({
      path: ['viewer'],
      extensions: { code: 'FORBIDDEN', messages: [1003] },
    });
  }
});

test('publishes the ladder of roles: each has what those below it have', async () => {
  const { roles } = await dataTwice(gateway.graphql, '{ roles { role rank privileges } }', {
    token: testData.userWithoutOrganization.token,
  });
  expect(roles.map(({ role, rank }: { role: string; rank: number }) => [rank, role])).toEqual([
    [1, 'VIEWER'],
    [2, 'SECURITY_ANALYST'],
    [3, 'SECURITY_OFFICER'],
    [4, 'ORGANIZATION_MANAGER'],
    [5, 'ORGANIZATION_OWNER'],
  ]);
  const privileges: string[][] = roles.map((each: { privileges: string[] }) => each.privileges);
  const added = privileges.map((own, index) => own.filter((one) => !(privileges[index - 1] ?? []).includes(one)));
  expect(added).toEqual([
    [
      'READ_ORGANIZATION',
      'READ_WORKFLOWS',
      'READ_DOCUMENTS',
      'READ_INCIDENTS',
      'READ_BRANDING',
      'LEAVE_ORGANIZATION',
      'SET_OWN_ALERTS',
    ],
    ['UPLOAD_DOCUMENTS', 'EDIT_INCIDENTS', 'ATTACH_FILES', 'SET_CONTROL_STATUS'],
    ['LIST_MEMBERS', 'DELETE_EVIDENCE', 'CORRECT_REPORTS', 'REOPEN_INCIDENTS', 'READ_AUDIT_TRAIL'],
    [
      'READ_REPORTS',
      'READ_DEVICES',
      'MANAGE_DEVICES',
      'REPORT_CHECKS',
      'MANAGE_WORKFLOWS',
      'MANAGE_BRANDING',
      'MANAGE_SETTINGS',
      'MANAGE_WEBHOOKS',
      'MANAGE_MEMBERS',
      'LIST_INVITATIONS',
    ],
    [
      'MANAGE_OWNERS',
      'LIST_TOKENS',
      'BLOCK_TOKENS',
      'TRANSFER_ORGANIZATION',
      'DELETE_ORGANIZATION',
      'RESTORE_ORGANIZATION',
    ],
  ]);
  privileges.slice(1).forEach((own, index) => expect(own).toEqual(expect.arrayContaining(privileges[index] ?? [])));
});
