import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { digestToken } from '../../src/access/token.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectFault, expectStatus, withStory } from '../support/matchers.js';
import { buildPerson, buildWorkflow, buildWorld, join as joinOrganization, type World } from '../support/world.js';
import { rowsWithoutTheirBytes, stagedFiles, uploadText, versionsPath, type Place } from './support/evidence.js';
import { Link } from './support/link.js';
import { until } from './support/until.js';

/** Milliseconds after which no remembered access may be believed any more (docs/adr/0004). */
const WITHIN = 1_000;

let database: TestDatabase;
let link: Link;
let gateway: TestGateway;
let world: World;
/** A way to the database that does not lead over the link. */
let aside: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  aside = new Client({ connectionString: database.url });
  await aside.connect();
  link = await Link.to(database.url);
  gateway = await startGateway({ database: { ...database, url: link.url } });
  world = await buildWorld(gateway.app.database);
  await buildWorkflow(gateway.app.database, world.organizationId);
});

afterEach(async () => {
  link.restore();
  await until('the gateway is ready again', async () => (await fetch(`${gateway.url}/health/ready`)).ok);
});

afterAll(async () => {
  await gateway?.close();
  await link?.close();
  await aside?.end();
  await database?.drop();
});

const users = () => `/api/v1/organizations/${world.organizationId}/users`;
/** Asks the database for nothing but who calls. */
const catalogue = (token: string) => gateway.rest.get('/api/v1/v-ciso/available-workflows', { token });
const place = (artifactId: string): Place => ({
  organizationId: world.organizationId,
  artifactId,
  token: world.analyst.token,
});
const filesOf = () => gateway.config.storageUrl.slice('file:'.length);

/** Until a token costs no statement any more. */
async function warm(token: string): Promise<void> {
  await until('the token is remembered', async () => {
    const before = gateway.app.database.executed;
    expectData(await catalogue(token));
    return gateway.app.database.executed === before;
  });
}

async function newcomer(): Promise<string> {
  const person = await buildPerson(gateway.app.database, 'someone');
  await joinOrganization(gateway.app.database, person, world.organizationId, 'SECURITY_OFFICER');
  return person.token;
}

const revoke = (token: string) =>
  aside.query('update api_token set revoked_at = now() where digest = $1', [digestToken(token)]);

