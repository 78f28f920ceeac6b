import 'reflect-metadata';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { ANY_SERVER, openApiDocument } from '../src/rest/openapi.js';

/** The committed descriptions of both APIs: text by file name. */
export function contractsOf(schema: GraphQLSchema): Record<string, string> {
  return {
    'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
    'openapi.json': `${JSON.stringify(openApiDocument(schema, ANY_SERVER), undefined, 2)}\n`,
  };
}
