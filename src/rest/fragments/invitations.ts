export const INVITATIONS_FRAGMENTS = /* GraphQL */ `
  fragment Invitation on Invitation {
    id
    email
    role
    status
    invited_by: invitedBy
    mails_sent: mailsSent
    created_at: createdAt
    expires_at: expiresAt
    accepted_at: acceptedAt
    viewer_can: viewerCan {
      resend
      cancel
    }
  }

  fragment InvitationPreview on InvitationPreview {
    organization
    inviter
    email
    role
    expires_at: expiresAt
  }

  fragment AcceptedInvitation on AcceptInvitationPayload {
    organization_id: organizationId
    organization
    user_id: userId
    username
    email
    role
    token
    token_expires_at: tokenExpiresAt
  }
`;
