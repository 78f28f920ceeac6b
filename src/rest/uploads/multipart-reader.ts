import { badUserInput } from '../../errors.js';
import type { ByteSource } from './byte-source.js';
import { readPartHead, type PartHead } from './part-head.js';
import { MAX_FIELDS } from './upload-fields.js';

/**
 * Cuts multipart/form-data (RFC 7578, RFC 2046 section 5.1) by its boundary. Pieces of a part's body are views of what
 * the socket delivered: nothing is copied but half a boundary at a chunk's edge. Written for the content of a document,
 * which other parsers either hold as a whole (a text field) or copy twice (a file).
 */
export class MultipartReader {
  readonly #delimiter: Buffer;
  #inBody = true;
  #parts = 0;

  constructor(
    private readonly source: ByteSource,
    boundary: string | undefined,
    private readonly maxParts = MAX_FIELDS,
  ) {
    if (boundary === undefined || !BOUNDARY.test(boundary)) throw notMultipart();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    // The first delimiter needs no line break before it. With one in front of the body it looks like all others, and
    // what comes before it, the preamble, like the body of a part that nobody asked for.
    source.buffer = Buffer.from('\r\n');
  }

  /** The next part; its body has to be read by `body` or is passed over. Undefined after the closing delimiter. */
  async next(): Promise<PartHead | undefined> {
    for await (const piece of this.body()) this.source.spend(piece.length);
    this.source.spend(this.#delimiter.length);
    if (!(await this.source.ensure(2))) throw notMultipart();
    if (this.source.buffer.readUInt16BE(this.source.at) === TWO_DASHES) return this.#epilogue();
    if (++this.#parts > this.maxParts) throw badUserInput([`The body must not hold more than ${this.maxParts} parts`]);
    const head = await readPartHead(this.source);
    this.#inBody = !(await this.#bodyIsAbsent());
    return head;
  }

  /** The bytes of the part that `next` announced. */
  async *body(): AsyncGenerator<Buffer> {
    const { source } = this;
    while (this.#inBody) {
      const { buffer, at } = source;
      const found = buffer.indexOf(this.#delimiter, at);
      const end = found < 0 ? this.#halfDelimiter(buffer, at) : found;
      source.at = found < 0 ? end : found + this.#delimiter.length;
      this.#inBody = found < 0;
      if (end > at) yield buffer.subarray(at, end);
      if (this.#inBody && !(await source.more())) throw notMultipart();
    }
  }

  /** A part may have no body at all: then the line break of its blank line is the delimiter's (RFC 2046). */
  async #bodyIsAbsent(): Promise<boolean> {
    const { source } = this;
    const dashed = this.#delimiter.subarray(2);
    if (!(await source.ensure(dashed.length))) return false;
    if (source.buffer.compare(dashed, 0, dashed.length, source.at, source.at + dashed.length) !== 0) return false;
    source.at += dashed.length;
    return true;
  }

  /** Where a delimiter may begin whose rest is still on the wire; the end of the window when none does. */
  #halfDelimiter(buffer: Buffer, from: number): number {
    const first = Math.max(from, buffer.length - this.#delimiter.length + 1);
    for (let at = buffer.indexOf(CR, first); at >= 0; at = buffer.indexOf(CR, at + 1)) {
      if (buffer.compare(this.#delimiter, 0, buffer.length - at, at) === 0) return at;
    }
    return buffer.length;
  }

  async #epilogue(): Promise<undefined> {
    do this.source.discard(this.source.unread);
    while (await this.source.more());
    return undefined;
  }
}

export const notMultipart = () => badUserInput(['The body is not valid multipart form data']);

const CR = 0x0d;
const TWO_DASHES = 0x2d2d;
// RFC 2046, section 5.1.1: at most 70 characters, the last no space. Any visible one is let through, as everywhere.
const BOUNDARY = /^[ -~]{0,69}[!-~]$/;
