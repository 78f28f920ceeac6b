import type { RecordStore, StoredRecord } from '../../storage/record-store.js';
import type { StoredContent } from './stored-content.js';

/**
 * Records of the storage, unless it belongs to another installation: both would name trails by the same numbers, and records of
 * one would look to the other as if its database had been set back. Throws UNAVAILABLE then.
 */
export class OwnRecords implements RecordStore {
  constructor(
    private readonly records: RecordStore,
    private readonly content: Pick<StoredContent, 'refuseForeignStorage'>,
  ) {}

  async put(records: readonly StoredRecord[]): Promise<void> {
    await this.content.refuseForeignStorage();
    await this.records.put(records);
  }

  /** Record with a name returned by `names`. */
  get(folder: string, name: string): Promise<string | undefined> {
    return this.records.get(folder, name);
  }

  async names(folder: string): Promise<string[]> {
    await this.content.refuseForeignStorage();
    return this.records.names(folder);
  }

  close(): void {
    this.records.close();
  }
}
