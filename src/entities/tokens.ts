import { defineEntity } from '@mikro-orm/core';
import { bytes, creationTime, instant, p, version } from './columns.js';
import type { TokenScope, TokenOrigin } from '../values/enums.js';
import { IdentityProvider } from './identity.js';
import { User } from './members.js';
import { organizationRow } from './organizations.js';

/** A credential. Only the SHA-256 of the token is stored: the table grants no access. */
export const ApiToken = defineEntity({
  name: 'ApiToken',
  properties: {
    id: p.bigint('number').primary(),
    user: p.manyToOne(User).deleteRule('cascade'),
    name: p.text(),
    /** Lower-case hexadecimal SHA-256 of the whole token. */
    digest: p.text().unique(),
    /** The first eight characters, by which users recognise a token. */
    prefix: p.text(),
    scopes: p.array().$type<TokenScope[]>(),
    createdAt: creationTime(),
    expiresAt: instant(),
    lastUsedAt: instant().nullable(),
    revokedAt: instant().nullable(),
    /** Networks in CIDR form that may use it; empty for any. */
    allowedIps: p.array().default([]),
    /** When it was replaced by a newer one; a grace period begins. */
    replacedAt: instant().nullable(),
    /** When its user was notified that it expires soon. */
    warnedAt: instant().nullable(),
    origin: p.text().$type<TokenOrigin>().default('API'),
    /** The identity provider of its sign-in; it has access to that provider's organization only. */
    provider: p.manyToOne(IdentityProvider).nullable().deleteRule('cascade'),
    /** The provider's `sid`, by which sessions are ended. */
    providerSession: p.text().nullable(),
    version: version(),
  },
  checks: [{ name: 'api_token_provider_check', expression: `(origin = 'SIGN_IN') = (provider_id is not null)` }],
  indexes: [
    { properties: ['user', 'id'] },
    { properties: ['provider', 'providerSession'] },
    {
      name: 'api_token_unwarned_index',
      properties: ['expiresAt'],
      where: 'warned_at is null and revoked_at is null and replaced_at is null',
    },
  ],
});

/** An address that a token was used from; later uses from it are known. */
export const TokenAddress = defineEntity({
  name: 'TokenAddress',
  properties: {
    token: p.manyToOne(ApiToken).primary().deleteRule('cascade'),
    /** HMAC-SHA-256 under the user's key: the address cannot be recovered without it. */
    digest: bytes().primary(),
    /** When it was last seen; an instance that remembers the address does not write it. */
    seenAt: instant(),
  },
});

/** An organization that an owner has blocked for a token (docs/adr/0009). */
export const TokenBlock = defineEntity({
  name: 'TokenBlock',
  properties: {
    ...organizationRow(),
    token: p.manyToOne(ApiToken).deleteRule('cascade'),
    createdAt: creationTime(),
  },
  uniques: [{ properties: ['token', 'organization'] }],
  indexes: [{ properties: ['organization', 'token'] }],
});

/** A request for a new token by a user who has lost all others, and the one-time link that was mailed for it. */
export const TokenRecovery = defineEntity({
  name: 'TokenRecovery',
  properties: {
    id: p.bigint('number').primary(),
    /** As requested, in lower case, of a user or not; null when the address has reached its limit of mails. */
    email: p.text().nullable(),
    /** Address of the caller; for IPv6 its first 64 bits. */
    network: p.text(),
    createdAt: instant(),
    /** The user of the link; null until a mail was written. */
    user: p.manyToOne(User).nullable().deleteRule('cascade'),
    /** Lower-case hexadecimal SHA-256 of the secret, which is in the mail and nowhere else. */
    digest: p.text().unique().nullable(),
    expiresAt: instant().nullable(),
    usedAt: instant().nullable(),
  },
  indexes: [{ properties: ['email', 'createdAt'] }, { properties: ['network', 'createdAt'] }],
});
