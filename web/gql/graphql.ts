/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A note to add to an incident. Notes are neither changed nor deleted. */
export type AddIncidentNoteInput = {
  /** Which incident. */
  incidentId: string | number;
  /** The organization that has the incident. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** What to note: text, which may be Markdown. 1 to 10,000 characters after trimming. */
  text: string;
};

/** An answer to a request of an auditor. What is absent stays as it is. */
export type AnswerEvidenceRequestInput = {
  /** The answer. 2,000 characters after trimming at most. */
  answer?: string | null | undefined;
  /** Whether it is closed; it cannot be opened again. */
  close?: boolean | null | undefined;
  /** Which engagement. */
  engagementId: string | number;
  /** Which request. */
  evidenceRequestId: string | number;
  /** The organization that is audited. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** The `version` that the change is made to. When there is another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between. */
  version?: number | null | undefined;
};

/** What an entry of an audit trail records. */
export type AuditAction =
  /** A user or a service account was refused what its role, or the token that it used, does not allow. */
  | 'ACCESS_REFUSED'
  /** A file was attached to an incident. */
  | 'ATTACHMENT_ADDED'
  /** A file of an incident was deleted. */
  | 'ATTACHMENT_DELETED'
  /** A file of an incident was downloaded by its signed address. */
  | 'ATTACHMENT_DOWNLOADED'
  /** Another person countersigned the attestation of a control. */
  | 'ATTESTATION_COUNTERSIGNED'
  /** The evidence of an attested control, its mapping or its status is not what was attested any more. */
  | 'ATTESTATION_STALE'
  /** The attestation of a control was withdrawn. */
  | 'ATTESTATION_WITHDRAWN'
  /** A person accepted an invitation to an engagement. */
  | 'AUDITOR_JOINED'
  /** An auditor was removed from an engagement, or erased. */
  | 'AUDITOR_REMOVED'
  /** A checkpoint of the audit trail was signed for its witnesses. */
  | 'AUDIT_CHECKPOINT_SIGNED'
  /** Entries that no gateway had written were taken out of the way of the audit trail. */
  | 'AUDIT_ENTRIES_SET_ASIDE'
  /** The audit trail was exported. */
  | 'AUDIT_TRAIL_EXPORTED'
  /** Entries were removed from the beginning of the audit trail after their retention. */
  | 'AUDIT_TRAIL_PRUNED'
  /** A member became the owner of controls. */
  | 'CONTROLS_ASSIGNED'
  /** The owner of a control attested that it is in place. */
  | 'CONTROL_ATTESTED'
  /** The newest document of a control is about to expire, or is stale. */
  | 'CONTROL_EVIDENCE_EXPIRING'
  /** The due date of a control passed. */
  | 'CONTROL_OVERDUE'
  /** A control was changed. */
  | 'CONTROL_UPDATED'
  /** A device was configured. */
  | 'DEVICE_CREATED'
  /** A device was deleted. */
  | 'DEVICE_DELETED'
  /** The key of a device was replaced. */
  | 'DEVICE_KEY_ROTATED'
  /** A deleted device was restored. */
  | 'DEVICE_RESTORED'
  /** A device went down, by its report or by its silence, or is no longer down. */
  | 'DEVICE_STATUS_CHANGED'
  /** The configuration of a device was changed. */
  | 'DEVICE_UPDATED'
  /** A document version was deleted. */
  | 'DOCUMENT_DELETED'
  /** A document version was downloaded by its signed address. */
  | 'DOCUMENT_DOWNLOADED'
  /** A document version was removed because newer ones had taken its place. */
  | 'DOCUMENT_TRIMMED'
  /** The note or a date of a document version was changed. */
  | 'DOCUMENT_UPDATED'
  /** A document version was uploaded. */
  | 'DOCUMENT_UPLOADED'
  /** An engagement of auditors was created. */
  | 'ENGAGEMENT_CREATED'
  /** An auditor read something in the scope of an engagement. */
  | 'ENGAGEMENT_READ'
  /** The name or the end of an engagement was changed. */
  | 'ENGAGEMENT_UPDATED'
  /** The evidence of a workflow was downloaded as an archive. */
  | 'EVIDENCE_PACK_DOWNLOADED'
  /** An auditor requested evidence of a control. */
  | 'EVIDENCE_REQUESTED'
  /** A request of an auditor was answered or closed. */
  | 'EVIDENCE_REQUEST_ANSWERED'
  /** A domain was proven to be the organization’s own. */
  | 'IDENTITY_DOMAIN_VERIFIED'
  /** A user was linked to a person that an identity provider knows. */
  | 'IDENTITY_LINKED'
  /** An identity provider was connected. */
  | 'IDENTITY_PROVIDER_CREATED'
  /** An identity provider was disconnected; the tokens that it had given were revoked. */
  | 'IDENTITY_PROVIDER_DELETED'
  /** An identity provider was changed, or signing in through it became required or no longer so. */
  | 'IDENTITY_PROVIDER_UPDATED'
  /** An import was cancelled; what it had done stays. */
  | 'IMPORT_CANCELLED'
  /** An import that ran as a job ended: it is done, or it failed. */
  | 'IMPORT_ENDED'
  /** An import was started as a job. */
  | 'IMPORT_STARTED'
  /** Whether an incident is significant was assessed by questions. */
  | 'INCIDENT_ASSESSED'
  /** An incident was closed. */
  | 'INCIDENT_CLOSED'
  /** An incident was opened. */
  | 'INCIDENT_OPENED'
  /** An incident was judged anew, by the facts of its organization at that moment. */
  | 'INCIDENT_REJUDGED'
  /** A closed incident was opened again. */
  | 'INCIDENT_REOPENED'
  /** An incident was changed. */
  | 'INCIDENT_UPDATED'
  /** An invitation was cancelled. */
  | 'INVITATION_CANCELLED'
  /** An invitation was sent again. */
  | 'INVITATION_RESENT'
  /** A list was downloaded as CSV or as a workbook. */
  | 'LIST_DOWNLOADED'
  /** A person was invited. */
  | 'MEMBER_INVITED'
  /** A person became a member. */
  | 'MEMBER_JOINED'
  /** A member left. */
  | 'MEMBER_LEFT'
  /** A member was removed. */
  | 'MEMBER_REMOVED'
  /** The role, the alert preferences or the mail preferences of a member were changed, the member was deactivated or reactivated, or a directory changed its data. */
  | 'MEMBER_UPDATED'
  /** A note was added to an incident. */
  | 'NOTE_ADDED'
  /** The organization was created. */
  | 'ORGANIZATION_CREATED'
  /** It was deleted; it can be restored for 30 days. */
  | 'ORGANIZATION_DELETED'
  /** It was deleted for good, with all but its audit trail. */
  | 'ORGANIZATION_PURGED'
  /** It was restored after it was deleted. */
  | 'ORGANIZATION_RESTORED'
  /** Its profile, settings, branding or logo were changed. */
  | 'ORGANIZATION_UPDATED'
  /** Another member became its owner. */
  | 'OWNERSHIP_TRANSFERRED'
  /** Everything about a user was exported. */
  | 'PROFILE_EXPORTED'
  /** The profile of a user was changed. */
  | 'PROFILE_UPDATED'
  /** The state at an instant was exported, with the entries that prove it. */
  | 'PROOF_EXPORTED'
  /** The report of a rehearsal was downloaded. */
  | 'REHEARSAL_REPORT_DOWNLOADED'
  /** What was recorded about a report was corrected. */
  | 'REPORT_CORRECTED'
  /** The draft of a report was downloaded for printing. */
  | 'REPORT_DRAFT_DOWNLOADED'
  /** The deadline of a report is near. */
  | 'REPORT_DUE_SOON'
  /** The deadline of a report passed, and the report is not recorded as sent. */
  | 'REPORT_OVERDUE'
  /** It was recorded that a report of an incident was sent, provided already, or is not due. */
  | 'REPORT_RECORDED'
  /** A sandbox was emptied, and filled with example data. */
  | 'SANDBOX_RESET'
  /** A directory created a group. */
  | 'SCIM_GROUP_CREATED'
  /** A directory deleted a group. */
  | 'SCIM_GROUP_DELETED'
  /** A directory changed a group or its members. */
  | 'SCIM_GROUP_UPDATED'
  /** A token for a directory was made. */
  | 'SCIM_TOKEN_CREATED'
  /** A token of a directory was revoked. */
  | 'SCIM_TOKEN_REVOKED'
  /** What a directory may do by SCIM was changed. */
  | 'SCIM_UPDATED'
  /** A service account was created. */
  | 'SERVICE_ACCOUNT_CREATED'
  /** A service account was deleted, and its tokens revoked. */
  | 'SERVICE_ACCOUNT_DELETED'
  /** A service account was changed, or the person responsible for it left. */
  | 'SERVICE_ACCOUNT_UPDATED'
  /** A member signed in through an identity provider. */
  | 'SIGNED_IN'
  /** An auditor signed a workflow or a control off. */
  | 'SIGNED_OFF'
  /** An identity provider ended the session of a member, whose token was revoked. */
  | 'SIGNED_OUT'
  /** What the organization is was recorded as a whole: from then on the trail shows what it was. */
  | 'STATE_RECORDED'
  /** A token was blocked in the organization. */
  | 'TOKEN_BLOCKED'
  /** A token was made. */
  | 'TOKEN_CREATED'
  /** A token of a member or a service account expires soon. */
  | 'TOKEN_EXPIRING'
  /** A token was made by a link that had been requested, or by the operator for a user who had lost all others. */
  | 'TOKEN_RECOVERED'
  /** A link for a new token was requested. */
  | 'TOKEN_RECOVERY_REQUESTED'
  /** A token was revoked. */
  | 'TOKEN_REVOKED'
  /** A token was replaced by a new one. */
  | 'TOKEN_ROTATED'
  /** A token was used from an address that is not among its last 20. */
  | 'TOKEN_USED_FROM_NEW_ADDRESS'
  /** A user was erased. */
  | 'USER_ERASED'
  /** A webhook endpoint was created. */
  | 'WEBHOOK_ENDPOINT_CREATED'
  /** A webhook endpoint was deleted. */
  | 'WEBHOOK_ENDPOINT_DELETED'
  /** The gateway disabled a webhook endpoint. */
  | 'WEBHOOK_ENDPOINT_DISABLED'
  /** A webhook endpoint was changed, enabled or disabled. */
  | 'WEBHOOK_ENDPOINT_UPDATED'
  /** Events were put in again for a webhook endpoint. */
  | 'WEBHOOK_REDELIVERED'
  /** The secret of a webhook endpoint was replaced; the old one signs as well for 24 hours. */
  | 'WEBHOOK_SECRET_ROTATED'
  /** A test was sent to a webhook endpoint. */
  | 'WEBHOOK_TESTED'
  /** A workflow was associated with the organization. */
  | 'WORKFLOW_ASSOCIATED'
  /** A workflow was dissociated. */
  | 'WORKFLOW_DISSOCIATED'
  /** A workflow was exported as OSCAL. */
  | 'WORKFLOW_EXPORTED'
  /** A workflow, titles of one or a mapping were imported. */
  | 'WORKFLOW_IMPORTED'
  /** An import was deleted. */
  | 'WORKFLOW_IMPORT_DELETED';

/** What kind of actor did something. */
export type AuditActorType =
  /** A directory, with a token of its own for SCIM. */
  | 'SCIM'
  /** A service account of the organization, with a token. */
  | 'SERVICE_ACCOUNT'
  /** The gateway itself: a periodic job, or a request that needs no token. */
  | 'SYSTEM'
  /** A user, with a token. */
  | 'USER';

/** Which entries of an audit trail to list. All conditions hold at once. */
export type AuditEntryFilter = {
  /** Only those of this action. */
  action?: AuditAction | null | undefined;
  /** Only what this user or service account did: its UUID. 200 characters at most. */
  actorId?: string | number | null | undefined;
  /** Only what this job did: `actor.job` of an entry, such as `signed-address` for downloads without a token. 200 characters at most. */
  actorJob?: string | null | undefined;
  /** Only entries after this place in the trail: in the order of places, a program that follows it misses none. 0 or more. */
  afterPosition?: number | null | undefined;
  /** Only what happened then or later. */
  from?: string | null | undefined;
  /** Only those about the object with this `databaseId`, of a control with its workflow (`iso-27001-2022/A.5.1`); goes with `subjectType`. 200 characters at most. */
  subjectId?: string | number | null | undefined;
  /** Only those about objects of this type. */
  subjectType?: AuditSubjectType | null | undefined;
  /** Only what happened before. */
  to?: string | null | undefined;
};

