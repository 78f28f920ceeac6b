import { describe, expect, test } from '@jest/globals';
import {
  isInputObjectType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seedOrganization } from '../support/seeded-organization.js';
import { buildIncident, join } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const { database, executor } = gateway.app;
const { organizationId, otherOrganizationId, owner, viewer, nonMember } = testData;
const seeded = await seedOrganization(database, organizationId, owner);
await join(database, owner, otherOrganizationId, 'ORGANIZATION_OWNER');
await database.rows('update incident set rehearsal = true where id = $1', [seeded.incidentId]);

const LARGEST = 2_147_483_647;
const WORKFLOW = 'nis2-directive';
const NO_USER = '00000000-0000-4000-8000-000000000000';

/** Global ids: of an object that exists, of one that never did, and REST's value of the first. */
type Ids = readonly [exists: string, never: string, databaseId: number | string];
const unique = (type: string, id: string, absent: string): Ids => [`${type}:${id}`, `${type}:${absent}`, id];
const number = (type: string, id: number): Ids => [`${type}:${id}`, `${type}:${LARGEST}`, id];
const within = (
  type: string,
  key: string | number,
  absent: string | number = 'absent',
  parent: string | number = organizationId,
): Ids => [`${type}:${parent}/${key}`, `${type}:${parent}/${absent}`, key];

const INCIDENT = { incidentId: number('Incident', seeded.incidentId) };
const VERSION = { documentVersionId: number('DocumentVersion', seeded.documentId) };
const INVITATION = { invitationId: number('Invitation', seeded.invitationId) };
const MEMBER = { userId: within('OrganizationUser', seeded.memberId, NO_USER) };
const ASSOCIATED = { workflowId: within('OrganizationWorkflow', WORKFLOW) };
const IMPORTED = { workflowId: within('WorkflowImport', 'house-rules') };
const ACCOUNT = { serviceAccountId: unique('ServiceAccount', seeded.serviceAccountId, NO_USER) };
const ACCOUNT_TOKEN = within('ServiceAccountToken', seeded.accountTokenId, LARGEST, seeded.serviceAccountId);
const SCIM_TOKEN = number('ScimToken', seeded.scimTokenId);
const PROVIDER = number('IdentityProvider', seeded.providerId);
const ENGAGEMENT = { engagementId: number('Engagement', seeded.engagementId) };
const REQUEST = within('EvidenceRequest', seeded.requestId, LARGEST, seeded.engagementId);
const ATTESTATION = number('ControlAttestation', seeded.attestationId);
const WEBHOOK = { webhookEndpointId: number('WebhookEndpoint', seeded.webhookEndpointId) };
const DELIVERY = { ...WEBHOOK, webhookDeliveryId: number('WebhookDelivery', seeded.webhookDeliveryId) };
const REPORT = { regimeId: 'nis2', stage: 'EARLY_WARNING' };

interface Scoped {
  ids: Readonly<Record<string, Ids>>;
  /** What else has to be given. */
  rest?: object;
}

