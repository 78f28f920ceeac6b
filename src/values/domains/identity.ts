import { ORGANIZATION, allows, toAuditors } from './domain.js';

export const IDENTITY = {
  privileges: {
    ...allows('ORGANIZATION_MANAGER', 'read', {
      READ_IDENTITY_PROVIDERS: 'See which identity providers are connected.',
    }),
    ...allows('ORGANIZATION_OWNER', 'write', {
      MANAGE_IDENTITY_PROVIDERS: 'Connect identity providers, and require them.',
    }),
  },
  subjects: {
    IDENTITY_PROVIDER: { text: 'An identity provider; its number.', path: `${ORGANIZATION}/identity-providers/{id}` },
  },
  actions: {
    IDENTITY_PROVIDER_CREATED: toAuditors('identity_provider.created', 'An identity provider was connected.'),
    IDENTITY_PROVIDER_UPDATED: toAuditors(
      'identity_provider.updated',
      'An identity provider was changed, or signing in through it became required or no longer so.',
    ),
    IDENTITY_PROVIDER_DELETED: toAuditors(
      'identity_provider.deleted',
      'An identity provider was disconnected; the tokens that it had given were revoked.',
    ),
    IDENTITY_DOMAIN_VERIFIED: toAuditors(
      'identity_provider.domain_verified',
      'A domain was proven to be the organization’s own.',
    ),
    IDENTITY_LINKED: toAuditors(
      'member.identity_linked',
      'A user was linked to a person that an identity provider knows.',
    ),
    SIGNED_IN: toAuditors('member.signed_in', 'A member signed in through an identity provider.'),
    SIGNED_OUT: toAuditors(
      'member.signed_out',
      'An identity provider ended the session of a member, whose token was revoked.',
    ),
  },
} as const;
