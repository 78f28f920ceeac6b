import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Json } from '../common/input-schema.js';
import { badUserInput, DomainError, notFound } from '../errors.js';
import { queryOf } from '../http/target.js';
import { ID, MAX_INT } from './parameters.js';
import { validator } from './rest-input.js';
import { IF_MATCH, variableOf, type Parameter } from './route.js';

/**
 * The variables of a route's operation. A path that cannot name anything throws NOT_FOUND: a malformed id looks like one
 * that never existed. Errors of the query and the headers throw BAD_USER_INPUT together; unknown parameters are ignored.
 */
export function readParameters(
  parameters: readonly Parameter[],
  path: Readonly<Record<string, unknown>>,
  url: string,
  headers: IncomingHttpHeaders = {},
): Record<string, unknown> {
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
  if (errors.length > 0) throw badUserInput(errors);
  return variables;
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

/** What a text says, or the rest of a sentence that begins with the parameter's name. */
type Reading = { value: unknown } | { error: string };

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
  if (name === IF_MATCH) return readVersion(text.trim());
  const value = valueOf(text, schema);
  const error = validator.schemaError(schema, value);
  return error === undefined ? { value: values === undefined ? value : values.get(value) } : { error };
}

/** A text that is no value of the schema's type stays a text, and is refused. */
function valueOf(text: string, schema: Json): unknown {
  if (schema['type'] === 'integer') {
    const number = (schema === ID ? ONE_SPELLING : INTEGER).test(text) ? Number(text) : undefined;
    return number === undefined || (number > MAX_INT && schema['format'] === 'int32') ? text : number;
  }
  if (schema['type'] === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

const INTEGER = /^\d{1,10}$/;
/** An id is written in one way only. */
const ONE_SPELLING = /^[1-9]\d{0,9}$/;

/** Versions begin at 1. */
const NO_VERSION = 0;
const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** A tag that is none of ours, or a weak one, names no state that can be compared (RFC 9110, 13.1.1). */
function readVersion(text: string): Reading {
  if (text === '*') return { value: null };
  const [, opaque] = ENTITY_TAG.exec(text) ?? [];
  if (opaque === undefined) return { error: 'must be one entity tag, as ETag has it, or *' };
  const version = INTEGER.test(opaque) && !text.startsWith('W/') ? Number(opaque) : NO_VERSION;
  return { value: version <= MAX_INT ? version : NO_VERSION };
}
