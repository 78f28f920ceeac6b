import { expect, test } from '@jest/globals';
import { getNamedType, isObjectType, type GraphQLObjectType } from 'graphql';
import { buildAttestable } from '../support/attestations.js';
import { withStory } from '../support/matchers.js';
import { buildEngagement, buildServiceAccount } from '../support/people.js';
import { samples } from '../support/sample-files.js';
import { UPLOAD_RULES } from '../support/seeded-organization.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildPerson, buildToken, buildWorkflow } from '../support/test-data.js';
import { zip } from '../support/zip.js';

const { gateway, testData } = await startSeededGateway();
const { database, executor } = gateway.app;
const { schema } = executor;
const { organizationId, owner } = testData;
const { token } = owner;

await buildWorkflow(database, organizationId, 'iso-27001-2022');
await buildAttestable(database, organizationId, owner, { workflowId: 'iso-27001-2022', controlId: 'A.5.2' });
const incidentId = await buildIncident(database, organizationId);
const engagementId = await buildEngagement(database, organizationId, {});
const auditor = await buildPerson(database, 'auditor');
const audited = await buildEngagement(database, organizationId, { auditor, workflow: 'iso-27001-2022' });
const { id: serviceAccountId } = await buildServiceAccount(database, organizationId, owner);
await buildToken(database, owner, {});
const newestToken = async (userId: string) =>
  (await database.rows<{ id: number }>('select max(id) as id from api_token where user_id = $1', [userId]))[0]!.id;

const A_CONTROL = { workflowId: 'iso-27001-2022', controlId: 'A.5.1' };
const device = { organizationId, email: 'new@example.com', endpoint: '192.0.2.10' };
const ofOrganization = (list: string) => `organization(id: ${organizationId}) { list: ${list} { ...Places } }`;
const ofIncident = (list: string) =>
  `incident(organizationId: ${organizationId}, id: ${incidentId}) { list: ${list} { ...Places } }`;
const ofEngagement = (list: string) =>
  `engagement(organizationId: ${organizationId}, engagementId: ${audited}) { list: ${list} { ...Places } }`;
const ofAccount = `serviceAccount(organizationId: ${organizationId}, serviceAccountId: "${serviceAccountId}") { list: tokens { ...Places } }`;

interface Creation {
  input: object;
  /** The list that it adds to. */
  list: string;
  /** Sent along in the field `file` of the input. */
  file?: { filename: string; contentType: string; bytes: Buffer };
  /** Of who may create it, where that is not the owner. */
  token?: string;
}

