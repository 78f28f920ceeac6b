import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { RestClient } from '../support/clients.js';
import { expectStatus } from '../support/matchers.js';
import { settled } from '../support/settled.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';

let installation: Installation;
let testData: TestData;
let stopper: pg.Client;
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('consumer-crash');
  testData = await seedTestData(installation.database);
  stopper = new pg.Client({ connectionString: installation.databaseUrl });
  await stopper.connect();
  gateway = await installation.start();
});
afterAll(async () => {
  await stopper?.end();
  await installation?.clear();
});

test('a gateway that is killed between COMMIT and its notifications leaves them to the next, which makes each once', async () => {
  const { database } = installation;
  const path = `/api/v1/v-ciso/incidents/${testData.organizationId}`;
  const body = { title: 'Killed', severity: 'LOW' };
  await stopper.query(`select pg_advisory_lock(7214004, hashtext('notifications'))`);
  for (let count = 0; count < 5; count += 1)
    expectStatus(await new RestClient(gateway.url).post(path, { token: testData.owner.token, body }), 201);
  await gateway.end('SIGKILL');
  expect(await database.rows('select 1 from notification')).toEqual([]);
  await stopper.query('select pg_advisory_unlock_all()');
  gateway = await installation.start();
  await settled(database);
  const [viewer] = await database.rows('select count(*) as all from notification where user_id = $1', [
    testData.viewer.id,
  ]);
  expect(viewer).toEqual({ all: 5 });
});

test('a gateway that is killed at any moment of many changes loses no notification and makes none twice', async () => {
  const { database } = installation;
  const path = `/api/v1/v-ciso/incidents/${testData.organizationId}`;
  for (let round = 0; round < 3; round += 1) {
    const rest = new RestClient(gateway.url);
    const answered = Array.from({ length: 20 * (round + 1) }, (_, index) =>
      rest.post(path, { token: testData.owner.token, body: { title: `Round ${round}, ${index}`, severity: 'LOW' } }),
    );
    await answered[10 * (round + 1)];
    await gateway.end('SIGKILL');
    await Promise.allSettled(answered);
    gateway = await installation.start();
  }
  await settled(database);
  const rows = await database.rows(
    `select i.title from incident i left join notification n
         on n.user_id = $1 and n.href like '%/incidents/' || i.id
      group by i.id having count(n.id) <> 1`,
    [testData.viewer.id],
  );
  expect(rows).toEqual([]);
});
