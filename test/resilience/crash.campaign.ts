import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import pg from 'pg';
import type { Database } from '../../src/database/database.js';
import { RestClient } from '../support/clients.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { seededRandom } from '../support/random-changes.js';
import { settled } from '../support/settled.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import {
  blobPath,
  rowsWithoutTheirBytes,
  sha256Hex,
  stagedFiles,
  storedBlobs,
  uploadText,
  versionRows,
  type Place,
} from './support/evidence.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { RawUpload } from './support/raw-upload.js';
import { until } from '../support/until.js';

let installation: Installation;
let database: Database;
let files: string;
let testData: TestData;
let gateway: GatewayProcess;
let rest: RestClient;

beforeAll(async () => {
  installation = await Installation.create('crash');
  ({ database, files } = installation);
  testData = await seedTestData(database);
  await buildWorkflow(database, testData.organizationId);
});

afterAll(() => installation?.clear());

async function start(): Promise<void> {
  gateway = await installation.start();
  rest = new RestClient(gateway.url);
}

const place = (artifactId: string): Place => ({
  organizationId: testData.organizationId,
  artifactId,
  token: testData.analyst.token,
});

const openIncident = (title: string) =>
  rest.post(`/api/v1/v-ciso/incidents/${testData.organizationId}`, {
    token: testData.owner.token,
    body: { title, severity: 'LOW' },
  });

/** Invariants after a start, however the last gateway ended. The staging area is cleaned beside the first requests. */
async function expectOrder(): Promise<void> {
  expect(await rowsWithoutTheirBytes(database, files)).toEqual([]);
  await until('the staging area is empty', async () => (await stagedFiles(files)).length === 0);
}

