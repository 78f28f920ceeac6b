import { afterAll, describe, expect, test } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { REQUEST_LIMITS } from '../../src/database/time-limits.js';
import type { Queryable } from '../../src/database/sql.js';
import { createLogger } from '../../src/logger.js';
import { ReadRecorder } from '../../src/services/audit/read-recorder.js';
import type { AuditEvent } from '../../src/services/audit/record.js';
import { DownloadLinks } from '../../src/services/files/download-links.js';
import { userCaller } from '../support/callers.js';
import { TestClock } from '../support/clock.js';
import { HIGH_RATE_LIMITS } from '../support/gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildWorkflow, join } from '../support/test-data.js';

const PACKS = 2;

const { gateway, testData } = await startSeededGateway({
  config: { rateLimits: { ...HIGH_RATE_LIMITS, concurrent: { ...HIGH_RATE_LIMITS.concurrent, packs: PACKS } } },
});
const { database } = gateway.app;

interface Stored {
  action: string;
  actor: { id: string };
  changes: Record<string, { after: unknown }>;
}

async function entriesOf(organizationId: number): Promise<Stored[]> {
  const rows = await database.rows<{ entry: string }>(
    `select e.entry from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position`,
    [organizationId],
  );
  return rows.map(({ entry }) => JSON.parse(entry) as Stored);
}

async function newOrganization(): Promise<number> {
  const id = await buildOrganization(database, 'Read');
  await join(database, testData.viewer, id, 'VIEWER');
  return id;
}

test('a hundred pages of a list as CSV by a viewer are one entry at first', async () => {
  const id = await newOrganization();
  for (let offset = 0; offset < 100; offset += 1) {
    const url = `${gateway.url}/api/v1/v-ciso/incidents/${id}?limit=1&offset=${offset}`;
    const headers = { 'x-service-token': testData.viewer.token, accept: 'text/csv' };
    const answer = await fetch(url, { headers });
    // Its slot is released at the end of the response.
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
  }
  expect((await entriesOf(id)).map(({ action }) => action)).toEqual(['LIST_DOWNLOADED']);
});

describe('signed addresses of evidence packs', () => {
  const WORKFLOW = 'nis2-directive';
  const query = (id: number) =>
    `{ organizationWorkflow(organizationId: ${id}, workflowId: "${WORKFLOW}") { evidencePackUrl } }`;
  const addressOf = async (id: number): Promise<string> =>
    (await gateway.graphql.data(query(id), testData.viewer)).organizationWorkflow.evidencePackUrl;
  /** Its slot is released at the end of the response. */
  const statusOf = async (address: string) => {
    const answer = await fetch(address);
    await answer.arrayBuffer();
    return answer.status;
  };
  const signed = (id: number, minutes: number) =>
    new DownloadLinks(gateway.url, gateway.config.secretKey, minutes).packAddress(
      { organizationId: id, workflowId: WORKFLOW },
      { for: testData.viewer.username, names: false },
    );

  const HOLD_SEAL = `select 1 from audit_seal s join audit_log l on l.id = s.log_id where l.organization_id = $1 for update of s`;

  test('are limited by their network, however many are signed, and those of a minute are one entry', async () => {
    const id = await newOrganization();
    await buildWorkflow(database, id, WORKFLOW);
    expect(await statusOf(await addressOf(id))).toBe(200);
    const blocking = await Database.open(gateway.database.url, 2);
    const [locked, release] = [Promise.withResolvers<Queryable>(), Promise.withResolvers<void>()];
    const locking = blocking.transaction(async (tx) => {
      await tx.rows(HOLD_SEAL, [id]);
      locked.resolve(tx);
      await release.promise;
    });
    const tx = await locked.promise;
    const under = Array.from({ length: PACKS }, (_, index) => statusOf(signed(id, 20 + index)));
    await someoneWaits(tx, PACKS);
    const refused = await fetch(signed(id, 40));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    release.resolve();
    await locking;
    await blocking.close();
    expect(await Promise.all(under)).toEqual([200, 200]);
    expect(await statusOf(signed(id, 41))).toBe(200);
    const packs = (await entriesOf(id)).filter(({ action }) => action === 'EVIDENCE_PACK_DOWNLOADED');
    expect(packs).toHaveLength(1);
  });
});

const clock = new TestClock();
const recorders: ReadRecorder[] = [];
const recorder = (max?: number) => {
  const made = new ReadRecorder(database, createLogger('silent'), clock.now, max);
  recorders.push(made);
  return made;
};
afterAll(() => Promise.all(recorders.map((each) => each.close())));

const reader = (address = '192.0.2.7') =>
  ({ kind: 'system', name: 'signed-address', origin: { address, requestId: 'the-request' } }) as const;

const eventOf = (organizationId: number, list = 'listIncidents'): AuditEvent => ({
  ...{ organizationId, at: clock.now(), action: 'LIST_DOWNLOADED' },
  subject: { type: 'ORGANIZATION', id: organizationId, name: 'Read' },
  changes: { list: { after: list }, format: { after: 'csv' } },
});

test('the repetitions of a minute are one entry with their number, first and last time, and what was read', async () => {
  const id = await newOrganization();
  const reads = recorder();
  await reads.read(reader(), eventOf(id));
  for (let count = 1; count <= 5; count += 1) {
    clock.set(0, count * 1_000);
    await reads.read(reader(), eventOf(id));
  }
  await reads.close();
  const [first, others, ...rest] = await entriesOf(id);
  expect(first!.changes).toEqual({ list: { after: 'listIncidents' }, format: { after: 'csv' } });
  expect(others!.changes).toEqual({
    ...{ list: { after: 'listIncidents' }, format: { after: 'csv' }, times: { after: 5 } },
    ...{ firstAt: { after: clock.at(0).toISOString() }, lastAt: { after: clock.now().toISOString() } },
  });
  expect(rest).toEqual([]);
});

