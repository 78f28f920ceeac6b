/**
 * Fields of the core schema that REST shows. A view is a component of the interface description; its fields are named by the
 * core's names, in the order of the answer. A text lists fields that are values, or one value of an object as
 * `openedBy.username`, which is shown as `opened_by`; an object names a field that is an object or a list of them, with the
 * view that it is shown as, or with fields of its own.
 */
export type View =
  | ViewFields
  | {
      /** The type of the core schema, where the view has another name. */
      readonly of: string;
      readonly fields: ViewFields;
    };

export type ViewFields = readonly (string | Readonly<Record<string, string | ViewFields>>)[];

/** Fields whose REST name is not the snake_case of the core's: of one type, or of every one. */
export const REST_NAMES: Readonly<Record<string, string>> = {
  'AssociateWorkflowInput.workflowId': 'id',
  notificationIds: 'ids',
  totalCount: 'total',
  'OrganizationUser.userId': 'id',
  'OrganizationApiToken.tokenId': 'id',
  'ServiceAccountToken.tokenId': 'id',
  'EvidenceRequest.requestId': 'id',
  'SignOff.signOffId': 'id',
  'EngagementDocument.documentId': 'id',
  'EngagementDocument.filename': 'original_name',
  'EngagementIncident.incidentId': 'id',
  'Workflow.workflowId': 'id',
  'Workflow.edition': 'version',
  'WorkflowImport.edition': 'version',
  'WorkflowImportPreview.edition': 'version',
  'ReusableDocument.documentVersion': 'version',
  'OrganizationWorkflow.workflowId': 'id',
  'WorkflowImport.workflowId': 'id',
  'WorkflowImport.controlCount': 'controls',
  'WorkflowImportPreview.workflowId': 'id',
  'WorkflowControlChange.controlId': 'id',
  'WorkflowControl.controlId': 'id',
  'OrganizationControl.controlId': 'id',
  'ReuseSuggestion.controlId': 'id',
  'DocumentVersion.filename': 'original_name',
  'IncidentAttachment.filename': 'original_name',
  'SearchResult.recordId': 'id',
  'Organization.viewerRole': 'role',
  'Organization.viewerPrivileges': 'privileges',
  'Viewer.organizationRoles': 'organizations',
  'FrameworkOption.label': 'value',
};

/** Lists that begin with the empty text, which stands for none. */
export const EMPTY_FIRST: ReadonlySet<string> = new Set(['FormOptions.nis2Sectors']);

/** A device; lists show it without its series. */
function cloudDefender(...series: ViewFields): ViewFields {
  const check = [{ stat: 'CloudDefenderStat' }, 'status', ...series];
  return ['id', { organization: 'OrganizationSummary' }, 'email fqdn', { check }, 'endpoint services'];
}

function threatBlocker(...series: ViewFields): ViewFields {
  const check = [{ stat: 'ThreatBlockerStat' }, 'status', ...series];
  return [
    'id',
    { organization: 'OrganizationSummary' },
    'atbKey type email',
    { check, plugin: ['name config'] },
    'endpoint privateIP services deviceId',
  ];
}

const CONTROL: ViewFields = [
  'controlId label parentId kind position status justification inclusionReason',
  { owner: ['userId username firstName lastName'] },
  'dueDate overdue note reviewIntervalMonths',
  { evidence: ['own mapped total validUntil', { sources: ['workflowId controlId label documents via'] }] },
  'evidenceState updatedAt text',
  { attestation: ['id state attestedBy.username attestedAt countersignedBy.username countersignedAt'] },
];

