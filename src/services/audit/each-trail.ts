import { isLocked } from '../../database/driver-errors.js';
import { isUnavailable } from '../../errors.js';

/**
 * Runs `work` for each item. A failure, as with a locked trail, blocks only later items of its trail, and is thrown
 * at the end; that of an unavailable database is thrown at once.
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
