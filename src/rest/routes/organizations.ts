import { ROLES } from '../../vocabulary/roles.js';
import { operation } from '../documents.js';
import { ORGANIZATION_EXAMPLE } from '../openapi/examples.js';
import { choice, ifMatch, limit, offset, pathId, sort, text } from '../parameters.js';
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

const ORGANIZATIONS = operation(/* GraphQL */ `
  query Organizations($limit: Int, $offset: Int, $sort: OrganizationOrder, $role: Role, $search: String) {
    organizations(first: $limit, offset: $offset, orderBy: $sort, filter: { role: $role, search: $search }) {
      data: nodes {
        ...Organization
      }
      total: totalCount
    }
  }
`);

const ORGANIZATION = operation(/* GraphQL */ `
  query Organization($id: Int!) {
    data: organization(id: $id) {
      ...Organization
      etag: version
    }
  }
`);

const UPDATE_ORGANIZATION = operation(/* GraphQL */ `
  mutation UpdateOrganization($input: UpdateOrganizationInput!) {
    updateOrganization(input: $input) {
      data: organization {
        ...Organization
        etag: version
      }
    }
  }
`);

export const ORGANIZATIONS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations',
    operationId: 'listOrganizations',
    source: 'decisions §4 and §5',
    tag: 'Organizations',
    summary: 'List the organizations of the authenticated user',
    description: 'The organizations that the caller belongs to.',
    carrier: 'sofa',
    document: ORGANIZATIONS,
    parameters: [
      limit,
      offset,
      sort({ name: 'NAME', created_at: 'CREATED' }, 'name'),
      choice('role', ROLES, 'Only organizations in which the caller has exactly this role.'),
      text('search', 'Only organizations whose name contains this text, in whatever case.', 'rossi'),
    ],
    errors: ['BAD_USER_INPUT'],
    example: ORGANIZATION_EXAMPLE,
  },
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
    errors: ['BAD_USER_INPUT', 'CONFLICT', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}',
    operationId: 'getOrganization',
    source: 'decisions §5',
    tag: 'Organizations',
    summary: 'Read an organization',
    description: 'Every member may read it. `ETag` names its state.',
    carrier: 'sofa',
    document: ORGANIZATION,
    parameters: [pathId('id', 'Which organization.')],
    errors: ['NOT_FOUND'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{id}',
    operationId: 'updateOrganization',
    source: 'decisions §5',
    tag: 'Organizations',
    summary: 'Change the profile of an organization',
    description:
      'An absent field stays as it is, null empties it; a list is replaced as a whole. Each field has the rules that it has on creation. Only who manages the organization can.',
    carrier: 'sofa',
    document: UPDATE_ORGANIZATION,
    parameters: [pathId('id', 'Which organization.'), ifMatch],
    body: { input: 'UpdateOrganizationInput', example: { number_employees: 250, website: null } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ORGANIZATION_EXAMPLE,
  },
];
