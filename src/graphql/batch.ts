import type { GraphQLContext } from '../http/context.js';

/**
 * Loads something for many parents of one level in one call. Fields with the same `key` (field, arguments and
 * selection) that are resolved in the same turn wait for each other; `load` gets each of their parents' keys once
 * and answers with a map, in which an Error rejects its parent and no other. Nothing is remembered: the next field of a
 * mutation sees what the one before it has changed. (A DataLoader for each request outlives it until a full collection,
 * which cost more than the statements it saved.)
 */
export async function batch<Key, Value>(
  { batches }: GraphQLContext,
  key: string,
  parent: Key,
  load: (parents: readonly Key[]) => Promise<ReadonlyMap<Key, Value | Error>>,
): Promise<Value> {
  let waiting = batches.get(key);
  if (waiting === undefined) {
    const parents = new Set<unknown>();
    const found = turnsEnd().then(() => {
      batches.delete(key);
      return load([...parents] as Key[]);
    });
    waiting = { parents, found };
    batches.set(key, waiting);
  }
  waiting.parents.add(parent);
  const value = (await waiting.found).get(parent) as Value | Error | undefined;
  if (value instanceof Error) throw value;
  if (value === undefined) throw new Error(`Nothing was loaded for a parent of ${key}`);
  return value;
}

/** The same if `load` returns results in the order of the parents. */
export function batchInOrder<Key, Value>(
  context: GraphQLContext,
  key: string,
  parent: Key,
  load: (parents: readonly Key[]) => Promise<readonly Value[]>,
): Promise<Value> {
  return batch(context, key, parent, async (parents: readonly Key[]) => {
    const found = await load(parents);
    return new Map(parents.map((each, index) => [each, found[index] as Value]));
  });
}

/** After the callbacks of every promise that is settled by now: siblings of one level are resolved one after the other. */
function turnsEnd(): Promise<void> {
  return new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));
}
