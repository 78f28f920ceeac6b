import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Database } from '../../src/database/database.js';
import { RestClient } from '../support/clients.js';
import { RawSocket, webSocketUrl } from '../support/live.js';
import { expectStatus } from '../support/matchers.js';
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
import { connectTo, type GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { RawUpload } from './support/raw-upload.js';
import { until } from './support/until.js';

let installation: Installation;
let database: Database;
let files: string;
let testData: TestData;
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('crash');
  ({ database, files } = installation);
  testData = await seedTestData(database);
  await buildWorkflow(database, testData.organizationId);
});

// A test that fails half-way must not fail the next one, too.
beforeEach(async () => {
  const isRunning = gateway !== undefined && (await connectTo(gateway.port)) === 'taken';
  if (!isRunning) gateway = await installation.start();
});

afterAll(() => installation?.clear());

const place = (artifactId: string): Place => ({
  organizationId: testData.organizationId,
  artifactId,
  token: testData.analyst.token,
});

const large = (word: string) => ({ name: 'log.txt', type: 'text/plain', bytes: Buffer.from(word.repeat(250_000)) });

/** An upload whose first half has arrived at the gateway. */
async function halfWay(artifactId: string, agent?: Agent): Promise<RawUpload> {
  const upload = new RawUpload(gateway.url, place(artifactId), large(`half-way at ${artifactId}\n`), agent);
  await upload.send(0.5);
  await until('the file is being received', async () => (await stagedFiles(files)).length > 0);
  return upload;
}

/** What has to be true after a start, however the last gateway ended. The sweep runs beside the first requests. */
async function expectOrder(): Promise<void> {
  expect(await rowsWithoutTheirBytes(database, files)).toEqual([]);
  await until('the staging area is empty', async () => (await stagedFiles(files)).length === 0);
  await until('no blob is left that no row refers to', async () => {
    const referenced = new Set((await versionRows(database)).map(({ sha256 }) => sha256));
    return (await storedBlobs(files)).every((sha256) => referenced.has(sha256));
  });
  expect(await rowsWithoutTheirBytes(database, files)).toEqual([]);
}

/** Always the same numbers between 0 and 1 (mulberry32), so that a round that fails can be played again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('a gateway that is killed', () => {
  test('in the middle of an upload leaves no row, and its start clears what was received', async () => {
    const upload = await halfWay('A.5.1');
    await gateway.end('SIGKILL');
    await expect(upload.answer).rejects.toThrow();
    expect(await stagedFiles(files)).toHaveLength(1);
    gateway = await installation.start();
    await expectOrder();
    expect(await versionRows(database)).toEqual([]);
    expectStatus(await uploadText(new RestClient(gateway.url), place('A.5.1'), 'after the crash'), 201);
  });

  test('between the bytes and their row leaves unreferenced bytes, which the next start removes', async () => {
    await gateway.end('SIGKILL');
    const orphan = blobPath(files, sha256Hex('kept, and then the power went'));
    await mkdir(dirname(orphan), { recursive: true });
    await writeFile(orphan, 'kept, and then the power went');
    gateway = await installation.start();
    await expectOrder();
    expect(await storedBlobs(files)).not.toContain(sha256Hex('kept, and then the power went'));
  });

  test('at any moment of many uploads loses none that it has answered', async () => {
    const random = seeded(20_260_117);
    for (let round = 0; round < 4; round += 1) {
      const answered = await killedAmidUploads(round, random);
      gateway = await installation.start();
      await expectOrder();
      const ids = new Set((await versionRows(database)).map(({ id }) => id));
      expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    }
    expectStatus(await uploadText(new RestClient(gateway.url), place('A.5.2'), 'after four crashes'), 201);
  });
});

/** Uploads in four loops until the gateway is killed; returns the ids of the newest version of each that it answered. */
async function killedAmidUploads(round: number, random: () => number): Promise<number[]> {
  const rest = new RestClient(gateway.url);
  let killed = false;
  let left = Math.floor(random() * 12);
  const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
  const loops = [3, 4, 5, 6].map(async (control) => {
    let newest: number | undefined;
    for (let at = 0; !killed; at += 1) {
      const content = `round ${round}, upload ${at} of loop ${control}\n`.repeat(1 + Math.floor(random() * 3_000));
      const answer = await uploadText(rest, place(`A.5.${control}`), content).catch(() => undefined);
      if (answer === undefined) break;
      expectStatus(answer, 201);
      newest = answer.body.data.id;
      if ((left -= 1) < 0) isEnough();
    }
    return newest === undefined ? [] : [newest];
  });
  // The other loops are at any point of their uploads when one of them has its answer.
  await enough;
  killed = true;
  await gateway.end('SIGKILL');
  return (await Promise.all(loops)).flat();
}

