import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/sql.js';
import type { Answer } from '../support/clients.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectError, expectStatus, withStory } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { expectReason, expectReplay, newKey } from '../support/idempotency.js';

let gateway: TestGateway;
let other: TestGateway;
let direct: Database;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  other = await startGateway({ database: gateway.database });
  direct = await Database.open(gateway.database.url, 2);
  testData = await seedTestData(gateway.app.database);
});

afterAll(async () => {
  await direct?.close();
  await other?.close();
  await gateway?.close();
});

const CREATE_TOKEN = 'mutation ($name: String!) { createApiToken(input: { name: $name }) { token } }';

type Create = (at: TestGateway, name: string, headers: Record<string, string>) => Promise<Answer<unknown>>;
const overRest: Create = (at, name, headers) =>
  at.rest.post('/api/v1/tokens', { token: testData.owner.token, headers, body: { name } });
const overGraphQL: Create = (at, name, headers) =>
  at.graphql.call(CREATE_TOKEN, { token: testData.owner.token, headers, variables: { name } });

const tokensCalled = async (name: string) =>
  (await direct.rows<{ count: number }>('select count(*) as count from api_token where name = $1', [name]))[0]!.count;

/** Runs `work` while no token of the owner can be created. */
async function whileLocked(work: (tx: Queryable) => Promise<void>): Promise<void> {
  await direct.transaction(async (tx) => {
    await tx.rows('select 1 from app_user where id = $1 for update', [testData.owner.id]);
    await work(tx);
  });
}

test.each([
  ['REST', overRest],
  ['GraphQL', overGraphQL],
])('a second request is refused while the first is under way over %s, on either gateway', async (api, create) => {
  const key = newKey();
  const name = `Under way over ${api}`;
  let first: Promise<Answer<unknown>> | undefined;
  await whileLocked(async (tx) => {
    first = create(gateway, name, key);
    await someoneWaits(tx);
    for (const at of [gateway, other]) {
      const rest = await at.rest.post('/api/v1/tokens', { token: testData.owner.token, headers: key, body: { name } });
      expectError(rest, 409, [1009]);
      expect(rest.headers.get('retry-after')).toBe('1');
      expect(rest.headers.get('conflict-reason')).toBe('IDEMPOTENCY_KEY_IN_USE');
      const graphql = await at.graphql.call(CREATE_TOKEN, {
        token: testData.owner.token,
        headers: key,
        variables: { name },
      });
      expectReason(graphql, 'IDEMPOTENCY_KEY_IN_USE');
      expect(graphql.headers.get('retry-after')).toBe('1');
    }
    // A key belongs to its token.
    const body = { name: `Meanwhile over ${api}` };
    expectStatus(await gateway.rest.post('/api/v1/tokens', { token: testData.viewer.token, headers: key, body }), 201);
  });
  const made = await first!;
  expect([200, 201]).toContain(made.status);
  expectReplay(await create(other, name, key), made);
  expect(await tokensCalled(name)).toBe(1);
});

test.each([
  ['REST', overRest],
  ['GraphQL', overGraphQL],
])('many at once over %s on two gateways change one thing, and answer it or 409', async (api, create) => {
  const key = newKey();
  const name = `Many over ${api}`;
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => create(n % 2 ? gateway : other, name, key)));
  const done = answers.filter(({ status }) => status !== 409);
  const [first] = done.filter(({ headers }) => headers.get('idempotency-replayed') === null);
  if (first === undefined) throw new Error(answers.map(({ story }) => story).join('\n\n'));
  for (const answer of done) withStory(answer, () => expect(answer.text).toBe(first.text));
  expect(done.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  for (const { status, headers } of answers) if (status === 409) expect(headers.get('retry-after')).toBe('1');
  expect(await tokensCalled(name)).toBe(1);
  expectReplay(await create(gateway, name, key), first);
});

test('an upload that is sent twice at once is stored once', async () => {
  const key = newKey();
  const send = (at: TestGateway) => {
    const form = new FormData();
    form.set('data', JSON.stringify({ name: 'Sent twice at once' }));
    form.set('logo', new File([PNG], 'logo.png', { type: 'image/png' }));
    return at.rest.post('/api/v1/organizations', { token: testData.owner.token, headers: key, body: form });
  };
  const answers = await Promise.all([send(gateway), send(other), send(gateway), send(other)]);
  for (const answer of answers) expect([201, 409]).toContain(answer.status);
  const found = await direct.rows('select 1 from organization where name = $1', ['Sent twice at once']);
  expect(found).toHaveLength(1);
  expectStatus(await send(gateway), 201);
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('requests with keys need one connection each, however many there are', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      gateway.rest.post('/api/v1/organizations', {
        token: testData.manager.token,
        headers: newKey(),
        body: { name: `One of many ${n}` },
      }),
    ),
  );
  for (const answer of answers) expectStatus(answer, 201);
});

test('a connection that the database ends in the middle undoes the request, and its key is free', async () => {
  const key = newKey();
  let first: Promise<Answer<unknown>> | undefined;
  await whileLocked(async (tx) => {
    first = overRest(gateway, 'Cut off', key);
    await someoneWaits(tx);
    await direct.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    );
    expectStatus(await first, 503);
  });
  expectStatus(await overRest(gateway, 'Cut off', key), 201);
  expect(await tokensCalled('Cut off')).toBe(1);
});
