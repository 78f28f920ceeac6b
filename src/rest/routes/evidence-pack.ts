import { pathId, pathText, seconds, text } from '../parameters.js';
import type { Route } from '../route.js';

export const EVIDENCE_PACK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/evidence-pack',
    operationId: 'downloadEvidencePack',
    source: 'decisions 6',
    tag: 'Documents',
    summary: 'Download the evidence of a workflow',
    description:
      'One ZIP with every document of the workflow, its controls as CSV and a manifest that `sha256sum -c` verifies. It is open to a token, and to an address that `evidencePackUrl` has signed.',
    carrier: 'evidence-pack',
    costly: 'packs',
    parameters: [
      pathId('organizationid', 'Whose evidence.'),
      pathText('workflowid', 'A workflow that is associated with the organization.', 'iso-27001-2022'),
      text('for', 'Of a signed address: whom it was made out to.', 'a.rossi'),
      seconds('expires', 'Of a signed address: when it expires, in Unix seconds.'),
      text('signature', 'Of a signed address: its signature.', 'k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE'),
    ],
    errors: ['NOT_FOUND'],
    open: 'when signed',
  },
];
