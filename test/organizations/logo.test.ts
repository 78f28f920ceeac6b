import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { blobKey } from '../../src/storage/blob-store.js';
import { sha256Of } from '../support/bytes.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { samples } from '../support/sample-files.js';
import { multipart, type Part } from '../support/rest.js';

const path = (id = testData.organizationId) => `/api/v1/organizations/${id}/logo`;

const { gateway, testData } = await startSeededGateway();

const partOf = ({ filename, contentType, bytes }: (typeof samples)['PNG'], name = 'logo'): Part => ({
  name,
  filename,
  type: contentType,
  content: bytes,
});
const put = (parts: Part[], ifMatch?: string) => {
  const { headers, body } = multipart(parts);
  return gateway.rest.call('PUT', path(testData.otherOrganizationId), {
    token: testData.nonMember.token,
    headers: { ...headers, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
    body,
  });
};
const remove = (ifMatch?: string) =>
  gateway.rest.delete(path(testData.otherOrganizationId), {
    token: testData.nonMember.token,
    headers: { ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
  });

describe('PUT /api/v1/organizations/{id}/logo', () => {
  test('stores a PNG, JPEG or WebP and shows it to everybody at the URL that it answers', async () => {
    for (const [sample, extension] of [
      [samples.PNG, 'png'],
      [samples.JPEG, 'jpg'],
      [samples.WEBP, 'webp'],
    ] as const) {
      const answer = await put([partOf(sample)]);
      const { logo } = expectData(answer);
      expect(logo).toMatch(new RegExp(`^${gateway.url}/logos/[0-9a-f]{64}\\.${extension}$`));
      expect(answer.headers.get('etag')).toMatch(/^"\d+"$/);
      expect(Buffer.from(await (await fetch(logo)).arrayBuffer())).toEqual(Buffer.from(sample.bytes));
    }
  });

  test('removes the logo before it, unless another organization shows the same', async () => {
    const first = expectData(await put([partOf(samples.PNG)])).logo as string;
    await gateway.rest.call('PUT', path(), {
      token: testData.owner.token,
      ...multipart([partOf(samples.PNG)]),
    });
    expectData(await put([partOf(samples.JPEG)]));
    expect((await fetch(first)).status).toBe(200);
    const file = joinPath(gateway.dataDir, 'files', blobKey(sha256Of(samples.PNG.bytes)));
    expect(existsSync(file)).toBe(true);
    expectData(await gateway.rest.delete(path(), { token: testData.owner.token }));
    expect((await fetch(first)).status).toBe(404);
    expect(existsSync(file)).toBe(false);
  });

  test('shows no logo of an organization that is deleted, until it is restored', async () => {
    const { logo } = expectData(await put([partOf(samples.PNG)]));
    for (const [deletedAt, status] of [
      [new Date(), 404],
      [null, 200],
    ]) {
      await gateway.app.database.rows('update organization set deleted_at = $2 where id = $1', [
        testData.otherOrganizationId,
        deletedAt,
      ]);
      expect((await fetch(logo)).status).toBe(status);
    }
  });

  test('is never sent while its bytes in the storage are others or gone, which is an error, and comes back with the next upload', async () => {
    const { logo } = expectData(await put([partOf(samples.PNG)]));
    const file = joinPath(gateway.dataDir, 'files', blobKey(sha256Of(samples.PNG.bytes)));
    const upload = async () => expectData(await put([partOf(samples.PNG)])).logo as string;
    for (const harm of [() => writeFile(file, Buffer.alloc(samples.PNG.bytes.length)), () => rm(file)]) {
      expect((await fetch(logo)).status).toBe(200);
      await harm();
      const answer = await fetch(logo);
      expect([answer.status, await answer.text()]).toEqual([500, '']);
      expect(await upload()).toBe(logo);
    }
    expect((await fetch(logo)).status).toBe(200);
  });

  test('outlives that the record is sent back as it was read, through either API', async () => {
    const { id, name, logo } = expectData(await put([partOf(samples.PNG)]));
    const { token } = testData.nonMember;
    const patched = await gateway.rest.patch(`/api/v1/organizations/${id}`, { token, body: { name, logo } });
    expect(expectData(patched).logo).toBe(logo);
    const { updateOrganization } = await gateway.graphql.data(
      `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { logo } } }`,
      { token, variables: { input: { organizationId: id, name, logo } } },
    );
    expect(updateOrganization.organization.logo).toBe(logo);
    expect((await fetch(logo)).status).toBe(200);
  });

  test('cannot be taken over: its address in another organization retains no bytes', async () => {
    const { logo } = expectData(await put([partOf(samples.WEBP)]));
    const body = { logo };
    const taken = await gateway.rest.patch(`/api/v1/organizations/${testData.organizationId}`, {
      ...testData.owner,
      body,
    });
    expect(expectData(taken).logo).toBe(logo);
    expectData(await remove());
    expect((await fetch(logo)).status).toBe(404);
  });

  test('takes exactly one part, a file that is called logo', async () => {
    const invalid = ['Invalid data provided'];
    expectError(await put([]), 400, invalid);
    expectError(await put([partOf(samples.PNG, 'file')]), 400, invalid);
    expectError(await put([{ name: 'logo', content: 'https://example.com/logo.png' }]), 400, invalid);
    expectError(await put([partOf(samples.PNG), partOf(samples.PNG)]), 400, invalid);
    expectError(await put([{ ...partOf(samples.PNG), content: '' }]), 400, invalid);
    const json = await gateway.rest.call('PUT', path(testData.otherOrganizationId), {
      token: testData.nonMember.token,
      headers: { 'content-type': 'application/json' },
      body: '{"logo":"x"}',
    });
    expectError(json, 400, invalid);
  });

  test('refuses other kinds of files, and what only says that it is an image', async () => {
    const unsupported = ['Unsupported file type'];
    expectError(await put([partOf(samples.PDF)]), 415, unsupported);
    expectError(await put([partOf(samples.GIF)]), 415, unsupported);
    expectError(await put([{ ...partOf(samples.PNG), content: samples.PDF.bytes }]), 415, unsupported);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    expectError(
      await put([{ name: 'logo', filename: 'a.svg', type: 'image/svg+xml', content: svg }]),
      415,
      unsupported,
    );
  });

  test('takes 1 MB and not a byte more', async () => {
    const MEBIBYTE = 1024 * 1024;
    const sized = (size: number) => {
      const content = Buffer.alloc(size);
      content.set(samples.PNG.bytes);
      return [{ ...partOf(samples.PNG), content }];
    };
    expectData(await put(sized(MEBIBYTE)));
    expectError(await put(sized(MEBIBYTE + 1)), 413, ['File too large. Maximum size is 1 MB.']);
  });

  test('is a conflict when the organization is another one by now', async () => {
    const etag = (await put([partOf(samples.PNG)])).headers.get('etag') as string;
    const answers = await Promise.all([put([partOf(samples.JPEG)], etag), put([partOf(samples.WEBP)], etag)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    for (const other of ['soon', '', '"1", soon', 'W/"1"', '"1", "2"', etag])
      expectError(await put([partOf(samples.PNG)], other), 412, [1012]);
  });

  test('is made to any of several states, with the whole file', async () => {
    const version = Number(/\d+/.exec((await put([partOf(samples.PNG)])).headers.get('etag') ?? ''));
    const content = Buffer.alloc(1024 * 1024, 'x');
    content.set(samples.JPEG.bytes);
    const tags = [9, 1, 0, -1].map((more) => `"${version + more}"`).join(', ');
    const { logo } = expectData(await put([{ ...partOf(samples.JPEG), content }], tags));
    expect(Buffer.from(await (await fetch(logo)).arrayBuffer()).equals(content)).toBe(true);
    expectError(await put([{ ...partOf(samples.PNG), content: '' }], tags), 400, ['Invalid data provided']);
    expectData(await put([partOf(samples.PNG)], '*'));
  });
});

test('a logo that is refused for a conflict leaves no bytes behind', async () => {
  const content = Buffer.concat([samples.PNG.bytes, Buffer.from('of its own')]);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const blob = joinPath(gateway.dataDir, 'files', 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  const part = { ...partOf(samples.PNG), content };
  expectError(await put([part], '"0"'), 412, [1012]);
  expect(existsSync(blob)).toBe(false);
  expectData(await put([part]));
  expectError(await put([part], '"0"'), 412, [1012]);
  expect(existsSync(blob)).toBe(true);
});

describe('DELETE /api/v1/organizations/{id}/logo', () => {
  test('empties the field and removes the file', async () => {
    const { body, headers } = await put([partOf(samples.PNG)]);
    for (const other of ['"1"', 'soon', '']) expectError(await remove(other), 412, [1012]);
    const answer = await remove(`"1", ${headers.get('etag')}`);
    expect(expectData(answer).logo).toBe('');
    expect((await fetch(body.data.logo)).status).toBe(404);
    for (const any of [undefined, '*']) expect(expectData(await remove(any)).logo).toBe('');
  });
});
