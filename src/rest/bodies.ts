import { badUserInput, fileTooLarge } from '../errors.js';
import type { FileFacts, IncomingFile } from '../vocabulary/incoming-file.js';
import { BracketFields } from './uploads/bracket-fields.js';
import { ByteCollector } from './uploads/byte-collector.js';
import { ByteSource } from './uploads/byte-source.js';
import { parseHeaderValue, type HeaderValue } from './uploads/header-value.js';
import { MultipartReader } from './uploads/multipart-reader.js';
import { factsOf, readPartText } from './uploads/multipart-upload.js';
import type { PartHead } from './uploads/part-head.js';
import { bodyOf, refuseEncoded, type UploadRequest } from './uploads/request-body.js';
import { parseStrictJson } from './uploads/strict-json.js';
import { shownName } from './uploads/upload-fields.js';

/** `maxBytes` bounds everything but the logo; `maxDepth` counts objects and arrays inside one another. */
export interface BodyLimits {
  maxBytes?: number;
  maxDepth?: number;
  /** Media types that are taken; `application/json` when absent. */
  types?: readonly string[];
}

export interface OrganizationBody {
  /** The fields of specification 2.2 as sent: names in the wire spelling, values of whatever type came. */
  fields: Record<string, unknown>;
  /** The file part `logo` of a multipart body, at most 1 MB, already in memory. */
  logo?: IncomingFile;
}

/** Reads a JSON body. Throws BAD_USER_INPUT with every fault: see `parseStrictJson` for what JSON.parse would forgive. */
export async function readJsonBody(request: UploadRequest, limits: BodyLimits = {}): Promise<unknown> {
  refuseEncoded(request.headers);
  const type = parseHeaderValue(request.headers['content-type']);
  const { types = ['application/json'] } = limits;
  if (type === undefined || !types.includes(type.value)) {
    throw badUserInput([`Content-Type must be ${types.join(' or ')}`]);
  }
  return readJson(request, type, limits);
}

/** Reads the body of POST /api/v1/organizations (specification 4.1, decisions §5) from JSON or multipart. */
export async function readOrganizationBody(request: UploadRequest, limits: BodyLimits = {}): Promise<OrganizationBody> {
  refuseEncoded(request.headers);
  const type = parseHeaderValue(request.headers['content-type']);
  if (type?.value === 'application/json') return { fields: asObject(await readJson(request, type, limits)) };
  if (type?.value === 'multipart/form-data') return new OrganizationForm(request, type, limits).read();
  throw badUserInput(['Content-Type must be application/json or multipart/form-data']);
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;
/** Decisions §5: 1 MB at most, as bytes. */
const MAX_LOGO_BYTES = 1024 * 1024;
/** All sectors and industries of specification 2.2 in brackets, with room for contacts, domains and addresses. */
const MAX_PARTS = 2000;

function sourceOf(request: UploadRequest, maxBytes: number): ByteSource {
  const figure = maxBytes % MAX_BODY_BYTES === 0 ? `${maxBytes / MAX_BODY_BYTES} MB` : `${maxBytes} bytes`;
  return new ByteSource(bodyOf(request), maxBytes, () => badUserInput([`The body must not exceed ${figure}`]));
}

async function readJson(request: UploadRequest, type: HeaderValue, limits: BodyLimits): Promise<unknown> {
  const charset = type.parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw badUserInput(['The charset of Content-Type must be utf-8']);
  const source = sourceOf(request, limits.maxBytes ?? MAX_BODY_BYTES);
  const collected = new ByteCollector();
  try {
    while (await source.ensure(1)) {
      const piece = source.buffer.subarray(source.at);
      source.discard(piece.length);
      collected.add(piece);
    }
  } finally {
    await source.stop();
  }
  return parseStrictJson(collected.bytes(), limits.maxDepth ?? MAX_DEPTH);
}

function asObject(value: unknown, what = 'The body'): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) throw badUserInput([`${what} must be a JSON object`]);
  return value as Record<string, unknown>;
}

/** The multipart form: a part `data` that is one JSON document, or fields `data[…]`; and a file part `logo`. */
class OrganizationForm {
  readonly #faults = new Set<string>();
  readonly #brackets = new BracketFields(this.#faults);
  readonly #source: ByteSource;
  readonly #reader: MultipartReader;
  readonly #maxBytes: number;
  readonly #maxDepth: number;
  #hasBrackets = false;
  #document: string | undefined;
  #logo: IncomingFile | undefined;

  constructor(request: UploadRequest, type: HeaderValue, limits: BodyLimits) {
    this.#maxBytes = limits.maxBytes ?? MAX_BODY_BYTES;
    this.#maxDepth = limits.maxDepth ?? MAX_DEPTH;
    this.#source = sourceOf(request, this.#maxBytes);
    this.#reader = new MultipartReader(this.#source, type.parameters.get('boundary'), MAX_PARTS);
  }

  async read(): Promise<OrganizationBody> {
    try {
      for (let part = await this.#reader.next(); part; part = await this.#reader.next()) await this.#take(part);
    } finally {
      await this.#source.stop();
    }
    if (this.#hasBrackets && this.#document !== undefined) {
      this.#faults.add('data must be either one JSON document or fields in brackets, not both');
    }
    const fields = this.#fields();
    if (this.#faults.size > 0) throw badUserInput([...this.#faults]);
    return this.#logo ? { fields, logo: this.#logo } : { fields };
  }

  #fields(): Record<string, unknown> {
    const bracketed = this.#brackets.value();
    if (this.#document === undefined || this.#faults.size > 0) return bracketed;
    return asObject(parseStrictJson(Buffer.from(this.#document), this.#maxDepth), 'data');
  }

  async #take(part: PartHead): Promise<void> {
    if (part.name === 'logo' && part.isFile) return this.#takeLogo(part);
    // A document may come as a file part as well: `curl -F 'data=@organization.json'` sends it so.
    if (part.name === 'data') return this.#takeDocument();
    if (part.isFile || !BracketFields.matches(part.name)) return this.#refuse(part);
    this.#hasBrackets = true;
    this.#brackets.add(part.name, await this.#text(part.name));
  }

  async #takeDocument(): Promise<void> {
    const text = await this.#text('data');
    if (this.#document !== undefined) this.#faults.add('data must not be given twice');
    this.#document = text;
  }

  #refuse(part: PartHead): void {
    const known = part.name === 'logo' || BracketFields.matches(part.name);
    const wanted = part.name === 'logo' ? 'must be a file part' : 'must be a text field';
    this.#faults.add(`${shownName(part.name)} ${known ? wanted : 'is not a known field'}`);
  }

  async #takeLogo(part: PartHead): Promise<void> {
    const collected = new ByteCollector();
    for await (const piece of this.#reader.body()) {
      if (collected.length + piece.length > MAX_LOGO_BYTES) throw fileTooLarge(MAX_LOGO_BYTES);
      collected.add(piece);
    }
    if (this.#logo) this.#faults.add('logo must not be given twice');
    // A browser sends an empty file without a name for a file input that was left alone.
    if (collected.length === 0 && part.filename === '') return;
    if (collected.length === 0) this.#faults.add('logo must not be empty');
    this.#logo = buffered(collected.bytes(), factsOf(part));
  }

  #text(name: string): Promise<string> {
    return readPartText(this.#source, this.#reader, shownName(name), this.#maxBytes);
  }
}

function buffered(content: Buffer, facts: FileFacts): IncomingFile {
  const bytes = {
    async *[Symbol.asyncIterator]() {
      yield content;
    },
  };
  return { bytes, facts: () => Promise.resolve(facts) };
}
