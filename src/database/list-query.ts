import type { RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Order } from '../common/selection.js';
import { decodeCursor, pageOf, windowOf, type KeyType, type Page, type PageRequest, type Window } from './cursor.js';
import type { Listable } from './database.js';
import { filter, type Condition } from './list-conditions.js';
import type { Shape } from './projection.js';
import { placeholder, sql, Statement, type Expression, type Placeholders, type Sent } from './sql.js';

/** A column or expression by which rows are ordered or found, and its PostgreSQL type. */
interface SortKey {
  column: Expression;
  type: KeyType;
}

/** Page, order and filter of a list. */
export interface ListQuery<Sort extends string> {
  page: PageRequest;
  /** The list's default order when absent. */
  orderBy?: Order<Sort> | null;
}

type SortOf<Query> = Query extends ListQuery<infer Sort> ? Sort : never;

/** A list of one noun: its source, its orders, and the conditions that queries may name. */
export interface ListingSpec<Query extends ListQuery<string>> {
  from: Expression;
  /** Joins the sources of the columns to the keys of a page, `key.id` and `key.parent`; `from` then only reads keys. */
  details?: Expression;
  /** The same for pages with an offset only, where others are faster without it. */
  detailsAfterOffset?: Expression;
  /** Conditions that always apply, such as "is not deleted". */
  where?: readonly Expression[];
  /** The key of the rows, which breaks ties, so that pages neither lose nor repeat a row. */
  id: SortKey;
  /** The key of the parent of a list. */
  parent: SortKey;
  sorts: Readonly<Record<SortOf<Query>, SortKey>>;
  /** The default order. A list with a single sort uses its direction also where an order names none. */
  order: Required<Order<SortOf<Query>>>;
  /** The conditions of these members of a query; any row matches when the member is absent or null. */
  filters?: { readonly [Name in keyof Query]?: (value: RawBuilder<Sent<NonNullable<Query[Name]>>>) => Expression };
  /** The limit of a page where it differs from that of other lists. */
  maxPageSize?: number;
}

/** The part of a list that is ordered only by the key of its rows: in the order of their creation. */
export function orderedByKey<Sort extends string>(column: Expression, field: Sort, direction: 'ASC' | 'DESC') {
  const id: SortKey = { column, type: 'bigint' };
  return { id, sorts: { [field]: id } as Record<Sort, SortKey>, order: { field, direction } };
}

/** A query with the selected columns (see `Projection.list`), and additional conditions. */
export type ListingRequest<Query extends ListQuery<string>> = Query & {
  conditions?: readonly Condition[];
  shape: Shape;
  /** Whether the total is requested. */
  total: boolean;
};

/** Parameters of reading one page. */
interface Wanted {
  conditions: readonly Condition[];
  sort: string;
  descending: boolean;
  shape: Shape;
  total: boolean;
}

type Tuple = unknown[];

/** The values that differ between requests of a kind. */
interface PlanValues {
  /** One key, or a list of several. */
  parents: unknown;
  conditions: readonly Condition[];
  /** The beginning of the page. */
  edge?: { sort: unknown; id: unknown } | undefined;
  limit?: number;
  offset?: number;
}

/** The compiled form of a kind of request. */
interface Plan {
  statement: Statement<PlanValues, unknown>;
  /** Counts the rows of several parents; compiled on demand. */
  totals?: Statement<PlanValues, { parent: string | number; total: number }>;
  /** Indexes of the row's place in a tuple: selected columns are reused. */
  id: number;
  sort: number;
  /** Indexes of the parent or the total, which come last. */
  last: number;
}

/**
 * Statements are compiled once for each kind of request. Callers choose fields, filters and order: this many
 * combinations are cached for one list, some kilobytes each.
 */
const PLANS = 200;

/**
 * Reads one list with its total, or the same list of many parents, in one statement, and another one for requested
 * totals of many that the pages do not show. Pages are found by key, not by counting, unless there is an offset.
 */
export class Listing<Query extends ListQuery<string>> {
  private readonly plans = new LRUCache<string, Plan>({ max: PLANS });
  private readonly filters: readonly (readonly [name: keyof Query, (values: { value: unknown }) => Condition])[];

  constructor(private readonly spec: ListingSpec<Query>) {
    const filters = Object.entries(spec.filters ?? {}) as [keyof Query, (value: Expression) => Expression][];
    this.filters = filters.map(([name, build]) => [name, filter<{ value: unknown }>((p) => build(p('value')))]);
  }

  /** The place of a row in the default order of the list: read as `cursor` of a record. */
  get place() {
    const { order, sorts, id } = this.spec;
    return placeOf(order.field, sorts[order.field].column, id.column);
  }

  async of<Row>(database: Listable, parent: string | number, request: ListingRequest<Query>): Promise<Page<Row>> {
    const pages = await this.ofMany<Row>(database, [parent], request);
    return pages.get(parent) as Page<Row>;
  }

