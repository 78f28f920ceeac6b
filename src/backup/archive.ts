import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { StartupError } from '../errors.js';

/** The last file of an archive; it lists the others. */
export const MANIFEST = 'manifest.json';
/** Sizes of a tar archive. */
const BLOCK = 512;
const END = 2 * BLOCK;

/** Number of bytes, and their SHA-256. */
export interface Extent {
  bytes: number;
  sha256: string;
}

/** Bytes that a file of this size occupies in the archive: header and padded blocks. */
const spanOf = (size: number) => BLOCK + Math.ceil(size / BLOCK) * BLOCK;

/** The temporary name of an archive while it is written. */
export const partOf = (path: string) => `${path}.partial`;

/** Writes a tar archive one file at a time under a temporary name, and renames it when it is complete. */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly measure = new Measure();
  private readonly scratch: string;
  private readonly written: Promise<void>;
  private isOpen = false;
  private bytes = 0;
  /** Error of the archive's file, not of its contents. */
  failure?: NodeJS.ErrnoException;

  /** `path` must not exist; the file is readable for its owner only. */
  constructor(
    private readonly path: string,
    private readonly madeAt: Date,
  ) {
    this.scratch = partOf(path);
    const file = createWriteStream(this.scratch, { flags: 'wx', mode: 0o600, flush: true });
    file.once('open', () => (this.isOpen = true)).once('error', (error) => (this.failure = error));
    this.written = pipeline(this.tar, this.measure, file);
    // Reported when the next file is added or the archive is sealed.
    this.written.catch(() => undefined);
  }

  async add(name: string, content: Uint8Array): Promise<void> {
    const added = new Promise<void>((done, fail) => {
      const header = { name, size: content.length, mode: 0o600, mtime: this.madeAt };
      this.tar.entry(header, Buffer.from(content), (error) => (error ? fail(error) : done()));
    });
    await Promise.race([added, this.written.then(() => added)]);
    this.bytes += spanOf(content.length);
  }

  /** Adds the manifest, made from the files before it, and ends the archive. */
  async seal(manifestOf: (before: Extent) => Uint8Array): Promise<void> {
    const measured = this.measure.after(this.bytes);
    const before = await Promise.race([measured, this.written.then(() => measured)]);
    await this.add(MANIFEST, manifestOf(before));
    this.tar.finalize();
    await this.written;
    await rename(this.scratch, this.path);
    const folder = await open(dirname(resolve(this.path)), 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Removes an archive that was not sealed. */
  async abandon(): Promise<void> {
    this.tar.destroy();
    await this.written.catch(() => undefined);
    // An existing file belongs to another program.
    if (this.isOpen) await rm(this.scratch, { force: true });
  }
}

/** Hashes the passing bytes, and notifies when the wanted number has passed. */
class Measure extends Transform {
  private readonly hash: Hash = createHash('sha256');
  private bytes = 0;
  private wanted?: { bytes: number; reached: (extent: Extent) => void };

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    this.look();
    done(null, chunk);
  }

  after(bytes: number): Promise<Extent> {
    return new Promise((reached) => {
      this.wanted = { bytes, reached };
      this.look();
    });
  }

  private look(): void {
    if (this.wanted?.bytes !== this.bytes) return;
    this.wanted.reached({ bytes: this.bytes, sha256: this.hash.copy().digest('hex') });
  }
}

/** One file of an archive; its content must be read to the end before the next file. */
export interface ArchivedFile {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** The files of an archive in order. Throws StartupError naming the file after which it cannot be read. */
export async function* readArchive(path: string): AsyncGenerator<ArchivedFile> {
  const tar = extract();
  const source = createReadStream(path);
  source.once('error', (error) => tar.destroy(error));
  source.pipe(tar);
  let last = 'its beginning';
  const unreadable = (error: unknown) =>
    new StartupError(`${path} cannot be read after ${last}: ${(error as Error).message}`);
  const entries = tar[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value: entry } = await entries.next().catch((error: unknown) => Promise.reject(unreadable(error)));
      if (done === true) return;
      last = entry.header.name;
      yield { name: last, content: contentOf(entry as unknown as AsyncIterable<Uint8Array>, unreadable) };
    }
  } finally {
    source.destroy();
  }
}

async function* contentOf(content: AsyncIterable<Uint8Array>, unreadable: (error: unknown) => Error) {
  const chunks = content[Symbol.asyncIterator]();
  for (;;) {
    // Errors of the content's reader are not errors of the archive.
    const { done, value } = await chunks.next().catch((error: unknown) => Promise.reject(unreadable(error)));
    if (done === true) return;
    yield value;
  }
}

/** Describes the first invalid bytes between or after the files; undefined when there are none. */
export async function damageOf(path: string, before: Extent, manifestBytes: number): Promise<string | undefined> {
  const { size } = await stat(path);
  if (size !== before.bytes + spanOf(manifestBytes) + END) return 'its length';
  const hash = createHash('sha256');
  await finished(createReadStream(path, { end: before.bytes - 1 }).on('data', (chunk) => void hash.update(chunk)));
  if (hash.digest('hex') !== before.sha256) return 'what stands between its files';
  for await (const chunk of createReadStream(path, { start: before.bytes + BLOCK + manifestBytes }))
    if ((chunk as Buffer).some((byte) => byte !== 0)) return `what stands after ${MANIFEST}`;
  return undefined;
}
