import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { basename } from 'node:path';
import type { Answer, Envelope } from '../support/clients.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';
import { sha256Of } from '../support/bytes.js';
import { samples, type SampleFile } from '../support/sample-files.js';
import {
  buildIncident,
  buildOrganization,
  buildWorkflow,
  seedTestData,
  join,
  type TestData,
} from '../support/test-data.js';
import { eventually, multipart, personOf, rawRequest, rolesFrom, type Part } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
const TEN_MB = 10_485_760;

const pathOf = (artifact: string, workflow = 'iso-27001-2022', organization = testData.organizationId) =>
  `/api/v1/v-ciso/organizations/${organization}/workflows/${workflow}/documents/${artifact}/versions`;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId);
});
afterAll(() => gateway.close());

type Send = (artifact: string, content: Buffer, fields?: Record<string, string>) => Promise<Answer<Envelope>>;

const sendBody = (artifact: string, type: string, body: string | Buffer) =>
  gateway.rest.post(pathOf(artifact), { token: testData.analyst.token, headers: { 'content-type': type }, body });
const sendJson = (artifact: string, body: unknown) => sendBody(artifact, 'application/json', JSON.stringify(body));
const sendParts = (artifact: string, parts: Part[]) =>
  gateway.rest.post(pathOf(artifact), { token: testData.analyst.token, ...multipart(parts) });
const text = (content: string, filename = 'a.txt') => ({
  filename,
  content: base64(content),
  content_type: 'text/plain',
});
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');

const FIELDS = { filename: 'log.txt', content_type: 'text/plain' };

/** One content in each of the forms of specification 4.2. */
const FORMS: [string, Send][] = [
  ['JSON', (artifact, content, fields = FIELDS) => sendJson(artifact, { ...fields, content: base64(content) })],
  [
    'urlencoded',
    (artifact, content, fields = FIELDS) =>
      sendBody(
        artifact,
        'application/x-www-form-urlencoded',
        new URLSearchParams({ ...fields, content: base64(content) }).toString(),
      ),
  ],
  [
    'multipart with base64',
    (artifact, content, fields = FIELDS) =>
      sendParts(
        artifact,
        Object.entries({ ...fields, content: base64(content) }).map(([name, value]) => ({ name, content: value })),
      ),
  ],
  [
    'multipart with a file',
    (artifact, content, { filename = '', content_type = '', ...fields } = FIELDS) =>
      sendParts(artifact, [
        { name: 'file', filename, type: content_type, content },
        ...Object.entries(fields).map(([name, value]) => ({ name, content: value })),
      ]),
  ],
];

interface Facts {
  artifact: string;
  name: string;
  content: Buffer;
  type: string;
  source?: string;
}

/** The exact text of the answer, its id and time as the answer has them. */
function expectVersion(answer: Answer<Envelope>, status: number, facts: Facts): number {
  expectStatus(answer, status);
  const { id, created_at, download_url } = answer.body.data as { id: number; created_at: string; download_url: string };
  withStory(answer, () => {
    expect(Number.isInteger(id)).toBe(true);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(download_url.replace(/\?.*/, '')).toBe(`${gateway.url}/api/v1/downloads/documents/${id}`);
    const data = {
      id,
      artifact_id: facts.artifact,
      original_name: facts.name,
      size: facts.content.length,
      content_type: facts.type,
      source: facts.source ?? 'attached',
      created_by: testData.analyst.username,
      created_at,
      download_url,
    };
    expect(answer.text).toBe(JSON.stringify({ error: 0, messages: [], data }));
  });
  return id;
}

const fetchBytes = (url: string) => rawRequest(gateway.url, 'GET', url.slice(gateway.url.length));
const filesDir = () => fileURLToPath(gateway.config.storageUrl.replace('file:', 'file://'));
async function isStored(content: string | Buffer): Promise<boolean> {
  const hash = sha256Of(content);
  const names = (await readdir(filesDir(), { recursive: true })).map((name) => basename(name));
  return names.includes(hash);
}
const versions = async (artifact: string) => {
  const rows = await gateway.app.database.rows<{ id: number }>(
    'select id from document_version where artifact_id = $1 order by id',
    [artifact],
  );
  return rows.map(({ id }) => id);
};

