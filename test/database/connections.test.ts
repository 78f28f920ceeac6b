import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { mock } from 'node:test';
import { TLSSocket } from 'node:tls';
import { Pool } from 'pg';
import { accessRecords } from '../../src/database/access-records.js';
import { Database, type Queryable } from '../../src/database/database.js';
import { PipelinedConnections } from '../../src/database/pipelined-connections.js';
import { SilenceWatch } from '../../src/database/pool.js';
import { record } from '../../src/services/audit/record.js';
import { SYSTEM } from '../support/callers.js';
import { createTestDatabase, type TestDatabase, withParameters } from '../support/database.js';
import { buildOrganization } from '../support/test-data.js';
import { Link } from '../resilience/support/link.js';
import { until } from '../support/until.js';

/** Four of ten connections may be pipelined. */
const POOL = 10;
const CONNECTIONS = 4;
const PID = 'select pg_backend_pid()';
const LOCK = 'select pg_advisory_xact_lock(1)';
/** Used only here: a self-signed certificate with a validity of a hundred years. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguPjroptc8nCUN6t1
CeysUz/dSlaYpgJ8FminheVtTBGhRANCAATOslptr//40DCNPQ74fa3B3Vd0RMm/
lNYUUugcRsH0Q9EMthQbdacdtZW3joaqNsA3XicTCCpsQDQRNpEBSXtf
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUGCdv72e75BTJ8lrnRCQSIg4IZ3EwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDA0NTUwNloYDzIxMjYxMTA2
MDQ1NTA2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATOslptr//40DCNPQ74fa3B3Vd0RMm/lNYUUugcRsH0Q9EMthQbdacd
tZW3joaqNsA3XicTCCpsQDQRNpEBSXtfo1MwUTAdBgNVHQ4EFgQUurS6RX8WzrvJ
mZtmUvVwbUQtJcAwHwYDVR0jBBgwFoAUurS6RX8WzrvJmZtmUvVwbUQtJcAwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAnsO9zw+gBP3EF2krVrZZ
ASM58KCPyalucCY0F+yZN88CIQDjjfYfFavXyBWGyqY+ZzFJgzuUmqfBsvUgwrRl
LS+big==
-----END CERTIFICATE-----`;
const APPLICATION = "application_name like 'compliance-gateway%'";

let testDatabase: TestDatabase;
let admin: Pool;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  admin = new Pool({ connectionString: testDatabase.url });
  // The database is dropped under connections that are still being closed.
  admin.on('error', () => undefined);
});

beforeEach(async () => {
  database = await Database.open(testDatabase.url, POOL);
});

afterEach(async () => {
  mock.timers.reset();
  await database.close();
});

afterAll(async () => {
  await admin?.end();
  await testDatabase?.drop();
});

const pids = async (times: number): Promise<Set<unknown>> =>
  new Set((await Promise.all(Array.from({ length: times }, () => database.tuples(PID)))).map(([row]) => row?.[0]));

test('statements have one plan, which is not compiled, whatever the database has as its default', async () => {
  const name = new URL(testDatabase.url).pathname.slice(1);
  await admin.query(`alter database ${name} set jit = on`);
  const opened = await Database.open(testDatabase.url, 1);
  const names = ['enable_seqscan', 'jit', 'plan_cache_mode'];
  expect(
    await opened.rows('select name, setting from pg_settings where name = any($1) order by name', [names]),
  ).toEqual([
    { name: 'enable_seqscan', setting: 'off' },
    { name: 'jit', setting: 'off' },
    { name: 'plan_cache_mode', setting: 'force_generic_plan' },
  ]);
  await opened.close();
});

test('an address that insists on encryption is not used without it, and nothing is read', async () => {
  const insisting = await Database.open(withParameters(testDatabase.url, { sslmode: 'require' }), 2);
  const refused = insisting.rows('select 1');
  await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(refused).rejects.toHaveProperty('cause.message', 'The server does not support SSL connections');
  await insisting.close();
});

test.each([
  ['a role that may not log in any more', (address: URL) => void (address.username = 'absent'), /^28/],
  ['a database that is absent', (address: URL) => void (address.pathname = '/absent'), /^3D000$/],
])('%s is UNAVAILABLE, as a server that is away', async (_, change, sqlState) => {
  const address = new URL(testDatabase.url);
  change(address);
  const refused = await Database.open(address.href, 2);
  await expect(refused.rows('select 1')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    cause: { code: expect.stringMatching(sqlState) },
  });
  await refused.close();
});

test('a certificate of the server that is not accepted is UNAVAILABLE', async () => {
  const server = createServer((socket) =>
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, key: KEY, cert: CERTIFICATE }).on('error', () => undefined);
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const refused = await Database.open(`postgresql://gateway@127.0.0.1:${port}/gateway?sslmode=verify-full`, 2);
  await expect(refused.rows('select 1')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
  await refused.close();
  server.close();
});

test('reads at once share a few connections, and each gets its own answer', async () => {
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const answers = await Promise.all(
    numbers.map((number) => database.tuples('select $1::int, pg_backend_pid()', [number])),
  );
  expect(answers.map(([row]) => row?.[0])).toEqual(numbers);
  expect(new Set(answers.map(([row]) => row?.[1])).size).toBe(CONNECTIONS);
});

test('one read after the other needs one connection', async () => {
  const [first] = await pids(1);
  for (let n = 0; n < 5; n += 1) expect(await pids(1)).toEqual(new Set([first]));
});

test('a statement is planned once for a connection, whatever its values', async () => {
  const single = await Database.open(testDatabase.url, 1);
  const { tokens } = accessRecords(single);
  for (const digests of [['one'], ['two'], ['three', 'four']]) await tokens(digests);
  const plans = `select generic_plans::int as kept, custom_plans::int as anew from pg_prepared_statements where statement like $1`;
  expect(await single.rows(plans, ['%api_token%'])).toEqual([{ kept: 2, anew: 0 }]);
  await single.close();
});

test('a statement that fails takes none of its neighbours with it, prepared or not', async () => {
  for (let round = 0; round < 4; round += 1) {
    const statements = Array.from({ length: 20 }, (_, index) =>
      database.tuples('select 12 / $1::int', [index % 5 === 2 ? 0 : 4]),
    );
    const answers = await Promise.allSettled(statements);
    answers.forEach((answer, index) => {
      if (index % 5 === 2) expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      else expect(answer).toEqual({ status: 'fulfilled', value: [[3]] });
    });
  }
});

test('behind a statement that takes long no others are sent, and where all take long each gets a connection', async () => {
  let now = 0;
  const pool = new Pool({ connectionString: testDatabase.url, pipeline: true } as object);
  pool.on('error', () => undefined);
  const connections = new PipelinedConnections(pool, POOL, () => now);
  const send = (text: string) => connections.read({ text, rowMode: 'array' });
  const holder = await admin.connect();
  await holder.query('begin');
  await holder.query('lock table app_user in access exclusive mode');
  const blocked = [];
  for (let waiting = 1; waiting <= CONNECTIONS; waiting += 1) {
    blocked.push(send('select count(*)::int from app_user'));
    await until('it waits', async () => {
      const { rowCount } = await admin.query('select 1 from pg_locks where not granted');
      return rowCount === waiting;
    });
    now += 51;
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(PID)));
    expect(new Set(answers.map(([row]) => row?.[0])).size).toBe(
      waiting < CONNECTIONS ? CONNECTIONS - waiting : POOL - CONNECTIONS,
    );
  }
  await holder.query('commit');
  holder.release();
  expect(await Promise.all(blocked)).toEqual([[[0]], [[0]], [[0]], [[0]]]);
  connections.close();
  await pool.end();
});

test('transactions find connections that are not pipelined', async () => {
  const reads = Array.from({ length: 40 }, () => database.tuples('select pg_sleep(0)'));
  const written = Array.from({ length: POOL }, () => database.transaction((tx) => tx.rows('select 1 as one')));
  expect(await Promise.all(written)).toEqual(Array.from({ length: POOL }, () => [{ one: 1 }]));
  await Promise.all(reads);
});

test.each<[string, number, () => Promise<unknown>]>([
  ['transactions', 40, () => database.transaction((tx) => tx.rows(LOCK))],
  ['changes without a transaction', 0, () => database.change(LOCK)],
])('reads are answered while as many %s as there may be wait for a lock', async (_what, reads, change) => {
  // They take each pipelined connection out of the pool.
  await pids(reads);
  const locker = await admin.connect();
  await locker.query(`begin; ${LOCK}`);
  const written = Array.from({ length: 2 * POOL }, change);
  try {
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted`;
    await until('they wait', async () => ((await admin.query(waiting)).rowCount ?? 0) >= POOL - CONNECTIONS);
    const answers = [database.tuples('select 1'), database.rows('select 1 as one')];
    // Until the lock is released, or one of them reaches its timeout.
    const late = Promise.race(written).then(
      () => 'too late',
      () => 'too late',
    );
    expect(await Promise.race([Promise.all(answers), late])).toEqual([[[1]], [{ one: 1 }]]);
  } finally {
    await locker.query('commit');
    locker.release();
  }
  expect(await Promise.all(written)).toHaveLength(2 * POOL);
});

test('a connection that the server ends fails what waits on it as unavailable, and is replaced', async () => {
  const [pid] = await pids(1);
  const sleeping = Promise.allSettled([
    database.tuples('select pg_sleep(60)'),
    ...Array.from({ length: CONNECTIONS * 2 - 1 }, () => database.tuples('select pg_sleep(60)')),
  ]);
  const asleep = `select pid from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)' and ${APPLICATION}`;
  await until('all sleep', async () => (await admin.query(asleep)).rowCount === CONNECTIONS);
  await admin.query(`select pg_terminate_backend(pid) from (${asleep}) s`);
  for (const answer of await sleeping)
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
  expect(await pids(20)).not.toContain(pid);
});

test('idle connections go back to the pool', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  const pool = new Pool({ connectionString: testDatabase.url, pipeline: true } as object);
  pool.on('error', () => undefined);
  const connections = new PipelinedConnections(pool, POOL, () => now);
  const pass = (milliseconds: number) => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  };
  await Promise.all(Array.from({ length: 20 }, () => connections.read({ text: PID, rowMode: 'array' })));
  expect(pool.idleCount).toBe(0);
  pass(9_999);
  await connections.read({ text: PID, rowMode: 'array' });
  pass(1);
  expect([pool.totalCount, pool.idleCount]).toEqual([CONNECTIONS, CONNECTIONS - 1]);
  connections.close();
  expect(pool.idleCount).toBe(CONNECTIONS);
  await pool.end();
});

test('what is under way when the gateway stops is answered', async () => {
  const answers = Array.from({ length: 20 }, (_, index) => database.tuples('select $1::int', [index]));
  await pids(1);
  await database.close();
  expect((await Promise.all(answers)).map(([row]) => row?.[0])).toEqual(Array.from({ length: 20 }, (_, i) => i));
  database = await Database.open(testDatabase.url, POOL);
});

test('a silent connection is closed, even when more statements are sent over it', async () => {
  const link = await Link.to(testDatabase.url);
  const pool = new Pool({ connectionString: link.url, pipeline: true, connectionTimeoutMillis: 500 } as object);
  const watch = new SilenceWatch(pool, 200);
  // A stopped clock: none of them looks stuck.
  const connections = new PipelinedConnections(pool, 2, () => 0);
  const send = () => connections.read({ text: PID, rowMode: 'array' });
  await until('it is connected', send);
  link.silence();
  let ended = false;
  const first = send().finally(() => (ended = true));
  const others: Promise<unknown>[] = [];
  first.catch(() => undefined);
  await until('it is given up', () => {
    if (others.length < 60) others.push(send().catch(() => undefined));
    return ended;
  });
  await expect(first).rejects.toThrow('Query read timeout');
  await Promise.all(others);
  link.restore();
  expect(await until('it answers again', send)).toHaveLength(1);
  connections.close();
  await pool.end();
  watch.close();
  await link.close();
});

describe('logs that were appended to', () => {
  const heard: number[][] = [];
  let organizationId: number;

  beforeEach(async () => {
    organizationId = await buildOrganization(database, 'Recorded');
    database.onAppend((logIds) => heard.push([...logIds]));
  });

  const append = (tx: Queryable) => {
    const subject = { type: 'ORGANIZATION', id: organizationId, name: 'Recorded' } as const;
    return record(tx, SYSTEM, { organizationId, action: 'ORGANIZATION_UPDATED', at: new Date(), subject });
  };

  test('a log that was appended to is announced once, after COMMIT, and not after ROLLBACK', async () => {
    await expect(
      database.transaction(async (tx) => {
        await append(tx);
        throw new Error('changed its mind');
      }),
    ).rejects.toThrow('changed its mind');
    expect(heard).toEqual([]);
    await database.transaction(async (tx) => {
      await append(tx);
      await append(tx);
      expect(heard).toEqual([]);
    });
    const [log] = await database.rows<{ id: number }>('select id from audit_log');
    expect(heard.splice(0)).toEqual([[log?.id]]);
  });

  test('a transaction that the server undoes at COMMIT, after a failure that was caught, is a failure', async () => {
    const half = database.transaction(async (tx) => {
      await append(tx);
      await tx.rows('select 1 / 0').catch(() => undefined);
    });
    await expect(half).rejects.toThrow('COMMIT was answered by ROLLBACK');
    expect(heard).toEqual([]);
    expect(await database.transaction((tx) => tx.rows('select 1 as one'))).toEqual([{ one: 1 }]);
  });

  test('changes that are committed together with the answer of their request are announced then', async () => {
    await database.request.share(
      async () => undefined,
      async (share) => {
        await database.transaction(append);
        expect(heard).toEqual([]);
        await share.commit(async () => undefined);
      },
    );
    expect(heard.splice(0)).toHaveLength(1);
  });

  test('jobs announce as requests do', async () => {
    await database.forJobs().transaction(append);
    expect(heard.splice(0)).toHaveLength(1);
  });
});

test('asking whether a request about the past sees other rows begins no transaction of it', async () => {
  const fill = () => Promise.reject(new Error('The past cannot be shown'));
  const sees = await database.past.read({ at: new Date(), fill }, async () => database.seesUncommitted());
  expect(sees).toBe(true);
  expect(database.connections().total).toBe(0);
});
