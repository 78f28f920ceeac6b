import { allows, toAuditors } from './domain.js';

export const AUDIT = {
  privileges: {
    ...allows('SECURITY_OFFICER', 'read', {
      READ_AUDIT_TRAIL: 'Read who did what.',
    }),
    ...allows('ORGANIZATION_OWNER', 'write', {
      SET_AUDIT_RETENTION:
        'Set after how many days entries of the audit trail are removed, and who is mailed its checkpoints.',
    }),
  },
  actions: {
    LIST_DOWNLOADED: toAuditors('organization.list_downloaded', 'A list was downloaded as CSV or as a workbook.'),
    AUDIT_CHECKPOINT_SIGNED: toAuditors(
      'audit_trail.checkpoint_signed',
      'A checkpoint of the audit trail was signed for its witnesses.',
    ),
    AUDIT_TRAIL_EXPORTED: toAuditors('audit_trail.exported', 'The audit trail was exported.'),
    PROOF_EXPORTED: toAuditors(
      'audit_trail.proof_exported',
      'The state at an instant was exported, with the entries that prove it.',
    ),
    STATE_RECORDED: toAuditors(
      'audit_trail.state_recorded',
      'What the organization is was recorded as a whole: from then on the trail shows what it was.',
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
      'A user or a service account was refused what its role, or the token that it used, does not allow.',
    ),
  },
} as const;
