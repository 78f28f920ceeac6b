import {
  extendSchema,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  type GraphQLUnionType,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql';
import { invalidInput } from '../errors.js';
import type { GraphQLContext } from '../http/context.js';
import { Node, nodeTypes, parseNodeId } from '../schema/shared/node.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { absent, readNode } from './shared/nodes.js';

const { maxSize } = LIMITS.page;

/**
 * The same schema as a subgraph of Apollo Federation 2 (docs/adr/0041): each node is an entity whose key is its `id`, and
 * `_entities` reads them as `nodes` does.
 */
export function withFederation(schema: GraphQLSchema): GraphQLSchema {
  const sdl = subgraphOf(schema);
  const fields = `
    "An entity of this subgraph, as a router names it: \`{ __typename, id }\`."
    scalar _Any
    "An object that other subgraphs may add fields to."
    union _Entity = ${nodeTypes().join(' | ')}
    "What this subgraph has."
    type _Service { "The schema with the keys of its entities." sdl: String! }
    extend type Query {
      "The schema for a router; who may read it is who may introspect."
      _service: _Service!
      "Entities by their keys, in their order; null with an error for one that cannot be read. ${maxSize} at most."
      _entities("The entities." representations: [_Any!]!): [_Entity]!
    }`;
  const extended = extendSchema(schema, parse(fields, { noLocation: true }), { assumeValidSDL: true });
  (extended.getType('_Entity') as GraphQLUnionType).resolveType = (schema.getType(Node.name) as Abstract).resolveType;
  const { _service: service, _entities: entities } = extended.getQueryType()!.getFields();
  service!.resolve = () => ({ sdl });
  entities!.resolve = readEntities;
  entities!.extensions = { cost: COSTS.nodes, itemsOf: ['representations'], items: maxSize };
  return extended;
}

type Abstract = Pick<GraphQLUnionType, 'resolveType'>;

type EntityReader = GraphQLFieldResolver<unknown, GraphQLContext, { representations: readonly unknown[] }>;

const readEntities: EntityReader = async (_source, { representations }, { services, caller }, info) => {
  if (representations.length > maxSize)
    throw invalidInput([{ path: ['representations'], sentence: `must not have more than ${maxSize} items` }]);
  const ids = representations.map(idOf);
  const read = await Promise.allSettled(ids.map(async (id) => readNode(services, id ?? absent(), caller, info)));
  return read.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error)));
};

/** Undefined for a reference to no entity, or to one of another type. */
function idOf(representation: unknown): string | undefined {
  const { __typename: type, id } = Object(representation) as Record<string, unknown>;
  return typeof id === 'string' && parseNodeId(id)?.type === type ? id : undefined;
}

/** The schema in Federation's words. Pages are described alike by every subgraph that has some. */
function subgraphOf(schema: GraphQLSchema): string {
  const nodes = new Set(nodeTypes());
  const text = printSchema(lexicographicSortSchema(schema)).replaceAll(
    /^type (\w+)[^{\n]*(?= \{$)/gm,
    (head, name: string) =>
      nodes.has(name) ? `${head} @key(fields: "id")` : name === 'PageInfo' ? `${head} @shareable` : head,
  );
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])\n\n${text}\n`;
}
