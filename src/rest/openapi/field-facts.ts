import { DOCUMENT_SOURCES } from '../../vocabulary/document-sources.js';
import { ENTITY_TYPES, FRAMEWORK_EXTENSIONS, FRAMEWORK_VALUES } from '../../vocabulary/frameworks.js';
import { INDUSTRIES } from '../../vocabulary/industries.js';
import { INFRASTRUCTURES } from '../../vocabulary/infrastructures.js';
import { LIMITS } from '../../vocabulary/limits.js';
import { NIS2_SECTORS } from '../../vocabulary/nis2-sectors.js';
import { SECTORS } from '../../vocabulary/sectors.js';
import { DEVICE_FACTS, DEVICE_INPUT_FACTS } from './device-facts.js';
import { orNull, ref, type Json } from './json-schema.js';

/** The value lists of specification 2.2, each said once. */
export const VALUE_LISTS: Json = {
  Sector: { type: 'string', description: 'A sector, in exact spelling.', enum: SECTORS },
  Industry: { type: 'string', description: 'An industry, in exact spelling.', enum: INDUSTRIES },
  Nis2Sector: { type: 'string', description: 'A NIS 2 sector, in exact spelling; may be empty.', enum: NIS2_SECTORS },
};

/** What is known of fields beyond their GraphQL types: formats, values, limits. By `Type.field`. */
export const FIELD_FACTS: Readonly<Record<string, Json>> = {
  'OrganizationUser.userId': { format: 'uuid' },
  'OrganizationUser.email': { format: 'email' },
  'Invitation.email': { format: 'email' },
  'InvitationPreview.email': { format: 'email' },
  'AcceptInvitationPayload.userId': { format: 'uuid' },
  'AcceptInvitationPayload.email': { format: 'email' },
  'OrganizationApiToken.userId': { format: 'uuid' },
  'User.id': { format: 'uuid' },
  'User.email': { format: 'email' },
  'DocumentVersion.source': { enum: DOCUMENT_SOURCES },
  'DocumentVersion.downloadUrl': { format: 'uri' },
  'DocumentVersion.sha256': { pattern: '^[0-9a-f]{64}$' },
  'IncidentAttachment.downloadUrl': { format: 'uri' },
  ...DEVICE_FACTS,
  'OrganizationSettings.reportWeekday': { minimum: 1, maximum: 7 },
  'Organization.sectors': { items: ref('schemas', 'Sector') },
  'Organization.industries': { items: ref('schemas', 'Industry') },
  'Organization.nis2Sector': ref('schemas', 'Nis2Sector'),
  'Organization.infrastructure': { enum: ['', ...INFRASTRUCTURES] },
  'Organization.domains': { items: { type: 'string', format: 'hostname' } },
  'Organization.ips': { items: { type: 'string', format: 'ipv4' } },
  'ComplianceFramework.value': { enum: FRAMEWORK_VALUES },
};

const MAX = LIMITS.organization;
const ADDRESS_OR_NONE: Json = {
  anyOf: [{ type: 'string', format: 'uri', maxLength: MAX.urlCharacters }, { enum: ['', null] }],
};
const COLOR = '^#[0-9A-Fa-f]{6}$';

