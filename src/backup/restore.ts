import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { once } from '../common/concurrency.js';
import { StartupError } from '../errors.js';
import { requireKnownKeys, type Keys } from '../services/audit/known-keys.js';
import type { BlobStore } from '../storage/blob-store.js';
import { installationOf, isEmpty } from '../services/files/storage-owner.js';
import { damageOf, MANIFEST, readArchive, type Extent } from './archive.js';
import { fileName } from './backup.js';
import { readManifest, type Manifest } from './manifest.js';
import { asDomainError, INSUFFICIENT_PRIVILEGE, sqlStateOf } from '../database/driver-errors.js';
import { migrations } from '../database/migrations/index.js';
import { connect, CopyIn, nameOf, setSequence, tablesOf, withoutRules, type Table } from './tables.js';

const FILE = /^files\/[0-9a-f]{2}\/[0-9a-f]{2}\/([0-9a-f]{64})$/;
const PART = /^tables\/([^/]+)\/\d+\.copy$/;

/**
 * Reads a whole archive and compares every byte of it with its manifest. Throws StartupError naming the part that
 * differs.
 */
export async function inspect(path: string, secretKeys: readonly string[]): Promise<Manifest> {
  const found = new Map<string, Extent>();
  const files = { count: 0, bytes: 0 };
  let manifest: Buffer | undefined;
  for await (const { name, content } of readArchive(path)) {
    if (name === MANIFEST) {
      manifest = await wholeOf(content);
      continue;
    }
    const extent = await extentOf(content);
    const [, sha256] = FILE.exec(name) ?? [];
    if (sha256 === undefined) found.set(name, extent);
    else if (name !== fileName(extent.sha256)) throw damaged(name);
    else Object.assign(files, { count: files.count + 1, bytes: files.bytes + extent.bytes });
  }
  if (manifest === undefined) throw new StartupError(`${path} has no ${MANIFEST}: the backup was not completed.`);
  const said = readManifest(manifest, secretKeys);
  for (const [name, { sha256 }] of Object.entries(said.parts))
    if (found.get(name)?.sha256 !== sha256) throw damaged(name);
  for (const name of found.keys()) if (!(name in said.parts)) throw damaged(name);
  if (files.count !== said.files.count || files.bytes !== said.files.bytes)
    throw new StartupError(`The backup is damaged: it has ${files.count} files, and had ${said.files.count}.`);
  const place = await damageOf(path, said.before, manifest.length);
  if (place !== undefined) throw new StartupError(`The backup is damaged: ${place} is not as it was written.`);
  refuseOtherVersion(said);
  return said;
}

/** Before a database is created, which the version that made the backup would refuse. */
function refuseOtherVersion(manifest: Manifest): void {
  const own = migrations.map(({ name }) => name);
  const difference = [...own, ...manifest.migrations].find(
    (name) => !own.includes(name) || !manifest.migrations.includes(name),
  );
  if (difference !== undefined)
    throw new StartupError(
      'The backup was made by another version of the gateway: restore with the version that made it, and start the newer one then. ' +
        `(${difference})`,
    );
}

const damaged = (name: string) => new StartupError(`The backup is damaged: ${name} is not what was backed up.`);

async function extentOf(content: AsyncIterable<Uint8Array>): Promise<Extent> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export interface RestoreSettings {
  /** Connection string of the role that owns the tables, which are of the newest schema. */
  databaseUrl: string;
  /** Whether the restored gateway replaces the one that was backed up, or is a separate installation. */
  installation: 'same' | 'new';
  keys: Keys;
}

