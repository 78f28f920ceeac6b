import { expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { sha256Of } from '../support/bytes.js';
import type { GraphQLResult } from '../support/clients.js';
import { samples } from '../support/sample-files.js';
import { buildWorkflow } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

const UPLOAD = `mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) {
  created documentVersion { organization { id: databaseId name } workflowId source effectiveAt } } }`;

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'iso-27001-2022');
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');

const place = (artifactId: string) => ({
  organizationId: testData.organizationId,
  workflowId: 'iso-27001-2022',
  artifactId,
});

function uploadFile(artifactId: string, extra: object = {}) {
  const { filename: name, contentType: type, bytes } = samples.PDF;
  const input = { ...place(artifactId), ...extra, file: null };
  return gateway.graphql.upload(
    UPLOAD,
    { input },
    'variables.input.file',
    { name, type, bytes },
    testData.analyst.token,
  );
}

test('an upload says when the evidence was true, and shows its organization and workflow', async () => {
  const { body } = await uploadFile('A.5.1', { source: 'IMPORTED', effectiveAt: '2026-01-01T01:00:00+01:00' });
  expect(body.data.uploadDocumentVersion).toEqual({
    created: true,
    documentVersion: {
      organization: { id: testData.organizationId, name: 'First Organization' },
      workflowId: 'iso-27001-2022',
      source: 'IMPORTED',
      effectiveAt: '2026-01-01T00:00:00.000Z',
    },
  });
});

test('an upload without a file and without content is refused, and one with both', async () => {
  const options = { token: testData.analyst.token, variables: { input: place('A.5.2') } };
  const missing = { code: 'MISSING_CONTENT', messages: ['Missing content'] };
  expect((await errorsTwice(gateway.graphql, UPLOAD, options))[0]?.extensions).toMatchObject(missing);
  const { body } = await uploadFile('A.5.2', { content: 'YQ==' });
  expect(body.errors?.[0]?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    fields: [{ path: ['input', 'content'], message: 'content must not be given together with file' }],
  });
});

test('an upload without a name says which field is missing', async () => {
  const variables = { input: { ...place('A.5.2'), content: 'YQ==' } };
  const [error] = await errorsTwice(gateway.graphql, UPLOAD, { token: testData.analyst.token, variables });
  expect(error?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    fields: [{ path: ['input', 'filename'], message: 'filename is required' }],
  });
});

test('two uploads in one request each answer what is true after them', async () => {
  const upload = (content: string) =>
    `uploadDocumentVersion(input: { organizationId: ${testData.organizationId}, workflowId: "nis2-directive",
      artifactId: "21.2.a", filename: "a.txt", content: "${Buffer.from(content).toString('base64')}" }) {
      documentVersion { organization { documentVersions(filter: { workflowId: "nis2-directive" }) { totalCount } } } }`;
  const data = await gateway.graphql.data(`mutation { one: ${upload('first')} two: ${upload('second')} }`, {
    token: testData.analyst.token,
  });
  const totals = [data.one, data.two].map(
    ({ documentVersion }) => documentVersion.organization.documentVersions.totalCount,
  );
  expect(totals).toEqual([1, 2]);
});

/** Posts a raw body; a stream has no length. */
async function post(body: string, isStream = false, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Service-Token': testData.analyst.token, ...headers },
    ...(isStream ? { body: new Blob([body]).stream(), duplex: 'half' } : { body }),
  } as RequestInit);
  return (await response.json()) as GraphQLResult;
}

test('a long content may be spelled as JSON allows, and be used by several uploads', async () => {
  const bytes = Buffer.alloc(200_000, 'a long text ÿþ¿ >>>???\n');
  const content = bytes.toString('base64').replaceAll(/(.{76})/g, '$1\r\n');
  const upload = (name: string, artifactId: string) =>
    `${name}: uploadDocumentVersion(input: { organizationId: ${testData.organizationId}, workflowId: "nis2-directive",
      artifactId: "${artifactId}", filename: "a.txt", content: $content }) { documentVersion { size sha256 } }`;
  const query = `mutation ($content: String!) { ${upload('one', '21.2.b')} ${upload('two', '21.2.c')} }`;
  const body = JSON.stringify({ variables: { content }, query }).replaceAll('/', '\\/').replaceAll('+', '\\u002b');
  const version = { size: bytes.length, sha256: sha256Of(bytes) };
  for (const isStream of [false, true])
    expect((await post(body, isStream)).data).toEqual({
      one: { documentVersion: version },
      two: { documentVersion: version },
    });
});

