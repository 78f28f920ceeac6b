import { afterAll, expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import { Database, type Queryable } from '../../src/database/database.js';
import { createLogger } from '../../src/logger.js';
import { LookBack } from '../../src/services/audit/look-back.js';
import { createTrailGuards } from '../../src/services/audit/trail-guards.js';
import { behind, TrailSealer } from '../../src/services/audit/trail-sealer.js';
import { headOf, type TrailHead } from '../../src/services/audit/trails.js';
import { LocalRecordStore } from '../../src/storage/local-record-store.js';
import { RECORDS } from '../../src/storage/record-store.js';
import { buildAuditEntry, tamperWith } from '../support/audit.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { buildOrganization } from '../support/test-data.js';

/** Without a gateway, whose sealer would seal each trail as soon as it begins. */
const testDatabase = await createTestDatabase();
const database = await Database.open(testDatabase.url, 4);
const directory = await mkdtemp(join(tmpdir(), 'sealer-'));
const log = createLogger('silent');
const config = { secretKey: 's'.repeat(40), earlierSecretKeys: [] };
const records = new LocalRecordStore(directory);
const guards = createTrailGuards({ database, records, config, log, now: () => new Date() }, async () => undefined);

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(directory, { recursive: true });
});

interface Trail {
  logId: number;
  organizationId: number;
}

/** Enough for several rounds of files. */
async function newTrails(count: number, entries: number): Promise<Trail[]> {
  const organizations: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const organizationId = await buildOrganization(database, `Number ${number}`);
    for (let entry = 1; entry <= entries; entry += 1) await buildAuditEntry(database, organizationId);
    organizations.push(organizationId);
  }
  return database.rows(
    'select id as "logId", organization_id as "organizationId" from audit_log where organization_id = any($1) order by id',
    [organizations],
  );
}

async function sealedBy(sealers: readonly TrailSealer[], logIds: readonly number[], expected: number): Promise<void> {
  for (const sealer of sealers) sealer.wake(logIds);
  await until(async () => {
    const [row] = await database.rows<{ published: number }>(
      'select count(*)::int as published from audit_seal where log_id = any($1) and published > 0',
      [logIds],
    );
    return row?.published === expected;
  });
  await Promise.all(sealers.map((sealer) => sealer.close()));
}

const newSealer = () => new TrailSealer({ database, log, ...guards });

const signed = (logIds: readonly number[]) =>
  database.rows<object>(
    `select s.position::int, l.position::int as head, s.hash = l.hash as "atHead", s.checkpoints, s.published,
            (select array_agg(c.position::int) from audit_checkpoint c where c.log_id = l.id) as "signedAt"
       from audit_log l join audit_seal s on s.log_id = l.id where l.id = any($1) order by l.id`,
    [logIds],
  );

/** The first checkpoints in the files of the storage, without a file that is being written. */
async function begun(): Promise<{ log: string; file: string }[]> {
  const folder = join(directory, RECORDS, 'beginnings/0');
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  const files = await Promise.all(
    names.map(async (file) => {
      const checkpoints = JSON.parse(await readFile(join(folder, file), 'utf8')) as { log: string }[];
      return checkpoints.map(({ log: trail }) => ({ log: trail, file }));
    }),
  );
  return files.flat();
}

test('Each of many new trails gets its seal and one signed checkpoint of its first entry, also from two sealers at once.', async () => {
  const trails = await newTrails(40, 3);
  const logIds = trails.map(({ logId }) => logId);
  await sealedBy([newSealer(), newSealer()], logIds, 40);
  expect(await signed(logIds)).toEqual(
    trails.map(() => ({ position: 3, head: 3, atHead: true, checkpoints: 1, published: 1, signedAt: [1] })),
  );
  const logs = new Set(trails.map(({ organizationId }) => `organization/${organizationId}`));
  const stored = (await begun()).filter((each) => logs.has(each.log));
  expect(new Set(stored.map((each) => each.log))).toEqual(logs);
  // Both may have written some of them: at most one file for each transaction of either.
  expect(new Set(stored.map(({ file }) => file)).size).toBeLessThanOrEqual(4);
  for (const name of logs)
    expect(await guards.anchors.newest(name)).toMatchObject({ log: name, number: 1, position: 1 });
});

test('A trail that was changed before it was sealed gets no seal and raises an alarm; those beside it are sealed.', async () => {
  const trails = await newTrails(5, 2);
  const logIds = trails.map(({ logId }) => logId);
  const changed = trails[2]!;
  await tamperWith(database, [
    `update audit_entry set entry = replace(entry::text, 'Phishing', 'Nothing')::json where log_id = $1 and position = 2`,
    [changed.logId],
  ]);
  await sealedBy([newSealer()], logIds, 4);
  const healthy = logIds.filter((id) => id !== changed.logId);
  expect(await signed([changed.logId])).toEqual([]);
  expect(await signed(healthy)).toHaveLength(4);
  expect(await database.rows('select log, reason, position::int from audit_fault')).toEqual([
    { log: `organization/${changed.organizationId}`, reason: expect.any(String), position: 2 },
  ]);
  expect((await begun()).map((each) => each.log)).not.toContain(`organization/${changed.organizationId}`);
});

