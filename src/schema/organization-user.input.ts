import { Field, ID, InputType, Int } from 'type-graphql';
import type { Role } from '../vocabulary/roles.js';
import { enumeration } from './enumeration.js';
import { RoleEnum } from './role.type.js';
import { type SortDirection, SortDirectionEnum } from './sort-direction.enum.js';

export type MemberSortField = 'USERNAME' | 'EMAIL' | 'ROLE';

export const MemberSortFieldEnum = enumeration<MemberSortField>(
  'MemberSortField',
  'What a list of members is ordered by.',
  { USERNAME: 'By user name.', EMAIL: 'By e-mail address.', ROLE: 'By the rank of the role.' },
);

@InputType({ description: 'Which members to list (specification 4.7). All conditions hold at once.' })
export class OrganizationUserFilter {
  @Field(() => RoleEnum, { nullable: true, description: 'Only members of exactly this role.' })
  role?: Role | null;

  @Field(() => Boolean, { nullable: true, description: 'Only those who have access, or only the deactivated ones.' })
  active?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only members whose name, user name or e-mail address contains this text, in any case.',
  })
  search?: string | null;
}

@InputType({ description: 'How to order members.' })
export class OrganizationUserOrder {
  @Field(() => MemberSortFieldEnum, { description: 'What to order by.' })
  field!: MemberSortField;

  @Field(() => SortDirectionEnum, { nullable: true, description: 'Which way; `ASC` when absent.' })
  direction?: SortDirection | null;
}

@InputType({ description: 'What a member is to be. What is absent stays as it is.' })
export class UpdateMemberInput {
  @Field(() => Int, { description: 'Whose member.' })
  organizationId!: number;

  @Field(() => ID, { description: 'The UUID of the user.' })
  userId!: string;

  @Field(() => RoleEnum, {
    nullable: true,
    description:
      'Its new role. Rank 4 gives and takes roles below rank 4, rank 5 all of them; the last owner stays one.',
  })
  role?: Role | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it has access to the organization; its place and its preferences stay either way.',
  })
  active?: boolean | null;
}

@InputType({ description: 'A member to remove.' })
export class RemoveMemberInput {
  @Field(() => Int, { description: 'Whose member.' })
  organizationId!: number;

  @Field(() => ID, { description: 'The UUID of the user.' })
  userId!: string;
}

@InputType({ description: 'Which alerts the caller wants from an organization. What is absent stays as it is.' })
export class UpdateAlertsInput {
  @Field(() => Int, { description: 'From which organization.' })
  organizationId!: number;

  @Field(() => Boolean, { nullable: true, description: 'Alerts of threat-blocker devices.' })
  atb?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Alerts of edge-protection devices.' })
  cloudDefender?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Alerts of workflows, documents and incidents.' })
  vCiso?: boolean | null;
}
