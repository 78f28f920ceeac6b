import { randomUUID } from 'node:crypto';
import { decodeBase64Bytes } from '../common/base64.js';
import { fileTooLarge, notJson } from '../errors.js';
import { requirePresence, type UnreadRequest } from './request-body.js';

/** A longer string of a JSON body may be cut out of it. */
export const MAX_FIELD_BYTES = 64 * 1024;

interface CutLimits {
  /** Decoded bytes of one content. */
  maxBytes: number;
  /** Bytes of the body, and of what is not cut out of it. */
  maxBody?: number;
  maxOverhead?: number;
  tooLarge(): Error;
  /** How many strings are cut out at most. */
  contents: number;
  /** Only values of this name that begin as base64 are cut out; any long string when absent. */
  name?: string;
}

/** What was decoded of the content of this number. */
interface CutPiece {
  index: number;
  content: Buffer;
}

/** Reads a body to its end. The contents come one after the other; the rest is in `cutter`. */
export async function* cutContents(request: UnreadRequest, cutter: ContentCutter): AsyncGenerator<CutPiece> {
  requirePresence(request);
  const { maxBody = Infinity, tooLarge } = cutter.limits;
  if (Number(request.headers['content-length'] ?? 0) > maxBody) throw tooLarge();
  let size = 0;
  // Its own iterator would destroy the request, and the answer with it, when the reading ends early.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if ((size += chunk.length) > maxBody) throw tooLarge();
    for (let at = 0; at < chunk.length;) {
      const { end, piece } = cutter.read(chunk, at);
      if (piece !== undefined) yield piece;
      at = end;
    }
  }
}

/** Stands for a content in the rest: as long as what is cut out at least, and it cannot be guessed. */
export const markOf = (index: number): string => `${FILLER}${index}`;

const FILLER = 'A'.repeat(MAX_FIELD_BYTES) + randomUUID();
const NOTHING: Buffer = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;
/** Pieces of the rest in which the name of a value is looked for: more than an unusual spelling of it makes. */
const NAME_PIECES = 64;

/** Cuts long strings of base64 out of a JSON body, and decodes them as they come. */
export class ContentCutter {
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  #inString = false;
  /** Whether the next byte of the string is escaped. */
  #isEscaped = false;
  /** The beginning of a string, until it ends or is longer than a field may be. */
  #string: Buffer[] = [];
  #stringBytes = 0;
  /** Whether the string is cut out; undefined until it is long. */
  #isCut: boolean | undefined;
  readonly #decoders: StringDecoder[] = [];
  readonly #nameBefore: RegExp;

  constructor(readonly limits: CutLimits) {
    this.#nameBefore = new RegExp(limits.name === undefined ? '' : `"${limits.name}"\\s*:\\s*"$`);
  }

