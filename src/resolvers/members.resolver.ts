import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root, Args } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { OrderBy } from '../schema/shared/order.js';
import { PageArgs } from '../schema/shared/connection.js';
import {
  RemoveMemberInput,
  UpdateMemberInput,
  OrganizationUserFilter,
  OrganizationUserOrder,
} from '../schema/members/inputs.js';
import {
  MemberPermissions,
  OrganizationUser,
  RemoveMemberPayload,
  UpdateMemberPayload,
  OrganizationUserConnection,
} from '../schema/members/types.js';
import { Organization } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import type { Services } from '../services/index.js';
import type { ManagedMember } from '../services/members/members.service.js';
import { nestedList } from './shared/connection.js';

@Resolver(() => OrganizationUser)
export class OrganizationUserResolver {
  constructor(private readonly services: Services) {}

  @Query(() => OrganizationUser, {
    description: 'A member of an organization. Requires SECURITY_OFFICER, except for the caller’s own membership.',
  })
  member(
    @Arg('organizationId', () => Int, { description: 'The organization that has the member.' }) organizationId: number,
    @Arg('userId', () => ID, { description: 'The UUID of the user.' }) userId: string,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.members.read(caller, { organizationId, userId }, selectionOf(info));
  }

  @Mutation(() => UpdateMemberPayload, {
    description:
      'Changes the role of a member, or whether it is active. ORGANIZATION_MANAGER manages the roles below its own, ORGANIZATION_OWNER all roles. CONFLICT when no owner would be left.',
  })
  async updateMember(
    @Arg('input', () => UpdateMemberInput, { description: 'The member.' }) input: UpdateMemberInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { member: await this.services.memberChanges.update(caller, input, selectionOf(info).of('member')) };
  }

  @Mutation(() => RemoveMemberPayload, {
    description: 'Removes a member; within a second it has no access any more. Rules as for `updateMember`.',
  })
  async removeMember(
    @Arg('input', () => RemoveMemberInput, { description: 'The member.' }) input: RemoveMemberInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { member: await this.services.memberChanges.remove(caller, input, selectionOf(info).of('member')) };
  }

  @FieldResolver(() => MemberPermissions, { description: 'What the caller may do to the member.' })
  viewerCan(@Root() member: ManagedMember, @Ctx() { caller }: GraphQLContext) {
    return this.services.members.permissions(caller, member);
  }
}

@Resolver(() => Organization)
export class MemberResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver(() => OrganizationUserConnection, {
    nullable: true,
    description:
      'Members with their roles and alert preferences (specification 4.7). Requires SECURITY_OFFICER; null with an error for lower roles.',
  })
  async users(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => OrganizationUserFilter, { nullable: true, description: 'Which members.' })
    filter: OrganizationUserFilter | null,
    @OrderBy(() => OrganizationUserOrder, { field: 'USERNAME', direction: 'ASC' }, 'By user name when absent.')
    orderBy: OrganizationUserOrder | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, orderBy };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.services.members.authorizeList(context.caller, id),
      load: (ids, selection) => this.services.members.ofOrganizations(ids, query, selection),
    });
  }
}
