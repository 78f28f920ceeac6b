import { Int, ObjectType } from 'type-graphql';
import type { ImportedRowOutcome, RowErrorCode } from '../../values/enums.js';
import { enumeration, Field, Nullable, type Plain } from './types.js';

export const RowErrorCodeEnum = enumeration<RowErrorCode>(
  'RowErrorCode',
  'Why one row of many was refused. Nothing of the row was done; other rows are not concerned.',
  {
    BAD_USER_INPUT: 'A value of it is wrong.',
    FORBIDDEN: 'The role of the caller does not allow it.',
    NOT_FOUND: 'What it names is not there.',
    STALE_VERSION: 'What it changes was changed since it was exported.',
    LAST_OWNER: 'The organization would be without an owner.',
    ORGANIZATION_LIMIT: 'The user would own more organizations than the operator allows.',
    SANDBOX_LIMIT: 'The user would own more sandboxes than it may.',
    MEMBER_LIMIT: 'The organization has as many members as the operator allows.',
    INVITATION_LIMIT: 'The organization has as many open invitations as the operator allows.',
    STORAGE_LIMIT: 'The organization stores as many megabytes as the operator allows.',
    MAIL_LIMIT:
      'The limit of invitation mails from the caller or to the address is reached: it may be sent again later.',
    MISSING_CONTENT: 'The file is empty.',
    FILE_TOO_LARGE: 'The file is larger than 10 MB.',
    UNSUPPORTED_FILE_TYPE: 'The file is of a type that is not allowed, or its content is not what its name says.',
    DEVICE_REPORT_DIFFERS: 'Another report of the same device and moment has other content.',
    ALREADY_MEMBER: 'Its address is that of a member who has another role or is deactivated.',
    ALREADY_INVITED: 'Its address is invited already, with another role.',
  },
);

@ObjectType({ description: 'Why a row was refused.' })
export class RowError {
  @Field(() => RowErrorCodeEnum, 'What went wrong, for programs.')
  code!: RowErrorCode;
}

export const ImportedRowOutcomeEnum = enumeration<ImportedRowOutcome>(
  'ImportedRowOutcome',
  'What has become of a row of a table that was imported; of a dry run, what would.',
  {
    CHANGED: 'What it names is now as it says.',
    UNCHANGED: 'What it names was so before.',
    REFUSED: 'Nothing was done: the error says why.',
    NOT_DONE: 'The request had lasted as long as it may. Nothing was done: send the table again.',
  },
);

@ObjectType({ description: 'A value that a row of a table changes.' })
export class CellChange {
  @Field(() => String, 'The column.')
  column!: string;

  @Nullable(() => String, 'What was there, as an export writes it; null for an empty cell.')
  before!: string | null;

  @Nullable(() => String, 'What is there now; null for an empty cell.')
  after!: string | null;
}

@ObjectType({ description: 'What has become of a row of a table that was imported; of a dry run, what would.' })
export class ImportedRow {
  @Field(() => Int, 'Its number as a spreadsheet counts: the names of the columns are row 1.')
  row!: number;

  @Nullable(() => String, 'What it has in the column `id`; null where it cannot be read.')
  key!: string | null;

  @Field(() => ImportedRowOutcomeEnum, 'What has become of it.')
  outcome!: ImportedRowOutcome;

  @Field(() => [CellChange], 'What it changes; empty where it is refused or changes nothing.', { items: 5 })
  changes!: Plain<CellChange>[];

  @Nullable(() => RowError, 'Why it was refused; null where it was not.')
  error!: Plain<RowError> | null;
}
