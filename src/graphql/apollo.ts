import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { parse, type GraphQLError, type GraphQLSchema } from 'graphql';
import type { GraphQLContext } from '../http/context.js';
import { badUserInput } from '../errors.js';
import { formatError, formatErrors, inLanguage, refusal, statusOf, toDomainError } from './errors.js';
import type { AdmittedCall, OperationPipeline } from './pipeline.js';

/** Apollo copies the object passed as the context of an operation: the context itself must remain the same object. */
export interface ApolloContext {
  readonly own: GraphQLContext;
}

/**
 * Apollo's part: HTTP semantics, CSRF prevention, formatting of results, and the explorer at `GET /graphql`, unless
 * `landingPage` is undefined. The pipeline parses, validates and executes.
 */
export async function createApollo(
  schema: GraphQLSchema,
  pipeline: OperationPipeline,
  landingPage: string | undefined,
): Promise<ApolloServer<ApolloContext>> {
  const apollo = new ApolloServer<ApolloContext>({
    gateway: {
      async load() {
        return {
          async executor({ document, operation, request, context }) {
            const call = { document, operation, variables: request.variables ?? {} };
            return pipeline.execute(call, (context as ApolloContext).own);
          },
        };
      },
      // Apollo's documented way to an executor of one's own. The supergraph's text is only for display elsewhere.
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: schema, coreSupergraphSdl: '' });
        return () => undefined;
      },
      async stop() {},
    },
    documentStore: null,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: silent,
    formatError,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      limits(pipeline),
      // Without one of either kind Apollo shows its own, which loads scripts from elsewhere.
      landingPage === undefined
        ? ApolloServerPluginLandingPageDisabled()
        : { serverWillStart: async () => page(landingPage) },
    ],
  });
  await apollo.start();
  return apollo;
}

/**
 * Has the pipeline admit and count each operation. A document that Apollo is given is not parsed and validated again;
 * a refused one is replaced, because the first hook that may answer is later.
 */
function limits(pipeline: OperationPipeline): ApolloServerPlugin<ApolloContext> {
  return {
    async requestDidStart() {
      let call: AdmittedCall | readonly GraphQLError[];
      return {
        async didResolveSource(resolved) {
          const { source: query, request, contextValue } = resolved;
          const { operationName, variables } = request;
          call = pipeline.admit({ query, operationName, variables }, contextValue.own);
          Object.assign(resolved, { document: 'operation' in call ? call.document : NOTHING });
        },
        async responseForOperation({ contextValue, response }) {
          const refused = 'operation' in call ? refusalOf(pipeline, call, contextValue.own) : call;
          if (refused === undefined) return null;
          const { errors, status, retryAfter } = formatErrors(refused, contextValue.own);
          response.http.status = status ?? statusOf(toDomainError(refused[0]));
          if (retryAfter !== undefined) response.http.headers.set('retry-after', String(retryAfter));
          return { http: response.http, body: { kind: 'single', singleResult: { errors } } };
        },
        async willSendResponse({ contextValue, response: { body } }) {
          const { language } = contextValue.own;
          if (language === undefined || body.kind !== 'single') return;
          const { singleResult } = body;
          if (singleResult.errors)
            singleResult.errors = singleResult.errors.map((error) => inLanguage(error, language));
        },
        async didEncounterErrors({ errors, contextValue, response }) {
          const { status, retryAfter } = formatErrors(errors, contextValue.own);
          if (status !== undefined) response.http.status = status;
          if (retryAfter !== undefined) response.http.headers.set('retry-after', String(retryAfter));
        },
      };
    },
  };
}

/** Errors of an operation that passed validation; without any, it is counted. */
function refusalOf(
  pipeline: OperationPipeline,
  call: AdmittedCall,
  { meter }: GraphQLContext,
): readonly GraphQLError[] | undefined {
  if (call.operation.operation === 'subscription') return refusal(badUserInput([ELSEWHERE]));
  try {
    pipeline.charge(call, meter);
    return undefined;
  } catch (error) {
    return refusal(error);
  }
}

const ELSEWHERE =
  'Subscriptions are served over WebSocket at /graphql (graphql-transport-ws) and as server-sent events at /graphql/stream';

/** Takes the place of a refused document until the refusal is sent. */
const NOTHING = parse('{ __typename }');

function page(html: string) {
  return { renderLandingPage: async () => ({ html }) };
}

/** Errors are logged with their request id by `reportError`; Apollo's own lines would repeat them without. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };
