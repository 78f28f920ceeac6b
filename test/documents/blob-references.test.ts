import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Database, type Queryable } from '../../src/database/database.js';
import { lockContent } from '../../src/services/files/stored-content.js';
import type { BlobStore } from '../../src/storage/blob-store.js';
import { openBlobStore } from '../../src/storage/storage-location.js';
import { chunks, sha256Of } from '../support/bytes.js';
import { until } from '../support/until.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { contentUnderTest, storedContents } from '../support/stored-content.js';
import { buildIncident, buildOrganization, buildPerson } from '../support/test-data.js';

let testDatabase: TestDatabase;
let database: Database;
let directory: string;
let store: BlobStore;
let test: ReturnType<typeof contentUnderTest>;
let organizationId: number;

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
  for (const table of ['document_version', 'incident_attachment', 'import_job', 'unreferenced_content'])
    await database.rows(`delete from ${table}`);
  await database.rows(`update organization set logo = ''`);
  directory = await mkdtemp(join(tmpdir(), 'blob-references-'));
  store = await openBlobStore(`file:${directory}`, { stagingDir: directory });
  test = contentUnderTest(database, store);
  await test.content.begin();
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** Writes content to its final path, without the sync of an upload, because there are many. */
async function lay(content: string): Promise<string> {
  const sha256 = sha256Of(content);
  const path = join(directory, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return sha256;
}

const addVersions = (sha256: readonly string[], tx: Queryable = database) =>
  tx.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, sha256, original_name, size, content_type,
                                   source, created_by)
     select $1, 'iso-27001-2022', 'A.5.1', unnest($2::text[]), 'a.txt', 1, 'text/plain', 'attached', 'someone'`,
    [organizationId, sha256],
  );

async function addAttachment(sha256: string): Promise<void> {
  const incidentId = await buildIncident(database, organizationId);
  await database.rows(
    `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by)
     values ((select organization_id from incident where id = $1), $1, 'a.txt', 'text/plain', 1, $2, 'someone')`,
    [incidentId, sha256],
  );
}

async function addImport(sha256: string): Promise<void> {
  const { id } = await buildPerson(database, 'importer');
  await database.rows(
    `insert into import_job (organization_id, kind, user_id, archive, rows, refused, due_at, created_at)
     values ($1, 'DOCUMENTS', $2, $3, 1, 0, now(), now())`,
    [organizationId, id, sha256],
  );
}

async function addLogo(sha256: string): Promise<number> {
  const id = await buildOrganization(database, 'With a logo');
  await database.rows('update organization set logo = $2 where id = $1', [id, `/logos/${sha256}.png`]);
  return id;
}

const stored = () => storedContents(store);

const removeUnreferenced = (sha256: string) => test.content.remove(sha256);

/** Whether a statement waits for a lock of another session. */
const someoneWaits = async () =>
  (
    await database.rows(
      `select from pg_locks where not granted and locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`,
    )
  ).length > 0;

describe('the sweep', () => {
  it('retains what a version, an attachment or a logo needs, and removes the rest, some at a time', async () => {
    const [version, attachment, logo] = [await lay('a version'), await lay('an attachment'), await lay('a logo')];
    await addVersions([version]);
    await addAttachment(attachment);
    await addLogo(logo);
    for (const orphan of ['one', 'two', 'three']) await lay(orphan);
    expect(await test.sweepAll()).toBe(3);
    expect(await stored()).toEqual([version, attachment, logo].sort());
    expect(await test.sweepAll()).toBe(0);
  });

  it('retains what a deleted organization needs, because it may be restored', async () => {
    const [document, logo] = [await lay('of a deleted organization'), await lay('its logo')];
    const id = await addLogo(logo);
    await database.rows('update organization set deleted_at = now() where id in ($1, $2)', [id, organizationId]);
    await addVersions([document]);
    expect(await test.sweepAll()).toBe(0);
    expect(await stored()).toEqual([document, logo].sort());
    await database.rows('update organization set deleted_at = null');
  });

  it('does not take an address elsewhere for that of a logo of ours', async () => {
    const logo = await lay('a logo without a reference');
    const id = await buildOrganization(database, 'With a foreign logo');
    const address = `https://example.com/logos/${logo}.png`;
    await database.rows('update organization set logo = $2 where id = $1', [id, address]);
    expect(await test.sweepAll()).toBe(1);
    expect(await stored()).toEqual([]);
  });

  it('removes nothing that was stored in the last seven days', async () => {
    await lay('six days old');
    expect([await test.sweep(5), await test.sweep(6.9)]).toEqual([0, 0]);
    expect(await database.rows('select from unreferenced_content')).toEqual([]);
  });

  it('removes what two sweeps in a row have found without a row, half a day apart at least', async () => {
    const orphan = await lay('without a row');
    expect([await test.sweep(8), await test.sweep(8.4)]).toEqual([0, 0]);
    await addVersions([orphan]);
    expect(await test.sweep(9)).toBe(0);
    await database.rows('delete from document_version');
    // The previous sweep has found a row.
    expect(await test.sweep(10)).toBe(0);
    expect(await test.sweep(11)).toBe(1);
    expect(await stored()).toEqual([]);
  });

  it('removes a tenth of the storage at most, and warns when more than that has no row', async () => {
    for (let at = 0; at < 30; at += 1) await lay(`content ${at}`);
    await addVersions((await stored()).slice(0, 10));
    const before = await stored();
    expect([await test.sweep(8), await test.sweep(9)]).toEqual([0, 3]);
    expect(await stored()).toHaveLength(27);
    expect(await stored()).toEqual(expect.arrayContaining(before.slice(0, 10)));
    expect(test.lines.filter(({ stored }) => stored !== undefined)).toEqual([
      expect.objectContaining({ level: 'warn', stored: 30, unreferenced: 20, removed: 0, complete: true }),
      expect.objectContaining({ level: 'warn', stored: 30, unreferenced: 20, removed: 3, complete: true }),
    ]);
  });

  it('logs each run with its counts, and each removal', async () => {
    const orphan = await lay('without a row');
    for (let at = 0; at < 9; at += 1) await addVersions([await lay(`needed ${at}`)]);
    await test.sweepAll();
    expect(test.lines).toEqual([
      { level: 'info', says: 'the storage was swept', stored: 10, unreferenced: 1, removed: 0, complete: true },
      { level: 'info', says: 'stored content was removed, to which no row refers', sha256: orphan },
      { level: 'info', says: 'the storage was swept', stored: 10, unreferenced: 1, removed: 1, complete: true },
      { level: 'info', says: 'the storage was swept', stored: 9, unreferenced: 0, removed: 0, complete: true },
    ]);
  });

  it('goes through more than it looks up in one statement, and through all of it', async () => {
    const all: string[] = [];
    for (let at = 0; at < 1_201; at += 1) all.push(await lay(`content ${at}`));
    // Some of each batch, which has its own end.
    const needed = all.filter((_, at) => at % 20 !== 0);
    await addVersions(needed);
    expect([await test.sweep(8), await test.sweep(9)]).toEqual([0, 1_201 - needed.length]);
    expect(await stored()).toEqual([...needed].sort());
  });
});

