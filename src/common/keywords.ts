import type { Ajv, FuncKeywordDefinition } from 'ajv';
import type { GraphQLScalarType } from 'graphql';
import { DomainError } from '../errors.js';
import { FORMATS, type FormatName } from './formats.js';
import type { Constraints, ObjectRule, RuleError } from './input-schema.js';
import { visibleText } from './visible-text.js';

/**
 * Adds keywords that JSON Schema lacks, and replaces three: lengths count code points and may ignore surrounding
 * white space, and formats are those of formats.ts.
 */
export function addKeywords(ajv: Ajv, spell: (name: string) => string): void {
  for (const word of ['minLength', 'maxLength', 'format']) ajv.removeKeyword(word);
  for (const keyword of KEYWORDS) ajv.addKeyword(keyword);
  const read = (field: string, of: unknown) => (isRecord(of) ? of[spell(field)] : undefined);
  ajv.addKeyword(
    keyword('rule', ['object'], (rule: ObjectRule, object: object) =>
      rule((field, of) => read(field, of === undefined ? object : of)),
    ),
  );
  ajv.addKeyword(
    keyword('uniqueBy', ['array'], (field: string, items: readonly unknown[]) => {
      const seen = new Set<unknown>();
      return items.flatMap((item, index) => {
        const value = read(field, item);
        if (value === undefined || value === null) return [];
        if (seen.has(value)) return [{ at: [index, field], sentence: 'must not be given twice' }];
        seen.add(value);
        return [];
      });
    }),
  );
  ajv.addVocabulary(ANNOTATIONS);
}

/** A JSON object: not a list, and not an instance of a class such as a file. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const KEYWORDS: readonly FuncKeywordDefinition[] = [
  keyword('minLength', ['string'], (least: number, text: string, { trim, orEmpty }) => {
    const seen = trim ? visibleText(text).trim() : text;
    if (isNone(text, orEmpty) || !isShorter(seen, least)) return [];
    return [least === 1 ? 'is required' : `must have at least ${least} characters`];
  }),
  keyword('maxLength', ['string'], (most: number, text: string, { trim }) =>
    isShorter(trim ? text.trim() : text, most + 1) ? [] : [`must not be longer than ${most} characters`],
  ),
  keyword('text', ['string'], (kind: 'line' | 'lines', text: string, { trim }) =>
    (kind === 'line' ? CONTROL : CONTROL_BUT_LAYOUT).test(trim ? text.trim() : text) ? [NO_CONTROL] : [],
  ),
  keyword('format', ['string', 'number'], (name: FormatName | IntegerFormat, value: string | number, { orEmpty }) => {
    if (name === 'int32') return value === (Number(value) | 0) ? [] : [INT_32];
    if (name === 'int64') return Number.isSafeInteger(value) ? [] : [SAFE_INTEGER];
    if (typeof value === 'number') return [];
    if (isNone(value, orEmpty)) return [];
    const found = Object.hasOwn(FORMATS, name) ? FORMATS[name as FormatName](value) : undefined;
    return found === undefined ? [] : [found];
  }),
  keyword('json', ['object'], ({ levels, bytes }: { levels: number; bytes: number }, value: object) => {
    // Before it is serialized, because serializing a very deep value throws.
    const found = jsonError(value, levels);
    if (found === TOO_DEEP) return [`must not be nested deeper than ${levels} levels`];
    if (found !== undefined) return [found];
    return Buffer.byteLength(JSON.stringify(value)) > bytes ? [`must not be larger than ${bytes / 1024} KB`] : [];
  }),
  keyword('notNull', ['null'], () => ['must not be null']),
  keyword('scalar', ['string', 'number', 'boolean', 'object', 'array'], (scalar: GraphQLScalarType, value: unknown) => {
    try {
      if (scalar.parseValue(value) !== undefined) return [];
    } catch (error) {
      // A scalar's own error (such as a file that is too large) is more specific.
      if (error instanceof DomainError) throw error;
    }
    return [SCALAR_SENTENCES[scalar.name] ?? 'must be valid'];
  }),
];

/** Keywords that configure others, or the OpenAPI document. */
const ANNOTATIONS: (keyof Constraints | 'names' | 'x-enum-varnames')[] = [
  ...(['trim', 'orEmpty', 'single', 'listName', 'sentences', 'published', 'unchecked'] as const),
  ...(['names', 'x-enum-varnames'] as const),
];

/** Forms of custom scalars, for error messages. */
export const SCALAR_SENTENCES: Readonly<Record<string, string>> = {
  DateTime: 'must be a date-time such as 2026-11-20T08:15:30Z',
  Date: 'must be a date such as 2026-11-20',
  Upload: 'must be a file sent as multipart/form-data',
};

type IntegerFormat = 'int32' | 'int64';
export const INT_32 = 'must be a 32-bit integer';
export const SAFE_INTEGER = 'must be an integer from -9007199254740991 to 9007199254740991';
const NO_CONTROL = 'must not contain control characters';
const TOO_DEEP = 'too deep';

// C0 control characters, delete and lone surrogates: PostgreSQL refuses NUL and lone surrogates, others break logs and
// mails. With the `u` flag a pair of surrogates is one character and does not match.
const CONTROL = /[\u0000-\u001f\u007f\ud800-\udfff]/u;
const CONTROL_BUT_LAYOUT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u;

/** A keyword of Ajv; `find` gets its value, the data, and the schema around it. */
function keyword<Schema, Value>(
  name: string,
  types: readonly ('string' | 'number' | 'boolean' | 'object' | 'array' | 'null')[],
  find: (schema: Schema, value: Value, parent: Constraints) => readonly (string | RuleError)[],
): FuncKeywordDefinition {
  const validate: FuncKeywordDefinition['validate'] = (schema: Schema, value: Value, parent) => {
    const found = find(schema, value, parent as Constraints);
    if (found.length === 0) return true;
    const { sentences } = parent as Constraints;
    (validate as { errors?: object[] }).errors = found.map((error) => ({
      keyword: name,
      params: typeof error === 'string' ? { at: [], sentence: sentences?.[name] ?? error } : error,
    }));
    return false;
  };
  return { keyword: name, type: [...types], errors: true, validate };
}

function isNone(text: string, orEmpty: Constraints['orEmpty']): boolean {
  return orEmpty !== undefined && (orEmpty === 'blank' ? text.trim() : text) === '';
}

/** Whether a text has fewer code points; each has one or two UTF-16 code units. */
function isShorter(text: string, count: number): boolean {
  if (text.length < count) return true;
  if (text.length >= 2 * count) return false;
  return [...text].length < count;
}

function jsonError(value: unknown, levelsLeft: number): string | undefined {
  if (typeof value === 'string') return CONTROL_BUT_LAYOUT.test(value) ? NO_CONTROL : undefined;
  // 1e999 is valid JSON that parses as Infinity, which would be stored as null.
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must not contain numbers out of range';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levelsLeft === 0) return TOO_DEEP;
  if (!Array.isArray(value) && !isPlain(value)) return 'must hold JSON only';
  const parts = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
  for (const part of parts) {
    const found = jsonError(part, levelsLeft - 1);
    if (found) return found;
  }
  return undefined;
}

/** A file of a multipart request may occur in place of JSON. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
