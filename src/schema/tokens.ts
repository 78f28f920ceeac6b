import { ID, InputType, Int, ObjectType } from 'type-graphql';
import type { RatePolicy } from '../auth/rate-limits.js';
import type { TokenScope, TokenOrigin } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { CheckedBy, Constrained, List, Text, text } from './shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { enumeration, Field, Nullable, storedEnumeration } from './shared/types.js';
import { ExpectedVersion, Version } from './shared/version.js';

export const TokenScopeEnum = storedEnumeration(
  'TokenScope',
  'What a token may be used for. A scope narrows what its user may do and never widens it.',
  { READ: 'read', WRITE: 'write', TELEMETRY: 'telemetry', DOCUMENTS: 'documents' } satisfies {
    [Value in TokenScope as Uppercase<Value>]: Value;
  },
  {
    READ: 'Reading.',
    WRITE: 'Changing.',
    TELEMETRY: 'Reporting the checks of devices, and nothing else.',
    DOCUMENTS:
      'Running the GraphQL documents that the operator has registered, whether they read or change, and nothing else. It goes alone.',
  },
);

export const TokenOriginEnum = enumeration<TokenOrigin>('TokenOrigin', 'How a token came to be.', {
  API: 'By a request of its user, or of a manager of its service account; by an invitation, or by a link that was mailed.',
  SIGN_IN: 'By signing in through an identity provider: it reaches the organization of that provider and no other.',
  OPERATOR:
    'The operator has made it for a user who had lost all others: it reaches organizations that require a provider, too.',
});

export const RateLimitNameEnum = storedEnumeration(
  'RateLimitName',
  'What is limited apart from the rest.',
  {
    READS: 'reads',
    WRITES: 'writes',
    UPLOADS: 'uploads',
    SEARCHES: 'searches',
    GRAPHQL: 'graphql',
  } satisfies { [Value in RatePolicy as Uppercase<Value>]: Value },
  {
    READS: 'Requests of REST that read.',
    WRITES: 'Requests of REST that change something, and root fields of mutations.',
    UPLOADS: 'Uploads of documents, attachments and logos; in GraphQL, multipart requests and bodies above 1 MB.',
    SEARCHES: 'Searches, and verifications of audit trails.',
    GRAPHQL: 'Points of GraphQL operations.',
  },
);

/** A token that its owner can revoke. */
@ObjectType()
export abstract class RevocableToken {
  @Field(() => String, 'The first characters of the token, to distinguish tokens.')
  prefix!: string;

  @Nullable(() => DateTimeScalar, 'When it was last used, exact to the minute; null when it never was.')
  lastUsedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When it was revoked; null while it was not.')
  revokedAt!: Date | string | null;
}

// Specification 5.
@ObjectType({
  description: 'A credential of a user. The token itself is shown once, when it is made.',
})
export class ApiToken extends RevocableToken {
  @Field(() => SafeIntScalar, 'What to revoke the token by.')
  id!: number;

  @Version('token, blocks by organizations aside')
  version!: number;

  @Field(() => String, 'What its user calls it.')
  name!: string;

  @Field(() => [TokenScopeEnum], 'What the token may be used for.')
  scopes!: TokenScope[];

  @Field(() => DateTimeScalar, 'When the token was made.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'From when on the token is refused.')
  expiresAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When a new token took its place by `rotateApiToken`; null while none did.')
  replacedAt!: Date | string | null;

  @Field(() => [String], 'Addresses and networks that it may be used from; empty is from anywhere.')
  allowedIps!: string[];

  @Field(() => [SafeIntScalar], 'Ids of the organizations whose owners have blocked it.')
  blockedIn!: number[];

  @Field(() => TokenOriginEnum, 'How it came to be.')
  origin!: TokenOrigin;
}

@ObjectType({
  description:
    'A token of a member or a service account as one organization sees it, without what it may do elsewhere.',
})
export class OrganizationApiToken {
  @Field(() => ID, 'Its key: `organizationId/tokenId`.')
  id!: string;

  @Field(() => SafeIntScalar, 'What to block it by.')
  tokenId!: number;

  @Version('token, as the organization sees it')
  version!: number;

  @Field(() => ID, 'The UUID of the member or the service account.')
  userId!: string;