  async ofMany<Row, Parent extends string | number = string | number>(
    database: Listable,
    parents: readonly Parent[],
    request: ListingRequest<Query>,
  ): Promise<Map<Parent, Page<Row>>> {
    const window = windowOf(request.page, this.spec.maxPageSize);
    const single = parents.length === 1;
    const wanted = this.wanted(request);
    const plan = this.planOf(wanted, window, single);
    const tuples = await plan.statement.tuples(database, {
      parents: single ? parents[0] : parents,
      conditions: wanted.conditions,
      edge: this.edgeOf(window, wanted.sort),
      limit: window.size + 1,
      offset: window.offset,
    });
    const found = single ? new Map([[parents[0], tuples]]) : Map.groupBy(tuples, (tuple) => tuple[plan.last]);
    const reader = {
      row: (tuple: Tuple) => request.shape.record(tuple) as Row,
      place: (tuple: Tuple) => [tuple[plan.sort], tuple[plan.id]] as const,
    };
    const pages = new Map<Parent, Page<Row>>();
    for (const parent of parents) {
      const raw = found.get(parent) ?? [];
      const total = single ? raw[0]?.[plan.last] : undefined;
      const page = pageOf<Tuple, Row>(raw, window, wanted.sort, reader);
      if (typeof total === 'number') page.total = total;
      pages.set(parent, page);
    }
    if (wanted.total) await this.addTotals(database, wanted, plan, { window, pages });
    return pages;
  }

  private wanted(request: ListingRequest<Query>): Wanted {
    const { orderBy, conditions = [], shape, total } = request;
    const { order, sorts } = this.spec;
    const { field: sort, direction } = orderBy ?? order;
    const descending = (direction ?? (Object.keys(sorts).length === 1 ? order.direction : 'ASC')) === 'DESC';
    const own = this.filters.flatMap(([name, condition]) =>
      request[name] == null ? [] : [condition({ value: request[name] })],
    );
    return { sort, descending, conditions: [...conditions, ...own], shape, total };
  }

  private sortKey(sort: string): SortKey {
    return this.spec.sorts[sort as SortOf<Query>];
  }

  private edgeOf(window: Window, sort: string): PlanValues['edge'] {
    if (window.cursor === undefined) return undefined;
    return decodeCursor(window, sort, this.sortKey(sort).type, this.spec.id.type);
  }

  private planOf(wanted: Wanted, window: Window, single: boolean): Plan {
    const { sort, descending, total, shape, conditions } = wanted;
    const { backwards, cursor, offset } = window;
    const traits = `${shape.key} ${sort} ${descending} ${total} ${single} ${backwards} ${cursor !== undefined} ${offset > 0}`;
    const key = conditions.reduce((text, { filter: { number } }) => `${text} ${number}`, traits);
    let plan = this.plans.get(key);
    if (plan === undefined) this.plans.set(key, (plan = this.plan(wanted, window, single)));
    return plan;
  }

  private plan(wanted: Wanted, window: Window, single: boolean): Plan {
    const { from, detailsAfterOffset, id, parent } = this.spec;
    const details = this.spec.details ?? (window.offset > 0 ? detailsAfterOffset : undefined);
    const sort = this.sortKey(wanted.sort);
    const backwards = window.backwards !== wanted.descending;
    const direction = backwards ? sql`desc` : sql`asc`;
    const { where, branches } = this.conditions(wanted, single ? PARENTS : PARENT);
    const count = this.count(where, branches);
    const beyond: Expression[] = [];
    if (window.cursor !== undefined) {
      const edge = sql`(${EDGE_SORT}::${sql.raw(sort.type)}, ${EDGE_ID}::${sql.raw(id.type)})`;
      beyond.push(sql`(${sort.column}, ${id.column}) ${backwards ? sql`<` : sql`>`} ${edge}`);
    }
    const range = window.offset > 0 ? sql`limit ${LIMIT} offset ${OFFSET}` : sql`limit ${LIMIT}`;
    const inOrder = (first: Expression, second: Expression) => sql`${first} ${direction}, ${second} ${direction}`;
    const order = sql`order by ${inOrder(sort.column, id.column)}`;
    const { columns, names, idName, sortName } = withKeys(wanted.shape, id.column, sort.column);
    const places = { id: names.indexOf(idName), sort: names.indexOf(sortName), last: names.length };
    const pageOf = (selected: Expression, limits = range) =>
      sql`select ${selected} from ${from} where ${and([...where, ...beyond])} ${order} ${limits}`;
    const keys = sql`${id.column} as id, ${sort.column} as sort, ${parent.column} as parent`;
    const merged = () => sql`select key.* from ${branches}
      cross join lateral (${pageOf(keys, sql`limit ${LIMIT}::bigint + ${OFFSET}::bigint`)}) key
      order by ${inOrder(sql`key.sort`, sql`key.id`)} ${range}`;
    const found = branches ? merged() : pageOf(keys);
    const page = details
      ? sql`select ${sql.join(columns)} from (${found}) key ${details} ${order}`
      : pageOf(sql.join(columns));
    const again = inOrder(sql.id('page', sortName), sql.id('page', idName));
    if (!single) {
      const many = sql`select page.*, parents.id as "$parent" from ${parentsOf(parent)}
        cross join lateral (${page}) page order by parents.id, ${again}`;
      return { statement: new Statement(many), ...places };
    }
    if (!wanted.total) return { statement: new Statement(page), ...places };
    // In the same round trip as the page, because a second one costs more than counting; the last page shows the total.
    const isLast = showsTotal(window) ? sql`count(*) over () < ${LIMIT}` : sql`false`;
    const counted = sql`select page.*, case when not ${isLast} then ${count} end as "$total"
      from (${page}) page order by ${again}`;
    return { statement: new Statement(counted), ...places };
  }

