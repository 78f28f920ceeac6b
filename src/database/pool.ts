import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientBase, Pool, PoolClient } from 'pg';

/** SQLSTATE too_many_connections: of the server, the database or the role. */
const TOO_MANY = '53300';
/** Milliseconds after the last refusal until more connections are requested again. */
const GROW_AFTER = 10_000;
/** Milliseconds that a caller retries while the server refuses all connections, and between two attempts. */
const STALL_LIMIT = 5_000;
const PAUSE = 200;

type Callback = Parameters<Pool['connect']>[0];

/**
 * Adapts a pool to the server: when a new connection is refused because there are too many, the pool uses those that
 * it has, and callers wait for a free one. Later it requests more again.
 */
export class PoolSize {
  /** Called when the pool has become smaller. */
  onShrink: () => void = () => undefined;
  private readonly connected = new Set<PoolClient>();
  private readonly full: number;
  private readonly connect: () => Promise<PoolClient>;
  private refusedAt = -Infinity;

  /** Replaces the pool's `connect`. */
  constructor(
    private readonly pool: Pool,
    private readonly growAfter = GROW_AFTER,
  ) {
    this.full = pool.options.max;
    this.connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
    pool.on('connect', (client) => {
      this.connected.add(client);
      client.once('end', () => this.connected.delete(client));
    });
    pool.connect = ((callback?: Callback) => {
      const client = this.acquire();
      if (callback === undefined) return client;
      client.then(
        (given) => callback(undefined, given, given.release),
        (error: Error) => callback(error, undefined, () => undefined),
      );
      return undefined;
    }) as Pool['connect'];
  }

  private async acquire(): Promise<PoolClient> {
    const begunAt = performance.now();
    for (;;) {
      if (performance.now() - this.refusedAt >= this.growAfter) this.pool.options.max = this.full;
      try {
        return await this.connect();
      } catch (error) {
        if ((error as { code?: unknown }).code !== TOO_MANY || performance.now() - begunAt > STALL_LIMIT) throw error;
      }
      this.shrink();
      if (this.connected.size === 0) await sleep(PAUSE);
    }
  }

  private shrink(): void {
    this.refusedAt = performance.now();
    // Without those that are connecting: the server may refuse them as well.
    this.pool.options.max = Math.max(1, this.connected.size);
    this.onShrink();
  }
}

/** Number of checks within the limit; silence is detected one check late at most. */
const LOOKS = 4;

/** The state of a connection at the last check. */
interface Sight {
  bytes: number;
  /** Consecutive checks without a received byte while an answer was due. */
  silent: number;
  /** Checks without a byte after which the connection is closed. */
  most: number;
}

/**
 * Closes connections whose server owes an answer and stays silent, so that callers do not wait forever. Only received
 * bytes count: a socket's own timeout counts sent ones too. Migrations, which take long, do not use it.
 */
export class SilenceWatch {
  private readonly sights = new Map<PoolClient, Sight>();
  private readonly timer: NodeJS.Timeout;

  /** Created before the pool's first connection. `limit` is in milliseconds, and above that of a statement. */
  constructor(
    pool: Pool,
    private readonly limit: number,
  ) {
    pool.on('connect', (client) => {
      this.sights.set(client, { bytes: 0, silent: 0, most: LOOKS });
      client.once('end', () => this.sights.delete(client));
    });
    this.timer = setInterval(() => this.look(), limit / LOOKS).unref();
  }

  /** Sets the milliseconds for answers on this connection; the usual limit when absent. */
  allow(client: PoolClient, milliseconds = this.limit): void {
    const sight = this.sights.get(client);
    if (sight !== undefined) sight.most = Math.ceil((LOOKS * milliseconds) / this.limit);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    for (const [client, sight] of this.sights) {
      const { bytesRead } = socketOf(client);
      const isSilent = owesAnswer(client) && bytesRead === sight.bytes;
      sight.bytes = bytesRead;
      sight.silent = isSilent ? sight.silent + 1 : 0;
      // The first check may come right after the beginning of a silence.
      if (sight.silent > sight.most) socketOf(client).destroy(new Error('Query read timeout'));
    }
  }
}

/** The driver's own socket. */
export function socketOf(client: ClientBase): Socket {
  return (client as Client).connection.stream as Socket;
}

function owesAnswer(client: PoolClient & { readyForQuery?: boolean }): boolean {
  return client.readyForQuery !== true;
}
