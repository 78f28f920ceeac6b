import type { IncomingMessage } from 'node:http';
import { getNullableType, isRequiredInputField, type GraphQLInputObjectType } from 'graphql';
import type { Variables } from '../graphql/executor.js';
import { objectIn } from '../http/request-body.js';
import { MAX_BYTES, readJsonBody } from './bodies/json.js';
import { inputField } from './core-path.js';
import { RestInput } from './rest-input.js';
import { parameterNames, variableOf, type JsonRoute, type OperationRoute } from './route.js';

/**
 * Reads the JSON body of a route: the fields of the operation's input, flat and in REST's spelling, without those that
 * parameters fill. Throws BAD_USER_INPUT.
 */
export function jsonBodyReader(
  route: JsonRoute,
  type: GraphQLInputObjectType,
): (request: IncomingMessage) => Promise<Variables> {
  const { method, body, open } = route;
  const limits = { types: jsonTypes(method), maxBytes: open === true ? OPEN_BYTES : (body.maxBytes ?? MAX_BYTES) };
  const input = new RestInput(type, fieldsNotInJson(route, type));
  const isOptional = mayBeAbsent(route, type);
  return async (request) => {
    const fields = isOptional && isAbsent(request) ? {} : await readJsonBody(request, limits);
    return input.read(objectIn(fields));
  };
}

/** A route that needs no token takes a secret and a name or two. */
const OPEN_BYTES = 4 * 1024;

/** Media types of a JSON body: a PATCH keeps "absent" and null apart as a merge patch does (RFC 7396). */
export function jsonTypes(method: OperationRoute['method']): readonly string[] {
  return method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
}

/** Fields of the input that parameters fill, by the variables that the parameters stand for. */
export function fieldsFromParameters(route: OperationRoute, type: GraphQLInputObjectType): ReadonlyMap<string, string> {
  const fields = parameterNames(route).map((name) => [variableOf(name), inputField(route, type, name)!.name] as const);
  return new Map(fields);
}

/** Fields that parameters fill, and files. */
export function fieldsNotInJson(route: OperationRoute, type: GraphQLInputObjectType): ReadonlySet<string> {
  return new Set([...fieldsFromParameters(route, type).values(), ...filesOf(type)]);
}

/** Fields that hold files. */
export function filesOf(type: GraphQLInputObjectType): string[] {
  const files = Object.values(type.getFields()).filter((field) => getNullableType(field.type).toString() === 'Upload');
  return files.map(({ name }) => name);
}

/** Whether a request without a body says all that has to be said. */
export function mayBeAbsent(route: OperationRoute, type: GraphQLInputObjectType): boolean {
  const filled = new Set(fieldsFromParameters(route, type).values());
  return Object.values(type.getFields()).every((field) => filled.has(field.name) || !isRequiredInputField(field));
}

function isAbsent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}
