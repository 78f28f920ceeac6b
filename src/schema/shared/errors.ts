import { GraphQLEnumType, GraphQLSchema } from 'graphql';
import { CONFLICT_REASONS, ERROR_CODES } from '../../errors.js';

/** The values of `extensions` are in no field: these types are there for programs that handle errors. */
const TYPES = [
  enumOf('ErrorCode', 'What went wrong: `extensions.code` of an error.', ERROR_CODES),
  enumOf('ConflictReason', 'What a `CONFLICT` is about: `extensions.reason` of the error.', CONFLICT_REASONS),
];

/** The schema with the types of its errors, which type-graphql omits because no field refers to them. */
export function withErrors(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, types: [...config.types, ...TYPES] });
}

function enumOf(name: string, description: string, values: Readonly<Record<string, string>>): GraphQLEnumType {
  const described = Object.entries(values).map(([value, text]) => [value, { description: text }]);
  return new GraphQLEnumType({ name, description, values: Object.fromEntries(described) });
}
