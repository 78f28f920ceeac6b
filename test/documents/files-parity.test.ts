import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inRestValues } from '../support/rest-values.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, withStory } from '../support/matchers.js';
import { samples } from '../support/sample-files.js';
import { buildIncident, buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { multipart } from '../support/rest.js';
import { callersOf, expectBothEnds, graphqlOutcome, restOutcome } from '../support/parity.js';

let gateway: TestGateway;
let testData: TestData;
let incident: number;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId);
  incident = await buildIncident(gateway.app.database, testData.organizationId);
});
afterAll(() => gateway.close());

const VERSION = `id: databaseId artifact_id: artifactId original_name: filename size content_type: contentType source
  created_by: createdBy { username } created_at: createdAt download_url: downloadUrl`;
const UPLOAD = `mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { created version { ${VERSION} } } }`;
const ATTACHMENT = `id: databaseId original_name: filename content_type: contentType size created_at: createdAt download_url: downloadUrl`;
const ATTACH = `mutation ($input: UploadIncidentAttachmentInput!) { uploadIncidentAttachment(input: $input) { attachment { ${ATTACHMENT} } } }`;

const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const key = (artifactId: string) => ({
  organizationId: testData.organizationId,
  workflowId: 'iso-27001-2022',
  artifactId,
});
const options = (token: string | undefined) => (token === undefined ? {} : { token });

type Fields = Record<string, unknown>;

