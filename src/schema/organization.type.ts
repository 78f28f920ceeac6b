import { Field, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import type { Plain } from './plain.js';
import { DateTimeScalar, JsonObjectScalar } from './scalars.js';

@ObjectType({
  description: 'A tenant with its profile (specification 2.2). What was never given is empty.',
  simpleResolvers: true,
})
export class Organization {
  @Field(() => Int, { description: 'The number that addresses of the REST interface carry.' })
  id!: number;

  @Field(() => String, { description: 'Common name.' })
  name!: string;

  @Field(() => String, { description: 'Free text.' })
  description!: string;

  @Field(() => Int, { nullable: true, description: 'Number of employees; null when it was never given.' })
  numberEmployees!: number | null;

  @Field(() => String, { description: 'Full URL of the website.' })
  website!: string;

  @Field(() => String, { description: 'Full URL of the logo file (specification 2.2, 2.5).' })
  logo!: string;

  @Field(() => [String], { description: 'Sectors, in the spelling of specification 2.2.' })
  sectors!: string[];

  @Field(() => [String], { description: 'Industries, in the spelling of specification 2.2.' })
  industries!: string[];

  @Field(() => String, { description: 'NIS 2 sector, in the spelling of specification 2.2; may be the empty string.' })
  nis2Sector!: string;

  @Field(() => [ComplianceFramework], {
    description: 'Frameworks that the organization names. Metadata only: no workflow is associated by it.',
  })
  complianceFrameworks!: ComplianceFramework[];

  @Field(() => String, { description: 'Where its systems run: `cloud`, `on-prem` or `hybrid` (specification 2.2).' })
  infrastructure!: string;

  @Field(() => [Contact], { description: 'Persons to turn to.' })
  contacts!: Contact[];

  @Field(() => [String], { description: 'Domains that the organization owns, in lower case.' })
  domains!: string[];

  @Field(() => [String], { description: 'Public IPv4 addresses.' })
  ips!: string[];

  @Field(() => Int, {
    description:
      'Grows with each change of the organization. Send it along with a change that must not undo what somebody else did.',
  })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'When the organization was created.' })
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, { description: 'When the organization was last changed.' })
  updatedAt!: Date | string;
}

@ObjectType({
  description: 'A compliance framework that an organization names (specification 2.2, framework object).',
  simpleResolvers: true,
})
export class ComplianceFramework {
  @Field(() => String, { description: '`ISO 27001:2023` or `NIS2`.' })
  value!: string;

  @Field(() => JsonObjectScalar, {
    description: 'Metadata such as `extensions` and `entity_type`, key for key as it was sent (specification 2.2).',
  })
  fields!: Plain<Record<string, unknown>>;
}

@ObjectType({ description: 'A person to turn to (specification 2.2, contact object).', simpleResolvers: true })
export class Contact {
  @Field(() => String, { description: 'Contact name.' })
  name!: string;

  @Field(() => String, { description: 'Contact role.' })
  role!: string;

  @Field(() => String, { description: 'E-mail address; set when `phone` is empty.' })
  email!: string;

  @Field(() => String, { description: 'Telephone number; set when `email` is empty.' })
  phone!: string;

  @Field(() => Boolean, { description: 'Whether the contact receives the weekly report by e-mail.' })
  emailReport!: boolean;
}

@ObjectType({ description: 'What `updateOrganization` answers.', simpleResolvers: true })
export class UpdateOrganizationPayload {
  @Field(() => Organization, { description: 'The organization as it is now.' })
  organization!: Plain<Organization>;
}

export const { Connection: OrganizationConnection } = connectionOf('Organization', () => Organization);

@ObjectType({ description: 'What `createOrganization` answers.', simpleResolvers: true })
export class CreateOrganizationPayload {
  @Field(() => Organization, { description: 'The new organization, whose owner is the caller (specification 4.1).' })
  organization!: Plain<Organization>;
}
