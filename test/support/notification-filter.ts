import type { Socket } from 'node:net';
import { Relay } from './relay.js';

/**
 * - `all`: forwards every NOTIFY message.
 * - `own`: only those that arrive during a statement on the same connection, like a pooler in transaction mode.
 * - `none`: forwards none.
 */
export type Passing = 'all' | 'own' | 'none';

/** A proxy between a gateway and PostgreSQL: forwards everything, and of NOTIFY messages those that `passing` allows. */
export class NotificationFilter extends Relay {
  private constructor(public passing: Passing) {
    super();
  }

  static before(databaseUrl: string, passing: Passing): Promise<NotificationFilter> {
    return new NotificationFilter(passing).listen(databaseUrl);
  }

  protected join(near: Socket, toService: () => Socket): void {
    const far = toService();
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
