import type { GraphQLResolveInfo } from 'graphql';
import type { Page } from '../database/page.js';
import { joined, selectionOf } from '../engine/selection.js';
import type { Connection } from '../schema/connection.js';
import type { ListSelection } from '../vocabulary/selection.js';

export function askedOf(info: GraphQLResolveInfo): ListSelection {
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
