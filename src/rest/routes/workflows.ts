import { operation } from '../documents.js';
import { limit, offset } from '../parameters.js';
import type { Route } from '../route.js';

const AVAILABLE_WORKFLOWS = operation(/* GraphQL */ `
  query AvailableWorkflows($limit: Int, $offset: Int) {
    availableWorkflows(first: $limit, offset: $offset) {
      data: nodes {
        ...Workflow
      }
      total: totalCount
    }
  }
`);

export const WORKFLOWS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/v-ciso/available-workflows',
    operationId: 'listAvailableWorkflows',
    source: 'specification 4.8',
    tag: 'Workflows',
    summary: 'List the available workflows',
    description:
      'The compliance frameworks and task sets that can be enabled for an organization. The `id` of an item is used to associate the workflow with an organization.',
    carrier: 'sofa',
    document: AVAILABLE_WORKFLOWS,
    parameters: [limit, offset],
    errors: ['BAD_USER_INPUT'],
  },
];
