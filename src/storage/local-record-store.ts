import { randomUUID } from 'node:crypto';
import { closeSync, fsync, open, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, ifPresent, onDisk, unavailableBecause } from './blob-store.js';
import { syncDirectory } from './local-blob-store.js';
import { RECORDS, type RecordStore, type StoredRecord } from './record-store.js';

export class LocalRecordStore implements RecordStore {
  private readonly root: string;
  private isRootSynced = false;

  constructor(directory: string) {
    this.root = join(directory, RECORDS);
  }

  /** Each folder is synced once for all of its texts, with its parent, because it may be new. */
  async put(records: readonly StoredRecord[]): Promise<void> {
    await Promise.all(records.map((record) => this.write(record)));
    const folders = records.map(({ folder }) => join(this.root, folder));
    const above = this.isRootSynced ? [] : [this.root, dirname(this.root)];
    const places = new Set([...folders, ...folders.map(dirname), ...above]);
    await onDisk(() => Promise.all([...places].map(syncDirectory)));
    this.isRootSynced = true;
  }

  private async write({ folder, name, text }: StoredRecord): Promise<void> {
    const place = join(this.root, folder);
    const isNew = await this.makeFolder(folder);
    if (!isNew && (await this.get(folder, name)) !== undefined) return;
    const partial = join(place, `.${randomUUID()}`);
    await onDisk(async () => {
      try {
        await writeDurably(partial, text);
        await rename(partial, join(place, name));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    });
  }

  /**
   * One level after the other where several are missing: a storage that is not available is not created. A root that
   * disappears is an unmounted volume.
   */
  private async makeFolder(folder: string): Promise<boolean> {
    try {
      await mkdir(join(this.root, folder));
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
    }
    let place = this.root;
    for (const name of [...(this.isRootSynced ? [] : ['']), ...folder.split('/')]) {
      place = join(place, name);
      const failure = await failureToMake(place);
      if (failure !== undefined) throw unavailableBecause(failure);
    }
    return true;
  }

  get(folder: string, name: string): Promise<string | undefined> {
    return onDisk(() => ifPresent(() => readFile(join(this.root, folder, name), 'utf8')));
  }

  async names(folder: string): Promise<string[]> {
    const names = (await onDisk(() => ifPresent(() => readdir(join(this.root, folder))))) ?? [];
    return names.filter((name) => !name.startsWith('.')).toSorted();
  }

  close(): void {
    // There are no resources to release.
  }
}

/** Only steps that may wait for the disk run in the thread pool, as in the blob store. */
async function writeDurably(path: string, text: string): Promise<void> {
  const descriptor = await promisify(open)(path, 'wx');
  try {
    writeFileSync(descriptor, text);
    await promisify(fsync)(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined where the folder exists now. */
function failureToMake(place: string): Promise<unknown> {
  return mkdir(place).then(
    () => undefined,
    (error: unknown) => (errorCode(error) === 'EEXIST' ? undefined : error),
  );
}
