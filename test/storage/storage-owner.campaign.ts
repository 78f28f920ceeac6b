import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Client } from 'pg';
import pino from 'pino';
import { bootstrap } from '../../src/app/bootstrap.js';
import { DAY } from '../../src/common/time.js';
import { storage } from '../../src/app/storage-command.js';
import { migrate } from '../../src/database/migrate.js';
import type { BlobStore } from '../../src/storage/blob-store.js';
import { openBlobStore } from '../../src/storage/storage-location.js';
import { APIS, callThrough, expectFailure } from '../support/apis.js';
import { chunks } from '../support/bytes.js';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { startS3 } from '../support/s3.js';
import { storedContents } from '../support/stored-content.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { sha256Hex, uploadText } from '../resilience/support/evidence.js';
import { SECRET_KEY } from '../resilience/support/gateway-process.js';
import { until } from '../support/until.js';

const UPLOAD = mutation(
  'POST /api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}/documents/{artifact_id}/versions',
  'uploadDocumentVersion',
  'documentVersion { id: databaseId } created',
);

let folder: string;
let storageUrl: string;
let store: BlobStore;
let cleanups: (() => Promise<unknown>)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-owner-'));
  cleanups = [() => rm(folder, { recursive: true, force: true })];
});
afterEach(async () => {
  for (const clean of cleanups.toReversed()) await clean();
});

const places = {
  'a folder': async () => `file:${join(folder, 'files')}`,
  'a bucket': async () => {
    const service = await startS3();
    cleanups.push(() => service.stop());
    return service.url;
  },
};

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  return database;
}

interface Installation {
  gateway: TestGateway;
  testData: TestData;
  /** Messages of warnings. */
  warnings: string[];
  end(): Promise<void>;
}

/** A gateway on the storage of the test; the clock is a function, so that a test may move it. */
async function start(database: TestDatabase, options: { now?: () => Date; storageUrl?: string } = {}) {
  const warnings: string[] = [];
  const lines = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n')) {
        const { level, msg } = JSON.parse(line) as { level: number; msg: string };
        if (level >= 40) warnings.push(msg);
      }
      done();
    },
  });
  const dataDir = await mkdtemp(join(folder, 'data-'));
  const config = { storageUrl: options.storageUrl ?? storageUrl, databaseUrl: database.url };
  const gateway = await startGateway({ database, dataDir, config, log: pino(lines), ...options });
  let closing: Promise<void> | undefined;
  const end = () => (closing ??= gateway.close());
  cleanups.push(end);
  return { gateway, warnings, end };
}

async function startSeeded(database: TestDatabase, options = {}): Promise<Installation> {
  const started = await start(database, options);
  const testData = await seedTestData(started.gateway.app.database);
  await buildWorkflow(started.gateway.app.database, testData.organizationId);
  return { ...started, testData };
}

const upload = ({ gateway, testData }: Pick<Installation, 'gateway' | 'testData'>, text: string) =>
  uploadText(
    gateway.rest,
    { organizationId: testData.organizationId, artifactId: 'A.5.1', token: testData.analyst.token },
    text,
  );

const remove = ({ gateway, testData }: Pick<Installation, 'gateway' | 'testData'>, id: number) =>
  gateway.rest.delete(`/api/v1/v-ciso/organizations/${testData.organizationId}/documents/${id}`, {
    token: testData.officer.token,
  });

const warned = (warnings: string[], about: string) =>
  until(`a warning about ${about}`, async () => warnings.some((each) => each.includes(about)));

/** Sweeps of many nights, each by the gateway's own job. */
async function nights(gateway: TestGateway, clock: { days: number }): Promise<void> {
  for (let night = 0; night < 12; night += 1) {
    clock.days += 1;
    await gateway.app.services.storageSweep.sweep();
  }
}

const movable = () => {
  const clock = { days: 0 };
  return { clock, now: () => new Date(Date.now() + clock.days * DAY) };
};

async function command(args: string[], env: Record<string, string>) {
  const written = { stdout: '', stderr: '' };
  const to = (stream: keyof typeof written) => ({ write: (text: string) => (written[stream] += text) });
  const code = await storage(args, env, { stdout: to('stdout'), stderr: to('stderr') });
  return { code, ...written };
}

