import type { Pool, PoolClient, QueryArrayConfig } from 'pg';
import { rowsOf } from './rows-of.js';

/** Of the pool's connections, how many may be lanes: transactions need the others, each for itself. */
const SHARE = 0.4;
/** Milliseconds without an answer, after which no further statement is sent behind those that wait. */
const PATIENCE = 50;
/** Milliseconds without a statement, more or less, after which a lane goes back to the pool, which closes it in time. */
const IDLE_LIMIT = 10_000;

interface Lane {
  /** Undefined until it is connected. */
  client: PoolClient | undefined;
  connecting: Promise<PoolClient>;
  /** Statements that are under way or wait. */
  load: number;
  /** When it last had nothing to do, or an answer. */
  movedAt: number;
  /** Those that wait on it are told by the driver, each for itself. */
  readonly onError: (error: Error) => void;
}

/**
 * Reads over a few connections, each statement sent at once behind those that are still under way on its connection
 * (PostgreSQL's pipelining): several then share one trip through both kernels, and nobody takes a connection out of the
 * pool and puts it back for a statement of half a millisecond. For short statements outside of transactions: one that
 * takes long holds up those that were sent behind it before anybody could know.
 */
export class ReadLanes {
  private readonly lanes = new Set<Lane>();
  private readonly sweep: NodeJS.Timeout;

  constructor(
    private readonly pool: Pool,
    private readonly poolSize: number,
    /** Milliseconds of a clock that only goes forward. */
    private readonly now = () => performance.now(),
  ) {
    this.sweep = setInterval(() => this.releaseIdle(), IDLE_LIMIT).unref();
  }

  /** Rows as their values. Throws what the driver throws. */
  async tuples(statement: QueryArrayConfig): Promise<unknown[][]> {
    const lane = this.next();
    if (lane === undefined) return (await this.pool.query<unknown[]>(statement)).rows;
    if (lane.load === 0) lane.movedAt = this.now();
    lane.load += 1;
    try {
      return await rowsOf<unknown[]>(lane.client ?? (await lane.connecting), statement);
    } finally {
      lane.load -= 1;
      lane.movedAt = this.now();
    }
  }

  /** Gives back what is too much since the pool became smaller: transactions need connections as well. */
  shrink(): void {
    for (const lane of this.lanes) if (this.lanes.size > this.most) this.release(lane);
  }

  /** Lanes go back to the pool, which ends each after its last statement. */
  close(): void {
    clearInterval(this.sweep);
    for (const lane of this.lanes) this.release(lane);
  }

  /** None where there is one connection: a transaction could wait for it as long as there is something to read. */
  private get most(): number {
    const size = Math.min(this.poolSize, this.pool.options.max);
    return size < 2 ? 0 : Math.max(1, Math.floor(size * SHARE));
  }

  /** The lane with the least to do; a new one rather than one behind another, as long as there may be more. */
  private next(): Lane | undefined {
    const stuck = this.now() - PATIENCE;
    let best: Lane | undefined;
    for (const lane of this.lanes) {
      if (lane.load === 0) return lane;
      if (lane.movedAt >= stuck && (best === undefined || lane.load < best.load)) best = lane;
    }
    return this.lanes.size < this.most ? this.open() : best;
  }

  private open(): Lane {
    const lane: Lane = {
      client: undefined,
      connecting: this.pool.connect(),
      load: 0,
      movedAt: this.now(),
      onError: (error) => this.release(lane, error),
    };
    this.lanes.add(lane);
    lane.connecting.then(
      (client) => {
        // Closed meanwhile: who waits for it sends its statement first.
        if (!this.lanes.has(lane)) return void setImmediate(() => client.release());
        lane.client = client.on('error', lane.onError);
      },
      () => this.lanes.delete(lane),
    );
    return lane;
  }

  private releaseIdle(): void {
    const since = this.now() - IDLE_LIMIT;
    for (const lane of this.lanes) if (lane.load === 0 && lane.movedAt <= since) this.release(lane);
  }

  private release(lane: Lane, error?: Error): void {
    if (!this.lanes.delete(lane)) return;
    lane.client?.off('error', lane.onError).release(error);
  }
}
