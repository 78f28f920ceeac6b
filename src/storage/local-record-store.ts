import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, ifPresent, onDisk, unavailableBecause } from './blob-store.js';
import { RECORDS, type RecordStore } from './record-store.js';

export class LocalRecordStore implements RecordStore {
  private readonly root: string;

  constructor(directory: string) {
    this.root = join(directory, RECORDS);
  }

  async put(folder: string, name: string, text: string): Promise<void> {
    if ((await this.get(folder, name)) !== undefined) return;
    const place = join(this.root, folder);
    const partial = join(place, `.${randomUUID()}`);
    await onDisk(async () => {
      await this.makeFolder(folder);
      try {
        const file = await open(partial, 'wx');
        try {
          await file.writeFile(text);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(partial, join(place, name));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    });
  }

  /** One level after the other where several are missing: where the storage itself is away, nothing is made in its place. */
  private async makeFolder(folder: string): Promise<void> {
    if ((await failureToMake(join(this.root, folder))) === undefined) return;
    let place = this.root;
    for (const name of ['', ...folder.split('/')]) {
      place = join(place, name);
      const failure = await failureToMake(place);
      if (failure !== undefined) throw unavailableBecause(failure);
    }
  }

  get(folder: string, name: string): Promise<string | undefined> {
    return onDisk(() => ifPresent(() => readFile(join(this.root, folder, name), 'utf8')));
  }

  async newest(folder: string): Promise<string | undefined> {
    const names = (await onDisk(() => ifPresent(() => readdir(join(this.root, folder))))) ?? [];
    return names
      .filter((name) => !name.startsWith('.'))
      .toSorted()
      .at(-1);
  }

  close(): void {
    // Nothing is held between calls.
  }
}

/** Undefined where the folder is there now. */
function failureToMake(place: string): Promise<unknown> {
  return mkdir(place).then(
    () => undefined,
    (error: unknown) => (errorCode(error) === 'EEXIST' ? undefined : error),
  );
}
