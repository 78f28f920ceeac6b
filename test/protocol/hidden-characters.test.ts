import { describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectError, expectStatus, withStory } from '../support/matchers.js';
import { mailedSecrets } from '../support/people.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';
import { multipart } from '../support/rest.js';

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId);
const incident = await buildIncident(gateway.app.database, testData.organizationId);

/** The sent text and its stored form: joiners of an emoji and of a Persian word are significant. */
const SENT = '\u202eA\u2066c\u200bm\u2028e\u{e0041}\ufeff\u061c 👩\u200d💻 می\u200cخواهم';
const KEPT = 'Acme 👩\u200d💻 می\u200cخواهم';
const HIDDEN = '\u200b\u202e\u2060';

interface Entry {
  rest: () => [method: string, path: string, body: object];
  /** From the payload. */
  restName: (data: any) => unknown; // eslint-disable-line @typescript-eslint/no-explicit-any
  graphql: () => [selection: string, input: string, value: object];
  graphqlName: (data: any) => unknown; // eslint-disable-line @typescript-eslint/no-explicit-any
}

const organization = () => `/api/v1/organizations/${testData.organizationId}`;
const importOf = (id: string) => ({
  id,
  name: SENT,
  version: '1',
  source: { text: 'Own' },
  licence: 'Own',
  controls: [{ id: 'H1', label: SENT, kind: 'control' }],
});

const ENTRIES: Record<string, Entry> = {
  'an organization on creation': {
    rest: () => ['POST', '/api/v1/organizations', { name: SENT, contacts: [{ name: SENT, phone: '1' }] }],
    restName: ({ name, contacts }) => [name, contacts[0].name],
    graphql: () => [
      'createOrganization(input: $input) { organization { name contacts { name } } }',
      'CreateOrganizationInput',
      { name: SENT, contacts: [{ name: SENT, phone: '1' }] },
    ],
    graphqlName: ({ createOrganization: { organization: made } }) => [made.name, made.contacts[0].name],
  },
  'an organization on update': {
    rest: () => ['PATCH', organization(), { name: SENT }],
    restName: ({ name }) => name,
    graphql: () => [
      'updateOrganization(input: $input) { organization { name } }',
      'UpdateOrganizationInput',
      { organizationId: testData.organizationId, name: SENT },
    ],
    graphqlName: (data) => data.updateOrganization.organization.name,
  },
  'a user': {
    rest: () => ['PATCH', '/api/v1/profile', { first_name: SENT, last_name: SENT }],
    restName: ({ first_name, last_name }) => [first_name, last_name],
    graphql: () => [
      'updateProfile(input: $input) { user { firstName lastName } }',
      'UpdateProfileInput',
      { firstName: SENT, lastName: SENT },
    ],
    graphqlName: ({ updateProfile: { user } }) => [user.firstName, user.lastName],
  },
  'a token': {
    rest: () => ['POST', '/api/v1/tokens', { name: SENT }],
    restName: ({ api_token }) => api_token.name,
    graphql: () => ['createApiToken(input: $input) { apiToken { name } }', 'CreateApiTokenInput', { name: SENT }],
    graphqlName: (data) => data.createApiToken.apiToken.name,
  },
  'a service account': {
    rest: () => ['POST', `${organization()}/service-accounts`, { name: SENT, description: SENT, role: 'VIEWER' }],
    restName: ({ name, description }) => [name, description],
    graphql: () => [
      'createServiceAccount(input: $input) { serviceAccount { name description } }',
      'CreateServiceAccountInput',
      { organizationId: testData.organizationId, name: SENT, description: SENT, role: 'VIEWER' },
    ],
    graphqlName: ({ createServiceAccount: { serviceAccount: made } }) => [made.name, made.description],
  },
  'a token of a directory': {
    rest: () => ['POST', `${organization()}/scim/tokens`, { name: SENT }],
    restName: ({ scim_token }) => scim_token.name,
    graphql: () => [
      'createScimToken(input: $input) { scimToken { name } }',
      'CreateScimTokenInput',
      { organizationId: testData.organizationId, name: SENT },
    ],
    graphqlName: (data) => data.createScimToken.scimToken.name,
  },
  'an incident': {
    rest: () => ['POST', `/api/v1/v-ciso/incidents/${testData.organizationId}`, { title: SENT, severity: 'LOW' }],
    restName: ({ title }) => title,
    graphql: () => [
      'openIncident(input: $input) { incident { title } }',
      'OpenIncidentInput',
      { organizationId: testData.organizationId, title: SENT, severity: 'LOW' },
    ],
    graphqlName: (data) => data.openIncident.incident.title,
  },
  'a device': {
    rest: () => [
      'POST',
      '/api/v1/atb',
      {
        organization_id: testData.organizationId,
        type: SENT,
        email: 'a@example.com',
        endpoint: '192.0.2.1',
        services: [SENT],
      },
    ],
    restName: ({ type, services }) => [type, services[0]],
    graphql: () => [
      'createThreatBlocker(input: $input) { threatBlocker { type plugin { name } } }',
      'CreateThreatBlockerInput',
      {
        organizationId: testData.organizationId,
        type: SENT,
        email: 'a@example.com',
        endpoint: '192.0.2.1',
        plugin: { name: SENT },
      },
    ],
    graphqlName: ({ createThreatBlocker: { threatBlocker: made } }) => [made.type, made.plugin.name],
  },
  'a workflow': {
    rest: () => ['POST', `/api/v1/v-ciso${organization().slice(7)}/available-workflows`, importOf('own-one')],
    restName: ({ name }) => name,
    graphql: () => [
      'importWorkflow(input: $input) { workflowImport { name } }',
      'ImportWorkflowInput',
      { organizationId: testData.organizationId, text: JSON.stringify(importOf('own-two')) },
    ],
    graphqlName: (data) => data.importWorkflow.workflowImport.name,
  },
};

