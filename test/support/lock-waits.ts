import type { Database } from '../../src/database/database.js';

/** Until a statement of another session waits for a lock, or as many as are named: asked of the server, so that nothing has to be slept through. */
export async function someoneWaits(database: Database, waiters = 1): Promise<void> {
  for (;;) {
    const [row] = await database.rows<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (row!.waiting >= waiters) return;
  }
}
