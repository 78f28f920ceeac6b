import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { InvitationStatus } from '../vocabulary/invitation-statuses.js';
import type { Role } from '../vocabulary/roles.js';
import { connectionOf } from './connection.js';
import { enumeration } from './enumeration.js';
import type { Plain } from './plain.js';
import { RoleEnum } from './role.type.js';
import { DateTimeScalar } from './scalars.js';

export const InvitationStatusEnum = enumeration<InvitationStatus>(
  'InvitationStatus',
  'What has become of an invitation.',
  {
    OPEN: 'It can be accepted.',
    ACCEPTED: 'It was accepted.',
    EXPIRED: 'Seven days have passed since its last mail; it may be sent once more.',
    CANCELLED: 'It was cancelled.',
  },
);

@ObjectType({
  description: 'An offer to join an organization, sent by mail. Its secret is in the mail and nowhere else.',
  simpleResolvers: true,
})
export class Invitation {
  @Field(() => Int, { description: 'What to resend or cancel it by.' })
  id!: number;

  @Field(() => String, { description: 'Where its mails go, in lower case.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'What the person becomes by accepting it.' })
  role!: Role;

  @Field(() => InvitationStatusEnum, { description: 'What has become of it.' })
  status!: InvitationStatus;

  @Field(() => String, {
    nullable: true,
    description:
      'User name of who sent its last mail and answers for it: it can be accepted while that member could still make it.',
  })
  invitedBy!: string | null;

  @Field(() => Int, { description: 'How many mails it had, of five at most.' })
  mailsSent!: number;

  @Field(() => DateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, { description: 'Until when it can be accepted: seven days from its last mail.' })
  expiresAt!: Date | string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was accepted; null while it was not.' })
  acceptedAt!: Date | string | null;
}

@ObjectType({ description: 'What the caller may do with an invitation.', simpleResolvers: true })
export class InvitationPermissions {
  @Field(() => Boolean, { description: 'Send one more mail.' })
  resend!: boolean;

  @Field(() => Boolean, { description: 'Cancel it.' })
  cancel!: boolean;
}

@ObjectType({ description: 'What `inviteMember` answers.', simpleResolvers: true })
export class InviteMemberPayload {
  @Field(() => Invitation, { description: 'The invitation; its mail is on its way.' })
  invitation!: Plain<Invitation>;
}

@ObjectType({ description: 'What `resendInvitation` answers.', simpleResolvers: true })
export class ResendInvitationPayload {
  @Field(() => Invitation, { description: 'The invitation; secrets of earlier mails open nothing any more.' })
  invitation!: Plain<Invitation>;
}

@ObjectType({ description: 'What `cancelInvitation` answers.', simpleResolvers: true })
export class CancelInvitationPayload {
  @Field(() => Invitation, { description: 'The invitation, which opens nothing any more.' })
  invitation!: Plain<Invitation>;
}

@ObjectType({ description: 'What `acceptInvitation` answers.', simpleResolvers: true })
export class AcceptInvitationPayload {
  @Field(() => Int, { description: 'The organization that was joined.' })
  organizationId!: number;

  @Field(() => String, { description: 'Its name.' })
  organization!: string;

  @Field(() => ID, { description: 'The UUID of the user who has joined.' })
  userId!: string;

  @Field(() => String, { description: 'Its user name.' })
  username!: string;

  @Field(() => String, { description: 'Its e-mail address.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'What it is in the organization.' })
  role!: Role;

  @Field(() => String, {
    nullable: true,
    description:
      'The first token of a new user, shown here once; null for a user that existed, who goes on with the tokens it has.',
  })
  token!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'From when on that token is refused.' })
  tokenExpiresAt!: Date | string | null;
}

@ObjectType({
  description: 'What an open invitation offers to the person who holds its secret.',
  simpleResolvers: true,
})
export class InvitationPreview {
  @Field(() => String, { description: 'Name of the organization.' })
  organization!: string;

  @Field(() => String, { description: 'Name of the member who sent the newest mail.' })
  inviter!: string;

  @Field(() => String, { description: 'The address that is invited.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'What the person becomes by accepting.' })
  role!: Role;

  @Field(() => DateTimeScalar, { description: 'Until when the invitation can be accepted.' })
  expiresAt!: Date | string;
}

export const { Connection: InvitationConnection } = connectionOf('Invitation', () => Invitation);