describe('who uploads', () => {
  test('is an analyst or ranks above one', async () => {
    for (const role of rolesFrom('SECURITY_ANALYST')) {
      const { token, username } = personOf(testData, role);
      const answer = await gateway.rest.post(pathOf('A.5.2'), { token, body: text(`by ${role}`) });
      expect(expectData(answer, 201).created_by).toBe(username);
    }
    const answer = await gateway.rest.post(pathOf('A.5.2'), {
      token: testData.tokens.writeOnly,
      body: text('write only'),
    });
    expectStatus(answer, 201);
  });

  test('uploads to a control of a workflow that the organization has taken up, and to nothing else', async () => {
    for (const path of [
      pathOf('A.99.1'),
      pathOf('a.5.1'),
      pathOf('A.5.1%20'),
      pathOf('A.5.1%00'),
      pathOf('A.5.1', 'nis2-directive'),
      pathOf('21.2.a', 'nis2-directive'),
      pathOf('A.5.1', 'nothing'),
      pathOf('A.5.1', 'ISO-27001-2022'),
      pathOf('A.5.1', '__proto__'),
      pathOf('A.5.1', 'x'.repeat(300)),
    ]) {
      const answer = await gateway.rest.post(path, { token: testData.analyst.token, body: text('x') });
      expect([path, answer.status, answer.text]).toEqual([path, 404, '{"error":1,"messages":[1004]}']);
    }
    expect(await isStored('x')).toBe(false);
  });

  test('is refused before the body counts', async () => {
    const answer = await gateway.rest.post(pathOf('A.5.2'), {
      token: testData.viewer.token,
      headers: { 'content-type': 'application/json' },
      body: '{not json',
    });
    expectError(answer, 403, [1003]);
  });

  test('finds nothing in an organization that is deleted', async () => {
    const { database } = gateway.app;
    const gone = await buildOrganization(database, 'Gone');
    await join(database, testData.owner, gone, 'ORGANIZATION_OWNER');
    await buildWorkflow(database, gone);
    await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    const path = pathOf('A.5.1', 'iso-27001-2022', gone);
    expectError(await gateway.rest.post(path, { token: testData.owner.token, body: text('x') }), 404, [1004]);
  });
});

describe.each(FORMS)('as %s', (form, send) => {
  const artifact = `A.5.${10 + FORMS.findIndex(([name]) => name === form)}`;

  test('a new content is a new version, and its bytes come back', async () => {
    const content = Buffer.from(`first content as ${form}\n`);
    const facts = { artifact, name: 'log.txt', content, type: 'text/plain' };
    const answer = await send(artifact, content);
    const id = expectVersion(answer, 201, facts);
    expect((await fetchBytes(answer.body.data.download_url)).bytes.equals(content)).toBe(true);
    expect(expectVersion(await send(artifact, content), 200, facts)).toBe(id);
    expect(
      expectVersion(
        await send(artifact, content, { ...FIELDS, filename: 'other.txt', source: 'imported' }),
        200,
        facts,
      ),
    ).toBe(id);
    expect(await versions(artifact)).toEqual([id]);
  });

  test('10,485,760 bytes are accepted and one more is refused', async () => {
    const content = Buffer.alloc(TEN_MB, `line of ${form}\n`);
    expectVersion(await send(artifact, content), 201, { artifact, name: 'log.txt', content, type: 'text/plain' });
    const more = Buffer.alloc(TEN_MB + 1, `line of ${form}\n`);
    expectError(await send(artifact, more), 413, ['File too large. Maximum size is 10 MB.']);
    expect(await isStored(more)).toBe(false);
  });

  test('each source is accepted, and no other', async () => {
    for (const source of ['attached', 'generated', 'imported']) {
      const content = Buffer.from(`${form} ${source}`);
      const answer = await send(artifact, content, { ...FIELDS, source });
      expectVersion(answer, 201, { artifact, name: 'log.txt', content, type: 'text/plain', source });
    }
    expectError(await send(artifact, Buffer.from('x'), { ...FIELDS, source: 'Attached' }), 400, [
      'source must be one of attached, generated, imported',
    ]);
  });

  test('an empty content is missing', async () => {
    expectError(await send(artifact, Buffer.alloc(0)), 400, ['Missing content']);
  });

  test('a file that is not what its name or type says is refused', async () => {
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    for (const fields of [
      { filename: 'a.html', content_type: 'text/html' },
      { filename: 'a.txt', content_type: 'text/html' },
      { filename: 'a.svg', content_type: 'image/svg+xml' },
      { filename: 'a.pdf', content_type: 'application/pdf' },
      { filename: 'a.exe', content_type: 'text/plain' },
    ]) {
      expectError(await send(artifact, html, fields), 415, ['Unsupported file type']);
    }
    expectError(await send(artifact, samples.PDF.bytes, { filename: 'a.png', content_type: 'image/png' }), 415, [
      'Unsupported file type',
    ]);
    expect(await isStored(html)).toBe(false);
  });

  test('a field that is not known is an error', async () => {
    expectError(await send(artifact, Buffer.from('x'), { ...FIELDS, contentType: 'text/plain' }), 400, [
      'contentType is not a known field',
    ]);
  });
});

