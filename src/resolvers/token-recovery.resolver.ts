import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { RecoverTokenInput, RequestTokenRecoveryInput } from '../schema/token-recovery.input.js';
import { checkRecoveryRequest } from '../schema/token-recovery.rules.js';
import { RecoverTokenPayload, RequestTokenRecoveryPayload } from '../schema/token-recovery.type.js';
import type { TokenRecoveryService } from '../services/token-recovery.js';
import { LIMITS } from '../vocabulary/limits.js';

@Resolver()
export class TokenRecoveryResolver {
  constructor(private readonly recovery: TokenRecoveryService) {}

  @Mutation(() => RequestTokenRecoveryPayload, {
    description:
      'Mails a one-time link for a new token to the verified e-mail address of a user. Needs no token. The answer is the same whether the address is known or not; RATE_LIMITED after many requests of one caller.',
  })
  async requestTokenRecovery(
    @Arg('input', () => RequestTokenRecoveryInput, { description: 'Whose token was lost.' })
    input: RequestTokenRecoveryInput,
    @Ctx() { address }: RequestContext,
  ) {
    checkRecoveryRequest(input);
    await this.recovery.request(input.email, address);
    return { accepted: true, linkMinutes: LIMITS.recovery.linkMinutes };
  }

  @Mutation(() => RecoverTokenPayload, {
    description:
      'Exchanges the secret of a recovery link for one new token, and tells the owners of the user’s organizations. Needs no token. NOT_FOUND whatever is wrong with the secret.',
  })
  recoverToken(@Arg('input', () => RecoverTokenInput, { description: 'The link.' }) { secret }: RecoverTokenInput) {
    return this.recovery.recover(secret);
  }
}
