import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { RemoveMemberInput, UpdateMemberInput } from '../schema/organization-user.input.js';
import {
  MemberPermissions,
  OrganizationUser,
  RemoveMemberPayload,
  UpdateMemberPayload,
} from '../schema/organization-user.type.js';
import type { MemberChangeService } from '../services/member-changes.js';
import type { ManagedMember, MemberService } from '../services/members.js';

@Resolver(() => OrganizationUser)
export class OrganizationUserResolver {
  constructor(
    private readonly members: MemberService,
    private readonly changes: MemberChangeService,
  ) {}

  @Query(() => OrganizationUser, {
    description: 'A member of an organization. Asks for SECURITY_OFFICER, unless it is the caller itself.',
  })
  member(
    @Arg('organizationId', () => Int, { description: 'Whose member.' }) organizationId: number,
    @Arg('userId', () => ID, { description: 'The UUID of the user.' }) userId: string,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.members.read(caller, { organizationId, userId }, selectionOf(info));
  }

  @Mutation(() => UpdateMemberPayload, {
    description:
      'Changes the role of a member, or whether it has access. Rank 4 manages members below rank 4, rank 5 everybody. CONFLICT when no owner would be left.',
  })
  async updateMember(
    @Arg('input', () => UpdateMemberInput, { description: 'The member.' }) input: UpdateMemberInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { member: await this.changes.update(caller, input, selectionOf(info).of('member')) };
  }

  @Mutation(() => RemoveMemberPayload, {
    description: 'Removes a member; within a second it has no access any more. Rules as for `updateMember`.',
  })
  async removeMember(
    @Arg('input', () => RemoveMemberInput, { description: 'The member.' }) input: RemoveMemberInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { member: await this.changes.remove(caller, input, selectionOf(info).of('member')) };
  }

  @FieldResolver(() => MemberPermissions, { description: 'What the caller may do to the member.' })
  viewerCan(@Root() member: ManagedMember, @Ctx() { caller }: RequestContext) {
    return this.members.permissions(caller, member);
  }
}
