import { ID, InputType, Int } from 'type-graphql';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { Constraints } from '../../common/input-schema.js';
import type { Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { OfMember, RoleEnum } from '../members/types.js';
import { orderOf } from '../shared/connection.js';
import { Constrained, List, Rule, Text, text } from '../shared/constraints.js';
import { DateScalar, JsonObjectScalar, UploadScalar, SafeIntScalar } from '../shared/scalars.js';
import { enumeration, Field, Nullable, type Plain } from '../shared/types.js';
import { ExpectedVersion } from '../shared/version.js';
import { ComplianceFrameworkValueEnum, IndustryEnum, InfrastructureEnum, Nis2SectorEnum, SectorEnum } from './lists.js';
import {
  CONTACT_PUBLISHED,
  contactHasAddress,
  FRAMEWORK_FIELDS,
  FRAMEWORK_JSON,
  NIS2_PUBLISHED,
  nis2NeedsEntityType,
  WEEKDAY,
} from './rules.js';

/** The fields of an organization, wherever it is sent; only its name is required in one case and not in the other. */
function profileInput(Name: PropertyDecorator, constraints: Constraints = {}) {
  @InputType()
  abstract class OrganizationProfileInput {
    @Name
    @Text({ max: LIMITS.organization.nameCharacters, trim: true, ...constraints })
    name?: string | null;

    @Nullable(() => String, 'Free text.')
    @Text({ max: LIMITS.organization.descriptionCharacters, lines: true })
    description?: string | null;

    @Nullable(() => Int, 'Number of employees.')
    @Constrained({ minimum: 0, maximum: LIMITS.organization.maxEmployees })
    numberEmployees?: number | null;

    @Nullable(() => String, 'Full http or https URL of the website.')
    @Text({ max: LIMITS.organization.urlCharacters, format: 'uri', orEmpty: true })
    website?: string | null;

    @Nullable(() => String, 'Full http or https URL of the logo file, on a public host.')
    @Text({ max: LIMITS.organization.urlCharacters, format: 'uri', orEmpty: true })
    logo?: string | null;

    @Nullable(
      () => UploadScalar,
      'The logo itself: PNG, JPEG or WebP, 1 MB at most. It is stored, and its URL becomes `logo`, in place of one that is given.',
    )
    logoFile?: Plain<IncomingFile> | null;

    @Nullable(() => [SectorEnum], 'Sectors, of those in `formOptions` (REST: `GET /api/v1/options`).')
    @List({ max: LIMITS.organization.sectors, items: { listName: 'the sectors of GET /api/v1/options' } })
    sectors?: string[] | null;

    @Nullable(() => [IndustryEnum], 'Industries, of those in `formOptions` (REST: `GET /api/v1/options`).')
    @List({
      max: LIMITS.organization.industries,
      items: { listName: 'the industries of GET /api/v1/options' },
    })
    industries?: string[] | null;

    @Nullable(() => Nis2SectorEnum, 'NIS 2 sector, of those in `formOptions` (REST: `GET /api/v1/options`).')
    @Constrained({ orEmpty: true, listName: 'the NIS 2 sectors of GET /api/v1/options' })
    nis2Sector?: string | null;

    @Nullable(
      () => [ComplianceFrameworkInput],
      'Frameworks to name, each once. Metadata only: no workflow is associated by it.',
    )
    @List({ max: LIMITS.organization.complianceFrameworks, uniqueBy: 'value' })
    complianceFrameworks?: ComplianceFrameworkInput[] | null;

    // Specification 2.2.
    @Nullable(() => InfrastructureEnum, 'Where its systems run.')
    @Constrained({ orEmpty: true })
    infrastructure?: string | null;

    @Nullable(() => [ContactInput], 'Persons to turn to.')
    @List({ max: LIMITS.organization.contacts })
    contacts?: ContactInput[] | null;

    @Nullable(() => [String], 'Domains that the organization owns, as hostnames.')
    @List({
      max: LIMITS.organization.domains,
      items: text({ max: LIMITS.organization.domainCharacters, format: 'hostname' }),
    })
    domains?: string[] | null;

    @Nullable(() => [String], 'Public IPv4 addresses in dotted form.')
    @List({ max: LIMITS.organization.ips, items: text({ max: LIMITS.organization.ipCharacters, format: 'ipv4' }) })
    ips?: string[] | null;
  }
  return OrganizationProfileInput;
}

// Specification 2.2, 4.1.
@InputType({
  description: 'A new organization. Only its name is required; absent and null both mean empty.',
})
export class CreateOrganizationInput extends profileInput(Field(() => String, 'Common name.')) {
  @Nullable(
    () => Boolean,
    `Whether it is a sandbox, which it then stays: in no figure over organizations, its mails and events marked. A user may own ${LIMITS.sandbox.perUser}.`,
  )
  sandbox?: boolean | null;
}

@InputType({
  description:
    'What to change of an organization. An absent field stays as it is, null empties it; a list is replaced as a whole. Each field has the rules that it has on creation.',
})
export class UpdateOrganizationInput extends profileInput(
  Nullable(() => String, 'Common name; not null.'),
  { notNull: true, sentences: { null: 'is required' } },
) {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;

  @ExpectedVersion
  version?: number | null;
}

@Rule(nis2NeedsEntityType, NIS2_PUBLISHED)
// Specification 2.2, framework object.
@InputType({ description: 'A compliance framework to name.' })
export class ComplianceFrameworkInput {
  @Field(() => ComplianceFrameworkValueEnum, 'Which framework.')
  value!: string;

  @Field(
    () => JsonObjectScalar,
    'Metadata: `extensions`, and `entity_type`, which `NIS2` requires. Extra properties are kept as sent.',
  )
  @Constrained({ json: FRAMEWORK_JSON, properties: FRAMEWORK_FIELDS })
  fields!: Plain<Record<string, unknown>>;
}

@Rule(contactHasAddress, CONTACT_PUBLISHED)
// Specification 2.2, contact object.
@InputType({ description: 'A person to turn to.' })
export class ContactInput {
  @Nullable(() => String, 'Contact name.')
  @Text({ max: LIMITS.organization.contactTextCharacters })
  name?: string | null;

  @Nullable(() => String, 'Contact role.')
  @Text({ max: LIMITS.organization.contactTextCharacters })
  role?: string | null;

  @Nullable(() => String, 'E-mail address. Must be set when `phone` is empty.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email', orEmpty: 'blank' })
  email?: string | null;

  @Nullable(() => String, 'Telephone number. Must be set when `email` is empty.')
  @Text({ max: LIMITS.organization.phoneCharacters })
  phone?: string | null;

  @Nullable(() => Boolean, 'Whether to send the automatic weekly report by e-mail. Then `email` must be set.')
  emailReport?: boolean | null;
}

