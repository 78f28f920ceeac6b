export const TOKENS_FRAGMENTS = /* GraphQL */ `
  fragment ApiToken on ApiToken {
    id
    name
    prefix
    scopes
    created_at: createdAt
    expires_at: expiresAt
    last_used_at: lastUsedAt
    revoked_at: revokedAt
    replaced_at: replacedAt
    allowed_ips: allowedIps
    blocked_in: blockedIn
  }

  fragment NewApiToken on CreateApiTokenPayload {
    token
    api_token: apiToken {
      ...ApiToken
    }
  }

  fragment RotatedApiToken on RotateApiTokenPayload {
    token
    api_token: apiToken {
      ...ApiToken
    }
    replaced {
      ...ApiToken
    }
  }

  fragment CurrentToken on Viewer {
    token {
      ...ApiToken
    }
    user {
      ...Profile
    }
    organizations: organizationRoles {
      ...TokenOrganization
    }
  }

  fragment TokenOrganization on ViewerOrganization {
    organization {
      ...OrganizationSummary
    }
    role
    privileges
  }

  fragment OrganizationApiToken on OrganizationApiToken {
    id: tokenId
    user_id: userId
    username
    name
    prefix
    scopes
    created_at: createdAt
    expires_at: expiresAt
    last_used_at: lastUsedAt
    blocked_at: blockedAt
  }
`;
