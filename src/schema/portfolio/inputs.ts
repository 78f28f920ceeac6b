import { ArgsType, ID, Int } from 'type-graphql';
import { Nullable } from '../shared/field.js';
import type { WorkAssignee } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { PageArgs } from '../shared/connection.js';
import { enumeration } from '../shared/enumeration.js';
import { DateTimeScalar } from '../shared/scalars.js';
import { orderOf } from '../shared/order.js';
import { WorkAssigneeEnum } from './types.js';

const { maxPageSize } = LIMITS.portfolio;

@ArgsType()
export class PortfolioPageArgs extends PageArgs {
  @Nullable(
    () => Int,
    `How many organizations from the front: 1 to ${maxPageSize}. The default does not count beside \`last\` or \`before\`.`,
  )
  declare first?: number | null;

  @Nullable(() => Int, `How many organizations from the end: 1 to ${maxPageSize}. Not together with \`first\`.`)
  declare last?: number | null;
}

export type PortfolioOrder = InstanceType<typeof PortfolioOrder>;
export const PortfolioOrder = orderOf(
  'Portfolio',
  'the organizations of a portfolio',
  enumeration('PortfolioSortField', 'What the organizations of a portfolio are ordered by.', {
    NAME: 'By name.',
    CREATED: 'By when they were created.',
    NEXT_DEADLINE: 'By the earliest deadline of a report that is owed; those that owe none come last either way.',
    OVERDUE_CONTROLS: 'By how many controls are overdue.',
  }),
);

@ArgsType()
export class WorkArgs extends PageArgs {
  @Nullable(() => WorkAssigneeEnum, 'Whose work.', { defaultValue: 'ME' })
  assignee?: WorkAssignee | null;

  @Nullable(
    () => ID,
    'User id of a member whose work is listed instead: its controls and reviews, and, where the caller may list members (SECURITY_OFFICER), reports that its role may record.',
  )
  assigneeId?: string | null;

  @Nullable(() => DateTimeScalar, 'Only what is due before this instant.')
  dueBefore?: Date | null;
}
