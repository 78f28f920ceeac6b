import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { pdf } from '../support/sample-files.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { rowsWithoutTheirBytes, versionRows, versionsPath } from './support/evidence.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { peakDuring, residentBytes } from './support/memory.js';
import { RawUpload } from './support/raw-upload.js';

const MEGABYTE = 1024 * 1024;
/** The maximum size of a document (specification 8). */
const LARGEST = 10 * MEGABYTE;
/** The limit of concurrent uploads of one token. */
const AT_ONCE = 16;

let installation: Installation;
let database: Database;
let testData: TestData;
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('memory');
  ({ database } = installation);
  testData = await seedTestData(database);
  await buildWorkflow(database, testData.organizationId);
  gateway = await installation.start();
});

afterAll(() => installation?.clear());

/** A unique document of exactly this size. */
function document(title: string, size: number) {
  const bytes = Buffer.alloc(size, `${title} `);
  pdf(title).copy(bytes);
  return { name: 'scan.pdf', type: 'application/pdf', bytes };
}

const upload = (control: number, title: string, size: number) =>
  new RawUpload(
    gateway.url,
    { organizationId: testData.organizationId, artifactId: `A.8.${control}`, token: testData.analyst.token },
    document(title, size),
  );

/** Uploads that end only when each is nearly complete: all are in progress at the same time. */
async function allAtOnce() {
  const uploads = Array.from({ length: AT_ONCE }, (_, at) => upload(at + 1, `The largest, number ${at + 1}`, LARGEST));
  await Promise.all(uploads.map((each) => each.send(0.99)));
  return Promise.all(uploads.map((each) => each.finish()));
}

test('sixteen of the largest documents at once take less than 150 MB of memory, and all are stored', async () => {
  expect((await upload(34, 'What every first upload loads', 1000).finish()).status).toBe(201);
  const before = residentBytes(gateway.pid);
  const uploads = allAtOnce();
  const peak = await peakDuring(gateway.pid, uploads);
  expect((await uploads).map(({ status }) => status)).toEqual(Array.from({ length: AT_ONCE }, () => 201));
  const sizes = (await versionRows(database)).map(({ size }) => size);
  expect(sizes).toEqual([1000, ...Array.from({ length: AT_ONCE }, () => LARGEST)]);
  expect(await rowsWithoutTheirBytes(database, installation.files)).toEqual([]);
  expect((peak - before) / MEGABYTE).toBeLessThan(150);
});

const UPLOAD =
  'mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { documentVersion { size } } }';

test.each(['REST', 'GraphQL'])(
  'sixteen of the largest documents as base64 through %s at once take less than 150 MB of memory, and all are stored',
  async (api) => {
    const content = Buffer.from(document(`The largest as base64 through ${api}`, LARGEST).bytes.toString('base64'));
    const withContent = (body: object) => {
      const [before = '', after = ''] = JSON.stringify(body).split('THE CONTENT');
      return Buffer.concat([Buffer.from(before), content, Buffer.from(after)]);
    };
    const send = async (control: number) => {
      const { token } = control % 2 === 0 ? testData.analyst : testData.owner;
      const headers = { 'Content-Type': 'application/json', 'X-Service-Token': token };
      const place = { organizationId: testData.organizationId, artifactId: `A.8.${control}` };
      const file = { filename: 'scan.pdf', content: 'THE CONTENT' };
      const input = { ...place, workflowId: 'iso-27001-2022', ...file };
      const [path, body] =
        api === 'REST' ? [versionsPath(place), file] : ['/graphql', { query: UPLOAD, variables: { input } }];
      const answer = await fetch(gateway.url + path, { method: 'POST', headers, body: withContent(body) });
      return (await answer.text()).includes(`"size":${LARGEST}`);
    };
    const before = residentBytes(gateway.pid);
    const stored = Promise.all(Array.from({ length: AT_ONCE }, (_, at) => send(at + 1)));
    const peak = await peakDuring(gateway.pid, stored);
    expect(await stored).toEqual(Array.from({ length: AT_ONCE }, () => true));
    expect((peak - before) / MEGABYTE).toBeLessThan(150);
  },
);
