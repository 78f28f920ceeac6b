import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context.js';
import { unauthenticated } from '../errors.js';

/**
 * Makes every root field refuse anonymous callers (specification 5). Done once on the whole schema, so that a new field
 * is closed by default; introspection is not a root field of ours and stays open where it is switched on.
 */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (source, args, context: RequestContext, info) => {
        if (context.caller.kind === 'anonymous') throw unauthenticated();
        return resolve(source, args, context, info);
      };
    }
  }
  return schema;
}
