import { Field, InputType, Int } from 'type-graphql';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import type { Plain } from './plain.js';
import { UploadScalar } from './scalars.js';

@InputType({ description: 'A file to attach to an incident (specification 4.3).' })
export class UploadIncidentAttachmentInput {
  @Field(() => Int, { description: 'Whose incident it is.' })
  organizationId!: number;

  @Field(() => Int, { description: 'The incident.' })
  incidentId!: number;

  @Field(() => UploadScalar, { description: 'The file, as a part of a multipart request: 25 MB at most.' })
  file!: Plain<IncomingFile>;
}

@InputType({ description: 'The file to delete.' })
export class DeleteIncidentAttachmentInput {
  @Field(() => Int, { description: 'Whose incident it is.' })
  organizationId!: number;

  @Field(() => Int, { description: 'The incident.' })
  incidentId!: number;

  @Field(() => Int, { description: 'Which of its files.' })
  id!: number;
}
