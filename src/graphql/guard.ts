import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema, type OperationTypeNode } from 'graphql';
import type { GraphQLContext } from '../context.js';
import { unauthenticated } from '../errors.js';

/** For people without a token: an invitation is seen and exchanged for a first token, a recovery link for a new one. */
const OPEN: ReadonlySet<string> = new Set([
  'Query.invitationPreview',
  'Mutation.acceptInvitation',
  'Mutation.requestTokenRecovery',
  'Mutation.recoverToken',
]);

/** Names of the root fields that need no token. */
export const OPEN_FIELDS: readonly string[] = [...OPEN].map((field) => field.slice(field.indexOf('.') + 1));

/**
 * Makes every root field refuse anonymous callers (specification 5). Done once on the whole schema, so that a new field
 * is closed by default and those that are open are listed; introspection is not a root field of ours: see graphql/admission.ts.
 */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      if (OPEN.has(`${root?.name}.${field.name}`)) continue;
      field.resolve = guarded(field.resolve ?? defaultFieldResolver);
      if (field.subscribe !== undefined) field.subscribe = guarded(field.subscribe);
    }
  }
  return schema;
}

/** Whether a root field is for callers without a token as well. */
export function isOpenField(operation: OperationTypeNode, name: string): boolean {
  return OPEN.has(`${operation[0]?.toUpperCase()}${operation.slice(1)}.${name}`);
}

type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;

function guarded(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    if (context.caller.kind === 'anonymous') throw unauthenticated();
    return resolve(source, args, context, info);
  };
}