/** Every field that takes an organization beside the id of an object of it. */
const FIELDS: Record<string, Scoped> = {
  addIncidentNote: { ids: INCIDENT, rest: { text: 'Noted' } },
  answerEvidenceRequest: { ids: { ...ENGAGEMENT, requestId: REQUEST }, rest: { answer: 'Uploaded' } },
  artifactVersions: { ids: ASSOCIATED, rest: { artifactId: '21.2.a' } },
  assessIncident: {
    ids: INCIDENT,
    rest: { services: ['other'], answers: [{ question: '23-3-b', answer: true }] },
  },
  associateWorkflow: { ids: { workflowId: within('Workflow', 'house-rules') } },
  attestControl: { ids: ASSOCIATED, rest: { controlId: '21.2.a', statement: 'In force.' } },
  blockApiToken: { ids: { tokenId: within('OrganizationApiToken', seeded.tokenId, LARGEST) } },
  cancelImportJob: { ids: { importJobId: number('ImportJob', seeded.importJobId) } },
  cancelInvitation: { ids: INVITATION },
  closeIncident: { ids: INCIDENT },
  controlAttestation: { ids: { ...ASSOCIATED, id: ATTESTATION }, rest: { controlId: '21.2.a' } },
  correctIncidentReport: { ids: INCIDENT, rest: { ...REPORT, sentAt: null, reason: 'Never sent' } },
  countersignAttestation: { ids: { ...ASSOCIATED, attestationId: ATTESTATION }, rest: { controlId: '21.2.a' } },
  createServiceAccountToken: { ids: ACCOUNT, rest: { name: 'Made' } },
  deleteDocumentVersion: { ids: VERSION },
  deleteIdentityProvider: { ids: { providerId: PROVIDER } },
  deleteIncidentAttachment: { ids: { ...INCIDENT, attachmentId: number('IncidentAttachment', seeded.attachmentId) } },
  deleteServiceAccount: { ids: ACCOUNT },
  deleteWebhookEndpoint: { ids: WEBHOOK },
  deleteWorkflowImport: { ids: IMPORTED },
  dissociateWorkflow: { ids: ASSOCIATED },
  documentVersion: { ids: { id: number('DocumentVersion', seeded.documentId) } },
  draftIncidentReport: { ids: INCIDENT, rest: REPORT },
  engagement: { ids: ENGAGEMENT },
  evidenceRequest: { ids: { ...ENGAGEMENT, id: REQUEST } },
  identityProvider: { ids: { id: PROVIDER } },
  importControls: { ids: ASSOCIATED, rest: { text: 'id\n' } },
  importDocuments: { ids: ASSOCIATED, rest: { file: null } },
  importJob: { ids: { id: number('ImportJob', seeded.importJobId) } },
  incident: { ids: { id: number('Incident', seeded.incidentId) } },
  incidentAttachment: { ids: { id: number('IncidentAttachment', seeded.attachmentId) } },
  invitation: { ids: { id: number('Invitation', seeded.invitationId) } },
  inviteAuditor: { ids: ENGAGEMENT, rest: { email: 'auditor@example.com' } },
  member: { ids: MEMBER },
  organizationControl: { ids: ASSOCIATED, rest: { controlId: '21.2.a' } },
  organizationWorkflow: { ids: ASSOCIATED },
  recordIncidentReport: { ids: INCIDENT, rest: REPORT },
  recoverWebhooks: { ids: WEBHOOK, rest: { since: new Date().toISOString() } },
  redeliverWebhook: { ids: DELIVERY },
  rehearsalReport: { ids: INCIDENT },
  rejudgeIncident: { ids: INCIDENT, rest: { reason: 'Other facts' } },
  removeAuditor: { ids: { ...ENGAGEMENT, userId: within('OrganizationUser', seeded.auditorId, NO_USER) } },
  removeMember: { ids: MEMBER },
  reopenIncident: { ids: INCIDENT },
  resendInvitation: { ids: INVITATION },
  reuseSuggestions: { ids: ASSOCIATED },
  revokeScimToken: { ids: { scimTokenId: SCIM_TOKEN } },
  revokeServiceAccountToken: { ids: { ...ACCOUNT, tokenId: ACCOUNT_TOKEN } },
  rotateServiceAccountToken: { ids: { ...ACCOUNT, tokenId: ACCOUNT_TOKEN } },
  rotateWebhookSecret: { ids: WEBHOOK },
  scimToken: { ids: { id: SCIM_TOKEN } },
  sendTestWebhook: { ids: WEBHOOK },
  serviceAccount: { ids: ACCOUNT },
  serviceAccountToken: { ids: { ...ACCOUNT, id: ACCOUNT_TOKEN } },
  significanceQuestions: { ids: INCIDENT },
  startControlImport: { ids: ASSOCIATED, rest: { text: 'id\n' } },
  startDocumentImport: { ids: ASSOCIATED, rest: { file: null } },
  transferOwnership: { ids: MEMBER },
  updateControl: { ids: ASSOCIATED, rest: { controlId: '21.2.a', note: 'Seen' } },
  updateControls: { ids: ASSOCIATED, rest: { controlIds: ['21.2.a'], changes: { note: 'Seen' } } },
  updateDocumentVersion: { ids: VERSION, rest: { note: 'Seen' } },
  updateEngagement: { ids: ENGAGEMENT, rest: { name: 'Changed' } },
  updateIdentityProvider: { ids: { providerId: PROVIDER }, rest: { name: 'other' } },
  updateIncident: { ids: INCIDENT, rest: { severity: 'LOW' } },
  updateMember: { ids: MEMBER, rest: { role: 'SECURITY_ANALYST' } },
  updateServiceAccount: { ids: ACCOUNT, rest: { name: 'Changed' } },
  updateWebhookEndpoint: { ids: WEBHOOK, rest: { description: 'Changed' } },
  uploadDocumentVersion: { ids: ASSOCIATED, rest: { artifactId: '21.2.a', filename: 'a.txt', content: 'dGV4dA==' } },
  uploadIncidentAttachment: { ids: INCIDENT, rest: { file: null } },
  verifyIdentityDomain: { ids: { providerId: PROVIDER }, rest: { domain: 'example.com' } },
  webhookDelivery: { ids: DELIVERY },
  webhookEndpoint: { ids: WEBHOOK },
  withdrawAttestation: { ids: { ...ASSOCIATED, attestationId: ATTESTATION }, rest: { controlId: '21.2.a' } },
  workflowImport: { ids: IMPORTED },
};

