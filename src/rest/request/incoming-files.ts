import { isUtf8 } from 'node:buffer';
import { collected } from '../../common/collected.js';
import { decodeBase64, decodeBase64Bytes } from '../../common/base64.js';
import type { FileFacts, IncomingFile } from '../../storage/incoming-file.js';
import { shownName } from '../../common/shown-name.js';
import { badUserInput, DomainError, fileTooLarge, invalidData, missingContent, notJson } from '../../errors.js';
import { ContentCutter, cutContents, markOf, MAX_FIELD_BYTES } from '../../http/json-content.js';
import { auditJson, MAX_DEPTH, textError } from '../../common/json-text.js';
import { readForm } from '../../http/multipart.js';
import {
  isLargeBody,
  type LargeBodies,
  objectIn,
  readBytes,
  requirePresence,
  type UnreadRequest,
} from '../../http/request-body.js';
import { malformedPairs } from '../../http/target.js';
import { requireMediaType } from '../../http/media-type.js';
import { documentErrors } from '../../values/document-facts.js';

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
      if (piece.length > 0) yield piece;
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

/** A file of this media type that is the whole body, or the only part of a form, which is called `file`. */
export function incomingFile(request: UnreadRequest, type: string): IncomingFile {
  return fileOf(async function* () {
    if (requireMediaType(request.headers, [type, 'multipart/form-data']) !== type)
      return yield* onlyPart('file', request);
    requirePresence(request);
    let received = 0;
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      received += piece.length;
      yield piece;
    }
    if (received === 0) throw missingContent();
    return () => ({});
  });
}

/** The file with bytes that may be iterated again once they were read to their end: they stay in memory meanwhile. */
export function repeatable(file: IncomingFile): IncomingFile {
  const read: Uint8Array[] = [];
  let isWhole = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    if (isWhole) return yield* read;
    for await (const piece of file.bytes) {
      read.push(piece);
      yield piece;
    }
    isWhole = true;
  }
  return { bytes: { [Symbol.asyncIterator]: pieces }, facts: () => file.facts() };
}

/** Yields the content; returns a function for its facts. */
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

const NOTHING: Buffer = Buffer.alloc(0);

/** More fields or parts end the reading of a body. */
const MAX_FIELDS = 32;
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
    facts = part.facts;
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

/** Bytes of base64 in a form: four for three, each of them escaped by three, and a line break after every 64. */
function longestBase64(maxBytes: number): number {
  return 4 * maxBytes + 6 * Math.ceil(maxBytes / 48);
}

/** Content that must be in memory as a whole: it occupies a place until it was consumed. */
async function* inOnePiece(
  request: UnreadRequest,
  { largeBodies, userId }: BodyPlaces,
  read: () => Promise<() => Buffer>,
): AsyncGenerator<Uint8Array> {
  const release = isLargeBody(request) ? await largeBodies.enter(userId) : () => undefined;
  try {
    yield await largeBodies.parse(await read());
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
      fields.offer(part.facts);
      yield* part.content();
    } else if (part.name === 'content') {
      fields.claim('content');
      yield* inOnePiece(request, places, async () => {
        const text = await collected(part.content(), longestBase64(maxBytes), () => fileTooLarge(maxBytes));
        return () => decodeBase64Bytes(text);
      });
    } else if (part.name === 'file') {
      fields.refuseContent('file must be a file part');
    } else if (fields.claim(part.name)) {
      if (part.isFile) fields.refuse(`${part.name} must be a text field`);
      else fields.setText(part.name, await part.text(MAX_FIELD_BYTES));
    }
  }
}

/** Reads as the URL standard does: a raw `+` is a space, which is not base64 and is refused. */
function urlencodedContent(body: Buffer, fields: DocumentFields): Buffer {
  if (!isUtf8(body)) throw badUserInput(['The body is not valid UTF-8']);
  const pairs = body.toString('latin1').split('&', MAX_OVERHEAD);
  const longest = pairs.reduce((most, pair) => Math.max(most, pair.length), 0);
  if (body.length - longest > MAX_OVERHEAD) throw tooMuchOverhead();
  let content: Buffer = NOTHING;
  for (const pair of pairs) {
    for (const [name, text] of new URLSearchParams(Buffer.from(pair, 'latin1').toString())) {
      if (name !== CONTENT && malformedPairs(pair).length > 0)
        throw badUserInput([`${shownName(name)} must be valid UTF-8`]);
      if (!fields.claim(name)) continue;
      if (name === 'content') content = decodeBase64(text);
      else fields.setText(name, text);
    }
  }
  return content;
}

/**
 * Reads a document as JSON without having it in memory as a whole (docs/adr/0023): the first string that is longer than
 * a field may be is decoded as it comes; the rest is parsed with a mark in its place. Throws BAD_USER_INPUT,
 * INVALID_BASE64, FILE_TOO_LARGE.
 */
