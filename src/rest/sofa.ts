import type { DocumentNode } from 'graphql';
import { useSofa } from 'sofa-api';
import type { GraphQLExecutor } from '../graphql/executor.js';
import type { SuccessEnvelope } from './envelope.js';
import { Operation } from './operation.js';
import type { OperationRoute } from './route.js';
import { STATUS } from './status.js';
import { toCoreDocument } from './translate.js';
import { createRestView } from './view.js';

export interface Sofa {
  /** The operation of a route, compiled. */
  operation(route: OperationRoute): Operation;
  /** The text of a route's answer, from the envelope that `execute` resolves to. Throws what it threw. */
  answer(route: OperationRoute, execute: () => Promise<SuccessEnvelope>): Promise<string>;
}

/**
 * SOFA on the REST view of the core schema (docs/adr/0006). It generates the operation of each route, which is translated
 * for the core and compiled at start; per request it has the operation executed and makes the answer. It is not shown
 * what the client sent: the path, the query and the body are read before.
 */
export async function createSofa(routes: readonly OperationRoute[], executor: GraphQLExecutor): Promise<Sofa> {
  const { schema: core } = executor;
  const view = createRestView(core, routes);
  const answer = sofaOn(view, routes);
  const operations = new Map<OperationRoute, Operation>();
  for (const route of routes) {
    await answer(route, async (generated) => {
      operations.set(route, new Operation(executor, toCoreDocument({ core, view }, route, generated), route.data));
      return null;
    });
  }
  return { answer, operation: (route) => operations.get(route) as Operation };
}

/** What is executed for a request; it is handed the operation that SOFA has generated. */
type Execute = (generated: DocumentNode) => Promise<SuccessEnvelope | null>;

function sofaOn(view: Parameters<typeof useSofa>[0]['schema'], routes: readonly OperationRoute[]) {
  const queries = view.getQueryType()?.getFields() ?? {};
  const rootOf = ({ operationId }: OperationRoute) => (operationId in queries ? 'Query' : 'Mutation');
  const sofa = useSofa({
    basePath: BASE_PATH,
    schema: view,
    routes: Object.fromEntries(routes.map((route) => [`${rootOf(route)}.${route.operationId}`, sofaRoute(route)])),
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
    async execute({ document, contextValue: { route, execute } }: Execution) {
      return { data: { [route.operationId]: await execute(document) } };
    },
    errorHandler: ([error]: readonly unknown[]) => new Failure(error),
  } as unknown as Parameters<typeof useSofa>[0]);
  return async (route: OperationRoute, execute: Execute): Promise<string> => {
    const address = `${ORIGIN}${BASE_PATH}${sofaRoute(route).path}`;
    const response = await sofa.fetch(address, { method: route.method }, { route, execute });
    if (response instanceof Failure) throw response.error;
    return response.text();
  };
}

/** What SOFA hands to `execute`; its own type is that of graphql-js. */
interface Execution {
  document: DocumentNode;
  contextValue: { route: OperationRoute; execute: Execute };
}

/** What an operation threw, on its way through SOFA. */
class Failure extends Response {
  constructor(readonly error: unknown) {
    super();
  }
}

const BASE_PATH = '/api/v1';
/** SOFA wants full addresses; this one never leaves the process. */
const ORIGIN = 'http://localhost';

/** By operation id: SOFA tries paths with parameters one after the other, which takes 0.2 ms (docs/adr/0006). */
function sofaRoute({ method, operationId }: OperationRoute) {
  return { method, path: `/${operationId}`, responseStatus: STATUS.ok };
}
