import { afterEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrate.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { DomainError } from '../../src/errors.js';
import type { Logger } from '../../src/logger.js';
import { until } from '../support/until.js';
import { TransactionPooler } from '../support/pooler.js';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (let close = open.pop(); close !== undefined; close = open.pop()) await close();
});

async function server(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  open.push(() => database.drop());
  return database;
}

async function pooled(url: string, connections: number, next?: 'latest' | 'oldest'): Promise<TransactionPooler> {
  const pooler = await TransactionPooler.before(url, connections, next);
  open.push(() => pooler.close());
  return pooler;
}

const withWarnings = (warnings: string[]) => ({
  warn: ((_about: object, sentence: string) => void warnings.push(sentence)) as Logger['warn'],
});

async function instance(url: string, warnings: string[] = []): Promise<Database> {
  const database = await Database.open(url, 5);
  open.push(() => database.close());
  await database.checkSessions(withWarnings(warnings));
  return database;
}

async function run(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** Roles must have UTC if the pooler drops `options`. */
const setting = (url: string, name: string, value: string) =>
  run(url, `alter database ${new URL(url).pathname.slice(1)} set ${name} = '${value}'`);

const TEXTS = Array.from({ length: 30 }, (_, at) => `select ${at} as text, $1::int as given`);

/** Reads of every kind, each text several times, in random order. */
async function work(database: Database, seed: number): Promise<{ wrong: unknown[]; refused: unknown[] }> {
  const wrong: unknown[] = [];
  const refused: unknown[] = [];
  const rows = Array.from({ length: 8 * TEXTS.length }, async (_, turn) => {
    const at = (turn * 7 + seed) % TEXTS.length;
    const text = TEXTS[at] as string;
    try {
      const [row] =
        turn % 3 === 0
          ? await database.rows<{ text: number; given: number }>(text, [turn])
          : turn % 3 === 1
            ? (await database.tuples(text, [turn])).map(([text, given]) => ({ text, given }))
            : await database.transaction((tx) => tx.rows<{ text: number; given: number }>(text, [turn]));
      if (row?.text !== at || row.given !== turn) wrong.push({ at, turn, row });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'UNAVAILABLE') refused.push(error.cause);
      else wrong.push(error);
    }
  });
  await Promise.all(rows);
  return { wrong, refused };
}

test('two instances behind a pooler without prepared statements get the answers of their own statements', async () => {
  const { url } = await server();
  await setting(url, 'timezone', 'UTC');
  const pooler = await pooled(url, 3);
  const warnings: string[] = [];
  const instances = [await instance(pooler.url, warnings), await instance(pooler.url, warnings)];
  for (let round = 0; round < 3; round += 1) {
    const results = await Promise.all(instances.map((database, at) => work(database, round * 11 + at * 3)));
    expect(results.flatMap(({ wrong, refused }) => [...wrong, ...refused])).toEqual([]);
  }
  expect(warnings.filter((warning) => warning.includes('prepared statements'))).toHaveLength(2);
});

test.each(['latest', 'oldest'] as const)(
  'a pooler that comes between later costs refused statements at first, never answers of another one (%s connection)',
  async (next) => {
    const { url } = await server();
    await setting(url, 'timezone', 'UTC');
    const pooler = await pooled(url, 3, next);
    const instances = await Promise.all([0, 1].map(() => Database.open(pooler.url, 5)));
    for (const database of instances) open.push(() => database.close());
    const both = () => Promise.all(instances.map((database, at) => work(database, at)));
    const first = await both();
    expect(first.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(first.flatMap(({ refused }) => refused)).not.toEqual([]);
    await until('no statement is refused', async () => (await both()).every(({ refused }) => refused.length === 0));
  },
);

test('a database is migrated through a pooler, without the limits of its role', async () => {
  const database = await createEmptyDatabase();
  open.push(() => database.drop());
  const name = new URL(database.url).pathname.slice(1);
  await run(
    database.url,
    `create function refuse_limits() returns event_trigger language plpgsql as $$ begin
       if current_setting('statement_timeout') <> '0' and exists (
         select from pg_event_trigger_ddl_commands() where schema_name = 'public' and object_identity not like '%schema_migration%') then raise 'limited'; end if; end $$;
     create event trigger refuse_limits on ddl_command_end execute function refuse_limits();
     alter database ${name} set statement_timeout = '60s'`,
  );
  const pooler = await pooled(database.url, 4);
  await migrate(pooler.url);
  await expect(migrate(pooler.url)).resolves.toBeUndefined();
});

test.each([
  ['in another time zone', 'timezone', 'Europe/Rome'],
  ['of another isolation level', 'default_transaction_isolation', 'repeatable read'],
])('sessions %s are refused in one sentence behind a pooler, and set right without one', async (_what, name, value) => {
  const { url } = await server();
  await setting(url, 'timezone', 'UTC');
  await setting(url, name, value);
  const pooler = await pooled(url, 1);
  const refused = instance(pooler.url);
  await expect(refused).rejects.toThrow(value);
  await expect(refused).rejects.toThrow(`set ${name} = '`);
  const [session] = await (await instance(url)).rows(`select current_setting('${name}') as value`);
  expect(session).not.toEqual({ value });
});

test('sessions of the level read uncommitted, which is the same to PostgreSQL, are taken behind a pooler', async () => {
  const { url } = await server();
  await setting(url, 'timezone', 'UTC');
  await setting(url, 'default_transaction_isolation', 'read uncommitted');
  const pooler = await pooled(url, 1);
  await expect(instance(pooler.url)).resolves.toBeInstanceOf(Database);
});

test('a database that is reached directly goes on preparing statements', async () => {
  const { url } = await server();
  const warnings: string[] = [];
  const database = await instance(url, warnings);
  const text = 'select name from pg_prepared_statements';
  for (let time = 0; time < 3; time += 1) await database.rows(text);
  expect(await database.rows(text)).not.toEqual([]);
  expect(warnings).toEqual([]);
});
