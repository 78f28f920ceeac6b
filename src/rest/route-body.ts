import type { IncomingMessage } from 'node:http';
import { getNullableType, isInputObjectType, isRequiredInputField, type GraphQLInputObjectType } from 'graphql';
import type { GraphQLExecutor, Variables } from '../graphql/executor.js';
import { objectIn } from '../http/request-body.js';
import { MAX_BYTES, readJsonBody } from './bodies/json.js';
import { inputField } from './core-path.js';
import { RestInput } from './rest-input.js';
import { IF_MATCH, namesInPath, parameterNames, variableOf, type JsonBody, type OperationRoute } from './route.js';

/**
 * The JSON body of a route: the fields of its document's `input`, flat and in REST's spelling, without those that the
 * path names.
 */
export class RouteBody {
  private readonly input: RestInput;
  /** Fields of the input by the variable of the parameter that fills them. */
  private readonly fromParameters: ReadonlyMap<string, string>;
  private readonly mayBeAbsent: boolean;

  constructor(
    executor: GraphQLExecutor,
    private readonly route: OperationRoute & { readonly body: JsonBody },
  ) {
    const type = inputType(executor, route.body);
    this.fromParameters = fieldsFromParameters(route, type);
    // Files are no JSON.
    this.input = new RestInput(type, new Set([...this.fromParameters.values(), ...filesOf(type)]));
    this.mayBeAbsent = mayBeAbsent(route, type);
  }

  /** The variables of the document, from the body and the parameters. Throws BAD_USER_INPUT. */
  async read(request: IncomingMessage, parameters: Variables): Promise<Variables> {
    const { method, body, open } = this.route;
    const maxBytes = open === true ? OPEN_BYTES : (body.maxBytes ?? MAX_BYTES);
    const limits = { types: jsonTypes(method), maxBytes };
    const fields = this.mayBeAbsent && isAbsent(request) ? {} : await readJsonBody(request, limits);
    const input = this.input.read(objectIn(fields));
    const variables: Variables = { input };
    for (const [name, value] of Object.entries(parameters)) {
      const field = this.fromParameters.get(name);
      if (field === undefined) variables[name] = value;
      else input[field] = value;
    }
    return variables;
  }
}

/** A route that needs no token takes a secret and a name or two. */
const OPEN_BYTES = 4 * 1024;

/** Media types of a JSON body: a PATCH keeps "absent" and null apart as a merge patch does (RFC 7396). */
export function jsonTypes(method: OperationRoute['method']): readonly string[] {
  return method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
}

/**
 * Fields of the input that parameters fill: those of the path by their names, and headers by the variables that they
 * stand for.
 */
export function fieldsFromParameters(route: OperationRoute, type: GraphQLInputObjectType): ReadonlyMap<string, string> {
  const names = [...namesInPath(route), ...parameterNames(route).filter((name) => name === IF_MATCH)];
  const pairs = names.map((name) => [variableOf(name), inputField(route, type, name)?.name] as const);
  return new Map(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
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

/** The GraphQL input that a body is made of. Throws when the schema has none of that name: that is our mistake. */
export function inputType(
  { schema }: Pick<GraphQLExecutor, 'schema'>,
  { input }: Pick<JsonBody, 'input'>,
): GraphQLInputObjectType {
  const type = schema.getType(input);
  if (!isInputObjectType(type)) throw new Error(`The schema has no input ${input}`);
  return type;
}

function isAbsent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}
