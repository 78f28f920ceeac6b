import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { CHALLENGE } from '../context.js';
import { reportError } from '../graphql/errors.js';
import type { DomainError } from '../errors.js';
import { hasBody, sendEarly } from '../http/early-answer.js';
import { requestContextOf } from '../http/request-context.js';
import type { Logger } from '../logger.js';
import { asWordedAt, errorEnvelope } from './envelope.js';
import { statusOf } from './status.js';

/** Sends `body`, the whole answer as JSON text. A HEAD request gets the same headers without it. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string | Buffer,
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
export function sendError(request: IncomingMessage, response: ServerResponse, error: unknown, log: Logger): void {
  const { requestId, route } = requestContextOf(request);
  if (request.destroyed && !request.complete) return log.debug({ requestId }, 'the client left in the middle');
  const shown = asWordedAt(route.slice(route.indexOf(' ') + 1), reportError(error, { log, requestId }));
  if (response.headersSent) return void response.destroy();
  sendJson(request, response, statusOf(shown.code), JSON.stringify(errorEnvelope(shown)), errorHeaders(shown));
}

/**
 * `Retry-After`, in seconds, of an error that will pass; `WWW-Authenticate` of a missing token; and what a conflict is
 * about, where a program can act on it.
 */
function errorHeaders({ code, retryAfter, reason }: DomainError): Record<string, string> {
  return {
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    ...(code === 'UNAUTHENTICATED' ? { 'WWW-Authenticate': CHALLENGE } : {}),
    ...(reason === undefined ? {} : { 'Conflict-Reason': reason }),
  };
}
