import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError, type DocumentNode, type GraphQLSchema } from 'graphql';
import { CloseCode, handleProtocols, makeServer, type Context, type SubscribePayload } from 'graphql-ws';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { TOKEN_NAME, tokenOf } from '../../context.js';
import { reportError } from '../errors.js';
import { LIMITS } from '../../values/limits.js';
import { rateLimited } from '../../errors.js';
import { formatErrors } from '../apollo-errors.js';
import type { LiveOperations } from './operations.js';
import { identified, type LiveDeps, type LiveSession, type SessionEnd, type LiveSessions } from './sessions.js';

export interface WebSocketDeps extends LiveDeps {
  operations: LiveOperations;
  sessions: LiveSessions;
}

const { initSeconds, messageBytes, newConnections, pingSeconds, subscriptionsPerConnection, unsentBytes } = LIMITS.live;
/** Milliseconds that a client is given to answer our goodbye. */
const GOODBYE = 2_000;
/** Codes of RFC 6455 and its registry, beside those of the protocol itself. */
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;

/** One client on one socket, from the upgrade to its end. */
interface Line {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly requestId: string;
  session?: LiveSession;
}

/**
 * Subscriptions over WebSocket at /graphql, in the protocol of graphql-ws. The token comes with the upgrade, as a header
 * or a query parameter, or in the payload of `connection_init`, for browsers can set no headers here.
 */
