import { isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import { emptyDescription, optionalExtensions, WHEN_TRUE } from '../../common/optional.js';
import { Field, Nullable, type TypeOf } from './types.js';

/** A field of an answer that may have none: the empty text is stored, GraphQL answers null and REST the empty text. */
export function Optional(type: TypeOf, description: string): PropertyDecorator {
  return (prototype, field) => {
    Nullable(type, `${description} Null when there is none.`)(prototype, field);
    Extensions(optionalExtensions(description))(prototype, field);
  };
}

/**
 * A fact that is true of few: REST shows it of those alone, so that all other answers are as the specification has
 * them.
 */
export function WhenTrue(description: string): PropertyDecorator {
  return (prototype, field) => {
    Field(() => Boolean, description)(prototype, field);
    Extensions(WHEN_TRUE)(prototype, field);
  };
}

/** Has these fields answer null where the empty text is stored. */
export function nullWhenEmpty(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (emptyDescription(field) === undefined) continue;
      if (field.resolve !== undefined) throw new Error(`${type.name}.${field.name} is optional and has a resolver`);
      field.resolve = nullOf(field.name);
    }
  }
}

/** Reads the property of the field's name, whose null every use of the schema gets. */
function nullOf(name: string): GraphQLFieldResolver<Readonly<Record<string, unknown>>, unknown> {
  return (row) => (row[name] === '' ? null : row[name]);
}
