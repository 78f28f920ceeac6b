import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type Insertable,
  type QueryExecutorProvider,
  type QueryId,
  type RawBuilder,
  type RootOperationNode,
  type SelectType,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { QueryResultRow } from 'pg';
import type { Tables } from '../entities/index.js';

/** Runs one parametrised statement; the same inside and outside of a transaction. */
export interface Queryable {
  /** Rows as plain objects: dates as ISO 8601 text in UTC, int8 as a number, jsonb parsed. Throws UNAVAILABLE when the database is away. */
  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** As `rows`, for a statement that changes rows, where this differs: outside of a transaction. */
  change?<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Records the log of an appended entry: its consumers are woken after COMMIT. */
  appended?(logId: number): void;
}

/** Also reads lists. */
export interface Listable extends Queryable {
  /** As `rows`, with each row as an array of its values. */
  tuples(text: string, values?: readonly unknown[]): Promise<unknown[][]>;
}

/** Also reads in transactions. */
export interface Reads extends Listable {
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
  /** In a transaction with one snapshot. */
  snapshot<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
}

/** A value of each call; equal names are one parameter. */
class Placeholder {
  constructor(
    readonly name: string,
    readonly read: (params: never) => unknown,
  ) {}
}

/**
 * Writes constants into the text, so that the planner can match them with partial indexes; only placeholders are
 * parameters.
 */
class StatementCompiler extends PostgresQueryCompiler {
  private readonly numbers = new Map<string, string>();

  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    this.numbers.clear();
    return super.compileQuery(node, queryId);
  }

  protected override appendValue(value: unknown): void {
    if (!(value instanceof Placeholder)) return this.appendImmediateValue(value);
    const known = this.numbers.get(value.name);
    if (known !== undefined) return this.append(known);
    super.appendValue(value);
    this.numbers.set(value.name, this.getCurrentParameterPlaceholder());
  }
}

/** Builds and compiles statements, typed by the entities. It has no connection: `Database` runs them. */
export const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new StatementCompiler(),
  },
});

/** A query builder, or a template with a row type: sql<Row>`...`. */
export interface Compilable<Row> {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>;
}

/** The parameter type of a value: instants are text, as in rows. */
export type Sent<Value> = Value extends Date
  ? string
  : Value extends undefined
    ? null
    : Value extends readonly (infer Item)[]
      ? Item[]
      : Value;

export type Placeholders<Params> = <Name extends keyof Params & string>(name: Name) => RawBuilder<Sent<Params[Name]>>;

/** First words of statements that change or lock rows, also within `with`. */
const CHANGES = /\b(?:insert\s+into|update|delete\s+from)\b/i;

/** A compiled statement; each call has its parameters. */
export class Statement<Params, Row> {
  readonly text: string;
  readonly changesRows: boolean;
  private readonly reads: readonly ((params: Params) => unknown)[];

  /** `arrange` changes rows in place before they are returned. */
  constructor(
    query: Compilable<Row>,
    private readonly arrange?: (rows: object[]) => void,
  ) {
    const { sql: text, parameters } = query.compile(db);
    this.text = text;
    this.changesRows = CHANGES.test(text);
    this.reads = (parameters as readonly Placeholder[]).map(({ read }) => read as (params: Params) => unknown);
  }

  /** The rows that it reads or returns. */
  async all(database: Queryable, ...[params]: Given<Params>): Promise<Row[]> {
    const { text, values } = this.bind(params as Params);
    const rows =
      this.changesRows && database.change !== undefined
        ? await database.change<Row & object>(text, values)
        : await database.rows<Row & object>(text, values);
    this.arrange?.(rows);
    return rows;
  }

  async first(database: Queryable, ...given: Given<Params>): Promise<Row | undefined> {
    return (await this.all(database, ...given))[0];
  }

  /** For statements that always return a row: a count, an insert with returning. */
  async one(database: Queryable, ...given: Given<Params>): Promise<Row> {
    return (await this.all(database, ...given))[0] as Row;
  }

  /** Rows as arrays of their values. */
  tuples(database: Listable, ...[params]: Given<Params>): Promise<unknown[][]> {
    const { text, values } = this.bind(params as Params);
    return database.tuples(text, values);
  }

  /** The text and values to send. */
  bind(params: Params): { text: string; values: unknown[] } {
    return { text: this.text, values: this.reads.map((read) => read(params)) };
  }
}

type Given<Params> = object extends Params ? [params?: Params] : [params: Params];

/**
 * Compiles a statement of fixed shape:
 * `statement<{ id: number }>()((p) => db.selectFrom('incident')...where('id', '=', p('id')))`.
 */
export function statement<Params = object>() {
  return <Row>(build: (p: Placeholders<Params>) => Compilable<Row>, arrange?: (rows: object[]) => void) =>
    new Statement<Params, Row>(
      build((name) => placeholder(name, (params: Params) => params[name])),
      arrange,
    );
}

/** The same for statements that depend on a list of columns; their number is bounded. */
export function statementPerList<Name extends string, Params = object>() {
  return <Row>(build: (p: Placeholders<Params>, names: readonly Name[]) => Compilable<Row>) => {
    const compiled = new LRUCache<string, Statement<Params, Row>>({ max: 200 });
    return (names: readonly Name[]): Statement<Params, Row> => {
      const key = names.join(' ');
      let found = compiled.get(key);
      if (found === undefined) compiled.set(key, (found = statement<Params>()((p) => build(p, names))));
      return found;
    };
  };
}

/** `insert into ... select ...` with columns and their expressions; the template continues with `from` or `where`. */
export function insertSelect<Name extends keyof Tables & string>(
  name: Name,
  values: { readonly [Column in keyof Insertable<Tables[Name]>]: Expression },
): Expression {
  const columns = sql.join(Object.keys(values).map((column) => sql.id(column)));
  return sql`insert into ${sql.table(name)} (${columns}) select ${sql.join(Object.values(values))}`;
}

/** For values that are not named parameters. */
export function placeholder<Value, Params>(name: string, read: (params: Params) => unknown): RawBuilder<Value> {
  return sql`${new Placeholder(name, read)}`;
}

/** Any expression, such as a column of `table`. */
export type Expression = RawBuilder<unknown>;

/** The columns of a table under an alias, and `table`, which declares the alias. */
export type TableReference<Name extends keyof Tables> = {
  readonly [Column in keyof Tables[Name] & string]: RawBuilder<SelectType<Tables[Name][Column]>>;
} & { readonly table: Expression };

/** The unqualified name of a column, for `set`. */
export function column<Name extends keyof Tables>(_table: Name, name: keyof Tables[Name] & string): Expression {
  return sql.id(name);
}

const references = new Map<string, object>();

/** References a table and its columns in templates: a missing column is a compile error. */
export function table<Name extends keyof Tables & string>(name: Name, alias: string = name): TableReference<Name> {
  const key = `${name} ${alias}`;
  let reference = references.get(key);
  if (reference === undefined) references.set(key, (reference = new Proxy(tableAs(name, alias), { get: columnOf })));
  return reference as TableReference<Name>;

  /** The same object each time: lists recognise a column that is both selected and sorted by. */
  function columnOf(known: Record<string, Expression>, column: string): Expression {
    return (known[column] ??= sql.ref(`${alias}.${column}`));
  }
}

function tableAs(name: string, alias: string): Record<string, Expression> {
  return { table: name === alias ? sql.table(name) : sql`${sql.table(name)} as ${sql.id(alias)}` };
}

export { sql };
