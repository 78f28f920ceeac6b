import { beforeAll, describe, expect, test } from '@jest/globals';
import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { DownloadLinks, type DownloadKind } from '../../src/services/files/download-links.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData } from '../support/matchers.js';
import { sha256Of } from '../support/bytes.js';
import { buildIncident, buildOrganization, buildWorkflow, join } from '../support/test-data.js';
import { multipart, rawRequest } from '../support/rest.js';
import { until } from '../support/until.js';

const CONTENT = Buffer.from('0123456789'.repeat(1000));
const ETAG = `"${sha256Of(CONTENT)}"`;
let document: { id: number; url: string };
let attachment: { id: number; url: string };

const { gateway, testData } = await startSeededGateway();

beforeAll(async () => {
  await buildWorkflow(gateway.app.database, testData.organizationId);
  document = await upload(testData.organizationId, testData.owner.token, 'digits.txt');
  attachment = await attach(testData.organizationId);
});

async function attach(organizationId: number) {
  const incident = await buildIncident(gateway.app.database, organizationId);
  const answer = await gateway.rest.post(`/api/v1/v-ciso/incidents/${organizationId}/${incident}/attachments`, {
    token: testData.owner.token,
    ...multipart([{ name: 'file', filename: 'digits.txt', type: 'text/plain', content: CONTENT }]),
  });
  const data = expectData(answer, 201);
  return { id: data.id as number, url: data.download_url as string };
}

async function upload(organizationId: number, token: string, filename: string, content = CONTENT, control = 'A.5.1') {
  const answer = await gateway.rest.post(
    `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/documents/${control}/versions`,
    { token, body: { filename, content: content.toString('base64'), content_type: 'text/plain' } },
  );
  const data = expectData(answer, 201);
  return { id: data.id as number, url: data.download_url as string };
}

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(gateway.url, method, url.replace(gateway.url, ''), { headers });

const NOT_FOUND = [404, '{"error":1,"messages":[1004]}'];
async function expectAbsent(url: string): Promise<void> {
  const { status, text } = await get(url);
  expect([url, status, text]).toEqual([url, ...NOT_FOUND]);
}

