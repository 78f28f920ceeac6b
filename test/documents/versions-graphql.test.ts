import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { withStory } from '../support/matchers.js';
import { sample, samples, type SampleFile } from '../support/sample-files.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

const FIELDS = `id: databaseId organization { id: databaseId name } workflowId artifactId filename size contentType source sha256 createdBy { username }
  createdAt effectiveAt downloadUrl`;
const UPLOAD = `mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) {
  created version { ${FIELDS} } } }`;

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId, 'iso-27001-2022');
  await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
});

afterAll(() => gateway?.close());

const place = (artifactId: string) => ({
  organizationId: testData.organizationId,
  workflowId: 'iso-27001-2022',
  artifactId,
});

function uploadFile(artifactId: string, file: SampleFile, extra: object = {}) {
  const input = { ...place(artifactId), ...extra, file: null };
  const part = { name: file.filename, type: file.contentType, bytes: file.bytes };
  return gateway.graphql.upload(UPLOAD, { input }, 'variables.input.file', part, testData.analyst.token);
}

function uploadText(input: object) {
  return gateway.graphql.call(UPLOAD, { token: testData.analyst.token, variables: { input } });
}

const text = (content: string) => sample('notes.txt', 'text/plain', content);

describe('uploading', () => {
  test('a part of a multipart request makes a version, with every field', async () => {
    const answer = await uploadFile('A.5.1', samples.PDF);
    const sha256 = createHash('sha256').update(samples.PDF.bytes).digest('hex');
    withStory(answer, () =>
      expect(answer.body.data.uploadDocumentVersion).toEqual({
        created: true,
        version: {
          id: expect.any(Number),
          organization: { id: testData.organizationId, name: 'First Organization' },
          workflowId: 'iso-27001-2022',
          artifactId: 'A.5.1',
          filename: 'policy.pdf',
          size: samples.PDF.bytes.length,
          contentType: 'application/pdf',
          source: 'ATTACHED',
          sha256,
          createdBy: { username: testData.analyst.username },
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          effectiveAt: null,
          downloadUrl: expect.stringContaining(`${gateway.url}/api/v1/downloads/documents/`),
        },
      }),
    );
    const { downloadUrl } = answer.body.data.uploadDocumentVersion.version;
    const download = await fetch(downloadUrl);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(samples.PDF.bytes);
  });

  test('base64 with line breaks and without padding makes the same version: content decides', async () => {
    const encoded = samples.PDF.bytes
      .toString('base64')
      .replace(/=+$/, '')
      .replaceAll(/(.{20})/g, '$1\r\n');
    const { body } = await uploadText({
      ...place('A.5.1'),
      content: encoded,
      filename: 'other.pdf',
      contentType: 'application/pdf',
    });
    const { created, version } = body.data.uploadDocumentVersion;
    expect(created).toBe(false);
    expect(version.filename).toBe('policy.pdf');
  });

  test('what is said goes before what the part says', async () => {
    const { body } = await uploadFile('A.5.2', text('Reviewed\n'), {
      filename: '../../etc/renamed.txt',
      source: 'IMPORTED',
      effectiveAt: '2026-01-01T01:00:00+01:00',
    });
    expect(body.data.uploadDocumentVersion.version).toMatchObject({
      filename: 'renamed.txt',
      source: 'IMPORTED',
      effectiveAt: '2026-01-01T00:00:00.000Z',
    });
  });

  test.each([
    ['nothing at all', {}, 'MISSING_CONTENT', ['Missing content']],
    ['empty content', { content: '', filename: 'a.txt' }, 'MISSING_CONTENT', ['Missing content']],
    ['what is no base64', { content: 'a*b=', filename: 'a.txt' }, 'INVALID_BASE64', ['Invalid base64 content']],
    ['the URL alphabet', { content: 'a-b_', filename: 'a.txt' }, 'INVALID_BASE64', ['Invalid base64 content']],
    ['content without a name', { content: 'YQ==' }, 'BAD_USER_INPUT', ['filename is required']],
    [
      'an unknown origin',
      { content: 'YQ==', filename: 'a.txt', source: 'stolen' },
      'BAD_USER_INPUT',
      ['source must be one of ATTACHED, GENERATED, IMPORTED'],
    ],
    [
      'a type that the content is not',
      { content: 'YQ==', filename: 'a.pdf', contentType: 'application/pdf' },
      'UNSUPPORTED_FILE_TYPE',
      ['Unsupported file type'],
    ],
  ])('refuses %s', async (_what, input, code, messages) => {
    const errors = await errorsTwice(gateway.graphql, UPLOAD, {
      token: testData.analyst.token,
      variables: { input: { ...place('A.5.3'), ...input } },
    });
    expect(errors[0]?.extensions).toMatchObject({ code, messages });
  });

  test('refuses a file and content together', async () => {
    const { body } = await uploadFile('A.5.3', samples.PDF, { content: 'YQ==' });
    expect(body.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      messages: ['content must not be given together with file'],
    });
  });

  test.each([
    ['an artifact that the workflow does not have', { artifactId: 'A.99.1' }],
    ['a workflow that was not taken up', { workflowId: 'incident-readiness', artifactId: 'IR-01' }],
    ['a workflow that nobody has', { workflowId: 'constructor' }],
  ])('finds no %s', async (_what, where) => {
    const { body } = await uploadText({ ...place('A.5.3'), ...where, content: 'YQ==', filename: 'a.txt' });
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });

  test('two uploads in one request each answer what is true after them', async () => {
    const upload = (content: string) =>
      `uploadDocumentVersion(input: { organizationId: ${testData.organizationId}, workflowId: "nis2-directive",
        artifactId: "21.2.a", filename: "a.txt", content: "${Buffer.from(content).toString('base64')}" }) {
        version { organization { documentVersions(filter: { workflowId: "nis2-directive" }) { totalCount } } } }`;
    const data = await gateway.graphql.data(`mutation { one: ${upload('first')} two: ${upload('second')} }`, {
      token: testData.analyst.token,
    });
    const totals = [data.one, data.two].map(({ version }) => version.organization.documentVersions.totalCount);
    expect(totals).toEqual([1, 2]);
  });

  test('takes five files in one request and not one more', async () => {
    const uploadMany = (artifactId: string, count: number) => {
      const names = Array.from({ length: count }, (_, index) => `file${index}`);
      const query = `mutation (${names.map((name) => `$${name}: UploadDocumentVersionInput!`).join(', ')}) {
        ${names.map((name) => `${name}: uploadDocumentVersion(input: $${name}) { version { filename size } }`).join(' ')} }`;
      const variables = Object.fromEntries(names.map((name) => [name, { ...place(artifactId), file: null }]));
      const files = names.map(
        (name, index) =>
          [
            `variables.${name}.file`,
            { name: `${name}.txt`, type: 'text/plain', bytes: Buffer.from('x'.repeat(1 + index)) },
          ] as const,
      );
      return gateway.graphql.uploadAll(query, variables, files, testData.analyst.token);
    };
    const taken = await uploadMany('A.5.9', 5);
    expect(taken.body.data).toEqual(
      Object.fromEntries(
        [1, 2, 3, 4, 5].map((size) => [`file${size - 1}`, { version: { filename: `file${size - 1}.txt`, size } }]),
      ),
    );
    const refused = await uploadMany('A.5.10', 6);
    expect([refused.status, refused.body.errors?.[0]?.extensions]).toEqual([
      400,
      { code: 'BAD_USER_INPUT', messages: ['The body is not a GraphQL multipart request within the limits'] },
    ]);
    const stored = `select 1 from document_version where artifact_id = 'A.5.10'`;
    expect(await gateway.app.database.rows(stored)).toEqual([]);
  });
});

