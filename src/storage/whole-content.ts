import { createHash } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import type { BlobStore } from './blob-store.js';

/**
 * Opens a whole content. Its reader gets an error instead of the end where the bytes do not match its name. Throws as
 * `BlobStore.open`.
 */
export async function openWhole(store: BlobStore, sha256: string): Promise<Readable> {
  const hash = createHash('sha256');
  let last: Buffer | undefined;
  // The last chunk is delayed until the hash is known, so that no reader takes wrong bytes for a whole file.
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      const before = last;
      last = chunk;
      done(null, before);
    },
    flush(done) {
      if (hash.digest('hex') === sha256) done(null, last);
      else done(new Error(`The bytes of a stored file were changed in the storage: ${sha256}`));
    },
  });
  // The reader gets errors of both streams.
  pipeline(await store.open(sha256), checked, () => undefined);
  return checked;
}
