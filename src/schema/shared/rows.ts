import { ObjectType } from 'type-graphql';
import type { RowErrorCode } from '../../values/enums.js';
import { enumeration, Field, Nullable } from './types.js';

export const RowErrorCodeEnum = enumeration<RowErrorCode>(
  'RowErrorCode',
  'Why one row of many was refused. Nothing of the row was done; other rows are not concerned.',
  {
    BAD_USER_INPUT: 'A value of it is wrong.',
    FORBIDDEN: 'The role of the caller does not allow it.',
    NOT_FOUND: 'What it names is not there.',
    STALE_VERSION: 'What it changes was changed since it was exported.',
    LAST_OWNER: 'The organization would be without an owner.',
    QUOTA_EXCEEDED: 'A quota is used up.',
    MAIL_LIMIT: 'The caller or the address has had as many mails as there may be: it may be sent again later.',
  },
);

@ObjectType({ description: 'Why a row was refused.' })
export class RowError {
  @Field(() => RowErrorCodeEnum, 'What went wrong, for programs.')
  code!: RowErrorCode;

  @Nullable(() => String, 'The field of the row that is wrong; null where none in particular is.')
  field!: string | null;
}
