import { Field, ID, ObjectType } from 'type-graphql';
import type { Role } from '../vocabulary/roles.js';
import { connectionOf } from './connection.js';
import type { Plain } from './plain.js';
import { RoleEnum } from './role.type.js';

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

export const { Connection: OrganizationUserConnection } = connectionOf('OrganizationUser', () => OrganizationUser);
