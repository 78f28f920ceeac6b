import { AUDIT_ACTIONS, type AuditAction } from './audit.js';

/** Who learns of an event: each member of the organization, or only who may read its audit trail. */
type Audience = 'MEMBERS' | 'AUDIT_TRAIL';

interface EventKind {
  readonly type: `${string}.${string}`;
  readonly audience: Audience;
}

const toMembers = <Type extends `${string}.${string}`>(type: Type) => ({ type, audience: 'MEMBERS' }) as const;
const toAuditors = <Type extends `${string}.${string}`>(type: Type) => ({ type, audience: 'AUDIT_TRAIL' }) as const;

/** The published type of the event that an entry of an organization's audit trail becomes; types are never renamed. */
export const EVENTS = Object.freeze({
  ORGANIZATION_CREATED: toMembers('organization.created'),
  ORGANIZATION_UPDATED: toMembers('organization.updated'),
  ORGANIZATION_DELETED: toMembers('organization.deleted'),
  ORGANIZATION_RESTORED: toMembers('organization.restored'),
  ORGANIZATION_PURGED: toMembers('organization.purged'),
  OWNERSHIP_TRANSFERRED: toAuditors('organization.ownership_transferred'),
  MEMBER_INVITED: toAuditors('invitation.created'),
  INVITATION_RESENT: toAuditors('invitation.resent'),
  INVITATION_CANCELLED: toAuditors('invitation.cancelled'),
  MEMBER_JOINED: toAuditors('member.joined'),
  MEMBER_UPDATED: toAuditors('member.updated'),
  MEMBER_REMOVED: toAuditors('member.removed'),
  MEMBER_LEFT: toAuditors('member.left'),
  SERVICE_ACCOUNT_CREATED: toAuditors('service_account.created'),
  SERVICE_ACCOUNT_UPDATED: toAuditors('service_account.updated'),
  SERVICE_ACCOUNT_DELETED: toAuditors('service_account.deleted'),
  TOKEN_CREATED: toAuditors('token.created'),
  TOKEN_ROTATED: toAuditors('token.rotated'),
  TOKEN_REVOKED: toAuditors('token.revoked'),
  TOKEN_BLOCKED: toAuditors('token.blocked'),
  TOKEN_EXPIRING: toAuditors('token.expiring'),
  TOKEN_USED_FROM_NEW_ADDRESS: toAuditors('token.used_from_new_address'),
  IDENTITY_PROVIDER_CREATED: toAuditors('identity_provider.created'),
  IDENTITY_PROVIDER_UPDATED: toAuditors('identity_provider.updated'),
  IDENTITY_PROVIDER_DELETED: toAuditors('identity_provider.deleted'),
  IDENTITY_DOMAIN_VERIFIED: toAuditors('identity_provider.domain_verified'),
  IDENTITY_LINKED: toAuditors('member.identity_linked'),
  SIGNED_IN: toAuditors('member.signed_in'),
  SIGNED_OUT: toAuditors('member.signed_out'),
  ENGAGEMENT_CREATED: toAuditors('engagement.created'),
  ENGAGEMENT_UPDATED: toAuditors('engagement.updated'),
  ENGAGEMENT_READ: toAuditors('engagement.read'),
  AUDITOR_JOINED: toAuditors('engagement.auditor_joined'),
  AUDITOR_REMOVED: toAuditors('engagement.auditor_removed'),
  EVIDENCE_REQUESTED: toAuditors('engagement.evidence_requested'),
  EVIDENCE_REQUEST_ANSWERED: toAuditors('engagement.request_answered'),
  SIGNED_OFF: toAuditors('engagement.signed_off'),
  WEBHOOK_ENDPOINT_CREATED: toAuditors('webhook_endpoint.created'),
  WEBHOOK_ENDPOINT_UPDATED: toAuditors('webhook_endpoint.updated'),
  WEBHOOK_ENDPOINT_DISABLED: toAuditors('webhook_endpoint.disabled'),
  WEBHOOK_ENDPOINT_DELETED: toAuditors('webhook_endpoint.deleted'),
  WEBHOOK_SECRET_ROTATED: toAuditors('webhook_endpoint.secret_rotated'),
  WEBHOOK_TESTED: toAuditors('webhook_endpoint.tested'),
  WEBHOOK_REDELIVERED: toAuditors('webhook_endpoint.redelivered'),
  SCIM_UPDATED: toAuditors('scim.updated'),
  SCIM_TOKEN_CREATED: toAuditors('scim_token.created'),
  SCIM_TOKEN_REVOKED: toAuditors('scim_token.revoked'),
  SCIM_GROUP_CREATED: toAuditors('scim_group.created'),
  SCIM_GROUP_UPDATED: toAuditors('scim_group.updated'),
  SCIM_GROUP_DELETED: toAuditors('scim_group.deleted'),
  WORKFLOW_ASSOCIATED: toMembers('workflow.associated'),
  WORKFLOW_DISSOCIATED: toMembers('workflow.dissociated'),
  WORKFLOW_EXPORTED: toAuditors('workflow.exported'),
  WORKFLOW_IMPORTED: toMembers('workflow.imported'),
  WORKFLOW_IMPORT_DELETED: toMembers('workflow.import_deleted'),
  CONTROL_UPDATED: toMembers('control.updated'),
  CONTROLS_ASSIGNED: toMembers('control.assigned'),
  CONTROL_OVERDUE: toMembers('control.overdue'),
  CONTROL_EVIDENCE_EXPIRING: toMembers('control.evidence_expiring'),
  DOCUMENT_UPLOADED: toMembers('document.uploaded'),
  DOCUMENT_UPDATED: toMembers('document.updated'),
  DOCUMENT_DELETED: toMembers('document.deleted'),
  DOCUMENT_TRIMMED: toMembers('document.trimmed'),
  DOCUMENT_DOWNLOADED: toAuditors('document.downloaded'),
  EVIDENCE_PACK_DOWNLOADED: toAuditors('workflow.evidence_pack_downloaded'),
  INCIDENT_OPENED: toMembers('incident.opened'),
  INCIDENT_UPDATED: toMembers('incident.updated'),
  INCIDENT_CLOSED: toMembers('incident.closed'),
  INCIDENT_REOPENED: toMembers('incident.reopened'),
  INCIDENT_REJUDGED: toMembers('incident.rejudged'),
  REPORT_RECORDED: toMembers('incident.report_recorded'),
  REPORT_CORRECTED: toMembers('incident.report_corrected'),
  REPORT_DRAFT_DOWNLOADED: toAuditors('incident.report_draft_downloaded'),
  REPORT_DUE_SOON: toMembers('incident.report_due_soon'),
  REPORT_OVERDUE: toMembers('incident.report_overdue'),
  ATTACHMENT_ADDED: toMembers('incident.attachment_added'),
  ATTACHMENT_DELETED: toMembers('incident.attachment_deleted'),
  ATTACHMENT_DOWNLOADED: toAuditors('incident.attachment_downloaded'),
  NOTE_ADDED: toMembers('incident.note_added'),
  DEVICE_CREATED: toAuditors('device.created'),
  DEVICE_UPDATED: toAuditors('device.updated'),
  DEVICE_DELETED: toAuditors('device.deleted'),
  DEVICE_RESTORED: toAuditors('device.restored'),
  DEVICE_KEY_ROTATED: toAuditors('device.key_rotated'),
  DEVICE_STATUS_CHANGED: toAuditors('device.status_changed'),
  LIST_DOWNLOADED: toAuditors('organization.list_downloaded'),
  AUDIT_TRAIL_EXPORTED: toAuditors('audit_trail.exported'),
  AUDIT_ENTRIES_SET_ASIDE: toAuditors('audit_trail.entries_set_aside'),
  AUDIT_TRAIL_PRUNED: toAuditors('audit_trail.pruned'),
  ACCESS_REFUSED: toAuditors('access.refused'),
} as const satisfies Partial<Record<AuditAction, EventKind>>);

/** Recorded only in the trail of a user's own affairs, which no organization has. */
export const WITHOUT_EVENT = [
  'PROFILE_UPDATED',
  'PROFILE_EXPORTED',
  'USER_ERASED',
  'TOKEN_RECOVERY_REQUESTED',
  'TOKEN_RECOVERED',
] as const satisfies readonly AuditAction[];

export type EventAction = keyof typeof EVENTS;
export type EventType = (typeof EVENTS)[EventAction]['type'];

export const EVENT_ACTIONS = Object.keys(EVENTS) as EventAction[];

/** The published types by the names that GraphQL has for them, which are those of the actions. */
export const EVENT_TYPES = Object.freeze(
  Object.fromEntries(EVENT_ACTIONS.map((action) => [action, EVENTS[action].type])),
) as { readonly [Action in EventAction]: (typeof EVENTS)[Action]['type'] };

/** Description of each type. */
export const EVENT_DESCRIPTIONS = Object.fromEntries(
  EVENT_ACTIONS.map((action) => [action, AUDIT_ACTIONS[action]]),
) as Readonly<Record<EventAction, string>>;
