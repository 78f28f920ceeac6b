import { queryParameter } from '../request/parameters.js';
import type { RouteGroup } from '../route.js';
import { EXPIRES, SIGNATURE } from './documents.routes.js';
import { TABLE_BODY } from './imports.routes.js';

/** The user of most examples. */
const USER = {
  id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
  username: 'elena.santoro',
  email: 'elena.santoro@example.com',
  first_name: 'Elena',
  last_name: 'Santoro',
};

const MEMBER = {
  ...USER,
  role: 'SECURITY_OFFICER',
  active: true,
  joined_at: '2026-01-31T09:30:00.000Z',
  viewer_can: { assign_roles: ['VIEWER', 'SECURITY_ANALYST', 'SECURITY_OFFICER'], set_active: true, remove: true },
};

/** Of routes that take a table. */
export const IMPORTED =
  'The body is the table, or a form with the file as its part `file`. The status is 200 also where rows are refused: each says what has become of it, or with `dry_run` what would.';

export const MEMBERS: RouteGroup = {
  tag: 'Organizations',
  examples: { OrganizationUser: MEMBER },
  views: {
    OrganizationUser: ['userId username email firstName lastName role', { alerts: ['atb cloudDefender vCiso'] }],
    OrganizationUserRow: {
      of: 'OrganizationUser',
      fields: [
        'userId username email firstName lastName role',
        { alerts: ['atb cloudDefender vCiso'] },
        'active version joinedAt',
      ],
    },
    OrganizationMember: {
      of: 'OrganizationUser',
      fields: [
        'userId username email firstName lastName role',
        { alerts: 'Alerts' },
        'active joinedAt deactivatedAt',
        { viewerCan: ['assignRoles setActive remove'] },
      ],
    },
    Alerts: ['atb cloudDefender vCiso'],
    ImportedRow: ['row key outcome', { changes: ['column before after'], error: 'RowError' }],
    RowError: ['code field message'],
  },
  routes: {
    'GET /api/v1/organizations/{organizationid}/users': {
      past: true,
      operationId: 'listOrganizationUsers',
      tableView: 'OrganizationUserRow',
      data: 'organization.users.nodes',
      parameters: 'role active search',
      sort: 'username',
      example: {
        id: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
        username: 'a.rossi',
        email: 'anna@rossi-energia.example',
        first_name: 'Anna',
        last_name: 'Rossi',
      },
    },
    'POST /api/v1/organizations/{organizationid}/users/import': {
      operationId: 'importMembers',
      remarks: IMPORTED,
      data: 'importMembers.rows',
      parameters: 'dry_run',
      body: TABLE_BODY,
      costly: 'packs',
      errors: ['FILE_TOO_LARGE', 'INVALID_DATA', 'MISSING_CONTENT'],
      example: {
        ...{ row: 2, key: USER.id, outcome: 'CHANGED' },
        ...{ changes: [{ column: 'role', before: 'VIEWER', after: 'SECURITY_ANALYST' }], error: null },
      },
    },
    'GET /api/v1/organizations/{organizationid}/users/{userid}': {
      past: true,
      operationId: 'getOrganizationUser',
      data: 'member',
      view: 'OrganizationMember',
    },
    'PATCH /api/v1/organizations/{organizationid}/users/{userid}': {
      operationId: 'updateOrganizationUser',
      remarks: 'What is absent stays as it is.',
      data: 'updateMember.member',
      view: 'OrganizationMember',
      body: { example: { role: 'SECURITY_OFFICER' } },
      errors: ['CONFLICT'],
    },
    'DELETE /api/v1/organizations/{organizationid}/users/{userid}': {
      operationId: 'removeOrganizationUser',
      data: 'removeMember.member',
      view: 'OrganizationMember',
      errors: ['CONFLICT'],
    },
  },
};

const INVITATION = {
  id: 12,
  email: 'luca.moretti@example.com',
  role: 'SECURITY_ANALYST',
  engagement_id: null,
  status: 'OPEN',
  invited_by: 'marco.deluca',
  mails_sent: 1,
  created_at: '2026-11-20T08:15:30.500Z',
  expires_at: '2026-11-27T08:15:30.500Z',
  viewer_can: { resend: true, cancel: true },
};

const SECRET = 'inv_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy';

const INVITATIONS_PATH = '/api/v1/organizations/{organizationid}/invitations';
const INVITATION_PATH = `${INVITATIONS_PATH}/{id}`;

export const INVITATIONS: RouteGroup = {
  tag: 'Organizations',
  examples: { Invitation: INVITATION },
  views: {
    Invitation: [
      'id email role engagementId status invitedBy.username mailsSent createdAt expiresAt acceptedAt',
      { viewerCan: ['resend cancel'] },
    ],
    InvitedRow: ['row email outcome', { invitation: 'Invitation', error: 'RowError' }],
  },
  routes: {
    [`GET ${INVITATIONS_PATH}`]: {
      past: 'INVITATIONS',
      operationId: 'listInvitations',
      data: 'organization.invitations.nodes',
      parameters: 'status',
    },
    [`POST ${INVITATIONS_PATH}`]: {
      operationId: 'inviteMember',
      remarks:
        'The secret in the mail can be used once. ORGANIZATION_MANAGER invites to roles below its own, ORGANIZATION_OWNER to any.',
      data: 'inviteMember.invitation',
      body: { example: { email: INVITATION.email, role: INVITATION.role } },
      created: INVITATION_PATH,
      errors: ['CONFLICT'],
    },
    [`POST ${INVITATIONS_PATH}/batch`]: {
      operationId: 'inviteMembers',
      remarks: 'The status is 200 also where rows are refused: each says what has become of it.',
      data: 'inviteMembers.rows',
      body: { example: { invitations: [{ email: 'sara.conti@example.com', role: INVITATION.role }] } },
      example: {
        row: 1,
        email: 'sara.conti@example.com',
        outcome: 'INVITED',
        invitation: { email: 'sara.conti@example.com' },
        error: null,
      },
    },
    [`GET ${INVITATION_PATH}`]: {
      past: 'INVITATIONS',
      operationId: 'getInvitation',
      remarks: 'Its secret is in the mail and nowhere else.',
      data: 'invitation',
    },
    [`DELETE ${INVITATION_PATH}`]: {
      operationId: 'cancelInvitation',
      etag: 'version and hash',
      remarks: 'From now on its secret opens nothing.',
      data: 'cancelInvitation.invitation',
      errors: ['CONFLICT'],
      example: { status: 'CANCELLED', viewer_can: { resend: false, cancel: false } },
    },
    [`POST ${INVITATION_PATH}/resend`]: {
      operationId: 'resendInvitation',
      remarks: 'Secrets of earlier mails open nothing any more.',
      data: 'resendInvitation.invitation',
      errors: ['CONFLICT'],
      example: { mails_sent: 2 },
    },
  },
};

/** For the person who was invited. */
export const INVITED: RouteGroup = {
  tag: 'Account',
  views: {
    InvitationPreview: ['organizationName inviter email role expiresAt'],
    AcceptedInvitation: {
      of: 'AcceptInvitationPayload',
      fields: ['organizationId organizationName engagementId userId username email role token tokenExpiresAt'],
    },
  },
  routes: {
    'POST /api/v1/invitations/preview': {
      operationId: 'previewInvitation',
      remarks: 'The secret is in the body, so that it is in no address.',
      data: 'invitationPreview',
      body: { example: { secret: SECRET } },
      errors: ['NOT_FOUND'],
      example: {
        organization: 'Valdoria Energia',
        inviter: 'Marco De Luca',
        email: INVITATION.email,
        role: INVITATION.role,
        expires_at: INVITATION.expires_at,
      },
      open: true,
    },
    'POST /api/v1/invitations/accept': {
      operationId: 'acceptInvitation',
      remarks: 'A caller with a token accepts only what its own address was invited to.',
      data: 'acceptInvitation',
      view: 'AcceptedInvitation',
      body: { example: { secret: SECRET, first_name: 'Luca', last_name: 'Moretti' } },
      created: true,
      errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
      example: {
        organization_id: 1,
        organization: 'Valdoria Energia',
        user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
        username: 'luca.moretti',
        email: INVITATION.email,
        role: INVITATION.role,
        token: 'scp_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy',
        token_expires_at: '2027-02-18T08:15:30.500Z',
      },
      open: true,
    },
  },
};

