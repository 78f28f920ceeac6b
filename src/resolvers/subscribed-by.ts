import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context.js';

type Source<Args> = (args: Args, context: RequestContext, info: GraphQLResolveInfo) => Promise<AsyncIterable<unknown>>;

/** Under this name a schema knows the instances of its resolver classes (see schema-builder.ts). */
export const INSTANCES = 'resolverInstances';

/**
 * For `@Subscription({ subscribe })`: the decorator is given a function where the class is declared, when no instance of
 * it exists yet; the schema that is being executed knows the instance that is meant.
 */
export function subscribedBy<Resolver extends object, Args>(
  resolver: () => new (...args: never[]) => Resolver,
  source: (instance: Resolver) => Source<Args>,
) {
  return async ({ args, context, info }: { args: Args; context: unknown; info: GraphQLResolveInfo }) => {
    const instance = instancesOf(info.schema).get(resolver()) as Resolver;
    return source(instance).call(instance, args, context as RequestContext, info);
  };
}

function instancesOf({ extensions }: GraphQLSchema): ReadonlyMap<unknown, object> {
  return extensions[INSTANCES] as ReadonlyMap<unknown, object>;
}
