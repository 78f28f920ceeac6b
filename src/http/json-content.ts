import { randomUUID } from 'node:crypto';
import { decodeBase64Bytes } from '../common/base64.js';
import { fileTooLarge, notJson } from '../errors.js';
import { requirePresence, type UnreadRequest } from './request-body.js';

/** A longer string of a JSON body may be extracted. */
export const MAX_FIELD_BYTES = 64 * 1024;

interface CutLimits {
  /** Decoded bytes of one content. */
  maxBytes: number;
  /** Bytes of the body, and of its part that is not extracted. */
  maxBody?: number;
  maxOverhead?: number;
  tooLarge(): Error;
  /** Maximum number of extracted strings. */
  contents: number;
  /** Only values of this name that begin as base64 are extracted; any long string when absent. */
  name?: string;
}

/** Decoded bytes of the content of this number. */
interface CutPiece {
  index: number;
  content: Buffer;
}

/** Reads a body to its end. The contents are yielded one after the other; the rest is in `cutter`. */
export async function* cutContents(request: UnreadRequest, cutter: ContentCutter): AsyncGenerator<CutPiece> {
  requirePresence(request);
  const { maxBody = Infinity, tooLarge } = cutter.limits;
  if (Number(request.headers['content-length'] ?? 0) > maxBody) throw tooLarge();
  let size = 0;
  // The request's iterator would destroy the request, and with it the answer, when the reading ends early.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if ((size += chunk.length) > maxBody) throw tooLarge();
    for (let at = 0; at < chunk.length;) {
      const { end, piece } = cutter.read(chunk, at);
      if (piece !== undefined) yield piece;
      at = end;
    }
  }
}

/** Placeholder of a content in the rest: at least as long as the minimum of extracted strings, and not guessable. */
export const markOf = (index: number): string => `${FILLER}${index}`;

const FILLER = 'A'.repeat(MAX_FIELD_BYTES) + randomUUID();
const NOTHING: Buffer = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;
/** Bytes before a string that are searched for its name. */
const NAME_BYTES = 1024;
/** Extracts long strings of base64 from a JSON body, and decodes them as they arrive. */
export class ContentCutter {
  /** Bytes that were read and not extracted: the first `#length`, including the placeholders. */
  #rest: Buffer = NOTHING;
  #length = 0;
  #markBytes = 0;
  #inString = false;
  /** Whether the next byte of the string is escaped. */
  #isEscaped = false;
  /** Where the string begins in the rest, and whether it may still be extracted. */
  #start = 0;
  #mayBeContent = false;
  #isCut = false;
  readonly #decoders: StringDecoder[] = [];
  readonly #nameBefore: RegExp;

  constructor(readonly limits: CutLimits) {
    this.#nameBefore = new RegExp(limits.name === undefined ? '' : `"${limits.name}"\\s*:\\s*"$`);
  }

  /**
   * Reads on from `at`; returns where it ended and what was decoded. A body may have millions of strings: they are
   * copied together, and looked at in one loop.
   */
  read(chunk: Buffer, at: number): { end: number; piece?: CutPiece | undefined } {
    if (this.#isCut) return this.#readContent(chunk, at);
    const from = at;
    while (at < chunk.length) {
      const quote = this.#inString ? this.#closingQuote(chunk, at) : this.#openingQuote(chunk, at);
      const placeOf = (index: number) => this.#length + index - from;
      if (this.#mayBeContent && placeOf(quote) - this.#start > MAX_FIELD_BYTES) {
        this.#keep(chunk.subarray(from, quote));
        return { end: quote, piece: this.#beginContent() };
      }
      at = quote + 1;
      if (quote === chunk.length) break;
      this.#inString = !this.#inString;
      this.#mayBeContent = this.#inString;
      this.#start = placeOf(at);
    }
    this.#keep(chunk.subarray(from));
    return { end: chunk.length };
  }

  /** The body, with marks where the contents were. Throws BAD_USER_INPUT where one of them is no JSON. */
  rest(): Buffer {
    if (this.#decoders.some(({ isJson }) => !isJson)) throw notJson();
    // An unterminated string is invalid JSON, which the parser reports.
    return this.#rest.subarray(0, this.#length);
  }

  /** The last bytes of a content. Throws what was wrong with it. */
  ended(index: number): Buffer {
    return this.#decoders[index]!.end();
  }

  #readContent(chunk: Buffer, at: number): { end: number; piece: CutPiece } {
    const index = this.#decoders.length - 1;
    const end = this.#closingQuote(chunk, at);
    const content = this.#decoders[index]!.push(chunk.subarray(at, end));
    // The closing quote is read as that of a string that is not extracted.
    if (end < chunk.length) {
      this.#isCut = false;
      const mark = Buffer.from(markOf(index));
      this.#markBytes += mark.length;
      this.#keep(mark);
    }
    return { end, piece: { index, content } };
  }

  #keep(piece: Buffer): void {
    const end = this.#length + piece.length;
    if (end > this.#rest.length)
      this.#rest = Buffer.concat([this.#rest.subarray(0, this.#length)], Math.max(end, 2 * this.#rest.length));
    piece.copy(this.#rest, this.#length);
    this.#length = end;
    const retained = (this.#mayBeContent ? this.#start : end) - this.#markBytes;
    if (retained > (this.limits.maxOverhead ?? Infinity)) throw this.limits.tooLarge();
  }

  /** For a string that has become long: extracts it from the rest, if possible. */
  #beginContent(): CutPiece | undefined {
    this.#mayBeContent = false;
    if (this.#decoders.length === this.limits.contents) return undefined;
    const before = this.#rest.toString('latin1', Math.max(0, this.#start - NAME_BYTES), this.#start);
    if (!this.#nameBefore.test(before)) return undefined;
    const decoder = new StringDecoder(this.limits.maxBytes);
    // A copy, because it is decoded in its place.
    const content = decoder.push(Buffer.from(this.#rest.subarray(this.#start, this.#length)));
    if (decoder.hasFailed && this.limits.name !== undefined) return undefined;
    this.#length = this.#start;
    this.#isCut = true;
    this.#decoders.push(decoder);
    return { index: this.#decoders.length - 1, content };
  }

  /** Where the next string begins; at the end of the chunk when none does. */
  #openingQuote(chunk: Buffer, at: number): number {
    const quote = chunk.indexOf(QUOTE, at);
    return quote < 0 ? chunk.length : quote;
  }

  /** Where the string ends; at the end of the chunk when it goes on in the next one. */
  #closingQuote(chunk: Buffer, at: number): number {
    // A content is long, and hardly ever has escapes.
    if (this.#isCut && !this.#isEscaped && !chunk.includes(BACKSLASH, at)) {
      const quote = chunk.indexOf(QUOTE, at);
      return quote < 0 ? chunk.length : quote;
    }
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === QUOTE) break;
      else this.#isEscaped = byte === BACKSLASH;
    }
    return at;
  }
}

/** Decodes the base64 of a JSON string as it arrives. Errors are thrown at its end, except for its length. */
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
