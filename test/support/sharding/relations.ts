import { value, type Value } from './compared-values.js';
import type { Alias, Node } from 'libpg-query';

/** The relation of an alias. */
export interface Relation {
  column(name: string): Value | undefined;
  columns: readonly string[];
  /** Set if any name may be a column. */
  isOpen?: boolean;
}

export type Scope = Map<string, Relation>;
export type Outputs = { name: string; value: Value | undefined }[];

export function relationOf(outputs: Outputs, names: readonly string[]): Relation {
  const columns = outputs.map(({ name }, index) => names[index] ?? name);
  return { columns, column: (name) => outputs[columns.indexOf(name)]?.value };
}

/** Given rows, or those of a server table: there may be any number of them. */
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

/** The key of a `with` name in a scope, beside aliases. */
export function cte(name: string): string {
  return `with ${name}`;
}

/** An inserted query does not see its target row, but the names of `with`. */
export function namesOfWith(scope: Scope): Scope {
  return new Map([...scope].filter(([key]) => key.startsWith(cte(''))));
}
