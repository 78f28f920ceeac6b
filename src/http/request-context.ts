import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANONYMOUS, WRONG_TOKEN, type Origin } from '../auth/caller.js';
import { mayContainToken } from '../auth/token.js';
import type { RateMeter, RatePolicy } from '../auth/rate-limits.js';
import { DomainError } from '../errors.js';
import { createContext, type ContextDeps, type GraphQLContext } from './context.js';
import { clientAddress } from './client-address.js';

/** One request and its answer, from the first byte to the log line. */
export interface RequestContext {
  readonly requestId: string;
  /** Name of the request in logs and metrics: a pattern such as "GET /api/v1/cloud-defender/{id}", never a path. */
  route: string;
  /**
   * Who calls; looked up once, at the first call. Rejects with UNAVAILABLE when it is not known, and with RATE_LIMITED
   * for one wrong token too many.
   */
  context(): Promise<GraphQLContext>;
  /**
   * Judges the caller again, mostly from memory, where the body came after the caller was looked up: that may have taken
   * minutes. Throws UNAUTHENTICATED, and the context has no caller any more then.
   */
  confirm(): Promise<void>;
  /** Whether the caller was looked up and is known. */
  isAuthenticated: boolean;
  /** The origin of a request that needs no token. */
  origin(): Origin;
  /** The meter of a request to a route that needs no token: it counts by address. */
  anonymousMeter(): RateMeter;
  /** Releases the resources of the request after its answer. */
  release(): void;
}

/** On the request itself: the context refers to its request, and in a WeakMap the pair would outlive both for a while. */
const CONTEXT = Symbol('request context');

type Begun = IncomingMessage & { [CONTEXT]?: RequestContext };

/** Request ids of a proxy in front are used: they connect its log to the gateway's. */
const FOREIGN_ID = /^[\w.:+/=-]{8,128}$/;

/** Begins a request: its id is on the answer before anything can fail. */
export function beginRequest(request: IncomingMessage, response: ServerResponse, deps: ContextDeps): RequestContext {
  const requestId = nameRequest(request, response);
  let context: Promise<GraphQLContext> | undefined;
  let begun: GraphQLContext | undefined;
  let hasBody = false;
  let anonymous: RateMeter | undefined;
  const requestContext: RequestContext = {
    requestId,
    route: 'unknown',
    isAuthenticated: false,
    context: () =>
      (context ??= createContext(request, requestId, deps).then((made) => {
        begun = made;
        hasBody = request.complete;
        requestContext.isAuthenticated = made.caller.kind !== 'anonymous';
        return made;
      })),
    async confirm() {
      const made = await requestContext.context();
      if (hasBody) return;
      try {
        made.caller = await deps.access.renewed(made.caller);
      } catch (error) {
        // The request is not processed any further.
        if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') made.caller = WRONG_TOKEN;
        throw error;
      }
    },
    origin: () => ({ address: clientAddress(request, deps.trustProxy ?? 0), requestId }),
    anonymousMeter: () => (anonymous ??= deps.limits.meter(ANONYMOUS, requestContext.origin().address)),
    release() {
      begun?.meter.leave();
      anonymous?.leave();
      for (const file of begun?.received?.values() ?? [])
        file.then((staged) => staged.discard()).catch(() => undefined);
    },
  };
  (request as Begun)[CONTEXT] = requestContext;
  return requestContext;
}

/** Puts the id of a request on its answer, and returns it. */
export function nameRequest(request: IncomingMessage, response: ServerResponse): string {
  const requestId = requestIdFor(request);
  response.setHeader('X-Request-Id', requestId);
  return requestId;
}

/** The id of a proxy in front, or a new one at each call. */
export function requestIdFor({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && FOREIGN_ID.test(given) && !mayContainToken(given) ? given : randomUUID();
}

/** Sets the headers of the caller's remaining limit. */
export function showLimits(response: ServerResponse, meter: RateMeter): void {
  const headers = meter.headers();
  if (headers === undefined || response.headersSent) return;
  response.setHeader('RateLimit-Policy', headers.policy);
  response.setHeader('RateLimit', headers.state);
}

/** Counts a request before its body is read. Throws RATE_LIMITED; either way the answer shows the remaining limit. */
export function chargeRequest(response: ServerResponse, meter: RateMeter, policy: RatePolicy): void {
  try {
    meter.charge([policy, 1]);
  } finally {
    showLimits(response, meter);
  }
}

/** Whether the caller of a request was looked up and is known. */
export function isAuthenticated(request: IncomingMessage): boolean {
  return (request as Begun)[CONTEXT]?.isAuthenticated === true;
}

/** Counts what a request costs beside its first point, as soon as that is known. Throws RATE_LIMITED. */
export function chargeMore(response: ServerResponse, meter: RateMeter, policy: RatePolicy, points: number): void {
  if (points <= 0) return;
  try {
    meter.chargeMore(policy, points);
  } finally {
    showLimits(response, meter);
  }
}

export function requestContextOf(request: IncomingMessage): RequestContext {
  const requestContext = (request as Begun)[CONTEXT];
  if (requestContext === undefined) throw new Error('The request was not given to beginRequest');
  return requestContext;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method as a label: unsupported ones are `other`, so that the number of series is bounded. */
export function methodLabel({ method = '' }: IncomingMessage): string {
  return METHODS.has(method) ? method : 'other';
}
