import { getNamedType, getNullableType, isListType, isObjectType, type GraphQLSchema } from 'graphql';
import { isDeepStrictEqual } from 'node:util';
import type { GraphQLContext } from '../http/context.js';
import { badUserInput } from '../errors.js';
import type { Variables } from '../graphql/executor.js';
import type { CompiledOperation } from './view/core-path.js';
import { fieldsNotInJson } from './request/request-reader.js';
import { REST_SPELLING } from './request/rest-input.js';
import { hasJsonBody, isOperationRoute, namesInPath, type OperationRoute } from './route.js';
import { ROUTES } from './routes.js';
import type { Sofa } from './view/sofa.js';

/**
 * Names of the fields that a record has where it is read and that a change of it does not take: `data` of an answer may be
 * sent back as it is. Empty for a route that changes nothing that can be read at its address.
 */
export function readOnlyFields(view: GraphQLSchema, route: CompiledOperation): ReadonlySet<string> {
  const read = readOf(route);
  const { input } = route.core;
  if (read === undefined || input === undefined || !hasJsonBody(route)) return new Set();
  const omitted = fieldsNotInJson(route.core);
  const taken = Object.values(input.getFields()).filter(({ name }) => !omitted.has(name));
  const names = new Set(taken.map(({ name }) => REST_SPELLING.spell(name, input.name)));
  return new Set(shownFields(view, read).filter((name) => !names.has(name)));
}

/** Creates a check that throws BAD_USER_INPUT where unchangeable values differ from those of the record. */
export function unchangedCheck(route: OperationRoute, sofa: Sofa) {
  const read = readOf(route);
  return async (sent: Variables, parameters: Variables, context: GraphQLContext): Promise<void> => {
    if (read === undefined) return;
    const variables = Object.fromEntries(namesInPath(read).map((name) => [name, parameters[name]]));
    const { data } = await sofa.operation(read, undefined).execute(variables, context);
    const stored = JSON.parse(JSON.stringify(data)) as Variables;
    // A field that is absent from the stored record is false.
    const changed = Object.keys(sent).filter((name) => !isSame(sent[name], name in stored ? stored[name] : false));
    if (changed.length > 0) throw badUserInput(changed.map((name) => `${name} cannot be changed`));
  };
}

/** How the record is read that a route changes. */
function readOf({ method, path }: OperationRoute): OperationRoute | undefined {
  if (method !== 'PATCH' && method !== 'PUT') return undefined;
  return ROUTES.filter(isOperationRoute).find((route) => route.method === 'GET' && route.path === path);
}

/** The fields of the data of a route, unless it is a list. */
function shownFields(view: GraphQLSchema, { operationId }: OperationRoute): string[] {
  const envelope = getNamedType(view.getQueryType()?.getFields()[operationId]?.type);
  const data = isObjectType(envelope) ? getNullableType(envelope.getFields()['data']?.type) : undefined;
  if (data === undefined || isListType(data)) return [];
  const type = getNamedType(data);
  return isObjectType(type) ? Object.keys(type.getFields()) : [];
}

/** A signed address is another one in each answer, and leads to the same file. */
function isSame(sent: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(withoutSignature(sent), withoutSignature(stored));
}

function withoutSignature(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\?expires=\d+&signature=[\w-]+$/, '') : value;
}
