import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { StartupError } from '../../src/errors.js';
import { migrate } from '../../src/database/migrate.js';
import { ormOptions } from '../../src/database/orm-options.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { build, GatewayProcess, SECRET_KEY } from '../resilience/support/gateway-process.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** Makes the server report another version, in this one database. */
async function reportVersion(number: number, name: string): Promise<void> {
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

test('a server older than PostgreSQL 15 is refused in one sentence that names its version, and 15 is accepted', async () => {
  await reportVersion(140_022, '14.22 (Debian 14.22-1)');
  const refused = migrate(database.url);
  await expect(refused).rejects.toBeInstanceOf(StartupError);
  await expect(refused).rejects.toThrow(
    /^DATABASE_URL leads to PostgreSQL 14\.22 \(Debian 14\.22-1\); the gateway needs 15 or newer\.$/,
  );
  await reportVersion(150_000, '15.0');
  await expect(migrate(database.url)).resolves.toBeUndefined();
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
    await client.query(`delete from schema_migration where name <> 'Initial'`);
    await client.query(`update schema_migration set name = 'Migration20261121010000'`);
    await client.query(
      `insert into schema_migration (name, executed_at) values ('Migration20261122004811', '2026-11-22')`,
    );
    const refused = migrate(newer.url);
    await expect(refused).rejects.toBeInstanceOf(StartupError);
    await expect(refused).rejects.toThrow(
      /^The database was made by an unreleased version [^\n]+ DATABASE_URL to an empty database or[^\n]+\(DATA_DIR\)\.$/,
    );
    const { rows } = await client.query('select name from schema_migration order by id');
    expect(rows).toEqual([{ name: 'Migration20261121010000' }, { name: 'Migration20261122004811' }]);
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

/** An empty database as a migration left it. */
async function databaseAt(migration: string): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  const orm = await MikroORM.init(ormOptions({ url: database.url }));
  await orm.migrator.up({ to: migration });
  await orm.close(true);
  return database;
}

test('a database of the migration before keeps its reports of 90 days, and the newest of each device', async () => {
  const before = await databaseAt('TokenAddresses');
  const client = new Client({ connectionString: before.url, options: '-c TimeZone=UTC' });
  await client.connect();
  await client.query(`
    insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
      values ('Valdoria', '{}', '{}', '[]', '[]', '{}', '{}');
    insert into cloud_defender (organization_id, email, fqdn, endpoint, services)
      select 1, 'soc@example.com', 'www.example.com', '192.0.2.1', '{}' from generate_series(1, 3);
    insert into cloud_defender_check (device_id, datetime, fqdn, proxy, endpoint, waf_protection, fingerprint)
      values (1, now() - interval '100 days', 1, 1, 1, 5, null), (1, now() - interval '80 days', 2, 1, 1, 6, null),
             (1, now() - interval '1 day', 3, 0, 1, 7, '00000000-0000-4000-8000-000000000000'),
             (2, '2026-01-02T03:04:05.678Z', 1, 2, 3, null, null);
    insert into threat_blocker (organization_id, atb_key, type, email, endpoint, services, plugin_config)
      values (1, gen_random_uuid(), 'gateway', 'soc@example.com', '192.0.2.1', '{}', '{}');
    insert into threat_blocker_traffic (device_id, bucket_start, bucket_end, total_requests, malicious_requests)
      select 1, extract(epoch from now())::int - days * 86400, extract(epoch from now())::int, 9, days
        from unnest('{100,80,0}'::int[]) days;
  `);
  await migrate(before.url);
  const lines = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows;
  const stats = await lines(`select id, stat ->> 'datetime', stat ->> 'fqdn' from cloud_defender order by id`);
  expect(stats).toEqual([
    [1, expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), '3'],
    [2, '2026-01-02T03:04:05.678Z', '1'],
    [3, null, null],
  ]);
  expect(
    await lines(
      'select organization_id, device_id, fqdn, proxy, endpoint, waf_protection, fingerprint from cloud_defender_check order by datetime',
    ),
  ).toEqual([
    [1, 1, 2, 1, 1, 6, null],
    [1, 1, 3, 0, 1, 7, '00000000-0000-4000-8000-000000000000'],
  ]);
  expect(await lines('select malicious_requests from threat_blocker_traffic order by bucket_start')).toEqual([
    [80],
    [0],
  ]);
  expect(await lines('select from cloud_defender_check_other')).toEqual([]);
  await client.end();
  await before.drop();
});

test('a trail of the migration before is found by type, action, actor and time, also what was recorded late', async () => {
  const before = await databaseAt('DueReviews');
  const client = new Client({ connectionString: before.url, options: '-c TimeZone=Asia/Tokyo' });
  await client.connect();
  const entry = (at: string, actor: string, type: string) =>
    JSON.stringify({ at, action: `${type}_UPDATED`, actor: { id: actor }, subject: { type, id: '7' } });
  const entries = [
    entry('2026-03-29T00:59:58.000Z', 'anna', 'INCIDENT'),
    entry('2026-03-29T01:00:00.250Z', 'job', 'MEMBER'),
    entry('2026-03-29T00:59:59.000Z', 'anna', 'MEMBER'),
    entry('2026-03-29T01:00:01.000Z', 'job', 'INCIDENT'),
  ];
  await client.query(`insert into audit_log (organization_id, position, hash) values (1, 4, 'hash'), (2, 1, 'hash')`);
  await client.query(
    `insert into audit_entry (log_id, position, entry, hash)
     select 1, place, entry, 'hash' from unnest($1::text[]) with ordinality as given(entry, place)`,
    [entries],
  );
  await migrate(before.url);
  const lines = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows;
  expect(
    await lines('select entry, at, action, actor, subject_type, subject, parent from audit_entry order by position'),
  ).toEqual([
    [entries[0], '2026-03-29T00:59:58.000Z', 'INCIDENT_UPDATED', 'anna', 'INCIDENT', 'INCIDENT/7', null],
    [entries[1], '2026-03-29T01:00:00.250Z', 'MEMBER_UPDATED', 'job', 'MEMBER', 'MEMBER/7', null],
    [entries[2], '2026-03-29T00:59:59.000Z', 'MEMBER_UPDATED', 'anna', 'MEMBER', 'MEMBER/7', null],
    [entries[3], '2026-03-29T01:00:01.000Z', 'INCIDENT_UPDATED', 'job', 'INCIDENT', 'INCIDENT/7', null],
  ]);
  expect(await lines('select organization_id, position, latest_at, lateness::text from audit_log order by 1')).toEqual([
    [1, '4', new Date('2026-03-29T01:00:01.000Z'), '00:00:01.25'],
    [2, '1', null, '00:00:00'],
  ]);
  await expect(client.query('update audit_log set position = position + 2')).rejects.toThrow('append-only');
  await client.end();
  await before.drop();
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