describe('the whole file', () => {
  test('comes byte for byte, without a token, to be saved and never to be guessed at', async () => {
    for (const { url } of [document, attachment]) {
      expect(url.startsWith(`${gateway.url}/api/v1/downloads/`)).toBe(true);
      const answer = await get(url);
      expect([answer.status, answer.bytes.equals(CONTENT)]).toEqual([200, true]);
      const { date, connection, 'x-request-id': id, ...headers } = answer.headers;
      expect([typeof date, typeof connection, typeof id]).toEqual(['string', 'string', 'string']);
      expect(headers).toEqual({
        etag: ETAG,
        'accept-ranges': 'bytes',
        'cache-control': 'private',
        'content-disposition': 'attachment; filename="digits.txt"',
        'x-content-type-options': 'nosniff',
        'content-type': 'text/plain',
        'content-length': '10000',
        'ratelimit-policy': expect.stringMatching(/^"reads";q=/),
        ratelimit: expect.stringMatching(/^"reads";r=/),
      });
    }
  });

  test('has the same headers for HEAD, and no body', async () => {
    const headers = { 'X-Request-Id': 'one-and-the-same' };
    const answer = await get(document.url, headers);
    const head = await get(document.url, { ...headers, Range: 'bytes=0-1' }, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    const changing = { date: '', ratelimit: '' };
    expect({ ...head.headers, ...changing }).toEqual({ ...answer.headers, ...changing });
  });
});

describe('a range', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-9', 0, 9],
    ['bytes=4000-4999', 4000, 4999],
    ['bytes=9999-', 9999, 9999],
    ['bytes=9000-', 9000, 9999],
    ['bytes=-1', 9999, 9999],
    ['bytes=-500', 9500, 9999],
    ['bytes=-999999', 0, 9999],
    ['bytes=9990-999999', 9990, 9999],
    ['BYTES=1-2', 1, 2],
  ])('%s is the bytes from %i to %i', async (range, start, end) => {
    const answer = await get(document.url, { Range: range });
    expect(answer.status).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/10000`);
    expect(answer.headers['content-length']).toBe(String(end - start + 1));
    expect(answer.headers.etag).toBe(ETAG);
    expect(answer.bytes.equals(CONTENT.subarray(start, end + 1))).toBe(true);
  });

  test.each(['bytes=10000-', 'bytes=10000-10001', 'bytes=-0', 'bytes=99999999999-'])(
    '%s lies outside, and the answer has the size',
    async (range) => {
      const answer = await get(document.url, { Range: range });
      expect([answer.status, answer.text]).toEqual([416, '{"error":1,"messages":[]}']);
      expect(answer.headers['content-range']).toBe('bytes */10000');
    },
  );

  test.each(['bytes=5-2', 'bytes=0-1,5-6', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes 0-1', 'bytes=0x1-2'])(
    '%s is as good as none',
    async (range) => {
      const answer = await get(document.url, { Range: range });
      expect([answer.status, answer.bytes.length, answer.headers['content-range']]).toEqual([200, 10_000, undefined]);
    },
  );

  test('applies only to the bytes that If-Range names', async () => {
    const withCondition = (condition: string) => get(document.url, { Range: 'bytes=0-1', 'If-Range': condition });
    expect((await withCondition(ETAG)).status).toBe(206);
    for (const other of ['"other"', `W/${ETAG}`, 'Sat, 21 Nov 2026 00:00:00 GMT']) {
      const answer = await withCondition(other);
      expect([answer.status, answer.bytes.length]).toEqual([200, 10_000]);
    }
  });
});

describe('a client that has the bytes already', () => {
  test.each([() => ETAG, () => `W/${ETAG}`, () => `"other", ${ETAG}`, () => '*'])('gets 304 (%#)', async (tag) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get(document.url, { 'If-None-Match': tag(), Range: 'bytes=0-1' }, method);
      expect([answer.status, answer.bytes.length, answer.headers.etag]).toEqual([304, 0, ETAG]);
    }
  });

  test('gets them when it has others', async () => {
    expect((await get(document.url, { 'If-None-Match': '"other"' })).status).toBe(200);
  });
});

describe('an address', () => {
  const links = (now: () => number) =>
    new DownloadLinks(gateway.config.publicUrl, gateway.config.secretKey, gateway.config.downloadLinkMinutes, now);
  const crafted = (ageInSeconds: number, kind: DownloadKind = 'documents') =>
    links(() => Date.now() - ageInSeconds * 1000).address(kind, document.id);

  test('is good for fifteen minutes and not a moment longer', async () => {
    expect((await get(crafted(15 * 60 - 30))).status).toBe(200);
    await expectAbsent(crafted(15 * 60 + 2));
    await expectAbsent(crafted(24 * 60 * 60));
  });

  test('that was changed in any of its parts is like one that was never made', async () => {
    const url = new URL(document.url);
    const changed = (change: (copy: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return copy.href;
    };
    const set = (name: string, value: string) => changed(({ searchParams }) => searchParams.set(name, value));
    const signature = url.searchParams.get('signature') ?? '';
    const expires = Number(url.searchParams.get('expires'));
    for (const each of [
      set('expires', String(expires + 1)),
      set('expires', '99999999999999'),
      set('expires', `0${expires}`),
      set('expires', 'never'),
      set('signature', `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`),
      set('signature', signature.slice(0, -1)),
      set('signature', `${signature}=`),
      set('signature', ''),
      changed(({ searchParams }) => searchParams.delete('signature')),
      set('engagement', '1'),
      set('for', testData.viewer.id),
      changed(({ searchParams }) => searchParams.delete('expires')),
      changed(({ searchParams }) => searchParams.append('expires', '1')),
      changed((copy) => (copy.pathname = `/api/v1/downloads/documents/${document.id + 1}`)),
      changed((copy) => (copy.pathname = `/api/v1/downloads/documents/0${document.id}`)),
      changed((copy) => (copy.pathname = `/api/v1/downloads/attachments/${document.id}`)),
      changed((copy) => (copy.pathname = `/api/v1/downloads/logos/${document.id}`)),
      changed((copy) => (copy.pathname = `/api/v1/downloads/constructor/${document.id}`)),
      new DownloadLinks(gateway.url, 'another key', 15).address('documents', document.id),
    ]) {
      await expectAbsent(each);
    }
  });

  test('of nothing is not found, though it is signed well', async () => {
    await expectAbsent(links(Date.now).address('documents', 999_999));
  });

  test('gives nothing to a token that it would not give without', async () => {
    const path = new URL(document.url).pathname;
    const answer = await get(path, { 'X-Service-Token': testData.owner.token });
    expect([answer.status, answer.text]).toEqual(NOT_FOUND);
  });

  test('of a deleted organization is not found', async () => {
    const { database } = gateway.app;
    const gone = await buildOrganization(database, 'Gone');
    await join(database, testData.owner, gone, 'ORGANIZATION_OWNER');
    await buildWorkflow(database, gone);
    const { url } = await upload(gone, testData.owner.token, 'a.txt', Buffer.from('of a deleted organization'));
    const attached = await attach(gone);
    await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    await expectAbsent(url);
    await expectAbsent(attached.url);
  });
});

describe('the audit trail', () => {
  const downloads = async (filename: string) => {
    const rows = await gateway.app.database.rows<{ entry: string }>(
      `select entry from audit_entry where action like '%_DOWNLOADED' and entry::jsonb #>> '{subject,name}' = $1`,
      [filename],
    );
    return rows.map(({ entry }) => JSON.parse(entry));
  };
  const uploaded = (filename: string) =>
    upload(testData.organizationId, testData.owner.token, filename, Buffer.from(`the content of ${filename}`));

  test('has one entry for all ranges of a download, with the network and the request', async () => {
    const { id, url } = await uploaded('ranges.txt');
    const requestId = 'the-first-of-the-download';
    expect((await get(url, { Range: 'bytes=1-', 'X-Request-Id': requestId })).status).toBe(206);
    await Promise.all(['bytes=0-0', 'bytes=4-', 'bytes=0-'].map((Range) => get(url, { Range })));
    await get(url);
    expect(await downloads('ranges.txt')).toEqual([
      {
        action: 'DOCUMENT_DOWNLOADED',
        actor: { type: 'SYSTEM', id: 'signed-address', address: '127.0.0.0/24' },
        at: expect.any(String),
        request: requestId,
        subject: {
          type: 'DOCUMENT_VERSION',
          id: String(id),
          name: 'ranges.txt',
          parent: { type: 'CONTROL', id: 'iso-27001-2022/A.5.1' },
        },
      },
    ]);
  });

  test('has one entry for a file that is downloaded again within a minute, also by another address', async () => {
    const { id, url } = await uploaded('twice.txt');
    await get(url);
    const later = new DownloadLinks(gateway.url, gateway.config.secretKey, 20).address('documents', id);
    await get(later);
    expect(await downloads('twice.txt')).toHaveLength(1);
  });

  test('has downloads of files of incidents, which their incident shows', async () => {
    await get(attachment.url);
    const [entry, ...more] = await downloads('digits.txt').then((all) =>
      all.filter(({ action }) => action === 'ATTACHMENT_DOWNLOADED'),
    );
    expect(more).toEqual([]);
    expect(entry.subject).toMatchObject({ type: 'INCIDENT_ATTACHMENT', parent: { type: 'INCIDENT' } });
  });

  test('has nothing of an answer without bytes', async () => {
    const { url } = await uploaded('unread.txt');
    const { headers } = await get(url, {}, 'HEAD');
    await get(url, { 'If-None-Match': String(headers.etag) });
    await get(url, { Range: 'bytes=999-' });
    await get(`${url}x`);
    expect(await downloads('unread.txt')).toEqual([]);
  });

  test('comes before the bytes: a download that cannot be recorded is refused', async () => {
    const { database } = gateway.app;
    const { url } = await uploaded('unrecorded.txt');
    await database.rows('alter table audit_entry add constraint refused check (false) not valid');
    try {
      const answer = await get(url);
      expect([answer.status, answer.text]).toEqual([500, '{"error":1,"messages":[]}']);
    } finally {
      await database.rows('alter table audit_entry drop constraint refused');
    }
    expect((await get(url)).status).toBe(200);
    expect(await downloads('unrecorded.txt')).toHaveLength(1);
  });
});

