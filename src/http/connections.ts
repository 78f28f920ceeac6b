import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkKey } from '../auth/rate-limits.js';
import { seldom } from '../common/seldom.js';
import type { Logger } from '../logger.js';

export interface ConnectionLimits {
  /** Connections at a time; the next ones are closed at once. */
  maxConnections: number;
  /** Connections of one address at a time (an IPv6 network of 64 bits is one address); 0 for no limit. */
  maxConnectionsPerAddress: number;
  /** Seconds until the headers of a request have to be complete, from its first byte or from the connection on. */
  headerSeconds: number;
  /** Seconds until a request must be complete, including its body. */
  requestSeconds: number;
  /** Minimum bytes per second of a body, and seconds of tolerance. */
  minBodyRate: number;
  bodyGraceSeconds: number;
  /** Seconds without traffic after which a connection with a request in progress is closed. */
  stallSeconds: number;
}

export interface ConnectionDeps {
  log: Logger;
  /** The answer to a request whose body arrives too slowly. */
  tooSlow(request: IncomingMessage): JsonAnswer;
}

export interface JsonAnswer {
  /** The media type. */
  type: string;
  text: string;
}

const CHECK_MILLISECONDS = 1_000;

/** A connection, its last request, and the tolerance left for its body. */
interface Connection {
  request?: IncomingMessage | undefined;
  response?: ServerResponse | undefined;
  /** Bytes read at the last check, and bytes that the body may still fall behind. */
  bytesRead: number;
  credit: number;
  /** `movedBytes` when it last changed, and the time of that. */
  moved: number;
  movedAt: number;
}

