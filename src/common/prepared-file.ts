import type { Readable } from 'node:stream';

/** A file that the caller may be sent. */
export interface PreparedFile<Content = Readable> {
  /** For Content-Disposition. */
  name: string;
  /** Records the download, then makes the content: a stream no faster than it is read. */
  open(this: void): Promise<Content>;
}
