import DataLoader from 'dataloader';
import type { RequestContext } from '../context.js';

/**
 * Loads something for many parents of one level in one call. Fields with the same `key` (field, arguments and what is
 * asked for below) that are resolved in the same turn wait for each other; `load` gets each of their parents' keys once
 * and answers with a map. Nothing is remembered: the next field of a mutation sees what the one before it has changed.
 */
export function batch<Key, Value>(
  context: RequestContext,
  key: string,
  parent: Key,
  load: (parents: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): Promise<Value> {
  const batches = context.batches as unknown as Map<string, DataLoader<Key, Value>>;
  let loader = batches.get(key);
  if (loader === undefined) {
    const loadOnce = async (parents: readonly Key[]) => {
      const found = await load([...new Set(parents)]);
      return parents.map((each) => found.get(each) ?? new Error(`Nothing was loaded for a parent of ${key}`));
    };
    loader = new DataLoader<Key, Value>(loadOnce, { cache: false });
    batches.set(key, loader);
  }
  return loader.load(parent);
}
