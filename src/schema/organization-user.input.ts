import { Field, InputType } from 'type-graphql';
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
