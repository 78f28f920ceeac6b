import { isUtf8 } from 'node:buffer';
import { decodeBase64, decodeBase64Bytes } from '../../common/base64.js';
import type { FileFacts, IncomingFile } from '../../common/incoming-file.js';
import { badUserInput, DomainError, fileTooLarge, invalidData } from '../../errors.js';
import { MAX_FIELD_BYTES } from '../../http/json-content.js';
import { isLargeBody, readBytes, type LargeBodies, type UnreadRequest } from '../../http/request-body.js';
import { DocumentFields, MAX_FIELDS } from './document-fields.js';
import { requireMediaType } from './headers.js';
import { shownName } from './json.js';
import { jsonContent } from './json-document.js';
import { collected, readForm } from './multipart.js';

/** Where a large body waits for its turn, and for which user. */
interface BodyPlaces {
  largeBodies: LargeBodies;
  userId: string;
}

/**
 * A document version in a request (specification 4.2), in any of three content types. Nothing is read or thrown before
 * `bytes` is iterated: the caller is authorized first. `maxBytes` counts decoded bytes; the consumer counts them as well.
 */
export function incomingDocument(request: UnreadRequest, maxBytes: number, places: BodyPlaces): IncomingFile {
  const fields = new DocumentFields();
  return fileOf(async function* () {
    let received = 0;
    for await (const piece of documentContent(request, fields, maxBytes, places)) {
      received += piece.length;
      yield piece;
    }
    fields.contentEnded(received);
    return () => fields.facts();
  });
}

/**
 * An incident attachment (specification 4.3) or a logo in a request: multipart with exactly one part, a file of this
 * name; anything else is INVALID_DATA. The consumer counts the bytes.
 */
export function incomingPart(name: string, request: UnreadRequest): IncomingFile {
  return fileOf(async function* () {
    try {
      return yield* onlyPart(name, request);
    } catch (error) {
      throw error instanceof DomainError ? invalidData() : error;
    }
  });
}

/** Yields the content; returns what gives its facts. */
type Reading = AsyncGenerator<Uint8Array, () => FileFacts>;

/** A file whose bytes are read once; its facts are known, or fail as they did, when they were read to their end. */
function fileOf(read: () => Reading): IncomingFile {
  let facts = (): FileFacts => {
    throw new Error('The content was not read to its end');
  };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      facts = yield* read();
    } catch (error) {
      facts = () => {
        throw error;
      };
      throw error;
    }
  }
  return { bytes: bytes(), facts: async () => facts() };
}

/** Bytes of everything in a body that is not its content. */
const MAX_OVERHEAD = 256 * 1024;
const tooMuchOverhead = () =>
  badUserInput([`The body must not hold more than ${MAX_OVERHEAD / 1024} KB besides the content`]);
const OVERHEAD_LIMITS = { maxOverhead: MAX_OVERHEAD, tooLarge: tooMuchOverhead };
const FORM_LIMITS = { maxParts: MAX_FIELDS, ...OVERHEAD_LIMITS };

async function* onlyPart(name: string, request: UnreadRequest): Reading {
  requireMediaType(request.headers, ['multipart/form-data']);
  let facts: FileFacts | undefined;
  let received = 0;
  for await (const part of readForm(request, FORM_LIMITS)) {
    if (facts || part.name !== name || !part.isFile) throw invalidData();
    facts = part.facts();
    for await (const piece of part.content()) {
      received += piece.length;
      yield piece;
    }
  }
  const known = facts;
  if (!known || received === 0) throw invalidData();
  return () => known;
}

const DOCUMENT_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

async function* documentContent(
  request: UnreadRequest,
  fields: DocumentFields,
  maxBytes: number,
  places: BodyPlaces,
): AsyncGenerator<Uint8Array> {
  const type = requireMediaType(request.headers, DOCUMENT_TYPES);
  if (type === 'multipart/form-data') return yield* formContent(request, fields, maxBytes, places);
  if (type === 'application/json') return yield* jsonContent(request, fields, { maxBytes, ...OVERHEAD_LIMITS });
  const limit = longestBase64(maxBytes) + MAX_OVERHEAD;
  yield* inOnePiece(request, places, async () => {
    const body = await readBytes(request, limit, () => fileTooLarge(maxBytes));
    return () => urlencodedContent(body, fields);
  });
}

/** Bytes of base64 in a form: four for three, and a third of them escaped by three. */
function longestBase64(maxBytes: number): number {
  return 3 * maxBytes;
}

/** A content that has to be in memory as a whole: it keeps its place until it was taken. */
async function* inOnePiece(
  request: UnreadRequest,
  { largeBodies, userId }: BodyPlaces,
  read: () => Promise<() => Buffer>,
): AsyncGenerator<Uint8Array> {
  const release = isLargeBody(request) ? await largeBodies.enter(userId) : () => undefined;
  try {
    const content = await largeBodies.parse(await read());
    if (content.length > 0) yield content;
  } finally {
    release();
  }
}

async function* formContent(
  request: UnreadRequest,
  fields: DocumentFields,
  maxBytes: number,
  places: BodyPlaces,
): AsyncGenerator<Uint8Array> {
  for await (const part of readForm(request, FORM_LIMITS)) {
    if (part.isFile && (part.name === 'content' || part.name === 'file')) {
      fields.claim('content');
      fields.offer(part.facts());
      yield* part.content();
    } else if (part.name === 'content') {
      fields.claim('content');
      yield* inOnePiece(request, places, async () => {
        const text = await collected(part.content(), longestBase64(maxBytes), () => fileTooLarge(maxBytes));
        return () => decodeBase64Bytes(text);
      });
    } else if (fields.claim(part.name)) {
      if (part.isFile) fields.refuse(`${part.name} must be a text field`);
      else fields.setText(part.name, await part.text(MAX_FIELD_BYTES));
    }
  }
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Reads as the URL standard does: a raw `+` is a space, which is not base64 and is refused. */
function urlencodedContent(body: Buffer, fields: DocumentFields): Buffer {
  if (!isUtf8(body)) throw badUserInput(['The body is not valid UTF-8']);
  const pairs = body.toString().split('&', MAX_OVERHEAD);
  const longest = pairs.reduce((most, pair) => Math.max(most, pair.length), 0);
  if (body.length - longest > MAX_OVERHEAD) throw tooMuchOverhead();
  let content: Buffer = NOTHING;
  for (const pair of pairs) {
    for (const [name, text] of new URLSearchParams(pair)) {
      requireUnicode('A field name', name, pair);
      if (!fields.claim(name)) continue;
      if (name === 'content') content = decodeBase64(text);
      else fields.setText(name, requireUnicode(shownName(name), text, pair));
    }
  }
  return content;
}

/** Escapes that are not UTF-8 are decoded to replacement characters. */
function requireUnicode(name: string, text: string, escaped: string): string {
  const isReplaced = text.includes('\uFFFD') && !/%EF%BF%BD|\uFFFD/i.test(escaped);
  if (isReplaced) throw badUserInput([`${name} must be valid UTF-8`]);
  return text;
}
