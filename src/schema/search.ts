import { ArgsType, ID, Int, ObjectType } from 'type-graphql';
import type { SearchType } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { Organization } from './organizations/types.js';
import { Optional } from './shared/optional.js';
import { enumeration, Field, Nullable, type Plain } from './shared/types.js';
import { SafeIntScalar } from './shared/scalars.js';

export const SearchTypeEnum = enumeration<SearchType>('SearchType', 'What kind of record a search has found.', {
  ORGANIZATION: 'An organization, by its name or description.',
  MEMBER: 'A member, by name, user name or e-mail address; only where the caller may list members.',
  CONTROL: 'A control of a workflow that is associated with the organization, by its id, label, justification or note.',
  DOCUMENT: 'A document version, by its file name, control or note.',
  INCIDENT: 'An incident, by its title or description.',
  NOTIFICATION:
    'A notification of the caller, by its title or message, among the newest 5,000; not by the name of a former member.',
});

@ObjectType({ description: 'Something that a search has found.' })
export class SearchResult {
  @Field(() => ID, 'Type and id of what was found: one record has one of these, whatever finds it.')
  id!: string;

  @Field(() => SearchTypeEnum, 'What was found.')
  type!: SearchType;

  @Field(
    () => ID,
    'The id of what was found, as its own type has it; of a member, the user; of a control, with its organization and workflow, such as `1/iso-27001-2022/A.5.1`.',
  )
  recordId!: string;

  @Field(() => String, 'What it is called.')
  title!: string;

  @Optional(() => String, 'Part of its text on one line, around what was found where it is in it.')
  snippet!: string | null;

  @Optional(() => String, 'Relative link to it, where there is something to open.')
  href!: string | null;

  @Field(() => Organization, 'The organization that it belongs to.')
  organization!: Plain<Organization>;
}

@ArgsType()
export class SearchArgs {
  @Field(
    () => String,
    'What to look for, in whatever case and with or without accents: 2 to 100 characters, taken literally. Two characters are looked for in the newest 1,000 incidents and document versions of each organization; in 20,000 of all organizations together, where there are more than 20.',
  )
  query!: string;

  @Nullable(() => SafeIntScalar, 'Only in this organization; in all of the caller when absent.')
  organizationId?: number | null;

  @Nullable(() => [SearchTypeEnum], 'Only these kinds, one at least; all when absent.')
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
