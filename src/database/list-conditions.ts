import { sql, type Expression, type Placeholders } from './sql.js';

/** An additional condition with its values. */
export interface Condition {
  readonly filter: Filter;
  readonly values: object;
}

interface Filter {
  /** Part of the key of a compiled list. */
  readonly number: number;
  /** With a column, `build` returns the values it may have; without one, the condition. */
  readonly column: Expression | undefined;
  build(p: Placeholders<object>, parent: Expression): Expression;
}

let filters = 0;

/**
 * Declares a kind of condition:
 * `const hasStatus = filter<{ status: string }>((p) => sql`${i.status} = ${p('status')}`)`.
 * It also gets the key of the parent, which is known before a row is read.
 */
export function filter<Values extends object = object>(
  build: (p: Placeholders<Values>, parent: Expression) => Expression,
  column?: Expression,
) {
  const declared: Filter = { number: (filters += 1), column, build: build as Filter['build'] };
  return (values: Values): Condition => ({ filter: declared, values });
}

/**
 * Declares that a column is one of several texts. A page is merged from the first rows of each: an index that begins
 * with the column has the rows of each text in the order of the list, but not of several. Requires `details`.
 */
export function oneOf(column: Expression) {
  return filter<{ texts: readonly string[] }>((p) => sql`${p('texts')}::text[]`, column);
}
