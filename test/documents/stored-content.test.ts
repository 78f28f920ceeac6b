import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../../src/common/time.js';
import { Database, type Queryable } from '../../src/database/database.js';
import { createLogger } from '../../src/logger.js';
import { StorageSweep } from '../../src/services/files/storage-sweep.js';
import { BACKUP_LOCK } from '../../src/services/files/stored-content.js';
import { MARKER, type BlobStore } from '../../src/storage/blob-store.js';
import { openBlobStore } from '../../src/storage/storage-location.js';
import { chunks } from '../support/bytes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { someoneWaits } from '../support/lock-waits.js';
import { contentUnderTest, storedContents } from '../support/stored-content.js';
import { buildOrganization } from '../support/test-data.js';

let testDatabase: TestDatabase;
let database: Database;
let organizationId: number;
let directory: string;
let store: BlobStore;
let test: ReturnType<typeof contentUnderTest>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url, 4);
  organizationId = await buildOrganization(database, 'Keeper');
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stored-content-'));
  store = await openBlobStore(`file:${directory}`, { stagingDir: directory });
  await database.rows(`update organization set logo = ''`);
  test = contentUnderTest(database, store);
  await test.content.begin();
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const stage = (text: string) => store.stage(chunks(text), 1024);

const show = (tx: Queryable, sha256: string) =>
  tx.rows('update organization set logo = $2 where id = $1', [organizationId, `/logos/${sha256}.png`]);

describe('content that is stored', () => {
  it('is there when its row is written', async () => {
    const staged = await stage('kept');
    const found = await test.content.storeWith(staged, async (tx) => {
      await show(tx, staged.sha256);
      return store.has(staged.sha256);
    });
    expect(found).toBe(true);
  });

  it('is not removed by another instance while its row is written', async () => {
    const staged = await stage('taken up');
    const { content: other } = contentUnderTest(database, store);
    let removal: ReturnType<typeof other.remove> | undefined;
    await test.content.storeWith(staged, async (tx) => {
      removal = other.remove(staged.sha256);
      await Promise.race([removal, someoneWaits(tx)]);
      await show(tx, staged.sha256);
    });
    expect(await removal).toBe('referenced');
    expect(await store.has(staged.sha256)).toBe(true);
  });

  it('goes again when its row comes to nothing', async () => {
    const staged = await stage('without a row');
    const storing = test.content.storeWith(staged, async (tx) => {
      await show(tx, staged.sha256);
      throw new Error('in the middle');
    });
    await expect(storing).rejects.toThrow('in the middle');
    expect(await store.has(staged.sha256)).toBe(false);
    expect(test.lines).toEqual([expect.objectContaining({ level: 'info', sha256: staged.sha256 })]);
  });

  it('stays when its row comes to nothing and another row needs it', async () => {
    const staged = await stage('needed elsewhere');
    await test.content.storeWith(staged, (tx) => show(tx, staged.sha256));
    const again = await stage('needed elsewhere');
    await expect(test.content.storeWith(again, () => Promise.reject(new Error('in the middle')))).rejects.toThrow();
    expect(await store.has(staged.sha256)).toBe(true);
  });
});

it('removes nothing while a backup is being made', async () => {
  const staged = await stage('in a backup');
  await staged.store();
  await database.transaction(async (tx) => {
    await tx.rows('select pg_advisory_xact_lock($1)', [BACKUP_LOCK]);
    expect(await test.content.remove(staged.sha256)).toBe('refused');
  });
  expect(await store.has(staged.sha256)).toBe(true);
  expect(await test.content.remove(staged.sha256)).toBe('removed');
});

