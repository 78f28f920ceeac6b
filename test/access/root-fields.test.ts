import { beforeAll, describe, expect, test } from '@jest/globals';
import { FOR_PERSONS } from '../support/apis.js';
import { getNamedType, isNonNullType } from 'graphql';
import { hash, randomUUID } from 'node:crypto';
import { digestToken, generateToken } from '../../src/auth/token.js';
import { isOperationRoute } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { compileRoutes, type CompiledOperation } from '../../src/rest/view/core-path.js';
import { keyOf } from '../../src/schema/shared/node.js';
import { exampleInput, placesOf } from '../support/example-inputs.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { withStory } from '../support/matchers.js';
import {
  buildEngagement,
  buildInvitation,
  buildRecovery,
  buildRequest,
  buildServiceAccount,
} from '../support/people.js';
import { buildAttestable, buildAttestation } from '../support/attestations.js';
import { samples } from '../support/sample-files.js';
import { zip } from '../support/zip.js';
import {
  buildIdentityProvider,
  buildWebhook,
  buildScimToken,
  buildImport,
  buildImportJob,
  buildReport,
  PROVEN,
  seedOrganization,
  UPLOAD_RULES,
} from '../support/seeded-organization.js';
import {
  buildCloudDefender,
  buildIncident,
  buildNotifications,
  buildOrganization,
  buildPerson,
  buildThreatBlocker,
  buildToken,
  join,
} from '../support/test-data.js';
import { ROUTE_RULES } from './route-rules.js';

/** Callers with a valid token. Those with a scope are the owner with a narrower token. */
const CALLERS = [
  'owner',
  'manager',
  'officer',
  'analyst',
  'viewer',
  'nonMember',
  'userWithoutOrganization',
  'deactivated',
  'readOnly',
  'writeOnly',
  'telemetry',
] as const;
type Caller = (typeof CALLERS)[number];
type Outcome = 'OK' | 'FORBIDDEN' | 'NOT_FOUND';
type Outcomes = Record<Caller, Outcome>;

function outcomes(
  members: readonly [owner: Outcome, manager: Outcome, officer: Outcome, analyst: Outcome, viewer: Outcome],
  others: Outcome,
  scopes: readonly [readOnly: Outcome, writeOnly: Outcome, telemetry: Outcome],
): Outcomes {
  const [owner, manager, officer, analyst, viewer] = members;
  const [readOnly, writeOnly, telemetry] = scopes;
  return {
    owner,
    manager,
    officer,
    analyst,
    viewer,
    nonMember: others,
    userWithoutOrganization: others,
    deactivated: others,
    readOnly,
    writeOnly,
    telemetry,
  };
}

