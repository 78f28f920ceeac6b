import 'reflect-metadata';
import { GraphQLScalarType } from 'graphql';
import { Field, InputType, Int, ObjectType } from 'type-graphql';

const JSONObject = new GraphQLScalarType<Record<string, unknown>>({ name: 'JSONObject' });

@ObjectType()
@InputType('ComplianceFrameworkInput')
export class ComplianceFramework {
  @Field(() => String)
  value!: string;
  @Field(() => JSONObject)
  fields!: Record<string, unknown>;
}

@ObjectType()
@InputType('ContactInput')
export class Contact {
  @Field(() => String)
  name!: string;
  @Field(() => String)
  role!: string;
  @Field(() => String)
  email!: string;
  @Field(() => String)
  phone!: string;
  @Field(() => Boolean)
  emailReport!: boolean;
}

@ObjectType('OrganizationFields')
@InputType()
export class CreateOrganizationInput {
  @Field(() => String)
  name!: string;
  @Field(() => String)
  description!: string;
  @Field(() => Int, { nullable: true })
  numberEmployees!: number | null;
  @Field(() => String)
  website!: string;
  @Field(() => String)
  logo!: string;
  @Field(() => [String])
  sectors!: string[];
  @Field(() => [String])
  industries!: string[];
  @Field(() => String)
  nis2Sector!: string;
  @Field(() => [ComplianceFramework])
  complianceFrameworks!: ComplianceFramework[];
  @Field(() => String)
  infrastructure!: string;
  @Field(() => [Contact])
  contacts!: Contact[];
  @Field(() => [String])
  domains!: string[];
  @Field(() => [String])
  ips!: string[];
}

@ObjectType()
export class Organization extends CreateOrganizationInput {
  @Field(() => Int)
  id!: number;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date)
  updatedAt!: Date;
}

/** SOFA responds with every field of a type: the type has no users where they are not requested. */
@ObjectType()
export class OrganizationWithUsers extends Organization {}

@ObjectType()
export class OrganizationSummary {
  @Field(() => Int)
  id!: number;
  @Field(() => String)
  name!: string;
  @Field(() => String)
  logo!: string;
}

@ObjectType()
export class CreateOrganizationPayload {
  @Field(() => Organization)
  organization!: Organization;
}

@ObjectType()
class Alerts {
  @Field(() => Boolean)
  atb!: boolean;
  @Field(() => Boolean)
  cloudDefender!: boolean;
  @Field(() => Boolean)
  vCiso!: boolean;
}

/** The rest are fields of the user, which their resolvers read. */
@ObjectType()
export class OrganizationUser {
  @Field(() => String)
  role!: string;
  @Field(() => Alerts)
  alerts!: Alerts;
}

@ObjectType()
export class OrganizationUserConnection {
  @Field(() => [OrganizationUser])
  nodes!: OrganizationUser[];
  @Field(() => Int)
  totalCount!: number;
}

@ObjectType()
class NotificationExtra {
  @Field(() => String)
  href!: string;
}

@ObjectType()
export class Notification {
  @Field(() => Int)
  id!: number;
  @Field(() => String)
  title!: string;
  @Field(() => String)
  message!: string;
  @Field(() => String)
  type!: string;
  @Field(() => String)
  action!: string;
  @Field(() => Boolean)
  read!: boolean;
  @Field(() => Date)
  datetime!: Date;
  @Field(() => String)
  icon!: string;
  @Field(() => NotificationExtra)
  extra!: NotificationExtra;
  @Field(() => OrganizationSummary)
  organization!: OrganizationSummary;
}

@ObjectType()
export class NotificationConnection {
  @Field(() => [Notification])
  nodes!: Notification[];
  @Field(() => Int)
  totalCount!: number;
}