/** Loads an archive verified by `inspect` into an empty database and storage: all rows or none. */
export async function restore(path: string, manifest: Manifest, store: BlobStore, settings: RestoreSettings) {
  const client = await connect(settings.databaseUrl);
  try {
    await client.query('begin');
    const tables = await tablesOf(client);
    refuseOtherSchema(tables, manifest);
    // Rows that another restore or a gateway is inserting would be truncated after its commit.
    await client.query(`lock table ${tables.map(nameOf).join(', ')} in access exclusive mode`);
    await refuseWhatIsThere(client, tables, store);
    await refuseForeignStorage(client, store, settings.installation === 'same' ? manifest.installation : null);
    // The next start would refuse the restored database.
    const requireKeys = once(() =>
      requireKnownKeys(
        { rows: async (text, values) => (await client.query(text, values?.slice())).rows },
        settings.keys,
      ),
    );
    await withoutRules(client, tables, () => load(path, client, store, manifest, requireKeys));
    if (settings.installation === 'new') await client.query('delete from installation');
    for (const sequence of manifest.sequences) await setSequence(client, sequence);
    await client.query('commit');
    await client.query('analyze');
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw asDomainError(error);
    throw new StartupError(
      'The role of DATABASE_URL does not own the tables: set MIGRATION_DATABASE_URL to the address of the role that does. Nothing was restored.',
      { cause: error },
    );
  } finally {
    await client.end();
  }
}

function refuseOtherSchema(tables: readonly Table[], manifest: Manifest): void {
  const shape = (all: readonly Table[]) => all.map((each) => `${nameOf(each)} ${each.columns.toSorted().join()}`);
  const own = shape(tables);
  const theirs = shape(manifest.tables);
  const differences = [
    ...own.filter((each) => !theirs.includes(each)),
    ...theirs.filter((each) => !own.includes(each)),
  ];
  if (differences.length > 0)
    throw new StartupError(
      'The backup was made by another version of the gateway, or the database has other tables than the gateway makes: ' +
        `restore with the version that made it, and start the newer one then. (${differences[0]})`,
    );
}

/** Tables that a gateway fills at its first start. */
const UNUSED = ['schema_migration', 'installation'];

async function refuseWhatIsThere(client: Client, tables: readonly Table[], store: BlobStore): Promise<void> {
  for (const table of tables) {
    if (table.schema !== 'public' || UNUSED.includes(table.name)) continue;
    const { rows } = await client.query(`select from ${nameOf(table)} limit 1`);
    if (rows.length > 0)
      throw new StartupError(`The database is not empty (${table.name}): a backup is restored into an empty one only.`);
  }
  if (!(await isEmpty(store)))
    throw new StartupError('The storage is not empty: set STORAGE_URL to an empty folder, bucket or prefix.');
}

/** A storage without files may be in use all the same: its owner could not store anything any more. */
async function refuseForeignStorage(client: Client, store: BlobStore, replaced: string | null): Promise<void> {
  const owner = await installationOf(store);
  if (owner === undefined || owner === replaced) return;
  const { rows } = await client.query<{ id: string }>('select id from installation');
  if (rows[0]?.id !== owner)
    throw new StartupError(
      'The storage belongs to another installation: set STORAGE_URL to an empty folder, bucket or prefix.',
    );
}

/** `requireRows` is called when all rows are loaded, before files are stored that would have to be removed again. */
async function load(
  path: string,
  client: Client,
  store: BlobStore,
  { tables }: Manifest,
  requireRows: () => Promise<void>,
): Promise<void> {
  let loading: { directory: string; copy: CopyIn } | undefined;
  for await (const { name, content } of readArchive(path)) {
    const [, directory] = PART.exec(name) ?? [];
    if (loading !== undefined && loading.directory !== directory) {
      await loading.copy.end();
      loading = undefined;
    }
    if (directory !== undefined) {
      const table = tables.find((each) => `${each.schema}.${each.name}` === directory) as Table;
      loading ??= { directory, copy: new CopyIn(client, table) };
      for await (const chunk of content) await loading.copy.write(chunk);
      continue;
    }
    await requireRows();
    if (name === MANIFEST) await wholeOf(content);
    else await store.stage(content, Infinity).then((staged) => staged.store());
  }
}
