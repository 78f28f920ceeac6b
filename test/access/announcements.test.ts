import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import pino from 'pino';
import { AccessCache } from '../../src/auth/access-cache.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { NotificationFilter, type Passing } from '../support/notification-filter.js';
import { StatementWatch } from '../support/statements.js';
import { buildPerson, buildToken, seedTestData, join, type TestData } from '../support/test-data.js';
import { until } from '../support/until.js';

/** Milliseconds after which outdated access must not be used any more. */
const WITHIN = 1_000;

let database: TestDatabase;
/** Makes the changes; it receives its own NOTIFY messages. */
let other: TestGateway;
let testData: TestData;

beforeAll(async () => {
  database = await createTestDatabase();
  other = await startGateway({ database });
  testData = await seedTestData(other.app.database);
});

afterAll(async () => {
  await other?.close();
  await database?.drop();
});

/** A gateway behind a notification filter of its own: most tests wait for seconds, concurrently. */
class Listening {
  readonly lines: { level: number; msg: string }[] = [];
  private gateway: TestGateway | undefined;

  private constructor(
    private readonly watch: StatementWatch,
    readonly filter: NotificationFilter,
  ) {}

  static async with(
    passing: Passing,
    listenDatabaseUrl: string | undefined,
    use: (listening: Listening) => Promise<void>,
  ): Promise<void> {
    const watch = await StatementWatch.before(database.url);
    const filter = await NotificationFilter.before(watch.url, passing);
    const listening = new Listening(watch, filter);
    const log = pino({ level: 'warn' }, { write: (line: string) => void listening.lines.push(JSON.parse(line)) });
    const config = { listenDatabaseUrl };
    try {
      listening.gateway = await startGateway({ database: { ...database, url: filter.url }, log, config });
      await use(listening);
    } finally {
      await listening.gateway?.close();
      await filter.close();
      await watch.close();
    }
  }

  send(token: string) {
    return this.gateway!.rest.get(`/api/v1/organizations/${testData.organizationId}/users`, { token });
  }

  /** Waits until requests read nothing about the token from the database. */
  remembered(token: string) {
    return until('the token is remembered', async () => {
      const texts = await this.watch.during(async () => expectData(await this.send(token)));
      return !texts.some((text) => text.includes('api_token'));
    });
  }

  warned() {
    return this.lines.filter(({ msg }) => msg.includes('set LISTEN_DATABASE_URL'));
  }
}

async function newToken(): Promise<string> {
  const person = await buildPerson(other.app.database, 'someone');
  await join(other.app.database, person, testData.organizationId, 'SECURITY_OFFICER');
  return buildToken(other.app.database, person, {});
}

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

test('of a membership, what takes access away is announced, and its beginning is not', async () => {
  const { app } = other;
  const heard: (string | undefined)[] = [];
  const listener = new Client({ connectionString: database.url });
  await listener.connect();
  try {
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query('listen access');
    const owner = await buildPerson(app.database, 'founder');
    const token = await buildToken(app.database, owner, {});
    const { id } = expectData(
      await other.rest.post('/api/v1/organizations', { token, body: { name: 'Founded' } }),
      201,
    );
    const changes = [
      `update membership set role = 'VIEWER' where organization_id = $1`,
      'update membership set deactivated_at = now() where organization_id = $1',
      'delete from membership where organization_id = $1',
    ];
    for (const change of changes) await app.database.rows(change, [id]);
    const own = () => heard.filter((payload) => payload?.startsWith('m:') && payload.endsWith(`:${id}`));
    await until('all is announced', () => own().length >= changes.length);
    expect(own()).toEqual(changes.map(() => `m:${owner.id}:${id}`));
  } finally {
    await listener.end();
  }
});

describe('where announcements do not arrive', () => {
  test.concurrent.each(['none', 'own'] as const)(
    'a revoked token is refused at once, and the operator is warned in one sentence (%s pass)',
    (passing) =>
      Listening.with(passing, undefined, async (gateway) => {
        const token = await newToken();
        for (let round = 0; round < 5; round += 1) expectData(await gateway.send(token));
        await until('the operator is warned', () => gateway.warned().length === 1);
        expectData(await gateway.send(token));
        await revoke(token);
        expectError(await gateway.send(token), 401, [1001]);
        expect(gateway.warned()).toHaveLength(1);
      }),
  );

  test.concurrent(
    'LISTEN_DATABASE_URL hears them past the pooler: tokens are remembered, and forgotten within a second',
    () =>
      Listening.with('none', database.url, async (gateway) => {
        const token = await newToken();
        await gateway.remembered(token);
        await revoke(token);
        const revokedAt = performance.now();
        await until('it is refused', async () => {
          const wasLate = performance.now() - revokedAt >= WITHIN;
          const answer = await gateway.send(token);
          if (wasLate) expectError(answer, 401, [1001]);
          return answer.status === 401;
        });
        expect(gateway.lines).toEqual([]);
      }),
  );

  test.concurrent(
    'a LISTEN_DATABASE_URL that leads to another database is noticed, and nothing is remembered',
    async () => {
      const elsewhere = await createTestDatabase();
      await Listening.with('all', elsewhere.url, async (gateway) => {
        const token = await newToken();
        await until('the operator is warned', () => gateway.warned().length === 1);
        expectData(await gateway.send(token));
        await revoke(token);
        expectError(await gateway.send(token), 401, [1001]);
      });
      await elsewhere.drop();
    },
  );
});

test.concurrent(
  'announcements that stop arriving end what is believed within a second, and are heard again later',
  () =>
    Listening.with('all', undefined, async (gateway) => {
      const token = await newToken();
      await gateway.remembered(token);
      gateway.filter.passing = 'none';
      const mutedAt = performance.now();
      await until('a second has passed', () => performance.now() - mutedAt >= WITHIN);
      await revoke(token);
      expectError(await gateway.send(token), 401, [1001]);
      await until('the operator is warned', () => gateway.warned().length === 1);
      gateway.filter.passing = 'all';
      await gateway.remembered(await newToken());
    }),
);

describe('what is remembered for a minute', () => {
  const membership = { role: 'VIEWER', queryTokens: true, requiredProviderId: null } as const;
  const token = { callers: { header: { blockedIn: new Set() } }, allowed: { size: 0 } } as never;

  test('is nothing that was read before an announcement, which may be about it', () => {
    const cache = new AccessCache({ isFresh: () => true });
    const readAt = cache.currentGeneration();
    cache.announced('m:another:2');
    cache.rememberMembership('user', 1, membership, readAt);
    cache.rememberToken('digest', token, readAt);
    cache.rejectToken('wrong', readAt);
    const remembered = [cache.membership('user', 1), cache.token('digest'), cache.isRejected('wrong')];
    expect(remembered).toEqual([undefined, undefined, false]);
  });

  test('is not believed any more, even when every announcement has arrived', () => {
    let now = 1_000;
    const cache = new AccessCache({ isFresh: () => true }, { now: () => now });
    cache.rememberMembership('user', 1, membership, cache.currentGeneration());
    cache.rememberToken('digest', token, cache.currentGeneration());
    now += 59_999;
    expect([cache.membership('user', 1), cache.token('digest')]).toEqual([membership, token]);
    now += 2;
    expect([cache.membership('user', 1), cache.token('digest')]).toEqual([undefined, undefined]);
  });
});
