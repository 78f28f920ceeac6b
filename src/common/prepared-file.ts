import type { Readable } from 'node:stream';

/** A file for an authorized caller. */
export interface PreparedFile<Content = Readable> {
  /** For Content-Disposition. */
  name: string;
  /** Further headers of the answer. */
  headers?: Readonly<Record<string, string>>;
  /** Points of the caller's limit, where it costs more than other requests. */
  points?: number;
  /** Records the download, then creates the content, streamed at the reader's pace. */
  open(this: void): Promise<Content>;
}
