import { unavailable } from '../errors.js';
import { sql, statement, type Queryable, type Reads } from './sql.js';

/** Milliseconds for which a successful write is reused. */
const FRESH = 1_000;
/** Milliseconds for COMMIT; below the limit of readiness, so that it can name the cause. */
const LIMIT = 1_000;

const alive = statement()(() => sql`select 1`);

/** Writes a few bytes to the log, which COMMIT flushes to disk and to synchronous standbys, and no row. */
const write = statement()(
  () => sql<{ pid: number; isReadOnly: boolean }>`
    select pid, "isReadOnly", case when not "isReadOnly" then pg_logical_emit_message(true, 'compliance-gateway', '') end
      from (select pg_backend_pid() as pid, current_setting('transaction_read_only')::boolean as "isReadOnly") session`,
);

/** Ends the transaction that waits for a standby: the server would continue to wait without its client. */
const endWait = statement<{ pid: number }>()(
  (p) =>
    sql`select pg_cancel_backend(pid) from pg_stat_activity where pid = ${p('pid')}::int and wait_event = 'SyncRep'`,
);

/** Tests whether a write would succeed: one at a time, at most one a second, without a trace. */
export class WriteProbe {
  private running: Promise<void> | undefined;
  private succeededAt = -Infinity;

  constructor(private readonly database: Reads) {}

  /** Throws UNAVAILABLE when the database does not respond, or is read-only. */
  async check(): Promise<void> {
    if (performance.now() - this.succeededAt < FRESH) return void (await alive.one(this.database));
    await (this.running ??= this.write().finally(() => (this.running = undefined)));
  }

  private async write(): Promise<void> {
    let limit: NodeJS.Timeout | undefined;
    let ended: Promise<unknown[]> | undefined;
    try {
      await this.database.transaction(async (tx: Queryable) => {
        const { pid, isReadOnly } = await write.one(tx);
        if (isReadOnly) throw refused('read-only');
        limit = setTimeout(() => (ended = endWait.all(this.database, { pid }).catch(() => [])), LIMIT);
      });
    } finally {
      clearTimeout(limit);
    }
    if ((await ended)?.length) throw refused('no synchronous standby');
    this.succeededAt = performance.now();
  }
}

/** The code appears in the result of readiness. */
const refused = (code: string) =>
  unavailable(undefined, { service: 'database', cause: Object.assign(new Error('No write succeeds'), { code }) });
