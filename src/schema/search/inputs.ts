import { ArgsType, Field, Int } from 'type-graphql';
import type { SearchType } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { SearchTypeEnum } from './types.js';

@ArgsType()
export class SearchArgs {
  @Field(() => String, {
    description:
      'What to look for, in whatever case and with or without accents: 2 to 100 characters, taken literally. Two characters are looked for in the newest 1,000 incidents and document versions of each organization.',
  })
  query!: string;

  @Field(() => Int, { nullable: true, description: 'Only in this organization; in all of the caller when absent.' })
  organizationId?: number | null;

  @Field(() => [SearchTypeEnum], { nullable: true, description: 'Only these kinds; all when absent.' })
  types?: SearchType[] | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: LIMITS.page.defaultSize,
    description: 'How many results: 1 to 100.',
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Only results after this cursor.' })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many results to pass over, 0 to 1000, for clients that count pages. Not together with a cursor.',
  })
  offset?: number | null;
}
