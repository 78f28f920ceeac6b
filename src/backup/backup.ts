import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Client } from 'pg';
import { ifFound, StartupError } from '../errors.js';
import { requireKnownKeys, type Keys } from '../services/audit/known-keys.js';
import { allReferenced } from '../services/files/content-references.js';
import { asDomainError } from '../database/driver-errors.js';
import { requireLockIn } from '../database/migrate.js';
import { migrations } from '../database/migrations/index.js';
import { BACKUP_LOCK } from '../services/files/stored-content.js';
import { unavailableBecause, type BlobStore } from '../storage/blob-store.js';
import { ArchiveWriter, partOf } from './archive.js';
import { writeManifest, type BackedUpTable, type Manifest } from './manifest.js';
import { connect, copyOut, migrationsOf, RowDigest, sequencesOf, tablesOf, type Table } from './tables.js';

/** Bytes of a table that are buffered at a time and form one file of the archive. */
const PART_BYTES = 8 * 1024 * 1024;
/** Number of contents looked up at a time. */
const BATCH = 500;

export interface BackupSettings extends Keys {
  /** Connection string of the role that reads the rows. */
  databaseUrl: string;
  /** Connection string of the gateway, if that is another role. */
  gatewayUrl?: string | undefined;
}

/**
 * Writes database and stored files into one archive while the gateway runs: rows of one snapshot, then the files that
 * they refer to, none of which is removed in the meantime. Throws StartupError.
 */
export async function backUp(path: string, store: BlobStore, settings: BackupSettings): Promise<Manifest> {
  if (existsSync(path)) throw new StartupError(`${path} exists already: a backup replaces none.`);
  if (existsSync(partOf(path)))
    throw new StartupError(
      `${partOf(path)} exists already: another backup is being written there, or one was broken off; then remove it.`,
    );
  const [guard, reader] = [await connect(settings.databaseUrl), await connect(settings.databaseUrl)];
  try {
    await refuseRemovals(guard);
    if (settings.gatewayUrl !== undefined) await refuseOtherDatabase(settings.gatewayUrl);
    // The snapshot is taken after the lock: files that were removed before have no row in it.
    await reader.query('begin isolation level repeatable read read only');
    await reader.query('set local synchronize_seqscans = off');
    await refuseOtherVersion(reader);
    // With another key, the holder of the gateway's key could not restore it.
    await requireKnownKeys(
      { rows: async (text, values) => (await reader.query(text, values?.slice())).rows },
      settings,
    );
    const manifest = await write(path, reader, store, settings);
    await reader.query('commit');
    await guard.query('commit');
    return manifest;
  } catch (error) {
    throw asDomainError(error);
  } finally {
    await Promise.all([guard.end(), reader.end()]);
  }
}

async function refuseRemovals(guard: Client): Promise<void> {
  await guard.query('begin');
  const { rows } = await guard.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(${BACKUP_LOCK}) as free`);
  if (rows[0]?.free === true) return;
  // Removals in progress are short; another backup is not.
  await guard.query(`set local lock_timeout = '30s'`);
  await guard.query(`select pg_advisory_xact_lock(${BACKUP_LOCK})`).catch((error: unknown) => {
    throw new StartupError('Another backup of this database is being made.', { cause: error });
  });
}

/** Prevents a silent backup of a database that the gateway no longer uses. */
async function refuseOtherDatabase(gatewayUrl: string): Promise<void> {
  const gateway = await connect(gatewayUrl);
  await requireLockIn(gateway, BACKUP_LOCK).finally(() => gateway.end());
}

async function refuseOtherVersion(reader: Client): Promise<void> {
  const tables = await tablesOf(reader);
  const found = tables.some(({ name }) => name === 'schema_migration') ? await migrationsOf(reader) : [];
  if (found.join() !== migrations.map(({ name }) => name).join())
    throw new StartupError(
      'The database is not of the version of this program: back it up with the gateway that runs on it.',
    );
}

async function write(path: string, reader: Client, store: BlobStore, { secretKey }: BackupSettings): Promise<Manifest> {
  const madeAt = new Date();
  const archive = new ArchiveWriter(path, madeAt);
  try {
    const parts: Manifest['parts'] = {};
    const tables: BackedUpTable[] = [];
    for (const table of await tablesOf(reader)) tables.push(await writeTable(archive, parts, reader, table));
    const about = {
      format: 1 as const,
      madeAt: madeAt.toISOString(),
      installation: await installationOf(reader),
      migrations: await migrationsOf(reader),
      sequences: await sequencesOf(reader),
    };
    const files = await writeFiles(archive, reader, store);
    let manifest: Manifest | undefined;
    await archive.seal((before) => writeManifest((manifest = { ...about, tables, parts, files, before }), secretKey));
    return manifest as unknown as Manifest;
  } catch (error) {
    const { failure } = archive;
    await archive.abandon();
    if (failure === undefined) throw error;
    throw new StartupError(`${path} cannot be written (${failure.code}).`, { cause: error });
  }
}

async function installationOf(reader: Client): Promise<string | null> {
  const { rows } = await reader.query<{ id: string }>('select id from installation');
  return rows[0]?.id ?? null;
}

async function writeTable(
  archive: ArchiveWriter,
  parts: Manifest['parts'],
  reader: Client,
  table: Table,
): Promise<BackedUpTable> {
  const digest = new RowDigest();
  let chunks: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  const flush = async () => {
    const content = Buffer.concat(chunks);
    const name = `tables/${table.schema}.${table.name}/${String((number += 1)).padStart(6, '0')}.copy`;
    parts[name] = { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    await archive.add(name, content);
    chunks = [];
    bytes = 0;
  };
  for await (const chunk of copyOut(reader, table)) {
    digest.update(chunk);
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= PART_BYTES) await flush();
  }
  if (bytes > 0) await flush();
  return { ...table, rows: digest.rows, digest: digest.digest };
}

async function writeFiles(archive: ArchiveWriter, reader: Client, store: BlobStore): Promise<Manifest['files']> {
  const files: Manifest['files'] = { count: 0, bytes: 0, missing: [] };
  await reader.query(`declare contents cursor for ${allReferenced.text}`);
  for (;;) {
    const { rows } = await reader.query<{ sha256: string }>(`fetch ${BATCH} from contents`);
    for (const { sha256 } of rows) {
      const content = await contentOf(store, sha256);
      if (typeof content === 'string') {
        files.missing.push({ sha256, why: content });
        continue;
      }
      await archive.add(fileName(sha256), content);
      files.count += 1;
      files.bytes += content.length;
    }
    if (rows.length < BATCH) return files;
  }
}

/** A file of at most 25 MB, or the error if it is not as it was stored. */
async function contentOf(store: BlobStore, sha256: string): Promise<Buffer | string> {
  const content = await ifFound(async () => buffer(await store.open(sha256)).catch(storageAway));
  if (content === undefined) return 'it is not in the storage';
  return createHash('sha256').update(content).digest('hex') === sha256
    ? content
    : 'its bytes were changed in the storage';
}

/** Throws UNAVAILABLE for a truncated body. */
export function storageAway(cause: unknown): never {
  throw unavailableBecause(cause);
}

/** The place of a stored file in the archive. */
export function fileName(sha256: string): string {
  return `files/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}
