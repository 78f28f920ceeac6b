import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { installJobs, jobsAreInstalled } from '../jobs/install-jobs.js';
import { StartupFault } from './embedded/startup-fault.js';
import { migrations } from './migrations/index.js';
import { ormOptions } from './orm-options.js';

/**
 * Brings the database at `url` to the newest schema. Instances that start together take turns: the advisory lock lets
 * one of them work while the others wait, and they then find nothing left to do. Throws StartupFault.
 */
export async function migrate(url: string): Promise<void> {
  try {
    if (!(await isCurrent(url))) await migrateUp(url);
  } catch (error) {
    if (error instanceof StartupFault) throw error;
    // A database that cannot be reached is the operator's to fix, not ours to trace.
    throw new StartupFault(`The database cannot be reached or migrated (${hintsOf(error)}).`, { cause: error });
  }
}

async function migrateUp(url: string): Promise<void> {
  const orm = await MikroORM.init(ormOptions({ url, poolSize: 2 }));
  try {
    await orm.em.transactional(async (em) => {
      await em.execute(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await orm.migrator.up();
    });
  } finally {
    await orm.close(true);
  }
  await withClient(url, installJobs);
}

/** Most starts find nothing to do, and should not wait for an ORM to be set up only to learn that. */
async function isCurrent(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    await refuseOldServer(client);
    const { rows: tables } = await client.query(`select to_regclass('schema_migration') is not null as there`);
    if (!tables[0].there) return false;
    const { rows } = await client.query<{ name: string }>('select name from schema_migration');
    const applied = new Set(rows.map(({ name }) => name));
    return migrations.every(({ name }) => applied.has(name)) && (await jobsAreInstalled(client));
  });
}

/** An old server would fail somewhere on the way, in words of SQL that tell its operator nothing. */
async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  const [server] = rows;
  if (server !== undefined && server.number < OLDEST_SERVER * 10_000)
    throw new StartupFault(
      `DATABASE_URL leads to PostgreSQL ${server.name}; the gateway needs ${OLDEST_SERVER} or newer.`,
    );
}

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Major version of PostgreSQL at least (decisions §12). */
const OLDEST_SERVER = 15;

/** Any number, the same in every instance. */
const MIGRATION_LOCK = 7_214_001;

/** What the database itself says is the best hint there is; several addresses of one name fail once for each. */
function hintsOf(error: unknown): string {
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  const [told = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return [code, told].filter(Boolean).join(': ');
}
