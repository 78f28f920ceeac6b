import { InputType, ObjectType } from 'type-graphql';
import type { DomainStatus, Role } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { BelowOwner, RoleEnum } from './members/types.js';
import { CheckedBy, List, Text, text } from './shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { enumeration, Field, Nullable } from './shared/types.js';
import { ExpectedVersion, Version } from './shared/version.js';

const { signIn: LIMIT } = LIMITS;

export const DomainStatusEnum = enumeration<DomainStatus>('DomainStatus', 'Whether a domain was proven.', {
  PENDING: 'Its TXT record was not found yet: nothing follows from addresses of the domain.',
  VERIFIED: 'A TXT record has proven it.',
});

@ObjectType({ description: 'A mail domain that an organization says is its own.' })
export class IdentityDomain {
  @Field(() => String, 'The domain.')
  domain!: string;

  @Field(() => DomainStatusEnum, 'Whether it was proven.')
  status!: DomainStatus;

  @Field(() => String, 'The name at which the DNS has to have a TXT record.')
  recordName!: string;

  @Field(() => String, 'What that record has to say.')
  recordText!: string;
}

@ObjectType({ description: 'The role that people in a group of a provider or directory get.' })
export class GroupRole {
  @Field(() => String, 'The group, as the claim or the directory names it.')
  group!: string;

  @Field(() => RoleEnum, 'The role.')
  role!: Role;
}

@ObjectType({
  description: 'An OpenID Connect provider of an organization, through which its members sign in.',
})
export class IdentityProvider {
  @Field(() => SafeIntScalar, 'What to change it by.')
  id!: number;

  @Version('identity provider and its domains')
  version!: number;

  @Field(() => String, 'What people enter at the sign-in page. No other provider has it.')
  name!: string;

  @Field(() => String, 'The issuer, as its discovery document says it.')
  issuer!: string;

  @Field(() => String, 'What the gateway is called there.')
  clientId!: string;

  @Field(() => Boolean, 'Whether there is a client secret. The secret itself is never shown.')
  hasSecret!: boolean;

  @Field(() => [String], 'Mail domains of the organization.')
  domains!: string[];

  @Field(() => [IdentityDomain], 'Of each domain, whether it was proven, and how to prove it.')
  domainProofs!: IdentityDomain[];

  @Field(
    () => Boolean,
    'Whether its members reach the organization by tokens of this provider, and of the operator, alone.',
  )
  required!: boolean;

  @Nullable(
    () => RoleEnum,
    'The role of people who sign in, are no members yet and have none by their groups; null refuses them.',
  )
  defaultRole!: Role | null;

  @Nullable(() => String, 'The claim that has the groups of a person; null where there is none.')
  groupsClaim!: string | null;

  @Field(() => [GroupRole], 'The roles that groups give. The highest one counts, at each sign-in.')
  groupRoles!: GroupRole[];

  @Field(() => [String], 'Where applications may have people sent back to, compared letter for letter.')
  redirectUris!: string[];

  @Field(() => DateTimeScalar, 'When it was connected.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'When it was changed last.')
  updatedAt!: Date | string;
}

@InputType({ description: 'The role that people in a group of a provider or directory get.' })
export class GroupRoleInput {
  @Field(() => String, 'The group, as the claim or the directory names it.')
  @Text({ max: LIMIT.claimCharacters, trim: true })
  group!: string;

  @Field(() => RoleEnum, 'The role; not ORGANIZATION_OWNER.')
  @BelowOwner
  role!: Role;
}

@InputType({ description: 'What may be set of an identity provider.' })
class ProviderSettings {
  @Nullable(
    () => String,
    'The client secret; null or absent for a client without one. It is never shown again. In an update absent means that it stays, which another issuer does not allow.',
  )
  @Text({ max: LIMIT.secretCharacters, orEmpty: true })
  clientSecret?: string | null;

