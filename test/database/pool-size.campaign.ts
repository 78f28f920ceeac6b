import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { Database } from '../../src/database/database.js';
import { PoolSize } from '../../src/database/pool.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { seedTestData } from '../support/test-data.js';
import { until } from '../support/until.js';

/** Not a superuser: superusers have no connection limit. */
const ROLE = `limited_${randomBytes(6).toString('hex')}`;

let testDatabase: TestDatabase;
let admin: Client;
let url: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  admin = new Client({ connectionString: testDatabase.url });
  await admin.connect();
  await admin.query(`
    create role ${ROLE} login password 'limited';
    grant usage on schema public, pgboss to ${ROLE};
    grant all on all tables in schema public, pgboss to ${ROLE};
    grant all on all sequences in schema public, pgboss to ${ROLE}`);
  const address = new URL(testDatabase.url);
  [address.username, address.password] = [ROLE, 'limited'];
  url = address.href;
});

afterEach(() => limit(-1));

afterAll(async () => {
  await admin?.query(`drop owned by ${ROLE}; drop role ${ROLE}`);
  await admin?.end();
  await testDatabase?.drop();
});

const limit = (connections: number) => admin.query(`alter role ${ROLE} connection limit ${connections}`);
const inUse = async () => {
  const { rowCount } = await admin.query('select from pg_stat_activity where usename = $1', [ROLE]);
  return rowCount ?? 0;
};

test.each([1, 2, 4])(
  'reads and writes at once all succeed over %i connections of a pool of ten',
  async (connections) => {
    await limit(connections);
    const database = await Database.open(url, 10);
    for (let round = 0; round < 3; round += 1) {
      const reads = Array.from({ length: 20 }, (_, index) => database.tuples('select $1::int', [index]));
      const writes = Array.from({ length: 20 }, (_, index) =>
        database.transaction((tx) => tx.rows('select $1::int as n', [index])),
      );
      const plain = Array.from({ length: 20 }, () => database.rows('select 1 as n'));
      expect((await Promise.all(reads)).map(([row]) => row?.[0])).toEqual(Array.from({ length: 20 }, (_, n) => n));
      expect((await Promise.all(writes)).map(([row]) => row?.['n'])).toEqual(Array.from({ length: 20 }, (_, n) => n));
      await Promise.all(plain);
      expect(await inUse()).toBeLessThanOrEqual(connections);
    }
    await database.close();
    await until('none is left', async () => (await inUse()) === 0);
  },
);

test('a pool that was refused connections grows again when the server gives more', async () => {
  await limit(2);
  const pool = new Pool({ connectionString: url, max: 6, connectionTimeoutMillis: 5000 });
  new PoolSize(pool, 300);
  const wave = () => Promise.all(Array.from({ length: 12 }, () => pool.query('select pg_sleep(0.05)')));
  await wave();
  expect(pool.totalCount).toBe(2);
  await limit(-1);
  await until('it has grown', async () => {
    await wave();
    return pool.totalCount === 6;
  });
  await pool.end();
});

test('a caller waits for a moment for the first connection of all', async () => {
  await limit(1);
  let other = new Client({ connectionString: url });
  // The server may still be closing connections of the previous test.
  await until('a connection is free', async () => {
    other = new Client({ connectionString: url });
    return other.connect().then(
      () => true,
      () => false,
    );
  });
  const database = await Database.open(url, 10);
  const waiting = database.rows('select 1 as one');
  await new Promise((resolve) => setTimeout(resolve, 500));
  await other.end();
  expect(await waiting).toEqual([{ one: 1 }]);
  await database.close();
});

test('a gateway whose role may have four connections reads, writes and works its jobs', async () => {
  await limit(4);
  const gateway = await startGateway({ database: { ...testDatabase, url }, config: { jobs: true } });
  const direct = await Database.open(testDatabase.url, 2);
  const testData = await seedTestData(direct);
  gateway.app.jobs.start();
  const { token } = testData.owner;
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () =>
        gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/users`, { token }),
      ),
      ...Array.from({ length: 10 }, (_, index) =>
        gateway.rest.post('/api/v1/organizations', { token, body: { name: `Company ${round} ${index}` } }),
      ),
    ]);
    answers.slice(0, 10).forEach((answer) => expectData(answer));
    answers.slice(10).forEach((answer) => expectStatus(answer, 201));
  }
  await gateway.app.jobs.run('tokenWarnings.warnExpiring');
  await direct.close();
  await gateway.close();
});
