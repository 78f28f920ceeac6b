import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import findMyWay from 'find-my-way';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RatePolicy } from '../access/rate-limits.js';
import type { Engine } from '../engine/engine.js';
import { methodNotAllowed, notFound, unauthenticated } from '../errors.js';
import { chargeRequest, exchangeOf, methodLabel } from '../http/exchange.js';
import type { Logger } from '../logger.js';
import type { Idempotency } from '../vocabulary/idempotency.js';
import { sendFault, sendJson } from './answer.js';
import { CompressedText } from './compressed-text.js';
import { hasCurrent } from './conditional.js';
import { createOrganizationHandler } from './create-organization.route.js';
import { documentVersionsHandler } from './document-versions.route.js';
import { evidencePackHandler, isSigned, type EvidencePacks } from './evidence-pack.route.js';
import { downloadsHandler, type OpenDownload } from './downloads.route.js';
import { incidentAttachmentsHandler } from './incident-attachments.route.js';
import { openApiDocument } from './openapi.js';
import { organizationLogoHandler } from './organization-logo.route.js';
import { isOperationRoute, type OperationRoute, type Route } from './route.js';
import { ROUTES } from './routes.js';
import { createSofaHandler, type RouteHandler } from './sofa.js';
import { STATUS } from './status.js';

export interface RestDeps {
  engine: Engine;
  idempotency: Idempotency;
  log: Logger;
  /** What absolute addresses begin with; without a slash at its end. */
  publicUrl: string;
  /** Every fault of an organization in the wire's spelling, one sentence each. */
  organizationFaults(fields: unknown): string[];
  openDownload: OpenDownload;
  evidencePacks: EvidencePacks;
}

/**
 * The REST door (specification 4): everything under /api/v1. What SOFA carries is found by its path at once; Express
 * has the other routes, and what to say of a path or a method that is not there. Who calls is asked first. Every answer
 * is in the envelope.
 */
export function createRestApp(deps: RestDeps): RequestListener {
  const sofa = sofaHandlers(deps);
  const express = expressApp(deps, sofa);
  const router = routerOf(sofa);
  return (request, response) => {
    const { url = '' } = request;
    // An odd spelling of a path is Express's business.
    const found = ODD.test(url)
      ? null
      : router.find(request.method === 'HEAD' ? 'GET' : (request.method as 'GET'), url);
    const route = found?.store as OperationRoute | null | undefined;
    if (found === null || route == null) return void express(request, response);
    void answer(route, request, response, found.params, sofa, deps.log);
  };
}

/** Who calls and how often comes before what they sent: neither a parameter nor a byte of the body is read before. */
async function admit(route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const exchange = exchangeOf(request);
  const policy = policyOf(route);
  if (route.open === true || (route.open === 'when signed' && isSigned(request.url ?? '')))
    return chargeRequest(response, exchange.anonymousMeter(), policy);
  const { caller, meter } = await exchange.context();
  chargeRequest(response, meter, policy);
  if (caller.kind === 'anonymous') throw unauthenticated();
  if (route.costly !== undefined) meter.enter(route.costly);
}

function policyOf({ method, limit }: Route): RatePolicy {
  return limit ?? (method === 'GET' ? 'reads' : 'writes');
}

const ODD = /[%#]|^[^/]|\/(?:$|[/?])/;

async function answer(
  route: OperationRoute,
  request: IncomingMessage,
  response: ServerResponse,
  parameters: Readonly<Record<string, unknown>>,
  handlers: ReadonlyMap<Route, RouteHandler>,
  log: Logger,
): Promise<void> {
  try {
    exchangeOf(request).route = `${request.method} ${route.path}`;
    await admit(route, request, response);
    await (handlers.get(route) as RouteHandler)(request, response, parameters);
  } catch (error) {
    sendFault(request, response, error, log);
  }
}

function sofaHandlers(deps: RestDeps): ReadonlyMap<Route, RouteHandler> {
  const routes = ROUTES.filter(isOperationRoute).filter(({ carrier }) => carrier === 'sofa');
  const handler = createSofaHandler(routes, deps);
  return new Map(routes.map((route) => [route, handler(route)]));
}

/**
 * What SOFA carries, by method and path. The other paths and methods are in it as well, for nobody: `/tokens/current`
 * without GET is not a token that is called so.
 */
function routerOf(handlers: ReadonlyMap<Route, RouteHandler>) {
  const router = findMyWay({ maxParamLength: 1_000, querystringParser: () => NO_QUERY });
  for (const [path, routes] of routesByPath()) {
    for (const method of SERVED) {
      const route = routes.find((each) => each.method === method && handlers.has(each));
      router.on(method, pattern(path), () => undefined, route);
    }
  }
  return router;
}

const SERVED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The query is read by the route's own parameters. */
const NO_QUERY = {};

function expressApp(deps: RestDeps, sofa: ReadonlyMap<Route, RouteHandler>): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').disable('query parser');
  app.enable('strict routing').enable('case sensitive routing');
  app.use(refuseFragment);
  const carriers = carriersOf(deps, sofa);
  for (const [path, routes] of routesByPath()) {
    const place = app.route(pattern(path)).all(named(path));
    for (const route of routes) {
      const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
      place[method](admitted(route), carriers[route.carrier](route));
    }
    place.options(allowing(routes, (_request, response) => void response.writeHead(STATUS.noContent).end()));
    place.all(allowing(routes, refuseMethod));
  }
  app.use(refusePath);
  app.use(faultHandler(deps.log));
  return app;
}

function pattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function carriersOf(
  deps: RestDeps,
  sofa: ReadonlyMap<Route, RouteHandler>,
): Record<Route['carrier'], (route: Route) => RequestHandler> {
  const operation = (handler: (route: OperationRoute, deps: RestDeps) => RequestHandler) => (route: Route) =>
    handler(route as OperationRoute, deps);
  return {
    sofa: (route) => (request, response) => (sofa.get(route) as RouteHandler)(request, response, request.params),
    'create-organization': operation(createOrganizationHandler),
    'document-versions': operation(documentVersionsHandler),
    'incident-attachments': operation(incidentAttachmentsHandler),
    'organization-logo': operation(organizationLogoHandler),
    downloads: (route) => downloadsHandler(route, deps),
    'evidence-pack': (route) => evidencePackHandler(route, deps),
    openapi: () => interfaceDescription(deps),
  };
}

function routesByPath(): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of ROUTES) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return new Map([...paths].toSorted(([one], [other]) => bySpelledOutFirst(one, other)));
}

/** `/tokens/current` before `/tokens/{id}`, wherever the table has them. */
function bySpelledOutFirst(one: string, other: string): number {
  const [key, otherKey] = [one, other].map((path) => path.replaceAll(/\{\w+\}/g, '\u{10FFFF}')) as [string, string];
  return key < otherKey ? -1 : 1;
}

/** Tells logs and metrics which route it is. */
function named(path: string): RequestHandler {
  return (request, _response, next) => {
    exchangeOf(request).route = `${methodLabel(request)} ${path}`;
    next();
  };
}

function admitted(route: Route): RequestHandler {
  return async (request, response, next) => {
    await admit(route, request, response);
    next();
  };
}

/** In the order in which they are told. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

function allowing(routes: readonly Route[], handler: RequestHandler): RequestHandler {
  const served = new Set<string>(routes.map(({ method }) => method));
  if (served.has('GET')) served.add('HEAD');
  const allow = [...METHODS.filter((method) => served.has(method)), 'OPTIONS'].join(', ');
  return (request, response, next) => handler(request, response.set('Allow', allow), next);
}

const refuseMethod: RequestHandler = () => {
  throw methodNotAllowed();
};

/** Express would cut off what follows a number sign and find the rest. No client sends one: it is not part of a path. */
const refuseFragment: RequestHandler = (request, response, next) => {
  if (request.url.includes('#')) refusePath(request, response, next);
  else next();
};

const refusePath: RequestHandler = (request) => {
  exchangeOf(request).route = `${methodLabel(request)} /api/v1/*`;
  throw notFound();
};

/** Express takes a function of four parameters for one that handles errors. */
function faultHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) =>
    // A path whose percent signs mean nothing names nothing.
    sendFault(request, response, error instanceof URIError ? notFound() : error, log);
}

function interfaceDescription({ engine, publicUrl }: RestDeps): RequestHandler {
  const text = new CompressedText(JSON.stringify(openApiDocument(engine.schema, { url: publicUrl })));
  return async (request, response) => {
    response.appendHeader('Vary', 'Accept-Encoding');
    const { body, encoding, etag } = await text.for(request);
    const headers = { ETag: etag, 'Cache-Control': 'no-cache' };
    if (hasCurrent(request, etag)) return void response.writeHead(STATUS.notModified, headers).end();
    const encoded = encoding === undefined ? {} : { 'Content-Encoding': encoding };
    sendJson(request, response, STATUS.ok, body, { ...headers, ...encoded });
  };
}
