import { beforeEach, describe, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { GraphQLResult } from '../support/clients.js';
import { openFilesBelow } from '../support/open-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildWorkflow } from '../support/test-data.js';
import { until } from '../support/until.js';

const BOUNDARY = 'the-line-between-the-parts';
const MEBIBYTE = 1024 * 1024;

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');

const UPLOAD = `mutation ($input: UploadDocumentVersionInput!) {
  uploadDocumentVersion(input: $input) { created documentVersion { filename size } } }`;
const input = (artifactId = '21.2.a') => ({
  organizationId: testData.organizationId,
  workflowId: 'nis2-directive',
  artifactId,
  file: null,
});
const operation = (variables: object = { input: input() }, query = UPLOAD) => JSON.stringify({ query, variables });
const MAP = '{"0":["variables.input.file"]}';

type Part = readonly [name: string, content: string | Buffer, filename?: string];
const field = (name: string, content: string): Part => [name, content];
const file = (name: string, content: string | Buffer, filename = 'notes.txt'): Part => [name, content, filename];

const bodyOf = (parts: readonly Part[]) =>
  Buffer.concat([
    ...parts.flatMap(([name, content, filename]) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
          `${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
      ),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

const HEADERS = {
  'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  'X-Service-Token': testData.analyst.token,
};

async function send(...parts: Part[]): Promise<[number, GraphQLResult]> {
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers: HEADERS, body: bodyOf(parts) });
  return [response.status, (await response.json()) as GraphQLResult];
}

const stored = () => gateway.app.database.rows('select 1 from document_version');
/** Names of received files, and of open files of this process (where the system shows them). */
async function receivedFiles(): Promise<string[]> {
  const folder = join(gateway.dataDir, 'files', 'staging');
  const present = await readdir(folder).catch(() => []);
  return [...present.filter((name) => name !== 'space-probe'), ...(await openFilesBelow(folder))];
}
const nothingStays = () => until('no received file is left', async () => (await receivedFiles()).length === 0);

beforeEach(() => gateway.app.database.rows('delete from document_version'));

describe('a form that is not right', () => {
  const refusals: Record<string, { parts: Part[]; message: string }> = {
    'two files of one name': {
      parts: [field('operations', operation()), field('map', MAP), file('0', 'one'), file('0', 'two')],
      message: '0 must not be given twice',
    },
    'a file that the map does not name': {
      parts: [field('operations', operation()), field('map', MAP), file('0', 'one'), file('1', 'two')],
      message: '1 is not in map',
    },
    'a file beside an operation that takes none': {
      parts: [
        field('operations', JSON.stringify({ query: 'mutation { createApiToken(input: { name: "x" }) { token } }' })),
        field('map', '{}'),
        file('0', 'one'),
      ],
      message: '0 is not in map',
    },
    'a text in the place of a file': {
      parts: [field('operations', operation()), field('map', MAP), field('0', 'one')],
      message: '0 must be a file',
    },
    'a second operation': {
      parts: [field('operations', operation()), field('map', MAP), field('operations', operation()), file('0', 'one')],
      message: 'operations is not in map',
    },
    'the map before the operation': {
      parts: [field('map', MAP), field('operations', operation()), file('0', 'one')],
      message: 'The parts must be operations, map and the files, in this order',
    },
    'a file before the map': {
      parts: [field('operations', operation()), file('0', 'one'), field('map', MAP)],
      message: 'The parts must be operations, map and the files, in this order',
    },
    'no part at all': { parts: [], message: 'The parts must be operations, map and the files, in this order' },
    'an operation that is no JSON': {
      parts: [field('operations', '{'), field('map', MAP)],
      message: 'operations is not valid JSON',
    },
    'an operation that is a text': {
      parts: [field('operations', '"{ __typename }"'), field('map', MAP)],
      message: 'operations must be a JSON object',
    },
    'a map that is a list': {
      parts: [field('operations', operation()), field('map', '[]')],
      message: 'map must be a JSON object',
    },
    'a map of no paths': {
      parts: [field('operations', operation()), field('map', '{"0":"variables.input.file"}')],
      message: 'map: 0 must be a list of paths',
    },
    'a map of a file to no place': {
      parts: [
        field('operations', operation()),
        field('map', '{"0":["variables.input.file"],"1":[]}'),
        file('0', 'one'),
      ],
      message: 'map: 1 must be a list of paths',
    },
    'a map to a place that is no variable': {
      parts: [
        field('operations', JSON.stringify({ ...JSON.parse(operation()), extensions: { file: null } })),
        field('map', '{"0":["variables.input.file"],"1":["extensions.file"]}'),
        file('0', 'one'),
        file('1', 'two'),
      ],
      message: 'map: extensions.file must be a place in variables',
    },
    'a map to a place that has a value': {
      parts: [field('operations', operation()), field('map', '{"0":["variables.input.artifactId"]}'), file('0', 'one')],
      message: 'map: operations must have null at variables.input.artifactId',
    },
    'a map to a place that is not there': {
      parts: [field('operations', operation()), field('map', '{"0":["variables.other.file"]}'), file('0', 'one')],
      message: 'map: operations must have null at variables.other.file',
    },
    'a map to the prototype of objects': {
      parts: [field('operations', operation()), field('map', '{"0":["variables.__proto__.file"]}'), file('0', 'one')],
      message: 'map: operations must have null at variables.__proto__.file',
    },
    'a map to one place twice': {
      parts: [
        field('operations', operation()),
        field('map', '{"0":["variables.input.file"],"1":["variables.input.file"]}'),
        file('0', 'one'),
        file('1', 'two'),
      ],
      message: 'map: operations must have null at variables.input.file',
    },
  };

  test.each(Object.entries(refusals))(
    'is answered with 400 and changes nothing: %s',
    async (_what, { parts, message }) => {
      const [status, { errors }] = await send(...parts);
      expect([status, errors?.[0]?.extensions]).toEqual([400, { code: 'BAD_USER_INPUT', messages: [message] }]);
      expect(await stored()).toEqual([]);
      await nothingStays();
    },
  );

  test('is answered with 400 where a part begins before the head of another has ended', async () => {
    const parts = bodyOf([field('operations', operation()), field('map', MAP), file('0', 'one')]);
    const body = Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data\r\n`), parts]);
    const { status } = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers: HEADERS, body });
    expect([status, await stored()]).toEqual([400, []]);
    await nothingStays();
  });

  test('shows what was done before it was found', async () => {
    const query = `mutation ($input: UploadDocumentVersionInput!) {
      createApiToken(input: { name: "made before" }) { apiToken { name } }
      uploadDocumentVersion(input: $input) { created } }`;
    const [status, { data, errors }] = await send(
      field('operations', operation({ input: input() }, query)),
      field('map', MAP),
      file('0', 'one'),
      file('0', 'two'),
    );
    expect([status, data]).toEqual([
      200,
      { createApiToken: { apiToken: { name: 'made before' } }, uploadDocumentVersion: null },
    ]);
    expect(errors?.[0]?.extensions.messages).toEqual(['0 must not be given twice']);
  });
});

