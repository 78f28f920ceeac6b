import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HIGH_RATE_LIMITS, startGateway, type TestGateway } from '../support/gateway.js';
import { seedTestData, type TestData } from '../support/test-data.js';

let database: TestDatabase;
let direct: TestGateway;
let byApollo: TestGateway;
let testData: TestData;

beforeAll(async () => {
  database = await createTestDatabase();
  const rateLimits = { ...HIGH_RATE_LIMITS, perToken: { ...HIGH_RATE_LIMITS.perToken, searches: 1 } };
  [direct, byApollo] = (await Promise.all(
    [true, false].map((directOperations) => startGateway({ database, config: { directOperations, rateLimits } })),
  )) as [TestGateway, TestGateway];
  testData = await seedTestData(direct.app.database);
});

afterAll(async () => {
  await Promise.all([direct, byApollo].map((gateway) => gateway?.close()));
  await database?.drop();
});

const USERS = 'query Users($id: ID!, $first: Int) { organization(id: $id) { id users(first: $first) { totalCount } } }';

const UPDATE = `mutation Update($input: UpdateProfileInput!) { updateProfile(input: $input) { user { username } } }`;

const CASES: [what: string, call: () => object][] = [
  ['a list', () => ({ query: USERS, variables: { id: testData.organizationId, first: 5 } })],
  ['a named operation', () => ({ query: `${USERS} query B { __typename }`, operationName: 'B' })],
  ['an operation that is not in its document', () => ({ query: '{ __typename }', operationName: 'B' })],
  ['a field that fails beside one that does not', () => ({ query: '{ __typename organization(id: 0) { id } }' })],
  ['two fields that the schema does not have', () => ({ query: '{ nothing viewer { nothing } }' })],
  ['a document that is not GraphQL', () => ({ query: '{ a' })],
  ['a document with too many levels', () => ({ query: `${'{ a '.repeat(20)}${'}'.repeat(20)}` })],
  ['variables of wrong types', () => ({ query: USERS, variables: { id: 'seven', first: {} } })],
  ['a required variable that is absent', () => ({ query: USERS })],
  ['a list of variables that is too long', () => ({ query: USERS, variables: { id: Array(3_000).fill(1) } })],
  ['a page that is too large', () => ({ query: USERS, variables: { id: testData.organizationId, first: 101 } })],
  [
    'more searches than a token has',
    () => ({ query: '{ a: search(query: "ab") { totalCount } b: search(query: "ab") { totalCount } }' }),
  ],
  ['a mutation', () => ({ query: UPDATE, variables: { input: { lastName: 'Rossi' } } })],
  ['a mutation with a wrong input', () => ({ query: UPDATE, variables: { input: { lastName: 'x'.repeat(201) } } })],
  [
    'a mutation that fails beside one that does not',
    () => ({
      query: `mutation { updateProfile(input: { firstName: "Ada" }) { user { username } }
        reopenIncident(input: { organizationId: 1, incidentId: 0 }) { incident { id } } }`,
    }),
  ],
  ['a subscription', () => ({ query: 'subscription { notificationAdded { id } }' })],
  ['an empty document', () => ({ query: '' })],
];

test.each(CASES)('%s is answered in the same bytes with and without the direct path', async (_what, call) => {
  for (const token of [testData.owner.token, testData.owner.token, undefined]) {
    const [one, other] = await Promise.all([direct, byApollo].map((gateway) => exchange(gateway, call(), token)));
    expect(one).toEqual(other);
  }
});

async function exchange({ url }: TestGateway, call: object, token: string | undefined) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== undefined && { 'X-Service-Token': token }) },
    body: JSON.stringify(call),
  });
  const headers = Object.fromEntries(response.headers);
  for (const name of ['x-request-id', 'date', 'ratelimit']) delete headers[name];
  // One of the two responses may be a second later.
  const isLater = headers['retry-after'] !== undefined;
  return { status: response.status, headers: { ...headers, 'retry-after': isLater }, body: await response.text() };
}
