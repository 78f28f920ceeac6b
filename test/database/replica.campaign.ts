import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { Database } from '../../src/database/database.js';
import { Replica, type ReadSource } from '../../src/database/replica.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { ReplicatedDatabase } from '../support/standby.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { until } from '../support/until.js';

let servers: ReplicatedDatabase;
let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  servers = await ReplicatedDatabase.create();
  const database = { url: servers.primary.url, drop: async () => undefined };
  gateway = await startGateway({ database, config: { replicaUrl: servers.url, metricsPublic: true } });
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId);
  await servers.startStandby();
  await untilReplicaReads();
});

afterAll(async () => {
  await gateway?.close();
  await servers?.close();
});

const counts = () => ({ ...gateway.app.database.longReadCounts() }) as Record<ReadSource, number>;
const organization = () => `/api/v1/organizations/${testData.organizationId}`;
const workflow = () => `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/iso-27001-2022`;
const download = (path: string) =>
  fetch(gateway.url + path, { headers: { 'X-Service-Token': testData.owner.token } }).then(async (response) => ({
    status: response.status,
    text: await response.text(),
  }));

/** Opens an incident with this title. */
async function write(title: string): Promise<void> {
  const body = { title, severity: 'LOW', aware_at: new Date().toISOString() };
  const path = `/api/v1/v-ciso/incidents/${testData.organizationId}`;
  expectStatus(await gateway.rest.post(path, { token: testData.owner.token, body }), 201);
}

/** Finds the row that was just written. */
async function writeAndFind(title: string): Promise<void> {
  await write(title);
  const found = await gateway.rest.get(`/api/v1/search?q=${title}&types=INCIDENT`, { token: testData.owner.token });
  expect(expectData(found)).toEqual([expect.objectContaining({ title })]);
}

async function untilReplicaReads(): Promise<void> {
  await until('the replica answers long reads', async () => {
    const before = counts().replica;
    await writeAndFind('probe'.padEnd(20, String(Math.random()).slice(2)));
    return counts().replica > before;
  });
}

async function onStandby(text: string): Promise<void> {
  const client = new Client({ connectionString: servers.url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

const LONG_READS: Record<string, () => string> = {
  'a search': () => '/api/v1/search?q=incident',
  'the overview': () => '/api/v1/v-ciso/overview',
  'the work': () => '/api/v1/v-ciso/work',
  'the verification of an audit trail': () => `${organization()}/audit-trail/verification`,
  'an audit trail as NDJSON': () => `${organization()}/audit-trail.ndjson`,
  'an audit trail as CSV': () => `${organization()}/audit-trail.csv`,
  'a workflow in OSCAL': () => `${workflow()}/oscal/assessment-results`,
  'the personal data of a user': () => '/api/v1/profile/export',
  'an evidence pack': () => `${workflow()}/evidence-pack`,
};

/** Files with a checkpoint verify the trail first; a pack reads its rows, and then its entries of the trail. */
const READS: Readonly<Record<string, number>> = {
  'an audit trail as NDJSON': 2,
  'an audit trail as CSV': 2,
  'an evidence pack': 3,
};
const readsOf = (name: string) => READS[name] ?? 1;

// On a busy machine the replica may lag at first.
test.each(Object.entries(LONG_READS))('%s is read from the replica', (name, path) =>
  until(name, async () => {
    const before = counts().replica;
    expect(await download(path())).toMatchObject({ status: 200 });
    return counts().replica === before + readsOf(name);
  }),
);

test('metrics say where long reads went', async () => {
  const { text } = await download('/metrics');
  expect(text).toMatch(/^gateway_long_reads_total\{source="replica"\} [1-9]\d*$/m);
  expect(text).toMatch(/^gateway_long_reads_total\{source="primary",reason="behind"\} \d+$/m);
});

test('a long read sees what was written just before it', async () => {
  const before = counts();
  for (let round = 0; round < 20; round++) await writeAndFind(`written-${round}-before`);
  expect(counts().replica).toBeGreaterThan(before.replica);
});

test('the primary answers while the replica replays nothing', async () => {
  const before = counts();
  await onStandby('select pg_wal_replay_pause()');
  for (let round = 0; round < 5; round++) await writeAndFind(`paused-${round}-replay`);
  expect(counts()).toEqual({ ...before, behind: before.behind + 5 });
  await onStandby('select pg_wal_replay_resume()');
  await untilReplicaReads();
});

test('the primary goes on with a use case whose replica ends, and answers while there is none', async () => {
  const before = counts();
  const reads = await gateway.app.database.longReads();
  expect(counts().replica).toBe(before.replica + 1);
  const isStandby = 'select pg_is_in_recovery() as answer';
  expect(await reads.rows(isStandby)).toEqual([{ answer: true }]);
  await servers.stopStandby();
  expect(await reads.rows(isStandby)).toEqual([{ answer: false }]);
  expect(await reads.transaction((tx) => tx.rows(isStandby))).toEqual([{ answer: false }]);
  await writeAndFind('standby-away');
  expect(counts()).toMatchObject({ failed: before.failed + 1, away: before.away + 1 });
  await servers.startStandby();
  await untilReplicaReads();
});

test('errors of a use case, and statements that take too long, are not tried again on the primary', async () => {
  const reads = await gateway.app.database.longReads();
  const before = counts();
  await expect(
    reads.transaction(async (tx) => {
      await tx.rows(`set local statement_timeout = 10`);
      await tx.rows('select pg_sleep(60)');
    }),
  ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(counts()).toEqual(before);
});

test('a change that is not committed is read from the primary by its own request', async () => {
  await gateway.app.database.request.share(
    async () => undefined,
    async () => {
      await gateway.app.database.change(
        `update organization set name = 'Renamed' where id = ${testData.organizationId}`,
      );
      expect(await gateway.app.database.longReads()).toBe(gateway.app.database);
    },
  );
});

test.each(['another database', 'the primary'])('%s is not taken for a replica', async (which) => {
  const url = new URL(which === 'the primary' ? servers.primary.url : servers.url);
  if (which !== 'the primary') url.pathname = '/postgres';
  const replica = new Replica(await Database.open(url.href, 2));
  // Under other load a poll may exceed its limit.
  await until('it was looked at', async () => {
    expect(await replica.reads(gateway.app.database)).toBe(gateway.app.database);
    return replica.counts['not a standby'] === 1;
  });
  await replica.close();
});

test('a replica that was promoted is not read any more', async () => {
  await onStandby('select pg_promote()');
  const before = counts();
  await writeAndFind('after-promotion');
  expect(counts()).toEqual({ ...before, 'not a standby': before['not a standby'] + 1 });
});

test('a standby that knows what was undone is not read beside a server that another has taken over from', async () => {
  // The standby was promoted: it is the primary now, and lacks later changes of the other one.
  await gateway.app.database.rows('select pg_switch_wal()');
  await write('undone-by-a-failover');
  await servers.orphanPrimary();
  const [primary, standby] = [await Database.open(servers.url, 2), await Database.open(servers.primary.url, 2)];
  const undone = `select 1 as found from incident where title = 'undone-by-a-failover'`;
  await until('the standby answers', async () => (await standby.rows(undone)).length === 1);
  expect(await primary.rows(undone)).toEqual([]);
  const replica = new Replica(standby);
  await until('it was looked at', async () => {
    await replica.reads(primary);
    return replica.counts.replica + replica.counts['not a standby'] > 0;
  });
  expect(replica.counts).toMatchObject({ replica: 0, 'not a standby': 1 });
  await replica.close();
  await primary.close();
});