function restUpload(artifact: string, body: Fields, token: string | undefined = testData.analyst.token) {
  const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/iso-27001-2022/documents/${artifact}/versions`;
  return gateway.rest.post(path, { ...options(token), body });
}

function graphqlUpload(
  artifact: string,
  { content_type, source, ...fields }: Fields,
  token: string | undefined = testData.analyst.token,
) {
  const input = {
    ...key(artifact),
    ...fields,
    ...(content_type !== undefined && { contentType: content_type }),
    ...(typeof source === 'string' && { source: source.toUpperCase() }),
  };
  return gateway.graphql.call(UPLOAD, { ...options(token), variables: { input } });
}

/** An address says when it expires, which may be a second later. */
const lasting = <Record extends { download_url: string }>(record: Record) => ({
  ...inRestValues(record),
  download_url: record.download_url.replace(/\?.*/, ''),
});

describe('a document', () => {
  test('sent through one API is the existing version of the other', async () => {
    const body = { filename: 'a.txt', content: base64('one content'), content_type: 'text/plain', source: 'generated' };
    const version = lasting(expectData(await restUpload('A.5.1', body), 201));
    const again = await graphqlUpload('A.5.1', body);
    withStory(again, () => {
      const { created, version: same } = again.body.data!.uploadDocumentVersion;
      expect([created, lasting(same)]).toEqual([false, version]);
    });
    const first = await graphqlUpload('A.5.2', body);
    expect(first.body.data?.uploadDocumentVersion.created).toBe(true);
    expect(lasting(expectData(await restUpload('A.5.2', body), 200))).toEqual(
      lasting(first.body.data!.uploadDocumentVersion.version),
    );
  });

  test('as a file of a form is the same version as in base64', async () => {
    const { filename, contentType, bytes } = samples.DOCX;
    const version = expectData(
      await restUpload('A.5.3', { filename, content: base64(bytes), content_type: contentType }),
      201,
    );
    const file = { name: filename, type: contentType, bytes };
    const variables = { input: { ...key('A.5.3'), file: null } };
    const answer = await gateway.graphql.upload(
      UPLOAD,
      variables,
      'variables.input.file',
      file,
      testData.analyst.token,
    );
    withStory(answer, () => {
      const { created, version: same } = answer.body.data!.uploadDocumentVersion;
      expect([created, lasting(same)]).toEqual([false, lasting(version)]);
    });
  });

  test('is read by GraphQL as REST answered it', async () => {
    const body = { filename: 'perché "x".txt', content: base64('read later'), content_type: 'text/plain' };
    const version = expectData(await restUpload('A.5.4', body), 201);
    const query = `query ($id: ID!) { documentVersion(id: $id) { ${VERSION} } }`;
    const data = await gateway.graphql.data(query, { token: testData.viewer.token, variables: { id: version.id } });
    expect(lasting(data.documentVersion)).toEqual(lasting(version));
  });

  const good = { filename: 'a.txt', content: base64('x'), content_type: 'text/plain' };
  const BAD: [string, Fields][] = [
    ['no content', { filename: 'a.txt' }],
    ['null content', { ...good, content: null }],
    ['empty content', { ...good, content: '' }],
    ['line breaks only', { ...good, content: '\r\n' }],
    ['a number for content', { ...good, content: 5 }],
    ['an array for content', { ...good, content: [] }],
    ...['Q', 'Q!==', 'QQ=', 'QQ===', '====', '=', 'QUJD=', 'a-b_', 'QQ QQ', 'QQ==QQ==', 'QQ==x', 'QQ\t==', 'è'].map(
      (content): [string, Fields] => [`"${content}"`, { ...good, content }],
    ),
    ['no name', { content: good.content }],
    ['null name', { ...good, filename: null }],
    ['blank name', { ...good, filename: ' ' }],
    ['wrong types', { ...good, filename: 5, content_type: {} }],
    ['unknown field', { ...good, sha256: 'x' }],
    ['a page', { ...good, filename: 'a.html', content_type: 'text/html', content: base64('<!doctype html><p>x') }],
    [
      'a program',
      { ...good, filename: 'a.exe', content: base64(Buffer.from('4d5a90000300000004000000ffff0000', 'hex')) },
    ],
    ['another type than it says', { filename: 'a.png', content: base64(samples.PDF.bytes), content_type: 'image/png' }],
    ['one byte too many', { ...good, content: base64(Buffer.alloc(10_485_761, 'line\n')) }],
  ];

  test.each(BAD)('%s has the same error through both APIs', async (_, fields) => {
    const notified = restOutcome(await restUpload('A.5.5', fields));
    expect(notified.code).not.toBe('OK');
    for (const answer of [await graphqlUpload('A.5.5', fields), await graphqlUpload('A.5.5', fields)]) {
      withStory(answer, () => expect(graphqlOutcome(answer)).toEqual(notified));
    }
  });

  test('left nothing where it was refused', async () => {
    expect(await gateway.app.database.rows(`select 1 from document_version where artifact_id = 'A.5.5'`)).toEqual([]);
  });

  test('is answered alike to every kind of caller, and where there is no such control', async () => {
    const codes = new Set<string>();
    for (const [name, token] of callersOf(testData)) {
      for (const artifact of ['A.5.6', 'A.99']) {
        const notified = restOutcome(
          await restUpload(artifact, { ...good, content: base64(`rest ${name}`) }, token ?? ''),
        );
        const answer = await graphqlUpload(artifact, { ...good, content: base64(`graphql ${name}`) }, token ?? '');
        withStory(answer, () => expect([name, artifact, graphqlOutcome(answer)]).toEqual([name, artifact, notified]));
        codes.add(notified.code);
      }
    }
    expectBothEnds(codes);
  });
});

describe('an attachment', () => {
  interface File {
    name: string;
    type: string;
    bytes: Uint8Array;
  }
  const rest = ({ name, type, bytes }: File, id = incident, token: string | undefined = testData.analyst.token) =>
    gateway.rest.post(`/api/v1/v-ciso/incidents/${testData.organizationId}/${id}/attachments`, {
      ...options(token),
      ...multipart([{ name: 'file', filename: name, type, content: bytes }]),
    });
  const graphql = (file: File, id = incident, token: string | undefined = testData.analyst.token) => {
    const variables = { input: { organizationId: testData.organizationId, incidentId: id, file: null } };
    return gateway.graphql.upload(ATTACH, variables, 'variables.input.file', file, token);
  };
  const text = (content: string) => ({ name: 'a.txt', type: 'text/plain', bytes: Buffer.from(content) });

  test('is one record but for its id and time', async () => {
    const one = lasting(expectData(await rest(text('attached')), 201));
    const answer = await graphql(text('attached'));
    withStory(answer, () => {
      const other = lasting(answer.body.data!.uploadIncidentAttachment.attachment);
      const { id, created_at } = other;
      expect(other).toEqual({ ...one, id, created_at, download_url: one.download_url.replace(/\d+$/, String(id)) });
    });
    const query = `query ($id: ID!) { incidentAttachment(id: $id) { ${ATTACHMENT} } }`;
    const data = await gateway.graphql.data(query, { token: testData.viewer.token, variables: { id: one.id } });
    expect(lasting(data.incidentAttachment)).toEqual(one);
  });

  test.each<[string, File]>([
    ['an empty file', text('')],
    ['a page', { name: 'a.html', type: 'text/html', bytes: Buffer.from('<!doctype html><p>x') }],
    ['a file that is not what it says', { name: 'a.png', type: 'image/png', bytes: samples.PDF.bytes }],
    ['one byte too many', { ...text(''), bytes: Buffer.alloc(26_214_401, 'line\n') }],
  ])('%s has the same error through both APIs', async (_, file) => {
    const notified = restOutcome(await rest(file));
    expect(notified.code).not.toBe('OK');
    for (const answer of [await graphql(file), await graphql(file)]) {
      withStory(answer, () => expect(graphqlOutcome(answer)).toEqual(notified));
    }
  });

  test('is answered alike to every kind of caller, and where there is no such incident', async () => {
    const codes = new Set<string>();
    for (const [name, token] of callersOf(testData)) {
      for (const id of [incident, 999_999]) {
        const notified = restOutcome(await rest(text(name), id, token ?? ''));
        const answer = await graphql(text(name), id, token ?? '');
        withStory(answer, () =>
          expect([name, id === incident, graphqlOutcome(answer)]).toEqual([name, id === incident, notified]),
        );
        codes.add(notified.code);
      }
    }
    expectBothEnds(codes);
  });
});
