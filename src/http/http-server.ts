import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { Connections, LINGER_MILLISECONDS, type ConnectionDeps, type ConnectionLimits } from './connections.js';
import { ClosingResponse } from './closing-response.js';
import { addressNotEncoded, headersTooLarge, requestTimeout, type DomainError } from '../errors.js';
import { pathOf } from './target.js';

/** Milliseconds for which an idle connection stays open, and between Node's checks for slow requests. */
const KEEP_ALIVE = 65_000;
const CHECK_INTERVAL = 1_000;

/** Milliseconds after the announced end in which idle connections may still send a request. */
const IDLE_GRACE = 3_000;
/** Milliseconds after which requests under way are cut off. */
const DRAIN = 10_000;

export interface HttpServer {
  readonly server: Server;
  /**
   * Takes no new connections, announces the end on every answer, closes idle connections last, and cuts off what is
   * still under way after ten seconds.
   */
  close(): Promise<void>;
}

/**
 * The server that the front listens to. What Node would refuse without a body is answered in the envelope and with a
 * request id. Only a WebSocket at /graphql is upgraded; other upgrades, and expectations but 100-continue, are ignored,
 * as HTTP allows.
 */
export function createHttpServer(limits: ConnectionLimits, deps: ConnectionDeps): HttpServer {
  const server = createServer({
    ServerResponse: ClosingResponse,
    requestTimeout: limits.requestSeconds * 1000,
    headersTimeout: limits.headerSeconds * 1000,
    keepAliveTimeout: KEEP_ALIVE,
    connectionsCheckingInterval: CHECK_INTERVAL,
    requireHostHeader: false,
    shouldUpgradeCallback: (request: IncomingMessage) => {
      toOriginForm(request);
      const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
      // Its answer would precede those of earlier requests.
      const isFirst = !connections.isUnanswered(request.socket);
      return isWebSocket && isFirst && pathOf(request) === '/graphql' && hasOneHost(request);
    },
  });
  server.on('request', toOriginForm);
  server.maxConnections = limits.maxConnections;
  const connections: Connections = new Connections(server, limits, deps);
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    connections.continueWhenRead(request, response);
    server.emit('request', request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket, connections));
  return { server, close: () => close(server, connections, deps) };
}

/** A client may send an absolute address as to a proxy (RFC 9112 3.2.2); paths are compared everywhere. */
function toOriginForm(request: IncomingMessage): void {
  if (request.url?.startsWith('/') === false) request.url = request.url.replace(ORIGIN, '').replace(/^(?=\?|$)/, '/');
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

async function close(server: Server, connections: Connections, { log }: ConnectionDeps): Promise<void> {
  // Node's own closing of an HTTP server cuts idle connections at once, on which a request may be on its way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  connections.drain();
  const startedAt = performance.now();
  let cut = false;
  const check = setInterval(() => {
    const passed = performance.now() - startedAt;
    if (passed >= IDLE_GRACE) server.closeIdleConnections();
    if (passed < DRAIN) return;
    if (!cut) log.warn('cutting off connections that are still open');
    cut = true;
    server.closeAllConnections();
  }, 50);
  await closed;
  clearInterval(check);
}

const REFUSALS: Readonly<Record<string, readonly [status: string, body: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', envelopeOf(requestTimeout('request'))],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', envelopeOf(headersTooLarge())],
  HPE_INVALID_URL: ['400 Bad Request', envelopeOf(addressNotEncoded())],
  // The part after a space is parsed as the version.
  HPE_INVALID_CONSTANT: ['400 Bad Request', envelopeOf(addressNotEncoded())],
};

function envelopeOf({ messages }: DomainError): string {
  return JSON.stringify({ error: 1, messages });
}

/** Answers an incomplete request; its connection is closed, and destroyed a moment later. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, connections: Connections): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy();
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connections.refuseSlow(socket)) return;
  // A refusal was sent already.
  if (socket.writableEnded) return;
  if (connections.endWithAnswer(socket)) return;
  if (connections.isAnswering(socket)) return void socket.destroy();
  const [status, body] = REFUSALS[error.code ?? ''] ?? ['400 Bad Request', NOT_HTTP];
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
}

/** The answer to invalid HTTP, for either API. */
export const NOT_HTTP = '{"error":1,"messages":["The request is not valid HTTP"]}';

/** A request has exactly one header Host (RFC 9112 3.2), since HTTP/1.1. Node uses the first of several. */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
