import { value, type Value } from './compared-values.js';
import type { Alias, Node } from 'libpg-query';

/** The relation behind an alias. */
export interface Relation {
  column(name: string): Value | undefined;
  columns: readonly string[];
  /** Where every name may be a column. */
  isOpen?: boolean;
}

export type Scope = Map<string, Relation>;
export type Outputs = { name: string; value: Value | undefined }[];

export function relationOf(outputs: Outputs, names: readonly string[]): Relation {
  const columns = outputs.map(({ name }, index) => names[index] ?? name);
  return { columns, column: (name) => outputs[columns.indexOf(name)]?.value };
}

/** Rows that are given, or of a table of the server: there may be any number of them. */
export function rowsOf(alias: Alias | undefined, definitions?: Node[]): Relation {
  const values = new Map<string, Value>();
  const defined = (definitions ?? []).map((each) => ('ColumnDef' in each ? (each.ColumnDef.colname ?? '') : ''));
  const column = (name: string) => {
    if (!values.has(name)) values.set(name, value('several', name));
    return values.get(name);
  };
  return { columns: [...textsOf(alias?.colnames), ...defined], column, isOpen: true };
}

export function textsOf(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []));
}

/** The key of a name of `with` in a scope, beside aliases. */
export function cte(name: string): string {
  return `with ${name}`;
}

/** A query that is inserted does not see the row that it becomes, but what `with` has named. */
export function namesOfWith(scope: Scope): Scope {
  return new Map([...scope].filter(([key]) => key.startsWith(cte(''))));
}
