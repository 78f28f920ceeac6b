import { isUtf8 } from 'node:buffer';
import { closingQuote } from '../../common/json-values.js';
import { shownName } from '../../common/shown-name.js';
import { badUserInput, type DomainError } from '../../errors.js';
import { jsonIn, readBytes, type UnreadRequest } from '../../http/request-body.js';
import { requireMediaType } from './headers.js';

/** Bytes of everything but files. */
export const MAX_BYTES = 1024 * 1024;
/** Objects and arrays inside one another. */
export const MAX_DEPTH = 32;

interface BodyLimits {
  maxBytes?: number;
  /** Media types that are accepted; `application/json` when absent. */
  types?: readonly string[];
}

/** Reads a JSON body. Throws BAD_USER_INPUT with every error. */
export async function readJsonBody(
  request: UnreadRequest,
  { maxBytes = MAX_BYTES, types = ['application/json'] }: BodyLimits = {},
): Promise<unknown> {
  requireMediaType(request.headers, types);
  return parseStrictJson(await readBytes(request, maxBytes, () => bodyTooLarge(maxBytes)));
}

export function bodyTooLarge(maxBytes: number): DomainError {
  const mebibytes = maxBytes / 1024 ** 2;
  return badUserInput([
    `The body must not exceed ${Number.isInteger(mebibytes) ? `${mebibytes} MB` : `${maxBytes} bytes`}`,
  ]);
}

/** Parses JSON strictly: see `auditJson`. Throws BAD_USER_INPUT with every error. */
export function parseStrictJson(bytes: Buffer): unknown {
  const { value, errors } = auditJson(bytes);
  if (errors.length > 0) throw badUserInput(errors);
  return value;
}

/**
 * JSON.parse without its leniencies: repeated names, NUL characters and half surrogate pairs are errors, reported all
 * together by their path; deeper than MAX_DEPTH throws. `__proto__` stays an ordinary own property.
 */
export function auditJson(bytes: Buffer): { value: unknown; errors: string[] } {
  if (bytes.length === 0) throw badUserInput(['The body is empty']);
  if (!isUtf8(bytes)) throw badUserInput(['The body is not valid UTF-8']);
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const value = jsonIn(text);
  return { value, errors: new JsonAudit(text).errors() };
}

/** An object or array that is open; `key` is what the path to the value inside it ends with. */
interface Frame {
  names: Set<string> | undefined;
  key: string | number;
  expectsName: boolean;
}

/** Walks over a text that JSON.parse has accepted, so that the grammar needs no check. */
class JsonAudit {
  readonly #frames: Frame[] = [];
  readonly #errors = new Set<string>();

  constructor(private readonly text: string) {}

  errors(): string[] {
    for (let at = 0; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) at = this.#string(at);
      else if (code === OPEN_OBJECT) this.#open({ names: new Set(), key: '', expectsName: true });
      else if (code === OPEN_ARRAY) this.#open({ names: undefined, key: 0, expectsName: false });
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#frames.pop();
      else if (code === COMMA) this.#advance();
    }
    return [...this.#errors];
  }

  #open(frame: Frame): void {
    this.#frames.push(frame);
    if (this.#frames.length > MAX_DEPTH) {
      throw badUserInput([`The body must not be nested deeper than ${MAX_DEPTH} levels`]);
    }
  }

  #advance(): void {
    const frame = this.#frames.at(-1)!;
    if (typeof frame.key === 'number') frame.key++;
    else frame.expectsName = true;
  }

  /** Checks the string that opens at `start`; returns where it closes. */
  #string(start: number): number {
    const end = closingQuote(this.text, start);
    const token = this.text.slice(start + 1, end);
    const frame = this.#frames.at(-1);
    // Only such an escape can spell NUL or half a pair: the bytes were valid UTF-8 and the text valid JSON.
    const isEscaped = token.includes(frame?.expectsName ? '\\' : '\\u');
    const value = isEscaped ? String(JSON.parse(`"${token}"`)) : token;
    if (frame?.expectsName) this.#name(frame, value);
    const error = value === token ? undefined : textError(value);
    if (error) this.#errors.add(`${this.#path()} ${error}`);
    return end;
  }

  #name(frame: Frame, name: string): void {
    frame.key = name;
    frame.expectsName = false;
    if (frame.names?.has(name)) this.#errors.add(`${this.#path()} must not be given twice`);
    frame.names?.add(name);
  }

  #path(): string {
    return this.#frames.length === 0 ? 'The body' : wirePath(this.#frames.map(({ key }) => key));
  }
}

/** `contacts[0].email` for `['contacts', 0, 'email']`, no longer than a message may be. */
export function wirePath(keys: readonly (string | number)[]): string {
  const path = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${shownName(key)}`)).join('');
  return shownName(path.replace(/^\./, ''));
}

/** What is wrong with a text whatever its meaning: PostgreSQL stores neither NUL nor half a surrogate pair. */
export function textError(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must be valid Unicode text';
  return undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
