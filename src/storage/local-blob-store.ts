import { constants } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { notFound, unavailable } from '../errors.js';
import type { BlobStore, ByteRange, StagedBlob } from './blob-store.js';
import { blobKey, isContentAddress } from './content-address.js';
import { type StagedFile, StagingArea } from './staging-area.js';
import { errorCode, onDisk } from './storage-faults.js';

const READ_BYTES = 128 * 1024;

/**
 * Blobs in a local directory: `blobs/ab/cd/<sha256>`, received in `staging/` beside it, on the same file system, so
 * that a blob appears whole or not at all.
 */
export class LocalBlobStore implements BlobStore {
  private readonly root: string;
  private readonly staging: StagingArea;

  constructor(directory: string) {
    this.root = resolve(directory);
    this.staging = new StagingArea(join(this.root, 'staging'));
  }

  async stage(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBlob> {
    const file = await this.staging.receive(bytes, maxBytes);
    return new LocalStagedBlob(file, join(this.root, blobKey(file.sha256)), this.root);
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const path = join(this.root, blobKey(sha256));
    // Opened here, so that a missing blob is an answer and not an error of a stream that somebody already reads.
    const handle = await onDisk(() => open(path, 'r')).catch((error: unknown) => {
      throw errorCode(error) === 'ENOENT' ? notFound() : error;
    });
    return handle.createReadStream({ ...range, highWaterMark: READ_BYTES });
  }

  async has(sha256: string): Promise<boolean> {
    if (!isContentAddress(sha256)) return false;
    return (await onDisk(() => sizeOf(join(this.root, blobKey(sha256))))) !== undefined;
  }

  async remove(sha256: string): Promise<void> {
    if (!isContentAddress(sha256)) return;
    await onDisk(() => rm(join(this.root, blobKey(sha256)), { force: true }));
  }

  async *list(): AsyncIterable<{ sha256: string; storedAt: Date }> {
    for await (const path of filesBelow(join(this.root, 'blobs'), 2)) {
      const sha256 = path.slice(-64);
      if (!isContentAddress(sha256) || path !== join(this.root, blobKey(sha256))) continue;
      const storedAt = await onDisk(() => modifiedAt(path));
      if (storedAt) yield { sha256, storedAt };
    }
  }

  sweepStaging(): Promise<number> {
    return this.staging.sweep();
  }

  async ping(): Promise<void> {
    await this.staging.prepare();
    await access(this.staging.directory, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
      throw unavailable();
    });
  }

  async close(): Promise<void> {
    // Nothing is held between calls.
  }
}

class LocalStagedBlob implements StagedBlob {
  readonly sha256: string;
  readonly size: number;
  readonly head: Uint8Array;
  readonly path: string;
  private keeping?: Promise<void>;

  constructor(
    private readonly file: StagedFile,
    private readonly target: string,
    private readonly root: string,
  ) {
    ({ sha256: this.sha256, size: this.size, head: this.head, path: this.path } = file);
  }

  keep(): Promise<void> {
    return (this.keeping ??= onDisk(() => this.moveToTarget()));
  }

  async discard(): Promise<void> {
    await this.keeping?.catch(() => undefined);
    await onDisk(() => this.file.remove());
  }

  private async moveToTarget(): Promise<void> {
    if ((await sizeOf(this.target)) === this.size && (await this.adoptExisting())) return;
    await this.file.sync();
    await renameIntoPlace(this.path, this.target, this.root);
    await syncDirectory(dirname(this.target));
    await this.file.remove();
  }

  /**
   * The same content is there already. Its writer may have died before its own fsync, therefore ours; and its age is
   * set back to now, so that a sweep of blobs without a row does not take it before our row is there. Returns false
   * when it went away meanwhile.
   */
  private async adoptExisting(): Promise<boolean> {
    try {
      const now = new Date();
      await utimes(this.target, now, now);
      await syncFile(this.target);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
    await syncUpwards(dirname(this.target), this.root);
    await this.file.remove();
    return true;
  }
}

/** Tries without making directories first: in a filled store they are nearly always there. */
async function renameIntoPlace(from: string, to: string, root: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
    await syncUpwards(dirname(dirname(to)), root);
  }
}

/** A new directory survives a power cut only once its parent was synced, and so on up to the root. */
async function syncUpwards(from: string, root: string): Promise<void> {
  for (let directory = from; directory.length >= root.length; directory = dirname(directory)) {
    await syncDirectory(directory);
    if (directory === root) return;
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows can neither open nor sync a directory; its file system journals the rename itself.
  if (process.platform !== 'win32') await syncFile(path);
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await statOf(path))?.size;
}

async function modifiedAt(path: string): Promise<Date | undefined> {
  return (await statOf(path))?.mtime;
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function* filesBelow(directory: string, depth: number): AsyncIterable<string> {
  for (const entry of await entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (depth > 0 && entry.isDirectory()) yield* filesBelow(path, depth - 1);
    if (depth === 0 && entry.isFile()) yield path;
  }
}

async function entriesOf(directory: string) {
  try {
    return await onDisk(() => readdir(directory, { withFileTypes: true }));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
