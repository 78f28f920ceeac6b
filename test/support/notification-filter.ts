import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * - `all`: every announcement passes.
 * - `own`: only those pass that arrive while a statement is under way on the same connection, as over a pooler in
 *   transaction mode: it forwards what the server says within a transaction of the client's, and drops the rest.
 * - `none`: no announcement passes.
 */
export type Passing = 'all' | 'own' | 'none';

/** Between a gateway and PostgreSQL on the loopback interface: forwards everything but announcements. */
export class NotificationFilter {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** Address of the database, through this filter. */
    readonly url: string,
    public passing: Passing,
  ) {}

  static async before(databaseUrl: string, passing: Passing): Promise<NotificationFilter> {
    const target = new URL(databaseUrl);
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const filter = new NotificationFilter(server, url.href, passing);
    server.on('connection', (near) => filter.join(near, connect(Number(target.port), target.hostname)));
    return filter;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((done) => this.server.close(() => done()));
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.sockets.delete(from);
      });
    }
    let selection = true;
    let rest = Buffer.alloc(0);
    near.on('data', (bytes) => {
      selection = true;
      far.write(bytes);
    });
    // Each message of the server is a letter and a length, which counts itself (protocol 3.0).
    far.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readInt32BE(1));
        rest = rest.subarray(message.length);
        const type = String.fromCharCode(message[0] as number);
        if (type !== 'A' || this.passing === 'all' || (this.passing === 'own' && selection)) near.write(message);
        if (type === 'Z') selection = false;
      }
    });
  }
}
