import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import MultipartUpload from 'graphql-upload/Upload.mjs';
import type { FileUpload } from 'graphql-upload/processRequest.mjs';
import { isDate } from 'node:util/types';
import { SAFE_INTEGER } from '../../common/keywords.js';
import type { FileFacts, IncomingFile } from '../../storage/incoming-file.js';
import { FIRST_INSTANT, LAST_INSTANT } from '../../values/limits.js';

/** In: RFC 3339 text becomes a Date. Out: a Date, or ISO 8601 text in UTC as the database wrote it. */
// Specification 2.3.
export const DateTimeScalar = withPlaces(
  new GraphQLScalarType<Date, string>({
    name: 'DateTime',
    description:
      'An instant: a date-time with an offset (RFC 3339), such as `2026-01-31T09:30:00Z` or `2026-01-31T10:30:00+01:00`. Answers are always in UTC and end in `Z`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
    serialize: toDateTimeText,
    parseValue: toInstant,
  }),
);

/** A number in both directions. `Int` has 32 bits, which ids outgrow. */
export const SafeIntScalar = withPlaces(
  new GraphQLScalarType<number, number>({
    name: 'SafeInt',
    description:
      'An integer from -9007199254740991 to 9007199254740991, which is what a double holds exactly: a JSON number, and an integer in documents. Ids and positions in lists that only grow are such numbers, because the 32 bits of `Int` are too few for them.',
    serialize: toSafeInteger,
    parseValue: toSafeInteger,
    parseLiteral: (literal) => toSafeInteger(literal.kind === Kind.INT ? Number(literal.value) : undefined),
  }),
);

/** Both ways a text `YYYY-MM-DD`: a day has no time zone, therefore no Date object either. */
export const DateScalar = withPlaces(
  new GraphQLScalarType<string, string>({
    name: 'Date',
    description: 'A day of the calendar without a time, as `YYYY-MM-DD` (RFC 3339 full-date).',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
    serialize: toDay,
    parseValue: toDay,
  }),
);

/** The object itself in both directions: its keys and values are the customer's and are never renamed. */
// Specification 2.7.
export const JsonObjectScalar = withPlaces(
  new GraphQLScalarType<Record<string, unknown>, Record<string, unknown>>({
    name: 'JSONObject',
    description: 'A JSON object of any shape. Its keys and values are passed through untouched, as in `plugin.config`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
    serialize: toJsonObject,
    parseValue: toJsonObject,
  }),
);

/** Out only: any JSON value, as it was recorded. */
export const JsonScalar = new GraphQLScalarType<never, unknown>({
  name: 'JSON',
  description: 'Any JSON value: an object, a list, a text, a number, a boolean or null. It is only answered.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-3',
  parseValue: () => refuse('JSON is an output only'),
});

/** In only: always becomes an IncomingFile, through whichever API the file came. */
export const UploadScalar = new GraphQLScalarType<IncomingFile, never>({
  name: 'Upload',
  description:
    'A file sent as a part of a GraphQL multipart request. It can only be given through a variable, and is never answered.',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  serialize: () => refuse('Upload is an input only'),
  parseValue: toIncomingFile,
  parseLiteral: () => refuse('Upload must be given through a variable of a multipart request'),
});

const UTC_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const MILLISECONDS = '0000-00-00T00:00:00.000Z';
const ZERO = 0x30;
const NINE = 0x39;
const RFC_3339_DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const FULL_DATE = /^\d{4}-\d\d-\d\d$/;

function toDateTimeText(value: unknown): string {
  if (typeof value === 'string' && (isMilliseconds(value) || UTC_DATE_TIME.test(value))) return value;
  if (isDate(value) && isInRange(value)) return value.toISOString();
  return refuse('DateTime cannot represent this value');
}

/** The form in which the database's instants arrive, recognised without a regular expression, because a page does it for each row. */
function isMilliseconds(text: string): boolean {
  if (text.length !== MILLISECONDS.length) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const wanted = MILLISECONDS.charCodeAt(at);
    if (wanted === ZERO ? code < ZERO || code > NINE : code !== wanted) return false;
  }
  return true;
}

function toInstant(value: unknown): Date {
  const day = typeof value === 'string' ? RFC_3339_DATE_TIME.exec(value)?.[1] : undefined;
  const instant = new Date(day && isCalendarDay(day) ? (value as string).toUpperCase() : Number.NaN);
  if (isInRange(instant)) return instant;
  return refuse('must be a date-time with an offset, such as 2026-01-31T09:30:00Z');
}

function toSafeInteger(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : refuse(SAFE_INTEGER);
}

function toDay(value: unknown): string {
  if (typeof value === 'string' && FULL_DATE.test(value) && isCalendarDay(value)) return value;
  return refuse('must be a day of the calendar, such as 2026-01-31');
}

function toJsonObject(value: unknown): Record<string, unknown> {
  if (isPlainObject(value)) return value;
  return refuse('must be a JSON object');
}

function toIncomingFile(value: unknown): IncomingFile {
  if (value instanceof MultipartUpload) return uploadedFile(value.promise);
  if (isIncomingFile(value)) return value;
  return refuse('must be a file of a multipart request');
}

/** JavaScript takes 30 February for 2 March, so the day must come back as it was written. */
function isCalendarDay(day: string): boolean {
  const instant = new Date(`${day}T00:00:00Z`);
  return isInRange(instant) && instant.toISOString().startsWith(day);
}

function isInRange(instant: Date): boolean {
  return instant.getTime() >= FIRST_INSTANT && instant.getTime() <= LAST_INSTANT;
}

/** An instance of a class is no JSON: a file that a multipart map put in an object's place must not be stored as one. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** JSON has no functions, so a body cannot pretend to be a file. */
function isIncomingFile(value: unknown): value is IncomingFile {
  const file = value as Partial<IncomingFile> | null | undefined;
  return typeof file?.facts === 'function' && Boolean(file.bytes);
}

/** The same scalar, whose errors about a literal have the literal's place in the document, as those of graphql-js's own scalars. */
function withPlaces<In, Out>(scalar: GraphQLScalarType<In, Out>): GraphQLScalarType<In, Out> {
  const parse = scalar.parseLiteral;
  scalar.parseLiteral = (literal, variables) => {
    try {
      return parse(literal, variables);
    } catch (error) {
      throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: literal }) : error;
    }
  };
  return scalar;
}

/** The sentence never repeats the value. */
function refuse(sentence: string): never {
  throw new GraphQLError(sentence);
}

/**
 * A file of a GraphQL multipart request as the services take it. Nothing is read before `bytes` is iterated, which several
 * fields with the same variable do, each from the beginning; after a failed read, `facts` fails alike.
 */
export function uploadedFile(upload: Promise<FileUpload>): IncomingFile {
  let failed: { with: unknown } | undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      const { createReadStream } = await upload;
      yield* createReadStream();
    } catch (error) {
      failed = { with: error };
      throw error;
    }
  }
  async function facts(): Promise<FileFacts> {
    if (failed) throw failed.with;
    const { filename, mimetype } = await upload;
    return { filename: filename || undefined, contentType: mimetype || undefined };
  }
  return { bytes: { [Symbol.asyncIterator]: read }, facts };
}
