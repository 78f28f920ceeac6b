import { badUserInput } from '../errors.js';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import { normalizeOrganizationChange, organizationChangeFaults } from './organization-change.rules.js';
import { normalizeOrganization, organizationFaults, type NormalizedOrganization } from './organization.rules.js';

/**
 * Reads an organization as the GraphQL door has it: the rules speak REST's spelling, so that both doors tell a fault in
 * the same words. Throws BAD_USER_INPUT with all faults.
 */
export function readOrganizationInput(input: object): {
  organization: NormalizedOrganization;
  logoFile: IncomingFile | null;
} {
  const { fields, logoFile } = organizationFields(input as Record<string, unknown>);
  const faults = organizationFaults(fields);
  if (faults.length > 0) throw badUserInput(faults);
  return {
    organization: normalizeOrganization(fields),
    logoFile: (logoFile as IncomingFile | null | undefined) ?? null,
  };
}

/** What of an organization is to become otherwise, in the same way. Throws BAD_USER_INPUT with all faults. */
export function readOrganizationChange(input: object): {
  change: Partial<NormalizedOrganization>;
  logoFile: IncomingFile | null;
} {
  const { fields, logoFile } = changedFields(input as Record<string, unknown>);
  const faults = organizationChangeFaults(fields);
  if (faults.length > 0) throw badUserInput(faults);
  return {
    change: normalizeOrganizationChange(fields),
    logoFile: (logoFile as IncomingFile | null | undefined) ?? null,
  };
}

/** Faults of raw variables, for when the types have refused them already: then all faults are told, theirs as well. */
export function organizationInputFaults(input: unknown): string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return organizationFaults(input);
  return organizationFaults(organizationFields(input as Record<string, unknown>).fields);
}

/** The same of a change. */
export function organizationChangeInputFaults(input: unknown): string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return organizationChangeFaults(input);
  return organizationChangeFaults(changedFields(input as Record<string, unknown>).fields);
}

/** Which organization, and in which state, is no field of it. */
function changedFields({ id: _id, version: _version, ...input }: Record<string, unknown>) {
  return organizationFields(input);
}

function organizationFields(input: Record<string, unknown>): { fields: unknown; logoFile: unknown } {
  const { logoFile, ...fields } = input;
  return { fields: respell(fields, ORGANIZATION), logoFile };
}

interface Spelling {
  readonly names: ReadonlyMap<string, string>;
  readonly below: ReadonlyMap<string, Spelling>;
}

const CONTACT: Spelling = { names: new Map([['emailReport', 'email_report']]), below: new Map() };

/** Only declared fields are respelled; what a framework's `fields` holds is the sender's own. */
const ORGANIZATION: Spelling = {
  names: new Map([
    ['numberEmployees', 'number_employees'],
    ['nis2Sector', 'nis2_sector'],
    ['complianceFrameworks', 'compliance_frameworks'],
  ]),
  below: new Map([['contacts', CONTACT]]),
};

function respell(value: unknown, spelling: Spelling): unknown {
  // Lists hold objects; a list in a list is a fault, however deep it goes.
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? item : respell(item, spelling)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const below = spelling.below.get(key);
      return [spelling.names.get(key) ?? key, below ? respell(item, below) : item];
    }),
  );
}