describe('the cases of the multipart request specification', () => {
  test('one file', async () => {
    const [, { data }] = await send(field('operations', operation()), field('map', MAP), file('0', 'one'));
    expect(data.uploadDocumentVersion).toEqual({ created: true, documentVersion: { filename: 'notes.txt', size: 3 } });
    await nothingStays();
  });

  test('several files, given in another order than they are used', async () => {
    const query = `mutation ($one: UploadDocumentVersionInput!, $two: UploadDocumentVersionInput!) {
      one: uploadDocumentVersion(input: $one) { documentVersion { filename } }
      two: uploadDocumentVersion(input: $two) { documentVersion { filename } } }`;
    const [, { data }] = await send(
      field('operations', operation({ one: input('21.2.a'), two: input('21.2.b') }, query)),
      field('map', '{"b":["variables.two.file"],"a":["variables.one.file"]}'),
      file('b', Buffer.alloc(3 * MEBIBYTE, 'b\n'), 'b.txt'),
      file('a', 'a', 'a.txt'),
    );
    expect(data).toEqual({
      one: { documentVersion: { filename: 'a.txt' } },
      two: { documentVersion: { filename: 'b.txt' } },
    });
    await nothingStays();
  });

  test('one file in two places', async () => {
    const query = `mutation ($one: UploadDocumentVersionInput!, $two: UploadDocumentVersionInput!) {
      one: uploadDocumentVersion(input: $one) { documentVersion { size } } two: uploadDocumentVersion(input: $two) { documentVersion { size } } }`;
    const [, { data }] = await send(
      field('operations', operation({ one: input('21.2.a'), two: input('21.2.b') }, query)),
      field('map', '{"0":["variables.one.file","variables.two.file"]}'),
      file('0', Buffer.alloc(MEBIBYTE, 'x')),
    );
    const version = { size: MEBIBYTE };
    expect(data).toEqual({ one: { documentVersion: version }, two: { documentVersion: version } });
  });

  test('one file in a variable that several fields use, alone and in an object', async () => {
    const to = (artifactId: string) =>
      `organizationId: ${testData.organizationId}, workflowId: "nis2-directive", artifactId: "${artifactId}"`;
    const query = `mutation ($file: Upload!, $input: UploadDocumentVersionInput!) {
      one: uploadDocumentVersion(input: $input) { documentVersion { size } }
      again: uploadDocumentVersion(input: $input) { created documentVersion { size } }
      two: uploadDocumentVersion(input: { ${to('21.2.b')}, file: $file }) { documentVersion { size } }
      three: uploadDocumentVersion(input: { ${to('21.2.c')}, file: $file }) { documentVersion { size } } }`;
    const [, { data, errors }] = await send(
      field('operations', operation({ file: null, input: input('21.2.a') }, query)),
      field('map', '{"0":["variables.file","variables.input.file"]}'),
      file('0', Buffer.alloc(MEBIBYTE, 'x')),
    );
    const one = { documentVersion: { size: MEBIBYTE } };
    expect({ data, errors }).toEqual({ data: { one, again: { created: false, ...one }, two: one, three: one } });
    await nothingStays();
  });

  test('an operation as a file part of its own media type, as some clients send it', async () => {
    const form = new FormData();
    form.set('operations', new Blob([operation()], { type: 'application/json' }));
    form.set('map', new Blob([MAP], { type: 'application/json' }));
    form.set('0', new File(['one'], 'città "1".txt', { type: 'text/plain' }));
    const headers = { 'X-Service-Token': testData.analyst.token };
    const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: form });
    const { data } = (await response.json()) as GraphQLResult;
    expect(data.uploadDocumentVersion.documentVersion.filename).toBe('città "1".txt');
  });

  test('a file that never comes is missing, and several operations in one request are refused', async () => {
    const [, { errors }] = await send(field('operations', operation()), field('map', MAP));
    expect(errors?.[0]?.extensions).toEqual({ code: 'MISSING_CONTENT', messages: ['Missing content'] });
    const [status] = await send(
      field('operations', `[${operation()}]`),
      field('map', '{"0":["0.variables.input.file"]}'),
      file('0', 'one'),
    );
    expect(status).toBe(400);
    await nothingStays();
  });
});

