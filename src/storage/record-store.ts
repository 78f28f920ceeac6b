/**
 * Small texts by name, in folders of `audit-checkpoints/` beside the blobs, which no sweep reads; they are never
 * removed. Throws UNAVAILABLE when the storage is not available.
 */
export interface RecordStore {
  /** Stores texts; existing ones remain unchanged. They survive a power cut once it returns. */
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