describe.each(Object.keys(places) as (keyof typeof places)[])('a storage in %s', (place) => {
  beforeEach(async () => {
    storageUrl = await places[place]();
    store = await openBlobStore(storageUrl, { stagingDir: folder });
    cleanups.push(() => store.close());
  });

  test('that is empty is marked by the first use of a new database, which removes what it stores no more', async () => {
    const production = await startSeeded(await newDatabase());
    const { id } = expectData(await upload(production, 'short-lived'), 201);
    expectStatus(await upload(production, 'kept'), 201);
    expectStatus(await remove(production, id), 200);
    expect(await storedContents(store)).toEqual([sha256Hex('kept')]);
    expect(JSON.parse((await store.readMarker()) ?? '')).toEqual({
      installation: expect.stringMatching(/^[0-9a-f-]{36}$/),
      database: expect.any(String),
    });
    expect(production.warnings).toEqual([]);
  });

  test('loses nothing to a gateway on an empty database, which says so and stores nothing there', async () => {
    const production = await startSeeded(await newDatabase());
    for (let at = 0; at < 12; at += 1)
      expectStatus(await upload(production, `evidence ${at < 9 ? 'old' : 'new'} ${at}`), 201);
    const before = await storedContents(store);
    const { clock, now } = movable();
    const staging = await startSeeded(await newDatabase(), { now });
    await warned(staging.warnings, 'belongs to another installation: nothing is removed, and nothing is stored');
    for (const api of APIS) {
      const input = { workflow_id: 'iso-27001-2022', artifact_id: 'A.5.1', filename: 'a.txt', content: 'YQ==' };
      const { token } = staging.testData.analyst;
      const place = { organization_id: staging.testData.organizationId };
      const answer = await callThrough(api, staging.gateway, UPLOAD, { ...place, ...input }, token);
      expectFailure(answer, 'UNAVAILABLE', []);
    }
    await nights(staging.gateway, clock);
    expect(await storedContents(store)).toEqual(before);
    expectStatus(await upload(production, 'production goes on'), 201);
  });

  test('loses nothing to a restored copy of its database that runs beside it', async () => {
    const database = await newDatabase();
    const first = await startSeeded(database);
    const { testData } = first;
    const { id, download_url: url } = expectData(await upload(first, 'needed by both'), 201);
    await first.end();
    const copy = await copyDatabase(database);
    cleanups.push(() => copy.drop());
    const production = { ...(await start(database)), testData };
    const { clock, now } = movable();
    const drill = { ...(await start(copy, { now })), testData };
    await warned(drill.warnings, 'another database of this installation');
    expectStatus(await remove(drill, id), 200);
    for (const text of ['one', 'two', 'three']) expectStatus(await upload(production, `after the copy ${text}`), 201);
    const before = await storedContents(store);
    await nights(drill.gateway, clock);
    expect(await storedContents(store)).toEqual(before);
    const path = new URL(url as string);
    expect((await production.gateway.rest.get(path.pathname + path.search)).text).toBe('needed by both');
    expect(drill.warnings.filter((each) => each.startsWith('Content was not removed.'))).toHaveLength(1);
    expect(production.warnings).toEqual([]);
  });

  test('that has files and no marker is not taken over without a word, but by a command', async () => {
    const database = await newDatabase();
    const old = await store.stage(chunks('stored by an earlier version'), 1024);
    await old.store();
    const { clock, now } = movable();
    const upgraded = await startSeeded(database, { now });
    await warned(upgraded.warnings, 'npm run storage -- --adopt');
    const { id } = expectData(await upload(upgraded, 'stored all the same'), 201);
    expectStatus(await remove(upgraded, id), 200);
    await nights(upgraded.gateway, clock);
    expect(await storedContents(store)).toEqual([old.sha256, sha256Hex('stored all the same')].sort());
    const env = { DATABASE_URL: database.url, STORAGE_URL: storageUrl, SECRET_KEY, DATA_DIR: folder };
    expect(await command([], env)).toEqual({
      code: 1,
      stdout: '2 files are stored; no row refers to 2 of them. 0 files are missing.\n',
      stderr: expect.stringContaining('npm run storage -- --adopt'),
    });
    expect(await command(['--adopt'], env)).toEqual({
      code: 0,
      stdout:
        '2 files are stored; no row refers to 2 of them. 0 files are missing.\nThe storage belongs to this database.\n',
      stderr: '',
    });
    await nights(upgraded.gateway, clock);
    expect(await storedContents(store)).toEqual([]);
  });

  test('names the files that it lacks', async () => {
    const database = await newDatabase();
    const gateway = await startSeeded(database);
    const [, lost] = await Promise.all(['there', 'lost'].map((text) => upload(gateway, text)));
    const { organizationId } = gateway.testData;
    await store.remove(sha256Hex('lost'));
    const env = { DATABASE_URL: database.url, STORAGE_URL: storageUrl, SECRET_KEY, DATA_DIR: folder };
    expect(await command([], env)).toEqual({
      code: 1,
      stdout:
        '1 files are stored; no row refers to 0 of them. 1 files are missing.\nThe storage belongs to this database.\n',
      stderr: `File ${sha256Hex('lost')} is missing: document ${expectData(lost!, 201).id} of organization ${organizationId}.\n`,
    });
  });

  test('is emptied of nothing when a database that has rows meets a new one', async () => {
    const database = await newDatabase();
    const first = await startSeeded(database);
    expectStatus(await upload(first, 'in the old place'), 201);
    await first.end();
    const elsewhere = place === 'a folder' ? `file:${join(folder, 'new')}` : storageUrl.replace('?', '/new?');
    const moved = await start(database, { storageUrl: elsewhere });
    await warned(moved.warnings, 'no marker says that they belong together');
    const empty = await openBlobStore(elsewhere, { stagingDir: folder });
    cleanups.push(() => empty.close());
    expect(await empty.readMarker()).toBeUndefined();
  });

  test('of a prefix or folder of its own belongs to each of two installations', async () => {
    const elsewhere = place === 'a folder' ? `file:${join(folder, 'staging')}` : storageUrl.replace('?', '/staging?');
    const production = await startSeeded(await newDatabase());
    const staging = await startSeeded(await newDatabase(), { storageUrl: elsewhere });
    for (const each of [production, staging]) {
      const { id } = expectData(await upload(each, 'the same in both'), 201);
      if (each === staging) expectStatus(await remove(each, id), 200);
      expect(each.warnings).toEqual([]);
    }
    expect(await storedContents(store)).toEqual([sha256Hex('the same in both')]);
  });
});

