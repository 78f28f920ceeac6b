import { badUserInput, invalidBase64, missingContent } from '../errors.js';
import type { FileFacts, IncomingFile } from '../vocabulary/incoming-file.js';
import type { UploadDocumentVersionInput } from './document-version.input.js';

/**
 * The file of a GraphQL upload: a part of a multipart request, or base64 text. While it is read, and not before the
 * caller was let in, it throws MISSING_CONTENT when there is neither, BAD_USER_INPUT when there are both.
 */
export function incomingDocumentOf(input: UploadDocumentVersionInput): { file: IncomingFile; facts: FileFacts } {
  const facts: FileFacts = {
    filename: input.filename ?? undefined,
    contentType: input.contentType ?? undefined,
    source: input.source ?? undefined,
  };
  if (input.file != null && input.content == null) return { file: input.file, facts };
  return { file: { bytes: bytesOf(input), facts: async () => ({}) }, facts };
}

async function* bytesOf({ file, content }: UploadDocumentVersionInput): AsyncGenerator<Uint8Array> {
  if (file != null) throw badUserInput(['content must not be given together with file']);
  if (content == null || content === '') throw missingContent();
  yield* decoded(content);
}

/** Decoded piece by piece, each a whole number of base64 groups, so that the content is not held twice. */
const PIECE = 64 * 1024;

/** The alphabet with line breaks allowed and padding optional (decisions §6); nothing else, the URL alphabet included. */
async function* decoded(text: string): AsyncGenerator<Uint8Array> {
  const compact = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, '') : text;
  const body = compact.replace(/={1,2}$/, '');
  const padded = body.length !== compact.length;
  if (body.length % 4 === 1 || (padded && compact.length % 4 !== 0)) throw invalidBase64();
  for (let start = 0; start < body.length; start += PIECE) {
    const piece = body.slice(start, start + PIECE);
    if (!/^[A-Za-z0-9+/]*$/.test(piece)) throw invalidBase64();
    yield Buffer.from(piece, 'base64');
  }
}
