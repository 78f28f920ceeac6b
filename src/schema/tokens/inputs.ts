import { InputType, Int } from 'type-graphql';
import { Field, Nullable } from '../shared/field.js';
import { LIMITS } from '../../values/limits.js';
import { CheckedBy, Constrained, List, Text, text } from '../shared/constraints.js';
import type { Scope } from '../../values/enums.js';
import { DateTimeScalar } from '../shared/scalars.js';
import { TokenScopeEnum } from './types.js';

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
  scopes?: Scope[] | null;

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
  @Field(() => Int, 'Which token.')
  tokenId!: number;
}

@InputType({ description: 'A token of the caller to put a new one in the place of.' })
export class RotateApiTokenInput {
  @Field(() => Int, 'Which token.')
  tokenId!: number;

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

@InputType({ description: 'A token of a member to block in an organization.' })
export class BlockApiTokenInput {
  @Field(() => Int, 'In which organization.')
  organizationId!: number;

  @Field(() => Int, 'Which token.')
  tokenId!: number;
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