describe('a database server that does not say which one it is', () => {
  beforeEach(async () => {
    storageUrl = await places['a folder']();
    store = await openBlobStore(storageUrl, { stagingDir: folder });
    cleanups.push(() => store.close());
  });

  test.each([
    ['forbids the function', (role) => `revoke execute on function pg_control_system() from public, ${role}`],
    ['has no such function', () => 'alter function pg_walfile_name(pg_lsn) rename to hidden'],
    [
      'has the function in name only',
      () => `alter function pg_control_system() rename to hidden;
             create function pg_control_system() returns table (system_identifier bigint) language plpgsql as
               $$ begin raise exception 'not supported' using errcode = '0A000'; end $$`,
    ],
  ] as [string, (role: string) => string][])(
    'and %s lets files be stored and removes none, which the log says once',
    async (_how, statement) => {
      const { database, run, as } = await databaseOfRole();
      await run(statement(as.username));
      const { clock, now } = movable();
      const started = await startSeeded({ ...database, url: as.href }, { now });
      await warned(started.warnings, 'does not say which one it is');
      const { id } = expectData(await upload(started, 'stored all the same'), 201);
      expectStatus(await remove(started, id), 200);
      await nights(started.gateway, clock);
      expect(await storedContents(store)).toEqual([sha256Hex('stored all the same')]);
      expect(started.warnings).toEqual([expect.stringContaining('does not say which one it is')]);
      const other = await startSeeded(await newDatabase());
      await warned(other.warnings, 'belongs to another installation: nothing is removed, and nothing is stored');
    },
  );

  test('removes files again when it says so, and an operator that they belong together', async () => {
    const { database, run, as } = await databaseOfRole();
    await run(`revoke execute on function pg_control_system() from public`);
    const started = await startSeeded({ ...database, url: as.href });
    const { id } = expectData(await upload(started, 'kept at first'), 201);
    await run(`grant execute on function pg_control_system() to public`);
    const env = { DATABASE_URL: as.href, STORAGE_URL: storageUrl, SECRET_KEY, DATA_DIR: folder };
    expect(await command([], env)).toMatchObject({ code: 1, stderr: expect.stringContaining('another database') });
    expect(await command(['--adopt'], env)).toMatchObject({ code: 0 });
    expectStatus(await remove(started, id), 200);
    expect(await storedContents(store)).toEqual([]);
  });
});

/** A database, and its address for a role that is not a superuser; `run` belongs to its owner. */
async function databaseOfRole() {
  const database = await newDatabase();
  const role = `gateway_${randomBytes(6).toString('hex')}`;
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  const run = async (...statements: string[]) => {
    for (const each of statements) await owner.query(each);
  };
  cleanups.push(() => run(`drop owned by ${role}`, `drop role ${role}`).then(() => owner.end()));
  await run(`create role ${role} login password 'secret'`);
  const as = new URL(database.url);
  [as.username, as.password] = [role, 'secret'];
  await migrate(as.href, database.url);
  return { database, run, as };
}

test('a copy of the data folder with the embedded database is another database for a storage elsewhere', async () => {
  const terminal = { stdout: { write: () => true }, stderr: { write: () => true } };
  const [original, copy] = [join(folder, 'data'), join(folder, 'copy')];
  const env = (dataDir: string) => ({ DATA_DIR: dataDir, STORAGE_URL: `file:${join(folder, 'files')}` });
  expect(await bootstrap(['--email', 'ada@example.com'], env(original), terminal)).toBe(0);
  expect(await command(['--adopt'], env(original))).toMatchObject({ code: 0 });
  await cp(original, copy, { recursive: true });
  expect(await command([], env(copy))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('another database of this installation'),
  });
  expect(await command([], env(original))).toMatchObject({ code: 0 });
});

test('nothing is adopted where npm took --adopt for its own', async () => {
  expect(await command([], { npm_config_adopt: 'true' })).toEqual({
    ...{ code: 2, stdout: '' },
    stderr:
      'npm has taken --adopt for its own: options stand behind --. Nothing was done.\nUsage: npm run storage [-- --adopt]\n',
  });
});

test('a command line that makes no sense is answered with the usage', async () => {
  expect(await command(['--take'], {})).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: 'Usage: npm run storage [-- --adopt]\n',
  });
});