test.each([10 * MEBIBYTE + 1, 26 * MEBIBYTE])('a document of %i bytes is refused with its own limit', async (bytes) => {
  const [, { errors }] = await send(
    field('operations', operation()),
    field('map', MAP),
    file('0', Buffer.alloc(bytes, 'x')),
  );
  const messages = ['File too large. Maximum size is 10 MB.'];
  expect(errors?.[0]?.extensions).toEqual({ code: 'FILE_TOO_LARGE', messages });
  await nothingStays();
});

test('a part that begins after the answer opens nothing, and neither does one whose client leaves', async () => {
  const begin = bodyOf([
    field('operations', operation({ input: { ...input(), organizationId: testData.otherOrganizationId } })),
    field('map', '{"0":["variables.input.file"],"1":[]}'),
    file('0', 'one'),
  ]).subarray(0, -`\r\n--${BOUNDARY}--\r\n`.length);
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined);
  const head = Object.entries({ ...HEADERS, Host: 'gateway', 'Content-Length': 8 * MEBIBYTE });
  socket.write(`POST /graphql HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  socket.write(begin);
  await new Promise((done) => socket.once('data', done));
  const late = `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="1"; filename="b.txt"\r\n\r\n`;
  await new Promise((done) => socket.write(late + 'x'.repeat(MEBIBYTE), done));
  socket.destroy();
  await nothingStays();
});
