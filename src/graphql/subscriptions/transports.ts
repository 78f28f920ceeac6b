import type { GraphQLExecutor } from '../executor.js';
import type { DocumentValidator } from '../document-validator.js';
import type { OperationCharges } from '../operation-charges.js';
import { LiveOperations } from './operations.js';
import { LiveSessions, type LiveDeps } from './sessions.js';
import { SseTransport } from './sse-transport.js';
import { WebSocketTransport } from './web-socket-transport.js';

/** Both ways to a subscription, over one register of who is connected. */
export class SubscriptionTransports {
  readonly sessions: LiveSessions;
  readonly webSockets: WebSocketTransport;
  readonly stream: SseTransport;

  constructor(
    executor: GraphQLExecutor,
    documentValidator: DocumentValidator,
    charges: OperationCharges,
    deps: LiveDeps,
  ) {
    this.sessions = new LiveSessions(deps.access, deps.log);
    const operations = new LiveOperations(executor, documentValidator, charges, this.sessions);
    this.webSockets = new WebSocketTransport({ ...deps, operations, sessions: this.sessions });
    this.stream = new SseTransport({ ...deps, operations, sessions: this.sessions });
  }

  /** Sends everybody to another instance, and takes nobody in. */
  drain(): void {
    this.sessions.drain();
    this.webSockets.drain();
  }
}
