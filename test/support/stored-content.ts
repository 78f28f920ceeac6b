import { DAY } from '../../src/common/time.js';
import type { Database } from '../../src/database/database.js';
import { StorageOwner, type Places } from '../../src/services/files/storage-owner.js';
import { StorageSweep } from '../../src/services/files/storage-sweep.js';
import { StoredContent } from '../../src/services/files/stored-content.js';
import type { BlobStore } from '../../src/storage/blob-store.js';
import { collect } from './bytes.js';

/** A line of the log: its fields, and its message. */
type Line = { level: string; says: string } & Record<string, unknown>;

interface ContentUnderTest {
  content: StoredContent;
  /** The lines of the log. */
  lines: Line[];
  /** Sweeps as if it were so many days later. Returns the number of removed contents. */
  sweep(daysLater: number): Promise<number>;
  /** Sweeps often enough, and late enough, to remove all content without a row. */
  sweepAll(): Promise<number>;
}

/** For a database that is not the embedded one. */
const PLACES: Places = { databaseUrl: 'elsewhere', dataDir: '/data', storageUrl: 'file:/data/files' };

/** Stored content with its log and its sweep, on a database and a storage of the test. */
export function contentUnderTest(database: Database, store: BlobStore, places = PLACES): ContentUnderTest {
  const lines: Line[] = [];
  const logger = (level: string) => (about: object, says: string) => void lines.push({ level, says, ...about });
  const log = { info: logger('info'), warn: logger('warn') } as never;
  const owner = new StorageOwner(database, store, places);
  const content = new StoredContent(database, store, owner, { connections: 1, log });
  const sweep = (daysLater: number) => {
    const now = () => new Date(Date.now() + daysLater * DAY);
    return new StorageSweep({ database, content, log, now, config: { storageSweep: true } }).sweep();
  };
  const sweepAll = async () => {
    let removed = await sweep(8);
    for (let day = 9, count = 1; count > 0; day += 1) removed += count = await sweep(day);
    return removed;
  };
  return { content, lines, sweep, sweepAll };
}

/** Content addresses of all stored files, sorted. */
export async function storedContents(store: BlobStore): Promise<string[]> {
  return (await collect(store.list())).map(({ sha256 }) => sha256).toSorted();
}