describe('while the database is away', () => {
  test('every REST call is answered 503 with when to come back', async () => {
    link.cut();
    const token = world.owner.token;
    const answers = [
      await gateway.rest.get(users(), { token }),
      await gateway.rest.get('/api/v1/notifications', { token }),
      await gateway.rest.get(`/api/v1/organizations/${world.organizationId}/branding`, { token }),
      await gateway.rest.delete('/api/v1/atb/1', { token }),
      await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Too late' } }),
      await uploadText(gateway.rest, place('A.5.1'), 'too late'),
    ];
    for (const answer of answers) {
      expectFault(answer, 503, []);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });

  test('GraphQL answers 503 with UNAVAILABLE', async () => {
    link.cut();
    for (const query of [
      '{ viewer { user { username } } }',
      'mutation { createOrganization(input: { organization: { name: "Too late" } }) { organization { id } } }',
    ]) {
      const answer = await gateway.graphql.call(query, { token: world.owner.token });
      withStory(answer, () => {
        expect(answer.status).toBe(503);
        expect(answer.body.errors?.map(({ extensions }) => extensions)).toEqual([
          { code: 'UNAVAILABLE', messages: [] },
        ]);
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      });
    }
  });

  test('what asks for no token and no row still answers, and the rest stays an honest refusal', async () => {
    link.cut();
    expectFault(await gateway.rest.get(users()), 401, [1001]);
    expectFault(await gateway.rest.get('/api/v1/nowhere'), 404, [1004]);
    expect((await fetch(`${gateway.url}/api/v1/openapi.json`)).status).toBe(200);
  });

  test('the gateway lives and is not ready, and is ready again by itself', async () => {
    link.cut();
    const live = await fetch(`${gateway.url}/health/live`);
    expect([live.status, await live.text()]).toEqual([200, '{"status":"live"}']);
    const ready = await fetch(`${gateway.url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not ready', draining: false, checks: { database: 'down', storage: 'up' } },
    ]);
    link.restore();
    await until('it is ready', async () => (await fetch(`${gateway.url}/health/ready`)).ok);
    expectData(await gateway.rest.get(users(), { token: world.owner.token }));
    expectStatus(await uploadText(gateway.rest, place('A.5.2'), 'back again'), 201);
  });

  test.each(['cut', 'silence'] as const)('no remembered token is believed for long (%s)', async (failure) => {
    const token = await newcomer();
    await warm(token);
    link[failure]();
    const failedAt = performance.now();
    for (;;) {
      const askedAt = performance.now();
      const answer = await catalogue(token);
      if (answer.status !== 200) {
        expectFault(answer, 503, []);
        break;
      }
      expect(askedAt - failedAt).toBeLessThan(WITHIN);
    }
  });

  test('a token that is revoked meanwhile never passes again', async () => {
    const token = await newcomer();
    await warm(token);
    link.silence();
    await revoke(token);
    const revokedAt = performance.now();
    const late = async () => {
      const askedAt = performance.now();
      return { answer: await catalogue(token), wasLate: askedAt - revokedAt >= WITHIN };
    };
    await until('a second has passed', () => performance.now() - revokedAt >= WITHIN);
    link.cut();
    expectFault((await late()).answer, 503, []);
    link.restore();
    await until('it is refused', async () => {
      const { answer, wasLate } = await late();
      expect(wasLate).toBe(true);
      if (answer.status !== 503) expectFault(answer, 401, [1001]);
      return answer.status === 401;
    });
  });
});

describe('after the database has come back', () => {
  test('tokens are remembered again, and forgotten within a second when they are revoked by hand', async () => {
    const token = await newcomer();
    await warm(token);
    link.cut();
    expectFault(await catalogue(token), 503, []);
    link.restore();
    await until('it answers', async () => (await catalogue(token)).status === 200);
    await warm(token);
    await revoke(token);
    const revokedAt = performance.now();
    await until('it is refused', async () => {
      const wasLate = performance.now() - revokedAt >= WITHIN;
      const answer = await catalogue(token);
      if (wasLate) expectFault(answer, 401, [1001]);
      return answer.status === 401;
    });
  });

  test('connections that the server ended one by one are replaced', async () => {
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
                  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    const asking = Array.from({ length: 20 }, () => gateway.rest.get(users(), { token: world.officer.token }));
    await aside.query(end);
    for (const answer of await Promise.all(asking)) {
      if (answer.status !== 200) expectFault(answer, 503, []);
    }
    await until('all is as before', async () => {
      const answer = await gateway.rest.get(users(), { token: world.officer.token });
      if (answer.status !== 200) expectFault(answer, 503, []);
      return answer.status === 200;
    });
  });
});

describe('a connection that breaks in the middle of an upload', () => {
  /** Until a statement of the gateway waits for what `hold` holds. */
  const someoneWaits = async () => {
    const { rows } = await aside.query(
      'select from pg_locks where not granted and pid <> pg_backend_pid() and pid in (select pid from pg_stat_activity where datname = current_database())',
    );
    return rows.length > 0;
  };
  const rowsOf = async (artifactId: string) =>
    (await aside.query('select from document_version where artifact_id = $1', [artifactId])).rows.length;

  test.each([
    ['before the bytes are kept', 'A.5.10', `select pg_advisory_xact_lock(hashtextextended($1, 1))`],
    ['after the bytes are kept', 'A.5.11', 'lock table document_version in exclusive mode'],
  ])('%s is a 503 and makes no row', async (_when, artifactId, hold) => {
    await aside.query('begin');
    await aside.query(hold, hold.includes('$1') ? [`${world.organizationId}/iso-27001-2022/${artifactId}`] : []);
    const uploading = uploadText(gateway.rest, place(artifactId), `broken at ${artifactId}`);
    await until('the upload waits in its transaction', someoneWaits);
    link.cut();
    expectFault(await uploading, 503, []);
    await aside.query('rollback');
    await until('the server has noticed, too', async () => !(await someoneWaits()));
    link.restore();
    await until('uploads work again', async () => {
      const answer = await uploadText(gateway.rest, place(artifactId), `whole at ${artifactId}`);
      return answer.status === 201;
    });
    expect(await rowsOf(artifactId)).toBe(1);
    expect(await rowsWithoutTheirBytes(gateway.app.database, filesOf())).toEqual([]);
    expect(await stagedFiles(filesOf())).toEqual([]);
  });
});

test('a network that swallows everything is a 503, too, and does not hold the caller for ever', async () => {
  expectData(await gateway.rest.get(users(), { token: world.owner.token }));
  link.silence();
  const calls = [
    gateway.rest.get(users(), { token: world.owner.token }),
    gateway.rest.post(versionsPath(place('A.5.3')), {
      token: world.owner.token,
      body: { filename: 'a.txt', content: 'YQ==', content_type: 'text/plain', source: 'attached' },
    }),
  ];
  for (const answer of await Promise.all(calls)) expectFault(answer, 503, []);
}, 60_000);
