import {
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isWrappingType,
  type GraphQLField,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';

/**
 * How often the fields below a field of the schema's description are counted: as often as in this schema on the average.
 * What is reached by name, a root type or `__type`, counts as the type with the most fields.
 */
export function introspectionSizes(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap());
  const fieldsByType = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type)
      ? [Object.values<GraphQLField<unknown, unknown>>(type.getFields())]
      : [],
  );
  const fields = fieldsByType.flat();
  const args = fields.flatMap((field) => field.args);
  const inputFields = types.flatMap((type) => (isInputObjectType(type) ? Object.values(type.getFields()) : []));
  const values = types.flatMap((type) => (isEnumType(type) ? type.getValues() : []));
  const interfaces = types.flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : []));
  const members = types.flatMap((type) => (isAbstractType(type) ? schema.getPossibleTypes(type) : []));
  const referred = [...fields, ...args, ...inputFields].map(({ type }) => type);
  const wrappers = referred.reduce((sum, type) => sum + wrappersOf(type), 0);
  const directives = schema.getDirectives();
  const perType = (items: readonly unknown[]) => items.length / types.length;
  const most = Math.max(1, ...fieldsByType.map(({ length }) => length)) / Math.max(perType(fields), 1);
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', directives.length],
    ['__Schema.queryType', most],
    ['__Schema.mutationType', most],
    ['__Schema.subscriptionType', most],
    ['__type', most],
    ['__Type.fields', perType(fields)],
    ['__Type.inputFields', perType(inputFields)],
    ['__Type.enumValues', perType(values)],
    ['__Type.interfaces', perType(interfaces)],
    ['__Type.possibleTypes', perType(members)],
    ['__Type.ofType', wrappers / (referred.length + wrappers)],
    ['__Field.args', args.length / Math.max(fields.length, 1)],
    ['__Directive.args', directives.flatMap((directive) => directive.args).length / Math.max(directives.length, 1)],
  ]);
}

function wrappersOf(type: GraphQLType): number {
  return isWrappingType(type) ? 1 + wrappersOf(type.ofType) : 0;
}
