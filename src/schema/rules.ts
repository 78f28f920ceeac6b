import { visibleText } from '../vocabulary/visible-text.js';
import type { FaultCollector } from './fault-collector.js';

/** A JSON object as it was sent. Keys and values are the sender's. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Looks at one value and tells its faults. `owner` is the object (or array) that holds the value, for rules that need
 * a neighbour. No rule throws, and no sentence repeats what was sent: an answer must not carry the sender's content.
 */
export type Rule = (value: unknown, faults: FaultCollector, owner: JsonRecord | readonly unknown[]) => void;

/** An object with these fields, looked at in this order. Other fields are faults, unless `extra` judges the whole. */
export function shape(fields: Readonly<Record<string, Rule>>, extra?: Rule): Rule {
  const entries = Object.entries(fields);
  const known = new Set(Object.keys(fields));
  return (value, faults, owner) => {
    if (!isJsonRecord(value)) return faults.add('must be an object');
    for (const [key, rule] of entries) faults.at(key, value[key], rule, value);
    for (const key of Object.keys(value)) {
      if (known.has(key)) continue;
      if (extra) return extra(value, faults, owner);
      if (faults.full) return;
      faults.addUnknown(key);
    }
  };
}

/** An array of at most `maxItems`. Of a longer one only that many items are looked at. */
export function listOf(kind: 'strings' | 'objects', maxItems: number, item: Rule): Rule {
  return (value, faults) => {
    if (!Array.isArray(value)) return faults.add(`must be an array of ${kind}`);
    if (value.length > maxItems) faults.add(`must not have more than ${maxItems} items`);
    const looked = Math.min(value.length, maxItems);
    for (let index = 0; index < looked && !faults.full; index++) faults.at(index, value[index], item, value);
  };
}

export function required(rule: Rule): Rule {
  return (value, faults, owner) => (isAbsent(value) ? faults.add('is required') : rule(value, faults, owner));
}

export function optional(rule: Rule): Rule {
  return (value, faults, owner) => {
    if (!isAbsent(value)) rule(value, faults, owner);
  };
}

/** As `optional`, and the empty text is none as well: a record that was read can be sent back as it is. */
export function optionalText(rule: Rule): Rule {
  return (value, faults, owner) => {
    if (!isAbsent(value) && value !== '') rule(value, faults, owner);
  };
}

/** One line of at most `maxCharacters` code points. */
export function text(maxCharacters: number): Rule {
  return (value, faults) => addText(value, maxCharacters, CONTROL, faults);
}

/** Like `text`, and tabs and line breaks are welcome. */
export function multilineText(maxCharacters: number): Rule {
  return (value, faults) => addText(value, maxCharacters, CONTROL_BUT_LAYOUT, faults);
}

/** Like `text`, but must hold something that is seen; the white space around it does not count. */
export function trimmedText(maxCharacters: number): Rule {
  return (value, faults) => {
    const trimmed = typeof value === 'string' ? value.trim() : value;
    if (trimmed === '') return faults.add('is required');
    const fault = textFault(trimmed, maxCharacters, CONTROL);
    if (fault) faults.add(fault);
    else if (visibleText(trimmed as string).trim() === '') faults.add('is required');
  };
}

/** One line of a format; `sentence` says which ("must be a hostname"). */
export function formatted(maxCharacters: number, isValid: (text: string) => boolean, sentence: string): Rule {
  return (value, faults) => {
    const fault = textFault(value, maxCharacters, CONTROL);
    if (fault) return faults.add(fault);
    if (!isValid(value as string)) faults.add(sentence);
  };
}

/** Exactly one of `values`. `name` replaces the enumeration in the sentence when the list is long. */
export function oneOf(values: readonly string[], name = values.join(', ')): Rule {
  const allowed: ReadonlySet<unknown> = new Set(values);
  return (value, faults) => {
    if (allowed.has(value)) return;
    faults.add(typeof value === 'string' ? `must be one of ${name}` : 'must be a string');
  };
}

export function wholeNumber(max: number): Rule {
  return (value, faults) => {
    if (!Number.isInteger(value) || (value as number) < 0) return faults.add('must be an integer of 0 or more');
    if ((value as number) > max) faults.add(`must not be greater than ${max}`);
  };
}

export const flag: Rule = (value, faults) => {
  if (typeof value !== 'boolean') faults.add('must be true or false');
};

/**
 * JSON that is stored as sent: only what a database cannot hold, or what would fill it, is refused. `value` itself is
 * the first level. It is walked before it is serialised, because serialising a very deep value throws.
 */
export function freeJson(maxLevels: number, maxBytes: number): Rule {
  return (value, faults) => {
    const fault = jsonFault(value, maxLevels);
    if (fault === TOO_DEEP) return faults.add(`must not be nested deeper than ${maxLevels} levels`);
    if (fault) return faults.add(fault);
    if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
      faults.add(`must not be larger than ${maxBytes / 1024} KB`);
    }
  };
}

export function isJsonRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** On creation "not sent" and "sent as null" mean the same. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

// C0 control characters and lone surrogates: PostgreSQL refuses NUL and half a character, the others break logs and
// mails. With the `u` flag a pair of surrogates is one character and does not match.

const CONTROL = /[\u0000-\u001f\ud800-\udfff]/u;

const CONTROL_BUT_LAYOUT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff]/u;

const TOO_DEEP = 'too deep';

function addText(value: unknown, maxCharacters: number, forbidden: RegExp, faults: FaultCollector): void {
  const fault = textFault(value, maxCharacters, forbidden);
  if (fault) faults.add(fault);
}

/** Length first: the pattern never runs over more text than may be stored. */
function textFault(value: unknown, maxCharacters: number, forbidden: RegExp): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (isLonger(value, maxCharacters)) return `must not be longer than ${maxCharacters} characters`;
  return forbidden.test(value) ? 'must not contain control characters' : undefined;
}

/** A character is a code point: one or two of the units that `length` counts. */
function isLonger(value: string, maxCharacters: number): boolean {
  if (value.length <= maxCharacters) return false;
  if (value.length > 2 * maxCharacters) return true;
  return [...value].length > maxCharacters;
}

/** A file of a multipart request may stand where JSON is asked for. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function jsonFault(value: unknown, levelsLeft: number): string | undefined {
  if (typeof value === 'string')
    return CONTROL_BUT_LAYOUT.test(value) ? 'must not contain control characters' : undefined;
  // 1e999 is valid JSON and is read as Infinity, which no JSON can hold: it would be stored as null.
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must not contain numbers out of range';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levelsLeft === 0) return TOO_DEEP;
  if (!Array.isArray(value) && !isPlain(value)) return 'must hold JSON only';
  const parts = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
  for (const part of parts) {
    const fault = jsonFault(part, levelsLeft - 1);
    if (fault) return fault;
  }
  return undefined;
}
