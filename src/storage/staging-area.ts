import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../common/time.js';
import { makeFolder } from '../data-dir.js';
import { fileTooLarge } from '../errors.js';
import { errorCode, ifPresent, onDisk, unavailableBecause, type StagedBlob } from './blob-store.js';

/** Enough to detect an archive, and a text with a byte order mark. */
const HEAD_BYTES = 16;
/** Buffer of one upload: large enough for few calls, small enough for many uploads. */
const BATCH_BYTES = 256 * 1024;
/** Tiny chunks cost far more than their bytes; this many are written whatever their size. */
const BATCH_CHUNKS = 256;
/** Written to test for free space; all processes share it. */
const PROBE_NAME = 'space-probe';
const PROBE_BYTES = Buffer.alloc(64 * 1024, 'x');

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
const thisProcess = randomUUID().replaceAll('-', '');
/** host, pid, process, file: identifies a file's owner for the sweep. */
const STAGED_NAME = /^([0-9a-f]{12})\.(\d{1,10})\.([0-9a-f]{32})\.([0-9a-f-]{36})$/;

/** A received file on this machine: complete, counted and hashed. Its handle stays open until `close` or `remove`. */
export class StagedFile {
  constructor(
    readonly path: string,
    readonly sha256: string,
    readonly size: number,
    readonly head: Uint8Array,
    private readonly handle: FileHandle,
  ) {}

  private syncing?: Promise<void>;
  private removal?: Promise<void>;
  private closing?: Promise<void>;

  /** Returns once the bytes are on disk. */
  sync(): Promise<void> {
    return (this.syncing ??= this.handle.datasync());
  }

  /** Closes the file without removing it. */
  close(): Promise<void> {
    return (this.closing ??= this.handle.close());
  }

  /** Removes the file. Idempotent. */
  remove(): Promise<void> {
    return (this.removal ??= this.close().then(() => rm(this.path, { force: true })));
  }
}

/** The staged blob of a store: stored at most once, and removed otherwise. */
export function stagedBlob(file: StagedFile, { secure, store }: Pick<StagedBlob, 'secure' | 'store'>): StagedBlob {
  const { sha256, size, head, path } = file;
  let storing: Promise<void> | undefined;
  return {
    sha256,
    size,
    head,
    path,
    secure,
    store: () => (storing ??= store()),
    async discard() {
      await storing?.catch(() => undefined);
      await onDisk(() => file.remove());
    },
  };
}

/** The directory of uploads until they are stored or discarded. */
export class StagingArea {
  constructor(private readonly directory: string) {}

  private made?: Promise<unknown>;

  /** Reads `bytes` to the end. Throws FILE_TOO_LARGE after `maxBytes`; an error leaves no file. */
  async receive(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile> {
    const path = join(this.directory, `${host}.${process.pid}.${thisProcess}.${randomUUID()}`);
    const handle = await onDisk(() => this.create(path));
    try {
      const { sha256, size, head } = await write(handle, bytes, maxBytes);
      return new StagedFile(path, sha256, size, head, handle);
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Writes a little: only this shows a full disk. Throws UNAVAILABLE. */
  async probe(): Promise<void> {
    const path = join(this.directory, PROBE_NAME);
    try {
      await this.prepare();
      await writeFile(path, PROBE_BYTES).finally(() => rm(path, { force: true }));
    } catch (error) {
      throw unavailableBecause(error);
    }
  }

  /** Creates the directory once: one that disappears later is an unmounted volume, and must not be created again. */
  private prepare(): Promise<void> {
    this.made ??= onDisk(async () => makeFolder(this.directory)).catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made.then(() => undefined);
  }

  /** Removes files of ended processes. Returns their number. */
  async sweep(): Promise<number> {
    await this.prepare();
    let removed = 0;
    for (const name of await onDisk(() => readdir(this.directory))) {
      const path = join(this.directory, name);
      if (!(await isLeftover(name, path))) continue;
      await onDisk(() => rm(path, { force: true }));
      removed += 1;
    }
    return removed;
  }

  private async create(path: string): Promise<FileHandle> {
    await this.prepare();
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? unavailableBecause(error) : error;
    }
  }
}

/** Counts, hashes and writes the bytes in batches of chunks: a source must not reuse a chunk that it has passed on. */
async function write(handle: FileHandle, bytes: AsyncIterable<Uint8Array>, maxBytes: number) {
  const hash = createHash('sha256');
  let size = 0;
  let head: Uint8Array = new Uint8Array(0);
  let batch: Uint8Array[] = [];
  let batchSize = 0;
  const flush = async () => {
    const content = Buffer.concat(batch);
    batch = [];
    batchSize = 0;
    await onDisk(() => handle.appendFile(content));
  };
  // Throwing out of the loop calls the source's `return`, which stops reading.
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    if (chunk.byteLength === 0) continue;
    hash.update(chunk);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    batch.push(chunk);
    batchSize += chunk.byteLength;
    if (batchSize >= BATCH_BYTES || batch.length >= BATCH_CHUNKS) await flush();
  }
  await flush();
  return { size, head, sha256: hash.digest('hex') };
}

async function isLeftover(name: string, path: string): Promise<boolean> {
  const parts = STAGED_NAME.exec(name);
  // Files with other names are not removed.
  if (!parts) return false;
  const [, itsHost, itsPid, itsProcess] = parts;
  if (await isOlderThanADay(path)) return true;
  // Another machine that shares the directory may be using it, and its process table is not visible.
  if (itsHost !== host || itsProcess === thisProcess) return false;
  // Our own pid with another process's mark: an earlier process had the same id, as in a container.
  return Number(itsPid) === process.pid || !isAlive(Number(itsPid));
}

async function isOlderThanADay(path: string): Promise<boolean> {
  const found = await ifPresent(() => stat(path));
  return found !== undefined && Date.now() - found.mtimeMs > DAY;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
