import { ArgsType, Int } from 'type-graphql';
import { Field, Nullable } from '../shared/field.js';
import type { SearchType } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { SearchTypeEnum } from './types.js';

@ArgsType()
export class SearchArgs {
  @Field(
    () => String,
    'What to look for, in whatever case and with or without accents: 2 to 100 characters, taken literally. Two characters are looked for in the newest 1,000 incidents and document versions of each organization.',
  )
  query!: string;

  @Nullable(() => Int, 'Only in this organization; in all of the caller when absent.')
  organizationId?: number | null;

  @Nullable(() => [SearchTypeEnum], 'Only these kinds; all when absent.')
  types?: SearchType[] | null;

  @Nullable(() => Int, 'How many results: 1 to 100.', { defaultValue: LIMITS.page.defaultSize })
  first?: number | null;

  @Nullable(() => String, 'Only results after this cursor.')
  after?: string | null;

  @Nullable(
    () => Int,
    'How many results to pass over, 0 to 1000, for clients that count pages. Not together with a cursor.',
  )
  offset?: number | null;
}
