import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '../access/access.js';
import { createContext, type RequestContext } from '../context.js';
import type { Logger } from '../logger.js';

/** One request and its answer, from the first byte to the log line. */
export interface Exchange {
  readonly requestId: string;
  /** What the request is called in logs and metrics: a pattern such as "GET /api/v1/cloud-defender/{id}", never a path. */
  route: string;
  /** Who calls; looked up once, when first asked. Rejects with UNAVAILABLE when it cannot be told. */
  context(): Promise<RequestContext>;
}

/** On the request itself: an exchange knows its request, and in a WeakMap the pair would outlive both for a while. */
const EXCHANGE = Symbol('exchange');

type Announced = IncomingMessage & { [EXCHANGE]?: Exchange };

/** Request ids that a proxy in front has given are kept: they tie its log to ours. */
const FOREIGN_ID = /^[\w.:+/=-]{8,128}$/;
const SECRET = /(?:scp|inv)_/;

/** Begins an exchange: the request id is on the answer before anything can fail. */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  deps: { access: Access; log: Logger; trustProxy?: number },
): Exchange {
  const requestId = nameRequest(request, response);
  let context: Promise<RequestContext> | undefined;
  const exchange: Exchange = {
    requestId,
    route: 'unknown',
    context: () => (context ??= createContext(request, requestId, deps)),
  };
  (request as Announced)[EXCHANGE] = exchange;
  return exchange;
}

/** Puts the id of a request on its answer (decisions §3), and returns it. */
export function nameRequest(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && FOREIGN_ID.test(given) && !SECRET.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', requestId);
  return requestId;
}

/** The exchange that a request belongs to. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = (request as Announced)[EXCHANGE];
  if (exchange === undefined) throw new Error('The request was not announced to beginExchange');
  return exchange;
}
