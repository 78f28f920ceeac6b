import { Field, ObjectType } from 'type-graphql';
import type { Privilege } from '../access/roles.js';
import type { Role } from '../vocabulary/roles.js';
import { ApiToken } from './api-token.type.js';
import { connectionOf } from './connection.js';
import { Organization } from './organization.type.js';
import type { Plain } from './plain.js';
import { PrivilegeEnum, RoleEnum } from './role.type.js';
import { User } from './user.type.js';

@ObjectType({ description: 'Who is calling, and with what (specification 5).', simpleResolvers: true })
export class Viewer {
  @Field(() => User, { description: 'The user that the token belongs to.' })
  user!: Plain<User>;

  @Field(() => ApiToken, { description: 'The token of this very request.' })
  token!: Plain<ApiToken>;
}

@ObjectType({ description: 'An organization of the caller, with what the caller may do in it.', simpleResolvers: true })
export class ViewerOrganization {
  @Field(() => Organization, { description: 'The organization.' })
  organization!: Plain<Organization>;

  @Field(() => RoleEnum, { description: 'What the caller is in it.' })
  role!: Role;

  @Field(() => [PrivilegeEnum], { description: 'What that role may do in it; the scopes of the token may allow less.' })
  privileges!: readonly Privilege[];
}

export const { Connection: ViewerOrganizationConnection } = connectionOf(
  'ViewerOrganization',
  () => ViewerOrganization,
);
