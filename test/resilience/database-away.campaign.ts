import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { digestToken } from '../../src/auth/token.js';
import type { Database } from '../../src/database/database.js';
import { GraphQLClient, RestClient } from '../support/clients.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';
import { buildPerson, buildWorkflow, seedTestData, join, type TestData } from '../support/test-data.js';
import {
  rowsWithoutTheirBytes,
  sha256Hex,
  stagedFiles,
  uploadText,
  versionRows,
  versionsPath,
  type Place,
} from './support/evidence.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { Link } from './support/link.js';
import { until } from '../support/until.js';

/** Milliseconds after which cached access must not be used any more (docs/adr/0004). */
const WITHIN = 1_000;

let installation: Installation;
/** A connection to the database outside the link. */
let database: Database;
let link: Link;
let gateway: GatewayProcess;
let rest: RestClient;
let graphql: GraphQLClient;
let testData: TestData;

// A separate process: Jest gives tests another Error than Node's own, which errors of sockets are recognised by.
beforeAll(async () => {
  installation = await Installation.create('database-away');
  ({ database } = installation);
  testData = await seedTestData(database);
  await buildWorkflow(database, testData.organizationId);
  link = await Link.to(installation.databaseUrl);
  gateway = await installation.start({ DATABASE_URL: link.url, LOG_LEVEL: 'fatal', METRICS_PUBLIC: '1' });
  rest = new RestClient(gateway.url);
  graphql = new GraphQLClient(gateway.url);
});

afterEach(async () => {
  link.restore();
  await until('the gateway is ready again', async () => (await fetch(`${gateway.url}/health/ready`)).ok);
});

afterAll(async () => {
  await installation?.killAll();
  await link?.close();
  await installation?.clear();
});

const users = () => `/api/v1/organizations/${testData.organizationId}/users`;
/** Reads only the caller from the database. */
const catalogue = (token: string) => rest.get('/api/v1/v-ciso/available-workflows', { token });
const place = (artifactId: string): Place => ({
  organizationId: testData.organizationId,
  artifactId,
  token: testData.analyst.token,
});

/** Number of statements that the gateway has sent. */
async function statements(): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^gateway_database_statements_total (\d+)$/m.exec(metrics)?.[1]);
}

/** Waits until a token causes no statement any more. */
async function warm(token: string): Promise<void> {
  await until('the token is remembered', async () => {
    const before = await statements();
    expectData(await catalogue(token));
    const after = await statements();
    // Reading the metrics causes statements of its own.
    return after - before === (await statements()) - after;
  });
}

async function newMemberToken(): Promise<string> {
  const person = await buildPerson(database, 'someone');
  await join(database, person, testData.organizationId, 'SECURITY_OFFICER');
  return person.token;
}

const revoke = (token: string) =>
  database.rows('update api_token set revoked_at = now() where digest = $1', [digestToken(token)]);

