import { describe, expect, test } from '@jest/globals';
import { allowedExtensions } from '../../src/values/file-types.js';
import { APIS, dataOf, uploadThrough, type Api } from '../support/apis.js';
import { mutation } from '../support/operations.js';
import { sha256Of } from '../support/bytes.js';
import { encodedTexts, hiddenMarkup } from '../support/encodings.js';
import { samples, sample, type SampleFile } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const { organizationId } = testData;
await buildWorkflow(gateway.app.database, organizationId, 'iso-27001-2022');
const incidentId = await buildIncident(gateway.app.database, organizationId);

const UPLOAD = mutation(
  'POST /api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}/documents/{artifact_id}/versions',
  'uploadDocumentVersion',
  'documentVersion { content_type: contentType original_name: filename size download_url: downloadUrl }',
);
const place = { organization_id: organizationId, workflow_id: 'iso-27001-2022', artifact_id: 'A.5.1' };
const upload = (api: Api, file: SampleFile) => uploadThrough(api, gateway, UPLOAD, place, file, testData.analyst.token);

describe.each(APIS)('through %s', (api) => {
  test.each(Object.entries(samples))('%s is stored, and its bytes stay as they are', async (_kind, file) => {
    const stored = dataOf(await upload(api, file));
    expect(stored).toMatchObject({ content_type: file.contentType, size: file.bytes.length });
    const answer = await fetch(stored.download_url);
    expect(sha256Of(Buffer.from(await answer.arrayBuffer()))).toBe(sha256Of(file.bytes));
  });

  test.each(encodedTexts)('a table in %s is stored, and its bytes stay as they are', async (_charset, bytes) => {
    const stored = dataOf(await upload(api, sample('assets.csv', 'text/csv', bytes)));
    const answer = await fetch(stored.download_url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test.each(hiddenMarkup)('markup in %s is refused', async (_where, bytes) => {
    expect(await upload(api, sample('notes.txt', 'text/plain', bytes))).toMatchObject({
      code: 'UNSUPPORTED_FILE_TYPE',
      messages: ['Unsupported file type'],
    });
  });
});

describe('a refusal names what is allowed', () => {
  const html = { name: 'a.html', type: 'text/html', bytes: Buffer.from('<html></html>') };
  const { token } = testData.owner;
  const all = allowedExtensions();

  async function restForm(method: string, path: string, part: string) {
    const form = new FormData();
    form.set(part, new File([html.bytes], html.name, { type: html.type }));
    const response = await fetch(gateway.url + path, { method, headers: { 'X-Service-Token': token }, body: form });
    return [response.status, response.headers.get('allowed-file-types')];
  }

  test('in a header of REST', async () => {
    const versions = `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/documents/A.5.1/versions`;
    const attachments = `/api/v1/v-ciso/incidents/${organizationId}/${incidentId}/attachments`;
    expect(await restForm('POST', versions, 'file')).toEqual([415, all.join(', ')]);
    expect(await restForm('POST', attachments, 'file')).toEqual([400, all.join(', ')]);
    expect(await restForm('POST', attachments, 'other')).toEqual([400, null]);
    const logos = 'png, jpg, jpeg, jpe, jfif, webp';
    expect(await restForm('PUT', `/api/v1/organizations/${organizationId}/logo`, 'logo')).toEqual([415, logos]);
  });

  test('in the extensions of GraphQL', async () => {
    const input = { organizationId, workflowId: 'iso-27001-2022', artifactId: 'A.5.1', file: null };
    const query = 'mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created } }';
    const { body } = await gateway.graphql.upload(query, { input }, 'variables.input.file', html, token);
    expect(body.errors?.[0]?.extensions).toEqual({
      code: 'UNSUPPORTED_FILE_TYPE',
      messages: ['Unsupported file type'],
      allowed: all,
    });
  });
});