  @Nullable(() => [String], 'Mail domains of the organization. Each new one has to be proven.')
  @List({ max: LIMIT.domains, items: text({ max: LIMITS.organization.domainCharacters, format: 'hostname' }) })
  domains?: string[] | null;

  @Nullable(
    () => Boolean,
    'Whether its members reach the organization by tokens of this provider, and of the operator, alone. Their other tokens find it absent then.',
  )
  required?: boolean | null;

  @Nullable(
    () => RoleEnum,
    'The role of people who sign in, are no members yet and have none by their groups; not ORGANIZATION_OWNER.',
  )
  @BelowOwner
  defaultRole?: Role | null;

  @Nullable(() => String, 'The claim that has the groups of a person.')
  @Text({ max: LIMIT.claimCharacters, trim: true })
  groupsClaim?: string | null;

  @Nullable(() => [GroupRoleInput], 'The roles that groups give.')
  @List({ max: LIMIT.groups })
  groupRoles?: GroupRoleInput[] | null;

  @Nullable(() => [String], 'Where applications may have people sent back to, compared letter for letter.')
  @List({ max: LIMIT.redirectUris, items: text({ max: LIMIT.uriCharacters, format: 'uri' }) })
  redirectUris?: string[] | null;
}

const NAME = 'What people enter at the sign-in page: letters, digits and hyphens, stored in lower case.';
const ISSUER = 'The issuer, letter for letter as its discovery document says it.';

@InputType({ description: 'An identity provider to connect.' })
export class CreateIdentityProviderInput extends ProviderSettings {
  @Field(() => SafeIntScalar, 'Which organization connects it.')
  organizationId!: number;

  @Field(() => String, NAME)
  @Text({ max: LIMIT.nameCharacters, trim: true })
  name!: string;

  @Field(() => String, ISSUER)
  @Text({ max: LIMIT.uriCharacters, format: 'uri' })
  issuer!: string;

  @Field(() => String, 'What the gateway is called there.')
  @Text({ max: LIMIT.clientIdCharacters, trim: true })
  clientId!: string;
}

@InputType({ description: 'An identity provider to change; what is absent stays as it is.' })
export class UpdateIdentityProviderInput extends ProviderSettings {
  @Field(() => SafeIntScalar, 'Which organization has it.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which provider.')
  identityProviderId!: number;

  @ExpectedVersion
  version?: number | null;

  @Nullable(() => String, NAME)
  @Text({ max: LIMIT.nameCharacters, trim: true, notNull: true })
  name?: string | null;

  @Nullable(() => String, ISSUER)
  @Text({ max: LIMIT.uriCharacters, format: 'uri', notNull: true })
  issuer?: string | null;

  @Nullable(() => String, 'What the gateway is called there.')
  @Text({ max: LIMIT.clientIdCharacters, trim: true, notNull: true })
  clientId?: string | null;
}

@InputType({ description: 'An identity provider to disconnect.' })
export class DeleteIdentityProviderInput {
  @Field(() => SafeIntScalar, 'Which organization has it.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which provider.')
  identityProviderId!: number;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'A domain whose TXT record is to be looked for.' })
export class VerifyIdentityDomainInput {
  @Field(() => SafeIntScalar, 'Which organization has the provider.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which provider.')
  identityProviderId!: number;

  @ExpectedVersion
  version?: number | null;

  @Field(() => String, 'One of its domains.')
  @Text({ max: LIMITS.organization.domainCharacters, format: 'hostname' })
  domain!: string;
}

@InputType({ description: 'What an application has got at the end of a sign-in.' })
export class ExchangeSignInCodeInput {
  @Field(() => String, 'The parameter `code` of the redirect address.')
  @CheckedBy('its digest: whatever is wrong with a code looks alike')
  code!: string;

  @Field(() => String, 'The PKCE verifier whose S256 challenge began the sign-in.')
  @CheckedBy('its digest, as the code')
  codeVerifier!: string;

  @Field(() => String, 'The redirect address that the sign-in was begun with.')
  @CheckedBy('what was kept with the code')
  redirectUri!: string;
}
