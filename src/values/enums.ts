/**
 * The roles with their ranks in one organization. Each role has all privileges of lower ranks, so ranks are compared,
 * not listed.
 */
export const ROLE_RANKS = Object.freeze({
  AUDITOR: 0,
  VIEWER: 1,
  SECURITY_ANALYST: 2,
  SECURITY_OFFICER: 3,
  ORGANIZATION_MANAGER: 4,
  ORGANIZATION_OWNER: 5,
} as const);

export type Role = keyof typeof ROLE_RANKS;

/** Kinds of users: a person, or a program that belongs to an organization. */
export type UserKind = 'PERSON' | 'SERVICE_ACCOUNT';

/** Every role of members, lowest rank first. An auditor is not a member. */
export const ROLES = Object.freeze((Object.keys(ROLE_RANKS) as Role[]).filter((role) => ROLE_RANKS[role] > 0));

/** Scopes that use cases require of a token. A scope narrows the rights of its user's role and never widens them. */
export const SCOPES = Object.freeze(['read', 'write', 'telemetry'] as const);

export type Scope = (typeof SCOPES)[number];

/** Scopes of tokens. `documents` is never combined with others: with it, only registered documents may read and write. */
export const TOKEN_SCOPES = Object.freeze([...SCOPES, 'documents'] as const);

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Compliance frameworks that an organization may name as metadata (specification 2.2, framework object `value`). */
export const FRAMEWORK_VALUES = Object.freeze(['ISO 27001:2023', 'NIS2'] as const);

/** Extensions of ISO 27001 (specification 2.2, `fields.extensions`). */
export const FRAMEWORK_EXTENSIONS = Object.freeze(['ISO 27017:2021', 'ISO 27018:2020'] as const);

/** Kinds of entity under NIS 2 (specification 2.2, `fields.entity_type`). */
export const ENTITY_TYPES = Object.freeze(['important', 'essential'] as const);

/** Values of the `fields` of each framework (specification 2.2). */
export const FRAMEWORKS = Object.freeze([
  { value: 'ISO 27001:2023', extensions: FRAMEWORK_EXTENSIONS, entityTypes: [] },
  { value: 'NIS2', extensions: [], entityTypes: ENTITY_TYPES },
] as const satisfies readonly {
  value: FrameworkValue;
  extensions: readonly string[];
  entityTypes: readonly string[];
}[]);

export type FrameworkValue = (typeof FRAMEWORK_VALUES)[number];
export type EntityType = (typeof ENTITY_TYPES)[number];

/** Locations of an organization's systems (specification 2.2). */
export const INFRASTRUCTURES = Object.freeze(['cloud', 'on-prem', 'hybrid'] as const);

export type Infrastructure = (typeof INFRASTRUCTURES)[number];

/** Progress of an organization with a control or task. NOT_APPLICABLE needs a justification. */
export const CONTROL_STATUSES = Object.freeze(['TO_DO', 'IN_PROGRESS', 'DONE', 'NOT_APPLICABLE'] as const);

export type ControlStatus = (typeof CONTROL_STATUSES)[number];

/** Whether evidence still proves that a control is met. */
export type EvidenceState = 'FRESH' | 'EXPIRING' | 'STALE';

/** Origins of a document version (specification 2.3 shows `attached`). */
export const DOCUMENT_SOURCES = Object.freeze(['attached', 'generated', 'imported'] as const);

export type DocumentSource = (typeof DOCUMENT_SOURCES)[number];

/** Source of an upload without one. */
export const DEFAULT_DOCUMENT_SOURCE: DocumentSource = 'attached';

/** Kinds of imports: a workflow of its own, or official titles for a shipped one. */
export const IMPORT_MODES = Object.freeze(['WORKFLOW', 'TITLES', 'MAPPING'] as const);

export type ImportMode = (typeof IMPORT_MODES)[number];

/** Progress of handling an incident. */
export const INCIDENT_STATUSES = Object.freeze(['OPEN', 'CONTAINED', 'RESOLVED', 'CLOSED'] as const);

export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

/** Severities of incidents, lowest first. */
export const SEVERITIES = Object.freeze(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const);

export type Severity = (typeof SEVERITIES)[number];

