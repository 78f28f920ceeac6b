/** Actions of audit entries, in the past tense. */
export const AUDIT_ACTIONS = Object.freeze({
  ORGANIZATION_CREATED: 'The organization was created.',
  ORGANIZATION_UPDATED: 'Its profile, settings, branding or logo were changed.',
  ORGANIZATION_DELETED: 'It was deleted; it can be restored for 30 days.',
  ORGANIZATION_RESTORED: 'It was restored after it was deleted.',
  ORGANIZATION_PURGED: 'It was deleted for good, with all but its audit trail.',
  OWNERSHIP_TRANSFERRED: 'Another member became its owner.',
  MEMBER_INVITED: 'A person was invited.',
  INVITATION_RESENT: 'An invitation was sent again.',
  INVITATION_CANCELLED: 'An invitation was cancelled.',
  MEMBER_JOINED: 'A person became a member.',
  MEMBER_UPDATED: 'The role of a member was changed, or the member was deactivated or reactivated.',
  MEMBER_REMOVED: 'A member was removed.',
  MEMBER_LEFT: 'A member left.',
  PROFILE_UPDATED: 'A user changed its own profile or alert preferences.',
  PROFILE_EXPORTED: 'Everything about a user was exported.',
  USER_ERASED: 'A user was erased.',
  SERVICE_ACCOUNT_CREATED: 'A service account was created.',
  SERVICE_ACCOUNT_UPDATED: 'A service account was changed, or the person responsible for it left.',
  SERVICE_ACCOUNT_DELETED: 'A service account was deleted, and its tokens revoked.',
  TOKEN_CREATED: 'A token was made.',
  TOKEN_ROTATED: 'A token was replaced by a new one.',
  TOKEN_REVOKED: 'A token was revoked.',
  TOKEN_RECOVERY_REQUESTED: 'A link for a new token was requested.',
  TOKEN_RECOVERED: 'A token was made by such a link.',
  TOKEN_BLOCKED: 'A token was blocked in the organization.',
  TOKEN_EXPIRING: 'A token of a member expires soon.',
  TOKEN_USED_FROM_NEW_ADDRESS: 'A token was used from an address that it had not been used from before.',
  IDENTITY_PROVIDER_CREATED: 'An identity provider was connected.',
  IDENTITY_PROVIDER_UPDATED:
    'An identity provider was changed, or signing in through it became required or no longer so.',
  IDENTITY_PROVIDER_DELETED: 'An identity provider was disconnected; the tokens that it had given were revoked.',
  IDENTITY_DOMAIN_VERIFIED: 'A domain was proven to be the organization’s own.',
  IDENTITY_LINKED: 'A user was linked to a person that an identity provider knows.',
  SIGNED_IN: 'A member signed in through an identity provider.',
  SIGNED_OUT: 'An identity provider ended the session of a member, whose token was revoked.',
  ENGAGEMENT_CREATED: 'An engagement of auditors was created.',
  ENGAGEMENT_UPDATED: 'The name or the end of an engagement was changed.',
  ENGAGEMENT_READ: 'An auditor read something in the scope of an engagement.',
  AUDITOR_JOINED: 'A person accepted an invitation to an engagement.',
  AUDITOR_REMOVED: 'An auditor was removed from an engagement, or erased itself.',
  EVIDENCE_REQUESTED: 'An auditor asked for evidence of a control.',
  EVIDENCE_REQUEST_ANSWERED: 'A request of an auditor was answered or closed.',
  SIGNED_OFF: 'An auditor signed a workflow or a control off.',
  WEBHOOK_ENDPOINT_CREATED: 'A webhook endpoint was created.',
  WEBHOOK_ENDPOINT_UPDATED: 'A webhook endpoint was changed, enabled or disabled.',
  WEBHOOK_ENDPOINT_DISABLED: 'The gateway disabled a webhook endpoint.',
  WEBHOOK_ENDPOINT_DELETED: 'A webhook endpoint was deleted.',
  WEBHOOK_SECRET_ROTATED: 'The secret of a webhook endpoint was replaced; the old one signs as well for 24 hours.',
  WEBHOOK_TESTED: 'A test was sent to a webhook endpoint.',
  WEBHOOK_REDELIVERED: 'Events were put in again for a webhook endpoint.',
  SCIM_UPDATED: 'What a directory may do by SCIM was changed.',
  SCIM_TOKEN_CREATED: 'A token for a directory was made.',
  SCIM_TOKEN_REVOKED: 'A token of a directory was revoked.',
  SCIM_GROUP_CREATED: 'A directory created a group.',
  SCIM_GROUP_UPDATED: 'A directory changed a group or its members.',
  SCIM_GROUP_DELETED: 'A directory deleted a group.',
  WORKFLOW_ASSOCIATED: 'A workflow was associated with the organization.',
  WORKFLOW_DISSOCIATED: 'A workflow was dissociated.',
  WORKFLOW_EXPORTED: 'A workflow was exported as OSCAL.',
  WORKFLOW_IMPORTED: 'A workflow, titles of one or a mapping were imported.',
  WORKFLOW_IMPORT_DELETED: 'An import was deleted.',
  CONTROL_UPDATED: 'A control was changed.',
  CONTROLS_ASSIGNED: 'A member became the owner of controls.',
  CONTROL_OVERDUE: 'The due date of a control passed.',
  CONTROL_EVIDENCE_EXPIRING: 'The newest document of a control is about to expire, or is stale.',
  DOCUMENT_UPLOADED: 'A document version was uploaded.',
  DOCUMENT_UPDATED: 'The note or the date of a document version was changed.',
  DOCUMENT_DELETED: 'A document version was deleted.',
  DOCUMENT_TRIMMED: 'A document version was removed because newer ones had taken its place.',
  DOCUMENT_DOWNLOADED: 'A document version was downloaded by its signed address.',
  EVIDENCE_PACK_DOWNLOADED: 'The evidence of a workflow was downloaded as an archive.',
  INCIDENT_OPENED: 'An incident was opened.',
  INCIDENT_UPDATED: 'An incident was changed.',
  INCIDENT_CLOSED: 'An incident was closed.',
  INCIDENT_REOPENED: 'A closed incident was opened again.',
  INCIDENT_REJUDGED: 'An incident was judged anew, by the facts of its organization as they were then.',
  REPORT_RECORDED: 'It was recorded that a report of an incident was sent.',
  REPORT_CORRECTED: 'What was recorded about a report was corrected.',
  REPORT_DRAFT_DOWNLOADED: 'The draft of a report was downloaded for printing.',
  REPORT_DUE_SOON: 'The deadline of a report is near.',
  REPORT_OVERDUE: 'The deadline of a report passed, and the report is not recorded as sent.',
  ATTACHMENT_ADDED: 'A file was attached to an incident.',
  ATTACHMENT_DELETED: 'A file of an incident was deleted.',
  ATTACHMENT_DOWNLOADED: 'A file of an incident was downloaded by its signed address.',
  NOTE_ADDED: 'A note was added to an incident.',
  DEVICE_CREATED: 'A device was configured.',
  DEVICE_UPDATED: 'The configuration of a device was changed.',
  DEVICE_DELETED: 'A device was deleted.',
  DEVICE_RESTORED: 'A deleted device was restored.',
  DEVICE_KEY_ROTATED: 'The key of a device was replaced.',
  DEVICE_STATUS_CHANGED: 'A device reported another status, or fell silent.',
  LIST_DOWNLOADED: 'A list was downloaded as CSV or as a workbook.',
  AUDIT_TRAIL_EXPORTED: 'The audit trail was exported.',
  AUDIT_ENTRIES_SET_ASIDE: 'Entries that no gateway had written were taken out of the way of the audit trail.',
  AUDIT_TRAIL_PRUNED: 'Entries were removed from the beginning of the audit trail after their retention.',
  ACCESS_REFUSED: 'A member was refused what its role, or the token that it used, does not allow.',
});

export type AuditAction = keyof typeof AUDIT_ACTIONS;

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
  INVITATION: { text: 'An invitation; its number.', path: `${ORGANIZATION}/invitations/{id}` },
  // An organization reads those of its service accounts alone.
  TOKEN: { text: 'A token; its number.', path: `${ORGANIZATION}/service-accounts/{parent}/tokens/{id}` },
  IDENTITY_PROVIDER: { text: 'An identity provider; its number.', path: `${ORGANIZATION}/identity-providers/{id}` },
  SCIM_TOKEN: { text: 'A token of a directory; its number.', path: `${ORGANIZATION}/scim/tokens/{id}` },
  SCIM_GROUP: { text: 'A group of a directory; its UUID.' },
  WEBHOOK_ENDPOINT: { text: 'A webhook endpoint; its number.', path: `${ORGANIZATION}/webhooks/{id}` },
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

/** Kinds of actors. */
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
