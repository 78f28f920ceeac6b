import { tables, type Tables } from '../entities/index.js';
import type { UnavailableAsOf } from '../values/unavailable-as-of.js';
import { propertiesOf, type RowOf } from './columns.js';

type Unrecorded = { readonly [Name in keyof Tables]?: readonly (keyof RowOf<Name> & string)[] };

/**
 * Tables whose rows follow from the audit trail of their organization, with the properties that do not: internal
 * numbers of the database, derived values, values that devices report, and those that no trail may contain.
 */
export const RECORDED = {
  organization: ['logoBytes', 'contacts', 'auditWitnessEmail', 'reportDueAt', 'requiredProviderId'],
  membership: ['id', 'personName'],
  organization_workflow: ['id'],
  control_state: ['id', 'remindedDueDate', 'remindedLastDay'],
  control_attestation: ['comparedUpTo'],
  document_version: [],
  incident: ['nextReminderAt', 'nextDeadlineAt'],
  incident_report: [],
  incident_note: [],
  incident_attachment: [],
  engagement: [],
  engagement_auditor: [],
  evidence_request: [],
  sign_off: [],
  cloud_defender: ['status', 'stat', 'lastSeenAt', 'thinnedUntil'],
  threat_blocker: ['status', 'stat', 'lastSeenAt', 'thinnedUntil', 'atbKey', 'pluginConfig'],
} as const satisfies Unrecorded;

/**
 * Tables without a past of an organization: answers about a day read their current rows, of users only the columns that
 * the organization may still read.
 */
const PRESENT = ['app_user', 'workflow_import'] as const satisfies (keyof Tables)[];

/** Reports of devices are not recorded: answers about a past day have none, and say so. */
const EMPTY = [
  'cloud_defender_check',
  'threat_blocker_check',
  'threat_blocker_traffic',
] as const satisfies (keyof Tables)[];

export type RecordedTable = keyof typeof RECORDED;

export const RECORDED_TABLES = Object.keys(RECORDED) as RecordedTable[];

/** Tables of the schema `history`: empty except for the transaction that reads a day. */
export const HISTORY_TABLES: readonly (keyof Tables)[] = [...RECORDED_TABLES, ...EMPTY];

/** The audit trail: for a past day it ends with the last entry of that day. */
export const TRAIL_TABLES = ['audit_log', 'audit_entry'] as const satisfies (keyof Tables)[];

/** Tables that no statement about the past may read: the schema `history` has views that raise an error. */
export const REFUSED_TABLES = (Object.keys(tables) as (keyof Tables)[]).filter(
  (table) => !HISTORY_TABLES.includes(table) && !([...PRESENT, ...TRAIL_TABLES] as readonly string[]).includes(table),
);

/** Reasons why tables are refused, except for those without a field of their own. */
const WHY: Readonly<Partial<Record<keyof Tables, UnavailableAsOf>>> = {
  ...{ api_token: 'TOKENS', token_address: 'TOKENS', token_block: 'TOKENS', service_account: 'ACCOUNTS' },
  ...{ invitation: 'INVITATIONS', identity_provider: 'PROVIDERS', identity_domain: 'PROVIDERS' },
  ...{ scim_settings: 'PROVIDERS', scim_token: 'PROVIDERS', scim_user: 'PROVIDERS', scim_group: 'PROVIDERS' },
  ...{ webhook_endpoint: 'WEBHOOKS', webhook_delivery: 'DELIVERIES', webhook_attempt: 'DELIVERIES' },
  ...{ workflow_progress: 'PROGRESS', audit_checkpoint: 'TRAIL', audit_seal: 'TRAIL', audit_fault: 'TRAIL' },
  ...{ weekly_report: 'SUMMARIES', weekly_report_run: 'SUMMARIES', notification: 'NOTIFICATIONS' },
  ...{ import_job: 'IMPORTS', import_row: 'IMPORTS' },
};

export const reasonOf = (table: string): UnavailableAsOf => WHY[table as keyof Tables] ?? 'OTHER';

/** The properties of a row that follow from the trail; search columns are generated from them. */
export function recordedProperties(table: RecordedTable): string[] {
  const hidden: readonly string[] = [...RECORDED[table], 'searchable'];
  return propertiesOf(table).filter((property) => !hidden.includes(property));
}

/** Columns with a user name at that time, which is encrypted in trails and states. */
export const AUTHORS: Partial<Record<RecordedTable, readonly string[]>> = {
  document_version: ['createdBy'],
  incident: ['openedBy', 'closedBy'],
  incident_report: ['sentBy', 'recordedBy'],
  incident_note: ['createdBy'],
  incident_attachment: ['createdBy'],
  control_attestation: ['attestedBy', 'countersignedBy', 'withdrawnBy'],
  evidence_request: ['createdBy', 'answeredBy'],
  sign_off: ['createdBy'],
};
