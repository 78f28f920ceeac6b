import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { withStory } from '../support/matchers.js';
import { buildInvitation, newMember } from '../support/people.js';
import { buildToken, seedTestData, type TestData } from '../support/test-data.js';
import { callersOf, expectBothEnds, graphqlOutcome, restOutcome } from '../support/parity.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

/** One operation as both APIs have it, on something made anew for each call. */
interface Operation {
  name: string;
  make?(): Promise<number | string>;
  /** How it ends, where nobody is served. */
  ends?: readonly string[];
  rest(id: number | string): [method: string, path: string, body?: object];
  graphql(id: number | string): string;
}

const organization = (rest = '') => `/api/v1/organizations/${testData.organizationId}${rest}`;
const member = async () => (await newMember(gateway.app.database, testData.organizationId, 'VIEWER')).id;
const owner = async () => (await newMember(gateway.app.database, testData.organizationId, 'ORGANIZATION_OWNER')).id;
const invitation = async () => {
  const email = `${randomUUID()}@example.com`;
  return (await buildInvitation(gateway.app.database, { ...testData, email })).id;
};
const tokenOfOwner = async () => {
  await buildToken(gateway.app.database, testData.owner, {});
  const [row] = await gateway.app.database.rows<{ id: number }>(
    'select max(id) as id from api_token where user_id = $1',
    [testData.owner.id],
  );
  return row!.id;
};
const inOrganization = () => `organizationId: ${testData.organizationId}`;

