import { ArgsType, Field, Int } from 'type-graphql';
import { LIMITS } from '../../values/limits.js';
import { PageArgs } from '../shared/connection.js';

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
