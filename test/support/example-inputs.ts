import {
  getNamedType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
} from 'graphql';
import { hasJsonBody, isOperationRoute } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { inGraphQLInput } from './rest-values.js';

/** The arguments of a root field, or the fields of its input. */
export function placesOf({ args }: GraphQLField<unknown, unknown>): (GraphQLArgument | GraphQLInputField)[] {
  const [input] = args;
  const type = input && isNonNullType(input.type) ? input.type.ofType : undefined;
  return isInputObjectType(type) ? Object.values(type.getFields()) : [...args];
}

/** The mutations whose only id in the input is that of the organization. */
export function isOfOrganization(field: GraphQLField<unknown, unknown>): boolean {
  const ids = placesOf(field).filter(({ name, type }) => /Ids?$/.test(name) && isNonNullType(type));
  return (
    placesOf(field).some(({ name }) => name === 'organizationId') && ids.every(({ name }) => name === 'organizationId')
  );
}

/** The example values of a mutation's route: all of them, or only the required ones. */
export function exampleInput(
  schema: GraphQLSchema,
  name: string,
  of: 'all' | 'required' = 'all',
): Record<string, unknown> {
  const field = schema.getMutationType()?.getFields()[name];
  const route = ROUTES.find((each) => isOperationRoute(each) && each.data.split('.')[0] === name && each.body);
  if (field === undefined || route === undefined || !isOperationRoute(route) || !hasJsonBody(route)) return {};
  const values = inGraphQLInput(route.body.example as Record<string, unknown>);
  const places = placesOf(field).filter(
    (place) => place.name !== 'organizationId' && place.name in values && (of === 'all' || isNonNullType(place.type)),
  );
  return Object.fromEntries(places.map((place) => [place.name, values[place.name]]));
}

/** The payload field with the created object: the first whose type has lists. */
export function madeBy(schema: GraphQLSchema, name: string): string | undefined {
  const mutation = schema.getMutationType()?.getFields()[name];
  const payload = mutation && getNamedType(mutation.type);
  const fields = isObjectType(payload) ? Object.values(payload.getFields()) : [];
  return fields.find(({ type }) => schema.getType(`${getNamedType(type).name}Edge`) !== undefined)?.name;
}
