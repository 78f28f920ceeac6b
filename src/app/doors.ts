import type { GraphQLSchema } from 'graphql';
import type { IncomingMessage } from 'node:http';
import { DocumentLimits } from '../engine/document-limits.js';
import { Engine } from '../engine/engine.js';
import { logUnavailable } from '../outage-log.js';
import { Admission } from '../graphql/admission.js';
import { createApollo } from '../graphql/apollo.js';
import { GraphQLDoor } from '../graphql/door.js';
import { IdempotentMutations } from '../graphql/idempotent-mutations.js';
import { AnonymousRefusals, KnownQueries } from '../graphql/known-queries.js';
import { LiveDoors } from '../graphql/live/live-doors.js';
import { OperationCharges } from '../graphql/operation-charges.js';
import { exchangeOf } from '../http/exchange.js';
import { createFront } from '../http/front.js';
import { Health } from '../http/health.js';
import { Metrics } from '../http/metrics.js';
import { EXPLORER_HEADERS, explorerPage } from '../portal/explorer-page.js';
import { createPortal } from '../portal/portal-app.js';
import { createRestApp } from '../rest/rest-app.js';
import { createSchema } from '../schema-builder.js';
import { organizationChangeInputFaults, organizationInputFaults } from '../schema/organization.reader.js';
import { organizationFaults } from '../schema/organization.rules.js';
import { openLogo } from '../services/logos.js';
import type { Foundation } from './foundation.js';
import { createResolvers } from './resolvers.js';
import type { Services } from './services.js';

/** One engine, two doors to it, and what a person or an operator sees. */
export async function createDoors(foundation: Foundation, services: Services) {
  const { config, access, limits, log, database, store, queues } = foundation;
  const { trustProxy, metricsPublic, corsOrigins } = config;
  const schema = await createSchema(createResolvers(services));
  const engine = createEngine(schema);
  const { apollo, graphql, live } = await createGraphQL(engine, schema, foundation, services);
  const metrics = new Metrics(database, queues, live.sessions);
  const health = new Health({ database: () => database.ping(), storage: () => store.ping() });
  const rest = createRest(engine, foundation, services);
  const portal = createPages(schema, foundation, services);
  const doors = { graphql, rest, portal, health, metrics };
  const listener = createFront({ access, limits, log, trustProxy, metricsPublic, corsOrigins, ...doors });
  return { engine, apollo, live, metrics, health, listener };
}

function createEngine(schema: GraphQLSchema): Engine {
  const rules = {
    CreateOrganizationInput: organizationInputFaults,
    UpdateOrganizationInput: organizationChangeInputFaults,
  };
  return new Engine(schema, new Map(Object.entries(rules)));
}

async function createGraphQL(
  engine: Engine,
  schema: GraphQLSchema,
  { config, access, limits, log }: Foundation,
  { idempotency }: Services,
) {
  const { introspection, explorer, trustProxy } = config;
  const landingPage = explorer ? explorerPage({ endpoint: '/graphql', graphiqlPath: '/graphiql' }) : undefined;
  const documentLimits = new DocumentLimits(schema);
  const admission = new Admission(schema, {
    introspection,
    limits: documentLimits,
    variableFaults: (operation, variables) => engine.variableFaults(operation, variables),
  });
  const charges = new OperationCharges(documentLimits);
  const apollo = await createApollo(engine, { admission, charges, introspection, landingPage });
  const known = new KnownQueries(engine, admission, charges);
  const idempotent = new IdempotentMutations(admission, idempotency);
  const live = new LiveDoors(engine, admission, charges, { access, limits, log, trustProxy });
  const anonymous = new AnonymousRefusals(admission);
  const graphql = new GraphQLDoor(apollo, {
    known,
    anonymous,
    idempotent,
    stream: live.stream,
    pageHeaders: EXPLORER_HEADERS,
  });
  return { apollo, graphql, live };
}

function createRest(engine: Engine, { config, log }: Foundation, services: Services) {
  const { downloads, evidencePacks, idempotency } = services;
  return createRestApp({
    engine,
    idempotency,
    log,
    publicUrl: config.publicUrl,
    organizationFaults,
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
        (await exchangeOf(request).context()).caller.kind !== 'anonymous',
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
    onFault: (err) => log.error({ err }, 'a page failed'),
  });
}
