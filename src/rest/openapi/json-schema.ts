/** A JSON Schema as OpenAPI 3.1 has it, or any other part of the document. */
export type Json = { readonly [key: string]: unknown };

export function ref(kind: 'schemas' | 'responses' | 'headers' | 'examples', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The same schema, with null as one more value. */
export function orNull(schema: Json): Json {
  if (schema['$ref'] !== undefined) {
    const { $ref, ...rest } = schema;
    return { ...rest, anyOf: [{ $ref }, { type: 'null' }] };
  }
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== 'string') return schema;
  return {
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
    ...rest,
  };
}
