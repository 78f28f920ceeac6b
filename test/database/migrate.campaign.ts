import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { StartupError } from '../../src/errors.js';
import { migrate } from '../../src/database/migrate.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { build, GatewayProcess, SECRET_KEY } from '../resilience/support/gateway-process.js';
import { Link } from '../resilience/support/link.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test('a server older than PostgreSQL 15 is refused in one sentence that names its version, and 15 is accepted', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ number: string; name: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
  );
  await client.end();
  const { number, name } = rows[0]!;
  const link = await Link.to(database.url);
  /** Makes the server report another version, in a text of the same length. */
  const report = (major: string) => {
    const other = (text: string) =>
      text.replaceAll(number, major + number.slice(2)).replaceAll(name, major + name.slice(2));
    link.filterWith(() => (bytes) => Buffer.from(other(bytes.toString('latin1')), 'latin1'));
  };
  report('14');
  const refused = migrate(link.url);
  await expect(refused).rejects.toBeInstanceOf(StartupError);
  await expect(refused).rejects.toThrow(
    `DATABASE_URL leads to PostgreSQL 14${name.slice(2)}; the gateway needs 15 or newer.`,
  );
  report('15');
  await expect(migrate(link.url)).resolves.toBeUndefined();
  await link.close();
});

test('answers that are stored already count for their users after an upgrade', async () => {
  const older = await createTestDatabase();
  const client = new Client({ connectionString: older.url });
  await client.connect();
  await client.query(`
    drop table idempotency_volume;
    delete from schema_migration where name = 'IdempotencyBudgets';
    insert into app_user (id, username, email, first_name, last_name)
    values ('00000000-0000-4000-8000-000000000001', 'keeper', 'keeper@example.com', '', '');
    insert into api_token (user_id, name, digest, prefix, scopes, expires_at)
    select id, '', repeat(n::text, 64), '', '{read}', now() from app_user, generate_series(1, 2) n;
    insert into idempotent_answer (token_id, key_digest, sealed, created_at)
    select id, repeat('a', 64), '\\x00112233', '2026-11-24T10:59:59.999Z' from api_token`);
  await migrate(older.url);
  const { rows } = await client.query('select owner, hour, bytes from idempotency_volume');
  await client.end();
  await older.drop();
  const owner = 'user 00000000-0000-4000-8000-000000000001';
  expect(rows).toEqual([{ owner, hour: new Date('2026-11-24T10:00:00Z'), bytes: '8' }]);
});

describe('a schema', () => {
  let newer: TestDatabase;
  let client: Client;

  beforeEach(async () => {
    newer = await createTestDatabase();
    client = new Client({ connectionString: newer.url });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await newer.drop();
  });

  test.each([
    [
      'a migration of the gateway',
      `insert into schema_migration (name, executed_at) values ('Migration99990101000000', now())`,
    ],
    ['a version of the job queue', 'update pgboss.version set version = version + 1'],
  ])('of a newer version is refused in one sentence (%s)', async (_what, statement) => {
    await client.query(statement);
    const refused = migrate(newer.url);
    await expect(refused).rejects.toBeInstanceOf(StartupError);
    await expect(refused).rejects.toThrow(/^The database was migrated by a newer version of the gateway[^\n]+\.$/);
  });

  test('of an unreleased version is refused in one sentence that says what to do, and left as it is', async () => {
    await client.query(`delete from schema_migration`);
    await client.query(`insert into schema_migration (name, executed_at) values ('Initial', '2026-11-21')`);
    await client.query(`insert into schema_migration (name, executed_at) values ('AuditTrail', '2026-11-22')`);
    const refused = migrate(newer.url);
    await expect(refused).rejects.toBeInstanceOf(StartupError);
    await expect(refused).rejects.toThrow(
      /^The database was made by an unreleased version [^\n]+ DATABASE_URL to an empty database or[^\n]+\(DATA_DIR\)\.$/,
    );
    const { rows } = await client.query('select name from schema_migration order by id');
    expect(rows).toEqual([{ name: 'Initial' }, { name: 'AuditTrail' }]);
  });

  test('of a newer version is refused by the gateway itself, which ends with the sentence and exit code 1', async () => {
    await build();
    await client.query(`insert into schema_migration (name, executed_at) values ('Migration99990101000000', now())`);
    const gateway = new GatewayProcess({ DATABASE_URL: newer.url, SECRET_KEY, PORT: '0' });
    const late = setTimeout(() => gateway.signal('SIGKILL'), 40_000);
    expect(await gateway.ended.finally(() => clearTimeout(late))).toEqual({ code: 1, signal: null });
    expect(gateway.complaint).toMatch(/^The database was migrated by a newer version of the gateway[^\n]+\.\n$/);
  });
});

