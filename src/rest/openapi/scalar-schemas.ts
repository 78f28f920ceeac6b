import type { Json } from './json-schema.js';

const SCHEMAS: Readonly<Record<string, Json>> = {
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  String: { type: 'string' },
  ID: { type: 'string' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  JSONObject: { type: 'object', additionalProperties: true },
};

/** How a GraphQL scalar looks in JSON. Throws for one without a description. */
export function scalarSchema(name: string): Json {
  const schema = Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name] : undefined;
  if (schema === undefined) throw new Error(`The interface description does not know the scalar ${name}`);
  return schema;
}
