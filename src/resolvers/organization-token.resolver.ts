import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { BlockApiTokenInput } from '../schema/api-token.input.js';
import { BlockApiTokenPayload, OrganizationApiTokenConnection } from '../schema/api-token.type.js';
import { PageArgs } from '../schema/connection.js';
import { Organization } from '../schema/organization.type.js';
import type { Plain } from '../schema/plain.js';
import type { OrganizationTokenService } from '../services/organization-tokens.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class OrganizationTokenResolver {
  constructor(private readonly tokens: OrganizationTokenService) {}

  @FieldResolver(() => OrganizationApiTokenConnection, {
    nullable: true,
    description:
      'Tokens of members that have not ended, newest first: what may act in the organization. Asks for ORGANIZATION_OWNER: null, and an error beside it, for lower ranks.',
  })
  async apiTokens(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, organization.id, {
      authorize: (id) => this.tokens.authorizeList(context.caller, id),
      load: (ids, asked) => this.tokens.ofOrganizations(ids, page, asked),
    });
  }

  @Mutation(() => BlockApiTokenPayload, {
    description:
      'Blocks a token of a member in one organization, and in no other; within a second no instance lets it act there. Tokens that it makes are blocked there as well.',
  })
  async blockApiToken(
    @Arg('input', () => BlockApiTokenInput, { description: 'The token.' }) input: BlockApiTokenInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { apiToken: await this.tokens.block(caller, input, selectionOf(info).of('apiToken')) };
  }
}
