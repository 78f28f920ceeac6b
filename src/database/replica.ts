import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import { DomainError } from '../errors.js';
import { CANCELLED, sqlStateOf } from './driver-errors.js';
import { sql, statement, type Queryable, type Reads } from './sql.js';

/**
 * Milliseconds that a read waits for the replica to catch up, between two checks, and before the replica is tried
 * again.
 */
const WAIT = 200;
const LOOK = 10;
const PAUSE = 2_000;

/** The server of reads: the replica, or the primary for this reason. */
export type ReadSource = 'replica' | 'behind' | 'away' | 'not a standby' | 'failed';

interface Position {
  /** Null on a server that is itself a standby. */
  position: string | null;
  cluster: string;
}

/**
 * The cluster, the database and the timeline: after a failover or a restore to an earlier moment, a standby that does not
 * follow still has changes that were undone, and may be ahead. One that follows records the timeline by its next restart
 * point.
 */
const CLUSTER = sql<string>`(
  select system_identifier || '/' || current_database() || '/' ||
         case when pg_is_in_recovery() then lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0')
              else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end
    from pg_control_system(), pg_control_checkpoint(), pg_control_recovery())`;

/**
 * The position that a standby must have replayed to include all commits. With asynchronous commits the flushed log may
 * end before them. If it ends with a page, it may end within a record, which writing another one completes.
 */
const positionOf = statement()(
  () => sql<Position>`
    select case when pg_is_in_recovery() then null
                when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
                when pg_wal_lsn_diff(flushed, '0/0') % current_setting('wal_block_size')::int = 0
                  then pg_logical_emit_message(true, '', '')
                else flushed end::text as position, ${CLUSTER} as cluster
      from (select case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() end as flushed) log`,
);

const stateOf = statement<Position>()(
  (p) => sql<{ state: ReadSource }>`
    select case when not pg_is_in_recovery() or ${CLUSTER} <> ${p('cluster')} then 'not a standby'
                when pg_last_wal_replay_lsn() >= ${p('position')}::pg_lsn then 'replica' else 'behind' end as state`,
);

/** A standby for long reads. Each read includes everything that was committed before it began. */
export class Replica {
  /** Number of reads by their server. */
  readonly counts: Record<ReadSource, number> = { replica: 0, behind: 0, away: 0, 'not a standby': 0, failed: 0 };
  private pausedUntil = -Infinity;
  private source: ReadSource = 'replica';

  constructor(private readonly standby: Reads & { close(): Promise<void> }) {}

  /** For one use case: the replica while it responds, else `primary`. */
  async reads(primary: Reads): Promise<Reads> {
    const isPaused = performance.now() < this.pausedUntil;
    const source = isPaused ? this.source : await this.sourceFor(await positionOf.one(primary));
    this.counts[source] += 1;
    if (source === 'replica') return new ReplicaReads(this.standby, primary, () => (this.counts.failed += 1));
    if (!isPaused) this.pausedUntil = performance.now() + PAUSE;
    this.source = source;
    return primary;
  }

  close(): Promise<void> {
    return this.standby.close();
  }

  private async sourceFor(position: Position): Promise<ReadSource> {
    const deadline = performance.now() + WAIT;
    let source: ReadSource = 'away';
    const look = async () => {
      do {
        ({ state: source } = await stateOf.one(this.standby, position));
      } while (source === 'behind' && performance.now() < deadline && (await sleep(LOOK, true)));
    };
    await Promise.race([look(), sleep(WAIT, undefined, { ref: false })]).catch(() => (source = 'away'));
    return source;
  }
}

/** After an error of the replica the primary answers, because earlier reads may be newer than the replica. */
class ReplicaReads implements Reads {
  private hasFailed = false;

  constructor(
    private readonly standby: Reads,
    private readonly primary: Reads,
    private readonly onFailure: () => void,
  ) {}

  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    return this.run((database) => database.rows<Row>(text, values));
  }

  tuples(text: string, values?: readonly unknown[]): Promise<unknown[][]> {
    return this.run((database) => database.tuples(text, values));
  }

  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    return this.run((database) => database.transaction(work));
  }

  snapshot<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    return this.run((database) => database.snapshot(work));
  }

  private async run<Result>(read: (database: Reads) => Promise<Result>): Promise<Result> {
    if (this.hasFailed) return read(this.primary);
    try {
      return await read(this.standby);
    } catch (error) {
      if (!isOfServer(error)) throw error;
      if (!this.hasFailed) this.onFailure();
      this.hasFailed = true;
      return read(this.primary);
    }
  }
}

/** Not an error of the use case, and not a statement timeout, which the primary would report as well. */
function isOfServer(error: unknown): boolean {
  if (!(error instanceof DomainError)) return true;
  return error.code === 'UNAVAILABLE' && sqlStateOf(error.cause) !== CANCELLED;
}
