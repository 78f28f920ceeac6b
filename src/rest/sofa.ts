import { GraphQLError, GraphQLObjectType, GraphQLScalarType, GraphQLSchema } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { useSofa } from 'sofa-api';
import { TOKEN_NAME, type RequestContext } from '../context.js';
import type { Engine, Variables } from '../engine/engine.js';
import { faultOf, reportFault } from '../engine/faults.js';
import { exchangeOf } from '../http/exchange.js';
import type { Logger } from '../logger.js';
import type { Idempotency, Reply } from '../vocabulary/idempotency.js';
import { faultHeaders } from './answer.js';
import { hasCurrent, Revision } from './conditional.js';
import { asWordedAt, faultEnvelope, successEnvelope } from './envelope.js';
import { answerPost, fingerprintOf, sendReply } from './idempotent-reply.js';
import { locationRoot } from './location.js';
import { Operation, type Answer } from './operation.js';
import { readParameters } from './read-parameters.js';
import { hasBody, RouteBody } from './route-body.js';
import type { OperationRoute } from './route.js';
import { STATUS, statusOf, successStatus } from './status.js';

/** Answers a request; `parameters` are the texts in its path. */
export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  parameters: Readonly<Record<string, unknown>>,
) => Promise<void>;

/**
 * SOFA carries the routes whose body is JSON or absent. It is given a schema with one root field for each of them and
 * nothing else, so that nothing else can be reached through it: SOFA has no way to leave a root field out. Nor is it
 * shown what the client wrote: it tidies up paths (`x\..\1` would be 1) and joins repeated parameters with a comma.
 * Path, query and body are read before it, and it gets the name of the operation and what was read.
 */
export function createSofaHandler(
  routes: readonly OperationRoute[],
  deps: { engine: Engine; idempotency: Idempotency; log: Logger; publicUrl: string },
): (route: OperationRoute) => RouteHandler {
  const sofa = sofaOf(routes, deps);
  const root = locationRoot(deps.publicUrl);
  return (route) => handlerOf(route, { ...deps, sofa, root });
}

type Sofa = ReturnType<typeof useSofa>;

function sofaOf(routes: readonly OperationRoute[], { engine, log }: { engine: Engine; log: Logger }): Sofa {
  const operations = new Map(routes.map((route) => [operationName(route), new Operation(engine, route.document)]));
  return useSofa({
    basePath: BASE_PATH,
    schema: schemaOf(routes),
    routes: Object.fromEntries(routes.map((route) => [`${rootOf(route)}.${route.operationId}`, sofaRoute(route)])),
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
    context: ({ request: { call } }: SofaContext) => call,
    async execute({ operationName: name, contextValue: call }: SofaExecution) {
      const { context, variables, route } = call;
      try {
        call.answer = await (operations.get(name) as Operation).execute(variables, context);
        return { data: { [route.operationId]: null } };
      } catch (error) {
        const fault = reportFault(error, { log, requestId: context.requestId });
        return { errors: [asGraphQLError(asWordedAt(route.path, fault))] };
      }
    },
    errorHandler([error]) {
      const fault = faultOf(error);
      const init = { status: statusOf(fault.code), headers: faultHeaders(fault) };
      return Response.json(faultEnvelope(fault), init) as never;
    },
  } as Parameters<typeof useSofa>[0]);
}

