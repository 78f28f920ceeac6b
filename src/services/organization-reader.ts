import type { Queryable } from '../database/database.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { Selection } from '../vocabulary/selection.js';
import { organizationColumns } from './organization-columns.js';

/** Reads the record of an organization without asking whether the caller may: for who has asked already. */
export class OrganizationReader {
  private readonly projection: Projection;

  constructor(publicUrl: string) {
    this.projection = new Projection(organizationColumns('o', publicUrl));
  }

  /** What is read of `organization o` for a selection. */
  shapeOf(asked: Selection) {
    return this.projection.of(asked);
  }

  /** The record, deleted or not: in the transaction that deletes it, it is answered as well. Throws NOT_FOUND. */
  async byId(database: Queryable, id: number, asked: Selection): Promise<object> {
    const shape = this.projection.of(asked);
    const [record] = await database.rows(`select ${shape.select} from organization o where o.id = $1`, [id]);
    if (record === undefined) throw notFound();
    return record;
  }
}
