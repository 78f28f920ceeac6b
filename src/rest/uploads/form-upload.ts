import { isUtf8 } from 'node:buffer';
import { badUserInput } from '../../errors.js';
import { Base64Decoder } from './base64-decoder.js';
import { ByteCollector } from './byte-collector.js';
import type { ByteSource } from './byte-source.js';
import { PercentText } from './percent-text.js';
import { MAX_FIELD_BYTES, shownName, type UploadFields } from './upload-fields.js';

/**
 * Reads application/x-www-form-urlencoded as the URL standard does, the content piece by piece. A raw `+` means a space
 * there, and a space is not base64: a client that forgot to escape is told so instead of storing other bytes.
 */
export async function* readFormUpload(source: ByteSource, fields: UploadFields, maxContentBytes: number) {
  while ((await source.peek()) !== END) {
    const name = await readToken(source, ENDS_NAME, 'A field name');
    const hasValue = (await source.peek()) === EQUALS;
    if (hasValue) source.discard(1);
    if (name.length > 0 || hasValue) {
      const key = decoded(name, 'A field name');
      if (key === 'content') yield* readContent(source, fields, maxContentBytes);
      else await readField(source, fields, key);
    }
    if ((await source.peek()) === AMPERSAND) source.discard(1);
  }
}

const END = -1;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const ENDS_NAME = [AMPERSAND, EQUALS];
const ENDS_VALUE = [AMPERSAND];

async function readField(source: ByteSource, fields: UploadFields, name: string): Promise<void> {
  const wanted = fields.claim(name);
  const text = decoded(await readToken(source, ENDS_VALUE, shownName(name)), shownName(name));
  if (wanted) fields.setText(name, text);
}

async function* readContent(source: ByteSource, fields: UploadFields, maxContentBytes: number): AsyncGenerator<Buffer> {
  fields.claim('content');
  const decoder = new Base64Decoder(maxContentBytes);
  const escapes = new PercentText();
  while ((await source.peek()) !== END && source.buffer[source.at] !== AMPERSAND) {
    const end = source.buffer.indexOf(AMPERSAND, source.at);
    const raw = source.buffer.subarray(source.at, end < 0 ? source.buffer.length : end);
    const text = end < 0 ? escapes.read(raw) : escapes.readLast(raw);
    source.at += escapes.taken;
    const bytes = decoder.push(text);
    if (bytes.length > 0) yield bytes;
    // Half an escape is left: when the body ends with it, it stands for itself and is no base64.
    if (escapes.taken < raw.length && !(await source.more())) decoder.push(raw.subarray(escapes.taken));
  }
  const last = decoder.end();
  if (last.length > 0) yield last;
}

/** The raw bytes up to one of `ends` or the end of the body. `what` names them when they are too many. */
async function readToken(source: ByteSource, ends: readonly number[], what: string): Promise<Buffer> {
  const collected = new ByteCollector();
  while (await source.ensure(1)) {
    const rest = source.buffer.subarray(source.at);
    const found = ends.map((end) => rest.indexOf(end)).filter((at) => at >= 0);
    const piece = rest.subarray(0, Math.min(rest.length, ...found));
    if (collected.length + piece.length > MAX_FIELD_BYTES) throw badUserInput([`${what} must not exceed 64 KB`]);
    collected.add(piece);
    source.discard(piece.length);
    if (found.length > 0) break;
  }
  return collected.bytes();
}

function decoded(raw: Buffer, what: string): string {
  const text = new PercentText().readLast(raw);
  if (!isUtf8(text)) throw badUserInput([`${what} must be valid UTF-8`]);
  return text.toString();
}
