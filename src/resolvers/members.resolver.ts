import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, ID, Info, Int, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import * as inputs from '../schema/members/inputs.js';
import {
  Alerts,
  Invitation,
  InvitationPreview,
  InvitedRow,
  MemberPermissions,
  OrganizationUser,
  RoleEnum,
  User,
  Viewer,
  ViewerOrganization,
} from '../schema/members/types.js';
import { Organization } from '../schema/organizations/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import { ImportedRow } from '../schema/shared/rows.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/shared/scalars.js';
import type { Plain } from '../schema/shared/types.js';
import type { ManagedMember } from '../services/members/members.service.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { Arg, Call, FieldResolver, Input, ListCall, Mutation, Query } from './shared/decorators.js';
import { authorizedBatch, connectionFrom, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { rowChecks } from './shared/row-checks.js';
import { OF_TABLE, RowErrorResolver } from './shared/rows.js';

@Resolver(() => Viewer)
class ViewerResolver {
  // Specification 5.
  @Query(() => Viewer, 'Who is calling: user, token and organizations.')
  viewer(@Call() { services, caller, selection }: Call) {
    return services.profiles.viewer(caller, selection);
  }

  @FieldResolver(
    connectionOf(ViewerOrganization),
    'The organizations of the caller, by name, with its role and privileges in each.',
  )
  async organizations(@Args(() => PageArgs) page: PageArgs, @ListCall() { services, caller, selection }: ListCall) {
    return connectionFrom(await services.organizations.ofCaller(caller, page, selection));
  }

  @Extensions({ items: LIMITS.page.maxSize })
  @FieldResolver(
    () => [ViewerOrganization],
    'The first 100 of `organizations`, as a plain list: what the token of this request may do, and where.',
  )
  async organizationRoles(@Call() { services, caller, selection }: Call) {
    const listed = { items: selection, total: false };
    return (await services.organizations.ofCaller(caller, { first: LIMITS.page.maxSize }, listed)).rows;
  }
}

@Resolver(() => Organization)
class ProfileResolver {
  @Mutation('Changes what the caller is called.', { user: [() => User, 'The caller as it is called now.'] })
  async updateProfile(
    @Input('The names.') input: inputs.UpdateProfileInput,
    @Call('user') { services, caller, selection }: Call,
  ) {
    return { user: await services.profiles.update(caller, input, selection) };
  }

  @Mutation('Makes an address from which the caller downloads everything about itself. Each download is recorded.', {
    downloadUrl: [
      () => String,
      'Full address of one JSON document with everything about the caller. It is signed, needs no token and expires soon.',
    ],
    expiresAt: [() => DateTimeScalar, 'From when on the address leads to nothing.'],
  })
  exportMe(@Ctx() { services, caller }: GraphQLContext) {
    return services.personalData.address(caller);
  }

  @Mutation(
    'Erases the caller: revokes its tokens, ends its memberships, and replaces its name and address by a pseudonym wherever they stand. A conflict for the last owner of an organization.',
    {
      userId: [() => ID, 'The UUID of the user, which stays in audit trails.'],
      pseudonym: [() => String, 'What stands in place of its user name from now on.'],
    },
  )
  eraseMe(@Input('The confirmation.') input: inputs.EraseMeInput, @Ctx() { services, caller }: GraphQLContext) {
    return services.erasure.eraseCaller(caller, input);
  }

  @Mutation('Changes which alerts the caller wants from an organization.', {
    alerts: [() => Alerts, 'The preferences as they are now.'],
    organization: [() => Organization, 'The organization that they are for, as it is now.'],
  })
  async updateAlerts(
    @Input('The preferences.') input: inputs.UpdateAlertsInput,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.profiles.updateAlerts(caller, input, selection);
  }

  @FieldResolver(
    () => Alerts,
    'Which alerts the caller wants from the organization; null with an error for a service account.',
    { nullable: true },
  )
  alerts(@Root() organization: Plain<Organization>, @Ctx() context: GraphQLContext) {
    return authorizedBatch(
      context,
      'Organization.alerts',
      organization.id,
      (id) => context.services.profiles.authorizeAlerts(context.caller, id),
      (ids) => context.services.profiles.alerts(context.caller, ids),
    );
  }
}

@Resolver(() => OrganizationUser)
class OrganizationUserResolver {
  @Query(
    () => OrganizationUser,
    'A member of an organization. Requires SECURITY_OFFICER, except for the caller’s own membership.',
  )
  member(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has the member.') organizationId: number,
    @Arg('userId', () => ID, 'The UUID of the user.') userId: string,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.members.read(caller, { organizationId, userId }, selection);
  }

  @Mutation(
    'Changes the role of a member, or whether it is active. ORGANIZATION_MANAGER manages the roles below its own, ORGANIZATION_OWNER all roles. CONFLICT when no owner would be left.',
    { member: [() => OrganizationUser, 'The member as it is now.'] },
  )
  async updateMember(
    @Input('The member.') input: inputs.UpdateMemberInput,
    @Call('member') { services, caller, selection }: Call,
  ) {
    return { member: await services.memberUpdates.update(caller, input, selection) };
  }

  @Extensions({ cost: COSTS.tableImport })
  @Mutation(
    'Changes role and activity of the members that a table of CSV names, as it is exported: each row by itself, as `updateMember` does. Members that it does not name stay as they are. Requires ORGANIZATION_MANAGER.',
    {
      rows: [() => [ImportedRow], 'What has become of each row, in order.'],
      totalCount: [() => Int, 'How many they are.'],
      ...OF_TABLE,
    },
  )
  async importMembers(
    @Input('The table.') input: inputs.ImportMembersInput,
    @Ctx() { services, caller }: GraphQLContext,
    @Info() { schema }: GraphQLResolveInfo,
  ) {
    const check = rowChecks(schema).MEMBERS;
    const { rows, ignoredColumns } = await services.memberImports.import(caller, { ...input, check });
    return { rows, totalCount: rows.length, ignoredColumns };
  }

  @Mutation(
    'Removes a member; within a second it has no access any more. Rules as for `updateMember`. Requires ORGANIZATION_MANAGER.',
    {
      member: [() => OrganizationUser, 'The member as it was.'],
    },
  )
  async removeMember(
    @Input('The member.') input: inputs.RemoveMemberInput,
    @Call('member') { services, caller, selection }: Call,
  ) {
    return { member: await services.memberUpdates.remove(caller, input, selection) };
  }

  @FieldResolver(() => User, 'The user itself; null for others than the caller.', { nullable: true })
  user(@Root() { userId }: Plain<OrganizationUser>, @Call() { services, caller, selection }: Call) {
    return caller.kind === 'user' && caller.userId === userId ? services.profiles.own(caller, userId, selection) : null;
  }

  @FieldResolver(() => MemberPermissions, 'What the caller may do to the member.')
  viewerCan(@Root() member: ManagedMember, @Ctx() { services, caller }: GraphQLContext) {
    return services.members.permissions(caller, member);
  }
}

@Resolver(() => Invitation)
class InvitationResolver {
  @Query(() => Invitation, 'An invitation of an organization. Requires ORGANIZATION_MANAGER.')
  invitation(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has the invitation.') organizationId: number,
    @Arg('id', () => SafeIntScalar, 'Its id.') id: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.invitations.read(caller, { organizationId, id }, selection);
  }

  @Query(
    () => InvitationPreview,
    'What an invitation offers, by its secret. Needs no token and changes nothing. NOT_FOUND for every secret that `acceptInvitation` does not find.',
  )
  invitationPreview(
    @Input('The invitation.') { secret }: inputs.InvitationPreviewInput,
    @Ctx() { services }: GraphQLContext,
  ) {
    return services.invitations.preview(secret);
  }

  @Mutation(
    'Invites a person by mail, for seven days. CONFLICT when the person is a member already or the address has an open invitation. Requires ORGANIZATION_MANAGER.',
    { invitation: [() => Invitation, 'The invitation; its mail is on its way.'] },
    { adds: 'invitation' },
  )
  async inviteMember(
    @Input('Who, and to what role.') input: inputs.InviteMemberInput,
    @Call('invitation') { services, caller, selection }: Call,
  ) {
    const id = await services.invite.invite(caller, input);
    return { invitation: await services.invitations.byId(id, selection) };
  }

  @Extensions({ cost: COSTS.manyInvitations, itemsOf: ['input.invitations'], items: LIMITS.invitation.atOnce })
  @Mutation(
    'Invites up to 100 people by mail, one after the other, each as `inviteMember` does: one result for each. A row that is refused changes nothing, and the others go on. Requires ORGANIZATION_MANAGER.',
    {
      rows: [() => [InvitedRow], 'What has become of each, in the order in which they were sent.'],
      totalCount: [() => Int, 'How many they are.'],
    },
  )
  async inviteMembers(
    @Input('Who, and to what role.') input: inputs.InviteMembersInput,
    @Call('rows') { services, caller, selection }: Call,
  ) {
    const rows = await services.inviteMany.inviteAll(caller, input, selection);
    return { rows, totalCount: rows.length };
  }

  @Mutation(
    'Sends an invitation once more, with a new secret and for seven more days: five mails in all. CONFLICT when it was accepted, cancelled, or had its mails. Requires ORGANIZATION_MANAGER.',
    { invitation: [() => Invitation, 'The invitation; secrets of earlier mails open nothing any more.'] },
  )
  async resendInvitation(
    @Input('The invitation.') { organizationId, invitationId: id, version }: inputs.ResendInvitationInput,
    @Call('invitation') { services, caller, selection }: Call,
  ) {
    await services.invite.resend(caller, { organizationId, id, version });
    return { invitation: await services.invitations.byId(id, selection) };
  }

  @Mutation(
    'Cancels an invitation. CONFLICT when it was accepted: then the member is to be removed. Requires ORGANIZATION_MANAGER.',
    {
      invitation: [() => Invitation, 'The invitation, which opens nothing any more.'],
    },
  )
  async cancelInvitation(
    @Input('The invitation.') { organizationId, invitationId: id, version }: inputs.CancelInvitationInput,
    @Call('invitation') { services, caller, selection }: Call,
  ) {
    await services.invite.cancel(caller, { organizationId, id, version });
    return { invitation: await services.invitations.byId(id, selection) };
  }

  @Mutation(
    'Exchanges the secret of an invitation for a membership, and for a user and a first token where the address has none. Needs no token; with one, the caller accepts for itself. NOT_FOUND whatever is wrong with the secret; CONFLICT for who is a member already.',
    {
      organizationId: [() => SafeIntScalar, 'The organization that was joined.'],
      organizationName: [() => String, 'Its name.'],
      userId: [() => ID, 'The UUID of the user who has joined.'],
      username: [() => String, 'Its user name.'],
      email: [() => String, 'Its e-mail address.'],
      role: [() => RoleEnum, 'What it is in the organization.'],
      engagementId: [() => SafeIntScalar, 'The engagement of an auditor; null for a member.', { nullable: true }],
      token: [
        () => String,
        'The first token of a new user, shown here once; null for a user that existed, who goes on with the tokens it has.',
        { nullable: true },
      ],
      tokenExpiresAt: [
        () => DateTimeScalar,
        'From when on that token is refused; null without one.',
        { nullable: true },
      ],
    },
  )
  acceptInvitation(
    @Input('The invitation.') input: inputs.AcceptInvitationInput,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.invitations.accept(caller, input);
  }
}

nodeOf(User, ['userId'], ({ profiles }, caller, { userId }, selection) => profiles.own(caller, userId, selection));
nodeOf(OrganizationUser, ['organizationId', 'userId'], ({ members }, caller, key, selection) =>
  members.read(caller, key, selection),
);
nodeOf(Invitation, ['invitationId'], ({ invitations }, caller, { invitationId }, selection) =>
  invitations.read(caller, { id: invitationId }, selection),
);

// Specification 4.7.
export const MEMBER_RESOLVERS = [
  ViewerResolver,
  ProfileResolver,
  OrganizationUserResolver,
  InvitationResolver,
  RowErrorResolver,
  listOfOrganization('users', OrganizationUser, {
    description:
      'Members with their roles and alert preferences. Requires SECURITY_OFFICER; null with an error for lower roles.',
    nullable: true,
    filter: [() => inputs.OrganizationUserFilter, 'Which members.'],
    orderBy: [() => inputs.OrganizationUserOrder, { field: 'USERNAME', direction: 'ASC' }, 'By user name when absent.'],
    authorize: ({ members }, caller, id) => members.authorizeList(caller, id),
    load: ({ members }, ids, query, selection) => members.ofOrganizations(ids, query, selection),
  }),
  listOfOrganization('invitations', Invitation, {
    description:
      'Invitations to the organization, newest first. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
    nullable: true,
    filter: [() => inputs.InvitationFilter, 'Which invitations.'],
    authorize: ({ invitations }, caller, id) => invitations.authorizeList(caller, id),
    load: ({ invitations }, ids, query, selection, caller) =>
      invitations.ofOrganizations(caller, ids, query, selection),
  }),
];
