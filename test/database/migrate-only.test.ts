import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { migrateOnly } from '../../src/app/migrate-only.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

const terminal = { stdout: { write: () => true }, stderr: { write: () => true } };
let databases: TestDatabase[];
beforeAll(async () => void (databases = [await createEmptyDatabase(), await createEmptyDatabase()]));
afterAll(async () => {
  for (const database of databases ?? []) await database.drop();
});

async function tablesIn({ url }: TestDatabase): Promise<number> {
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
  // Of other variables it needs none, and asks for none to be right.
  const env = { DATABASE_URL: database.url, [name]: other.url, PORT: 'none', RATE_LIMIT_READS: '7' };
  await expect(migrateOnly(env, terminal)).rejects.toThrow(complaint);
  expect([await tablesIn(database), await tablesIn(other)]).toEqual([0, 0]);
});