const CREATIONS: Readonly<Record<string, Creation>> = {
  openIncident: { input: { organizationId, title: 'New', severity: 'LOW' }, list: ofOrganization('incidents') },
  addIncidentNote: { input: { organizationId, incidentId, text: 'New' }, list: ofIncident('notes') },
  uploadIncidentAttachment: {
    input: { organizationId, incidentId, file: null },
    list: ofIncident('attachments'),
    file: samples.PDF,
  },
  uploadDocumentVersion: {
    input: { organizationId, workflowId: 'iso-27001-2022', artifactId: 'A.5.1', file: null },
    list: ofOrganization('documentVersions'),
    file: samples.PDF,
  },
  associateWorkflow: { input: { organizationId, workflowId: 'nis2-directive' }, list: ofOrganization('workflows') },
  attestControl: {
    input: { organizationId, workflowId: 'iso-27001-2022', controlId: 'A.5.2', statement: 'In force.' },
    list: `organizationControl(organizationId: "${organizationId}", workflowId: "iso-27001-2022", controlId: "A.5.2") { list: attestations { ...Places } }`,
  },
  importWorkflow: { input: { organizationId, ...UPLOAD_RULES }, list: ofOrganization('workflowImports') },
  createCloudDefender: {
    input: { ...device, fqdn: 'new.example.com' },
    list: ofOrganization('cloudDefenders'),
  },
  createThreatBlocker: { input: { ...device, type: 'appliance' }, list: ofOrganization('threatBlockers') },
  createOrganization: { input: { name: 'New' }, list: 'list: organizations { ...Places }' },
  createIdentityProvider: {
    input: { organizationId, name: 'new', issuer: 'https://login.example.com', clientId: 'gateway' },
    list: ofOrganization('identityProviders'),
  },
  inviteMember: {
    input: { organizationId, email: 'new@example.com', role: 'VIEWER' },
    list: ofOrganization('invitations'),
  },
  createWebhookEndpoint: {
    input: { organizationId, url: 'https://receiver.example.com/' },
    list: ofOrganization('webhookEndpoints'),
  },
  createEngagement: {
    input: {
      ...{
        organizationId,
        name: 'New',
        workflowIds: ['iso-27001-2022'],
        until: new Date(Date.now() + 86_400_000).toISOString(),
      },
      ...{ from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' },
    },
    list: ofOrganization('engagements'),
  },
  inviteAuditor: {
    input: { organizationId, engagementId, email: 'auditor@example.com' },
    list: ofOrganization('invitations'),
  },
  requestEvidence: {
    input: { organizationId, engagementId: audited, ...A_CONTROL, text: 'The rules.' },
    list: ofEngagement('requests'),
    token: auditor.token,
  },
  signOff: {
    input: { organizationId, engagementId: audited, ...A_CONTROL, statement: 'In force.' },
    list: ofEngagement('signOffs'),
    token: auditor.token,
  },
  createServiceAccount: {
    input: { organizationId, name: 'New', role: 'VIEWER' },
    list: ofOrganization('serviceAccounts'),
  },
  startInvitations: {
    input: { organizationId, invitations: [{ email: 'many@example.com', role: 'VIEWER' }] },
    list: ofOrganization('importJobs'),
  },
  startMemberImport: { input: { organizationId, text: 'id\n' }, list: ofOrganization('importJobs') },
  startControlImport: {
    input: { organizationId, workflowId: 'nis2-directive', text: 'id\n' },
    list: ofOrganization('importJobs'),
  },
  startDocumentImport: {
    input: { organizationId, workflowId: 'iso-27001-2022', file: null },
    list: ofOrganization('importJobs'),
    file: {
      ...{ filename: 'documents.zip', contentType: 'application/zip' },
      bytes: zip([{ name: 'manifest.json', content: JSON.stringify({ documents: [] }) }]),
    },
  },
  createScimToken: { input: { organizationId, name: 'New' }, list: ofOrganization('scimTokens') },
  createServiceAccountToken: { input: { organizationId, serviceAccountId, name: 'New' }, list: ofAccount },
  rotateServiceAccountToken: {
    input: { organizationId, serviceAccountId, tokenId: await newestToken(serviceAccountId) },
    list: ofAccount,
  },
  createApiToken: { input: { name: 'New' }, list: 'list: apiTokens { ...Places }' },
  rotateApiToken: { input: { tokenId: await newestToken(owner.id) }, list: 'list: apiTokens { ...Places }' },
};

const MUTATIONS = Object.values(schema.getMutationType()!.getFields());
const payloadOf = (name: string) =>
  getNamedType(MUTATIONS.find((each) => each.name === name)!.type) as GraphQLObjectType;
const typeIn = (payload: GraphQLObjectType, field: string) => getNamedType(payload.getFields()[field]!.type);
/** The first field of a payload whose type has lists. */
const madeBy = (name: string) =>
  Object.values(payloadOf(name).getFields()).find(({ type }) => {
    const item = getNamedType(type);
    return isObjectType(item) && schema.getType(`${item.name}Edge`) !== undefined;
  })?.name;

test('every mutation that adds an object to a list answers its edge, and no other does', () => {
  const adds = ({ name }: { name: string }) =>
    /^(?:add|associate|attest|create|import|invite|open|request|rotate|sign|start|upload)/.test(name) &&
    madeBy(name) !== undefined;
  // These have another key or secret, and are the same.
  const same = ['rotateAtbKey', 'rotateWebhookSecret'];
  const adding = MUTATIONS.filter((each) => adds(each) && !same.includes(each.name)).map(({ name }) => name);
  const withEdge = MUTATIONS.filter(({ name }) =>
    Object.keys(payloadOf(name).getFields()).some((field) => field.endsWith('Edge')),
  ).map(({ name }) => name);
  expect(withEdge).toEqual(adding);
  expect(Object.keys(CREATIONS).toSorted()).toEqual(adding.toSorted());
  for (const name of adding) {
    const payload = payloadOf(name);
    const made = madeBy(name)!;
    expect(typeIn(payload, `${made}Edge`).name).toBe(`${typeIn(payload, made).name}Edge`);
  }
});

function send(name: string, input: object, selected: string) {
  const document = `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selected} } }`;
  const { file, token = owner.token } = CREATIONS[name]!;
  if (file === undefined) return gateway.graphql.call(document, { token, variables: { input } });
  const { filename, contentType: type, bytes } = file;
  return gateway.graphql.upload(document, { input }, 'variables.input.file', { name: filename, type, bytes }, token);
}

test.each(Object.entries(CREATIONS))(
  '%s answers the place that its object has in the list, in its default order',
  async (name, { input, list }) => {
    const made = madeBy(name)!;
    // The edge alone: nothing else is selected of what was made.
    const { name: type } = typeIn(payloadOf(name), made);
    const key = type === 'SignOff' ? 'signOffId' : 'id';
    const answer = await send(name, input, `${made}Edge { cursor node { ${key} } }`);
    withStory(answer, () => expect(answer.body.errors).toBeUndefined());
    const edge = (answer.body.data as Record<string, Record<string, unknown>>)[name]![`${made}Edge`];
    const document = `query { ${list} } fragment Places on ${type}Connection { edges { cursor node { ${key} } } }`;
    const listed = await gateway.graphql.call(document, { token });
    withStory(listed, () => {
      const { list: found } = (listed.body.data['organization'] ??
        listed.body.data['incident'] ??
        listed.body.data['serviceAccount'] ??
        listed.body.data['organizationControl'] ??
        listed.body.data['engagement'] ??
        listed.body.data) as { list: { edges: unknown[] } };
      expect(found.edges).toContainEqual(edge);
    });
  },
);

test.each(['uploadDocumentVersion', 'associateWorkflow', 'importWorkflow'])(
  '%s answers no edge where it adds nothing, so that no list shows an item twice',
  async (name) => {
    const { input } = CREATIONS[name]!;
    await send(name, input, 'created');
    const made = madeBy(name)!;
    const { body } = await send(name, input, `created ${made} { id } ${made}Edge { cursor }`);
    expect(body.data[name]).toMatchObject({
      created: false,
      [`${made}Edge`]: null,
      [made]: { id: expect.any(String) },
    });
  },
);
