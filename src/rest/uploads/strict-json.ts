import { isUtf8 } from 'node:buffer';
import { badUserInput } from '../../errors.js';
import { shownName, textFault } from './upload-fields.js';

/**
 * JSON.parse without its leniencies: repeated names, NUL characters and half surrogate pairs are faults, told all at
 * once by their wire path; deeper than `maxDepth` is refused. `__proto__` stays an ordinary own property.
 */
export function parseStrictJson(bytes: Buffer, maxDepth: number): unknown {
  if (bytes.length === 0) throw badUserInput(['The body is empty']);
  if (!isUtf8(bytes)) throw badUserInput(['The body is not valid UTF-8']);
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const value = parse(text);
  const faults = new JsonAudit(text, maxDepth).faults();
  if (faults.length > 0) throw badUserInput(faults);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput(['The body is not valid JSON']);
  }
}

/** An object or array that is open; `key` is what the path to the value inside it ends with. */
interface Frame {
  names: Set<string> | undefined;
  key: string | number;
  expectsName: boolean;
}

/** Walks over a text that JSON.parse has accepted, so it need not doubt the grammar. */
class JsonAudit {
  readonly #frames: Frame[] = [];
  readonly #faults = new Set<string>();

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  faults(): string[] {
    for (let at = 0; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) at = this.#string(at);
      else if (code === OPEN_OBJECT) this.#open({ names: new Set(), key: '', expectsName: true });
      else if (code === OPEN_ARRAY) this.#open({ names: undefined, key: 0, expectsName: false });
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#frames.pop();
      else if (code === COMMA) this.#advance();
    }
    return [...this.#faults];
  }

  #open(frame: Frame): void {
    this.#frames.push(frame);
    if (this.#frames.length > this.maxDepth) {
      throw badUserInput([`The body must not be nested deeper than ${this.maxDepth} levels`]);
    }
  }

  #advance(): void {
    const frame = this.#frames.at(-1)!;
    if (typeof frame.key === 'number') frame.key++;
    else frame.expectsName = true;
  }

  /** Looks at the string that opens at `start`; tells where it closes. */
  #string(start: number): number {
    const end = closingQuote(this.text, start);
    const token = this.text.slice(start + 1, end);
    const value = token.includes('\\') ? String(JSON.parse(`"${token}"`)) : token;
    const frame = this.#frames.at(-1);
    if (frame?.expectsName) this.#name(frame, value);
    // Only an escape can spell NUL or half a pair: the bytes were valid UTF-8 and the text valid JSON.
    const fault = value === token ? undefined : textFault(value);
    if (fault) this.#faults.add(`${this.#path()} ${fault}`);
    return end;
  }

  #name(frame: Frame, name: string): void {
    frame.key = name;
    frame.expectsName = false;
    if (frame.names?.has(name)) this.#faults.add(`${this.#path()} must not be given twice`);
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
