import { ORGANIZATION, allows, ownAffairs, toAuditors } from './domain.js';

export const TOKENS = {
  privileges: {
    ...allows('ORGANIZATION_OWNER', 'read', {
      LIST_TOKENS: 'List the tokens of members and service accounts that may act in the organization.',
    }),
    ...allows('ORGANIZATION_OWNER', 'write', {
      BLOCK_TOKENS: 'Block tokens of members and service accounts in the organization.',
    }),
  },
  subjects: {
    // An organization only reads those of its service accounts.
    TOKEN: { text: 'A token; its number.', path: `${ORGANIZATION}/service-accounts/{parent}/tokens/{id}` },
  },
  actions: {
    TOKEN_CREATED: toAuditors('token.created', 'A token was made.'),
    TOKEN_ROTATED: toAuditors('token.rotated', 'A token was replaced by a new one.'),
    TOKEN_REVOKED: toAuditors('token.revoked', 'A token was revoked.'),
    TOKEN_RECOVERY_REQUESTED: ownAffairs('A link for a new token was requested.'),
    TOKEN_RECOVERED: toAuditors(
      'token.recovered',
      'A token was made by a link that had been requested, or by the operator for a user who had lost all others.',
    ),
    TOKEN_BLOCKED: toAuditors('token.blocked', 'A token was blocked in the organization.'),
    TOKEN_EXPIRING: toAuditors('token.expiring', 'A token of a member or a service account expires soon.'),
    TOKEN_USED_FROM_NEW_ADDRESS: toAuditors(
      'token.used_from_new_address',
      'A token was used from an address that is not among its last 20.',
    ),
  },
} as const;
