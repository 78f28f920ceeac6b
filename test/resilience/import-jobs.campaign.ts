import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { RestClient } from '../support/clients.js';
import { expectStatus } from '../support/matchers.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { until } from '../support/until.js';
import { zip } from '../support/zip.js';
import { rowsWithoutTheirBytes, storedBlobs } from './support/evidence.js';
import { Installation } from './support/installation.js';

let installation: Installation;
let database: Database;
let testData: TestData;

beforeAll(async () => {
  installation = await Installation.create('import-jobs');
  ({ database } = installation);
  testData = await seedTestData(database);
  await buildWorkflow(database, testData.organizationId, 'iso-27001-2022');
});

afterAll(() => installation?.clear());

const CONTROLS = [5, 6, 7, 8].flatMap((theme) =>
  Array.from({ length: [37, 8, 14, 34][theme - 5]! }, (_each, index) => `A.${theme}.${index + 1}`),
);
/** Milliseconds until another instance detects a dead one, and enqueues the import again. */
const TAKEN_OVER = 150_000;

test('an instance that is killed in the middle of an import does no document twice, and loses none', async () => {
  const documents = CONTROLS.flatMap((control_id) =>
    Array.from({ length: 10 }, (_each, index) => ({ path: `${control_id}/${index}.txt`, control_id })),
  );
  const archive = zip([
    { name: 'manifest.json', content: JSON.stringify({ documents }) },
    ...documents.map(({ path }) => ({ name: path, content: `Content of ${path}` })),
  ]);
  let gateway = await installation.start();
  const { organizationId, owner } = testData;
  const started = await new RestClient(gateway.url).call(
    'POST',
    `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/documents/import`,
    {
      ...{ token: owner.token, body: archive },
      headers: { 'content-type': 'application/zip', prefer: 'respond-async' },
    },
  );
  expectStatus(started, 202);
  const job = async () =>
    (await new RestClient(gateway.url).get(started.headers.get('location')!, { token: owner.token })).body.data;
  await until('rows are done', async () => (await job()).done_count > 50);
  await gateway.end('SIGKILL');
  gateway = await installation.start();
  const { done_count: done } = await job();
  expect([done > 50, done < documents.length]).toEqual([true, true]);
  await until('the import is done', async () => (await job()).status === 'DONE', TAKEN_OVER);
  expect(await job()).toMatchObject({ changed_count: documents.length, unchanged_count: 0, refused_count: 0 });
  const count = async (text: string) => (await database.rows<{ count: number }>(text))[0]?.count;
  expect(await count('select count(*)::int as count from document_version')).toBe(documents.length);
  expect(await count(`select count(*)::int as count from audit_entry where action = 'DOCUMENT_UPLOADED'`)).toBe(
    documents.length,
  );
  expect(await count(`select count(*)::int as count from audit_entry where action = 'IMPORT_ENDED'`)).toBe(1);
  expect(await rowsWithoutTheirBytes(database, installation.files)).toEqual([]);
  await until('the archive is gone', async () => (await storedBlobs(installation.files)).length === documents.length);
}, 600_000);
