import { ApolloServer, type ApolloServerPlugin, type BaseContext, type HTTPGraphQLRequest } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { GraphQLError, parse, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import type { GraphQLContext } from '../context.js';
import { DOCUMENT_LIMITS, type CostVariables } from './document-limits.js';
import { withinSize } from './answer-size.js';
import type { GraphQLExecutor } from './executor.js';
import { badUserInput, DomainError, unauthenticated } from '../errors.js';
import type { DocumentValidator } from './document-validator.js';
import { formatError, statusOfErrors } from './apollo-errors.js';
import type { Introspection } from './open-documents.js';
import type { OperationCharges } from './operation-charges.js';

export interface ApolloOptions {
  documentValidator: DocumentValidator;
  charges: OperationCharges;
  introspection: Introspection;
  /** HTML of the explorer at `GET /graphql`; undefined shows none. */
  landingPage: string | undefined;
}

/** Apollo's part: HTTP semantics, CSRF prevention, parsing, validation, plugins, the landing page. The engine executes. */
export async function createApollo(
  executor: GraphQLExecutor,
  options: ApolloOptions,
): Promise<ApolloServer<GraphQLContext>> {
  const apollo = new ApolloServer<GraphQLContext>({
    gateway: {
      async load() {
        return {
          async executor({ document, operationName, request, context }) {
            const { variables } = request;
            return withinSize(
              await executor.execute({ document, operationName, variables, context: context as GraphQLContext }),
            );
          },
        };
      },
      // Apollo's documented way to an executor of one's own; it asks for a supergraph's text only to show it elsewhere.
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: executor.schema, coreSupergraphSdl: '' });
        return () => undefined;
      },
      async stop() {},
    },
    introspection: options.introspection !== 'off',
    hideSchemaDetailsFromClientErrors: options.introspection === 'off',
    // Our own cache below, bounded by characters; Apollo's would skip the limits for what it holds.
    documentStore: null,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    parseOptions: { maxTokens: DOCUMENT_LIMITS.tokens },
    validationOptions: { maxErrors: 20 },
    stopOnTerminationSignals: false,
    logger: silent,
    formatError,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      documents(options.documentValidator, options.charges),
      errorLog,
      ...(options.landingPage === undefined ? [] : [landingPage(options.landingPage)]),
    ],
  });
  await apollo.start();
  return apollo;
}

/** Holds documents that passed limits and validation, and refuses the others before validation has to work on them. */
function documents(
  documentValidator: DocumentValidator,
  charges: OperationCharges,
): ApolloServerPlugin<GraphQLContext> {
  return {
    async requestDidStart() {
      let faults: string[] = [];
      return {
        async didResolveSource(request) {
          const { source } = request;
          faults = documentValidator.sourceErrors(source);
          const known = faults.length > 0 ? NOTHING : documentValidator.known(source);
          if (known !== undefined) Object.assign(request, { document: known });
        },
        async validationDidStart(request) {
          faults = documentValidator.documentErrors(request.document);
          // Validated instead of the document that is refused below: a hostile one must not reach validation.
          if (faults.length > 0) Object.assign(request, { document: NOTHING });
          return async (errors) => {
            if (errors === undefined && faults.length === 0)
              documentValidator.remember(request.source, request.document);
          };
        },
        async didResolveOperation({ document, operation, request, contextValue }) {
          if (contextValue.caller.kind === 'anonymous' && !documentValidator.isOpen(document))
            throw asGraphQLError(unauthenticated(), 401);
          if (faults.length > 0) throw asGraphQLError(badUserInput(faults), 400);
          const state = isCheckedJson(request.http) ? 'checked' : 'raw';
          const error = documentValidator.callError(document, operation, request.variables, state);
          if (error !== undefined) throw asGraphQLError(error, 400);
          if (operation?.operation === 'subscription') throw asGraphQLError(badUserInput([ELSEWHERE]), 400);
          if (operation) charge(charges, contextValue, document, operation, request.variables);
        },
      };
    },
  };
}

/** Once for a request: one that the quick way has charged comes here when its variables do not fit. */
function charge(
  charges: OperationCharges,
  { meter }: GraphQLContext,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: CostVariables | undefined,
): void {
  if (meter.isCharged('graphql')) return;
  try {
    charges.charge(meter, document, operation, variables);
  } catch (error) {
    throw error instanceof DomainError ? asGraphQLError(error, 429) : error;
  }
}

/** What came as a JSON body was looked through when it was parsed; a query string and a form were not. */
function isCheckedJson(http: HTTPGraphQLRequest | undefined): boolean {
  return http?.method === 'POST' && (http.headers.get('content-type') ?? '').startsWith('application/json');
}

const ELSEWHERE =
  'Subscriptions are served over WebSocket at /graphql (graphql-transport-ws) and as server-sent events at /graphql/stream';

/** Takes the place of a refused document until the refusal is told. */
const NOTHING = parse('{ __typename }');

export function asGraphQLError(fault: DomainError, status: number): GraphQLError {
  return new GraphQLError(fault.message, { originalError: fault, extensions: { http: { status } } });
}

/** What the errors of an answer mean for all of it. */
const errorLog: ApolloServerPlugin<GraphQLContext> = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, contextValue, response }) {
        const { status, retryAfter } = statusOfErrors(errors, contextValue);
        if (status !== 200) response.http.status = status;
        if (retryAfter !== undefined) response.http.headers.set('retry-after', String(retryAfter));
      },
    };
  },
};

function landingPage(html: string): ApolloServerPlugin<BaseContext> {
  return {
    async serverWillStart() {
      return { renderLandingPage: async () => ({ html }) };
    },
  };
}

/** Faults are logged by `faultLog` with their request id; Apollo's own lines would repeat them without. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };
