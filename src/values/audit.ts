import { DECLARED_ACTIONS, DECLARED_SUBJECTS } from './domains/index.js';

/** Actions of audit entries, described in the past tense, with their events. */
export const ACTIONS = DECLARED_ACTIONS;

export type AuditAction = keyof typeof ACTIONS;

/** Actions that change nothing in the organization: reads, refusals and approaching dates. */
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

/** Subjects of audit entries, with their REST paths below the API, if any. */
export const AUDIT_SUBJECTS = DECLARED_SUBJECTS;

export type AuditSubjectType = keyof typeof AUDIT_SUBJECTS;

/** The protocol of a program that acted for the actor. */
export type AuditVia = 'MCP';

export type AuditActorType = 'USER' | 'SERVICE_ACCOUNT' | 'SCIM' | 'SYSTEM';

/** Reasons of an audit trail's defect. */
export type AuditFaultReason =
  | 'HASH_MISMATCH'
  | 'POSITION_MISSING'
  | 'HEAD_MISMATCH'
  | 'CHECKPOINT_MISMATCH'
  | 'CHECKPOINT_MISSING'
  | 'SEAL_MISMATCH'
  | 'SEAL_MISSING'
  | 'SIGNATURE_INVALID';
