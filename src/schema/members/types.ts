import { ID, Int, ObjectType } from 'type-graphql';
import { PRIVILEGES, type Privilege } from '../../auth/roles.js';
import { ROLES, type InvitationStatus, type InvitedRowOutcome, type Role, type UserKind } from '../../values/enums.js';
import { Organization } from '../organizations/types.js';
import { Constrained } from '../shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { RowError } from '../shared/rows.js';
import { Optional } from '../shared/optional.js';
import { enumeration, Field, Nullable, Person, type Plain, fieldsOf } from '../shared/types.js';
import { Version } from '../shared/version.js';
import { ApiToken } from '../tokens.js';

export const RoleEnum = enumeration<Role>(
  'Role',
  'What a user is in one organization. Roles are ranked; each has all privileges of those ranked below it.',
  {
    AUDITOR:
      'Rank 0: no member; reads what is in the scope of an engagement until that ends, and writes requests and sign-offs only.',
    VIEWER: 'Rank 1: reads the organization, its workflows, documents, incidents and branding.',
    SECURITY_ANALYST:
      'Rank 2: also uploads documents, edits incidents, attaches files and sets the status of controls.',
    SECURITY_OFFICER:
      // Specification 4.7.
      'Rank 3: also lists the members, reads the audit trail, deletes evidence, reopens incidents.',
    ORGANIZATION_MANAGER:
      // Specification 5.
      'Rank 4: also manages the organization: devices, workflows, branding, settings, webhooks, members.',
    // Specification 4.1.
    ORGANIZATION_OWNER: 'Rank 5: also decides on owners, transfer, deletion and restoring.',
  },
);

/** Of an input: a role that a member may have. An auditor is no member; an engagement alone makes one. */
export const OfMember = Constrained({ enum: ROLES });

/** The same where null would say nothing. */
export const OfMemberAlways = Constrained({ enum: ROLES, notNull: true });

const NOT_OWNER = ROLES.filter((role) => role !== 'ORGANIZATION_OWNER');

/** Of an input: a role that a directory, an identity provider or a service account may have; owners are persons. */
export const BelowOwner = Constrained({ enum: NOT_OWNER });

/** The same where null would say nothing. */
export const BelowOwnerAlways = Constrained({ enum: NOT_OWNER, notNull: true });

export const PrivilegeEnum = enumeration<Privilege>(
  'Privilege',
  'Something that a caller may do in an organization. It takes a role that is high enough and a token whose scopes allow it.',
  Object.fromEntries(Object.entries(PRIVILEGES).map(([privilege, { may }]) => [privilege, may])) as Record<
    Privilege,
    string
  >,
);

// Specification 5.
@ObjectType({ description: 'One step of the ladder of roles.' })
export class RoleDescription {
  @Field(() => RoleEnum, 'The role.')
  role!: Role;

  @Field(() => Int, 'Its rank, from 0 (lowest) to 5.')
  rank!: number;

  @Field(() => [PrivilegeEnum], 'All its privileges, those of lower ranks included.')
  privileges!: readonly Privilege[];
}

export const UserKindEnum = enumeration<UserKind>('UserKind', 'What kind of caller a user is.', {
  PERSON: 'A person.',
  SERVICE_ACCOUNT: 'A service account of an organization.',
});

@ObjectType({ description: 'Who calls with a token: a person, or a service account.' })
export class User {
  // Specification 2.8.
  @Field(() => ID, 'The UUID of the user.')
  id!: string;

  @Version('names and language')
  version!: number;

  // Specification 2.3.
  @Field(() => String, 'User name; what uploads carry as their creator.')
  username!: string;

  @Field(() => UserKindEnum, 'Whether it is a person.')
  kind!: UserKind;

  @Optional(() => String, 'E-mail address, in lower case; service accounts have none.')
  email!: string | null;

  @Optional(() => String, 'First name, or the name of a service account.')
  firstName!: string | null;

  @Optional(() => String, 'Last name.')
  lastName!: string | null;

  @Nullable(
    () => String,
    'Tag of the language (BCP 47) in which mails and notifications are written to the user, such as `it`; null is the language of each organization.',
  )
  language!: string | null;

  @Field(() => DateTimeScalar, 'When the user was created.')
  createdAt!: Date | string;
}

// Specification 2.8.
@ObjectType({ description: 'A user as a member of one organization.' })
export class OrganizationUser {
  @Field(() => ID, 'Its key: `organizationId/userId`.')
  id!: string;

  @Version('role of the member, and of whether it is active')
  version!: number;

  @Field(() => ID, 'The UUID of the user, which REST calls `id`.')
  userId!: string;

  @Field(() => String, 'User name.')
  username!: string;

  @Field(() => String, 'E-mail address.')
  email!: string;

  @Optional(() => String, 'First name.')
  firstName!: string | null;

  @Optional(() => String, 'Last name.')
  lastName!: string | null;

  @Field(() => RoleEnum, 'What the user is in this organization.')
  role!: Role;

  @Field(() => Alerts, 'Which alerts the user wants from this organization.')
  alerts!: Plain<Alerts>;

  @Field(() => Boolean, 'Whether the member has access; a deactivated one keeps its place without it.')
  active!: boolean;