/**
 * The open connections of a server. Node limits their number and the time of headers and requests; what it does not
 * have is here: a cap per address, a minimum rate of bodies, an end of stalled connections, and one that no client takes
 * for a failure.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly perAddress = new Map<string, number>();
  /** Requests whose body the client sends after `100 Continue`. */
  private readonly expecting = new WeakSet<IncomingMessage>();
  private readonly timer: NodeJS.Timeout;
  private isDraining = false;
  private refused = 0;
  private readonly warn = seldom((address?: string) => {
    const reason = address === undefined ? 'the cap of connections is reached' : 'an address has reached its cap';
    this.deps.log.warn({ open: this.open.size, refused: this.refused, address, reason }, 'connections are refused');
  });

  constructor(
    server: Server,
    private readonly limits: ConnectionLimits,
    private readonly deps: ConnectionDeps,
  ) {
    server.on('connection', (socket: Socket) => this.opened(socket));
    server.on('request', (request, response) => this.began(request, response));
    server.on('drop', () => this.reportRefusal());
    server.once('close', () => clearInterval(this.timer));
    this.timer = setInterval(() => this.check(), CHECK_MILLISECONDS).unref();
  }

  /** From now on every answer ends its connection, including those in progress, so that clients reconnect elsewhere. */
  drain(): void {
    this.isDraining = true;
    for (const { response } of this.open.values()) if (response) announceEnd(response);
  }

  /** Answers a request whose body took too long for Node. Returns whether there is one. */
  refuseSlow(socket: Socket): boolean {
    const { request, response } = this.open.get(socket) ?? {};
    if (request === undefined || request.complete || !response) return false;
    this.answerTooSlow(request, response);
    return true;
  }

  /**
   * Has a client that expects `100 Continue` send the body when it is first read: what is refused without it is answered at once
   * (RFC 9110 10.1.1). Until then its body is not late.
   */
  continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
    const read = request._read.bind(request);
    this.expecting.add(request);
    request._read = (size) => {
      request._read = read;
      this.expecting.delete(request);
      if (!response.headersSent) response.writeContinue();
      read(size);
    };
  }

  /** Whether a request on it has no complete answer yet. */
  isUnanswered(socket: Socket): boolean {
    const { response } = this.open.get(socket) ?? {};
    return response !== undefined && !response.writableFinished;
  }

  /** Whether part of an answer was sent, so that nothing else can be written. */
  isAnswering(socket: Socket): boolean {
    const { response } = this.open.get(socket) ?? {};
    return response !== undefined && response.headersSent && !response.writableFinished;
  }

  /**
   * Makes the answer to a whole request the last one, if it is still to come: the refusal of what arrived behind the request would
   * be read in its place. Returns whether there is such a request.
   */
  endWithAnswer(socket: Socket): boolean {
    const { request, response } = this.open.get(socket) ?? {};
    if (!request?.complete || !response || response.headersSent) return false;
    announceEnd(response);
    return true;
  }

  private opened(socket: Socket): void {
    const address = networkKey(socket.remoteAddress ?? '');
    const count = this.perAddress.get(address) ?? 0;
    const { maxConnectionsPerAddress: cap } = this.limits;
    if (cap > 0 && count >= cap) {
      socket.destroy();
      return this.reportRefusal(address);
    }
    this.perAddress.set(address, count + 1);
    this.open.set(socket, { bytesRead: 0, credit: 0, moved: 0, movedAt: 0 });
    socket.once('close', () => this.closed(socket, address));
  }

  private closed(socket: Socket, address: string): void {
    this.open.delete(socket);
    const count = (this.perAddress.get(address) ?? 1) - 1;
    if (count > 0) this.perAddress.set(address, count);
    else this.perAddress.delete(address);
  }

  private began(request: IncomingMessage, response: ServerResponse): void {
    if (this.isDraining) announceEnd(response);
    const connection = this.open.get(request.socket);
    if (connection === undefined) return;
    connection.request = request;
    connection.response = response;
    connection.bytesRead = request.socket.bytesRead;
    connection.credit = this.limits.minBodyRate * this.limits.bodyGraceSeconds;
    connection.movedAt = performance.now();
  }

  private check(): void {
    for (const [socket, connection] of this.open) {
      const { request, response } = connection;
      if (request === undefined || response === undefined) continue;
      // A response that has ended is not kept alive by its connection.
      if (response.writableFinished || response.destroyed) connection.request = connection.response = undefined;
      else if (this.isStalled(socket, connection)) socket.resetAndDestroy();
      else if (!request.complete) this.checkBody(socket, connection, request, response);
    }
  }

  /** Node's own timeout of sockets takes up to twice its time: it restarts when part of a write was sent. */
  private isStalled(socket: Socket, connection: Connection): boolean {
    const moved = movedBytes(socket);
    const now = performance.now();
    if (moved !== connection.moved) {
      connection.moved = moved;
      connection.movedAt = now;
    }
    return now - connection.movedAt >= this.limits.stallSeconds * 1000;
  }

  /** A buffered body that is not read waits for the gateway, and its sender cannot send more. */
  private checkBody(socket: Socket, connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { minBodyRate: rate, bodyGraceSeconds: grace } = this.limits;
    const received = socket.bytesRead - connection.bytesRead;
    connection.bytesRead = socket.bytesRead;
    if (request.readableLength > 0 || this.expecting.has(request)) return;
    connection.credit = Math.min(connection.credit + received, rate * grace) - (rate * CHECK_MILLISECONDS) / 1000;
    if (connection.credit < 0) this.answerTooSlow(request, response);
  }

  private answerTooSlow(request: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent || response.destroyed) return void request.destroy();
    const { type, text: body } = this.deps.tooSlow(request);
    response.writeHead(408, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    // Destroying it ends the reading of its body.
    response.end(body, () => request.destroy());
    setTimeout(() => request.destroy(), LINGER_MILLISECONDS).unref();
  }

  /** At once, and then once a minute, so that a flood does not fill the log. */
  private reportRefusal(address?: string): void {
    this.refused += 1;
    this.warn(address);
  }
}

/** Milliseconds that a refused client has for reading the answer. */
export const LINGER_MILLISECONDS = 1_000;

/** Changes whenever the kernel accepts or delivers bytes of a connection; buffered writes are excluded. */
function movedBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return socket.bytesRead + socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
