import type { ColumnMap } from '../database/projection.js';

/**
 * How an organization is read, wherever it stands in a statement (specification 2.2 and 2.5). A logo of our own is
 * stored as a path; the public address comes before it, so that the address may change without touching rows.
 */
export function organizationColumns(alias: string, publicUrl: string) {
  const prefix = `'${publicUrl.replaceAll("'", "''")}'`;
  return {
    id: `${alias}.id`,
    name: `${alias}.name`,
    description: `${alias}.description`,
    numberEmployees: `${alias}.number_employees`,
    website: `${alias}.website`,
    logo: `case when ${alias}.logo like '/%' then ${prefix} || ${alias}.logo else ${alias}.logo end`,
    sectors: `${alias}.sectors`,
    industries: `${alias}.industries`,
    nis2Sector: `${alias}.nis2_sector`,
    complianceFrameworks: `${alias}.compliance_frameworks`,
    infrastructure: `${alias}.infrastructure`,
    contacts: `${alias}.contacts`,
    domains: `${alias}.domains`,
    ips: `${alias}.ips`,
    version: `${alias}.version`,
    createdAt: `${alias}.created_at`,
    updatedAt: `${alias}.updated_at`,
  } satisfies ColumnMap;
}