describe('a gateway that is killed', () => {
  const AFTER_COMMIT = 'Killed after commit';
  const BEFORE_COMMIT = 'Killed before commit';
  const key = (name: string) => ({ 'idempotency-key': `"${name}"` });
  const orphan = 'kept, and then the power went';
  let interrupted: RawUpload;
  let staged: string[];

  // One kill interrupts all of it.
  beforeAll(async () => {
    await start();
    const stopper = new pg.Client({ connectionString: installation.databaseUrl });
    await stopper.connect();
    await stopper.query(`select pg_advisory_lock(7214004, hashtext('notifications'))`);
    for (let count = 0; count < 5; count += 1) expectStatus(await openIncident('Not consumed'), 201);
    interrupted = new RawUpload(gateway.url, place('A.5.1'), {
      name: 'log.txt',
      type: 'text/plain',
      bytes: Buffer.from('half-way\n'.repeat(250_000)),
    });
    await interrupted.send(0.5);
    await until('the file is being received', async () => (await stagedFiles(files)).length > 0);
    const sockets = [createTokenUnread(AFTER_COMMIT)];
    await until('the change is committed', async () => (await tokensCalled(AFTER_COMMIT)) === 1);
    await database.transaction(async (tx) => {
      await tx.rows('select 1 from app_user where id = $1 for update', [testData.owner.id]);
      sockets.push(createTokenUnread(BEFORE_COMMIT));
      await someoneWaits(tx);
      await gateway.end('SIGKILL');
    });
    for (const socket of sockets) socket.destroy();
    staged = await stagedFiles(files);
    expect(await database.rows('select 1 from notification')).toEqual([]);
    await stopper.end();
    const path = blobPath(files, sha256Hex(orphan));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, orphan);
    await start();
  });

  /** Sends a request whose response is never read. */
  function createTokenUnread(name: string): Socket {
    const text = JSON.stringify({ name });
    const lines = Object.entries({
      host: 'localhost',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-service-token': testData.owner.token,
      ...key(name),
    }).map(([header, value]) => `${header}: ${value}\r\n`);
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write(`POST /api/v1/tokens HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
    return socket;
  }

  const tokensCalled = async (name: string) =>
    (await database.rows('select 1 from api_token where name = $1', [name])).length;

  const retry = (name: string) =>
    rest.post('/api/v1/tokens', { token: testData.owner.token, headers: key(name), body: { name } });

  test('in the middle of an upload leaves no row, and its start clears what was received', async () => {
    await expect(interrupted.answer).rejects.toThrow();
    expect(staged).toHaveLength(1);
    await expectOrder();
    expect(await versionRows(database)).toEqual([]);
    expectStatus(await uploadText(rest, place('A.5.1'), 'after the crash'), 201);
  });

  test('between the bytes and their row leaves unreferenced bytes, which a start does not remove', async () => {
    await expectOrder();
    expect(await storedBlobs(files)).toContain(sha256Hex(orphan));
  });

  test('after COMMIT and before its answer has the retry find the answer at another one', async () => {
    const answer = await retry(AFTER_COMMIT);
    const { token } = expectData(answer, 201);
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    expect(await tokensCalled(AFTER_COMMIT)).toBe(1);
    expectStatus(await rest.get('/api/v1/organizations', { token }), 200);
  });

  test('before COMMIT has the retry executed, at once', async () => {
    // The server detects the death of its client at its next write.
    const answer = await until('the lock of the dead gateway is released', async () => {
      const each = await retry(BEFORE_COMMIT);
      return each.status === 409 ? undefined : each;
    });
    expectStatus(answer, 201);
    expect(answer.headers.get('idempotency-replayed')).toBe(null);
    expect(await tokensCalled(BEFORE_COMMIT)).toBe(1);
  });

  test('between COMMIT and its notifications leaves them to the next, which makes each once', async () => {
    await settled(database);
    const rows = await database.rows(
      `select count(*) as all from notification where user_id = $1 and title = 'Incident opened'`,
      [testData.viewer.id],
    );
    expect(rows).toEqual([{ all: 5 }]);
  });

  test('at any moment of many uploads and changes loses none that it has answered, and makes each notification once', async () => {
    // The same numbers each time, so that a failing round can be repeated.
    const random = seededRandom(20_260_117);
    for (let round = 0; round < 4; round += 1) {
      const answered = await killedAmidChanges(round, random);
      await start();
      await expectOrder();
      const ids = new Set((await versionRows(database)).map(({ id }) => id));
      expect(answered.versions.filter((id) => !ids.has(id))).toEqual([]);
      const opened = await database.rows<{ title: string }>('select title from incident');
      expect(opened.map(({ title }) => title)).toEqual(expect.arrayContaining(answered.incidents));
    }
    expectStatus(await uploadText(rest, place('A.5.2'), 'after four crashes'), 201);
    await settled(database);
    const rows = await database.rows(
      `select i.title from incident i left join notification n
           on n.user_id = $1 and n.href like '%/incidents/' || i.id
        group by i.id having count(n.id) <> 1`,
      [testData.viewer.id],
    );
    expect(rows).toEqual([]);
  });
});

/**
 * Uploads and incidents in loops until the gateway is killed; returns the newest acknowledged version of each control
 * and the acknowledged incidents.
 */
async function killedAmidChanges(round: number, random: () => number) {
  const versions = new Map<number, number>();
  const incidents: string[] = [];
  let killed = false;
  let left = Math.floor(random() * 12);
  const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
  const upload = async (control: number, name: string) => {
    const content = `${name}\n`.repeat(1 + Math.floor(random() * 3_000));
    const answer = await uploadText(rest, place(`A.5.${control}`), content).catch(() => undefined);
    if (answer === undefined) return;
    expectStatus(answer, 201);
    versions.set(control, answer.body.data.id);
    if ((left -= 1) < 0) isEnough();
  };
  const open = async (title: string) => {
    const answer = await openIncident(title).catch(() => undefined);
    if (answer === undefined) return;
    expectStatus(answer, 201);
    incidents.push(title);
  };
  const loops = [3, 4, 5, 6].flatMap((number) => [
    (async () => {
      for (let at = 0; !killed; at += 1) await upload(number, `round ${round}, upload ${at} of loop ${number}`);
    })(),
    (async () => {
      for (let at = 0; !killed; at += 1) await open(`Round ${round}, incident ${at} of loop ${number}`);
    })(),
  ]);
  // The other loops are at any point of their changes when one of them has its response.
  await enough;
  killed = true;
  await gateway.end('SIGKILL');
  await Promise.all(loops);
  return { versions: [...versions.values()], incidents };
}
