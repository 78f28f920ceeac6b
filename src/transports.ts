import type { GraphQLSchema } from 'graphql';
import type { IncomingMessage } from 'node:http';
import { DocumentLimits } from './graphql/document-limits.js';
import { GraphQLExecutor } from './graphql/executor.js';
import { logUnavailable } from './http/outage-log.js';
import { DocumentValidator } from './graphql/document-validator.js';
import { createApollo } from './graphql/apollo.js';
import { GraphQLHttpHandler } from './graphql/http-handler.js';
import { IdempotentMutations } from './graphql/idempotent-mutations.js';
import { AnonymousRefusals, CachedQueryExecutor } from './graphql/cached-query-executor.js';
import { SubscriptionTransports } from './graphql/subscriptions/transports.js';
import { OperationCharges } from './graphql/operation-charges.js';
import { LargeBodies } from './http/request-body.js';
import { requestContextOf } from './http/request-context.js';
import { createFront } from './http/front.js';
import { Health } from './http/health.js';
import { Metrics } from './http/metrics.js';
import { EXPLORER_HEADERS, explorerPage } from './portal/explorer-page.js';
import { createPortal } from './portal/portal-app.js';
import { createRestHandler } from './rest/router.js';
import { createSchema, createResolvers } from './resolvers/index.js';
import { openLogo } from './services/organizations/logo.service.js';
import type { Foundation } from './infrastructure.js';

import type { Services } from './services/index.js';

/** One executor, both APIs on it, and the pages for people and operators. */
export async function createTransports(foundation: Foundation, services: Services) {
  const { config, access, limits, log, database, store, queues } = foundation;
  const { trustProxy, metricsPublic, corsOrigins } = config;
  const schema = await createSchema(createResolvers(services));
  const executor = new GraphQLExecutor(schema);
  const largeBodies = new LargeBodies();
  const { apollo, graphql, live } = await createGraphQL(executor, schema, foundation, { ...services, largeBodies });
  const metrics = new Metrics(database, queues, live.sessions);
  const health = new Health({ database: () => database.ping(), storage: () => store.ping() });
  const rest = await createRest(executor, foundation, { ...services, largeBodies });
  const portal = createPages(schema, foundation, services);
  const transports = { graphql, rest, portal, health, metrics };
  const listener = createFront({ access, limits, log, trustProxy, metricsPublic, corsOrigins, ...transports });
  return { executor, apollo, live, metrics, health, listener };
}

async function createGraphQL(
  executor: GraphQLExecutor,
  schema: GraphQLSchema,
  { config, access, limits, log }: Foundation,
  { idempotency, largeBodies }: Services & { largeBodies: LargeBodies },
) {
  const { introspection, explorer, trustProxy } = config;
  const landingPage = explorer ? explorerPage({ endpoint: '/graphql', graphiqlPath: '/graphiql' }) : undefined;
  const documentLimits = new DocumentLimits(schema);
  const documentValidator = new DocumentValidator(schema, {
    introspection,
    limits: documentLimits,
  });
  const charges = new OperationCharges(documentLimits);
  const apollo = await createApollo(executor, { documentValidator, charges, introspection, landingPage });
  const known = new CachedQueryExecutor(executor, documentValidator, charges);
  const idempotent = new IdempotentMutations(documentValidator, idempotency);
  const live = new SubscriptionTransports(executor, documentValidator, charges, { access, limits, log, trustProxy });
  const anonymous = new AnonymousRefusals(documentValidator);
  const graphql = new GraphQLHttpHandler(apollo, {
    known,
    anonymous,
    idempotent,
    largeBodies,
    stream: live.stream,
    pageHeaders: EXPLORER_HEADERS,
  });
  return { apollo, graphql, live };
}

function createRest(
  executor: GraphQLExecutor,
  { config, log }: Foundation,
  { downloads, evidencePacks, idempotency, largeBodies }: Services & { largeBodies: LargeBodies },
) {
  return createRestHandler({
    executor,
    idempotency,
    largeBodies,
    log,
    publicUrl: config.publicUrl,
    evidencePacks,
    openDownload: (kind, id, expires, signature) => downloads.find(kind, id, expires, signature),
  });
}

function createPages(
  schema: GraphQLSchema,
  { config, database, store, log }: Foundation,
  { unsubscriptions }: Services,
) {
  const { publicUrl, explorer, introspection } = config;
  return createPortal({
    publicUrl,
    explorer,
    ...(introspection !== 'off' && { schema }),
    ...(introspection === 'token' && {
      mayReadSchema: async (request: IncomingMessage) =>
        (await requestContextOf(request).context()).caller.kind !== 'anonymous',
    }),
    openLogo: (name) =>
      openLogo(database, store, name).catch((error: unknown) => {
        logUnavailable(log, error);
        throw error;
      }),
    unsubscribing: {
      find: (query) => unsubscriptions.find(query),
      apply: (query) => unsubscriptions.apply(query),
    },
    onError: (err) => log.error({ err }, 'a page failed'),
  });
}