describe('a start', () => {
  it('removes what a dead process was receiving and leaves what it cannot name alone', async () => {
    const blob = await store.stage(chunks('being received'), 1024);
    const staging = dirname(blob.path);
    const [host = '', , , id = ''] = basename(blob.path).split('.');
    // Linux gives no process so high a number.
    await writeFile(join(staging, `${host}.4999999.${'0'.repeat(32)}.${id}`), 'half of it');
    await writeFile(join(staging, 'notes of the operator'), 'keep');
    const blobs = join(directory, 'blobs');
    await mkdir(blobs, { recursive: true });
    await writeFile(join(blobs, 'README'), 'keep');
    const orphan = await lay('without a row');
    await test.content.begin();
    expect((await readdir(staging)).sort()).toEqual([basename(blob.path), 'notes of the operator'].sort());
    expect(await readdir(blobs)).toContain('README');
    expect(await stored()).toEqual([orphan]);
    expect(test.lines).toEqual([expect.objectContaining({ level: 'info', files: 1 })]);
    await blob.discard();
  });
});

describe('removing content that may be needed', () => {
  it('removes it when nothing refers to it, and only then', async () => {
    const [version, attachment] = [await lay('needed by a version'), await lay('needed by an attachment')];
    const [logo, archive] = [await lay('needed by a logo'), await lay('needed by an import')];
    await addVersions([version]);
    await addAttachment(attachment);
    await addLogo(logo);
    await addImport(archive);
    const needed = [version, attachment, logo, archive];
    for (const sha256 of [...needed, await lay('needed by no row')]) await removeUnreferenced(sha256);
    expect(await stored()).toEqual(needed.sort());
  });

  it('waits for a transaction that begins to use the content, and finds the row', async () => {
    const sha256 = await lay('taken up');
    let removal: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await lockContent.all(tx, { sha256 });
      removal = removeUnreferenced(sha256);
      await until('the removal waits', someoneWaits);
      await addVersions([sha256], tx);
    });
    await removal;
    expect(await stored()).toEqual([sha256]);
  });

  it('waits for a transaction that begins to use the content, and removes it after a rollback', async () => {
    const sha256 = await lay('given up');
    let removal: Promise<unknown> | undefined;
    const failing = database.transaction(async (tx) => {
      await lockContent.all(tx, { sha256 });
      removal = removeUnreferenced(sha256);
      await until('the removal waits', someoneWaits);
      await addVersions([sha256], tx);
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    await removal;
    expect(await stored()).toEqual([]);
  });

  it('lets two take the same content up at the same time', async () => {
    const sha256 = await lay('twice');
    await database.transaction(async (one) => {
      await lockContent.all(one, { sha256 });
      await database.transaction(async (other) => {
        await lockContent.all(other, { sha256 });
        await addVersions([sha256], other);
      });
    });
    expect(await stored()).toEqual([sha256]);
  });
});
