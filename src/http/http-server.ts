import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { NOT_HTTP, pathOf } from './front.js';

/** Milliseconds that a request, its head and an idle connection may take. */
const TIMEOUTS = { requestTimeout: 300_000, headersTimeout: 20_000, keepAliveTimeout: 65_000 };

/**
 * The server that the front listens to. What Node would refuse barely is answered in the envelope and with a request id
 * (decisions §3), here or by the front. Only a WebSocket at /graphql is an upgrade; any other wish for one, and any
 * expectation but 100-continue, is passed over, as HTTP allows, and the request is answered as it is.
 */
export function createHttpServer(): Server {
  const server = createServer({
    ...TIMEOUTS,
    requireHostHeader: false,
    shouldUpgradeCallback: (request: IncomingMessage) =>
      pathOf(request) === '/graphql' && request.headers.upgrade?.toLowerCase() === 'websocket',
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', refuseGarbage);
  return server;
}

/** What is no HTTP at all has no request to answer; it is told all the same, and the line is closed. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${NOT_HTTP.length}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${NOT_HTTP}`);
}