const OPERATIONS: readonly Operation[] = [
  {
    name: 'reading a member',
    make: member,
    rest: (id) => ['GET', organization(`/users/${id}`)],
    graphql: (id) => `{ member(${inOrganization()}, userId: "${id}") { id: databaseId } }`,
  },
  {
    name: 'changing a member',
    make: member,
    rest: (id) => ['PATCH', organization(`/users/${id}`), { role: 'SECURITY_OFFICER' }],
    graphql: (id) =>
      `mutation { updateMember(input: { ${inOrganization()}, userId: "${id}", role: SECURITY_OFFICER }) { member { id: databaseId } } }`,
  },
  {
    name: 'deactivating an owner',
    make: owner,
    rest: (id) => ['PATCH', organization(`/users/${id}`), { active: false }],
    graphql: (id) =>
      `mutation { updateMember(input: { ${inOrganization()}, userId: "${id}", active: false }) { member { id: databaseId } } }`,
  },
  {
    name: 'removing a member',
    make: member,
    rest: (id) => ['DELETE', organization(`/users/${id}`)],
    graphql: (id) =>
      `mutation { removeMember(input: { ${inOrganization()}, userId: "${id}" }) { member { id: databaseId } } }`,
  },
  {
    name: 'inviting',
    make: async () => `${randomUUID()}@example.com`,
    rest: (id) => ['POST', organization('/invitations'), { email: id, role: 'VIEWER' }],
    graphql: (id) =>
      `mutation { inviteMember(input: { ${inOrganization()}, email: "${id}", role: VIEWER }) { invitation { id: databaseId } } }`,
  },
  {
    name: 'listing invitations',
    rest: () => ['GET', organization('/invitations')],
    graphql: () => `{ organization(id: ${testData.organizationId}) { invitations { totalCount } } }`,
  },
  {
    name: 'sending an invitation once more',
    make: invitation,
    rest: (id) => ['POST', organization(`/invitations/${id}/resend`)],
    graphql: (id) =>
      `mutation { resendInvitation(input: { ${inOrganization()}, invitationId: ${id} }) { invitation { id: databaseId } } }`,
  },
  {
    name: 'cancelling an invitation',
    make: invitation,
    rest: (id) => ['DELETE', organization(`/invitations/${id}`)],
    graphql: (id) =>
      `mutation { cancelInvitation(input: { ${inOrganization()}, invitationId: ${id} }) { invitation { id: databaseId } } }`,
  },
  {
    name: 'accepting an invitation that never was',
    ends: ['NOT_FOUND', 'FORBIDDEN'],
    rest: () => ['POST', '/api/v1/invitations/accept', { secret: 'inv_' }],
    graphql: () => 'mutation { acceptInvitation(input: { secret: "inv_" }) { email } }',
  },
  {
    name: 'a look at an invitation that never was',
    ends: ['NOT_FOUND'],
    rest: () => ['POST', '/api/v1/invitations/preview', { secret: 'inv_' }],
    graphql: () => 'query { invitationPreview(input: { secret: "inv_" }) { email } }',
  },
  {
    name: 'a recovery link that never was',
    ends: ['NOT_FOUND'],
    rest: () => ['POST', '/api/v1/recovery/accept', { secret: 'rec_' }],
    graphql: () => 'mutation { recoverToken(input: { secret: "rec_" }) { userId } }',
  },
  {
    name: 'changing one’s alerts',
    rest: () => ['PATCH', organization('/alerts'), { atb: true }],
    graphql: () => `mutation { updateAlerts(input: { ${inOrganization()}, atb: true }) { alerts { atb } } }`,
  },
  {
    name: 'changing one’s profile',
    rest: () => ['PATCH', '/api/v1/profile', { last_name: 'n'.repeat(200) }],
    graphql: () => `mutation { updateProfile(input: { lastName: "${'n'.repeat(200)}" }) { user { id: databaseId } } }`,
  },
  {
    name: 'making a token that reports checks',
    rest: () => ['POST', '/api/v1/tokens', { name: 'device', scopes: ['TELEMETRY'] }],
    graphql: () =>
      'mutation { createApiToken(input: { name: "device", scopes: [TELEMETRY] }) { apiToken { id: databaseId } } }',
  },
  {
    name: 'rotating a token',
    make: tokenOfOwner,
    rest: (id) => ['POST', `/api/v1/tokens/${id}/rotate`, { grace_hours: 1 }],
    graphql: (id) =>
      `mutation { rotateApiToken(input: { tokenId: ${id}, graceHours: 1 }) { apiToken { id: databaseId } } }`,
  },
  {
    name: 'listing the tokens of an organization',
    rest: () => ['GET', organization('/tokens')],
    graphql: () => `{ organization(id: ${testData.organizationId}) { apiTokens { totalCount } } }`,
  },
  {
    name: 'blocking a token',
    make: tokenOfOwner,
    rest: (id) => ['DELETE', organization(`/tokens/${id}`)],
    graphql: (id) =>
      `mutation { blockApiToken(input: { ${inOrganization()}, tokenId: ${id} }) { apiToken { id: databaseId } } }`,
  },
];

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  test('ends alike through both APIs, for every kind of caller', async () => {
    const make = async () => (await operation.make?.()) ?? '';
    const codes = new Set<string>();
    for (const [name, token] of callersOf(testData)) {
      const [method, path, body] = operation.rest(await make());
      const auth = token === undefined ? {} : { token };
      const notified = restOutcome(await gateway.rest.call(method, path, { ...auth, ...(body && { body }) }));
      const answer = await gateway.graphql.call(operation.graphql(await make()), auth);
      withStory(answer, () => expect([name, graphqlOutcome(answer)]).toEqual([name, notified]));
      codes.add(notified.code);
    }
    if (operation.ends === undefined) expectBothEnds(codes);
    else expect([...codes]).toEqual(operation.ends);
  });
});

test.each([
  [
    '/api/v1/profile',
    'PATCH',
    { first_name: 'n'.repeat(201), last_name: 'a\u0007' },
    'UpdateProfile',
    'user { id: databaseId }',
    { firstName: 'n'.repeat(201), lastName: 'a\u0007' },
  ],
  [
    '/api/v1/tokens',
    'POST',
    { name: '', scopes: [], allowed_ips: ['x'] },
    'CreateApiToken',
    'token',
    { name: '', scopes: [], allowedIps: ['x'] },
  ],
  ['/api/v1/tokens/1/rotate', 'POST', { grace_hours: 999 }, 'RotateApiToken', 'token', { tokenId: 1, graceHours: 999 }],
  [
    '/api/v1/invitations/accept',
    'POST',
    { secret: 'x', first_name: 'a\nb' },
    'AcceptInvitation',
    'email',
    { secret: 'x', firstName: 'a\nb' },
  ],
])('errors of %s have the same words through both APIs', async (path, method, body, name, selection, input) => {
  const { token } = testData.owner;
  const notified = restOutcome(await gateway.rest.call(method, path, { token, body }));
  const field = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${name}Input!) { ${field}(input: $input) { ${selection} } }`;
  const answer = await gateway.graphql.call(query, { token, variables: { input } });
  expect(notified.code).toBe('BAD_USER_INPUT');
  withStory(answer, () => expect(graphqlOutcome(answer)).toEqual(notified));
});
