import { beforeEach, describe, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { basename, join as joinPath } from 'node:path';
import {
  type Api,
  APIS,
  callThrough,
  dataOf,
  expectFailure,
  restResult,
  type Result,
  uploadThrough,
} from '../support/apis.js';
import { sha256Of } from '../support/bytes.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { multipart, rawRequest } from '../support/rest.js';
import { until } from '../support/until.js';
import { sample, samples, type SampleFile } from '../support/sample-files.js';
import { buildIncident, buildOrganization, buildWorkflow, join, type Person } from '../support/test-data.js';

const UPLOAD = mutation(
  'POST /api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}/documents/{artifact_id}/versions',
  'uploadDocumentVersion',
  'documentVersion { id: databaseId artifact_id: artifactId original_name: filename size content_type: contentType source created_by: createdBy { username } created_at: createdAt download_url: downloadUrl } created',
);
const ATTACH = mutation(
  'POST /api/v1/v-ciso/incidents/{organization_id}/{incident_id}/attachments',
  'uploadIncidentAttachment',
  'attachment { download_url: downloadUrl }',
);
const MOST_BYTES = 10_485_760;
const WORKFLOW = 'iso-27001-2022';
const UNSUPPORTED = ['Unsupported file type'];

/** Created for each case. */
let organizationId: number;

const { gateway, testData } = await startSeededGateway();
beforeEach(async () => {
  organizationId = await buildOrganization(gateway.app.database, 'Of one case');
  await join(gateway.app.database, testData.analyst, organizationId, 'SECURITY_ANALYST');
  await buildWorkflow(gateway.app.database, organizationId, WORKFLOW);
});

const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const text = (content: string, filename = 'a.txt') => ({
  filename,
  content: base64(content),
  content_type: 'text/plain',
});
const place = (artifact_id = 'A.5.1') => ({ organization_id: organizationId, workflow_id: WORKFLOW, artifact_id });
const call = (api: Api, input: object, { token }: Person = testData.analyst) =>
  callThrough(api, gateway, UPLOAD, { ...place(), ...input }, token);
const upload = (api: Api, file: SampleFile, input: object = {}) =>
  uploadThrough(api, gateway, UPLOAD, { ...place(), ...input }, file, testData.analyst.token);
const download = (url: string) => rawRequest(gateway.url, 'GET', url.slice(gateway.url.length));

async function versions(artifactId = 'A.5.1'): Promise<number[]> {
  const rows = await gateway.app.database.rows<{ id: number }>(
    'select id from document_version where organization_id = $1 and artifact_id = $2 order by id',
    [organizationId, artifactId],
  );
  return rows.map(({ id }) => id);
}

const storedNames = async () =>
  (await readdir(joinPath(gateway.dataDir, 'files'), { recursive: true })).map((name) => basename(name));
const stagedNames = () => readdir(joinPath(gateway.dataDir, 'files', 'staging'));
const isStored = async (content: string | Buffer) => (await storedNames()).includes(sha256Of(content));

/** The record of an upload, with id and time of the response. */
function expectVersion(
  result: Result,
  facts: { name: string; content: Buffer; type: string; source?: string },
): number {
  const { id, created_at, download_url } = dataOf(result);
  expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(download_url.replace(/\?.*/, '')).toBe(`${gateway.url}/api/v1/downloads/documents/${id}`);
  expect(JSON.stringify(result.data)).toBe(
    JSON.stringify({
      id,
      artifact_id: 'A.5.1',
      original_name: facts.name,
      size: facts.content.length,
      content_type: facts.type,
      source: facts.source ?? 'attached',
      created_by: testData.analyst.username,
      created_at,
      download_url,
    }),
  );
  return id;
}

type Fields = Record<string, string>;
type Send = (content: Buffer, fields?: Fields) => Promise<Result>;

const FIELDS: Fields = { filename: 'log.txt', content_type: 'text/plain' };

async function sendForm(form: { headers: Record<string, string>; body: Buffer | string }): Promise<Result> {
  const path = UPLOAD.rest
    .replace('POST ', '')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(place()[name as 'artifact_id']));
  return restResult(await gateway.rest.post(path, { token: testData.analyst.token, ...form }));
}

