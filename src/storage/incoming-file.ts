import type { StagedBlob } from './blob-store.js';

/** Declared name and type of a file. They are not trusted: the content decides. */
export interface FileFacts {
  filename?: string;
  contentType?: string;
  source?: string;
}

/**
 * An incoming file of either API. Nothing is read before the caller is authorized and `bytes` is iterated. In a JSON
 * or multipart body the name may follow the content, so `facts` is called after `bytes` was read to its end.
 */
export interface IncomingFile {
  /** The decoded content; may be iterated once. Throws DomainError (MISSING_CONTENT, INVALID_BASE64, ...) while read. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Rejects with errors of `bytes`. */
  facts(): Promise<FileFacts>;
}

/** A file extracted from a JSON body (http/json-content.ts); it rejects with its errors. */
export type ReceivedFile = Promise<StagedBlob>;