it('logs what could not be removed, which sweeps remove', async () => {
  const staged = await stage('out of reach');
  await staged.store();
  await rename(join(directory, 'blobs'), join(directory, 'away'));
  await writeFile(join(directory, 'blobs'), 'no folder');
  await test.content.deleteIfUnreferenced(staged.sha256);
  const err = expect.objectContaining({ code: 'UNAVAILABLE' });
  expect(test.lines).toEqual([expect.objectContaining({ level: 'warn', err, sha256: staged.sha256 })]);
  await rm(join(directory, 'blobs'));
  await rename(join(directory, 'away'), join(directory, 'blobs'));
  expect(await test.sweepAll()).toBe(1);
  expect(await store.has(staged.sha256)).toBe(false);
});

it('sweeps what comes after a content that cannot be removed, and says which that is', async () => {
  const all = [await stage('one'), await stage('two'), await stage('three')];
  for (const staged of all) await staged.store();
  const [first] = all.map(({ sha256 }) => sha256).toSorted();
  const remove = store.remove.bind(store);
  store.remove = async (sha256) => {
    if (sha256 === first) throw new Error('locked');
    await remove(sha256);
  };
  for (const day of [8, 9, 10]) await test.sweep(day);
  expect(await storedContents(store)).toEqual([first]);
  expect(test.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', sha256: first, err: new Error('locked') }),
  );
  store.remove = remove;
  expect(await test.sweep(11)).toBe(1);
});

/** Sweeps, each of which ends after the first content that it lists. */
async function sweepOneOf(days: Iterable<number>): Promise<number> {
  const list = store.list.bind(store);
  let late = 0;
  const { now } = performance;
  performance.now = () => now.call(performance) + late;
  store.list = async function* (after) {
    for await (const blob of list(after)) {
      late += 150_000;
      yield blob;
    }
  };
  let removed = 0;
  try {
    for (const day of days) removed += await test.sweep(day);
  } finally {
    performance.now = now;
    store.list = list;
  }
  return removed;
}

const days = (from: number, count: number) => Array.from({ length: count }, (_, each) => from + each);

describe('a storage that takes longer to list than a run may', () => {
  it('is swept from another place each night, so that nothing is left', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five']) await (await stage(text)).store();
    const [first = ''] = await storedContents(store);
    await database.transaction((tx) => show(tx, first));
    // Each of 256 folders once, and once more: two nights must find a content.
    expect(await sweepOneOf(days(8, 512))).toBe(4);
    expect(await storedContents(store)).toEqual([first]);
    expect(test.lines).toContainEqual(expect.objectContaining({ complete: false, unreferenced: 1, removed: 1 }));
  });

  it('has no note any more of content that has a row again', async () => {
    for (const text of ['one', 'two']) await (await stage(text)).store();
    const [first = ''] = await storedContents(store);
    const noted = () => database.rows('select from unreferenced_content where sha256 = $1', [first]);
    await test.sweep(8);
    expect(await noted()).toHaveLength(1);
    await database.transaction((tx) => show(tx, first));
    await sweepOneOf(days(9, 256));
    expect(await noted()).toHaveLength(0);
  });
});

it('sweeps no content that was stored less than seven days ago', async () => {
  await (await stage('young')).store();
  for (const day of [5, 6]) expect(await test.sweep(day)).toBe(0);
  expect(await database.rows('select from unreferenced_content where seen_at > now()')).toEqual([]);
  expect(await storedContents(store)).toHaveLength(1);
});

it('sweeps a tenth of what is stored at most, and says when more has no row', async () => {
  for (let at = 0; at < 11; at += 1) await (await stage(`content ${at}`)).store();
  expect(await test.sweep(8)).toBe(0);
  expect(await test.sweep(9)).toBe(2);
  expect(await storedContents(store)).toHaveLength(9);
  const counts = { stored: 11, unreferenced: 11, removed: 2, complete: true };
  expect(test.lines).toContainEqual(expect.objectContaining({ level: 'warn', ...counts }));
});

