import type { GraphQLResolveInfo } from 'graphql';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { GraphQLContext } from '../../context.js';
import type { Page } from '../../database/cursor.js';
import { notFound } from '../../errors.js';
import { batch } from '../../graphql/batch.js';
import type { Connection } from '../../schema/shared/connection.js';
import { listSelectionOf } from './decorators.js';

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

/** How the lists of many parents are reached. */
export interface ListSource<Parent> {
  authorize(parent: Parent): Promise<void>;
  load(parents: readonly Parent[], selection: ListSelection): Promise<ReadonlyMap<Parent, Page<object>>>;
}

/**
 * The list below `parent`, loaded in one statement for all parents of the level. Each parent is authorized before it
 * joins the others, so that a refusal stays with its own field; and all of them at once, so that those whose role is
 * not known yet and has to be read do not fall behind into statements of their own.
 */
export async function nestedList<Parent, Item>(
  context: GraphQLContext,
  info: GraphQLResolveInfo,
  query: object,
  parent: Parent,
  { authorize, load }: ListSource<Parent>,
): Promise<Connection<Item>> {
  const selection = listSelectionOf(info);
  const key = batchKey(`${info.parentType.name}.${info.fieldName}`, [query, selection.total], selection.items);
  const page = await authorizedBatch(context, key, parent, authorize, (parents) => load(parents, selection));
  return connectionFrom<Item>(page);
}

/**
 * Something below `parent`, loaded for all parents of the level at once; each is authorized before it joins. For a parent
 * that nothing is found for it throws NOT_FOUND: it has gone while it was remembered that the caller has access.
 */
export async function authorizedBatch<Parent, Value>(
  context: GraphQLContext,
  key: string,
  parent: Parent,
  authorize: (parent: Parent) => Promise<void>,
  load: (parents: readonly Parent[]) => Promise<ReadonlyMap<Parent, Value>>,
): Promise<Value> {
  await batch(context, `authorize ${key}`, parent, (parents: readonly Parent[]) => outcomes(parents, authorize));
  return batch<Parent, Value>(context, key, parent, async (parents) => {
    const found = await load(parents);
    return new Map(parents.map((each) => [each, found.get(each) ?? notFound()]));
  });
}

/** A batch that answers an Error for a parent rejects that parent and no other. */
async function outcomes<Parent>(
  parents: readonly Parent[],
  authorize: (parent: Parent) => Promise<void>,
): Promise<Map<Parent, unknown>> {
  const settled = await Promise.allSettled(parents.map(authorize));
  const notified = settled.map((one) => (one.status === 'rejected' ? (one.reason as unknown) : 'allowed'));
  return new Map(parents.map((parent, index) => [parent, notified[index]]));
}
