import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchema, type NonEmptyArray } from 'type-graphql';
import { guardRootFields } from './engine/guard.js';
import { INSTANCES } from './resolvers/subscribed-by.js';
import { DateTimeScalar } from './schema/scalars.js';

/** A resolver class made once with the services it calls; the schema is built of a list of these. */
export type ResolverInstance = object;

/**
 * The one schema behind both doors. Instances are looked up by their class: nothing is made or wired on its own. No
 * global middleware, no per-field authorization: the guard on root fields and the services see to that, at a fraction
 * of the cost.
 */
export async function createSchema(resolvers: readonly ResolverInstance[]): Promise<GraphQLSchema> {
  const instances = new Map(resolvers.map((instance) => [instance.constructor, instance]));
  const schema = await buildSchema({
    resolvers: [...instances.keys()] as unknown as NonEmptyArray<NewableFunction>,
    container: { get: (resolver) => instances.get(resolver as never) as object },
    scalarsMap: [{ type: Date, scalar: DateTimeScalar }],
    // Rules speak the wire's language and tell all faults at once: see schema/organization.reader.ts.
    validate: false,
    // Only what a resolver reaches is in the schema.
    orphanedTypes: [],
    emitSchemaFile: false,
    pubSub: NO_TOPICS,
  });
  schema.extensions = { ...schema.extensions, [INSTANCES]: instances };
  describeRoots(schema);
  return guardRootFields(schema);
}

/** The library has no place to describe these, and the reference shows them first. */
function describeRoots(schema: GraphQLSchema): void {
  const roots = [
    [schema.getQueryType(), 'What can be read.'],
    [schema.getMutationType(), 'What can be changed; each change answers what it has made of the record.'],
    [schema.getSubscriptionType(), 'What is told as soon as it happens, over WebSocket or server-sent events.'],
  ] as const;
  for (const [root, description] of roots) if (root) root.description = description;
}

/** Subscriptions bring their own source of events; the library asks for a bus all the same. */
const NO_TOPICS = {
  publish: noTopics,
  subscribe: noTopics,
};

function noTopics(): never {
  throw new Error('Subscriptions have no topics here');
}
