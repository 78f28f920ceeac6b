import { DateTimeScalar } from '../schema/shared/scalars.js';
import { LIMITS } from '../values/limits.js';

/** What a parameter's text says, or the fault as the rest of a sentence that begins with the parameter's name. */
type Reading = { value: unknown } | { fault: string };

/** A parameter of a route; its name is that of the variable in the route's document, unless it says another one. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  /** For headers, whose names are no names of variables. */
  readonly variable?: string;
  readonly description: string;
  /** JSON Schema of the parameter, for the interface description. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: string | number | boolean;
  /** Taken when the parameter is not given. */
  readonly absent?: unknown;
  /** Of a query: it is a fault not to give it. */
  readonly required?: true;
  read(text: string): Reading;
}

/** The id of a record in a path; `example` is that of a record of the demo data, such as its organization. */
export function pathId(name: string, description: string, example = 1): Parameter {
  const schema = { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_INT };
  return { name, in: 'path', description, schema, example, read: readId };
}

/** Any other name in a path: who knows it decides whether there is such a thing. */
export function pathText(name: string, description: string, example: string): Parameter {
  const schema = { type: 'string', minLength: 1, maxLength: MAX_TEXT };
  return { name, in: 'path', description, schema, example, read: readText };
}

/** The UUID of a user in a path. */
export function pathUuid(name: string, description: string): Parameter {
  const schema = { type: 'string', format: 'uuid' };
  const example = '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37';
  const read = (text: string) => (UUID.test(text) ? { value: text } : { fault: 'must be a UUID' });
  return { name, in: 'path', description, schema, example, read };
}

/** One of a few words in a path; another one is not found. */
export function pathChoice(name: string, values: readonly string[], description: string): Parameter {
  return { ...choice(name, values, description), in: 'path' };
}

const { minSize, maxSize, defaultSize } = LIMITS.page;

/** The state of the record that a change is made to; whoever says `*` means any. */
export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  variable: 'version',
  description:
    'The `ETag` of the record that the change is made to: when somebody else has changed it since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between.',
  schema: { type: 'string' },
  example: '"3"',
  read: readVersion,
};

/** How many items a page holds: outside is an error, not a silent clamp. */
export const limit: Parameter = {
  name: 'limit',
  in: 'query',
  description: 'How many items the page holds at most.',
  schema: { type: 'integer', minimum: minSize, maximum: maxSize, default: defaultSize },
  example: defaultSize,
  absent: defaultSize,
  read: (text) => integerFrom(text, minSize, maxSize) ?? { fault: `must be from ${minSize} to ${maxSize}` },
};

export const offset: Parameter = {
  name: 'offset',
  in: 'query',
  description: 'How many items of the list come before the page.',
  schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647, default: 0 },
  example: 0,
  read: (text) => integerFrom(text, 0, MAX_INT) ?? { fault: 'must be an integer of 0 or more' },
};

/** `field` or `-field`. Fields are named as they are in the answer; `names` gives GraphQL's name of each. */
export function sort(names: Readonly<Record<string, string>>, absent: string): Parameter {
  const orders = new Map<string, { value: object }>();
  for (const [field, name] of Object.entries(names)) {
    orders.set(field, { value: { field: name, direction: 'ASC' } });
    orders.set(`-${field}`, { value: { field: name, direction: 'DESC' } });
  }
  const values = [...orders.keys()];
  return {
    name: 'sort',
    in: 'query',
    description:
      'What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties.',
    schema: { type: 'string', enum: values, default: absent },
    example: absent,
    read: (text) => orders.get(text) ?? { fault: `must be one of ${values.join(', ')}` },
  };
}

/** One of a few words in the query. */
export function choice(name: string, values: readonly string[], description: string): Parameter {
  const fault = { fault: `must be one of ${values.join(', ')}` };
  const schema = { type: 'string', enum: values };
  const read = (text: string) => (values.includes(text) ? { value: text } : fault);
  return { name, in: 'query', description, schema, example: values[0] ?? '', read };
}

