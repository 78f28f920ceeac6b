import { ArgsType, Field, Int } from 'type-graphql';
import type { WorkAssignee } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { PageArgs } from '../shared/connection.js';
import { DateTimeScalar } from '../shared/scalars.js';
import { WorkAssigneeEnum } from './types.js';

const { maxPageSize } = LIMITS.portfolio;

@ArgsType()
export class PortfolioPageArgs extends PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: `How many organizations from the front: 1 to ${maxPageSize}. The default does not count beside \`last\` or \`before\`.`,
  })
  declare first?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `How many organizations from the end: 1 to ${maxPageSize}. Not together with \`first\`.`,
  })
  declare last?: number | null;
}

@ArgsType()
export class WorkArgs extends PageArgs {
  @Field(() => WorkAssigneeEnum, { nullable: true, defaultValue: 'ME', description: 'Whose work.' })
  assignee?: WorkAssignee | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only what is due before this instant.' })
  dueBefore?: Date | null;
}
