import { hash } from 'node:crypto';
import { digestToken } from '../../../src/auth/token.js';
import { samples, type SampleFile } from '../../support/sample-files.js';
import { UPLOAD_RULES } from '../../support/seeded-organization.js';
import { zip } from '../../support/zip.js';
import type { Name, Fixture } from './pair-fixture.js';

/** One operation of a pair. */
export interface Scenario {
  /** The domains within which it is paired with every other one. */
  domains: readonly Domain[];
  /** It deletes something that others may depend on: paired with every other one. */
  takes?: true;
  by: Name | 'anonymous';
  /** Input of a mutation. */
  input?: (fixture: Fixture) => object;
  /** Sent as the field `file` of the input. */
  file?: SampleFile;
  /** Runs before both operations. */
  prepare?: (fixture: Fixture) => Promise<unknown>;
}

export type Domain =
  | ('organizations' | 'members' | 'tokens' | 'workflows' | 'documents' | 'incidents' | 'engagements')
  | ('devices' | 'webhooks' | 'identity' | 'scim' | 'imports' | 'accounts' | 'own');

const WORKFLOW = 'nis2-directive';
const CONTROL = { workflowId: WORKFLOW, controlId: '21.2.a' };
const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const of = ({ organizationId }: Fixture) => ({ organizationId });
const at = new Date(Date.now() - 1000).toISOString();
const sql = ({ database, organizationId }: Fixture, text: string, values: unknown[] = []) =>
  database.rows(text, [organizationId, ...values]);

/** An address to which no other run has sent mails. */
const address = ({ organizationId }: Fixture) => `someone-${organizationId}@example.net`;

const organization =
  (values: object = {}) =>
  (fixture: Fixture) => ({ ...of(fixture), ...values });
const incident =
  (values: object = {}) =>
  (fixture: Fixture) => ({ ...of(fixture), incidentId: fixture.incidentId, ...values });
const engagement =
  (values: object = {}) =>
  (fixture: Fixture) => ({ ...of(fixture), engagementId: fixture.engagementId, ...values });
const edge =
  (values: object = {}) =>
  ({ cloudDefenderId }: Fixture) => ({ cloudDefenderId, ...values });
const blocker =
  (values: object = {}) =>
  ({ threatBlockerId }: Fixture) => ({ threatBlockerId, ...values });
const account =
  (values: object = {}) =>
  (fixture: Fixture) => ({ ...of(fixture), serviceAccountId: fixture.serviceAccountId, ...values });
const webhook =
  (values: object = {}) =>
  (fixture: Fixture) => ({ ...of(fixture), webhookEndpointId: fixture.webhookEndpointId, ...values });
const attestation =
  (values: object = {}) =>
  (fixture: Fixture) => ({ ...of(fixture), ...CONTROL, attestationId: fixture.attestationId, ...values });
const provider =
  (values: object = {}) =>
  (fixture: Fixture) => ({ ...of(fixture), identityProviderId: fixture.identityProviderId, ...values });

const ARCHIVE: SampleFile = {
  filename: 'documents.zip',
  contentType: 'application/zip',
  bytes: zip([
    { name: 'manifest.json', content: JSON.stringify({ documents: [{ path: 'a.txt', control_id: '21.2.d' }] }) },
    { name: 'a.txt', content: 'text' },
  ]),
};
const EDGE_REPORT = { stat: { fqdn: 'HEALTHY', proxy: 'HEALTHY', endpoint: 'HEALTHY' } };
const BLOCKER_REPORT = { stat: { vpn: 'HEALTHY', dnsbl: 'HEALTHY', iplist: 'HEALTHY' } };

const telemetry = ({ database, people }: Fixture, who: 'manager') =>
  database.rows(`update api_token set scopes = '{read,write,telemetry}' where user_id = $1`, [people[who].id]);
const closed = (fixture: Fixture) =>
  sql(
    fixture,
    `update incident set status = 'CLOSED', closed_at = now(), closed_by = 'ann' where organization_id = $1`,
  );
