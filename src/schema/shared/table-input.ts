import { InputType } from 'type-graphql';
import type { IncomingFile } from '../../storage/incoming-file.js';
import { CheckedBy } from './constraints.js';
import { UploadScalar } from './scalars.js';
import { Nullable, type Plain } from './types.js';

/** A table that was exported as CSV and edited in a spreadsheet. */
@InputType()
export abstract class SentTableInput {
  @Nullable(() => UploadScalar, 'The table as a file, in a multipart request.')
  file?: Plain<IncomingFile> | null;

  @Nullable(() => String, 'The same as text; either of them is required.')
  @CheckedBy('the reading of tables')
  text?: string | null;
}

/** The same where it may be tried first. */
@InputType()
export abstract class TableInput extends SentTableInput {
  @Nullable(() => Boolean, 'Says what each row would change, and changes nothing.', { defaultValue: false })
  dryRun?: boolean | null;
}