/** What kind of object an entry of an audit trail is about. */
export type AuditSubjectType =
  /** An edge-protection device; its number. */
  | 'CLOUD_DEFENDER'
  /** A control; the workflow and the control, such as `nis2-directive/21.2.a`. */
  | 'CONTROL'
  /** A document version; its number. */
  | 'DOCUMENT_VERSION'
  /** An engagement of auditors; its number. */
  | 'ENGAGEMENT'
  /** An identity provider; its number. */
  | 'IDENTITY_PROVIDER'
  /** An import that runs as a job; its number. */
  | 'IMPORT_JOB'
  /** An incident; its number. */
  | 'INCIDENT'
  /** A file of an incident; its number. */
  | 'INCIDENT_ATTACHMENT'
  /** An invitation; its number. */
  | 'INVITATION'
  /** A member; the UUID of the user. */
  | 'MEMBER'
  /** The organization; its id is the number. */
  | 'ORGANIZATION'
  /** A group of a directory; its UUID. */
  | 'SCIM_GROUP'
  /** A token of a directory; its number. */
  | 'SCIM_TOKEN'
  /** A service account; its UUID. */
  | 'SERVICE_ACCOUNT'
  /** A threat-blocker device; its number. */
  | 'THREAT_BLOCKER'
  /** A token; its number. */
  | 'TOKEN'
  /** A user; the UUID. */
  | 'USER'
  /** A webhook endpoint of a user; its number. */
  | 'USER_WEBHOOK_ENDPOINT'
  /** A webhook endpoint; its number. */
  | 'WEBHOOK_ENDPOINT'
  /** A workflow; its id in the catalogue or the import. */
  | 'WORKFLOW';

/** How far an organization is with a control or task. */
export type ControlStatus =
  /** Done. */
  | 'DONE'
  /** Under way. */
  | 'IN_PROGRESS'
  /** Does not apply to this organization; the justification says why. */
  | 'NOT_APPLICABLE'
  /** Not begun: what every control is at first. */
  | 'TO_DO';

/** The audit trail to sign. */
export type CreateAuditCheckpointInput = {
  /** Which organization. */
  organizationId: string | number;
};

/** How a device, or a part of it, is. */
export type DeviceHealth =
  /** Works in part. */
  | 'DEGRADED'
  /** Does not work. */
  | 'DOWN'
  /** Works. */
  | 'HEALTHY'
  /** Not checked, or not reported yet. */
  | 'UNKNOWN';

/** What an event reports. There will be more of them: pass over those that you do not know. */
export type EventType =
  /** A user or a service account was refused what its role, or the token that it used, does not allow. */
  | 'ACCESS_REFUSED'
  /** A file was attached to an incident. */
  | 'ATTACHMENT_ADDED'
  /** A file of an incident was deleted. */
  | 'ATTACHMENT_DELETED'
  /** A file of an incident was downloaded by its signed address. */
  | 'ATTACHMENT_DOWNLOADED'
  /** Another person countersigned the attestation of a control. */
  | 'ATTESTATION_COUNTERSIGNED'
  /** The evidence of an attested control, its mapping or its status is not what was attested any more. */
  | 'ATTESTATION_STALE'
  /** The attestation of a control was withdrawn. */
  | 'ATTESTATION_WITHDRAWN'
  /** A person accepted an invitation to an engagement. */
  | 'AUDITOR_JOINED'
  /** An auditor was removed from an engagement, or erased. */
  | 'AUDITOR_REMOVED'
  /** A checkpoint of the audit trail was signed for its witnesses. */
  | 'AUDIT_CHECKPOINT_SIGNED'
  /** Entries that no gateway had written were taken out of the way of the audit trail. */
  | 'AUDIT_ENTRIES_SET_ASIDE'
  /** The audit trail was exported. */
  | 'AUDIT_TRAIL_EXPORTED'
  /** Entries were removed from the beginning of the audit trail after their retention. */
  | 'AUDIT_TRAIL_PRUNED'
  /** A member became the owner of controls. */
  | 'CONTROLS_ASSIGNED'
  /** The owner of a control attested that it is in place. */
  | 'CONTROL_ATTESTED'
  /** The newest document of a control is about to expire, or is stale. */
  | 'CONTROL_EVIDENCE_EXPIRING'
  /** The due date of a control passed. */
  | 'CONTROL_OVERDUE'
  /** A control was changed. */
  | 'CONTROL_UPDATED'
  /** A device was configured. */
  | 'DEVICE_CREATED'
  /** A device was deleted. */
  | 'DEVICE_DELETED'
  /** The key of a device was replaced. */
  | 'DEVICE_KEY_ROTATED'
  /** A deleted device was restored. */
  | 'DEVICE_RESTORED'
  /** A device went down, by its report or by its silence, or is no longer down. */
  | 'DEVICE_STATUS_CHANGED'
  /** The configuration of a device was changed. */
  | 'DEVICE_UPDATED'
  /** A document version was deleted. */
  | 'DOCUMENT_DELETED'
  /** A document version was downloaded by its signed address. */
  | 'DOCUMENT_DOWNLOADED'
  /** A document version was removed because newer ones had taken its place. */
  | 'DOCUMENT_TRIMMED'
  /** The note or a date of a document version was changed. */
  | 'DOCUMENT_UPDATED'
  /** A document version was uploaded. */
  | 'DOCUMENT_UPLOADED'
  /** An engagement of auditors was created. */
  | 'ENGAGEMENT_CREATED'
  /** An auditor read something in the scope of an engagement. */
  | 'ENGAGEMENT_READ'
  /** The name or the end of an engagement was changed. */
  | 'ENGAGEMENT_UPDATED'
  /** The evidence of a workflow was downloaded as an archive. */
  | 'EVIDENCE_PACK_DOWNLOADED'
  /** An auditor requested evidence of a control. */
  | 'EVIDENCE_REQUESTED'
  /** A request of an auditor was answered or closed. */
  | 'EVIDENCE_REQUEST_ANSWERED'
  /** A domain was proven to be the organization’s own. */
  | 'IDENTITY_DOMAIN_VERIFIED'
  /** A user was linked to a person that an identity provider knows. */
  | 'IDENTITY_LINKED'
  /** An identity provider was connected. */
  | 'IDENTITY_PROVIDER_CREATED'
  /** An identity provider was disconnected; the tokens that it had given were revoked. */
  | 'IDENTITY_PROVIDER_DELETED'
  /** An identity provider was changed, or signing in through it became required or no longer so. */
  | 'IDENTITY_PROVIDER_UPDATED'
  /** An import was cancelled; what it had done stays. */
  | 'IMPORT_CANCELLED'
  /** An import that ran as a job ended: it is done, or it failed. */
  | 'IMPORT_ENDED'
  /** An import was started as a job. */
  | 'IMPORT_STARTED'
  /** Whether an incident is significant was assessed by questions. */
  | 'INCIDENT_ASSESSED'
  /** An incident was closed. */
  | 'INCIDENT_CLOSED'
  /** An incident was opened. */
  | 'INCIDENT_OPENED'
  /** An incident was judged anew, by the facts of its organization at that moment. */
  | 'INCIDENT_REJUDGED'
  /** A closed incident was opened again. */
  | 'INCIDENT_REOPENED'
  /** An incident was changed. */
  | 'INCIDENT_UPDATED'
  /** An invitation was cancelled. */
  | 'INVITATION_CANCELLED'
  /** An invitation was sent again. */
  | 'INVITATION_RESENT'
  /** A list was downloaded as CSV or as a workbook. */
  | 'LIST_DOWNLOADED'
  /** A person was invited. */
  | 'MEMBER_INVITED'
  /** A person became a member. */
  | 'MEMBER_JOINED'
  /** A member left. */
  | 'MEMBER_LEFT'
  /** A member was removed. */
  | 'MEMBER_REMOVED'
  /** The role, the alert preferences or the mail preferences of a member were changed, the member was deactivated or reactivated, or a directory changed its data. */
  | 'MEMBER_UPDATED'
  /** A note was added to an incident. */
  | 'NOTE_ADDED'
  /** The organization was created. */
  | 'ORGANIZATION_CREATED'
  /** It was deleted; it can be restored for 30 days. */
  | 'ORGANIZATION_DELETED'
  /** It was deleted for good, with all but its audit trail. */
  | 'ORGANIZATION_PURGED'
  /** It was restored after it was deleted. */
  | 'ORGANIZATION_RESTORED'
  /** Its profile, settings, branding or logo were changed. */
  | 'ORGANIZATION_UPDATED'
  /** Another member became its owner. */
  | 'OWNERSHIP_TRANSFERRED'
  /** The state at an instant was exported, with the entries that prove it. */
  | 'PROOF_EXPORTED'
  /** The report of a rehearsal was downloaded. */
  | 'REHEARSAL_REPORT_DOWNLOADED'
  /** What was recorded about a report was corrected. */
  | 'REPORT_CORRECTED'
  /** The draft of a report was downloaded for printing. */
  | 'REPORT_DRAFT_DOWNLOADED'
  /** The deadline of a report is near. */
  | 'REPORT_DUE_SOON'
  /** The deadline of a report passed, and the report is not recorded as sent. */
  | 'REPORT_OVERDUE'
  /** It was recorded that a report of an incident was sent, provided already, or is not due. */
  | 'REPORT_RECORDED'
  /** A sandbox was emptied, and filled with example data. */
  | 'SANDBOX_RESET'
  /** A directory created a group. */
  | 'SCIM_GROUP_CREATED'
  /** A directory deleted a group. */
  | 'SCIM_GROUP_DELETED'
  /** A directory changed a group or its members. */
  | 'SCIM_GROUP_UPDATED'
  /** A token for a directory was made. */
  | 'SCIM_TOKEN_CREATED'
  /** A token of a directory was revoked. */
  | 'SCIM_TOKEN_REVOKED'
  /** What a directory may do by SCIM was changed. */
  | 'SCIM_UPDATED'
  /** A service account was created. */
  | 'SERVICE_ACCOUNT_CREATED'
  /** A service account was deleted, and its tokens revoked. */
  | 'SERVICE_ACCOUNT_DELETED'
  /** A service account was changed, or the person responsible for it left. */
  | 'SERVICE_ACCOUNT_UPDATED'
  /** A member signed in through an identity provider. */
  | 'SIGNED_IN'
  /** An auditor signed a workflow or a control off. */
  | 'SIGNED_OFF'
  /** An identity provider ended the session of a member, whose token was revoked. */
  | 'SIGNED_OUT'
  /** What the organization is was recorded as a whole: from then on the trail shows what it was. */
  | 'STATE_RECORDED'
  /** A token was blocked in the organization. */
  | 'TOKEN_BLOCKED'
  /** A token was made. */
  | 'TOKEN_CREATED'
  /** A token of a member or a service account expires soon. */
  | 'TOKEN_EXPIRING'
  /** A token was made by a link that had been requested, or by the operator for a user who had lost all others. */
  | 'TOKEN_RECOVERED'
  /** A token was revoked. */
  | 'TOKEN_REVOKED'
  /** A token was replaced by a new one. */
  | 'TOKEN_ROTATED'
  /** A token was used from an address that is not among its last 20. */
  | 'TOKEN_USED_FROM_NEW_ADDRESS'
  /** A webhook endpoint was created. */
  | 'WEBHOOK_ENDPOINT_CREATED'
  /** A webhook endpoint was deleted. */
  | 'WEBHOOK_ENDPOINT_DELETED'
  /** The gateway disabled a webhook endpoint. */
  | 'WEBHOOK_ENDPOINT_DISABLED'
  /** A webhook endpoint was changed, enabled or disabled. */
  | 'WEBHOOK_ENDPOINT_UPDATED'
  /** Events were put in again for a webhook endpoint. */
  | 'WEBHOOK_REDELIVERED'
  /** The secret of a webhook endpoint was replaced; the old one signs as well for 24 hours. */
  | 'WEBHOOK_SECRET_ROTATED'
  /** A test was sent to a webhook endpoint. */
  | 'WEBHOOK_TESTED'
  /** A workflow was associated with the organization. */
  | 'WORKFLOW_ASSOCIATED'
  /** A workflow was dissociated. */
  | 'WORKFLOW_DISSOCIATED'
  /** A workflow was exported as OSCAL. */
  | 'WORKFLOW_EXPORTED'
  /** A workflow, titles of one or a mapping were imported. */
  | 'WORKFLOW_IMPORTED'
  /** An import was deleted. */
  | 'WORKFLOW_IMPORT_DELETED';

/** Whether evidence still shows that a control is met. */
export type EvidenceState =
  /** It does, for 30 days at most. */
  | 'EXPIRING'
  /** It does. */
  | 'FRESH'
  /** Its last day has passed where the organization is: newer evidence is needed. */
  | 'STALE';

/** What an application has got at the end of a sign-in. */
export type ExchangeSignInCodeInput = {
  /** The parameter `code` of the redirect address. */
  code: string;
  /** The PKCE verifier whose S256 challenge began the sign-in. */
  codeVerifier: string;
  /** The redirect address that the sign-in was begun with. */
  redirectUri: string;
};

/** A category that a law has incidents reported under; `categories` of a reporting regime say what falls under each. */
export type IncidentCategory =
  /** IS-1 */
  | 'IS_1'
  /** IS-2 */
  | 'IS_2'
  /** IS-3 */
  | 'IS_3'
  /** IS-4 */
  | 'IS_4';

