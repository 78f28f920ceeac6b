import type { Queryable } from '../database/database.js';
import type { CustomColors } from '../entities/organization.js';
import { notFound, preconditionFailed } from '../errors.js';
import type { NewOrganization } from './organizations.js';

/** What can be written of an organization's row. */
export interface OrganizationValues extends NewOrganization {
  /** Null means the default (specification 4.9), as for the colours. */
  palette: string | null;
  customColors: CustomColors | null;
  timeZone: string;
  reportWeekday: number;
  queryTokenAllowed: boolean;
  deletedAt: Date | null;
  restoredAt: Date;
  logoBytes: number;
}

/** An organization whose changes wait for this one. */
export interface HeldOrganization {
  name: string;
  logo: string;
  version: number;
}

/**
 * Holds an organization for the rest of the transaction: its row, who its members are and who owns it change one at a
 * time. Reading it does not wait. Throws NOT_FOUND, and PRECONDITION_FAILED when it has another version than the caller saw.
 */
export async function holdOrganization(tx: Queryable, id: number, version?: number | null): Promise<HeldOrganization> {
  const [held] = await tx.rows<HeldOrganization & { [column: string]: unknown }>(
    'select name, logo, version from organization where id = $1 and deleted_at is null for no key update',
    [id],
  );
  if (held === undefined) throw notFound();
  if (version != null && version !== held.version) throw preconditionFailed();
  return held;
}

/** Writes what is given and moves the version. Call it only for an organization that the transaction holds. */
export async function writeOrganization(
  tx: Queryable,
  id: number,
  values: Partial<OrganizationValues>,
  now: Date,
): Promise<void> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined) as [
    keyof OrganizationValues,
    unknown,
  ][];
  const sets = given.map(([field], index) => `${COLUMNS[field]} = $${index + 3}, `).join('');
  await tx.rows(`update organization set ${sets}version = version + 1, updated_at = $2 where id = $1`, [
    id,
    now,
    ...given.map(([field, value]) => (JSON_FIELDS.has(field) && value !== null ? JSON.stringify(value) : value)),
  ]);
}

const COLUMNS: Readonly<Record<keyof OrganizationValues, string>> = {
  name: 'name',
  description: 'description',
  numberEmployees: 'number_employees',
  website: 'website',
  logo: 'logo',
  logoBytes: 'logo_bytes',
  sectors: 'sectors',
  industries: 'industries',
  nis2Sector: 'nis2_sector',
  complianceFrameworks: 'compliance_frameworks',
  infrastructure: 'infrastructure',
  contacts: 'contacts',
  domains: 'domains',
  ips: 'ips',
  palette: 'palette',
  customColors: 'custom_colors',
  timeZone: 'time_zone',
  reportWeekday: 'report_weekday',
  queryTokenAllowed: 'query_token_allowed',
  deletedAt: 'deleted_at',
  restoredAt: 'restored_at',
};

const JSON_FIELDS: ReadonlySet<keyof OrganizationValues> = new Set([
  'complianceFrameworks',
  'contacts',
  'customColors',
]);
