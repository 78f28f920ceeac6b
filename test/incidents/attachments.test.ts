import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import type { Answer, Envelope } from '../support/clients.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';
import { samples } from '../support/sample-files.js';
import { buildIncident, buildOrganization, seedTestData, join, type TestData } from '../support/test-data.js';
import { expectExactly, multipart, pagingCases, personOf, rawRequest, rolesFrom, type Part } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
let incident: number;
const MB_25 = 26_214_400;

const pathOf = (id = incident, organization = testData.organizationId) =>
  `/api/v1/v-ciso/incidents/${organization}/${id}/attachments`;
const file = (content: string | Buffer, filename = 'a.txt', type = 'text/plain'): Part => ({
  name: 'file',
  filename,
  type,
  content,
});
const send = (...parts: Part[]) => gateway.rest.post(pathOf(), { token: testData.analyst.token, ...multipart(parts) });
const count = async () => {
  const rows = await gateway.app.database.rows<{ count: number }>(
    'select count(*)::int as count from incident_attachment',
  );
  return rows[0]!.count;
};

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  incident = await buildIncident(gateway.app.database, testData.organizationId);
});
afterAll(() => gateway.close());

function expectAttachment(answer: Answer<Envelope>, name: string, type: string, size: number): string {
  expectStatus(answer, 201);
  const { id, created_at, download_url } = answer.body.data as { id: number; created_at: string; download_url: string };
  withStory(answer, () => {
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(download_url.replace(/\?.*/, '')).toBe(`${gateway.url}/api/v1/downloads/attachments/${id}`);
    const data = { id, original_name: name, content_type: type, size, created_at, download_url };
    expect(answer.text).toBe(JSON.stringify({ error: 0, messages: [], data }));
  });
  return download_url;
}

describe('who attaches', () => {
  test('is an analyst or ranks above one', async () => {
    for (const role of rolesFrom('SECURITY_ANALYST')) {
      const { token } = personOf(testData, role);
      expectStatus(await gateway.rest.post(pathOf(), { token, ...multipart([file(`by ${role}`)]) }), 201);
    }
  });

  test('finds no incident of another organization, whoever it belongs to', async () => {
    const foreign = await buildIncident(gateway.app.database, testData.otherOrganizationId);
    for (const [id, organization, token] of [
      [999_999, testData.organizationId, testData.owner.token],
      [foreign, testData.organizationId, testData.owner.token],
      [foreign, testData.otherOrganizationId, testData.owner.token],
      [incident, testData.otherOrganizationId, testData.nonMember.token],
    ] as const) {
      const answer = await gateway.rest.post(pathOf(id, organization), { token, ...multipart([file('x')]) });
      expectError(answer, 404, [1004]);
    }
  });

  test('finds nothing in an organization that is deleted', async () => {
    const { database } = gateway.app;
    const gone = await buildOrganization(database, 'Gone');
    await join(database, testData.owner, gone, 'ORGANIZATION_OWNER');
    const lost = await buildIncident(database, gone);
    await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    const answer = await gateway.rest.post(pathOf(lost, gone), {
      token: testData.owner.token,
      ...multipart([file('x')]),
    });
    expectError(answer, 404, [1004]);
  });
});

describe('a file', () => {
  test.each(Object.entries(samples))('of kind %s is attached, and its bytes come back', async (_, sample) => {
    const { filename, contentType, bytes } = sample;
    const url = expectAttachment(await send(file(bytes, filename, contentType)), filename, contentType, bytes.length);
    const download = await rawRequest(gateway.url, 'GET', url.slice(gateway.url.length));
    expect([download.status, download.headers['content-type'], download.bytes.equals(bytes)]).toEqual([
      200,
      contentType,
      true,
    ]);
  });

  test('attached twice is there twice: attachments are not versions', async () => {
    const [one, other] = [await send(file('twice')), await send(file('twice'))];
    expect(expectData(one, 201).id).not.toBe(expectData(other, 201).id);
  });

  test('of 25 MB is accepted, and one more byte refused', async () => {
    const content = Buffer.alloc(MB_25, 'a line of a log\n');
    expectAttachment(await send(file(content)), 'a.txt', 'text/plain', MB_25);
    const before = await count();
    expectError(await send(file(Buffer.concat([content, Buffer.from('x')]))), 413, [
      'File too large. Maximum size is 25 MB.',
    ]);
    expect(await count()).toBe(before);
  });

  test('has its name shown without path and control characters', async () => {
    for (const [filename, shown] of [
      ['../../a.txt', 'a.txt'],
      ['C:\\x\\b.txt', 'b.txt'],
      ['c%0D%0A.txt', 'c.txt'],
      ['d\u202e.txt', 'd.txt'],
      [`${'e'.repeat(300)}.txt`, `${'e'.repeat(251)}.txt`],
      ['f%22g.txt', 'f"g.txt'],
    ] as const) {
      expect(expectData(await send(file('x', filename)), 201).original_name).toBe(shown);
    }
  });
});

