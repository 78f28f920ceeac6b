import { Field, InputType, Int } from 'type-graphql';
import type { Scope } from '../vocabulary/scopes.js';
import { TokenScopeEnum } from './api-token.type.js';
import { DateTimeScalar } from './scalars.js';

@InputType({ description: 'A token to make for the caller.' })
export class CreateApiTokenInput {
  @Field(() => String, { description: 'What to call it.' })
  name!: string;

  @Field(() => [TokenScopeEnum], {
    nullable: true,
    description: 'What it may be used for; only reading when absent.',
  })
  scopes?: Scope[] | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'From when on it is refused: in 90 days when absent, in 365 days at most.',
  })
  expiresAt?: Date | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Addresses and networks (CIDR, IPv4 and IPv6) that it may be used from, 50 at most; anywhere else it is no token. Those of the token of this request when absent, which must hold all of them.',
  })
  allowedIps?: string[] | null;
}

@InputType({ description: 'A token of the caller to revoke.' })
export class RevokeApiTokenInput {
  @Field(() => Int, { description: 'Which token.' })
  id!: number;
}

@InputType({ description: 'A token of the caller to put a new one in the place of.' })
export class RotateApiTokenInput {
  @Field(() => Int, { description: 'Which token.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Hours that the old token goes on, unless it ends sooner: 24 when absent, 0 to 168.',
  })
  graceHours?: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the new token ends: after as long as the old one was made for when absent, in 365 days at most.',
  })
  expiresAt?: Date | null;
}

@InputType({ description: 'A token of a member to block in an organization.' })
export class BlockApiTokenInput {
  @Field(() => Int, { description: 'In which organization.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which token: its `tokenId`.' })
  id!: number;
}