/** Categories of all reporting regimes in `catalog/regimes`, by their legal names. */
export const INCIDENT_CATEGORIES = Object.freeze(['IS-1', 'IS-2', 'IS-3', 'IS-4'] as const);

/** Reports that regimes require, in the order in which they are sent, then those to affected persons. */
export const INCIDENT_REPORT_STAGES = [
  'EARLY_WARNING',
  'NOTIFICATION',
  'INTERMEDIATE_REPORT',
  'PROGRESS_REPORT',
  'FINAL_REPORT',
  'COMMUNICATION',
  'THREAT_COMMUNICATION',
] as const;

export type IncidentReportStage = (typeof INCIDENT_REPORT_STAGES)[number];

/** How the duty to report was met: a report was sent, an earlier one was sufficient, or there is no duty. */
export type ReportManner = 'SENT' | 'ALREADY_PROVIDED' | 'NOT_DUE';

/** Status of a report. */
export type IncidentStageState = 'PENDING' | 'DUE_SOON' | 'SENT' | 'OVERDUE' | 'NOT_REQUIRED' | 'TO_BE_DECIDED';

/** The event from which the deadline of a report is counted. */
export type ReportTrigger =
  | ('AWARE' | 'OCCURRED' | 'CLASSIFIED' | 'NOTIFIED' | 'HANDLED' | 'FIX_AVAILABLE')
  | ('MONTHLY_WHILE_OPEN' | 'REQUEST' | 'WITHOUT_DELAY');

/** The source of a field in a draft of a report; a person writes the others. */
export type ReportFieldSource = 'INCIDENT' | 'ORGANIZATION' | 'NOTES' | 'REPORTS' | 'PERSON';

export type IncidentTimelineKind = 'ENTRY' | 'REPORT' | 'ATTACHMENT' | 'NOTE';

/** A reminder before a deadline, and the one at it. */
export type ReminderKind = 'AHEAD' | 'DUE';

/** Kinds of device configurations, each by its path segment (specification 2.6 and 2.7). */
export const DEVICE_KINDS = Object.freeze(['cloud-defender', 'atb'] as const);

/**
 * A device's `check.status`, and each part of its `check.stat` (specification 2.6 and 2.7 show integers;
 * docs/adr/0012 gives their meaning).
 */
export const CHECK_STATUSES = Object.freeze({ UNKNOWN: 0, HEALTHY: 1, DEGRADED: 2, DOWN: 3 } as const);

/** The integer that is stored and sent. */
export type CheckStatus = (typeof CHECK_STATUSES)[keyof typeof CHECK_STATUSES];

/** Lengths of the buckets of a device's series, in UTC. */
export type SeriesSize = 'HOUR' | 'DAY';

/** Category of a notification (specification 2.11 `type`). */
export const NOTIFICATION_TYPES = Object.freeze([
  'INCIDENT',
  'DOCUMENT',
  'DEVICE',
  'WORKFLOW',
  'MEMBER',
  'TOKEN',
  'SYSTEM',
] as const);

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** Actions of a notification (specification 2.11 `action`). */
export const NOTIFICATION_ACTIONS = Object.freeze(['OPEN', 'NONE'] as const);

export type NotificationAction = (typeof NOTIFICATION_ACTIONS)[number];

/** Mail preference for a category of notifications. */
export type MailDelivery = 'IMMEDIATELY' | 'DAILY' | 'URGENT_ONLY' | 'NEVER';

/**
 * Origin of a token: created by its user, by a sign-in through an identity provider, or by the operator for a user
 * who lost all others.
 */
export type TokenOrigin = 'API' | 'SIGN_IN' | 'OPERATOR';

/** Whether it is proven that a domain belongs to the organization. */
export type DomainStatus = 'PENDING' | 'VERIFIED';

/** Statuses of an invitation; derived, never stored. */
export const INVITATION_STATUSES = Object.freeze(['OPEN', 'ACCEPTED', 'EXPIRED', 'CANCELLED'] as const);

export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** States of a mail: waiting for an attempt, accepted by the mail server, or given up. */
export type MailStatus = 'QUEUED' | 'SENT' | 'FAILED';

/** Format of a webhook endpoint: the event itself, or a message for another product. */
export type WebhookFormat = 'EVENT' | 'SLACK' | 'TEAMS' | 'OCSF';
/** Scope of a webhook endpoint: events of one organization, or of all that its user manages. */
export type WebhookScope = 'ORGANIZATION' | 'MANAGED_ORGANIZATIONS';
export type WebhookStatus = 'ENABLED' | 'DISABLED';

