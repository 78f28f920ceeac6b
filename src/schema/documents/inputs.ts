import { ID, InputType, Int } from 'type-graphql';
import { Field, Nullable } from '../shared/field.js';
import { LIMITS } from '../../values/limits.js';
import type { DocumentSource } from '../../values/enums.js';
import { CheckedBy, Text } from '../shared/constraints.js';
import type { IncomingFile } from '../../common/incoming-file.js';
import { enumeration } from '../shared/enumeration.js';
import type { Plain } from '../shared/plain.js';
import { DateScalar, DateTimeScalar, UploadScalar } from '../shared/scalars.js';
import { DocumentSourceEnum } from './types.js';
import { orderOf } from '../shared/order.js';

@InputType({
  description: 'A document to upload (specification 4.2): its content is either `file` or `content`, 10 MB at most.',
})
export class UploadDocumentVersionInput {
  @Field(() => Int, 'The organization that has the document.')
  organizationId!: number;

  @Field(() => ID, 'A workflow that is associated with the organization.')
  workflowId!: string;

  @Field(() => ID, 'A control of that workflow.')
  artifactId!: string;

  @Nullable(() => UploadScalar, 'The file, as a part of a multipart request.')
  file?: Plain<IncomingFile> | null;

  @Nullable(() => String, 'The content, base64 encoded (specification 4.2).')
  @CheckedBy('the upload, while it is read')
  content?: string | null;

  @Nullable(() => String, 'File name; that of `file` when absent.')
  @CheckedBy('the upload, while it is read')
  filename?: string | null;

  @Nullable(() => String, 'Media type; that of `file` when absent. The content must agree.')
  @CheckedBy('the upload, while it is read')
  contentType?: string | null;

  @Nullable(() => DocumentSourceEnum, 'Origin of the file; `ATTACHED` when absent.')
  source?: DocumentSource | null;

  @Nullable(() => DateTimeScalar, 'When the evidence was true, where that is not now.')
  effectiveAt?: Date | null;

  @Nullable(() => DateScalar, 'The last day on which it shows that the control is met.')
  validUntil?: string | null;
}

@InputType({ description: 'Which document versions to list. All conditions hold at once.' })
export class DocumentVersionFilter {
  @Nullable(() => ID, 'Only those of this workflow.')
  workflowId?: string | null;

  @Nullable(() => ID, 'Only those of this control.')
  artifactId?: string | null;

  @Nullable(() => String, 'Only those of the uploader of this user name, as it was then.')
  @Text({ max: LIMITS.search.filterCharacters })
  createdBy?: string | null;

  @Nullable(() => DateTimeScalar, 'Only those uploaded at this instant or later.')
  createdFrom?: Date | null;

  @Nullable(() => DateTimeScalar, 'Only those uploaded before this instant.')
  createdBefore?: Date | null;
}

export type DocumentVersionOrder = InstanceType<typeof DocumentVersionOrder>;
export const DocumentVersionOrder = orderOf(
  'DocumentVersion',
  'document versions',
  enumeration('DocumentVersionSortField', 'What a list of document versions is ordered by.', {
    CREATED_AT: 'By when they were uploaded.',
    EFFECTIVE_AT: 'By when the evidence was true; without a date, by when it was uploaded.',
    FILENAME: 'By file name.',
  }),
);

/** What names one version. */
@InputType()
abstract class DocumentVersionIdInput {
  @Field(() => Int, 'The organization that has the document.')
  organizationId!: number;

  @Field(() => Int, 'Which version.')
  documentVersionId!: number;
}

@InputType({ description: 'What to change of a document version. Absent leaves a field as it is, null empties it.' })
export class UpdateDocumentVersionInput extends DocumentVersionIdInput {
  @Nullable(() => DateTimeScalar, 'When the evidence was true.')
  effectiveAt?: Date | null;

  @Nullable(() => DateScalar, 'The last day on which it shows that the control is met.')
  validUntil?: string | null;

  @Nullable(() => String, 'What a reader should know of it.')
  @Text({ max: LIMITS.document.noteCharacters, lines: true })
  note?: string | null;
}

@InputType({ description: 'The document version to delete.' })
export class DeleteDocumentVersionInput extends DocumentVersionIdInput {}
