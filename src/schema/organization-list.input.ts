import { Field, InputType } from 'type-graphql';
import type { Role } from '../vocabulary/roles.js';
import { enumeration } from './enumeration.js';
import { RoleEnum } from './role.type.js';
import { type SortDirection, SortDirectionEnum } from './sort-direction.enum.js';

export type OrganizationSortField = 'NAME' | 'CREATED';

export const OrganizationSortFieldEnum = enumeration<OrganizationSortField>(
  'OrganizationSortField',
  'What a list of organizations is ordered by.',
  { NAME: 'By name.', CREATED: 'By when they were created.' },
);

@InputType({ description: 'Which organizations to list. All conditions hold at once.' })
export class OrganizationFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Only organizations whose name contains this text, in any case.',
  })
  search?: string | null;

  @Field(() => RoleEnum, {
    nullable: true,
    description: 'Only organizations in which the caller has exactly this role.',
  })
  role?: Role | null;
}

@InputType({ description: 'How to order organizations.' })
export class OrganizationOrder {
  @Field(() => OrganizationSortFieldEnum, { description: 'What to order by.' })
  field!: OrganizationSortField;

  @Field(() => SortDirectionEnum, { nullable: true, description: 'Which way; `ASC` when absent.' })
  direction?: SortDirection | null;
}
