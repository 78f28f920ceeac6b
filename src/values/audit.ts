/** The event that an entry becomes in an organization: its published type, which is never renamed, and who may read it. */
interface EventKind<Type> {
  readonly text: string;
  readonly type: Type;
  readonly audience: 'MEMBERS' | 'AUDIT_TRAIL';
}

/** Each member may read the event. */
const toMembers = <Type extends `${string}.${string}`>(type: Type, text: string): EventKind<Type> => ({
  ...{ text, type, audience: 'MEMBERS' },
});
/** Members who may read the audit trail may read the event. */
const toAuditors = <Type extends `${string}.${string}`>(type: Type, text: string): EventKind<Type> => ({
  ...{ text, type, audience: 'AUDIT_TRAIL' },
});
/** Recorded only in the trail of a user's own affairs, which no organization has: no event. */
const ownAffairs = (text: string): { readonly text: string } => ({ text });

/** Actions of audit entries, described in the past tense, with their events. */
export const ACTIONS = Object.freeze({
  ORGANIZATION_CREATED: toMembers('organization.created', 'The organization was created.'),
  ORGANIZATION_UPDATED: toMembers('organization.updated', 'Its profile, settings, branding or logo were changed.'),
  ORGANIZATION_DELETED: toMembers('organization.deleted', 'It was deleted; it can be restored for 30 days.'),
  ORGANIZATION_RESTORED: toMembers('organization.restored', 'It was restored after it was deleted.'),
  ORGANIZATION_PURGED: toMembers('organization.purged', 'It was deleted for good, with all but its audit trail.'),
  SANDBOX_RESET: toMembers('organization.reset', 'A sandbox was emptied, and filled with example data.'),
  OWNERSHIP_TRANSFERRED: toAuditors('organization.ownership_transferred', 'Another member became its owner.'),
  MEMBER_INVITED: toAuditors('invitation.created', 'A person was invited.'),
  INVITATION_RESENT: toAuditors('invitation.resent', 'An invitation was sent again.'),
  INVITATION_CANCELLED: toAuditors('invitation.cancelled', 'An invitation was cancelled.'),
  MEMBER_JOINED: toAuditors('member.joined', 'A person became a member.'),
  MEMBER_UPDATED: toAuditors(
    'member.updated',
    'The role of a member was changed, or the member was deactivated or reactivated.',
  ),
  MEMBER_REMOVED: toAuditors('member.removed', 'A member was removed.'),
  MEMBER_LEFT: toAuditors('member.left', 'A member left.'),
  PROFILE_UPDATED: ownAffairs('A user changed its own profile or alert preferences.'),
  PROFILE_EXPORTED: ownAffairs('Everything about a user was exported.'),
  USER_ERASED: ownAffairs('A user was erased.'),
  IMPORT_STARTED: toAuditors('import_job.started', 'An import was started as a job.'),
  IMPORT_CANCELLED: toAuditors('import_job.cancelled', 'An import was cancelled; what it had done stays.'),
  IMPORT_ENDED: toAuditors('import_job.ended', 'An import that ran as a job ended: it is done, or it failed.'),
  SERVICE_ACCOUNT_CREATED: toAuditors('service_account.created', 'A service account was created.'),
  SERVICE_ACCOUNT_UPDATED: toAuditors(
    'service_account.updated',
    'A service account was changed, or the person responsible for it left.',
  ),
  SERVICE_ACCOUNT_DELETED: toAuditors(
    'service_account.deleted',
    'A service account was deleted, and its tokens revoked.',
  ),
  TOKEN_CREATED: toAuditors('token.created', 'A token was made.'),
  TOKEN_ROTATED: toAuditors('token.rotated', 'A token was replaced by a new one.'),
  TOKEN_REVOKED: toAuditors('token.revoked', 'A token was revoked.'),
  TOKEN_RECOVERY_REQUESTED: ownAffairs('A link for a new token was requested.'),
  TOKEN_RECOVERED: ownAffairs('A token was made by such a link.'),
  TOKEN_BLOCKED: toAuditors('token.blocked', 'A token was blocked in the organization.'),
  TOKEN_EXPIRING: toAuditors('token.expiring', 'A token of a member expires soon.'),
  TOKEN_USED_FROM_NEW_ADDRESS: toAuditors(
    'token.used_from_new_address',
    'A token was used from an address that it had not been used from before.',
  ),
  IDENTITY_PROVIDER_CREATED: toAuditors('identity_provider.created', 'An identity provider was connected.'),
  IDENTITY_PROVIDER_UPDATED: toAuditors(
    'identity_provider.updated',
    'An identity provider was changed, or signing in through it became required or no longer so.',
  ),
  IDENTITY_PROVIDER_DELETED: toAuditors(
    'identity_provider.deleted',
    'An identity provider was disconnected; the tokens that it had given were revoked.',
  ),
  IDENTITY_DOMAIN_VERIFIED: toAuditors(
    'identity_provider.domain_verified',
    'A domain was proven to be the organization’s own.',
  ),
  IDENTITY_LINKED: toAuditors(
    'member.identity_linked',
    'A user was linked to a person that an identity provider knows.',
  ),
  SIGNED_IN: toAuditors('member.signed_in', 'A member signed in through an identity provider.'),
  SIGNED_OUT: toAuditors(
    'member.signed_out',
    'An identity provider ended the session of a member, whose token was revoked.',
  ),
  ENGAGEMENT_CREATED: toAuditors('engagement.created', 'An engagement of auditors was created.'),
  ENGAGEMENT_UPDATED: toAuditors('engagement.updated', 'The name or the end of an engagement was changed.'),
  ENGAGEMENT_READ: toAuditors('engagement.read', 'An auditor read something in the scope of an engagement.'),
  AUDITOR_JOINED: toAuditors('engagement.auditor_joined', 'A person accepted an invitation to an engagement.'),
  AUDITOR_REMOVED: toAuditors(
    'engagement.auditor_removed',
    'An auditor was removed from an engagement, or erased itself.',
  ),
  EVIDENCE_REQUESTED: toAuditors('engagement.evidence_requested', 'An auditor asked for evidence of a control.'),
  EVIDENCE_REQUEST_ANSWERED: toAuditors(
    'engagement.request_answered',
    'A request of an auditor was answered or closed.',
  ),
  SIGNED_OFF: toAuditors('engagement.signed_off', 'An auditor signed a workflow or a control off.'),
  WEBHOOK_ENDPOINT_CREATED: toAuditors('webhook_endpoint.created', 'A webhook endpoint was created.'),
  WEBHOOK_ENDPOINT_UPDATED: toAuditors(
    'webhook_endpoint.updated',
    'A webhook endpoint was changed, enabled or disabled.',
  ),
  WEBHOOK_ENDPOINT_DISABLED: toAuditors('webhook_endpoint.disabled', 'The gateway disabled a webhook endpoint.'),
  WEBHOOK_ENDPOINT_DELETED: toAuditors('webhook_endpoint.deleted', 'A webhook endpoint was deleted.'),
  WEBHOOK_SECRET_ROTATED: toAuditors(
    'webhook_endpoint.secret_rotated',
    'The secret of a webhook endpoint was replaced; the old one signs as well for 24 hours.',
  ),
  WEBHOOK_TESTED: toAuditors('webhook_endpoint.tested', 'A test was sent to a webhook endpoint.'),
  WEBHOOK_REDELIVERED: toAuditors('webhook_endpoint.redelivered', 'Events were put in again for a webhook endpoint.'),
  SCIM_UPDATED: toAuditors('scim.updated', 'What a directory may do by SCIM was changed.'),
  SCIM_TOKEN_CREATED: toAuditors('scim_token.created', 'A token for a directory was made.'),
  SCIM_TOKEN_REVOKED: toAuditors('scim_token.revoked', 'A token of a directory was revoked.'),
  SCIM_GROUP_CREATED: toAuditors('scim_group.created', 'A directory created a group.'),
  SCIM_GROUP_UPDATED: toAuditors('scim_group.updated', 'A directory changed a group or its members.'),
  SCIM_GROUP_DELETED: toAuditors('scim_group.deleted', 'A directory deleted a group.'),
  WORKFLOW_ASSOCIATED: toMembers('workflow.associated', 'A workflow was associated with the organization.'),
  WORKFLOW_DISSOCIATED: toMembers('workflow.dissociated', 'A workflow was dissociated.'),
  WORKFLOW_EXPORTED: toAuditors('workflow.exported', 'A workflow was exported as OSCAL.'),
  WORKFLOW_IMPORTED: toMembers('workflow.imported', 'A workflow, titles of one or a mapping were imported.'),
  WORKFLOW_IMPORT_DELETED: toMembers('workflow.import_deleted', 'An import was deleted.'),
  CONTROL_UPDATED: toMembers('control.updated', 'A control was changed.'),
  CONTROLS_ASSIGNED: toMembers('control.assigned', 'A member became the owner of controls.'),
  CONTROL_OVERDUE: toMembers('control.overdue', 'The due date of a control passed.'),
  CONTROL_EVIDENCE_EXPIRING: toMembers(
    'control.evidence_expiring',
    'The newest document of a control is about to expire, or is stale.',
  ),
  CONTROL_ATTESTED: toMembers('control.attested', 'The owner of a control attested that it is in place.'),
  ATTESTATION_COUNTERSIGNED: toMembers(
    'control.attestation_countersigned',
    'Another person countersigned the attestation of a control.',
  ),
  ATTESTATION_STALE: toMembers(
    'control.attestation_stale',
    'The evidence of an attested control, its mapping or its status is not what was attested any more.',
  ),
  ATTESTATION_WITHDRAWN: toMembers('control.attestation_withdrawn', 'The attestation of a control was withdrawn.'),
  DOCUMENT_UPLOADED: toMembers('document.uploaded', 'A document version was uploaded.'),
  DOCUMENT_UPDATED: toMembers('document.updated', 'The note or the date of a document version was changed.'),
  DOCUMENT_DELETED: toMembers('document.deleted', 'A document version was deleted.'),
  DOCUMENT_TRIMMED: toMembers(
    'document.trimmed',
    'A document version was removed because newer ones had taken its place.',
  ),
  DOCUMENT_DOWNLOADED: toAuditors('document.downloaded', 'A document version was downloaded by its signed address.'),
  EVIDENCE_PACK_DOWNLOADED: toAuditors(
    'workflow.evidence_pack_downloaded',
    'The evidence of a workflow was downloaded as an archive.',
  ),
  INCIDENT_OPENED: toMembers('incident.opened', 'An incident was opened.'),
  INCIDENT_UPDATED: toMembers('incident.updated', 'An incident was changed.'),
  INCIDENT_ASSESSED: toMembers('incident.assessed', 'Whether an incident is significant was assessed by questions.'),
  INCIDENT_CLOSED: toMembers('incident.closed', 'An incident was closed.'),
  INCIDENT_REOPENED: toMembers('incident.reopened', 'A closed incident was opened again.'),
  INCIDENT_REJUDGED: toMembers(
    'incident.rejudged',
    'An incident was judged anew, by the facts of its organization as they were then.',
  ),
  REPORT_RECORDED: toMembers(
    'incident.report_recorded',
    'It was recorded that a report of an incident was sent, provided already, or is not due.',
  ),
  REPORT_CORRECTED: toMembers('incident.report_corrected', 'What was recorded about a report was corrected.'),
  REPORT_DRAFT_DOWNLOADED: toAuditors(
    'incident.report_draft_downloaded',
    'The draft of a report was downloaded for printing.',
  ),
  REHEARSAL_REPORT_DOWNLOADED: toAuditors(
    'incident.rehearsal_report_downloaded',
    'The report of a rehearsal was downloaded.',
  ),
  REPORT_DUE_SOON: toMembers('incident.report_due_soon', 'The deadline of a report is near.'),
  REPORT_OVERDUE: toMembers(
    'incident.report_overdue',
    'The deadline of a report passed, and the report is not recorded as sent.',
  ),
  ATTACHMENT_ADDED: toMembers('incident.attachment_added', 'A file was attached to an incident.'),
  ATTACHMENT_DELETED: toMembers('incident.attachment_deleted', 'A file of an incident was deleted.'),
  ATTACHMENT_DOWNLOADED: toAuditors(
    'incident.attachment_downloaded',
    'A file of an incident was downloaded by its signed address.',
  ),
  NOTE_ADDED: toMembers('incident.note_added', 'A note was added to an incident.'),
  DEVICE_CREATED: toAuditors('device.created', 'A device was configured.'),
  DEVICE_UPDATED: toAuditors('device.updated', 'The configuration of a device was changed.'),
  DEVICE_DELETED: toAuditors('device.deleted', 'A device was deleted.'),
  DEVICE_RESTORED: toAuditors('device.restored', 'A deleted device was restored.'),
  DEVICE_KEY_ROTATED: toAuditors('device.key_rotated', 'The key of a device was replaced.'),
  DEVICE_STATUS_CHANGED: toAuditors('device.status_changed', 'A device reported another status, or fell silent.'),
  LIST_DOWNLOADED: toAuditors('organization.list_downloaded', 'A list was downloaded as CSV or as a workbook.'),
  AUDIT_CHECKPOINT_SIGNED: toAuditors(
    'audit_trail.checkpoint_signed',
    'A checkpoint of the audit trail was signed for its witnesses.',
  ),
  AUDIT_TRAIL_EXPORTED: toAuditors('audit_trail.exported', 'The audit trail was exported.'),
  PROOF_EXPORTED: toAuditors(
    'audit_trail.proof_exported',
    'What was so at an instant was exported, with the entries that prove it.',
  ),
  STATE_RECORDED: toAuditors(
    'audit_trail.state_recorded',
    'What the organization is was recorded as a whole: from then on the trail tells what it was.',
  ),
  AUDIT_ENTRIES_SET_ASIDE: toAuditors(
    'audit_trail.entries_set_aside',
    'Entries that no gateway had written were taken out of the way of the audit trail.',
  ),
  AUDIT_TRAIL_PRUNED: toAuditors(
    'audit_trail.pruned',
    'Entries were removed from the beginning of the audit trail after their retention.',
  ),
  ACCESS_REFUSED: toAuditors(
    'access.refused',
    'A member was refused what its role, or the token that it used, does not allow.',
  ),
});

