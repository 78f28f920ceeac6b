import { ID, InputType, Int, ObjectType } from 'type-graphql';
import type { IncomingFile } from '../storage/incoming-file.js';
import type { ImportJobFailure, ImportJobKind, ImportJobRowOutcome, ImportJobStatus } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { InvitedPersonInput } from './members/inputs.js';
import { List } from './shared/constraints.js';
import { CellChange, RowError } from './shared/rows.js';
import { DateTimeScalar, SafeIntScalar, UploadScalar } from './shared/scalars.js';
import { SentTableInput } from './shared/table-input.js';
import { enumeration, Field, Nullable, Person, type Plain } from './shared/types.js';

export const ImportJobKindEnum = enumeration<ImportJobKind>('ImportJobKind', 'What a job imports.', {
  INVITATIONS: 'Invitations of people.',
  MEMBERS: 'A table of members.',
  CONTROLS: 'A table of controls.',
  DOCUMENTS: 'An archive of documents.',
});

export const ImportJobStatusEnum = enumeration<ImportJobStatus>('ImportJobStatus', 'How far a job is.', {
  WAITING: 'It has not begun.',
  RUNNING: 'Its rows are being done, or wait for a limit of mails.',
  DONE: 'Each row was done or refused.',
  CANCELLED: 'It was cancelled; what it had done stays.',
  FAILED: 'It could not go on; what it had done stays.',
});

export const ImportJobFailureEnum = enumeration<ImportJobFailure>('ImportJobFailure', 'Why a job has failed.', {
  TOKEN_ENDED: 'The token that has started it was revoked, or has expired.',
  RIGHT_LOST:
    'Its user is no member any more or has not the role any more, or its token has no access to the organization any more.',
  GIVEN_UP: 'Many attempts have not done a row.',
});

export const ImportJobRowOutcomeEnum = enumeration<ImportJobRowOutcome>(
  'ImportJobRowOutcome',
  'What has become of a row of a job.',
  {
    WAITING: 'Its turn has not come.',
    CHANGED: 'It was changed, added or invited.',
    UNCHANGED: 'It was so before; of an invitation, its address has the role already, as a member or invited.',
    REFUSED: 'Nothing was done: the error says why.',
    NOT_DONE: 'The job has ended before its turn came, or the person whom it would have invited was erased.',
  },
);

@ObjectType({ description: 'An import of many rows that goes on without its request.' })
export class ImportJob {
  @Field(() => SafeIntScalar, 'Id of the job.')
  id!: number;

  @Field(() => ImportJobKindEnum, 'What it imports.')
  kind!: ImportJobKind;

  @Nullable(() => ID, 'The workflow that its controls or documents are of; null for others.')
  workflowId!: string | null;

  @Field(() => ImportJobStatusEnum, 'How far it is.')
  status!: ImportJobStatus;

  @Nullable(() => ImportJobFailureEnum, 'Why it has failed; null where it has not.')
  failure!: ImportJobFailure | null;

  @Field(() => Int, 'How many rows it has.')
  rowCount!: number;

  @Field(() => Int, 'How many of them are done: changed, unchanged or refused.')
  doneCount!: number;

  @Field(() => Int, 'How many were changed, added or invited.')
  changedCount!: number;

  @Field(() => Int, 'How many were so before.')
  unchangedCount!: number;

  @Field(() => Int, 'How many were refused.')
  refusedCount!: number;

  @Field(() => Person, 'Who has started it.')
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was started by its request.')
  createdAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When its first row had its turn; null before.')
  startedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When it ended; null before.')
  endedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'From when on it is deleted, with its results; null before its end.')
  keptUntil!: Date | string | null;
}

@ObjectType({ description: 'A row of a job, and what has become of it.' })
export class ImportJobRow {
  @Field(() => Int, 'Its place in the job, from 1.')
  number!: number;

  @Nullable(
    () => Int,
    'Its number as a spreadsheet, the manifest or the list of invitations counts it; null for a file of an archive that is in no manifest.',
  )
  row!: number | null;

  @Nullable(() => String, 'What it names: the column `id`, or the path in the archive; null for invitations.')
  key!: string | null;

  @Field(() => ImportJobRowOutcomeEnum, 'What has become of it.')
  outcome!: ImportJobRowOutcome;

  @Nullable(() => SafeIntScalar, 'Id of the invitation or of the document version; null where there is none.')
  recordId!: number | null;

  @Field(() => [CellChange], 'What it has changed; empty for others than tables.', { items: 5 })
  changes!: Plain<CellChange>[];

  @Nullable(() => RowError, 'Why it was refused; null where it was not.')
  error!: Plain<RowError> | null;
}

@InputType({ description: 'Which rows of a job.' })
export class ImportJobRowFilter {
  @Nullable(() => ImportJobRowOutcomeEnum, 'Only those of this outcome.')
  outcome?: ImportJobRowOutcome | null;
}

@InputType({ description: 'People to invite as a job.' })
export class StartInvitationsInput {
  @Field(() => SafeIntScalar, 'Into which organization.')
  organizationId!: number;

  @Field(() => [InvitedPersonInput], 'Who, and to what role.')
  @List({ min: 1, max: LIMITS.importJob.invitations })
  invitations!: InvitedPersonInput[];
}

@InputType({ description: 'Members as they were exported, and edited since: 10,000 rows at most.' })
export class StartMemberImportInput extends SentTableInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;
}

@InputType({ description: 'Controls as they were exported, and edited since: 10,000 rows at most.' })
export class StartControlImportInput extends SentTableInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;

  @Field(() => ID, 'Which of its workflows.')
  workflowId!: string;
}

@InputType({ description: 'A ZIP archive as `importDocuments` takes it, with 10,000 documents at most.' })
export class StartDocumentImportInput {
  @Field(() => SafeIntScalar, 'The organization that is to have the documents.')
  organizationId!: number;

  @Field(() => ID, 'A workflow that is associated with it.')
  workflowId!: string;

  @Field(() => UploadScalar, 'The archive, as a part of a multipart request.')
  file!: Plain<IncomingFile>;
}

@InputType({ description: 'A job to cancel.' })
export class CancelImportJobInput {
  @Field(() => SafeIntScalar, 'The organization that has the job.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which job.')
  importJobId!: number;
}
