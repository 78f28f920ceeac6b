import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { CloseCode, handleProtocols, makeServer, MessageType, type Context, type SubscribePayload } from 'graphql-ws';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { ANONYMOUS } from '../../auth/caller.js';
import type { RateMeter } from '../../auth/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { bearerToken, createContext, TOKEN_NAME, tokenOf, type ContextDeps } from '../../http/context.js';
import { auditJson } from '../../common/json-text.js';
import { badUserInput, DomainError, methodNotAllowed, rateLimited } from '../../errors.js';
import { clientAddress } from '../../http/client-address.js';
import { requestIdFor } from '../../http/request-context.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../values/limits.js';
import { formatDomainError, formatErrors, refusal, reportError } from '../errors.js';
import type { AdmittedCall } from '../pipeline.js';
import { unknownMembers } from '../request-members.js';
import { CLOSE_TIME, sessionOf, type LiveSession, type LiveSessions, type SessionEnd } from './live-sessions.js';
import { type LiveOperations, type NamedCall } from './live-operations.js';
import { SocketOperations } from './socket-operations.js';

/** The parts that both transports of subscriptions need. */
interface LiveDeps extends ContextDeps {
  operations: LiveOperations;
  sessions: LiveSessions;
}

const { initSeconds, messageBytes, messagesPerMinute, newConnections, pingSeconds } = LIMITS.live;
const { subscriptionsPerConnection, unsentBytes } = LIMITS.live;
/** Of RFC 6455; the protocol itself has other codes. */
const GOING_AWAY = 1001;
/** How a client is refused, by the code of the error. Sent here: the library has one code for all refusals. */
const REFUSALS: Partial<Record<string, [code: number, reason: string]>> = {
  UNAUTHENTICATED: [CloseCode.Unauthorized, 'Unauthorized'],
  RATE_LIMITED: [CloseCode.TooManyInitialisationRequests, 'Too many connections or wrong tokens'],
  UNAVAILABLE: [1013, 'Try again later'],
};
const FAILED: [code: number, reason: string] = [CloseCode.InternalServerError, 'Internal server error'];
const INVALID = [CloseCode.BadRequest, 'Invalid message received'] as const;
/** Without the id, which the library names: the reason of a close has 123 bytes at most. */
const ID_IN_USE = [CloseCode.SubscriberAlreadyExists, 'Subscriber already exists'] as const;

/** One socket, from the upgrade to its end. */
interface Client {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly log: Logger;
  session?: LiveSession;
  readonly operations: SocketOperations;
  /** Errors in the text of the message that the library is given. */
  errors: readonly string[];
  /** The address or user that its messages count for: the address, until the token is known. */
  meter: RateMeter;
  /** Messages, pings and pongs since the minute began. */
  heard: { count: number; since: number };
  /** Whether the last message was a subscription, which counts by its cost. */
  isCounted: boolean;
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
  private readonly protocol = makeServer<Record<string, unknown>, Client>({
    connectionInitWaitTimeout: initSeconds * 1000,
    onConnect: (context) => this.identify(context),
    onSubscribe: (context, _id, payload) => this.admit(context, payload),
    subscribe: ({ contextValue }) => {
      const { call, session } = contextValue as Begun;
      return this.deps.operations.begin(call, session) as never;
    },
    // Results are masked already; errors of a refused call are not.
    onNext: (_context, _id, _payload, _args, result) => result as never,
    onError: ({ extra }, _id, _payload, errors) => formatErrors(errors as GraphQLError[], extra).errors,
  });
  private readonly alive = new WeakSet<WebSocket>();
  /** Those that have not sent `connection_init` yet. */
  private readonly pending = new Set<Client>();
  private readonly timer = setInterval(() => this.ping(), pingSeconds * 1000).unref();

  constructor(private readonly deps: LiveDeps) {
    this.sockets.on('headers', (headers, request) => headers.push(`X-Request-Id: ${requestIdFor(request)}`));
    this.sockets.on('wsClientError', ({ message }, socket, request) => {
      const [head, error] =
        request.method === 'GET' ? [NO_HANDSHAKE, badUserInput([message])] : [NO_GET, methodNotAllowed()];
      refuse(request, socket, head, JSON.stringify({ errors: [formatDomainError(error)] }));
    });
  }

