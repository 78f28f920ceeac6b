import type { StagedBlob } from './blob-store.js';

/** Name and type of a file as the sender says. They are not trusted: the content's own signature decides. */
export interface FileFacts {
  filename?: string;
  contentType?: string;
  source?: string;
}

/**
 * An incoming file of either API. Nothing is read before the caller was authorized and `bytes` is iterated. In a JSON or
 * multipart body the name may come after the content, therefore `facts` is called after `bytes` was read to its end.
 */
export interface IncomingFile {
  /** The decoded content; may be iterated once. Throws DomainError (MISSING_CONTENT, INVALID_BASE64, ...) while read. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Rejects with what `bytes` threw. */
  facts(): Promise<FileFacts>;
}

/** A file that was cut out of a JSON body (http/json-content.ts); it rejects with what was wrong with it. */
export type ReceivedFile = Promise<StagedBlob>;
