import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { ANSWERED, type Json, orNull } from '../common/input-schema.js';

/** The JSON Schema of the data of an operation: objects with the fields that it selects. */
export function resultSchema(schema: GraphQLSchema, { operation, selectionSet }: OperationDefinitionNode): Json {
  return objectSchema(schema, schema.getRootType(operation) as GraphQLObjectType, selectionSet);
}

/** The schema of an object; a field that only some types of it have is not required. */
function objectSchema(schema: GraphQLSchema, type: GraphQLOutputType, { selections }: SelectionSetNode): Json {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) throw new Error('Operations of tools have no named fragments');
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const inner = schema.getType(selection.typeCondition?.name.value ?? '') as GraphQLObjectType;
      for (const [name, value] of Object.entries(
        objectSchema(schema, inner, selection.selectionSet)['properties'] as object,
      ))
        properties[name] ??= { ...(value as Json), description: undefined };
      continue;
    }
    const { name, alias, selectionSet } = selection;
    const fields = isCompositeType(type) && 'getFields' in type ? type.getFields() : {};
    const field = name.value === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : fields[name.value];
    const key = alias?.value ?? name.value;
    properties[key] = described(valueSchema(schema, field!.type, selectionSet), field!.description);
    required.push(key);
  }
  return { type: 'object', required, properties };
}

function valueSchema(schema: GraphQLSchema, type: GraphQLOutputType, selected: SelectionSetNode | undefined): Json {
  if (isNonNullType(type)) return bareSchema(schema, type.ofType, selected);
  return orNull(bareSchema(schema, type, selected));
}

function bareSchema(schema: GraphQLSchema, type: GraphQLOutputType, selected: SelectionSetNode | undefined): Json {
  if (isListType(type)) return { type: 'array', items: valueSchema(schema, type.ofType, selected) };
  if (selected !== undefined) return objectSchema(schema, type, selected);
  // A value added later is no error for a client with an older schema.
  return isEnumType(type) || isAbstractType(type) ? { type: 'string' } : (ANSWERED[type.toString()] as Json);
}

const described = (schema: Json, description: string | null | undefined): Json =>
  description ? { ...schema, description } : schema;
