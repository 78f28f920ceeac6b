import { coerceInputValue, type GraphQLInputObjectType } from 'graphql';
import { createSchema } from '../../src/resolvers/index.js';
import { DomainError } from '../../src/errors.js';
import type { CreateOrganizationInput } from '../../src/schema/organizations/inputs.js';
import { RestInput } from '../../src/rest/request/rest-input.js';

const type = (await createSchema()).getType('CreateOrganizationInput') as GraphQLInputObjectType;
const input = new RestInput(type, new Set(['logoFile']));

/** An organization to create, as resolvers get it. */
export function readBody(body: unknown): CreateOrganizationInput {
  return coerceInputValue(input.read(body), type) as CreateOrganizationInput;
}

/** Every error of an organization to create, as REST words it. */
export function organizationErrors(body: unknown): string[] {
  try {
    readBody(body);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.messages as string[];
    throw error;
  }
}
