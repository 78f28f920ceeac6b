import { Router, type Request, type Response } from 'express';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { once } from '../common/concurrency.js';
import { documentsOnly, methodNotAllowed, notFound, unauthenticated } from '../errors.js';
import { allowed } from '../http/methods.js';
import { chargeRequest, methodLabel, requestContextOf } from '../http/request-context.js';
import { prefersAsync } from '../http/preference.js';
import { pathOf } from '../http/target.js';
import { hasCodes, sendError, STATUS } from './answer/answer.js';
import { routeDeprecation, showDeprecation } from './deprecation.js';
import { fileHandler, signatureOf, type FileDeps } from './answer/file-handler.js';
import { operationHandler, type OperationDeps, type RouteHandler } from './answer/operation-handler.js';
import { isOfJob, isOperationRoute, policyOf, type Route } from './route.js';
import type { CompiledRoute } from './view/core-path.js';

type RestDeps = OperationDeps & FileDeps;

/**
 * REST (specification 4): everything under /api/v1. Finds the route, authenticates the caller and counts the request, and
 * has the route's handler answer it. Every answer is in the envelope.
 */
export function createRestHandler(table: readonly CompiledRoute[], deps: RestDeps): RequestListener {
  const handlerOf = (route: CompiledRoute) =>
    once(() => (isOperationRoute(route) ? operationHandler(route, deps) : fileHandler(route, deps)));
  const showDeprecationOf = (route: CompiledRoute) =>
    once(() => {
      const deprecation = routeDeprecation(route);
      return (response: ServerResponse) => deprecation && showDeprecation(response, deprecation, deps.publicUrl);
    });
  // Routers alone: an Express application changes the prototypes of request and response, which costs 30 µs. Several,
  // because a router tries its paths one after the other, and there are more than a hundred.
  const routers = new Map<string, Router>();
  for (const [path, routes] of routesByPath(table)) {
    const servedOf = (route: CompiledRoute): Served => ({
      ...{ route, handler: handlerOf(route), showDeprecation: showDeprecationOf(route) },
      preferred:
        route.method === 'POST'
          ? routes
              .filter(isOfJob)
              .filter((each) => each !== route)
              .map(servedOf)[0]
          : undefined,
    });
    const methods = new Map(routes.filter((route) => !isOfJob(route)).map((route) => [route.method, servedOf(route)]));
    const router = routers.get(shapeOf(path)) ?? Router({ strict: true, caseSensitive: true });
    routers.set(shapeOf(path), router);
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), (request, response) => {
      requestContextOf(request).route = `${methodLabel(request)} ${path}`;
      answer(methods, request, response).catch((error: unknown) => sendError(request, response, error, deps.log));
    });
  }
  const withoutCodes = [...new Set(table.map(({ path }) => path))]
    .filter((path) => !hasCodes(path))
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  return (request, response) => {
    requestContextOf(request).route = `${methodLabel(request)} /api/v1/*`;
    // A path whose percent signs do not decode names nothing either, and is refused in the words of its route.
    const refuse = () => {
      const { path } = withoutCodes.find(({ pattern }) => pattern.test(pathOf(request))) ?? {};
      if (path !== undefined) requestContextOf(request).route = `${methodLabel(request)} ${path}`;
      sendError(request, response, notFound(), deps.log);
    };
    const router = routers.get(shapeOf(pathOf(request)));
    // A router would cut off the part after a number sign, and match the rest.
    if (router === undefined || request.url?.includes('#')) refuse();
    else router(request as Request, response as Response, refuse);
  };
}

/** The router tries one path after the other: `/tokens/current` comes before `/tokens/{id}`, wherever the table has them. */
function routesByPath(table: readonly CompiledRoute[]): [path: string, routes: CompiledRoute[]][] {
  const paths = Map.groupBy(table, ({ path }) => path);
  const key = (path: string) => path.replaceAll(/\{\w+\}/g, '\u{10FFFF}');
  return [...paths].toSorted(([one], [other]) => (key(one) < key(other) ? -1 : 1));
}

/** The part of a path that no parameter changes: how many segments it has, and the first below /api/v1. */
function shapeOf(path: string): string {
  const segments = path.split('/');
  return `${segments.length} ${segments[3]}`;
}

interface Served {
  route: Route;
  /** Created at the route's first request: its input is derived from the schema, which a start need not wait for. */
  handler: () => RouteHandler;
  /** Sets the headers that every answer of a deprecated route has. */
  showDeprecation: () => (response: ServerResponse) => void;
  /** For requests that prefer to be answered before they are done. */
  preferred: Served | undefined;
}

async function answer(methods: ReadonlyMap<string, Served>, request: Request, response: ServerResponse): Promise<void> {
  const { method } = request;
  const found = methods.get(method === 'HEAD' ? 'GET' : method);
  const served = found?.preferred !== undefined && prefersAsync(request) ? found.preferred : found;
  if (served === undefined) {
    response.setHeader('Allow', allowed([...methods.keys()]));
    if (method !== 'OPTIONS') throw methodNotAllowed();
    return void response.writeHead(STATUS.noContent).end();
  }
  served.showDeprecation()(response);
  await admit(served.route, request, response);
  await served.handler()(request, response, request.params);
}

/** Authentication and rate limits come first: neither a parameter nor a byte of the body is read before. */
async function admit(route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestContext = requestContextOf(request);
  const policy = policyOf(route);
  const signature = route.open === 'when signed' ? signatureOf(request) : undefined;
  if (route.open === true || signature !== undefined) {
    const meter = requestContext.anonymousMeter();
    chargeRequest(response, meter, policy);
    if (route.costly === undefined || signature === undefined) return;
    // By its network as well: who may have one address signed may have many.
    meter.enter(route.costly);
    return meter.enter(route.costly, `signature ${signature}`);
  }
  const { caller, meter } = await requestContext.context();
  chargeRequest(response, meter, policy);
  if (caller.kind === 'anonymous') throw unauthenticated();
  if (caller.kind === 'user' && caller.documentsOnly) throw documentsOnly();
  if (route.costly !== undefined) meter.enter(route.costly);
}
