import { constants, statSync } from 'node:fs';
import { access, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { notFound } from '../errors.js';
import { type BlobStore, type ByteRange, type StagedBlob, blobKey, isContentAddress } from './blob-store.js';
import { DurableMove, syncFile } from './durable-move.js';
import { stagedBlob, type StagedFile, StagingArea } from './staging-area.js';
import { ifPresent, onDisk, unavailableBecause } from './storage-errors.js';

const READ_BYTES = 128 * 1024;

/**
 * Blobs in a local directory: `blobs/ab/cd/<sha256>`, received in `staging/` beside it, on the same file system, so
 * that a blob appears whole or not at all.
 */
export class LocalBlobStore implements BlobStore {
  private readonly root: string;
  private readonly staging: StagingArea;
  private readonly durable: DurableMove;

  constructor(directory: string) {
    this.root = resolve(directory);
    this.staging = new StagingArea(join(this.root, 'staging'));
    this.durable = new DurableMove(this.root);
  }

  async stage(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBlob> {
    const file = await this.staging.receive(bytes, maxBytes);
    const target = join(this.root, blobKey(file.sha256));
    return stagedBlob(file, {
      secure: () =>
        onDisk(async () => {
          if (!isStored(file, target)) await file.sync();
        }),
      keep: () => onDisk(() => this.moveToTarget(file, target)),
    });
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const path = join(this.root, blobKey(sha256));
    // Opened here, so that a missing blob is an answer and not an error of a stream that is already read.
    const handle = await onDisk(() => ifPresent(() => open(path, 'r')));
    if (handle === undefined) {
      // Without the folder itself nothing can be said about what is in it.
      await this.ping();
      throw notFound();
    }
    return handle.createReadStream({ ...range, highWaterMark: READ_BYTES });
  }

  async has(sha256: string): Promise<boolean> {
    if (!isContentAddress(sha256)) return false;
    return (await statOf(join(this.root, blobKey(sha256)))) !== undefined;
  }

  async remove(sha256: string): Promise<void> {
    if (!isContentAddress(sha256)) return;
    await onDisk(() => rm(join(this.root, blobKey(sha256)), { force: true }));
  }

  async *list(): AsyncIterable<{ sha256: string; storedAt: Date }> {
    for await (const path of filesBelow(join(this.root, 'blobs'), 2)) {
      const sha256 = path.slice(-64);
      if (!isContentAddress(sha256) || path !== join(this.root, blobKey(sha256))) continue;
      const found = await statOf(path);
      if (found) yield { sha256, storedAt: found.mtime };
    }
  }

  sweepStaging(): Promise<number> {
    return this.staging.sweep();
  }

  async ping(): Promise<void> {
    try {
      await this.staging.prepare();
      await access(this.staging.directory, constants.R_OK | constants.W_OK | constants.X_OK);
      await this.staging.probe();
    } catch (error) {
      throw unavailableBecause(error);
    }
  }

  async close(): Promise<void> {
    // Nothing is held between calls.
  }

  private async moveToTarget(file: StagedFile, target: string): Promise<void> {
    if (isStored(file, target) && (await this.adoptExisting(target))) return file.remove();
    await file.sync();
    await this.durable.move(file.path, target);
    await file.close();
  }

  /**
   * The same content is there already. Its writer may have died before its own fsync, therefore ours; and its age is
   * set back to now, so that a sweep of blobs without a row does not take it before our row is there. Returns false
   * when it went away meanwhile.
   */
  private async adoptExisting(target: string): Promise<boolean> {
    const isThere = await ifPresent(async () => {
      const now = new Date();
      await utimes(target, now, now);
      await syncFile(target);
      return true;
    });
    if (isThere) await this.durable.settle(target);
    return isThere === true;
  }
}

/** In place, like in durable-move.ts: the answer is nearly always in the kernel's cache. */
function isStored({ size }: StagedFile, target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.size === size;
}

function statOf(path: string) {
  return onDisk(() => ifPresent(() => stat(path)));
}

async function* filesBelow(directory: string, depth: number): AsyncIterable<string> {
  const entries = await onDisk(() => ifPresent(() => readdir(directory, { withFileTypes: true })));
  for (const entry of entries ?? []) {
    const path = join(directory, entry.name);
    if (depth > 0 && entry.isDirectory()) yield* filesBelow(path, depth - 1);
    if (depth === 0 && entry.isFile()) yield path;
  }
}
