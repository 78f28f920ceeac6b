import { Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, JsonObjectScalar, SafeIntScalar } from '../shared/scalars.js';
import { ComplianceFrameworkValueEnum, IndustryEnum, InfrastructureEnum, Nis2SectorEnum, SectorEnum } from './lists.js';
import { Optional, WhenTrue } from '../shared/optional.js';
import { Version } from '../shared/version.js';
import { Field, Nullable, type Plain } from '../shared/types.js';

// Specification 2.2.
@ObjectType({ description: 'A tenant with its profile. Of what was never given, there is none.' })
export class Organization {
  @Field(() => SafeIntScalar, 'The number that addresses of the REST interface carry.')
  id!: number;

  @Field(() => String, 'Common name.')
  name!: string;

  @Optional(() => String, 'Free text.')
  description!: string | null;

  @Nullable(() => Int, 'Number of employees; null when it was never given.')
  numberEmployees!: number | null;

  @Optional(() => String, 'Full URL of the website.')
  website!: string | null;

  // Specification 2.2, 2.5.
  @Optional(() => String, 'Full URL of the logo file.')
  logo!: string | null;

  @Field(() => [SectorEnum], 'Sectors.')
  sectors!: string[];

  @Field(() => [IndustryEnum], 'Industries.')
  industries!: string[];

  @Optional(() => Nis2SectorEnum, 'NIS 2 sector.')
  nis2Sector!: string | null;

  @Field(
    () => [ComplianceFramework],
    'Frameworks that the organization names. Metadata only: no workflow is associated by it.',
  )
  complianceFrameworks!: ComplianceFramework[];

  // Specification 2.2.
  @Optional(() => InfrastructureEnum, 'Where its systems run.')
  infrastructure!: string | null;

  @Field(() => [Contact], 'Persons to turn to.')
  contacts!: Contact[];

  @Field(() => [String], 'Domains that the organization owns, in lower case.')
  domains!: string[];

  @Field(() => [String], 'Public IPv4 addresses.')
  ips!: string[];

  @WhenTrue(
    'Whether it is a sandbox: for trying things out, and in no figure over organizations. Fixed when it is created.',
  )
  sandbox!: boolean;

  @Version('organization')
  version!: number;

  @Field(() => DateTimeScalar, 'When the organization was created.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'When the organization was last changed.')
  updatedAt!: Date | string;
}

// Specification 2.2, framework object.
@ObjectType({ description: 'A compliance framework that an organization names.' })
export class ComplianceFramework {
  @Field(() => ComplianceFrameworkValueEnum, 'Which framework.')
  value!: string;

  // Specification 2.2.
  @Field(() => JsonObjectScalar, 'Metadata such as `extensions` and `entity_type`, key for key as it was sent.')
  fields!: Plain<Record<string, unknown>>;
}

// Specification 2.2, contact object.
@ObjectType({ description: 'A person to turn to.' })
export class Contact {
  @Optional(() => String, 'Contact name.')
  name!: string | null;

  @Optional(() => String, 'Contact role.')
  role!: string | null;

  @Optional(() => String, 'E-mail address; set where there is no `phone`.')
  email!: string | null;

  @Optional(() => String, 'Telephone number; set where there is no `email`.')
  phone!: string | null;

  @Field(() => Boolean, 'Whether the contact receives the weekly report by e-mail.')
  emailReport!: boolean;
}

@ObjectType({ description: 'What an organization decides for itself.' })
export class OrganizationSettings {
  @Field(
    () => String,
    'IANA name of the time zone in which its days and weeks begin, such as `Europe/Rome`; `UTC` at first.',
  )
  timeZone!: string;

  @Field(
    () => String,
    'Tag of the language (BCP 47) in which mails, reports and notifications are written to it, and to members who have chosen none, such as `it`; `en` at first.',
  )
  language!: string;

  @Nullable(
    () => String,
    'ISO 3166-1 alpha-2 code of the country whose law applies to it, such as `IT`; null, as at first, where none is given. Reporting regimes depend on it.',
  )
  country!: string | null;

  @Field(() => Boolean, 'Whether it provides trust services (Regulation (EU) 910/2014); false at first.')
  trustServiceProvider!: boolean;

  @Field(
    () => Boolean,
    'Whether it is a qualified trust service provider, whose reports of qualified trust services are due from the occurrence of an incident on (Regulation (EU) 910/2014, Article 24(2)(fb)); false at first.',
  )
  qualifiedTrustServiceProvider!: boolean;

  @Nullable(
    () => DateScalar,
    'First day on which it has to report under NIS 2, where its law gives it one of its own, as in Italy nine months after the notice of listing; null, as at first, without one.',
  )
  nis2ReportingFrom!: string | null;

  @Field(() => Int, 'Weekday on which the weekly report goes out: 1 is Monday, 7 is Sunday (ISO 8601); 1 at first.')
  reportWeekday!: number;

  // Specification 5.3.
  @Field(
    () => Boolean,
    'Whether a token may come as a query parameter to what belongs to the organization; true at first.',
  )
  queryTokenAllowed!: boolean;

  @Field(() => Boolean, 'Whether its events are sent to webhook endpoints of the users who manage it; true at first.')
  userWebhooksAllowed!: boolean;

  @Nullable(() => Int, 'Days after which entries of the audit trail are removed; null, as at first, keeps them.')
  auditRetentionDays!: number | null;

  @Nullable(
    () => String,
    'Mail address of a witness, who gets a signed checkpoint of the audit trail for each day on which something was recorded; null, as at first, without one.',
  )
  auditWitnessEmail!: string | null;
}

// Specification 2.10.
@ObjectType({ description: 'How an organization looks. Default values where none is configured.' })
export class Branding {
  @Field(() => String, 'Palette name; `default` where none is configured.')
  palette!: string;

  @Field(() => CustomColors, 'The three colours of the palette.')
  customColors!: Plain<CustomColors>;
}

// Specification 2.10.
@ObjectType({ description: 'Colours of a branding.' })
export class CustomColors {
  @Field(() => String, 'Primary colour, such as `#1F6FEB`.')
  primary!: string;

  @Field(() => String, 'Primary colour under the pointer.')
  primaryHover!: string;

  @Field(() => String, 'Primary colour in its dark shade.')
  primaryDark!: string;
}
