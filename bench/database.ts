import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.js';
import { migrate } from '../src/database/migrate.js';

export interface Database {
  url: string;
  /** Process id of the server. */
  pid: number;
  /** Folder of all files of the run. */
  directory: string;
}

/** Runs `work` with a migrated database and a folder, and removes both afterwards. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
  const { url, pid, stop } = await startEmbeddedPostgres({ dataDir: join(directory, 'database'), durable: true });
  try {
    await migrate(url);
    return await work({ url, pid, directory });
  } finally {
    await stop();
    await rm(directory, { recursive: true, force: true });
  }
}
