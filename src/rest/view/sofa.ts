import { once } from '../../common/concurrency.js';
import { getOperationAST, print, type DocumentNode, type GraphQLSchema } from 'graphql';
import { useSofa } from 'sofa-api';
import { selectsSecrets } from '../../http/compression.js';
import { DocumentLimits, pointsOf } from '../../graphql/document-limits.js';
import type { GraphQLExecutor, Variables } from '../../graphql/executor.js';
import { STATUS } from '../answer/answer.js';
import { columnsOf, ListTable, Operation } from './operation.js';
import { LIMITS } from '../../values/limits.js';
import { isOperationRoute, tableVariants, variantId, variantsOf, type OperationRoute } from '../route.js';
import { VIEWS } from '../routes.js';
import type { CompiledRoute } from './core-path.js';
import { shownValues, toCoreDocument, toTableDocument } from './translate.js';
import { createRestView } from './view.js';

export interface Sofa {
  /** The REST view of the core schema. */
  readonly view: GraphQLSchema;
  /** The points of a request: those of the fields that declare a cost, as in GraphQL, and at least one. */
  points(route: OperationRoute, include: unknown, variables: Variables): number;
  /** The operation of a route, with the selection of the parameter `include`; created at its first use. */
  operation(route: OperationRoute, include?: unknown): Operation;
  /** Whether its answer, as JSON or as a table, may have a secret in it, and is not compressed. */
  answersSecrets(route: OperationRoute, include?: unknown): boolean;
  /** The same as a table, for a list that has pages; created at its first use. */
  table(route: OperationRoute, include?: unknown): ListTable;
}

/**
 * SOFA on the REST view of the core schema (docs/adr/0006). It generates the operation of each route at start, which is
 * translated for the core at the route's first request. It is not shown what clients send.
 */
export async function createSofa(executor: GraphQLExecutor, compiled: readonly CompiledRoute[]): Promise<Sofa> {
  const { schema: core } = executor;
  const table = compiled.filter(isOperationRoute);
  const routes = table.flatMap((route) => [...variantsOf(route), ...tableVariants(route)]);
  const view = createRestView(core, table, VIEWS);
  const documents = await generatedOperations(view, routes);
  const made = new Map<string, { operation: () => Operation; table: () => ListTable; isSecret: () => boolean }>();
  for (const route of routes) {
    const generated = documents.get(route.operationId)!;
    const operation = (document: DocumentNode) =>
      new Operation(executor, document, route.data, shownValues(view, generated));
    const own = once(() => operation(toCoreDocument(view, route, generated)));
    made.set(route.operationId, {
      operation: own,
      isSecret: once(() => selectsSecrets(print(own().document))),
      table: once(() => new ListTable(operation(toTableDocument(view, route, generated)), columnsOf(view, route))),
    });
  }
  const of = (route: OperationRoute, include: unknown) => made.get(variantId(route, include))!;
  // The search and uploads have limits of their own.
  const limits = new DocumentLimits(core, 0);
  return {
    view,
    points(route, include, variables) {
      if (route.costly === 'uploads' || route.data === 'search.nodes') return 1;
      const { document } = of(route, include).operation();
      const sizes = { limit: LIMITS.page.defaultSize, ...variables };
      return pointsOf(limits.costOf(document, getOperationAST(document)!, sizes));
    },
    operation: (route, include) => of(route, include).operation(),
    answersSecrets: (route, include) => [route, ...tableVariants(route)].some((each) => of(each, include).isSecret()),
    table: (route, include) => of(tableVariants(route)[0] ?? route, include).table(),
  };
}

/**
 * Operations that SOFA generates, by operation id. A handler hands its operation over to be executed: each runs once,
 * at start.
 */
async function generatedOperations(
  view: GraphQLSchema,
  routes: readonly OperationRoute[],
): Promise<ReadonlyMap<string, DocumentNode>> {
  const queries = view.getQueryType()?.getFields() ?? {};
  const rootOf = ({ operationId }: OperationRoute) => (operationId in queries ? 'Query' : 'Mutation');
  const generated = new Map<string, DocumentNode>();
  const sofa = useSofa({
    basePath: '/api/v1',
    schema: view,
    routes: Object.fromEntries(routes.map((route) => [`${rootOf(route)}.${route.operationId}`, sofaRoute(route)])),
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
    async execute({ document, contextValue: { name } }: Execution) {
      generated.set(name, document);
      return { data: { [name]: null } };
    },
    errorHandler([error]: readonly unknown[]) {
      throw error;
    },
  } as unknown as Parameters<typeof useSofa>[0]);
  const handlers = new Map(sofa.__routes.map(({ path, handler }) => [path, handler as unknown as SofaHandler]));
  for (const route of routes) await handlers.get(sofaRoute(route).path)!(NOTHING_SENT, { name: route.operationId });
  return generated;
}

/** A route's handler; its own type wants a fetch Request, of which it reads these properties. */
type SofaHandler = (request: typeof NOTHING_SENT, context: Execution['contextValue']) => Promise<unknown>;

const NOTHING_SENT = { url: '', body: null };

/** The arguments that SOFA passes to `execute`; its own type is that of graphql-js. */
interface Execution {
  document: DocumentNode;
  contextValue: { name: string };
}

/** Paths are not those of REST: the router in front finds the route. */
function sofaRoute({ method, operationId }: OperationRoute) {
  return { method, path: `/${operationId}`, responseStatus: STATUS.ok };
}
