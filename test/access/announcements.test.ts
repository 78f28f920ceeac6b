import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { CallerCache } from '../../src/auth/access-cache.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { NotificationFilter, type Passing } from '../support/notification-filter.js';
import { StatementWatch } from '../support/statements.js';
import { buildPerson, buildToken, seedTestData, join, type TestData } from '../support/test-data.js';
import { until } from '../resilience/support/until.js';

/** Milliseconds after which nothing may be believed that is no longer true. */
const WITHIN = 1_000;

let database: TestDatabase;
let watch: StatementWatch;
let filter: NotificationFilter;
/** Makes the changes; its own announcements arrive. */
let other: TestGateway;
let testData: TestData;
let gateway: TestGateway | undefined;
let lines: { level: number; msg: string }[];

beforeAll(async () => {
  database = await createTestDatabase();
  other = await startGateway({ database });
  testData = await seedTestData(other.app.database);
  watch = await StatementWatch.before(database.url);
  filter = await NotificationFilter.before(watch.url, 'all');
});

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

afterAll(async () => {
  await filter?.close();
  await watch?.close();
  await other?.close();
  await database?.drop();
});

async function start(passing: Passing, listenDatabaseUrl?: string): Promise<TestGateway> {
  filter.passing = passing;
  lines = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  gateway = await startGateway({ database: { ...database, url: filter.url }, log, config: { listenDatabaseUrl } });
  return gateway;
}

async function newToken(): Promise<string> {
  const person = await buildPerson(other.app.database, 'someone');
  await join(other.app.database, person, testData.organizationId, 'SECURITY_OFFICER');
  return buildToken(other.app.database, person, {});
}

const ask = (token: string) => gateway!.rest.get(`/api/v1/organizations/${testData.organizationId}/users`, { token });
/** Through another instance. */
async function revoke(token: string): Promise<void> {
  const { viewer } = await other.graphql.data('{ viewer { token { id: databaseId } } }', { token });
  await other.graphql.data(
    `mutation { revokeApiToken(input: { tokenId: ${viewer.token.id} }) { apiToken { id: databaseId } } }`,
    {
      token,
    },
  );
}

/** Until a request asks the database nothing about its token. */
const remembered = (token: string) =>
  until('the token is remembered', async () => {
    const texts = await watch.during(async () => expectData(await ask(token)));
    return !texts.some((text) => text.includes('api_token'));
  });

const warned = () => lines.filter(({ msg }) => msg.includes('set LISTEN_DATABASE_URL'));

describe('where announcements do not arrive', () => {
  test.each(['none', 'own'] as const)(
    'a revoked token is refused at once, and the operator is warned in one sentence (%s pass)',
    async (passing) => {
      await start(passing);
      const token = await newToken();
      for (let round = 0; round < 5; round += 1) expectData(await ask(token));
      await until('the operator is warned', () => warned().length === 1);
      expectData(await ask(token));
      await revoke(token);
      expectError(await ask(token), 401, [1001]);
      expect(warned()).toHaveLength(1);
    },
  );

  test('LISTEN_DATABASE_URL hears them past the pooler: tokens are remembered, and forgotten within a second', async () => {
    await start('none', database.url);
    const token = await newToken();
    await remembered(token);
    await revoke(token);
    const revokedAt = performance.now();
    await until('it is refused', async () => {
      const wasLate = performance.now() - revokedAt >= WITHIN;
      const answer = await ask(token);
      if (wasLate) expectError(answer, 401, [1001]);
      return answer.status === 401;
    });
    expect(lines).toEqual([]);
  });

  test('a LISTEN_DATABASE_URL that leads to another database is noticed, and nothing is remembered', async () => {
    const elsewhere = await createTestDatabase();
    await start('all', elsewhere.url);
    const token = await newToken();
    await until('the operator is warned', () => warned().length === 1);
    expectData(await ask(token));
    await revoke(token);
    expectError(await ask(token), 401, [1001]);
    await gateway?.close();
    gateway = undefined;
    await elsewhere.drop();
  });
});

test('announcements that stop arriving end what is believed within a second, and are heard again later', async () => {
  await start('all');
  const token = await newToken();
  await remembered(token);
  filter.passing = 'none';
  const mutedAt = performance.now();
  await until('a second has passed', () => performance.now() - mutedAt >= WITHIN);
  await revoke(token);
  expectError(await ask(token), 401, [1001]);
  await until('the operator is warned', () => warned().length === 1);
  filter.passing = 'all';
  await remembered(await newToken());
});

describe('what is remembered for a minute', () => {
  test('is not believed any more, even when every announcement has arrived', () => {
    let now = 1_000;
    const cache = new CallerCache({ isFresh: () => true }, { now: () => now });
    const membership = { role: 'VIEWER', queryTokens: true, requiredProviderId: null } as const;
    cache.rememberMembership('user', 1, membership, cache.currentGeneration());
    const token = { callers: { header: { blockedIn: new Set() } }, allowed: { size: 0 } } as never;
    cache.rememberToken('digest', token, cache.currentGeneration());
    now += 59_999;
    expect([cache.membership('user', 1), cache.token('digest')]).toEqual([membership, token]);
    now += 2;
    expect([cache.membership('user', 1), cache.token('digest')]).toEqual([undefined, undefined]);
  });
});
