import { getNullableType, type GraphQLSchema } from 'graphql';
import 'reflect-metadata';
import { buildSchema, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { guardRootFields } from '../graphql/open-documents.js';
import { checkArguments } from '../graphql/variables.js';
import { showPageSizes } from '../schema/shared/connection.js';
import { resolveWorkItems } from '../schema/portfolio.js';
import { placeConstraints } from '../schema/shared/constraints.js';
import { withErrors } from '../schema/shared/errors.js';
import { withNodes } from '../schema/shared/node.js';
import { nullWhenEmpty } from '../schema/shared/optional.js';
import { readIdArguments } from '../schema/shared/id-arguments.js';
import { DateTimeScalar } from '../schema/shared/scalars.js';
import { AUDIT_RESOLVERS } from './audit.resolver.js';
import { DEVICE_RESOLVERS } from './devices.resolver.js';
import { DOCUMENT_RESOLVERS } from './documents.resolver.js';
import { EventResolver } from './events.resolver.js';
import { withFederation } from './federation.js';
import { IDENTITY_RESOLVERS } from './identity.resolver.js';
import { ATTESTATION_RESOLVERS } from './attestations.resolver.js';
import { ENGAGEMENT_RESOLVERS } from './engagements.resolver.js';
import { IMPORT_RESOLVERS } from './imports.resolver.js';
import { INCIDENT_RESOLVERS } from './incidents.resolver.js';
import { MEMBER_RESOLVERS } from './members.resolver.js';
import { NodeResolver } from './node.resolver.js';
import { NotificationResolver } from './notifications.resolver.js';
import { OrganizationResolver } from './organizations.resolver.js';
import { PortfolioResolver } from './portfolio.resolver.js';
import { REPORT_RESOLVERS } from './reports.resolver.js';
import { SCIM_RESOLVERS } from './scim.resolver.js';
import { SearchResolver } from './search.resolver.js';
import { SERVICE_ACCOUNT_RESOLVERS } from './service-accounts.resolver.js';
import { HISTORY_RESOLVERS } from './shared/lists.js';
import { PERMISSIONS_RESOLVERS } from './shared/permissions.js';
import { REFERENCE_RESOLVERS } from './shared/references.js';
import { TOKEN_RESOLVERS } from './tokens.resolver.js';
import { WEBHOOK_RESOLVERS } from './webhooks.resolver.js';
import { WORKFLOW_RESOLVERS } from './workflows.resolver.js';

/** All resolvers; a field whose resolver is not listed is not in the schema. */
const RESOLVERS: NonEmptyArray<new () => object> = [
  NodeResolver,
  ...TOKEN_RESOLVERS,
  ...IDENTITY_RESOLVERS,
  ...SCIM_RESOLVERS,
  OrganizationResolver,
  ...MEMBER_RESOLVERS,
  ...SERVICE_ACCOUNT_RESOLVERS,
  ...ENGAGEMENT_RESOLVERS,
  ...WORKFLOW_RESOLVERS,
  ...ATTESTATION_RESOLVERS,
  ...DOCUMENT_RESOLVERS,
  ...IMPORT_RESOLVERS,
  ...INCIDENT_RESOLVERS,
  ...AUDIT_RESOLVERS,
  EventResolver,
  ...WEBHOOK_RESOLVERS,
  NotificationResolver,
  ...REPORT_RESOLVERS,
  PortfolioResolver,
  SearchResolver,
  ...DEVICE_RESOLVERS,
  ...HISTORY_RESOLVERS,
  ...PERMISSIONS_RESOLVERS,
  ...REFERENCE_RESOLVERS,
];

/**
 * The one schema of both APIs. Its resolvers call the services of the request's context. There is no global middleware
 * and no per-field authorization, which cost most of a list's time: the guard on root fields and the services authorize.
 */
export async function createSchema({ federation = false } = {}): Promise<GraphQLSchema> {
  // A field without a resolver is the property of its name, which graphql-js reads without a wrapper of the library.
  for (const type of getMetadataStorage().objectTypes) type.simpleResolvers = true;
  const instances = new Map<unknown, object>(RESOLVERS.map((Resolver) => [Resolver, new Resolver()]));
  const built = await buildSchema({
    resolvers: RESOLVERS,
    // The library's own container searches a list for each field.
    container: { get: (resolver) => instances.get(resolver) as object },
    scalarsMap: [{ type: Date, scalar: DateTimeScalar }],
    // Input is checked by checkArguments: all errors at once, in JSON Schema's words.
    validate: false,
    // Apollo checks the schema when it is finished; the check here would run an introspection query at each start.
    skipCheck: true,
    // Only types that a resolver refers to are in the schema.
    orphanedTypes: [],
    emitSchemaFile: false,
    pubSub: NO_TOPICS,
  });
  const schema = withNodes(withErrors(built));
  resolveWorkItems(schema);
  finishRoots(schema);
  nullWhenEmpty(schema);
  placeConstraints(schema);
  readIdArguments(schema, ({ services }: GraphQLContext, type, id) => services.organizationLookup.of(type, id));
  showPageSizes(schema);
  checkArguments(schema);
  return guardRootFields(federation ? withFederation(schema) : schema);
}

/**
 * Describes the root types, for which the library has no place, and makes root fields nullable: an error of one field
 * leaves the data of the others.
 */
function finishRoots(schema: GraphQLSchema): void {
  const roots = [
    [schema.getQueryType(), 'What can be read.'],
    [schema.getMutationType(), 'What can be changed; each mutation answers with the record that it changed.'],
    [schema.getSubscriptionType(), 'What is sent as soon as it happens, over WebSocket or server-sent events.'],
  ] as const;
  for (const [root, description] of roots) {
    if (!root) continue;
    root.description = description;
    for (const field of Object.values(root.getFields())) field.type = getNullableType(field.type);
  }
}

/** Subscriptions have their own source of events; the library requires a bus nevertheless. */
const NO_TOPICS = {
  publish: noTopics,
  subscribe: noTopics,
};

function noTopics(): never {
  throw new Error('Subscriptions have no topics here');
}
