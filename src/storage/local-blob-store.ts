import { constants, statSync } from 'node:fs';
import { access, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { notFound } from '../errors.js';
import { type BlobStore, type ByteRange, type StagedBlob, blobKey, isContentAddress } from './blob-store.js';
import { DurableMove, syncFile } from './durable-move.js';
import { type StagedFile, StagingArea } from './staging-area.js';
import { errorCode, onDisk, unavailableBecause } from './storage-errors.js';

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
    return new LocalStagedBlob(file, join(this.root, blobKey(file.sha256)), this.durable);
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const path = join(this.root, blobKey(sha256));
    // Opened here, so that a missing blob is an answer and not an error of a stream that is already read.
    const handle = await onDisk(() => open(path, 'r')).catch(async (error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
      // Without the folder itself nothing can be said about what is in it.
      await this.ping();
      throw notFound();
    });
    return handle.createReadStream({ ...range, highWaterMark: READ_BYTES });
  }

  async has(sha256: string): Promise<boolean> {
    if (!isContentAddress(sha256)) return false;
    return (await onDisk(() => statOf(join(this.root, blobKey(sha256))))) !== undefined;
  }

  async remove(sha256: string): Promise<void> {
    if (!isContentAddress(sha256)) return;
    await onDisk(() => rm(join(this.root, blobKey(sha256)), { force: true }));
  }

  async *list(): AsyncIterable<{ sha256: string; storedAt: Date }> {
    for await (const path of filesBelow(join(this.root, 'blobs'), 2)) {
      const sha256 = path.slice(-64);
      if (!isContentAddress(sha256) || path !== join(this.root, blobKey(sha256))) continue;
      const found = await onDisk(() => statOf(path));
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
    private readonly durable: DurableMove,
  ) {
    ({ sha256: this.sha256, size: this.size, head: this.head, path: this.path } = file);
  }

  secure(): Promise<void> {
    return onDisk(async () => {
      if (!this.isStored()) await this.file.sync();
    });
  }

  keep(): Promise<void> {
    return (this.keeping ??= onDisk(() => this.moveToTarget()));
  }

  async discard(): Promise<void> {
    await this.keeping?.catch(() => undefined);
    await onDisk(() => this.file.remove());
  }

  private async moveToTarget(): Promise<void> {
    if (this.isStored() && (await this.adoptExisting())) return;
    await this.file.sync();
    await this.durable.move(this.path, this.target);
    await this.file.close();
  }

  /** In place, like in durable-move.ts: the answer is nearly always in the kernel's cache. */
  private isStored(): boolean {
    return statSync(this.target, { throwIfNoEntry: false })?.size === this.size;
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
    await this.durable.settle(this.target);
    await this.file.remove();
    return true;
  }
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
