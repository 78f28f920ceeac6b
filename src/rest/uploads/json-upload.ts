import { isUtf8 } from 'node:buffer';
import { badUserInput } from '../../errors.js';
import { Base64Decoder } from './base64-decoder.js';
import { ByteCollector } from './byte-collector.js';
import type { ByteSource } from './byte-source.js';
import { JsonExtent } from './json-extent.js';
import { notJson, readJsonContent } from './json-content.js';
import { MAX_FIELD_BYTES, shownName, type UploadFields } from './upload-fields.js';

/**
 * Cuts the content out of a JSON body as bytes and decodes it piece by piece: neither the body nor the content ever
 * stands in memory whole. A UTF-8 byte order mark is accepted (RFC 8259, section 8.1, leaves that to the reader).
 */
export async function* readJsonUpload(source: ByteSource, fields: UploadFields, maxContentBytes: number) {
  await skipByteOrderMark(source);
  let token = await nextToken(source);
  if (token !== OPEN) throw OTHER_VALUES.has(token) ? badUserInput(['The body must be a JSON object']) : notJson();
  source.discard(1);
  token = await nextToken(source);
  while (token !== CLOSE) {
    const name = await readName(source);
    if (name === 'content' && (await nextToken(source)) === QUOTE) {
      fields.claim(name);
      source.discard(1);
      yield* readJsonContent(source, new Base64Decoder(maxContentBytes));
    } else await readField(source, fields, name);
    token = await nextToken(source);
    if (token !== COMMA && token !== CLOSE) throw notJson();
    if (token === CLOSE) break;
    source.discard(1);
    if ((await nextToken(source)) !== QUOTE) throw notJson();
  }
  source.discard(1);
  if ((await nextToken(source)) !== END) throw notJson();
}

const END = -1;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OTHER_VALUES = new Set(Buffer.from('["-0123456789tfn'));
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

async function skipByteOrderMark(source: ByteSource): Promise<void> {
  if ((await source.peek()) !== BYTE_ORDER_MARK[0]) return;
  if (!(await source.ensure(3)) || !source.buffer.subarray(source.at, source.at + 3).equals(BYTE_ORDER_MARK)) return;
  source.discard(3);
}

/** Passes over white space and tells the byte that follows it, -1 at the end. */
async function nextToken(source: ByteSource): Promise<number> {
  for (;;) {
    const byte = await source.peek();
    if (!isSpace(byte)) return byte;
    let end = source.at + 1;
    while (end < source.buffer.length && isSpace(source.buffer[end]!)) end++;
    source.discard(end - source.at);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

async function readName(source: ByteSource): Promise<string> {
  if ((await source.peek()) !== QUOTE) throw notJson();
  const name = parse(await readValue(source, 'A field name'));
  if ((await nextToken(source)) !== COLON) throw notJson();
  source.discard(1);
  await nextToken(source);
  return String(name);
}

async function readField(source: ByteSource, fields: UploadFields, name: string): Promise<void> {
  const wanted = fields.claim(name);
  const value = parse(await readValue(source, shownName(name)));
  if (!wanted || value === null) return;
  if (typeof value === 'string') fields.setText(name, value);
  else if (name === 'content') fields.refuseContent('content must be a string');
  else fields.refuse(`${name} must be a string`);
}

/** The text of one JSON value, nested or not, that is not the content. `what` names it when it is too long. */
async function readValue(source: ByteSource, what: string): Promise<Buffer> {
  const extent = new JsonExtent();
  const collected = new ByteCollector();
  while (await source.ensure(1)) {
    const end = extent.scan(source.buffer, source.at);
    const piece = source.buffer.subarray(source.at, end);
    if (collected.length + piece.length > MAX_FIELD_BYTES) throw badUserInput([`${what} must not exceed 64 KB`]);
    collected.add(piece);
    source.discard(piece.length);
    if (extent.complete) return collected.bytes();
  }
  throw notJson();
}

function parse(text: Buffer): unknown {
  if (!isUtf8(text)) throw badUserInput(['The body is not valid UTF-8']);
  try {
    return JSON.parse(text.toString());
  } catch {
    throw notJson();
  }
}
