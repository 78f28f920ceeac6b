import type { GraphQLResolveInfo } from 'graphql';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Page } from '../../database/cursor.js';
import { joined, selectionOf } from '../../graphql/selection.js';
import type { Connection } from '../../schema/shared/connection.js';

export function listSelectionOf(info: GraphQLResolveInfo): ListSelection {
  const selection = selectionOf(info);
  return {
    items: joined(selection.of('nodes'), selection.of('edges').of('node')),
    total: selection.has('totalCount'),
  };
}

/** A page as the connection of the schema; edges and cursors are made only when they are read. */
export function connectionFrom<Item>(page: Page<object>): Connection<Item> {
  return new PageConnection<Item>(page);
}

/** A class, for its getters: see KeyedPage in database/page.ts. */
class PageConnection<Item> implements Connection<Item> {
  readonly nodes: Item[];
  readonly totalCount: number;

  constructor(private readonly page: Page<object>) {
    this.nodes = page.rows as Item[];
    this.totalCount = page.total ?? 0;
  }

  get edges(): { cursor: string; node: Item }[] {
    const { cursors } = this.page;
    return this.nodes.map((node, index) => ({ node, cursor: cursors[index] ?? '' }));
  }

  get pageInfo() {
    const { cursors, hasNextPage, hasPreviousPage } = this.page;
    return { hasNextPage, hasPreviousPage, startCursor: cursors[0] ?? null, endCursor: cursors.at(-1) ?? null };
  }
}

/** Identifies fields that may be loaded together: the same list, the same arguments, the same selection of items. */
export function batchKey(field: string, query: unknown, selected: Selection): string {
  let number = numbers.get(selected);
  if (number === undefined) numbers.set(selected, (number = last += 1));
  return `${field} ${number} ${JSON.stringify(query)}`;
}

/** A selection is one object for as long as its operation is compiled; a number identifies it in a text. */
const numbers = new WeakMap<Selection, number>();
let last = 0;