describe('a gateway that receives SIGTERM', () => {
  test('finishes the upload that is under way, refuses new connections, is not ready, and exits with 0', async () => {
    const upload = await halfWay('A.5.7');
    // A request that has begun keeps its connection open through the stop.
    const probe = connect(gateway.port, '127.0.0.1');
    probe.write('GET /health/ready HTTP/1.1\r\nHost: localhost\r\n');
    // What came later has been answered, so what came before has been read.
    for (let turn = 0; turn < 3; turn += 1)
      await fetch(`${gateway.url}/health/live`, { headers: { connection: 'close' } });
    gateway.signal('SIGTERM');
    await until('new connections are refused', async () => (await connectTo(gateway.port)) === 'refused');
    probe.write('Connection: close\r\n\r\n');
    const readiness = await text(probe);
    expect(readiness).toMatch(/^HTTP\/1\.1 503 /);
    expect(readiness).toContain('{"status":"not ready","draining":true,"checks":{"database":"up","storage":"up"}}');
    const answer = await upload.finish();
    expect(answer.status).toBe(201);
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    const { id } = (JSON.parse(answer.text) as { data: { id: number } }).data;
    expect((await versionRows(database)).map((row) => row.id)).toContain(id);
    expect(await rowsWithoutTheirBytes(database, files)).toEqual([]);
    expect(await stagedFiles(files)).toEqual([]);
  });

  test('does not wait for a client that keeps its connection without a request', async () => {
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((done, fail) => {
      get(`${gateway.url}/health/live`, { agent }, (response) => response.resume().once('end', done)).on('error', fail);
    });
    await until('the connection is idle', () => Object.keys(agent.freeSockets).length === 1);
    gateway.signal('SIGTERM');
    await expectEndByItself();
    agent.destroy();
  });

  test('does not wait for a client that keeps its connection after the answer', async () => {
    const agent = new Agent({ keepAlive: true });
    const upload = await halfWay('A.5.8', agent);
    gateway.signal('SIGTERM');
    await until('new connections are refused', async () => (await connectTo(gateway.port)) === 'refused');
    expect((await upload.finish()).status).toBe(201);
    await expectEndByItself();
    agent.destroy();
  });

  test('sends live clients elsewhere, and does not wait for one that has fallen silent', async () => {
    const { token } = testData.owner;
    const url = webSocketUrl(gateway.url);
    const [polite, silent] = [await RawSocket.as(url, token), await RawSocket.as(url, token)];
    for (const { socket } of [polite, silent])
      socket.send(
        '{"type":"subscribe","id":"1","payload":{"query":"subscription { notificationAdded { id: databaseId } }"}}',
      );
    silent.socket.pause();
    const events = await fetch(`${gateway.url}/graphql/stream?query=subscription{notificationAdded{id:databaseId}}`, {
      headers: { 'X-Service-Token': token },
    });
    gateway.signal('SIGTERM');
    expect((await polite.closed).code).toBe(1001);
    expect(await events.text()).not.toContain('complete');
    await expectEndByItself();
    silent.socket.terminate();
  });

  test('takes a second signal for the same one', async () => {
    const upload = await halfWay('A.5.9');
    gateway.signal('SIGTERM');
    await until('new connections are refused', async () => (await connectTo(gateway.port)) === 'refused');
    gateway.signal('SIGTERM');
    gateway.signal('SIGINT');
    expect((await upload.finish()).status).toBe(201);
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
  });
});

/** Without the cut of what is still open ten seconds after the signal. */
async function expectEndByItself(): Promise<void> {
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(gateway.out).not.toContain('cutting off');
}