  /** Takes a request for an upgrade that is for /graphql. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { sessions } = this.deps;
    socket.on('error', () => socket.destroy());
    // The same one in every answer from here on.
    request.headers['x-request-id'] = requestIdFor(request);
    if (!sessions.hasCapacity || this.pending.size >= newConnections) return refuse(request, socket, NO_CAPACITY);
    this.sockets.handleUpgrade(request, socket, head, (accepted) => this.open(accepted, request));
  }

  /** Closes every socket; a client that does not close it in return is cut off. */
  drain(): void {
    clearInterval(this.timer);
    for (const socket of this.sockets.clients) close(socket, GOING_AWAY, 'Going away');
  }

  private open(socket: WebSocket, request: IncomingMessage): void {
    const startedAt = performance.now();
    const { log, limits, trustProxy = 0 } = this.deps;
    const meter = limits.meter(ANONYMOUS, clientAddress(request, trustProxy));
    const heard = { count: 0, since: startedAt };
    const requestId = requestIdFor(request);
    const operations = new SocketOperations();
    const client: Client = { socket, request, requestId, log, operations, errors: [], meter, heard, isCounted: false };
    this.pending.add(client);
    this.alive.add(socket);
    const frame = () => admits(client) && client.meter.count('graphql', 1);
    socket.on('ping', frame);
    socket.on('pong', () => {
      this.alive.add(socket);
      frame();
    });
    // A message that is too large, or no WebSocket frame, is answered by the library with a code of its own.
    socket.on('error', (err) => this.deps.log.debug({ requestId: client.requestId, err }, 'a socket failed'));
    const closed = this.protocol.opened(this.adapterOf(client), client);
    socket.once('close', (code) => {
      this.pending.delete(client);
      if (client.session !== undefined) this.deps.sessions.leave(client.session);
      const ms = Math.round(performance.now() - startedAt);
      this.deps.log.info({ requestId: client.requestId, route: 'WS /graphql', code, ms }, 'connection');
      void closed(code, '');
    });
  }

  private adapterOf(client: Client) {
    const { socket } = client;
    return {
      protocol: socket.protocol,
      // Resolves when it is passed to the network: subscriptions wait for that before they take their next event.
      send: (data: string) =>
        new Promise<void>((resolve) => {
          if (socket.readyState !== socket.OPEN) return resolve();
          socket.send(data, () => resolve());
        }),
      close: (code?: number, reason?: string) => socket.close(code, reason),
      onMessage: (receive: (data: string) => Promise<void>) => {
        const passOn = async (text: string, errors: readonly string[]) => {
          // It may have left while an earlier operation had the id.
          if (socket.readyState !== socket.OPEN) return;
          Object.assign(client, { isCounted: false, errors });
          const received = receive(text).catch((error: unknown) => {
            reportError(error, client);
            socket.close(...FAILED);
          });
          // A subscription counts by its cost.
          if (!client.isCounted) client.meter.count('graphql', 1);
          await received;
        };
        socket.on('message', (data: RawData) => {
          // A client that reads no answers must not have more of them made.
          if (socket.bufferedAmount > unsentBytes) return socket.terminate();
          if (!admits(client)) return;
          const { type, id, errors } = messageIn(data as Buffer);
          const isSubscription = type === MessageType.Subscribe && typeof id === 'string';
          if (errors.length > 0 && !isSubscription) return close(socket, ...INVALID);
          const pass = () => passOn(String(data), errors);
          if (!isSubscription) {
            if (type === MessageType.Complete) client.operations.complete(id);
            void pass();
          } else if (!client.operations.begin(id, pass)) close(socket, ...ID_IN_USE);
        });
      },
    };
  }

  /** Looks the token up. */
  private async identify(context: Context<Record<string, unknown>, Client>): Promise<boolean> {
    const { sessions } = this.deps;
    const { extra: client, connectionParams } = context;
    const { socket, request, requestId } = client;
    // The library would buffer all sent messages as long as the connection lasts.
    Object.assign(context, { connectionParams: undefined });
    try {
      const further = tokensIn(connectionParams);
      const caller = await createContext(request, requestId, this.deps, further);
      const session = sessionOf(caller, tokenOf(request, further), endOf(socket));
      // It may have left while its token was looked up.
      if (socket.readyState !== socket.OPEN) return false;
      sessions.enter(session);
      client.session = session;
      client.meter = session.meter;
      this.pending.delete(client);
      return true;
    } catch (error) {
      const { code } = reportError(error, client);
      close(socket, ...(REFUSALS[code] ?? FAILED));
      return false;
    }
  }

