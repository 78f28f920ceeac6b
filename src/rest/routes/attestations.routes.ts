import type { RouteGroup } from '../route.js';

const CONTROL = '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}';
const ALL = `${CONTROL}/attestations`;
const ONE = `${ALL}/{id}`;

/** An attestation as the API shows it. */
export const ATTESTATION_EXAMPLE = {
  id: 4,
  workflow_id: 'iso-27001-2022',
  control_id: 'A.5.1',
  state: 'COUNTERSIGNED',
  statement: 'The policies are in force, and every employee has confirmed them.',
  attested_by: 'elena.santoro',
  attested_at: '2026-11-20T08:15:30.000Z',
  evidence: [
    {
      document_version_id: 31,
      workflow_id: 'iso-27001-2022',
      control_id: 'A.5.1',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  ],
  position: 412,
  countersigned_by: 'marco.deluca',
  countersigned_at: '2026-11-21T10:00:00.000Z',
  stale_at: null,
  changes: [],
  withdrawn_by: null,
  withdrawn_at: null,
  superseded_at: null,
};

export const ATTESTATIONS: RouteGroup = {
  tag: 'Workflows',
  examples: {
    ControlAttestation: ATTESTATION_EXAMPLE,
    AttestedDocument: ATTESTATION_EXAMPLE.evidence[0]!,
    AttestationChange: {
      kind: 'DOCUMENT_ADDED',
      ...{ workflow_id: 'iso-27001-2022', control_id: 'A.5.1', document_version_id: 32 },
      sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    },
  },
  views: {
    ControlAttestation: [
      'id workflowId controlId state statement attestedBy.username attestedAt',
      { evidence: 'AttestedDocument' },
      'position countersignedBy.username countersignedAt staleAt',
      { changes: 'AttestationChange' },
      'withdrawnBy.username withdrawnAt withdrawalReason supersededAt',
      { viewerCan: ['countersign withdraw'] },
    ],
    AttestedDocument: ['documentVersionId workflowId controlId sha256'],
    AttestationChange: ['kind workflowId controlId documentVersionId sha256'],
  },
  routes: {
    [`GET ${ALL}`]: { past: true, operationId: 'listAttestations', data: 'organizationControl.attestations.nodes' },
    [`POST ${ALL}`]: {
      operationId: 'attestControl',
      etag: 'none',
      remarks:
        'Only its owner may, while the control is `DONE` and its evidence is not `STALE`. `If-Match` is about the control.',
      data: 'attestControl.attestation',
      arguments: { 'If-Match': 'controlVersion' },
      body: { example: { statement: ATTESTATION_EXAMPLE.statement } },
      created: `${ALL}/{id}`,
      errors: ['CONFLICT'],
      example: { state: 'ATTESTED', countersigned_by: null, countersigned_at: null },
    },
    [`GET ${ONE}`]: { past: true, operationId: 'getAttestation', data: 'controlAttestation' },
    [`POST ${ONE}/countersignature`]: {
      operationId: 'countersignAttestation',
      remarks: 'Another person than the one who made it has to.',
      data: 'countersignAttestation.attestation',
      arguments: { id: 'attestationId' },
      errors: ['CONFLICT'],
    },
    [`POST ${ONE}/withdrawal`]: {
      operationId: 'withdrawAttestation',
      data: 'withdrawAttestation.attestation',
      arguments: { id: 'attestationId' },
      body: { example: { reason: 'The policy is being rewritten.' } },
      errors: ['CONFLICT'],
      example: {
        state: 'WITHDRAWN',
        withdrawn_by: 'elena.santoro',
        withdrawn_at: '2026-11-23T09:00:00.000Z',
        withdrawal_reason: 'The policy is being rewritten.',
      },
    },
  },
};
