import type { Role, Scope } from '../../src/values/enums.js';

/** Whose what a route answers is, and what it asks of its caller. */
export type RouteRule =
  /** An organization's: absent to strangers, refused below the role. */
  | { whose: 'organization'; lowest: Role; scope: Scope }
  /** The caller's own: a list or a setting that every caller has. */
  | { whose: 'caller'; scope: Scope }
  /** One person's: absent to everybody else. */
  | { whose: 'person'; scope: Scope }
  /** Ends the caller: test/members/erasure.test.ts says for whom it is. */
  | { whose: 'account' }
  /** An auditor's of an engagement, and absent to members. */
  | { whose: 'auditor' }
  /** Needs no token: who asks shows something else. */
  | { whose: 'everybody' };

const of = (lowest: Role, scope: Scope): RouteRule => ({ whose: 'organization', lowest, scope });
const OWN_READ: RouteRule = { whose: 'caller', scope: 'read' };
const OWN_WRITE: RouteRule = { whose: 'caller', scope: 'write' };
const PERSONAL_READ: RouteRule = { whose: 'person', scope: 'read' };
const PERSONAL_WRITE: RouteRule = { whose: 'person', scope: 'write' };
const OPEN: RouteRule = { whose: 'everybody' };
const MEMBERS_READ = of('VIEWER', 'read');
const MEMBERS_WRITE = of('VIEWER', 'write');
const ANALYSTS_WRITE = of('SECURITY_ANALYST', 'write');
const OFFICERS_READ = of('SECURITY_OFFICER', 'read');
const OFFICERS_WRITE = of('SECURITY_OFFICER', 'write');
const MANAGERS_READ = of('ORGANIZATION_MANAGER', 'read');
const MANAGERS_WRITE = of('ORGANIZATION_MANAGER', 'write');
const MANAGERS_REPORT = of('ORGANIZATION_MANAGER', 'telemetry');
const OWNERS_READ = of('ORGANIZATION_OWNER', 'read');
const OWNERS_WRITE = of('ORGANIZATION_OWNER', 'write');

/**
 * One line for each route, by its `operationId`. Lists that an organization narrows are asked for one. What is expected of
 * root fields follows from it (root-fields.test.ts).
 */
