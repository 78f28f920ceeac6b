import { isUtf8 } from 'node:buffer';
import { badUserInput, invalidData } from '../../errors.js';
import type { FileFacts } from '../../vocabulary/incoming-file.js';
import { Base64Decoder } from './base64-decoder.js';
import { ByteCollector } from './byte-collector.js';
import type { ByteSource } from './byte-source.js';
import { MultipartReader } from './multipart-reader.js';
import type { PartHead } from './part-head.js';
import { MAX_FIELD_BYTES, shownName, type UploadFields } from './upload-fields.js';

/**
 * A document as multipart (decisions §6): the fields of the JSON form, or the bytes as a file part `content` or `file`,
 * whose own file name and type stand where no field says otherwise.
 */
export async function* readMultipartUpload(
  source: ByteSource,
  boundary: string | undefined,
  fields: UploadFields,
  maxContentBytes: number,
) {
  const reader = new MultipartReader(source, boundary);
  for (let part = await reader.next(); part; part = await reader.next()) {
    if (part.isFile && FILE_PARTS.has(part.name)) {
      fields.claim('content');
      fields.offer(factsOf(part));
      yield* reader.body();
    } else if (part.name === 'content') {
      fields.claim('content');
      yield* decoded(reader.body(), new Base64Decoder(maxContentBytes));
    } else await readField(source, reader, part, fields);
  }
}

/** Exactly one part, a file of this name. `told` hears what the part says of itself. */
export async function* readOnlyFile(
  name: string,
  source: ByteSource,
  boundary: string | undefined,
  told: (facts: FileFacts) => void,
) {
  const reader = new MultipartReader(source, boundary);
  const part = await reader.next();
  if (part?.name !== name || !part.isFile) throw invalidData();
  told(factsOf(part));
  yield* reader.body();
  if (await reader.next()) throw invalidData();
}

/** The text of a part that is no content; `what` names it when it is too long or not UTF-8. */
export async function readPartText(source: ByteSource, reader: MultipartReader, what: string, maxBytes: number) {
  const collected = new ByteCollector();
  for await (const piece of reader.body()) {
    source.spend(piece.length);
    if (collected.length + piece.length > maxBytes)
      throw badUserInput([`${what} must not exceed ${maxBytes / 1024} KB`]);
    collected.add(piece);
  }
  if (!isUtf8(collected.bytes())) throw badUserInput([`${what} must be valid UTF-8`]);
  return collected.bytes().toString();
}

const FILE_PARTS = new Set(['content', 'file']);

async function readField(source: ByteSource, reader: MultipartReader, part: PartHead, fields: UploadFields) {
  const wanted = fields.claim(part.name);
  if (wanted && part.isFile) fields.refuse(`${part.name} must be a text field`);
  if (!wanted || part.isFile) return;
  fields.setText(part.name, await readPartText(source, reader, shownName(part.name), MAX_FIELD_BYTES));
}

async function* decoded(pieces: AsyncIterable<Buffer>, decoder: Base64Decoder): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const bytes = decoder.push(piece);
    if (bytes.length > 0) yield bytes;
  }
  const last = decoder.end();
  if (last.length > 0) yield last;
}

/** What the head of a part says of its file; nothing of what it does not say. */
export function factsOf({ filename, contentType }: PartHead): FileFacts {
  return { ...(filename !== undefined && { filename }), ...(contentType !== undefined && { contentType }) };
}