/** Which incidents to list. All conditions hold at once. */
export type IncidentFilter = {
  /** Only those exactly this bad. */
  severity?: IncidentSeverity | null | undefined;
  /** Only significant ones, or only those that are not. */
  significant?: boolean | null | undefined;
  /** Only those of this status. */
  status?: IncidentStatus | null | undefined;
};

/** A report that reporting regimes ask for, in the order in which they are sent; then what people concerned are sent. */
export type IncidentReportStage =
  /** What the people concerned learn of it, such as data subjects or users; at any time. */
  | 'COMMUNICATION'
  /** The early warning. */
  | 'EARLY_WARNING'
  /** The final report. */
  | 'FINAL_REPORT'
  /** A report between the notification and the final one: on request of the authority, or as the law asks. */
  | 'INTERMEDIATE_REPORT'
  /** The notification. */
  | 'NOTIFICATION'
  /** A report on an incident that is still being handled. */
  | 'PROGRESS_REPORT'
  /** What recipients of services can do against a significant cyber threat; at any time. */
  | 'THREAT_COMMUNICATION';

/** How bad an incident is. */
export type IncidentSeverity =
  /** The organization cannot go on as usual. */
  | 'CRITICAL'
  /** Services or data are affected. */
  | 'HIGH'
  /** Hardly noticed. */
  | 'LOW'
  /** Noticed and contained. */
  | 'MEDIUM';

/** Where a report stands. It is derived from the facts of the incident, exact to the second. */
export type IncidentStageState =
  /** Not sent, and its deadline is near. */
  | 'DUE_SOON'
  /** Not owed, as things stand, or recorded as not due. */
  | 'NOT_REQUIRED'
  /** Due, and not sent. */
  | 'OVERDUE'
  /** Not sent, and not due soon; without a deadline it waits for what its deadline is counted from, or the law gives no hours. */
  | 'PENDING'
  /** Sent, or recorded as provided already. */
  | 'SENT'
  /** Required only in some cases, as `reason` says: a person decides. It is not owed until then. */
  | 'TO_BE_DECIDED';

/** The progress of handling an incident. */
export type IncidentStatus =
  /** Nothing is left to do. */
  | 'CLOSED'
  /** No longer spreading. */
  | 'CONTAINED'
  /** Being looked into. */
  | 'OPEN'
  /** Its cause is removed. */
  | 'RESOLVED';

/** An incident to open. */
export type OpenIncidentInput = {
  /** Whether a trust service that it affects is a qualified one (eIDAS Article 24(2)(fb)): true only where `affectsTrustService` is. */
  affectsQualifiedTrustService?: boolean | null | undefined;
  /** Whether it affects a trust service of the organization. */
  affectsTrustService?: boolean | null | undefined;
  /** When the organization became aware; not in the future. Now when absent. */
  awareAt?: string | null | undefined;
  /** The category of a regime that applies, such as `IS-1` of Italy. */
  category?: IncidentCategory | null | undefined;
  /** When it was classified as a major ICT-related incident (DORA Article 18): not in the future, not before awareness. */
  classifiedAt?: string | null | undefined;
  /** Whether it may have an impact in other countries. */
  crossBorder?: boolean | null | undefined;
  /** What happened, at length. 10,000 characters at most. */
  description?: string | null | undefined;
  /** Whether a vulnerability of a product that the organization makes is actively exploited (CRA Article 14(1)). */
  exploitedVulnerability?: boolean | null | undefined;
  /** When a corrective or mitigating measure became available; not in the future. */
  fixAvailableAt?: string | null | undefined;
  /** When its handling ended: not in the future, not before awareness. Final reports are due after it. */
  handledAt?: string | null | undefined;
  /** What harm it does, and to whom. 10,000 characters at most. */
  impact?: string | null | undefined;
  /** Indicators of compromise. 10,000 characters at most. */
  indicators?: string | null | undefined;
  /** The deadline of the intermediate report that an authority requested last. */
  intermediateReportDueAt?: string | null | undefined;
  /** What is done against it. 10,000 characters at most. */
  mitigation?: string | null | undefined;
  /** When it occurred, where that is known: not in the future, not after awareness. The time of a qualified provider of trust services counts from it (eIDAS Article 24(2)(fb)). */
  occurredAt?: string | null | undefined;
  /** The organization that has the incident. */
  organizationId: string | number;
  /** Whether it is a personal data breach (GDPR Article 33). */
  personalDataConcerned?: boolean | null | undefined;
  /** Whether it is severe and affects the security of a product that the organization makes (CRA Article 14(3)). */
  productConcerned?: boolean | null | undefined;
  /** Whether it is a rehearsal, in a sandbox: periods are 60 times shorter. */
  rehearsal?: boolean | null | undefined;
  /** What caused it. 10,000 characters at most. */
  rootCause?: string | null | undefined;
  /** How bad it is. */
  severity: IncidentSeverity;
  /** Whether it is significant in the sense of NIS 2 Article 23(3); false when absent. */
  significant?: boolean | null | undefined;
  /** Whether unlawful or malicious acts are suspected. */
  suspectedMalicious?: boolean | null | undefined;
  /** What happened, in one line. 1 to 200 characters after trimming. */
  title: string;
};

/** Which controls to list. All conditions hold at once. */
export type OrganizationControlFilter = {
  /** Only overdue ones, or only those that are not. */
  overdue?: boolean | null | undefined;
  /** Only those that the member with this user id answers for. */
  ownerId?: string | number | null | undefined;
  /** Only those directly below this heading. */
  parentId?: string | number | null | undefined;
  /** Only those of this status. Headings are left out: theirs counts nowhere. */
  status?: ControlStatus | null | undefined;
};

/** Which members to list. All conditions hold at once. */
export type OrganizationUserFilter = {
  /** Only those who have access, or only the deactivated ones. */
  active?: boolean | null | undefined;
  /** Only members of exactly this role. */
  role?: Role | null | undefined;
  /** Only members whose name, user name or e-mail address contains this text; case and accents make no difference. 200 characters at most. */
  search?: string | null | undefined;
};

/** How to order the organizations of a portfolio. */
export type PortfolioOrder = {
  /** Which way. */
  direction?: SortDirection | null | undefined;
  /** What to order by. */
  field: PortfolioSortField;
};

/** What the organizations of a portfolio are ordered by. */
export type PortfolioSortField =
  /** By when they were created. */
  | 'CREATED_AT'
  /** By name. */
  | 'NAME'
  /** By the earliest deadline of a report that is owed; those that owe none come last either way. */
  | 'NEXT_DEADLINE'
  /** By how many controls are overdue. */
  | 'OVERDUE_CONTROLS';

/** Something that a caller may do in an organization. It takes a role that is high enough and a token whose scopes allow it. */
export type Privilege =
  /** Answer and close requests of auditors. */
  | 'ANSWER_REQUESTS'
  /** Attach files to incidents. */
  | 'ATTACH_FILES'
  /** Attest controls that one answers for. */
  | 'ATTEST_CONTROLS'
  /** Block tokens of members and service accounts in the organization. */
  | 'BLOCK_TOKENS'
  /** Correct or take back recorded reports, record one as not due, and change what puts a report off. */
  | 'CORRECT_REPORTS'
  /** Countersign and withdraw attestations of others. */
  | 'COUNTERSIGN_ATTESTATIONS'
  /** Delete document versions and files of incidents that others have uploaded. */
  | 'DELETE_EVIDENCE'
  /** Delete the organization. */
  | 'DELETE_ORGANIZATION'
  /** Open and edit incidents. */
  | 'EDIT_INCIDENTS'
  /** Leave the organization; its last owner cannot. */
  | 'LEAVE_ORGANIZATION'
  /** List the invitations of the organization. */
  | 'LIST_INVITATIONS'
  /** List the users of the organization. */
  | 'LIST_MEMBERS'
  /** List the service accounts of the organization and their tokens. */
  | 'LIST_SERVICE_ACCOUNTS'
  /** List the tokens of members and service accounts that may act in the organization. */
  | 'LIST_TOKENS'
  /** Change the branding. */
  | 'MANAGE_BRANDING'
  /** Create, change, delete and restore device configurations. */
  | 'MANAGE_DEVICES'
  /** Create, change and end engagements of auditors. */
  | 'MANAGE_ENGAGEMENTS'
  /** Connect identity providers, and require them. */
  | 'MANAGE_IDENTITY_PROVIDERS'
  /** Invite, change and remove members below ORGANIZATION_MANAGER. */
  | 'MANAGE_MEMBERS'
  /** Invite, change and remove members of any rank. */
  | 'MANAGE_OWNERS'
  /** Let a directory provision members by SCIM. */
  | 'MANAGE_SCIM'
  /** Create, change and delete service accounts below ORGANIZATION_MANAGER, and their tokens. */
  | 'MANAGE_SERVICE_ACCOUNTS'
  /** Change the profile and the settings of the organization. */
  | 'MANAGE_SETTINGS'
  /** Manage webhooks. */
  | 'MANAGE_WEBHOOKS'
  /** Associate workflows with the organization, take them away, and import them. */
  | 'MANAGE_WORKFLOWS'
  /** Read who did what. */
  | 'READ_AUDIT_TRAIL'
  /** Read the branding. */
  | 'READ_BRANDING'
  /** Read device configurations. */
  | 'READ_DEVICES'
  /** Read and download document versions. */
  | 'READ_DOCUMENTS'
  /** Read the engagements of auditors, their requests and their sign-offs. */
  | 'READ_ENGAGEMENTS'
  /** See which identity providers are connected. */
  | 'READ_IDENTITY_PROVIDERS'
  /** Read incidents and their attachments. */
  | 'READ_INCIDENTS'
  /** Read the organization itself. */
  | 'READ_ORGANIZATION'
  /** See the weekly report as it would go out, and what became of those that did. */
  | 'READ_REPORTS'
  /** See what a directory may do by SCIM, and its tokens. */
  | 'READ_SCIM'
  /** Read webhook endpoints, and what was sent to them. */
  | 'READ_WEBHOOKS'
  /** Read the workflows of the organization and how far their controls are. */
  | 'READ_WORKFLOWS'
  /** Open closed incidents again. */
  | 'REOPEN_INCIDENTS'
  /** Report the checks of devices, with a token for telemetry. */
  | 'REPORT_CHECKS'
  /** Restore the organization after it was deleted. */
  | 'RESTORE_ORGANIZATION'
  /** Set after how many days entries of the audit trail are removed, and who is mailed its checkpoints. */
  | 'SET_AUDIT_RETENTION'
  /** Set status, owner and due date of controls. */
  | 'SET_CONTROL_STATUS'
  /** Choose which alerts and mails of the organization one wants for oneself. */
  | 'SET_OWN_ALERTS'
  /** Hand the ownership over. */
  | 'TRANSFER_ORGANIZATION'
  /** Upload document versions. */
  | 'UPLOAD_DOCUMENTS';

/** A delivery to send again. */
export type RedeliverWebhookInput = {
  /** The organization that has the endpoint; none where a user has it. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** Which kind of endpoint it has to be: one of the other kind is absent. Any when absent. */
  scope?: WebhookScope | null | undefined;
  /** Which delivery. */
  webhookDeliveryId: string | number;
  /** Which endpoint. */
  webhookEndpointId: string | number;
};

/** How the duty to report was met. */
export type ReportManner =
  /** It was not sent, because an earlier report had said all that it would say. */
  | 'ALREADY_PROVIDED'
  /** It was not sent, because the law does not ask for it in this case. */
  | 'NOT_DUE'
  /** The report was sent. */
  | 'SENT';

/** Evidence to ask for. */
export type RequestEvidenceInput = {
  /** The control. */
  controlId: string | number;
  /** Which engagement. */
  engagementId: string | number;
  /** The organization that is audited. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** What is requested. 1 to 2,000 characters after trimming. */
  text: string;
  /** The workflow. */
  workflowId: string | number;
};

/** A token of the caller to revoke. */
export type RevokeApiTokenInput = {
  /** Which token. */
  tokenId: string | number;
  /** The `version` that the change is made to. When there is another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between. */
  version?: number | null | undefined;
};

/** What a user is in one organization. Roles are ranked; each has all privileges of those ranked below it. */
export type Role =
  /** Rank 0: no member; reads what is in the scope of an engagement until that ends, and writes requests and sign-offs only. */
  | 'AUDITOR'
  /** Rank 4: also manages the organization: devices, workflows, branding, settings, webhooks, members. */
  | 'ORGANIZATION_MANAGER'
  /** Rank 5: also decides on owners, transfer, deletion and restoring. */
  | 'ORGANIZATION_OWNER'
  /** Rank 2: also uploads documents, edits incidents, attaches files and sets the status of controls. */
  | 'SECURITY_ANALYST'
  /** Rank 3: also lists the members, reads the audit trail, deletes evidence, reopens incidents. */
  | 'SECURITY_OFFICER'
  /** Rank 1: reads the organization, its workflows, documents, incidents and branding. */
  | 'VIEWER';

