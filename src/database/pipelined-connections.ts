import type { Socket } from 'node:net';
import { socketOf } from './pool.js';
import { tracedStatement } from './statement-spans.js';
import type { Pool, PoolClient, QueryArrayConfig, ClientBase, QueryConfig, QueryResultRow } from 'pg';

/** Share of the pool's connections that may be pipelined: each transaction needs one of the others. */
const SHARE = 0.4;
/** The number of connections of a pool that may be pipelined. */
export const pipelinedOf = (size: number): number => (size < 2 ? 0 : Math.max(1, Math.floor(size * SHARE)));

/** Milliseconds without an answer after which no statement is added to those that wait. */
const STALL_LIMIT = 50;
/** Milliseconds, roughly, without a statement after which a connection returns to the pool, which closes it later. */
const IDLE_LIMIT = 10_000;

interface PipelinedConnection {
  /** Undefined while connecting. */
  client: PoolClient | undefined;
  connecting: Promise<PoolClient>;
  /** Statements that are running or waiting. */
  load: number;
  /** Time of the last answer, or of becoming idle. */
  movedAt: number;
  /** The driver rejects each waiting statement. */
  readonly onError: (error: Error) => void;
}

/**
 * Reads over a few connections without waiting for earlier answers (pipelining of PostgreSQL), so that no statement
 * occupies a connection. For short statements outside of transactions: a long one delays those behind it.
 */
export class PipelinedConnections {
  private readonly connections = new Set<PipelinedConnection>();
  private readonly sweep: NodeJS.Timeout;

  constructor(
    private readonly pool: Pool,
    private readonly poolSize: number,
    /** Milliseconds of a monotonic clock. */
    private readonly now = () => performance.now(),
  ) {
    this.sweep = setInterval(() => this.releaseIdle(), IDLE_LIMIT).unref();
  }

  /** Rows, or arrays of their values if the statement says so. Throws errors of the driver. */
  async read<Row extends QueryResultRow>(statement: QueryConfig | QueryArrayConfig): Promise<Row[]> {
    const connection = this.next();
    if (connection === undefined)
      return tracedStatement(statement, async () => (await this.pool.query<Row>(statement)).rows);
    if (connection.load === 0) connection.movedAt = this.now();
    connection.load += 1;
    try {
      return await rowsOf<Row>(connection.client ?? (await connection.connecting), statement);
    } finally {
      connection.load -= 1;
      connection.movedAt = this.now();
    }
  }

  /** Returns connections beyond the share of a pool that has become smaller. */
  shrink(): void {
    for (const connection of this.connections) if (this.connections.size > this.most) this.release(connection);
  }

  /** Returns a connection where the pool has none free. */
  yieldOne(): void {
    const { idleCount, totalCount, options } = this.pool;
    const [connection] = this.connections;
    if (connection !== undefined && idleCount === 0 && totalCount >= options.max) this.release(connection);
  }

  /** Returns all connections to the pool, which ends each after its last statement. */
  close(): void {
    clearInterval(this.sweep);
    for (const connection of this.connections) this.release(connection);
  }

  /** None for a pool of one connection: a transaction could wait for it indefinitely. */
  private get most(): number {
    const size = Math.min(this.poolSize, this.pool.options.max);
    return pipelinedOf(size);
  }

  /** The least loaded connection; a new one instead of a busy one, as long as there may be more. */
  private next(): PipelinedConnection | undefined {
    const stuck = this.now() - STALL_LIMIT;
    let best: PipelinedConnection | undefined;
    for (const connection of this.connections) {
      if (connection.load === 0) return connection;
      if (connection.movedAt >= stuck && (best === undefined || connection.load < best.load)) best = connection;
    }
    return this.connections.size < this.most ? this.open() : best;
  }

  private open(): PipelinedConnection {
    const connection: PipelinedConnection = {
      client: undefined,
      connecting: this.pool.connect(),
      load: 0,
      movedAt: this.now(),
      onError: (error) => this.release(connection, error),
    };
    this.connections.add(connection);
    connection.connecting.then(
      (client) => {
        // Closed meanwhile: callers that wait for it send their statements before it returns to the pool.
        if (!this.connections.has(connection)) return void setImmediate(() => client.release());
        connection.client = client.on('error', connection.onError);
      },
      () => this.connections.delete(connection),
    );
    return connection;
  }

  private releaseIdle(): void {
    const since = this.now() - IDLE_LIMIT;
    for (const connection of this.connections)
      if (connection.load === 0 && connection.movedAt <= since) this.release(connection);
  }

  private release(connection: PipelinedConnection, error?: Error): void {
    if (!this.connections.delete(connection)) return;
    connection.client?.off('error', connection.onError).release(error);
  }
}

/**
 * With a callback: the driver's promises, like its `query_timeout`, make V8 retain the rows of every statement until
 * a full collection (docs/adr/0016).
 */
export function rowsOf<Row extends QueryResultRow>(
  client: ClientBase,
  statement: QueryConfig | QueryArrayConfig,
): Promise<Row[]> {
  return tracedStatement(
    statement,
    () =>
      new Promise((resolve, reject) => {
        sendTogether(socketOf(client));
        client.query<Row>(statement, (error: Error | null, result) => {
          if (error) reject(error);
          else if (statement === COMMIT && result.command !== 'COMMIT') reject(new Error(UNDONE));
          else resolve(result.rows);
        });
      }),
  );
}

export const COMMIT = { text: 'commit' };
/** The server's answer to COMMIT after a failed statement whose error was caught. */
const UNDONE = 'COMMIT was answered by ROLLBACK: a statement of the transaction had failed';

/** Statements of one turn of the event loop, such as BEGIN and the next one, are sent with one system call. */
function sendTogether(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(uncork, socket);
}

const uncork = (socket: Socket) => socket.uncork();
