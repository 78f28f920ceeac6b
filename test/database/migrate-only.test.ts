import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Database } from '../../src/database/database.js';
import { migrateOnly } from '../../src/app/migrate-only.js';
import { adminUrl, createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const terminal = { stdout: { write: () => true }, stderr: { write: () => true } };
let databases: TestDatabase[];
beforeAll(async () => void (databases = [await createEmptyDatabase(), await createEmptyDatabase()]));
afterAll(async () => {
  for (const database of databases ?? []) await database.drop();
});

async function tablesIn({ url }: Pick<TestDatabase, 'url'>): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
  await client.end();
  return rowCount ?? 0;
}

test.each([
  ['a variable with a name that is nearly one of its own', 'MIGRATION_DATABASE_URI', /MIGRATION_DATABASE_URL is/],
  [
    'a second address that leads to another database',
    'MIGRATION_DATABASE_URL',
    /^MIGRATION_DATABASE_URL and DATABASE_/,
  ],
])('a migration refuses %s, and changes nothing', async (_what, name, complaint) => {
  const [database, other] = databases as [TestDatabase, TestDatabase];
  // It neither needs nor validates other variables.
  const env = { DATABASE_URL: database.url, [name]: other.url, PORT: 'none', RATE_LIMIT_READS: '7' };
  await expect(migrateOnly(env, terminal)).rejects.toThrow(complaint);
  expect([await tablesIn(database), await tablesIn(other)]).toEqual([0, 0]);
});

test('a role that is to be another than the owner is refused where both addresses are the same', async () => {
  const database = await createTestDatabase();
  try {
    const env = { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: database.url };
    await expect(migrateOnly(env, terminal)).rejects.toThrow(
      /^The role \w+ of DATABASE_URL could change audit trails: /,
    );
  } finally {
    await database.drop();
  }
});

test.each([
  [
    'of another encoding than UTF-8',
    'LATIN1',
    /^DATABASE_URL leads to a database with the encoding LATIN1: make it by/,
  ],
  [
    'of an encoding that has not each character',
    'EUC_JP',
    /^DATABASE_URL leads to a database with the encoding EUC_JP: make it by/,
  ],
  [
    'whose locale knows no letters but those of ASCII',
    'UTF8',
    /^DATABASE_URL leads to a database whose locale does not/,
  ],
])('a database %s is refused, and left empty', async (_what, encoding, complaint) => {
  const name = `gateway_unfit_${randomUUID().replaceAll('-', '')}`;
  const server = new Client({ connectionString: adminUrl() });
  await server.connect();
  await server.query(
    `create database ${name} encoding '${encoding}' locale 'C' locale_provider libc template template0`,
  );
  const database = { url: Object.assign(new URL(adminUrl()), { pathname: name }).href };
  await expect(migrateOnly({ DATABASE_URL: database.url }, terminal)).rejects.toThrow(complaint);
  expect(await tablesIn(database)).toBe(0);
  await server.query(`drop database ${name}`);
  await server.end();
});

test.each(['LATIN1', 'EUC_JP', 'UTF8'])(
  'a database in %s with the locale C that is filled already is taken',
  async (encoding) => {
    const database = await createTestDatabase();
    const server = new Client({ connectionString: adminUrl() });
    await server.connect();
    await server.query(
      `update pg_database set encoding = pg_char_to_encoding($1), datlocprovider = 'c', datcollate = 'C', datctype = 'C'
      where datname = $2`,
      [encoding, new URL(database.url).pathname.slice(1)],
    );
    await server.end();
    await expect(migrateOnly({ DATABASE_URL: database.url }, terminal)).resolves.toBeUndefined();
    await database.drop();
  },
);

test('a database whose sessions begin in another schema has its tables in the one of the gateway', async () => {
  const database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`create schema app; alter database ${name} set search_path = app`);
  await client.end();
  await migrateOnly({ DATABASE_URL: database.url }, terminal);
  expect(await tablesIn(database)).toBeGreaterThan(0);
  const gateway = await Database.open(database.url, 1);
  expect(await gateway.rows('select from organization')).toEqual([]);
  expect(await gateway.rows(`select from pg_class where relnamespace = 'app'::regnamespace`)).toEqual([]);
  await gateway.close();
  await database.drop();
});

test('parameters that an operator has set for the database change neither its migration nor a search', async () => {
  const database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(`select from pg_settings where name = 'transaction_timeout'`);
  await client.query(`alter database ${name} set standard_conforming_strings = off`);
  if (rows.length > 0) await client.query(`alter database ${name} set transaction_timeout = '2s'`);
  // The migration takes longer than that.
  await client.query(
    `create function wait() returns event_trigger language plpgsql as 'begin perform pg_sleep(3); end'`,
  );
  await client.query(
    `create event trigger wait on ddl_command_end when tag in ('CREATE SEQUENCE') execute function wait()`,
  );
  await migrateOnly({ DATABASE_URL: database.url }, terminal);
  const gateway = await Database.open(database.url, 1);
  expect(await gateway.rows(String.raw`select search_pattern('_%\') as text`)).toEqual([{ text: String.raw`\_\%\\` }]);
  await gateway.close();
  await client.end();
  await database.drop();
});

test('a migration whose connection is lost ends with a sentence', async () => {
  const database = await createEmptyDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    create function cut() returns event_trigger language plpgsql as $$ begin
      if to_regclass('public.organization') is not null then perform pg_terminate_backend(pg_backend_pid()); end if;
    end $$;
    create event trigger cut on ddl_command_end execute function cut()`);
  await client.end();
  await expect(migrateOnly({ DATABASE_URL: database.url }, terminal)).rejects.toThrow(
    /^The database cannot be reached or migrated \(57P01: /,
  );
  await database.drop();
});

test('a migration that is ended because it and a transaction wait for each other is made again', async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  // Reverts the last migration. The server aborts the session that detects the deadlock first: the migration, for which
  // there is time enough to wait.
  await client.query(`set deadlock_timeout = '1min';
    do $$ begin execute format('alter database %I set deadlock_timeout = ''4s''', current_database()); end $$;
    drop trigger notification_revision_deleted on notification_revision; drop function delete_notifications;
    alter table notification add constraint notification_user_id_foreign foreign key (user_id) references app_user;
    delete from schema_migration where name = 'NotificationUsers'`);
  await client.query('begin; select from app_user limit 1');
  const migrating = migrateOnly({ DATABASE_URL: database.url }, terminal);
  const waiting = `select from pg_locks where relation = 'app_user'::regclass and not granted`;
  await until(async () => (await client.query(waiting)).rowCount === 1);
  await client.query('select from notification limit 1');
  await client.query('commit');
  await migrating;
  const { rowCount } = await client.query(`select from schema_migration where name = 'NotificationUsers'`);
  expect(rowCount).toBe(1);
  await client.end();
  await database.drop();
});

test('a trigger that was made under an earlier name gets that by which it runs before the others', async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    alter trigger notification_allowed on notification rename to notification_organization;
    delete from schema_migration where name = 'NotificationLockOrder'`);
  await migrateOnly({ DATABASE_URL: database.url }, terminal);
  const { rows } = await client.query<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = 'notification'::regclass and tgnewtable = 'fresh' order by 1`,
  );
  await client.end();
  await database.drop();
  expect(rows.map(({ name }) => name)).toEqual(['notification_allowed', 'notification_announced']);
});