  /** Reads on from `at`, to the next quote or the end of the chunk; returns where it ended and what was decoded. */
  read(chunk: Buffer, at: number): { end: number; piece?: CutPiece } {
    if (!this.#inString) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote < 0 ? chunk.length : quote + 1;
      this.#keep(chunk.subarray(at, end));
      this.#inString = quote >= 0;
      this.#isEscaped = false;
      this.#stringBytes = 0;
      this.#isCut = undefined;
      return { end };
    }
    const quote = this.#closingQuote(chunk, at);
    const end = quote < 0 ? chunk.length : quote;
    const piece = this.#take(chunk.subarray(at, end));
    if (quote < 0) return { end, piece };
    this.#inString = false;
    if (this.#isCut) this.#rest.push(Buffer.from(markOf(this.#decoders.length - 1)));
    else this.#moveToRest();
    // The closing quote is read as what follows the string, which it does not open.
    this.#keep(chunk.subarray(quote, quote + 1));
    return { end: quote + 1, piece };
  }

  /** The body, with marks where the contents were. Throws BAD_USER_INPUT where one of them is no JSON. */
  rest(): Buffer {
    if (this.#decoders.some(({ isJson }) => !isJson)) throw notJson();
    // A string that does not end is no JSON, which the parser says.
    return Buffer.concat([...this.#rest, ...this.#string]);
  }

  /** The last bytes of a content. Throws what was wrong with it. */
  ended(index: number): Buffer {
    return this.#decoders[index]!.end();
  }

  #keep(piece: Buffer): void {
    this.#restBytes += piece.length;
    if (this.#restBytes > (this.limits.maxOverhead ?? Infinity)) throw this.limits.tooLarge();
    this.#rest.push(Buffer.from(piece));
  }

  #take(piece: Buffer): CutPiece | undefined {
    if (this.#isCut) return { index: this.#decoders.length - 1, content: this.#decoders.at(-1)!.push(piece) };
    this.#stringBytes += piece.length;
    this.#string.push(Buffer.from(piece));
    if (this.#stringBytes <= MAX_FIELD_BYTES) return undefined;
    const cut = this.#isCut === undefined ? this.#beginContent() : undefined;
    this.#isCut = cut !== undefined;
    if (cut === undefined) this.#moveToRest();
    return cut;
  }

  #beginContent(): CutPiece | undefined {
    if (this.#decoders.length === this.limits.contents) return undefined;
    if (!this.#nameBefore.test(Buffer.concat(this.#rest.slice(-NAME_PIECES)).toString('latin1'))) return undefined;
    const decoder = new StringDecoder(this.limits.maxBytes);
    const content = decoder.push(Buffer.concat(this.#string));
    if (decoder.hasFailed && this.limits.name !== undefined) return undefined;
    this.#string = [];
    this.#decoders.push(decoder);
    return { index: this.#decoders.length - 1, content };
  }

  #moveToRest(): void {
    for (const piece of this.#string) this.#keep(piece);
    this.#string = [];
  }

  /** Where the string ends; -1 when it goes on in the next chunk, and whether that begins with an escaped byte. */
  #closingQuote(chunk: Buffer, at: number): number {
    const isEscaped = (end: number) => {
      let backslashes = 0;
      while (end - 1 - backslashes >= at && chunk[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
      return ((backslashes === end - at && this.#isEscaped ? 1 : 0) + backslashes) % 2 === 1;
    };
    let quote = chunk.indexOf(QUOTE, at);
    while (quote >= 0 && isEscaped(quote)) quote = chunk.indexOf(QUOTE, quote + 1);
    if (quote < 0) this.#isEscaped = isEscaped(chunk.length);
    return quote;
  }
}

/** Decodes the base64 of a JSON string as it comes. What is wrong with it is thrown at its end, but for its length. */
class StringDecoder {
  #received = 0;
  #escape: Buffer = NOTHING;
  #group: Buffer = NOTHING;
  #error: unknown;
  /** Whether it is a string of JSON, base64 or not. */
  isJson = true;

  constructor(private readonly maxBytes: number) {}

  get hasFailed(): boolean {
    return this.#error !== undefined;
  }

  push(piece: Buffer): Buffer {
    if (this.#error !== undefined) return NOTHING;
    // More can only be line breaks or too large a file.
    if (this.#received > 2 * this.maxBytes + MAX_FIELD_BYTES) throw fileTooLarge(this.maxBytes);
    try {
      return this.#decode(this.#unescape(piece));
    } catch (error) {
      this.#error = error;
      return NOTHING;
    }
  }

  end(): Buffer {
    if (this.#error !== undefined) throw this.#error;
    return decodeBase64Bytes(this.#group);
  }

  /** Whole groups of four; the others, and all from the padding on, wait for what follows. */
  #decode(text: Buffer): Buffer {
    const all = this.#group.length > 0 ? Buffer.concat([this.#group, text]) : text;
    const padding = all.indexOf(PAD);
    const digits = padding < 0 ? all.length : padding;
    if (all.length - digits > MAX_FIELD_BYTES) return decodeBase64Bytes(all);
    const end = digits - (digits % 4);
    this.#group = Buffer.from(all.subarray(end));
    return decodeBase64Bytes(all.subarray(0, end));
  }

  /** Without escapes and line breaks; half an escape waits for its other half. */
  #unescape(piece: Buffer): Buffer {
    if (piece.includes(LF) || piece.includes(CR)) throw this.#notJson();
    const spelled = this.#escape.length > 0 ? Buffer.concat([this.#escape, piece]) : piece;
    this.#escape = NOTHING;
    if (!spelled.includes(BACKSLASH)) {
      this.#received += spelled.length;
      return spelled;
    }
    const half = HALF_ESCAPE.exec(spelled.toString('latin1', Math.max(0, spelled.length - 8)))?.[1]?.length ?? 0;
    const end = spelled.length - half;
    this.#escape = Buffer.from(spelled.subarray(end));
    try {
      const text = String(JSON.parse(`"${spelled.toString('latin1', 0, end)}"`));
      this.#received += text.length;
      return Buffer.from(text.replaceAll(/[\r\n]+/g, ''));
    } catch {
      throw this.#notJson();
    }
  }

  #notJson(): Error {
    this.isJson = false;
    return notJson();
  }
}

const PAD = 0x3d;
/** The last backslash, unless it is escaped itself, with less behind it than its escape has. */
const HALF_ESCAPE = /(?:^|[^\\])(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/;