  /** A non-empty last page shows the total; other totals are counted for all parents in one statement. */
  private async addTotals<Row, Parent extends string | number>(
    database: Listable,
    wanted: Wanted,
    plan: Plan,
    { window, pages }: { window: Window; pages: Map<Parent, Page<Row>> },
  ): Promise<void> {
    const open: Parent[] = [];
    for (const [parent, page] of pages) {
      if (page.total !== undefined) continue;
      const isLast = showsTotal(window) && !page.hasNextPage;
      if (isLast && (page.rows.length > 0 || window.offset === 0)) page.total = window.offset + page.rows.length;
      else open.push(parent);
    }
    if (open.length === 0) return;
    plan.totals ??= this.totals(wanted);
    const counts = await plan.totals.all(database, { parents: open, conditions: wanted.conditions });
    const totals = new Map(counts.map(({ parent, total }) => [parent as Parent, total]));
    for (const parent of open) (pages.get(parent) as Page<Row>).total = totals.get(parent) ?? 0;
  }

  private totals(wanted: Wanted): NonNullable<Plan['totals']> {
    const { where, branches } = this.conditions(wanted, PARENT);
    return new Statement(
      sql`select parents.id as parent, ${this.count(where, branches)} as total from ${parentsOf(this.spec.parent)}`,
    );
  }

  private count(where: readonly Expression[], branches?: Expression): Expression {
    const count = sql`(select count(*) from ${this.spec.from} where ${and(where)})`;
    return branches ? sql`(select sum(${count})::bigint from ${branches})` : count;
  }

  /** With the branches that they refer to, where a column is one of several texts. */
  private conditions({ conditions }: Wanted, parent: Expression) {
    const where = [sql`${this.spec.parent.column} = ${parent}`, ...(this.spec.where ?? [])];
    const branches: Expression[] = [];
    for (const [index, { filter }] of conditions.entries()) {
      const p: Placeholders<object> = (name) =>
        placeholder(`${index} ${name}`, ({ conditions: given }: PlanValues) => valueOf(given[index], name));
      const { column } = filter;
      const built = filter.build(p, parent);
      const branch = `branch${index}`;
      where.push(column ? sql`${column} = ${sql.ref(`${branch}.value`)}` : built);
      if (column) branches.push(sql`unnest(${built}) as ${sql.id(branch)}(value)`);
    }
    return { where, branches: branches.length > 0 ? sql.join(branches, sql` cross join `) : undefined };
  }
}

/** Place of a row in a list, for `cursorOf`. */
export function placeOf(order: string, sort: Expression, key: Expression) {
  return { needs: { $order: sql.lit(order), $sort: sort, $key: key } };
}

const PARENTS = placeholder('parents', ({ parents }: PlanValues) => parents);
const PARENT = sql`parents.id`;
const EDGE_SORT = placeholder('edge sort', ({ edge }: PlanValues) => edge?.sort);
const EDGE_ID = placeholder('edge id', ({ edge }: PlanValues) => edge?.id);
const LIMIT = placeholder('limit', ({ limit }: PlanValues) => limit);
const OFFSET = placeholder('offset', ({ offset }: PlanValues) => offset);

function parentsOf({ type }: SortKey): Expression {
  return sql`unnest(${PARENTS}::${sql.raw(type)}[]) as parents(id)`;
}

function valueOf(condition: Condition | undefined, name: string): unknown {
  return (condition?.values as Record<string, unknown>)[name];
}

function and(conditions: readonly Expression[]): Expression {
  return sql.join(conditions, sql` and `);
}

/** Whether the last page in this window shows the total by its place. */
function showsTotal({ cursor, backwards }: Window): boolean {
  return cursor === undefined && !backwards;
}

/** The columns of a page with those it is ordered by, which may be among them. */
function withKeys({ select, columns: selected }: Shape, id: Expression, sort: Expression) {
  const columns = [...select];
  const names = [...selected.keys()];
  const named = (key: Expression, own: string) => {
    for (const [name, column] of selected) if (column === key) return name;
    columns.push(key.as(own));
    names.push(own);
    return own;
  };
  return { idName: named(id, '$id'), sortName: named(sort, '$sort'), names, columns };
}
