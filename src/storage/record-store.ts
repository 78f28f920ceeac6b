/**
 * Small texts by name, in folders of `audit-checkpoints/` beside the blobs: no sweep of contents looks there, and nothing
 * is ever removed. Throws UNAVAILABLE when the storage is away.
 */
export interface RecordStore {
  /** Keeps a text; one that is there already stays. */
  put(folder: string, name: string, text: string): Promise<void>;
  get(folder: string, name: string): Promise<string | undefined>;
  /** The last of the names of a folder in the order of characters; undefined where there is none. */
  newest(folder: string): Promise<string | undefined>;
  close(): void;
}

export const RECORDS = 'audit-checkpoints';
