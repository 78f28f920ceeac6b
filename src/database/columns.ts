import { ReferenceKind, type InferEntity } from '@mikro-orm/core';
import type { AliasedRawBuilder, RawBuilder, SelectType } from 'kysely';
import { toSnakeCase } from '../common/naming.js';
import { tables, type SnakeCase, type Tables } from '../entities/index.js';
import { sql, table, type Expression, type Placeholders, type Sent } from './sql.js';

/** A row of a table by the properties of its entity; a reference is the key: `organizationId`. */
export type RowOf<Name extends keyof Tables> = {
  [Column in keyof Tables[Name] & string as CamelCase<Column>]: SelectType<Tables[Name][Column]>;
};

type CamelCase<Column extends string> = Column extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Column;

/** Every column of a table, as its entity declares them: for projections. */
export function allColumns<Name extends keyof Tables & string>(
  name: Name,
  alias: string = name,
): Record<keyof RowOf<Name> & string, Expression> {
  const reference = table(name, alias) as unknown as Record<string, Expression>;
  const columns = propertiesOf(name).map((property) => [property, reference[toSnakeCase(property)]]);
  return Object.fromEntries(columns) as Record<keyof RowOf<Name> & string, Expression>;
}

/** All columns, for `select` and `returning`. */
export function selectAll<Name extends keyof Tables & string>(name: Name, alias: string = name) {
  return selectSome(name, alias, propertiesOf(name) as (keyof RowOf<Name> & string)[]);
}

/** Only these properties. */
export function selectSome<Name extends keyof Tables & string, Property extends keyof RowOf<Name> & string>(
  name: Name,
  alias: string,
  properties: readonly Property[],
) {
  const columns = allColumns(name, alias);
  return properties.map((property) => columns[property].as(property)) as {
    [P in Property]: AliasedRawBuilder<RowOf<Name>[P], P>;
  }[Property][];
}

/** Columns with the parameters of the same names, for `values` and `set`. */
export function assign<Name extends keyof Tables, Params, Property extends keyof RowOf<Name> & keyof Params & string>(
  _name: Name,
  p: Placeholders<Params>,
  properties: readonly Property[],
): { [P in Property as SnakeCase<P>]: RawBuilder<Sent<Params[P]>> } {
  return Object.fromEntries(properties.map((property) => [toSnakeCase(property), p(property)])) as never;
}

/** Defaults of a new row, by the properties of its entity. */
export function defaultsOf<Name extends keyof Tables>(name: Name): Partial<InferEntity<(typeof tables)[Name]>> {
  const properties = Object.entries<{ default?: unknown }>(tables[name].meta.properties);
  return Object.fromEntries(
    properties.flatMap(([property, { default: value }]) => (value === undefined ? [] : [[property, value]])),
  ) as never;
}

/** Distributes over several tables. */
type RowValues<Name extends keyof Tables> = Name extends unknown ? Partial<RowOf<Name>> : never;
type PropertyOf<Name extends keyof Tables> = Name extends unknown ? keyof RowOf<Name> & string : never;

/** Rows with equal properties as JSON, by the names of their columns, for `insertRows`. */
export function jsonRows<Name extends keyof Tables>(rows: readonly RowValues<Name>[]): string {
  const columns = Object.keys(rows[0] ?? {}).map((property) => [property, toSnakeCase(property)] as const);
  return JSON.stringify(
    rows.map((row: Readonly<Record<string, unknown>>) => {
      const values: Record<string, unknown> = {};
      for (const [property, column] of columns) {
        const value = row[property];
        values[column] = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
      }
      return values;
    }),
  );
}

/**
 * Inserts the rows of `jsonRows` in one statement for any number; the template continues with `on conflict` or
 * `returning`.
 */
export function insertRows<Name extends keyof Tables & string>(
  name: Name,
  properties: readonly PropertyOf<Name>[],
  rows: Expression,
): Expression {
  const columns = sql.join(properties.map((property) => sql.id(toSnakeCase(property))));
  return sql`insert into ${sql.table(name)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(name)}, ${rows})`;
}

/** Properties of a table's entity; a reference is the key. */
export function propertiesOf(name: keyof Tables): string[] {
  return declaredBy(name).map(({ property }) => property);
}

/** Properties that identify a row. */
export function keyOf(name: keyof Tables): string[] {
  return declaredBy(name).flatMap(({ property, primary }) => (primary === true ? [property] : []));
}

function declaredBy(name: keyof Tables): { property: string; primary?: boolean }[] {
  const properties = Object.entries<{ kind?: ReferenceKind; primary?: boolean }>(tables[name].meta.properties);
  return properties.map(([property, { kind = ReferenceKind.SCALAR, ...rest }]) => ({
    ...rest,
    property: kind === ReferenceKind.SCALAR ? property : `${property}Id`,
  }));
}
