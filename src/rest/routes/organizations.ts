import { operation } from '../documents.js';
import type { Route } from '../route.js';

const CREATE_ORGANIZATION = operation(/* GraphQL */ `
  mutation CreateOrganization($input: CreateOrganizationInput!) {
    createOrganization(input: $input) {
      data: organization {
        ...Organization
      }
    }
  }
`);

export const ORGANIZATIONS_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v1/organizations',
    operationId: 'createOrganization',
    source: 'specification 4.1',
    tag: 'Organizations',
    summary: 'Create an organization',
    description: 'Creates an organization. The authenticated user becomes its Organization Owner.',
    carrier: 'create-organization',
    document: CREATE_ORGANIZATION,
    parameters: [],
    errors: ['BAD_USER_INPUT', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
  },
];
