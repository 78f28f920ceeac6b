import { Args, Ctx, ID, Resolver, Root } from 'type-graphql';
import type { ListSelection, Selection } from '../common/selection.js';
import type { GraphQLContext } from '../context.js';
import { EraseMeInput, UpdateAlertsInput, UpdateProfileInput } from '../schema/members/inputs.js';
import {
  Alerts,
  RoleDescription,
  User,
  Viewer,
  ViewerOrganization,
  ViewerOrganizationConnection,
} from '../schema/members/types.js';
import { Organization } from '../schema/organizations/types.js';
import { PageArgs } from '../schema/shared/connection.js';
import { DateTimeScalar } from '../schema/shared/scalars.js';
import type { Plain } from '../schema/shared/types.js';
import type { Services } from '../services/index.js';
import { LIMITS } from '../values/limits.js';
import { authorizedBatch, connectionFrom } from './shared/connection.js';
import { FieldResolver, Input, Mutation, Query, Selected, SelectedList } from './shared/decorators.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(private readonly services: Services) {}

  @Query(() => Viewer, 'Who is calling: user, token and organizations (specification 5).')
  viewer(@Ctx() { caller }: GraphQLContext, @Selected() selection: Selection) {
    return this.services.profiles.viewer(caller, selection);
  }

  @Query(() => [RoleDescription], 'The roles, lowest rank first, each with all of its privileges.')
  roles(@Ctx() { caller }: GraphQLContext) {
    return this.services.profiles.roles(caller);
  }

  @FieldResolver(
    () => ViewerOrganizationConnection,
    'The organizations of the caller, by name, with its role and privileges in each.',
  )
  async organizations(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: GraphQLContext,
    @SelectedList() selection: ListSelection,
  ) {
    return connectionFrom(await this.services.organizations.ofCaller(caller, page, selection));
  }

  @FieldResolver(
    () => [ViewerOrganization],
    'The first 100 of `organizations`, as a plain list: what the token of this request may do, and where.',
  )
  async organizationRoles(@Ctx() { caller }: GraphQLContext, @Selected() selection: Selection) {
    const listed = { items: selection, total: false };
    return (await this.services.organizations.ofCaller(caller, { first: LIMITS.page.maxSize }, listed)).rows;
  }
}

@Resolver(() => Organization)
export class ProfileResolver {
  constructor(private readonly services: Services) {}

  @Mutation('Changes what the caller is called.', { user: [() => User, 'The caller as it is called now.'] })
  async updateProfile(
    @Input('The names.') input: UpdateProfileInput,
    @Ctx() { caller }: GraphQLContext,
    @Selected('user') selection: Selection,
  ) {
    return { user: await this.services.profiles.update(caller, input, selection) };
  }

  @Mutation('Makes an address from which the caller downloads everything about itself. Each download is recorded.', {
    downloadUrl: [
      () => String,
      'Full address of one JSON document with everything about the caller. It is signed, needs no token and expires soon.',
    ],
    expiresAt: [() => DateTimeScalar, 'From when on the address leads to nothing.'],
  })
  exportMe(@Ctx() { caller }: GraphQLContext) {
    return this.services.personalData.address(caller);
  }

  @Mutation(
    'Erases the caller: revokes its tokens, ends its memberships, and replaces its name and address by a pseudonym wherever they stand. A conflict for the last owner of an organization.',
    {
      userId: [() => ID, 'The UUID of the user, which stays in audit trails.'],
      pseudonym: [() => String, 'What stands in place of its user name from now on.'],
    },
  )
  eraseMe(@Input('The confirmation.') { username }: EraseMeInput, @Ctx() { caller }: GraphQLContext) {
    return this.services.erasure.eraseCaller(caller, username);
  }

  @Mutation('Changes which alerts the caller wants from an organization.', {
    alerts: [() => Alerts, 'The preferences as they are now.'],
    organization: [() => Organization, 'The organization that they are for, as it is now.'],
  })
  async updateAlerts(
    @Input('The preferences.') input: UpdateAlertsInput,
    @Ctx() { caller }: GraphQLContext,
    @Selected() selection: Selection,
  ) {
    return this.services.profiles.updateAlerts(caller, input, selection);
  }

  @FieldResolver(() => Alerts, 'Which alerts the caller wants from the organization.')
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
