import { Ctx, ID, Int, Resolver, Root } from 'type-graphql';
import type { Selection } from '../common/selection.js';
import type { GraphQLContext } from '../context.js';
import {
  AcceptInvitationInput,
  CancelInvitationInput,
  InvitationFilter,
  InvitationPreviewInput,
  InviteMemberInput,
  ResendInvitationInput,
} from '../schema/members/inputs.js';
import {
  Invitation,
  InvitationConnection,
  InvitationPermissions,
  InvitationPreview,
  RoleEnum,
} from '../schema/members/types.js';
import { DateTimeScalar } from '../schema/shared/scalars.js';
import type { Services } from '../services/index.js';
import type { ManagedInvitation } from '../services/members/invitations.service.js';
import { Arg, FieldResolver, Input, Mutation, Query, Selected } from './shared/decorators.js';
import { listOfOrganization } from './shared/lists.resolver.js';

@Resolver(() => Invitation)
class InvitationResolver {
  constructor(private readonly services: Services) {}

  @Query(() => Invitation, 'An invitation of an organization. Requires ORGANIZATION_MANAGER.')
  invitation(
    @Arg('organizationId', () => Int, 'The organization that has the invitation.') organizationId: number,
    @Arg('id', () => Int, 'Its id.') id: number,
    @Ctx() { caller }: GraphQLContext,
    @Selected() selection: Selection,
  ) {
    return this.services.invitations.read(caller, organizationId, id, selection);
  }

  @Query(
    () => InvitationPreview,
    'What an invitation offers, by its secret. Needs no token and changes nothing. NOT_FOUND for every secret that `acceptInvitation` does not find.',
  )
  invitationPreview(@Input('The invitation.') { secret }: InvitationPreviewInput) {
    return this.services.acceptance.preview(secret);
  }

  @Mutation(
    'Invites a person by mail, for seven days. CONFLICT when the person is a member already or the address has an open invitation.',
    { invitation: [() => Invitation, 'The invitation; its mail is on its way.'] },
  )
  async inviteMember(
    @Input('Who, and to what role.') input: InviteMemberInput,
    @Ctx() { caller }: GraphQLContext,
    @Selected('invitation') selection: Selection,
  ) {
    const id = await this.services.inviting.invite(caller, input);
    return { invitation: await this.services.invitations.one(input.organizationId, id, selection) };
  }

  @Mutation(
    'Sends an invitation once more, with a new secret and for seven more days: five mails in all. CONFLICT when it was accepted, cancelled, or had its mails.',
    { invitation: [() => Invitation, 'The invitation; secrets of earlier mails open nothing any more.'] },
  )
  async resendInvitation(
    @Input('The invitation.') { organizationId, invitationId: id }: ResendInvitationInput,
    @Ctx() { caller }: GraphQLContext,
    @Selected('invitation') selection: Selection,
  ) {
    await this.services.inviting.resend(caller, { organizationId, id });
    return { invitation: await this.services.invitations.one(organizationId, id, selection) };
  }

  @Mutation('Cancels an invitation. CONFLICT when it was accepted: then the member is to be removed.', {
    invitation: [() => Invitation, 'The invitation, which opens nothing any more.'],
  })
  async cancelInvitation(
    @Input('The invitation.') { organizationId, invitationId: id }: CancelInvitationInput,
    @Ctx() { caller }: GraphQLContext,
    @Selected('invitation') selection: Selection,
  ) {
    await this.services.inviting.cancel(caller, { organizationId, id });
    return { invitation: await this.services.invitations.one(organizationId, id, selection) };
  }

  @Mutation(
    'Exchanges the secret of an invitation for a membership, and for a user and a first token where the address has none. Needs no token; with one, the caller accepts for itself. NOT_FOUND whatever is wrong with the secret; CONFLICT for who is a member already.',
    {
      organizationId: [() => Int, 'The organization that was joined.'],
      organization: [() => String, 'Its name.'],
      userId: [() => ID, 'The UUID of the user who has joined.'],
      username: [() => String, 'Its user name.'],
      email: [() => String, 'Its e-mail address.'],
      role: [() => RoleEnum, 'What it is in the organization.'],
      token: [
        () => String,
        'The first token of a new user, shown here once; null for a user that existed, who goes on with the tokens it has.',
        { nullable: true },
      ],
      tokenExpiresAt: [() => DateTimeScalar, 'From when on that token is refused.', { nullable: true }],
    },
  )
  acceptInvitation(@Input('The invitation.') input: AcceptInvitationInput, @Ctx() { caller }: GraphQLContext) {
    return this.services.acceptance.accept(caller, input);
  }

  @FieldResolver(() => InvitationPermissions, 'What the caller may do with the invitation.')
  viewerCan(@Root() invitation: ManagedInvitation, @Ctx() { caller }: GraphQLContext) {
    return this.services.invitations.permissions(caller, invitation);
  }
}

export const INVITATION_RESOLVERS = [
  InvitationResolver,
  listOfOrganization('invitations', InvitationConnection, {
    description:
      'Invitations to the organization, newest first. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
    nullable: true,
    filter: [() => InvitationFilter, 'Which invitations.'],
    authorize: ({ invitations }, caller, id) => invitations.authorizeList(caller, id),
    load: ({ invitations }, ids, query, selection) => invitations.ofOrganizations(ids, query, selection),
  }),
];