/** The same for what is sent (specification 2.2, decisions §5). */
export const INPUT_FACTS: Readonly<Record<string, Json>> = {
  ...DEVICE_INPUT_FACTS,
  'MarkNotificationsReadInput.ids': { minItems: 1, maxItems: LIMITS.notification.maxMarked },
  ...organizationFacts('CreateOrganizationInput'),
  ...organizationFacts('UpdateOrganizationInput'),
  'UpdateOrganizationSettingsInput.timeZone': { maxLength: MAX.timeZoneCharacters },
  'UpdateOrganizationSettingsInput.reportWeekday': { minimum: 1, maximum: 7 },
  'CustomColorsInput.primary': { pattern: COLOR },
  'CustomColorsInput.primaryHover': { pattern: COLOR },
  'CustomColorsInput.primaryDark': { pattern: COLOR },
  'ComplianceFrameworkInput.value': { enum: FRAMEWORK_VALUES },
  'ComplianceFrameworkInput.fields': {
    properties: {
      extensions: {
        type: ['array', 'null'],
        description: 'Extensions of ISO 27001.',
        maxItems: MAX.extensions,
        items: { type: 'string', enum: FRAMEWORK_EXTENSIONS },
      },
      entity_type: {
        type: ['string', 'null'],
        description: 'Required when `value` is `NIS2`.',
        enum: [...ENTITY_TYPES, null],
      },
    },
  },
  'ContactInput.name': { maxLength: MAX.contactTextCharacters },
  'ContactInput.role': { maxLength: MAX.contactTextCharacters },
  'ContactInput.email': {
    anyOf: [{ type: 'string', format: 'email', maxLength: MAX.emailCharacters }, { enum: ['', null] }],
  },
  'ContactInput.phone': { maxLength: MAX.phoneCharacters },
  'InviteMemberInput.email': { format: 'email', maxLength: MAX.emailCharacters },
  'AcceptInvitationInput.firstName': { maxLength: LIMITS.user.nameCharacters },
  'AcceptInvitationInput.lastName': { maxLength: LIMITS.user.nameCharacters },
  'CreateApiTokenInput.name': { minLength: 1 },
  'CreateApiTokenInput.scopes': { minItems: 1 },
  'CreateApiTokenInput.allowedIps': { maxItems: LIMITS.token.maxNetworks },
  'RotateApiTokenInput.graceHours': { minimum: 0, maximum: LIMITS.token.maxGraceHours },
  'UpdateProfileInput.firstName': { maxLength: LIMITS.user.nameCharacters },
  'UpdateProfileInput.lastName': { maxLength: LIMITS.user.nameCharacters },
};

function organizationFacts(input: string): Readonly<Record<string, Json>> {
  return {
    [`${input}.name`]: { minLength: 1 },
    [`${input}.description`]: { maxLength: MAX.descriptionCharacters },
    [`${input}.numberEmployees`]: { minimum: 0, maximum: MAX.maxEmployees },
    [`${input}.website`]: ADDRESS_OR_NONE,
    [`${input}.logo`]: ADDRESS_OR_NONE,
    [`${input}.sectors`]: { maxItems: MAX.sectors, items: ref('schemas', 'Sector') },
    [`${input}.industries`]: { maxItems: MAX.industries, items: ref('schemas', 'Industry') },
    [`${input}.nis2Sector`]: orNull(ref('schemas', 'Nis2Sector')),
    [`${input}.complianceFrameworks`]: { maxItems: MAX.complianceFrameworks },
    [`${input}.infrastructure`]: { enum: [...INFRASTRUCTURES, '', null] },
    [`${input}.contacts`]: { maxItems: MAX.contacts },
    [`${input}.domains`]: { maxItems: MAX.domains, items: { type: 'string', format: 'hostname' } },
    [`${input}.ips`]: { maxItems: MAX.ips, items: { type: 'string', format: 'ipv4' } },
  };
}

const filled = { type: 'string', minLength: 1 };

/** Rules that look at more than one field of an object (specification 2.2). By the type's name. */
export const INPUT_RULES: Readonly<Record<string, Json>> = {
  WorkflowSourceInput: { required: ['text'] },
  WorkflowControlInput: { required: ['id', 'label', 'kind'] },
  ComplianceFrameworkInput: {
    if: { properties: { value: { const: 'NIS2' } } },
    then: { properties: { fields: { required: ['entity_type'], properties: { entity_type: { type: 'string' } } } } },
  },
  ContactInput: {
    anyOf: [
      { required: ['email'], properties: { email: filled } },
      { required: ['phone'], properties: { phone: filled } },
    ],
    if: { required: ['email_report'], properties: { email_report: { const: true } } },
    then: { required: ['email'], properties: { email: filled } },
  },
};
