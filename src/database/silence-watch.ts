import type { Socket } from 'node:net';
import type { Client, ClientBase, Pool, PoolClient } from 'pg';

/** How often the watch looks within the limit; a silence ends at most one look later than it should. */
const LOOKS = 4;

/** What the watch saw of a connection when it looked last. */
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
