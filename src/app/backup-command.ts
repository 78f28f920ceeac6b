import { parseArgs } from 'node:util';
import { join, resolve } from 'node:path';
import { backUp } from '../backup/backup.js';
import type { Manifest } from '../backup/manifest.js';
import { inspect, restore } from '../backup/restore.js';
import { verifyRestored, type Verified } from '../backup/verify-restored.js';
import { complain, optionOfNpm, type Terminal } from './command.js';
import { readConfig, type Config } from '../config.js';
import { attachEmbeddedPostgres, startEmbeddedPostgres } from '../database/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { closeFoundation, createFoundation } from '../services/foundation.js';
import { createLogger } from '../logger.js';
import { CATALOG_DIR } from './server.js';
import { createServices } from '../services/index.js';
import { StorageOwner } from '../services/files/storage-owner.js';
import { ReportingRegimes } from '../services/incidents/reporting-regimes.js';
import { WorkflowCatalog } from '../services/workflows/catalog.js';
import { openBlobStore, openRecordStore } from '../storage/storage-location.js';

const USAGE = 'Usage: npm run backup -- <file>\n       npm run restore -- <file> [--verify] [--same-installation]';

type Environment = Record<string, string | undefined>;

type Command =
  | { what: 'backup'; file: string }
  | { what: 'restore'; file: string; isVerified: boolean; installation: 'same' | 'new' };

/** Writes a backup of a gateway, or restores one into an empty database and storage. Returns the exit code. */
export async function backupCommand(args: string[], env: Environment, terminal: Terminal = process): Promise<number> {
  const command = commandOf(args);
  if (command === undefined) return complain(terminal, USAGE, 2);
  const taken = optionOfNpm(env, ['verify', 'same-installation']);
  if (taken !== undefined) return complain(terminal, `${taken}\n${USAGE}`, 2);
  return command.what === 'backup' ? writeBackup(command.file, env, terminal) : readBackup(command, env, terminal);
}

function commandOf(args: string[]): Command | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { verify: { type: 'boolean' }, 'same-installation': { type: 'boolean' } },
    });
    const [what, file, ...more] = positionals;
    if (file === undefined || more.length > 0) return undefined;
    if (what === 'backup' && Object.keys(values).length === 0) return { what, file: resolve(file) };
    if (what !== 'restore') return undefined;
    const installation = values['same-installation'] === true ? 'same' : 'new';
    return { what, file: resolve(file), isVerified: values.verify === true, installation };
  } catch {
    return undefined;
  }
}

async function writeBackup(file: string, env: Environment, { stdout, stderr }: Terminal): Promise<number> {
  const config = readConfig(env, { empty: 'refused' });
  const embedded = config.databaseUrl === undefined ? await attachEmbeddedPostgres(config) : undefined;
  const store = await openBlobStore(config.storageUrl, storeSettings(config));
  try {
    const { databaseUrl, migrationDatabaseUrl } = config;
    const url = embedded?.url ?? migrationDatabaseUrl ?? (databaseUrl as string);
    const gatewayUrl = migrationDatabaseUrl && databaseUrl;
    const manifest = await backUp(file, store, { ...config, databaseUrl: url, gatewayUrl });
    stdout.write(`${file} is a backup of ${manifest.madeAt}: ${contentsOf(manifest)}.\n`);
    for (const line of missingOf(manifest)) stderr.write(`${line}\n`);
    return manifest.files.missing.length === 0 ? 0 : 1;
  } finally {
    await store.close();
    await embedded?.stop();
  }
}

async function readBackup(
  { file, isVerified, installation }: Extract<Command, { what: 'restore' }>,
  env: Environment,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const config = readConfig(env, { empty: 'refused' });
  // Checked first, so that a damaged backup changes nothing.
  const manifest = await inspect(file, [config.secretKey, ...config.earlierSecretKeys]);
  const embedded = config.databaseUrl === undefined ? await startEmbeddedPostgres(config) : undefined;
  const url = embedded?.url ?? (config.databaseUrl as string);
  const store = await openBlobStore(config.storageUrl, storeSettings(config));
  try {
    await migrate(url, config.migrationDatabaseUrl, 'made');
    const databaseUrl = config.migrationDatabaseUrl ?? url;
    await restore(file, manifest, store, { databaseUrl, installation, keys: config });
    const verified = await withServices(config, url, async ({ auditVerification, auditCheckpoints }, database) => {
      const place = { databaseUrl, store, trails: auditVerification, installation };
      const compared = isVerified ? await verifyRestored(manifest, place) : undefined;
      // Checkpoints in the storage reveal that a database was set back.
      await auditCheckpoints.publishAgain();
      // Last, so that the storage of an interrupted restore is recognizable as incomplete.
      await new StorageOwner(database, store, config).adopt();
      return compared;
    });
    for (const line of missingOf(manifest)) stderr.write(`${line}\n`);
    const code = verified === undefined ? 0 : report(manifest, verified, { stdout, stderr });
    if (verified === undefined)
      stdout.write(`Restored from the backup of ${manifest.madeAt}: ${contentsOf(manifest)}.\n`);
    if (code === 0 && installation === 'new' && manifest.installation !== null)
      stdout.write('One row of the backup was left out, the id of its installation: this is another one.\n');
    return code;
  } finally {
    await store.close();
    await embedded?.stop();
  }
}

function report(manifest: Manifest, verified: Verified, { stdout, stderr }: Terminal): number {
  const { rows, files, trails, entries, checkpoints, defects } = verified;
  for (const defect of defects) stderr.write(`${defect}\n`);
  if (defects.length > 0) {
    stderr.write(`Not equal to the backup of ${manifest.madeAt}, or not valid: see above.\n`);
    return 1;
  }
  stdout.write(
    `Equal to the backup of ${manifest.madeAt}: ${rows} rows, ${files} files; ` +
      `${trails} audit trails with ${entries} entries and ${checkpoints} checkpoints are valid.\n`,
  );
  return 0;
}

/** The use cases with all dependencies, without serving requests. */
async function withServices<Result>(
  config: Readonly<Config>,
  databaseUrl: string,
  use: (
    services: ReturnType<typeof createServices>,
    database: Awaited<ReturnType<typeof createFoundation>>['database'],
  ) => Promise<Result>,
): Promise<Result> {
  const foundation = await createFoundation({
    ...{ config, databaseUrl, log: createLogger('silent') },
    catalog: WorkflowCatalog.load(CATALOG_DIR),
    regimes: ReportingRegimes.load(join(CATALOG_DIR, 'regimes')),
  });
  // The marker may name any installation: it is set to that of the database when all files are there.
  const records = await openRecordStore(config.storageUrl, config.storageSilenceSeconds);
  try {
    await foundation.clock.read(foundation.database);
    return await use(createServices({ ...foundation, records }), foundation.database);
  } finally {
    records.close();
    await closeFoundation(foundation);
  }
}

const storeSettings = ({ dataDir, storageSilenceSeconds }: Config) => ({
  stagingDir: dataDir,
  silenceSeconds: storageSilenceSeconds,
});

function contentsOf({ tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${tables.length} tables, ${files.count} files`;
}

function missingOf({ files }: Manifest): string[] {
  return files.missing.map(({ sha256, why }) => `File ${sha256} is not in the backup: when it was made, ${why}.`);
}
