import { createHash, randomUUID } from 'node:crypto';
import { closeSync, createReadStream, fsync, openSync, statSync } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { notFound } from '../errors.js';
import {
  blobKey,
  ifPresent,
  isContentAddress,
  MARKER,
  onDisk,
  type BlobStore,
  type ByteRange,
  type StoredBlob,
  type StagedBlob,
} from './blob-store.js';
import { stagedBlob, type StagedFile, StagingArea } from './staging-area.js';

const READ_BYTES = 128 * 1024;
const sync = promisify(fsync);

/**
 * Blobs in a local directory: `blobs/ab/cd/<sha256>`, received in `staging/` beside it, on the same file system, so
 * that blobs appear atomically.
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
    const target = this.pathOf(file.sha256);
    return stagedBlob(file, {
      secure: () =>
        onDisk(async () => {
          if (!isStored(file, target)) await file.sync();
        }),
      store: () => onDisk(() => this.moveToTarget(file, target)),
    });
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const path = this.pathOf(sha256);
    // Opened here, so that a missing blob is an error of this call and not of a stream that is already read.
    const handle = await onDisk(() => ifPresent(() => open(path, 'r')));
    if (handle === undefined) {
      // Without the folder itself, its contents are unknown.
      await this.ping();
      throw notFound();
    }
    return handle.createReadStream({ ...range, highWaterMark: READ_BYTES });
  }

  async has(sha256: string): Promise<boolean> {
    if (!isContentAddress(sha256)) return false;
    const path = this.pathOf(sha256);
    return (await onDisk(() => ifPresent(() => access(path).then(() => true)))) === true;
  }

  async stamp(sha256: string): Promise<string | undefined> {
    const path = this.pathOf(sha256);
    const found = await onDisk(() => ifPresent(() => stat(path, { bigint: true })));
    // Unlike the time of the content, the change time cannot be set.
    return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join('.');
  }

  async remove(sha256: string): Promise<void> {
    if (!isContentAddress(sha256)) return;
    await onDisk(() => rm(this.pathOf(sha256), { force: true }));
  }

  async *list(after?: string): AsyncIterable<StoredBlob> {
    const behind = after === undefined ? '' : this.pathOf(after);
    for await (const path of filesBelow(join(this.root, 'blobs'), 2, behind)) {
      const sha256 = path.slice(-64);
      if (!isContentAddress(sha256) || path !== this.pathOf(sha256)) continue;
      const found = await onDisk(() => ifPresent(() => stat(path)));
      if (found !== undefined) yield { sha256, storedAt: found.mtime };
    }
  }

  readMarker(): Promise<string | undefined> {
    return onDisk(() => ifPresent(() => readFile(join(this.root, MARKER), 'utf8')));
  }

  /**
   * Written to another file and renamed: a crash leaves the old or the new one. A storage that is not available gets
   * no marker.
   */
  async writeMarker(text: string): Promise<void> {
    await this.ping();
    const scratch = join(this.root, `${MARKER}.${randomUUID()}`);
    await onDisk(async () => {
      await writeFile(scratch, text, { flag: 'wx', flush: true });
      await this.durable.move(scratch, join(this.root, MARKER));
    }).catch(async (error: unknown) => {
      await rm(scratch, { force: true }).catch(() => undefined);
      throw error;
    });
  }

  sweepStaging(): Promise<number> {
    return this.staging.sweep();
  }

  ping(): Promise<void> {
    return this.staging.probe();
  }

  async close(): Promise<void> {
    // There are no resources to release.
  }

  private pathOf(sha256: string): string {
    return join(this.root, blobKey(sha256));
  }

  private async moveToTarget(file: StagedFile, target: string): Promise<void> {
    if (isStored(file, target) && (await this.adoptExisting(file, target))) return file.remove();
    await file.sync();
    await this.durable.move(file.path, target);
    await file.close();
  }

  /**
   * The content exists already; its writer may have crashed before its fsync. False when it was removed meanwhile, or
   * its bytes have changed, which the received ones then replace.
   */
  private async adoptExisting({ sha256 }: StagedFile, target: string): Promise<boolean> {
    if ((await ifPresent(() => hashOf(target))) !== sha256) return false;
    const isThere = await ifPresent(() => syncFile(target).then(() => true));
    if (isThere) await this.durable.settle(target);
    return isThere === true;
  }
}

/** Synchronous, as in `syncFile`: the answer is nearly always in the kernel's cache. */
function isStored({ size }: StagedFile, target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.size === size;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash);
  return hash.digest('hex');
}

/** Files after `behind`, in order. Folders whose files are all before it are not read. */
async function* filesBelow(directory: string, depth: number, behind: string): AsyncIterable<string> {
  const entries = (await onDisk(() => ifPresent(() => readdir(directory, { withFileTypes: true })))) ?? [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (depth > 0 && entry.isDirectory() && path >= behind.slice(0, path.length))
      yield* filesBelow(path, depth - 1, behind);
    if (depth === 0 && entry.isFile() && path > behind) yield path;
  }
}

/** Moves files to places below a root, so that they survive a power cut. */
export class DurableMove {
  /** Directories whose own entry is synced, so that each is synced once by a process. */
  private readonly durable = new Set<string>();

  constructor(private readonly root: string) {}

  /** The content must be synced before: a power cut may otherwise leave the name without the bytes. */
  async move(from: string, to: string): Promise<void> {
    const directory = dirname(to);
    if (!this.durable.has(directory)) await mkdir(directory, { recursive: true });
    await rename(from, to);
    await this.settle(to);
  }

  /** Returns once all directories from the root to `path` are synced. */
  async settle(path: string): Promise<void> {
    const directory = dirname(path);
    await syncDirectory(directory);
    await this.settleDirectory(directory);
  }

  private async settleDirectory(directory: string): Promise<void> {
    if (directory.length <= this.root.length || this.durable.has(directory)) return;
    // Its creator may not have synced it yet.
    await this.settle(directory);
    this.durable.add(directory);
  }
}

/**
 * Only the sync runs in the thread pool. Opening and closing a recently used file takes microseconds, where the
 * thread pool takes a hundred, in each of several steps of every upload.
 */
async function syncFile(path: string): Promise<void> {
  const descriptor = openSync(path, 'r');
  try {
    await sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export async function syncDirectory(path: string): Promise<void> {
  // Windows can neither open nor sync a directory; its file system journals the rename itself.
  if (process.platform !== 'win32') await syncFile(path);
}