export class WebSocketTransport {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    perMessageDeflate: false,
    handleProtocols,
  });
  private readonly protocol = makeServer<Record<string, unknown>, Line>({
    connectionInitWaitTimeout: initSeconds * 1000,
    onConnect: (context) => this.identify(context),
    onSubscribe: (context, _id, payload) => this.admit(context, payload),
    subscribe: (args) => this.begin(args as never) as never,
    // What comes from our operations is masked already; errors that stand against a call are not.
    onNext: (_context, _id, _payload, _args, result) => result as never,
    onError: ({ extra }, _id, _payload, errors) => formatErrors(errors as GraphQLError[], this.contextOf(extra)),
  });
  private readonly alive = new WeakSet<WebSocket>();
  private readonly strangers = new Set<Line>();
  private readonly timer = setInterval(() => this.askForLife(), pingSeconds * 1000).unref();

  constructor(private readonly deps: WebSocketDeps) {}

  /** Takes a request for an upgrade that is for /graphql. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { sessions } = this.deps;
    socket.on('error', () => socket.destroy());
    if (!sessions.hasCapacity || this.strangers.size >= newConnections) return void socket.end(NO_ROOM);
    this.sockets.handleUpgrade(request, socket, head, (accepted) => this.open(accepted, request));
  }

  /** Closes every socket; whoever does not say goodbye in return is cut off. */
  drain(): void {
    clearInterval(this.timer);
    for (const socket of this.sockets.clients) goodbye(socket, GOING_AWAY, 'Going away');
  }

  private open(socket: WebSocket, request: IncomingMessage): void {
    const line: Line = { socket, request, requestId: randomUUID() };
    const startedAt = performance.now();
    this.strangers.add(line);
    this.alive.add(socket);
    socket.on('pong', () => this.alive.add(socket));
    // Whoever sends more than we take, or no WebSocket at all, is closed by the library with a code that says so.
    socket.on('error', (err) => this.deps.log.debug({ requestId: line.requestId, err }, 'a socket failed'));
    const closed = this.protocol.opened(this.adapterOf(line), line);
    socket.once('close', (code) => {
      this.strangers.delete(line);
      if (line.session !== undefined) this.deps.sessions.leave(line.session);
      const ms = Math.round(performance.now() - startedAt);
      this.deps.log.info({ requestId: line.requestId, route: 'WS /graphql', code, ms }, 'connection');
      void closed(code, '');
    });
  }

  private adapterOf(line: Line) {
    const { socket } = line;
    return {
      protocol: socket.protocol,
      // Resolves when it is handed to the network: subscriptions wait for that before they take their next event.
      send: (data: string) =>
        new Promise<void>((resolve) => {
          if (socket.readyState !== socket.OPEN) return resolve();
          socket.send(data, () => resolve());
        }),
      close: (code?: number, reason?: string) => socket.close(code, reason),
      onMessage: (take: (data: string) => Promise<void>) => {
        socket.on('message', (data: RawData) => {
          // Every message may be answered: who takes no answers asks nothing more.
          if (socket.bufferedAmount > unsentBytes) return socket.terminate();
          take(String(data)).catch((error: unknown) => {
            reportError(error, this.contextOf(line));
            socket.close(CloseCode.InternalServerError, 'Internal server error');
          });
        });
      },
    };
  }

  /** Finds out who calls. The codes are those of the protocol where it has one. */
  private async identify(context: Context<Record<string, unknown>, Line>): Promise<boolean> {
    const { sessions } = this.deps;
    const { extra: line, connectionParams } = context;
    const { socket, request, requestId } = line;
    // The library would keep all that was sent for as long as the connection lasts.
    Object.assign(context, { connectionParams: undefined });
    try {
      const sent = tokenOf(request, tokensIn(connectionParams));
      const session = await identified(request, sent, { ...this.deps, requestId, end: endOf(socket) });
      if (session === undefined) return refused(socket, CloseCode.Unauthorized, 'Unauthorized');
      sessions.enter(session);
      // It may have left while its token was looked up.
      if (socket.readyState === socket.OPEN) line.session = session;
      else sessions.leave(session);
      this.strangers.delete(line);
      return line.session !== undefined;
    } catch (error) {
      const { code } = reportError(error, this.contextOf(line));
      if (code === 'RATE_LIMITED')
        return refused(socket, CloseCode.TooManyInitialisationRequests, 'Too many connections');
      if (code === 'UNAVAILABLE') return refused(socket, TRY_AGAIN_LATER, 'Try again later');
      return refused(socket, CloseCode.InternalServerError, 'Internal server error');
    }
  }

  private admit({ extra, subscriptions }: Context<Record<string, unknown>, Line>, payload: SubscribePayload) {
    if (Object.keys(subscriptions).length > subscriptionsPerConnection) {
      return [new GraphQLError('', { originalError: rateLimited(60) })];
    }
    const { query, operationName, variables } = payload;
    const session = extra.session as LiveSession;
    const admitted = this.deps.operations.admit({ query, operationName, variables }, session);
    if (!('operation' in admitted)) return admitted;
    const { document } = admitted;
    return { schema: NO_SCHEMA, document, operationName, variableValues: variables, contextValue: session };
  }

  private begin({ document, operationName, variableValues, contextValue }: BeginArgs) {
    return this.deps.operations.begin({ document, operationName, variables: variableValues }, contextValue);
  }

  private contextOf({ requestId }: Line) {
    return { requestId, log: this.deps.log };
  }

  private askForLife(): void {
    for (const socket of this.sockets.clients) {
      if (!this.alive.delete(socket)) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    }
  }
}

interface BeginArgs {
  document: DocumentNode;
  operationName?: string | null;
  variableValues?: Record<string, unknown> | null;
  contextValue: LiveSession;
}

/** The protocol's library asks for one; the engine has its own. */
const NO_SCHEMA = {} as GraphQLSchema;

const NO_ROOM = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** Clients put into the payload what they send as headers elsewhere, whose names are written in any case. */
function tokensIn(payload: Readonly<Record<string, unknown>> | undefined): unknown[] {
  return Object.entries(payload ?? {}).flatMap(([name, value]) =>
    name.toLowerCase() === TOKEN_NAME.toLowerCase() ? [value] : [],
  );
}

function endOf(socket: WebSocket): SessionEnd {
  return {
    refuse: () => goodbye(socket, CloseCode.Unauthorized, 'Unauthorized'),
    goAway: () => goodbye(socket, GOING_AWAY, 'Going away'),
  };
}

function goodbye(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), GOODBYE).unref();
}

/** Closed here: the library has only one code for whoever is not let in. */
function refused(socket: WebSocket, code: number, reason: string): false {
  goodbye(socket, code, reason);
  return false;
}