/** Reasons for which a webhook endpoint is disabled. */
export type WebhookDisabledReason = 'REQUESTED' | 'GONE' | 'FAILING' | 'MEMBER_LEFT';

/** Statuses of a delivery: waiting for an attempt, accepted, or given up. */
export type WebhookDeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

/** Kinds of records in search results, in the order of equally good ones. */
export const SEARCH_TYPES = Object.freeze([
  'ORGANIZATION',
  'MEMBER',
  'CONTROL',
  'DOCUMENT',
  'INCIDENT',
  'NOTIFICATION',
] as const);

export type SearchType = (typeof SEARCH_TYPES)[number];

export type PortfolioSort = 'NAME' | 'CREATED_AT' | 'NEXT_DEADLINE' | 'OVERDUE_CONTROLS';

/** Kinds of due work. */
export type WorkKind = 'CONTROL' | 'REVIEW' | 'REPORT';

/** Filter of work by its assignee. */
export type WorkAssignee = 'ME' | 'ANYONE';

/** Default settings of an organization, as in the columns of its row. */
export const SETTING_DEFAULTS = Object.freeze({
  timeZone: 'UTC',
  language: 'en',
  country: null,
  trustServiceProvider: false,
  qualifiedTrustServiceProvider: false,
  nis2ReportingFrom: null,
  reportWeekday: 1,
  queryTokenAllowed: true,
  userWebhooksAllowed: true,
  auditRetentionDays: null,
  auditWitnessEmail: null,
} as const);

/** Branding of an organization without its own (specification 2.10, 4.9). */
export const BRANDING_DEFAULTS = Object.freeze({
  palette: 'default',
  customColors: Object.freeze({ primary: '#1F6FEB', primaryHover: '#1A5FCC', primaryDark: '#0D3A80' } as const),
} as const);

/** The default of `MailDelivery`. */
export const MAIL_DELIVERY_DEFAULT: MailDelivery = 'URGENT_ONLY';

/** Reasons for which one of several rows was refused; others are not affected. */
export const ROW_ERROR_CODES = Object.freeze([
  'BAD_USER_INPUT',
  'FORBIDDEN',
  'NOT_FOUND',
  'STALE_VERSION',
  'LAST_OWNER',
  'ORGANIZATION_LIMIT',
  'SANDBOX_LIMIT',
  'MEMBER_LIMIT',
  'INVITATION_LIMIT',
  'STORAGE_LIMIT',
  'MAIL_LIMIT',
  'MISSING_CONTENT',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FILE_TYPE',
  'DEVICE_REPORT_DIFFERS',
  'ALREADY_MEMBER',
  'ALREADY_INVITED',
] as const);

export type RowErrorCode = (typeof ROW_ERROR_CODES)[number];

/** The outcome of a table row, or in a dry run its expected one; a request that takes too long skips the rest. */
export type ImportedRowOutcome = 'CHANGED' | 'UNCHANGED' | 'REFUSED' | 'NOT_DONE';

/** The outcome of a document in an archive. */
export type ImportedDocumentOutcome = 'ADDED' | 'UNCHANGED' | 'REFUSED' | 'NOT_DONE';

/** The kind of rows that a job imports. */
export type ImportJobKind = 'INVITATIONS' | 'MEMBERS' | 'CONTROLS' | 'DOCUMENTS';

export type ImportJobStatus = 'WAITING' | 'RUNNING' | 'DONE' | 'CANCELLED' | 'FAILED';

/** Reasons for which a job has ended before its last row. */
export type ImportJobFailure = 'TOKEN_ENDED' | 'RIGHT_LOST' | 'GIVEN_UP';

/** The outcome of a row of a job. */
export type ImportJobRowOutcome = 'WAITING' | 'CHANGED' | 'UNCHANGED' | 'REFUSED' | 'NOT_DONE';

/** The outcome of one of several device reports. */
export type DeviceReportOutcome = 'STORED' | 'UNCHANGED' | 'REFUSED';

export type InvitedRowOutcome = 'INVITED' | 'ALREADY_MEMBER' | 'ALREADY_INVITED' | 'REFUSED';
