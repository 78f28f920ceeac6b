import { ID, InputType } from 'type-graphql';
import type { InvitationStatus, Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { orderOf } from '../shared/connection.js';
import { CheckedBy, Constrained, List, Text } from '../shared/constraints.js';
import { TableInput } from '../shared/table-input.js';
import { enumeration, Field, Nullable, fieldsOf } from '../shared/types.js';
import { ExpectedVersion } from '../shared/version.js';
import { ALERTS, type AlertProduct, InvitationStatusEnum, OfMember, OfMemberAlways, RoleEnum } from './types.js';
import { SafeIntScalar } from '../shared/scalars.js';

@InputType({
  description:
    'What the caller is called, and in which language it reads. What is absent stays as it is; null or the empty text takes away what there is.',
})
export class UpdateProfileInput {
  @Nullable(() => String, 'First name.')
  @Text({ max: LIMITS.user.nameCharacters, min: 0, trim: true })
  firstName?: string | null;

  @Nullable(() => String, 'Last name.')
  @Text({ max: LIMITS.user.nameCharacters, min: 0, trim: true })
  lastName?: string | null;

  @Nullable(
    () => String,
    'Tag of a language that the gateway has (`languages` of the form options), such as `it`; without one, that of each organization is used.',
  )
  @Constrained({ format: 'language', orEmpty: true })
  language?: string | null;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'Confirms that the caller wants to be erased, which cannot be undone.' })
export class EraseMeInput {
  @Field(() => String, 'The user name of the caller.')
  @Text({ max: LIMITS.user.nameCharacters })
  username!: string;

  @ExpectedVersion
  version?: number | null;
}

// Specification 4.7.
@InputType({ description: 'Which members to list. All conditions hold at once.' })
export class OrganizationUserFilter {
  @Nullable(() => RoleEnum, 'Only members of exactly this role.')
  @OfMember
  role?: Role | null;

  @Nullable(() => Boolean, 'Only those who have access, or only the deactivated ones.')
  active?: boolean | null;

  @Nullable(
    () => String,
    'Only members whose name, user name or e-mail address contains this text; case and accents make no difference.',
  )
  @Text({ max: LIMITS.search.filterCharacters })
  search?: string | null;
}

export type OrganizationUserOrder = InstanceType<typeof OrganizationUserOrder>;
export const OrganizationUserOrder = orderOf(
  'OrganizationUser',
  'members',
  enumeration('OrganizationUserSortField', 'What a list of members is ordered by.', {
    USERNAME: 'By user name.',
    EMAIL: 'By e-mail address.',
    ROLE: 'By the rank of the role.',
  }),
);

@InputType()
abstract class MemberIdInput {
  @Field(() => SafeIntScalar, 'The organization that has the member.')
  organizationId!: number;

  @Field(() => ID, 'The UUID of the user.')
  userId!: string;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'What a member is to be. What is absent stays as it is.' })
export class UpdateMemberInput extends MemberIdInput {
  @Nullable(
    () => RoleEnum,
    'Its new role. ORGANIZATION_MANAGER gives and takes roles below its own, ORGANIZATION_OWNER all of them; the last owner stays one.',
  )
  @OfMemberAlways
  role?: Role | null;

  @Nullable(() => Boolean, 'Whether it has access to the organization; its place and its preferences stay either way.')
  @Constrained({ notNull: true })
  active?: boolean | null;
}

@InputType({ description: 'A member to remove.' })
export class RemoveMemberInput extends MemberIdInput {}

@InputType({ description: 'Members as they were exported, and edited since.' })
export class ImportMembersInput extends TableInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;
}

@InputType({
  description: 'Which alerts the caller wants from an organization. What is absent or null stays as it is.',
})
export class UpdateAlertsInput extends fieldsOf<AlertProduct, boolean | null | undefined>(ALERTS, (description) =>
  Nullable(() => Boolean, description),
) {
  @Field(() => SafeIntScalar, 'From which organization.')
  organizationId!: number;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'Which invitations to list.' })
export class InvitationFilter {
  @Nullable(() => InvitationStatusEnum, 'Only those of this status.')
  status?: InvitationStatus | null;
}

@InputType({ description: 'A person to invite.' })
export class InviteMemberInput {
  @Field(() => SafeIntScalar, 'Into which organization.')
  organizationId!: number;

  @Field(() => String, 'Where the mail goes; in any case, the same mailbox is the same person.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email' })
  email!: string;

  @Field(
    () => RoleEnum,
    'What the person is to be. ORGANIZATION_MANAGER invites to roles below its own, ORGANIZATION_OWNER to any. Auditors are invited by `inviteAuditor`.',
  )
  @OfMember
  role!: Role;
}

@InputType({ description: 'A person of many to invite.' })
export class InvitedPersonInput {
  @Field(() => String, 'Where the mail goes. A text that is no address is refused with its row alone.')
  @Text({ max: LIMITS.organization.emailCharacters })
  email!: string;

  @Field(
    () => RoleEnum,
    'What the person is to be. ORGANIZATION_MANAGER invites to roles below its own, ORGANIZATION_OWNER to any.',
  )
  @OfMember
  role!: Role;
}

@InputType({ description: 'People to invite, each of whom is invited or refused alone.' })
export class InviteMembersInput {
  @Field(() => SafeIntScalar, 'Into which organization.')
  organizationId!: number;

  @Field(() => [InvitedPersonInput], 'Who, and to what role.')
  @List({ min: 1, max: LIMITS.invitation.atOnce })
  invitations!: InvitedPersonInput[];
}

@InputType()
abstract class InvitationIdInput {
  @Field(() => SafeIntScalar, 'The organization that has the invitation.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which invitation.')
  invitationId!: number;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'An invitation to send once more.' })
export class ResendInvitationInput extends InvitationIdInput {}

@InputType({ description: 'An invitation to cancel.' })
export class CancelInvitationInput extends InvitationIdInput {}

@InputType()
abstract class InvitationSecretInput {
  @Field(() => String, 'The secret of the newest mail; it begins with `inv_`.')
  @CheckedBy('its digest: whatever is wrong with a secret looks alike')
  secret!: string;
}

@InputType({ description: 'An invitation to accept.' })
export class AcceptInvitationInput extends InvitationSecretInput {
  @Nullable(() => String, 'First name of a new user; one that exists keeps its own.')
  @Text({ max: LIMITS.user.nameCharacters, min: 0, trim: true })
  firstName?: string | null;

  @Nullable(() => String, 'Last name of a new user; one that exists keeps its own.')
  @Text({ max: LIMITS.user.nameCharacters, min: 0, trim: true })
  lastName?: string | null;
}

@InputType({ description: 'An invitation to look at before it is accepted.' })
export class InvitationPreviewInput extends InvitationSecretInput {}
