import type { Database } from '../../src/database/database.js';
import { buildAttestable } from './attestations.js';
import { buildEngagement, buildServiceAccount, newMember } from './people.js';
import { buildIncident, buildOrganization, buildPerson, join, type TestData } from './test-data.js';
import { versionedObjects, type Input } from './versioned-objects.js';

/** The test case of a mutation. */
export interface RoundTrip {
  /** Identifies the changed object or the parent, with the required fields: another object each time. */
  make(): Promise<Input>;
  /** A value of each optional field that differs from its initial value. */
  values?: Input;
  /** Fields that must be given together with one, and without which it is rejected. */
  beside?: Readonly<Record<string, Input>>;
}

/** A day, and an instant of it, in the past. */
const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}`;
const instant = (n: number) => `${day(n)}T08:09:10.123Z`;
const soon = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T08:09:10.123Z`;

const FACTS = {
  ...{ suspectedMalicious: true, crossBorder: true, affectsTrustService: true, affectsQualifiedTrustService: true },
  ...{ personalDataConcerned: true, exploitedVulnerability: true, productConcerned: true },
  ...{ occurredAt: instant(1), awareAt: instant(2), classifiedAt: instant(3), fixAvailableAt: instant(4) },
  ...{ handledAt: instant(5), intermediateReportDueAt: instant(6), category: 'IS_1' },
  ...{ indicators: 'Indicators-7f', impact: 'Impact-7f', rootCause: 'Cause-7f', mitigation: 'Mitigation-7f' },
  ...{ description: 'Description-7f' },
};

const PROFILE = {
  ...{ description: 'Description-7f', numberEmployees: 4711, website: 'https://website-7f.example/' },
  ...{
    logo: 'https://logo-7f.example/l.png',
    sectors: ['ENERGY'],
    industries: ['BANKING_MORTGAGE', 'AVIATION_AEROSPACE'],
  },
  ...{ nis2Sector: 'ENERGIA_GAS', infrastructure: 'ON_PREM', domains: ['domain-7f.example'], ips: ['192.0.2.77'] },
  complianceFrameworks: [
    { value: 'NIS2', fields: { entity_type: 'essential', own_Key: { a: [1, null, '7f'] } } },
    { value: 'ISO_27001_2023', fields: { extensions: ['ISO 27017:2021'] } },
  ],
  contacts: [
    { name: 'Contact-7f', role: 'Role-7f', email: 'contact-7f@example.com', phone: '+39 7777', emailReport: true },
  ],
};

const SETTINGS = {
  ...{ timeZone: 'Asia/Tokyo', language: 'it', country: 'DE', trustServiceProvider: true },
  ...{ qualifiedTrustServiceProvider: true, nis2ReportingFrom: day(7), reportWeekday: 6, queryTokenAllowed: false },
  ...{ userWebhooksAllowed: false, auditRetentionDays: 3700, auditWitnessEmail: 'witness-7f@example.com' },
};

const BLOCKER = {
  ...{ email: 'blocker-7f@example.com', endpoint: '192.0.2.78', type: 'type-7f', privateIP: '10.7.7.7' },
  ...{
    services: ['vpn', 'dnsbl'],
    deviceId: 'device-7f',
    plugin: { name: 'plugin-7f', config: { a_b: { cD: [1, null] } } },
  },
};
const EDGE = {
  email: 'edge-7f@example.com',
  endpoint: '192.0.2.79',
  fqdn: 'edge-7f.example.com',
  services: ['waf', 'cdn'],
};
const CONTROL = {
  ...{ status: 'NOT_APPLICABLE', justification: 'Justification-7f', inclusionReason: 'Inclusion-7f' },
  ...{ dueDate: '2027-07-07', reviewIntervalMonths: 7, note: 'Note-7f' },
};
const TOKEN = { scopes: ['WRITE'], expiresAt: soon(30), allowedIps: ['127.0.0.0/8', '::1'] };
const PROVIDER = {
  ...{
    clientSecret: 'Secret-7f',
    defaultRole: 'SECURITY_ANALYST',
    groupsClaim: 'claim-7f',
    domains: ['domain-7f.example'],
  },
  ...{
    groupRoles: [{ group: 'group-7f', role: 'SECURITY_OFFICER' }],
    redirectUris: ['https://app-7f.example/callback'],
  },
};
const WEBHOOK = { description: 'Description-7f', eventTypes: ['CONTROL_UPDATED', 'INCIDENT_OPENED'], format: 'OCSF' };
const WORKFLOW = {
  ...{ id: 'workflow-7f', name: 'Workflow-7f', version: 'Version-7f', licence: 'Licence-7f' },
  source: { text: 'Source-7f', url: 'https://source-7f.example/' },
  controls: [
    { id: 'X7F', label: 'Label-7f', kind: 'control', text: 'Text-7f' },
    { id: 'X7F.1', label: 'Below-7f', kind: 'task', parent: 'X7F', text: 'Below text-7f' },
  ],
};