const associated = (fixture: Fixture) =>
  sql(
    fixture,
    `insert into organization_workflow (organization_id, workflow_id) values ($1, $2) on conflict do nothing`,
    [UPLOAD_RULES.id],
  );
const rules = (change: object) => organization({ ...UPLOAD_RULES, ...change });

/** One or more for each mutation; the part after the colon names the variant. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  // Organizations
  createOrganization: { domains: ['own'], by: 'manager', input: () => ({ name: 'Another' }) },
  updateOrganization: { domains: ['organizations'], by: 'manager', input: organization({ name: 'Renamed' }) },
  updateOrganizationSettings: {
    domains: ['organizations'],
    by: 'manager',
    input: organization({ reportWeekday: 2, timeZone: 'Asia/Tokyo' }),
  },
  updateBranding: { domains: ['organizations'], by: 'manager', input: organization({ palette: 'sea' }) },
  setOrganizationLogo: { domains: ['organizations'], by: 'manager', input: organization(), file: samples.PNG },
  removeOrganizationLogo: { domains: ['organizations'], by: 'manager', input: organization() },
  deleteOrganization: { domains: ['organizations', 'members'], takes: true, by: 'owner', input: organization() },
  restoreOrganization: {
    domains: ['organizations', 'members'],
    by: 'owner',
    input: organization(),
    prepare: (fixture) => sql(fixture, 'update organization set deleted_at = now() where id = $1'),
  },
  resetSandbox: {
    domains: ['organizations'],
    takes: true,
    by: 'owner',
    input: organization(),
    prepare: (fixture) => sql(fixture, 'update organization set sandbox = true where id = $1'),
  },
  transferOwnership: {
    domains: ['organizations', 'members'],
    takes: true,
    by: 'owner',
    input: (fixture) => ({ ...of(fixture), userId: fixture.people.manager.id }),
  },
  leaveOrganization: { domains: ['organizations', 'members'], takes: true, by: 'manager', input: organization() },
  'leaveOrganization: owner': { domains: ['members'], by: 'owner', input: organization() },
  'leaveOrganization: heir': { domains: ['members'], by: 'heir', input: organization() },
  createAuditCheckpoint: { domains: ['organizations'], by: 'officer', input: organization() },
  updateAlerts: { domains: ['own', 'members'], by: 'manager', input: organization({ atb: false, vCiso: false }) },
  updateMailPreferences: { domains: ['own', 'members'], by: 'manager', input: organization({ incident: 'NEVER' }) },

  // Members
  inviteMember: {
    domains: ['members'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), email: address(fixture), role: 'VIEWER' }),
  },
  inviteMembers: {
    domains: ['members'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), invitations: [{ email: address(fixture), role: 'VIEWER' }] }),
  },
  acceptInvitation: { domains: ['members', 'own'], by: 'invitee', input: ({ secret }) => ({ secret }) },
  'acceptInvitation: anonymous': {
    domains: ['members'],
    by: 'anonymous',
    input: ({ secret }) => ({ secret, firstName: 'New', lastName: 'Person' }),
    prepare: (fixture) =>
      fixture.database.rows('update invitation set email = $2 where id = $1', [
        fixture.inviteesInvitationId,
        `new-${fixture.people.invitee.username}@example.net`,
      ]),
  },
  cancelInvitation: {
    domains: ['members'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), invitationId: fixture.inviteesInvitationId }),
  },
  resendInvitation: {
    domains: ['members'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), invitationId: fixture.inviteesInvitationId }),
  },
  updateMember: {
    domains: ['members'],
    takes: true,
    by: 'owner',
    input: (fixture) => ({ ...of(fixture), userId: fixture.people.manager.id, role: 'VIEWER' }),
  },
  'updateMember: deactivates': {
    domains: ['members'],
    by: 'owner',
    input: (fixture) => ({ ...of(fixture), userId: fixture.people.manager.id, active: false }),
  },
  'updateMember: the other owner': {
    domains: ['members'],
    by: 'owner',
    input: (fixture) => ({ ...of(fixture), userId: fixture.people.heir.id, role: 'ORGANIZATION_MANAGER' }),
  },
  'updateMember: the owner': {
    domains: ['members'],
    by: 'heir',
    input: (fixture) => ({ ...of(fixture), userId: fixture.people.owner.id, role: 'ORGANIZATION_MANAGER' }),
  },
  'updateMember: raises': {
    domains: ['members'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), userId: fixture.people.member.id, role: 'SECURITY_OFFICER' }),
  },
  removeMember: {
    domains: ['members'],
    takes: true,
    by: 'owner',
    input: (fixture) => ({ ...of(fixture), userId: fixture.people.manager.id }),
  },
  'removeMember: the owner': {
    domains: ['members'],
    by: 'heir',
    input: (fixture) => ({ ...of(fixture), userId: fixture.people.owner.id }),
  },
  importMembers: {
    domains: ['members'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), text: `id,role\n${fixture.people.member.id},SECURITY_ANALYST\n` }),
  },
  eraseMe: {
    domains: ['members', 'own', 'tokens'],
    takes: true,
    by: 'manager',
    input: ({ people }) => ({ username: people.manager.username }),
  },
  'eraseMe: invitee': {
    domains: ['members'],
    by: 'invitee',
    input: ({ people }) => ({ username: people.invitee.username }),
  },
  'eraseMe: analyst': {
    domains: ['workflows', 'documents', 'incidents', 'engagements', 'imports'],
    by: 'analyst',
    input: ({ people }) => ({ username: people.analyst.username }),
  },
  'eraseMe: officer': {
    domains: ['workflows', 'incidents'],
    by: 'officer',
    input: ({ people }) => ({ username: people.officer.username }),
  },
  'eraseMe: auditor': {
    domains: ['engagements'],
    by: 'auditor',
    input: ({ people }) => ({ username: people.auditor.username }),
  },
  updateProfile: { domains: ['own'], by: 'manager', input: () => ({ firstName: 'Changed' }) },
  exportMe: { domains: ['own'], by: 'manager' },
  markNotificationsRead: { domains: ['own'], by: 'owner', input: () => ({ all: true }) },
  updateNotification: {
    domains: ['own'],
    by: 'owner',
    input: ({ notificationId }) => ({ notificationId, read: true }),
  },

  // Tokens
  createApiToken: { domains: ['tokens', 'own'], by: 'manager', input: () => ({ name: 'made', scopes: ['WRITE'] }) },
  revokeApiToken: {
    domains: ['tokens', 'own'],
    by: 'manager',
    input: ({ managersTokenId: tokenId }) => ({ tokenId }),
  },
  'revokeApiToken: the one that calls': {
    domains: ['tokens'],
    takes: true,
    by: 'manager',
    input: ({ callingTokenId: tokenId }) => ({ tokenId }),
  },
  rotateApiToken: {
    domains: ['tokens', 'own'],
    by: 'manager',
    input: ({ managersTokenId: tokenId }) => ({ tokenId }),
  },
  'rotateApiToken: the one that calls': {
    domains: ['tokens'],
    by: 'manager',
    input: ({ callingTokenId: tokenId }) => ({ tokenId }),
  },
  blockApiToken: {
    domains: ['tokens'],
    by: 'owner',
    input: (fixture) => ({ ...of(fixture), tokenId: fixture.managersTokenId }),
  },
  'blockApiToken: the one that calls': {
    domains: ['tokens'],
    takes: true,
    by: 'owner',
    input: (fixture) => ({ ...of(fixture), tokenId: fixture.callingTokenId }),
  },
  recoverToken: { domains: ['tokens', 'own'], by: 'anonymous', input: ({ recovery }) => ({ secret: recovery }) },
  requestTokenRecovery: {
    domains: ['tokens'],
    by: 'anonymous',
    input: ({ people }) => ({ email: `${people.manager.username}@example.com` }),
  },

  // Service accounts
  createServiceAccount: {
    domains: ['accounts'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), name: 'Made', role: 'VIEWER', responsibleId: fixture.people.manager.id }),
  },
  updateServiceAccount: {
    domains: ['accounts'],
    by: 'manager',
    input: (fixture) => account({ role: 'SECURITY_OFFICER', responsibleId: fixture.people.officer.id })(fixture),
  },
  deleteServiceAccount: { domains: ['accounts'], takes: true, by: 'manager', input: account() },
  createServiceAccountToken: { domains: ['accounts'], by: 'manager', input: account({ name: 'a', scopes: ['WRITE'] }) },
  rotateServiceAccountToken: {
    domains: ['accounts'],
    by: 'manager',
    input: (fixture) => account({ tokenId: fixture.accountTokenId })(fixture),
  },
  revokeServiceAccountToken: {
    domains: ['accounts'],
    by: 'manager',
    input: (fixture) => account({ tokenId: fixture.accountTokenId })(fixture),
  },
  'openIncident: account': {
    domains: ['accounts'],
    by: 'account',
    input: organization({ title: 'New', severity: 'LOW' }),
  },

  // Workflows
  associateWorkflow: { domains: ['workflows'], by: 'manager', input: organization({ workflowId: 'iso-27001-2022' }) },
  'associateWorkflow: imported': {
    domains: ['workflows'],
    by: 'manager',
    input: organization({ workflowId: UPLOAD_RULES.id }),
  },
  dissociateWorkflow: {
    domains: ['workflows', 'documents', 'engagements'],
    takes: true,
    by: 'manager',
    input: organization({ workflowId: WORKFLOW }),
  },
  'dissociateWorkflow: imported': {
    domains: ['workflows'],
    by: 'manager',
    input: organization({ workflowId: UPLOAD_RULES.id }),
    prepare: associated,
  },
  importWorkflow: { domains: ['workflows'], by: 'manager', input: rules({ name: 'Other rules' }) },
  'importWorkflow: new': { domains: ['workflows'], by: 'manager', input: rules({ id: 'made' }) },
  previewWorkflowImport: { domains: ['workflows'], by: 'manager', input: rules({ name: 'Other rules' }) },
  deleteWorkflowImport: {
    domains: ['workflows'],
    takes: true,
    by: 'manager',
    input: organization({ workflowId: UPLOAD_RULES.id }),
  },
  updateControl: {
    domains: ['workflows'],
    by: 'analyst',
    input: organization({ workflowId: WORKFLOW, controlId: '20.1', status: 'DONE' }),
  },
  'updateControl: owner': {
    domains: ['workflows'],
    by: 'officer',
    input: (fixture) => ({ ...of(fixture), ...CONTROL, ownerId: fixture.people.manager.id }),
  },
  'updateControl: attested': {
    domains: ['workflows'],
    by: 'analyst',
    input: organization({ ...CONTROL, status: 'IN_PROGRESS' }),
  },
  updateControls: {
    domains: ['workflows'],
    by: 'analyst',
    input: organization({ workflowId: WORKFLOW, controlIds: ['21.2.a', '20.1'], changes: { note: 'Seen' } }),
  },
  'updateControls: other order': {
    domains: ['workflows'],
    by: 'officer',
    input: organization({ workflowId: WORKFLOW, controlIds: ['20.1', '21.2.a'], changes: { note: 'Read' } }),
  },
  importControls: {
    domains: ['workflows'],
    by: 'analyst',
    input: organization({ workflowId: WORKFLOW, text: 'id,note\n21.2.a,Table\n20.1,Table\n' }),
  },
  attestControl: {
    domains: ['workflows', 'documents'],
    by: 'owner',
    input: organization({ ...CONTROL, statement: 'In force.' }),
  },
  countersignAttestation: { domains: ['workflows', 'documents'], by: 'officer', input: attestation() },
  withdrawAttestation: { domains: ['workflows'], by: 'officer', input: attestation({ reason: 'Rewritten.' }) },

  // Documents
  uploadDocumentVersion: {
    domains: ['documents'],
    by: 'analyst',
    input: organization({ workflowId: WORKFLOW, artifactId: '21.2.a', filename: 'a.txt', content: 'dGV4dA==' }),
  },
  'uploadDocumentVersion: by the manager': {
    domains: ['documents'],
    by: 'manager',
    input: organization({ workflowId: WORKFLOW, artifactId: '21.2.a', filename: 'b.txt', content: 'dGV4dA==' }),
  },
  updateDocumentVersion: {
    domains: ['documents', 'workflows'],
    by: 'officer',
    input: (fixture) => ({ ...of(fixture), documentVersionId: fixture.documentVersionId, note: 'n' }),
  },
  deleteDocumentVersion: {
    domains: ['documents', 'workflows'],
    takes: true,
    by: 'officer',
    input: (fixture) => ({ ...of(fixture), documentVersionId: fixture.documentVersionId }),
  },
  importDocuments: {
    domains: ['documents'],
    by: 'analyst',
    input: organization({ workflowId: WORKFLOW }),
    file: ARCHIVE,
  },

  // Incidents
  openIncident: { domains: ['incidents'], by: 'analyst', input: organization({ title: 'New', severity: 'LOW' }) },
  updateIncident: { domains: ['incidents'], by: 'officer', input: incident({ title: 'Changed', status: 'CONTAINED' }) },
  closeIncident: { domains: ['incidents'], by: 'officer', input: incident({ reason: 'A false alarm.' }) },
  reopenIncident: { domains: ['incidents'], by: 'officer', input: incident(), prepare: closed },
  assessIncident: {
    domains: ['incidents'],
    by: 'officer',
    input: incident({ services: ['other'], answers: [{ question: '23-3-b', answer: true }] }),
  },
  rejudgeIncident: { domains: ['incidents'], by: 'officer', input: incident({ reason: 'Other facts' }) },
  recordIncidentReport: {
    domains: ['incidents'],
    by: 'analyst',
    input: incident({ regimeId: 'nis2', stage: 'NOTIFICATION' }),
  },
  correctIncidentReport: {
    domains: ['incidents'],
    by: 'officer',
    input: incident({ regimeId: 'nis2', stage: 'EARLY_WARNING', sentAt: null, reason: 'never sent' }),
  },
  addIncidentNote: { domains: ['incidents'], by: 'analyst', input: incident({ text: 'Noted' }) },
  uploadIncidentAttachment: { domains: ['incidents'], by: 'analyst', input: incident(), file: samples.TXT },
  deleteIncidentAttachment: {
    domains: ['incidents'],
    by: 'officer',
    input: (fixture) => incident({ attachmentId: fixture.attachmentId })(fixture),
  },

  // Engagements
  createEngagement: {
    domains: ['engagements'],
    by: 'manager',
    input: organization({
      name: 'New',
      workflowIds: [WORKFLOW],
      from: '2026-01-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
      until: later(24),
    }),
  },
  updateEngagement: {
    domains: ['engagements'],
    by: 'manager',
    input: engagement({ name: 'Changed', until: later(48) }),
  },
  'updateEngagement: ends': {
    domains: ['engagements'],
    takes: true,
    by: 'manager',
    input: (fixture) => engagement({ until: new Date(Date.now() - 1000).toISOString() })(fixture),
  },
  inviteAuditor: {
    domains: ['engagements', 'members'],
    by: 'manager',
    input: (fixture) => engagement({ email: address(fixture) })(fixture),
  },
  'acceptInvitation: auditor': {
    domains: ['engagements'],
    by: 'invitee',
    input: ({ secret }) => ({ secret }),
    prepare: (fixture) =>
      fixture.database.rows('update invitation set engagement_id = $2, role = $3 where id = $1', [
        fixture.inviteesInvitationId,
        fixture.engagementId,
        'AUDITOR',
      ]),
  },
  removeAuditor: {
    domains: ['engagements'],
    takes: true,
    by: 'manager',
    input: (fixture) => engagement({ userId: fixture.people.auditor.id })(fixture),
  },
  requestEvidence: { domains: ['engagements'], by: 'auditor', input: engagement({ ...CONTROL, text: 'Show it' }) },
  answerEvidenceRequest: {
    domains: ['engagements'],
    by: 'analyst',
    input: (fixture) =>
      engagement({ evidenceRequestId: fixture.evidenceRequestId, answer: 'Here', close: true })(fixture),
  },
  signOff: { domains: ['engagements'], by: 'auditor', input: engagement({ workflowId: WORKFLOW, statement: 'Fine' }) },

  // Devices
  createCloudDefender: {
    domains: ['devices'],
    by: 'manager',
    input: organization({ email: 'edge@example.com', fqdn: 'www.example.com', endpoint: '192.0.2.10' }),
  },
  updateCloudDefender: { domains: ['devices'], by: 'manager', input: edge({ services: ['waf'] }) },
  deleteCloudDefender: { domains: ['devices'], takes: true, by: 'manager', input: edge() },
  restoreCloudDefender: {
    domains: ['devices'],
    by: 'manager',
    input: edge(),
    prepare: ({ database, cloudDefenderId }) =>
      database.rows('update cloud_defender set deleted_at = now() where id = $1', [cloudDefenderId]),
  },
  reportCloudDefenderCheck: {
    domains: ['devices'],
    by: 'manager',
    input: edge({ reports: [{ ...EDGE_REPORT, datetime: at }] }),
    prepare: (fixture) => telemetry(fixture, 'manager'),
  },
  reportCloudDefenderChecks: {
    domains: ['devices'],
    by: 'manager',
    input: ({ cloudDefenderId }) => ({ reports: [{ cloudDefenderId, datetime: at, ...EDGE_REPORT }] }),
    prepare: (fixture) => telemetry(fixture, 'manager'),
  },
  createThreatBlocker: {
    domains: ['devices'],
    by: 'manager',
    input: organization({ email: 'atb@example.com', endpoint: '192.0.2.20', type: 'appliance' }),
  },
  updateThreatBlocker: { domains: ['devices'], by: 'manager', input: blocker({ services: ['dnsbl'] }) },
  deleteThreatBlocker: { domains: ['devices'], takes: true, by: 'manager', input: blocker() },
  restoreThreatBlocker: {
    domains: ['devices'],
    by: 'manager',
    input: blocker(),
    prepare: ({ database, threatBlockerId }) =>
      database.rows('update threat_blocker set deleted_at = now() where id = $1', [threatBlockerId]),
  },
  rotateAtbKey: { domains: ['devices'], by: 'manager', input: blocker() },
  reportThreatBlockerCheck: {
    domains: ['devices'],
    by: 'manager',
    input: blocker({ reports: [{ ...BLOCKER_REPORT, datetime: at }] }),
    prepare: (fixture) => telemetry(fixture, 'manager'),
  },
  reportThreatBlockerCheckByKey: {
    domains: ['devices'],
    by: 'manager',
    input: ({ atbKey }) => ({ atbKey, reports: [{ ...BLOCKER_REPORT, datetime: at }] }),
    prepare: (fixture) => telemetry(fixture, 'manager'),
  },
  reportThreatBlockerChecks: {
    domains: ['devices'],
    by: 'manager',
    input: ({ threatBlockerId }) => ({ reports: [{ threatBlockerId, datetime: at, ...BLOCKER_REPORT }] }),
    prepare: (fixture) => telemetry(fixture, 'manager'),
  },

  // Webhooks
  createWebhookEndpoint: {
    domains: ['webhooks'],
    by: 'manager',
    input: organization({ url: 'https://receiver.example.com/' }),
  },
  'createWebhookEndpoint: own': {
    domains: ['webhooks'],
    by: 'manager',
    input: () => ({ url: 'https://receiver.example.com/', scope: 'MANAGED_ORGANIZATIONS' }),
  },
  updateWebhookEndpoint: { domains: ['webhooks'], by: 'manager', input: webhook({ description: 'b' }) },
  'updateWebhookEndpoint: enables': {
    domains: ['webhooks'],
    by: 'manager',
    input: webhook({ status: 'ENABLED' }),
    prepare: (fixture) =>
      sql(
        fixture,
        `update webhook_endpoint set status = 'DISABLED', disabled_reason = 'REQUESTED' where organization_id = $1`,
      ),
  },
  'updateWebhookEndpoint: disables': { domains: ['webhooks'], by: 'manager', input: webhook({ status: 'DISABLED' }) },
  deleteWebhookEndpoint: { domains: ['webhooks'], takes: true, by: 'manager', input: webhook() },
  rotateWebhookSecret: { domains: ['webhooks'], by: 'manager', input: webhook() },
  sendTestWebhook: { domains: ['webhooks'], by: 'manager', input: webhook() },
  redeliverWebhook: {
    domains: ['webhooks'],
    by: 'manager',
    input: (fixture) => webhook({ webhookDeliveryId: fixture.webhookDeliveryId })(fixture),
  },
  recoverWebhooks: { domains: ['webhooks'], by: 'manager', input: webhook({ since: at }) },

  // Identity
  createIdentityProvider: {
    domains: ['identity'],
    by: 'owner',
    input: organization({ name: 'new', issuer: 'https://login.example.org', clientId: 'c', domains: ['example.org'] }),
  },
  updateIdentityProvider: { domains: ['identity'], by: 'owner', input: provider({ defaultRole: 'VIEWER' }) },
  'updateIdentityProvider: other domains': {
    domains: ['identity'],
    by: 'heir',
    input: provider({ domains: ['example.net'] }),
  },
  'updateIdentityProvider: required': {
    domains: ['identity', 'organizations'],
    by: 'owner',
    input: provider({ required: true }),
    prepare: ({ database, identityProviderId }) =>
      database.rows('update identity_domain set verified_at = now() where provider_id = $1', [identityProviderId]),
  },
  deleteIdentityProvider: { domains: ['identity'], takes: true, by: 'owner', input: provider() },
  verifyIdentityDomain: { domains: ['identity'], by: 'owner', input: provider({ domain: 'example.com' }) },
  exchangeSignInCode: {
    domains: ['identity', 'tokens'],
    by: 'anonymous',
    input: (fixture) => ({
      code: `code-${fixture.organizationId}`,
      codeVerifier: 'v',
      redirectUri: 'https://app.example.com/',
    }),
    prepare: ({ database, organizationId, people, identityProviderId }) =>
      database.rows(
        `insert into sign_in_code (digest, user_id, provider_id, redirect_uri, code_challenge, expires_at)
         values ($1, $2, $3, 'https://app.example.com/', $4, now() + interval '1 minute')`,
        [
          digestToken(`code-${organizationId}`),
          people.manager.id,
          identityProviderId,
          hash('sha256', 'v', 'base64url'),
        ],
      ),
  },

  // Provisioning
  updateScimSettings: { domains: ['scim'], by: 'owner', input: organization({ defaultRole: 'SECURITY_ANALYST' }) },
  'updateScimSettings: disables': {
    domains: ['scim'],
    takes: true,
    by: 'owner',
    input: organization({ enabled: false }),
  },
  createScimToken: { domains: ['scim'], by: 'manager', input: organization({ name: 'Okta' }) },
  revokeScimToken: {
    domains: ['scim'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), scimTokenId: fixture.scimTokenId }),
  },

  // Import jobs
  startControlImport: {
    domains: ['imports'],
    by: 'analyst',
    input: organization({ workflowId: WORKFLOW, text: 'id\n20.1\n' }),
  },
  startMemberImport: {
    domains: ['imports'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), text: `id,role\n${fixture.people.member.id},SECURITY_ANALYST\n` }),
  },
  startInvitations: {
    domains: ['imports'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), invitations: [{ email: address(fixture), role: 'VIEWER' }] }),
  },
  startDocumentImport: {
    domains: ['imports'],
    by: 'analyst',
    input: organization({ workflowId: WORKFLOW }),
    file: ARCHIVE,
  },
  cancelImportJob: {
    domains: ['imports'],
    by: 'manager',
    input: (fixture) => ({ ...of(fixture), importJobId: fixture.importJobId }),
  },
};
