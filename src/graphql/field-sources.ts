import { emptyDescription } from '../common/optional.js';
import { getNamedType, isObjectType, type GraphQLNamedType, type GraphQLSchema } from 'graphql';

/** The properties that records of a type have; an object has properties of its own below `object`. */
type Properties = { readonly [property: string]: object };

/**
 * Throws for fields that nothing fills: neither a resolver nor a property of the records. A property that was renamed
 * would otherwise be null without an error.
 */
export function requireFieldSources(schema: GraphQLSchema, records: ReadonlyMap<string, Properties>): void {
  const empty = [...records].flatMap(([name, properties]) => emptyFields(schema.getType(name), name, properties));
  if (empty.length > 0)
    throw new Error(`GraphQL fields that are neither columns nor computed and have no resolver: ${empty.join(', ')}`);
}

function emptyFields(type: GraphQLNamedType | undefined, name: string, properties: Properties): string[] {
  if (!isObjectType(type)) throw new Error(`Records are read as ${name}, which is no object type of the schema`);
  return Object.values(type.getFields()).flatMap((field) => {
    // An optional field has a resolver that reads its property.
    if (field.resolve !== undefined && emptyDescription(field) === undefined) return [];
    const property = Object.hasOwn(properties, field.name) ? properties[field.name] : undefined;
    if (property === undefined) return [`${type.name}.${field.name}`];
    const below = getNamedType(field.type);
    return 'object' in property ? emptyFields(below, below.name, property.object as Properties) : [];
  });
}