/** The mutations with optional fields. */
export function roundTrips(database: Database, testData: TestData): Readonly<Record<string, RoundTrip>> {
  const { organizationId, owner } = testData;
  const versioned = versionedObjects(database, testData);
  const keyOf = (name: string) => async () => (await versioned[name]!.make()).key;
  let numbers = 0;
  const next = () => (numbers += 1);
  const ofOrganization = (required: Input) => async () => ({ organizationId, ...required });
  const organization = async () => {
    const id = await buildOrganization(database, `Organization ${next()}`);
    await database.rows(`update organization set nis2_sector = '', created_at = '2020-01-01' where id = $1`, [id]);
    await join(database, owner, id, 'ORGANIZATION_OWNER');
    return { organizationId: id };
  };
  const mine = async () => {
    await database.rows(`delete from webhook_endpoint`);
    return { organizationId };
  };
  const accountId = async () => (await buildServiceAccount(database, organizationId, owner)).id;
  const engaged = async () => {
    await database.rows('delete from engagement where organization_id = $1', [organizationId]);
    const auditor = await buildPerson(database, 'auditor');
    return {
      organizationId,
      engagementId: await buildEngagement(database, organizationId, { auditor }),
      token: auditor.token,
    };
  };
  return {
    createOrganization: { make: async () => ({ name: `Name-7f ${next()}` }), values: { ...PROFILE, sandbox: true } },
    updateOrganization: { make: organization, values: { name: 'Name-7f', ...PROFILE } },
    updateOrganizationSettings: {
      make: organization,
      values: SETTINGS,
      beside: { qualifiedTrustServiceProvider: { trustServiceProvider: true } },
    },
    updateBranding: {
      make: organization,
      values: { palette: 'sea', customColors: { primary: '#117711', primaryHover: '#227722', primaryDark: '#337733' } },
    },
    updateAlerts: {
      make: organization,
      values: { atb: false, cloudDefender: false, vCiso: false },
    },
    updateMailPreferences: {
      make: organization,
      values: {
        ...{ incident: 'NEVER', document: 'NEVER', device: 'DAILY', workflow: 'NEVER', member: 'NEVER' },
        ...{ token: 'NEVER', system: 'NEVER' },
      },
    },
    updateProfile: {
      make: async () => {
        await database.rows(`update app_user set last_name = 'Person', language = null where id = $1`, [owner.id]);
        return keyOf('updateProfile')();
      },
      values: { firstName: 'First-7f', lastName: 'Last-7f', language: 'de' },
    },
    updateMember: { make: keyOf('updateMember'), values: { role: 'SECURITY_OFFICER', active: false } },
    inviteMember: {
      make: async () => ({ organizationId, email: `invited-7f-${next()}@example.com`, role: 'SECURITY_OFFICER' }),
    },
    createApiToken: { make: async () => ({ name: 'Token-7f' }), values: TOKEN },
    rotateApiToken: { make: keyOf('rotateApiToken'), values: { graceHours: 7, expiresAt: soon(20) } },
    createServiceAccount: {
      make: ofOrganization({ name: 'Account-7f', role: 'SECURITY_OFFICER' }),
      values: { description: 'Description-7f', responsibleId: testData.officer.id },
    },
    updateServiceAccount: {
      make: keyOf('updateServiceAccount'),
      values: {
        ...{ name: 'Account-7f', role: 'SECURITY_OFFICER', description: 'Description-7f' },
        responsibleId: testData.officer.id,
      },
    },
    createServiceAccountToken: {
      make: async () => ({ organizationId, serviceAccountId: await accountId(), name: 'Token-7f' }),
      values: TOKEN,
    },
    rotateServiceAccountToken: {
      make: keyOf('rotateServiceAccountToken'),
      values: { graceHours: 7, expiresAt: soon(20) },
    },
    createScimToken: {
      make: async () => {
        await database.rows('delete from scim_token');
        return { ...(await keyOf('updateScimSettings')()), name: 'Token-7f' };
      },
      values: { expiresAt: soon(30) },
    },
    updateScimSettings: {
      make: async () => {
        await database.rows('delete from scim_settings');
        return keyOf('updateScimSettings')();
      },
      values: {
        ...{ enabled: false, defaultRole: 'SECURITY_ANALYST', linkMembers: true },
        groupRoles: [{ group: 'group-7f', role: 'SECURITY_OFFICER' }],
      },
    },
    createIdentityProvider: {
      make: async () => {
        await database.rows('delete from identity_provider');
        return {
          ...{
            organizationId,
            name: `provider-7f-${next()}`,
            issuer: 'https://issuer-7f.example',
            clientId: 'client-7f',
          },
        };
      },
      values: PROVIDER,
    },
    updateIdentityProvider: {
      make: async () => {
        await database.rows('delete from identity_provider');
        return keyOf('updateIdentityProvider')();
      },
      values: { ...PROVIDER, name: 'provider-7f', issuer: 'https://issuer-7f.example', clientId: 'client-7f' },
    },
    createWebhookEndpoint: {
      make: async () => ({ ...(await mine()), url: `https://url-7f.example/${next()}` }),
      values: WEBHOOK,
    },
    updateWebhookEndpoint: {
      make: keyOf('updateWebhookEndpoint'),
      values: { ...WEBHOOK, url: 'https://url-7f.example/', status: 'DISABLED' },
    },
    openIncident: {
      make: ofOrganization({ title: 'Title-7f', severity: 'CRITICAL' }),
      values: { ...FACTS, significant: true },
      beside: {
        affectsQualifiedTrustService: { affectsTrustService: true },
        category: { significant: true },
        classifiedAt: { awareAt: instant(2) },
        handledAt: { awareAt: instant(2) },
        intermediateReportDueAt: { awareAt: instant(2) },
      },
    },
    updateIncident: {
      make: async () => {
        const incidentId = await buildIncident(database, organizationId);
        await database.rows(`update incident set significant = false, aware_at = '2026-03-01' where id = $1`, [
          incidentId,
        ]);
        return { organizationId, incidentId };
      },
      values: {
        ...FACTS,
        title: 'Title-7f',
        severity: 'CRITICAL',
        status: 'CONTAINED',
        significant: true,
        reason: 'Reason-7f',
      },
      beside: {
        awareAt: { reason: 'Reason-7f' },
        reason: { awareAt: instant(2) },
        occurredAt: { occurredAt: '2026-02-02T08:09:10.123Z' },
        category: { significant: true },
        affectsQualifiedTrustService: { affectsTrustService: true },
      },
    },
    closeIncident: { make: keyOf('closeIncident'), values: { reason: 'Reason-7f' } },
    rejudgeIncident: { make: async () => ({ ...(await keyOf('rejudgeIncident')()), reason: 'Reason-7f' }) },
    assessIncident: {
      make: async () => ({
        ...(await keyOf('assessIncident')()),
        ...{ services: ['other'], answers: [{ question: '23-3-b', answer: true }] },
      }),
    },
    addIncidentNote: { make: async () => ({ ...(await keyOf('closeIncident')()), text: 'Text-7f' }) },
    recordIncidentReport: {
      make: async () => {
        const key = await keyOf('closeIncident')();
        await database.rows(`update incident set aware_at = '2026-03-01' where id = $1`, [key['incidentId']]);
        return { ...key, regimeId: 'nis2', stage: 'EARLY_WARNING' };
      },
      values: {
        ...{ recipient: 'Recipient-7f', reference: 'Reference-7f', sentAt: new Date(Date.now() - 1000).toISOString() },
      },
    },
    correctIncidentReport: {
      make: async () => {
        const key = await keyOf('correctIncidentReport')();
        await database.rows(`update incident set aware_at = '2026-03-01' where id = $1`, [key['incidentId']]);
        return { ...key, regimeId: 'nis2', stage: 'EARLY_WARNING', sentAt: instant(25), reason: 'Reason-7f' };
      },
      values: { recipient: 'Recipient-7f', reference: 'Reference-7f' },
    },
    createCloudDefender: {
      make: ofOrganization({ email: 'a@example.com', endpoint: '192.0.2.80', fqdn: 'a.example.com' }),
      values: { services: EDGE.services },
    },
    updateCloudDefender: { make: keyOf('updateCloudDefender'), values: EDGE },
    createThreatBlocker: {
      make: ofOrganization({ email: BLOCKER.email, endpoint: BLOCKER.endpoint, type: BLOCKER.type }),
      values: {
        ...{ privateIP: BLOCKER.privateIP, services: BLOCKER.services },
        ...{ deviceId: BLOCKER.deviceId, plugin: BLOCKER.plugin },
      },
    },
    updateThreatBlocker: {
      make: async () => {
        await database.rows('delete from threat_blocker');
        return keyOf('updateThreatBlocker')();
      },
      values: BLOCKER,
    },
    updateControl: {
      make: async () => {
        const { controlId, ...key } = (await keyOf('updateControl')()) as Record<string, unknown>;
        return { ...key, controlId };
      },
      values: { ...CONTROL, ownerId: testData.officer.id },
      beside: { status: { justification: 'Justification-7f' }, justification: { status: 'NOT_APPLICABLE' } },
    },
    updateControls: {
      make: async () => {
        const { controlId, ...key } = (await keyOf('updateControl')()) as Record<string, unknown>;
        return { ...key, controlIds: [controlId], changes: { ...CONTROL, ownerId: testData.officer.id } };
      },
    },
    attestControl: {
      make: async () => {
        await database.rows('delete from control_attestation');
        await buildAttestable(database, organizationId, owner);
        return { organizationId, workflowId: 'nis2-directive', controlId: '21.2.a', statement: 'Statement-7f' };
      },
    },
    withdrawAttestation: { make: keyOf('withdrawAttestation'), values: { reason: 'Reason-7f' } },
    updateDocumentVersion: {
      make: keyOf('updateDocumentVersion'),
      values: { note: 'Note-7f', effectiveAt: instant(7), validUntil: '2027-07-07' },
    },
    uploadDocumentVersion: {
      make: async () => ({
        ...{ organizationId, workflowId: 'nis2-directive', artifactId: '21.2.a', filename: 'file-7f.txt' },
        content: Buffer.from(`content ${next()}`).toString('base64'),
      }),
      values: { contentType: 'text/plain', source: 'GENERATED', effectiveAt: instant(7), validUntil: '2027-07-07' },
    },
    createEngagement: {
      make: async () => {
        await database.rows('delete from engagement where organization_id = $1', [organizationId]);
        return {
          ...{
            organizationId,
            name: 'Engagement-7f',
            workflowIds: ['nis2-directive'],
            from: instant(1),
            to: instant(20),
          },
          until: soon(9),
        };
      },
    },
    updateEngagement: { make: keyOf('updateEngagement'), values: { name: 'Engagement-7f', until: soon(9) } },
    requestEvidence: {
      make: async () => ({
        ...(await engaged()),
        ...{ workflowId: 'nis2-directive', controlId: '21.2.a', text: 'Text-7f' },
      }),
    },
    answerEvidenceRequest: { make: keyOf('answerEvidenceRequest'), values: { answer: 'Answer-7f', close: true } },
    signOff: {
      make: async () => ({
        ...(await engaged()),
        ...{ workflowId: 'nis2-directive', statement: 'Statement-7f' },
      }),
      values: { controlId: '21.2.a' },
    },
    importWorkflow: {
      make: async () => {
        await database.rows('delete from workflow_import');
        return { organizationId, ...WORKFLOW };
      },
      values: { kind: 'task-set', remarks: 'Remarks-7f' },
    },
    previewWorkflowImport: {
      make: async () => ({ organizationId, ...WORKFLOW }),
      values: { kind: 'task-set', remarks: 'Remarks-7f' },
    },
    verifyIdentityDomain: { make: async () => ({ ...(await keyOf('verifyIdentityDomain')()), domain: 'example.com' }) },
    transferOwnership: {
      make: async () => {
        const made = await organization();
        const person = await newMember(database, made.organizationId, 'VIEWER');
        return { ...made, userId: person.id };
      },
    },
  };
}

