import Upload from 'graphql-upload/Upload.mjs';
import { createReadStream } from 'node:fs';
import { parseJson } from '../common/json-text.js';
import { shownName } from '../common/shown-name.js';
import { badUserInput, DomainError, fileTooLarge, missingContent } from '../errors.js';
import { readForm, type FormPart } from '../http/multipart.js';
import { ClientLeft, objectIn, SMALL_BODY, type UnreadRequest } from '../http/request-body.js';
import type { BlobStore, StagedBlob } from '../storage/blob-store.js';
import { LIMITS } from '../values/limits.js';

export const MAX_FILES = 5;
/** Bytes that are received of one: where it is larger than any field takes, the field says so. */
const MAX_FILE = LIMITS.attachment.maxBytes + 1;
const FORM_LIMITS = {
  maxParts: 2 + MAX_FILES,
  maxOverhead: 2 * SMALL_BODY + 64 * 1024,
  tooLarge: () => badUserInput([`operations and map must not exceed ${SMALL_BODY / 1024} KB each`]),
};

/**
 * A request of the GraphQL multipart request specification: `operations`, `map`, then files. The operation is known
 * before the files have come, so that its caller is authorized first; they are given when the form was read to its end
 * and found to be right.
 */
export class MultipartRequest {
  /** The error of the form, if it was found after the operation had begun. */
  failure?: DomainError;
  private readonly files = new Map<string, { part: FormPart; staged: Promise<StagedBlob> }>();

  private constructor(
    readonly operation: unknown,
    private readonly uploads: ReadonlyMap<string, Upload>,
    private readonly parts: AsyncGenerator<FormPart>,
    private readonly stage: BlobStore['stage'],
    private readonly guard: () => Promise<void>,
    private readonly reading: AbortController,
  ) {}

  /**
   * Reads the operation, and goes on receiving files, which are given once `guard` has judged their sender again. Throws
   * BAD_USER_INPUT.
   */
  static async begin(
    request: UnreadRequest,
    stage: BlobStore['stage'],
    guard: () => Promise<void>,
  ): Promise<MultipartRequest> {
    const reading = new AbortController();
    const parts = readForm(request, FORM_LIMITS, reading.signal);
    try {
      const operation = await jsonPart(parts, 'operations');
      if (typeof operation !== 'object' || operation === null) throw badUserInput(['operations must be a JSON object']);
      const uploads = placeUploads(operation, objectIn(await jsonPart(parts, 'map'), 'map'));
      // No field waits for the end of a form without files: a file would be passed over.
      if (uploads.size === 0) refuseOther((await parts.next()) as IteratorResult<FormPart, undefined>);
      const form = new MultipartRequest(operation, uploads, parts, stage, guard, reading);
      void form.receive();
      return form;
    } catch (error) {
      reading.abort();
      throw error;
    }
  }

  /** Stops receiving, and removes received files. */
  close(): void {
    this.reading.abort();
    for (const { staged } of this.files.values()) staged.then((file) => file.discard()).catch(() => undefined);
  }

  private async receive(): Promise<void> {
    try {
      const isWhole = await this.receiveFiles();
      await this.guard();
      for (const [name, upload] of this.uploads) {
        const file = this.files.get(name);
        if (file) upload.resolve(uploadOf(file.part, await file.staged));
        else upload.reject(isWhole ? missingContent() : fileTooLarge(LIMITS.attachment.maxBytes));
      }
    } catch (error) {
      if (error instanceof DomainError) this.failure = error;
      const reason = error instanceof ClientLeft ? missingContent() : (error as Error);
      for (const upload of this.uploads.values()) upload.reject(reason);
    }
  }

  /** Returns false when a file was too large for any field: then nothing behind it is read. */
  private async receiveFiles(): Promise<boolean> {
    for await (const part of this.parts) {
      const { name } = part;
      if (!this.uploads.has(name)) throw badUserInput([`${shownName(name)} is not in map`]);
      if (!part.isFile) throw badUserInput([`${shownName(name)} must be a file`]);
      if (this.files.has(name)) throw badUserInput([`${shownName(name)} must not be given twice`]);
      const staged = this.stage(firstBytes(part.content(), MAX_FILE), MAX_FILE);
      this.files.set(name, { part, staged });
      if ((await staged).size === MAX_FILE) return false;
    }
    return true;
  }
}

function refuseOther({ value: part }: IteratorResult<FormPart, undefined>): void {
  if (part !== undefined) throw badUserInput([`${shownName(part.name)} is not in map`]);
}

async function jsonPart(parts: AsyncGenerator<FormPart>, name: 'operations' | 'map'): Promise<unknown> {
  const { value: part } = (await parts.next()) as IteratorResult<FormPart, undefined>;
  if (part?.name !== name) throw badUserInput(['The parts must be operations, map and the files, in this order']);
  return parseJson(Buffer.from(await part.text(SMALL_BODY)), { what: name });
}

/** Puts an upload into each place that the map names, where the operation has null. Returns them by their parts. */
function placeUploads(operation: object, map: Readonly<Record<string, unknown>>): Map<string, Upload> {
  const entries = Object.entries(map);
  if (entries.length > MAX_FILES) throw badUserInput([`map must not have more than ${MAX_FILES} files`]);
  const uploads = new Map<string, Upload>();
  for (const [name, paths] of entries) {
    const upload = new Upload();
    uploads.set(name, upload);
    // A file without a place would be dropped.
    if (!Array.isArray(paths) || paths.length === 0)
      throw badUserInput([`map: ${shownName(name)} must be a list of paths`]);
    for (const path of paths.map(String)) {
      const names = path.split('.');
      if (names[0] !== 'variables') throw badUserInput([`map: ${shownName(path)} must be a place in variables`]);
      if (!place(operation, names, upload))
        throw badUserInput([`map: operations must have null at ${shownName(path)}`]);
    }
  }
  return uploads;
}

function place(root: object, path: readonly string[], upload: Upload): boolean {
  const holder = path.slice(0, -1).reduce<unknown>(ownValue, root);
  const last = path.at(-1) ?? '';
  if (ownValue(holder, last) !== null) return false;
  (holder as Record<string, unknown>)[last] = upload;
  return true;
}

function ownValue(holder: unknown, key: string): unknown {
  const isObject = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key);
  return isObject ? (holder as Record<string, unknown>)[key] : undefined;
}

async function* firstBytes(content: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let left = most;
  for await (const piece of content) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

function uploadOf({ facts: { filename = '', contentType = '' } }: FormPart, { path }: StagedBlob) {
  return { filename, mimetype: contentType, encoding: 'binary', createReadStream: () => createReadStream(path) };
}
