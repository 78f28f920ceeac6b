import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fileTooLarge } from '../../errors.js';
import { IDEMPOTENCY_KEY } from '../../common/idempotency.js';
import type { IncomingFile } from '../../common/incoming-file.js';

/**
 * An incoming file and its fingerprint: the same upload is recognised in any form and boundary. Only a request with an
 * idempotency key has its bytes hashed, while they are read.
 */
export function fingerprinted(
  request: Pick<IncomingMessage, 'headers'>,
  file: IncomingFile,
  maxBytes: number,
): { file: IncomingFile; fingerprint(): Promise<string> } {
  if (request.headers[IDEMPOTENCY_KEY.toLowerCase()] === undefined) return { file, fingerprint: async () => '' };
  const hash = createHash('sha256');
  let isRead = false;
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const piece of file.bytes) {
      hash.update(piece);
      yield piece;
    }
    isRead = true;
  }
  const bytes = hashed();
  return {
    file: { bytes, facts: () => file.facts() },
    /** Of content and facts. Reads the file if it was not read yet, and throws what reading it throws. */
    async fingerprint() {
      let size = 0;
      if (!isRead) for await (const piece of bytes) if ((size += piece.length) > maxBytes) throw fileTooLarge(maxBytes);
      const { filename, contentType, source } = await file.facts();
      return JSON.stringify([hash.copy().digest('hex'), filename, contentType, source]);
    },
  };
}
