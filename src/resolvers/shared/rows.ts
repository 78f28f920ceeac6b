import { Ctx, Resolver, Root } from 'type-graphql';
import { fieldMessage, type DomainError } from '../../errors.js';
import { formatDomainError } from '../../graphql/errors.js';
import type { GraphQLContext } from '../../http/context.js';
import { RowError } from '../../schema/shared/rows.js';
import type { RowRefusal } from '../../services/shared/rows.js';
import { FieldResolver } from './decorators.js';

const NO_MAIL = 'The limit of invitation mails from you or to this address is reached; try again later';

/** Beside the rows of a table that was sent. */
export const OF_TABLE = {
  ignoredColumns: [() => [String], 'Columns of the table that are not looked at, in its order; empty without any.'],
} as const;

/** Beside the documents of an archive. */
export const OF_ARCHIVE = {
  ignoredColumns: [
    () => [String],
    'Columns of `documents.csv` of an evidence pack that are not looked at, in its order; empty for other archives.',
  ],
} as const;

@Resolver(() => RowError)
export class RowErrorResolver {
  @FieldResolver(() => String, 'What went wrong, for people, in the language that the client asks for.')
  message(@Root() { code, cause }: RowRefusal, @Ctx() { language, spell }: GraphQLContext) {
    const said = code === 'MAIL_LIMIT' ? NO_MAIL : sentenceOf(cause, spell);
    return language?.sentence(said) ?? said;
  }

  @FieldResolver(() => String, 'The field of the row that is wrong; null where none in particular is.', {
    nullable: true,
  })
  field(@Root() { field }: RowRefusal, @Ctx() { spell }: GraphQLContext) {
    return field === null || spell === undefined ? field : spell(field);
  }
}

function sentenceOf(cause: DomainError, spell: GraphQLContext['spell']): string {
  const [named] = cause.fields ?? [];
  return named === undefined ? formatDomainError(cause).message : fieldMessage(named, spell);
}
