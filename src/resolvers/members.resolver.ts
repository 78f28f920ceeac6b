import { Ctx, ID, Int, Resolver, Root } from 'type-graphql';
import type { Selection } from '../common/selection.js';
import type { GraphQLContext } from '../context.js';
import {
  OrganizationUserFilter,
  OrganizationUserOrder,
  RemoveMemberInput,
  UpdateMemberInput,
} from '../schema/members/inputs.js';
import { MemberPermissions, OrganizationUser, OrganizationUserConnection } from '../schema/members/types.js';
import type { Services } from '../services/index.js';
import type { ManagedMember } from '../services/members/members.service.js';
import { Arg, FieldResolver, Input, Mutation, Query, Selected } from './shared/decorators.js';
import { listOfOrganization } from './shared/lists.resolver.js';

@Resolver(() => OrganizationUser)
class OrganizationUserResolver {
  constructor(private readonly services: Services) {}

  @Query(
    () => OrganizationUser,
    'A member of an organization. Requires SECURITY_OFFICER, except for the caller’s own membership.',
  )
  member(
    @Arg('organizationId', () => Int, 'The organization that has the member.') organizationId: number,
    @Arg('userId', () => ID, 'The UUID of the user.') userId: string,
    @Ctx() { caller }: GraphQLContext,
    @Selected() selection: Selection,
  ) {
    return this.services.members.read(caller, { organizationId, userId }, selection);
  }

  @Mutation(
    'Changes the role of a member, or whether it is active. ORGANIZATION_MANAGER manages the roles below its own, ORGANIZATION_OWNER all roles. CONFLICT when no owner would be left.',
    { member: [() => OrganizationUser, 'The member as it is now.'] },
  )
  async updateMember(
    @Input('The member.') input: UpdateMemberInput,
    @Ctx() { caller }: GraphQLContext,
    @Selected('member') selection: Selection,
  ) {
    return { member: await this.services.memberChanges.update(caller, input, selection) };
  }

  @Mutation('Removes a member; within a second it has no access any more. Rules as for `updateMember`.', {
    member: [() => OrganizationUser, 'The member as it was.'],
  })
  async removeMember(
    @Input('The member.') input: RemoveMemberInput,
    @Ctx() { caller }: GraphQLContext,
    @Selected('member') selection: Selection,
  ) {
    return { member: await this.services.memberChanges.remove(caller, input, selection) };
  }

  @FieldResolver(() => MemberPermissions, 'What the caller may do to the member.')
  viewerCan(@Root() member: ManagedMember, @Ctx() { caller }: GraphQLContext) {
    return this.services.members.permissions(caller, member);
  }
}

export const MEMBER_RESOLVERS = [
  OrganizationUserResolver,
  listOfOrganization('users', OrganizationUserConnection, {
    description:
      'Members with their roles and alert preferences (specification 4.7). Requires SECURITY_OFFICER; null with an error for lower roles.',
    nullable: true,
    filter: [() => OrganizationUserFilter, 'Which members.'],
    orderBy: [() => OrganizationUserOrder, { field: 'USERNAME', direction: 'ASC' }, 'By user name when absent.'],
    authorize: ({ members }, caller, id) => members.authorizeList(caller, id),
    load: ({ members }, ids, query, selection) => members.ofOrganizations(ids, query, selection),
  }),
];
