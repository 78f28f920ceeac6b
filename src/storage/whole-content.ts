import { createHash } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import type { BlobStore } from './blob-store.js';

/**
 * Opens a whole content, whose reader gets an error in place of its end where the bytes in the storage are not those that its name was
 * made of. Throws as `BlobStore.open`.
 */
export async function openWhole(store: BlobStore, sha256: string): Promise<Readable> {
  const hash = createHash('sha256');
  let last: Buffer | undefined;
  // What came last waits until all is known: without it no reader takes the rest for a whole file.
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
  // Its reader gets the errors of both.
  pipeline(await store.open(sha256), checked, () => undefined);
  return checked;
}
