import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { rowsOfAll, type Page } from '../../database/cursor.js';
import type { Database, Queryable } from '../../database/database.js';
import type { Condition } from '../../database/list-conditions.js';
import type { Listing, ListQuery } from '../../database/list-query.js';
import { projected, type Projection } from '../../database/projection.js';
import { sql, type Expression } from '../../database/sql.js';
import { found } from '../../errors.js';

/** A record by its own id, optionally with its organization or incident. */
export interface RecordKey {
  id: number;
  organizationId?: number | null;
  incidentId?: number | null;
}

interface RecordSpec {
  from: Expression;
  id: Expression;
  /** The columns of a record's organization and incident. */
  parents: { organizationId: Expression; incidentId?: Expression };
  /** The rows that are readable by id, if not all are. */
  where?: Expression;
  projection: Projection;
  /** Privileges for one record and for the list of an organization. */
  privilege: Privilege;
}

/** Reads records of one kind, each of one organization. */
export class OrganizationRecords<Row extends { id: number } = { id: number }> {
  private readonly one;
  private readonly some;

  constructor(
    protected readonly database: Database,
    protected readonly access: Access,
    protected readonly spec: RecordSpec,
  ) {
    const { from, id, parents, where = sql`true` } = spec;
    this.one = projected<RecordKey>()((p, { select }) => {
      const named = (Object.keys(parents) as (keyof typeof parents)[]).map(
        (name) => sql`(${p(name)}::bigint is null or ${parents[name]} = ${p(name)})`,
      );
      return sql<Row & { $organization: number }>`
        select ${parents.organizationId} as "$organization", ${sql.join(select)} from ${from}
         where ${id} = ${p('id')} and ${where} and ${sql.join(named, sql` and `)}`;
    });
    this.some = projected<{ ids: readonly number[] }>()(
      (p, { select }) => sql<Row>`select ${sql.join(select)} from ${from} where ${id} = any(${p('ids')}::bigint[])`,
    );
  }

  /** One record; throws NOT_FOUND, also for one of another organization or incident than named, or FORBIDDEN. */
  async read(caller: Caller, key: RecordKey, selection: Selection, privilege = this.spec.privilege): Promise<Row> {
    if (key.organizationId != null) await this.access.authorize(caller, privilege, key.organizationId);
    const record = found(await this.one(this.spec.projection.of(selection)).first(this.database, key));
    await this.access.authorize(caller, privilege, record.$organization);
    await this.complete([record], selection);
    return record;
  }

  /** Reads without authorizing: for the answer to a write. Throws NOT_FOUND. */
  async byId(id: number, selection: Selection, database: Queryable = this.database): Promise<Row> {
    return found((await this.byIds([id], selection, database)).get(id));
  }

  /** Records by id. The caller was authorized. */
  async byIds(
    ids: readonly number[],
    selection: Selection,
    database: Queryable = this.database,
  ): Promise<Map<number, Row>> {
    const rows = await this.some(this.spec.projection.of(selection)).all(database, { ids });
    await this.complete(rows, selection);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Adds selected fields that are not columns. */
  protected complete(_rows: readonly Row[], _selection: Selection): void | Promise<void> {
    // Most records have only columns.
  }
}

/** The same with the list of each organization. */
export class OrganizationLists<
  Row extends { id: number },
  Query extends ListQuery<string>,
> extends OrganizationRecords<Row> {
  constructor(
    database: Database,
    access: Access,
    spec: RecordSpec,
    private readonly listing: Listing<Query>,
  ) {
    super(database, access, spec);
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not list those of the organization. */
  authorizeList(caller: Caller, organizationId: number): Promise<void> {
    return this.access.authorize(caller, this.spec.privilege, organizationId);
  }

  /** Those of each organization; throws for the first that the caller may not list. */
  async ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    query: Query & { conditions?: readonly Condition[] },
    selection: ListSelection,
  ): Promise<Map<number, Page<Row>>> {
    for (const id of organizationIds) await this.authorizeList(caller, id);
    const request = { ...query, ...this.spec.projection.list(selection) };
    const pages = await this.listing.ofMany<Row, number>(this.database, organizationIds, request);
    await this.complete(rowsOfAll(pages), selection.items);
    return pages;
  }
}