const asFile =
  (api: Api): Send =>
  (content, { filename = '', content_type = '', ...fields } = FIELDS) =>
    upload(api, sample(filename, content_type, content), fields);

/** One content in each form of specification 4.2, and in those of GraphQL. */
const WAYS: [string, Send][] = [
  ['JSON', (content, fields = FIELDS) => call('REST', { ...fields, content: base64(content) })],
  [
    'a urlencoded form',
    (content, fields = FIELDS) =>
      sendForm({
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...fields, content: base64(content) }).toString(),
      }),
  ],
  [
    'a multipart form with base64',
    (content, fields = FIELDS) =>
      sendForm(
        multipart(
          Object.entries({ ...fields, content: base64(content) }).map(([name, value]) => ({ name, content: value })),
        ),
      ),
  ],
  ['a multipart form with a file', asFile('REST')],
  ['GraphQL with base64', (content, fields = FIELDS) => call('GraphQL', { ...fields, content: base64(content) })],
  ['GraphQL with a file', asFile('GraphQL')],
];

describe.each(WAYS)('as %s', (way, send) => {
  test('a new content makes a version whose bytes can be downloaded, and the same content makes no other', async () => {
    const content = Buffer.from(`first content as ${way}\n`);
    const facts = { name: 'log.txt', content, type: 'text/plain' };
    const first = await send(content);
    const id = expectVersion(first, facts);
    expect((await download(first.data.download_url)).bytes.equals(content)).toBe(true);
    const again = await send(content);
    const renamed = await send(content, { ...FIELDS, filename: 'other.txt', source: 'imported' });
    expect([expectVersion(again, facts), expectVersion(renamed, facts)]).toEqual([id, id]);
    expect([first, again, renamed].map(({ created }) => created)).toEqual([true, false, false]);
    expect(await versions()).toEqual([id]);
  });

  test('10,485,760 bytes are accepted and one more is refused', async () => {
    const content = Buffer.alloc(MOST_BYTES, `line of ${way}\n`);
    expectVersion(await send(content), { name: 'log.txt', content, type: 'text/plain' });
    const more = Buffer.alloc(MOST_BYTES + 1, `line of ${way}\n`);
    expectFailure(await send(more), 'FILE_TOO_LARGE', ['File too large. Maximum size is 10 MB.']);
    expect(await isStored(more)).toBe(false);
  });

  test('each source is accepted, and no other', async () => {
    for (const source of ['attached', 'generated', 'imported']) {
      const content = Buffer.from(`${way} ${source}`);
      const facts = { name: 'log.txt', content, type: 'text/plain', source };
      expectVersion(await send(content, { ...FIELDS, source }), facts);
    }
    expectFailure(await send(Buffer.from('x'), { ...FIELDS, source: 'stolen' }), 'BAD_USER_INPUT', [
      'source must be one of attached, generated, imported',
    ]);
  });

  test('an empty content is missing', async () => {
    expectFailure(await send(Buffer.alloc(0)), 'MISSING_CONTENT', ['Missing content']);
  });

  test('a file that is not what its name or type says is refused', async () => {
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    for (const [content, fields] of [
      [html, { filename: 'a.html', content_type: 'text/html' }],
      [html, { filename: 'a.txt', content_type: 'text/html' }],
      [html, { filename: 'a.svg', content_type: 'image/svg+xml' }],
      [html, { filename: 'a.pdf', content_type: 'application/pdf' }],
      [html, { filename: 'a.exe', content_type: 'text/plain' }],
      [Buffer.from('4d5a90000300000004000000ffff0000', 'hex'), { filename: 'a.exe', content_type: 'text/plain' }],
      [samples.PDF.bytes, { filename: 'a.png', content_type: 'image/png' }],
    ] as const)
      expectFailure(await send(content, fields), 'UNSUPPORTED_FILE_TYPE', UNSUPPORTED);
    expect(await isStored(html)).toBe(false);
  });

  test('a field that is not known is an error', async () => {
    expectFailure(await send(Buffer.from('x'), { ...FIELDS, sha256: 'x' }), 'BAD_USER_INPUT', [
      'sha256 is not a known field',
    ]);
  });
});

