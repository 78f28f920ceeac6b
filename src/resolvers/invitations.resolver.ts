import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { PageArgs } from '../schema/shared/connection.js';
import {
  AcceptInvitationInput,
  CancelInvitationInput,
  InvitationFilter,
  InvitationPreviewInput,
  InviteMemberInput,
  ResendInvitationInput,
} from '../schema/members/inputs.js';
import {
  AcceptInvitationPayload,
  CancelInvitationPayload,
  Invitation,
  InvitationConnection,
  InvitationPermissions,
  InvitationPreview,
  InviteMemberPayload,
  ResendInvitationPayload,
} from '../schema/members/types.js';
import { Organization } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import type { Services } from '../services/index.js';
import type { ManagedInvitation } from '../services/members/invitations.service.js';
import { nestedList } from './shared/connection.js';

@Resolver(() => Invitation)
export class InvitationResolver {
  constructor(private readonly services: Services) {}

  @Query(() => Invitation, { description: 'An invitation of an organization. Requires ORGANIZATION_MANAGER.' })
  invitation(
    @Arg('organizationId', () => Int, { description: 'The organization that has the invitation.' })
    organizationId: number,
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.invitations.read(caller, organizationId, id, selectionOf(info));
  }

  @Query(() => InvitationPreview, {
    description:
      'What an invitation offers, by its secret. Needs no token and changes nothing. NOT_FOUND for every secret that `acceptInvitation` does not find.',
  })
  invitationPreview(
    @Arg('input', () => InvitationPreviewInput, { description: 'The invitation.' }) { secret }: InvitationPreviewInput,
  ) {
    return this.services.invitations.preview(secret);
  }

  @Mutation(() => InviteMemberPayload, {
    description:
      'Invites a person by mail, for seven days. CONFLICT when the person is a member already or the address has an open invitation.',
  })
  async inviteMember(
    @Arg('input', () => InviteMemberInput, { description: 'Who, and to what role.' }) input: InviteMemberInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = await this.services.inviting.invite(caller, input);
    return {
      invitation: await this.services.invitations.one(input.organizationId, id, selectionOf(info).of('invitation')),
    };
  }

  @Mutation(() => ResendInvitationPayload, {
    description:
      'Sends an invitation once more, with a new secret and for seven more days: five mails in all. CONFLICT when it was accepted, cancelled, or had its mails.',
  })
  async resendInvitation(
    @Arg('input', () => ResendInvitationInput, { description: 'The invitation.' })
    { organizationId, invitationId: id }: ResendInvitationInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.services.inviting.resend(caller, { organizationId, id });
    return { invitation: await this.services.invitations.one(organizationId, id, selectionOf(info).of('invitation')) };
  }

  @Mutation(() => CancelInvitationPayload, {
    description: 'Cancels an invitation. CONFLICT when it was accepted: then the member is to be removed.',
  })
  async cancelInvitation(
    @Arg('input', () => CancelInvitationInput, { description: 'The invitation.' })
    { organizationId, invitationId: id }: CancelInvitationInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.services.inviting.cancel(caller, { organizationId, id });
    return { invitation: await this.services.invitations.one(organizationId, id, selectionOf(info).of('invitation')) };
  }

  @Mutation(() => AcceptInvitationPayload, {
    description:
      'Exchanges the secret of an invitation for a membership, and for a user and a first token where the address has none. Needs no token; with one, the caller accepts for itself. NOT_FOUND whatever is wrong with the secret; CONFLICT for who is a member already.',
  })
  acceptInvitation(
    @Arg('input', () => AcceptInvitationInput, { description: 'The invitation.' }) input: AcceptInvitationInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.services.invitations.accept(caller, input);
  }

  @FieldResolver(() => InvitationPermissions, { description: 'What the caller may do with the invitation.' })
  viewerCan(@Root() invitation: ManagedInvitation, @Ctx() { caller }: GraphQLContext) {
    return this.services.invitations.permissions(caller, invitation);
  }
}

@Resolver(() => Organization)
export class OrganizationInvitationsResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver(() => InvitationConnection, {
    nullable: true,
    description:
      'Invitations to the organization, newest first. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
  })
  async invitations(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => InvitationFilter, { nullable: true, description: 'Which invitations.' })
    filter: InvitationFilter | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.services.invitations.authorizeList(context.caller, id),
      load: (ids, selection) => this.services.invitations.ofOrganizations(ids, query, selection),
    });
  }
}
