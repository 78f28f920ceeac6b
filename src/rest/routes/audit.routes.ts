import { bom, queryParameter, TEXT } from '../request/parameters.js';
import { INSTANT, SIGNED_FOR_MEMBER } from './documents.routes.js';
import { COSTS } from '../../values/costs.js';
import type { RouteGroup } from '../route.js';

const AUDIT_PATH = '/api/v1/organizations/{id}/audit-trail';

const ENTRY = {
  position: 42,
  at: '2026-11-20T08:15:30.500Z',
  action: 'INCIDENT_UPDATED',
  actor: {
    type: 'USER',
    user: 'elena.santoro',
    user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
    token_id: 31,
    address: '192.0.2.17',
  },
  request_id: '0c6b3a52-5f0e-4f0c-9d5e-0a4c7f1e8b21',
  subject: { type: 'INCIDENT', id: '12', name: 'Phishing wave' },
  changes: [{ field: 'severity', before: 'HIGH', after: 'LOW' }],
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const EXAMPLES = {
  AuditEntry: ENTRY,
  RecordedChange: {
    ...{ position: 42, at: ENTRY.at, action: ENTRY.action, actor: ENTRY.actor, subject: ENTRY.subject },
    ...{ field: 'severity', before: 'HIGH', after: 'LOW' },
  },
  AuditCheckpoint: {
    log: 'organization/1',
    position: 42,
    hash: ENTRY.hash,
    at: '2026-11-21T03:25:00.000Z',
    number: 3,
    previous: '4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a',
    key_id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    chain_signature: 'Qn6T-XuqW0jUDfG6pSMXJwTMNZEc0eJZ7-BKA1ixPj-xK8DiMCxCMj5cpuDvVvyH3vDUdC0XkG5bIgtaw5t4Ag',
    signature: 'dr3P-XuqW0jUDfG6pSMXJwTMNZEc0eJZ7-BKA1ixPj-xK8DiMCxCMj5cpuDvVvyH3vDUdC0XkG5bIgtaw5t4Ag',
  },
  AuditTrailVerification: { valid: true, verified_from: 1, verified_up_to: 42, entries: 42, checkpoints: 2 },
};

export const AUDIT: RouteGroup = {
  tag: 'Audit',
  examples: EXAMPLES,
  views: {
    AuditEntry: [
      'position at action',
      { actor: ['type user.username userId job tokenId address via client'] },
      'requestId',
      { subject: ['type id name', { parent: ['type id'] }], changes: ['field before after'] },
      'reason hash',
    ],
    RecordedChange: [
      'position at action',
      { actor: ['type user.username userId job tokenId address via client'], subject: ['type id name'] },
      'field before after reason',
    ],
    AuditCheckpoint: ['log position hash at number previous keyId signature chainSignature'],
    AuditTrailVerification: [
      'valid verifiedFrom verifiedUpTo entries checkpoints',
      { fault: ['position reason message'] },
    ],
  },
  routes: {
    [`GET ${AUDIT_PATH}`]: {
      past: true,
      operationId: 'listAuditTrail',
      remarks: 'Entries are never changed, and each has a hash of all before it.',
      data: 'organization.auditTrail.nodes',
      parameters: 'actor_id actor_job action subject_type subject_id from to after_position',
      sort: '-position',
      examples: {
        actor_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
        actor_job: 'signed-address',
        subject_id: '12',
        after_position: 41,
      },
    },
    'GET /api/v1/organizations/{id}/changes': {
      past: 'CHANGES',
      operationId: 'listChanges',
      data: 'organization.changes.nodes',
      parameters: 'from to actor_id actor_job action subject_type subject_id field',
      examples: {
        from: '2026-01-01T00:00:00Z',
        to: ENTRY.at,
        actor_id: ENTRY.actor.user_id,
        actor_job: 'signed-address',
        subject_id: '12',
        field: 'severity',
      },
    },
    'GET /api/v1/organizations/{id}/proof': {
      operationId: 'exportProof',
      description:
        'The state of the organization at an instant, or one object of it, with the entries of the audit trail that made it so, the checkpoints around it, the public keys and a signature: `verify-proof.mjs` verifies it without the gateway. What is about a person is encrypted. The export is recorded. Answered with 409, and the fault in `Audit-Trail-Fault`, while the trail is not as it was written. Takes at least a Security Officer, or an address that `proofUrl` of GraphQL has signed.',
      handler: 'proof',
      cost: COSTS.proof,
      data: 'organization',
      own: [
        queryParameter('as_of', {
          description: 'The instant, in the past; now when absent.',
          schema: INSTANT,
          example: '2026-11-20T09:30:00Z',
        }),
        queryParameter('object', {
          description: 'Only one object: its type and id, as entries of the audit trail have them.',
          schema: TEXT,
          example: 'INCIDENT/12',
        }),
        ...SIGNED_FOR_MEMBER,
      ],
      costly: 'packs',
      errors: ['CONFLICT'],
      open: 'when signed',
    },
    [`POST ${AUDIT_PATH}/checkpoints`]: {
      operationId: 'createAuditCheckpoint',
      remarks: 'The signature can be verified with `/.well-known/audit-keys.json`.',
      data: 'createAuditCheckpoint.checkpoint',
      created: true,
    },
    [`GET ${AUDIT_PATH}/verification`]: {
      past: 'TRAIL',
      operationId: 'verifyAuditTrail',
      etag: 'none',
      remarks: 'The answer says from which entry on, and up to which, it is.',
      data: 'organization.auditTrailVerification',
      costly: 'searches',
    },
    [`GET ${AUDIT_PATH}.ndjson`]: {
      past: 'TRAIL',
      operationId: 'exportAuditTrail',
      description:
        'Each entry as it is stored, one JSON object on each line, each checkpoint after the entry that it was signed for, and a signed checkpoint as the last line; the first says what was removed after its retention, if anything was. What is about a person is encrypted. The export itself is recorded. Answered with 409, and the fault in `Audit-Trail-Fault`, while the trail is not as it was written. Takes at least a Security Officer.',
      handler: 'audit-trail-ndjson',
      errors: ['CONFLICT'],
      data: 'organization',
      costly: 'packs',
    },
    [`GET ${AUDIT_PATH}.csv`]: {
      past: 'TRAIL',
      operationId: 'exportAuditTrailTable',
      description:
        'One row for each entry, oldest first, with the names of persons who were not erased. It begins with a byte order mark, unless `bom` is `0`. The export itself is recorded. Takes at least a Security Officer.',
      handler: 'audit-trail-csv',
      errors: ['CONFLICT'],
      data: 'organization',
      own: [bom],
      costly: 'packs',
    },
  },
};

const OWN_PATH = '/api/v1/profile/audit-trail';

export const OWN_AUDIT: RouteGroup = {
  tag: 'Account',
  routes: {
    [`GET ${OWN_PATH}`]: {
      operationId: 'listOwnAuditTrail',
      data: 'viewer.auditTrail.nodes',
      parameters: 'actor_id actor_job action subject_type subject_id from to after_position',
      sort: '-position',
      examples: { actor_id: ENTRY.actor.user_id, actor_job: 'signed-address', subject_id: '31', after_position: 41 },
      example: {
        action: 'TOKEN_CREATED',
        subject: { type: 'TOKEN', id: '31', name: 'Laptop' },
        changes: [{ field: 'scopes', after: ['read'] }],
      },
    },
    [`GET ${OWN_PATH}/verification`]: {
      operationId: 'verifyOwnAuditTrail',
      description:
        'Whether the audit trail of the caller is as it was written: reads all of it, and says up to which entry it is.',
      data: 'viewer.auditTrailVerification',
      costly: 'searches',
    },
  },
};
