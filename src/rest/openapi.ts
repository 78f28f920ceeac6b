import type { GraphQLSchema } from 'graphql';
export function openApiDocument(_schema: GraphQLSchema, _server: object): object {
  return {};
}