/** A token of the caller to put a new one in the place of. */
export type RotateApiTokenInput = {
  /** When the new token ends: after as long as the old one was made for when absent, in 365 days at most. */
  expiresAt?: string | null | undefined;
  /** Hours that the old token goes on, unless it ends sooner; 24 when absent. 0 to 168. */
  graceHours?: number | null | undefined;
  /** Which token. */
  tokenId: string | number;
  /** The `version` that the change is made to. When there is another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between. */
  version?: number | null | undefined;
};

/** A webhook endpoint whose secret is to be replaced. */
export type RotateWebhookSecretInput = {
  /** The organization that has the endpoint; none where a user has it. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** Which kind of endpoint it has to be: one of the other kind is absent. Any when absent. */
  scope?: WebhookScope | null | undefined;
  /** The `version` that the change is made to. When there is another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between. */
  version?: number | null | undefined;
  /** Which endpoint. */
  webhookEndpointId: string | number;
};

/** A webhook endpoint to send a test to. */
export type SendTestWebhookInput = {
  /** The organization that has the endpoint; none where a user has it. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** Which kind of endpoint it has to be: one of the other kind is absent. Any when absent. */
  scope?: WebhookScope | null | undefined;
  /** Which endpoint. */
  webhookEndpointId: string | number;
};

/** A statement of an auditor. */
export type SignOffInput = {
  /** The control; the workflow as a whole when absent. */
  controlId?: string | number | null | undefined;
  /** Which engagement. */
  engagementId: string | number;
  /** The organization that is audited. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** The statement, which is never changed. 1 to 2,000 characters after trimming. */
  statement: string;
  /** The workflow. */
  workflowId: string | number;
};

/** Which way a list is ordered. */
export type SortDirection =
  /** Smallest, earliest or first of the alphabet first. */
  | 'ASC'
  /** Largest, latest or last of the alphabet first. */
  | 'DESC';

/** How a token came to be. */
export type TokenOrigin =
  /** By a request of its user, or of a manager of its service account; by an invitation, or by a link that was mailed. */
  | 'API'
  /** The operator has made it for a user who had lost all others: it reaches organizations that require a provider, too. */
  | 'OPERATOR'
  /** By signing in through an identity provider: it reaches the organization of that provider and no other. */
  | 'SIGN_IN';

/** What a token may be used for. A scope narrows what its user may do and never widens it. */
export type TokenScope =
  /** Running the GraphQL documents that the operator has registered, whether they read or change, and nothing else. It goes alone. */
  | 'DOCUMENTS'
  /** Reading. */
  | 'READ'
  /** Reporting the checks of devices, and nothing else. */
  | 'TELEMETRY'
  /** Changing. */
  | 'WRITE';

/** A control to change. An absent field stays as it is; null clears. */
export type UpdateControlInput = {
  /** Which control of the workflow. */
  controlId: string | number;
  /** By which day it is to be done. */
  dueDate?: string | null | undefined;
  /** Why it was chosen, such as a risk, a law or a contract; for the statement of applicability. 2,000 characters at most. */
  inclusionReason?: string | null | undefined;
  /** Why it does not apply: required with `NOT_APPLICABLE`, and with no other status. 2,000 characters after trimming at most. */
  justification?: string | null | undefined;
  /** What the members should know of it. 5,000 characters at most. */
  note?: string | null | undefined;
  /** Which organization. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** User id of the member who answers for it; must be an active one. */
  ownerId?: string | number | null | undefined;
  /** After how many months evidence without a last day of its own is stale; null means never. 1 to 120. */
  reviewIntervalMonths?: number | null | undefined;
  /** How far the organization is; must not be null. That of a heading, a control with others below it, is kept and counts nowhere. */
  status?: ControlStatus | null | undefined;
  /** The `version` that the change is made to. When there is another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between. */
  version?: number | null | undefined;
  /** Which of its workflows. */
  workflowId: string | number;
};

/** What to change of an incident. What is absent stays as it is; null empties what may be empty. */
export type UpdateIncidentInput = {
  /** Whether a trust service that it affects is a qualified one (eIDAS Article 24(2)(fb)): true only where `affectsTrustService` is. */
  affectsQualifiedTrustService?: boolean | null | undefined;
  /** Whether it affects a trust service of the organization. */
  affectsTrustService?: boolean | null | undefined;
  /** When the organization became aware: not in the future, not after a report that was sent. */
  awareAt?: string | null | undefined;
  /** The category of a regime that applies, such as `IS-1` of Italy. */
  category?: IncidentCategory | null | undefined;
  /** When it was classified as a major ICT-related incident (DORA Article 18): not in the future, not before awareness. */
  classifiedAt?: string | null | undefined;
  /** Whether it may have an impact in other countries. */
  crossBorder?: boolean | null | undefined;
  /** What happened, at length; null empties it. 10,000 characters at most. */
  description?: string | null | undefined;
  /** Whether a vulnerability of a product that the organization makes is actively exploited (CRA Article 14(1)). */
  exploitedVulnerability?: boolean | null | undefined;
  /** When a corrective or mitigating measure became available; not in the future. */
  fixAvailableAt?: string | null | undefined;
  /** When its handling ended: not in the future, not before awareness. Final reports are due after it. */
  handledAt?: string | null | undefined;
  /** What harm it does, and to whom. 10,000 characters at most. */
  impact?: string | null | undefined;
  /** Which incident. */
  incidentId: string | number;
  /** Indicators of compromise. 10,000 characters at most. */
  indicators?: string | null | undefined;
  /** The deadline of the intermediate report that an authority requested last. */
  intermediateReportDueAt?: string | null | undefined;
  /** What is done against it. 10,000 characters at most. */
  mitigation?: string | null | undefined;
  /** When it occurred, where that is known: not in the future, not after awareness. The time of a qualified provider of trust services counts from it (eIDAS Article 24(2)(fb)). */
  occurredAt?: string | null | undefined;
  /** The organization that has the incident. May be absent beside a global id. */
  organizationId?: string | number | null | undefined;
  /** Whether it is a personal data breach (GDPR Article 33). */
  personalDataConcerned?: boolean | null | undefined;
  /** Whether it is severe and affects the security of a product that the organization makes (CRA Article 14(3)). */
  productConcerned?: boolean | null | undefined;
  /** Why it is changed, for the audit trail. Required, of at least a SECURITY_OFFICER, where a report may then be sent later or not at all: for a later `awareAt`, for `significant: false`, and for whatever else moves a deadline forward or takes it away. 1 to 1,000 characters after trimming. */
  reason?: string | null | undefined;
  /** What caused it. 10,000 characters at most. */
  rootCause?: string | null | undefined;
  /** How bad it is. */
  severity?: IncidentSeverity | null | undefined;
  /** Whether it is significant in the sense of NIS 2 Article 23(3). */
  significant?: boolean | null | undefined;
  /** How far its handling has come: `OPEN`, `CONTAINED` or `RESOLVED`. Closing is a change of its own. */
  status?: IncidentStatus | null | undefined;
  /** Whether unlawful or malicious acts are suspected. */
  suspectedMalicious?: boolean | null | undefined;
  /** What happened, in one line. 1 to 200 characters after trimming. */
  title?: string | null | undefined;
  /** The `version` that the change is made to. When there is another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between. */
  version?: number | null | undefined;
};

/** Which deliveries to list. All conditions hold at once. */
export type WebhookDeliveryFilter = {
  /** Only that of this event. */
  eventId?: string | number | null | undefined;
  /** Only those that have become of so. */
  status?: WebhookDeliveryStatus | null | undefined;
};

/** What has become of a delivery. */
export type WebhookDeliveryStatus =
  /** The receiver has accepted it with a status from 200 to 299. */
  | 'DELIVERED'
  /** It was given up. */
  | 'FAILED'
  /** It waits for its turn or for another attempt. */
  | 'PENDING';

/** Why a webhook endpoint is disabled. */
export type WebhookDisabledReason =
  /** The receiver has accepted nothing for five days. */
  | 'FAILING'
  /** The receiver has answered 410: it wants nothing any more. */
  | 'GONE'
  /** The member who had enabled it has left, was deactivated, or may not manage webhooks any more. */
  | 'MEMBER_LEFT'
  /** A member has disabled it. */
  | 'REQUESTED';

/** What is sent to a webhook endpoint. */
export type WebhookFormat =
  /** The event, as `GET /api/v1/events` answers it. */
  | 'EVENT'
  /** An event of the class Entity Management (3004) of OCSF 1.3. */
  | 'OCSF'
  /** A message for an incoming webhook of Slack. */
  | 'SLACK'
  /** A message with an Adaptive Card, for a workflow of Microsoft Teams. */
  | 'TEAMS';

/** Whose events a webhook endpoint gets. */
export type WebhookScope =
  /** Those of every organization that one user manages at the moment at which an event is sent. The user has the endpoint. */
  | 'MANAGED_ORGANIZATIONS'
  /** Those of one organization, whose managers have the endpoint. */
  | 'ORGANIZATION';

/** Whether anything is sent. */
export type WebhookStatus =
  /** Nothing is sent. */
  | 'DISABLED'
  /** Events are sent. */
  | 'ENABLED';

export type AuditTrailPageQueryVariables = Exact<{
  id: string | number;
}>;


export type AuditTrailPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null };

export type AuditEntriesQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
  filter?: AuditEntryFilter | null | undefined;
}>;


export type AuditEntriesQuery = { organization: { auditTrail: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ position: number, at: string, action: AuditAction, reason: string | null, hash: string, actor: { type: AuditActorType, job: string | null, user: { username: string } | null }, subject: { type: AuditSubjectType, databaseId: string, name: string | null }, changes: Array<{ field: string, before: unknown, after: unknown }> }> } | null } | null };

export type VerifyTrailQueryVariables = Exact<{
  id: string | number;
}>;


export type VerifyTrailQuery = { organization: { auditTrailVerification: { valid: boolean, entries: number, checkpoints: number, verifiedFrom: number, verifiedUpTo: number, fault: { message: string, position: number } | null } | null } | null };

export type SignCheckpointMutationVariables = Exact<{
  input: CreateAuditCheckpointInput;
}>;


export type SignCheckpointMutation = { createAuditCheckpoint: { checkpoint: { log: string, number: number | null, position: number, hash: string, at: string, previous: string | null, chainSignature: string | null, keyId: string, signature: string } } | null };

export type ProofUrlQueryVariables = Exact<{
  id: string | number;
  asOf?: string | null | undefined;
}>;


export type ProofUrlQuery = { organization: { proofUrl: string | null } | null };

export type ControlPageQueryVariables = Exact<{
  organizationId: string | number;
  workflowId: string | number;
  controlId: string | number;
  language?: string | null | undefined;
}>;


export type ControlPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null, organizationControl: { label: string, text: string | null, justification: string | null, overdue: boolean, evidenceState: EvidenceState | null, controlId: string, version: number, status: ControlStatus, dueDate: string | null, note: string | null, viewerCan: { update: boolean }, workflow: { name: string } | null, evidence: { total: number, validUntil: string | null, sources: Array<{ workflowId: string, controlId: string, label: string, documents: number, workflow: { name: string } | null }> }, documentVersions: { totalCount: number, nodes: Array<{ databaseId: number, filename: string, createdAt: string, evidenceState: EvidenceState, validUntil: string | null, note: string | null, createdBy: { username: string } }> }, owner: { userId: string, username: string } | null } | null };

export type DocumentUrlQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
}>;


export type DocumentUrlQuery = { documentVersion: { downloadUrl: string } | null };

type DeviceState_CloudDefender_Fragment = { endpoint: string, email: string, services: Array<string>, lastSeenAt: string | null, deletedAt: string | null, organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } };

type DeviceState_ThreatBlocker_Fragment = { endpoint: string, email: string, services: Array<string>, lastSeenAt: string | null, deletedAt: string | null, organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } };

export type DeviceStateFragment =
  | DeviceState_CloudDefender_Fragment
  | DeviceState_ThreatBlocker_Fragment
;

export type CloudDefenderPageQueryVariables = Exact<{
  id: string | number;
}>;


export type CloudDefenderPageQuery = { cloudDefender: { fqdn: string, endpoint: string, email: string, services: Array<string>, lastSeenAt: string | null, deletedAt: string | null, check: { status: DeviceHealth, series: { points: Array<{ begin: string, status: DeviceHealth }> } }, organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } } | null };

export type ThreatBlockerPageQueryVariables = Exact<{
  id: string | number;
}>;


export type ThreatBlockerPageQuery = { threatBlocker: { endpoint: string, email: string, services: Array<string>, lastSeenAt: string | null, deletedAt: string | null, check: { status: DeviceHealth, series: { points: Array<{ begin: string, status: DeviceHealth }> } }, organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } } | null };