/** The first takes an organization or ids; then those that take the id that the import gives itself, those that are absent to members, and one that says which of a list is wrong. */
const NO_SCOPES = [
  ...['markNotificationsRead', 'importWorkflow', 'previewWorkflowImport'],
  ...['requestEvidence', 'signOff', 'createEngagement'],
];

type RootField = GraphQLField<unknown, unknown>;
const mutations = executor.schema.getMutationType()!.getFields();
const roots: Record<string, RootField> = { ...executor.schema.getQueryType()!.getFields(), ...mutations };

function placesOf({ args }: RootField): (GraphQLArgument | GraphQLInputField)[] {
  const [input] = args;
  const type = input && isNonNullType(input.type) ? input.type.ofType : undefined;
  return isInputObjectType(type) ? Object.values(type.getFields()) : [...args];
}

const organizationOf = (field: RootField) => placesOf(field).find(({ name }) => name === 'organizationId');
const SCOPING =
  /^(?:id|(?:incident|documentVersion|attachment|importJob|invitation|user|token|workflow|control|notification|serviceAccount|provider|engagement|request|webhookEndpoint|webhookDelivery|scimToken)Ids?)$/;

function scopedNames(): string[] {
  return Object.entries(roots)
    .filter(([name, field]) => {
      const takesId = placesOf(field).some((place) => SCOPING.test(place.name) && `${place.type}`.includes('ID'));
      return organizationOf(field) !== undefined && takesId && !NO_SCOPES.includes(name);
    })
    .map(([name]) => name);
}

/** Calls a field with these values of its arguments, or of the fields of its input. */
async function call(name: string, values: object, token: string | undefined) {
  const field = roots[name] as RootField;
  const sent: Record<string, unknown> = mutations[name] === undefined ? { ...values } : { input: values };
  const used = field.args.filter((arg) => Object.hasOwn(sent, arg.name));
  const declared = used.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const given = used.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const document = `${mutations[name] === undefined ? 'query' : 'mutation'} (${declared}) { ${name}(${given}) { __typename } }`;
  if (!Object.hasOwn(values, 'file')) return gateway.graphql.call(document, { token, variables: sent });
  const { filename, contentType: type, bytes } = samples.TXT;
  return gateway.graphql.upload(document, sent, 'variables.input.file', { name: filename, type, bytes }, token);
}

const pick = (ids: Scoped['ids'], which: 0 | 1 | 2) =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id[which]]));
type Answer = Awaited<ReturnType<typeof call>>;
const codes = ({ body }: Answer) => body.errors?.map(({ extensions }) => extensions.code);

