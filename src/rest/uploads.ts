import type { IncomingHttpHeaders } from 'node:http';
import { badUserInput, DomainError, invalidData } from '../errors.js';
import type { FileFacts, IncomingFile } from '../vocabulary/incoming-file.js';
import { ByteSource } from './uploads/byte-source.js';
import { readFormUpload } from './uploads/form-upload.js';
import { parseHeaderValue } from './uploads/header-value.js';
import { readJsonUpload } from './uploads/json-upload.js';
import { readMultipartUpload, readOnlyFile } from './uploads/multipart-upload.js';
import { bodyOf, refuseEncoded, type UploadRequest } from './uploads/request-body.js';
import { streamedFile, type FileReading } from './uploads/streamed-file.js';
import { MAX_OVERHEAD_BYTES, UploadFields } from './uploads/upload-fields.js';

export type { UploadRequest };

/**
 * A document version on its way in (specification 4.2), from any of the three content types. Never throws and reads
 * nothing before `bytes` is iterated, so that who the caller is comes before what they sent.
 *
 * `maxContentBytes` is in decoded bytes. Counting them is the consumer's, who stops iterating when there are too many;
 * here it only bounds base64 that never ends and names the figure in FILE_TOO_LARGE.
 */
export function incomingDocument(request: UploadRequest, maxContentBytes: number): IncomingFile {
  const source = sourceOf(request);
  return streamedFile(source, () => readDocument(request.headers, source, maxContentBytes));
}

/**
 * An incident attachment on its way in (specification 4.3): multipart with exactly one part, a file named `file`.
 * Whatever else it is, `bytes` throws INVALID_DATA. Counting the bytes is the consumer's.
 */
export function incomingAttachment(request: UploadRequest): IncomingFile {
  const source = sourceOf(request);
  return streamedFile(source, () => readOnlyPart('file', request.headers, source));
}

/** The logo of an organization: the same with a file named `logo`, as the form of creation has it (decisions §5). */
export function incomingLogo(request: UploadRequest): IncomingFile {
  const source = sourceOf(request);
  return streamedFile(source, () => readOnlyPart('logo', request.headers, source));
}

const CONTENT_TYPES = 'Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data';

function sourceOf(request: UploadRequest): ByteSource {
  const excess = () =>
    badUserInput([`The body must not hold more than ${MAX_OVERHEAD_BYTES / 1024} KB besides the content`]);
  return new ByteSource(bodyOf(request), MAX_OVERHEAD_BYTES, excess);
}

async function* readDocument(headers: IncomingHttpHeaders, source: ByteSource, maxContentBytes: number): FileReading {
  refuseEncoded(headers);
  const fields = new UploadFields();
  let received = 0;
  for await (const piece of contentOf(headers, source, fields, maxContentBytes)) {
    received += piece.length;
    yield piece;
  }
  fields.contentEnded(received);
  return () => fields.facts();
}

function contentOf(headers: IncomingHttpHeaders, source: ByteSource, fields: UploadFields, maxContentBytes: number) {
  const type = parseHeaderValue(headers['content-type']);
  const charset = type?.parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (type?.value === 'multipart/form-data') {
    return readMultipartUpload(source, type.parameters.get('boundary'), fields, maxContentBytes);
  }
  const read = TEXT_FORMS.get(type?.value ?? '');
  if (!read) throw badUserInput([CONTENT_TYPES]);
  if (charset !== 'utf-8' && charset !== 'utf8') throw badUserInput(['The charset of Content-Type must be utf-8']);
  return read(source, fields, maxContentBytes);
}

const TEXT_FORMS = new Map([
  ['application/json', readJsonUpload],
  ['application/x-www-form-urlencoded', readFormUpload],
]);

async function* readOnlyPart(name: string, headers: IncomingHttpHeaders, source: ByteSource): FileReading {
  let told: FileFacts = {};
  let received = 0;
  try {
    refuseEncoded(headers);
    const type = parseHeaderValue(headers['content-type']);
    if (type?.value !== 'multipart/form-data') throw invalidData();
    for await (const piece of readOnlyFile(name, source, type.parameters.get('boundary'), (facts) => (told = facts))) {
      received += piece.length;
      yield piece;
    }
  } catch (error) {
    throw error instanceof DomainError ? invalidData() : error;
  }
  if (received === 0) throw invalidData();
  return () => told;
}
