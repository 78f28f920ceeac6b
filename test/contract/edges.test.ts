import { expect, test } from '@jest/globals';
import { getNamedType, type GraphQLObjectType } from 'graphql';
import { buildAttestable } from '../support/attestations.js';
import { exampleInput, madeBy } from '../support/example-inputs.js';
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
const ofOrganization = (list: string) => `organization(id: ${organizationId}) { list: ${list} { ...Places } }`;
const ofIncident = (list: string) =>
  `incident(organizationId: ${organizationId}, id: ${incidentId}) { list: ${list} { ...Places } }`;
const ofEngagement = (list: string) =>
  `engagement(organizationId: ${organizationId}, id: ${audited}) { list: ${list} { ...Places } }`;
const ofAccount = `serviceAccount(organizationId: ${organizationId}, id: "${serviceAccountId}") { list: tokens { ...Places } }`;

interface Creation {
  input: object;
  /** The list that gets the new item. */
  list: string;
  /** Sent as the field `file` of the input. */
  file?: { filename: string; contentType: string; bytes: Buffer };
  /** Token of the caller, if not the owner. */
  token?: string;
}

/** For other mutations the input is the example of the route, and the list the organization's. */
const CREATIONS: Readonly<Record<string, Creation>> = {
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
  createOrganization: { input: { name: 'New' }, list: 'list: organizations { ...Places }' },
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
  startInvitations: {
    input: { organizationId, invitations: [{ email: 'many@example.com', role: 'VIEWER' }] },
    list: ofOrganization('importJobs'),
  },
  startMemberImport: { input: { organizationId, text: 'id\n' }, list: ofOrganization('importJobs') },
  startControlImport: {
    input: { organizationId, workflowId: 'iso-27001-2022', text: 'id\n' },
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
const made = (name: string) => madeBy(schema, name);

const adds = ({ name }: { name: string }) =>
  /^(?:add|associate|attest|create|import|invite|open|request|rotate|sign|start|upload)/.test(name) &&
  made(name) !== undefined;
/** Mutations that only replace the key or secret of an existing object. */
const SAME = ['rotateAtbKey', 'rotateWebhookSecret'];
const ADDING = MUTATIONS.filter((each) => adds(each) && !SAME.includes(each.name)).map(({ name }) => name);

function creationOf(name: string): Creation {
  const { name: type } = typeIn(payloadOf(name), made(name)!);
  const lists = Object.values((schema.getType('Organization') as GraphQLObjectType).getFields());
  const list = lists.find((field) => getNamedType(field.type).name === `${type}Connection`);
  const input = { organizationId, ...exampleInput(schema, name) };
  return CREATIONS[name] ?? { input, list: ofOrganization(list?.name ?? name) };
}

test('every mutation that adds an object to a list answers its edge, and no other does', () => {
  const withEdge = MUTATIONS.filter(({ name }) =>
    Object.keys(payloadOf(name).getFields()).some((field) => field.endsWith('Edge')),
  ).map(({ name }) => name);
  expect(withEdge).toEqual(ADDING);
  expect(Object.keys(CREATIONS).filter((name) => !ADDING.includes(name))).toEqual([]);
  for (const name of ADDING) {
    const payload = payloadOf(name);
    expect(typeIn(payload, `${made(name)}Edge`).name).toBe(`${typeIn(payload, made(name)!).name}Edge`);
  }
});

function send(name: string, input: object, selected: string) {
  const document = `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selected} } }`;
  const { file, token = owner.token } = creationOf(name);
  if (file === undefined) return gateway.graphql.call(document, { token, variables: { input } });
  const { filename, contentType: type, bytes } = file;
  return gateway.graphql.upload(document, { input }, 'variables.input.file', { name: filename, type, bytes }, token);
}

test.each(ADDING.map((name) => [name, creationOf(name)] as const))(
  '%s answers the place that its object has in the list, in its default order',
  async (name, { input, list }) => {
    const field = made(name)!;
    // Only the edge is selected.
    const { name: type } = typeIn(payloadOf(name), field);
    const key = type === 'SignOff' ? 'signOffId' : 'id';
    const answer = await send(name, input, `${field}Edge { cursor node { ${key} } }`);
    withStory(answer, () => expect(answer.body.errors).toBeUndefined());
    const edge = (answer.body.data as Record<string, Record<string, unknown>>)[name]![`${field}Edge`];
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
    const { input } = creationOf(name);
    await send(name, input, 'created');
    const field = made(name)!;
    const { body } = await send(name, input, `created ${field} { id } ${field}Edge { cursor }`);
    expect(body.data[name]).toMatchObject({
      created: false,
      [`${field}Edge`]: null,
      [field]: { id: expect.any(String) },
    });
  },
);
