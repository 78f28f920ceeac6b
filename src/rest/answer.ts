import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { reportFault } from '../engine/faults.js';
import type { DomainError } from '../errors.js';
import { exchangeOf } from '../http/exchange.js';
import type { Logger } from '../logger.js';
import { faultEnvelope } from './envelope.js';
import { statusOf } from './status.js';

/** Sends `body`, the whole answer as JSON text. A HEAD request gets the same headers without it. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  headers?: OutgoingHttpHeaders,
): void {
  const complete = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...headers,
  };
  if (request.complete || !hasBody(request)) response.writeHead(status, complete).end(body);
  else sendEarly(request, response.writeHead(status, { ...complete, Connection: 'close' }), body);
}

/** Sends what a client may know of a failure, and logs the rest. Nothing is sent to a client that has left. */
export function sendFault(request: IncomingMessage, response: ServerResponse, error: unknown, log: Logger): void {
  const { requestId } = exchangeOf(request);
  if (request.destroyed && !request.complete) return log.debug({ requestId }, 'the client left in the middle');
  const fault = reportFault(error, { log, requestId });
  if (response.headersSent) return void response.destroy();
  sendJson(request, response, statusOf(fault.code), JSON.stringify(faultEnvelope(fault)), faultHeaders(fault));
}

export function faultHeaders({ retryAfter }: DomainError): Record<string, string> {
  return retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
}

/** How much of a refused body is still taken in, so that the client can read the answer; then the line is cut. */
const MAX_DRAINED_BYTES = 1024 * 1024;
const MAX_DRAIN_MILLISECONDS = 1_000;

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Answers while the client is still sending. Closing the socket at once would reset the connection, and the client
 * would see that instead of the answer; so the answer goes out whole, and the rest of the body is read for a moment.
 */
function sendEarly(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  let drained = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('end', finish).off('close', finish).off('data', count);
    response.end();
  };
  const count = (chunk: Uint8Array) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED_BYTES) finish();
  };
  const timer = setTimeout(finish, MAX_DRAIN_MILLISECONDS);
  // A client that leaves now is an error of the request that nobody has to hear of.
  request
    .once('end', finish)
    .once('close', finish)
    .once('error', () => undefined);
  request.on('data', count).resume();
}
