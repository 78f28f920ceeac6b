import { ENTITY_TYPES, FRAMEWORK_EXTENSIONS, FRAMEWORK_VALUES, type FrameworkValue } from '../vocabulary/frameworks.js';
import { INDUSTRIES, type Industry } from '../vocabulary/industries.js';
import { INFRASTRUCTURES, type Infrastructure } from '../vocabulary/infrastructures.js';
import { LIMITS } from '../vocabulary/limits.js';
import { NIS2_SECTORS, type Nis2Sector } from '../vocabulary/nis2-sectors.js';
import { SECTORS, type Sector } from '../vocabulary/sectors.js';
import { visibleText } from '../vocabulary/visible-text.js';
import { FaultCollector } from './fault-collector.js';
import { isEmailAddress, isHostname, isHttpUrl, isIpv4 } from './formats.js';
import {
  flag,
  formatted,
  freeJson,
  isAbsent,
  isJsonRecord,
  type JsonRecord,
  listOf,
  multilineText,
  oneOf,
  optional,
  optionalText,
  required,
  type Rule,
  shape,
  text,
  trimmedText,
  wholeNumber,
} from './rules.js';

export interface NormalizedContact {
  name: string;
  role: string;
  email: string;
  phone: string;
  emailReport: boolean;
}

export interface NormalizedFramework {
  value: FrameworkValue;
  /** As sent, key for key: the spelling inside is the sender's and is never renamed. */
  fields: JsonRecord;
}

/** An organization as it is stored. What was not sent is empty ('' / [] / null for a number), never invented. */
export interface NormalizedOrganization {
  name: string;
  description: string;
  numberEmployees: number | null;
  website: string;
  logo: string;
  sectors: Sector[];
  industries: Industry[];
  nis2Sector: Nis2Sector;
  complianceFrameworks: NormalizedFramework[];
  infrastructure: Infrastructure | '';
  contacts: NormalizedContact[];
  domains: string[];
  ips: string[];
}

/**
 * Every fault of an organization on creation (specification 2.2, decisions 5), in the specification's field order, at
 * most MAX_FAULTS. `input` is raw JSON in the REST spelling. Null means absent, and so does the empty string of an
 * optional text.
 */
export function organizationFaults(input: unknown): string[] {
  const faults = new FaultCollector('organization');
  organizationShape(input, faults, []);
  return faults.messages;
}

/**
 * The organization to store. Call it only with input that has no faults. Items sent twice in `sectors`, `industries`,
 * `domains` or `ips` are kept once, at their first place: a careless list must not break an integrator.
 */
export function normalizeOrganization(input: unknown): NormalizedOrganization {
  const sent = input as JsonRecord;
  return {
    name: visibleText(sent.name as string).trim(),
    description: textOf(sent.description),
    numberEmployees: isAbsent(sent.number_employees) ? null : (sent.number_employees as number) + 0, // -0 becomes 0.
    website: textOf(sent.website),
    logo: textOf(sent.logo),
    sectors: distinct(sent.sectors as Sector[]),
    industries: distinct(sent.industries as Industry[]),
    nis2Sector: textOf(sent.nis2_sector) as Nis2Sector,
    complianceFrameworks: listed(sent.compliance_frameworks).map(normalizeFramework),
    infrastructure: textOf(sent.infrastructure) as Infrastructure | '',
    contacts: listed(sent.contacts).map(normalizeContact),
    domains: distinct(listed<string>(sent.domains).map((domain) => domain.toLowerCase())),
    ips: distinct(sent.ips as string[]),
  };
}

const MAX = LIMITS.organization;

const url = formatted(MAX.urlCharacters, isHttpUrl, 'must be an absolute http or https URL without credentials');
const emailFormat = formatted(MAX.emailCharacters, isEmailAddress, 'must be an e-mail address');

/** The address is asked for by its neighbours, so its rule looks at the whole contact. */
const email: Rule = (value, faults, owner) => {
  if (!isEmptyText(value)) return emailFormat(value, faults, owner);
  const contact = owner as JsonRecord;
  if (isEmptyText(contact.phone)) faults.add('must be set when phone is empty');
  if (contact.email_report === true) faults.add('must be set when email_report is true');
};

const contact = shape({
  name: optional(text(MAX.contactTextCharacters)),
  role: optional(text(MAX.contactTextCharacters)),
  email,
  phone: optional(text(MAX.phoneCharacters)),
  email_report: optional(flag),
});

