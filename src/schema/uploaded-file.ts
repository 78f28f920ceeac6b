import type { FileUpload } from 'graphql-upload/processRequest.mjs';
import { fileTooLarge, missingContent } from '../errors.js';
import type { FileFacts, IncomingFile } from '../vocabulary/incoming-file.js';
import { LIMITS } from '../vocabulary/limits.js';

/**
 * A file of a GraphQL multipart request as the services take it. Nothing is read before `bytes` is iterated. The name
 * comes before the content here, so `facts` need not wait for it; after a failed read it fails alike.
 */
export function uploadedFile(upload: Promise<FileUpload>): IncomingFile {
  let failed: { with: unknown } | undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      const { createReadStream } = await upload;
      yield* createReadStream();
    } catch (error) {
      failed = { with: toDomainError(error) };
      throw failed.with;
    }
  }
  async function facts(): Promise<FileFacts> {
    if (failed) throw failed.with;
    const { filename, mimetype } = await upload.catch(rethrowAsDomainError);
    return { filename: filename || undefined, contentType: mimetype || undefined };
  }
  return { bytes: read(), facts };
}

function rethrowAsDomainError(error: unknown): never {
  throw toDomainError(error);
}

/** The parser marks its errors with an HTTP status. Others come from the disk and are nobody's fault but ours. */
function toDomainError(error: unknown): unknown {
  const status = (error as { status?: unknown } | null | undefined)?.status;
  // The parser is bounded by the largest file that any field takes; smaller limits are told by who counts the bytes.
  if (status === 413) return fileTooLarge(LIMITS.attachment.maxBytes);
  // A part that was announced and never came, or a sender who left in the middle of one.
  if (typeof status === 'number' && status >= 400 && status < 500) return missingContent();
  return error;
}
