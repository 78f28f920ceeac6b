import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import type { Queryable, Reads } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { unavailable } from '../../errors.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { parseStorageUrl } from '../../storage/storage-location.js';
import { isAnyReferenced } from './content-references.js';

/** Which database a storage belongs to, as its marker says. */
interface Marker {
  installation: string;
  /** Where the database is: a copy of it is somewhere else. */
  database: string;
}

/** What database and storage say of each other. Only where they agree is anything removed. */
export type Agreement = 'agreed' | 'unmarked' | 'another database' | 'another installation';

/** What an operator is told of each case but the first. */
export const DISAGREEMENTS: Readonly<Record<Exclude<Agreement, 'agreed'>, string>> = {
  unmarked:
    'The storage has files, or the database refers to some, and no marker says that they belong together: nothing is removed. ' +
    'When they do, run: npm run storage -- --adopt',
  'another database':
    'The storage belongs to another database of this installation, which this one may be a copy of: nothing is removed. ' +
    'When this database has taken its place, run: npm run storage -- --adopt',
  'another installation':
    'The storage belongs to another installation: nothing is removed, and nothing is stored. ' +
    'Set STORAGE_URL to a place of its own, another prefix for one.',
};

const installation = table('installation');

/** The timeline tells a server that was restored to an earlier time from its original. */
const identity = statement<object>()(
  () => sql<{ id: string | null; server: string }>`
    select (select ${installation.id} from ${installation.table}) as id,
           concat_ws('/', system_identifier, (select oid from pg_database where datname = current_database()),
                     left(pg_walfile_name(pg_current_wal_lsn()), 8)) as server
      from pg_control_system()`,
);

const makeInstallation = statement<{ id: string }>()((p) =>
  db
    .insertInto('installation')
    .values({ number: 1, id: p('id') })
    .onConflict((conflict) => conflict.doNothing()),
);
const lockInstallation = statement<object>()(() => db.selectFrom('installation').select('id').forUpdate());

/** The part of the configuration that says where database and storage are. */
export interface Places {
  databaseUrl?: string | undefined;
  dataDir: string;
  storageUrl: string;
}

/** Whether the database at hand owns the storage at hand (docs/adr/0030). */
export class StorageOwner {
  private readonly folder: string | undefined;

  constructor(
    private readonly database: Pick<Reads, 'rows' | 'transaction'>,
    private readonly store: BlobStore,
    places: Places,
  ) {
    this.folder = folderOf(places);
  }

  /** Reads both sides anew. Throws UNAVAILABLE when one of them is away. */
  async agreement(tx: Queryable = this.database): Promise<Agreement> {
    const text = await this.store.readMarker();
    if (text === undefined) return 'unmarked';
    const { installation, database } = readMarker(text);
    const own = await this.identity(tx);
    if (installation !== own.installation) return 'another installation';
    return database === own.database ? 'agreed' : 'another database';
  }

  /** As `agreement`; marks an empty storage as that of a database that refers to no content. */
  async claim(): Promise<Agreement> {
    const found = await this.agreement();
    if (found !== 'unmarked') return found;
    // Committed before the marker names it.
    await makeInstallation.all(this.database, { id: randomUUID() });
    return this.database.transaction(async (tx) => {
      // Of instances that start together one makes the marker.
      await lockInstallation.all(tx, {});
      const again = await this.agreement(tx);
      if (again !== 'unmarked' || (await isAnyReferenced(tx)) || !(await isEmpty(this.store))) return again;
      await this.mark(tx);
      return this.agreement(tx);
    });
  }

  /** Makes the storage that of this database, whatever either says. */
  async adopt(): Promise<void> {
    await makeInstallation.all(this.database, { id: randomUUID() });
    await this.mark(this.database);
  }

  private async mark(tx: Queryable): Promise<void> {
    await this.store.writeMarker(`${JSON.stringify(await this.identity(tx), null, 2)}\n`);
  }

  private async identity(tx: Queryable): Promise<Partial<Marker>> {
    const { id, server } = await identity.one(tx, {});
    const database = this.folder === undefined ? server : `${server} ${this.folder}`;
    return { ...(id !== null && { installation: id }), database };
  }
}

/**
 * Of the embedded database: a copy of its folder has the same server in another place. Seen from a local storage, so that
 * both may be moved together.
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
    // A marker that cannot be read is nobody's: an operator decides.
    return {};
  }
}

export async function isEmpty(store: BlobStore): Promise<boolean> {
  for await (const _ of store.list()) return false;
  return true;
}

/** What refuses to store into the storage of another installation, whose sweeps would remove it. */
export const notOurStorage = () =>
  unavailable(undefined, { service: 'storage', cause: new Error(DISAGREEMENTS['another installation']) });