export const VIEWS: Readonly<Record<string, View>> = {
  OrganizationSummary: { of: 'Organization', fields: ['id name logo'] },
  Organization: [
    'id name description numberEmployees website logo sectors industries nis2Sector',
    { complianceFrameworks: 'ComplianceFramework' },
    'infrastructure',
    { contacts: 'Contact' },
    'domains ips createdAt updatedAt sandbox',
  ],
  ComplianceFramework: ['value fields'],
  Contact: ['name role email phone emailReport'],
  OrganizationSettings: [
    'timeZone language country trustServiceProvider reportWeekday queryTokenAllowed userWebhooksAllowed',
    'auditRetentionDays auditWitnessEmail nis2ReportingFrom',
  ],
  OrganizationPrivileges: { of: 'Organization', fields: ['viewerRole viewerPrivileges'] },
  Branding: ['palette', { customColors: ['primary primaryHover primaryDark'] }],
  FormOptions: [
    'sectors.label industries.label nis2Sectors.label',
    { complianceFrameworks: 'FrameworkOption' },
    'infrastructures.label',
    { roles: 'RoleDescription' },
    'tokenScopes notificationTypes notificationActions severities incidentStatuses incidentReportStages',
    'controlStatuses deviceKinds.label',
    { checkStatuses: 'CheckStatusOption' },
    'documentSources',
    { fileTypes: 'FileTypeOption', logoTypes: 'FileTypeOption' },
    'timeZones',
    { labels: 'ValueLabel', languages: 'LanguageOption' },
    { settings: 'OrganizationSettings', branding: 'Branding', limits: 'LimitOption' },
  ],
  FrameworkOption: ['label extensions entityTypes'],
  RoleDescription: ['role rank privileges'],
  CheckStatusOption: ['name value'],
  LanguageOption: ['tag name'],
  ValueLabel: ['enumeration value label'],
  FileTypeOption: ['name mediaTypes extensions'],
  LimitOption: ['name value'],

  OrganizationUser: ['userId username email firstName lastName role', { alerts: ['atb cloudDefender vCiso'] }],
  OrganizationUserRow: {
    of: 'OrganizationUser',
    fields: [
      'userId username email firstName lastName role',
      { alerts: ['atb cloudDefender vCiso'] },
      'active version',
    ],
  },
  OrganizationMember: {
    of: 'OrganizationUser',
    fields: [
      'userId username email firstName lastName role',
      { alerts: 'Alerts' },
      'active joinedAt deactivatedAt',
      { viewerCan: ['assignRoles setActive remove'] },
    ],
  },
  Alerts: ['atb cloudDefender vCiso'],
  MailPreferences: ['incident document device workflow member token system'],
  Profile: { of: 'User', fields: ['id username email firstName lastName language createdAt'] },
  Erasure: { of: 'EraseMePayload', fields: ['userId pseudonym'] },
  Invitation: [
    'id email role engagementId status invitedBy.username mailsSent createdAt expiresAt acceptedAt',
    { viewerCan: ['resend cancel'] },
  ],
  InvitedRow: ['row email outcome', { invitation: 'Invitation', error: 'RowError' }],
  ImportedRow: ['row key outcome', { changes: ['column before after'], error: 'RowError' }],
  RowError: ['code field message'],
  ImportJob: [
    'id kind workflowId status failure rowCount doneCount changedCount unchangedCount refusedCount createdBy.username',
    'createdAt startedAt endedAt keptUntil',
  ],
  ImportJobRow: ['number row key outcome recordId', { changes: ['column before after'], error: 'RowError' }],
  InvitationPreview: ['organization inviter email role expiresAt'],
  AcceptedInvitation: {
    of: 'AcceptInvitationPayload',
    fields: ['organizationId organization engagementId userId username email role token tokenExpiresAt'],
  },

  ApiToken: ['id name prefix scopes createdAt expiresAt lastUsedAt revokedAt replacedAt allowedIps blockedIn origin'],
  NewApiToken: { of: 'CreateApiTokenPayload', fields: ['token', { apiToken: 'ApiToken' }] },
  RotatedApiToken: { of: 'RotateApiTokenPayload', fields: ['token', { apiToken: 'ApiToken', replaced: 'ApiToken' }] },
  CurrentToken: {
    of: 'Viewer',
    fields: [{ token: 'ApiToken', user: 'Profile', organizationRoles: 'TokenOrganization' }],
  },
  TokenOrganization: {
    of: 'ViewerOrganization',
    fields: [{ organization: 'OrganizationSummary' }, 'role privileges'],
  },
  OrganizationApiToken: ['tokenId userId username name prefix scopes createdAt expiresAt lastUsedAt blockedAt'],
  IdentityProvider: [
    'id name issuer clientId hasSecret domains',
    { domainProofs: ['domain status recordName recordText'] },
    'required defaultRole groupsClaim',
    { groupRoles: ['group role'] },
    'redirectUris createdAt updatedAt',
  ],
  SignInToken: { of: 'ExchangeSignInCodePayload', fields: ['token tokenExpiresAt userId organizationId'] },
  ScimSettings: ['enabled defaultRole', { groupRoles: ['group role'] }, 'linkMembers url updatedAt'],
  ScimToken: ['id name prefix createdAt expiresAt lastUsedAt revokedAt'],
  NewScimToken: { of: 'CreateScimTokenPayload', fields: ['token', { scimToken: 'ScimToken' }] },
  ServiceAccount: [
    'id username name description role',
    { responsible: ['userId username firstName lastName'] },
    'createdBy.username createdAt updatedAt lastUsedAt',
    { viewerCan: ['update delete manageTokens'] },
  ],
  ServiceAccountToken: ['tokenId name prefix scopes createdAt expiresAt lastUsedAt revokedAt replacedAt allowedIps'],
  NewServiceAccountToken: {
    of: 'CreateServiceAccountTokenPayload',
    fields: ['token', { serviceAccountToken: 'ServiceAccountToken' }],
  },
  RotatedServiceAccountToken: {
    of: 'RotateServiceAccountTokenPayload',
    fields: ['token', { serviceAccountToken: 'ServiceAccountToken', replaced: 'ServiceAccountToken' }],
  },
  Engagement: [
    'id organizationId organization name workflows from to until',
    { auditors: 'EngagementAuditor' },
    'createdBy.username createdAt',
  ],
  EngagementAuditor: ['userId username'],
  EngagementControl: ['workflowId controlId label status justification owner.username updatedAt'],
  EngagementDocument: [
    'documentId workflowId controlId filename size contentType sha256 createdBy.username createdAt effectiveAt downloadUrl',
  ],
  EngagementIncident: ['incidentId title description severity status significant awareAt closedAt openedBy.username'],
  EngagementEntry: [
    'position at action actorType actor',
    { subject: ['type id name', { parent: ['type id'] }], changes: ['field before after'] },
    'reason hash',
  ],
  EvidenceRequest: [
    'requestId workflowId controlId text createdBy.username createdAt answer answeredBy.username answeredAt closedAt',
  ],
  SignOff: ['signOffId workflowId controlId statement createdBy.username createdAt'],
  RequestedTokenRecovery: { of: 'RequestTokenRecoveryPayload', fields: ['accepted linkMinutes'] },
  RecoveredToken: { of: 'RecoverTokenPayload', fields: ['token tokenExpiresAt userId username email'] },

  Workflow: ['workflowId name'],
  AvailableWorkflow: { of: 'Workflow', fields: ['workflowId name edition kind source sourceUrl licence remarks'] },
  WorkflowControl: ['controlId label parentId kind position entities text'],
  OrganizationWorkflow: ['workflowId name associatedAt', { progress: 'WorkflowProgress' }, 'staleEvidence'],
  WorkflowImport: [
    'workflowId mode name edition controlCount importedBy.username importedAt source sourceUrl licence remarks',
  ],
  WorkflowImportPreview: [
    'workflowId name edition replaces isAssociated digest',
    { added: 'WorkflowControlChange', removed: 'WorkflowControlChange', changed: 'WorkflowControlChange' },
    'unchanged',
  ],
  WorkflowControlChange: [
    'controlId',
    { before: 'WorkflowControlEdition', after: 'WorkflowControlEdition' },
    'status justification',
    { owner: ['userId username firstName lastName'] },
    'dueDate documents',
  ],
  WorkflowControlEdition: ['label parentId kind entities isHeading text'],
  WorkflowProgress: ['total toDo inProgress done notApplicable'],
  ProgressDay: ['day total toDo inProgress done notApplicable'],
  OrganizationControl: CONTROL,
  OrganizationControlRow: { of: 'OrganizationControl', fields: [...CONTROL, 'version'] },
  ControlAttestation: [
    'id workflowId controlId state statement attestedBy.username attestedAt',
    { evidence: 'AttestedDocument' },
    'position countersignedBy.username countersignedAt staleAt',
    { changes: 'AttestationChange' },
    'withdrawnBy.username withdrawnAt withdrawalReason supersededAt',
    { viewerCan: ['countersign withdraw'] },
  ],
  AttestedDocument: ['documentVersionId workflowId controlId sha256'],
  AttestationChange: ['kind workflowId controlId documentVersionId sha256'],

  DocumentVersion: ['id artifactId filename size contentType source createdBy.username createdAt downloadUrl'],
  Document: {
    of: 'DocumentVersion',
    fields: [
      'id workflowId artifactId filename size contentType source sha256 createdBy.username createdAt effectiveAt validUntil',
      'evidenceState note downloadUrl',
    ],
  },

  ImportedDocumentRow: ['row path outcome', { documentVersion: 'Document', error: 'RowError' }],

  ReuseSuggestion: ['controlId label status', { documents: ['via', { documentVersion: 'Document' }] }],

  Incident: [
    'id',
    { organization: 'OrganizationSummary' },
    'title description severity status significant awareAt handledAt suspectedMalicious crossBorder',
    'affectsTrustService personalDataConcerned exploitedVulnerability productConcerned classifiedAt fixAvailableAt',
    'intermediateReportDueAt category indicators impact rootCause mitigation',
    { clock: 'IncidentClock' },
    'openedBy.username createdAt updatedAt closedAt closedBy.username rehearsal',
  ],
  IncidentClock: [
    'applies',
    { stages: 'IncidentStage' },
    'factsAsOf',
    { facts: ['fact values'] },
    { outOfScope: ['regimeId regimeName source reason'] },
  ],
  IncidentStage: [
    'regimeId regimeName source reason stage number state dueAt late sentAt sentBy.username recipient reference',
    'attachmentId manner mannerReason extendedTo portalUrl',
    { judgedNow: ['applies dueAt late'] },
  ],
  IncidentReport: [
    'id regimeId stage number sentAt sentBy.username recipient reference attachmentId reason recordedBy.username',
    'recordedAt manner dueAt late source extendedTo',
  ],
  ReportingRegime: [
    'regimeId name source sourceUrl validFrom validUntil checked replaces reason',
    {
      scope: [
        'outside',
        { alternatives: [{ conditions: ['fact values'] }], exceptions: [{ conditions: ['fact values'] }, 'reason'] },
      ],
      begins: ['fact reason'],
      conditions: ['fact values'],
      categories: ['category label entity'],
      stages: [
        'stage trigger after period latestAwareHours atMost updates recipient addressee onlyWhere mayInclude',
        'alreadyProvided notDue',
        {
          fields: ['key label source law optional'],
          nextWorkingDay: ['until law'],
          derogations: [
            'trigger after period latestAwareHours reason',
            { conditions: ['fact values'], nextWorkingDay: ['until law'] },
          ],
        },
      ],
      national: ['country validFrom name source sourceUrl recipient portalUrl remarks checkedOn checked'],
    },
  ],
  IncidentReportDraft: [
    'regimeId regimeName source reason stage number state dueAt extendedTo recipient portalUrl',
    { fields: ['key label value source law optional missing'] },
    'missing language draftedAt sandbox',
  ],
  RehearsalReport: [
    'incidentId title openedAt closedAt speed firstNoteAt',
    {
      stages: ['regimeId regimeName stage number state dueAt sentAt sentBy.username lateSeconds'],
      reactions: ['user.username action at secondsAfterOpening'],
    },
  ],
  SignificanceQuestions: [
    { services: ['service label'], questions: ['question text act article sourceUrl services together exempts'] },
  ],
  IncidentNote: ['id text createdBy.username createdAt'],
  IncidentTimelineItem: [
    'at kind actor.username',
    { entry: 'AuditEntry', report: 'IncidentReport', attachment: 'IncidentAttachment', note: 'IncidentNote' },
  ],
  IncidentAttachment: ['id filename contentType size createdAt downloadUrl'],

  CloudDefender: cloudDefender({ webStat: 'WebStat' }),
  CloudDefenderItem: { of: 'CloudDefender', fields: cloudDefender() },
  CloudDefenderStat: ['fqdn proxy endpoint datetime'],
  WebStat: ['datetime wafProtection totalManagedRequests'],
  DeviceReceipt: ['received newest'],
  DeviceReportRow: ['row outcome', { error: 'RowError' }],
  DeviceSeries: ['from to bucket', { points: 'DevicePoint' }],
  DevicePoint: ['begin reports status wafProtection totalManagedRequests'],
  ThreatBlocker: threatBlocker({ webStat: 'WebStat', chartStat: 'ChartStat' }),
  ThreatBlockerItem: { of: 'ThreatBlocker', fields: threatBlocker() },
  ThreatBlockerStat: ['vpn dnsbl iplist datetime'],
  ChartStat: ['bucketStart bucketEnd totalRequests maliciousRequests'],
  ThreatBlockerSeries: ['from to bucket', { points: 'ThreatBlockerPoint' }],
  ThreatBlockerPoint: ['begin reports status wafProtection totalManagedRequests totalRequests maliciousRequests'],

  AuditEntry: [
    'position at action',
    { actor: ['type user.username userId job tokenId address via client'] },
    'requestId',
    { subject: ['type id name', { parent: ['type id'] }], changes: ['field before after'] },
    'reason hash',
  ],
  RecordedChange: [
    'position at action',
    { actor: ['type user.username userId job tokenId address via client'], subject: ['type id name'] },
    'field before after reason',
  ],
  AuditCheckpoint: ['log position hash at number previous keyId signature chainSignature'],
  AuditTrailVerification: [
    'valid verifiedFrom verifiedUpTo entries checkpoints',
    { fault: ['position reason message'] },
  ],

  Event: ['id type organizationId sandbox', { subject: ['type id'] }, 'position changedFields at url'],

  WebhookEndpoint: [
    'id scope url description eventTypes format status disabledReason failingSince previousSecretUntil enabledBy.username',
    'createdAt updatedAt',
  ],
  UserWebhookEndpoint: ['id host user.username eventTypes format status disabledReason createdAt'],
  NewWebhookEndpoint: {
    of: 'CreateWebhookEndpointPayload',
    fields: ['secret', { webhookEndpoint: 'WebhookEndpoint' }],
  },
  RotatedWebhookEndpoint: {
    of: 'RotateWebhookSecretPayload',
    fields: ['secret', { webhookEndpoint: 'WebhookEndpoint' }],
  },
  WebhookTest: { of: 'SendTestWebhookPayload', fields: ['eventId'] },
  WebhookRecovery: { of: 'RecoverWebhooksPayload', fields: ['recovered complete'] },
  WebhookDelivery: [
    'id eventId eventType status attemptCount attemptedAt nextAttemptAt milliseconds statusCode error answer createdAt',
  ],
  WebhookAttempt: ['number attemptedAt milliseconds statusCode error answer'],

  Notification: [
    'id',
    { organization: 'OrganizationSummary' },
    'title message type action read datetime icon',
    { extra: ['href'] },
  ],
  UnreadNotificationCount: ['count'],
  NotificationMarks: ['changed unread'],

  WeeklyReportPreview: ['week subject html text'],
  WeeklyReportDelivery: ['id week email state attempts createdAt sentAt lastError'],

  OrganizationOverview: [
    { organization: 'OrganizationSummary' },
    'role',
    { progress: 'WorkflowProgress' },
    'overdueControls',
    { attestations: ['attested countersigned stale'] },
    { incidents: ['open contained resolved closed overdue'], nextDeadline: 'ReportDeadline' },
    'devicesDown',
  ],
  WorkItem: [
    'kind title dueAt overdue',
    {
      organization: 'OrganizationSummary',
      control: ['workflowId controlId label status dueDate'],
      report: 'ReportDeadline',
    },
  ],
  ReportDeadline: [{ incident: ['id title'] }, 'regimeId regimeName stage number dueAt state'],

  SearchResult: ['type recordId title snippet href', { organization: 'OrganizationSummary' }],
};
