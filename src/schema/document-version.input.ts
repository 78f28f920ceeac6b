import { Field, ID, InputType, Int } from 'type-graphql';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import type { Plain } from './plain.js';
import { DateTimeScalar, UploadScalar } from './scalars.js';

@InputType({
  description: 'A document to upload (specification 4.2): its content is either `file` or `content`, 10 MB at most.',
})
export class UploadDocumentVersionInput {
  @Field(() => Int, { description: 'Whose document it is.' })
  organizationId!: number;

  @Field(() => ID, { description: 'A workflow that is associated with the organization.' })
  workflowId!: string;

  @Field(() => ID, { description: 'A control of that workflow.' })
  artifactId!: string;

  @Field(() => UploadScalar, { nullable: true, description: 'The file, as a part of a multipart request.' })
  file?: Plain<IncomingFile> | null;

  @Field(() => String, { nullable: true, description: 'The content, base64 encoded (specification 4.2).' })
  content?: string | null;

  @Field(() => String, { nullable: true, description: 'File name; that of `file` when absent.' })
  filename?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Media type; that of `file` when absent. The content must agree.',
  })
  contentType?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Origin: `attached` (when absent), `generated` or `imported` (specification 4.2).',
  })
  source?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the evidence was true, where that is not now.' })
  effectiveAt?: Date | null;
}

@InputType({ description: 'Which document versions to list. All conditions hold at once.' })
export class DocumentVersionFilter {
  @Field(() => ID, { nullable: true, description: 'Only those of this workflow.' })
  workflowId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only those of this control.' })
  artifactId?: string | null;
}
