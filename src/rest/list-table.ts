import { getNamedType, getNullableType, isListType, isObjectType, type GraphQLSchema } from 'graphql';
import type { GraphQLContext } from '../context.js';
import type { Variables } from '../graphql/executor.js';
import type { Operation } from './operation.js';
import type { OperationRoute } from './route.js';

/** In what form a list may be read besides JSON, by the parameter `format` or by the header `Accept`. */
export const TABLE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export type TableFormat = keyof typeof TABLE_TYPES;

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

/** The columns of a list: fields of its items, and of objects in them. What has many values is one column. */
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
