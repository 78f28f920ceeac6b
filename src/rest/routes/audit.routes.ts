import type { Route } from '../route.js';

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

export const AUDIT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: AUDIT_PATH,
    operationId: 'listAuditTrail',
    tag: 'Audit',
    summary: 'List the audit trail of an organization',
    description:
      'Who did what, newest first unless ordered otherwise. Entries are never changed, and each has a hash of all before it. Takes at least a Security Officer.',
    data: 'organization.auditTrail.nodes',
    view: 'AuditEntry',
    parameters: 'limit offset sort actor action subject_type subject_id from to',
    sort: '-position',
    examples: { actor: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37', subject_id: '12' },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ENTRY_EXAMPLE,
  },
];
