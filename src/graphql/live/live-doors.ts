import type { Access } from '../../access/access.js';
import type { RateLimits } from '../../access/rate-limits.js';
import type { Engine } from '../../engine/engine.js';
import type { Logger } from '../../logger.js';
import type { Admission } from '../admission.js';
import type { OperationCharges } from '../operation-charges.js';
import { LiveOperations } from './live-operations.js';
import { LiveSessions } from './live-sessions.js';
import { SseDoor } from './sse-door.js';
import { WebSocketDoor } from './web-socket-door.js';

export interface LiveDeps {
  access: Access;
  limits: RateLimits;
  log: Logger;
  /** How many proxies in front are believed about where a request comes from. */
  trustProxy: number;
}

/** Both ways to a subscription, over one register of who is connected. */
export class LiveDoors {
  readonly sessions: LiveSessions;
  readonly webSockets: WebSocketDoor;
  readonly stream: SseDoor;

  constructor(engine: Engine, admission: Admission, charges: OperationCharges, deps: LiveDeps) {
    this.sessions = new LiveSessions(deps.access, deps.log);
    const operations = new LiveOperations(engine, admission, charges, this.sessions);
    this.webSockets = new WebSocketDoor({ ...deps, operations, sessions: this.sessions });
    this.stream = new SseDoor({ ...deps, operations, sessions: this.sessions });
  }

  /** Sends everybody to another instance, and takes nobody in. */
  drain(): void {
    this.sessions.drain();
    this.webSockets.drain();
  }
}
