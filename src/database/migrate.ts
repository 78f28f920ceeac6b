import { MikroORM, type Transaction } from '@mikro-orm/postgresql';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier, type Client } from 'pg';
import { INSUFFICIENT_PRIVILEGE } from './driver-errors.js';
import { CREATE_HISTORY, DROP_HISTORY, HISTORY_SCHEMA } from './history-schema.js';
import { installJobs, jobsAreInstalled, jobsAreNewer, JOBS_SCHEMA } from './job-queues.js';
import { StartupError } from '../errors.js';
import { migrations } from './migrations/index.js';
import { ormOptions } from './orm-options.js';
import { PrimaryClient } from './primary-client.js';
import { limitsOf, NO_LIMITS } from './time-limits.js';

/**
 * Migrates the database at `url` and its job queue under an advisory lock. A separate owner owns the tables and grants
 * the role of `url` its privileges. Throws StartupError, also for a newer schema; unless `migrated`, for an older one,
 * which gateways of its version could not use afterwards; with `refused` also for an empty one.
 */
export async function migrate(
  url: string,
  separateOwnerUrl?: string,
  missing: 'migrated' | 'made' | 'refused' = 'migrated',
): Promise<void> {
  const ownerUrl = separateOwnerUrl ?? url;
  const isSeparate = separateOwnerUrl !== undefined;
  try {
    await withClient(ownerUrl, async (client) => {
      await refuseUnfitDatabase(client);
      if (!isSeparate && (await isCurrent(client))) return;
      if (missing !== 'migrated' && (await isOlder(client))) throw new StartupError(OLDER_SCHEMA);
      if (missing === 'refused' && (await isUnmade(client))) throw new StartupError(NO_SCHEMA);
      await client.query(`begin; set local idle_in_transaction_session_timeout = 0; ${NO_TRANSACTION_LIMIT}`);
      await takeTurn(client);
      const role = isSeparate ? await withClient(url, roleInTurn) : undefined;
      if (!(await isCurrent(client))) await insistently(() => migrateUp(ownerUrl));
      if (role !== undefined) await grantPrivileges(client, role);
      await client.query('commit');
    });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const advice =
      codeOf(error) === INSUFFICIENT_PRIVILEGE
        ? ': set MIGRATION_DATABASE_URL to the address of the role that owns the tables, here or for dist/main.js migrate'
        : '';
    throw new StartupError(`The database cannot be reached or migrated (${hintsOf(error)})${advice}.`, {
      cause: error,
    });
  }
}

/** Retries instead of waiting in the server, so that each statement ends within the client's limit. */
async function takeTurn(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as mine`);
    if (rows[0].mine) return;
    await sleep(LOCK_PAUSE);
  }
}

/** The role of the gateway, whose URL must lead to the same database. */
async function roleInTurn(client: Client): Promise<string> {
  await requireLockIn(client, MIGRATION_LOCK);
  const { rows } = await client.query<{ role: string }>('select current_user as role');
  return (rows[0] as { role: string }).role;
}

/** The gateway's URL leads to the same database if it sees an advisory lock of the owner of the tables. */
export async function requireLockIn(client: Client, lock: number): Promise<void> {
  const { rows } = await client.query<{ same: boolean }>(`
    select exists (select from pg_locks join pg_database d on d.oid = database
                    where d.datname = current_database() and locktype = 'advisory' and objid = ${lock}) as same`);
  if (rows[0]?.same !== true)
    throw new StartupError('MIGRATION_DATABASE_URL and DATABASE_URL lead to different databases: nothing was changed.');
}

/**
 * Gateways of the previous version continue meanwhile. In a deadlock with one of their transactions, one of the two
 * fails.
 */
async function insistently(up: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await up();
    } catch (error) {
      if (codeOf(error) !== DEADLOCK || tries === MOST_TRIES) throw error;
      await sleep(LOCK_PAUSE);
    }
  }
}

async function migrateUp(url: string): Promise<void> {
  const orm = await MikroORM.init(ormOptions({ url, poolSize: 2 }));
  try {
    await orm.em.transactional(async (em) => {
      // Also in the transaction: a pooler may have dropped the session's initial settings.
      await em.execute(`${limitsOf(NO_LIMITS)}; ${NO_TRANSACTION_LIMIT}`);
      await em.execute(DROP_HISTORY);
      await orm.migrator.up({ transaction: em.getTransactionContext() as Transaction });
      await em.execute(CREATE_HISTORY);
    });
  } catch (error) {
    // It would wait forever for a lost connection: the library does not return one that cannot roll back.
    void orm.close(true).catch(() => undefined);
    throw error;
  }
  await orm.close(true);
  // On its own connection: the library's statements commit, which would release the lock.
  await withClient(url, installJobs, { query_timeout: 0 });
}

/** PostgreSQL has this parameter since version 17. */
const NO_TRANSACTION_LIMIT = `select set_config(name, '0', true) from pg_settings where name = 'transaction_timeout'`;

/** Without the ORM, which most starts need not set up. */
async function isCurrent(client: Client): Promise<boolean> {
  const applied = await appliedTo(client);
  if (applied === undefined) return false;
  const known = migrations.map(({ name }) => name);
  if (applied.length > 0 && !applied.includes(FIRST_MIGRATION)) throw new StartupError(UNRELEASED_SCHEMA);
  if (applied.some((name) => !known.includes(name)) || (await jobsAreNewer(client)))
    throw new StartupError(NEWER_SCHEMA);
  return known.every((name) => applied.includes(name)) && (await jobsAreInstalled(client));
}

/**
 * An empty database is not older, even after an interrupted first migration, which leaves an empty list of
 * migrations.
 */
async function isOlder(client: Client): Promise<boolean> {
  const applied = (await appliedTo(client)) ?? [];
  return applied.length > 0 && migrations.some(({ name }) => !applied.includes(name));
}

async function isUnmade(client: Client): Promise<boolean> {
  return ((await appliedTo(client)) ?? []).length === 0;
}

/** The migrations of the database; undefined without their table. */
async function appliedTo(client: Client): Promise<string[] | undefined> {
  const { rows: tables } = await client.query(`select to_regclass('schema_migration') is not null as there`);
  if (!tables[0].there) return undefined;
  const { rows } = await client.query<{ name: string }>('select name from schema_migration');
  return rows.map(({ name }) => name);
}

const OLDER_SCHEMA =
  'The database is of an older version of the gateway: migrate it first, by a start of this version or by dist/main.js migrate. ' +
  'Nothing was changed.';

const NO_SCHEMA = 'There is no gateway in the database that DATABASE_URL leads to: nothing was changed.';

const NEWER_SCHEMA =
  'The database was migrated by a newer version of the gateway, which this version would damage: start that version, ' +
  'or set DATABASE_URL to a database of this one.';

/** Every database of a released version has it. */
const FIRST_MIGRATION = 'InitialSchema';
const UNRELEASED_SCHEMA =
  'The database was made by an unreleased version of the gateway and cannot be migrated: set DATABASE_URL to an empty ' +
  'database or, without DATABASE_URL, remove the data folder (DATA_DIR).';

/** SQLSTATE. */
const DEADLOCK = '40P01';
/** Each takes a second of waiting on both sides. */
const MOST_TRIES = 10;

/**
 * Grants the gateway's role its privileges on all existing tables, except those to change audit trails or the list of
 * migrations. The client is the owner's. Throws StartupError for a role that has the privileges of the owner.
 */
async function grantPrivileges(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select pg_has_role($1, relowner, 'member') as owns from pg_class where oid = 'audit_entry'::regclass`,
    [role],
  );
  if (rows[0]?.owns === true)
    throw new StartupError(
      `The role ${role} of DATABASE_URL could change audit trails: it must be neither a superuser, nor the owner of the ` +
        'tables, nor a member of the role that owns them.',
    );
  for (const statement of privilegesOf(escapeIdentifier(role))) await client.query(statement);
}