export type EngagementPageQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
}>;


export type EngagementPageQuery = { viewer: { user: { username: string } } | null, engagement: { name: string, organizationName: string, timeZone: string, from: string, to: string, until: string, asOf: string | null, workflows: Array<{ workflowId: string, name: string | null }>, auditors: Array<{ userId: string, username: string }>, requests: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ version: number, evidenceRequestId: number, workflowId: string, controlId: string, text: string, answer: string | null, createdAt: string, answeredAt: string | null, closedAt: string | null, createdBy: { username: string } }> } | null, signOffs: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ signOffId: number, workflowId: string, controlId: string | null, statement: string, createdAt: string, createdBy: { username: string } }> } | null } | null };

export type EngagementRequestsQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EngagementRequestsQuery = { engagement: { part: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ version: number, evidenceRequestId: number, workflowId: string, controlId: string, text: string, answer: string | null, createdAt: string, answeredAt: string | null, closedAt: string | null, createdBy: { username: string } }> } | null } | null };

export type EngagementSignOffsQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EngagementSignOffsQuery = { engagement: { part: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ signOffId: number, workflowId: string, controlId: string | null, statement: string, createdAt: string, createdBy: { username: string } }> } | null } | null };

export type EngagementMemberQueryVariables = Exact<{
  organizationId: string | number;
}>;


export type EngagementMemberQuery = { organization: { viewerPrivileges: Array<Privilege> } | null };

export type IncidentPageQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  language?: string | null | undefined;
}>;


export type IncidentPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null, incident: { databaseId: number, version: number, status: IncidentStatus, severity: IncidentSeverity, title: string, description: string | null, impact: string | null, rootCause: string | null, mitigation: string | null, significant: boolean, rehearsal: boolean, category: IncidentCategory | null, awareAt: string, occurredAt: string | null, handledAt: string | null, createdAt: string, closedAt: string | null, openedBy: { username: string } | null, viewerCan: { update: boolean, addNotes: boolean }, clock: { outOfScope: Array<{ regimeId: string, regimeName: string, reason: string, source: string }>, stages: Array<{ stage: IncidentReportStage, number: number, regimeId: string, regimeName: string, state: IncidentStageState, dueAt: string | null, extendedTo: string | null, sentAt: string | null, manner: ReportManner | null, mannerReason: string | null, late: boolean, reason: string, source: string | null, recipient: string | null, reference: string | null, portalUrl: string | null, sentBy: { username: string } | null }> }, notes: { totalCount: number, nodes: Array<{ databaseId: number, text: string, createdAt: string, createdBy: { username: string } }> } } | null };

export type ChangeIncidentMutationVariables = Exact<{
  input: UpdateIncidentInput;
}>;


export type ChangeIncidentMutation = { updateIncident: { incident: { version: number } } | null };

export type IncidentsPageQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
  filter?: IncidentFilter | null | undefined;
  language?: string | null | undefined;
}>;


export type IncidentsPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, viewerCan: { openIncidents: boolean }, incidents: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, title: string, severity: IncidentSeverity, status: IncidentStatus, significant: boolean, rehearsal: boolean, awareAt: string, clock: { stages: Array<{ stage: IncidentReportStage, number: number, regimeName: string, dueAt: string | null, extendedTo: string | null, state: IncidentStageState }> } }> }, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null };

export type MemberLinesFragment = { userId: string, username: string, firstName: string | null, lastName: string | null, email: string, role: Role, active: boolean, joinedAt: string };

export type MembersPageQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
  filter?: OrganizationUserFilter | null | undefined;
}>;


export type MembersPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, users: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ userId: string, username: string, firstName: string | null, lastName: string | null, email: string, role: Role, active: boolean, joinedAt: string }> } | null, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null };

export type MemberPageQueryVariables = Exact<{
  organizationId: string | number;
  userId: string | number;
}>;


export type MemberPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null, member: { userId: string, username: string, firstName: string | null, lastName: string | null, email: string, role: Role, active: boolean, joinedAt: string } | null };

export type OrganizationPageQueryVariables = Exact<{
  id: string | number;
  language?: string | null | undefined;
}>;


export type OrganizationPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, open: { totalCount: number }, contained: { totalCount: number }, resolved: { totalCount: number }, workflows: { totalCount: number, nodes: Array<{ workflowId: string, name: string, staleEvidence: number, progress: { done: number, inProgress: number, toDo: number, notApplicable: number }, overdue: { totalCount: number } }> }, defenders: { totalCount: number } | null, defendersDown: { totalCount: number, nodes: Array<{ databaseId: number, fqdn: string, lastSeenAt: string | null }> } | null, defendersDegraded: { totalCount: number, nodes: Array<{ databaseId: number, fqdn: string, lastSeenAt: string | null }> } | null, blockers: { totalCount: number } | null, blockersDown: { totalCount: number, nodes: Array<{ databaseId: number, endpoint: string, lastSeenAt: string | null }> } | null, blockersDegraded: { totalCount: number, nodes: Array<{ databaseId: number, endpoint: string, lastSeenAt: string | null }> } | null, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null, work: { totalCount: number, nodes: Array<
      | { report: { stage: IncidentReportStage, number: number, regimeName: string, dueAt: string, extendedTo: string | null, incident: { databaseId: number, title: string } } | null }
      | { report: { stage: IncidentReportStage, number: number, regimeName: string, dueAt: string, extendedTo: string | null, incident: { databaseId: number, title: string } } }
      | { report: { stage: IncidentReportStage, number: number, regimeName: string, dueAt: string, extendedTo: string | null, incident: { databaseId: number, title: string } } | null }
    > } | null, due: { nodes: Array<
      | { title: string, overdue: boolean, control: { controlId: string, workflowId: string, dueDate: string | null, owner: { username: string } | null } }
      | { title: string, overdue: boolean, control: { controlId: string, workflowId: string, dueDate: string | null, owner: { username: string } | null } | null }
      | { title: string, overdue: boolean, control: { controlId: string, workflowId: string, dueDate: string | null, owner: { username: string } | null } }
    > } | null };

export type PortfolioPageQueryVariables = Exact<{
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
  orderBy?: PortfolioOrder | null | undefined;
  language?: string | null | undefined;
}>;


export type PortfolioPageQuery = { portfolio: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ role: Role, overdueControls: number, devicesDown: number | null, organization: { databaseId: number, name: string, branding: { customColors: { primary: string } }, settings: { timeZone: string } }, progress: { done: number, inProgress: number, toDo: number, notApplicable: number }, incidents: { open: number, contained: number, resolved: number }, nextDeadline: { stage: IncidentReportStage, number: number, regimeName: string, dueAt: string, extendedTo: string | null, incident: { databaseId: number } } | null }> } | null };

export type ServiceAccountsPageQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
}>;


export type ServiceAccountsPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, serviceAccounts: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: string, name: string, description: string | null, role: Role, lastUsedAt: string | null, responsible: { username: string } | null, tokens: { totalCount: number, nodes: Array<{ databaseId: number, name: string, prefix: string, expiresAt: string, revokedAt: string | null }> } }> } | null, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null };

export type TokenOwnerQueryVariables = Exact<{ [key: string]: never; }>;


export type TokenOwnerQuery = { viewer: { user: { databaseId: string } } | null };

export type ExchangeCodeMutationVariables = Exact<{
  input: ExchangeSignInCodeInput;
}>;


export type ExchangeCodeMutation = { exchangeSignInCode: { token: string, userId: string } | null };

export type TokensPageQueryVariables = Exact<{
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
}>;


export type TokensPageQuery = { viewer: { user: { username: string }, token: { databaseId: number } } | null, apiTokens: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, version: number, name: string, prefix: string, origin: TokenOrigin, scopes: Array<TokenScope>, createdAt: string, expiresAt: string, lastUsedAt: string | null, revokedAt: string | null, replacedAt: string | null, blockedInOrganizations: Array<{ name: string }>, viewerCan: { rotate: boolean, revoke: boolean } }> } | null };

export type RotateTokenMutationVariables = Exact<{
  input: RotateApiTokenInput;
}>;


export type RotateTokenMutation = { rotateApiToken: { token: string } | null };

export type RevokeTokenMutationVariables = Exact<{
  input: RevokeApiTokenInput;
}>;


export type RevokeTokenMutation = { revokeApiToken: { apiToken: { databaseId: number } } | null };

export type WebhooksPageQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
}>;


export type WebhooksPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, webhookEndpoints: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, version: number, url: string, description: string | null, format: WebhookFormat, status: WebhookStatus, disabledReason: WebhookDisabledReason | null, failingSince: string | null, eventTypes: Array<EventType>, previousSecretUntil: string | null }> } | null, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null };

export type EndpointStateFragment = { databaseId: number, version: number, url: string, description: string | null, format: WebhookFormat, status: WebhookStatus, disabledReason: WebhookDisabledReason | null, failingSince: string | null, eventTypes: Array<EventType>, previousSecretUntil: string | null };

export type WebhookPageQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
  filter?: WebhookDeliveryFilter | null | undefined;
}>;


export type WebhookPageQuery = { organization: { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null, webhookEndpoint: { databaseId: number, version: number, url: string, description: string | null, format: WebhookFormat, status: WebhookStatus, disabledReason: WebhookDisabledReason | null, failingSince: string | null, eventTypes: Array<EventType>, previousSecretUntil: string | null, deliveries: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, eventType: EventType, status: WebhookDeliveryStatus, statusCode: number | null, error: string | null, answer: string | null, milliseconds: number | null, attemptCount: number, createdAt: string, attemptedAt: string | null, nextAttemptAt: string | null }> } } | null };

export type TestWebhookMutationVariables = Exact<{
  input: SendTestWebhookInput;
}>;


export type TestWebhookMutation = { sendTestWebhook: { eventId: string } | null };

export type RotateSecretMutationVariables = Exact<{
  input: RotateWebhookSecretInput;
}>;


export type RotateSecretMutation = { rotateWebhookSecret: { secret: string } | null };

export type RedeliverMutationVariables = Exact<{
  input: RedeliverWebhookInput;
}>;


export type RedeliverMutation = { redeliverWebhook: { webhookDelivery: { databaseId: number } } | null };

export type WorkflowPageQueryVariables = Exact<{
  organizationId: string | number;
  workflowId: string | number;
}>;


export type WorkflowPageQuery = { organization: { createdAt: string, databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } } | null, organizationWorkflow: { id: string, name: string, staleEvidence: number, progress: { total: number, done: number, inProgress: number, toDo: number, notApplicable: number }, workflow: { source: string, sourceUrl: string | null, edition: string } } | null };

export type WorkflowHistoryQueryVariables = Exact<{
  organizationId: string | number;
  workflowId: string | number;
  from?: string | null | undefined;
}>;


export type WorkflowHistoryQuery = { organizationWorkflow: { progressHistory: { days: Array<{ day: string, done: number, inProgress: number, toDo: number, notApplicable: number }> } } | null };

export type EvidencePackUrlQueryVariables = Exact<{
  organizationId: string | number;
  workflowId: string | number;
}>;


export type EvidencePackUrlQuery = { organizationWorkflow: { evidencePackUrl: string } | null };

export type ControlStateFragment = { controlId: string, version: number, status: ControlStatus, dueDate: string | null, note: string | null, owner: { userId: string, username: string } | null };

export type ChangeControlMutationVariables = Exact<{
  input: UpdateControlInput;
}>;


export type ChangeControlMutation = { updateControl: { control: { version: number } } | null };

export type MembersToChooseQueryVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type MembersToChooseQuery = { organization: { users: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ userId: string, username: string }> } | null } | null };

export type ControlMapQueryVariables = Exact<{
  id: string | number;
  asOf?: string | null | undefined;
  after?: string | null | undefined;
  filter?: OrganizationControlFilter | null | undefined;
  language?: string | null | undefined;
}>;


export type ControlMapQuery = { node:
    | { controls: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ controlId: string, parentId: string | null, label: string, status: ControlStatus, overdue: boolean, evidenceState: EvidenceState | null }> } }
    | Record<PropertyKey, never>
   | null };

export type OwedReportFragment = { stage: IncidentReportStage, number: number, regimeName: string, dueAt: string, extendedTo: string | null, incident: { databaseId: number, title: string } };

export type DefenderLinesFragment = { totalCount: number, nodes: Array<{ databaseId: number, fqdn: string, lastSeenAt: string | null }> };

export type BlockerLinesFragment = { totalCount: number, nodes: Array<{ databaseId: number, endpoint: string, lastSeenAt: string | null }> };

export type RequestLineFragment = { evidenceRequestId: number, workflowId: string, controlId: string, text: string, answer: string | null, createdAt: string, answeredAt: string | null, closedAt: string | null, createdBy: { username: string } };

export type SignOffLineFragment = { signOffId: number, workflowId: string, controlId: string | null, statement: string, createdAt: string, createdBy: { username: string } };