test('a long content with an idempotency key is stored once, however the request is sent', async () => {
  const query = UPLOAD;
  const send = (text: string, isStream: boolean) => {
    const input = { ...place('A.7.1'), filename: 'a.txt', content: Buffer.alloc(100_000, text).toString('base64') };
    return post(JSON.stringify({ query, variables: { input } }), isStream, { 'Idempotency-Key': 'a-long-content' });
  };
  const first = await send('first ', false);
  expect(first.data.uploadDocumentVersion.created).toBe(true);
  expect(await send('first ', true)).toEqual(first);
  expect((await send('other ', false)).errors?.[0]?.extensions.reason).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('a long text that is called content and is no base64 is what it is', async () => {
  const query =
    'mutation ($content: String!, $id: ID!) { importWorkflow(input: { organizationId: $id, text: $content }) { workflowImport { id } } }';
  const content = `key: own\ntitle: Own\n# ${'Not base64. '.repeat(10_000)}`;
  const { errors } = await post(JSON.stringify({ query, variables: { content, id: testData.organizationId } }), false, {
    'X-Service-Token': testData.owner.token,
  });
  expect(errors?.[0]?.extensions.messages).toContain('workflow (line 1): unknown key title');
});

test('one request takes five files and no more', async () => {
  const uploadMany = (artifactId: string, count: number) => {
    const names = Array.from({ length: count }, (_, index) => `file${index}`);
    const query = `mutation (${names.map((name) => `$${name}: UploadDocumentVersionInput!`).join(', ')}) {
      ${names.map((name) => `${name}: uploadDocumentVersion(input: $${name}) { documentVersion { filename size } }`).join(' ')} }`;
    const variables = Object.fromEntries(names.map((name) => [name, { ...place(artifactId), file: null }]));
    const files = names.map((name, index) => {
      const bytes = Buffer.from('x'.repeat(1 + index));
      return [`variables.${name}.file`, { name: `${name}.txt`, type: 'text/plain', bytes }] as const;
    });
    return gateway.graphql.uploadAll(query, variables, files, testData.analyst.token);
  };
  expect((await uploadMany('A.5.3', 5)).body.data).toEqual(
    Object.fromEntries(
      [1, 2, 3, 4, 5].map((size) => [
        `file${size - 1}`,
        { documentVersion: { filename: `file${size - 1}.txt`, size } },
      ]),
    ),
  );
  const refused = await uploadMany('A.5.4', 6);
  expect([refused.status, refused.body.errors?.[0]?.extensions]).toEqual([
    400,
    { code: 'BAD_USER_INPUT', messages: ['map must not have more than 5 files'] },
  ]);
  const stored = `select 1 from document_version where artifact_id = 'A.5.4'`;
  expect(await gateway.app.database.rows(stored)).toEqual([]);
});

test('the versions of an artifact are paged by cursor in both directions', async () => {
  const ids: number[] = [];
  for (const content of ['b25l', 'dHdv', 'dGhyZWU=']) {
    const { uploadDocumentVersion } = await gateway.graphql.data(
      'mutation ($input: UploadDocumentVersionInput!) { uploadDocumentVersion(input: $input) { documentVersion { databaseId } } }',
      { token: testData.analyst.token, variables: { input: { ...place('A.6.1'), content, filename: 'a.txt' } } },
    );
    ids.unshift(uploadDocumentVersion.documentVersion.databaseId);
  }
  const list = async (args: string, fields = 'totalCount nodes { id: databaseId }') => {
    const query = `query ($id: ID!) { organization(id: $id) { documentVersions(filter: { artifactId: "A.6.1" }${args}) { ${fields} } } }`;
    const variables = { id: testData.organizationId };
    return (await dataTwice(gateway.graphql, query, { token: testData.viewer.token, variables })).organization
      .documentVersions;
  };
  const { edges } = await list('', 'edges { cursor node { id: databaseId } }');
  expect(edges.map(({ node }: { node: { id: number } }) => node.id)).toEqual(ids);
  const middle = { totalCount: 3, nodes: [{ id: ids[1] }] };
  expect(await list(`, first: 1, after: "${edges[0].cursor}"`)).toEqual(middle);
  expect(await list(`, last: 1, before: "${edges[2].cursor}"`)).toEqual(middle);
});

test('no version is found by an id that does not exist', async () => {
  const errors = await errorsTwice(gateway.graphql, '{ documentVersion(id: 2147483647) { id: databaseId } }', {
    token: testData.owner.token,
  });
  expect(errors[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
});
