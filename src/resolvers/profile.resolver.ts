import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Query, Resolver, Arg, Mutation, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { PageArgs } from '../schema/shared/connection.js';
import { EraseMeInput, UpdateAlertsInput, UpdateProfileInput } from '../schema/members/inputs.js';
import {
  Viewer,
  ViewerOrganization,
  ViewerOrganizationConnection,
  Alerts,
  EraseMePayload,
  ExportMePayload,
  UpdateAlertsPayload,
  UpdateProfilePayload,
} from '../schema/members/types.js';
import { Organization } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import { RoleDescription } from '../schema/shared/role.js';
import type { Services } from '../services/index.js';
import { LIMITS } from '../values/limits.js';
import { authorizedBatch, connectionFrom, listSelectionOf } from './shared/connection.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(private readonly services: Services) {}

  @Query(() => Viewer, { description: 'Who is calling: user, token and organizations (specification 5).' })
  viewer(@Ctx() { caller }: GraphQLContext, @Info() info: GraphQLResolveInfo) {
    return this.services.profiles.viewer(caller, selectionOf(info));
  }

  @Query(() => [RoleDescription], { description: 'The roles, lowest rank first, each with all of its privileges.' })
  roles(@Ctx() { caller }: GraphQLContext) {
    return this.services.profiles.roles(caller);
  }

  @FieldResolver(() => ViewerOrganizationConnection, {
    description: 'The organizations of the caller, by name, with its role and privileges in each.',
  })
  async organizations(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return connectionFrom(await this.services.organizations.ofCaller(caller, page, listSelectionOf(info)));
  }

  @FieldResolver(() => [ViewerOrganization], {
    description: 'The first 100 of `organizations`, as a plain list: what the token of this request may do, and where.',
  })
  async organizationRoles(@Ctx() { caller }: GraphQLContext, @Info() info: GraphQLResolveInfo) {
    const selection = { items: selectionOf(info), total: false };
    return (await this.services.organizations.ofCaller(caller, { first: LIMITS.page.maxSize }, selection)).rows;
  }
}

@Resolver(() => Organization)
export class ProfileResolver {
  constructor(private readonly services: Services) {}

  @Mutation(() => UpdateProfilePayload, { description: 'Changes what the caller is called.' })
  async updateProfile(
    @Arg('input', () => UpdateProfileInput, { description: 'The names.' }) input: UpdateProfileInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { user: await this.services.profiles.update(caller, input, selectionOf(info).of('user')) };
  }

  @Mutation(() => ExportMePayload, {
    description: 'Makes an address from which the caller downloads everything about itself. Each download is recorded.',
  })
  exportMe(@Ctx() { caller }: GraphQLContext) {
    return this.services.personalData.address(caller);
  }

  @Mutation(() => EraseMePayload, {
    description:
      'Erases the caller: revokes its tokens, ends its memberships, and replaces its name and address by a pseudonym wherever they stand. A conflict for the last owner of an organization.',
  })
  eraseMe(
    @Arg('input', () => EraseMeInput, { description: 'The confirmation.' }) { username }: EraseMeInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.services.erasure.eraseCaller(caller, username);
  }

  @Mutation(() => UpdateAlertsPayload, { description: 'Changes which alerts the caller wants from an organization.' })
  async updateAlerts(
    @Arg('input', () => UpdateAlertsInput, { description: 'The preferences.' }) input: UpdateAlertsInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.profiles.updateAlerts(caller, input, selectionOf(info));
  }

  @FieldResolver(() => Alerts, { description: 'Which alerts the caller wants from the organization.' })
  alerts(@Root() organization: Plain<Organization>, @Ctx() context: GraphQLContext) {
    return authorizedBatch(
      context,
      'Organization.alerts',
      organization.id,
      (id) => this.services.profiles.authorizeAlerts(context.caller, id),
      (ids) => this.services.profiles.alerts(context.caller, ids),
    );
  }
}
