import { decodeBase64 } from '../../common/base64.js';
import { badUserInput, missingContent } from '../../errors.js';
import type { FileFacts, IncomingFile, ReceivedFile } from '../../common/incoming-file.js';
import type { UploadDocumentVersionInput } from './inputs.js';

/**
 * The file of a GraphQL upload: a part of a multipart request, or base64 text. While it is read, and not before the
 * caller was authorized, it throws MISSING_CONTENT when there is neither, BAD_USER_INPUT when there are both.
 */
export function incomingDocumentOf(
  input: UploadDocumentVersionInput,
  received?: ReadonlyMap<string, ReceivedFile>,
): { file: IncomingFile; facts: FileFacts; received?: ReceivedFile } {
  const facts: FileFacts = {
    filename: input.filename ?? undefined,
    contentType: input.contentType ?? undefined,
    source: input.source ?? undefined,
  };
  if (input.file != null && input.content == null) return { file: input.file, facts };
  const file = { bytes: bytesOf(input), facts: async () => ({}) };
  return { file, facts, received: input.file == null ? received?.get(input.content ?? '') : undefined };
}

async function* bytesOf({ file, content }: UploadDocumentVersionInput): AsyncGenerator<Uint8Array> {
  if (file != null) throw badUserInput(['content must not be given together with file']);
  if (content == null || content === '') throw missingContent();
  yield decodeBase64(content);
}
