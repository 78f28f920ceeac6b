import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fileTooLarge } from '../../errors.js';
import { IDEMPOTENCY_KEY } from '../../common/idempotency.js';
import type { FileFacts, IncomingFile } from '../../common/incoming-file.js';

/** An incoming file and its fingerprint; only a request with an idempotency key has its bytes hashed for that. */
export function fingerprinted(
  request: Pick<IncomingMessage, 'headers'>,
  file: IncomingFile,
  maxBytes: number,
): { file: IncomingFile; fingerprint(): Promise<string> } {
  if (request.headers[IDEMPOTENCY_KEY.toLowerCase()] === undefined) return { file, fingerprint: async () => '' };
  const hashed = new FingerprintedFile(file, maxBytes);
  return { file: hashed, fingerprint: () => hashed.fingerprint() };
}

/** A file whose bytes are hashed while they are read, so that the same upload is recognised in any form and boundary. */
class FingerprintedFile implements IncomingFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  private readonly hash = createHash('sha256');
  private isRead = false;

  constructor(
    private readonly file: IncomingFile,
    private readonly maxBytes: number,
  ) {
    this.bytes = this.hashed();
  }

  facts(): Promise<FileFacts> {
    return this.file.facts();
  }

  /** Content and facts. Reads the file if it was not read yet, and throws what reading it throws. */
  async fingerprint(): Promise<string> {
    let size = 0;
    if (!this.isRead) {
      for await (const piece of this.bytes)
        if ((size += piece.length) > this.maxBytes) throw fileTooLarge(this.maxBytes);
    }
    const { filename, contentType, source } = await this.facts();
    return JSON.stringify([this.hash.copy().digest('hex'), filename, contentType, source]);
  }

  private async *hashed(): AsyncGenerator<Uint8Array> {
    for await (const piece of this.file.bytes) {
      this.hash.update(piece);
      yield piece;
    }
    this.isRead = true;
  }
}
