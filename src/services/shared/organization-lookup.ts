import { isUuid } from '../../common/formats.js';
import { toSnakeCase } from '../../common/naming.js';
import { keyOf } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { tables } from '../../entities/index.js';
import { notFound } from '../../errors.js';
import { ORGANIZATION_TABLES, type OrganizationTable } from './organization-columns.js';

type Id = number | string;

/** Each table has both columns; the table of incidents represents them all. */
const ofRecord = (table: OrganizationTable, key: string) =>
  statement<{ id: never }>()((p) =>
    db
      .selectFrom(table as 'incident')
      .select('organization_id as organizationId')
      .where(toSnakeCase(key) as 'id', '=', p('id'))
      .$castTo<{ organizationId: number | null }>(),
  );

/** By entity name: each table whose rows have an organization, with one identifying property. */
const STATEMENTS = new Map(
  ORGANIZATION_TABLES.flatMap((table) => {
    const [key, ...more] = keyOf(table);
    if (key === undefined || key === 'organizationId' || more.length > 0) return [];
    return [[tables[table].meta.className as string, ofRecord(table, key)] as const];
  }),
);

/**
 * Finds the organization of a record for requests that name the record alone. It does not authorize: the use case
 * called with the organization does, and inaccessible records look absent there as well.
 */
export class OrganizationLookup {
  constructor(private readonly database: Database) {}

  /**
   * By the type of the record, which is the name of its entity. Undefined for types without organization, null for a record
   * of a user. Throws NOT_FOUND for a record that does not exist.
   */
  of(type: string | undefined, id: Id): Promise<number | null> | undefined {
    const one = type === undefined ? undefined : STATEMENTS.get(type);
    return one && this.read(one, id);
  }

  private async read(one: ReturnType<typeof ofRecord>, id: Id): Promise<number | null> {
    const known = typeof id === 'number' || isUuid(id);
    // A request for the past names a record that exists now.
    const row = known
      ? await this.database.past.present(() => one.first(this.database, { id: id as never }))
      : undefined;
    if (row === undefined) throw notFound();
    return row.organizationId;
  }
}
