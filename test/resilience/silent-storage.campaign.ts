import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { startS3, type S3Service } from '../support/s3.js';
import { multipart } from '../support/rest.js';
import { sample, samples } from '../support/sample-files.js';
import { buildIncident, buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { versionRows } from './support/evidence.js';

/**
 * Number of storage requests without a response during one request of the gateway. Each has a timeout of 8 seconds by
 * default, so that three of them leave time to respond within 30 seconds.
 */
const UNANSWERED = 1;
const PATH = '/api/v1/v-ciso/organizations/{organization_id}';
const OPERATIONS = {
  upload: mutation(
    `POST ${PATH}/workflows/{workflow_id}/documents/{artifact_id}/versions`,
    'uploadDocumentVersion',
    'documentVersion { id: databaseId download_url: downloadUrl } created',
  ),
  remove: mutation(`DELETE ${PATH}/documents/{id}`, 'deleteDocumentVersion', 'documentVersion { id: databaseId }', {
    id: 'documentVersionId',
  }),
} satisfies Record<string, Operation>;

let service: S3Service;
let gateway: TestGateway;
let testData: TestData;
let incidentId: number;

beforeAll(async () => {
  service = await startS3();
  gateway = await startGateway({ config: { storageUrl: service.url, storageSilenceSeconds: 0.5 } });
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId);
  incidentId = await buildIncident(gateway.app.database, testData.organizationId);
});
afterAll(async () => {
  service?.release();
  await gateway?.close();
  await service?.stop();
});
afterEach(() => service.release());

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object) =>
    callThrough(
      api,
      gateway,
      OPERATIONS[name],
      { organization_id: testData.organizationId, ...input },
      testData.analyst.token,
    );
  const upload = (text: string) =>
    call('upload', {
      ...{ workflow_id: 'iso-27001-2022', artifact_id: 'A.5.1', filename: 'a.txt' },
      content: Buffer.from(`${text} ${api}`).toString('base64'),
    });

  test.each(['HEAD', 'PUT'])('an upload is UNAVAILABLE and makes no row when no %s is answered', async (method) => {
    const before = await versionRows(gateway.app.database);
    service.suspend(method);
    expectFailure(await upload(`swallowed ${method}`), 'UNAVAILABLE', []);
    expect(service.suspended()).toBe(UNANSWERED);
    expect(await versionRows(gateway.app.database)).toEqual(before);
    service.release();
    dataOf(await upload(`swallowed ${method}`));
  });

  test.each(['GET', 'DELETE'])(
    'a deletion is done when no %s is answered, and leaves bytes for a sweep',
    async (method) => {
      const { id } = dataOf(await upload(`deleted ${method}`));
      service.suspend(method);
      dataOf(await call('remove', { id }));
      expect(service.suspended()).toBeGreaterThan(0);
      expect(service.suspended()).toBe(UNANSWERED);
    },
  );

  test('a download is a 503 when no GET is answered', async () => {
    const { download_url: url } = dataOf(await upload('downloaded'));
    service.suspend('GET');
    const answer = await gateway.rest.get((url as string).slice(gateway.url.length));
    expectError(answer, 503, []);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(service.suspended()).toBe(UNANSWERED);
  });
});

test.each(['HEAD', 'PUT'])('attachments and logos are a 503 when no %s is answered', async (method) => {
  service.suspend(method);
  const notes = sample('notes.txt', 'text/plain', `attached ${method}`);
  const form = new FormData();
  form.set('file', new File([notes.bytes.toString()], notes.filename, { type: notes.contentType }));
  const attachments = `/api/v1/v-ciso/incidents/${testData.organizationId}/${incidentId}/attachments`;
  expectError(await gateway.rest.post(attachments, { token: testData.analyst.token, body: form }), 503, []);
  const { filename, contentType: type, bytes: content } = samples.PNG;
  const logo = multipart([{ name: 'logo', filename, type, content }]);
  const path = `/api/v1/organizations/${testData.organizationId}/logo`;
  expectError(await gateway.rest.call('PUT', path, { token: testData.owner.token, ...logo }), 503, []);
  expect(service.suspended()).toBe(2 * UNANSWERED);
});

test('a gateway starts while the service answers nothing, says that it is not ready, and serves the rest', async () => {
  for (const method of ['GET', 'HEAD']) {
    service.suspend(method);
    const other = await startGateway({ config: { storageUrl: service.url, storageSilenceSeconds: 0.5 } });
    try {
      const people = await seedTestData(other.app.database);
      const users = `/api/v1/organizations/${people.organizationId}/users`;
      expectData(await other.rest.get(users, { token: people.officer.token }));
      expect((await fetch(`${other.url}/health/ready`)).status).toBe(method === 'HEAD' ? 503 : 200);
    } finally {
      await other.close();
    }
  }
});