export type EngagementFileQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  after?: string | null | undefined;
  facts?: boolean;
  controls?: boolean;
  documents?: boolean;
  incidents?: boolean;
  auditTrail?: boolean;
  requests?: boolean;
  signOffs?: boolean;
}>;


export type EngagementFileQuery = { engagement: { controls?: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ workflowId: string, controlId: string, label: string, status: ControlStatus, justification: string | null, updatedAt: string | null, owner: { username: string } | null }> } | null, documents?: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ documentVersionId: number, workflowId: string, controlId: string, filename: string, size: number, contentType: string, sha256: string, createdAt: string, effectiveAt: string | null, createdBy: { username: string } }> } | null, incidents?: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ incidentId: number, title: string, description: string | null, severity: IncidentSeverity, status: IncidentStatus, significant: boolean, awareAt: string, closedAt: string | null, openedBy: { username: string } | null }> } | null, auditTrail?: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ position: number, at: string, action: AuditAction, actorType: AuditActorType, actor: string | null, reason: string | null, hash: string, subject: { type: AuditSubjectType, databaseId: string, name: string | null }, changes: Array<{ field: string, before: unknown, after: unknown }> }> } | null, requests?: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ evidenceRequestId: number, workflowId: string, controlId: string, text: string, answer: string | null, createdAt: string, answeredAt: string | null, closedAt: string | null, answeredBy: { username: string } | null, createdBy: { username: string } }> } | null, signOffs?: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ signOffId: number, workflowId: string, controlId: string | null, statement: string, createdAt: string, createdBy: { username: string } }> } | null } & { databaseId?: number, organizationId?: number, organizationName?: string, name?: string, from?: string, to?: string, until?: string, asOf?: string | null, workflows?: Array<{ workflowId: string, name: string | null }>, auditors?: Array<{ userId: string, username: string }> } | null };

export type RequestEvidenceMutationVariables = Exact<{
  input: RequestEvidenceInput;
}>;


export type RequestEvidenceMutation = { requestEvidence: { request: { evidenceRequestId: number } } | null };

export type SignOffEngagementMutationVariables = Exact<{
  input: SignOffInput;
}>;


export type SignOffEngagementMutation = { signOff: { signOff: { signOffId: number } } | null };

export type AnswerRequestMutationVariables = Exact<{
  input: AnswerEvidenceRequestInput;
}>;


export type AnswerRequestMutation = { answerEvidenceRequest: { request: { version: number } } | null };

export type EngagementControlsQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
  language?: string | null | undefined;
}>;


export type EngagementControlsQuery = { engagement: { part: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ workflowId: string, controlId: string, label: string, status: ControlStatus, justification: string | null, owner: { username: string } | null }> } | null } | null };

export type EngagementDocumentsQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EngagementDocumentsQuery = { engagement: { part: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ documentVersionId: number, workflowId: string, controlId: string, filename: string, sha256: string, createdAt: string, effectiveAt: string | null, createdBy: { username: string } }> } | null } | null };

export type EngagementDocumentUrlsQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EngagementDocumentUrlsQuery = { engagement: { documents: { nodes: Array<{ documentVersionId: number, downloadUrl: string }> } | null } | null };

export type EngagementIncidentsQueryVariables = Exact<{
  organizationId: string | number;
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EngagementIncidentsQuery = { engagement: { part: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ incidentId: number, title: string, severity: IncidentSeverity, status: IncidentStatus, significant: boolean, awareAt: string, closedAt: string | null }> } | null } | null };

export type OrganizationHeaderFragment = { databaseId: number, name: string, logo: string | null, sandbox: boolean, viewerPrivileges: Array<Privilege>, branding: { customColors: { primary: string } }, settings: { timeZone: string } };

export type ClockLinesFragment = { outOfScope: Array<{ regimeId: string, regimeName: string, reason: string, source: string }>, stages: Array<{ stage: IncidentReportStage, number: number, regimeId: string, regimeName: string, state: IncidentStageState, dueAt: string | null, extendedTo: string | null, sentAt: string | null, manner: ReportManner | null, mannerReason: string | null, late: boolean, reason: string, source: string | null, recipient: string | null, reference: string | null, portalUrl: string | null, sentBy: { username: string } | null }> };

export type DraftReportQueryVariables = Exact<{
  organizationId: string | number;
  incidentId: string | number;
  regimeId: string;
  stage: IncidentReportStage;
  number?: number | null | undefined;
}>;


export type DraftReportQuery = { draftIncidentReport: { missing: Array<string>, fields: Array<{ key: string, label: string, value: string | null, missing: boolean, law: string | null }> } | null };

export type NoteLinesFragment = { totalCount: number, nodes: Array<{ databaseId: number, text: string, createdAt: string, createdBy: { username: string } }> };

export type AddNoteMutationVariables = Exact<{
  input: AddIncidentNoteInput;
}>;


export type AddNoteMutation = { addIncidentNote: { note: { databaseId: number } } | null };

export type PageLinksFragment = { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null };

export type RehearsalReportQueryVariables = Exact<{
  organizationId: string | number;
  incidentId: string | number;
}>;


export type RehearsalReportQuery = { rehearsalReport: { closedAt: string | null, speed: number, firstNoteAt: string | null, stages: Array<{ regimeId: string, regimeName: string, stage: IncidentReportStage, number: number, state: IncidentStageState, dueAt: string | null, sentAt: string | null, lateSeconds: number | null, sentBy: { username: string } | null }>, reactions: Array<{ action: AuditAction, at: string, secondsAfterOpening: number, user: { username: string } | null }> } | null };

export type StartRehearsalMutationVariables = Exact<{
  input: OpenIncidentInput;
}>;


export type StartRehearsalMutation = { openIncident: { incident: { databaseId: number } } | null };

export type OwnTokenQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnTokenQuery = { viewer: { token: { databaseId: number, origin: TokenOrigin } } | null };

export type RevokeOwnTokenMutationVariables = Exact<{
  input: RevokeApiTokenInput;
}>;


export type RevokeOwnTokenMutation = { revokeApiToken: { apiToken: { id: string } } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const OrganizationHeaderFragmentDoc = new TypedDocumentString(`
    fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}
    `, {"fragmentName":"OrganizationHeader"}) as unknown as TypedDocumentString<OrganizationHeaderFragment, unknown>;
export const DeviceStateFragmentDoc = new TypedDocumentString(`
    fragment DeviceState on Device {
  endpoint
  email
  services
  lastSeenAt
  deletedAt
  organization {
    ...OrganizationHeader
  }
}
    fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}`, {"fragmentName":"DeviceState"}) as unknown as TypedDocumentString<DeviceStateFragment, unknown>;
export const MemberLinesFragmentDoc = new TypedDocumentString(`
    fragment MemberLines on OrganizationUser {
  userId
  username
  firstName
  lastName
  email
  role
  active
  joinedAt
}
    `, {"fragmentName":"MemberLines"}) as unknown as TypedDocumentString<MemberLinesFragment, unknown>;
export const EndpointStateFragmentDoc = new TypedDocumentString(`
    fragment EndpointState on WebhookEndpoint {
  databaseId
  version
  url
  description
  format
  status
  disabledReason
  failingSince
  eventTypes
  previousSecretUntil
}
    `, {"fragmentName":"EndpointState"}) as unknown as TypedDocumentString<EndpointStateFragment, unknown>;
export const ControlStateFragmentDoc = new TypedDocumentString(`
    fragment ControlState on OrganizationControl {
  controlId
  version
  status
  dueDate
  note
  owner {
    userId
    username
  }
}
    `, {"fragmentName":"ControlState"}) as unknown as TypedDocumentString<ControlStateFragment, unknown>;
export const OwedReportFragmentDoc = new TypedDocumentString(`
    fragment OwedReport on ReportDeadline {
  incident {
    databaseId
    title
  }
  stage
  number
  regimeName
  dueAt
  extendedTo
}
    `, {"fragmentName":"OwedReport"}) as unknown as TypedDocumentString<OwedReportFragment, unknown>;
export const DefenderLinesFragmentDoc = new TypedDocumentString(`
    fragment DefenderLines on CloudDefenderConnection {
  totalCount
  nodes {
    databaseId
    fqdn
    lastSeenAt
  }
}
    `, {"fragmentName":"DefenderLines"}) as unknown as TypedDocumentString<DefenderLinesFragment, unknown>;
export const BlockerLinesFragmentDoc = new TypedDocumentString(`
    fragment BlockerLines on ThreatBlockerConnection {
  totalCount
  nodes {
    databaseId
    endpoint
    lastSeenAt
  }
}
    `, {"fragmentName":"BlockerLines"}) as unknown as TypedDocumentString<BlockerLinesFragment, unknown>;
export const RequestLineFragmentDoc = new TypedDocumentString(`
    fragment RequestLine on EvidenceRequest {
  evidenceRequestId
  workflowId
  controlId
  text
  answer
  createdAt
  answeredAt
  closedAt
  createdBy {
    username
  }
}
    `, {"fragmentName":"RequestLine"}) as unknown as TypedDocumentString<RequestLineFragment, unknown>;
export const SignOffLineFragmentDoc = new TypedDocumentString(`
    fragment SignOffLine on SignOff {
  signOffId
  workflowId
  controlId
  statement
  createdAt
  createdBy {
    username
  }
}
    `, {"fragmentName":"SignOffLine"}) as unknown as TypedDocumentString<SignOffLineFragment, unknown>;
export const ClockLinesFragmentDoc = new TypedDocumentString(`
    fragment ClockLines on IncidentClock {
  outOfScope {
    regimeId
    regimeName
    reason
    source
  }
  stages {
    stage
    number
    regimeId
    regimeName
    state
    dueAt
    extendedTo
    sentAt
    manner
    mannerReason
    late
    reason
    source
    recipient
    reference
    portalUrl
    sentBy {
      username
    }
  }
}
    `, {"fragmentName":"ClockLines"}) as unknown as TypedDocumentString<ClockLinesFragment, unknown>;
export const NoteLinesFragmentDoc = new TypedDocumentString(`
    fragment NoteLines on IncidentNoteConnection {
  totalCount
  nodes {
    databaseId
    text
    createdAt
    createdBy {
      username
    }
  }
}
    `, {"fragmentName":"NoteLines"}) as unknown as TypedDocumentString<NoteLinesFragment, unknown>;
export const PageLinksFragmentDoc = new TypedDocumentString(`
    fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
    `, {"fragmentName":"PageLinks"}) as unknown as TypedDocumentString<PageLinksFragment, unknown>;
export const AuditTrailPageDocument = new TypedDocumentString(`
    query AuditTrailPage($id: ID!) {
  organization(id: $id) {
    ...OrganizationHeader
  }
}
    fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}`) as unknown as TypedDocumentString<AuditTrailPageQuery, AuditTrailPageQueryVariables>;
export const AuditEntriesDocument = new TypedDocumentString(`
    query AuditEntries($id: ID!, $first: Int, $last: Int, $after: String, $before: String, $filter: AuditEntryFilter) {
  organization(id: $id) {
    auditTrail(
      first: $first
      last: $last
      after: $after
      before: $before
      filter: $filter
    ) {
      totalCount
      pageInfo {
        ...PageLinks
      }
      nodes {
        position
        at
        action
        reason
        hash
        actor {
          type
          job
          user {
            username
          }
        }
        subject {
          type
          databaseId
          name
        }
        changes {
          field
          before
          after
        }
      }
    }
  }
}
    fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<AuditEntriesQuery, AuditEntriesQueryVariables>;
export const VerifyTrailDocument = new TypedDocumentString(`
    query VerifyTrail($id: ID!) {
  organization(id: $id) {
    auditTrailVerification {
      valid
      entries
      checkpoints
      verifiedFrom
      verifiedUpTo
      fault {
        message
        position
      }
    }
  }
}
    `) as unknown as TypedDocumentString<VerifyTrailQuery, VerifyTrailQueryVariables>;
export const SignCheckpointDocument = new TypedDocumentString(`
    mutation SignCheckpoint($input: CreateAuditCheckpointInput!) {
  createAuditCheckpoint(input: $input) {
    checkpoint {
      log
      number
      position
      hash
      at
      previous
      chainSignature
      keyId
      signature
    }
  }
}
    `) as unknown as TypedDocumentString<SignCheckpointMutation, SignCheckpointMutationVariables>;
export const ProofUrlDocument = new TypedDocumentString(`
    query ProofUrl($id: ID!, $asOf: DateTime) {
  organization(id: $id) {
    proofUrl(asOf: $asOf)
  }
}
    `) as unknown as TypedDocumentString<ProofUrlQuery, ProofUrlQueryVariables>;
export const ControlPageDocument = new TypedDocumentString(`
    query ControlPage($organizationId: ID!, $workflowId: ID!, $controlId: ID!, $language: String) {
  organization(id: $organizationId) {
    ...OrganizationHeader
  }
  organizationControl(
    organizationId: $organizationId
    workflowId: $workflowId
    controlId: $controlId
    language: $language
  ) {
    ...ControlState
    label
    text
    justification
    overdue
    evidenceState
    viewerCan {
      update
    }
    workflow {
      name
    }
    evidence {
      total
      validUntil
      sources {
        workflowId
        controlId
        label(language: $language)
        documents
        workflow {
          name
        }
      }
    }
    documentVersions(first: 25) {
      totalCount
      nodes {
        databaseId
        filename
        createdAt
        createdBy {
          username
        }
        evidenceState
        validUntil
        note
      }
    }
  }
}
    fragment ControlState on OrganizationControl {
  controlId
  version
  status
  dueDate
  note
  owner {
    userId
    username
  }
}
fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}`) as unknown as TypedDocumentString<ControlPageQuery, ControlPageQueryVariables>;
export const DocumentUrlDocument = new TypedDocumentString(`
    query DocumentUrl($organizationId: ID!, $id: ID!) {
  documentVersion(organizationId: $organizationId, id: $id) {
    downloadUrl
  }
}
    `) as unknown as TypedDocumentString<DocumentUrlQuery, DocumentUrlQueryVariables>;
export const CloudDefenderPageDocument = new TypedDocumentString(`
    query CloudDefenderPage($id: ID!) {
  cloudDefender(id: $id) {
    ...DeviceState
    fqdn
    check {
      status
      series(bucket: DAY) {
        points {
          begin
          status
        }
      }
    }
  }
}
    fragment DeviceState on Device {
  endpoint
  email
  services
  lastSeenAt
  deletedAt
  organization {
    ...OrganizationHeader
  }
}
fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}`) as unknown as TypedDocumentString<CloudDefenderPageQuery, CloudDefenderPageQueryVariables>;
export const ThreatBlockerPageDocument = new TypedDocumentString(`
    query ThreatBlockerPage($id: ID!) {
  threatBlocker(id: $id) {
    ...DeviceState
    check {
      status
      series(bucket: DAY) {
        points {
          begin
          status
        }
      }
    }
  }
}
    fragment DeviceState on Device {
  endpoint
  email
  services
  lastSeenAt
  deletedAt
  organization {
    ...OrganizationHeader
  }
}
fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}`) as unknown as TypedDocumentString<ThreatBlockerPageQuery, ThreatBlockerPageQueryVariables>;
export const EngagementPageDocument = new TypedDocumentString(`
    query EngagementPage($organizationId: ID!, $id: ID!) {
  viewer {
    user {
      username
    }
  }
  engagement(organizationId: $organizationId, id: $id) {
    name
    organizationName
    timeZone
    from
    to
    until
    asOf
    workflows {
      workflowId
      name
    }
    auditors {
      userId
      username
    }
    requests(first: 25) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        ...RequestLine
        version
      }
    }
    signOffs(first: 25) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        ...SignOffLine
      }
    }
  }
}
    fragment RequestLine on EvidenceRequest {
  evidenceRequestId
  workflowId
  controlId
  text
  answer
  createdAt
  answeredAt
  closedAt
  createdBy {
    username
  }
}
fragment SignOffLine on SignOff {
  signOffId
  workflowId
  controlId
  statement
  createdAt
  createdBy {
    username
  }
}`) as unknown as TypedDocumentString<EngagementPageQuery, EngagementPageQueryVariables>;
export const EngagementRequestsDocument = new TypedDocumentString(`
    query EngagementRequests($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
  engagement(organizationId: $organizationId, id: $id) {
    part: requests(first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        ...RequestLine
        version
      }
    }
  }
}
    fragment RequestLine on EvidenceRequest {
  evidenceRequestId
  workflowId
  controlId
  text
  answer
  createdAt
  answeredAt
  closedAt
  createdBy {
    username
  }
}`) as unknown as TypedDocumentString<EngagementRequestsQuery, EngagementRequestsQueryVariables>;
export const EngagementSignOffsDocument = new TypedDocumentString(`
    query EngagementSignOffs($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
  engagement(organizationId: $organizationId, id: $id) {
    part: signOffs(first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        ...SignOffLine
      }
    }
  }
}
    fragment SignOffLine on SignOff {
  signOffId
  workflowId
  controlId
  statement
  createdAt
  createdBy {
    username
  }
}`) as unknown as TypedDocumentString<EngagementSignOffsQuery, EngagementSignOffsQueryVariables>;
export const EngagementMemberDocument = new TypedDocumentString(`
    query EngagementMember($organizationId: ID!) {
  organization(id: $organizationId) {
    viewerPrivileges
  }
}
    `) as unknown as TypedDocumentString<EngagementMemberQuery, EngagementMemberQueryVariables>;
export const IncidentPageDocument = new TypedDocumentString(`
    query IncidentPage($organizationId: ID!, $id: ID!, $language: String) {
  organization(id: $organizationId) {
    ...OrganizationHeader
  }
  incident(organizationId: $organizationId, id: $id) {
    databaseId
    version
    status
    severity
    title
    description
    impact
    rootCause
    mitigation
    significant
    rehearsal
    category
    awareAt
    occurredAt
    handledAt
    createdAt
    closedAt
    openedBy {
      username
    }
    viewerCan {
      update
      addNotes
    }
    clock(language: $language) {
      ...ClockLines
    }
    notes(last: 50) {
      ...NoteLines
    }
  }
}
    fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}
