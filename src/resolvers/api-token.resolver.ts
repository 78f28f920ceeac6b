import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { UserCaller } from '../access/caller.js';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { CreateApiTokenInput, RevokeApiTokenInput, RotateApiTokenInput } from '../schema/api-token.input.js';
import {
  ApiToken,
  ApiTokenConnection,
  CreateApiTokenPayload,
  RevokeApiTokenPayload,
  RotateApiTokenPayload,
} from '../schema/api-token.type.js';
import { PageArgs } from '../schema/connection.js';
import type { ApiTokenService } from '../services/api-tokens.js';
import type { TokenRotationService } from '../services/token-rotation.js';
import { askedOf, connectionFrom } from './connection.js';

@Resolver()
export class ApiTokenResolver {
  constructor(
    private readonly tokens: ApiTokenService,
    private readonly rotation: TokenRotationService,
  ) {}

  @Query(() => ApiToken, { description: 'A token of the caller.' })
  apiToken(
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.tokens.read(caller, id, selectionOf(info));
  }

  @Query(() => ApiTokenConnection, { description: 'The tokens of the caller, newest first, revoked ones as well.' })
  async apiTokens(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return connectionFrom(await this.tokens.list(caller, page, askedOf(info)));
  }

  @Mutation(() => CreateApiTokenPayload, {
    description: 'Makes a token for the caller. The secret is in this answer and never again.',
  })
  async createApiToken(
    @Arg('input', () => CreateApiTokenInput, { description: 'The token.' }) input: CreateApiTokenInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { token, id } = await this.tokens.create(caller, input);
    const asked = selectionOf(info).of('apiToken');
    return { token, apiToken: await this.tokens.own((caller as UserCaller).userId, id, asked) };
  }

  @Mutation(() => RevokeApiTokenPayload, {
    description: 'Ends a token of the caller; within a second no instance takes it any more.',
  })
  async revokeApiToken(
    @Arg('input', () => RevokeApiTokenInput, { description: 'The token.' }) { id }: RevokeApiTokenInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.tokens.revoke(caller, id);
    return { apiToken: await this.tokens.own((caller as UserCaller).userId, id, selectionOf(info).of('apiToken')) };
  }

  @Mutation(() => RotateApiTokenPayload, {
    description:
      'Puts a new token of the same name, scopes and rules in the place of one of the caller, which goes on for a grace period. CONFLICT when that one has ended or was replaced already.',
  })
  async rotateApiToken(
    @Arg('input', () => RotateApiTokenInput, { description: 'The token.' }) input: RotateApiTokenInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { token, id } = await this.rotation.rotate(caller, input);
    const { userId } = caller as UserCaller;
    const asked = selectionOf(info);
    const [apiToken, replaced] = await Promise.all([
      this.tokens.own(userId, id, asked.of('apiToken')),
      this.tokens.own(userId, input.id, asked.of('replaced')),
    ]);
    return { token, apiToken, replaced };
  }
}
