import type { Readable } from 'node:stream';

/** A file that the caller may be sent. */
export interface PreparedFile<Content = Readable> {
  /** For Content-Disposition. */
  name: string;
  /** Further headers of the answer. */
  headers?: Readonly<Record<string, string>>;
  /** Points that it takes of the caller's limit, where it costs more than others. */
  points?: number;
  /** Records the download, then makes the content: a stream no faster than it is read. */
  open(this: void): Promise<Content>;
}