const privilegesOf = (role: string) => [
  ...['public', JOBS_SCHEMA].flatMap((schema) => [
    `grant usage on schema ${schema} to ${role}`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
    `grant usage on all sequences in schema ${schema} to ${role}`,
  ]),
  `grant usage on schema ${HISTORY_SCHEMA} to ${role}`,
  `grant select, insert on all tables in schema ${HISTORY_SCHEMA} to ${role}`,
  `revoke insert, update, delete on schema_migration from ${role}`,
  `revoke update, delete on audit_entry, audit_checkpoint, audit_log from ${role}`,
  `revoke delete on audit_seal, audit_fault from ${role}`,
  `revoke insert, update, delete on audit_stray_entry from ${role}`,
  `grant update (position, hash, latest_at, lateness) on audit_log to ${role}`,
  `grant execute on function prune_audit_entries(bigint, bigint) to ${role}`,
  `grant execute on function set_aside_audit_entries(bigint) to ${role}`,
  `grant execute on function keep_report_months(timestamptz, timestamptz) to ${role}`,
];

/**
 * Refuses an old server, which would fail midway with an unclear SQL error; and, of an empty database only, another
 * encoding, which refuses characters or counts bytes, and the locale `C` or Turkish, which compares searches and
 * addresses unlike the gateway. A database with data continues to be used.
 */
async function refuseUnfitDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string; encoding: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name,
            current_setting('server_encoding') as encoding`,
  );
  const [server] = rows;
  if (server === undefined) return;
  const refuse = (reason: string) => {
    throw new StartupError(`DATABASE_URL leads to ${reason}.`);
  };
  if (server.number < OLDEST_SERVER * 10_000)
    refuse(`PostgreSQL ${server.name}; the gateway needs ${OLDEST_SERVER} or newer`);
  if (!(await isUnmade(client))) return;
  if (server.encoding !== 'UTF8') refuse(`a database with the encoding ${server.encoding}: ${FIT_DATABASE}`);
  // A separate query: another encoding may lack such a character.
  const { rows: letters } = await client.query<{ fold: boolean }>(
    `select lower('IA') || lower(chr(201)) = 'ia' || chr(233) as fold`,
  );
  if (letters[0]?.fold === false)
    refuse(`a database whose locale does not make É and I the small letters é and i: ${FIT_DATABASE}`);
}

const FIT_DATABASE = `make it by create database … encoding 'UTF8' locale 'C.UTF-8' template template0`;

async function withClient<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
  limits = { query_timeout: QUERY_TIMEOUT },
): Promise<Result> {
  const client = new PrimaryClient({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // Limits that an operator has set for the role must not end a migration, and its literals have backslashes.
    options: '-c statement_timeout=0 -c lock_timeout=0 -c search_path=public -c standard_conforming_strings=on',
    ...limits,
  });
  // A connection that breaks fails the running statement; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The oldest supported major version of PostgreSQL. */
const OLDEST_SERVER = 15;

/** Milliseconds for a statement that reads the state of the schema. */
const QUERY_TIMEOUT = 15_000;
/** Milliseconds between two attempts to become the migrating instance. */
const LOCK_PAUSE = 200;

/** An arbitrary number, the same in every instance. */
const MIGRATION_LOCK = 7_214_001;

/** Code and first line of the driver's message; each address of a host name fails separately. */
function hintsOf(error: unknown): string {
  const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return [codeOf(error), sentence].filter(Boolean).join(': ');
}

function codeOf(error: unknown): string | undefined {
  return (((error as Error).cause ?? error) as NodeJS.ErrnoException).code;
}
