import type { QueryResultRow } from 'pg';
import type { Selection } from '../vocabulary/selection.js';

/**
 * How the properties of a record are read: an expression for each, or the expressions of a nested object. A computed
 * property names the columns that it is made of (`needs`); whoever computes it finds them in the row.
 */
export interface ColumnMap {
  readonly [property: string]:
    string | { readonly needs: Readonly<Record<string, string>> } | { readonly object: ColumnMap };
}

/** What one selection reads of a record. */
export interface Shape {
  /** For a statement's select list. */
  readonly select: string;
  /** The same by name, in its order. */
  readonly columns: ReadonlyMap<string, string>;
  /** Whether nothing is asked for but what is read always: a statement would tell nothing new. */
  readonly bare: boolean;
  /** Makes nested objects of the flat columns, in place. */
  nest<Row>(rows: QueryResultRow[]): Row[];
  /** Makes a record, nested objects and all, of the values of `select`'s columns in their order; others may follow. */
  record(values: readonly unknown[]): Record<string, unknown>;
}

interface Nested {
  property: string;
  /** Column in the flat row, property in the nested object. */
  parts: [column: string, property: string][];
}

/** Reads of a record what was asked for: worked out once for each selection. */
export class Projection {
  private readonly shapes = new WeakMap<Selection, Shape>();

  /** `always` is read whatever is asked for: what nested lists and checks hang on. */
  constructor(
    private readonly columns: ColumnMap,
    private readonly always: readonly string[] = ['id'],
  ) {}

  /**
   * How records are read for this selection: the same object for the same selection. Fields that are no columns are
   * skipped.
   */
  of(asked: Selection): Shape {
    let shape = this.shapes.get(asked);
    if (shape === undefined) this.shapes.set(asked, (shape = this.work(asked)));
    return shape;
  }

  private work(asked: Selection): Shape {
    const select = new Map<string, string>();
    const nested: Nested[] = [];
    for (const property of new Set([...this.always, ...asked.fields])) {
      const column = Object.hasOwn(this.columns, property) ? this.columns[property] : undefined;
      if (typeof column === 'string') select.set(property, column);
      else if (column !== undefined && 'needs' in column)
        for (const [name, sql] of Object.entries(column.needs)) select.set(name, sql);
      else if (column !== undefined) nested.push(nestedParts(property, column.object, asked.of(property), select));
    }
    const always = new Set(this.always);
    const reader = new RecordReader([...select.keys()], nested);
    return {
      bare: nested.length === 0 && [...select.keys()].every((name) => always.has(name)),
      columns: select,
      select: [...select].map(([name, sql]) => `${sql} as "${name}"`).join(', '),
      nest: <Row>(rows: QueryResultRow[]) => {
        for (const { property, parts } of nested) for (const row of rows) row[property] = pick(row, parts);
        return rows as Row[];
      },
      record: (values) => reader.read(values),
    };
  }
}

/** A nested record always carries its id: nested lists hang on it. One level of nesting is all that records have. */
function nestedParts(property: string, columns: ColumnMap, asked: Selection, select: Map<string, string>): Nested {
  const parts: Nested['parts'] = [];
  for (const name of new Set([...('id' in columns ? ['id'] : []), ...asked.fields])) {
    const sql = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (typeof sql !== 'string') continue;
    select.set(`${property}.${name}`, sql);
    parts.push([`${property}.${name}`, name]);
  }
  return { property, parts };
}

function pick(row: QueryResultRow, parts: Nested['parts']): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [column, property] of parts) object[property] = row[column];
  return object;
}

/**
 * Makes records of values. Written out in code from the second one on: V8 then makes each of them in one step and in the
 * same shape, where setting one property after the other by its name costs as much as everything else about a row. All
 * names in that code are those of a ColumnMap, which are ours.
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
    // A document that is seen once is not worth writing code for.
    if (this.isNew) this.isNew = false;
    else this.written = this.write();
    return this.assemble(values);
  }

  private assemble(values: readonly unknown[]): Record<string, unknown> {
    const at = (column: string) => values[this.places.get(column) as number];
    const record: Record<string, unknown> = {};
    for (const name of this.flat) record[name] = at(name);
    for (const { property, parts } of this.nested)
      record[property] = Object.fromEntries(parts.map(([column, name]) => [name, at(column)]));
    return record;
  }

  private write(): (values: readonly unknown[]) => Record<string, unknown> {
    const value = (name: string, column: string) => `${JSON.stringify(name)}: v[${this.places.get(column)}]`;
    const properties = this.flat.map((name) => value(name, name));
    for (const { property, parts } of this.nested) {
      const object = parts.map(([column, name]) => value(name, column)).join(', ');
      properties.push(`${JSON.stringify(property)}: { ${object} }`);
    }

    return new Function('v', `return { ${properties.join(', ')} };`) as never;
  }
}
