import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Database } from '../../src/database/database.js';
import { RestClient } from '../support/clients.js';
import { build, GatewayProcess, SECRET_KEY } from '../resilience/support/gateway-process.js';
import { ReplicatedDatabase } from '../support/standby.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { until } from '../support/until.js';

let folder: string;
let servers: ReplicatedDatabase;
let gateways: GatewayProcess[] = [];
let testData: TestData;

beforeAll(() => build());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'failover-'));
  servers = await ReplicatedDatabase.create();
  const database = await Database.open(servers.primary.url, 2);
  testData = await seedTestData(database);
  await database.close();
});

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.end('SIGKILL')));
  await servers.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Both servers in one address, the standby first. */
function bothServers(): string {
  const { username, password, port, pathname } = new URL(servers.primary.url);
  const hosts = `127.0.0.1:${new URL(servers.url).port},127.0.0.1:${port}`;
  return `postgresql://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
}

/** Retries until the server responds. */
async function send(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
}

const answers = (url: string, statement: string) => () =>
  send(url, statement).then(
    ([row]) => row?.is === true,
    () => false,
  );

/** Opens incidents through the instances in turn; each is retried with its key until it is acknowledged with 201. */
async function write(acknowledged: string[], seen: Set<number>, isDone: () => boolean, name: string): Promise<void> {
  for (let n = 0; !isDone(); n += 1) {
    const title = `${name} ${n}`;
    const key = randomUUID();
    for (let attempt = n; ; attempt += 1) {
      const rest = new RestClient(gateways[attempt % gateways.length]!.url);
      const body = { title, severity: 'LOW', aware_at: '2026-01-01T00:00:00Z' };
      const headers = { 'Idempotency-Key': key };
      const { status } = await rest.post(incidents(), { token: testData.owner.token, body, headers });
      seen.add(status);
      if (status === 201) break;
      await sleep(100);
    }
    acknowledged.push(title);
  }
}

const incidents = () => `/api/v1/v-ciso/incidents/${testData.organizationId}`;

test('three instances go on with the standby when the primary is killed under load, and nothing acknowledged is lost', async () => {
  await servers.restartPrimary('synchronous_standby_names=*');
  await until('the primary is back', answers(servers.primary.url, 'select true as is'));
  await servers.startStandby();
  await until(
    'the standby is synchronous',
    answers(servers.primary.url, `select exists (select from pg_stat_replication where sync_state = 'sync') as is`),
  );
  const env = { DATABASE_URL: bothServers(), SECRET_KEY, LOG_LEVEL: 'fatal', DEMO: '0', RATE_LIMIT_WRITES: 'off' };
  gateways = await Promise.all(
    ['a', 'b', 'c'].map((name) => GatewayProcess.ready({ ...env, DATA_DIR: join(folder, name) })),
  );

  const acknowledged: string[] = [];
  const seen = new Set<number>();
  let isDone = false;
  const writers = Array.from({ length: 6 }, (_, index) => write(acknowledged, seen, () => isDone, `Writer ${index}`));
  await until('there is load', () => acknowledged.length > 30);
  await servers.killPrimary();
  const before = acknowledged.length;
  await send(servers.url, 'select pg_promote()');
  await until('the instances write again', () => acknowledged.length > before + 30);
  isDone = true;
  await Promise.all(writers);

  expect([...seen].toSorted()).toEqual([201, 503]);
  const rows = await send(servers.url, `select title from incident where title like 'Writer %'`);
  expect(rows.map(({ title }) => title).toSorted()).toEqual(acknowledged.toSorted());
});

test('an instance starts although the first server of its address only reads, and one that finds none says so', async () => {
  await servers.startStandby();
  await until('the standby answers', answers(servers.url, 'select pg_is_in_recovery() as is'));
  const env = { SECRET_KEY, LOG_LEVEL: 'fatal', DEMO: '0' };
  gateways = [await GatewayProcess.ready({ ...env, DATABASE_URL: bothServers(), DATA_DIR: join(folder, 'a') })];
  const body = { title: 'Kept', severity: 'LOW', aware_at: '2026-01-01T00:00:00Z' };
  const rest = new RestClient(gateways[0]!.url);
  expect((await rest.post(incidents(), { token: testData.owner.token, body })).status).toBe(201);

  const twice = servers.url.replace(/@([^/]+)/, '@$1,$1');
  const none = new GatewayProcess({ ...env, DATABASE_URL: twice, DATA_DIR: join(folder, 'b'), PORT: '0' });
  expect((await none.ended).code).toBe(1);
  expect(none.complaint).toMatch(/database/i);
});
