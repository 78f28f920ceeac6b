import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { requestLimits } from '../../src/database/time-limits.js';
import { GraphQLClient, RestClient } from '../support/clients.js';
import { expectError, withStory } from '../support/matchers.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { uploadText } from './support/evidence.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { Link } from './support/link.js';
import { until } from '../support/until.js';

let installation: Installation;
let testData: TestData;
let link: Link;
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('silent-database');
  testData = await seedTestData(installation.database);
  await buildWorkflow(installation.database, testData.organizationId);
  link = await Link.to(installation.databaseUrl);
  gateway = await installation.start({ DATABASE_URL: link.url, LOG_LEVEL: 'fatal', DATABASE_STATEMENT_SECONDS: '1' });
});

afterAll(async () => {
  await installation?.killAll();
  await link?.close();
  await installation?.clear();
});

/** One request for each path to the database: a cached connection, the pool, a transaction, entities. */
async function everyWay(): Promise<void> {
  const { token } = testData.owner;
  const rest = new RestClient(gateway.url);
  const place = { organizationId: testData.organizationId, artifactId: 'A.5.1', token: testData.analyst.token };
  const answers = [
    rest.get(`/api/v1/organizations/${testData.organizationId}/users`, { token }),
    rest.post('/api/v1/organizations', { token, body: { name: 'Nowhere' } }),
    uploadText(rest, place, 'nowhere'),
    rest.get('/api/v1/notifications', { token: testData.viewer.token }),
  ];
  const queries = [
    '{ viewer { user { username } } }',
    'mutation { createApiToken(input: { name: "Nowhere" }) { secret } }',
  ].map((query) => new GraphQLClient(gateway.url).call(query, { token: testData.manager.token }));
  for (const answer of await Promise.all(answers)) expectError(answer, 503, []);
  for (const answer of await Promise.all(queries))
    withStory(answer, () => {
      expect(answer.status).toBe(503);
    });
}

async function recovers(): Promise<void> {
  link.restore();
  await until('the gateway is ready again', async () => (await fetch(`${gateway.url}/health/ready`)).ok);
}

test('every request is answered 503 when the database falls silent before the first one, and the gateway recovers', async () => {
  link.silence();
  await everyWay();
  await recovers();
});

test('every request is answered 503 when the database falls silent on connections in use, and the gateway recovers', async () => {
  const path = `/api/v1/organizations/${testData.organizationId}/users`;
  const busy = Array.from({ length: 20 }, () => new RestClient(gateway.url).get(path, { token: testData.owner.token }));
  await Promise.race(busy);
  link.silence();
  await Promise.all(busy);
  await everyWay();
  await recovers();
});

test('a gateway whose database is silent stops on SIGTERM', async () => {
  link.silence();
  const unanswered = new RestClient(gateway.url).get('/api/v1/notifications', { token: testData.owner.token });
  unanswered.catch(() => undefined);
  expect(await gateway.end()).toEqual({ code: 0, signal: null });
});

describe('a statement on a database that falls silent', () => {
  type Way = (database: Database) => Promise<unknown>;
  const WAYS: Record<string, Way> = {
    'on its own': (database) => database.rows('select 1'),
    'in a list': (database) => database.tuples('select 1'),
    'in a transaction': (database) => database.transaction((tx) => tx.rows('select 1')),
    'with entities': (database) => database.work((em) => em.execute('select 1')),
    'of the job queue': (database) => database.foreign('select 1'),
  };
  const all = (database: Database, times: number) =>
    Object.values(WAYS).flatMap((way) => Array.from({ length: times }, () => way(database)));

  /** Each over a separate network that drops everything after so many statements of each path. */
  test.each([
    ['before the first connection', 0],
    ['on connections in use', 3],
  ])('is UNAVAILABLE whichever way it goes, and works when the network does (%s)', async (_when, before) => {
    const networks = await Promise.all(Array.from({ length: 12 }, () => Link.to(installation.databaseUrl)));
    const tries = networks.map(async (network, index) => {
      const database = await Database.open(network.url, 6, requestLimits(3));
      // Beside other load, connecting may take longer than its limit.
      await until('its connections are in use', () => Promise.all(all(database, before)));
      network.silence();
      const results = await Promise.allSettled(all(database, [1, 4, 12][index % 3] as number));
      network.restore();
      for (const result of results)
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE', service: 'database' } });
      await until('it works again', () => Promise.all(all(database, 1)));
      await database.close();
    });
    await Promise.all(tries);
    await Promise.all(networks.map((network) => network.close()));
  });
});