test('All checkpoints are written again into a storage that has none.', async () => {
  const [twice, once] = (await newTrails(2, 2)) as [Trail, Trail];
  await sealedBy([newSealer()], [twice.logId, once.logId], 2);
  const newest = ({ organizationId }: Trail) => guards.anchors.newest(`organization/${organizationId}`);
  await database.transaction(async (tx) => {
    const head = (await headOf(tx, { organizationId: twice.organizationId })) as TrailHead & { id: number };
    await guards.seals.sign(tx, head, await newest(twice));
  });
  const other = new LocalRecordStore(await mkdtemp(join(directory, 'other-')));
  const { anchors } = createTrailGuards(
    { database, records: other, config, log, now: () => new Date() },
    async () => undefined,
  );
  await anchors.publishAgain(database);
  for (const [{ organizationId }, number] of [
    [twice, 2],
    [once, 1],
  ] as const)
    expect(await anchors.newest(`organization/${organizationId}`)).toMatchObject({ number, position: number });
});

test('Instances that change to a new key in two rounds seal the same trails in turn; in one round it is a violation.', async () => {
  const [old, next] = [config.secretKey, 'n'.repeat(40)];
  const withKeys = (secretKey: string, ...earlierSecretKeys: string[]) => {
    const deps = { database, records, config: { secretKey, earlierSecretKeys }, log, now: () => new Date() };
    return new TrailSealer({ database, log, ...createTrailGuards(deps, async () => undefined) });
  };
  const [trail] = await newTrails(1, 2);
  const { logId, organizationId } = trail!;
  await sealedBy([newSealer()], [logId], 1);
  const positions = async () => (await signed([logId])) as { position: number; head: number; atHead: boolean }[];
  const sealNext = async (sealer: TrailSealer, done: () => Promise<boolean>) => {
    await buildAuditEntry(database, organizationId);
    sealer.wake([logId]);
    await until(done);
    await sealer.close();
  };
  const violations = async () =>
    database.rows('select reason from audit_fault where log = $1', [`organization/${organizationId}`]);
  for (const keys of [
    [old, next],
    [next, old],
    [old, next],
    [next, old],
  ] as const)
    await sealNext(withKeys(...keys), async () => (await positions())[0]!.atHead);
  expect(await violations()).toEqual([]);
  await sealNext(withKeys(old), async () => (await violations()).length > 0);
  expect(await violations()).toEqual([{ reason: 'SIGNATURE_INVALID' }]);
});

test('A trail whose seal and checkpoints were removed is not begun anew, because the storage knows that it was signed.', async () => {
  const [trail] = await newTrails(1, 2);
  const logIds = [trail!.logId];
  await sealedBy([newSealer()], logIds, 1);
  await tamperWith(
    database,
    ['delete from audit_checkpoint where log_id = $1', logIds],
    ['delete from audit_seal where log_id = $1', logIds],
  );
  const sealer = newSealer();
  sealer.wake(logIds);
  const violations = () =>
    database.rows('select 1 from audit_fault where log = $1', [`organization/${trail!.organizationId}`]);
  await until(async () => (await violations()).length === 1);
  await sealer.close();
  expect(await signed(logIds)).toEqual([]);
});

test('A trail that another instance seals, continues and signs while it is followed has no violation.', async () => {
  const [trail] = await newTrails(1, 3);
  const owner = { organizationId: trail!.organizationId };
  const begun = async (tx: Queryable) => (await headOf(tx, owner)) as TrailHead & { id: number };
  const another = async () => {
    await database.transaction(async (tx) => guards.seals.advance(tx, await begun(tx)));
    await buildAuditEntry(database, owner.organizationId);
    await database.transaction(async (tx) => guards.seals.sign(tx, await begun(tx), undefined));
  };
  let isFollowed = false;
  const sealed = await database.transaction(async (tx) => {
    const followed: Queryable = {
      ...tx,
      async rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]) {
        const rows = await tx.rows<Row>(text, values);
        if (text.includes('audit_entry') && !isFollowed) {
          isFollowed = true;
          await another();
        }
        return rows;
      },
    };
    return guards.seals.advance(followed, await begun(tx));
  });
  expect(isFollowed).toBe(true);
  expect(sealed).toMatchObject({ position: 4, checkpoints: 2 });
});

test('A checkpoint that could not be written is found, however long ago its trail was written.', async () => {
  const [trail] = await newTrails(1, 2);
  await sealedBy([newSealer()], [trail!.logId], 1);
  // Waits until the trail counts as old, which transactions of other databases may delay.
  let since: string | null = null;
  await until(async () => {
    const lookBack = new LookBack();
    (await lookBack.begin(database)).done();
    ({ since } = await lookBack.begin(database));
    const old = 'select from audit_log where id = $1 and age(xmin) > age($2::text::xid8::xid)';
    return (await database.rows(old, [trail!.logId, since])).length > 0;
  });
  const found = async () => (await behind.all(database, { since })).map(({ id }) => id);
  expect(await found()).not.toContain(trail!.logId);
  // Signed like by the daily job, while its storage is unavailable.
  await database.transaction(async (tx) => {
    const head = (await headOf(tx, { organizationId: trail!.organizationId })) as TrailHead & { id: number };
    await guards.seals.sign(tx, head, await guards.anchors.newest(head.log));
  });
  expect(await found()).toContain(trail!.logId);
  await sealedBy([newSealer()], [trail!.logId], 1);
  expect(await guards.anchors.newest(`organization/${trail!.organizationId}`)).toMatchObject({
    number: 2,
    position: 2,
  });
});
