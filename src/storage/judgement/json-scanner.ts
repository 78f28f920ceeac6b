/** Deeper is no document but an attack on whoever parses it later. */
const MAX_DEPTH = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `"`, `\`, `/`, b, f, n, r, t */
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const LITERALS: Readonly<Record<number, string>> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' };
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const NUMBER_BYTES = tableOf('0123456789+-.eE');
const WHITE = tableOf(' \t\n\r');
/** Longer than any number that somebody means. */
const MAX_NUMBER = 1_000;

type Container = 'object' | 'array';
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

/** What may come right after the bracket that opens. */
const FIRST: Readonly<Record<Container, Expected>> = { object: 'key or }', array: 'value or ]' };

/**
 * Checks JSON (RFC 8259) chunk by chunk without building it: ten megabytes of `[[],[],…` would become hundreds when
 * parsed. That the bytes are UTF-8 is checked elsewhere.
 */
export class JsonScanner {
  private expected: Expected = 'value';
  private readonly open: Container[] = [];
  private inString = false;
  /** 0 outside of an escape, 5 after the backslash, then 4 to 1 for the digits of \uXXXX that are still to come. */
  private escape = 0;
  /** A literal or number that has begun. */
  private word = '';

  /** Returns false as soon as what was given cannot be JSON. */
  write(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.inString) {
        // Most of a document is plain characters within strings: they pass without a call for each.
        if (this.escape === 0) at = skipPlain(chunk, at);
        if (at < chunk.length && !this.stringByte(chunk[at] as number)) return false;
      } else if (!this.structureByte(chunk[at] as number)) return false;
    }
    return true;
  }

  /** Whether all that was written is one complete value. */
  end(): boolean {
    return this.finishWord() && !this.inString && this.open.length === 0 && this.expected === ', or end';
  }

  private stringByte(byte: number): boolean {
    if (this.escape > 0) return this.escapeByte(byte);
    if (byte === BACKSLASH) this.escape = 5;
    else if (byte === QUOTE) this.inString = false;
    return byte >= 0x20;
  }

  private escapeByte(byte: number): boolean {
    if (this.escape < 5) {
      this.escape -= 1;
      return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
    }
    const isUnicode = byte === 0x75;
    this.escape = isUnicode ? 4 : 0;
    return isUnicode || ESCAPES.has(byte);
  }

  private structureByte(byte: number): boolean {
    if (this.word !== '') {
      if (this.continuesWord(byte)) return this.word.length <= MAX_NUMBER;
      if (!this.finishWord()) return false;
    }
    if (WHITE[byte] === 1) return true;
    if (byte === 0x7b) return this.begin('object');
    if (byte === 0x5b) return this.begin('array');
    if (byte === 0x7d) return this.finish('object');
    if (byte === 0x5d) return this.finish('array');
    if (byte === 0x2c) return this.comma();
    if (byte === 0x3a) return this.step(':', 'value');
    if (byte === QUOTE) return this.beginString();
    this.word = String.fromCharCode(byte);
    return this.value() && (NUMBER_BYTES[byte] === 1 || byte in LITERALS);
  }

  private continuesWord(byte: number): boolean {
    const literal = LITERALS[this.word.charCodeAt(0)];
    const isPart = literal === undefined ? NUMBER_BYTES[byte] === 1 : literal.charCodeAt(this.word.length) === byte;
    if (isPart) this.word += String.fromCharCode(byte);
    return isPart;
  }

  private finishWord(): boolean {
    const { word } = this;
    this.word = '';
    return word === '' || LITERALS[word.charCodeAt(0)] === word || NUMBER.test(word);
  }

  private begin(container: Container): boolean {
    if (!this.value() || this.open.length >= MAX_DEPTH) return false;
    this.open.push(container);
    this.expected = FIRST[container];
    return true;
  }

  private finish(container: Container): boolean {
    const mayEnd = this.expected === ', or end' || this.expected === FIRST[container];
    this.expected = ', or end';
    return mayEnd && this.open.pop() === container;
  }

  private comma(): boolean {
    return this.open.length > 0 && this.step(', or end', this.open.at(-1) === 'object' ? 'key' : 'value');
  }

  private beginString(): boolean {
    this.inString = true;
    if (this.expected !== 'key' && this.expected !== 'key or }') return this.value();
    this.expected = ':';
    return true;
  }

  private value(): boolean {
    return this.step(this.expected === 'value or ]' ? 'value or ]' : 'value', ', or end');
  }

  private step(from: Expected, to: Expected): boolean {
    const isExpected = this.expected === from;
    this.expected = to;
    return isExpected;
  }
}

function skipPlain(chunk: Uint8Array, from: number): number {
  let at = from;
  for (; at < chunk.length; at += 1) {
    const byte = chunk[at] as number;
    if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) break;
  }
  return at;
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
}
