import { isLocked } from '../../database/driver-errors.js';
import { isUnavailable } from '../../errors.js';

/**
 * Does `work` for each item. One that fails, as where its trail is locked, holds up those of its trail alone, and its error is thrown when
 * all were tried; but that of a database that is away at once.
 */
export async function ofEachTrail<Item>(
  items: Iterable<Item>,
  trailOf: (item: Item) => string | number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures = new Map<string | number, unknown>();
  for (const item of items) {
    const trail = trailOf(item);
    if (failures.has(trail)) continue;
    try {
      await work(item);
    } catch (error) {
      if (isUnavailable(error) && !isLocked(error)) throw error;
      failures.set(trail, error);
    }
  }
  for (const failure of failures.values()) throw failure;
}
