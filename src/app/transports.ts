import type { GraphQLSchema } from 'graphql';
import type { IncomingMessage } from 'node:http';
import { GraphQLExecutor } from '../graphql/executor.js';
import { logUnavailable } from '../http/outage-log.js';
import { createApollo } from '../graphql/apollo.js';
import { GraphQLHttpHandler } from '../graphql/http-handler.js';
import { IdempotentMutations } from '../graphql/idempotent-mutations.js';
import { DirectOperations } from '../graphql/direct-operations.js';
import { NamedDocuments } from '../graphql/named-documents.js';
import { OperationPipeline } from '../graphql/pipeline.js';
import { LiveOperations } from '../graphql/subscriptions/live-operations.js';
import { LiveSessions } from '../graphql/subscriptions/live-sessions.js';
import { SseTransport } from '../graphql/subscriptions/sse-transport.js';
import { WebSocketTransport } from '../graphql/subscriptions/web-socket-transport.js';
import { LargeBodies } from '../http/request-body.js';
import { requestContextOf } from '../http/request-context.js';
import { createFront, isAllowedOrigin } from './front.js';
import { Health } from '../http/health.js';
import { Metrics } from '../http/metrics.js';
import { EXPLORER_HEADERS, EXPLORER_PAGE } from '../portal/explorer-page.js';
import { guideTexts, llmsText } from '../portal/guides.js';
import type { DescribedInterface } from '../portal/collections.js';
import { createPortal } from '../portal/portal-app.js';
import { openApiDocument } from '../rest/openapi.js';
import { createRestHandler } from '../rest/rest-handler.js';
import { ROUTES } from '../rest/routes.js';
import { compileRoutes } from '../rest/view/core-path.js';
import { createMcpListener } from '../mcp/mcp-handler.js';
import { resourcesOf } from '../mcp/resources.js';
import { ToolCalls, Toolbox } from '../mcp/tool-calls.js';
import { createScimHandler } from '../scim/scim-handler.js';
import { createSofa } from '../rest/view/sofa.js';
import { once } from '../common/concurrency.js';
import { VERSION } from '../common/version.js';
import { recordColumns } from '../database/projection.js';
import { requireFieldSources } from '../graphql/field-sources.js';
import { createSchema } from '../resolvers/index.js';
import { applicationOf, refusalOf } from '../services/identity/sign-in-refusals.js';
import { openLogo } from '../services/organizations/logo.js';
import type { Foundation } from '../services/foundation.js';
import type { Services } from '../services/index.js';

/**
 * The parts without configuration, created once for all gateways of a process: the schema, its executor, and REST's
 * operations.
 */
async function createContract(federation: boolean) {
  const schema = await createSchema({ federation });
  requireFieldSources(schema, recordColumns);
  const executor = new GraphQLExecutor(schema);
  const routes = compileRoutes(schema, ROUTES);
  const toolbox = once(() => new Toolbox(schema));
  return { schema, executor, routes, toolbox, sofa: await createSofa(executor, routes) };
}

let plain: ReturnType<typeof createContract> | undefined;

/** One executor, both APIs on it, and the pages for people and operators. */
export async function createTransports(foundation: Foundation, services: Services) {
  const { config, access, limits, log, clock, database, store, queues } = foundation;
  const { publicUrl, trustProxy, metricsPublic, corsOrigins, hstsSeconds, federation } = config;
  const { schema, executor, routes, toolbox, sofa } = await (federation
    ? createContract(true)
    : (plain ??= createContract(false)));
  const largeBodies = new LargeBodies();
  const { apollo, graphql, pipeline, sessions, webSockets } = await createGraphQL(
    executor,
    foundation,
    services,
    largeBodies,
  );
  const metrics = new Metrics(database, clock, queues, sessions, services, log);
  const health = new Health({ database: () => database.ping(), storage: () => store.ping() });
  const rest = createRestHandler(routes, { ...services, access, executor, sofa, largeBodies, publicUrl, log });
  const portal = createPages(schema, foundation, services);
  const scim = createScimHandler({ services, limits, publicUrl, log });
  const calls = new ToolCalls(toolbox, pipeline, services.idempotency);
  const mcp = createMcpListener({
    ...{ calls, largeBodies, log, info: { name: 'compliance-gateway', title: 'Compliance gateway', version: VERSION } },
    resources: once(() => resourcesOf(guideTexts(publicUrl), llmsText(publicUrl))),
    isKnownOrigin: (origin) => origin === new URL(publicUrl).origin || isAllowedOrigin(corsOrigins, origin),
  });
  const transports = { graphql, rest, scim, mcp, portal, health, metrics };
  const listener = createFront({
    access,
    limits,
    log,
    services,
    trustProxy,
    metricsPublic,
    corsOrigins,
    hstsSeconds,
    ...transports,
  });
  return { executor, apollo, sessions, webSockets, metrics, health, listener };
}