test('one content is one version, whichever way it is sent', async () => {
  const content = Buffer.from('sent in every way');
  const results: Result[] = [];
  for (const [, send] of WAYS) results.push(await send(content));
  expect(results.map(({ created }) => created)).toEqual([true, ...WAYS.slice(1).map(() => false)]);
  expect(new Set(results.map((result) => dataOf(result).id)).size).toBe(1);
});

test('what is said of a content that is there has to be what its version says', async () => {
  const sent = { ...text('Dated'), effective_at: '2026-01-31T00:00:00Z', valid_until: '2027-01-31' };
  const { id } = dataOf(await call('GraphQL', sent));
  for (const same of [sent, { ...sent, effective_at: null }, text('Dated', 'another.txt')])
    expect(await call('GraphQL', same)).toMatchObject({ created: false, data: { id } });
  expectFailure(
    await call('GraphQL', { ...sent, effective_at: '2026-02-01T00:00:00Z', valid_until: '2028-01-31' }),
    'BAD_USER_INPUT',
    ['effective_at', 'valid_until'].map(
      (name) => `${name} differs from that of document ${id}, which has this content: change it there`,
    ),
  );
  expect(await versions()).toEqual([id]);
});

describe.each(APIS)('through %s', (api) => {
  test.each(Object.entries(samples))('a file of kind %s is accepted under its media type', async (_, file) => {
    const { filename, contentType, bytes } = file;
    const result = await call(api, { filename, content: base64(bytes), content_type: contentType });
    expectVersion(result, { name: filename, content: bytes, type: contentType });
    expect(await upload(api, file)).toMatchObject({ created: false, data: { id: result.data.id } });
  });

  test('an upload goes to a control of an associated workflow, and to nothing else', async () => {
    const { database } = gateway.app;
    const gone = await buildOrganization(database, 'Gone');
    await join(database, testData.analyst, gone, 'ORGANIZATION_OWNER');
    await buildWorkflow(database, gone);
    await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    for (const where of [
      { organization_id: gone },
      { artifact_id: 'A.99.1' },
      { artifact_id: 'a.5.1' },
      { artifact_id: 'A.5.1 ' },
      { workflow_id: 'nis2-directive' },
      { workflow_id: 'nis2-directive', artifact_id: '21.2.a' },
      { workflow_id: 'nothing' },
      { workflow_id: 'ISO-27001-2022' },
      { workflow_id: '__proto__' },
      { workflow_id: 'constructor' },
      { workflow_id: 'x'.repeat(300) },
    ])
      expectFailure(await call(api, { ...where, ...text('to nowhere') }), 'NOT_FOUND');
    await join(database, testData.viewer, organizationId, 'VIEWER');
    expectFailure(await call(api, { artifact_id: 'A.99.1', ...text('x') }, testData.viewer), 'FORBIDDEN');
    expect(await isStored('to nowhere')).toBe(false);
  });

  test('base64 is one content with padding or without, and with line breaks', async () => {
    const plain = base64('base64 with ÿþ¿ in it >>>???\n');
    expect(plain).toMatch(/\/.*=$/s);
    const { id } = dataOf(await call(api, { filename: 'a.txt', content: plain }));
    for (const content of [
      plain.replaceAll('=', ''),
      plain.replace(/(.{4})/g, '$1\n'),
      plain.replace(/(.{5})/g, '$1\r\n'),
      `${plain}\n`,
    ])
      expect(await call(api, { filename: 'a.txt', content })).toMatchObject({ created: false, data: { id } });
  });

  test.each([
    ...['!', 'Q', 'Q!==', 'QUJDR', 'QQ=', 'QQ===', 'Q=Q=', '=', '====', 'QUJD=', 'QQ QQ', 'QQ==QQ==', 'QQ==x'],
    ...['QUJDQQ==QUJD', 'ab-_', 'a*b=', 'QU\tI', 'QQ\t==', 'è'],
  ])('%j is not base64', async (content) => {
    expectFailure(await call(api, { filename: 'a.txt', content }), 'INVALID_BASE64', ['Invalid base64 content']);
  });

  test('a long content is checked to its end, after the caller was authorized, and leaves nothing behind', async () => {
    const good = base64('a long content '.repeat(80_000));
    for (const content of [`${good}!`, `${good.slice(0, 100_000)}-${good}`, `${good}=`])
      expectFailure(await call(api, { ...text('x'), content }), 'INVALID_BASE64', ['Invalid base64 content']);
    await join(gateway.app.database, testData.viewer, organizationId, 'VIEWER');
    for (const content of [good, `${good}!`])
      expectFailure(await call(api, { ...text('x'), content }, testData.viewer), 'FORBIDDEN');
    expectFailure(
      await call(api, { content: good, filename: 'a.exe', content_type: '' }),
      'UNSUPPORTED_FILE_TYPE',
      UNSUPPORTED,
    );
    await until(async () => (await stagedNames()).length === 0);
    expect(await versions()).toEqual([]);
  });

  const good = text('x');
  test.each<[string, object, string, string[]]>([
    ['no content', { filename: 'a.txt' }, 'MISSING_CONTENT', ['Missing content']],
    ['null for content', { ...good, content: null }, 'MISSING_CONTENT', ['Missing content']],
    ['an empty content', { ...good, content: '' }, 'MISSING_CONTENT', ['Missing content']],
    ['only line breaks', { ...good, content: '\r\n' }, 'MISSING_CONTENT', ['Missing content']],
    ['a number for content', { ...good, content: 5 }, 'BAD_USER_INPUT', ['content must be a string']],
    ['an array for content', { ...good, content: [] }, 'BAD_USER_INPUT', ['content must be a string']],
    ['no name', { content: 'QQ==' }, 'BAD_USER_INPUT', ['filename is required']],
    ['a null name', { ...good, filename: null }, 'BAD_USER_INPUT', ['filename is required']],
    ['a blank name', { ...good, filename: ' ' }, 'BAD_USER_INPUT', ['filename is required']],
    [
      'wrong types',
      { ...good, filename: 5, content_type: {} },
      'BAD_USER_INPUT',
      ['filename must be a string', 'content_type must be a string'],
    ],
  ])('%s is refused', async (_, input, code, messages) => {
    expectFailure(await call(api, input), code, messages);
    expect(await versions()).toEqual([]);
  });

  test.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\anna\\report.txt', 'report.txt'],
    ['a/b/', 'b'],
    ['..', 'file'],
    ['a"quoted".txt', 'a"quoted".txt'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
    ['invoice\u202efdp.txt', 'invoicefdp.txt'],
    [`${'n'.repeat(300)}.txt`, `${'n'.repeat(251)}.txt`],
    ['Perche\u0301 no.txt', 'Perché no.txt'],
    ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
    ['😀.txt', '😀.txt'],
  ])('the name %j is shown and downloaded as %j', async (filename, shown) => {
    const { original_name, download_url } = dataOf(await call(api, text(`named ${filename}`, filename)));
    expect(original_name).toBe(shown);
    const { headers, text: content } = await download(download_url);
    expect([content, headers['set-cookie']]).toEqual([`named ${filename}`, undefined]);
    const disposition = headers['content-disposition'] ?? '';
    const extended = /filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1];
    const saved = extended === undefined ? /filename="(.*)"$/.exec(disposition)?.[1] : decodeURIComponent(extended);
    expect(saved).toBe(shown);
  });

  test('a name and a type that are given go before those of the file', async () => {
    const file = sample('part.bin', 'application/octet-stream', '# Title\n');
    const result = await upload(api, file, { filename: '../field.md', content_type: 'text/markdown' });
    expect(dataOf(result)).toMatchObject({ original_name: 'field.md', content_type: 'text/markdown' });
  });

  describe('versions of an artifact', () => {
    const send = (content: string, artifact_id = 'A.5.1') =>
      call(api, { artifact_id, ...text(`${content} through ${api}`) });
    const make = async (content: string, artifactId?: string): Promise<{ id: number; download_url: string }> => {
      const result = await send(content, artifactId);
      expect(result.created).toBe(true);
      return dataOf(result);
    };

    test('are ten at most: the eleventh removes the oldest with its bytes, which may come again', async () => {
      const all: { id: number; download_url: string }[] = [];
      for (let n = 1; n <= 11; n += 1) all.push(await make(`version ${n}`));
      expect(await versions()).toEqual(all.slice(1).map(({ id }) => id));
      const oldest = await download(all[0]!.download_url);
      expect([oldest.status, oldest.text]).toEqual([404, '{"error":1,"messages":[1004]}']);
      expect((await download(all[1]!.download_url)).text).toBe(`version 2 through ${api}`);
      await until(async () => !(await isStored(`version 1 through ${api}`)));
      expect(await isStored(`version 2 through ${api}`)).toBe(true);
      const { id } = await make('version 1');
      expect(await versions()).toEqual([...all.slice(2).map((version) => version.id), id]);
    });

    test('are not made newer by the same content again', async () => {
      const { id } = await make('the oldest');
      for (let n = 2; n <= 10; n += 1) await make(`newer ${n}`);
      expect(await send('the oldest')).toMatchObject({ created: false, data: { id } });
      await make('newer 11');
      expect(await versions()).not.toContain(id);
    });

    test('retain their bytes while another artifact or an attachment has them', async () => {
      const [ofVersion, ofAttachment] = ['shared by a version', 'shared by an attachment'];
      await make(ofVersion, 'A.5.2');
      const incident_id = await buildIncident(gateway.app.database, organizationId);
      const file = sample('a.txt', 'text/plain', `${ofAttachment} through ${api}`);
      const where = { organization_id: organizationId, incident_id };
      const attached = await uploadThrough(api, gateway, ATTACH, where, file, testData.analyst.token);
      for (const [artifactId, content] of [
        ['A.5.3', ofVersion],
        ['A.5.4', ofAttachment],
      ] as const) {
        const { download_url } = await make(content, artifactId);
        for (let n = 1; n <= 10; n += 1) await make(`pushing ${n}`, artifactId);
        expect((await download(download_url)).status).toBe(404);
      }
      expect(await isStored(`${ofVersion} through ${api}`)).toBe(true);
      expect((await download(dataOf(attached).download_url)).text).toBe(String(file.bytes));
    });

    test('with one content at two artifacts are two, whose bytes are stored once', async () => {
      const [one, other] = [await make('stored once', 'A.5.5'), await make('stored once', 'A.5.6')];
      expect(one.id).not.toBe(other.id);
      const hash = sha256Of(`stored once through ${api}`);
      expect((await storedNames()).filter((name) => name === hash)).toHaveLength(1);
    });

    test('are one when twelve identical uploads arrive at once', async () => {
      const results = await Promise.all(Array.from({ length: 12 }, () => send('all the same')));
      expect(new Set(results.map((result) => dataOf(result).id)).size).toBe(1);
      expect(results.filter(({ created }) => created)).toHaveLength(1);
    });

    test('are the ten newest when eleven different uploads arrive at once', async () => {
      const results = await Promise.all(Array.from({ length: 11 }, (_, n) => make(`different ${n}`)));
      expect(await versions()).toEqual(
        results
          .map(({ id }) => id)
          .toSorted((one, other) => one - other)
          .slice(1),
      );
    });
  });
});
