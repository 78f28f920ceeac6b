import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../common/time.js';
import { makeFolder } from '../data-dir.js';
import { fileTooLarge } from '../errors.js';
import { errorCode, ifPresent, onDisk, unavailableBecause, type StagedBlob } from './blob-store.js';

/** Enough to tell an archive, and a text with a byte order mark. */
const HEAD_BYTES = 16;
/** Buffer of one upload: large enough that the calls do not count, small enough for many at once. */
const BATCH_BYTES = 256 * 1024;
/** Tiny chunks cost far more than their bytes; this many are written whatever their size. */
const BATCH_CHUNKS = 256;
/** Written to see whether there is space, by all processes alike. */
const PROBE_NAME = 'space-probe';
const PROBE_BYTES = Buffer.alloc(64 * 1024, 'x');

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
const thisProcess = randomUUID().replaceAll('-', '');
/** host, pid, process, file: what the sweep needs to find a file's owner. */
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

  /** Returns once the bytes are on the disk itself. */
  sync(): Promise<void> {
    return (this.syncing ??= this.handle.datasync());
  }

  /** Closes the file and leaves it where it is. */
  close(): Promise<void> {
    return (this.closing ??= this.handle.close());
  }

  /** Takes the file away; harmless when it is gone. */
  remove(): Promise<void> {
    return (this.removal ??= this.close().then(() => rm(this.path, { force: true })));
  }
}

/** A received file as a store hands it out: kept at most once, and removed where it was not. */
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

/** The directory in which uploads lie until they are kept or discarded. */
export class StagingArea {
  constructor(private readonly directory: string) {}

  private made?: Promise<unknown>;

  /** Reads `bytes` to the end. FILE_TOO_LARGE after `maxBytes`; whatever goes wrong, nothing stays behind. */
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

  /** Writes a little, as a disk without space shows itself by nothing else. Throws UNAVAILABLE. */
  async probe(): Promise<void> {
    const path = join(this.directory, PROBE_NAME);
    try {
      await this.prepare();
      await writeFile(path, PROBE_BYTES).finally(() => rm(path, { force: true }));
    } catch (error) {
      throw unavailableBecause(error);
    }
  }

  /** Makes the directory, once: one that vanishes later is a volume that went away and must not be made anew. */
  private prepare(): Promise<void> {
    this.made ??= onDisk(async () => makeFolder(this.directory)).catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made.then(() => undefined);
  }

  /** Removes files of ended processes. Returns how many. */
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

/** Counts, hashes and writes the bytes, many chunks at a time: a source must not write into a chunk that it has given. */
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
  // Leaving the loop by a throw calls the source's `return`, which stops it from being read further.
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
  // What we did not name is not ours to remove.
  if (!parts) return false;
  const [, itsHost, itsPid, itsProcess] = parts;
  if (await isOlderThanADay(path)) return true;
  // Another machine that shares the directory may be at work on it, and its process table is out of our sight.
  if (itsHost !== host || itsProcess === thisProcess) return false;
  // Our own pid with another process's mark: the process before us had the same number, as in a container.
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