describe('while the database is away', () => {
  test('every REST call is answered 503 with when to come back', async () => {
    link.cut();
    const token = testData.owner.token;
    const answers = [
      await rest.get(users(), { token }),
      await rest.get('/api/v1/notifications', { token }),
      await rest.get(`/api/v1/organizations/${testData.organizationId}/branding`, { token }),
      await rest.delete('/api/v1/atb/1', { token }),
      await rest.post('/api/v1/organizations', { token, body: { name: 'Too late' } }),
      await uploadText(rest, place('A.5.1'), 'too late'),
    ];
    for (const answer of answers) {
      expectError(answer, 503, []);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });

  test('GraphQL answers 503 with UNAVAILABLE', async () => {
    link.cut();
    for (const query of [
      '{ viewer { user { username } } }',
      'mutation { createOrganization(input: { name: "Too late" }) { organization { id: databaseId } } }',
    ]) {
      const answer = await graphql.call(query, { token: testData.owner.token });
      withStory(answer, () => {
        expect(answer.status).toBe(503);
        expect(answer.body.errors?.map(({ extensions }) => extensions)).toEqual([
          { code: 'UNAVAILABLE', messages: [] },
        ]);
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      });
    }
  });

  test('what needs no token and no row still answers, and the rest is UNAVAILABLE', async () => {
    link.cut();
    expectError(await rest.get(users()), 401, [1001]);
    expectError(await rest.get('/api/v1/nowhere'), 404, [1004]);
    expect((await fetch(`${gateway.url}/api/v1/openapi.json`)).status).toBe(200);
  });

  test('the gateway lives and is not ready, and is ready again by itself', async () => {
    link.cut();
    const live = await fetch(`${gateway.url}/health/live`);
    expect([live.status, await live.text()]).toEqual([200, '{"status":"live"}']);
    const ready = await fetch(`${gateway.url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      {
        status: 'not ready',
        draining: false,
        checks: { database: 'down', storage: 'up' },
        causes: { database: expect.stringMatching(/^(no connection|ECONN\w+)$/) },
      },
    ]);
    link.restore();
    await until('it is ready', async () => (await fetch(`${gateway.url}/health/ready`)).ok);
    expectData(await rest.get(users(), { token: testData.owner.token }));
    expectStatus(await uploadText(rest, place('A.5.2'), 'back again'), 201);
  });

  test.each(['cut', 'silence'] as const)('no remembered token is believed for long (%s)', async (failure) => {
    const token = await newMemberToken();
    await warm(token);
    link[failure]();
    const failedAt = performance.now();
    for (;;) {
      const requestedAt = performance.now();
      const answer = await catalogue(token);
      if (answer.status !== 200) {
        expectError(answer, 503, []);
        break;
      }
      expect(requestedAt - failedAt).toBeLessThan(WITHIN);
    }
  });

  test('a token that is revoked meanwhile never passes again', async () => {
    const token = await newMemberToken();
    await warm(token);
    link.silence();
    await revoke(token);
    const revokedAt = performance.now();
    await until('a second has passed', () => performance.now() - revokedAt >= WITHIN);
    link.cut();
    expectError(await catalogue(token), 503, []);
    link.restore();
    await until('it is refused', async () => {
      const answer = await catalogue(token);
      if (answer.status !== 503) expectError(answer, 401, [1001]);
      return answer.status === 401;
    });
    // NOTIFY messages of the outage are lost, so older cache entries are not used after it.
    await warm(testData.owner.token);
    expectError(await catalogue(token), 401, [1001]);
  });
});

describe('after the database has come back', () => {
  test('tokens are remembered again, and forgotten within a second when they are revoked by hand', async () => {
    const token = await newMemberToken();
    await warm(token);
    link.cut();
    await until('it is not believed', async () => (await catalogue(token)).status === 503);
    link.restore();
    await until('it answers', async () => (await catalogue(token)).status === 200);
    await warm(token);
    await revoke(token);
    const revokedAt = performance.now();
    await until('it is refused', async () => {
      const wasLate = performance.now() - revokedAt >= WITHIN;
      const answer = await catalogue(token);
      if (wasLate) expectError(answer, 401, [1001]);
      return answer.status === 401;
    });
  });

  test('connections that the server ended one by one are replaced', async () => {
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
                  where datname = current_database() and pid <> pg_backend_pid() and application_name like 'compliance-gateway%'`;
    const requesting = Array.from({ length: 20 }, () => rest.get(users(), { token: testData.officer.token }));
    await database.rows(end);
    for (const answer of await Promise.all(requesting)) {
      if (answer.status !== 200) expectError(answer, 503, []);
    }
    await until('all is as before', async () => {
      const answer = await rest.get(users(), { token: testData.officer.token });
      if (answer.status !== 200) expectError(answer, 503, []);
      return answer.status === 200;
    });
  });
});

describe('a connection that breaks in the middle of an upload', () => {
  let holder: Client;
  beforeEach(async () => {
    holder = new Client({ connectionString: installation.databaseUrl });
    await holder.connect();
  });
  afterEach(() => holder.end());

  test.each([
    ['before the bytes are kept', 'A.5.10', `select pg_advisory_xact_lock(hashtextextended($1, 1))`],
    ['after the bytes are kept', 'A.5.11', 'lock table document_version in exclusive mode'],
  ])('%s is a 503 and makes no row', async (_when, artifactId, lock) => {
    await holder.query('begin');
    await holder.query(lock, lock.includes('$1') ? [`${testData.organizationId}/iso-27001-2022/${artifactId}`] : []);
    const uploading = uploadText(rest, place(artifactId), `broken at ${artifactId}`);
    await someoneWaits({ rows: async (text: string) => (await holder.query(text)).rows });
    link.cut();
    expectError(await uploading, 503, []);
    await holder.query('rollback');
    link.restore();
    await until('uploads work again', async () => {
      const answer = await uploadText(rest, place(artifactId), `whole at ${artifactId}`);
      return answer.status === 201;
    });
    const rows = (await versionRows(database)).filter((row) => row.artifactId === artifactId);
    expect(rows.map(({ sha256 }) => sha256)).toEqual([sha256Hex(`whole at ${artifactId}`)]);
    expect(await rowsWithoutTheirBytes(database, installation.files)).toEqual([]);
    expect(await stagedFiles(installation.files)).toEqual([]);
  });
});

test('a network that drops every packet is a 503, too, and the caller does not wait for ever', async () => {
  expectData(await rest.get(users(), { token: testData.owner.token }));
  link.silence();
  const calls = [
    rest.get(users(), { token: testData.owner.token }),
    rest.post(versionsPath(place('A.5.3')), {
      token: testData.owner.token,
      body: { filename: 'a.txt', content: 'YQ==', content_type: 'text/plain', source: 'attached' },
    }),
  ];
  for (const answer of await Promise.all(calls)) expectError(answer, 503, []);
});