const entityType = oneOf(ENTITY_TYPES);

/** Extensions and entity type are checked whichever the framework is; only NIS2 cannot do without its entity type. */
const frameworkFields: Rule = shape(
  {
    extensions: optional(listOf('strings', MAX.extensions, oneOf(FRAMEWORK_EXTENSIONS))),
    entity_type: optional(entityType),
  },
  freeJson(MAX.frameworkFieldsLevels, MAX.frameworkFieldsBytes),
);

const nis2Fields: Rule = (value, faults, owner) => {
  if (isAbsent(value)) faults.add('is required');
  else frameworkFields(value, faults, owner);
  const fields = isAbsent(value) ? {} : value;
  if (isJsonRecord(fields) && isAbsent(fields.entity_type)) {
    faults.addAt('entity_type', 'is required when value is NIS2');
  }
};

const otherFields = required(frameworkFields);

const framework = shape({
  value: required(oneOf(FRAMEWORK_VALUES)),
  fields: (value, faults, owner) =>
    ((owner as JsonRecord).value === 'NIS2' ? nis2Fields : otherFields)(value, faults, owner),
});

const frameworkList = listOf('objects', MAX.complianceFrameworks, framework);

/** Two entries for one framework would contradict each other: nobody could say which of them is true. */
const frameworks: Rule = (value, faults, owner) => {
  frameworkList(value, faults, owner);
  if (!Array.isArray(value)) return;
  const seen = new Set<unknown>();
  value.slice(0, MAX.complianceFrameworks).forEach((item: unknown, index) => {
    if (!isJsonRecord(item) || !KNOWN_FRAMEWORKS.has(item.value)) return;
    if (seen.has(item.value)) faults.at(index, item, refuseRepeated, value);
    seen.add(item.value);
  });
};

const KNOWN_FRAMEWORKS: ReadonlySet<unknown> = new Set(FRAMEWORK_VALUES);
const refuseRepeated: Rule = (_item, faults) => faults.addAt('value', 'must not be given twice');

/** What each field of an organization has to keep, in the specification's order. */
export const organizationRules = {
  name: required(trimmedText(MAX.nameCharacters)),
  description: optional(multilineText(MAX.descriptionCharacters)),
  number_employees: optional(wholeNumber(MAX.maxEmployees)),
  website: optionalText(url),
  logo: optionalText(url),
  sectors: optional(listOf('strings', MAX.sectors, oneOf(SECTORS, 'the sectors of the specification'))),
  industries: optional(listOf('strings', MAX.industries, oneOf(INDUSTRIES, 'the industries of the specification'))),
  nis2_sector: optional(oneOf(NIS2_SECTORS, 'the NIS 2 sectors of the specification')),
  compliance_frameworks: optional(frameworks),
  infrastructure: optionalText(oneOf(INFRASTRUCTURES)),
  contacts: optional(listOf('objects', MAX.contacts, contact)),
  domains: optional(listOf('strings', MAX.domains, formatted(MAX.domainCharacters, isHostname, 'must be a hostname'))),
  ips: optional(listOf('strings', MAX.ips, formatted(MAX.ipCharacters, isIpv4, 'must be a dotted IPv4 address'))),
} satisfies Record<string, Rule>;

const organizationShape = shape(organizationRules);

/** White space is no address and no number. Another type than text is not "empty": it gets its own fault. */
function isEmptyText(value: unknown): boolean {
  return isAbsent(value) || (typeof value === 'string' && value.trim() === '');
}

function normalizeFramework(sent: JsonRecord): NormalizedFramework {
  return { value: sent.value as FrameworkValue, fields: sent.fields as JsonRecord };
}

function normalizeContact(sent: JsonRecord): NormalizedContact {
  return {
    name: visibleText(textOf(sent.name)),
    role: visibleText(textOf(sent.role)),
    email: textOf(sent.email).trim(),
    phone: visibleText(textOf(sent.phone)),
    emailReport: sent.email_report === true,
  };
}

function textOf(value: unknown): string {
  return isAbsent(value) ? '' : (value as string);
}

function listed<Item = JsonRecord>(value: unknown): Item[] {
  return isAbsent(value) ? [] : (value as Item[]);
}

function distinct<Item>(items: Item[] | undefined | null): Item[] {
  return [...new Set(items)];
}
