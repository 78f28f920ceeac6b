import type { Socket } from 'node:net';
import { Relay } from '../../support/relay.js';

/**
 * The network between the gateway and a service, as a proxy on the loopback interface that can fail. Its address never
 * changes.
 */
export class Link extends Relay {
  private mode: 'whole' | 'cut' | 'silent' = 'whole';
  private lag = 0;
  private endsAfter = Infinity;
  private filter: () => (bytes: Buffer) => Buffer = () => (bytes) => bytes;

  static to(url: string): Promise<Link> {
    return new Link().listen(url);
  }

  /** Closes all connections and refuses new ones: the service is down. */
  override cut(): void {
    this.mode = 'cut';
    super.cut();
  }

  /** Drops every later byte in both directions, without an error: the network is down. */
  silence(): void {
    this.mode = 'silent';
  }

  /** Delays every later byte. */
  slow(milliseconds: number): void {
    this.lag = milliseconds;
  }

  /** Resets each new connection when the service has sent this many bytes over it, possibly within a message. */
  resetAfter(bytes: number): void {
    this.endsAfter = bytes;
  }

  /** Passes the service's output on each new connection through a separate filter. */
  filterWith(filter: () => (bytes: Buffer) => Buffer): void {
    this.filter = filter;
  }

  /** Affected connections remain so; new connections work. */
  restore(): void {
    if (this.mode === 'silent') this.cut();
    this.mode = 'whole';
    this.lag = 0;
    this.endsAfter = Infinity;
  }

  protected join(near: Socket, toService: () => Socket): void {
    if (this.mode === 'cut') return void near.resetAndDestroy();
    const far = toService();
    let left = this.endsAfter;
    const filter = this.filter();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
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
