import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BlobStore } from '../../src/storage/blob-store.js';
import { openBlobStore } from '../../src/storage/storage-location.js';
import { storedContents } from '../support/stored-content.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';
import { startS3, type S3Service } from '../support/s3.js';
import { unzipped } from '../support/unzip.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { sha256Hex, uploadText, versionRows } from './support/evidence.js';
import { Link } from './support/link.js';
import { until } from '../support/until.js';

let service: S3Service;
let link: Link;
let gateway: TestGateway;
/** A client of the bucket outside the link. */
let bucket: BlobStore;
let testData: TestData;

beforeAll(async () => {
  service = await startS3();
  link = await Link.to(service.url);
  gateway = await startGateway({ config: { storageUrl: link.url } });
  bucket = await openBlobStore(service.url, { stagingDir: gateway.dataDir });
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId);
});

afterAll(async () => {
  await gateway?.close();
  await bucket?.close();
  await link?.close();
  await service?.stop();
});

const upload = (artifactId: string, text: string) =>
  uploadText(
    gateway.rest,
    { organizationId: testData.organizationId, artifactId, token: testData.analyst.token },
    text,
  );
const objects = () => storedContents(bucket);
const pathOf = (downloadUrl: string) => downloadUrl.slice(gateway.url.length);

test('an upload becomes an object, and the same content again no second one', async () => {
  const first = await upload('A.5.1', 'evidence in a bucket');
  const again = await upload('A.5.1', 'evidence in a bucket');
  const elsewhere = await upload('A.5.2', 'evidence in a bucket');
  expect([first, again, elsewhere].map(({ status }) => status)).toEqual([201, 200, 201]);
  expect(again.body.data.id).toBe(first.body.data.id);
  expect(await objects()).toEqual([sha256Hex('evidence in a bucket')]);
});

test('a download and a range of it come from the bucket', async () => {
  const version = expectData(await upload('A.5.3', '0123456789'), 201);
  const path = pathOf(version.download_url);
  const whole = await gateway.rest.get(path);
  expect([whole.status, whole.text]).toEqual([200, '0123456789']);
  const part = await gateway.rest.get(path, { headers: { range: 'bytes=3-5' } });
  withStory(part, () => {
    expect([part.status, part.text]).toEqual([206, '345']);
    expect(part.headers.get('content-range')).toBe('bytes 3-5/10');
    expect(part.headers.get('content-length')).toBe('3');
  });
});

test('trimming removes the object of the oldest version and no other', async () => {
  const texts = Array.from({ length: 11 }, (_, at) => `version ${at} in a bucket`);
  for (const text of texts) expectStatus(await upload('A.5.4', text), 201);
  const stored = await objects();
  expect(texts.map((text) => stored.includes(sha256Hex(text)))).toEqual([false, ...texts.slice(1).map(() => true)]);
});

test('while the bucket is away uploads and downloads are 503 without a row, lists are read; then all works', async () => {
  const version = expectData(await upload('A.5.5', 'before'), 201);
  const before = await versionRows(gateway.app.database);
  link.cut();
  const answers = [await upload('A.5.5', 'meanwhile'), await gateway.rest.get(pathOf(version.download_url))];
  for (const answer of answers) {
    expectError(answer, 503, []);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
  expect(await versionRows(gateway.app.database)).toEqual(before);
  const users = `/api/v1/organizations/${testData.organizationId}/users`;
  expectData(await gateway.rest.get(users, { token: testData.officer.token }));
  expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(503);
  expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
  link.restore();
  expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
  expectStatus(await upload('A.5.5', 'meanwhile'), 201);
  const stored = await gateway.rest.get(pathOf(version.download_url));
  expect([stored.status, stored.text]).toEqual([200, 'before']);
  expect(await objects()).toContain(sha256Hex('meanwhile'));
});

test('an evidence pack reads one object at a time', async () => {
  const versions = await versionRows(gateway.app.database);
  const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/iso-27001-2022/evidence-pack`;
  service.suspend('GET');
  const answer = await fetch(gateway.url + path, { headers: { 'x-service-token': testData.viewer.token } });
  const archive = answer.arrayBuffer();
  for (const [at] of versions.entries()) {
    await until(`object ${at} is requested`, () => service.suspended() === 1);
    // Responds to this one and not to the next.
    service.suspend('GET');
  }
  const names = [...unzipped(Buffer.from(await archive)).keys()];
  expect(names.filter((name) => name.startsWith('documents/'))).toHaveLength(versions.length);
  service.release();
});

describe('while the bucket does not answer', () => {
  afterEach(() => service.release());

  /** More than there are connections. */
  const texts = (word: string) => Array.from({ length: 14 }, (_, at) => `${word} ${at}`);
  const uploads = (word: string) => texts(word).map((text, at) => upload(`A.8.${at + 1}`, text));

  /** Connections in a transaction whose next statement waits for another resource. */
  async function waitingTransactions(): Promise<number> {
    const text = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
    return (await gateway.app.database.rows(text)).length;
  }

  async function expectListsToAnswer(): Promise<void> {
    expect(gateway.app.database.connections().waiting).toBe(0);
    const users = `/api/v1/organizations/${testData.organizationId}/users`;
    expectData(await gateway.rest.get(users, { token: testData.officer.token }));
  }

  test('uploads in progress use no connection', async () => {
    service.suspend('PUT');
    const answers = uploads('on its way');
    await until('all bytes are on their way', () => service.suspended() === answers.length);
    // A transaction that is short may be seen on its way to its end.
    await until('no request waits in a transaction', async () => (await waitingTransactions()) === 0);
    await expectListsToAnswer();
    service.release();
    for (const answer of await Promise.all(answers)) expectStatus(answer, 201);
    expect(await objects()).toEqual(expect.arrayContaining(texts('on its way').map(sha256Hex)));
  });

  test('no more than a third of the connections look whether the bytes are there', async () => {
    service.suspend('PUT');
    const answers = uploads('looked for');
    await until('all bytes are on their way', () => service.suspended() === answers.length);
    service.suspend('HEAD');
    await until('some look whether they are there', () => service.suspended() === 3);
    await until('no other request waits', async () => (await waitingTransactions()) === 3);
    await expectListsToAnswer();
    service.release();
    for (const answer of await Promise.all(answers)) expectStatus(answer, 201);
    expect(await objects()).toEqual(expect.arrayContaining(texts('looked for').map(sha256Hex)));
  });

  test('no more than a third of the connections remove objects', async () => {
    const made = await Promise.all(uploads('to be removed'));
    service.suspend('DELETE');
    const paths = made.map(
      ({ body }) => `/api/v1/v-ciso/organizations/${testData.organizationId}/documents/${body.data.id}`,
    );
    const answers = paths.map((path) => gateway.rest.delete(path, { token: testData.analyst.token }));
    await until('some remove objects', () => service.suspended() === 3);
    await until('no other request waits', async () => (await waitingTransactions()) === 3);
    await expectListsToAnswer();
    service.release();
    for (const answer of await Promise.all(answers)) expectStatus(answer, 200);
    const stored = await objects();
    expect(texts('to be removed').filter((text) => stored.includes(sha256Hex(text)))).toEqual([]);
  });
});
