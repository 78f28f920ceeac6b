import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { startEmbeddedPostgres, type EmbeddedDatabase } from '../../src/database/embedded-postgres.js';
import { RestClient, type Answer, type Envelope } from '../support/clients.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { seedTestData, type Person, type TestData } from '../support/test-data.js';
import { build, GatewayProcess, SECRET_KEY } from './support/gateway-process.js';
import { until } from '../support/until.js';

/** Not a superuser: superusers have no connection limit. */
const ROLE = 'serving';

let folder: string;
let server: EmbeddedDatabase;
let database: Database;
let gateways: GatewayProcess[] = [];
let instances: RestClient[];
let testData: TestData;

// Three instances on one database server, which the tests may kill.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'instances-'));
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  database = await Database.open(server.url, 2);
  await database.rows(`create role ${ROLE} login password 'serving'`);
  const url = Object.assign(new URL(server.url), { username: ROLE, password: 'serving' });
  const env = { DATABASE_URL: url.href, MIGRATION_DATABASE_URL: server.url, SECRET_KEY, LOG_LEVEL: 'fatal' };
  await build();
  gateways = await Promise.all(
    ['a', 'b', 'c'].map((name) => GatewayProcess.ready({ ...env, DATA_DIR: join(folder, name) })),
  );
  instances = gateways.map(({ url }) => new RestClient(url));
  testData = await seedTestData(database);
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.end('SIGKILL')));
  await database?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const incidents = () => `/api/v1/v-ciso/incidents/${testData.organizationId}`;
const read = (instance: RestClient, { token }: Pick<Person, 'token'> = testData.owner) =>
  instance.get(`${incidents()}?limit=1`, { token });
const write = (instance: RestClient, title: string) =>
  instance.post(incidents(), {
    token: testData.owner.token,
    body: { title, severity: 'LOW', aware_at: new Date().toISOString() },
  });

const untilAllAnswer = () =>
  until('every instance reads and writes', async () => {
    const answers = await Promise.all(instances.flatMap((instance) => [read(instance), write(instance, 'Probe')]));
    return answers.every(({ status }) => status < 300);
  });

function expectUnavailable(answer: Answer<Envelope>): void {
  expectStatus(answer, 503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

test('the database is killed under load: requests are answered, with 503 at worst, and nothing is lost', async () => {
  const written: string[] = [];
  const failed: Answer<Envelope>[] = [];
  const ending = new AbortController();
  const clients = instances.flatMap((instance, at) => [
    (async () => {
      for (let n = 0; !ending.signal.aborted; n += 1) {
        const answer = await write(instance, `Killed ${at}-${n}`);
        if (answer.status === 201) written.push(`Killed ${at}-${n}`);
        else failed.push(answer);
      }
    })(),
    (async () => {
      while (!ending.signal.aborted) {
        const answer = await read(instance);
        if (answer.status !== 200) failed.push(answer);
      }
    })(),
  ]);
  for (let round = 0; round < 2; round += 1) {
    const [writes, failures] = [written.length, failed.length];
    await until('something is written', () => written.length > writes + 20);
    process.kill(server.pid, 'SIGKILL');
    await until('a request fails', () => failed.length > failures);
    await sleep(500);
    await untilAllAnswer();
  }
  ending.abort();
  await Promise.all(clients);
  for (const answer of failed) expectUnavailable(answer);
  const rows = await database.rows<{ title: string }>(`select title from incident where title like 'Killed %'`);
  const stored = new Set(rows.map(({ title }) => title));
  expect(written.filter((title) => !stored.has(title))).toEqual([]);
});

test('a server that gives no connection at all is a 503, and is used again when it gives some', async () => {
  await database.rows(`alter role ${ROLE} connection limit 0`);
  await database.rows(`select pg_terminate_backend(pid) from pg_stat_activity where usename = $1`, [ROLE]);
  const answers = await Promise.all(instances.flatMap((instance) => [read(instance), write(instance, 'Refused')]));
  for (const answer of answers) expectUnavailable(answer);
  await database.rows(`alter role ${ROLE} connection limit -1`);
  await untilAllAnswer();
});

test('a member who is removed through one instance is refused by all of them within a second', async () => {
  const { viewer, owner } = testData;
  for (const instance of instances) expectData(await read(instance, viewer));
  const path = `/api/v1/organizations/${testData.organizationId}/users/${viewer.id}`;
  expectStatus(await (instances[0] as RestClient).delete(path, { token: owner.token }), 200);
  await sleep(1_000);
  for (const instance of instances) expectError(await read(instance, viewer), 404, [1004]);
});