/** The time zones of organizations after a migration, in order. */
async function zonesAfter(migration: string, zones: readonly string[]): Promise<string[]> {
  const older = await createTestDatabase();
  const client = new Client({ connectionString: older.url });
  await client.connect();
  await client.query('delete from schema_migration where name = $1', [migration]);
  for (const zone of zones)
    await client.query(
      `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips, time_zone)
       values ($1, '{}', '{}', '[]', '[]', '{}', '{}', $1)`,
      [zone],
    );
  await migrate(older.url);
  const { rows } = await client.query<{ zone: string }>('select time_zone as zone from organization order by id');
  await client.end();
  await older.drop();
  return rows.map(({ zone }) => zone);
}

test('an upgrade spells stored time zones as the IANA database does, and leaves what it cannot know', async () => {
  const zones = ['europe/rome', 'Europe/Rome', 'ASIA/kolkata', 'UTC', 'Nowhere/Land'];
  const spelled = ['Europe/Rome', 'Europe/Rome', 'Asia/Kolkata', 'UTC', 'Nowhere/Land'];
  expect(await zonesAfter('TimeZoneSpelling', zones)).toEqual(spelled);
});

test('an upgrade gives each organization the time zone that its name stood for, where PostgreSQL takes the name for another', async () => {
  const zones = ['AGT', 'bst', 'CET', 'US/Pacific-New', 'EST', 'Europe/Rome'];
  const names = ['America/Argentina/Buenos_Aires', 'Asia/Dhaka', 'Europe/Brussels', 'America/Los_Angeles'];
  expect(await zonesAfter('OneTimeZone', zones)).toEqual([...names, 'EST', 'Europe/Rome']);
});

test('an upgrade gives the new parts of two points of an annex the state of their point, and leaves those that have one', async () => {
  const older = await createTestDatabase();
  const client = new Client({ connectionString: older.url });
  await client.connect();
  await client.query(`
    insert into organization (id, name, sectors, industries, compliance_frameworks, contacts, domains, ips)
    values (77, 'Annex', '{}', '{}', '[]', '[]', '{}', '{}')`);
  await client.query(`
    insert into control_state (organization_id, workflow_id, control_id, status, note, due_date)
    values (77, 'nis2-regulation-2024-2690', '7', 'DONE', 'Done in May', null),
           (77, 'nis2-regulation-2024-2690', '9', 'IN_PROGRESS', '', '2027-01-31'),
           (77, 'nis2-regulation-2024-2690', '9.2', 'TO_DO', '', null),
           (77, 'nis2-regulation-2024-2690', '8', 'DONE', '', null),
           (77, 'iso-27001-2022', '7', 'DONE', '', null)`);
  await client.query(`delete from schema_migration where name = 'AnnexParagraphs'`);
  await migrate(older.url);
  const { rows } = await client.query<{ state: string }>(`
    select control_id || ' ' || status || ' ' || note || coalesce(due_date::text, '') as state from control_state
     where organization_id = 77 and control_id like '%.%' order by control_id`);
  expect(rows.map(({ state }) => state)).toEqual([
    ...['7.1 DONE Done in May', '7.2 DONE Done in May', '7.3 DONE Done in May'],
    ...['9.1 IN_PROGRESS 2027-01-31', '9.2 TO_DO ', '9.3 IN_PROGRESS 2027-01-31'],
  ]);
  await client.end();
  await older.drop();
});

test('migrations that start at once on an empty database all succeed', async () => {
  for (let round = 0; round < 3; round += 1) {
    const empty = await createEmptyDatabase();
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => migrate(empty.url)));
    await empty.drop();
    expect(results).toEqual(Array.from({ length: 4 }, () => ({ status: 'fulfilled', value: undefined })));
  }
});

test('three gateways that start at once on an empty database all become ready', async () => {
  await build();
  const empty = await createEmptyDatabase();
  const folders: string[] = [];
  const started = await Promise.allSettled(
    Array.from({ length: 3 }, async () => {
      const DATA_DIR = await mkdtemp(join(tmpdir(), 'migrate-'));
      folders.push(DATA_DIR);
      return GatewayProcess.ready({ DATABASE_URL: empty.url, SECRET_KEY, DATA_DIR, LOG_LEVEL: 'warn' });
    }),
  );
  try {
    for (const each of started) expect(each).toMatchObject({ status: 'fulfilled' });
  } finally {
    for (const each of started) if (each.status === 'fulfilled') await each.value.end('SIGKILL');
    await empty.drop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