@InputType({ description: 'Which organizations to list. All conditions hold at once.' })
export class OrganizationFilter {
  @Nullable(() => String, 'Only organizations whose name contains this text; case and accents make no difference.')
  @Text({ max: LIMITS.search.filterCharacters })
  search?: string | null;

  @Nullable(() => RoleEnum, 'Only organizations in which the caller has exactly this role.')
  @OfMember
  role?: Role | null;

  @Nullable(
    () => Boolean,
    'True lists the organizations that the caller may restore: its own that were deleted in the last 30 days. Otherwise those that exist.',
  )
  deleted?: boolean | null;
}

export type OrganizationOrder = InstanceType<typeof OrganizationOrder>;
export const OrganizationOrder = orderOf(
  'Organization',
  'organizations',
  enumeration('OrganizationSortField', 'What a list of organizations is ordered by.', {
    NAME: 'By name.',
    CREATED_AT: 'By when they were created.',
  }),
);

@InputType()
abstract class OrganizationIdInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;
}

/** The key of an organization, and the version that a change is made to. */
@InputType()
abstract class VersionedOrganizationInput extends OrganizationIdInput {
  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'An organization to delete.' })
export class DeleteOrganizationInput extends VersionedOrganizationInput {}

@InputType({ description: 'A deleted organization to bring back.' })
export class RestoreOrganizationInput extends OrganizationIdInput {}

@InputType({ description: 'A sandbox to empty and to fill with example data.' })
export class ResetSandboxInput extends VersionedOrganizationInput {}

@InputType({ description: 'Who is to own an organization in the place of the caller.' })
export class TransferOwnershipInput extends OrganizationIdInput {
  @Field(() => ID, 'A member of it: the id of the user.')
  userId!: string;
}

@InputType({ description: 'An organization to leave.' })
export class LeaveOrganizationInput extends OrganizationIdInput {}