async function createGraphQL(
  executor: GraphQLExecutor,
  { config, access, limits, log, store }: Foundation,
  services: Services,
  largeBodies: LargeBodies,
) {
  const { introspection, explorer, directOperations, trustProxy } = config;
  const pipeline = new OperationPipeline(executor, introspection, services.registeredDocuments);
  const named = new NamedDocuments(services.registeredDocuments);
  const apollo = await createApollo(executor.schema, pipeline, explorer ? EXPLORER_PAGE : undefined);
  const sessions = new LiveSessions(access, log);
  const operations = new LiveOperations(pipeline, sessions, named);
  const webSockets = new WebSocketTransport({ access, limits, log, services, trustProxy, operations, sessions });
  const graphql = new GraphQLHttpHandler(apollo, {
    access,
    pipeline,
    direct: new DirectOperations(pipeline, directOperations),
    idempotent: new IdempotentMutations(pipeline, services.idempotency),
    named,
    largeBodies,
    log,
    stage: (bytes, maxBytes) => store.stage(bytes, maxBytes),
    stream: new SseTransport(operations, sessions),
    pageHeaders: EXPLORER_HEADERS,
  });
  return { apollo, graphql, pipeline, sessions, webSockets };
}

function createPages(
  schema: GraphQLSchema,
  { config, database, regimes, verified, log }: Foundation,
  { unsubscriptions, auditCheckpoints, signIn, tokens }: Services,
) {
  const { publicUrl, explorer, introspection, securityContact } = config;
  const originOf = (request: IncomingMessage) => requestContextOf(request).origin();
  return createPortal({
    publicUrl,
    securityContact,
    explorer,
    auditKeys: auditCheckpoints.keySet,
    described: () => openApiDocument(schema, { url: publicUrl }) as unknown as DescribedInterface,
    regimes: regimes.all,
    ...(introspection !== 'off' && { schema }),
    ...(introspection === 'token' && {
      mayReadSchema: async (request: IncomingMessage) => {
        const { caller } = await requestContextOf(request).context();
        return caller.kind === 'user' && !caller.documentsOnly;
      },
    }),
    openLogo: (name) =>
      openLogo(database, verified, name).catch((error: unknown) => {
        logUnavailable(log, error);
        throw error;
      }),
    unsubscribing: unsubscriptions,
    signingIn: {
      secure: publicUrl.startsWith('https:'),
      charge: (request) => requestContextOf(request).anonymousMeter().charge(['writes', 1]),
      begin: (who, application) => signIn.begin(who, application),
      finish: (query, sealed, request) => signIn.finish(query, sealed, originOf(request)),
      confirm: (token, sealed, request) => signIn.confirm(token, sealed, originOf(request)),
      current: async (token, request) => (await signIn.current(token, originOf(request)))?.username,
      end: async (token, request) => {
        const caller = await signIn.current(token, originOf(request));
        if (caller !== undefined) await tokens.revoke(caller, { id: caller.tokenId });
      },
      endByProvider: (logoutToken) => signIn.endByProvider(logoutToken),
      reasonOf: refusalOf,
      applicationOf,
    },
    onError: (err) => log.error({ err }, 'a page failed'),
  });
}
