import { routesAbout } from '../route.js';

const INVITATION_EXAMPLE = {
  id: 12,
  email: 'luca.moretti@example.com',
  role: 'SECURITY_ANALYST',
  status: 'OPEN',
  invited_by: 'marco.deluca',
  mails_sent: 1,
  created_at: '2026-11-20T08:15:30.500Z',
  expires_at: '2026-11-27T08:15:30.500Z',
  accepted_at: null,
  viewer_can: { resend: true, cancel: true },
};

const SECRET_EXAMPLE = 'inv_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy';

const INVITATIONS_PATH = '/api/v1/organizations/{organizationid}/invitations';
const INVITATION_PATH = `${INVITATIONS_PATH}/{id}`;

export const INVITATIONS_ROUTES = routesAbout({ tag: 'Organizations', examples: { Invitation: INVITATION_EXAMPLE } }, [
  {
    method: 'GET',
    path: INVITATIONS_PATH,
    operationId: 'listInvitations',
    summary: 'List the invitations to an organization',
    description: 'Newest first, with what has become of them.',
    data: 'organization.invitations.nodes',
    view: 'Invitation',
    parameters: 'limit offset status',
  },
  {
    method: 'POST',
    path: INVITATIONS_PATH,
    operationId: 'inviteMember',
    summary: 'Invite a person to an organization',
    description:
      'Sends a mail with a secret that can be used once within seven days. Rank 4 invites below rank 4, rank 5 to any role. A conflict when the person is a user of the organization already or the address has an open invitation.',
    data: 'inviteMember.invitation',
    view: 'Invitation',
    body: { example: { email: INVITATION_EXAMPLE.email, role: INVITATION_EXAMPLE.role } },
    created: INVITATION_PATH,
    errors: ['CONFLICT'],
  },
  {
    method: 'GET',
    path: INVITATION_PATH,
    operationId: 'getInvitation',
    summary: 'Read an invitation',
    description: 'Everything but its secret, which is in the mail and nowhere else.',
    data: 'invitation',
    view: 'Invitation',
    examples: { id: 5 },
  },
  {
    method: 'DELETE',
    path: INVITATION_PATH,
    operationId: 'cancelInvitation',
    summary: 'Cancel an invitation',
    description: 'From now on its secret opens nothing. A conflict when it was accepted.',
    data: 'cancelInvitation.invitation',
    view: 'Invitation',
    examples: { id: 5 },
    errors: ['CONFLICT'],
    example: { ...INVITATION_EXAMPLE, status: 'CANCELLED', viewer_can: { resend: false, cancel: false } },
  },
  {
    method: 'POST',
    path: `${INVITATION_PATH}/resend`,
    operationId: 'resendInvitation',
    summary: 'Send an invitation once more',
    description:
      'With a new secret and for seven more days; secrets of earlier mails open nothing any more. A conflict when it was accepted or cancelled, or had its five mails.',
    data: 'resendInvitation.invitation',
    view: 'Invitation',
    examples: { id: 5 },
    errors: ['CONFLICT'],
    example: { ...INVITATION_EXAMPLE, mails_sent: 2 },
  },
]);

/** For the person who was invited. */
export const INVITED_ROUTES = routesAbout({ tag: 'Account' }, [
  {
    method: 'POST',
    path: '/api/v1/invitations/preview',
    operationId: 'previewInvitation',
    summary: 'See what an invitation offers',
    description:
      'Organization, inviter and role of an invitation, by its secret. Needs no token and changes nothing; the secret is in the body, so that it is in no address. Every secret that cannot be accepted is not found.',
    data: 'invitationPreview',
    view: 'InvitationPreview',
    body: { example: { secret: SECRET_EXAMPLE } },
    errors: ['NOT_FOUND'],
    example: {
      organization: 'Valdoria Energia',
      inviter: 'Marco De Luca',
      email: INVITATION_EXAMPLE.email,
      role: INVITATION_EXAMPLE.role,
      expires_at: INVITATION_EXAMPLE.expires_at,
    },
    open: true,
  },
  {
    method: 'POST',
    path: '/api/v1/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Exchanges the secret for a place in the organization, and for a user and a first token where the address has none. Needs no token; with one, the caller accepts for itself, when the address is its own. Whatever is wrong with the secret, it is not found. A conflict for who belongs to the organization already.',
    data: 'acceptInvitation',
    view: 'AcceptedInvitation',
    body: { example: { secret: SECRET_EXAMPLE, first_name: 'Luca', last_name: 'Moretti' } },
    created: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    example: {
      organization_id: 1,
      organization: 'Valdoria Energia',
      user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
      username: 'luca.moretti',
      email: INVITATION_EXAMPLE.email,
      role: INVITATION_EXAMPLE.role,
      token: 'scp_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy',
      token_expires_at: '2027-02-18T08:15:30.500Z',
    },
    open: true,
  },
]);
