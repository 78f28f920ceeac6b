import { isIPv6 } from 'node:net';
import { domainToUnicode } from 'node:url';
import validator from 'validator';
import { MAX_FAULTS } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';

/** A JSON object as it was sent. Keys and values are the sender's. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Looks at one value and tells its faults. `owner` is the object (or array) that holds the value, for rules that need
 * a neighbour. No rule throws, and no sentence repeats what was sent: an answer must not carry the sender's content.
 */
export type Rule = (value: unknown, faults: FaultCollector, owner: JsonRecord | readonly unknown[]) => void;

/** Collects one sentence per fault, each beginning with the wire path of its field: `contacts[0].email must …`. */
export class FaultCollector {
  readonly messages: string[] = [];
  private readonly path: (string | number)[] = [];

  /** `subject` names the whole input, which has no path: "organization must be an object". */
  constructor(private readonly subject: string) {}

  /** Once true, looking further only costs time: no more faults are told. */
  get full(): boolean {
    return this.messages.length >= MAX_FAULTS;
  }

  /** Runs `rule` on `owner[key]`. The path is joined only when there is a fault, so that valid input builds no text. */
  at(key: string | number, value: unknown, rule: Rule, owner: JsonRecord | readonly unknown[]): void {
    this.path.push(key);
    rule(value, this, owner);
    this.path.pop();
  }

  add(sentence: string): void {
    this.tell(`${this.where() || this.subject} ${sentence}`);
  }

  addAt(key: string | number, sentence: string): void {
    this.path.push(key);
    this.add(sentence);
    this.path.pop();
  }

  /** A key is the sender's text: it is named only when it is short and printable. */
  addUnknown(key: string): void {
    if (PRINTABLE_KEY.test(key)) return this.addAt(key, 'is not a known field');
    const where = this.where();
    this.tell(where ? `a field of ${where} is not known` : 'a field is not known');
  }

  private tell(message: string): void {
    if (!this.full) this.messages.push(message);
  }

  private where(): string {
    return this.path.reduce<string>((path, key) => {
      if (typeof key === 'number') return `${path}[${key}]`;
      return path ? `${path}.${key}` : key;
    }, '');
  }
}

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

/** One line of at most `maxCharacters` code points. */
export function text(maxCharacters: number): Rule {
  return (value, faults) => addText(value, maxCharacters, CONTROL, faults);
}

/** Like `text`, and tabs and line breaks are welcome. */
export function multilineText(maxCharacters: number): Rule {
  return (value, faults) => addText(value, maxCharacters, CONTROL_BUT_LAYOUT, faults);
}

/** Like `text`, but must hold something beside white space; the white space around it does not count. */
export function trimmedText(maxCharacters: number): Rule {
  return (value, faults) => {
    const trimmed = typeof value === 'string' ? value.trim() : value;
    if (trimmed === '') return faults.add('is required');
    addText(trimmed, maxCharacters, CONTROL, faults);
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

/** RFC 1123: labels of 1 to 63 letters, digits and inner hyphens, the last not all digits; A-labels must decode. */
export function isHostname(value: string): boolean {
  if (value.length > LIMITS.organization.domainCharacters || !HOSTNAME.test(value)) return false;
  // What cannot be decoded comes back as it was, prefix and all.
  return !A_LABEL.test(value) || !A_LABEL.test(domainToUnicode(value));
}

/** Four decimal numbers; a leading zero would be read as octal by some and as decimal by others. */
export function isIpv4(value: string): boolean {
  return IPV4.test(value);
}

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** IPv4, or IPv6 without a zone, which means something on one machine only. */
export function isIpAddress(value: string): boolean {
  return isIpv4(value) || (isIPv6(value) && !value.includes('%'));
}

/**
 * A mail address of RFC 5321, its domain with a top level: in ASCII and without a quoted first part, which is what the
 * format `email` of the interface description means. The everyday form skips the general check, which is slow.
 */
export function isEmailAddress(value: string): boolean {
  return EVERYDAY_EMAIL.test(value) || (UNQUOTED_ASCII.test(value) && validator.isEmail(value));
}

/** An address with scheme and host. A name or password in it would be shown to every reader of the record. */
export function isHttpUrl(value: string): boolean {
  return HTTP_URL.test(value) && URL.canParse(value);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PRINTABLE_KEY = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u;

// C0 control characters and lone surrogates: PostgreSQL refuses NUL and half a character, the others break logs and
// mails. With the `u` flag a pair of surrogates is one character and does not match.

const CONTROL = /[\u0000-\u001f\ud800-\udfff]/u;

const CONTROL_BUT_LAYOUT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff]/u;

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const HOSTNAME = new RegExp(`^(?:${LABEL}\\.)*(?![0-9]+$)${LABEL}$`);
const A_LABEL = /(?:^|\.)xn--/i;
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
// Accepts less than the general check and never more: a first part of up to 64 characters without odd dots, a domain
// of letters, digits and inner hyphens, a top level of letters, 254 characters in all.
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const EVERYDAY_EMAIL = new RegExp(
  `^(?=.{1,254}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+[A-Za-z]{2,63}$`,
);
const UNQUOTED_ASCII = /^[\x21\x23-\x7e]+$/;
// The host begins right after the two slashes and holds no "@"; a backslash is a slash to browsers, so none at all.
const HTTP_URL = /^https?:\/\/[^\s\p{C}\\/?#@]+(?:[/?#][^\s\p{C}\\]*)?$/iu;

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
