import { randomUUID } from 'node:crypto';
import { decodeBase64, decodeBase64Bytes } from '../../common/base64.js';
import { badUserInput, fileTooLarge } from '../../errors.js';
import { requirePresence, type UnreadRequest } from '../../http/request-body.js';
import { type DocumentFields, MAX_FIELD_BYTES } from './document-fields.js';
import { auditJson, notJson } from './json.js';

/**
 * Reads a document as JSON without having it in memory as a whole (docs/adr/0023): the first string that is longer than
 * a field may be is decoded as it comes; the rest is parsed with a mark in its place. Throws BAD_USER_INPUT,
 * INVALID_BASE64, FILE_TOO_LARGE.
 */
export async function* jsonContent(
  request: UnreadRequest,
  fields: DocumentFields,
  limits: { maxBytes: number; maxOverhead: number; tooMuchOverhead(): Error },
): AsyncGenerator<Buffer> {
  requirePresence(request);
  const cutter = new ContentCutter(limits);
  // Its own iterator would destroy the request, and the answer with it, when the reading ends early.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length;) {
      const { end, content } = cutter.read(chunk, at);
      if (content !== undefined && content.length > 0) yield content;
      at = end;
    }
  }
  const content = readFields(cutter, fields);
  if (content.length > 0) yield content;
}

/** Reads the fields of the rest; returns a content that was too short to be cut out. */
function readFields(cutter: ContentCutter, fields: DocumentFields): Buffer {
  const rest = cutter.rest();
  if (rest.length === 0) throw notJson();
  const { value, errors } = auditJson(rest);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badUserInput(['The body must be a JSON object']);
  }
  for (const error of errors) fields.refuse(error);
  if (errors.includes('content must not be given twice')) throw badUserInput(errors);
  let content: Buffer = NOTHING;
  for (const [name, field] of Object.entries(value)) {
    if (name === CUT) throw badUserInput([`A field name must not exceed ${MAX_FIELD_BYTES / 1024} KB`]);
    if (!fields.claim(name) || field === null) continue;
    if (typeof field !== 'string' && name === 'content') fields.refuseContent('content must be a string');
    else if (typeof field !== 'string') fields.refuse(`${name} must be a string`);
    else if (name === 'content') content = field === CUT ? cutter.ended() : decodeBase64(field);
    else if (field === CUT) throw badUserInput([`${name} must not exceed ${MAX_FIELD_BYTES / 1024} KB`]);
    else fields.setText(name, field);
  }
  return content;
}

/** Stands for what was cut out, and cannot be guessed. */
const CUT: string = randomUUID();
const NOTHING: Buffer = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;

class ContentCutter {
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  #inString = false;
  /** Whether the next byte of the string is escaped. */
  #isEscaped = false;
  /** The beginning of a string, until it ends or is longer than a field may be. */
  #string: Buffer[] = [];
  #stringBytes = 0;
  #state: 'looking' | 'cutting' | 'done' = 'looking';
  readonly #decoder: StringDecoder;

  constructor(private readonly limits: { maxBytes: number; maxOverhead: number; tooMuchOverhead(): Error }) {
    this.#decoder = new StringDecoder(limits.maxBytes);
  }

  /** Reads on from `at`, to the next quote or the end of the chunk; returns where it ended and what was decoded. */
  read(chunk: Buffer, at: number): { end: number; content?: Buffer } {
    if (!this.#inString) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote < 0 ? chunk.length : quote + 1;
      this.#keep(chunk.subarray(at, end));
      this.#inString = quote >= 0;
      this.#isEscaped = false;
      this.#stringBytes = 0;
      return { end };
    }
    const quote = this.#closingQuote(chunk, at);
    const end = quote < 0 ? chunk.length : quote;
    const content = this.#take(chunk.subarray(at, end));
    if (quote >= 0) this.#close();
    // The closing quote is read as what follows the string, which it does not open.
    if (quote >= 0) this.#keep(chunk.subarray(quote, quote + 1));
    return { end: quote < 0 ? end : quote + 1, content };
  }

  /** The body, with a mark where the content was. */
  rest(): Buffer {
    // A string that does not end is no JSON, which the parser says.
    return Buffer.concat([...this.#rest, ...this.#string]);
  }

  /** The last bytes of the content. Throws what was wrong with it. */
  ended(): Buffer {
    return this.#decoder.end();
  }

  #keep(piece: Buffer): void {
    this.#restBytes += piece.length;
    if (this.#restBytes > this.limits.maxOverhead) throw this.limits.tooMuchOverhead();
    this.#rest.push(Buffer.from(piece));
  }

  #take(piece: Buffer): Buffer | undefined {
    this.#stringBytes += piece.length;
    if (this.#state === 'cutting') {
      return this.#decoder.push(piece);
    }
    this.#string.push(Buffer.from(piece));
    if (this.#stringBytes <= MAX_FIELD_BYTES) return undefined;
    if (this.#state === 'done') return void this.#moveToRest();
    this.#state = 'cutting';
    const beginning = Buffer.concat(this.#string);
    this.#string = [];
    return this.#decoder.push(beginning);
  }

  #close(): void {
    this.#inString = false;
    if (this.#state !== 'cutting') return this.#moveToRest();
    this.#state = 'done';
    this.#keep(Buffer.from(CUT));
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

  constructor(private readonly maxBytes: number) {}

  push(piece: Buffer): Buffer | undefined {
    if (this.#error !== undefined) return undefined;
    // More can only be line breaks or too large a file.
    if (this.#received > 2 * this.maxBytes + MAX_FIELD_BYTES) throw fileTooLarge(this.maxBytes);
    try {
      return this.#decode(this.#unescape(piece));
    } catch (error) {
      this.#error = error;
      return undefined;
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
    if (piece.includes(LF) || piece.includes(CR)) throw notJson();
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
      throw notJson();
    }
  }
}

const PAD = 0x3d;
/** The last backslash, unless it is escaped itself, with less behind it than its escape has. */
const HALF_ESCAPE = /(?:^|[^\\])(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/;
