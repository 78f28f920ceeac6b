import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { Database } from '../../src/database/database.js';
import { REQUEST_LIMITS, requestLimits } from '../../src/database/time-limits.js';
import type { DomainError } from '../../src/errors.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, withStory } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { until } from '../support/until.js';

let gateway: TestGateway;
let database: Database;
let admin: Client;
let testData: TestData;

/** Short limits: the longer ones of requests are tested below. */
const LIMITS = { ...REQUEST_LIMITS, statement: 700, lock: 300, idleInTransaction: 500 };

beforeAll(async () => {
  gateway = await startGateway({ config: { databaseStatementSeconds: 3 } });
  testData = await seedTestData(gateway.app.database);
  database = await Database.open(gateway.database.url, 2, LIMITS);
  admin = new Client({ connectionString: gateway.database.url });
  await admin.connect();
});

afterEach(() => admin.query('rollback'));

afterAll(async () => {
  await admin?.end();
  await database?.close();
  await gateway?.close();
});

const causeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'nothing went wrong',
    ({ code, service, cause }: DomainError & { service?: string; cause?: { code?: string } }) => [
      code,
      service,
      cause?.code,
    ],
  );

const setting = async (on: Database, name: string) =>
  (await on.rows<{ value: string }>('select current_setting($1) as value', [name]))[0]?.value;

describe('a statement that takes too long', () => {
  const SLEEP = 'select pg_sleep(600)';
  const asleep = async () =>
    (
      await admin.query(
        `select from pg_stat_activity where datname = current_database() and state = 'active' and query = $1`,
        [SLEEP],
      )
    ).rowCount;

  test.each([
    ['on its own', () => database.rows(SLEEP)],
    ['in a list', () => database.tuples(SLEEP)],
    ['in a transaction', () => database.transaction((tx) => tx.rows(SLEEP))],
    ['with entities', () => database.work((em) => em.execute(SLEEP))],
  ])('%s is ended by the server as well, and is UNAVAILABLE', async (_where, run) => {
    const statement = run();
    expect(await causeOf(statement)).toEqual(['UNAVAILABLE', 'database', '57014']);
    await until('no backend works on it', async () => (await asleep()) === 0);
    expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('a lock that is not given in time is UNAVAILABLE, and the connection stays', async () => {
  const pid = 'select pg_backend_pid() as pid';
  const before = await database.rows(pid);
  await admin.query('begin');
  await admin.query('lock table app_user in access exclusive mode');
  const read = database.transaction((tx) => tx.rows('select count(*) from app_user'));
  expect(await causeOf(read)).toEqual(['UNAVAILABLE', 'database', '55P03']);
  expect(await database.rows(pid)).toEqual(before);
});

test('a statement behind one that took too long in the same transaction is UNAVAILABLE as well', async () => {
  const second = database.transaction(async (tx) => {
    const [, behind] = await Promise.allSettled([tx.rows('select pg_sleep(600)'), tx.rows('select 1')]);
    throw (behind as PromiseRejectedResult).reason;
  });
  expect(await causeOf(second)).toEqual(['UNAVAILABLE', 'database', '25P02']);
});

test('a transaction that goes on after it was idle for too long is UNAVAILABLE, and nothing of it stays', async () => {
  const late = database.transaction(async (tx) => {
    await tx.rows('create table left_behind (id int)');
    await until('the server has ended it', async () => {
      const { rows } = await admin.query(
        `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
      );
      return rows.length === 0;
    });
    await tx.rows('select 1');
  });
  expect((await causeOf(late))[0]).toBe('UNAVAILABLE');
  expect(await database.rows(`select to_regclass('left_behind') as name`)).toEqual([{ name: null }]);
});

test('a transaction that takes longer than an operator allows is UNAVAILABLE', async () => {
  const { rows } = await admin.query(`select from pg_settings where name = 'transaction_timeout'`);
  // PostgreSQL has this limit since version 17.
  if (rows.length === 0) return;
  const long = database.transaction(async (tx) => {
    await tx.rows(`set local transaction_timeout = '300ms'`);
    await tx.rows('select pg_sleep(600)');
  });
  expect(await causeOf(long)).toEqual(['UNAVAILABLE', 'database', '25P04']);
  expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }]);
});

test('jobs, and the job queue, have longer limits on the same connections', async () => {
  const single = await Database.open(gateway.database.url, 1);
  const jobs = single.forJobs();
  for (const [name, request, job] of [
    ['statement_timeout', '7s', '1min'],
    ['lock_timeout', '5s', '15s'],
    ['idle_in_transaction_session_timeout', '1min', '1min'],
  ] as const) {
    expect(await setting(single, name)).toBe(request);
    expect(await setting(jobs, name)).toBe(job);
    expect(await jobs.tuples('select current_setting($1)', [name])).toEqual([[job]]);
    const { rows } = await jobs.foreign(`select current_setting('${name}') as value`);
    expect(rows).toEqual([{ value: job }]);
    expect(await setting(single, name)).toBe(request);
  }
  await single.close();
});

test('a statement of a job may be silent for longer than one of a request', async () => {
  const brief = await Database.open(gateway.database.url, 1, requestLimits(1));
  const slow = 'select 1 as one from pg_sleep(4)';
  expect(await causeOf(brief.rows(slow))).toEqual(['UNAVAILABLE', 'database', '57014']);
  expect(await brief.forJobs().rows(slow)).toEqual([{ one: 1 }]);
  await brief.close();
});

test('a request waits for a free connection, or for a place among the transactions, as long as for a lock', async () => {
  const busy = await Database.open(gateway.database.url, 2, requestLimits(1));
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const occupying = busy.transaction(async () => {
    begun.resolve();
    await freed;
  });
  await begun.promise;
  // One connection is for transactions, the other one for reads.
  expect((await causeOf(busy.transaction(async () => undefined)))[0]).toBe('UNAVAILABLE');
  free();
  await occupying;
  await busy.close();
  const patient = await Database.open(gateway.database.url, 1, requestLimits(60));
  const slow = patient.rows('select 1 as one from pg_sleep(6)');
  expect(await Promise.all([slow, patient.rows('select 2 as one')])).toEqual([[{ one: 1 }], [{ one: 2 }]]);
  await patient.close();
});

describe('a request that waits for a lock for too long', () => {
  const lock = async () => {
    await admin.query('begin');
    await admin.query('lock table app_user, cloud_defender in access exclusive mode');
  };

  test('is answered 503 with when to come back through REST, and works afterwards', async () => {
    const path = `/api/v1/organizations/${testData.organizationId}/users`;
    const { token } = testData.owner;
    expectData(await gateway.rest.get(path, { token }));
    await lock();
    const answer = await gateway.rest.get(path, { token });
    expectError(answer, 503, []);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await admin.query('rollback');
    expectData(await gateway.rest.get(path, { token }));
  });

  test('is answered UNAVAILABLE with when to come back through GraphQL', async () => {
    await lock();
    const query = `{ organization(id: ${testData.organizationId}) { cloudDefenders(first: 1) { totalCount } } }`;
    const answer = await gateway.graphql.call(query, { token: testData.owner.token });
    withStory(answer, () => {
      expect(answer.status).toBe(503);
      expect(answer.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAVAILABLE']);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    });
  });
});
