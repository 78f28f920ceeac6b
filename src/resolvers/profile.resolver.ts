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
import type { ErasureService } from '../services/members/erasure.service.js';
import type { PersonalDataService } from '../services/members/personal-data.service.js';
import type { ProfileService } from '../services/members/profile.service.js';
import type { OrganizationService } from '../services/organizations/organizations.service.js';
import { LIMITS } from '../values/limits.js';
import { listSelectionOf, connectionFrom } from './shared/connection.js';
import { authorizedBatch } from './shared/nested-list.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(
    private readonly profiles: ProfileService,
    private readonly memberships: OrganizationService,
  ) {}

  @Query(() => Viewer, { description: 'Who is calling: user, token and organizations (specification 5).' })
  viewer(@Ctx() { caller }: GraphQLContext, @Info() info: GraphQLResolveInfo) {
    return this.profiles.viewer(caller, selectionOf(info));
  }

  @Query(() => [RoleDescription], { description: 'The roles, lowest rank first, each with all of its privileges.' })
  roles(@Ctx() { caller }: GraphQLContext) {
    return this.profiles.roles(caller);
  }

  @FieldResolver(() => ViewerOrganizationConnection, {
    description: 'The organizations of the caller, by name, with its role and privileges in each.',
  })
  async organizations(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return connectionFrom(await this.memberships.ofCaller(caller, page, listSelectionOf(info)));
  }

  @FieldResolver(() => [ViewerOrganization], {
    description: 'The first 100 of `organizations`, as a plain list: what the token of this request may do, and where.',
  })
  async organizationRoles(@Ctx() { caller }: GraphQLContext, @Info() info: GraphQLResolveInfo) {
    const selection = { items: selectionOf(info), total: false };
    return (await this.memberships.ofCaller(caller, { first: LIMITS.page.maxSize }, selection)).rows;
  }
}

@Resolver(() => Organization)
export class ProfileResolver {
  constructor(
    private readonly profiles: ProfileService,
    private readonly erasure: ErasureService,
    private readonly personalData: PersonalDataService,
  ) {}

  @Mutation(() => UpdateProfilePayload, { description: 'Changes what the caller is called.' })
  async updateProfile(
    @Arg('input', () => UpdateProfileInput, { description: 'The names.' }) input: UpdateProfileInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { user: await this.profiles.update(caller, input, selectionOf(info).of('user')) };
  }

  @Mutation(() => ExportMePayload, {
    description: 'Makes an address from which the caller downloads everything about itself. Each download is recorded.',
  })
  exportMe(@Ctx() { caller }: GraphQLContext) {
    return this.personalData.address(caller);
  }

  @Mutation(() => EraseMePayload, {
    description:
      'Erases the caller: revokes its tokens, ends its memberships, and replaces its name and address by a pseudonym wherever they stand. A conflict for the last owner of an organization.',
  })
  eraseMe(
    @Arg('input', () => EraseMeInput, { description: 'The confirmation.' }) { username }: EraseMeInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.erasure.eraseCaller(caller, username);
  }

  @Mutation(() => UpdateAlertsPayload, { description: 'Changes which alerts the caller wants from an organization.' })
  async updateAlerts(
    @Arg('input', () => UpdateAlertsInput, { description: 'The preferences.' }) input: UpdateAlertsInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.profiles.updateAlerts(caller, input, selectionOf(info));
  }

  @FieldResolver(() => Alerts, { description: 'Which alerts the caller wants from the organization.' })
  alerts(@Root() organization: Plain<Organization>, @Ctx() context: GraphQLContext) {
    return authorizedBatch(
      context,
      'Organization.alerts',
      organization.id,
      (id) => this.profiles.authorizeAlerts(context.caller, id),
      (ids) => this.profiles.alerts(context.caller, ids),
    );
  }
}
