import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, ID, Info, Int, Resolver, Root } from 'type-graphql';
import type { UserCaller } from '../auth/caller.js';
import { WINDOW_SECONDS } from '../auth/rate-limits.js';
import type { GraphQLContext } from '../http/context.js';
import { batchInOrder } from '../graphql/batch.js';
import { ofMade, selectionOf } from '../graphql/selection.js';
import { Organization } from '../schema/organizations/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/shared/scalars.js';
import type { Plain } from '../schema/shared/types.js';
import {
  ApiToken,
  BlockApiTokenInput,
  CreateApiTokenInput,
  OrganizationApiToken,
  RateLimit,
  RecoverTokenInput,
  RequestTokenRecoveryInput,
  RevokeApiTokenInput,
  RotateApiTokenInput,
} from '../schema/tokens.js';
import { LIMITS } from '../values/limits.js';
import { Arg, Call, FieldResolver, Input, ListCall, Mutation, Query } from './shared/decorators.js';
import { batchKey, connectionFrom, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';

@Resolver(() => ApiToken)
class ApiTokenResolver {
  @Query(() => ApiToken, 'A token of the caller.')
  apiToken(@Arg('id', () => SafeIntScalar, 'Its id.') id: number, @Call() { services, caller, selection }: Call) {
    return services.tokens.read(caller, id, selection);
  }

  @Query(connectionOf(ApiToken), 'The tokens of the caller, newest first, revoked ones as well.')
  async apiTokens(@Args(() => PageArgs) page: PageArgs, @ListCall() { services, caller, selection }: ListCall) {
    return connectionFrom(await services.tokens.list(caller, page, selection));
  }

  // Specification 5.
  @Mutation(
    'Makes a token for the caller. The secret is in this answer and never again.',
    {
      token: [() => String, 'The token to send as `X-Service-Token`. It is shown here once and not stored.'],
      apiToken: [() => ApiToken, 'What is known of the token from now on.'],
    },
    { adds: 'apiToken' },
  )
  async createApiToken(
    @Input('The token.') input: CreateApiTokenInput,
    @Call('apiToken') { services, caller, selection }: Call,
  ) {
    const { token, id } = await services.tokens.create(caller, input);
    return { token, apiToken: await services.tokens.own((caller as UserCaller).userId, id, selection) };
  }

  @Mutation('Ends a token of the caller; within a second no instance takes it any more.', {
    apiToken: [() => ApiToken, 'The token, now revoked.'],
  })
  async revokeApiToken(
    @Input('The token.') { tokenId, version }: RevokeApiTokenInput,
    @Call('apiToken') { services, caller, selection }: Call,
  ) {
    await services.tokens.revoke(caller, { id: tokenId, version });
    return { apiToken: await services.tokens.own((caller as UserCaller).userId, tokenId, selection) };
  }

  @Mutation(
    'Puts a new token of the same name, scopes and rules in the place of one of the caller, which goes on for a grace period. CONFLICT when that one has ended or was replaced already.',
    {
      token: [() => String, 'The new token. It is shown here once and not stored.'],
      apiToken: [() => ApiToken, 'What is known of the new token.'],
      replaced: [() => ApiToken, 'The old token, which goes on until its new `expiresAt`.'],
    },
    { adds: 'apiToken' },
  )
  async rotateApiToken(
    @Input('The token.') { tokenId, ...wanted }: RotateApiTokenInput,
    @Call() { services, caller, selection }: Call,
  ) {
    const { token, id } = await services.tokens.rotate(caller, { id: tokenId, ...wanted });
    const { userId } = caller as UserCaller;
    const [apiToken, replaced] = await Promise.all([
      services.tokens.own(userId, id, ofMade(selection, 'apiToken')),
      services.tokens.own(userId, tokenId, selection.of('replaced')),
    ]);
    return { token, apiToken, replaced };
  }
}

@Resolver(() => ApiToken)
class BlockedTokenResolver {
  @FieldResolver(
    () => [Organization],
    'The organizations whose owners have blocked it, as far as the caller may read them with the token of this request.',
  )
  async blockedInOrganizations(
    @Root() { blockedIn }: Plain<ApiToken>,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (blockedIn.length === 0) return [];
    const selection = selectionOf(info);
    const key = batchKey('ApiToken.blockedInOrganizations', null, selection);
    return batchInOrder(context, key, blockedIn, async (lists: readonly number[][]) => {
      const ids = [...new Set(lists.flat())];
      const found = await context.services.organizations.among(context.caller, ids, selection);
      return lists.map((list) => list.flatMap((id) => found.get(id) ?? []));
    });
  }
}

@Resolver(() => Organization)
class OrganizationTokenResolver {
  @Mutation(
    'Blocks a token of a member or a service account in one organization, and in no other; within a second no instance lets it act there. Tokens that it makes are blocked there as well. Requires ORGANIZATION_OWNER.',
    { apiToken: [() => OrganizationApiToken, 'The token, now blocked.'] },
  )
  async blockApiToken(
    @Input('The token.') { tokenId: id, ...key }: BlockApiTokenInput,
    @Call('apiToken') { services, caller, selection }: Call,
  ) {
    return { apiToken: await services.organizationTokens.block(caller, { id, ...key }, selection) };
  }

  @Mutation(
    'Mails a one-time link for a new token to the verified e-mail address of a user. Needs no token. The answer is the same whether the address is known or not; RATE_LIMITED after many requests of one caller.',
    {
      accepted: [() => Boolean, 'Always true: if the address is the verified one of a user, a mail is on its way.'],
      linkMinutes: [() => Int, 'Minutes in which the link of the mail can be used.'],
    },
  )
  async requestTokenRecovery(
    @Input('The user who has lost the token.') input: RequestTokenRecoveryInput,
    @Ctx() { services, address }: GraphQLContext,
  ) {
    await services.recovery.request(input.email, address);
    return { accepted: true, linkMinutes: LIMITS.recovery.linkMinutes };
  }

  @Mutation(
    'Exchanges the secret of a recovery link for one new token, and notifies the owners of the user’s organizations. Needs no token. NOT_FOUND when the secret is unknown, used or expired.',
    {
      token: [() => String, 'The new token, with the scopes `READ` and `WRITE`. It is shown here once.'],
      tokenExpiresAt: [() => DateTimeScalar, 'From when on it is refused.'],
      userId: [() => ID, 'The UUID of its user.'],
      username: [() => String, 'The name of the user.'],
      email: [() => String, 'The e-mail address of the user.'],
    },
  )
  recoverToken(@Input('The link.') { secret }: RecoverTokenInput, @Ctx() { services, caller }: GraphQLContext) {
    return services.recovery.recover(caller, secret);
  }
}

@Resolver()
class RateLimitResolver {
  @Query(() => RateLimit, 'What the caller may still do in this minute. Asking for nothing else costs nothing.')
  rateLimit(@Ctx() { meter }: GraphQLContext): RateLimit {
    const now = Date.now();
    const policies = meter.states().map(({ policy, limit, remaining, resetInSeconds }) => ({
      ...{ name: policy, limit, remaining, resetInSeconds },
      windowSeconds: WINDOW_SECONDS,
      resetAt: new Date(now + resetInSeconds * 1000),
    }));
    return { cost: meter.points, policies };
  }
}

nodeOf(ApiToken, ['tokenId'], ({ tokens }, caller, { tokenId }, selection) => tokens.read(caller, tokenId, selection));
nodeOf(
  OrganizationApiToken,
  ['organizationId', 'tokenId'],
  ({ organizationTokens }, caller, { organizationId, tokenId: id }, selection) =>
    organizationTokens.read(caller, { organizationId, id }, selection),
);

export const TOKEN_RESOLVERS = [
  ApiTokenResolver,
  BlockedTokenResolver,
  OrganizationTokenResolver,
  RateLimitResolver,
  listOfOrganization('apiTokens', OrganizationApiToken, {
    description:
      'Active tokens of members and service accounts, newest first: what may act in the organization. Requires ORGANIZATION_OWNER; null with an error for lower roles.',
    nullable: true,
    authorize: ({ organizationTokens }, caller, id) => organizationTokens.authorizeList(caller, id),
    load: ({ organizationTokens }, ids, { page }, selection) =>
      organizationTokens.ofOrganizations(ids, page, selection),
  }),
];
