import { afterEach, expect, test } from '@jest/globals';
import { rename, rm, writeFile } from 'node:fs/promises';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { sample } from '../support/sample-files.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';
import {
  rowsWithoutTheirBytes,
  sha256Hex,
  stagedFiles,
  uploadText,
  versionRows,
  versionsPath,
} from './support/evidence.js';

const { gateway, testData } = await startSeededGateway();
const files = `${gateway.dataDir}/files`;
await buildWorkflow(gateway.app.database, testData.organizationId);
const incidentId = await buildIncident(gateway.app.database, testData.organizationId);
const notes = sample('notes.txt', 'text/plain', 'stored while all was well');

const upload = (text: string) =>
  uploadText(
    gateway.rest,
    { organizationId: testData.organizationId, artifactId: 'A.5.1', token: testData.analyst.token },
    text,
  );
expectStatus(await upload(notes.bytes.toString()), 201);

function attach() {
  const form = new FormData();
  form.set('file', new File([notes.bytes.toString()], notes.filename, { type: notes.contentType }));
  const path = `/api/v1/v-ciso/incidents/${testData.organizationId}/${incidentId}/attachments`;
  return gateway.rest.post(path, { token: testData.analyst.token, body: form });
}

async function readiness() {
  const answer = await fetch(`${gateway.url}/health/ready`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return { status: answer.status, ...((await answer.json()) as { checks: object }).checks };
}

/** A missing volume, and one whose mount point is replaced by something else. */
const away = () => rename(files, `${files}.away`);
const FAILURES = {
  'has been taken away': away,
  'has become a file': () => away().then(() => writeFile(files, 'no folder')),
};

afterEach(async () => {
  await rm(files, { force: true }).catch(() => undefined);
  await rename(`${files}.away`, files).catch(() => undefined);
});

for (const [what, fail] of Object.entries(FAILURES)) {
  test(`uploads are answered 503 and make no row while the folder of files ${what}`, async () => {
    const before = await versionRows(gateway.app.database);
    await fail();
    for (const answer of [await upload(`lost while the folder ${what}`), await attach()]) {
      expectError(answer, 503, []);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    expect(await versionRows(gateway.app.database)).toEqual(before);
    expect(await gateway.app.database.rows('select from incident_attachment')).toEqual([]);
  });

  test(`lists are read and the gateway is not ready while the folder of files ${what}`, async () => {
    await fail();
    const users = `/api/v1/organizations/${testData.organizationId}/users`;
    expect(expectData(await gateway.rest.get(users, { token: testData.officer.token }))).toHaveLength(5);
    const query = `query ($id: ID!) { organization(id: $id) { documentVersions(first: 5) { nodes { filename } } } }`;
    const variables = { id: testData.organizationId };
    const { organization } = await gateway.graphql.data(query, { token: testData.viewer.token, variables });
    expect(organization.documentVersions.nodes.length).toBeGreaterThan(0);
    expect(await readiness()).toEqual({ status: 503, database: 'up', storage: 'down' });
  });

  test(`all is well again when the folder of files ${what} and comes back`, async () => {
    await fail();
    expectError(await upload(`first try while the folder ${what}`), 503, []);
    await rm(files, { force: true });
    await rename(`${files}.away`, files);
    expectStatus(await upload(`second try after the folder ${what}`), 201);
    expect(await readiness()).toEqual({ status: 200, database: 'up', storage: 'up' });
    const stored = await versionRows(gateway.app.database);
    expect(stored.map(({ sha256 }) => sha256)).toContain(sha256Hex(`second try after the folder ${what}`));
    expect(await rowsWithoutTheirBytes(gateway.app.database, files)).toEqual([]);
    expect(await stagedFiles(files)).toEqual([]);
  });

  test(`a download is a 503, not an absent file, while the folder of files ${what}`, async () => {
    const version = expectData(await upload(notes.bytes.toString()));
    await fail();
    const path = (version.download_url as string).slice(gateway.url.length);
    const answer = await gateway.rest.get(path);
    expectError(answer, 503, []);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    for (const name of ['etag', 'content-disposition']) expect(answer.headers.get(name)).toBe(null);
  });
}

test('a content of two fields is refused where the folder of files goes away after it was received', async () => {
  const { organizationId, owner } = testData;
  const input = { organizationId, workflowId: 'iso-27001-2022', artifactId: 'A.5.1', filename: 'shared.txt' };
  const query = `mutation ($input: UploadDocumentVersionInput!) {
    one: uploadDocumentVersion(input: $input) { created } two: uploadDocumentVersion(input: $input) { created } }`;
  const variables = { input: { ...input, content: Buffer.alloc(100_000, 'shared ').toString('base64') } };
  const { answer } = await gateway.app.database.transaction(async (tx) => {
    await tx.rows('lock table organization_workflow in access exclusive mode');
    const answer = gateway.graphql.call(query, { token: owner.token, variables });
    await someoneWaits(tx);
    await away();
    return { answer };
  });
  expect((await answer).body.errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
});

test('a version whose artifact does not exist is refused before the storage is used', async () => {
  await away();
  const place = { organizationId: testData.organizationId, artifactId: 'A.9.9' };
  const answer = await gateway.rest.post(versionsPath(place), { token: testData.analyst.token, body: {} });
  expectError(answer, 404, [1004]);
});