describe('reading', () => {
  async function seeded(artifactId: string): Promise<number[]> {
    const ids: number[] = [];
    for (const content of ['one\n', 'two\n', 'three\n']) {
      const { body } = await uploadFile(artifactId, text(`${artifactId} ${content}`));
      ids.push(body.data.uploadDocumentVersion.version.id);
    }
    return ids;
  }

  const list = async (args: string, fields = 'totalCount nodes { id: databaseId }') => {
    const query = `query ($id: ID!) { organization(id: $id) { documentVersions${args} { ${fields} } } }`;
    const data = await dataTwice(gateway.graphql, query, {
      token: testData.viewer.token,
      variables: { id: testData.organizationId },
    });
    return data.organization.documentVersions;
  };

  test('lists the versions of an artifact newest first, and pages them both ways', async () => {
    const ids = await seeded('A.6.1');
    const filter = 'filter: { artifactId: "A.6.1" }';
    const all = await list(`(${filter})`, 'totalCount edges { cursor node { id: databaseId } }');
    expect(all.totalCount).toBe(3);
    expect(all.edges.map(({ node }: { node: { id: number } }) => node.id)).toEqual(ids.toReversed());
    const second = await list(`(${filter}, first: 1, after: "${all.edges[0].cursor}")`);
    expect(second).toEqual({ totalCount: 3, nodes: [{ id: ids[1] }] });
    const back = await list(`(${filter}, last: 1, before: "${all.edges[2].cursor}")`);
    expect(back).toEqual({ totalCount: 3, nodes: [{ id: ids[1] }] });
  });

  test('filters by workflow and artifact, both at once', async () => {
    await seeded('A.6.2');
    await expect(list('(filter: { workflowId: "nis2-directive", artifactId: "A.6.2" })')).resolves.toEqual({
      totalCount: 0,
      nodes: [],
    });
    expect((await list('(filter: { workflowId: "iso-27001-2022", artifactId: "A.6.2" })')).totalCount).toBe(3);
  });

  test('reads one alone, as the list has it', async () => {
    const [id] = await seeded('A.6.3');
    const { documentVersion } = await gateway.graphql.data(
      `query ($id: ID!) { documentVersion(id: $id) { ${FIELDS} } }`,
      {
        token: testData.viewer.token,
        variables: { id },
      },
    );
    const { organization } = await gateway.graphql.data(
      `query ($id: ID!) { organization(id: $id) { documentVersions(last: 1, filter: { artifactId: "A.6.3" }) { nodes { ${FIELDS} } } } }`,
      { token: testData.viewer.token, variables: { id: testData.organizationId } },
    );
    const [listed] = organization.documentVersions.nodes;
    // Addresses are signed until a moment, and the moments may differ.
    const address = { downloadUrl: expect.any(String) };
    expect(documentVersion).toEqual({ ...listed, ...address });
  });

  test('finds no version that is not there', async () => {
    const errors = await errorsTwice(gateway.graphql, '{ documentVersion(id: 2147483647) { id: databaseId } }', {
      token: testData.owner.token,
    });
    expect(errors[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });
});