  @Field(() => String, 'User name of the member or the service account.')
  username!: string;

  @Field(() => String, 'What it is called.')
  name!: string;

  @Field(() => String, 'The first characters of the token.')
  prefix!: string;

  @Field(() => [TokenScopeEnum], 'What it may be used for.')
  scopes!: TokenScope[];

  @Field(() => DateTimeScalar, 'When it was made.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'When it ends.')
  expiresAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it was last used, wherever that was; null when it never was.')
  lastUsedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'Since when it may not act in this organization; null while it may.')
  blockedAt!: Date | string | null;
}

@ObjectType({ description: 'What the caller may still do under one limit.' })
export class RateLimitPolicy {
  @Field(() => RateLimitNameEnum, 'Which limit.')
  name!: RatePolicy;

  @Field(() => Int, 'Points that one token may use in a window.')
  limit!: number;

  @Field(() => Int, 'Points that are left in this window.')
  remaining!: number;

  @Field(() => Int, 'Seconds that a window lasts.')
  windowSeconds!: number;

  @Field(() => Int, 'Seconds until the window ends and all points are there again.')
  resetInSeconds!: number;

  @Field(() => Date, 'When the window ends.')
  resetAt!: Date;
}

@ObjectType({ description: "The caller's rate limits." })
export class RateLimit {
  @Field(() => Int, 'Points of `graphql` that this operation took; 0 when nothing else was selected.')
  cost!: number;

  @Field(() => [RateLimitPolicy], 'Every limit that is switched on.')
  policies!: RateLimitPolicy[];
}

const { maxGraceHours } = LIMITS.token;
const graceRange = `must be from 0 to ${maxGraceHours}`;
const GRACE = { minimum: graceRange, maximum: graceRange };

@InputType({ description: 'A token to make for the caller.' })
export class CreateApiTokenInput {
  @Field(() => String, 'What to call it.')
  @Text({ max: LIMITS.token.nameCharacters, trim: true })
  name!: string;

  @Nullable(() => [TokenScopeEnum], 'What it may be used for; only reading when absent.', { defaultValue: ['read'] })
  @List({ min: 1, max: 20, sentences: { minItems: 'must name at least one scope' } })
  scopes?: TokenScope[] | null;

  @Nullable(() => DateTimeScalar, 'From when on it is refused: in 90 days when absent, in 365 days at most.')
  expiresAt?: Date | null;

  @Nullable(
    () => [String],
    'Addresses and networks (CIDR, IPv4 and IPv6) that it may be used from; anywhere else it is no token. Those of the token of this request when absent, which must hold all of them.',
  )
  @List({ max: LIMITS.token.maxNetworks, items: text({ max: LIMITS.token.networkCharacters, format: 'network' }) })
  allowedIps?: string[] | null;
}

@InputType({ description: 'A token of the caller to revoke.' })
export class RevokeApiTokenInput {
  @Field(() => SafeIntScalar, 'Which token.')
  tokenId!: number;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'A token of the caller to put a new one in the place of.' })
export class RotateApiTokenInput {
  @Field(() => SafeIntScalar, 'Which token.')
  tokenId!: number;

  @ExpectedVersion
  version?: number | null;

  @Nullable(() => Int, 'Hours that the old token goes on, unless it ends sooner; 24 when absent.', {
    defaultValue: LIMITS.token.graceHours,
  })
  @Constrained({ minimum: 0, maximum: maxGraceHours, sentences: GRACE })
  graceHours?: number | null;

  @Nullable(
    () => DateTimeScalar,
    'When the new token ends: after as long as the old one was made for when absent, in 365 days at most.',
  )
  expiresAt?: Date | null;
}

@InputType({ description: 'A token of a member or a service account to block in an organization.' })
export class BlockApiTokenInput {
  @Field(() => SafeIntScalar, 'In which organization.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which token.')
  tokenId!: number;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'A request for a link that makes a new token.' })
export class RequestTokenRecoveryInput {
  @Field(() => String, 'The e-mail address of the user, in any case.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email' })
  email!: string;
}

@InputType({ description: 'The link of a mail.' })
export class RecoverTokenInput {
  @Field(() => String, 'The secret of the link; it begins with `rec_`.')
  @CheckedBy('its digest: whatever is wrong with a secret looks alike')
  secret!: string;
}
