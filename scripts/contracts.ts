import 'reflect-metadata';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { createSchema } from '../src/resolvers/index.js';
import type { Services } from '../src/services/index.js';
import { ANY_SERVER, openApiDocument } from '../src/rest/openapi.js';

/** The schema without anything behind it: enough to read and print, and nothing is ever executed on it. */
export function contractSchema(): Promise<GraphQLSchema> {
  return createSchema({} as Services);
}

/** The committed descriptions of both APIs: text by file name. */
export function contractsOf(schema: GraphQLSchema): Record<string, string> {
  return {
    'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
    'openapi.json': `${JSON.stringify(openApiDocument(schema, ANY_SERVER), undefined, 2)}\n`,
  };
}
