import type { Queryable } from '../../src/database/sql.js';
import type { Database } from '../../src/database/database.js';
import { settled } from './settled.js';
import { until } from './until.js';

// Sessions that this session blocks, directly or indirectly. `pg_stat_activity` is a snapshot of its first read in a
// transaction.
const HELD_UP = `with recursive waiting as materialized (select distinct pid from pg_locks where not granted),
  held_up as (
    select pg_backend_pid() as pid
    union
    select w.pid from waiting w join held_up h on h.pid = any(pg_blocking_pids(w.pid))
  )
  select count(*) - 1 as waiting from held_up`;

/**
 * Waits until other sessions, one unless a number is given, wait for a lock of this transaction, as reported by the
 * server, so that tests do not sleep. Jobs that wait for each other are not counted.
 */
export async function someoneWaits(tx: Pick<Queryable, 'rows'>, waiters = 1): Promise<void> {
  await until(async () => {
    const [row] = await tx.rows<{ waiting: number }>(HELD_UP);
    return row!.waiting >= waiters;
  });
}

/**
 * Locks the rows of a statement while requests start, each after the previous one waits: they run in this order.
 * Earlier changes are consumed first: otherwise a consumer waiting for the first request would be counted as the
 * second.
 */
export async function inTurnBehind<Result>(
  database: Database,
  [statement, values]: readonly [string, readonly unknown[]],
  requests: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const begun: Promise<Result>[] = [];
  await settled(database);
  await database.transaction(async (tx) => {
    await tx.rows(statement, values);
    for (const request of requests) {
      begun.push(request());
      await someoneWaits(tx, begun.length);
    }
  });
  return Promise.all(begun);
}
