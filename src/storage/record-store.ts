/**
 * Small texts by name, in folders of `audit-checkpoints/` beside the blobs: no sweep of contents looks there, and nothing
 * is ever removed. Throws UNAVAILABLE when the storage is away.
 */
export interface RecordStore {
  /** Keeps texts; one that is there already stays. They are still there after a power cut when it returns. */
  put(records: readonly StoredRecord[]): Promise<void>;
  get(folder: string, name: string): Promise<string | undefined>;
  /** The names in a folder, in the order of characters. */
  names(folder: string): Promise<string[]>;
  close(): void;
}

export interface StoredRecord {
  folder: string;
  name: string;
  text: string;
}

export const RECORDS = 'audit-checkpoints';
