import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import type { Queryable, Reads } from '../../database/database.js';
import { sqlStateOf } from '../../database/driver-errors.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { unavailable } from '../../errors.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { parseStorageUrl } from '../../storage/storage-location.js';
import { isAnyReferenced } from './content-references.js';

/** The database that a storage belongs to, by its marker. */
interface Marker {
  installation: string;
  /** Location of the database: a copy of it has another one. */
  database: string;
}

/** Whether database and storage name each other. Nothing is removed unless they agree. */
export type Agreement = 'agreed' | 'unmarked' | 'unknown server' | 'another database' | 'another installation';

/** Log message of each case but the first. */
export const DISAGREEMENTS: Readonly<Record<Exclude<Agreement, 'agreed'>, string>> = {
  unmarked:
    'The storage has files, or the database refers to some, and no marker says that they belong together: nothing is removed. ' +
    'When they do, run: npm run storage -- --adopt',
  'unknown server':
    'The database server does not say which one it is, so that a copy of the database cannot be told from it: nothing is removed. ' +
    'The role needs the right to call pg_control_system, pg_current_wal_lsn and pg_walfile_name, where the server has them.',
  'another database':
    'The storage belongs to another database of this installation, which this one may be a copy of: nothing is removed. ' +
    'When this database has taken its place, run: npm run storage -- --adopt',
  'another installation':
    'The storage belongs to another installation: nothing is removed, and nothing is stored. ' +
    'Set STORAGE_URL to a place of its own, another prefix for one.',
};

/** An unidentifiable server is warned about at the start, not with each removal. */
export const levelOf = (agreement: Agreement) => (agreement === 'unknown server' ? 'info' : 'warn');

const installation = table('installation');

const ownInstallation = statement<object>()(
  () => sql<{ id: string | null; database: string }>`
    select (select ${installation.id} from ${installation.table}) as id,
           (select concat_ws('/', oid, datname) from pg_database where datname = current_database()) as database`,
);

/** The timeline distinguishes a server that was restored to an earlier time from its original. */
const ownServer = statement<object>()(
  () => sql<{ server: string }>`
    select concat_ws('/', system_identifier, (select oid from pg_database where datname = current_database()),
                     left(pg_walfile_name(pg_current_wal_lsn()), 8)) as server
      from pg_control_system()`,
);

const savepoint = statement<object>()(() => sql`savepoint server`);
const rollBack = statement<object>()(() => sql`rollback to savepoint server`);

/** SQLSTATEs of a server without this function, where it is forbidden to the role, or only a stub. */
const UNIDENTIFIED = new Set(['42883', '42501', '0A000']);

const makeInstallation = statement<{ id: string }>()((p) =>
  db
    .insertInto('installation')
    .values({ number: 1, id: p('id') })
    .onConflict((conflict) => conflict.doNothing()),
);
const lockInstallation = statement<object>()(() => db.selectFrom('installation').select('id').forUpdate());

const SECOND = 1_000;

/** The configured locations of database and storage. */
export interface Places {
  databaseUrl?: string | undefined;
  dataDir: string;
  storageUrl: string;
}

/** Whether the database owns the storage (docs/adr/0030). */
export class StorageOwner {
  private readonly folder: string | undefined;
  private agreedUntil = -Infinity;

  constructor(
    private readonly database: Pick<Reads, 'rows' | 'transaction'>,
    private readonly store: BlobStore,
    places: Places,
  ) {
    this.folder = folderOf(places);
  }

  /** Reads both sides again. Throws UNAVAILABLE when one of them is unavailable. */
  async agreement(tx?: Queryable): Promise<Agreement> {
    if (tx === undefined) return this.database.transaction((own) => this.agreement(own));
    const text = await this.store.readMarker();
    if (text === undefined) return 'unmarked';
    const { installation, database } = readMarker(text);
    const own = await this.identity(tx);
    if (installation !== own.installation) return 'another installation';
    if (!own.isServerKnown) return 'unknown server';
    return database === own.database ? 'agreed' : 'another database';
  }

  /** As `agreement`, cached for a second after both sides agreed: uploads remove old versions many times a second. */
  async agreementLately(tx: Queryable): Promise<Agreement> {
    if (performance.now() < this.agreedUntil) return 'agreed';
    const agreement = await this.agreement(tx);
    if (agreement === 'agreed') this.agreedUntil = performance.now() + SECOND;
    return agreement;
  }

  /** As `agreement`; also marks an empty storage for a database that refers to no content. */
  async claim(): Promise<Agreement> {
    const found = await this.agreement();
    if (found !== 'unmarked') return found;
    // Committed before the marker names it.
    await makeInstallation.all(this.database, { id: randomUUID() });
    return this.database.transaction(async (tx) => {
      // One of the instances that start together creates the marker.
      await lockInstallation.all(tx, {});
      const again = await this.agreement(tx);
      if (again !== 'unmarked' || (await isAnyReferenced(tx)) || !(await isEmpty(this.store))) return again;
      await this.mark(tx);
      return this.agreement(tx);
    });
  }

  /** Assigns the storage to this database, unconditionally. */
  async adopt(): Promise<void> {
    await makeInstallation.all(this.database, { id: randomUUID() });
    await this.database.transaction((tx) => this.mark(tx));
  }

  private async mark(tx: Queryable): Promise<void> {
    const { installation, database } = await this.identity(tx);
    await this.store.writeMarker(`${JSON.stringify({ installation, database }, null, 2)}\n`);
  }

  /** `tx` is a transaction: it continues after the error of an unidentifiable server. */
  private async identity(tx: Queryable): Promise<Partial<Marker> & { isServerKnown: boolean }> {
    const { id, database } = await ownInstallation.one(tx, {});
    const server = await serverOf(tx);
    const place = server ?? database;
    return {
      installation: id ?? undefined,
      database: this.folder === undefined ? place : `${place} ${this.folder}`,
      isServerKnown: server !== undefined,
    };
  }
}

async function serverOf(tx: Queryable): Promise<string | undefined> {
  await savepoint.all(tx, {});
  try {
    return (await ownServer.one(tx, {})).server;
  } catch (error) {
    if (!UNIDENTIFIED.has(sqlStateOf(error) ?? '')) throw error;
    await rollBack.all(tx, {});
    return undefined;
  }
}

/**
 * For the embedded database: a copy of its folder has the same server id in another place. The path is relative to a local
 * storage, so that both may be moved together.
 */
function folderOf({ databaseUrl, dataDir, storageUrl }: Places): string | undefined {
  if (databaseUrl !== undefined) return undefined;
  const location = parseStorageUrl(storageUrl);
  return location.kind === 'local' ? relative(location.directory, dataDir) : dataDir;
}

function readMarker(text: string): Partial<Marker> {
  try {
    return JSON.parse(text) as Partial<Marker>;
  } catch {
    // An unreadable marker names no owner: an operator decides.
    return {};
  }
}

/** The installation that a storage is marked for; undefined without a marker. */
export async function installationOf(store: BlobStore): Promise<string | undefined> {
  const text = await store.readMarker();
  return text === undefined ? undefined : (readMarker(text).installation ?? 'unknown');
}

export async function isEmpty(store: BlobStore): Promise<boolean> {
  for await (const _ of store.list()) return false;
  return true;
}

/** Error of storing into another installation's storage, whose sweeps would remove the file. */
export const notOurStorage = () =>
  unavailable(undefined, { service: 'storage', cause: new Error(DISAGREEMENTS['another installation']) });
