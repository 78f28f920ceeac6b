import type { Queryable } from '../../src/database/sql.js';
import type { Database } from '../../src/database/database.js';
import { settled } from './settled.js';
import { until } from './until.js';

// Whom a session holds up, and whom those hold up in turn. Of `pg_stat_activity`, a transaction sees what was true at its first look.
const HELD_UP = `with recursive waiting as materialized (select distinct pid from pg_locks where not granted),
  held_up as (
    select pg_backend_pid() as pid
    union
    select w.pid from waiting w join held_up h on h.pid = any(pg_blocking_pids(w.pid))
  )
  select count(*) - 1 as waiting from held_up`;

/**
 * Until a statement of another session waits for a lock of this transaction, or as many as are named: as the server
 * says, so that no test has to sleep. Jobs that wait for each other meanwhile are not counted.
 */
export async function someoneWaits(tx: Pick<Queryable, 'rows'>, waiters = 1): Promise<void> {
  await until(async () => {
    const [row] = await tx.rows<{ waiting: number }>(HELD_UP);
    return row!.waiting >= waiters;
  });
}

/**
 * Holds rows that a statement locks while requests are begun, each once those before wait: they are done in this order. What was
 * committed before is consumed by then: a consumer that waits for the first request would be taken for the second.
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
