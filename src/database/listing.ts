import { LRUCache } from 'lru-cache';
import type { Listable } from './database.js';
import { decodeCursor, pageOf, windowOf, type Page, type PageRequest, type SortKey, type Window } from './page.js';
import type { Shape } from './projection.js';

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
  /** What is read of each row (see projection.ts). */
  shape: Shape;
  /** Whether the total is wanted. */
  total: boolean;
}

type Tuple = unknown[];

/** How one kind of request is read; its values come in a fixed order (see `valuesOf`). */
interface Plan {
  text: string;
  /** Where a tuple has its place in the order: columns that are read anyhow serve for it as well. */
  id: number;
  sort: number;
  /** Where it has its parent, or the total; whichever is read comes last. */
  last: number;
}

/**
 * Texts are worked out once for each kind of request, so that they are the same string each time. A caller chooses the
 * fields, the filters and the order: this many of their combinations are kept for one list, some kilobytes each.
 */
const PLANS = 200;

/**
 * Reads one list with its total, or the same list of many parents, in one statement; totals of many, where they are wanted
 * and cannot be told from the pages themselves, in one more. Pages are found by key, not by counting, unless an offset is asked for.
 */
export class Listing<Sort extends string> {
  private readonly plans = new LRUCache<string, Plan>({ max: PLANS });

  constructor(private readonly spec: ListingSpec<Sort>) {}

  async of<Row>(database: Listable, parent: string | number, request: ListingRequest<Sort>): Promise<Page<Row>> {
    const pages = await this.ofMany<Row>(database, [parent], request);
    return pages.get(parent) as Page<Row>;
  }

  async ofMany<Row, Parent extends string | number = string | number>(
    database: Listable,
    parents: readonly Parent[],
    request: ListingRequest<Sort>,
  ): Promise<Map<Parent, Page<Row>>> {
    const window = windowOf(request.page);
    const plan = this.planOf(request, window, parents.length === 1);
    const tuples = await database.tuples(plan.text, this.valuesOf(parents, request, window));
    const single = parents.length === 1;
    const found = single ? new Map([[parents[0], tuples]]) : Map.groupBy(tuples, (tuple) => tuple[plan.last]);
    const reader = {
      row: (tuple: Tuple) => request.shape.record(tuple) as Row,
      place: (tuple: Tuple) => [tuple[plan.sort], tuple[plan.id]] as const,
    };
    const pages = new Map<Parent, Page<Row>>();
    for (const parent of parents) {
      const raw = found.get(parent) ?? [];
      const total = single ? raw[0]?.[plan.last] : undefined;
      const page = pageOf<Tuple, Row>(raw, window, request.sort, reader);
      if (typeof total === 'number') page.total = total;
      pages.set(parent, page);
    }
    if (request.total) await this.addTotals(database, request, window, pages);
    return pages;
  }

  private planOf(request: ListingRequest<Sort>, window: Window, single: boolean): Plan {
    const { sort, descending, total, shape, conditions = [] } = request;
    const { backwards, cursor, offset } = window;
    const traits = `${shape.select} ${sort} ${descending} ${total} ${single} ${backwards} ${cursor !== undefined} ${offset > 0}`;
    const key = conditions.reduce((text, { sql }) => `${text} ${sql}`, traits);
    let plan = this.plans.get(key);
    if (plan === undefined) this.plans.set(key, (plan = this.plan(request, window, single)));
    return plan;
  }

  /** Takes the places of its values in the order of `valuesOf`. */
  private plan(request: ListingRequest<Sort>, window: Window, single: boolean): Plan {
    const { spec } = this;
    const sql = new SqlText();
    const sort = spec.sorts[request.sort];
    const backwards = window.backwards !== request.descending;
    const direction = backwards ? 'desc' : 'asc';
    const parents = sql.value(undefined);
    const where = [`${spec.parent.sql} = ${single ? parents : 'parents.id'}`, ...this.conditions(sql, request)];
    const count = `(select count(*) from ${spec.from} where ${where.join(' and ')})`;
    if (window.cursor !== undefined) {
      const edge = `(${sql.value(undefined)}::${sort.type}, ${sql.value(undefined)}::${spec.id.type})`;
      where.push(`(${sort.sql}, ${spec.id.sql}) ${backwards ? '<' : '>'} ${edge}`);
    }
    const limit = sql.value(undefined);
    const range = `limit ${limit}${window.offset > 0 ? ` offset ${sql.value(undefined)}` : ''}`;
    const order = `order by ${sort.sql} ${direction}, ${spec.id.sql} ${direction}`;
    const { columns, names, id, sort: sortName } = withKeys(request.shape, spec.id.sql, sort.sql);
    const places = { id: names.indexOf(id), sort: names.indexOf(sortName), last: names.length };
    const page = `select ${columns} from ${spec.from} where ${where.join(' and ')} ${order} ${range}`;
    const again = `page."${sortName}" ${direction}, page."${id}" ${direction}`;
    if (!single) {
      const text =
        `select page.*, parents.id as "$parent" from unnest(${parents}::${spec.parent.type}[]) as parents(id) ` +
        `cross join lateral (${page}) page order by parents.id, ${again}`;
      return { text, ...places };
    }
    if (!request.total) return { text: page, ...places };
    // In the same trip as the page, because a second one costs more than the counting; a page that is the last tells it.
    const isLast = tellsTotal(window) ? `count(*) over () < ${limit}` : 'false';
    const text = `select page.*, case when not ${isLast} then ${count} end as "$total" from (${page}) page order by ${again}`;
    return { text, ...places };
  }

  private valuesOf(
    parents: readonly (string | number)[],
    { sort, conditions = [] }: ListingRequest<Sort>,
    window: Window,
  ): unknown[] {
    const values: unknown[] = [parents.length === 1 ? parents[0] : parents];
    for (const condition of conditions) values.push(...condition.values);
    if (window.cursor !== undefined) {
      const key = decodeCursor(window, sort, this.spec.sorts[sort], this.spec.id);
      values.push(key.sort, key.id);
    }
    values.push(window.size + 1);
    if (window.offset > 0) values.push(window.offset);
    return values;
  }

  /** A last page that is not empty tells the total by itself; what is open then is counted, all parents in one statement. */
  private async addTotals<Row, Parent extends string | number>(
    database: Listable,
    request: ListingRequest<Sort>,
    window: Window,
    pages: Map<Parent, Page<Row>>,
  ): Promise<void> {
    const open: Parent[] = [];
    for (const [parent, page] of pages) {
      if (page.total !== undefined) continue;
      const isLast = tellsTotal(window) && !page.hasNextPage;
      if (isLast && (page.rows.length > 0 || window.offset === 0)) page.total = window.offset + page.rows.length;
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

/** Whether a last page that is read through this window tells, with its place, how many there are. */
function tellsTotal({ cursor, backwards }: Window): boolean {
  return cursor === undefined && !backwards;
}

/** The columns of a page with those that it is ordered by, which may be among them already. */
function withKeys({ select, columns: read }: Shape, id: string, sort: string) {
  const columns = [select];
  const names = [...read.keys()];
  const named = (sql: string, own: string) => {
    for (const [name, expression] of read) if (expression === sql) return name;
    columns.push(`${sql} as "${own}"`);
    names.push(own);
    return own;
  };
  return { id: named(id, '$id'), sort: named(sort, '$sort'), names, columns: columns.join(', ') };
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