fragment ClockLines on IncidentClock {
  outOfScope {
    regimeId
    regimeName
    reason
    source
  }
  stages {
    stage
    number
    regimeId
    regimeName
    state
    dueAt
    extendedTo
    sentAt
    manner
    mannerReason
    late
    reason
    source
    recipient
    reference
    portalUrl
    sentBy {
      username
    }
  }
}
fragment NoteLines on IncidentNoteConnection {
  totalCount
  nodes {
    databaseId
    text
    createdAt
    createdBy {
      username
    }
  }
}`) as unknown as TypedDocumentString<IncidentPageQuery, IncidentPageQueryVariables>;
export const ChangeIncidentDocument = new TypedDocumentString(`
    mutation ChangeIncident($input: UpdateIncidentInput!) {
  updateIncident(input: $input) {
    incident {
      version
    }
  }
}
    `) as unknown as TypedDocumentString<ChangeIncidentMutation, ChangeIncidentMutationVariables>;
export const IncidentsPageDocument = new TypedDocumentString(`
    query IncidentsPage($id: ID!, $first: Int, $last: Int, $after: String, $before: String, $filter: IncidentFilter, $language: String) {
  organization(id: $id) {
    ...OrganizationHeader
    viewerCan {
      openIncidents
    }
    incidents(
      first: $first
      last: $last
      after: $after
      before: $before
      filter: $filter
    ) {
      totalCount
      pageInfo {
        ...PageLinks
      }
      nodes {
        databaseId
        title
        severity
        status
        significant
        rehearsal
        awareAt
        clock(language: $language) {
          stages {
            stage
            number
            regimeName
            dueAt
            extendedTo
            state
          }
        }
      }
    }
  }
}
    fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}
fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<IncidentsPageQuery, IncidentsPageQueryVariables>;
export const MembersPageDocument = new TypedDocumentString(`
    query MembersPage($id: ID!, $first: Int, $last: Int, $after: String, $before: String, $filter: OrganizationUserFilter) {
  organization(id: $id) {
    ...OrganizationHeader
    users(
      first: $first
      last: $last
      after: $after
      before: $before
      filter: $filter
    ) {
      totalCount
      pageInfo {
        ...PageLinks
      }
      nodes {
        ...MemberLines
      }
    }
  }
}
    fragment MemberLines on OrganizationUser {
  userId
  username
  firstName
  lastName
  email
  role
  active
  joinedAt
}
fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}
fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<MembersPageQuery, MembersPageQueryVariables>;
export const MemberPageDocument = new TypedDocumentString(`
    query MemberPage($organizationId: ID!, $userId: ID!) {
  organization(id: $organizationId) {
    ...OrganizationHeader
  }
  member(organizationId: $organizationId, userId: $userId) {
    ...MemberLines
  }
}
    fragment MemberLines on OrganizationUser {
  userId
  username
  firstName
  lastName
  email
  role
  active
  joinedAt
}
fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}`) as unknown as TypedDocumentString<MemberPageQuery, MemberPageQueryVariables>;
export const OrganizationPageDocument = new TypedDocumentString(`
    query OrganizationPage($id: ID!, $language: String) {
  organization(id: $id) {
    ...OrganizationHeader
    open: incidents(first: 1, filter: {status: OPEN}) {
      totalCount
    }
    contained: incidents(first: 1, filter: {status: CONTAINED}) {
      totalCount
    }
    resolved: incidents(first: 1, filter: {status: RESOLVED}) {
      totalCount
    }
    workflows(first: 100) {
      totalCount
      nodes {
        workflowId
        name
        staleEvidence
        progress {
          done
          inProgress
          toDo
          notApplicable
        }
        overdue: controls(first: 1, filter: {overdue: true}) {
          totalCount
        }
      }
    }
    defenders: cloudDefenders(first: 1) {
      totalCount
    }
    defendersDown: cloudDefenders(first: 5, filter: {status: DOWN}) {
      ...DefenderLines
    }
    defendersDegraded: cloudDefenders(first: 5, filter: {status: DEGRADED}) {
      ...DefenderLines
    }
    blockers: threatBlockers(first: 1) {
      totalCount
    }
    blockersDown: threatBlockers(first: 5, filter: {status: DOWN}) {
      ...BlockerLines
    }
    blockersDegraded: threatBlockers(first: 5, filter: {status: DEGRADED}) {
      ...BlockerLines
    }
  }
  work(
    organizationId: $id
    kind: REPORT
    assignee: ANYONE
    first: 100
    language: $language
  ) {
    totalCount
    nodes {
      report {
        ...OwedReport
      }
    }
  }
  due: work(
    organizationId: $id
    kind: CONTROL
    assignee: ANYONE
    first: 10
    language: $language
  ) {
    nodes {
      title
      overdue
      control {
        controlId
        workflowId
        dueDate
        owner {
          username
        }
      }
    }
  }
}
    fragment OwedReport on ReportDeadline {
  incident {
    databaseId
    title
  }
  stage
  number
  regimeName
  dueAt
  extendedTo
}
fragment DefenderLines on CloudDefenderConnection {
  totalCount
  nodes {
    databaseId
    fqdn
    lastSeenAt
  }
}
fragment BlockerLines on ThreatBlockerConnection {
  totalCount
  nodes {
    databaseId
    endpoint
    lastSeenAt
  }
}
fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}`) as unknown as TypedDocumentString<OrganizationPageQuery, OrganizationPageQueryVariables>;
export const PortfolioPageDocument = new TypedDocumentString(`
    query PortfolioPage($first: Int, $last: Int, $after: String, $before: String, $orderBy: PortfolioOrder, $language: String) {
  portfolio(
    first: $first
    last: $last
    after: $after
    before: $before
    orderBy: $orderBy
    language: $language
  ) {
    totalCount
    pageInfo {
      ...PageLinks
    }
    nodes {
      organization {
        databaseId
        name
        branding {
          customColors {
            primary
          }
        }
        settings {
          timeZone
        }
      }
      role
      progress {
        done
        inProgress
        toDo
        notApplicable
      }
      overdueControls
      devicesDown
      incidents {
        open
        contained
        resolved
      }
      nextDeadline {
        stage
        number
        regimeName
        dueAt
        extendedTo
        incident {
          databaseId
        }
      }
    }
  }
}
    fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<PortfolioPageQuery, PortfolioPageQueryVariables>;
