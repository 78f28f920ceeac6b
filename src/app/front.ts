import { AS_OF_HEADERS } from '../rest/answer/past.js';
import cors from 'cors';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { openMetricsContentType } from 'prom-client';
import { withoutTokens } from '../auth/token.js';
import type { GraphQLHttpHandler } from '../graphql/http-handler.js';
import type { ContextDeps } from '../http/context.js';
import { isTraced, markFailed, openSpan, SpanKind, traceId, type OpenSpan, type SpanPlan } from '../common/tracing.js';
import { beginRequest, methodLabel, type RequestContext } from '../http/request-context.js';
import type { Health } from '../http/health.js';
import type { Metrics } from '../http/metrics.js';
import { hasOneHost, NOT_HTTP } from '../http/http-server.js';
import { preferred } from '../http/negotiation.js';
import { pathOf } from '../http/target.js';

/** The handlers of requests, including Express applications. */
interface FrontDeps extends ContextDeps {
  graphql: GraphQLHttpHandler;
  /** Everything under /api/v1. */
  rest: RequestListener;
  /** Everything under /scim/v2. */
  scim: RequestListener;
  /** The Model Context Protocol. */
  mcp: RequestListener;
  /** Pages, logos, and the answer for unknown paths. */
  portal: RequestListener;
  health: Health;
  metrics: Metrics;
  metricsPublic: boolean;
  corsOrigins: readonly (string | RegExp)[] | '*';
  hstsSeconds: number;
}

/**
 * Receives each request first: gives it an id, logs and measures its answer, and passes it to its transport. Paths
 * are compared as sent; a query string is never logged, because it may contain a token (specification 5.2).
 */
export function createFront(deps: FrontDeps): RequestListener {
  const crossOrigin = cors({
    origin: deps.corsOrigins === '*' ? '*' : [...deps.corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'X-Service-Token',
      'Authorization',
      'Content-Type',
      'Apollo-Require-Preflight',
      'X-Apollo-Operation-Name',
      'ApolloGraphQL-Client-Name',
      'ApolloGraphQL-Client-Version',
      'X-Request-Id',
      'TraceParent',
      'TraceState',
      'Idempotency-Key',
      'If-Match',
      'Prefer',
      'If-None-Match',
      'Range',
      'If-Range',
      'Mcp-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Mcp-Session-Id',
    ],
    exposedHeaders: [
      'X-Request-Id',
      'Allow',
      'Link',
      'Has-Next-Page',
      'Ignored-Columns',
      'Deprecation',
      ...AS_OF_HEADERS,
      'Sunset',
      'Location',
      'Preference-Applied',
      'ETag',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotency-Replayed',
      'WWW-Authenticate',
      'Conflict-Reason',
      'Allowed-File-Types',
      'Missing-Characters',
      'Unordered-Scripts',
      'Audit-Trail-Fault',
      'Accept-Ranges',
      'Content-Range',
      'Content-Disposition',
      'Content-Language',
      'Mcp-Session-Id',
    ],
    maxAge: 600,
    preflightContinue: true,
  });
  const isCrossOrigin = deps.corsOrigins === '*' || deps.corsOrigins.length > 0;

  const transportSecurity = deps.hstsSeconds > 0 ? `max-age=${deps.hstsSeconds}` : undefined;

  // The line has only known fields: searching it for secrets would cost as much as writing it.
  const finishing = { metrics: deps.metrics, log: deps.log.child({}, { redact: [] }) };
  return (request, response) => {
    const startedAt = performance.now();
    const requestContext = beginRequest(request, response, deps);
    const span = isProbe(request) ? undefined : openSpan(() => spanOf(request));
    const within = span?.run ?? atOnce;
    response.once('close', () => {
      within(() => finish(finishing, request, response, requestContext, startedAt));
      if (span !== undefined) endSpan(span, response, requestContext);
    });
    if (transportSecurity !== undefined) response.setHeader('Strict-Transport-Security', transportSecurity);
    if (isCrossOrigin && request.headers.origin !== undefined) {
      // The middleware calls back at once; it only sets headers here.
      crossOrigin(request as never, response as never, () => undefined);
    }
    if (!hasOneHost(request)) refuseHost(response);
    else within(() => route(deps, request, response, requestContext));
  };
}

