import { operation } from '../documents.js';
import { pathId } from '../parameters.js';
import type { Route } from '../route.js';

const THREAT_BLOCKER = operation(/* GraphQL */ `
  query ThreatBlocker($id: Int!) {
    data: threatBlocker(id: $id) {
      ...ThreatBlocker
    }
  }
`);

const DELETE_THREAT_BLOCKER = operation(/* GraphQL */ `
  mutation DeleteThreatBlocker($id: Int!) {
    deleteThreatBlocker(input: { id: $id }) {
      data: threatBlocker {
        ...ThreatBlocker
      }
    }
  }
`);

export const THREAT_BLOCKER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/atb/{id}',
    operationId: 'getThreatBlocker',
    source: 'specification 1, decisions 8',
    tag: 'Threat blocker',
    summary: 'Read a threat-blocker configuration',
    description: 'Only configurations of organizations that the caller can manage are readable.',
    carrier: 'sofa',
    document: THREAT_BLOCKER,
    parameters: [pathId('id', 'Which configuration.')],
    errors: ['NOT_FOUND'],
  },
  {
    method: 'DELETE',
    path: '/api/v1/atb/{id}',
    operationId: 'deleteThreatBlocker',
    source: 'specification 4.6',
    tag: 'Threat blocker',
    summary: 'Delete a threat-blocker configuration',
    description: 'Deletes the configuration softly and returns it. Only who manages its organization can.',
    carrier: 'sofa',
    document: DELETE_THREAT_BLOCKER,
    parameters: [pathId('id', 'Which configuration.')],
    errors: ['NOT_FOUND'],
  },
];
