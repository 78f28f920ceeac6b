import type { Database } from '../../src/database/database.js';
import { until } from './until.js';

/** Until a statement of another session waits for a lock, or as many as are named: as the server says, so that no test has to sleep. */
export async function someoneWaits(database: Database, waiters = 1): Promise<void> {
  await until(async () => {
    const [row] = await database.rows<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row!.waiting >= waiters;
  });
}

/** Holds rows that a statement locks while requests are begun, each once those before wait: they are done in this order. */
export async function inTurnBehind<Result>(
  database: Database,
  [statement, values]: readonly [string, readonly unknown[]],
  requests: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const begun: Promise<Result>[] = [];
  await database.transaction(async (tx) => {
    await tx.rows(statement, values);
    for (const request of requests) {
      begun.push(request());
      await someoneWaits(database, begun.length);
    }
  });
  return Promise.all(begun);
}
