import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Scope } from '../vocabulary/scopes.js';
import { connectionOf } from './connection.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

/** The database and REST spell scopes in lower case: the names are GraphQL's, the values are those. */
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

export const { Connection: ApiTokenConnection } = connectionOf('ApiToken', () => ApiToken);
