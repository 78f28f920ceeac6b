import { getNullableType, isListType, isNonNullType, isObjectType, type GraphQLOutputType } from 'graphql';
import { EXAMPLES } from '../routes.js';
import { coreField } from '../view.js';

/**
 * An example of what a view shows: fields of the example of its type, in their order, and `given` where that is another.
 * What neither has is null, empty or false; an object is the example of its own type.
 */
export function exampleOf(type: GraphQLOutputType, given: unknown): unknown {
  const bare = getNullableType(type);
  if (given === undefined) return isNonNullType(type) ? nothing(bare) : null;
  if (given === null) return null;
  if (isListType(bare)) return (given as unknown[]).map((item) => exampleOf(bare.ofType as GraphQLOutputType, item));
  if (!isObjectType(bare)) return given;
  const fields = Object.values(bare.getFields()).map((field) => {
    const { [field.name]: own = EXAMPLES[coreField(field)?.type ?? '']?.[field.name] } = given as Record<
      string,
      unknown
    >;
    return [field.name, exampleOf(field.type, own)] as const;
  });
  return Object.fromEntries(fields);
}

const NOTHING: Readonly<Record<string, unknown>> = { Boolean: false, String: '' };

function nothing(type: GraphQLOutputType): unknown {
  if (isListType(type)) return [];
  if (isObjectType(type)) return exampleOf(type, {});
  if (!(type.toString() in NOTHING)) throw new Error(`An example lacks a value of the type ${type.toString()}`);
  return NOTHING[type.toString()];
}
