import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestTimeout, unavailable, type DomainError } from './errors.js';
import { formatFault } from './graphql/apollo-errors.js';
import { nameRequest } from './http/exchange.js';
import { pathOf } from './http/front.js';
import { faultEnvelope } from './rest/envelope.js';
import { statusOf } from './rest/status.js';

/** A start takes some seconds. */
const FAULT = unavailable(1);

/**
 * Answers while the gateway is being started: it lives, and whoever wants more is told when to come back, in the form
 * of the door that was asked.
 */
export function notYet(request: IncomingMessage, response: ServerResponse): void {
  nameRequest(request, response);
  const path = pathOf(request);
  const isAlive = path === '/health/live';
  if (!isAlive) response.setHeader('retry-after', String(FAULT.retryAfter));
  response.writeHead(isAlive ? 200 : statusOf(FAULT.code), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(isAlive ? { status: 'live' } : faultFor(path)));
}

function faultFor(path: string): object {
  return path === '/health/ready' ? { status: 'not ready', starting: true } : errorBody(path, FAULT);
}

/** The JSON text of a request whose body arrives too slowly. */
export function tooSlow(request: IncomingMessage): string {
  return JSON.stringify(errorBody(pathOf(request), requestTimeout()));
}

/** An error in the form of the API that the path belongs to. */
function errorBody(path: string, fault: DomainError): object {
  return path === '/graphql' || path.startsWith('/graphql/') ? { errors: [formatFault(fault)] } : faultEnvelope(fault);
}
