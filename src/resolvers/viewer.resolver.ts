import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { RoleDescription } from '../schema/role.type.js';
import { Viewer, ViewerOrganization, ViewerOrganizationConnection } from '../schema/viewer.type.js';
import type { OrganizationService } from '../services/organizations.js';
import type { ViewerService } from '../services/viewer.js';
import { LIMITS } from '../vocabulary/limits.js';
import { askedOf, connectionFrom } from './connection.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(
    private readonly viewers: ViewerService,
    private readonly memberships: OrganizationService,
  ) {}

  @Query(() => Viewer, { description: 'Who is calling: user, token and organizations (specification 5).' })
  viewer(@Ctx() { caller }: RequestContext, @Info() info: GraphQLResolveInfo) {
    return this.viewers.read(caller, selectionOf(info));
  }

  @Query(() => [RoleDescription], { description: 'The roles, lowest rank first, each with all of its privileges.' })
  roles(@Ctx() { caller }: RequestContext) {
    return this.viewers.roles(caller);
  }

  @FieldResolver(() => ViewerOrganizationConnection, {
    description: 'The organizations of the caller, by name, with its role and privileges in each.',
  })
  async organizations(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return connectionFrom(await this.memberships.ofCaller(caller, page, askedOf(info)));
  }

  @FieldResolver(() => [ViewerOrganization], {
    description: 'The first 100 of `organizations`, as a plain list: what the token of this request may do, and where.',
  })
  async organizationRoles(@Ctx() { caller }: RequestContext, @Info() info: GraphQLResolveInfo) {
    const asked = { items: selectionOf(info), total: false };
    return (await this.memberships.ofCaller(caller, { first: LIMITS.page.maxSize }, asked)).rows;
  }
}
