import { ID, InputType, ObjectType } from 'type-graphql';
import type { Role, TokenScope } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { BelowOwner, BelowOwnerAlways, RoleEnum } from './members/types.js';
import { Constrained, Text } from './shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { Optional } from './shared/optional.js';
import { Field, Nullable, Person, type Plain } from './shared/types.js';
import { ExpectedVersion, Version } from './shared/version.js';
import { CreateApiTokenInput, RevocableToken, RotateApiTokenInput, TokenScopeEnum } from './tokens.js';
import { ControlOwner } from './workflows/types.js';

@ObjectType({
  description:
    'A caller that belongs to an organization and not to a person: it goes on when the person who made it leaves.',
})
export class ServiceAccount {
  @Field(() => ID, 'The UUID of the service account, which audit trails have as its user id.')
  id!: string;

  @Version('service account')
  version!: number;

  @Field(
    () => String,
    'What uploads and incidents carry as their creator; it never changes. No name of a person has a colon.',
  )
  username!: string;

  @Field(() => String, 'What it is called.')
  name!: string;

  @Optional(() => String, 'What it is for.')
  description!: string | null;

  @Field(() => RoleEnum, 'What it may do in the organization, and nowhere else.')
  role!: Role;

  @Nullable(
    () => ControlOwner,
    'The member who answers for it; null when that membership has ended and no other was named.',
  )
  responsible!: Plain<ControlOwner> | null;

  @Nullable(() => Person, 'Who created it; null when that user is gone.')
  createdBy!: Plain<Person> | null;

  @Field(() => DateTimeScalar, 'When it was created.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'When it was last changed.')
  updatedAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When one of its tokens was last used, exact to the minute; null when none ever was.')
  lastUsedAt!: Date | string | null;
}

@ObjectType({ description: 'A token of a service account, as those who manage it see it.' })
export class ServiceAccountToken extends RevocableToken {
  @Field(() => ID, 'Its key: `serviceAccountId/tokenId`.')
  id!: string;

  @Field(() => SafeIntScalar, 'What to revoke it by.')
  tokenId!: number;

  @Version('token')
  version!: number;

  @Field(() => String, 'What it is called.')
  name!: string;

  @Field(() => [TokenScopeEnum], 'What the token may be used for.')
  scopes!: TokenScope[];

  @Field(() => DateTimeScalar, 'When it was made.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'From when on it is refused.')
  expiresAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When a new token took its place by a rotation; null while none did.')
  replacedAt!: Date | string | null;

  @Field(() => [String], 'Addresses and networks that it may be used from; empty is from anywhere.')
  allowedIps!: string[];
}

const { nameCharacters, descriptionCharacters, perOrganization } = LIMITS.serviceAccount;
export const MOST_ACCOUNTS = `An organization has ${perOrganization} at most`;

@InputType({ description: 'A service account to create.' })
export class CreateServiceAccountInput {
  @Field(() => SafeIntScalar, 'In which organization.')
  organizationId!: number;

  @Field(() => String, 'What to call it; its user name is made of it.')
  @Text({ max: nameCharacters, trim: true })
  name!: string;

  @Nullable(() => String, 'What it is for.')
  @Text({ max: descriptionCharacters, min: 0, trim: true })
  description?: string | null;

  @Field(
    () => RoleEnum,
    'What it may do: a role below ORGANIZATION_MANAGER, or that one where an owner creates it. Never ORGANIZATION_OWNER.',
  )
  @BelowOwner
  role!: Role;

  @Nullable(
    () => ID,
    'UUID of the member who answers for it; the caller when absent. A service account has to name one.',
  )
  responsibleId?: string | null;
}

@InputType()
abstract class ServiceAccountIdInput {
  @Field(() => SafeIntScalar, 'The organization that has the service account.')
  organizationId!: number;

  @Field(() => ID, 'The UUID of the service account.')
  serviceAccountId!: string;
}

/** The same where it is changed. */
@InputType()
abstract class ChangedServiceAccountInput extends ServiceAccountIdInput {
  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'What a service account is to be. What is absent stays as it is.' })
export class UpdateServiceAccountInput extends ChangedServiceAccountInput {
  @Nullable(() => String, 'What to call it; its user name stays.')
  @Text({ max: nameCharacters, trim: true, notNull: true })
  name?: string | null;

  @Nullable(() => String, 'What it is for.')
  @Text({ max: descriptionCharacters, min: 0, trim: true })
  description?: string | null;

  @Nullable(() => RoleEnum, 'Its new role, as for a new one.')
  @BelowOwnerAlways
  role?: Role | null;

  @Nullable(() => ID, 'UUID of the member who answers for it from now on.')
  @Constrained({ notNull: true })
  responsibleId?: string | null;
}

@InputType({ description: 'A service account to delete.' })
export class DeleteServiceAccountInput extends ChangedServiceAccountInput {}

@InputType({ description: 'A token to make for a service account. It may do no more than the token of this request.' })
export class CreateServiceAccountTokenInput extends CreateApiTokenInput {
  @Field(() => SafeIntScalar, 'The organization that has the service account.')
  organizationId!: number;

  @Field(() => ID, 'The UUID of the service account.')
  serviceAccountId!: string;
}

@InputType({ description: 'A token of a service account to put a new one in the place of.' })
export class RotateServiceAccountTokenInput extends RotateApiTokenInput {
  @Field(() => SafeIntScalar, 'The organization that has the service account.')
  organizationId!: number;

  @Field(() => ID, 'The UUID of the service account.')
  serviceAccountId!: string;
}

@InputType({ description: 'A token of a service account to revoke.' })
export class RevokeServiceAccountTokenInput extends ChangedServiceAccountInput {
  @Field(() => SafeIntScalar, 'Which token.')
  tokenId!: number;
}
