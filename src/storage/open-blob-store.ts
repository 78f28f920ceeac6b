import type { BlobStore } from './blob-store.js';
import { LocalBlobStore } from './local-blob-store.js';
import { parseStorageUrl } from './storage-location.js';

/**
 * Opens the storage of STORAGE_URL without connecting; `ping` checks it. Uploads to S3 wait in `stagingDir`, while a
 * local store has its own staging folder.
 */
export async function openBlobStore(storageUrl: string, options: { stagingDir: string }): Promise<BlobStore> {
  const location = parseStorageUrl(storageUrl);
  if (location.kind === 'local') return new LocalBlobStore(location.directory);
  // The S3 SDK is slow to load, and not needed by a local store.
  const { S3BlobStore } = await import('./s3-blob-store.js');
  return new S3BlobStore(location, options.stagingDir);
}
