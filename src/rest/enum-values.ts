import type { GraphQLEnumType } from 'graphql';
import type { Json } from '../common/input-schema.js';

/** Enums that REST spells by their values (specification 2.2, 2.3, 2.6), where GraphQL has names. */
const BY_VALUE: ReadonlySet<string> = new Set(['DocumentSource', 'DeviceHealth', 'EntityType']);

/** GraphQL's name of each value of an enum, by what REST calls it. */
export function restValues(type: GraphQLEnumType): ReadonlyMap<string | number, string> {
  const isByValue = BY_VALUE.has(type.name);
  return new Map(type.getValues().map(({ name, value }) => [isByValue ? (value as string | number) : name, name]));
}

/** The JSON Schema of an enum of REST; numbers are published with their names. */
export function restEnum(type: GraphQLEnumType): Json {
  const values = restValues(type);
  const [first] = values.keys();
  if (typeof first !== 'number') return { type: 'string', enum: [...values.keys()] };
  return { type: 'integer', format: 'int32', enum: [...values.keys()], 'x-enum-varnames': [...values.values()] };
}

/** Serializers of those enums: resolvers return the values. */
export const REST_SERIALIZERS = Object.fromEntries([...BY_VALUE].map((name) => [name, (value: unknown) => value]));