test.each(Object.entries(samples))(
  'accepts %s under its own media type',
  async (kind, { filename, contentType, bytes }: SampleFile) => {
    const artifact = `A.7.${1 + (Object.keys(samples).indexOf(kind) % 14)}`;
    const answer = await sendJson(artifact, { filename, content: bytes.toString('base64'), content_type: contentType });
    expectVersion(answer, 201, { artifact, name: filename, content: bytes, type: contentType });
  },
);

describe('base64', () => {
  const artifact = 'A.6.1';
  const body = (content: string) =>
    sendBody(artifact, 'application/json', `{"filename":"a.txt","content":"${content}"}`);
  const content = Buffer.from('base64 with ÿþ¿ in it >>>???\n');
  const plain = content.toString('base64');
  const facts = { artifact, name: 'a.txt', content, type: 'text/plain' };

  test('is one content with padding or without, with line breaks, and however JSON spells it', async () => {
    expect(plain).toMatch(/\/.*=$/s);
    const id = expectVersion(await body(plain), 201, facts);
    for (const spelled of [
      plain.replaceAll('=', ''),
      plain.replace(/(.{4})/g, '$1\\n'),
      plain.replace(/(.{5})/g, '$1\\r\\n'),
      plain.replaceAll('/', '\\/'),
      plain.replace(/^./, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
      `${plain}\\n`,
    ]) {
      expect(expectVersion(await body(spelled), 200, facts)).toBe(id);
    }
  });

  test.each([
    '!',
    'QQ QQ',
    'Q',
    'QUJDR',
    'QQ=',
    'QQ===',
    'Q=Q=',
    '=',
    'QUJD=',
    'QUJDQQ==QUJD',
    'ab-_',
    'QUI\\u0000',
    'QU\\tI',
    'è',
  ])('"%s" is none', async (wrong) => {
    expectError(await body(wrong), 400, ['Invalid base64 content']);
  });

  test('in a form needs its plus signs escaped', async () => {
    const type = 'application/x-www-form-urlencoded';
    expectError(await sendBody(artifact, type, 'filename=a.txt&content=YWI+YWI+'), 400, ['Invalid base64 content']);
    expectStatus(await sendBody(artifact, type, `filename=a.txt&content=${encodeURIComponent(plain)}`), 200);
  });
});

describe('errors', () => {
  const artifact = 'A.6.2';
  test.each<[string, unknown, string[]]>([
    ['no content', { filename: 'a.txt' }, ['Missing content']],
    ['null for content', { filename: 'a.txt', content: null }, ['Missing content']],
    ['nothing at all', {}, ['Missing content']],
    ['only line breaks', { filename: 'a.txt', content: '\r\n' }, ['Missing content']],
    ['a number for content', { filename: 'a.txt', content: 5 }, ['content must be a string']],
    ['no name', { content: 'QQ==' }, ['filename is required']],
    ['a blank name', { filename: ' ', content: 'QQ==' }, ['filename is required']],
    [
      'wrong types',
      { filename: 5, content: 'QQ==', content_type: [], source: {} },
      ['filename must be a string', 'content_type must be a string', 'source must be a string'],
    ],
    ['a NUL in the name', { filename: 'a\0.txt', content: 'QQ==' }, ['filename must not contain a NUL character']],
    ['an unknown field', { filename: 'a.txt', content: 'QQ==', created_by: 'me' }, ['created_by is not a known field']],
    ['bad base64 before bad fields', { filename: 5, content: '?' }, ['Invalid base64 content']],
    ['an array', [], ['The body must be a JSON object']],
    [
      'no name and an unknown source',
      { content: 'QQ==', source: 'x' },
      ['filename is required', 'source must be one of attached, generated, imported'],
    ],
  ])('%s', async (_, body, messages) => {
    expectError(await sendJson(artifact, body), 400, messages);
  });

  test.each<[string, string, string, string[]]>([
    ['not JSON', 'application/json', '{"content":"QQ==",', ['The body is not valid JSON']],
    ['an empty body', 'application/json', '', ['The body is not valid JSON']],
    [
      'content given twice',
      'application/json',
      '{"content":"QQ==","content":"QQ=="}',
      ['content must not be given twice'],
    ],
    ['an empty form', 'application/x-www-form-urlencoded', '', ['Missing content']],
    ['no form', 'multipart/form-data; boundary=x', 'x', ['The body is not valid multipart form data']],
    [
      'another content type',
      'text/plain',
      'x',
      ['Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data'],
    ],
  ])('%s', async (_, type, body, messages) => {
    expectError(await sendBody(artifact, type, body), 400, messages);
  });

  test('in what surrounds the content are bounded as well', async () => {
    expectError(await sendJson(artifact, { filename: 'x'.repeat(70_000), content: 'QQ==' }), 400, [
      'filename must not exceed 64 KB',
    ]);
    const padded = `{"filename":"a.txt",${' '.repeat(300 * 1024)}"content":"QQ=="}`;
    expectError(await sendBody(artifact, 'application/json', padded), 400, [
      'The body must not hold more than 256 KB besides the content',
    ]);
  });

  test('leave no version behind', async () => {
    expect(await versions(artifact)).toEqual([]);
  });
});

describe('names', () => {
  const RIGHT_TO_LEFT = '\u202e';
  test.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\anna\\report.txt', 'report.txt'],
    ['a/b/', 'b'],
    ['..', 'file'],
    ['a"quoted".txt', 'a"quoted".txt'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
    [`invoice${RIGHT_TO_LEFT}fdp.txt`, 'invoicefdp.txt'],
    [`${'n'.repeat(300)}.txt`, `${'n'.repeat(251)}.txt`],
    ['Perche\u0301 no.txt', 'Perché no.txt'],
    ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
    ['😀.txt', '😀.txt'],
  ])('%j is shown as %j', async (filename, shown) => {
    const answer = await sendJson('A.6.3', text(`named ${filename}`, filename));
    expect(expectData(answer, 201).original_name).toBe(shown);
    const { headers, text: content } = await fetchBytes(answer.body.data.download_url);
    expect(content).toBe(`named ${filename}`);
    expect(headers['set-cookie']).toBeUndefined();
    const disposition = headers['content-disposition'] ?? '';
    const extended = /filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1];
    const notified = extended === undefined ? /filename="(.*)"$/.exec(disposition)?.[1] : decodeURIComponent(extended);
    expect(notified).toBe(shown);
  });

  test('of a file part are taken in each spelling that clients use', async () => {
    for (const [at, [disposition, shown]] of [
      ['form-data; name="file"; filename="a b.txt"', 'a b.txt'],
      ['form-data; name="file"; filename="a%22b%0D%0A.txt"', 'a"b.txt'],
      ['form-data; name="file"; filename="perché.txt"', 'perché.txt'],
      ['form-data; name="file"; filename="x.txt"; filename*=UTF-8\'\'perch%C3%A9.txt', 'perché.txt'],
      ['form-data; name="content"; filename="../up.txt"', 'up.txt'],
    ].entries()) {
      const content = `part ${at}`;
      const answer = await sendParts('A.6.4', [{ name: '', disposition: disposition!, type: 'text/plain', content }]);
      expect(expectData(answer, 201).original_name).toBe(shown);
    }
  });

  test('and types in fields go before those of the file part', async () => {
    const answer = await sendParts('A.6.5', [
      { name: 'filename', content: 'field.md' },
      { name: 'file', filename: 'part.bin', type: 'application/octet-stream', content: '# Title\n' },
      { name: 'content_type', content: 'text/markdown' },
    ]);
    expect(expectData(answer, 201)).toMatchObject({ original_name: 'field.md', content_type: 'text/markdown' });
  });
});

