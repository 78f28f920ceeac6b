import { beforeAll, describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { expectExactly, multipart, pagingCases, type Part } from '../support/rest.js';
import { buildWorkflow } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();

beforeAll(async () => {
  await buildWorkflow(gateway.app.database, testData.organizationId);
  for (const content of ['first', 'second', 'third']) expectData(await sendJson('A.5.1', text(content)), 201);
});

const root = () => `/api/v1/v-ciso/organizations/${testData.organizationId}`;
const versions = (artifact: string) => `${root()}/workflows/iso-27001-2022/documents/${artifact}/versions`;
const by = () => ({ token: testData.analyst.token });
const get = (path: string) => gateway.rest.get(path, by());
const sendBody = (artifact: string, type: string, body: string) =>
  gateway.rest.post(versions(artifact), { ...by(), headers: { 'content-type': type }, body });
const sendJson = (artifact: string, body: unknown) => sendBody(artifact, 'application/json', JSON.stringify(body));
const sendParts = (artifact: string, parts: Part[]) =>
  gateway.rest.post(versions(artifact), { ...by(), ...multipart(parts) });
const text = (content: string) => ({ filename: 'a.txt', content: Buffer.from(content).toString('base64') });

describe.each(['/documents', '/workflows/iso-27001-2022/documents/A.5.1/versions'])('the list %s', (path) => {
  pagingCases((query) => get(`${root()}${path}?${query}`));
});

test('the list of documents refuses unknown orders and times that are none with every error at once', async () => {
  const query = 'sort=size&created_from=2026-02-30T00:00:00Z&created_before=yesterday';
  expectError(await get(`${root()}/documents?${query}`), 400, [
    'sort must be one of created_at, -created_at, effective_at, -effective_at, original_name, -original_name',
    'created_from must be a date-time such as 2026-11-20T08:15:30Z',
    'created_before must be a date-time such as 2026-11-20T08:15:30Z',
  ]);
});

test('the list of documents refuses a time that ends before it begins', async () => {
  const query = 'created_from=2026-02-02T00:00:00Z&created_before=2026-02-01T00:00:00Z';
  expectError(await get(`${root()}/documents?${query}`), 400, ['created_before must be after created_from']);
});

test('PATCH refuses another id in its body, and without a body changes nothing', async () => {
  const { id } = expectData(await sendJson('A.5.2', text('unchanged')), 201);
  const path = `${root()}/documents/${id}`;
  expectError(await gateway.rest.patch(path, { ...by(), body: { id: 0 } }), 400, ['id cannot be changed']);
  const changed = expectData(await gateway.rest.patch(path, by()));
  expect(changed).toEqual({ ...expectData(await get(path)), download_url: changed.download_url });
});

describe('uploading a version', () => {
  test('answers 201 for a new content, 200 for one that exists, and nothing but the version', async () => {
    const answers = [await sendJson('A.5.3', text('twice')), await sendJson('A.5.3', text('twice'))] as const;
    for (const [index, status] of [201, 200].entries()) {
      const answer = answers[index]!;
      expectExactly(answer, status, { error: 0, messages: [], data: expectData(answer, status) });
    }
  });

  test('takes what is null in JSON for absent, as its description says', async () => {
    const sent = await sendJson('A.5.9', { ...text('null'), content_type: null, source: null });
    expect(expectData(sent, 201)).toMatchObject({ content_type: 'text/plain', source: 'attached' });
  });

  test('finds no control by an id that ends with NUL', async () => {
    expectError(await sendJson('A.5.1%00', text('x')), 404, [1004]);
  });

  test('is refused to a viewer before the body counts', async () => {
    const request = { headers: { 'content-type': 'application/json' }, body: '{not json' };
    const answer = await gateway.rest.post(versions('A.5.4'), { token: testData.viewer.token, ...request });
    expectError(answer, 403, [1003]);
  });

  test('reads base64 however JSON spells it, and in a form with escaped plus signs', async () => {
    const plain = Buffer.from('base64 with ÿþ¿ in it >>>???\n').toString('base64');
    expect(plain).toMatch(/\/.*=$/s);
    const { id } = expectData(await sendJson('A.5.5', { filename: 'a.txt', content: plain }), 201);
    for (const spelled of [
      plain.replaceAll('/', '\\/'),
      plain.replace(/^./, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
      plain.replace(/(.{5})/g, '$1\\r\\n'),
    ]) {
      const body = `{"filename":"a.txt","content":"${spelled}"}`;
      expect(expectData(await sendBody('A.5.5', 'application/json', body)).id).toBe(id);
    }
    const form = 'application/x-www-form-urlencoded';
    expectError(await sendBody('A.5.5', form, 'filename=a.txt&content=YWI+YWI+'), 400, ['Invalid base64 content']);
    expectStatus(await sendBody('A.5.5', form, `filename=a.txt&content=${encodeURIComponent(plain)}`), 200);
  });

  test.each<[string, unknown, string[]]>([
    ['nothing at all', {}, ['Missing content']],
    [
      'wrong types',
      { filename: 5, content: 'QQ==', content_type: [], source: {} },
      ['filename must be a string', 'content_type must be a string', 'source must be a string'],
    ],
    [
      'a name of GraphQL',
      { ...text('x'), contentType: 'text/plain', created_by: 'me' },
      ['contentType is not a known field', 'created_by is not a known field'],
    ],
    ['a NUL in the name', { ...text('x'), filename: 'a\0.txt' }, ['filename must not contain a NUL character']],
    ['a NUL in the content', { ...text('x'), content: 'QUI\0' }, ['Invalid base64 content']],
    ['bad base64 before bad fields', { filename: 5, content: '?' }, ['Invalid base64 content']],
    ['an array', [], ['The body must be a JSON object']],
    [
      'no name and an unknown source',
      { content: 'QQ==', source: 'Attached' },
      ['filename is required', 'source must be one of attached, generated, imported'],
    ],
    [
      'all that is wrong with a misspelt name',
      { fileName: 'a.txt', content: 'QQ==', source: 'Attached' },
      ['fileName is not a known field', 'filename is required', 'source must be one of attached, generated, imported'],
    ],
    [
      'a content that is none, without a name',
      { content: 5, source: 5 },
      ['content must be a string', 'source must be a string', 'filename is required'],
    ],
    ['a name of more than 64 KB', { ...text('x'), filename: 'x'.repeat(70_000) }, ['filename must not exceed 64 KB']],
  ])('refuses %s', async (_, body, messages) => {
    expectError(await sendJson('A.5.6', body), 400, messages);
    expect((await get(versions('A.5.6'))).body.total).toBe(0);
  });

  test.each<[string, string, string, string[]]>([
    ['what is no JSON', 'application/json', '{"content":"QQ==",', ['The body is not valid JSON']],
    ['an empty body', 'application/json', '', ['The body is not valid JSON']],
    [
      'content that is given twice',
      'application/json',
      '{"content":"QQ==","content":"QQ=="}',
      ['content must not be given twice'],
    ],
    ['an empty form', 'application/x-www-form-urlencoded', '', ['Missing content']],
    ['what is no form', 'multipart/form-data; boundary=x', 'x', ['The body is not valid multipart form data']],
    [
      'another content type',
      'text/plain',
      'x',
      ['Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data'],
    ],
    [
      'more than 256 KB around the content',
      'application/json',
      `{"filename":"a.txt",${' '.repeat(300 * 1024)}"content":"QQ=="}`,
      ['The body must not hold more than 256 KB besides the content'],
    ],
  ])('refuses %s', async (_, type, body, messages) => {
    expectError(await sendBody('A.5.6', type, body), 400, messages);
    expect((await get(versions('A.5.6'))).body.total).toBe(0);
  });

  test.each([
    ['form-data; name="file"; filename="a b.txt"', 'a b.txt'],
    ['form-data; name="file"; filename="a%22b%0D%0A.txt"', 'a"b.txt'],
    ['form-data; name="file"; filename="perché.txt"', 'perché.txt'],
    ['form-data; name="file"; filename="x.txt"; filename*=UTF-8\'\'perch%C3%A9.txt', 'perché.txt'],
    ['form-data; name="content"; filename="../up.txt"', 'up.txt'],
  ])('reads the name of a part with %s as %s', async (disposition, name) => {
    const answer = await sendParts('A.5.7', [{ name: '', disposition, type: 'text/plain', content: disposition }]);
    expect(expectData(answer, 201).original_name).toBe(name);
  });

  test('takes the fields of a form before what the part says, wherever they are in the form', async () => {
    const answer = await sendParts('A.5.8', [
      { name: 'filename', content: 'field.md' },
      { name: 'file', filename: 'part.bin', type: 'application/octet-stream', content: '# Title\n' },
      { name: 'content_type', content: 'text/markdown' },
    ]);
    expect(expectData(answer, 201)).toMatchObject({ original_name: 'field.md', content_type: 'text/markdown' });
  });
});