/** Whether the request is a health check or a scrape, which load balancers and scrapers repeat every few seconds. */
function isProbe({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/health/') || url.startsWith('/metrics');
}

const atOnce = (work: () => void): void => work();

/** For a request whose route is not yet known. */
function spanOf(request: IncomingMessage): SpanPlan {
  const method = methodLabel(request);
  const { traceparent } = request.headers;
  return {
    name: method,
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': method === 'other' ? '_OTHER' : method },
    causes: typeof traceparent === 'string' ? [traceparent] : [],
  };
}

/** Never the path: it may contain a name or, from a careless client, a token. */
function endSpan({ span }: OpenSpan, { statusCode }: ServerResponse, { route: name }: RequestContext): void {
  span.updateName(name);
  span.setAttributes({ 'http.route': name.slice(name.indexOf(' ') + 1), 'http.response.status_code': statusCode });
  if (statusCode >= 500) markFailed(span, String(statusCode));
  span.end();
}

/** Whether the operator allows pages of this origin. */
export function isAllowedOrigin(allowed: FrontDeps['corsOrigins'], origin: string): boolean {
  if (allowed === '*') return true;
  return allowed.some((each) => (typeof each === 'string' ? each === origin : each.test(origin)));
}

function route(
  deps: FrontDeps,
  request: IncomingMessage,
  response: ServerResponse,
  requestContext: RequestContext,
): void {
  const path = pathOf(request);
  if (path === '/graphql' || path === '/graphql/stream') {
    if (request.method === 'OPTIONS') return preflight(path, response, requestContext);
    return void deps.graphql.handle(path, request, response, requestContext);
  }
  if (path === '/api/v1' || path.startsWith('/api/v1/')) return void deps.rest(request, response);
  if (path.startsWith('/scim/v2/')) return void deps.scim(request, response);
  if (path === '/mcp') return void deps.mcp(request, response);
  if (path === '/health/live' || path === '/health/ready')
    return void deps.health.answer(path, response, requestContext);
  if (path === '/metrics' && deps.metricsPublic)
    return void answerMetrics(deps.metrics, request, response, requestContext);
  requestContext.route = 'page';
  deps.portal(request, response);
}

function refuseHost(response: ServerResponse): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': NOT_HTTP.length,
    connection: 'close',
  };
  response.writeHead(400, headers).end(NOT_HTTP);
}

const OPEN_METRICS = 'application/openmetrics-text';

/** In the format that the scraper prefers; only OpenMetrics has exemplars. */
export async function answerMetrics(
  metrics: Metrics,
  request: IncomingMessage,
  response: ServerResponse,
  requestContext?: RequestContext,
): Promise<void> {
  if (requestContext) requestContext.route = 'GET /metrics';
  const isOpen = preferred(request, ['text/plain', OPEN_METRICS]) === OPEN_METRICS;
  response.setHeader('content-type', isOpen ? openMetricsContentType : metrics.contentType);
  response.appendHeader('vary', 'Accept');
  response.end(await (isOpen ? metrics.openMetrics() : metrics.text()));
}

function preflight(path: string, response: ServerResponse, requestContext: RequestContext): void {
  requestContext.route = `OPTIONS ${path}`;
  response.setHeader('allow', 'GET, POST, OPTIONS');
  response.statusCode = 204;
  response.end();
}

function finish(
  deps: Pick<FrontDeps, 'metrics' | 'log'>,
  request: IncomingMessage,
  response: ServerResponse,
  requestContext: RequestContext,
  startedAt: number,
): void {
  const milliseconds = performance.now() - startedAt;
  const { requestId, route: name } = requestContext;
  requestContext.release();
  deps.metrics.answered(name, response.statusCode, milliseconds / 1000, isTraced() ? traceId() : undefined);
  if (!deps.log.isLevelEnabled('info')) return;
  const finished = response.writableFinished;
  deps.log.info(
    {
      requestId,
      method: request.method,
      // A client may have sent a token in the path, where it does not belong.
      path: withoutTokens(pathOf(request).slice(0, 300)),
      route: name,
      status: response.statusCode,
      ms: Math.round(milliseconds * 10) / 10,
      ...(finished ? {} : { aborted: true }),
    },
    'request',
  );
}