describe('versions of an artifact', () => {
  const artifact = 'A.8.1';
  const upload = async (content: string, name = artifact) => expectData(await sendJson(name, text(content)), 201);

  test('are at most ten: the eleventh trims the oldest, and its bytes go', async () => {
    const all: { id: number; download_url: string }[] = [];
    for (let n = 1; n <= 11; n += 1) all.push(await upload(`version ${n}`));
    expect(await versions(artifact)).toEqual(all.slice(1).map(({ id }) => id));
    const oldest = await fetchBytes(all[0]!.download_url);
    expect([oldest.status, oldest.text]).toEqual([404, '{"error":1,"messages":[1004]}']);
    expect((await fetchBytes(all[1]!.download_url)).text).toBe('version 2');
    await eventually(async () => !(await isStored('version 1')));
    expect(await isStored('version 2')).toBe(true);
  });

  test('that were trimmed may come again as new ones', async () => {
    expect((await upload('version 1')).id).toBe(Math.max(...(await versions(artifact))));
    expect(await versions(artifact)).toHaveLength(10);
  });

  test('an existing version is answered without being made newer', async () => {
    const [oldest] = await versions(artifact);
    expect(expectData(await sendJson(artifact, text('version 3')), 200).id).toBe(oldest);
    await upload('version 12');
    expect(await versions(artifact)).not.toContain(oldest);
  });

  test('keep their bytes while another artifact or an attachment has them', async () => {
    const [first, second, third] = ['A.8.2', 'A.8.3', 'A.8.4'] as const;
    await upload('shared by a version', second);
    const incident = await buildIncident(gateway.app.database, testData.organizationId);
    const attached = await gateway.rest.post(
      `/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}/attachments`,
      {
        token: testData.analyst.token,
        ...multipart([{ name: 'file', filename: 'a.txt', type: 'text/plain', content: 'shared by an attachment' }]),
      },
    );
    for (const [artifactId, content] of [
      [first, 'shared by a version'],
      [third, 'shared by an attachment'],
    ] as const) {
      const { download_url } = await upload(content, artifactId);
      for (let n = 1; n <= 10; n += 1) await upload(`pushing ${n}`, artifactId);
      expect((await fetchBytes(download_url)).status).toBe(404);
    }
    expect(await isStored('shared by a version')).toBe(true);
    expect((await fetchBytes(attached.body.data.download_url)).text).toBe('shared by an attachment');
  });

  test('of one content at two artifacts are two, stored once', async () => {
    const one = await upload('stored once', 'A.8.5');
    const other = await upload('stored once', 'A.8.6');
    expect(one.id).not.toBe(other.id);
    const hash = sha256Of('stored once');
    const names = (await readdir(filesDir(), { recursive: true })).map((name) => basename(name));
    expect(names.filter((name) => name === hash)).toHaveLength(1);
  });

  test('twelve identical uploads at once make one', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => sendJson('A.8.7', text('all the same'))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(11).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test('eleven different uploads at once leave the ten newest', async () => {
    const answers = await Promise.all(Array.from({ length: 11 }, (_, n) => sendJson('A.8.8', text(`different ${n}`))));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(11).fill(201));
    const ids = answers.map(({ body }) => body.data.id as number).toSorted((one, other) => one - other);
    expect(await versions('A.8.8')).toEqual(ids.slice(1));
  });
});