/** Reads the request, has SOFA execute its operation, and sends what that answered. */
function handlerOf(
  route: OperationRoute,
  { engine, idempotency, sofa, root }: { engine: Engine; idempotency: Idempotency; sofa: Sofa; root: string },
): RouteHandler {
  const body = hasBody(route) ? new RouteBody(engine, route) : undefined;
  const polled = route.revision === undefined ? undefined : new Revision(engine, route.revision, route.cacheControl);
  const address = `${ORIGIN}${BASE_PATH}${sofaRoute(route).path}`;
  return async (request, response, inPath) => {
    const context = await exchangeOf(request).context();
    // Beside what it varies by already: which origin asks.
    if (polled !== undefined) response.appendHeader('Vary', TOKEN_NAME);
    const parameters = readParameters(route.parameters, inPath, request.url ?? '', request.headers);
    const variables = body === undefined ? parameters : await body.read(request, parameters);
    const revision = await polled?.now(request, context);
    const current = revision === undefined ? undefined : polled?.current(request, revision);
    if (current !== undefined) return void response.writeHead(STATUS.notModified, current).end();
    const execute = async (): Promise<Reply> => {
      const call: Call = { context, variables, parameters, route, answer: undefined };
      const asked: SofaRequest = { method: route.method, url: address, body: null, call };
      const answer = await sofa.handleRequest(asked as never, undefined as never);
      const made = call.answer;
      // What SOFA keeps of a request lives until a full collection, and would keep every row with it.
      call.answer = undefined;
      if (made === undefined) return faultReply(answer);
      const polledHeaders = (text: string) => polled?.headersFor(text, request, revision);
      return replyTo(request, call, made, { root, polledHeaders });
    };
    if (route.method !== 'POST') return sendReply(request, response, await execute());
    const fingerprint = () => fingerprintOf(route, variables);
    return answerPost(request, response, idempotency, { context, fingerprint, execute });
  };
}

async function faultReply(answer: Response): Promise<Reply> {
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'content-type'));
  return { status: answer.status, headers, body: await answer.text() };
}

/** SOFA is not given the answer: it would be turned into text, a stream and text again on its way. */
function replyTo(
  request: IncomingMessage,
  { route, parameters }: Call,
  answer: Answer,
  { root, polledHeaders }: { root: string; polledHeaders(text: string): Record<string, string> | undefined },
): Reply {
  const body = JSON.stringify(successEnvelope(answer));
  const tagged = answer.etag === undefined ? polledHeaders(body) : { ETag: answer.etag };
  if (route.method === 'GET' && tagged !== undefined && hasCurrent(request, tagged['ETag'] as string))
    return { status: STATUS.notModified, headers: tagged, body: '' };
  const status = successStatus(route, answer.payload);
  const place = status === STATUS.created && typeof route.created === 'string' ? route.created : undefined;
  const made = place && filled(place, { ...parameters, ...(answer.data as object) });
  return { status, headers: { ...tagged, ...(made && { Location: `${root}${made}` }) }, body };
}

/** A request on its way through SOFA. */
interface Call {
  context: RequestContext;
  variables: Variables;
  /** What the address says: of the variables, those that are in the body's input are not found by name. */
  parameters: Variables;
  route: OperationRoute;
  /** What came of it, unless it failed. */
  answer: Answer | undefined;
}

/**
 * All that SOFA looks at: making a whole Request costs more than everything else that SOFA does. It hands the request on
 * as it is, where a context of ours would be copied, key by key and with the original for its prototype.
 */
interface SofaRequest {
  method: string;
  url: string;
  body: null;
  call: Call;
}

interface SofaContext {
  request: SofaRequest;
}

/** What SOFA hands to `execute`; its own type is that of graphql-js. */
interface SofaExecution {
  operationName: string;
  contextValue: Call;
}

const BASE_PATH = '/api/v1';
/** SOFA wants full addresses; nobody sees this one. */
const ORIGIN = 'http://localhost';

function filled(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(String(values[name])));
}

function rootOf({ method }: OperationRoute): 'Query' | 'Mutation' {
  return method === 'GET' ? 'Query' : 'Mutation';
}

/** SOFA's own name of the operation that it builds for a root field. */
function operationName(route: OperationRoute): string {
  return `${route.operationId}_${rootOf(route).toLowerCase()}`;
}

/** The path that clients see is found before SOFA, which would try one pattern after the other. */
function sofaRoute({ method, operationId }: OperationRoute) {
  return { method, path: `/${operationId}`, responseStatus: STATUS.ok };
}

function asGraphQLError(fault: Error): GraphQLError {
  return new GraphQLError(fault.message, { originalError: fault });
}

function schemaOf(routes: readonly OperationRoute[]): GraphQLSchema {
  const fieldsOf = (root: 'Query' | 'Mutation') =>
    Object.fromEntries(
      routes.filter((route) => rootOf(route) === root).map((route) => [route.operationId, { type: Envelope }]),
    );
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: fieldsOf('Query') }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: fieldsOf('Mutation') }),
  });
}

const Envelope = new GraphQLScalarType({ name: 'Envelope' });