describe('Invalid data provided', () => {
  const body = (type: string, content: string) =>
    gateway.rest.post(pathOf(), { token: testData.analyst.token, headers: { 'content-type': type }, body: content });

  test.each<[string, () => Promise<Answer<Envelope>>]>([
    ['no parts', () => send()],
    ['no part of that name', () => send({ ...file('x'), name: 'content' })],
    ['a text instead of a file', () => send({ name: 'file', content: 'x' })],
    ['two files', () => send(file('x'), file('y'))],
    ['a field beside the file', () => send(file('x'), { name: 'note', content: 'x' })],
    ['a field before the file', () => send({ name: 'note', content: 'x' }, file('x'))],
    ['an empty file', () => send(file(''))],
    ['a page', () => send(file('<!doctype html><p>x', 'a.html', 'text/html'))],
    [
      'a program',
      () => send(file(Buffer.from('4d5a90000300000004000000ffff0000', 'hex'), 'a.exe', 'application/x-msdownload')),
    ],
    [
      'a drawing with a script',
      () => send(file('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'a.svg', 'image/svg+xml')),
    ],
    ['a file that is not what it says', () => send(file(samples.PDF.bytes, 'a.png', 'image/png'))],
    ['JSON', () => body('application/json', JSON.stringify({ filename: 'a.txt', content: 'QQ==' }))],
    ['a form of text', () => body('application/x-www-form-urlencoded', 'file=x')],
    ['a form without a boundary', () => body('multipart/form-data', 'x')],
    [
      'a form that breaks off',
      () =>
        body(
          'multipart/form-data; boundary=b',
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx',
        ),
    ],
    ['nothing', () => gateway.rest.post(pathOf(), { token: testData.analyst.token })],
  ])('is the answer to %s', async (_, attempt) => {
    const before = await count();
    expectError(await attempt(), 400, ['Invalid data provided']);
    expect(await count()).toBe(before);
  });
});

describe('the list', () => {
  let listed: number;

  beforeAll(async () => {
    listed = await buildIncident(gateway.app.database, testData.organizationId);
    for (const content of ['one', 'two', 'three']) {
      expectStatus(
        await gateway.rest.post(pathOf(listed), { token: testData.analyst.token, ...multipart([file(content)]) }),
        201,
      );
    }
  });

  pagingCases((query) => gateway.rest.get(`${pathOf(listed)}?${query}`, { token: testData.viewer.token }));

  test('has the files of this incident, newest first, each with an address that works', async () => {
    const answer = await gateway.rest.get(pathOf(listed), { token: testData.viewer.token });
    const { data, total } = answer.body;
    expect(total).toBe(3);
    const ids = data.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    const newest = await fetch(data[0].download_url);
    expect(await newest.text()).toBe('three');
    expect(Object.keys(data[0])).toEqual(['id', 'original_name', 'content_type', 'size', 'created_at', 'download_url']);
  });
});

describe('one file', () => {
  let id: number;

  beforeAll(async () => {
    id = ((await send(file('read me', 'one.txt'))).body.data as { id: number }).id;
  });

  test('is answered as in the list', async () => {
    const { token } = testData.viewer;
    const [first] = (await gateway.rest.get(pathOf(), { token })).body.data as { download_url: string }[];
    const read = (await gateway.rest.get(`${pathOf()}/${id}`, { token })).body.data as { download_url: string };
    const link = /\?.*/;
    expect({ ...read, download_url: read.download_url.replace(link, '') }).toEqual({
      ...first,
      download_url: first!.download_url.replace(link, ''),
    });
  });

  test('is absent under another incident and another organization', async () => {
    const other = await buildIncident(gateway.app.database, testData.organizationId);
    expectError(await gateway.rest.get(`${pathOf(other)}/${id}`, { token: testData.viewer.token }), 404, [1004]);
    const elsewhere = await buildOrganization(gateway.app.database, 'Elsewhere');
    await join(gateway.app.database, testData.viewer, elsewhere, 'VIEWER');
    expectError(
      await gateway.rest.get(`${pathOf(incident, elsewhere)}/${id}`, { token: testData.viewer.token }),
      404,
      [1004],
    );
  });
});

describe('deleting', () => {
  const attach = async (content: string, token = testData.analyst.token) =>
    expectData(await gateway.rest.post(pathOf(), { token, ...multipart([file(content)]) }), 201);
  const remove = (id: number, token = testData.analyst.token, where = incident) =>
    gateway.rest.delete(`${pathOf(where)}/${id}`, { token });
  const bytesOf = (content: string) => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    return joinPath(gateway.dataDir, 'files', 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  };

  test('answers the file as it was; then it is absent, and its address leads nowhere', async () => {
    const attachment = await attach('short-lived');
    const answer = await remove(attachment.id);
    expectExactly(answer, 200, {
      error: 0,
      messages: [],
      data: { ...attachment, download_url: expectData(answer).download_url },
    });
    expect((await fetch(attachment.download_url)).status).toBe(404);
    expectError(await remove(attachment.id), 404, [1004]);
  });

  test('takes the bytes away with the last file that has them', async () => {
    const [one, other] = [await attach('shared bytes'), await attach('shared bytes')];
    expectStatus(await remove(one.id), 200);
    expect(existsSync(bytesOf('shared bytes'))).toBe(true);
    expectStatus(await remove(other.id), 200);
    expect(existsSync(bytesOf('shared bytes'))).toBe(false);
  });

  test('is for who attached it, and for an officer', async () => {
    const { id } = await attach('of the analyst');
    expectError(await remove(id, testData.viewer.token), 403, [1003]);
    expectStatus(await remove(id), 200);
    const { id: another } = await attach('of the analyst');
    expectStatus(await remove(another, testData.officer.token), 200);
  });

  test('finds a file below its own incident only', async () => {
    const { id } = await attach('mine');
    const elsewhere = await buildIncident(gateway.app.database, testData.organizationId);
    expectError(await remove(id, testData.owner.token, elsewhere), 404, [1004]);
    expectError(await remove(999_999, testData.owner.token), 404, [1004]);
  });

  test('leaves the files of a closed incident where they are', async () => {
    const { id } = await attach('evidence');
    const close = (to: string) =>
      gateway.app.database.rows('update incident set status = $2 where id = $1', [incident, to]);
    await close('CLOSED');
    expectError(await remove(id), 409, [1009]);
    await close('OPEN');
    expectStatus(await remove(id), 200);
  });

  test('is told to the others, as attaching is, with a link to the incident', async () => {
    const notified = async (person: { id: string }) =>
      gateway.app.database.rows('select type, title, message, href from notification where user_id = $1 order by id', [
        person.id,
      ]);
    await gateway.app.database.rows('delete from notification');
    const { id } = await attach('told');
    expectStatus(await remove(id, testData.officer.token), 200);
    const [{ title } = { title: '' }] = await gateway.app.database.rows('select title from incident where id = $1', [
      incident,
    ]);
    const href = `/organizations/${testData.organizationId}/incidents/${incident}`;
    const attached = {
      type: 'INCIDENT',
      title: 'File attached',
      message: `${testData.analyst.username} has attached “a.txt” to “${title}”.`,
      href,
    };
    const deleted = {
      type: 'INCIDENT',
      title: 'Attached file deleted',
      message: `${testData.officer.username} has deleted “a.txt” of “${title}”.`,
      href,
    };
    expect(await notified(testData.viewer)).toEqual([attached, deleted]);
    expect(await notified(testData.analyst)).toEqual([deleted]);
    expect(await notified(testData.officer)).toEqual([attached]);
    expect(await notified(testData.nonMember)).toEqual([]);
  });

  test('by many at once is done once', async () => {
    const { id } = await attach('once');
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
  });
});
