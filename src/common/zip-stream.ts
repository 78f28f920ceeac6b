import { finished, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** One file of an archive. */
export interface ZipEntry {
  /** Relative, with slashes, safe wherever it is unpacked (see storage/file-names.ts). */
  path: string;
  modifiedAt: Date;
  /** Compressed content is stored as it is: trying again only costs time. */
  method: 'store' | 'deflate';
  content: Uint8Array | ZipSource;
}

interface ZipSource {
  /** Bytes that must come, where that is known: one more or less breaks the archive off. */
  size?: number;
  /** Called when it is this entry's turn. */
  open(): Promise<Readable>;
}

/** A regular file that every user may read. */
const MODE = 0o100644;

/**
 * A ZIP archive as a stream, ZIP64 where it grows too large for less. One entry is open at a time, and no faster than
 * the archive is read. An entry that fails destroys the stream, which then never looks like a whole archive; a stream
 * that is destroyed closes the entry that is open, and opens no other.
 */
export function zipStream(entries: Iterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | undefined;
  const fail = (cause: unknown) => void output.destroy(new Error('An archive could not be completed', { cause }));
  zip.on('error', fail);
  output.on('close', () => current?.destroy());
  for (const { path, modifiedAt: mtime, method, content } of entries) {
    const options = { mtime, mode: MODE, compress: method === 'deflate' };
    if (content instanceof Uint8Array) {
      zip.addBuffer(Buffer.from(content), path, options);
      continue;
    }
    zip.addReadStreamLazy(path, { ...options, ...(content.size !== undefined && { size: content.size }) }, (use) => {
      if (output.destroyed) return;
      content.open().then((source) => {
        if (output.destroyed) return void source.destroy();
        current = source;
        // Also one that ends without its end: the archive would wait for it for ever.
        finished(source, { writable: false }, (error) => error != null && fail(error));
        use(null, source);
      }, fail);
    });
  }
  zip.end();
  return output;
}
