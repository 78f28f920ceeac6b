import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientBase, Pool, PoolClient } from 'pg';

/** SQLSTATE too_many_connections: of the server, the database or the role. */
const TOO_MANY = '53300';
/** Milliseconds after the last refusal until more connections are tried again. */
const GROW_AFTER = 10_000;
/** Milliseconds that a caller tries while the server gives no connection at all, and between two of these tries. */
const STALL_LIMIT = 5_000;
const PAUSE = 200;

type Callback = Parameters<Pool['connect']>[0];

/**
 * Keeps a pool within what the server gives: where a new connection is refused because there are too many, the pool
 * makes do with those that it has, and callers wait for a free one. Later it tries for more again.
 */
export class PoolSize {
  /** Called when there are fewer connections to share from now on. */
  onShrink: () => void = () => undefined;
  private readonly connected = new Set<PoolClient>();
  private readonly full: number;
  private readonly connect: () => Promise<PoolClient>;
  private refusedAt = -Infinity;

  /** Takes the pool's `connect` over. */
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
    // Not those that are still connecting: the server may refuse them as well.
    this.pool.options.max = Math.max(1, this.connected.size);
    this.onShrink();
  }
}

/** How often the watch looks within the limit; a silence ends at most one look later than it should. */
const LOOKS = 4;

/** The state of a connection when the watch looked last. */
interface Sight {
  bytes: number;
  /** Checks without a received byte while an answer was due. */
  silent: number;
  /** Looks without a byte after which it is ended. */
  most: number;
}

/**
 * Ends connections whose server owes an answer and stays silent, so that callers do not wait for ever. Only received
 * bytes count: a socket's own time-out counts sent ones too. Migrations, which take long, do without.
 */
export class SilenceWatch {
  private readonly sights = new Map<PoolClient, Sight>();
  private readonly timer: NodeJS.Timeout;

  /** Has to see the pool before its first connection. `limit` is in milliseconds, and above that of a statement. */
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

  /** Sets the milliseconds for answers over this connection; the usual limit when absent. */
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
      // The first look of a silence may come right after its beginning.
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