export type AuditAction = keyof typeof ACTIONS;

/** Actions that change nothing in the organization: what is read, refused or near its date. */
export const UNCHANGING = [
  ...(['TOKEN_EXPIRING', 'TOKEN_USED_FROM_NEW_ADDRESS', 'SIGNED_IN', 'SIGNED_OUT', 'ENGAGEMENT_READ'] as const),
  ...(['WEBHOOK_TESTED', 'WEBHOOK_REDELIVERED', 'WORKFLOW_EXPORTED', 'CONTROL_OVERDUE'] as const),
  ...(['CONTROL_EVIDENCE_EXPIRING', 'DOCUMENT_DOWNLOADED', 'EVIDENCE_PACK_DOWNLOADED'] as const),
  ...(['REPORT_DRAFT_DOWNLOADED', 'REHEARSAL_REPORT_DOWNLOADED', 'ATTACHMENT_DOWNLOADED'] as const),
  ...(['REPORT_DUE_SOON', 'REPORT_OVERDUE'] as const),
  ...([
    'IMPORT_STARTED',
    'IMPORT_CANCELLED',
    'IMPORT_ENDED',
    'LIST_DOWNLOADED',
    'AUDIT_TRAIL_EXPORTED',
    'PROOF_EXPORTED',
    'AUDIT_CHECKPOINT_SIGNED',
    'STATE_RECORDED',
    'ACCESS_REFUSED',
  ] as const),
] satisfies AuditAction[];

