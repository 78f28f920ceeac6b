import { describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { join } from '../support/test-data.js';

const PREFERENCES = 'mailPreferences { incident document device workflow member token system }';

const OPERATIONS = {
  read: {
    rest: 'GET /api/v1/organizations/{organization_id}/mail-preferences',
    graphql: `query ($organizationId: ID!) { organization(id: $organizationId) { ${PREFERENCES} } }`,
    at: 'organization.mailPreferences',
  },
  update: mutation(
    'PATCH /api/v1/organizations/{organization_id}/mail-preferences',
    'updateMailPreferences',
    PREFERENCES,
  ),
} satisfies Record<string, Operation>;

const DEFAULTS = {
  ...{ incident: 'URGENT_ONLY', document: 'URGENT_ONLY', device: 'URGENT_ONLY', workflow: 'URGENT_ONLY' },
  ...{ member: 'URGENT_ONLY', token: 'URGENT_ONLY', system: 'URGENT_ONLY' },
};

const { gateway, testData } = await startSeededGateway();

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, token: string, organization_id: number, input: object = {}) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id, ...input }, token);

  test('urgent notifications of every category are mailed until a member chooses', async () => {
    const person = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
    expect(dataOf(await call('read', person.token, testData.organizationId))).toEqual(DEFAULTS);
  });

  test('a member chooses for itself, category by category, in one organization and in no other', async () => {
    const { organizationId, otherOrganizationId } = testData;
    const person = await newMember(gateway.app.database, organizationId, 'VIEWER');
    const colleague = await newMember(gateway.app.database, organizationId, 'VIEWER');
    await join(gateway.app.database, person, otherOrganizationId, 'VIEWER');
    dataOf(await call('update', person.token, organizationId, { incident: 'IMMEDIATELY', system: 'NEVER' }));
    const chosen = { ...DEFAULTS, incident: 'DAILY', system: 'NEVER' };
    const second = await call('update', person.token, organizationId, { incident: 'DAILY', system: null });
    expect(dataOf(second)).toEqual(chosen);
    expect(dataOf(await call('read', person.token, organizationId))).toEqual(chosen);
    expect(dataOf(await call('read', person.token, otherOrganizationId))).toEqual(DEFAULTS);
    expect(dataOf(await call('read', colleague.token, organizationId))).toEqual(DEFAULTS);
  });

  test('anything but the four words is refused, and nothing changes', async () => {
    const person = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
    const refused = await call('update', person.token, testData.organizationId, { incident: 'WEEKLY', token: 'DAILY' });
    expectFailure(refused, 'BAD_USER_INPUT', ['incident must be one of IMMEDIATELY, DAILY, URGENT_ONLY, NEVER']);
    const unknown = await call('update', person.token, testData.organizationId, { invoices: 'DAILY' });
    expectFailure(unknown, 'BAD_USER_INPUT', ['invoices is not a known field']);
    expect(dataOf(await call('read', person.token, testData.organizationId))).toEqual(DEFAULTS);
  });
});

test('an update answers its organization, so that a cache which holds it has the preferences at once', async () => {
  const person = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
  const { updateMailPreferences } = await gateway.graphql.data(
    `mutation ($id: ID!) { updateMailPreferences(input: { organizationId: $id, device: NEVER }) {
      organization { id: databaseId mailPreferences { device token } } } }`,
    { token: person.token, variables: { id: testData.organizationId } },
  );
  expect(updateMailPreferences).toEqual({
    organization: { id: testData.organizationId, mailPreferences: { device: 'NEVER', token: 'URGENT_ONLY' } },
  });
});
