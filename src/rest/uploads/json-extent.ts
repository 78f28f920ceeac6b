import { badUserInput } from '../../errors.js';

/**
 * Finds where a JSON value ends without understanding it: strings by their closing quote, objects and arrays by their
 * depth, numbers and words by what follows them. Whether it is valid is for JSON.parse to say.
 */
export class JsonExtent {
  complete = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inWord = false;

  /** Reads on from `from`; tells the index after the last byte that belongs to the value. */
  scan(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#inWord && ENDS_WORD.has(byte)) {
        this.complete = true;
        return at;
      }
      this.#step(byte);
      if (this.complete) return at + 1;
    }
    return bytes.length;
  }

  #step(byte: number): void {
    if (this.#inString) this.#stepInString(byte);
    else if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open();
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.complete = --this.#depth <= 0;
    else if (this.#depth === 0) this.#inWord = true;
  }

  #stepInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      this.complete = this.#depth === 0;
    }
  }

  #open(): void {
    if (++this.#depth > MAX_DEPTH) throw badUserInput([`The body must not be nested deeper than ${MAX_DEPTH} levels`]);
  }
}

const MAX_DEPTH = 32;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const ENDS_WORD = new Set(Buffer.from(' \t\r\n,:]}["{'));
