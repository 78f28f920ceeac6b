import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import type { GraphQLContext } from '../../http/context.js';
import type { GraphQLExecutor, Variables } from '../../graphql/executor.js';
import { REST_SERIALIZERS } from '../request/rest-input.js';
import type { OperationRoute } from '../route.js';
import type { ShownValue } from './translate.js';

/** Result of an operation, in the envelope's terms. */
export interface Answer {
  data: unknown;
  /** The entity tag of the answer, where the operation selects its `version`. */
  etag: string | undefined;
  /** Lists only. */
  total: number | undefined;
  /** The object with `data`: a payload has more than the envelope shows, such as `created`. */
  payload: Readonly<Record<string, unknown>>;
}

/** An operation on the core schema, prepared for many executions. */
export class Operation {
  /** Fields from the root down to the object with `data`. */
  readonly #path: readonly string[];
  readonly #shown: Shown;

  constructor(
    private readonly executor: GraphQLExecutor,
    readonly document: DocumentNode,
    path: string,
    shown: readonly ShownValue[] = [],
  ) {
    executor.prepare(document, REST_SERIALIZERS);
    this.#path = path.split('.').slice(0, -1);
    this.#shown = shownBelow(shown);
  }

  /** Throws the first error of a resolver: the envelope shows one. */
  async execute(variables: Variables, context: GraphQLContext): Promise<Answer> {
    const { data, errors } = await this.executor.execute({ document: this.document, variables, context });
    const [error] = errors ?? [];
    if (error !== undefined) throw error;
    let payload = data as Record<string, unknown>;
    for (const name of this.#path) payload = payload[name] as Record<string, unknown>;
    showValues(payload['data'], this.#shown);
    return { ...withoutEtag(payload), total: payload['total'] as number | undefined, payload };
  }
}

/** Fields of an answer by their names: how a value is shown, or the fields below. */
type Shown = readonly (readonly [name: string, as: Shown | typeof LEFT_OUT | ((value: unknown) => unknown)])[];

/** Of a field that is there where it is true. */
const LEFT_OUT = 'left out';

function shownBelow(values: readonly ShownValue[]): Shown {
  const names = new Set(values.map(({ path: [name = ''] }) => name));
  return [...names].map((name) => {
    const [first, ...more] = values.filter(({ path }) => path[0] === name) as [ShownValue, ...ShownValue[]];
    if (first.path.length === 1) return [name, first.empty === LEFT_OUT ? LEFT_OUT : shownAs(first)];
    return [name, shownBelow([first, ...more].map((each) => ({ ...each, path: each.path.slice(1) })))];
  });
}

function shownAs({ value, empty }: ShownValue): (given: unknown) => unknown {
  const none = empty === 'for null' ? '' : null;
  const shown = (given: unknown): unknown => {
    if (Array.isArray(given)) return [...(empty === 'first' ? [''] : []), ...given.map(shown)];
    return given === null ? none : value === undefined ? given : (given as Record<string, unknown>)[value];
  };
  return shown;
}

/** Changes the data in place, in each item of a list. */
function showValues(data: unknown, shown: Shown): void {
  if (shown.length === 0 || typeof data !== 'object' || data === null) return;
  if (Array.isArray(data)) {
    for (const item of data) showValues(item, shown);
    return;
  }
  const fields = data as Record<string, unknown>;
  for (const [name, as] of shown) {
    if (as === LEFT_OUT) {
      if (fields[name] === false) delete fields[name];
    } else if (typeof as === 'function') fields[name] = as(fields[name]);
    else showValues(fields[name], as);
  }
}

/** The version is a sibling of `data`, or in it if `data` is the first field of the operation. */
function withoutEtag(payload: Readonly<Record<string, unknown>>): Pick<Answer, 'data' | 'etag'> {
  const inside = payload['data'];
  if (payload['etag'] !== undefined) return { data: inside, etag: entityTag(payload['etag']) };
  if (typeof inside !== 'object' || inside === null || !('etag' in inside)) return { data: inside, etag: undefined };
  const { etag, ...data } = inside;
  return { data, etag: entityTag(etag) };
}

function entityTag(version: unknown): string {
  return `"${String(version)}"`;
}

/** Names of the fields from the item down to a value. */
type Column = readonly string[];

export type Row = readonly (string | number | null)[];

interface TablePage {
  rows: Row[];
  /** Where the next page begins; undefined after the last one. */
  next: string | undefined;
}

/** A list in rows and columns, page by page. */
export class ListTable {
  readonly names: readonly string[];

  constructor(
    private readonly operation: Operation,
    private readonly columns: readonly Column[],
  ) {
    this.names = columns.map((column) => column.join('_'));
  }

  async page(variables: Variables, context: GraphQLContext): Promise<TablePage> {
    const { data, payload } = await this.operation.execute(variables, context);
    const { endCursor, hasNextPage } = payload['page'] as { endCursor: string | null; hasNextPage: boolean };
    const rows = (data as object[]).map((item) => this.columns.map((column) => cellOf(item, column)));
    return { rows, next: hasNextPage ? (endCursor ?? undefined) : undefined };
  }
}

/** The columns of a list: fields of its items, and of objects in them. A list of values is one column. */
export function columnsOf(view: GraphQLSchema, { operationId }: OperationRoute): Column[] {
  const envelope = view.getQueryType()?.getFields()[operationId]?.type;
  return columnsBelow(envelope === undefined ? undefined : fieldsOf(envelope)?.['data']?.type, []);
}

type OutputType = Parameters<typeof getNamedType>[0];

function fieldsOf(type: OutputType) {
  const named = getNamedType(type);
  return isObjectType(named) ? named.getFields() : undefined;
}

function columnsBelow(type: OutputType, above: Column): Column[] {
  return Object.values(fieldsOf(type) ?? {}).flatMap((field) => {
    const column = [...above, field.name];
    const isObject = !isListType(getNullableType(field.type)) && fieldsOf(field.type) !== undefined;
    return isObject ? columnsBelow(field.type, column) : [column];
  });
}

/** Lists and JSON are written as JSON. */
function cellOf(item: object, column: Column): string | number | null {
  const value = column.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], item);
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}
