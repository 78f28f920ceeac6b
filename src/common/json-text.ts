import { isUtf8 } from 'node:buffer';
import { INEXACT, isExact } from './exact-numbers.js';
import { badUserInput } from '../errors.js';
import { shownName } from './shown-name.js';

/** Objects and arrays inside one another, in a body of REST. */
export const MAX_DEPTH = 32;

/** Parses JSON strictly: see `auditJson`. Throws BAD_USER_INPUT with every error. */
export function parseJson(bytes: Buffer, options?: JsonOptions): unknown {
  const { value, errors } = auditJson(bytes, options);
  if (errors.length > 0) throw badUserInput(errors);
  return value;
}

/**
 * JSON.parse without its leniencies, for both APIs: duplicate names, NUL characters, lone surrogates, and numbers
 * that would be stored inexactly are errors, all reported by path; deeper than `maxDepth` throws. A leading byte
 * order mark is skipped. `__proto__` is an ordinary own property.
 */
export function auditJson(
  bytes: Buffer,
  { what = 'The body', maxDepth = Infinity }: JsonOptions = {},
): { value: unknown; errors: string[] } {
  if (bytes.length === 0) throw badUserInput([`${what} is empty`]);
  if (!isUtf8(bytes)) throw badUserInput([`${what} is not valid UTF-8`]);
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const value = jsonIn(text, what);
  return { value, errors: new JsonAudit(text, what, maxDepth).errors() };
}

interface JsonOptions {
  /** The name of the text as a whole in messages. */
  what?: string;
  /** Objects and arrays inside one another. */
  maxDepth?: number;
}

function jsonIn(text: string, what: string): unknown {
  if (hasMoreValues(text)) throw badUserInput([`${what} must not have more than ${MAX_VALUES} values`]);
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput([`${what} is not valid JSON`]);
  }
}

/** An open object or array; `key` is the last segment of the path to the value inside it. */
interface Frame {
  names: Set<string> | undefined;
  key: string | number;
  expectsName: boolean;
}

/** Scans a text that JSON.parse has accepted, so that the grammar needs no check. */
class JsonAudit {
  readonly #frames: Frame[] = [];
  readonly #errors = new Set<string>();
  #found = 0;

  constructor(
    private readonly text: string,
    private readonly what: string,
    private readonly maxDepth: number,
  ) {}

  errors(): string[] {
    for (let at = 0; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) at = this.#string(at);
      else if (code === OPEN_OBJECT) this.#open({ names: new Set(), key: '', expectsName: true });
      else if (code === OPEN_ARRAY) this.#open({ names: undefined, key: 0, expectsName: false });
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#frames.pop();
      else if (code === COMMA) this.#advance();
      else if (code === MINUS || (code >= ZERO && code <= NINE)) at = this.#number(at);
    }
    return [...this.#errors];
  }

  #open(frame: Frame): void {
    this.#frames.push(frame);
    if (this.#frames.length > this.maxDepth)
      throw badUserInput([`${this.what} must not be nested deeper than ${this.maxDepth} levels`]);
  }

  #advance(): void {
    const frame = this.#frames.at(-1)!;
    if (typeof frame.key === 'number') frame.key++;
    else frame.expectsName = true;
  }

  /** Checks the string that begins at `start`; returns its end. */
  #string(start: number): number {
    const end = closingQuote(this.text, start);
    const token = this.text.slice(start + 1, end);
    const frame = this.#frames.at(-1);
    // Only such an escape can produce NUL or a lone surrogate: the bytes were valid UTF-8 and the text valid JSON.
    const isName = frame?.expectsName === true;
    const isEscaped = token.includes(isName ? '\\' : '\\u');
    const value = isEscaped ? String(JSON.parse(`"${token}"`)) : token;
    if (isName) this.#name(frame, value);
    const error = value === token ? undefined : textError(value);
    // Invalid text is not repeated in the message.
    if (error) this.#report(isName ? `has a name that ${error}` : error, isName ? 1 : 0);
    return end;
  }

  /** Checks the number that begins at `start`; returns its end. */
  #number(start: number): number {
    NUMBER.lastIndex = start;
    const [text = ''] = NUMBER.exec(this.text) ?? [];
    if (!isExact(text)) this.#report(INEXACT);
    return start + text.length - 1;
  }

  #name(frame: Frame, name: string): void {
    frame.key = name;
    frame.expectsName = false;
    if (frame.names?.has(name)) this.#report('must not be given twice');
    frame.names?.add(name);
  }

  /** Reports an error at the current path, or this many levels above; stops after MAX_REPORTS. */
  #report(sentence: string, above = 0): void {
    if ((this.#found += 1) > MAX_REPORTS) return;
    const keys = this.#frames.slice(0, Math.min(this.#frames.length - above, MAX_PATH)).map(({ key }) => key);
    this.#errors.add(`${keys.length === 0 ? this.what : wirePath(keys)} ${sentence}`);
  }
}

/** The most reported errors: several may have the same truncated path. */
const MAX_REPORTS = 2_000;
/** The most levels of a path in a message. */
const MAX_PATH = 100;

/** `contacts[0].email` for `['contacts', 0, 'email']`, truncated to the length of a message. */
export function wirePath(keys: readonly (string | number)[]): string {
  const path = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${shownName(key)}`)).join('');
  return shownName(path.replace(/^\./, ''));
}

/** The error of a text that cannot be stored, or undefined: PostgreSQL stores neither NUL nor lone surrogates. */
export function textError(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must be valid Unicode text';
  return undefined;
}

const NUMBER = /[-+.\deE]+/y;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Five times those of the largest imported file; millions would block the process for seconds. */
export const MAX_VALUES = 500_000;

/** Whether a JSON text has more list items and object members than `max`; it may be invalid. */
export function hasMoreValues(json: string, max: number = MAX_VALUES): boolean {
  let values = 0;
  // Each value takes at least one character.
  for (let at = 0; json.length > max && at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(json, at);
    else if (BEFORE_VALUES.has(code) && (values += 1) > max) return true;
  }
  return false;
}

/** End of the JSON string that begins at `start`; the end of the text when it is not closed. */
function closingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** Characters before a value of an object or a list, or before its first one. */
const BEFORE_VALUES: ReadonlySet<number> = new Set([...'[{,'].map((sign) => sign.charCodeAt(0)));
const BACKSLASH = 0x5c;