const PROFILE_EXAMPLES = {
  User: { ...USER, created_at: '2026-01-31T09:30:00.000Z' },
  Alerts: { atb: true, cloud_defender: true },
  MailPreferences: {
    ...{ incident: 'IMMEDIATELY', document: 'DAILY', device: 'URGENT_ONLY', workflow: 'DAILY', member: 'URGENT_ONLY' },
    ...{ token: 'URGENT_ONLY', system: 'NEVER' },
  },
};

export const PROFILE: RouteGroup = {
  tag: 'Account',
  examples: PROFILE_EXAMPLES,
  views: {
    Profile: { of: 'User', fields: ['id username email firstName lastName language createdAt'] },
    MailPreferences: ['incident document device workflow member token system'],
    Erasure: { of: 'EraseMePayload', fields: ['userId pseudonym'] },
  },
  routes: {
    'GET /api/v1/profile': {
      operationId: 'getProfile',
      data: 'viewer.user',
      view: 'Profile',
    },
    'PATCH /api/v1/profile': {
      operationId: 'updateProfile',
      // Specification 2.8.
      remarks: 'What is absent stays as it is.',
      data: 'updateProfile.user',
      view: 'Profile',
      body: { example: { first_name: 'Elena', last_name: 'Santoro', language: 'it' } },
      example: { language: 'it' },
    },
    'DELETE /api/v1/profile': {
      operationId: 'eraseProfile',
      remarks: 'It cannot be undone.',
      data: 'eraseMe',
      view: 'Erasure',
      parameters: 'username',
      examples: { username: USER.username },
      errors: ['CONFLICT'],
      example: { user_id: USER.id, pseudonym: 'erased-8f14e45fceea' },
    },
    'GET /api/v1/profile/export': {
      operationId: 'exportProfile',
      description:
        'One JSON document: profile, memberships, tokens without their secrets, notifications, invitations, what was uploaded and done, and the own audit trail. The export itself is recorded. It is open to a token, and to an address that `exportMe` of GraphQL has signed.',
      handler: 'personal-data',
      own: [
        queryParameter('for', {
          description: 'In a signed address: the user that it was made for.',
          schema: { type: 'string', format: 'uuid' },
          example: USER.id,
        }),
        EXPIRES,
        SIGNATURE,
      ],
      costly: 'packs',
      errors: ['NOT_FOUND'],
      open: 'when signed',
    },
    'GET /api/v1/organizations/{organizationid}/alerts': {
      past: true,
      operationId: 'getAlerts',
      // Specification 2.8.
      remarks: 'The preferences are by product.',
      data: 'organization.alerts',
    },
    'PATCH /api/v1/organizations/{organizationid}/alerts': {
      operationId: 'updateAlerts',
      // Specification 2.8.
      remarks: 'What is absent stays as it is.',
      data: 'updateAlerts.alerts',
      body: { example: { v_ciso: false } },
    },
    'GET /api/v1/organizations/{organizationid}/mail-preferences': {
      past: true,
      operationId: 'getMailPreferences',
      remarks: 'The preferences are by category of notifications.',
      data: 'organization.mailPreferences',
    },
    'PATCH /api/v1/organizations/{organizationid}/mail-preferences': {
      operationId: 'updateMailPreferences',
      remarks: 'What is absent stays as it is.',
      data: 'updateMailPreferences.mailPreferences',
      body: { example: { incident: 'IMMEDIATELY', system: 'NEVER' } },
    },
  },
};
