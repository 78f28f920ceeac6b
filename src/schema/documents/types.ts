import { Field, ID, Int, ObjectType } from 'type-graphql';
import { payload } from '../shared/payload.js';
import { connectionOf } from '../shared/connection.js';
import { Organization } from '../organizations/types.js';
import type { Plain } from '../shared/plain.js';
import { DateTimeScalar } from '../shared/scalars.js';

@ObjectType({
  description:
    'A file that shows how a control is met (specification 2.3). The ten newest of an artifact are kept (specification 8).',
  simpleResolvers: true,
})
export class DocumentVersion {
  @Field(() => Int, { description: 'Version identifier.' })
  id!: number;

  @Field(() => Organization, { description: 'Whose document it is.' })
  organization!: Plain<Organization>;

  @Field(() => ID, { description: 'Id of the workflow in the catalogue (specification 2.9).' })
  workflowId!: string;

  @Field(() => ID, { description: 'The control that it belongs to, such as `A.5.1` (specification 2.3).' })
  artifactId!: string;

  @Field(() => String, { description: 'Name of the uploaded file.' })
  originalName!: string;

  @Field(() => Int, { description: 'Size in bytes.' })
  size!: number;

  @Field(() => String, { description: 'Media type of the file.' })
  contentType!: string;

  @Field(() => String, {
    description: 'Origin of the file: `attached`, `generated` or `imported` (specification 2.3).',
  })
  source!: string;

  @Field(() => String, { description: 'SHA-256 of the content, lower-case hexadecimal (specification 8).' })
  sha256!: string;

  @Field(() => String, { description: 'User name of the uploader, as it was then.' })
  createdBy!: string;

  @Field(() => DateTimeScalar, { description: 'When it was uploaded.' })
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the evidence was true, where that is not when it was uploaded; otherwise null.',
  })
  effectiveAt!: Date | string | null;

  @Field(() => String, { nullable: true, description: 'What a reader should know of it; null where nobody said.' })
  note!: string | null;

  @Field(() => String, {
    description:
      'Full address to download the file (specification 2.3). It is signed, needs no token and expires soon.',
  })
  downloadUrl!: string;
}

export const UploadDocumentVersionPayload = payload('UploadDocumentVersion', {
  created: [
    () => Boolean,
    'False when the artifact already had this content: then `version` is that one (specification 4.2).',
  ],
  version: [() => DocumentVersion, 'The new version, or the existing one of the same content.'],
});

export const UpdateDocumentVersionPayload = payload('UpdateDocumentVersion', {
  version: [() => DocumentVersion, 'The version as it is now.'],
});

export const DeleteDocumentVersionPayload = payload('DeleteDocumentVersion', {
  version: [() => DocumentVersion, 'The version as it was.'],
});

export const { Connection: DocumentVersionConnection } = connectionOf('DocumentVersion', () => DocumentVersion);