@InputType()
abstract class OrganizationLogoInput {
  @Field(() => SafeIntScalar, 'The organization that has the logo.')
  organizationId!: number;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'A logo for an organization.' })
export class SetOrganizationLogoInput extends OrganizationLogoInput {
  @Field(() => UploadScalar, 'The logo: PNG, JPEG or WebP, 1 MB at most.')
  file!: Plain<IncomingFile>;
}

@InputType({ description: 'A logo to remove.' })
export class RemoveOrganizationLogoInput extends OrganizationLogoInput {}

@InputType({ description: 'Settings to change. An absent one stays as it is, null is what it was at first.' })
export class UpdateOrganizationSettingsInput extends VersionedOrganizationInput {
  @Nullable(() => String, 'IANA name of a time zone, such as `Europe/Rome`.')
  @Text({ max: LIMITS.organization.timeZoneCharacters, format: 'time-zone', orEmpty: true })
  timeZone?: string | null;

  @Nullable(() => String, 'Tag of a language that the gateway has (`languages` of the form options), such as `it`.')
  @Constrained({ format: 'language', orEmpty: true })
  language?: string | null;

  @Nullable(() => String, 'ISO 3166-1 alpha-2 code of the country whose law applies to it, such as `IT`.')
  @Text({ max: 2, format: 'country', orEmpty: true })
  country?: string | null;

  @Nullable(() => Boolean, 'Whether it provides trust services (Regulation (EU) 910/2014).')
  trustServiceProvider?: boolean | null;

  @Nullable(
    () => Boolean,
    'Whether it is a qualified trust service provider (Regulation (EU) 910/2014, Article 24); not true unless `trustServiceProvider` is.',
  )
  qualifiedTrustServiceProvider?: boolean | null;

  @Nullable(
    () => DateScalar,
    'First day on which it has to report under NIS 2, where its law gives it one of its own, as in Italy nine months after the notice of listing.',
  )
  nis2ReportingFrom?: string | null;

  @Nullable(() => Int, 'Weekday of the weekly report; 1 is Monday, 7 is Sunday.')
  @Constrained({ minimum: 1, maximum: 7, sentences: WEEKDAY })
  reportWeekday?: number | null;

  @Nullable(() => Boolean, 'Whether a token may come as a query parameter.')
  queryTokenAllowed?: boolean | null;

  @Nullable(() => Boolean, 'Whether its events are sent to webhook endpoints of the users who manage it.')
  userWebhooksAllowed?: boolean | null;

  @Nullable(
    () => Int,
    'Days after which entries of the audit trail are removed; null keeps them. Requires ORGANIZATION_OWNER.',
  )
  @Constrained({
    minimum: LIMITS.organization.minAuditRetentionDays,
    maximum: LIMITS.organization.maxAuditRetentionDays,
  })
  auditRetentionDays?: number | null;

  @Nullable(
    () => String,
    'Mail address of a witness, who gets a signed checkpoint of the audit trail each day; null for none. Requires ORGANIZATION_OWNER.',
  )
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email', orEmpty: true })
  auditWitnessEmail?: string | null;
}

@InputType({
  description:
    'How an organization is to look. An absent field stays as it is, null is the default; both null is the default branding.',
})
export class UpdateBrandingInput extends VersionedOrganizationInput {
  @Nullable(() => String, 'Palette name.')
  @Text({ max: LIMITS.branding.paletteCharacters, trim: true, orEmpty: true })
  palette?: string | null;

  @Nullable(() => CustomColorsInput, 'The three colours, replaced as a whole.')
  customColors?: CustomColorsInput | null;
}

@InputType({
  description:
    'Colours as `#RRGGBB`. White text has to be readable on each: a contrast of at least 4.5 (WCAG 2.2, 1.4.3).',
})
export class CustomColorsInput {
  @Field(() => String, 'Primary colour.')
  @Constrained({ format: 'color' })
  primary!: string;

  @Nullable(() => String, 'Primary colour under the pointer; absent or null, 86 % of each channel of the primary one.')
  @Constrained({ format: 'color' })
  primaryHover?: string | null;

  @Nullable(() => String, 'Primary colour in its dark shade; absent or null, 54 % of each channel of the primary one.')
  @Constrained({ format: 'color' })
  primaryDark?: string | null;
}
