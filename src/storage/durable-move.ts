import { closeSync, fsync, openSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const sync = promisify(fsync);

/** Moves files to places below a root, such that they are still there after a power cut. */
export class DurableMove {
  /** Directories whose own entry is known to be on the disk, so that each is synced once in a process's life. */
  private readonly durable = new Set<string>();

  constructor(private readonly root: string) {}

  /** The file's content must have been synced before: else a cut may leave its name without its bytes. */
  async move(from: string, to: string): Promise<void> {
    const directory = dirname(to);
    if (!this.durable.has(directory)) await mkdir(directory, { recursive: true });
    await rename(from, to);
    await this.settle(to);
  }

  /** Returns once the way from the root down to `path` is on the disk. */
  async settle(path: string): Promise<void> {
    const directory = dirname(path);
    await syncDirectory(directory);
    await this.settleDirectory(directory);
  }

  private async settleDirectory(directory: string): Promise<void> {
    if (directory.length <= this.root.length || this.durable.has(directory)) return;
    // Its maker may not have synced it yet.
    await this.settle(directory);
    this.durable.add(directory);
  }
}

/**
 * Only the sync itself waits for the disk. Opening and closing what was just used takes microseconds, where a trip to
 * the thread pool and back takes a hundred of them, in each of several steps of every upload.
 */
export async function syncFile(path: string): Promise<void> {
  const descriptor = openSync(path, 'r');
  try {
    await sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows can neither open nor sync a directory; its file system journals the rename itself.
  if (process.platform !== 'win32') await syncFile(path);
}