it('sweeps what comes after a hundred contents that cannot be removed, in another night', async () => {
  for (let at = 0; at < 202; at += 1) await (await stage(`content ${at}`)).store();
  const all = await storedContents(store);
  const stuck = new Set(all.slice(0, 100));
  const remove = store.remove.bind(store);
  store.remove = (sha256) => (stuck.has(sha256) ? Promise.reject(new Error('locked')) : remove(sha256));
  for (let day = 8; day < 28; day += 1) await test.sweep(day);
  expect((await storedContents(store)).length).toBeLessThan(200);
  store.remove = remove;
});

describe('a storage that does not say that it belongs to the database', () => {
  const notSwept = (agreement: string, level = 'warn') =>
    expect.objectContaining({ level, agreement, says: expect.stringMatching(/^The storage was not swept/) });
  const own = async () => JSON.parse((await store.readMarker()) ?? '') as object;

  it.each<[of: string, agreement: string, marker: (own: object) => string]>([
    ['another installation', 'another installation', (of) => JSON.stringify({ ...of, installation: 'another' })],
    ['another database', 'another database', (of) => JSON.stringify({ ...of, database: 'another' })],
    ['a marker that cannot be read', 'another installation', () => '{'],
  ])('is not swept until it is adopted, where it says %s', async (_of, agreement, marker) => {
    const staged = await stage('whose it is');
    await staged.store();
    await store.writeMarker(marker(await own()));
    expect(await test.sweepAll()).toBe(0);
    expect(test.lines).toEqual([notSwept(agreement), notSwept(agreement)]);
    expect(await test.content.remove(staged.sha256)).toBe('refused');
    await test.content.owner.adopt();
    expect(await test.sweepAll()).toBe(1);
  });

  it('is neither marked nor swept until it is adopted, where it has files and no marker', async () => {
    await (await stage('whose it is')).store();
    await rm(join(directory, MARKER));
    expect(await test.sweepAll()).toBe(0);
    expect(test.lines).toEqual([notSwept('unmarked'), notSwept('unmarked')]);
    expect(await store.readMarker()).toBeUndefined();
    await test.content.owner.adopt();
    expect(await test.sweepAll()).toBe(1);
  });

  it('is not marked where it is empty and the database refers to files', async () => {
    await database.transaction((tx) => show(tx, 'f'.repeat(64)));
    const other = await openBlobStore(`file:${join(directory, 'other')}`, { stagingDir: directory });
    const { content, lines } = contentUnderTest(database, other);
    await content.begin();
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', agreement: 'unmarked' })]);
    expect(await other.readMarker()).toBeUndefined();
  });

  it('is not swept where the server does not say which one it is, which is no warning', async () => {
    const staged = await stage('of which server');
    await staged.store();
    await database.rows('alter function pg_walfile_name(pg_lsn) rename to hidden');
    // Connections with the prepared statement identify the function by its oid.
    const fresh = await Database.open(testDatabase.url, 2);
    try {
      const { content, lines, sweepAll } = contentUnderTest(fresh, store);
      expect(await sweepAll()).toBe(0);
      expect(await content.remove(staged.sha256)).toBe('refused');
      expect(lines).toEqual([
        notSwept('unknown server', 'info'),
        notSwept('unknown server', 'info'),
        expect.objectContaining({ level: 'info', agreement: 'unknown server', sha256: staged.sha256 }),
      ]);
    } finally {
      await fresh.close();
      await database.rows('alter function hidden(pg_lsn) rename to pg_walfile_name');
    }
    expect(await test.sweepAll()).toBe(1);
  });
});

it('sweeps nothing where that is turned off', async () => {
  const staged = await stage('left alone');
  await staged.store();
  const { content } = test;
  for (const day of [8, 9, 10]) {
    const now = () => new Date(Date.now() + day * DAY);
    const deps = { database, content, log: createLogger('silent'), now };
    expect(await new StorageSweep({ ...deps, config: { storageSweep: false } }).sweep()).toBe(0);
  }
  expect(await store.has(staged.sha256)).toBe(true);
});
