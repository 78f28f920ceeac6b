import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { StartupFault } from '../../src/database/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** Lets the server say, in this one database, that it is of another version. */
async function pretend(number: number, name: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    create or replace function public.current_setting(setting text) returns text language sql as
      $$ select case setting when 'server_version_num' then '${number}' else '${name}' end $$;
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$`);
  await client.end();
}

test('a server older than PostgreSQL 15 is refused in one sentence that names its version; 15 is taken', async () => {
  await pretend(140_022, '14.22 (Debian 14.22-1)');
  const refused = migrate(database.url);
  await expect(refused).rejects.toBeInstanceOf(StartupFault);
  await expect(refused).rejects.toThrow(
    /^DATABASE_URL leads to PostgreSQL 14\.22 \(Debian 14\.22-1\); the gateway needs 15 or newer\.$/,
  );
  await pretend(150_000, '15.0');
  await expect(migrate(database.url)).resolves.toBeUndefined();
});