export const AUDIT_ACTIONS = Object.fromEntries(
  Object.entries(ACTIONS).map(([action, { text }]) => [action, text]),
) as Readonly<Record<AuditAction, string>>;

export interface DescribedSubject {
  text: string;
  path?: string;
}

const ORGANIZATION = 'organizations/{organization}';
const INCIDENTS = 'v-ciso/incidents/{organization}';

/** Subjects of audit entries, with the path below the API at which REST reads each, where it does. */
export const AUDIT_SUBJECTS = Object.freeze({
  ORGANIZATION: { text: 'The organization; its id is the number.', path: ORGANIZATION },
  USER: { text: 'A user; the UUID.' },
  MEMBER: { text: 'A member; the UUID of the user.', path: `${ORGANIZATION}/users/{id}` },
  SERVICE_ACCOUNT: { text: 'A service account; its UUID.', path: `${ORGANIZATION}/service-accounts/{id}` },
  ENGAGEMENT: { text: 'An engagement of auditors; its number.', path: `${ORGANIZATION}/engagements/{id}` },
  IMPORT_JOB: { text: 'An import that runs as a job; its number.', path: `${ORGANIZATION}/import-jobs/{id}` },
  INVITATION: { text: 'An invitation; its number.', path: `${ORGANIZATION}/invitations/{id}` },
  // An organization reads those of its service accounts alone.
  TOKEN: { text: 'A token; its number.', path: `${ORGANIZATION}/service-accounts/{parent}/tokens/{id}` },
  IDENTITY_PROVIDER: { text: 'An identity provider; its number.', path: `${ORGANIZATION}/identity-providers/{id}` },
  SCIM_TOKEN: { text: 'A token of a directory; its number.', path: `${ORGANIZATION}/scim/tokens/{id}` },
  SCIM_GROUP: { text: 'A group of a directory; its UUID.' },
  WEBHOOK_ENDPOINT: { text: 'A webhook endpoint; its number.', path: `${ORGANIZATION}/webhooks/{id}` },
  USER_WEBHOOK_ENDPOINT: {
    text: 'A webhook endpoint of a user; its number.',
    path: 'profile/webhook-endpoints/{id}',
  },
  WORKFLOW: {
    text: 'A workflow; its id in the catalogue or the import.',
    path: `v-ciso/${ORGANIZATION}/workflows/{id}`,
  },
  CONTROL: {
    text: 'A control; the workflow and the control, such as `nis2-directive/21.2.a`.',
    path: `v-ciso/${ORGANIZATION}/workflows/{workflow}/controls/{control}`,
  },
  DOCUMENT_VERSION: { text: 'A document version; its number.', path: `v-ciso/${ORGANIZATION}/documents/{id}` },
  INCIDENT: { text: 'An incident; its number.', path: `${INCIDENTS}/{id}` },
  INCIDENT_ATTACHMENT: { text: 'A file of an incident; its number.', path: `${INCIDENTS}/{parent}/attachments/{id}` },
  CLOUD_DEFENDER: { text: 'An edge-protection device; its number.', path: 'cloud-defender/{id}' },
  THREAT_BLOCKER: { text: 'A threat-blocker device; its number.', path: 'atb/{id}' },
} satisfies Readonly<Record<string, DescribedSubject>>);

export type AuditSubjectType = keyof typeof AUDIT_SUBJECTS;

/** By which protocol a program has acted for the actor. */
export type AuditVia = 'MCP';

export type AuditActorType = 'USER' | 'SERVICE_ACCOUNT' | 'SCIM' | 'SYSTEM';

/** Why an audit trail does not verify. */
export type AuditFaultReason =
  | 'HASH_MISMATCH'
  | 'POSITION_MISSING'
  | 'HEAD_MISMATCH'
  | 'CHECKPOINT_MISMATCH'
  | 'CHECKPOINT_MISSING'
  | 'SEAL_MISMATCH'
  | 'SEAL_MISSING'
  | 'SIGNATURE_INVALID';
