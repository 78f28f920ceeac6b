import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Database } from '../../src/database/database.js';
import { startEmbeddedPostgres, type EmbeddedDatabase } from '../../src/database/embedded-postgres.js';
import { Health } from '../../src/http/health.js';
import { until } from '../support/until.js';

/** A separate server, since its configuration changes. */
let server: EmbeddedDatabase;
let folder: string;
let admin: Client;
let database: Database;
let health: Health;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-probe-'));
  server = await startEmbeddedPostgres({ dataDir: folder });
  admin = new Client({ connectionString: server.url });
  await admin.connect();
  // Changes of this connection itself must not wait for a standby.
  await admin.query('set synchronous_commit = local');
  database = await Database.open(server.url, 4);
  health = new Health({ database: () => database.ping() });
});

beforeEach(async () => {
  await configure('reset', 'synchronous_standby_names');
  await configure('reset', 'default_transaction_read_only');
  await until('it is ready', async () => (await readiness()).status === 'ready');
});

afterAll(async () => {
  await database?.close();
  await admin?.end();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function configure(how: 'set' | 'reset', setting: string): Promise<void> {
  await admin.query(`alter system ${how} ${setting}`);
  await admin.query('select pg_reload_conf()');
}

const readiness = () => health['readiness']();

test('an instance whose commits wait for a standby that is away is not ready, and is again when none is needed', async () => {
  await configure('set', "synchronous_standby_names = 'missing'");
  const notReady = await until('it is not ready', async () => {
    const answer = await readiness();
    return answer.status === 'not ready' && answer;
  });
  expect(notReady).toEqual({
    status: 'not ready',
    draining: false,
    checks: { database: 'down' },
    causes: { database: 'no synchronous standby' },
  });
  // Repeated probes leave no waiting session on the server.
  for (let time = 0; time < 3; time += 1) expect((await readiness()).status).toBe('not ready');
  const waiting = `select from pg_stat_activity where wait_event = 'SyncRep' or state = 'idle in transaction'`;
  expect((await admin.query(waiting)).rowCount).toBe(0);
  await configure('reset', 'synchronous_standby_names');
  await until('it is ready', async () => (await readiness()).status === 'ready');
});

test('an instance whose database is read-only is not ready', async () => {
  await configure('set', 'default_transaction_read_only = on');
  const notReady = await until('it is not ready', async () => {
    const answer = await readiness();
    return answer.status === 'not ready' && answer;
  });
  expect(notReady).toMatchObject({ causes: { database: 'read-only' } });
});

test('many concurrent readiness checks write once', async () => {
  const fresh = await Database.open(server.url, 4);
  await Promise.all(Array.from({ length: 50 }, () => fresh.ping()));
  expect(fresh.executed).toBe(1);
  await fresh.close();
});

test('nothing is left of what readiness writes', async () => {
  const size = async () => (await admin.query('select pg_database_size(current_database()) as size')).rows;
  const before = await size();
  for (let time = 0; time < 50; time += 1) {
    const fresh = await Database.open(server.url, 2);
    await fresh.ping();
    await fresh.close();
  }
  expect(await size()).toEqual(before);
});
