import { finished, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** One file of an archive. */
export interface ZipEntry {
  /** Relative, with slashes, safe to unpack (see storage/file-names.ts). */
  path: string;
  modifiedAt: Date;
  /** Compressed content is stored without compressing it again. */
  method: 'store' | 'deflate';
  content: Uint8Array | ZipSource;
}

interface ZipSource {
  /** Exact number of bytes, if known: a difference aborts the archive. */
  size?: number;
  /** Called when the archive reaches this entry. */
  open(): Promise<Readable>;
}

/** A regular file that every user may read. */
const MODE = 0o100644;

/**
 * A ZIP archive as a stream, ZIP64 where necessary. One entry is open at a time, at the reader's pace. An entry that
 * fails destroys the stream, which then never looks complete; destroying the stream closes the open entry, and opens
 * no other.
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
        // Also a source that closes without an end, for which the archive would wait forever.
        finished(source, { writable: false }, (error) => error != null && fail(error));
        use(null, source);
      }, fail);
    });
  }
  zip.end();
  return output;
}
