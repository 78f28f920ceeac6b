import { INVITATION_STATUSES } from '../../vocabulary/invitation-statuses.js';
import { operation } from '../documents.js';
import { choice, limit, offset, pathId } from '../parameters.js';
import type { Route } from '../route.js';

const INVITATIONS = operation(/* GraphQL */ `
  query Invitations($organizationid: Int!, $limit: Int, $offset: Int, $status: InvitationStatus) {
    organization(id: $organizationid) {
      invitations(first: $limit, offset: $offset, filter: { status: $status }) {
        data: nodes {
          ...Invitation
        }
        total: totalCount
      }
    }
  }
`);

const INVITATION = operation(/* GraphQL */ `
  query Invitation($organizationid: Int!, $id: Int!) {
    data: invitation(organizationId: $organizationid, id: $id) {
      ...Invitation
    }
  }
`);

const INVITE = operation(/* GraphQL */ `
  mutation InviteMember($input: InviteMemberInput!) {
    inviteMember(input: $input) {
      data: invitation {
        ...Invitation
      }
    }
  }
`);

const RESEND = operation(/* GraphQL */ `
  mutation ResendInvitation($organizationid: Int!, $id: Int!) {
    resendInvitation(input: { organizationId: $organizationid, id: $id }) {
      data: invitation {
        ...Invitation
      }
    }
  }
`);

const CANCEL = operation(/* GraphQL */ `
  mutation CancelInvitation($organizationid: Int!, $id: Int!) {
    cancelInvitation(input: { organizationId: $organizationid, id: $id }) {
      data: invitation {
        ...Invitation
      }
    }
  }
`);

const ACCEPT = operation(/* GraphQL */ `
  mutation AcceptInvitation($input: AcceptInvitationInput!) {
    data: acceptInvitation(input: $input) {
      ...AcceptedInvitation
    }
  }
`);

const PREVIEW = operation(/* GraphQL */ `
  query InvitationPreview($input: InvitationPreviewInput!) {
    data: invitationPreview(input: $input) {
      ...InvitationPreview
    }
  }
`);

const EXAMPLE = {
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

const whichInvitation = [pathId('organizationid', 'Whose invitation.'), pathId('id', 'Which invitation.', 5)];

export const INVITATIONS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/invitations',
    operationId: 'listInvitations',
    source: 'decisions 1',
    tag: 'Organizations',
    summary: 'List the invitations to an organization',
    description: 'Newest first, with what has become of them.',
    carrier: 'sofa',
    document: INVITATIONS,
    parameters: [
      pathId('organizationid', 'Whose invitations.'),
      limit,
      offset,
      choice('status', INVITATION_STATUSES, 'Only those of which this has become.'),
    ],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: EXAMPLE,
  },
  {
    method: 'POST',
    path: '/api/v1/organizations/{organizationid}/invitations',
    operationId: 'inviteMember',
    source: 'decisions 1',
    tag: 'Organizations',
    summary: 'Invite somebody to an organization',
    description:
      'Sends a mail with a secret that can be used once within seven days. Rank 4 invites below rank 4, rank 5 to any role. A conflict when the person is a user of the organization already or the address has an open invitation.',
    carrier: 'sofa',
    document: INVITE,
    parameters: [pathId('organizationid', 'Into which organization.')],
    body: { input: 'InviteMemberInput', example: { email: EXAMPLE.email, role: EXAMPLE.role } },
    created: '/api/v1/organizations/{organizationid}/invitations/{id}',
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
    example: EXAMPLE,
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/invitations/{id}',
    operationId: 'getInvitation',
    source: 'decisions 1',
    tag: 'Organizations',
    summary: 'Read an invitation',
    description: 'Everything but its secret, which is in the mail and nowhere else.',
    carrier: 'sofa',
    document: INVITATION,
    parameters: whichInvitation,
    errors: ['NOT_FOUND'],
    example: EXAMPLE,
  },
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationid}/invitations/{id}',
    operationId: 'cancelInvitation',
    source: 'decisions 1',
    tag: 'Organizations',
    summary: 'Cancel an invitation',
    description: 'From now on its secret opens nothing. A conflict when it was accepted.',
    carrier: 'sofa',
    document: CANCEL,
    parameters: whichInvitation,
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: { ...EXAMPLE, status: 'CANCELLED', viewer_can: { resend: false, cancel: false } },
  },
  {
    method: 'POST',
    path: '/api/v1/organizations/{organizationid}/invitations/{id}/resend',
    operationId: 'resendInvitation',
    source: 'decisions 1',
    tag: 'Organizations',
    summary: 'Send an invitation once more',
    description:
      'With a new secret and for seven more days; secrets of earlier mails open nothing any more. A conflict when it was accepted or cancelled, or had its five mails.',
    carrier: 'sofa',
    document: RESEND,
    parameters: whichInvitation,
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: { ...EXAMPLE, mails_sent: 2 },
  },
  {
    method: 'POST',
    path: '/api/v1/invitations/preview',
    operationId: 'previewInvitation',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'See what an invitation offers',
    description:
      'Organization, inviter and role of an invitation, by its secret. Needs no token and changes nothing; the secret is in the body, so that it is in no address. Every secret that cannot be accepted is not found.',
    carrier: 'sofa',
    document: PREVIEW,
    parameters: [],
    body: { input: 'InvitationPreviewInput', example: { secret: SECRET_EXAMPLE } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: {
      organization: 'Valdoria Energia',
      inviter: 'Marco De Luca',
      email: EXAMPLE.email,
      role: EXAMPLE.role,
      expires_at: EXAMPLE.expires_at,
    },
    open: true,
  },
  {
    method: 'POST',
    path: '/api/v1/invitations/accept',
    operationId: 'acceptInvitation',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'Accept an invitation',
    description:
      'Exchanges the secret for a place in the organization, and for a user and a first token where the address has none. Needs no token; with one, the caller accepts for itself, when the address is its own. Whatever is wrong with the secret, it is not found. A conflict for who belongs to the organization already.',
    carrier: 'sofa',
    document: ACCEPT,
    parameters: [],
    body: {
      input: 'AcceptInvitationInput',
      example: { secret: SECRET_EXAMPLE, first_name: 'Luca', last_name: 'Moretti' },
    },
    created: true,
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'FORBIDDEN', 'CONFLICT'],
    example: {
      organization_id: 1,
      organization: 'Valdoria Energia',
      user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
      username: 'luca.moretti',
      email: EXAMPLE.email,
      role: EXAMPLE.role,
      token: 'scp_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy',
      token_expires_at: '2027-02-18T08:15:30.500Z',
    },
    open: true,
  },
];
