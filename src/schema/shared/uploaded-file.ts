import { Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from './scalars.js';
import { Field, Person, type Plain } from './types.js';

/** A stored file: a document, or an attachment. */
@ObjectType()
export abstract class UploadedFile {
  @Field(() => String, 'Name of the uploaded file.')
  filename!: string;

  @Field(() => Int, 'Size in bytes.')
  size!: number;

  @Field(() => String, 'Media type of the file.')
  contentType!: string;

  // Specification 8.
  @Field(() => String, 'SHA-256 of the content, lower-case hexadecimal.')
  sha256!: string;

  @Field(() => Person, 'The person who uploaded it.')
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was uploaded.')
  createdAt!: Date | string;

  // Specification 2.3 and 2.4.
  @Field(() => String, 'Full address to download the file. It is signed, needs no token and expires soon.')
  downloadUrl!: string;
}
