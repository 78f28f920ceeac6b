import type { GraphQLInputObjectType, GraphQLSchema } from 'graphql';
import { composerOf } from '../common/composed-text.js';
import { InputValidator } from '../common/input-validator.js';
import type { FieldError } from '../errors.js';

const validator = new InputValidator({ spell: (name) => name });

/** Checks fields that come in another way than as arguments by the constraints of an input type, without `omitted` ones. */
export function inputCheck(schema: GraphQLSchema, name: string, omitted: readonly string[] = []) {
  const type = schema.getType(name) as GraphQLInputObjectType;
  const compose = composerOf(type);
  const without = new Set(omitted);
  return (sent: Readonly<Record<string, unknown>>): { fields: Record<string, unknown>; errors: FieldError[] } => {
    const fields = (compose?.(sent) ?? sent) as Record<string, unknown>;
    return { fields, errors: validator.objectErrors(type, fields, without) };
  };
}