describe('characters that are not seen are left out of the name of', () => {
  test.each(Object.entries(ENTRIES))('%s, through REST and GraphQL', async (_, entry) => {
    const { token } = testData.owner;
    const [method, path, body] = entry.rest();
    const answer = await gateway.rest.call(method, path, { token, body });
    withStory(answer, () => expect(new Set([entry.restName(answer.body.data)].flat())).toEqual(new Set([KEPT])));
    const [selection, input, value] = entry.graphql();
    const document = `mutation ($input: ${input}!) { ${selection} }`;
    const result = await gateway.graphql.call(document, { token, variables: { input: value } });
    withStory(result, () => {
      const names = [entry.graphqlName(result.body.data)].flat();
      expect(new Set(names)).toEqual(new Set([KEPT]));
    });
  });

  test('a document and an attachment', async () => {
    const { token } = testData.analyst;
    const version = await gateway.rest.post(
      `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/iso-27001-2022/documents/A.5.1/versions`,
      { token, body: { filename: `${SENT}.txt`, content: 'eA==', content_type: 'text/plain' } },
    );
    withStory(version, () => expect(version.body.data?.original_name).toBe(`${KEPT}.txt`));
    const attachment = await gateway.rest.post(
      `/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}/attachments`,
      { token, ...multipart([{ name: 'file', filename: `${SENT}.txt`, type: 'text/plain', content: 'x' }]) },
    );
    withStory(attachment, () => expect(attachment.body.data?.original_name).toBe(`${KEPT}.txt`));
  });

  test('a user who accepts an invitation', async () => {
    const email = 'hidden@example.com';
    const { token } = testData.owner;
    expectStatus(
      await gateway.rest.post(`${organization()}/invitations`, { token, body: { email, role: 'VIEWER' } }),
      201,
    );
    const [secret] = await mailedSecrets(gateway.app.database, email);
    const body = { secret, first_name: SENT, last_name: HIDDEN };
    expectStatus(await gateway.rest.post('/api/v1/invitations/accept', { body }), 201);
    const rows = await gateway.app.database.rows(
      'select first_name as first, last_name as last from app_user where email = $1',
      [email],
    );
    expect(rows).toEqual([{ first: KEPT, last: '' }]);
  });
});

test('a name of nothing but characters that are not seen is no name', async () => {
  const { token } = testData.owner;
  const post = (path: string, body: object) => gateway.rest.post(path, { token, body });
  expectError(await post('/api/v1/organizations', { name: HIDDEN }), 400, ['name is required']);
  expectError(await post('/api/v1/tokens', { name: HIDDEN }), 400, ['name is required']);
  expectError(await post(`${organization()}/scim/tokens`, { name: HIDDEN }), 400, ['name is required']);
  const account = { name: HIDDEN, role: 'VIEWER' };
  expectError(await post(`${organization()}/service-accounts`, account), 400, ['name is required']);
  const incidents = `/api/v1/v-ciso/incidents/${testData.organizationId}`;
  expectError(await post(incidents, { title: HIDDEN, severity: 'LOW' }), 400, ['title is required']);
  expectError(await gateway.rest.patch(organization(), { token, body: { name: HIDDEN } }), 400, ['name is required']);
});
