import { MikroORM } from '@mikro-orm/postgresql';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { installJobs, jobsAreInstalled, jobsAreNewer } from '../jobs/install-jobs.js';
import { StartupFault } from './embedded/startup-fault.js';
import { migrations } from './migrations/index.js';
import { ormOptions } from './orm-options.js';

/**
 * Brings the database at `url` to the newest schema, the job queue's included. Instances that start together take
 * turns: the advisory lock lets one of them work while the others wait, and they then find nothing left to do. Throws
 * StartupFault, also when the database was migrated by a newer program.
 */
export async function migrate(url: string): Promise<void> {
  try {
    await withClient(url, async (client) => {
      await refuseOldServer(client);
      if (await isCurrent(client)) return;
      await client.query('begin; set local idle_in_transaction_session_timeout = 0');
      await takeTurn(client);
      if (!(await isCurrent(client))) await migrateUp(url);
      await client.query('commit');
    });
  } catch (error) {
    if (error instanceof StartupFault) throw error;
    // A database that cannot be reached is the operator's to fix, not ours to trace.
    throw new StartupFault(`The database cannot be reached or migrated (${hintsOf(error)}).`, { cause: error });
  }
}

/** Asks again and again instead of waiting in the server, so that each statement ends within the client's limit. */
async function takeTurn(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as mine`);
    if (rows[0].mine) return;
    await sleep(LOCK_PAUSE);
  }
}

async function migrateUp(url: string): Promise<void> {
  const orm = await MikroORM.init(ormOptions({ url, poolSize: 2 }));
  try {
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
  // On a connection of its own: the library's statements commit, which would give the lock away.
  await withClient(url, installJobs, { query_timeout: 0 });
}

/** Most starts find nothing to do, and should not wait for an ORM to be set up only to learn that. */
async function isCurrent(client: Client): Promise<boolean> {
  const { rows: tables } = await client.query(`select to_regclass('schema_migration') is not null as there`);
  if (!tables[0].there) return false;
  const { rows } = await client.query<{ name: string }>('select name from schema_migration');
  const applied = rows.map(({ name }) => name);
  const known = migrations.map(({ name }) => name);
  if (applied.some((name) => !known.includes(name)) || (await jobsAreNewer(client)))
    throw new StartupFault(NEWER_SCHEMA);
  return known.every((name) => applied.includes(name)) && (await jobsAreInstalled(client));
}

const NEWER_SCHEMA =
  'The database was migrated by a newer version of the gateway, which this version would damage: start that version, ' +
  'or set DATABASE_URL to a database of this one.';

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

async function withClient<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
  limits = { query_timeout: QUERY_TIMEOUT },
): Promise<Result> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // What an operator has set for requests must not end a migration.
    options: '-c statement_timeout=0 -c lock_timeout=0',
    ...limits,
  });
  // A connection that breaks fails the statement under way; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Major version of PostgreSQL at least (decisions §12). */
const OLDEST_SERVER = 15;

/** Milliseconds for a statement that only reads the state of the schema. */
const QUERY_TIMEOUT = 15_000;
/** Milliseconds between two attempts to become the instance that migrates. */
const LOCK_PAUSE = 200;

/** Any number, the same in every instance. */
const MIGRATION_LOCK = 7_214_001;

/** What the database itself says is the best hint there is; several addresses of one name fail once for each. */
function hintsOf(error: unknown): string {
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  const [told = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return [code, told].filter(Boolean).join(': ');
}
