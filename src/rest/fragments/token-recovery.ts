export const TOKEN_RECOVERY_FRAGMENTS = /* GraphQL */ `
  fragment RequestedTokenRecovery on RequestTokenRecoveryPayload {
    accepted
    link_minutes: linkMinutes
  }

  fragment RecoveredToken on RecoverTokenPayload {
    token
    token_expires_at: tokenExpiresAt
    user_id: userId
    username
    email
  }
`;