test('another list, another reason, another network and another token are other reads', async () => {
  const id = await newOrganization();
  const reads = recorder();
  await reads.read(reader(), eventOf(id));
  await reads.read(reader(), eventOf(id, 'listDocuments'));
  await reads.read(reader(), { ...eventOf(id), reason: 'Asked for by the auditor.' });
  await reads.read(reader('198.51.100.7'), eventOf(id));
  await reads.read(reader('198.51.100.8'), eventOf(id));
  const user = userCaller(testData.viewer.id);
  for (const tokenId of [1, 1, 2]) await reads.read({ ...user, tokenId }, eventOf(id));
  expect(await entriesOf(id)).toHaveLength(6);
});

test('reads at the same time are one entry, and none is answered before it is recorded', async () => {
  const id = await newOrganization();
  const reads = recorder();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await reads.read(reader(), eventOf(id));
      expect((await entriesOf(id)).length).toBeGreaterThan(0);
    }),
  );
  await reads.close();
  const entries = await entriesOf(id);
  expect(entries.map(({ changes }) => changes['times']?.after)).toEqual([undefined, 19]);
});

test('a read that cannot be recorded fails, and the next one is recorded', async () => {
  const id = await newOrganization();
  const reads = recorder();
  await expect(reads.readWith(reader(), eventOf(id), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await reads.read(reader(), eventOf(id));
  expect(await entriesOf(id)).toHaveLength(1);
});

test('repetitions that cannot be recorded when their minute is over are counted on', async () => {
  const id = await newOrganization();
  const impatient = await Database.open(gateway.database.url, 2, { ...REQUEST_LIMITS, lock: 50 });
  const failed = Promise.withResolvers<void>();
  const reads = new ReadRecorder(impatient, { warn: () => failed.resolve() } as never, clock.now);
  clock.set(0);
  for (let count = 0; count <= 2; count += 1) await reads.read(reader(), eventOf(id));
  clock.set(0, 61_000);
  await database.transaction(async (tx) => {
    await tx.rows('select 1 from audit_log where organization_id = $1 for update', [id]);
    await failed.promise;
  });
  await reads.read(reader(), eventOf(id));
  await reads.close();
  await impatient.close();
  expect((await entriesOf(id)).map(({ changes }) => changes['times']?.after)).toEqual([undefined, 3]);
});

test('repetitions that cannot be recorded are counted together with those since the next read', async () => {
  const id = await newOrganization();
  const [begun, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failed = Promise.withResolvers<void>();
  let isAway = false;
  const change: typeof database.change = async (...work) => {
    if (!isAway) return database.change(...work);
    begun.resolve();
    await ends.promise;
    throw new Error('away');
  };
  const unreliable = Object.create(database, { change: { value: change } }) as typeof database;
  const reads = new ReadRecorder(unreliable, { warn: () => failed.resolve() } as never, clock.now);
  clock.set(0);
  for (let count = 0; count <= 2; count += 1) await reads.read(reader(), eventOf(id));
  isAway = true;
  clock.set(0, 61_000);
  await begun.promise;
  isAway = false;
  for (let count = 0; count <= 1; count += 1) await reads.read(reader(), eventOf(id));
  ends.resolve();
  await failed.promise;
  await reads.close();
  const [first, next, others, ...rest] = await entriesOf(id);
  expect([first, next].map((entry) => entry!.changes['times'])).toEqual([undefined, undefined]);
  expect(others!.changes).toMatchObject({
    ...{ times: { after: 3 }, firstAt: { after: clock.at(0).toISOString() } },
    lastAt: { after: clock.now().toISOString() },
  });
  expect(rest).toEqual([]);
});

test('a read that waits for the first of a minute that ends meanwhile is recorded by itself', async () => {
  const id = await newOrganization();
  const reads = recorder();
  const first = Promise.withResolvers<void>();
  const written: string[] = [];
  const read = (name: string) =>
    reads.readWith(reader(), eventOf(id), async () => {
      written.push(name);
      await first.promise;
    });
  const both = [read('first'), read('second')];
  await reads.close();
  first.resolve();
  await Promise.all(both);
  expect(written).toEqual(['first', 'second']);
});

test('a read in a transaction that is undone is not counted as recorded', async () => {
  const id = await newOrganization();
  const reads = recorder();
  await database.request.rehearse(() => reads.read(reader(), eventOf(id)));
  expect(await entriesOf(id)).toEqual([]);
  await reads.read(reader(), eventOf(id));
  expect(await entriesOf(id)).toHaveLength(1);
});

test('beyond the reads that are counted at a time each is an entry, so that nothing is lost', async () => {
  const id = await newOrganization();
  const reads = recorder(1);
  await reads.read(reader(), eventOf(id, 'listDocuments'));
  for (let count = 0; count < 3; count += 1) await reads.read(reader(), eventOf(id));
  expect(await entriesOf(id)).toHaveLength(4);
});

test('the repetitions of others are recorded where one trail is locked, also when the gateway stops', async () => {
  const [locked, other] = [await newOrganization(), await newOrganization()];
  const impatient = await Database.open(gateway.database.url, 2, { ...REQUEST_LIMITS, lock: 50 });
  const reads = new ReadRecorder(impatient, createLogger('silent'), clock.now);
  for (const id of [locked, locked, other, other]) await reads.read(reader(), eventOf(id));
  await database.transaction(async (tx) => {
    await tx.rows('select 1 from audit_log where organization_id = $1 for update', [locked]);
    await reads.close();
  });
  await impatient.close();
  expect((await entriesOf(other)).map(({ changes }) => changes['times']?.after)).toEqual([undefined, 1]);
});
