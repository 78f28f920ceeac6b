import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * The network between the gateway and a service, as a forwarder on the loopback interface that can fail. Its address
 * stays the same all the time.
 */
export class Link {
  private mode: 'whole' | 'cut' | 'silent' = 'whole';
  private lag = 0;
  private endsAfter = Infinity;
  private filter: () => (bytes: Buffer) => Buffer = () => (bytes) => bytes;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** Address of the service, through this link. */
    readonly url: string,
  ) {}

  /** `url` may be any that has a host and a port. */
  static async to(url: string): Promise<Link> {
    const target = new URL(url);
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const through = new URL(url);
    through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const link = new Link(server, through.href);
    server.on('connection', (near) => link.join(near, Number(target.port), target.hostname));
    return link;
  }

  /** Ends all connections and refuses new ones: the service is down. */
  cut(): void {
    this.mode = 'cut';
    for (const socket of this.sockets) socket.destroy();
  }

  /** Drops every byte from now on, in both directions, without an error: the network is down. */
  silence(): void {
    this.mode = 'silent';
  }

  /** Passes bytes on late, from now on. */
  slow(milliseconds: number): void {
    this.lag = milliseconds;
  }

  /** Resets each new connection when the service has sent this many bytes over it, be it within a message. */
  resetAfter(bytes: number): void {
    this.endsAfter = bytes;
  }

  /** Puts what the service sends over each new connection through a filter of its own. */
  filterWith(filter: () => (bytes: Buffer) => Buffer): void {
    this.filter = filter;
  }

  /** What was cut stays so; new connections pass. */
  restore(): void {
    if (this.mode === 'silent') this.cut();
    this.mode = 'whole';
    this.lag = 0;
    this.endsAfter = Infinity;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((done) => this.server.close(() => done()));
  }

  private join(near: Socket, port: number, host: string): void {
    near.on('error', () => undefined);
    if (this.mode === 'cut') return void near.resetAndDestroy();
    const far = connect(port, host);
    far.on('error', () => near.destroy());
    let left = this.endsAfter;
    const filter = this.filter();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        if (this.mode !== 'whole') return;
        if (from === near) this.pass(to, bytes);
        else if ((left -= bytes.length) < 0) near.resetAndDestroy();
        else this.pass(to, filter(bytes));
      });
    }
  }

  private pass(to: Socket, bytes: Buffer): void {
    if (this.lag === 0) to.write(bytes);
    else setTimeout(() => to.write(bytes), this.lag).unref();
  }
}