export const ServiceAccountsPageDocument = new TypedDocumentString(`
    query ServiceAccountsPage($id: ID!, $first: Int, $last: Int, $after: String, $before: String) {
  organization(id: $id) {
    ...OrganizationHeader
    serviceAccounts(first: $first, last: $last, after: $after, before: $before) {
      totalCount
      pageInfo {
        ...PageLinks
      }
      nodes {
        databaseId
        name
        description
        role
        lastUsedAt
        responsible {
          username
        }
        tokens(first: 25) {
          totalCount
          nodes {
            databaseId
            name
            prefix
            expiresAt
            revokedAt
          }
        }
      }
    }
  }
}
    fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}
fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<ServiceAccountsPageQuery, ServiceAccountsPageQueryVariables>;
export const TokenOwnerDocument = new TypedDocumentString(`
    query TokenOwner {
  viewer {
    user {
      databaseId
    }
  }
}
    `) as unknown as TypedDocumentString<TokenOwnerQuery, TokenOwnerQueryVariables>;
export const ExchangeCodeDocument = new TypedDocumentString(`
    mutation ExchangeCode($input: ExchangeSignInCodeInput!) {
  exchangeSignInCode(input: $input) {
    token
    userId
  }
}
    `) as unknown as TypedDocumentString<ExchangeCodeMutation, ExchangeCodeMutationVariables>;
export const TokensPageDocument = new TypedDocumentString(`
    query TokensPage($first: Int, $last: Int, $after: String, $before: String) {
  viewer {
    user {
      username
    }
    token {
      databaseId
    }
  }
  apiTokens(first: $first, last: $last, after: $after, before: $before) {
    totalCount
    pageInfo {
      ...PageLinks
    }
    nodes {
      databaseId
      version
      name
      prefix
      origin
      scopes
      createdAt
      expiresAt
      lastUsedAt
      revokedAt
      replacedAt
      blockedInOrganizations {
        name
      }
      viewerCan {
        rotate
        revoke
      }
    }
  }
}
    fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<TokensPageQuery, TokensPageQueryVariables>;
export const RotateTokenDocument = new TypedDocumentString(`
    mutation RotateToken($input: RotateApiTokenInput!) {
  rotateApiToken(input: $input) {
    token
  }
}
    `) as unknown as TypedDocumentString<RotateTokenMutation, RotateTokenMutationVariables>;
export const RevokeTokenDocument = new TypedDocumentString(`
    mutation RevokeToken($input: RevokeApiTokenInput!) {
  revokeApiToken(input: $input) {
    apiToken {
      databaseId
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeTokenMutation, RevokeTokenMutationVariables>;
export const WebhooksPageDocument = new TypedDocumentString(`
    query WebhooksPage($id: ID!, $first: Int, $last: Int, $after: String, $before: String) {
  organization(id: $id) {
    ...OrganizationHeader
    webhookEndpoints(first: $first, last: $last, after: $after, before: $before) {
      totalCount
      pageInfo {
        ...PageLinks
      }
      nodes {
        ...EndpointState
      }
    }
  }
}
    fragment EndpointState on WebhookEndpoint {
  databaseId
  version
  url
  description
  format
  status
  disabledReason
  failingSince
  eventTypes
  previousSecretUntil
}
fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}
fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<WebhooksPageQuery, WebhooksPageQueryVariables>;
export const WebhookPageDocument = new TypedDocumentString(`
    query WebhookPage($organizationId: ID!, $id: ID!, $first: Int, $last: Int, $after: String, $before: String, $filter: WebhookDeliveryFilter) {
  organization(id: $organizationId) {
    ...OrganizationHeader
  }
  webhookEndpoint(organizationId: $organizationId, id: $id) {
    ...EndpointState
    deliveries(
      first: $first
      last: $last
      after: $after
      before: $before
      filter: $filter
    ) {
      totalCount
      pageInfo {
        ...PageLinks
      }
      nodes {
        databaseId
        eventType
        status
        statusCode
        error
        answer
        milliseconds
        attemptCount
        createdAt
        attemptedAt
        nextAttemptAt
      }
    }
  }
}
    fragment EndpointState on WebhookEndpoint {
  databaseId
  version
  url
  description
  format
  status
  disabledReason
  failingSince
  eventTypes
  previousSecretUntil
}
fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}
fragment PageLinks on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<WebhookPageQuery, WebhookPageQueryVariables>;
export const TestWebhookDocument = new TypedDocumentString(`
    mutation TestWebhook($input: SendTestWebhookInput!) {
  sendTestWebhook(input: $input) {
    eventId
  }
}
    `) as unknown as TypedDocumentString<TestWebhookMutation, TestWebhookMutationVariables>;
export const RotateSecretDocument = new TypedDocumentString(`
    mutation RotateSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `) as unknown as TypedDocumentString<RotateSecretMutation, RotateSecretMutationVariables>;
export const RedeliverDocument = new TypedDocumentString(`
    mutation Redeliver($input: RedeliverWebhookInput!) {
  redeliverWebhook(input: $input) {
    webhookDelivery {
      databaseId
    }
  }
}
    `) as unknown as TypedDocumentString<RedeliverMutation, RedeliverMutationVariables>;
export const WorkflowPageDocument = new TypedDocumentString(`
    query WorkflowPage($organizationId: ID!, $workflowId: ID!) {
  organization(id: $organizationId) {
    createdAt
    ...OrganizationHeader
  }
  organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
    id
    name
    staleEvidence
    progress {
      total
      done
      inProgress
      toDo
      notApplicable
    }
    workflow {
      source
      sourceUrl
      edition
    }
  }
}
    fragment OrganizationHeader on Organization {
  databaseId
  name
  logo
  sandbox
  branding {
    customColors {
      primary
    }
  }
  settings {
    timeZone
  }
  viewerPrivileges
}`) as unknown as TypedDocumentString<WorkflowPageQuery, WorkflowPageQueryVariables>;
export const WorkflowHistoryDocument = new TypedDocumentString(`
    query WorkflowHistory($organizationId: ID!, $workflowId: ID!, $from: Date) {
  organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
    progressHistory(from: $from) {
      days {
        day
        done
        inProgress
        toDo
        notApplicable
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WorkflowHistoryQuery, WorkflowHistoryQueryVariables>;
export const EvidencePackUrlDocument = new TypedDocumentString(`
    query EvidencePackUrl($organizationId: ID!, $workflowId: ID!) {
  organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
    evidencePackUrl
  }
}
    `) as unknown as TypedDocumentString<EvidencePackUrlQuery, EvidencePackUrlQueryVariables>;
export const ChangeControlDocument = new TypedDocumentString(`
    mutation ChangeControl($input: UpdateControlInput!) {
  updateControl(input: $input) {
    control {
      version
    }
  }
}
    `) as unknown as TypedDocumentString<ChangeControlMutation, ChangeControlMutationVariables>;
export const MembersToChooseDocument = new TypedDocumentString(`
    query MembersToChoose($id: ID!, $after: String) {
  organization(id: $id) {
    users(first: 100, after: $after, filter: {active: true}) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        userId
        username
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MembersToChooseQuery, MembersToChooseQueryVariables>;
export const ControlMapDocument = new TypedDocumentString(`
    query ControlMap($id: ID!, $asOf: DateTime, $after: String, $filter: OrganizationControlFilter, $language: String) {
  node(id: $id, asOf: $asOf) {
    ... on OrganizationWorkflow {
      controls(first: 100, after: $after, filter: $filter, language: $language) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          controlId
          parentId
          label
          status
          overdue
          evidenceState
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ControlMapQuery, ControlMapQueryVariables>;
export const EngagementFileDocument = new TypedDocumentString(`
    query EngagementFile($organizationId: ID!, $id: ID!, $after: String, $facts: Boolean! = false, $controls: Boolean! = false, $documents: Boolean! = false, $incidents: Boolean! = false, $auditTrail: Boolean! = false, $requests: Boolean! = false, $signOffs: Boolean! = false) {
  engagement(organizationId: $organizationId, id: $id) {
    ... @include(if: $facts) {
      databaseId
      organizationId
      organizationName
      name
      from
      to
      until
      asOf
      workflows {
        workflowId
        name
      }
      auditors {
        userId
        username
      }
    }
    controls(first: 100, after: $after) @include(if: $controls) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        workflowId
        controlId
        label
        status
        justification
        updatedAt
        owner {
          username
        }
      }
    }
    documents(first: 100, after: $after) @include(if: $documents) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        documentVersionId
        workflowId
        controlId
        filename
        size
        contentType
        sha256
        createdAt
        effectiveAt
        createdBy {
          username
        }
      }
    }
    incidents(first: 100, after: $after) @include(if: $incidents) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        incidentId
        title
        description
        severity
        status
        significant
        awareAt
        closedAt
        openedBy {
          username
        }
      }
    }
    auditTrail(first: 100, after: $after) @include(if: $auditTrail) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        position
        at
        action
        actorType
        actor
        reason
        hash
        subject {
          type
          databaseId
          name
        }
        changes {
          field
          before
          after
        }
      }
    }
    requests(first: 100, after: $after) @include(if: $requests) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        ...RequestLine
        answeredBy {
          username
        }
      }
    }
    signOffs(first: 100, after: $after) @include(if: $signOffs) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        ...SignOffLine
      }
    }
  }
}
    fragment RequestLine on EvidenceRequest {
  evidenceRequestId
  workflowId
  controlId
  text
  answer
  createdAt
  answeredAt
  closedAt
  createdBy {
    username
  }
}
fragment SignOffLine on SignOff {
  signOffId
  workflowId
  controlId
  statement
  createdAt
  createdBy {
    username
  }
}`) as unknown as TypedDocumentString<EngagementFileQuery, EngagementFileQueryVariables>;
export const RequestEvidenceDocument = new TypedDocumentString(`
    mutation RequestEvidence($input: RequestEvidenceInput!) {
  requestEvidence(input: $input) {
    request {
      evidenceRequestId
    }
  }
}
    `) as unknown as TypedDocumentString<RequestEvidenceMutation, RequestEvidenceMutationVariables>;
export const SignOffEngagementDocument = new TypedDocumentString(`
    mutation SignOffEngagement($input: SignOffInput!) {
  signOff(input: $input) {
    signOff {
      signOffId
    }
  }
}
    `) as unknown as TypedDocumentString<SignOffEngagementMutation, SignOffEngagementMutationVariables>;
export const AnswerRequestDocument = new TypedDocumentString(`
    mutation AnswerRequest($input: AnswerEvidenceRequestInput!) {
  answerEvidenceRequest(input: $input) {
    request {
      version
    }
  }
}
    `) as unknown as TypedDocumentString<AnswerRequestMutation, AnswerRequestMutationVariables>;
export const EngagementControlsDocument = new TypedDocumentString(`
    query EngagementControls($organizationId: ID!, $id: ID!, $first: Int, $after: String, $language: String) {
  engagement(organizationId: $organizationId, id: $id) {
    part: controls(first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        workflowId
        controlId
        label(language: $language)
        status
        justification
        owner {
          username
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EngagementControlsQuery, EngagementControlsQueryVariables>;
export const EngagementDocumentsDocument = new TypedDocumentString(`
    query EngagementDocuments($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
  engagement(organizationId: $organizationId, id: $id) {
    part: documents(first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        documentVersionId
        workflowId
        controlId
        filename
        sha256
        createdAt
        effectiveAt
        createdBy {
          username
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EngagementDocumentsQuery, EngagementDocumentsQueryVariables>;
export const EngagementDocumentUrlsDocument = new TypedDocumentString(`
    query EngagementDocumentUrls($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
  engagement(organizationId: $organizationId, id: $id) {
    documents(first: $first, after: $after) {
      nodes {
        documentVersionId
        downloadUrl
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EngagementDocumentUrlsQuery, EngagementDocumentUrlsQueryVariables>;
export const EngagementIncidentsDocument = new TypedDocumentString(`
    query EngagementIncidents($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
  engagement(organizationId: $organizationId, id: $id) {
    part: incidents(first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        incidentId
        title
        severity
        status
        significant
        awareAt
        closedAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EngagementIncidentsQuery, EngagementIncidentsQueryVariables>;
export const DraftReportDocument = new TypedDocumentString(`
    query DraftReport($organizationId: ID!, $incidentId: ID!, $regimeId: String!, $stage: IncidentReportStage!, $number: Int) {
  draftIncidentReport(
    organizationId: $organizationId
    incidentId: $incidentId
    regimeId: $regimeId
    stage: $stage
    number: $number
  ) {
    missing
    fields {
      key
      label
      value
      missing
      law
    }
  }
}
    `) as unknown as TypedDocumentString<DraftReportQuery, DraftReportQueryVariables>;
export const AddNoteDocument = new TypedDocumentString(`
    mutation AddNote($input: AddIncidentNoteInput!) {
  addIncidentNote(input: $input) {
    note {
      databaseId
    }
  }
}
    `) as unknown as TypedDocumentString<AddNoteMutation, AddNoteMutationVariables>;
export const RehearsalReportDocument = new TypedDocumentString(`
    query RehearsalReport($organizationId: ID!, $incidentId: ID!) {
  rehearsalReport(organizationId: $organizationId, incidentId: $incidentId) {
    closedAt
    speed
    firstNoteAt
    stages {
      regimeId
      regimeName
      stage
      number
      state
      dueAt
      sentAt
      lateSeconds
      sentBy {
        username
      }
    }
    reactions {
      action
      at
      secondsAfterOpening
      user {
        username
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RehearsalReportQuery, RehearsalReportQueryVariables>;
export const StartRehearsalDocument = new TypedDocumentString(`
    mutation StartRehearsal($input: OpenIncidentInput!) {
  openIncident(input: $input) {
    incident {
      databaseId
    }
  }
}
    `) as unknown as TypedDocumentString<StartRehearsalMutation, StartRehearsalMutationVariables>;
export const OwnTokenDocument = new TypedDocumentString(`
    query OwnToken {
  viewer {
    token {
      databaseId
      origin
    }
  }
}
    `) as unknown as TypedDocumentString<OwnTokenQuery, OwnTokenQueryVariables>;
export const RevokeOwnTokenDocument = new TypedDocumentString(`
    mutation RevokeOwnToken($input: RevokeApiTokenInput!) {
  revokeApiToken(input: $input) {
    apiToken {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeOwnTokenMutation, RevokeOwnTokenMutationVariables>;