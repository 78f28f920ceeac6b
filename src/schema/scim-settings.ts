import { InputType, ObjectType } from 'type-graphql';
import type { Role } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { GroupRole, GroupRoleInput } from './identity.js';
import { BelowOwner, RoleEnum } from './members/types.js';
import { List, Text } from './shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { Field, Nullable } from './shared/types.js';
import { ExpectedVersion, Version } from './shared/version.js';
import { RevocableToken } from './tokens.js';

const { scim: LIMIT } = LIMITS;

@ObjectType({ description: 'What a directory such as Entra ID may do in an organization by SCIM 2.0.' })
export class ScimSettings {
  @Version('settings')
  version!: number;

  @Field(() => Boolean, 'Whether SCIM is switched on; false at first. Without it no token of a directory is taken.')
  enabled!: boolean;

  @Field(() => RoleEnum, 'The role of people whose groups have none; VIEWER at first.')
  defaultRole!: Role;

  @Field(() => [GroupRole], 'The roles that groups give. The highest one counts.')
  groupRoles!: GroupRole[];

  @Field(
    () => Boolean,
    'Whether members who came in otherwise are linked when the directory names them; false at first. Owners never are.',
  )
  linkMembers!: boolean;

  @Field(() => String, 'The address to enter in the directory.')
  url!: string;

  @Nullable(() => DateTimeScalar, 'When they were changed last; null while they never were.')
  updatedAt!: Date | string | null;
}

@ObjectType({ description: 'A token of a directory: it reaches SCIM of its organization and nothing else.' })
export class ScimToken extends RevocableToken {
  @Field(() => SafeIntScalar, 'What to revoke it by.')
  id!: number;

  @Version('token')
  version!: number;

  @Field(() => String, 'What it is called; the audit trail names the directory so.')
  name!: string;

  @Field(() => DateTimeScalar, 'When it was made.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'From when on it is refused.')
  expiresAt!: Date | string;
}

@InputType({ description: 'What a directory may do. What is absent or null stays as it is.' })
export class UpdateScimSettingsInput {
  @Field(() => SafeIntScalar, 'In which organization.')
  organizationId!: number;

  @ExpectedVersion
  version?: number | null;

  @Nullable(() => Boolean, 'Whether SCIM is switched on.')
  enabled?: boolean | null;

  @Nullable(() => RoleEnum, 'The role of people whose groups have none; not ORGANIZATION_OWNER.')
  @BelowOwner
  defaultRole?: Role | null;

  @Nullable(() => [GroupRoleInput], 'The roles that groups give. Members whose groups have another role now get it.')
  @List({ max: LIMIT.groupRoles })
  groupRoles?: GroupRoleInput[] | null;

  @Nullable(() => Boolean, 'Whether members who came in otherwise are linked. Requires ORGANIZATION_OWNER.')
  linkMembers?: boolean | null;
}

@InputType({ description: 'A token to make for a directory.' })
export class CreateScimTokenInput {
  @Field(() => SafeIntScalar, 'For which organization.')
  organizationId!: number;

  @Field(() => String, 'What to call it, such as the name of the directory.')
  @Text({ max: LIMITS.token.nameCharacters, trim: true })
  name!: string;

  @Nullable(
    () => DateTimeScalar,
    `From when on it is refused: in ${LIMIT.tokenDays} days when absent, in ${LIMIT.maxTokenDays} days at most.`,
  )
  expiresAt?: Date | null;
}

@InputType({ description: 'A token of a directory to revoke.' })
export class RevokeScimTokenInput {
  @Field(() => SafeIntScalar, 'Which organization has it.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which token.')
  scimTokenId!: number;

  @ExpectedVersion
  version?: number | null;
}
