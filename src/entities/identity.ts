import { defineEntity } from '@mikro-orm/core';
import { bytes, changeTime, creationTime, instant, p, version } from './columns.js';
import type { Role } from '../values/enums.js';
import { User } from './members.js';
import { Organization, organizationRow } from './organizations.js';

/** A role for members of a group of the provider. */
export interface GroupRole {
  group: string;
  role: Role;
}

/** An OpenID Connect provider of an organization (docs/sign-in.md). Deletion is soft: its tokens are revoked, the row stays. */
export const IdentityProvider = defineEntity({
  name: 'IdentityProvider',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade'),
    /** The name that people enter at the sign-in page; in lower case. */
    name: p.text(),
    /** As in its discovery document, compared byte by byte. */
    issuer: p.text(),
    clientId: p.text(),
    /** Sealed under SECRET_KEY (services/shared/sealer.ts); null for a public client. */
    clientSecret: bytes().nullable(),
    /** Role of users who sign in without being members or having a role by their groups; null refuses them. */
    defaultRole: p.text().$type<Role>().nullable(),
    groupsClaim: p.text().nullable(),
    groupRoles: p.json<GroupRole[]>(),
    /** Redirect URIs of applications, compared byte by byte. */
    redirectUris: p.array(),
    createdAt: creationTime(),
    updatedAt: changeTime(),
    deletedAt: instant().nullable(),
    version: version(),
  },
  uniques: [{ name: 'identity_provider_name_unique', properties: ['name'], where: 'deleted_at is null' }],
  indexes: [{ properties: ['organization', 'id'] }, { properties: ['issuer', 'clientId'] }],
});

/** A mail domain claimed by an organization, and since when a TXT record proves it. */
export const IdentityDomain = defineEntity({
  name: 'IdentityDomain',
  properties: {
    ...organizationRow(),
    provider: p.manyToOne(IdentityProvider).deleteRule('cascade'),
    /** In lower case. */
    domain: p.text(),
    /** The text that the record must have. */
    challenge: p.text(),
    verifiedAt: instant().nullable(),
  },
  uniques: [
    { properties: ['provider', 'domain'] },
    { name: 'identity_domain_verified_unique', properties: ['domain'], where: 'verified_at is not null' },
  ],
  indexes: [{ properties: ['organization'] }],
});

/** A user as identified by a provider: by issuer and subject, never by an e-mail address. */
export const UserIdentity = defineEntity({
  name: 'UserIdentity',
  properties: {
    id: p.bigint('number').primary(),
    issuer: p.text(),
    subject: p.text(),
    user: p.manyToOne(User).deleteRule('cascade'),
    createdAt: creationTime(),
  },
  uniques: [{ properties: ['issuer', 'subject'] }],
  indexes: [{ properties: ['user'] }],
});

/** A code that an application exchanges for a token, once. Only the SHA-256 of the code is stored. */
export const SignInCode = defineEntity({
  name: 'SignInCode',
  properties: {
    digest: p.text().primary(),
    user: p.manyToOne(User).deleteRule('cascade'),
    provider: p.manyToOne(IdentityProvider).deleteRule('cascade'),
    /** The provider's `sid`. */
    providerSession: p.text().nullable(),
    redirectUri: p.text(),
    /** Code challenge of PKCE (S256). */
    codeChallenge: p.text(),
    expiresAt: instant(),
  },
  indexes: [{ properties: ['user'] }, { properties: ['provider'] }, { properties: ['expiresAt'] }],
});
