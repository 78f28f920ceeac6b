import { exampleUser } from '../openapi/examples.js';
import { queryParameter } from '../parameters.js';
import { routesAbout } from '../route.js';
import { EXPIRES, SIGNATURE } from './documents.routes.js';

const MEMBER_EXAMPLE = {
  ...exampleUser,
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

export const MEMBERS_ROUTES = routesAbout({ tag: 'Organizations', examples: { OrganizationMember: MEMBER_EXAMPLE } }, [
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/users',
    operationId: 'listOrganizationUsers',
    source: 'specification 4.7',
    summary: 'List the users of an organization',
    description: 'The caller belongs to the organization and has at least the Security Officer privilege.',
    data: 'organization.users.nodes',
    view: 'OrganizationUser',
    parameters: 'limit offset sort role active search',
    sort: 'username',
    example: {
      id: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
      username: 'a.rossi',
      email: 'anna@rossi-energia.example',
      first_name: 'Anna',
      last_name: 'Rossi',
      role: 'SECURITY_OFFICER',
      alerts: { atb: true, cloud_defender: true, v_ciso: false },
    },
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/users/{userid}',
    operationId: 'getOrganizationUser',
    summary: 'Read a user of an organization',
    description: 'Asks for at least the Security Officer privilege, unless the caller asks for itself.',
    data: 'member',
    view: 'OrganizationMember',
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{organizationid}/users/{userid}',
    operationId: 'updateOrganizationUser',
    summary: 'Change the role or the access of a user',
    description:
      'ORGANIZATION_MANAGER manages the roles below its own, ORGANIZATION_OWNER all roles. What is absent stays as it is. A conflict when no owner would be left.',
    data: 'updateMember.member',
    view: 'OrganizationMember',
    body: { example: { role: 'SECURITY_OFFICER' } },
    errors: ['CONFLICT'],
  },
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationid}/users/{userid}',
    operationId: 'removeOrganizationUser',
    summary: 'Remove a user from an organization',
    description: 'Answers the user as it was. Who may is decided as for a change. A conflict for the last owner.',
    data: 'removeMember.member',
    view: 'OrganizationMember',
    errors: ['CONFLICT'],
  },
]);

const PROFILE_EXAMPLES = {
  Profile: { ...exampleUser, created_at: '2026-01-31T09:30:00.000Z' },
  Alerts: { atb: true, cloud_defender: true, v_ciso: false },
  MailPreferences: {
    ...{ incident: 'IMMEDIATELY', document: 'DAILY', device: 'URGENT_ONLY', workflow: 'DAILY', member: 'URGENT_ONLY' },
    ...{ token: 'URGENT_ONLY', system: 'NEVER' },
  },
};

export const PROFILE_ROUTES = routesAbout({ tag: 'Account', examples: PROFILE_EXAMPLES }, [
  {
    method: 'GET',
    path: '/api/v1/profile',
    operationId: 'getProfile',
    source: 'specification 2.8',
    summary: 'Read who is calling',
    description: 'The user that the token belongs to.',
    data: 'viewer.user',
    view: 'Profile',
  },
  {
    method: 'PATCH',
    path: '/api/v1/profile',
    operationId: 'updateProfile',
    source: 'specification 2.8',
    summary: 'Change what one is called',
    description: 'What is absent stays as it is.',
    data: 'updateProfile.user',
    view: 'Profile',
    body: { example: { first_name: 'Elena', last_name: 'Santoro' } },
  },
  {
    method: 'GET',
    path: '/api/v1/profile/export',
    operationId: 'exportProfile',
    summary: 'Export everything about oneself',
    description:
      'One JSON document: profile, memberships, tokens without their secrets, notifications, invitations, what was uploaded and done, and the own audit trail. The export itself is recorded. It is open to a token, and to an address that `exportMe` has signed.',
    handler: 'personal-data',
    costly: 'packs',
    parameters: [
      queryParameter('for', {
        description: 'In a signed address: the user that it was made for.',
        schema: { type: 'string', format: 'uuid' },
        example: exampleUser.id,
      }),
      EXPIRES,
      SIGNATURE,
    ],
    errors: ['NOT_FOUND'],
    open: 'when signed',
  },
  {
    method: 'DELETE',
    path: '/api/v1/profile',
    operationId: 'eraseProfile',
    summary: 'Erase oneself',
    description:
      'Revokes the tokens of the caller, ends its memberships, and replaces its name and address by a pseudonym wherever they stand. It cannot be undone. A conflict for the last owner of an organization.',
    data: 'eraseMe',
    view: 'Erasure',
    parameters: 'username',
    examples: { username: exampleUser.username },
    errors: ['CONFLICT'],
    example: { user_id: exampleUser.id, pseudonym: 'erased-8f14e45fceea' },
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/alerts',
    operationId: 'getAlerts',
    source: 'specification 2.8',
    summary: 'Read which alerts one wants from an organization',
    description: 'The preferences of the caller, by product.',
    data: 'organization.alerts',
    view: 'Alerts',
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{organizationid}/alerts',
    operationId: 'updateAlerts',
    source: 'specification 2.8',
    summary: 'Choose which alerts one wants from an organization',
    description: 'The preferences of the caller, by product. What is absent stays as it is.',
    data: 'updateAlerts.alerts',
    view: 'Alerts',
    body: { example: { v_ciso: false } },
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/mail-preferences',
    operationId: 'getMailPreferences',
    summary: 'Read which notifications of an organization one gets by mail',
    description: 'The preferences of the caller, by category of notifications.',
    data: 'organization.mailPreferences',
    view: 'MailPreferences',
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{organizationid}/mail-preferences',
    operationId: 'updateMailPreferences',
    summary: 'Choose which notifications of an organization one gets by mail',
    description: 'The preferences of the caller, by category of notifications. What is absent stays as it is.',
    data: 'updateMailPreferences.mailPreferences',
    view: 'MailPreferences',
    body: { example: { incident: 'IMMEDIATELY', system: 'NEVER' } },
  },
]);
