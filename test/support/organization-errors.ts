import { coerceInputValue, type GraphQLInputObjectType } from 'graphql';
import { createSchema } from '../../src/resolvers/index.js';
import { DomainError } from '../../src/errors.js';
import type { CreateOrganizationInput } from '../../src/schema/organizations/inputs.js';
import { RestInput } from '../../src/rest/request/rest-input.js';

const type = (await createSchema()).getType('CreateOrganizationInput') as GraphQLInputObjectType;
const input = new RestInput(type, new Set(['logoFile']));

/** Input of an organization to create, as resolvers receive it. */
export function readBody(body: unknown): CreateOrganizationInput {
  return coerceInputValue(input.read(body), type) as CreateOrganizationInput;
}

/** Every error of an organization to create, in REST's wording. */
export function organizationErrors(body: unknown): string[] {
  try {
    readBody(body);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.messages as string[];
    throw error;
  }
}
