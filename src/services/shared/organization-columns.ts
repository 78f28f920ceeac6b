import type { Selection } from '../../common/selection.js';
import type { Queryable } from '../../database/database.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { db, sql, table } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { found } from '../../errors.js';

/** Tables whose rows name their organization. */
export type OrganizationTable = {
  [Name in keyof Tables]: Tables[Name] extends { organization_id: unknown } ? Name : never;
}[keyof Tables];

const o = table('organization', 'o');

/**
 * How an organization `o` is read in any statement (specification 2.2 and 2.5). A logo of our own is stored as a path; the
 * public address comes before it, so that the address may change without touching rows.
 */
export function organizationColumns(publicUrl: string) {
  return {
    ...properties(o, 'id', 'name', 'description', 'number_employees', 'website'),
    logo: sql`case when ${o.logo} like '/%' then ${publicUrl} || ${o.logo} else ${o.logo} end`,
    ...properties(o, 'sectors', 'industries', 'nis2_sector', 'compliance_frameworks', 'infrastructure', 'contacts'),
    ...properties(o, 'domains', 'ips', 'sandbox', 'version', 'created_at', 'updated_at'),
  };
}

/** Which kind of entity under NIS 2 an organization `o` says that it is. */
export const NIS2_ENTITY = sql<string | null>`(
  select framework -> 'fields' ->> 'entity_type' from jsonb_array_elements(${o.compliance_frameworks}) framework
   where framework ->> 'value' = 'NIS2' limit 1)`;

const byId = projected<{ id: number }>()((p, { select }) =>
  db.selectFrom('organization as o').select(select).where('o.id', '=', p('id')),
);

const byIds = projected<{ ids: readonly number[] }>()((p, { select }) =>
  db
    .selectFrom('organization as o')
    .select(select)
    .where('o.id', '=', ({ fn }) => fn.any(p('ids')))
    .$castTo<{ id: number }>(),
);

/** Reads the records of organizations without authorizing. */
export class OrganizationReader {
  readonly projection: Projection;

  constructor(publicUrl: string) {
    this.projection = new Projection('Organization', organizationColumns(publicUrl));
  }

  /** The record, deleted or not: in the transaction that deletes it, it is answered as well. Throws NOT_FOUND. */
  async byId(database: Queryable, id: number, selection: Selection): Promise<object> {
    return found(await byId(this.projection.of(selection)).first(database, { id }));
  }

  /** The records of these, as `organization` of others: not read where nothing but ids is selected. */
  async byIds(database: Queryable, ids: readonly number[], selection: Selection): Promise<Map<number, object>> {
    const shape = this.projection.of(selection);
    const records = new Map<number, object>(ids.map((id) => [id, { id }]));
    if (shape.bare || records.size === 0) return records;
    for (const record of await byIds(shape).all(database, { ids: [...records.keys()] })) records.set(record.id, record);
    return records;
  }
}
