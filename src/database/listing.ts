import type { Queryable } from './database.js';
import {
  decodeCursor,
  pageOf,
  windowOf,
  type Page,
  type PageRequest,
  type PageRow,
  type SortKey,
  type Window,
} from './page.js';

/** A list of one noun: where it is read, what may be asked for, in which orders. All texts are ours, never a client's. */
export interface ListingSpec<Sort extends string> {
  from: string;
  /** Conditions that always hold, such as "is not deleted". */
  where?: readonly string[];
  /** The rows' own key; it breaks ties, so that pages neither drop nor repeat a row (decisions §4). */
  id: SortKey;
  /** The key of the parent a list belongs to. */
  parent: SortKey;
  sorts: Readonly<Record<Sort, SortKey>>;
}

/** One condition more: a text with `?` for each of its values. */
export interface Condition {
  sql: string;
  values: readonly unknown[];
}

export interface ListingRequest<Sort extends string> {
  page: PageRequest;
  conditions?: readonly Condition[];
  sort: Sort;
  descending: boolean;
  /** What is read of each row: a select list (see projection.ts). */
  select: string;
  /** Whether the total is wanted. */
  total: boolean;
}

type RawRow = PageRow & { $parent: string | number; $total?: number };

/**
 * Reads one list with its total, or the same list of many parents, in one statement; totals of many, where they are wanted
 * and cannot be told from the pages themselves, in one more. Pages are found by key, not by counting, unless an offset is asked for.
 */
export class Listing<Sort extends string> {
  constructor(private readonly spec: ListingSpec<Sort>) {}

  async of<Row>(database: Queryable, parent: string | number, request: ListingRequest<Sort>): Promise<Page<Row>> {
    const pages = await this.ofMany<Row>(database, [parent], request);
    return pages.get(parent) as Page<Row>;
  }

  async ofMany<Row, Parent extends string | number = string | number>(
    database: Queryable,
    parents: readonly Parent[],
    request: ListingRequest<Sort>,
  ): Promise<Map<Parent, Page<Row>>> {
    const window = windowOf(request.page);
    const rows = await this.readRows(database, parents, request, window);
    const pages = new Map<Parent, Page<Row>>();
    for (const parent of parents) {
      const raw = rows.get(parent) ?? [];
      const page = pageOf<Row>(raw, window, request.sort);
      page.total = raw[0]?.$total;
      pages.set(parent, page);
    }
    if (request.total) await this.addTotals(database, request, window, pages);
    return pages;
  }

  private async readRows(
    database: Queryable,
    parents: readonly (string | number)[],
    request: ListingRequest<Sort>,
    window: Window,
  ): Promise<Map<string | number, RawRow[]>> {
    const { spec } = this;
    const sql = new SqlText();
    const sort = spec.sorts[request.sort];
    const backwards = window.backwards !== request.descending;
    const direction = backwards ? 'desc' : 'asc';
    const single = parents.length === 1;
    const parent = single ? sql.value(parents[0]) : 'parents.id';
    const where = [`${spec.parent.sql} = ${parent}`, ...this.conditions(sql, request)];
    // In the same trip as the page: a second one costs more than the counting.
    const total =
      single && request.total ? `, (select count(*) from ${spec.from} where ${where.join(' and ')}) as "$total"` : '';
    if (window.cursor !== undefined) {
      const key = decodeCursor(window, request.sort, sort, spec.id);
      where.push(
        `(${sort.sql}, ${spec.id.sql}) ${backwards ? '<' : '>'} (${sql.value(key.sort)}::${sort.type}, ${sql.value(key.id)}::${spec.id.type})`,
      );
    }
    const limit = `limit ${sql.value(window.size + 1)}${window.offset > 0 ? ` offset ${sql.value(window.offset)}` : ''}`;
    const order = `order by ${sort.sql} ${direction}, ${spec.id.sql} ${direction}`;
    const columns = `${spec.id.sql} as "$id", ${sort.sql} as "$sort"${total}, ${request.select}`;
    const grouped = new Map<string | number, RawRow[]>();
    if (single) {
      const text = `select ${columns} from ${spec.from} where ${where.join(' and ')} ${order} ${limit}`;
      grouped.set(parents[0] as string | number, await database.rows<RawRow>(text, sql.values));
      return grouped;
    }
    const text =
      `select page.*, parents.id as "$parent" from unnest(${sql.value(parents)}::${spec.parent.type}[]) as parents(id) ` +
      `cross join lateral (select ${columns} from ${spec.from} where ${where.join(' and ')} ${order} ${limit}) page ` +
      `order by parents.id, page."$sort" ${direction}, page."$id" ${direction}`;
    for (const row of await database.rows<RawRow>(text, sql.values)) {
      const rows = grouped.get(row.$parent);
      if (rows === undefined) grouped.set(row.$parent, [row]);
      else rows.push(row);
    }
    return grouped;
  }

  /** A last page that is not empty tells the total by itself; what is open then is counted, all parents in one statement. */
  private async addTotals<Row, Parent extends string | number>(
    database: Queryable,
    request: ListingRequest<Sort>,
    window: Window,
    pages: Map<Parent, Page<Row>>,
  ): Promise<void> {
    const open: Parent[] = [];
    for (const [parent, page] of pages) {
      if (page.total !== undefined) continue;
      const tells = window.cursor === undefined && !window.backwards && !page.hasNextPage;
      if (tells && (page.rows.length > 0 || window.offset === 0)) page.total = window.offset + page.rows.length;
      else open.push(parent);
    }
    if (open.length === 0) return;
    const sql = new SqlText();
    const where = [
      `${this.spec.parent.sql} = any(${sql.value(open)}::${this.spec.parent.type}[])`,
      ...this.conditions(sql, request),
    ];
    const text = `select ${this.spec.parent.sql} as parent, count(*) as total from ${this.spec.from} where ${where.join(' and ')} group by 1`;
    const totals = new Map(
      (await database.rows<{ parent: Parent; total: number }>(text, sql.values)).map((row) => [row.parent, row.total]),
    );
    for (const parent of open) (pages.get(parent) as Page<Row>).total = totals.get(parent) ?? 0;
  }

  private conditions(sql: SqlText, { conditions = [] }: ListingRequest<Sort>): string[] {
    return [...(this.spec.where ?? []), ...conditions.map((condition) => sql.condition(condition))];
  }
}

/** Collects values and hands out their placeholders. */
export class SqlText {
  readonly values: unknown[] = [];

  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  condition({ sql, values }: Condition): string {
    let next = 0;
    return sql.replaceAll('?', () => this.value(values[next++]));
  }
}