describe('the name to save under', () => {
  test.each([
    ['plain name.txt', 'attachment; filename="plain name.txt"'],
    ['perché.txt', 'attachment; filename="perch_.txt"; filename*=UTF-8\'\'perch%C3%A9.txt'],
    ['a"b;c.txt', 'attachment; filename="a_b;c.txt"; filename*=UTF-8\'\'a%22b%3Bc.txt'],
    ['100%.txt', 'attachment; filename="100_.txt"; filename*=UTF-8\'\'100%25.txt'],
    ["it's (1)*.txt", 'attachment; filename="it\'s (1)*.txt"'],
    ['日本.txt', 'attachment; filename="__.txt"; filename*=UTF-8\'\'%E6%97%A5%E6%9C%AC.txt'],
  ])('%s', async (filename, disposition) => {
    const { url } = await upload(
      testData.organizationId,
      testData.owner.token,
      filename,
      Buffer.from(`named ${filename}`),
    );
    expect((await get(url)).headers['content-disposition']).toBe(disposition);
  });
});

describe('a stored file', () => {
  const blobOf = (content: Buffer) => {
    const sha256 = sha256Of(content);
    return joinPath(gateway.dataDir, 'files', 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  };

  test('that was changed in the storage is never sent as a whole, and is whole again once it was uploaded again', async () => {
    const content = Buffer.from('evidence of what was so\n'.repeat(20_000));
    const { url } = await upload(testData.organizationId, testData.owner.token, 'a.txt', content);
    const changed = Buffer.from(content);
    changed.write('E', content.length / 2);
    await writeFile(blobOf(content), changed);
    await expect(get(url)).rejects.toThrow('aborted');
    await upload(testData.organizationId, testData.owner.token, 'b.txt', content, 'A.5.2');
    expect((await get(url)).bytes.equals(content)).toBe(true);
  });

  test('that was changed in the storage is an error where nothing of it was sent yet', async () => {
    const content = Buffer.from('evidence of little');
    const { url } = await upload(testData.organizationId, testData.owner.token, 'l.txt', content);
    await writeFile(blobOf(content), 'Evidence of little');
    expect(await get(url)).toMatchObject({ status: 500, text: '{"error":1,"messages":[]}' });
  });

  test('has no ranges that are sent while its bytes are others, also where they were right before', async () => {
    const content = Buffer.from('evidence of parts\n'.repeat(20_000));
    const { url } = await upload(testData.organizationId, testData.owner.token, 'p.txt', content);
    const first = () => get(url, { Range: 'bytes=0-7' });
    expect(await first()).toMatchObject({ status: 206, text: 'evidence' });
    const changed = Buffer.from(content);
    changed.write('E', content.length / 2);
    const { atime, mtime } = await stat(blobOf(content));
    await writeFile(blobOf(content), changed);
    await utimes(blobOf(content), atime, mtime);
    const failure = { status: 500, text: '{"error":1,"messages":[]}' };
    for (const answer of await Promise.all([first(), first(), get(url, { Range: 'bytes=0-' })]))
      expect(answer).toMatchObject(failure);
    await upload(testData.organizationId, testData.owner.token, 'q.txt', content, 'A.5.2');
    expect(await first()).toMatchObject({ status: 206, text: 'evidence' });
  });

  test('whose bytes are gone is an error and not a file that is not there', async () => {
    const content = Buffer.from('lost in the storage');
    const { url } = await upload(testData.organizationId, testData.owner.token, 'c.txt', content);
    await rm(blobOf(content));
    expect(await get(url)).toMatchObject({ status: 500, text: '{"error":1,"messages":[]}' });
    expect((await get(url, {}, 'HEAD')).status).toBe(500);
  });
});

test('a file whose bytes are gone is no half an answer', async () => {
  const { url } = await upload(testData.organizationId, testData.owner.token, 'b.txt', Buffer.from('soon gone'));
  await until(async () => (await get(url)).status === 200);
  await rm(new URL(gateway.config.storageUrl.replace('file:', 'file://')), { recursive: true });
  const answer = await get(url);
  expect([404, 500, 503]).toContain(answer.status);
  expect(answer.text).toMatch(/^\{"error":1,"messages":\[(1004)?\]\}$/);
  expect((await get(url, {}, 'HEAD')).status).toBe(answer.status);
});
