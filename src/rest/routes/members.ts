import { ROLES } from '../../vocabulary/roles.js';
import { operation } from '../documents.js';
import { choice, flag, limit, offset, pathId, pathUuid, sort, text } from '../parameters.js';
import type { Route } from '../route.js';

const ORGANIZATION_USERS = operation(/* GraphQL */ `
  query OrganizationUsers(
    $organizationid: Int!
    $limit: Int
    $offset: Int
    $sort: OrganizationUserOrder
    $role: Role
    $active: Boolean
    $search: String
  ) {
    organization(id: $organizationid) {
      users(first: $limit, offset: $offset, orderBy: $sort, filter: { role: $role, active: $active, search: $search }) {
        data: nodes {
          ...OrganizationUser
        }
        total: totalCount
      }
    }
  }
`);

const MEMBER = operation(/* GraphQL */ `
  query OrganizationMember($organizationid: Int!, $userid: ID!) {
    data: member(organizationId: $organizationid, userId: $userid) {
      ...OrganizationMember
    }
  }
`);

const UPDATE_MEMBER = operation(/* GraphQL */ `
  mutation UpdateMember($input: UpdateMemberInput!) {
    updateMember(input: $input) {
      data: member {
        ...OrganizationMember
      }
    }
  }
`);

const REMOVE_MEMBER = operation(/* GraphQL */ `
  mutation RemoveMember($organizationid: Int!, $userid: ID!) {
    removeMember(input: { organizationId: $organizationid, userId: $userid }) {
      data: member {
        ...OrganizationMember
      }
    }
  }
`);

const EXAMPLE = {
  id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
  username: 'elena.santoro',
  email: 'elena.santoro@example.com',
  first_name: 'Elena',
  last_name: 'Santoro',
  role: 'SECURITY_OFFICER',
  alerts: { atb: true, cloud_defender: true, v_ciso: false },
  active: true,
  joined_at: '2026-01-31T09:30:00.000Z',
  deactivated_at: null,
  viewer_can: {
    assign_roles: ['VIEWER', 'SECURITY_ANALYST', 'SECURITY_OFFICER'],
    set_active: true,
    remove: true,
  },
};

const whichMember = [pathId('organizationid', 'Whose user.'), pathUuid('userid', 'Which user.')];

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
      flag('active', 'Only users who have access, or only those who are deactivated.'),
      text('search', 'Only users whose name, username or e-mail contains this text, in whatever case.', 'rossi'),
    ],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/users/{userid}',
    operationId: 'getOrganizationUser',
    source: 'decisions 2',
    tag: 'Organizations',
    summary: 'Read a user of an organization',
    description: 'Asks for at least the Security Officer privilege, unless the caller asks for itself.',
    carrier: 'sofa',
    document: MEMBER,
    parameters: whichMember,
    errors: ['NOT_FOUND'],
    example: EXAMPLE,
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{organizationid}/users/{userid}',
    operationId: 'updateOrganizationUser',
    source: 'decisions 2',
    tag: 'Organizations',
    summary: 'Change the role or the access of a user',
    description:
      'Rank 4 manages users below rank 4, rank 5 everybody; nobody gives a role that it does not manage. What is absent stays as it is. A conflict when no owner would be left.',
    carrier: 'sofa',
    document: UPDATE_MEMBER,
    parameters: whichMember,
    body: { input: 'UpdateMemberInput', example: { role: 'SECURITY_OFFICER' } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
    example: EXAMPLE,
  },
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationid}/users/{userid}',
    operationId: 'removeOrganizationUser',
    source: 'decisions 2',
    tag: 'Organizations',
    summary: 'Remove a user from an organization',
    description: 'Answers the user as it was. Who may is decided as for a change. A conflict for the last owner.',
    carrier: 'sofa',
    document: REMOVE_MEMBER,
    parameters: whichMember,
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: EXAMPLE,
  },
];
