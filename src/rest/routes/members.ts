import { ROLES } from '../../vocabulary/roles.js';
import { operation } from '../documents.js';
import { choice, limit, offset, pathId, sort, text } from '../parameters.js';
import type { Route } from '../route.js';

const ORGANIZATION_USERS = operation(/* GraphQL */ `
  query OrganizationUsers(
    $organizationid: Int!
    $limit: Int
    $offset: Int
    $sort: OrganizationUserOrder
    $role: Role
    $search: String
  ) {
    organization(id: $organizationid) {
      users(first: $limit, offset: $offset, orderBy: $sort, filter: { role: $role, search: $search }) {
        data: nodes {
          ...OrganizationUser
        }
        total: totalCount
      }
    }
  }
`);

export const MEMBERS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/users',
    operationId: 'listOrganizationUsers',
    source: 'specification 4.7',
    tag: 'Organizations',
    summary: 'List the users of an organization',
    description: 'The caller belongs to the organization and has at least the Security Officer privilege.',
    carrier: 'sofa',
    document: ORGANIZATION_USERS,
    parameters: [
      pathId('organizationid', 'Whose users.'),
      limit,
      offset,
      sort({ username: 'USERNAME', email: 'EMAIL', role: 'ROLE' }, 'username'),
      choice('role', ROLES, 'Only users of exactly this role.'),
      text('search', 'Only users whose name, username or e-mail contains this text, in whatever case.', 'rossi'),
    ],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
  },
];