test('the table has every field that takes an organization beside the id of an object, and no other', () => {
  expect(Object.keys(FIELDS)).toEqual(scopedNames().toSorted());
});

test('no subscription but that of an import takes the id of an object of an organization', () => {
  const fields = Object.values(executor.schema.getSubscriptionType()!.getFields());
  const taking = fields.filter((field) => placesOf(field).some(({ name }) => SCOPING.test(name)));
  expect(taking.map(({ name }) => name)).toEqual(['importJobChanged']);
});

describe.each(Object.keys(FIELDS))('%s', (name) => {
  const { ids, rest = {} } = FIELDS[name] as Scoped;
  /** A member below every mutation is refused by its role: its organization was found, and nothing is changed. */
  const caller = mutations[name] === undefined ? owner : viewer;
  const accepted = mutations[name] === undefined ? undefined : ['FORBIDDEN'];

  test('takes no organization beside a global id, and is answered as with it', async () => {
    expect(isNonNullType(organizationOf(roots[name] as RootField)!.type)).toBe(false);
    const values = { ...rest, ...pick(ids, 0) };
    for (const organization of [{}, { organizationId: null }, { organizationId }]) {
      const answer = await call(name, { ...values, ...organization }, caller.token);
      expect([organization, codes(answer)]).toEqual([organization, accepted]);
    }
  });

  test('answers an organization that has not the object, and an object of others, as an id that never existed', async () => {
    const exists = { ...rest, ...pick(ids, 0), organizationId: null };
    const absent = { ...rest, ...pick(ids, 1), organizationId: null };
    const never = await call(name, absent, owner.token);
    expect(codes(never)).toEqual(['NOT_FOUND']);
    const contradicting = { ...exists, organizationId: otherOrganizationId };
    expect((await call(name, contradicting, owner.token)).text).toBe(never.text);
    expect((await call(name, exists, nonMember.token)).text).toBe(never.text);
    expect((await call(name, absent, nonMember.token)).text).toBe(never.text);
  });

  test('needs the organization beside a plain id that is unique only within one, and no other', async () => {
    const answer = await call(name, { ...rest, ...pick(ids, 2) }, caller.token);
    const isUnique = Object.values(ids).some(([exists]) => !exists.includes('/'));
    if (isUnique) return expect(codes(answer)).toEqual(accepted);
    expect(answer.body.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: [{ path: mutations[name] === undefined ? ['organizationId'] : ['input', 'organizationId'] }],
    });
  });

  test('refuses a caller without a token before it looks for the object', async () => {
    expect((await call(name, { ...rest, ...pick(ids, 0) }, undefined)).status).toBe(401);
  });
});

test('a change by a global id alone is made in the organization of the object, and recorded there', async () => {
  const change =
    'mutation ($id: ID!) { updateIncident(input: { incidentId: $id, severity: LOW }) { incident { severity organization { databaseId } } } }';
  const { body } = await gateway.graphql.call(change, {
    token: owner.token,
    variables: { id: INCIDENT.incidentId[0] },
  });
  expect(body.data).toEqual({
    updateIncident: { incident: { severity: 'LOW', organization: { databaseId: organizationId } } },
  });
  const [entry] = await database.rows(
    `select l.organization_id as organization from audit_entry e join audit_log l on l.id = e.log_id where action = 'INCIDENT_UPDATED'`,
  );
  expect(entry).toEqual({ organization: organizationId });
});

test('objects of different organizations are named in one request without any', async () => {
  const elsewhere = await buildIncident(database, otherOrganizationId);
  const query = `{ one: incident(id: "Incident:${seeded.incidentId}") { organization { databaseId } } other: incident(id: ${elsewhere}) { organization { databaseId } } }`;
  expect((await gateway.graphql.call(query, { token: owner.token })).body.data).toEqual({
    one: { organization: { databaseId: organizationId } },
    other: { organization: { databaseId: otherOrganizationId } },
  });
});
