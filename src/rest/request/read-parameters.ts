import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Json } from '../../common/input-schema.js';
import { TOKEN_NAME } from '../../http/context.js';
import { badUserInput, DomainError, notFound } from '../../errors.js';
import { PREFER, RESPOND_ASYNC } from '../../http/preference.js';
import { queryOf, requireUtf8, unknownIn, unknownParameter } from '../../http/target.js';
import { readVersions } from './versions.js';
import { validator } from './rest-input.js';
import { UNAVAILABLE_AS_OF } from '../../values/unavailable-as-of.js';
import { AS_OF, IF_MATCH, type OperationRoute, type Parameter, variableOf } from '../route.js';
import { ID, MAX_LISTED } from './parameters.js';

/**
 * The variables of a route's operation. A path that cannot name anything throws NOT_FOUND: a malformed id looks like one
 * that never existed. Errors of the query and the headers throw BAD_USER_INPUT together, and so do parameters that the route
 * does not have.
 */
export function readParameters(
  parameters: readonly Parameter[],
  path: Readonly<Record<string, unknown>>,
  url: string,
  headers: IncomingHttpHeaders = {},
  route: Refusing = {},
): Record<string, unknown> {
  requireUtf8({ url });
  const variables: Record<string, unknown> = {};
  const query = queryOf({ url });
  const errors: string[] = [];
  for (const parameter of parameters) {
    const { name, required } = parameter;
    const [text, ...more] = textsOf(parameter, path, query, headers);
    const reading = more.length > 0 ? REPEATED : text === undefined ? undefined : read(parameter, text);
    if (reading !== undefined && 'value' in reading) variables[variableOf(name)] = reading.value;
    else if (parameter.in === 'path') throw notFound();
    else if (reading !== undefined) errors.push(`${name} ${reading.error}`);
    else if (required) errors.push(`${name} is required`);
  }
  errors.push(...unknownErrors(query, parameters, route));
  if (errors.length > 0) throw badUserInput(errors);
  return variables;
}

/** Properties of a route that decide how a parameter that it does not have is refused. */
type Refusing = Partial<Pick<OperationRoute, 'method' | 'past' | 'notAsJob'>>;

/** The token is read elsewhere. */
function unknownErrors(
  query: URLSearchParams,
  parameters: readonly Parameter[],
  { method, past, notAsJob }: Refusing,
): readonly string[] {
  if (query.size === 0) return [];
  const known = new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
  return unknownIn(query, (name) => known.has(name) || name === TOKEN_NAME).map((name) => {
    if (name === notAsJob) return `${name} must not be given together with ${PREFER}: ${RESPOND_ASYNC}`;
    if (name === AS_OF && typeof past === 'string') return `${AS_OF} ${UNAVAILABLE_AS_OF[past]}`;
    return name === AS_OF && method !== undefined && method !== 'GET' ? ONLY_GET : unknownParameter(name);
  });
}

/** The parameters of an address that is signed: one that is not whole is like one that was never made. */
export function readAddress(
  parameters: readonly Parameter[],
  { url = '' }: Pick<IncomingMessage, 'url'>,
  path: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  try {
    return readParameters(parameters, path, url);
  } catch (error) {
    throw error instanceof DomainError ? notFound() : error;
  }
}

/** The value of a text, or the rest of a sentence that begins with the parameter's name. */
type Reading = { value: unknown } | { error: string };

const ONLY_GET = 'as_of is for GET only';

const REPEATED: Reading = { error: 'must not be given twice' };

function textsOf(
  { name, in: place }: Parameter,
  path: Readonly<Record<string, unknown>>,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): readonly string[] {
  if (place === 'query') return query.getAll(name);
  const text = place === 'path' ? path[name] : headers[name.toLowerCase()];
  return typeof text === 'string' ? [text] : [];
}

function read({ name, schema, values }: Parameter, text: string): Reading {
  if (name === IF_MATCH) return { value: readVersions(text.trim()) };
  if (schema['type'] === 'array') return readList({ schema, values }, text);
  const value = valueOf(text, schema);
  const error = validator.schemaError(schema, value);
  return error === undefined ? { value: values === undefined ? value : values.get(value) } : { error };
}

function readList({ schema, values }: Pick<Parameter, 'schema' | 'values'>, text: string): Reading {
  const items = text.split(',');
  if (items.length > MAX_LISTED) return { error: `must not have more than ${MAX_LISTED} values` };
  const item = schema['items'] as Json;
  const read = items.map((each) => valueOf(each, item));
  const error = read.map((each) => validator.schemaError(item, each)).find((each) => each !== undefined);
  return error === undefined
    ? { value: values === undefined ? read : read.map((each) => values.get(each)) }
    : { error };
}

/** A text that is no value of the schema's type stays a text, and is refused. */
function valueOf(text: string, schema: Json): unknown {
  if (schema['type'] === 'integer') {
    return (schema === ID ? ONE_SPELLING : INTEGER).test(text) ? Number(text) : text;
  }
  if (schema['type'] === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** Zeros before a number are ten digits at most: a signed address is written in one way only. */
const INTEGER = /^(?:\d{1,10}|[1-9]\d{0,19})$/;
/** An id is written in one way only. */
const ONE_SPELLING = /^[1-9]\d{0,19}$/;
