import { Field, ID, ObjectType } from 'type-graphql';
import type { Role } from '../vocabulary/roles.js';
import { connectionOf } from './connection.js';
import { Organization } from './organization.type.js';
import type { Plain } from './plain.js';
import { RoleEnum } from './role.type.js';
import { DateTimeScalar } from './scalars.js';

@ObjectType({
  description: 'A user as a member of one organization (specification 2.8).',
  simpleResolvers: true,
})
export class OrganizationUser {
  @Field(() => ID, {
    description:
      '`<organizationId>:<userId>`: one user has another role in each organization, and no cache may take the two for one.',
  })
  id!: string;

  @Field(() => ID, { description: 'The UUID of the user: the `id` of specification 2.8.' })
  userId!: string;

  @Field(() => String, { description: 'User name.' })
  username!: string;

  @Field(() => String, { description: 'E-mail address.' })
  email!: string;

  @Field(() => String, { description: 'First name.' })
  firstName!: string;

  @Field(() => String, { description: 'Last name.' })
  lastName!: string;

  @Field(() => RoleEnum, { description: 'What the user is in this organization.' })
  role!: Role;

  @Field(() => Alerts, { description: 'Which alerts the user wants from this organization.' })
  alerts!: Plain<Alerts>;

  @Field(() => Boolean, { description: 'Whether the member has access; a deactivated one keeps its place without it.' })
  active!: boolean;

  @Field(() => DateTimeScalar, { description: 'Since when the user belongs to the organization.' })
  joinedAt!: Date | string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Since when it is deactivated; null while it is not.' })
  deactivatedAt!: Date | string | null;
}

@ObjectType({
  description: 'What the caller may do to a member, with the token of this very request.',
  simpleResolvers: true,
})
export class MemberPermissions {
  @Field(() => [RoleEnum], {
    description: 'The roles that the caller may give to the member; empty when it may not change its role.',
  })
  assignRoles!: readonly Role[];

  @Field(() => Boolean, { description: 'Deactivate and reactivate it.' })
  setActive!: boolean;

  @Field(() => Boolean, { description: 'Remove it from the organization.' })
  remove!: boolean;
}

@ObjectType({ description: 'What `updateMember` answers.', simpleResolvers: true })
export class UpdateMemberPayload {
  @Field(() => OrganizationUser, { description: 'The member as it is now.' })
  member!: Plain<OrganizationUser>;
}

@ObjectType({ description: 'What `removeMember` answers.', simpleResolvers: true })
export class RemoveMemberPayload {
  @Field(() => OrganizationUser, { description: 'The member as it was.' })
  member!: Plain<OrganizationUser>;
}

@ObjectType({ description: 'Alert preferences of a member, by product (specification 2.8).', simpleResolvers: true })
export class Alerts {
  @Field(() => Boolean, { description: 'Alerts of threat-blocker devices.' })
  atb!: boolean;

  @Field(() => Boolean, { description: 'Alerts of edge-protection devices.' })
  cloudDefender!: boolean;

  @Field(() => Boolean, { description: 'Alerts of workflows, documents and incidents.' })
  vCiso!: boolean;
}

@ObjectType({ description: 'What `updateAlerts` answers.', simpleResolvers: true })
export class UpdateAlertsPayload {
  @Field(() => Alerts, { description: 'The preferences as they are now.' })
  alerts!: Plain<Alerts>;

  @Field(() => Organization, { description: 'The organization that they are for, as it is now.' })
  organization!: Plain<Organization>;
}

export const { Connection: OrganizationUserConnection } = connectionOf('OrganizationUser', () => OrganizationUser);
