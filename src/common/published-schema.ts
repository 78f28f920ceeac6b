import { LANGUAGES } from '../messages/language.js';
import { type Constraints, type Json, orNull } from './input-schema.js';

/** A reference to a component of the document. */
export function ref(kind: 'schemas' | 'responses' | 'headers', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** A validation schema in standard keywords of JSON Schema. */
export function published(schema: Json): Json {
  const own = (schema['published'] ?? {}) as Json;
  const words = Object.entries(schema).filter(([word]) => !OURS.has(word));
  const plain = Object.fromEntries(words.map(([word, value]) => [word, INSIDE[word]?.(value as never) ?? value]));
  const required = [...listed(schema['required']), ...listed(own['required'])];
  return inKnownWords({ ...plain, ...own, ...(required.length > 0 && { required }) }, schema as Constraints);
}

/** Keywords that contain schemas. */
const INSIDE: Readonly<Record<string, (inner: never) => unknown>> = {
  items: (inner: Json) => published(inner),
  anyOf: (inner: readonly Json[]) => inner.map(published),
  properties: (inner: Readonly<Record<string, Json>>) =>
    Object.fromEntries(Object.entries(inner).map(([name, property]) => [name, published(property)])),
};

const LIST_NAMES: Readonly<Record<string, string>> = {
  'the sectors of GET /api/v1/options': 'Sector',
  'the industries of GET /api/v1/options': 'Industry',
  'the NIS 2 sectors of GET /api/v1/options': 'Nis2Sector',
};

/** Custom keywords; their standard equivalents are added below. */
const OURS: ReadonlySet<string> = new Set([
  ...['text', 'trim', 'orEmpty', 'notNull', 'single', 'uniqueBy', 'json', 'rule', 'listName', 'sentences'],
  ...['published', 'unchecked', 'names', 'scalar'],
]);

/**
 * A text without control characters, which white space around it may have; one that may have tabs and line breaks; and
 * one that is not blank.
 */
const LINE = '^[^\\x00-\\x1F\\x7F]*$';
const LINE_WITHIN = '^\\s*[^\\x00-\\x1F\\x7F]*\\s*$';
const LINES = '^[^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F]*$';
const NOT_BLANK = '^\\s*[^\\x00-\\x20\\x7F][^\\x00-\\x1F\\x7F]*\\s*$';

function inKnownWords(schema: Json, constraints: Constraints): Json {
  const { text, trim, minLength, orEmpty, single, listName, format } = constraints;
  const { description, type, ...rest } = schema;
  const types = [type].flat();
  const isNullable = types.includes('null');
  if (listName !== undefined) {
    const list = ref('schemas', LIST_NAMES[listName] ?? listName);
    return { ...(description !== undefined && { description }), ...(isNullable ? orNull(list) : list) };
  }
  // An id is published as a text, as in answers.
  const isId = types.includes('string') && types.includes('integer');
  const shown = isId ? types.filter((name) => name !== 'integer') : types;
  const value = { ...schema, ...(type !== undefined && { type: shown.length === 1 ? shown[0] : shown }) };
  if (single) {
    const { items } = schema as { items?: Json };
    return { ...(description !== undefined && { description }), anyOf: [{ type, ...rest }, items] };
  }
  if (format !== undefined && FORMATS[format] !== undefined)
    return formatted(value, FORMATS[format], orEmpty, isNullable);
  const line = trim ? LINE_WITHIN : LINE;
  if (orEmpty && !format) {
    const lenient = Object.entries(value).filter(([word]) => word !== 'minLength');
    return { ...Object.fromEntries(lenient), ...(text && { pattern: line }) };
  }
  if (text === undefined || format !== undefined) return value;
  return { ...value, pattern: text === 'lines' ? LINES : trim && minLength !== undefined ? NOT_BLANK : line };
}

/** Schemas of our formats for readers of OpenAPI: alternatives, or none. */
const FORMATS: Readonly<Record<string, readonly Json[]>> = {
  ip: [{ format: 'ipv4' }, { format: 'ipv6' }],
  color: [{ pattern: '^#[0-9A-Fa-f]{6}$' }],
  language: [{ enum: [...LANGUAGES] }],
  country: [{ pattern: '^[A-Z]{2}$' }],
  'time-zone': [{ pattern: '^[A-Za-z]' }],
  week: [{ pattern: '^[0-9]{4}-W[0-9]{2}$' }],
  network: [{ pattern: '^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$' }],
  hostname: [{ format: 'hostname' }],
  ipv4: [{ format: 'ipv4' }],
  email: [{ format: 'email' }],
  // Not `uri`: addresses as shown by a browser may have letters of every script, which that format only allows escaped.
  uri: [{ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\x00-\\x20\\x7F\\\\/?#@]+([/?#][^\\x00-\\x20\\x7F\\\\]*)?$' }],
  uuid: [{ format: 'uuid' }],
};

function formatted(
  { description, type, format: _format, ...rest }: Json,
  alternatives: readonly Json[],
  orEmpty: Constraints['orEmpty'],
  isNullable: boolean,
): Json {
  const described = description === undefined ? {} : { description };
  if (alternatives.length === 1 && !orEmpty) return { ...described, type, ...rest, ...alternatives[0] };
  const other = orEmpty ? [{ enum: isNullable ? ['', null] : [''] }] : isNullable ? [{ type: 'null' }] : [];
  return { ...described, anyOf: [...alternatives.map((one) => ({ type: 'string', ...rest, ...one })), ...other] };
}

function listed(value: unknown): string[] {
  return (value ?? []) as string[];
}
