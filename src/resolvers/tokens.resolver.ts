import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Int, Mutation, Query, Resolver, FieldResolver, Root } from 'type-graphql';
import type { UserCaller } from '../auth/caller.js';
import { WINDOW_SECONDS } from '../auth/rate-limits.js';
import type { GraphQLContext } from '../context.js';
import { batch } from '../graphql/batch.js';
import { selectionOf } from '../graphql/selection.js';
import { PageArgs } from '../schema/shared/connection.js';
import { Organization } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import {
  CreateApiTokenInput,
  RevokeApiTokenInput,
  RotateApiTokenInput,
  BlockApiTokenInput,
  RecoverTokenInput,
  RequestTokenRecoveryInput,
} from '../schema/tokens/inputs.js';
import {
  ApiToken,
  ApiTokenConnection,
  ApiTokenPermissions,
  CreateApiTokenPayload,
  RevokeApiTokenPayload,
  RotateApiTokenPayload,
  BlockApiTokenPayload,
  OrganizationApiTokenConnection,
  RecoverTokenPayload,
  RequestTokenRecoveryPayload,
  RateLimit,
} from '../schema/tokens/types.js';
import type { Services } from '../services/index.js';
import type { ReplaceableToken } from '../services/tokens/tokens.service.js';
import { LIMITS } from '../values/limits.js';
import { connectionFrom, listSelectionOf, nestedList } from './shared/connection.js';

@Resolver(() => ApiToken)
export class ApiTokenResolver {
  constructor(private readonly services: Services) {}

  @Query(() => ApiToken, { description: 'A token of the caller.' })
  apiToken(
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.tokens.read(caller, id, selectionOf(info));
  }

  @Query(() => ApiTokenConnection, { description: 'The tokens of the caller, newest first, revoked ones as well.' })
  async apiTokens(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return connectionFrom(await this.services.tokens.list(caller, page, listSelectionOf(info)));
  }

  @Mutation(() => CreateApiTokenPayload, {
    description: 'Makes a token for the caller. The secret is in this answer and never again.',
  })
  async createApiToken(
    @Arg('input', () => CreateApiTokenInput, { description: 'The token.' }) input: CreateApiTokenInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { token, id } = await this.services.tokens.create(caller, input);
    const selection = selectionOf(info).of('apiToken');
    return { token, apiToken: await this.services.tokens.own((caller as UserCaller).userId, id, selection) };
  }

  @Mutation(() => RevokeApiTokenPayload, {
    description: 'Ends a token of the caller; within a second no instance takes it any more.',
  })
  async revokeApiToken(
    @Arg('input', () => RevokeApiTokenInput, { description: 'The token.' }) { tokenId }: RevokeApiTokenInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.services.tokens.revoke(caller, tokenId);
    const selection = selectionOf(info).of('apiToken');
    return { apiToken: await this.services.tokens.own((caller as UserCaller).userId, tokenId, selection) };
  }

  @Mutation(() => RotateApiTokenPayload, {
    description:
      'Puts a new token of the same name, scopes and rules in the place of one of the caller, which goes on for a grace period. CONFLICT when that one has ended or was replaced already.',
  })
  async rotateApiToken(
    @Arg('input', () => RotateApiTokenInput, { description: 'The token.' })
    { tokenId, ...wanted }: RotateApiTokenInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { token, id } = await this.services.tokens.rotate(caller, { id: tokenId, ...wanted });
    const { userId } = caller as UserCaller;
    const selection = selectionOf(info);
    const [apiToken, replaced] = await Promise.all([
      this.services.tokens.own(userId, id, selection.of('apiToken')),
      this.services.tokens.own(userId, tokenId, selection.of('replaced')),
    ]);
    return { token, apiToken, replaced };
  }

  @FieldResolver(() => ApiTokenPermissions, { description: 'What the caller may do with it.' })
  async viewerCan(@Root() token: ReplaceableToken, @Ctx() context: GraphQLContext, @Info() info: GraphQLResolveInfo) {
    const { caller } = context;
    const rotate =
      selectionOf(info).has('rotate') &&
      (await batch(context, 'ApiToken.rotate', token, (tokens) => this.services.tokens.rotatable(caller, tokens)));
    return { revoke: this.services.tokens.mayRevoke(caller, token), rotate };
  }
}

@Resolver(() => Organization)
export class OrganizationTokenResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver(() => OrganizationApiTokenConnection, {
    nullable: true,
    description:
      'Active tokens of members, newest first: what may act in the organization. Requires ORGANIZATION_OWNER; null with an error for lower roles.',
  })
  async apiTokens(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, organization.id, {
      authorize: (id) => this.services.organizationTokens.authorizeList(context.caller, id),
      load: (ids, selection) => this.services.organizationTokens.ofOrganizations(ids, page, selection),
    });
  }

  @Mutation(() => BlockApiTokenPayload, {
    description:
      'Blocks a token of a member in one organization, and in no other; within a second no instance lets it act there. Tokens that it makes are blocked there as well.',
  })
  async blockApiToken(
    @Arg('input', () => BlockApiTokenInput, { description: 'The token.' })
    { organizationId, tokenId: id }: BlockApiTokenInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return {
      apiToken: await this.services.organizationTokens.block(
        caller,
        { organizationId, id },
        selectionOf(info).of('apiToken'),
      ),
    };
  }

  @Mutation(() => RequestTokenRecoveryPayload, {
    description:
      'Mails a one-time link for a new token to the verified e-mail address of a user. Needs no token. The answer is the same whether the address is known or not; RATE_LIMITED after many requests of one caller.',
  })
  async requestTokenRecovery(
    @Arg('input', () => RequestTokenRecoveryInput, { description: 'The user who has lost the token.' })
    input: RequestTokenRecoveryInput,
    @Ctx() { address }: GraphQLContext,
  ) {
    await this.services.recovery.request(input.email, address);
    return { accepted: true, linkMinutes: LIMITS.recovery.linkMinutes };
  }

  @Mutation(() => RecoverTokenPayload, {
    description:
      'Exchanges the secret of a recovery link for one new token, and notifies the owners of the user’s organizations. Needs no token. NOT_FOUND when the secret is unknown, used or expired.',
  })
  recoverToken(
    @Arg('input', () => RecoverTokenInput, { description: 'The link.' }) { secret }: RecoverTokenInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.services.recovery.recover(caller, secret);
  }
}

@Resolver()
export class RateLimitResolver {
  @Query(() => RateLimit, {
    description: 'What the caller may still do in this minute. Asking for nothing else costs nothing.',
  })
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
