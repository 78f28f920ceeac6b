import type { AliasedRawBuilder } from 'kysely';
import type { QueryResultRow } from 'pg';
import { toCamelCase } from '../common/naming.js';
import type { ListSelection, Selection } from '../common/selection.js';
import type { Tables } from '../entities/index.js';
import {
  statement,
  type Compilable,
  type Expression,
  type Placeholders,
  type Statement,
  type TableReference,
} from './sql.js';

/**
 * Expressions of a record's properties, or of those of a nested object. A computed property names the columns it
 * needs (`needs`), which the service finds in the row. An object is null where its `key` is.
 */
export interface ColumnMap {
  readonly [property: string]:
    | Expression
    | { readonly needs: Readonly<Record<string, Expression>> }
    | { readonly object: ColumnMap; readonly key?: string };
}

/** A person, by the user name in the record; null without one. */
export function person(username: Expression) {
  return { object: { username }, key: 'username' };
}

/** Columns by the names of their properties: `organization_id` is read as `organizationId`. */
export function properties<Name extends keyof Tables>(
  table: TableReference<Name>,
  ...columns: readonly (keyof Tables[Name] & string)[]
): Record<string, Expression> {
  return Object.fromEntries(columns.map((column) => [toCamelCase(column), table[column]]));
}

/** Columns and values that a selection reads of a record. */
export interface Shape {
  /** The same for equal columns. */
  readonly key: string;
  /** For a statement's select list or `returning`. */
  readonly select: AliasedRawBuilder<unknown, string>[];
  /** The same by name, in its order. */
  readonly columns: ReadonlyMap<string, Expression>;
  /** Whether only columns that are always read are selected: a statement would add nothing. */
  readonly bare: boolean;
  /** Converts flat rows to nested objects. */
  readonly nest: (rows: object[]) => void;
  /** Creates a record with nested objects from the values of `select`'s columns in order; more values may follow. */
  record(values: readonly unknown[]): Record<string, unknown>;
}
interface Nested {
  property: string;
  /** Column in the flat row, property in the nested object. */
  parts: [column: string, property: string][];
  /** The column that is null where the object is. */
  key: string | undefined;
}

/** The columns and computed properties of records, by their type in the schema. */
export const recordColumns = new Map<string, ColumnMap>();

/** Makes the keys of different projections different. */
let projections = 0;

/** Selects the columns of a record for a selection, computed once for each selection. */
export class Projection {
  private readonly shapes = new WeakMap<Selection, Shape>();
  private readonly number = (projections += 1);

  /**
   * `type` names the records' type in the schema, where they are whole records. `always` is read whatever is
   * selected, for nested lists and checks.
   */
  constructor(
    type: string | undefined,
    private readonly columns: ColumnMap,
    private readonly always: readonly string[] = ['id'],
  ) {
    if (type !== undefined) recordColumns.set(type, columns);
  }

  /** The shape of a selection: the same object for the same selection. Fields without columns are skipped. */
  of(selection: Selection): Shape {
    let shape = this.shapes.get(selection);
    if (shape === undefined) this.shapes.set(selection, (shape = this.shapeOf(selection)));
    return shape;
  }

  /** The same for a list, as a part of a request to a `Listing`. */
  list({ items, total }: ListSelection): { shape: Shape; total: boolean } {
    return { shape: this.of(items), total };
  }

  private shapeOf(selection: Selection): Shape {
    const columns = new Map<string, Expression>();
    const nested: Nested[] = [];
    for (const property of new Set([...this.always, ...selection.fields])) {
      const column = Object.hasOwn(this.columns, property) ? this.columns[property] : undefined;
      if (column === undefined) continue;
      if ('object' in column) nested.push(nestedParts(property, column, selection.of(property), columns));
      else if ('needs' in column) for (const [name, needed] of Object.entries(column.needs)) columns.set(name, needed);
      else columns.set(property, column);
    }
    const always = new Set(this.always);
    const names = [...columns.keys()];
    const reader = new RecordReader(names, nested);
    return {
      key: `${this.number} ${names.join(' ')}`,
      bare: nested.length === 0 && names.every((name) => always.has(name)),
      columns,
      select: [...columns].map(([name, column]) => column.as(name)),
      nest: (rows) => {
        for (const each of nested) for (const row of rows as QueryResultRow[]) row[each.property] = pick(row, each);
      },
      record: (values) => reader.read(values),
    };
  }
}