/** One of a few numbers that stand for something. */
export function code(name: string, values: readonly number[], description: string): Parameter {
  const fault = { fault: `must be one of ${values.join(', ')}` };
  const read = (text: string) => {
    const value = INTEGER.test(text) ? Number(text) : Number.NaN;
    return values.includes(value) ? { value } : fault;
  };
  return { name, in: 'query', description, schema: { type: 'integer', enum: values }, example: values[0] ?? 0, read };
}

/** `true` or `false`, spelled so. */
export function flag(name: string, description: string): Parameter {
  const read = (text: string) =>
    text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'must be true or false' };
  return { name, in: 'query', description, schema: { type: 'boolean' }, example: false, read };
}

/** One line of 200 characters at most. */
export function text(name: string, description: string, example: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string', maxLength: MAX_TEXT }, example, read: readText };
}

/** The id of a record in the query: a malformed one is a fault, not an absent record. */
export function queryId(name: string, description: string): Parameter {
  return { ...pathId(name, description), in: 'query' };
}

/** An instant as text (RFC 3339); what GraphQL takes for one decides. */
export function instant(name: string, description: string): Parameter {
  const fault = { fault: 'must be a date-time such as 2026-11-20T08:15:30Z' };
  const read = (text: string) => (isInstant(text) ? { value: text } : fault);
  const schema = { type: 'string', format: 'date-time' };
  return { name, in: 'query', description, schema, example: '2026-11-20T08:15:30Z', read };
}

/** A day of the calendar. Whether it is in range is said by who looks it up. */
export function day(name: string, description: string, example: string): Parameter {
  const read = (text: string) =>
    isDay(text) ? { value: text } : { fault: 'must be a day of the calendar, such as 2026-01-31' };
  return { name, in: 'query', description, schema: { type: 'string', format: 'date' }, example, read };
}

/** An instant as Unix seconds. */
export function seconds(name: string, description: string): Parameter {
  const schema = { type: 'integer', format: 'int64', minimum: 0 };
  const read = (text: string) => integerFrom(text, 0, Number.MAX_SAFE_INTEGER) ?? { fault: 'must be in Unix seconds' };
  return { name, in: 'query', description, schema, example: 1_795_000_000, read };
}

/** The same parameter, and a fault when it is not given. */
export function required(parameter: Parameter): Parameter {
  return { ...parameter, required: true };
}

/** Versions begin at 1. */
const NO_VERSION = 0;
const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
/** The largest `Int` of GraphQL and `integer` of PostgreSQL. */
const MAX_INT = 2_147_483_647;
/** Ours, characters: longer than any id of a workflow or control, and than any name that one searches for. */
const MAX_TEXT = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ID = /^[1-9]\d{0,9}$/;
const INTEGER = /^\d{1,10}$/;
// PostgreSQL refuses NUL and half a character; the others are typed by nobody.
const CONTROL = /[\u0000-\u001f\ud800-\udfff]/u;

function isDay(text: string): boolean {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse takes 31 February for 3 March.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

function readId(text: string): Reading {
  const value = ID.test(text) ? Number(text) : Number.NaN;
  return value <= MAX_INT ? { value } : { fault: 'must be an integer of 1 or more' };
}

/** A tag that is none of ours, or a weak one, names no state that can be compared (RFC 9110, 13.1.1). */
function readVersion(text: string): Reading {
  if (text === '*') return { value: null };
  const [, opaque] = ENTITY_TAG.exec(text) ?? [];
  if (opaque === undefined) return { fault: 'must be one entity tag, as ETag has it, or *' };
  const version = text.startsWith('W/') ? undefined : integerFrom(opaque, 1, MAX_INT);
  return { value: version?.value ?? NO_VERSION };
}

function readText(text: string): Reading {
  if (text.length > MAX_TEXT) return { fault: `must not be longer than ${MAX_TEXT} characters` };
  return CONTROL.test(text) ? { fault: 'must not contain control characters' } : { value: text };
}

function isInstant(text: string): boolean {
  try {
    return DateTimeScalar.parseValue(text) instanceof Date;
  } catch {
    return false;
  }
}

function integerFrom(text: string, min: number, max: number): { value: number } | undefined {
  const value = INTEGER.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? { value } : undefined;
}