/** Mutations and fields with other tests, and their place. */
export const NOT_TRIED: Readonly<Record<string, string>> = {
  // Need secrets from mails, or codes from sign-ins.
  acceptInvitation: 'test/members/invitations-api.test.ts',
  exchangeSignInCode: 'test/identity',
  inviteAuditor: 'test/engagements',
  recoverToken: 'test/tokens',
  requestTokenRecovery: 'test/tokens',
  // Their effects are read from the objects that they change.
  deleteWebhookEndpoint: 'test/webhooks',
  eraseMe: 'test/members',
  markNotificationsRead: 'test/notifications',
  recoverWebhooks: 'test/webhooks',
  redeliverWebhook: 'test/webhooks',
  rotateWebhookSecret: 'test/webhooks',
  sendTestWebhook: 'test/webhooks',
  updateNotification: 'test/notifications',
  // Files, and rows with a result each.
  importControls: 'test/workflows/control-import-api.test.ts',
  importDocuments: 'test/documents/document-import-api.test.ts',
  importMembers: 'test/members/member-import-api.test.ts',
  inviteMembers: 'test/members',
  setOrganizationLogo: 'test/organizations/logo.test.ts',
  startControlImport: 'test/imports',
  startDocumentImport: 'test/imports',
  startInvitations: 'test/imports',
  startMemberImport: 'test/imports',
  uploadIncidentAttachment: 'test/incidents',
  // Series of numbers.
  reportCloudDefenderCheck: 'test/devices',
  reportCloudDefenderChecks: 'test/devices',
  reportThreatBlockerCheck: 'test/devices',
  reportThreatBlockerCheckByKey: 'test/devices',
  reportThreatBlockerChecks: 'test/devices',
  // Fields.
  'attestControl.controlVersion': 'test/workflows: a state, called otherwise because the control is not what is made',
  'correctIncidentReport.number': 'test/incidents: which report of its stage',
  'createIdentityProvider.required': 'test/identity: a token of that provider alone may set it',
  'createOrganization.logoFile': 'test/organizations/create-rest.test.ts',
  'createWebhookEndpoint.scope': 'test/webhooks: another path in REST',
  'importWorkflow.catalog': 'test/workflows: OSCAL',
  'importWorkflow.file': 'test/workflows: the text as a file',
  'importWorkflow.from': 'test/workflows/mapping-imports-api.test.ts',
  'importWorkflow.mode': 'test/workflows/imports-api.test.ts',
  'importWorkflow.pairs': 'test/workflows/mapping-imports-api.test.ts',
  'importWorkflow.previewDigest': 'test/workflows: a state',
  'importWorkflow.profile': 'test/workflows: OSCAL',
  'importWorkflow.replacesVersion': 'test/contract/versions.test.ts: a state',
  'importWorkflow.text': 'test/workflows/imports-api.test.ts',
  'importWorkflow.to': 'test/workflows/mapping-imports-api.test.ts',
  'openIncident.rehearsal': 'test/incidents: of a sandbox',
  'previewWorkflowImport.catalog': 'test/workflows: OSCAL',
  'previewWorkflowImport.file': 'test/workflows: the text as a file',
  'previewWorkflowImport.profile': 'test/workflows: OSCAL',
  'previewWorkflowImport.text': 'test/workflows/imports-api.test.ts',
  'recordIncidentReport.alreadyProvided': 'test/incidents: where the law says so',
  'recordIncidentReport.includes': 'test/incidents: where the law says so',
  'recordIncidentReport.notDue': 'test/incidents: where the law says so',
  'recordIncidentReport.reason': 'test/incidents: of a report that is not due',
  'updateControls.updates': 'test/workflows/controls-api.test.ts: in place of `changes`',
  'updateIdentityProvider.required': 'test/identity: a token of that provider alone may set it',
  'updateOrganization.logoFile': 'test/organizations/logo.test.ts',
  'updateWebhookEndpoint.scope': 'test/webhooks: another path in REST',
  'uploadDocumentVersion.file': 'test/documents: the content as a file',
};

