import { Field, ID, InputType, Int } from 'type-graphql';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import { VERSION } from './organization.input.js';
import type { Plain } from './plain.js';
import { UploadScalar } from './scalars.js';

@InputType({ description: 'An organization to delete.' })
export class DeleteOrganizationInput {
  @Field(() => Int, { description: 'Which organization.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}

@InputType({ description: 'A deleted organization to bring back.' })
export class RestoreOrganizationInput {
  @Field(() => Int, { description: 'Which organization.' })
  id!: number;
}

@InputType({ description: 'Who is to own an organization in the place of the caller.' })
export class TransferOwnershipInput {
  @Field(() => Int, { description: 'Which organization.' })
  id!: number;

  @Field(() => ID, { description: 'A member of it: the id of the user.' })
  userId!: string;
}

@InputType({ description: 'An organization to leave.' })
export class LeaveOrganizationInput {
  @Field(() => Int, { description: 'Which organization.' })
  id!: number;
}

@InputType({ description: 'A logo for an organization.' })
export class SetOrganizationLogoInput {
  @Field(() => Int, { description: 'Whose logo.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;

  @Field(() => UploadScalar, { description: 'The logo: PNG, JPEG or WebP, 1 MB at most.' })
  file!: Plain<IncomingFile>;
}

@InputType({ description: 'A logo to take away.' })
export class RemoveOrganizationLogoInput {
  @Field(() => Int, { description: 'Whose logo.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}