async function* jsonContent(
  request: UnreadRequest,
  fields: DocumentFields,
  limits: { maxBytes: number; maxOverhead: number; tooLarge(): Error },
): AsyncGenerator<Buffer> {
  const cutter = new ContentCutter({ ...limits, contents: 1 });
  for await (const { content } of cutContents(request, cutter)) yield content;
  yield readFields(cutter, fields);
}

/** Reads the fields of the rest; returns a content that was too short to be cut out. */
function readFields(cutter: ContentCutter, fields: DocumentFields): Buffer {
  const rest = cutter.rest();
  if (rest.length === 0) throw notJson();
  const { value, errors } = auditJson(rest, { maxDepth: MAX_DEPTH });
  const given = objectIn(value);
  for (const error of errors) fields.refuse(error);
  if (errors.includes('content must not be given twice')) throw badUserInput(errors);
  const cut = markOf(0);
  let content: Buffer = NOTHING;
  for (const [name, field] of Object.entries(given)) {
    if (name === cut) throw badUserInput([`A field name must not exceed ${MAX_FIELD_BYTES / 1024} KB`]);
    if (!fields.claim(name) || field === null) continue;
    if (typeof field !== 'string' && name === 'content') fields.refuseContent('content must be a string');
    else if (typeof field !== 'string') fields.refuse(`${name} must be a string`);
    else if (name === 'content') content = field === cut ? cutter.ended(0) : decodeBase64(field);
    else fields.setText(name, field);
  }
  return content;
}

/**
 * The fields of a document upload (specification 4.2) with what is wrong with them, which is reported after the content
 * was read: missing content comes first, broken base64 second, the fields last.
 */
class DocumentFields {
  readonly #errors = new Set<string>();
  readonly #given = new Set<string>();
  readonly #texts = new Map<string, string>();
  #offered: FileFacts = {};
  #contentRefused = false;

  /** Announces a field; true when its value is wanted. A second content is refused at once: it may be another one. */
  claim(name: string): boolean {
    if (this.#given.has(name)) {
      this.refuse(`${shownName(name)} must not be given twice`);
      if (name === CONTENT) throw badUserInput([...this.#errors]);
      return false;
    }
    this.#given.add(name);
    if (this.#given.size > MAX_FIELDS) throw badUserInput([`The body must not hold more than ${MAX_FIELDS} fields`]);
    if (KNOWN.has(name)) return true;
    this.refuse(`${shownName(name)} is not a known field`);
    return false;
  }

  /** Collects messages, which are reported together. */
  refuse(message: string): void {
    this.#errors.add(message);
  }

  /** A content of the wrong type: it is there, so it is not missing. */
  refuseContent(message: string): void {
    this.#contentRefused = true;
    this.refuse(message);
  }

  /** Sets the text of a claimed field. */
  setText(name: string, text: string): void {
    if (Buffer.byteLength(text) > MAX_FIELD_BYTES) {
      throw badUserInput([`${name} must not exceed ${MAX_FIELD_BYTES / 1024} KB`]);
    }
    const error = textError(text);
    if (error) this.refuse(`${name} ${error}`);
    else this.#texts.set(name, text);
  }

  /** Takes the facts of a file part for fields that were not sent. */
  offer(facts: FileFacts): void {
    this.#offered = facts;
    for (const [key, text] of Object.entries(facts)) {
      const error = textError(String(text));
      if (error) this.refuse(`${key === 'contentType' ? 'content_type' : key} ${error}`);
    }
  }

  /** Called when the content has ended after so many decoded bytes. */
  contentEnded(received: number): void {
    if (received > 0) return;
    throw this.#contentRefused ? this.#refusal() : missingContent();
  }

  /** Throws BAD_USER_INPUT with every error. */
  facts(): FileFacts {
    if (this.#errors.size > 0) throw this.#refusal();
    return this.#said();
  }

  #said(): FileFacts {
    const { filename, contentType } = this.#offered;
    // A form may leave a field empty.
    const said = (name: string, offered?: string) => this.#texts.get(name) || (offered ?? this.#texts.get(name));
    const facts = {
      filename: said('filename', filename),
      contentType: said('content_type', contentType),
      source: said('source'),
    };
    return Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== undefined));
  }

  /** Of a field that was refused it is not said as well that it is missing. */
  #refusal(): DomainError {
    const refused = new Set([...this.#errors].map((message) => message.split(' ', 1)[0]));
    const others = documentErrors(this.#said()).filter(({ field }) => !refused.has(field));
    return badUserInput([...this.#errors, ...others.map(({ field, sentence }) => `${field} ${sentence}`)]);
  }
}

const CONTENT = 'content';
const KNOWN = new Set(['filename', CONTENT, 'content_type', 'source']);
