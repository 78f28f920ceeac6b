import { Field, InputType, Int } from 'type-graphql';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import type { Plain } from './plain.js';
import { JsonObjectScalar, UploadScalar } from './scalars.js';

/** The field `version` of every input that changes an organization. */
export const VERSION = {
  nullable: true,
  description:
    'The `version` that the change is made to. When the organization has another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between.',
} as const;

/** What an organization is made of, wherever it is sent; only of its name it differs whether it has to be. */
function profileInput(name: { nullable?: true; description: string }) {
  @InputType()
  abstract class OrganizationProfileInput {
    @Field(() => String, name)
    name?: string | null;

    @Field(() => String, { nullable: true, description: 'Free text.' })
    description?: string | null;

    @Field(() => Int, { nullable: true, description: 'Number of employees, 0 or more.' })
    numberEmployees?: number | null;

    @Field(() => String, { nullable: true, description: 'Full http or https URL of the website.' })
    website?: string | null;

    @Field(() => String, { nullable: true, description: 'Full http or https URL of the logo file.' })
    logo?: string | null;

    @Field(() => UploadScalar, {
      nullable: true,
      description: 'The logo itself: PNG, JPEG or WebP, 1 MB at most. It is stored, and its URL becomes `logo`.',
    })
    logoFile?: Plain<IncomingFile> | null;

    @Field(() => [String], { nullable: true, description: 'Sectors, in the exact spelling of specification 2.2.' })
    sectors?: string[] | null;

    @Field(() => [String], { nullable: true, description: 'Industries, in the exact spelling of specification 2.2.' })
    industries?: string[] | null;

    @Field(() => String, {
      nullable: true,
      description: 'NIS 2 sector, in the exact spelling of specification 2.2; the empty string is allowed.',
    })
    nis2Sector?: string | null;

    @Field(() => [ComplianceFrameworkInput], {
      nullable: true,
      description: 'Frameworks to name, each once. Metadata only: no workflow is associated by it.',
    })
    complianceFrameworks?: ComplianceFrameworkInput[] | null;

    @Field(() => String, { nullable: true, description: '`cloud`, `on-prem` or `hybrid` (specification 2.2).' })
    infrastructure?: string | null;

    @Field(() => [ContactInput], { nullable: true, description: 'Persons to turn to.' })
    contacts?: ContactInput[] | null;

    @Field(() => [String], { nullable: true, description: 'Domains that the organization owns, as hostnames.' })
    domains?: string[] | null;

    @Field(() => [String], { nullable: true, description: 'Public IPv4 addresses in dotted form.' })
    ips?: string[] | null;
  }
  return OrganizationProfileInput;
}

@InputType({
  description:
    'A new organization (specification 2.2, 4.1). Only its name is required; absent and null both mean empty.',
})
export class CreateOrganizationInput extends profileInput({
  description: 'Common name: 1 to 200 characters after trimming.',
}) {}

@InputType({
  description:
    'What to change of an organization. An absent field stays as it is, null empties it; a list is replaced as a whole. Each field has the rules that it has on creation.',
})
export class UpdateOrganizationInput extends profileInput({
  nullable: true,
  description: 'Common name: 1 to 200 characters after trimming; not null.',
}) {
  @Field(() => Int, { description: 'Which organization.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}

@InputType({ description: 'A compliance framework to name (specification 2.2, framework object).' })
export class ComplianceFrameworkInput {
  @Field(() => String, { description: '`ISO 27001:2023` or `NIS2`.' })
  value!: string;

  @Field(() => JsonObjectScalar, {
    description:
      'Metadata in the spelling of specification 2.2: `extensions`, and `entity_type`, which `NIS2` requires. Extra properties are kept as sent.',
  })
  fields!: Plain<Record<string, unknown>>;
}

@InputType({ description: 'A person to turn to (specification 2.2, contact object).' })
export class ContactInput {
  @Field(() => String, { nullable: true, description: 'Contact name.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Contact role.' })
  role?: string | null;

  @Field(() => String, { nullable: true, description: 'E-mail address. Must be set when `phone` is empty.' })
  email?: string | null;

  @Field(() => String, { nullable: true, description: 'Telephone number. Must be set when `email` is empty.' })
  phone?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to send the automatic weekly report by e-mail. Then `email` must be set.',
  })
  emailReport?: boolean | null;
}
