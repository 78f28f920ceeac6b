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
}

@InputType({ description: 'A token of the caller to revoke.' })
export class RevokeApiTokenInput {
  @Field(() => Int, { description: 'Which token.' })
  id!: number;
}
