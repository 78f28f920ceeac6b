import { Ctx, Resolver, Root } from 'type-graphql';
import { formatDomainError } from '../../graphql/errors.js';
import type { GraphQLContext } from '../../http/context.js';
import { RowError } from '../../schema/shared/rows.js';
import type { RowRefusal } from '../../services/shared/rows.js';
import { FieldResolver } from './decorators.js';

const NO_MAIL = 'You or this address have had as many mails of invitations as there may be; try again later';

@Resolver(() => RowError)
export class RowErrorResolver {
  @FieldResolver(() => String, 'What went wrong, for people, in the language that the client asks for.')
  message(@Root() { code, cause }: RowRefusal, @Ctx() { language }: GraphQLContext) {
    const said = code === 'MAIL_LIMIT' ? NO_MAIL : formatDomainError(cause).message;
    return language?.sentence(said) ?? said;
  }
}
