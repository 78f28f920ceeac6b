import { ID, pathParameter } from '../parameters.js';
import { routesAbout } from '../route.js';

const AUDIT_PATH = '/api/v1/organizations/{id}/audit-trail';

const ENTRY_EXAMPLE = {
  position: 42,
  at: '2026-11-20T08:15:30.500Z',
  action: 'INCIDENT_UPDATED',
  actor: {
    type: 'USER',
    user: 'elena.santoro',
    user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
    job: null,
    token_id: 31,
    address: '192.0.2.17',
  },
  request_id: '0c6b3a52-5f0e-4f0c-9d5e-0a4c7f1e8b21',
  subject: { type: 'INCIDENT', id: '12', name: 'Phishing wave', parent: null },
  changes: [{ field: 'severity', before: 'HIGH', after: 'LOW' }],
  reason: null,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const CHECKPOINT_EXAMPLE = {
  log: 'organization/1',
  position: 42,
  hash: ENTRY_EXAMPLE.hash,
  at: '2026-11-21T03:25:00.000Z',
  key_id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  signature: 'dr3P-XuqW0jUDfG6pSMXJwTMNZEc0eJZ7-BKA1ixPj-xK8DiMCxCMj5cpuDvVvyH3vDUdC0XkG5bIgtaw5t4Ag',
};

const EXAMPLES = {
  AuditTrailVerification: {
    valid: true,
    verified_from: 1,
    verified_up_to: 42,
    entries: 42,
    checkpoints: 2,
    fault: null,
  },
};

const ORGANIZATION = pathParameter('id', { description: 'The organization.', schema: ID, example: 1 });

export const AUDIT_ROUTES = routesAbout({ tag: 'Audit', examples: EXAMPLES }, [
  {
    method: 'GET',
    path: AUDIT_PATH,
    operationId: 'listAuditTrail',
    summary: 'List the audit trail of an organization',
    description:
      'Who did what, newest first unless ordered otherwise. Entries are never changed, and each has a hash of all before it. Takes at least a Security Officer.',
    data: 'organization.auditTrail.nodes',
    view: 'AuditEntry',
    parameters: 'limit offset sort actor action subject_type subject_id from to',
    sort: '-position',
    examples: { actor: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37', subject_id: '12' },
    example: ENTRY_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${AUDIT_PATH}/checkpoints`,
    operationId: 'createAuditCheckpoint',
    summary: 'Sign the newest entry of an audit trail',
    description:
      'The signature can be verified with `/.well-known/audit-keys.json`. Kept elsewhere, the checkpoint shows later whether anything before it was changed. Takes at least a Security Officer.',
    data: 'createAuditCheckpoint.checkpoint',
    view: 'AuditCheckpoint',
    created: true,
    example: CHECKPOINT_EXAMPLE,
  },
  {
    method: 'GET',
    path: `${AUDIT_PATH}/verification`,
    operationId: 'verifyAuditTrail',
    summary: 'Verify the audit trail of an organization',
    description:
      'Reads all of it, and says from which entry on, and up to which, it is as it was written. Takes at least a Security Officer.',
    data: 'organization.auditTrailVerification',
    view: 'AuditTrailVerification',
    costly: 'searches',
  },
  {
    method: 'GET',
    path: `${AUDIT_PATH}.ndjson`,
    operationId: 'exportAuditTrail',
    summary: 'Export an audit trail to verify it elsewhere',
    description:
      'Each entry as it is stored, one JSON object on each line, and a signed checkpoint as the last line; the first says what was removed after its retention, if anything was. What is about a person is encrypted. The export itself is recorded. Takes at least a Security Officer.',
    handler: 'audit-trail-ndjson',
    parameters: [ORGANIZATION],
    costly: 'packs',
  },
  {
    method: 'GET',
    path: `${AUDIT_PATH}.csv`,
    operationId: 'exportAuditTrailTable',
    summary: 'Export an audit trail as a table',
    description:
      'One row for each entry, oldest first, with the names of persons who were not erased. The export itself is recorded. Takes at least a Security Officer.',
    handler: 'audit-trail-csv',
    parameters: [ORGANIZATION],
    costly: 'packs',
  },
]);

const OWN_PATH = '/api/v1/profile/audit-trail';

export const OWN_AUDIT_ROUTES = routesAbout({ tag: 'Account', examples: EXAMPLES }, [
  {
    method: 'GET',
    path: OWN_PATH,
    operationId: 'listOwnAuditTrail',
    summary: 'List the audit trail of one’s own profile and tokens',
    description:
      'What the caller did with its profile and tokens, and what the gateway did with them, newest first unless ordered otherwise. No one else can read it.',
    data: 'viewer.auditTrail.nodes',
    view: 'AuditEntry',
    parameters: 'limit offset sort actor action subject_type subject_id from to',
    sort: '-position',
    examples: { actor: ENTRY_EXAMPLE.actor.user_id, subject_id: '31' },
    example: {
      ...ENTRY_EXAMPLE,
      action: 'TOKEN_CREATED',
      subject: { type: 'TOKEN', id: '31', name: 'Laptop', parent: null },
      changes: [{ field: 'scopes', before: null, after: ['read'] }],
    },
  },
  {
    method: 'GET',
    path: `${OWN_PATH}/verification`,
    operationId: 'verifyOwnAuditTrail',
    summary: 'Verify the audit trail of one’s own profile and tokens',
    description: 'Reads all of it, and says up to which entry it is as it was written.',
    data: 'viewer.auditTrailVerification',
    view: 'AuditTrailVerification',
    costly: 'searches',
  },
]);