const EVERYWHERE = ['GraphQL answer', 'GraphQL read', 'REST answer', 'REST read'];

/** Values that cannot be read at some places, with those places, by the reason. */
const REASONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'A secret is not shown again, and on record as changed': {
    'createIdentityProvider.clientSecret': EVERYWHERE,
    'updateIdentityProvider.clientSecret': EVERYWHERE,
  },
  'The address of a person who is no user is in no entry': { 'inviteMember.email': ['trail'] },
  'It decides until when the token that is replaced is good, which is shown and recorded': {
    'rotateApiToken.graceHours': [...EVERYWHERE, 'trail'],
    'rotateServiceAccountToken.graceHours': [...EVERYWHERE, 'trail'],
  },
  'What is read is the token that was replaced': {
    'rotateApiToken.expiresAt': ['REST read'],
    'rotateServiceAccountToken.expiresAt': ['GraphQL read', 'REST read'],
  },
  'Settings of a directory are no object of their own in GraphQL: `scimSettings` reads them': {
    'updateScimSettings.defaultRole': ['GraphQL read'],
    'updateScimSettings.enabled': ['GraphQL read'],
    'updateScimSettings.groupRoles': ['GraphQL read'],
    'updateScimSettings.linkMembers': ['GraphQL read'],
  },
  'A reason is on the timeline, and on record': {
    'closeIncident.reason': EVERYWHERE,
    'correctIncidentReport.reason': ['GraphQL answer', 'GraphQL read', 'REST answer'],
    'rejudgeIncident.reason': EVERYWHERE,
    'updateIncident.reason': EVERYWHERE,
  },
  'Answers are on the timeline, and on record with the question in one text': {
    'assessIncident.answers': [...EVERYWHERE, 'trail'],
    'assessIncident.services': ['GraphQL answer', 'GraphQL read', 'REST answer'],
  },
  'It is on record as two fields, the configuration as changed': {
    'createThreatBlocker.plugin': ['trail'],
    'updateThreatBlocker.plugin': ['trail'],
  },
  'REST takes the fields of the specification; `updateDocumentVersion` sets it': {
    'uploadDocumentVersion.effectiveAt': ['REST refused ["effective_at is not a known field"]'],
    'uploadDocumentVersion.validUntil': ['REST refused ["valid_until is not a known field"]'],
  },
  'Content is read by `downloadUrl`, and its SHA-256 is on record': {
    'uploadDocumentVersion.content': [...EVERYWHERE, 'trail'],
  },
  'An import is on record with the SHA-256 of its content, which its workflow shows': {
    'importWorkflow.controls': [...EVERYWHERE, 'trail'],
    'importWorkflow.kind': [...EVERYWHERE, 'trail'],
    'importWorkflow.licence': ['trail'],
    'importWorkflow.remarks': ['trail'],
    'importWorkflow.source': [...EVERYWHERE, 'trail'],
  },
  'A preview says what would come and go, and stores nothing': {
    'previewWorkflowImport.controls': [...EVERYWHERE, 'trail'],
    'previewWorkflowImport.id': ['GraphQL read', 'REST read', 'trail'],
    'previewWorkflowImport.kind': [...EVERYWHERE, 'trail'],
    'previewWorkflowImport.licence': [...EVERYWHERE, 'trail'],
    'previewWorkflowImport.name': ['GraphQL read', 'REST read', 'trail'],
    'previewWorkflowImport.remarks': [...EVERYWHERE, 'trail'],
    'previewWorkflowImport.source': [...EVERYWHERE, 'trail'],
  },
  'They are fields of each control': { 'updateControls.changes': [...EVERYWHERE, 'trail'] },
  'It is found by the content': { 'uploadDocumentVersion.contentType': ['by itself'] },
  'It makes `closedAt`': { 'answerEvidenceRequest.close': [...EVERYWHERE, 'trail'] },
  'A statement is no node: it is read in the list of its engagement': {
    'signOff.controlId': ['GraphQL read'],
    'signOff.statement': ['GraphQL read'],
  },
};

/** The same by field and place. */
export const UNREADABLE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(REASONS).flatMap(([reason, fields]) =>
    Object.entries(fields).flatMap(([field, places]) => places.map((place) => [`${field} ${place}`, reason] as const)),
  ),
);
