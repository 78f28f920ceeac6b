import { Field, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

@ObjectType({ description: 'A file of an incident (specification 2.4).', simpleResolvers: true })
export class IncidentAttachment {
  @Field(() => Int, { description: 'Attachment identifier.' })
  id!: number;

  @Field(() => String, { description: 'Name of the uploaded file.' })
  originalName!: string;

  @Field(() => String, { description: 'Media type of the file.' })
  contentType!: string;

  @Field(() => Int, { description: 'Size in bytes.' })
  size!: number;

  @Field(() => String, { description: 'SHA-256 of the content, lower-case hexadecimal.' })
  sha256!: string;

  @Field(() => String, { description: 'User name of the uploader, as it was then.' })
  createdBy!: string;

  @Field(() => DateTimeScalar, { description: 'When it was uploaded.' })
  createdAt!: Date | string;

  @Field(() => String, {
    description:
      'Full address to download the file (specification 2.4). It is signed, needs no token and expires soon.',
  })
  downloadUrl!: string;
}

@ObjectType({ description: 'What `uploadIncidentAttachment` answers.', simpleResolvers: true })
export class UploadIncidentAttachmentPayload {
  @Field(() => IncidentAttachment, { description: 'The new attachment.' })
  attachment!: Plain<IncidentAttachment>;
}

@ObjectType({ description: 'What `deleteIncidentAttachment` answers.', simpleResolvers: true })
export class DeleteIncidentAttachmentPayload {
  @Field(() => IncidentAttachment, { description: 'The attachment as it was.' })
  attachment!: Plain<IncidentAttachment>;
}

export const { Connection: IncidentAttachmentConnection } = connectionOf(
  'IncidentAttachment',
  () => IncidentAttachment,
);
