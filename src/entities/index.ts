import type { InferEntity, Opt } from '@mikro-orm/core';
import type { ColumnType, Generated } from 'kysely';
import {
  AuditCheckpoint,
  AuditEntry,
  AuditFault,
  AuditLog,
  AuditSeal,
  AuditStrayEntry,
  EventConsumer,
} from './audit.js';
import { ApiToken, TokenAddress, TokenBlock, TokenRecovery } from './tokens.js';
import {
  CloudDefender,
  CloudDefenderCheck,
  ThreatBlocker,
  ThreatBlockerCheck,
  ThreatBlockerTraffic,
} from './devices.js';
import { DocumentVersion } from './documents.js';
import { Event } from './events.js';
import { IdentityDomain, IdentityProvider, SignInCode, UserIdentity } from './identity.js';
import { Engagement, EngagementAuditor, EvidenceRequest, SignOff } from './engagements.js';
import { IdempotencyVolume, IdempotentAnswer, OutgoingMail } from './shared.js';
import { ImportJob, ImportRow } from './imports.js';
import { Incident, IncidentAttachment, IncidentNote, IncidentReminder, IncidentReport } from './incidents.js';
import { Invitation, Membership, ServiceAccount, User } from './members.js';
import { MailAllowance, MailDigest, NotificationRevision, Notification } from './notifications.js';
import {
  ControlAttestation,
  ControlState,
  OrganizationWorkflow,
  WorkflowImport,
  WorkflowProgress,
} from './workflows.js';
import { ScimGroup, ScimGroupMember, ScimSettings, ScimToken, ScimUser } from './scim-records.js';
import { OrganizationFacts, OrganizationStorage, Organization, RecordedState } from './organizations.js';
import { Installation, UnreferencedContent } from './files.js';
import { ApplicationDocument, ApplicationVersion, TrustedDocument } from './trusted-documents.js';
import { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from './webhooks.js';
import { WeeklyReport, WeeklyReportRun } from './reports.js';

/** Every table by its name, listed: nothing is discovered by globbing. */
export const tables = {
  app_user: User,
  organization: Organization,
  organization_storage: OrganizationStorage,
  organization_facts: OrganizationFacts,
  recorded_state: RecordedState,
  membership: Membership,
  service_account: ServiceAccount,
  engagement: Engagement,
  engagement_auditor: EngagementAuditor,
  evidence_request: EvidenceRequest,
  sign_off: SignOff,
  invitation: Invitation,
  import_job: ImportJob,
  import_row: ImportRow,
  identity_provider: IdentityProvider,
  identity_domain: IdentityDomain,
  user_identity: UserIdentity,
  sign_in_code: SignInCode,
  scim_settings: ScimSettings,
  scim_token: ScimToken,
  scim_user: ScimUser,
  scim_group: ScimGroup,
  scim_group_member: ScimGroupMember,
  api_token: ApiToken,
  token_address: TokenAddress,
  token_block: TokenBlock,
  token_recovery: TokenRecovery,
  notification: Notification,
  notification_revision: NotificationRevision,
  mail_digest: MailDigest,
  mail_allowance: MailAllowance,
  cloud_defender: CloudDefender,
  cloud_defender_check: CloudDefenderCheck,
  threat_blocker: ThreatBlocker,
  threat_blocker_check: ThreatBlockerCheck,
  threat_blocker_traffic: ThreatBlockerTraffic,
  organization_workflow: OrganizationWorkflow,
  control_state: ControlState,
  control_attestation: ControlAttestation,
  workflow_progress: WorkflowProgress,
  workflow_import: WorkflowImport,
  document_version: DocumentVersion,
  incident: Incident,
  incident_attachment: IncidentAttachment,
  outgoing_mail: OutgoingMail,
  weekly_report_run: WeeklyReportRun,
  weekly_report: WeeklyReport,
  incident_report: IncidentReport,
  incident_note: IncidentNote,
  incident_reminder: IncidentReminder,
  idempotent_answer: IdempotentAnswer,
  idempotency_volume: IdempotencyVolume,
  audit_log: AuditLog,
  audit_entry: AuditEntry,
  audit_checkpoint: AuditCheckpoint,
  audit_seal: AuditSeal,
  audit_fault: AuditFault,
  audit_stray_entry: AuditStrayEntry,
  event_consumer: EventConsumer,
  event: Event,
  webhook_endpoint: WebhookEndpoint,
  webhook_delivery: WebhookDelivery,
  webhook_attempt: WebhookAttempt,
  installation: Installation,
  unreferenced_content: UnreferencedContent,
  trusted_document: TrustedDocument,
  application_version: ApplicationVersion,
  application_document: ApplicationDocument,
};

export const entities = Object.values(tables);

/** The tables as statements use them (database/sql.ts). A test compares them with the ORM's metadata. */
export type Tables = { [Name in keyof typeof tables]: Columns<InferEntity<(typeof tables)[Name]>> };

/** The columns of an entity are the snake_case of its properties; a reference is the key of the other entity. */
type Columns<Entity> = {
  [Property in keyof Entity & string as ColumnName<Property, NonNullable<Entity[Property]>>]-?: Column<
    Property,
    Exclude<Entity[Property], undefined>
  >;
};

type ColumnName<Property extends string, Value> = Value extends { id: unknown }
  ? `${SnakeCase<Property>}_id`
  : SnakeCase<Property>;

export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** An insert may omit columns that the server fills in: row numbers, and those marked with `Opt`. */
type Column<Property extends string, Value> = [Property, Value] extends ['id', number]
  ? Generated<Value>
  : [Property] extends ['id']
    ? Value
    : typeof Opt.__optional extends keyof NonNullable<Value>
      ? Filled<Stored<Value extends Opt<infer Inner> ? Inner : Value>>
      : Stored<Value>;

type Filled<Value> = [Value] extends [ColumnType<infer Read, infer Inserted, infer Updated>]
  ? ColumnType<Read, Inserted | undefined, Updated>
  : Generated<Value>;

type Stored<Value> = null extends Value ? StoredValue<NonNullable<Value>> | null : StoredValue<Value>;

/** Instants are ISO 8601 text; JSON columns are written as text. */
type StoredValue<Value> = [Value] extends [Date]
  ? string
  : [Value] extends [{ id: infer Key }]
    ? Key
    : [Value] extends [string | number | boolean | readonly string[] | Uint8Array]
      ? Value
      : ColumnType<Value, string, string>;