/**
 * A statement that reads or returns the selected columns of records, compiled once for each shape:
 * `projected<{ id: number }>()((p, { select }) => db.selectFrom('incident').select(select)...)`.
 */
export function projected<Params = object>() {
  return <Row>(build: (p: Placeholders<Params>, shape: Shape) => Compilable<Row>) => {
    const compiled = new WeakMap<Shape, Statement<Params, Row>>();
    return (shape: Shape): Statement<Params, Row> => {
      let found = compiled.get(shape);
      if (found === undefined) {
        found = statement<Params>()((p) => build(p, shape), shape.nest);
        compiled.set(shape, found);
      }
      return found;
    };
  };
}

/** A nested record always has its id or key, which nested lists need. Records are nested one level deep. */
function nestedParts(
  property: string,
  { object, key }: { readonly object: ColumnMap; readonly key?: string },
  selection: Selection,
  columns: Map<string, Expression>,
): Nested {
  const parts: Nested['parts'] = [];
  const always = [...('id' in object ? ['id'] : []), ...(key === undefined ? [] : [key])];
  for (const name of new Set([...always, ...selection.fields])) {
    const column = Object.hasOwn(object, name) ? object[name] : undefined;
    if (column === undefined || 'object' in column) continue;
    for (const [part, needed] of Object.entries('needs' in column ? column.needs : { [name]: column })) {
      columns.set(`${property}.${part}`, needed);
      if (!parts.some(([, present]) => present === part)) parts.push([`${property}.${part}`, part]);
    }
  }
  return { property, parts, key: key && `${property}.${key}` };
}

function pick(row: QueryResultRow, { parts, key }: Nested): Record<string, unknown> | null {
  if (key !== undefined && row[key] === null) return null;
  const object: Record<string, unknown> = {};
  for (const [column, property] of parts) object[property] = row[column];
  return object;
}

/**
 * Creates records from values. The second use compiles a function: V8 then creates each record in one step and shape,
 * where assigning properties by name costs as much as the rest of a row. All names in its code come from a ColumnMap.
 */
class RecordReader {
  private readonly places: ReadonlyMap<string, number>;
  private readonly flat: readonly string[];
  private written: ((values: readonly unknown[]) => Record<string, unknown>) | undefined;
  private isNew = true;

  constructor(
    columns: readonly string[],
    private readonly nested: readonly Nested[],
  ) {
    this.places = new Map(columns.map((column, index) => [column, index]));
    const below = new Set(nested.flatMap(({ parts }) => parts.map(([column]) => column)));
    this.flat = columns.filter((column) => !below.has(column));
  }

  read(values: readonly unknown[]): Record<string, unknown> {
    if (this.written !== undefined) return this.written(values);
    // A document that is used once is not worth compiling for.
    if (this.isNew) this.isNew = false;
    else this.written = this.write();
    return this.assemble(values);
  }

  private assemble(values: readonly unknown[]): Record<string, unknown> {
    const at = (column: string) => values[this.places.get(column) as number];
    const record: Record<string, unknown> = {};
    for (const name of this.flat) record[name] = at(name);
    for (const { property, parts, key } of this.nested)
      record[property] =
        key !== undefined && at(key) === null
          ? null
          : Object.fromEntries(parts.map(([column, name]) => [name, at(column)]));
    return record;
  }

  private write(): (values: readonly unknown[]) => Record<string, unknown> {
    const value = (name: string, column: string) => `${JSON.stringify(name)}: v[${this.places.get(column)}]`;
    const properties = this.flat.map((name) => value(name, name));
    for (const { property, parts, key } of this.nested) {
      const object = `{ ${parts.map(([column, name]) => value(name, column)).join(', ')} }`;
      const written = key === undefined ? object : `v[${this.places.get(key)}] === null ? null : ${object}`;
      properties.push(`${JSON.stringify(property)}: ${written}`);
    }
    return new Function('v', `return { ${properties.join(', ')} };`) as never;
  }
}
