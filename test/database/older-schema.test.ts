import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { bootstrap } from '../../src/app/bootstrap.js';
import { documents } from '../../src/app/documents-command.js';
import { storage } from '../../src/app/storage-command.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';

const SECRET_KEY = 'a key of more than thirty-two characters';

let database: TestDatabase;
let client: Client;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'older-'));
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('delete from schema_migration where id = (select max(id) from schema_migration)');
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test.each([
  ['storage', () => storage],
  ['storage --adopt', () => storage],
  ['documents list', () => documents],
  ['documents withdraw --app web --app-version 1', () => documents],
  ['bootstrap --email first@example.com', () => bootstrap],
  ['bootstrap --recover lost@example.com', () => bootstrap],
  ['bootstrap --erase gone@example.com', () => bootstrap],
])('%s leaves a database of an older version, whose gateways may be running, as it is', async (line, command) => {
  const written: string[] = [];
  const terminal = { write: (text: string) => written.push(text) };
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY };
  const before = await client.query('select name from schema_migration order by id');
  await expect(command()(line.split(' ').slice(1), env, { stdout: terminal, stderr: terminal })).rejects.toThrow(
    /^The database is of an older version of the gateway: migrate it first, .* Nothing was changed\.$/,
  );
  expect(written).toEqual([]);
  expect((await client.query('select name from schema_migration order by id')).rows).toEqual(before.rows);
});

test('a database whose first migration was broken off is as empty as one that has none', async () => {
  const begun = await createEmptyDatabase();
  const written: string[] = [];
  try {
    const made = new Client({ connectionString: begun.url });
    await made.connect();
    // The list of migrations is made before the transaction that fills it.
    await made.query(
      'create table schema_migration (id serial primary key, name varchar(255), executed_at timestamptz)',
    );
    await made.end();
    const terminal = { write: (text: string) => written.push(text) };
    const env = { DATABASE_URL: begun.url, DATA_DIR: dataDir, SECRET_KEY };
    const code = await bootstrap(['--email', 'first@example.com'], env, { stdout: terminal, stderr: terminal });
    expect(code).toBe(0);
  } finally {
    await begun.drop();
  }
  expect(written.join('')).toMatch(/^The user first \(first@example\.com\) was created\./);
});
