import { propertiesOf } from '../../database/columns.js';
import { projected, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { tables, type Tables } from '../../entities/index.js';

/** Tables whose rows name their organization. */
export type OrganizationTable = {
  [Name in keyof Tables]: Tables[Name] extends { organization_id: unknown } ? Name : never;
}[keyof Tables];

export const ORGANIZATION_TABLES = (Object.keys(tables) as (keyof Tables)[]).filter((name): name is OrganizationTable =>
  propertiesOf(name).includes('organizationId'),
);

const o = table('organization', 'o');

/**
 * The selection of an organization `o` in any statement (specification 2.2 and 2.5). A stored logo is a path, which the
 * public address is prefixed to, so that the address may change without touching rows.
 */
export function organizationColumns(publicUrl: string) {
  return {
    ...properties(o, 'id', 'name', 'description', 'number_employees', 'website'),
    logo: sql`case when ${o.logo} like '/%' then ${publicUrl} || ${o.logo} else ${o.logo} end`,
    ...properties(o, 'sectors', 'industries', 'nis2_sector', 'compliance_frameworks', 'infrastructure', 'contacts'),
    ...properties(o, 'domains', 'ips', 'sandbox', 'version', 'created_at', 'updated_at'),
  };
}

/** The kind of entity under NIS 2 by the organization `o`'s profile. */
export const NIS2_ENTITY = sql<string | null>`(
  select framework -> 'fields' ->> 'entity_type' from jsonb_array_elements(${o.compliance_frameworks}) framework
   where framework ->> 'value' = 'NIS2' limit 1)`;

export const byId = projected<{ id: number }>()((p, { select }) =>
  db.selectFrom('organization as o').select(select).where('o.id', '=', p('id')),
);

export const nameAndZone = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('organization').select(['name', 'time_zone as timeZone']).where('id', '=', p('organizationId')),
);
