import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { overNetwork } from './database.js';

/** A proxy between a gateway and a service, on the loopback interface. */
export abstract class Relay {
  /** Address of the service, through this relay. */
  url = '';
  private readonly server = createServer();
  private readonly sockets = new Set<Socket>();

  /** Closes all existing connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((done) => this.server.close(() => done()));
  }

  /** Connects to the service and forwards in both directions; both ends close together. */
  protected abstract join(near: Socket, toService: () => Socket): void;

  /** `url` may be any with a host and a port. */
  protected async listen(url: string): Promise<this> {
    const target = new URL(url);
    this.server.on('connection', (near) => {
      near.on('error', () => undefined);
      this.join(near, () => {
        const far = connect(Number(target.port), target.hostname);
        this.endTogether(near, far);
        this.endTogether(far, near);
        return far;
      });
    });
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    const through = new URL(overNetwork(url));
    through.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    this.url = through.href;
    return this;
  }

  private endTogether(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      to.destroy();
      this.sockets.delete(from);
    });
  }
}
