import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobStore } from '../../src/storage/storage-location.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { contentUnderTest } from '../support/stored-content.js';
import { expectStatus } from '../support/matchers.js';
import {
  buildCloudDefender,
  buildThreatBlocker,
  buildWorkflow,
  seedTestData,
  type TestData,
} from '../support/test-data.js';
import {
  rowsWithoutTheirBytes,
  sha256Hex,
  stagedFiles,
  storedBlobs,
  uploadText,
  versionRows,
  type Place,
} from './support/evidence.js';

const GATEWAYS = 2;

let database: TestDatabase;
let dataDir: string;
let files: string;
/** Two instances on one database and one folder of files. */
let gateways: TestGateway[];
let testData: TestData;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'concurrency-'));
  files = join(dataDir, 'files');
  gateways = await Promise.all(Array.from({ length: GATEWAYS }, () => startGateway({ database, dataDir })));
  testData = await seedTestData(db());
  await buildWorkflow(db(), testData.organizationId);
});

afterAll(async () => {
  for (const gateway of gateways ?? []) await gateway.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const db = () => gateways[0]!.app.database;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Controls of Annex A, each used once, so that no test finds another's versions. */
let taken = 0;
function freshPlace(): Place {
  const [theme, control] = taken < 37 ? [5, taken + 1] : [8, taken - 36];
  taken += 1;
  return {
    organizationId: testData.organizationId,
    artifactId: `A.${theme}.${control}`,
    token: testData.analyst.token,
  };
}

/** Uploads through the first `instances` gateways in turn. */
const upload = (at: number, instances: number, place: Place, text: string) =>
  uploadText(gateways[at % instances]!.rest, place, text);

const rowsAt = async ({ artifactId }: Place) =>
  (await versionRows(db())).filter((row) => row.artifactId === artifactId);

async function expectNothingLost(): Promise<void> {
  expect(await rowsWithoutTheirBytes(db(), files)).toEqual([]);
  expect(await stagedFiles(files)).toEqual([]);
}

async function expectNothingWithoutToken(): Promise<void> {
  const referenced = new Set((await versionRows(db())).map(({ sha256 }) => sha256));
  expect((await storedBlobs(files)).filter((sha256) => !referenced.has(sha256))).toEqual([]);
}

describe.each([
  ['one gateway', 1],
  ['two gateways on one database and one folder', 2],
])('at the same moment, through %s,', (name, instances) => {
  test('twelve identical uploads make one version, one 201 and eleven 200s', async () => {
    const place = freshPlace();
    const text = `the same twelve times through ${name}`;
    const answers = await Promise.all(numbers(12).map((at) => upload(at, instances, place, text)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 11 }, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const rows = await rowsAt(place);
    expect(rows).toEqual([
      { id: answers[0]!.body.data.id, sha256: sha256Hex(text), size: text.length, artifactId: place.artifactId },
    ]);
    expect((await storedBlobs(files)).filter((sha256) => sha256 === sha256Hex(text))).toHaveLength(1);
    await expectNothingLost();
  });

  test('eleven different uploads leave ten versions, and of the bytes only those of the oldest go', async () => {
    const place = freshPlace();
    const texts = numbers(11).map((at) => `number ${at} of eleven through ${name}`);
    const answers = await Promise.all(texts.map((text, at) => upload(at, instances, place, text)));
    for (const answer of answers) expectStatus(answer, 201);
    const ids = answers.map(({ body }) => body.data.id as number).sort((one, other) => one - other);
    expect((await rowsAt(place)).map(({ id }) => id)).toEqual(ids.slice(1));
    const oldest = answers.findIndex(({ body }) => body.data.id === ids[0]);
    const stored = await storedBlobs(files);
    expect(texts.map((text) => stored.includes(sha256Hex(text)))).toEqual(texts.map((_, at) => at !== oldest));
    await expectNothingLost();
  });

  test('one content of two controls is stored until both versions are deleted', async () => {
    const [one, other] = [freshPlace(), freshPlace()];
    const text = `shared by two controls through ${name}`;
    const answers = await Promise.all([one, other].map((place, at) => upload(at, instances, place, text)));
    for (const answer of answers) expectStatus(answer, 201);
    expect(answers[0]!.body.data.id).not.toBe(answers[1]!.body.data.id);
    const pushOut = (place: Place) =>
      Promise.all(numbers(10).map((at) => upload(at, instances, place, `${place.artifactId} ${at} of ten`)));
    await pushOut(one);
    expect((await rowsAt(one)).map(({ sha256 }) => sha256)).not.toContain(sha256Hex(text));
    expect(await storedBlobs(files)).toContain(sha256Hex(text));
    await expectNothingLost();
    await pushOut(other);
    expect(await storedBlobs(files)).not.toContain(sha256Hex(text));
    await expectNothingLost();
  });

  test('an upload of the very content that another one trims never leaves a row without bytes', async () => {
    const [trimming, taking] = [freshPlace(), freshPlace()];
    const text = (at: number) => `content ${at} that comes and goes through ${name}`;
    for (const at of numbers(10)) expectStatus(await upload(at, instances, trimming, text(at)), 201);
    for (const round of numbers(20)) {
      // The first deletes the oldest content of its control, which the second stores for its own.
      const pair = [() => upload(round, instances, trimming, text(round + 10))];
      pair.splice(round % 2, 0, () => upload(round + 1, instances, taking, text(round)));
      for (const answer of await Promise.all(pair.map((start) => start()))) expectStatus(answer, 201);
      expect(await rowsWithoutTheirBytes(db(), files)).toEqual([]);
    }
    await expectNothingLost();
    await expectNothingWithoutToken();
  });

  test('of two concurrent deletions of one device, one succeeds and the other is NOT_FOUND', async () => {
    const paths = [
      `/api/v1/cloud-defender/${await buildCloudDefender(db(), testData.organizationId)}`,
      `/api/v1/atb/${await buildThreatBlocker(db(), testData.organizationId)}`,
    ];
    for (const path of paths) {
      const both = await Promise.all(
        [0, 1].map((at) => gateways[at % instances]!.rest.delete(path, { token: testData.manager.token })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
      expect(both.find(({ status }) => status === 404)!.text).toBe('{"error":1,"messages":[1004]}');
    }
  });
});

test('a sweep amid uploads removes nothing that an upload refers to', async () => {
  const store = await openBlobStore(`file:${files}`, { stagingDir: dataDir });
  const places = [freshPlace(), freshPlace()];
  let uploading = true;
  const uploads = Promise.all(
    places.map(async (place, turn) => {
      for (const at of numbers(15)) expectStatus(await upload(turn, GATEWAYS, place, `swept around ${at}`), 201);
    }),
  ).finally(() => (uploading = false));
  const { sweepAll } = contentUnderTest(db(), store, gateways[0]!.config);
  while (uploading) await sweepAll();
  await uploads;
  await expectNothingLost();
  await expectNothingWithoutToken();
  await store.close();
});
