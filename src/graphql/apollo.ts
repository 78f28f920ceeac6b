import { ApolloServer, type ApolloServerPlugin, type BaseContext, type HTTPGraphQLRequest } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { GraphQLError, parse } from 'graphql';
import type { RequestContext } from '../context.js';
import { DOCUMENT_LIMITS, type DocumentLimits } from '../engine/document-limits.js';
import type { Engine } from '../engine/engine.js';
import { badUserInput, type DomainError } from '../errors.js';
import { hasLongList, MAX_ITEMS } from '../engine/list-lengths.js';
import { formatError, statusOfErrors } from './apollo-errors.js';
import type { DocumentCache } from './document-cache.js';
import { isStorable, UNSTORABLE } from './json-body.js';

export interface ApolloOptions {
  /** Documents that passed limits and validation. */
  documents: DocumentCache;
  limits: DocumentLimits;
  introspection: boolean;
  /** HTML of the explorer at `GET /graphql`; undefined shows none. */
  landingPage: string | undefined;
}

/** Apollo's part: HTTP semantics, CSRF prevention, parsing, validation, plugins, the landing page. The engine executes. */
export async function createApollo(engine: Engine, options: ApolloOptions): Promise<ApolloServer<RequestContext>> {
  const apollo = new ApolloServer<RequestContext>({
    gateway: {
      async load() {
        return {
          executor: ({ document, operationName, request, context }) =>
            engine.execute({
              document,
              operationName,
              variables: request.variables,
              context: context as RequestContext,
            }),
        };
      },
      // Apollo's documented way to an executor of one's own; it asks for a supergraph's text only to show it elsewhere.
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: engine.schema, coreSupergraphSdl: '' });
        return () => undefined;
      },
      async stop() {},
    },
    introspection: options.introspection,
    hideSchemaDetailsFromClientErrors: !options.introspection,
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
      documents(engine, options),
      faultLog,
      ...(options.landingPage === undefined ? [] : [landingPage(options.landingPage)]),
    ],
  });
  await apollo.start();
  return apollo;
}

/** Holds documents that passed limits and validation, and refuses the others before validation has to work on them. */
function documents(engine: Engine, { documents: cache, limits }: ApolloOptions): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let faults: string[] = [];
      return {
        async didResolveSource(request) {
          const { source } = request;
          if (source.length > DOCUMENT_LIMITS.characters) {
            faults = [`The document exceeds the limit of ${DOCUMENT_LIMITS.characters} characters`];
            Object.assign(request, { document: NOTHING });
            return;
          }
          const known = cache.get(source);
          if (known !== undefined) Object.assign(request, { document: known });
        },
        async validationDidStart(request) {
          faults = limits.faultsOf(request.document);
          // Validated instead of the document that is refused below: a hostile one must not reach validation.
          if (faults.length > 0) Object.assign(request, { document: NOTHING });
          return async (errors) => {
            if (errors === undefined && faults.length === 0) cache.set(request.source, request.document);
          };
        },
        async didResolveOperation({ document, operation, request }) {
          if (faults.length === 0 && operation === undefined) faults = [NO_SUCH_OPERATION];
          if (faults.length === 0 && !isCheckedJson(request.http) && !isStorable(request.variables)) {
            faults = [UNSTORABLE];
          }
          if (faults.length === 0 && operation !== undefined) {
            if (hasLongList(engine.schema, operation, request.variables)) {
              faults = [`A list of the variables has more than ${MAX_ITEMS} items`];
            }
          }
          if (faults.length === 0 && operation !== undefined) {
            const cost = limits.costOf(document, operation, request.variables ?? {});
            if (cost > DOCUMENT_LIMITS.cost)
              faults = [`The operation exceeds the cost limit of ${DOCUMENT_LIMITS.cost}`];
          }
          if (faults.length > 0) throw asGraphQLError(badUserInput(faults), 400);
        },
      };
    },
  };
}

/** What came as a JSON body was looked through when it was parsed; a query string and a form were not. */
function isCheckedJson(http: HTTPGraphQLRequest | undefined): boolean {
  return http?.method === 'POST' && (http.headers.get('content-type') ?? '').startsWith('application/json');
}

const NO_SUCH_OPERATION = 'The document has no operation of that name, or several and none was named';

/** Takes the place of a refused document until the refusal is told. */
const NOTHING = parse('{ __typename }');

export function asGraphQLError(fault: DomainError, status: number): GraphQLError {
  return new GraphQLError(fault.message, { originalError: fault, extensions: { http: { status } } });
}

/** What the errors of an answer mean for all of it. */
const faultLog: ApolloServerPlugin<RequestContext> = {
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
