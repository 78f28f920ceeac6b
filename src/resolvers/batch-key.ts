import type { Selection } from '../vocabulary/selection.js';

/** Fields that may be loaded together: the same list, asked for in the same way, with the same fields of its items. */
export function batchKey(field: string, query: unknown, asked: Selection): string {
  let number = numbers.get(asked);
  if (number === undefined) numbers.set(asked, (number = last += 1));
  return `${field} ${number} ${JSON.stringify(query)}`;
}

/** A selection is one object for as long as its operation is compiled; a number tells selections apart in a text. */
const numbers = new WeakMap<Selection, number>();
let last = 0;
