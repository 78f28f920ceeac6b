import type { IncomingMessage } from 'node:http';
import { getNullableType, isInputObjectType, isRequiredInputField, type GraphQLInputObjectType } from 'graphql';
import type { Engine, Variables } from '../engine/engine.js';
import { WireInput, wireName } from '../engine/wire.js';
import { badUserInput } from '../errors.js';
import { readJsonBody } from './bodies.js';
import { variableOf } from './read-parameters.js';
import type { Body, OperationRoute } from './route.js';

/**
 * The JSON body of a route: the fields of its document's `input`, flat and in the wire's spelling, with what the path
 * says already. What is wrong with it is told all at once, whether a field is unknown or of the wrong type.
 */
export class RouteBody {
  private readonly wire: WireInput;
  /** Fields of the input by the variable of the parameter that fills them. */
  private readonly fromParameters: ReadonlyMap<string, string>;
  /** The same fields in the wire's spelling, which nobody may say a second time; and files, which are no JSON. */
  private readonly taken: ReadonlySet<string>;
  private readonly mayBeAbsent: boolean;

  constructor(
    private readonly engine: Engine,
    private readonly route: OperationRoute & { readonly body: Body },
  ) {
    const type = inputType(engine, route.body);
    this.fromParameters = fieldsFromParameters(route, type);
    this.wire = new WireInput(type);
    this.taken = new Set([...this.fromParameters.values(), ...filesOf(type)].map(wireName));
    this.mayBeAbsent = mayBeAbsent(route, type);
  }

  /** The variables of the document, from the body and the parameters. Throws BAD_USER_INPUT. */
  async read(request: IncomingMessage, parameters: Variables): Promise<Variables> {
    const limits = { types: jsonTypes(this.route.method), ...(this.route.open === true && OPEN_LIMITS) };
    const fields = this.mayBeAbsent && isAbsent(request) ? {} : await readJsonBody(request, limits);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      throw badUserInput(['The body must be a JSON object']);
    }
    const { value: input, unknown } = this.wire.read(fields as Record<string, unknown>, this.taken);
    const variables: Variables = { input };
    for (const [name, value] of Object.entries(parameters)) {
      const field = this.fromParameters.get(name);
      if (field === undefined) variables[name] = value;
      else input[field] = value;
    }
    if (unknown.length > 0) throw badUserInput([...unknown, ...this.engine.faultsOf(this.route.document, variables)]);
    return variables;
  }
}

/** A route that needs no token takes a secret and a name or two. */
const OPEN_LIMITS = { maxBytes: 4 * 1024 };

/** Media types of a JSON body: a PATCH keeps "absent" and null apart as a merge patch does (RFC 7396). */
export function jsonTypes(method: OperationRoute['method']): readonly string[] {
  return method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
}

/** Whether SOFA carries a route with a body. */
export function hasBody(route: OperationRoute): route is OperationRoute & { readonly body: Body } {
  return route.body !== undefined;
}

/**
 * Fields of the input that parameters fill: those of the path by their names (`organizationid` is `organizationId`, and
 * `id` is `id`), and headers by the variables that they stand for.
 */
export function fieldsFromParameters(route: OperationRoute, type: GraphQLInputObjectType): ReadonlyMap<string, string> {
  const fields = new Map(Object.keys(type.getFields()).map((name) => [name.toLowerCase(), name]));
  const names = route.parameters.filter((parameter) => parameter.in !== 'query').map(variableOf);
  const pairs = names.map((name) => [name, fields.get(name.replaceAll('_', ''))] as const);
  return new Map(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function filesOf(type: GraphQLInputObjectType): string[] {
  const files = Object.values(type.getFields()).filter((field) => getNullableType(field.type).toString() === 'Upload');
  return files.map(({ name }) => name);
}

/** Whether a request without a body says all that has to be said. */
export function mayBeAbsent(route: OperationRoute, type: GraphQLInputObjectType): boolean {
  const filled = new Set(fieldsFromParameters(route, type).values());
  return Object.values(type.getFields()).every((field) => filled.has(field.name) || !isRequiredInputField(field));
}

/** The GraphQL input that a body is made of. Throws when the schema has none of that name: that is our mistake. */
export function inputType({ schema }: Pick<Engine, 'schema'>, { input }: Pick<Body, 'input'>): GraphQLInputObjectType {
  const type = schema.getType(input);
  if (!isInputObjectType(type)) throw new Error(`The schema has no input ${input}`);
  return type;
}

function isAbsent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}
