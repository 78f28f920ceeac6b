import type { Selection } from '../../common/selection.js';
import type { Queryable } from '../../database/database.js';
import { projected, Projection } from '../../database/projection.js';
import { db } from '../../database/sql.js';
import { found } from '../../errors.js';
import { byId, organizationColumns } from './organization-columns.js';

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

  /** The record, deleted or not, so that it can be returned by the transaction that deletes it. Throws NOT_FOUND. */
  async byId(database: Queryable, id: number, selection: Selection): Promise<object> {
    return found(await byId(this.projection.of(selection)).first(database, { id }));
  }

  /** Records for `organization` fields of others: not read if only ids are selected. */
  async byIds(database: Queryable, ids: readonly number[], selection: Selection): Promise<Map<number, object>> {
    const shape = this.projection.of(selection);
    const records = new Map<number, object>(ids.map((id) => [id, { id }]));
    if (shape.bare || records.size === 0) return records;
    for (const record of await byIds(shape).all(database, { ids: [...records.keys()] })) records.set(record.id, record);
    return records;
  }
}
