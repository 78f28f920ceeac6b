import { operation } from '../documents.js';
import { pathId } from '../parameters.js';
import type { Route } from '../route.js';

const CLOUD_DEFENDER = operation(/* GraphQL */ `
  query CloudDefender($id: Int!) {
    data: cloudDefender(id: $id) {
      ...CloudDefender
    }
  }
`);

const DELETE_CLOUD_DEFENDER = operation(/* GraphQL */ `
  mutation DeleteCloudDefender($id: Int!) {
    deleteCloudDefender(input: { id: $id }) {
      data: cloudDefender {
        ...CloudDefender
      }
    }
  }
`);

export const CLOUD_DEFENDER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/cloud-defender/{id}',
    operationId: 'getCloudDefender',
    source: 'specification 4.4',
    tag: 'Edge protection',
    summary: 'Read an edge-protection configuration',
    description: 'Only configurations of organizations that the caller can manage are readable.',
    carrier: 'sofa',
    document: CLOUD_DEFENDER,
    parameters: [pathId('id', 'Which configuration.')],
    errors: ['NOT_FOUND'],
  },
  {
    method: 'DELETE',
    path: '/api/v1/cloud-defender/{id}',
    operationId: 'deleteCloudDefender',
    source: 'specification 4.5',
    tag: 'Edge protection',
    summary: 'Delete an edge-protection configuration',
    description: 'Deletes the configuration softly and returns it. Only who manages its organization can.',
    carrier: 'sofa',
    document: DELETE_CLOUD_DEFENDER,
    parameters: [pathId('id', 'Which configuration.')],
    errors: ['NOT_FOUND'],
  },
];