  private async admit({ extra, subscriptions }: Context<Record<string, unknown>, Client>, payload: SubscribePayload) {
    const errors = extra.errors.length > 0 ? extra.errors : unknownMembers(payload);
    if (errors.length > 0) return refusal(badUserInput(errors));
    if (Object.keys(subscriptions).length > subscriptionsPerConnection) {
      return [new GraphQLError('', { originalError: rateLimited(60) })];
    }
    const { query, operationName, variables, extensions, documentId } = payload as SubscribePayload & NamedCall;
    extra.isCounted = true;
    const session = extra.session as LiveSession;
    const sent = { query, operationName, variables, extensions, documentId };
    const call = await this.deps.operations.admit(sent, session);
    if (!('operation' in call)) return call;
    return { schema: NO_SCHEMA, document: call.document, operationName, contextValue: { call, session } };
  }

  private ping(): void {
    for (const socket of this.sockets.clients) {
      if (!this.alive.delete(socket)) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    }
  }
}

/**
 * Reads a message. The library reads JSON leniently: of a subscription the errors are answered, and any other message with some
 * ends the connection.
 */
function messageIn(message: Buffer): { type?: unknown; id?: unknown; errors: readonly string[] } {
  try {
    const { value, errors } = auditJson(message);
    const { type, id } = Object(value) as { type?: unknown; id?: unknown };
    return { type, id, errors };
  } catch (error) {
    if (error instanceof DomainError) return { errors: [error.message] };
    throw error;
  }
}

interface Begun {
  call: AdmittedCall;
  session: LiveSession;
}

/** The library requires one; the pipeline has its own. */
const NO_SCHEMA = {} as GraphQLSchema;

const NO_CAPACITY = ['HTTP/1.1 503 Service Unavailable', 'Retry-After: 10'];
const JSON_TYPE = 'Content-Type: application/json; charset=utf-8';
const NO_HANDSHAKE = ['HTTP/1.1 400 Bad Request', 'Sec-WebSocket-Version: 13', JSON_TYPE];
const NO_GET = ['HTTP/1.1 405 Method Not Allowed', 'Allow: GET', JSON_TYPE];

/** Answers requests that become no WebSocket. A client may never close its side, which would delay the end of the server. */
function refuse(request: IncomingMessage, socket: Duplex, head: readonly string[], body = ''): void {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const lines = [...head, length, `X-Request-Id: ${requestIdFor(request)}`, 'Connection: close'];
  socket.once('finish', () => socket.destroy()).end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** The payload replaces headers, whose names are case-insensitive. */
function tokensIn(payload: Readonly<Record<string, unknown>> | undefined): unknown[] {
  return Object.entries(payload ?? {}).flatMap(([name, value]) => {
    const isBearer = name.toLowerCase() === 'authorization';
    if (isBearer && typeof value === 'string') return bearerToken(value) ?? [];
    // No text is no token, and refused as one.
    return isBearer || name.toLowerCase() === TOKEN_NAME.toLowerCase() ? [value] : [];
  });
}

function endOf(socket: WebSocket): SessionEnd {
  return {
    refuse: () => close(socket, CloseCode.Unauthorized, 'Unauthorized'),
    goAway: () => close(socket, GOING_AWAY, 'Going away'),
  };
}

/** Counts a received message, ping or pong of the connection, which is closed when there are too many in a minute. */
function admits({ socket, heard }: Client): boolean {
  const now = performance.now();
  if (now - heard.since >= MINUTE) Object.assign(heard, { count: 0, since: now });
  heard.count += 1;
  if (heard.count <= messagesPerMinute) return true;
  close(socket, CloseCode.TooManyInitialisationRequests, 'Too many messages');
  return false;
}

function close(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), CLOSE_TIME).unref();
}
