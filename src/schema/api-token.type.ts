import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Scope } from '../vocabulary/scopes.js';
import { connectionOf } from './connection.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

/** The database spells scopes in lower case: the names are those of both doors, the values are its. */
export const TokenScopeEnum = {
  READ: 'read',
  WRITE: 'write',
  TELEMETRY: 'telemetry',
} as const satisfies { [Value in Scope as Uppercase<Value>]: Value };

registerEnumType(TokenScopeEnum, {
  name: 'TokenScope',
  description: 'What a token may be used for. A scope narrows what its user may do and never widens it.',
  valuesConfig: {
    READ: { description: 'Reading.' },
    WRITE: { description: 'Changing.' },
    TELEMETRY: { description: 'Reporting the checks of devices, and nothing else.' },
  },
});

@ObjectType({
  description: 'A credential of a user (specification 5). The token itself is shown once, when it is made.',
  simpleResolvers: true,
})
export class ApiToken {
  @Field(() => Int, { description: 'What to revoke the token by.' })
  id!: number;

  @Field(() => String, { description: 'What its user calls it.' })
  name!: string;

  @Field(() => String, { description: 'The first characters of the token, to tell tokens apart.' })
  prefix!: string;

  @Field(() => [TokenScopeEnum], { description: 'What the token may be used for.' })
  scopes!: Scope[];

  @Field(() => DateTimeScalar, { description: 'When the token was made.' })
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, { description: 'From when on the token is refused.' })
  expiresAt!: Date | string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was last used, exact to the minute; null when it never was.',
  })
  lastUsedAt!: Date | string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null while it was not.' })
  revokedAt!: Date | string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When a new token took its place by `rotateApiToken`; null while none did.',
  })
  replacedAt!: Date | string | null;

  @Field(() => [String], { description: 'Addresses and networks that it may be used from; empty is from anywhere.' })
  allowedIps!: string[];

  @Field(() => [Int], { description: 'Ids of the organizations whose owners have blocked it.' })
  blockedIn!: number[];
}

@ObjectType({
  description: 'A token of a member as one organization sees it: what it may do elsewhere is not told.',
  simpleResolvers: true,
})
export class OrganizationApiToken {
  @Field(() => ID, {
    description: '`<organizationId>:<tokenId>`: a token is blocked in one organization and not in the next.',
  })
  id!: string;

  @Field(() => Int, { description: 'What to block it by.' })
  tokenId!: number;

  @Field(() => ID, { description: 'The UUID of the member.' })
  userId!: string;

  @Field(() => String, { description: 'User name of the member.' })
  username!: string;

  @Field(() => String, { description: 'What the member calls it.' })
  name!: string;

  @Field(() => String, { description: 'The first characters of the token.' })
  prefix!: string;

  @Field(() => [TokenScopeEnum], { description: 'What it may be used for.' })
  scopes!: Scope[];

  @Field(() => DateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, { description: 'When it ends.' })
  expiresAt!: Date | string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was last used, wherever that was; null when it never was.',
  })
  lastUsedAt!: Date | string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Since when it may not act in this organization; null while it may.',
  })
  blockedAt!: Date | string | null;
}

@ObjectType({ description: 'What `createApiToken` answers.', simpleResolvers: true })
export class CreateApiTokenPayload {
  @Field(() => String, {
    description: 'The token to send as `X-Service-Token` (specification 5). It is shown here once and kept nowhere.',
  })
  token!: string;

  @Field(() => ApiToken, { description: 'What is known of the token from now on.' })
  apiToken!: Plain<ApiToken>;
}

@ObjectType({ description: 'What `revokeApiToken` answers.', simpleResolvers: true })
export class RevokeApiTokenPayload {
  @Field(() => ApiToken, { description: 'The token, now revoked.' })
  apiToken!: Plain<ApiToken>;
}

@ObjectType({ description: 'What `rotateApiToken` answers.', simpleResolvers: true })
export class RotateApiTokenPayload {
  @Field(() => String, { description: 'The new token. It is shown here once and kept nowhere.' })
  token!: string;

  @Field(() => ApiToken, { description: 'What is known of the new token.' })
  apiToken!: Plain<ApiToken>;

  @Field(() => ApiToken, { description: 'The old token, which goes on until its new `expiresAt`.' })
  replaced!: Plain<ApiToken>;
}

@ObjectType({ description: 'What `blockApiToken` answers.', simpleResolvers: true })
export class BlockApiTokenPayload {
  @Field(() => OrganizationApiToken, { description: 'The token, now blocked.' })
  apiToken!: Plain<OrganizationApiToken>;
}

export const { Connection: OrganizationApiTokenConnection } = connectionOf(
  'OrganizationApiToken',
  () => OrganizationApiToken,
);

export const { Connection: ApiTokenConnection } = connectionOf('ApiToken', () => ApiToken);