  @Field(() => DateTimeScalar, 'Since when the user belongs to the organization.')
  joinedAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'Since when it is deactivated; null while it is not.')
  deactivatedAt!: Date | string | null;
}

@ObjectType({ description: 'What the caller may do to a member, with the token of this very request.' })
export class MemberPermissions {
  @Field(() => [RoleEnum], 'The roles that the caller may give to the member; empty when it may not change its role.')
  assignRoles!: readonly Role[];

  @Field(() => Boolean, 'Deactivate and reactivate it.')
  setActive!: boolean;

  @Field(() => Boolean, 'Remove it from the organization.')
  remove!: boolean;
}

export const ALERTS = {
  atb: 'Alerts of threat-blocker devices.',
  cloudDefender: 'Alerts of edge-protection devices.',
  vCiso: 'Alerts of workflows, documents and incidents.',
};

export type AlertProduct = keyof typeof ALERTS;

// Specification 2.8.
@ObjectType({ description: 'Alert preferences of a member, by product.' })
export class Alerts extends fieldsOf<AlertProduct, boolean>(ALERTS, (description) =>
  Field(() => Boolean, description),
) {
  @Version('alert preferences')
  version!: number;
}

// Specification 5.
@ObjectType({ description: 'Who is calling, and with what.' })
export class Viewer {
  @Field(() => User, 'The user that the token belongs to.')
  user!: Plain<User>;

  @Field(() => ApiToken, 'The token of this very request.')
  token!: Plain<ApiToken>;
}

@ObjectType({ description: 'An organization of the caller, with what the caller may do in it.' })
export class ViewerOrganization {
  @Field(() => Organization, 'The organization.')
  organization!: Plain<Organization>;

  @Field(() => RoleEnum, 'What the caller is in it.')
  role!: Role;

  @Field(() => [PrivilegeEnum], 'The privileges of that role, as far as the scopes of the token allow them.')
  privileges!: readonly Privilege[];
}

export const InvitationStatusEnum = enumeration<InvitationStatus>(
  'InvitationStatus',
  'What has become of an invitation.',
  {
    OPEN: 'It can be accepted.',
    ACCEPTED: 'It was accepted.',
    EXPIRED: 'Seven days have passed since its last mail. Until its address is invited anew, it may be sent again.',
    CANCELLED: 'It was cancelled.',
  },
);

@ObjectType({
  description: 'An offer to join an organization, sent by mail. Its secret is in the mail and nowhere else.',
})
export class Invitation {
  @Field(() => SafeIntScalar, 'What to resend or cancel it by.')
  id!: number;

  @Version('invitation')
  version!: number;

  @Field(() => String, 'Where its mails go, in lower case.')
  email!: string;

  @Field(() => RoleEnum, 'What the person becomes by accepting it.')
  role!: Role;

  @Nullable(() => SafeIntScalar, 'The engagement that an auditor is invited to; null for who is to be a member.')
  engagementId!: number | null;

  @Field(() => InvitationStatusEnum, 'What has become of it.')
  status!: InvitationStatus;

  @Nullable(
    () => Person,
    'The member who sent its last mail. It can be accepted only while that member may invite to its role. Null when that user is gone.',
  )
  invitedBy!: Plain<Person> | null;

  @Field(() => Int, 'How many mails it had, of five at most.')
  mailsSent!: number;

  @Field(() => DateTimeScalar, 'When it was made.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'Until when it can be accepted: seven days from its last mail.')
  expiresAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it was accepted; null while it was not.')
  acceptedAt!: Date | string | null;
}

export const InvitedRowOutcomeEnum = enumeration<InvitedRowOutcome>(
  'InvitedRowOutcome',
  'What has become of one person of many who were to be invited.',
  {
    INVITED: 'The person is invited; the mail is on its way.',
    ALREADY_MEMBER: 'The person is a member, if perhaps a deactivated one. Nothing was done.',
    ALREADY_INVITED: 'The address has an open invitation. Nothing was done.',
    REFUSED: 'Nothing was done: the error says why.',
  },
);

@ObjectType({ description: 'What has become of one person of many who were to be invited.' })
export class InvitedRow {
  @Field(() => Int, 'Its place in `invitations`, from 1.')
  row!: number;

  @Field(() => String, 'The address as it was sent.')
  email!: string;

  @Field(() => InvitedRowOutcomeEnum, 'What has become of it.')
  outcome!: InvitedRowOutcome;

  @Nullable(() => Invitation, 'The invitation that was made; null where none was.')
  invitation!: Plain<Invitation> | null;

  @Nullable(() => RowError, 'Why it was refused; null where it was not.')
  error!: Plain<RowError> | null;
}

@ObjectType({ description: 'What an open invitation offers to the person who holds its secret.' })
export class InvitationPreview {
  @Field(() => String, 'Name of the organization.')
  organizationName!: string;

  @Field(() => String, 'Name of the member who sent the newest mail.')
  inviter!: string;

  @Field(() => String, 'The address that is invited.')
  email!: string;

  @Field(() => RoleEnum, 'What the person becomes by accepting.')
  role!: Role;

  @Field(() => DateTimeScalar, 'Until when the invitation can be accepted.')
  expiresAt!: Date | string;
}
