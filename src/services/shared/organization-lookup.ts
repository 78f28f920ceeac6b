import { isUuid } from '../../common/formats.js';
import { toSnakeCase } from '../../common/naming.js';
import { keyOf } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { tables } from '../../entities/index.js';
import { notFound } from '../../errors.js';
import { ORGANIZATION_TABLES, type OrganizationTable } from './organization-columns.js';

type Id = number | string;

/** Each table has both columns; that of incidents stands for all of them. */
const ofRecord = (table: OrganizationTable, key: string) =>
  statement<{ id: never }>()((p) =>
    db
      .selectFrom(table as 'incident')
      .select('organization_id as organizationId')
      .where(toSnakeCase(key) as 'id', '=', p('id'))
      .$castTo<{ organizationId: number | null }>(),
  );

/** By the names of entities: of each table whose rows have an organization, and one other property that identifies them. */
const STATEMENTS = new Map(
  ORGANIZATION_TABLES.flatMap((table) => {
    const [key, ...more] = keyOf(table);
    if (key === undefined || key === 'organizationId' || more.length > 0) return [];
    return [[tables[table].meta.className as string, ofRecord(table, key)] as const];
  }),
);

/**
 * Finds the organization that has a record, where a request names the record alone. It authorizes nothing: the use case
 * that is called with the organization does, and a record of others looks absent there as well.
 */
export class OrganizationLookup {
  constructor(private readonly database: Database) {}

  /**
   * By the type of the record, which is called as its entity is. Undefined for types of no organization, null for what is a
   * user's. Throws NOT_FOUND for a record that does not exist.
   */
  of(type: string | undefined, id: Id): Promise<number | null> | undefined {
    const one = type === undefined ? undefined : STATEMENTS.get(type);
    return one && this.read(one, id);
  }

  private async read(one: ReturnType<typeof ofRecord>, id: Id): Promise<number | null> {
    const known = typeof id === 'number' || isUuid(id);
    // A request about the past names what is there now.
    const row = known
      ? await this.database.past.present(() => one.first(this.database, { id: id as never }))
      : undefined;
    if (row === undefined) throw notFound();
    return row.organizationId;
  }
}
