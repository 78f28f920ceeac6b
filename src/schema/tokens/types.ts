import { ID, Int, ObjectType } from 'type-graphql';
import { Field, Nullable } from '../shared/field.js';
import type { RatePolicy } from '../../auth/rate-limits.js';
import type { Scope } from '../../values/enums.js';
import { permissions } from '../shared/permissions.js';
import { storedEnumeration } from '../shared/enumeration.js';
import { connectionOf } from '../shared/connection.js';
import { DateTimeScalar } from '../shared/scalars.js';

export const TokenScopeEnum = storedEnumeration(
  'TokenScope',
  'What a token may be used for. A scope narrows what its user may do and never widens it.',
  { READ: 'read', WRITE: 'write', TELEMETRY: 'telemetry' } satisfies {
    [Value in Scope as Uppercase<Value>]: Value;
  },
  {
    READ: 'Reading.',
    WRITE: 'Changing.',
    TELEMETRY: 'Reporting the checks of devices, and nothing else.',
  },
);

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
    WRITES: 'Requests of REST that change something.',
    UPLOADS: 'Uploads of files.',
    SEARCHES: 'Searches.',
    GRAPHQL: 'Points of GraphQL operations.',
  },
);

@ObjectType({
  description: 'A credential of a user (specification 5). The token itself is shown once, when it is made.',
})
export class ApiToken {
  @Field(() => Int, 'What to revoke the token by.')
  id!: number;

  @Field(() => String, 'What its user calls it.')
  name!: string;

  @Field(() => String, 'The first characters of the token, to distinguish tokens.')
  prefix!: string;

  @Field(() => [TokenScopeEnum], 'What the token may be used for.')
  scopes!: Scope[];

  @Field(() => DateTimeScalar, 'When the token was made.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'From when on the token is refused.')
  expiresAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it was last used, exact to the minute; null when it never was.')
  lastUsedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When it was revoked; null while it was not.')
  revokedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When a new token took its place by `rotateApiToken`; null while none did.')
  replacedAt!: Date | string | null;

  @Field(() => [String], 'Addresses and networks that it may be used from; empty is from anywhere.')
  allowedIps!: string[];

  @Field(() => [Int], 'Ids of the organizations whose owners have blocked it.')
  blockedIn!: number[];
}

export const ApiTokenPermissions = permissions(
  'ApiToken',
  'What the caller may do with a token of its own now, with the token of this request.',
  {
    revoke: 'Revoke it; not again.',
    rotate: 'Put a new token in its place; not when it has ended or was replaced, or may do more than this one.',
  },
);

export const OrganizationApiTokenPermissions = permissions(
  'OrganizationApiToken',
  'What the caller may do with a token of a member, with the token of this request.',
  {
    block: 'Block it in the organization; not again.',
  },
);

@ObjectType({ description: 'A token of a member as one organization sees it, without what it may do elsewhere.' })
export class OrganizationApiToken {
  @Field(() => ID, 'Its key: `organizationId/tokenId`.')
  id!: string;

  @Field(() => Int, 'What to block it by.')
  tokenId!: number;

  @Field(() => ID, 'The UUID of the member.')
  userId!: string;

  @Field(() => String, 'User name of the member.')
  username!: string;

  @Field(() => String, 'What the member calls it.')
  name!: string;

  @Field(() => String, 'The first characters of the token.')
  prefix!: string;

  @Field(() => [TokenScopeEnum], 'What it may be used for.')
  scopes!: Scope[];

  @Field(() => DateTimeScalar, 'When it was made.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'When it ends.')
  expiresAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it was last used, wherever that was; null when it never was.')
  lastUsedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'Since when it may not act in this organization; null while it may.')
  blockedAt!: Date | string | null;
}

export const OrganizationApiTokenConnection = connectionOf('OrganizationApiToken', () => OrganizationApiToken);

export const ApiTokenConnection = connectionOf('ApiToken', () => ApiToken);

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