export const ROUTE_RULES: Readonly<Record<string, RouteRule>> = {
  listOrganizations: OWN_READ,
  createOrganization: OWN_WRITE,
  getOrganization: MEMBERS_READ,
  updateOrganization: MANAGERS_WRITE,
  deleteOrganization: OWNERS_WRITE,
  restoreOrganization: OWNERS_WRITE,
  transferOwnership: OWNERS_WRITE,
  leaveOrganization: MEMBERS_WRITE,
  setOrganizationLogo: MANAGERS_WRITE,
  removeOrganizationLogo: MANAGERS_WRITE,
  getOrganizationSettings: MEMBERS_READ,
  updateOrganizationSettings: MANAGERS_WRITE,
  getOrganizationPrivileges: MEMBERS_READ,
  listOrganizationUsers: OFFICERS_READ,
  getOrganizationUser: OFFICERS_READ,
  updateOrganizationUser: MANAGERS_WRITE,
  removeOrganizationUser: MANAGERS_WRITE,
  listInvitations: MANAGERS_READ,
  inviteMember: MANAGERS_WRITE,
  getInvitation: MANAGERS_READ,
  cancelInvitation: MANAGERS_WRITE,
  resendInvitation: MANAGERS_WRITE,
  previewInvitation: OPEN,
  acceptInvitation: OPEN,
  requestTokenRecovery: OPEN,
  recoverToken: OPEN,
  exchangeSignInCode: OPEN,
  getScimSettings: MANAGERS_READ,
  updateScimSettings: MANAGERS_WRITE,
  listScimTokens: MANAGERS_READ,
  createScimToken: MANAGERS_WRITE,
  getScimToken: MANAGERS_READ,
  revokeScimToken: MANAGERS_WRITE,
  listIdentityProviders: MANAGERS_READ,
  createIdentityProvider: OWNERS_WRITE,
  getIdentityProvider: MANAGERS_READ,
  updateIdentityProvider: OWNERS_WRITE,
  deleteIdentityProvider: OWNERS_WRITE,
  verifyIdentityDomain: OWNERS_WRITE,
  listOwnEngagements: OWN_READ,
  listEngagements: of('SECURITY_ANALYST', 'read'),
  createEngagement: MANAGERS_WRITE,
  getEngagement: of('SECURITY_ANALYST', 'read'),
  updateEngagement: MANAGERS_WRITE,
  inviteAuditor: MANAGERS_WRITE,
  removeAuditor: MANAGERS_WRITE,
  listEngagementControls: of('SECURITY_ANALYST', 'read'),
  listEngagementDocuments: of('SECURITY_ANALYST', 'read'),
  listEngagementIncidents: of('SECURITY_ANALYST', 'read'),
  listEngagementEntries: OFFICERS_READ,
  listEvidenceRequests: of('SECURITY_ANALYST', 'read'),
  getEvidenceRequest: of('SECURITY_ANALYST', 'read'),
  requestEvidence: { whose: 'auditor' },
  answerEvidenceRequest: ANALYSTS_WRITE,
  listSignOffs: of('SECURITY_ANALYST', 'read'),
  signOff: { whose: 'auditor' },
  listServiceAccounts: MANAGERS_READ,
  createServiceAccount: MANAGERS_WRITE,
  getServiceAccount: MANAGERS_READ,
  updateServiceAccount: MANAGERS_WRITE,
  deleteServiceAccount: MANAGERS_WRITE,
  listServiceAccountTokens: MANAGERS_READ,
  createServiceAccountToken: MANAGERS_WRITE,
  getServiceAccountToken: MANAGERS_READ,
  revokeServiceAccountToken: MANAGERS_WRITE,
  rotateServiceAccountToken: MANAGERS_WRITE,
  getProfile: OWN_READ,
  updateProfile: OWN_WRITE,
  getAlerts: MEMBERS_READ,
  updateAlerts: MEMBERS_WRITE,
  exportProfile: OWN_READ,
  eraseProfile: { whose: 'account' },
  listOwnAuditTrail: OWN_READ,
  verifyOwnAuditTrail: OWN_READ,
  getMailPreferences: MEMBERS_READ,
  updateMailPreferences: MEMBERS_WRITE,
  listTokens: OWN_READ,
  createToken: OWN_WRITE,
  getToken: PERSONAL_READ,
  revokeToken: PERSONAL_WRITE,
  rotateToken: PERSONAL_WRITE,
  getCurrentToken: OWN_READ,
  listOrganizationTokens: OWNERS_READ,
  blockOrganizationToken: OWNERS_WRITE,
  listEvents: MEMBERS_READ,
  listWebhookEndpoints: MANAGERS_READ,
  createWebhookEndpoint: MANAGERS_WRITE,
  getWebhookEndpoint: MANAGERS_READ,
  updateWebhookEndpoint: MANAGERS_WRITE,
  deleteWebhookEndpoint: MANAGERS_WRITE,
  rotateWebhookSecret: MANAGERS_WRITE,
  sendTestWebhook: MANAGERS_WRITE,
  recoverWebhooks: MANAGERS_WRITE,
  listWebhookDeliveries: MANAGERS_READ,
  getWebhookDelivery: MANAGERS_READ,
  redeliverWebhook: MANAGERS_WRITE,
  listAuditTrail: OFFICERS_READ,
  createAuditCheckpoint: OFFICERS_READ,
  verifyAuditTrail: OFFICERS_READ,
  exportAuditTrail: OFFICERS_READ,
  exportAuditTrailTable: OFFICERS_READ,
  getBranding: MEMBERS_READ,
  updateBranding: MANAGERS_WRITE,
  listAvailableWorkflows: OWN_READ,
  readAvailableWorkflow: OWN_READ,
  listAvailableControls: OWN_READ,
  listOrganizationWorkflows: MEMBERS_READ,
  associateWorkflow: MANAGERS_WRITE,
  getOrganizationWorkflow: MEMBERS_READ,
  dissociateWorkflow: MANAGERS_WRITE,
  getWorkflowProgress: MEMBERS_READ,
  listControls: MEMBERS_READ,
  updateControls: ANALYSTS_WRITE,
  getControl: MEMBERS_READ,
  updateControl: ANALYSTS_WRITE,
  listWorkflowImports: MEMBERS_READ,
  importWorkflow: MANAGERS_WRITE,
  previewWorkflowImport: MANAGERS_WRITE,
  getWorkflowImport: MEMBERS_READ,
  deleteWorkflowImport: MANAGERS_WRITE,
  uploadDocumentVersion: ANALYSTS_WRITE,
  listArtifactVersions: MEMBERS_READ,
  listReuseSuggestions: MEMBERS_READ,
  listDocuments: MEMBERS_READ,
  getDocument: MEMBERS_READ,
  updateDocumentVersion: ANALYSTS_WRITE,
  // Analysts delete what is their own; this one belongs to no user.
  deleteDocumentVersion: OFFICERS_WRITE,
  downloadEvidencePack: MEMBERS_READ,
  exportAssessmentResults: MEMBERS_READ,
  exportComponentDefinition: MEMBERS_READ,
  listIncidents: MEMBERS_READ,
  openIncident: ANALYSTS_WRITE,
  getIncident: MEMBERS_READ,
  updateIncident: ANALYSTS_WRITE,
  closeIncident: ANALYSTS_WRITE,
  rejudgeIncident: OFFICERS_WRITE,
  reopenIncident: OFFICERS_WRITE,
  listIncidentReports: MEMBERS_READ,
  recordIncidentReport: ANALYSTS_WRITE,
  correctIncidentReport: OFFICERS_WRITE,
  listReportingRegimes: OWN_READ,
  draftIncidentReport: MEMBERS_READ,
  printIncidentReportDraft: MEMBERS_READ,
  downloadIncidentReportDraft: MEMBERS_READ,
  listIncidentNotes: MEMBERS_READ,
  addIncidentNote: ANALYSTS_WRITE,
  listIncidentTimeline: MEMBERS_READ,
  listIncidentAttachments: MEMBERS_READ,
  readIncidentAttachment: MEMBERS_READ,
  uploadIncidentAttachment: ANALYSTS_WRITE,
  deleteIncidentAttachment: OFFICERS_WRITE,
  listCloudDefenders: MANAGERS_READ,
  createCloudDefender: MANAGERS_WRITE,
  getCloudDefender: MANAGERS_READ,
  updateCloudDefender: MANAGERS_WRITE,
  deleteCloudDefender: MANAGERS_WRITE,
  restoreCloudDefender: MANAGERS_WRITE,
  getCloudDefenderSeries: MANAGERS_READ,
  reportCloudDefenderCheck: MANAGERS_REPORT,
  listThreatBlockers: MANAGERS_READ,
  createThreatBlocker: MANAGERS_WRITE,
  getThreatBlocker: MANAGERS_READ,
  updateThreatBlocker: MANAGERS_WRITE,
  deleteThreatBlocker: MANAGERS_WRITE,
  restoreThreatBlocker: MANAGERS_WRITE,
  getThreatBlockerSeries: MANAGERS_READ,
  reportThreatBlockerCheck: MANAGERS_REPORT,
  rotateAtbKey: MANAGERS_WRITE,
  reportThreatBlockerCheckByKey: MANAGERS_REPORT,
  listNotifications: OWN_READ,
  countUnreadNotifications: OWN_READ,
  markNotificationsRead: OWN_WRITE,
  getNotification: PERSONAL_READ,
  updateNotification: PERSONAL_WRITE,
  previewWeeklyReport: MANAGERS_READ,
  listWeeklyReportDeliveries: MANAGERS_READ,
  getOverview: OWN_READ,
  listWork: OWN_READ,
  search: MEMBERS_READ,
  downloadFile: OPEN,
  getFormOptions: OWN_READ,
  getInterfaceDescription: OPEN,
};

/** Routes that an auditor may call beside those of its own: nothing else of an organization is open to it. */
export const FOR_AUDITORS: readonly string[] = [
  ...['getEngagement', 'listEngagementControls', 'listEngagementDocuments', 'listEngagementIncidents'],
  ...['listEngagementEntries', 'listEvidenceRequests', 'getEvidenceRequest', 'listSignOffs'],
];