const ABSENT = ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'] as const;
const ALL = ['OK', 'OK', 'OK', 'OK', 'OK'] as const;
const RANKS = {
  AUDITOR: ABSENT,
  VIEWER: ALL,
  SECURITY_ANALYST: ['OK', 'OK', 'OK', 'OK', 'FORBIDDEN'],
  SECURITY_OFFICER: ['OK', 'OK', 'OK', 'FORBIDDEN', 'FORBIDDEN'],
  ORGANIZATION_MANAGER: ['OK', 'OK', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'],
  ORGANIZATION_OWNER: ['OK', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'],
} as const;
const SCOPED = {
  read: ['OK', 'FORBIDDEN', 'FORBIDDEN'],
  write: ['FORBIDDEN', 'OK', 'FORBIDDEN'],
  telemetry: ['FORBIDDEN', 'FORBIDDEN', 'OK'],
} as const;
/** Only one of these tokens has the scope `telemetry`; it belongs to the owner. */
const NO_ROLE = ['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'] as const;
/** Fields for auditors only; absent for all others. */
const AUDITORS_ALONE = outcomes(ABSENT, 'NOT_FOUND', ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
/** Fields of one person; absent for all others. */
const ONE = ['OK', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'] as const;

const OWN_READ = outcomes(ALL, 'OK', SCOPED.read);
const MEMBERS_READ = outcomes(ALL, 'NOT_FOUND', SCOPED.read);
const MANAGERS_READ = outcomes(RANKS.ORGANIZATION_MANAGER, 'NOT_FOUND', SCOPED.read);
const OWNERS_OWN_WRITE = outcomes(ONE, 'NOT_FOUND', SCOPED.write);

interface RootField {
  /** Its arguments and selection; `VARIABLES` are the variables that it may use. */
  call?: string;
  /** The values of all its arguments, instead of those in `call`, from the object that `id` has created. */
  given?: (id: number | string | undefined) => Record<string, unknown>;
  /** The callers that may use it; by default as for the routes that lead to it (route-rules.ts). */
  expected?: Outcomes;
  /** Creates the subject of the call. */
  id?: () => Promise<number | string> | number | string;
  /** The upload for `$file`. */
  file?: (typeof samples)['TXT'];
  /** A value like that of `id` that never existed; the largest id when absent. */
  missing?: string;
  /** Accepts callers without a valid token, too. */
  open?: true;
  /** Responds with a list, in which an error replaces its item. */
  list?: true;
}

/** `$text` is the value of `id` if it is not an id. */
const VARIABLES = {
  organization: 'ID!',
  account: 'ID!',
  engagement: 'ID!',
  incident: 'ID!',
  id: 'ID!',
  text: 'String!',
  file: 'Upload!',
};
const OF = 'organizationId: $organization';
const ATTESTED = 'workflowId: "nis2-directive", controlId: "21.2.a"';

/** Owns, with the owner, each organization that is created for one call. */
const HEIR = '5f0c9a52-7d1e-4b7c-9a53-0d6a1b2c3d4e';

const { gateway, testData } = await startSeededGateway({ resolveTxt: PROVEN });
/** Former owner of the organizations, deactivated in each. */
const deactivated = await buildPerson(gateway.app.database, 'deactivated');
await joinDeactivated(testData.organizationId);
await gateway.app.database.rows(
  `insert into app_user (id, username, email, first_name, last_name) values ($1, 'heir', 'heir@example.com', '', '')`,
  [HEIR],
);
const seeded = await seedOrganization(gateway.app.database, testData.organizationId, testData.owner);
await buildAttestable(gateway.app.database, testData.organizationId, testData.owner);
const incidentId = await buildIncident(gateway.app.database, testData.organizationId);
await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 1);
const notificationId = await firstId('select id from notification limit 1');
const account = await buildServiceAccount(
  ...([gateway.app.database, testData.organizationId, testData.owner, 'ORGANIZATION_MANAGER'] as const),
);
/** Owner of the tokens that are rotated and revoked. */
const holder = await buildServiceAccount(gateway.app.database, testData.organizationId, testData.owner);
const auditor = await buildPerson(gateway.app.database, 'auditor');
const engagementId = await buildEngagement(gateway.app.database, testData.organizationId, { auditor });
const requestId = await buildRequest(gateway.app.database, engagementId);
const formerAuditor = await buildPerson(gateway.app.database, 'former-auditor');
await buildEngagement(gateway.app.database, testData.organizationId, { auditor: formerAuditor, until: new Date(0) });
const foreignAccount = await buildServiceAccount(
  ...([gateway.app.database, testData.otherOrganizationId, testData.nonMember, 'ORGANIZATION_MANAGER'] as const),
);
/** Not deleted by these calls, with its delivery. */
const webhook = await buildWebhook(gateway.app.database, testData.organizationId);
const documentId = await newDocument();
const attachmentId = await newAttachment();

async function firstId(text: string, values: unknown[] = []): Promise<number> {
  const [row] = await gateway.app.database.rows<{ id: number }>(text, values);
  return row!.id;
}

async function joinDeactivated(organizationId: number): Promise<void> {
  await gateway.app.database.rows(
    `insert into membership (user_id, organization_id, role, deactivated_at) values ($1, $2, 'ORGANIZATION_OWNER', now())`,
    [deactivated.id, organizationId],
  );
}

async function newOrganization(): Promise<number> {
  const { database } = gateway.app;
  const { owner, manager, officer, analyst, viewer } = testData;
  const id = await buildOrganization(database, 'For one call');
  await join(database, owner, id, 'ORGANIZATION_OWNER');
  await join(database, { id: HEIR }, id, 'ORGANIZATION_OWNER');
  await join(database, manager, id, 'ORGANIZATION_MANAGER');
  await join(database, officer, id, 'SECURITY_OFFICER');
  await join(database, analyst, id, 'SECURITY_ANALYST');
  await join(database, viewer, id, 'VIEWER');
  await joinDeactivated(id);
  return id;
}

async function newSandbox(): Promise<number> {
  const id = await newOrganization();
  await gateway.app.database.rows('update organization set sandbox = true where id = $1', [id]);
  return id;
}

async function deletedOrganization(): Promise<number> {
  const id = await newOrganization();
  await gateway.app.database.rows('update organization set deleted_at = now() where id = $1', [id]);
  return id;
}

async function newTokenOfOwner(): Promise<number> {
  await buildToken(gateway.app.database, testData.owner, {});
  return firstId('select max(id) as id from api_token where user_id = $1', [testData.owner.id]);
}

async function newRehearsal(): Promise<number> {
  const id = await buildIncident(gateway.app.database, testData.organizationId);
  await gateway.app.database.rows('update incident set rehearsal = true where id = $1', [id]);
  return id;
}

async function smallIncident(): Promise<number> {
  const id = await buildIncident(gateway.app.database, testData.organizationId);
  await gateway.app.database.rows('update incident set significant = false where id = $1', [id]);
  return id;
}

async function incidentWithReport(): Promise<number> {
  const id = await buildIncident(gateway.app.database, testData.organizationId);
  await buildReport(gateway.app.database, id);
  return id;
}

function newDocument(): Promise<number> {
  return firstId(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, 'nis2-directive', '21.2.c', 'd', 1, 'text/plain', 'attached', gen_random_uuid(), 'a user') returning id`,
    [testData.organizationId],
  );
}

/** Belongs to none of the callers. */
function newAttachment(): Promise<number> {
  return firstId(
    `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by)
     values ((select organization_id from incident where id = $1), $1, 'a', 'text/plain', 1, 'none', 'a user') returning id`,
    [incidentId],
  );
}

/** A member whom managers manage, created for each call. */
async function newMember(): Promise<string> {
  const person = await buildPerson(gateway.app.database, 'managed');
  await join(gateway.app.database, person, testData.organizationId, 'VIEWER');
  return person.id;
}

const edge = () => buildCloudDefender(gateway.app.database, testData.organizationId);
const blocker = () => buildThreatBlocker(gateway.app.database, testData.organizationId);
const ATB_KEY = '6f1c2a3e-8d4b-4c5d-9e6f-7a8b9c0d1e2f';
await gateway.app.database.rows('update threat_blocker set atb_key = $2 where id = $1', [await blocker(), ATB_KEY]);
const report = (stat: string) => `{ datetime: "${new Date().toISOString()}", stat: { ${stat} } }`;
/** One document for a control without documents. */
const ARCHIVE = {
  filename: 'documents.zip',
  contentType: 'application/zip',
  bytes: zip([
    { name: 'manifest.json', content: JSON.stringify({ documents: [{ path: 'a.txt', control_id: '21.2.d' }] }) },
    { name: 'a.txt', content: 'text' },
  ]),
};

/** Tables for imports that change something. */
const newTable = () => `id,note\n20.1,${randomUUID()}\n`;
const newMemberTable = async () => `id,role\n${await newMember()},SECURITY_ANALYST\n`;
const newAddress = () => `${randomUUID()}@example.com`;
/** Replaces the previous ones: an organization may not have many. */
const newAccount = async () => {
  const { organizationId, owner } = testData;
  await gateway.app.database.rows(
    'delete from service_account where organization_id = $1 and not user_id = any($2::uuid[])',
    [organizationId, [account.id, holder.id]],
  );
  return (await buildServiceAccount(gateway.app.database, organizationId, owner)).id;
};
const newAccountToken = async () => {
  await buildToken(gateway.app.database, holder, { scopes: ['write'] });
  return firstId('select max(id) as id from api_token where user_id = $1', [holder.id]);
};
const newAuditor = async () => {
  const person = await buildPerson(gateway.app.database, 'auditor');
  await gateway.app.database.rows('insert into engagement_auditor (engagement_id, user_id) values ($1, $2)', [
    engagementId,
    person.id,
  ]);
  return person.id;
};
const newAttestation = () => buildAttestation(gateway.app.database, testData.organizationId, testData.owner);
const newEngagementName = async () => {
  await gateway.app.database.rows('delete from engagement where id > $1', [engagementId]);
  return 'Audit';
};
const newInvitation = async () =>
  (await buildInvitation(gateway.app.database, { ...testData, email: newAddress() })).id;
/** Belongs to the owner and replaces the previous ones: an organization may not have many. */
const newImportJob = async () => {
  await gateway.app.database.rows('delete from import_job where organization_id = $1', [testData.organizationId]);
  return buildImportJob(gateway.app.database, testData.organizationId, testData.owner.id);
};
const freed = (made: () => string | Promise<string>) => async (): Promise<string> => {
  await newImportJob();
  return made();
};

/** Associated with the organization, again after a call has dissociated it. */
async function associatedWorkflow(): Promise<string> {
  await gateway.app.database.rows(
    `insert into organization_workflow (organization_id, workflow_id) values ($1, 'incident-readiness') on conflict do nothing`,
    [testData.organizationId],
  );
  return 'incident-readiness';
}

/** Imported by the organization, again after a call has removed it. */
async function imported(): Promise<string> {
  await buildImport(gateway.app.database, testData.organizationId);
  return UPLOAD_RULES.id;
}

/**
 * Arguments of the fields of Query and Mutation, and their expected results for each kind of caller. Other fields get
 * the organization, an incident, and the example of their route.
 */
const TABLE: Record<string, RootField> = {
  acceptInvitation: {
    call: '(input: { secret: $text }) { organizationId }',
    // An address that none of the callers has.
    expected: outcomes(ABSENT, 'NOT_FOUND', ['FORBIDDEN', 'NOT_FOUND', 'FORBIDDEN']),
    id: async () => (await buildInvitation(gateway.app.database, { ...testData, email: newAddress() })).secret,
    missing: generateToken('invitation'),
    open: true,
  },
  invitationPreview: {
    call: '(input: { secret: $text }) { organizationName role }',
    expected: outcomes(ALL, 'OK', ['OK', 'OK', 'OK']),
    id: async () => (await buildInvitation(gateway.app.database, { ...testData, email: newAddress() })).secret,
    missing: generateToken('invitation'),
    open: true,
  },
  requestTokenRecovery: {
    call: '(input: { email: $text }) { accepted }',
    expected: outcomes(ALL, 'OK', ['OK', 'OK', 'OK']),
    id: async () => {
      // All callers of this test share a network, which may send ten requests per hour.
      await gateway.app.database.rows('delete from token_recovery');
      return newAddress();
    },
    open: true,
  },
  recoverToken: {
    call: '(input: { secret: $text }) { userId }',
    expected: outcomes(ALL, 'OK', ['OK', 'OK', 'OK']),
    id: async () => buildRecovery(gateway.app.database, await buildPerson(gateway.app.database, 'forgetful')),
    missing: generateToken('recovery'),
    open: true,
  },
  exchangeSignInCode: {
    call: '(input: { code: $text, codeVerifier: "v", redirectUri: "https://app.example.com/" }) { userId }',
    expected: outcomes(ALL, 'OK', ['OK', 'OK', 'OK']),
    id: newSignInCode,
    missing: 'no code',
    open: true,
  },
  identityProvider: { call: `(${OF}, id: $id) { databaseId }`, id: newProvider },
  createIdentityProvider: {
    call: `(input: { ${OF}, name: $text, issuer: "https://login.example.com", clientId: "c" }) { identityProvider { databaseId } }`,
    id: async () => {
      await gateway.app.database.rows('delete from identity_provider');
      return `name-${randomUUID()}`;
    },
    missing: 'name',
  },
  updateIdentityProvider: {
    call: `(input: { ${OF}, identityProviderId: $id, defaultRole: VIEWER }) { identityProvider { databaseId } }`,
    id: newProvider,
  },
  deleteIdentityProvider: {
    call: `(input: { ${OF}, identityProviderId: $id }) { identityProvider { databaseId } }`,
    id: newProvider,
  },
  verifyIdentityDomain: {
    call: `(input: { ${OF}, identityProviderId: $id, domain: "example.com" }) { identityProvider { databaseId } }`,
    id: newProvider,
  },
  apiTokens: { call: '{ totalCount }' },
  apiToken: { call: '(id: $id) { databaseId }', id: newTokenOfOwner },
  scimSettings: { call: `(${OF}) { enabled }` },
  updateScimSettings: {
    call: `(input: { ${OF}, enabled: true, defaultRole: SECURITY_ANALYST }) { scimSettings { enabled } }`,
  },
  scimToken: { call: `(${OF}, id: $id) { databaseId }`, id: newScimToken },
  createScimToken: {
    call: `(input: { ${OF}, name: $text }) { scimToken { databaseId } }`,
    id: async () => {
      await gateway.app.database.rows('delete from scim_token');
      return 'Entra ID';
    },
    missing: 'Entra ID',
  },
  revokeScimToken: {
    call: `(input: { ${OF}, scimTokenId: $id }) { scimToken { databaseId } }`,
    id: newScimToken,
  },
  webhookEndpoint: { call: `(${OF}, id: $id) { databaseId }`, expected: MANAGERS_READ, id: newWebhook },
  webhookDelivery: {
    call: `(${OF}, webhookEndpointId: ${webhook.webhookEndpointId}, id: $id) { databaseId }`,
    expected: MANAGERS_READ,
    id: () => webhook.webhookDeliveryId,
  },
  createWebhookEndpoint: {
    call: `(input: { ${OF}, url: $text }) { webhookEndpoint { databaseId } }`,
    id: async () => {
      await newWebhook();
      return 'https://receiver.example.com/';
    },
    missing: 'https://receiver.example.com/',
  },
  updateWebhookEndpoint: {
    call: `(input: { ${OF}, webhookEndpointId: $id, description: "b" }) { webhookEndpoint { databaseId } }`,
    id: newWebhook,
  },
  deleteWebhookEndpoint: {
    call: `(input: { ${OF}, webhookEndpointId: $id }) { webhookEndpoint { databaseId } }`,
    id: newWebhook,
  },
  rotateWebhookSecret: {
    call: `(input: { ${OF}, webhookEndpointId: $id }) { webhookEndpoint { databaseId } }`,
    id: newWebhook,
  },
  sendTestWebhook: {
    call: `(input: { ${OF}, webhookEndpointId: $id }) { eventId }`,
    id: newWebhook,
  },
  redeliverWebhook: {
    call: `(input: { ${OF}, webhookEndpointId: ${webhook.webhookEndpointId}, webhookDeliveryId: $id }) { webhookDelivery { databaseId } }`,
    id: () => webhook.webhookDeliveryId,
  },
  recoverWebhooks: {
    call: `(input: { ${OF}, webhookEndpointId: $id, since: "${new Date().toISOString()}" }) { recovered }`,
    id: newWebhook,
  },
  blockApiToken: {
    call: `(input: { ${OF}, tokenId: $id }) { apiToken { databaseId } }`,
    id: newTokenOfOwner,
  },
  availableWorkflows: { call: '{ totalCount }' },
  cloudDefender: { call: '(id: $id) { databaseId }', id: edge },
  cloudDefenders: { call: '{ totalCount }', expected: OWN_READ },
  artifactVersions: {
    call: `(${OF}, workflowId: "nis2-directive", artifactId: "21.2.a") { totalCount }`,
  },
  documentVersion: { call: '(id: $id) { databaseId downloadUrl }', id: () => documentId },
  formOptions: { call: '{ revision }' },
  reportingRegimes: { call: '{ totalCount }' },
  significanceQuestions: {
    call: `(${OF}, incidentId: $id) { services { service } }`,
    id: () => incidentId,
  },
  rehearsalReport: { call: `(${OF}, incidentId: $id) { speed }`, id: newRehearsal },
  draftIncidentReport: {
    call: `(${OF}, incidentId: $id, regimeId: "nis2", stage: EARLY_WARNING) { missing }`,
    id: () => incidentId,
  },
  incidentAttachment: { call: '(id: $id) { databaseId downloadUrl }', id: () => attachmentId },
  serviceAccount: { call: `(${OF}, id: $id) { databaseId }`, id: newAccount },
  engagements: { call: '{ totalCount }', expected: OWN_READ },
  engagement: {
    call: `(${OF}, id: $id) { databaseId name }`,
    expected: outcomes(RANKS.SECURITY_ANALYST, 'NOT_FOUND', SCOPED.read),
    id: () => engagementId,
  },
  evidenceRequest: {
    call: `(${OF}, engagementId: $engagement, id: $id) { databaseId }`,
    id: () => requestId,
  },
  inviteAuditor: {
    call: `(input: { ${OF}, engagementId: $engagement, email: $text }) { invitation { databaseId } }`,
    id: newAddress,
    missing: 'never-was@example.com',
  },
  createEngagement: {
    call: `(input: { ${OF}, name: $text, workflowIds: ["nis2-directive"], from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", until: "${new Date(Date.now() + 86_400_000).toISOString()}" }) { engagement { databaseId } }`,
    id: newEngagementName,
    missing: 'never-was',
  },
  updateEngagement: {
    call: `(input: { ${OF}, engagementId: $id, name: "${'b'}" }) { engagement { databaseId } }`,
    id: () => engagementId,
  },
  removeAuditor: {
    call: `(input: { ${OF}, engagementId: $engagement, userId: $id }) { auditor { username } }`,
    id: newAuditor,
    missing: HEIR,
  },
  requestEvidence: {
    call: `(input: { ${OF}, engagementId: $id, workflowId: "nis2-directive", controlId: "21.2.a", text: "a" }) { request { databaseId } }`,
    id: () => engagementId,
  },
  answerEvidenceRequest: {
    call: `(input: { ${OF}, engagementId: $engagement, evidenceRequestId: $id, answer: "a" }) { request { databaseId } }`,
    id: () => requestId,
  },
  signOff: {
    call: `(input: { ${OF}, engagementId: $id, workflowId: "nis2-directive", statement: "a" }) { signOff { signOffId } }`,
    id: () => engagementId,
  },
  controlAttestation: {
    call: `(${OF}, ${ATTESTED}, id: $id) { databaseId viewerCan { withdraw } }`,
    expected: MEMBERS_READ,
    id: newAttestation,
  },
  attestControl: {
    call: `(input: { ${OF}, ${ATTESTED}, statement: "In force." }) { attestation { databaseId } }`,
  },
  countersignAttestation: {
    call: `(input: { ${OF}, ${ATTESTED}, attestationId: $id }) { attestation { databaseId } }`,
    id: newAttestation,
  },
  withdrawAttestation: {
    call: `(input: { ${OF}, ${ATTESTED}, attestationId: $id }) { attestation { databaseId } }`,
    id: newAttestation,
  },
  serviceAccountToken: {
    call: `(${OF}, serviceAccountId: $account, id: $id) { databaseId }`,
    id: newAccountToken,
  },
  createServiceAccount: {
    call: `(input: { ${OF}, name: $text, role: VIEWER, responsibleId: "${testData.owner.id}" }) { serviceAccount { databaseId } }`,
    id: newAccount,
    missing: 'never-was',
  },
  updateServiceAccount: {
    call: `(input: { ${OF}, serviceAccountId: $id, name: "b" }) { serviceAccount { databaseId } }`,
    id: newAccount,
  },
  deleteServiceAccount: {
    call: `(input: { ${OF}, serviceAccountId: $id }) { serviceAccount { databaseId } }`,
    id: newAccount,
  },
  createServiceAccountToken: {
    call: `(input: { ${OF}, serviceAccountId: $id, name: "a", scopes: [WRITE] }) { serviceAccountToken { databaseId } }`,
    id: newAccount,
  },
  rotateServiceAccountToken: {
    call: `(input: { ${OF}, serviceAccountId: $account, tokenId: $id }) { serviceAccountToken { databaseId } }`,
    id: newAccountToken,
  },
  revokeServiceAccountToken: {
    call: `(input: { ${OF}, serviceAccountId: $account, tokenId: $id }) { serviceAccountToken { databaseId } }`,
    id: newAccountToken,
  },
  cancelInvitation: {
    call: `(input: { ${OF}, invitationId: $id }) { invitation { databaseId } }`,
    id: newInvitation,
  },
  invitation: {
    call: `(${OF}, id: $id) { databaseId viewerCan { resend } }`,
    id: newInvitation,
  },
  inviteMember: {
    call: `(input: { ${OF}, email: $text, role: VIEWER }) { invitation { databaseId } }`,
    id: newAddress,
    missing: 'missing@example.com',
  },
  inviteMembers: {
    call: `(input: { ${OF}, invitations: [{ email: $text, role: VIEWER }] }) { rows { outcome } }`,
    id: newAddress,
    missing: 'missing@example.com',
  },
  importMembers: {
    call: `(input: { ${OF}, text: $text }) { rows { outcome } }`,
    id: newMemberTable,
    missing: 'id\n',
  },
  startInvitations: {
    call: `(input: { ${OF}, invitations: [{ email: $text, role: VIEWER }] }) { importJob { databaseId } }`,
    id: freed(newAddress),
    missing: 'missing@example.com',
  },
  startMemberImport: {
    call: `(input: { ${OF}, text: $text }) { importJob { databaseId } }`,
    id: freed(newMemberTable),
    missing: 'id\n',
  },
  startControlImport: {
    call: `(input: { ${OF}, workflowId: "nis2-directive", text: $text }) { importJob { databaseId } }`,
    id: freed(() => 'id\n20.1\n'),
    missing: 'id\n',
  },
  startDocumentImport: {
    call: `(input: { ${OF}, workflowId: $id, file: $file }) { importJob { databaseId } }`,
    id: freed(() => 'nis2-directive'),
    missing: 'never-was',
    file: ARCHIVE,
  },
  cancelImportJob: {
    call: `(input: { ${OF}, importJobId: $id }) { importJob { databaseId } }`,
    id: newImportJob,
  },
  importJob: { call: `(${OF}, id: $id) { databaseId }`, id: newImportJob },
  resendInvitation: {
    call: `(input: { ${OF}, invitationId: $id }) { invitation { databaseId } }`,
    id: newInvitation,
  },
  member: { call: `(${OF}, userId: $id) { databaseId viewerCan { remove } }`, id: newMember },
  node: {
    call: '(id: $id) { id }',
    expected: MEMBERS_READ,
    id: () => `Incident:${incidentId}`,
    missing: 'Incident:2147483647',
  },
  nodes: {
    call: '(ids: [$id]) { id }',
    expected: MANAGERS_READ,
    id: async () => `CloudDefender:${await edge()}`,
    missing: 'CloudDefender:2147483647',
    list: true,
  },
  notification: { call: '(id: $id) { databaseId }', id: () => notificationId },
  portfolio: { call: '{ totalCount nodes { overdueControls incidents { open } devicesDown } }' },
  work: { call: '(assignee: ANYONE) { totalCount nodes { title } }' },
  events: { call: '{ next nodes { id } }', expected: OWN_READ },
  search: { call: '(query: "owner") { totalCount nodes { id } }', expected: OWN_READ },
  notificationsRevision: { call: '', expected: OWN_READ },
  unreadNotificationCount: { call: '{ count }' },
  updateNotification: {
    call: '(input: { notificationId: $id, read: true }) { notification { databaseId } }',
    id: () => notificationId,
  },
  markNotificationsRead: { call: '(input: { all: true }) { marks { changed unread } }' },
  notifications: { call: '{ totalCount }' },
  weeklyReportPreview: {
    call: '(organizationId: $id) { subject }',
    id: () => testData.organizationId,
  },
  organization: { call: '(id: $organization) { databaseId }', expected: MEMBERS_READ },
  organizations: {
    call: '{ totalCount nodes { databaseId viewerPrivileges viewerCan { leave } } }',
  },
  organizationControl: {
    call: `(${OF}, workflowId: "nis2-directive", controlId: "20.1") { databaseId }`,
  },
  organizationWorkflow: { call: `(${OF}, workflowId: "nis2-directive") { databaseId }` },
  rateLimit: { call: '{ cost }', expected: outcomes(ALL, 'OK', ['OK', 'OK', 'OK']) },
  reuseSuggestions: { call: `(${OF}, workflowId: "nis2-directive") { totalCount }` },
  threatBlocker: { call: '(id: $id) { databaseId atbKey }', id: blocker },
  threatBlockers: { call: '{ totalCount }', expected: OWN_READ },
  viewer: { call: '{ user { databaseId } token { databaseId } }' },
  workflowImport: { call: `(${OF}, workflowId: $id) { databaseId }`, id: imported },
  importWorkflow: {
    call: `(input: { ${OF}, id: "made", name: "Made", version: "1", source: { text: "Ours" }, licence: "Ours", controls: [{ id: "H1", label: "Lock", kind: "control" }] }) { workflowImport { databaseId } }`,
  },
  previewWorkflowImport: {
    call: `(input: { ${OF}, id: "seen", name: "Seen", version: "1", source: { text: "Ours" }, licence: "Ours", controls: [{ id: "H1", label: "Lock", kind: "control" }] }) { preview { digest } }`,
  },
  deleteWorkflowImport: {
    call: `(input: { ${OF}, workflowId: $id }) { workflowImport { databaseId } }`,
    id: imported,
  },
  workflow: { call: '(id: "nis2-directive") { databaseId }' },
  associateWorkflow: { call: `(input: { ${OF}, workflowId: "iso-27001-2022" }) { created }` },
  dissociateWorkflow: {
    call: `(input: { ${OF}, workflowId: $id }) { organizationWorkflow { databaseId } }`,
    id: associatedWorkflow,
  },
  updateControl: {
    call: `(input: { ${OF}, workflowId: "nis2-directive", controlId: "20.1", status: DONE }) { control { databaseId status } }`,
  },
  updateControls: {
    call: `(input: { ${OF}, workflowId: "nis2-directive", controlIds: ["20.1", "20.2"], changes: { note: "Seen" } }) { controls { databaseId note } }`,
  },
  importControls: {
    call: `(input: { ${OF}, workflowId: "nis2-directive", text: $text }) { rows { outcome } }`,
    id: newTable,
    missing: 'id,note\n20.1,never-was\n',
  },
  createApiToken: {
    call: '(input: { name: "made", scopes: [WRITE] }) { apiToken { databaseId } }',
  },
  createOrganization: { call: '(input: { name: "made" }) { organization { databaseId } }' },
  deleteCloudDefender: {
    call: '(input: { cloudDefenderId: $id }) { cloudDefender { databaseId } }',
    id: edge,
  },
  deleteThreatBlocker: {
    call: '(input: { threatBlockerId: $id }) { threatBlocker { databaseId } }',
    id: blocker,
  },
  reportCloudDefenderCheck: {
    call: `(input: { cloudDefenderId: $id, reports: ${report('fqdn: HEALTHY, proxy: HEALTHY, endpoint: HEALTHY')} }) { receipt { received } }`,
    id: edge,
  },
  reportThreatBlockerCheck: {
    call: `(input: { threatBlockerId: $id, reports: ${report('vpn: HEALTHY, dnsbl: HEALTHY, iplist: HEALTHY')} }) { receipt { received } }`,
    id: blocker,
  },
  reportCloudDefenderChecks: {
    call: `(input: { reports: [{ cloudDefenderId: $id, datetime: "2026-01-01T00:00:00Z", stat: { fqdn: HEALTHY, proxy: HEALTHY, endpoint: HEALTHY } }] }) { rows { outcome } }`,
    id: edge,
  },
  reportThreatBlockerChecks: {
    call: `(input: { reports: [{ threatBlockerId: $id, datetime: "2026-01-01T00:00:00Z", stat: { vpn: HEALTHY, dnsbl: HEALTHY, iplist: HEALTHY } }] }) { rows { outcome } }`,
    id: blocker,
  },
  reportThreatBlockerCheckByKey: {
    call: `(input: { atbKey: "${ATB_KEY}", reports: ${report('vpn: HEALTHY, dnsbl: HEALTHY, iplist: HEALTHY')} }) { receipt { received } }`,
  },
  restoreCloudDefender: {
    call: '(input: { cloudDefenderId: $id }) { cloudDefender { databaseId } }',
    id: edge,
  },
  restoreThreatBlocker: {
    call: '(input: { threatBlockerId: $id }) { threatBlocker { databaseId } }',
    id: blocker,
  },
  removeMember: {
    call: `(input: { ${OF}, userId: $id }) { member { databaseId } }`,
    id: newMember,
  },
  revokeApiToken: {
    call: '(input: { tokenId: $id }) { apiToken { databaseId } }',
    id: newTokenOfOwner,
  },
  updateDocumentVersion: {
    call: `(input: { ${OF}, documentVersionId: $id, note: "n" }) { documentVersion { databaseId } }`,
    id: () => documentId,
  },
  deleteDocumentVersion: {
    call: `(input: { ${OF}, documentVersionId: $id }) { documentVersion { databaseId } }`,
    id: newDocument,
  },
  rotateApiToken: {
    call: '(input: { tokenId: $id }) { apiToken { databaseId } }',
    // A token cannot rotate one with more rights.
    expected: { ...OWNERS_OWN_WRITE, writeOnly: 'FORBIDDEN' },
    id: newTokenOfOwner,
  },
  closeIncident: {
    call: `(input: { ${OF}, incidentId: $id }) { incident { databaseId } }`,
    id: smallIncident,
  },
  assessIncident: {
    call: `(input: { ${OF}, incidentId: $id, services: ["other"], answers: [{ question: "23-3-b", answer: true }] }) { incident { databaseId } }`,
    id: () => buildIncident(gateway.app.database, testData.organizationId),
  },
  rejudgeIncident: {
    call: `(input: { ${OF}, incidentId: $id, reason: "Other facts" }) { incident { databaseId } }`,
    id: () => buildIncident(gateway.app.database, testData.organizationId),
  },
  recordIncidentReport: {
    call: `(input: { ${OF}, incidentId: $id, regimeId: "nis2", stage: EARLY_WARNING }) { incident { databaseId } }`,
    id: () => buildIncident(gateway.app.database, testData.organizationId),
  },
  correctIncidentReport: {
    call: `(input: { ${OF}, incidentId: $id, regimeId: "nis2", stage: EARLY_WARNING, sentAt: null, reason: "never sent" }) { incident { databaseId } }`,
    id: incidentWithReport,
  },
  addIncidentNote: {
    call: `(input: { ${OF}, incidentId: $id, text: "Noted" }) { note { databaseId } }`,
    id: () => incidentId,
  },
  deleteIncidentAttachment: {
    call: `(input: { ${OF}, incidentId: $incident, attachmentId: $id }) { attachment { databaseId } }`,
    id: newAttachment,
  },
  updateAlerts: { call: `(input: { ${OF}, atb: true }) { alerts { atb } }` },
  updateMailPreferences: {
    call: `(input: { ${OF}, token: URGENT_ONLY }) { mailPreferences { token } }`,
  },
  updateMember: {
    call: `(input: { ${OF}, userId: $id, role: SECURITY_ANALYST }) { member { databaseId } }`,
    id: newMember,
  },
  exportMe: { call: '{ downloadUrl }', expected: OWN_READ },
  updateProfile: { call: '(input: { firstName: "Changed" }) { user { databaseId } }' },
  rotateAtbKey: {
    call: '(input: { threatBlockerId: $id }) { threatBlocker { databaseId } }',
    id: blocker,
  },
  updateCloudDefender: {
    call: '(input: { cloudDefenderId: $id, services: [] }) { cloudDefender { databaseId } }',
    id: edge,
  },
  updateThreatBlocker: {
    call: '(input: { threatBlockerId: $id, services: [] }) { threatBlocker { databaseId } }',
    id: blocker,
  },
  deleteOrganization: {
    call: '(input: { organizationId: $id }) { organization { databaseId } }',
    id: newOrganization,
  },
  leaveOrganization: {
    call: '(input: { organizationId: $id }) { organization { databaseId } }',
    id: newOrganization,
  },
  removeOrganizationLogo: { call: `(input: { ${OF} }) { organization { databaseId } }` },
  resetSandbox: {
    call: '(input: { organizationId: $id }) { organization { databaseId } }',
    id: newSandbox,
  },
  restoreOrganization: {
    call: '(input: { organizationId: $id }) { organization { databaseId } }',
    expected: OWNERS_OWN_WRITE,
    id: deletedOrganization,
  },
  setOrganizationLogo: {
    call: `(input: { ${OF}, file: $file }) { organization { databaseId } }`,
    file: samples.PNG,
  },
  transferOwnership: {
    call: `(input: { organizationId: $id, userId: "${HEIR}" }) { organization { databaseId } }`,
    id: newOrganization,
  },
  updateBranding: {
    call: `(input: { ${OF}, palette: "sea" }) { organization { databaseId } }`,
  },
  updateOrganization: {
    call: `(input: { ${OF}, name: "changed" }) { organization { databaseId } }`,
  },
  updateOrganizationSettings: {
    call: `(input: { ${OF}, reportWeekday: 2 }) { organization { databaseId } }`,
  },
  importDocuments: {
    call: `(input: { ${OF}, workflowId: "nis2-directive", file: $file }) { rows { outcome } }`,
    file: ARCHIVE,
  },
  uploadDocumentVersion: {
    call: `(input: { ${OF}, workflowId: "nis2-directive", artifactId: "21.2.b", filename: "a.txt", content: "dGV4dA==" }) { documentVersion { databaseId } }`,
  },
  uploadIncidentAttachment: {
    call: `(input: { ${OF}, incidentId: $id, file: $file }) { attachment { databaseId } }`,
    id: () => incidentId,
    file: samples.TXT,
  },
};

const { schema } = gateway.app.executor;
const OPERATIONS = compileRoutes(schema, ROUTES).filter((route) => isOperationRoute(route)) as CompiledOperation[];

/** Routes of a user's own webhook endpoints lead to fields that are called for an organization here. */
const OF_USERS = '/api/v1/profile/webhook-endpoints';

const ROOTS = { ...schema.getQueryType()!.getFields(), ...schema.getMutationType()!.getFields() };

const FIELDS = Object.fromEntries(
  [...new Set([...Object.keys(TABLE), ...Object.keys(ROOTS)])]
    // It ends its caller: test/members/erasure.test.ts tests its callers.
    .filter((name) => name !== 'eraseMe')
    .map((name) => {
      const field = TABLE[name] ?? byExample(name);
      return [name, { ...field, expected: field.expected ?? asRoutes(name) }];
    }),
);

/** A field with an organization and, at most, the id of one of its objects. */
function byExample(name: string): RootField {
  const { args, type } = ROOTS[name]!;
  const places = placesOf(ROOTS[name]!);
  const [place, ...more] = places.filter(
    (each) => isNonNullType(each.type) && getNamedType(each.type).name === 'ID' && each.name !== 'organizationId',
  );
  const part = place?.name === 'id' ? keyOf(getNamedType(type).name).at(-1)! : place?.name;
  const made = part === undefined ? undefined : (seeded as object as Record<string, number | string>)[part];
  if (more.length > 0 || (place !== undefined && made === undefined))
    throw new Error(`${name} needs a line in the table`);
  return {
    given: (id) => {
      const values = {
        ...(places.some((each) => each.name === 'organizationId') && { organizationId: testData.organizationId }),
        ...exampleInput(schema, name),
        ...(place && { [place.name]: id }),
      };
      return isMutation(name) ? { [args[0]!.name]: values } : values;
    },
    ...(made !== undefined && { id: () => made }),
  };
}

/** The rule of the routes that lead to a field. */
function asRoutes(name: string): Outcomes {
  const routes = OPERATIONS.filter(({ core, path }) => {
    return core.steps[0]?.field.name === name && !path.startsWith(OF_USERS);
  });
  const [rule, ...others] = new Set(routes.map(({ operationId }) => ROUTE_RULES[operationId]));
  if (rule === undefined || others.length > 0) throw new Error(`Routes do not say whom ${name} answers`);
  if (rule.whose === 'organization') {
    const members = rule.scope === 'telemetry' ? NO_ROLE : RANKS[rule.lowest];
    return outcomes(members, 'NOT_FOUND', SCOPED[rule.scope]);
  }
  if (rule.whose === 'caller' && rule.scope === 'telemetry') return outcomes(NO_ROLE, 'FORBIDDEN', SCOPED.telemetry);
  if (rule.whose === 'caller') return outcomes(ALL, 'OK', SCOPED[rule.scope]);
  if (rule.whose === 'auditor') return AUDITORS_ALONE;
  if (rule.whose === 'person') return outcomes(ONE, 'NOT_FOUND', SCOPED[rule.scope]);
  throw new Error(`${name} is not called by members`);
}

async function newProvider(): Promise<number> {
  await gateway.app.database.rows('delete from identity_provider');
  return buildIdentityProvider(gateway.app.database, testData.organizationId);
}

async function newWebhook(): Promise<number> {
  await gateway.app.database.rows('delete from webhook_endpoint where id <> $1', [webhook.webhookEndpointId]);
  return (await buildWebhook(gateway.app.database, testData.organizationId)).webhookEndpointId;
}

function newScimToken(): Promise<number> {
  return buildScimToken(gateway.app.database, testData.organizationId);
}

async function newSignInCode(): Promise<string> {
  const [code, providerId] = [randomUUID(), await newProvider()];
  await gateway.app.database.rows(
    `insert into sign_in_code (digest, user_id, provider_id, redirect_uri, code_challenge, expires_at)
     values ($1, $2, $3, 'https://app.example.com/', $4, now() + interval '1 minute')`,
    [digestToken(code), testData.owner.id, providerId, hash('sha256', 'v', 'base64url')],
  );
  return code;
}
/** Fields of persons, refused to service accounts of any role. */
const PERSONS_ONLY: readonly string[] = [
  ...['createOrganization', 'restoreOrganization', 'acceptInvitation', 'createApiToken'],
  ...['updateProfile', 'exportMe', 'updateAlerts', 'updateMailPreferences'],
  ...['notifications', 'notification', 'updateNotification', 'markNotificationsRead', 'unreadNotificationCount'],
  ...['notificationsRevision', 'engagements'],
  ...['myAuditTrail', 'verifyMyAuditTrail'],
  ...['attestControl', 'countersignAttestation', 'withdrawAttestation'],
];

/** Everything that an auditor may do in the organization. */
const FOR_AUDITORS: readonly string[] = ['engagement', 'evidenceRequest', 'requestEvidence', 'signOff'];

/** Called in a separate organization, without service accounts. */
const ELSEWHERE: readonly string[] = ['deleteOrganization', 'leaveOrganization', 'resetSandbox', 'transferOwnership'];

/** Fields of one person, and of no organization. */
const PERSONAL: readonly string[] = [
  'apiToken',
  'notification',
  'updateNotification',
  'revokeApiToken',
  'rotateApiToken',
];

function tokenOf(caller: Caller): string {
  if (caller === 'deactivated') return deactivated.token;
  return caller === 'readOnly' || caller === 'writeOnly' || caller === 'telemetry'
    ? testData.tokens[caller]
    : testData[caller].token;
}

const isMutation = (name: string) => schema.getMutationType()!.getFields()[name] !== undefined;

let unspent: { name: string; id: RootField['id']; made: number | string } | undefined;

/** The subject of a field: recreated after each call that may have changed it, which only an accepted mutation can. */
async function call(name: string, field: RootField, token: string | undefined) {
  const { id } = field;
  if (unspent?.name !== name || unspent.id !== id) unspent = id && { name, id, made: await id() };
  const answer = await send(name, field, unspent?.made, token);
  if (isMutation(name) && answer.body.errors === undefined) unspent = undefined;
  return answer;
}

function send(
  name: string,
  { call: text = '', given, file }: RootField,
  made: number | string | undefined,
  token: string | undefined,
) {
  if (given !== undefined) return callWith(name, given(made), token);
  const used = Object.entries(VARIABLES).filter(([variable]) => text.includes(`$${variable}`));
  const declared = used.map(([variable, type]) => `$${variable}: ${type}`).join(', ');
  const document = `${isMutation(name) ? 'mutation' : 'query'} ${declared && `(${declared})`} { ${name}${text} }`;
  const values = {
    organization: testData.organizationId,
    account: holder.id,
    engagement: engagementId,
    incident: incidentId,
    id: made,
    text: made,
    file: null,
  };
  const variables = Object.fromEntries(used.map(([variable]) => [variable, values[variable as keyof typeof values]]));
  if (!file) return gateway.graphql.call(document, { token, variables });
  const { filename, contentType: type, bytes } = file;
  return gateway.graphql.upload(document, variables, 'variables.file', { name: filename, type, bytes }, token);
}

function callWith(name: string, values: Record<string, unknown>, token: string | undefined) {
  const args = ROOTS[name]!.args.filter((arg) => Object.hasOwn(values, arg.name));
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const filled = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const document = `${isMutation(name) ? 'mutation' : 'query'} (${declared}) { ${name}(${filled}) { __typename } }`;
  return gateway.graphql.call(document, { token, variables: values });
}

test('no field is open to callers without a token but those of invitations, of recovery and of a sign-in', () => {
  const open = Object.keys(FIELDS).filter((name) => FIELDS[name]?.open);
  expect(open.toSorted()).toEqual([
    'acceptInvitation',
    'exchangeSignInCode',
    'invitationPreview',
    'recoverToken',
    'requestTokenRecovery',
  ]);
});

test('a field says which role it requires, and none that every member may use does', () => {
  const wrong = OPERATIONS.filter(({ operationId, core, path }) => {
    const rule = ROUTE_RULES[operationId];
    // The owner of the control attests, who is the owner of the organization here.
    if (rule?.whose !== 'organization' || path.startsWith(OF_USERS) || operationId === 'attestControl') return false;
    const text = core.steps.map(({ field }) => field.description).join(' ');
    return rule.lowest === 'VIEWER' ? / Requires [A-Z]{3}/.test(text) : !text.includes(rule.lowest);
  });
  expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
});

test('the table has no field that is neither of Query nor of Mutation', () => {
  expect(Object.keys(TABLE).filter((name) => ROOTS[name] === undefined)).toEqual([]);
});

const CODES = { FORBIDDEN: [1003], NOT_FOUND: [1004] } as const;

/**
 * Mutations that change nothing, change only their caller's data, sign existing data, arrive as often as
 * devices report, or enqueue a job.
 */
const UNRECORDED = [
  'createAuditCheckpoint',
  ...['exportMe', 'previewWorkflowImport'],
  ...['markNotificationsRead', 'updateNotification', 'requestTokenRecovery'],
  ...['reportCloudDefenderCheck', 'reportThreatBlockerCheck', 'reportThreatBlockerCheckByKey'],
  ...['reportCloudDefenderChecks', 'reportThreatBlockerChecks'],
];

/** Their arguments equal the present state: nothing changes (test/audit/changes.test.ts). */
const UNCHANGED = [
  'removeOrganizationLogo',
  'reopenIncident',
  'restoreCloudDefender',
  'restoreThreatBlocker',
  'updateAlerts',
  'updateMailPreferences',
];

const isRecorded = (name: string) =>
  ['engagement', 'evidenceRequest'].includes(name) ||
  (isMutation(name) && ![...UNRECORDED, ...UNCHANGED].includes(name));

/** Except for those that are recorded asynchronously. */
async function entries(): Promise<number> {
  const [row] = await gateway.app.database.rows<{ count: number }>(
    `select count(*)::int as count from audit_entry where action not in ('ACCESS_REFUSED', 'TOKEN_USED_FROM_NEW_ADDRESS')`,
  );
  return row!.count;
}

describe.each(Object.keys(FIELDS))('%s', (name) => {
  const field = FIELDS[name]!;
  let before: number;
  beforeAll(async () => {
    before = await entries();
  });

  test.each(CALLERS)('answers %s as the ladder of roles and the scopes say', async (caller) => {
    // An operation is interpreted at first and compiled from then on, for any sender.
    for (let time = caller === CALLERS[0] ? 0 : 1; time < 2; time += 1) {
      const answer = await call(name, field, tokenOf(caller));
      const outcome = field.expected[caller];
      withStory(answer, () => {
        if (outcome === 'OK') {
          expect(answer.body.errors).toBeUndefined();
          expect(answer.body.data[name]).toEqual(expect.anything());
          return;
        }
        expect(answer.status).toBe(200);
        expect(answer.body.errors).toHaveLength(1);
        expect(answer.body.errors?.[0]).toMatchObject({
          path: field.list ? [name, 0] : [name],
          extensions: { code: outcome, messages: CODES[outcome] },
        });
        expect(answer.body.data).toEqual({ [name]: field.list ? [null] : null });
      });
    }
  });

  test('answers a service account as a manager in its organization and as a non-member in others, but for what is a person’s', async () => {
    const outcomeOf = async (token: string) => {
      const { code = 'OK', messages } = (await call(name, field, token)).body.errors?.[0]?.extensions ?? {};
      // These accounts have the highest possible role, and all scopes except that of devices.
      const isOfDevices = name.startsWith('report');
      if (code === 'FORBIDDEN') expect(messages).toEqual(isOfDevices ? [1003] : FOR_PERSONS);
      return code;
    };
    const { manager, nonMember } = field.expected;
    if (ELSEWHERE.includes(name)) return expect(await outcomeOf(account.token)).toBe('NOT_FOUND');
    const isPersonal = PERSONS_ONLY.includes(name);
    expect(await outcomeOf(account.token)).toBe(isPersonal ? 'FORBIDDEN' : manager);
    expect([nonMember, ...(isPersonal ? ['FORBIDDEN'] : [])]).toContain(await outcomeOf(foreignAccount.token));
  });

  test('answers an auditor as a person without organization, but for a closed list of its engagement, and a former one everywhere', async () => {
    const outcomeOf = async (token: string) =>
      (await call(name, field, token)).body.errors?.[0]?.extensions['code'] ?? 'OK';
    const { userWithoutOrganization: outsider } = field.expected;
    expect(await outcomeOf(auditor.token)).toBe(FOR_AUDITORS.includes(name) ? 'OK' : outsider);
    expect(await outcomeOf(formerAuditor.token)).toBe(outsider);
  });

  test('refuses every caller without a valid token in the same way, unless it is open', async () => {
    const answers = new Set<string>();
    for (const token of [
      undefined,
      '',
      'nonsense',
      `${testData.owner.token} `.repeat(2).trim(),
      `${testData.owner.token.slice(0, -1)}${testData.owner.token.endsWith('A') ? 'B' : 'A'}`,
      generateToken(),
      testData.tokens.expired,
      testData.tokens.revoked,
      testData.tokens.deactivated,
    ]) {
      const answer = await call(name, field, token);
      if (field.open) {
        withStory(answer, () => expect([answer.status, answer.body.errors]).toEqual([200, undefined]));
        continue;
      }
      withStory(answer, () => {
        expect(answer.status).toBe(401);
        expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED', messages: [1001] });
      });
      // A missing token is an error of the field, a wrong one is refused before the document is validated.
      if (token) answers.add(answer.text);
    }
    expect(answers.size).toBe(field.open ? 0 : 1);
  });

  test('answers a non-member as for an id that never existed', async () => {
    if (field.id === undefined || field.expected.nonMember !== 'NOT_FOUND') return;
    const existing = await call(name, field, testData.nonMember.token);
    const missing = await call(name, { ...field, id: () => field.missing ?? 2147483647 }, testData.nonMember.token);
    expect(missing.text).toBe(existing.text);
  });

  test(`leaves ${isRecorded(name) ? 'entries' : 'no entry'} in audit trails`, async () => {
    const added = (await entries()) - before;
    if (isRecorded(name)) expect(added).toBeGreaterThan(0);
    else expect(added).toBe(0);
  });
});

describe('a token in several forms', () => {
  const request = (path: string, headers: Record<string, string>) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"query":"{ viewer { user { id: databaseId } } }"}',
    });
  const NAME = 'X-Service-Token';

  test('is taken from either header or from the query, and twice when it is the same', async () => {
    const { token } = testData.owner;
    for (const [path, headers] of [
      ['/graphql', { [NAME]: token }],
      ['/graphql', { 'x-service-token': token }],
      [`/graphql?${NAME}=${token}`, {}],
      [`/graphql?_a=1&${NAME}=${token}&${NAME}=${token}`, {}],
      [`/graphql?${NAME}=${token}`, { [NAME]: token }],
      ['/graphql', { authorization: `Bearer ${token}` }],
    ] as [string, Record<string, string>][]) {
      expect((await request(path, headers)).status).toBe(200);
    }
  });

  test('is refused when they differ, and where its name is spelled otherwise', async () => {
    const { owner, manager } = testData;
    for (const [path, headers] of [
      [`/graphql?${NAME}=${manager.token}`, { [NAME]: owner.token }],
      [`/graphql?${NAME}=`, { [NAME]: owner.token }],
      [`/graphql?${NAME}=${manager.token}&${NAME}=${owner.token}`, {}],
      [`/graphql?${NAME.toLowerCase()}=${owner.token}`, {}],
      ['/graphql', { authorization: `Bearer ${manager.token}`, [NAME]: owner.token }],
      ['/graphql', { authorization: `Basic ${owner.token}` }],
      ['/graphql', { cookie: `${NAME}=${owner.token}` }],
    ] as [string, Record<string, string>][]) {
      const answer = await request(path, headers);
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });
});

/** Last, because it deletes the organization of the test data. */
describe('an organization that was deleted', () => {
  beforeAll(async () => {
    await gateway.app.database.rows('update organization set deleted_at = now() where id = $1', [
      testData.organizationId,
    ]);
    // Its cache entries expire within a second.
    const request = () => call('organization', FIELDS['organization']!, testData.owner.token);
    await until(async () => (await request()).body.errors !== undefined);
  });

  const gone = Object.keys(FIELDS).filter(
    (name) => FIELDS[name]!.expected.nonMember === 'NOT_FOUND' && ![...PERSONAL, 'restoreOrganization'].includes(name),
  );
  test.each(gone)('is absent to its owner for %s', async (name) => {
    const field = FIELDS[name]!;
    const { id } = field;
    const reports = field.expected.telemetry === 'OK' && field.expected.readOnly !== 'OK';
    const answer = await call(
      name,
      { ...field, ...(id && { id: id === newOrganization || id === newSandbox ? deletedOrganization : id }) },
      reports ? testData.tokens.telemetry : testData.owner.token,
    );
    withStory(answer, () => {
      expect(answer.body.errors?.map(({ extensions }) => extensions)).toEqual([
        { code: 'NOT_FOUND', messages: [1004] },
      ]);
      expect(answer.body.data).toEqual({ [name]: field.list ? [null] : null });
    });
  });
});
