import {
  getArgumentValues,
  getDirectiveValues,
  getVariableValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { DomainError, invalidInput } from '../errors.js';
import type { GraphQLContext } from '../http/context.js';
import { parseNodeId, typeOfPart, type KeyPart } from '../schema/shared/node.js';
import type { AsOfRequest } from '../services/as-of/as-of.service.js';
import { UNAVAILABLE_AS_OF } from '../values/unavailable-as-of.js';

/** The root fields that an operation has with these variables: `@skip` and `@include` leave some out. */
export type RootFields = (variables: Readonly<Record<string, unknown>>) => readonly FieldNode[];

const AS_OF = 'asOf';
const FIELDS: ReadonlySet<string> = new Set(['organization', 'node']);

/** Undefined where no root field has the argument `asOf`. */
export function asOfFieldsOf(
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): RootFields | undefined {
  if (operation !== OperationTypeNode.QUERY) return undefined;
  const fields = (isTaken?: (selection: SelectionNode) => boolean) =>
    fieldsIn(document, selectionSet, isTaken).filter(({ name }) => name.value !== '__typename');
  return fields().some(hasAsOf) ? (variables) => fields((selection) => isTaken(selection, variables)) : undefined;
}

function isTaken(selection: SelectionNode, variables: Readonly<Record<string, unknown>>): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, selection, variables)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.['if'] !== false
  );
}

function hasAsOf({ name, arguments: given = [] }: FieldNode): boolean {
  return FIELDS.has(name.value) && given.some((argument) => argument.name.value === AS_OF);
}

/** The fields of a selection, of its fragments as well; of a document that passed validation. */
export function fieldsIn(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  isTaken: (selection: SelectionNode) => boolean = () => true,
): FieldNode[] {
  return selections.filter(isTaken).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsIn(document, selection.selectionSet, isTaken);
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fieldsIn(document, fragment.selectionSet, isTaken) : [];
  });
}

/**
 * The instant and organization of an operation with `asOf`; undefined for one about the present, and for invalid
 * variables, which executing it reports. All of its root fields must have the same, because they read one
 * state. Throws BAD_USER_INPUT.
 */
export async function asOfRequestOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  fields: RootFields,
  variables: Readonly<Record<string, unknown>>,
  { services }: GraphQLContext,
): Promise<AsOfRequest | undefined> {
  const { coerced } = getVariableValues(schema, variableDefinitions, variables);
  if (coerced === undefined) return undefined;
  const instants = new Map<number, Date>();
  const ids: unknown[] = [];
  let others = 0;
  for (const field of fields(coerced)) {
    const known = schema.getQueryType()?.getFields()[field.name.value];
    const { id, [AS_OF]: at } = known === undefined ? {} : getArgumentValues(known, field, coerced);
    if (!FIELDS.has(field.name.value) || !(at instanceof Date)) others += 1;
    else instants.set(at.getTime(), at);
    ids.push(id);
  }
  const [at, ...more] = instants.values();
  if (at === undefined) return undefined;
  if (others > 0 || more.length > 0) throw mixed();
  const found = await Promise.all(ids.map((id) => organizationOf(services, id)));
  const [organizationId, ...further] = new Set(found);
  if (further.length > 0) throw mixed();
  if (organizationId === undefined) throw invalidInput([{ path: [AS_OF], sentence: UNAVAILABLE_AS_OF.OTHER }]);
  return { organizationId, at };
}

const mixed = () =>
  invalidInput([{ path: [AS_OF], sentence: 'must be the same in every field of a request, all of one organization' }]);

/**
 * The organization of a missing object, or of a user's. It has no members: such an object is answered like one of an
 * organization of others is.
 */
const NO_ORGANIZATION = 0;

/** A part of the id of an entry: its audit trail, which an organization or a user has. */
const LOG = 'logId';

/** By a number, or by the global id of the organization or of something in it; undefined for a type that no organization has. */
async function organizationOf(services: GraphQLContext['services'], id: unknown): Promise<number | undefined> {
  const text = String(id);
  const node = parseNodeId(/^\d+$/.test(text) ? `Organization:${text}` : text);
  if (node === undefined) return NO_ORGANIZATION;
  const { organizationId, ...parts } = node.key;
  if (typeof organizationId === 'number') return organizationId;
  let none: number | undefined;
  for (const [part, value] of Object.entries(parts) as [string, KeyPart][]) {
    const type = part === LOG ? 'AuditLog' : typeOfPart(part);
    const found = await services.organizationLookup.of(type, value)?.catch(noneIfAbsent);
    if (found != null) return found;
    if (found === null) none = NO_ORGANIZATION;
  }
  return none;
}

function noneIfAbsent(error: unknown): null {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
  throw error;
}
