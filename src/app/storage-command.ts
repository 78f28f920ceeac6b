import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.js';
import { Database } from '../database/database.js';
import { startExistingPostgres } from '../database/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { JOB_LIMITS } from '../database/time-limits.js';
import { createLogger } from '../logger.js';
import { CheckpointAnchors } from '../services/audit/checkpoint-anchors.js';
import { allReferenced, referringTo } from '../services/files/content-references.js';
import { DISAGREEMENTS, StorageOwner } from '../services/files/storage-owner.js';
import { openBlobStore, openRecordStore } from '../storage/storage-location.js';
import { complain, optionOfNpm, type Terminal } from './command.js';

const USAGE = 'Usage: npm run storage [-- --adopt]';

/** Reports whether the storage belongs to the database, or assigns it. Returns 0 if it does and no file is missing. */
export async function storage(
  args: string[],
  env: Record<string, string | undefined>,
  terminal: Terminal = process,
): Promise<number> {
  const isAdopting = readArguments(args);
  if (isAdopting === undefined) return complain(terminal, USAGE, 2);
  const taken = optionOfNpm(env, ['adopt']);
  if (taken !== undefined) return complain(terminal, `${taken}\n${USAGE}`, 2);
  const config = readConfig(env, { empty: 'refused' });
  const embedded =
    config.databaseUrl === undefined ? await startExistingPostgres({ dataDir: config.dataDir }) : undefined;
  const { storageUrl, dataDir, storageSilenceSeconds: silenceSeconds } = config;
  const store = await openBlobStore(storageUrl, { stagingDir: dataDir, silenceSeconds });
  let database: Database | undefined;
  try {
    const url = config.databaseUrl ?? (embedded?.url as string);
    await migrate(url, config.migrationDatabaseUrl, 'refused');
    database = await Database.open(url, 2, JOB_LIMITS);
    const owner = new StorageOwner(database, store, config);
    if (isAdopting) {
      // As after an interrupted restore, where the storage has no marker either.
      if ((await owner.agreement()) === 'unmarked') await publishCheckpoints(database, config);
      await owner.adopt();
    }
    const { stored, unreferenced, missing } = await compare(database, store);
    terminal.stdout.write(
      `${stored} files are stored; no row refers to ${unreferenced} of them. ${missing.length} files are missing.\n`,
    );
    for (const sha256 of missing) {
      const rows = await referringTo.all(database, { sha256 });
      const names = rows.map(({ row, organizationId }) => `${row} of organization ${organizationId}`);
      complain(terminal, `File ${sha256} is missing: ${names.join(', ')}.`);
    }
    const agreement = await owner.agreement();
    if (agreement !== 'agreed') return complain(terminal, DISAGREEMENTS[agreement]);
    terminal.stdout.write('The storage belongs to this database.\n');
    return missing.length === 0 ? 0 : 1;
  } finally {
    await database?.close();
    await store.close();
    await embedded?.stop();
  }
}

async function publishCheckpoints(database: Database, config: Config): Promise<void> {
  const records = await openRecordStore(config.storageUrl, config.storageSilenceSeconds);
  await new CheckpointAnchors(records, createLogger('silent')).publishAgain(database).finally(() => records.close());
}

function readArguments(args: string[]): boolean | undefined {
  try {
    return parseArgs({ args, options: { adopt: { type: 'boolean', default: false } } }).values.adopt;
  } catch {
    return undefined;
  }
}

async function compare(database: Database, store: Awaited<ReturnType<typeof openBlobStore>>) {
  const absent = await referenced(database);
  const counts = { stored: 0, unreferenced: 0 };
  for await (const { sha256 } of store.list()) {
    counts.stored += 1;
    if (!absent.delete(sha256)) counts.unreferenced += 1;
  }
  // A file that the gateway has removed in the meantime is not missing.
  const needed = absent.size === 0 ? absent : await referenced(database);
  return { ...counts, missing: [...absent].filter((sha256) => needed.has(sha256)) };
}

async function referenced(database: Database): Promise<Set<string>> {
  return new Set((await allReferenced.all(database)).map(({ sha256 }) => sha256));
}
