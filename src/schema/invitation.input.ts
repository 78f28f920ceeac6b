import { Field, InputType, Int } from 'type-graphql';
import type { InvitationStatus } from '../vocabulary/invitation-statuses.js';
import type { Role } from '../vocabulary/roles.js';
import { InvitationStatusEnum } from './invitation.type.js';
import { RoleEnum } from './role.type.js';

@InputType({ description: 'Which invitations to list.' })
export class InvitationFilter {
  @Field(() => InvitationStatusEnum, { nullable: true, description: 'Only those of which this has become.' })
  status?: InvitationStatus | null;
}

@InputType({ description: 'Somebody to invite.' })
export class InviteMemberInput {
  @Field(() => Int, { description: 'Into which organization.' })
  organizationId!: number;

  @Field(() => String, { description: 'Where the mail goes; in any case, the same mailbox is the same person.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'What the person is to be. Rank 4 invites below rank 4, rank 5 to any role.' })
  role!: Role;
}

@InputType({ description: 'An invitation to send once more.' })
export class ResendInvitationInput {
  @Field(() => Int, { description: 'Whose invitation.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which invitation.' })
  id!: number;
}

@InputType({ description: 'An invitation to cancel.' })
export class CancelInvitationInput {
  @Field(() => Int, { description: 'Whose invitation.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which invitation.' })
  id!: number;
}

@InputType({ description: 'An invitation to accept.' })
export class AcceptInvitationInput {
  @Field(() => String, { description: 'The secret of the newest mail; it begins with `inv_`.' })
  secret!: string;

  @Field(() => String, { nullable: true, description: 'First name of a new user; one that exists keeps its own.' })
  firstName?: string | null;

  @Field(() => String, { nullable: true, description: 'Last name of a new user; one that exists keeps its own.' })
  lastName?: string | null;
}

@InputType({ description: 'An invitation to look at before it is accepted.' })
export class InvitationPreviewInput {
  @Field(() => String, { description: 'The secret of the newest mail; it begins with `inv_`.' })
  secret!: string;
}
