import type { BlobStore } from './blob-store.js';
import { LocalBlobStore } from './local-blob-store.js';
import { parseStorageUrl } from './storage-location.js';

export { parseStorageUrl } from './storage-location.js';

/**
 * Opens what STORAGE_URL names. Nothing is reached yet: `ping` tells whether the storage is there.
 * `stagingDir` is where uploads to S3 wait on this machine; a local store has its own beside its blobs.
 */
export async function openBlobStore(storageUrl: string, options: { stagingDir: string }): Promise<BlobStore> {
  const location = parseStorageUrl(storageUrl);
  if (location.kind === 'local') return new LocalBlobStore(location.directory);
  // The S3 SDK is slow to load; who stores locally does not wait for it.
  const { S3BlobStore } = await import('./s3-blob-store.js');
  return new S3BlobStore(location, options.stagingDir);
}
