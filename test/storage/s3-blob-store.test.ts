import { hash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { blobKey, type BlobStore, type S3Location } from '../../src/storage/blob-store.js';
import { S3BlobStore, s3Client } from '../../src/storage/s3-blob-store.js';
import { VerifiedContent } from '../../src/storage/verified-content.js';
import { openBlobStore, parseStorageUrl } from '../../src/storage/storage-location.js';
import { chunks, collect, readAll, sha256Of } from '../support/bytes.js';
import { openFilesBelow } from '../support/open-files.js';
import { type S3Service, startS3 } from '../support/s3.js';
import { until } from '../support/until.js';
import { describeBlobStoreContract } from './blob-store-contract.js';

const away = expect.objectContaining({ code: 'UNAVAILABLE' });

let stagingDir: string;
let service: S3Service;
let store: BlobStore;

beforeEach(async () => {
  stagingDir = await mkdtemp(join(tmpdir(), 'staging-'));
  service = await startS3();
  store = await openBlobStore(service.url, { stagingDir });
});
afterEach(async () => {
  await store.close();
  await service.stop();
  await rm(stagingDir, { recursive: true, force: true });
});

const storeContent = async (content: string) => {
  const blob = await store.stage(chunks(content), 1024);
  await blob.store();
  return blob.sha256;
};

describe('an S3 blob store', () => {
  describeBlobStoreContract(() => ({ store, directory: stagingDir, stagingDirectory: stagingDir }));

  it('separates two prefixes of one bucket', async () => {
    const sha256 = await storeContent('ours');
    const other = await openBlobStore(service.url.replace('/gateway?', '/elsewhere?'), { stagingDir });
    expect(await other.has(sha256)).toBe(false);
    expect(await collect(other.list())).toEqual([]);
    await other.close();
  });

  it('heals an object whose bytes were changed in the bucket when its content is stored again', async () => {
    const sha256 = await storeContent('evidence');
    const { Bucket, Key } = { Bucket: 'evidence', Key: `gateway/${blobKey(sha256)}` };
    const client = s3Client(parseStorageUrl(service.url) as S3Location, 0);
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'EVIDENCE' }));
    client.destroy();
    expect((await readAll(await store.open(sha256))).toString()).toBe('EVIDENCE');
    await storeContent('evidence');
    expect((await readAll(await store.open(sha256))).toString()).toBe('evidence');
  });

  it('is UNAVAILABLE while the service is down, and leaves nothing behind', async () => {
    const sha256 = await storeContent('evidence');
    const blob = await store.stage(chunks('more'), 1024);
    await service.stop();
    await expect(blob.store()).rejects.toEqual(away);
    await blob.discard();
    expect(await readdir(stagingDir)).toEqual([]);
    await expect(store.open(sha256)).rejects.toEqual(away);
    await expect(store.has(sha256)).rejects.toEqual(away);
    await expect(store.remove(sha256)).rejects.toEqual(away);
    await expect(collect(store.list())).rejects.toEqual(away);
    await expect(store.ping()).rejects.toEqual(away);
  });

  it('has a connection for everybody, however many uploads hang', async () => {
    service.suspend('PUT');
    const blobs = await Promise.all(Array.from({ length: 60 }, (_, at) => store.stage(chunks(`blob ${at}`), 1024)));
    const storing = Promise.all(blobs.map((blob) => blob.store()));
    await until('all are on their way', () => service.suspended() === blobs.length);
    expect(await store.has(sha256Of('another'))).toBe(false);
    service.release();
    await storing;
  });

  it('is UNAVAILABLE when what was received is lost before it is sent', async () => {
    const blob = await store.stage(chunks('lost'), 1024);
    await rm(blob.path);
    await expect(blob.store()).rejects.toEqual(away);
    await blob.discard();
    expect(await store.has(blob.sha256)).toBe(false);
  });

  it('is UNAVAILABLE, not empty, when the bucket is missing', async () => {
    const lost = await openBlobStore(service.url.replace('/evidence/', '/missing/'), { stagingDir });
    await expect(lost.ping()).rejects.toEqual(away);
    await expect(lost.open(sha256Of('x'))).rejects.toEqual(away);
    const blob = await lost.stage(chunks('x'), 1024);
    await expect(blob.store()).rejects.toEqual(away);
    await blob.discard();
    await lost.close();
  });
});

it('names why the service refuses, as of a key that was removed there', async () => {
  const xml = '<?xml version="1.0"?><Error><Code>InvalidAccessKeyId</Code></Error>';
  service.refuse((request, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' });
    response.end(request.method === 'HEAD' ? undefined : xml);
  });
  await expect(store.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: { name: 'InvalidAccessKeyId' } });
  service.refuse(undefined);
  await store.ping();
});

describe('what the S3 client sends', () => {
  let server: Server;
  let seen: { method?: string; url?: string; headers: NodeJS.Dict<string | string[]>; body: Buffer }[];
  let answer: { status: number; headers?: Record<string, string>; body?: string };
  /** Headers of the responses about the content once it was sent. */
  let stored: Record<string, string> | undefined;
  /** The response to an upload instead. */
  let refusal: typeof answer | undefined;
  let client: BlobStore;

  beforeEach(async () => {
    seen = [];
    answer = { status: 404 };
    stored = undefined;
    refusal = undefined;
    server = createServer((request, response) => {
      void readAll(request).then((body) => {
        seen.push({ method: request.method, url: request.url, headers: request.headers, body });
        const isPut = request.method === 'PUT';
        if (isPut && stored !== undefined) answer = { status: 200, headers: stored };
        const {
          status,
          headers,
          body: text,
        } = isPut ? (refusal ?? { status: 200, headers: { etag: stored?.['etag'] ?? '' } }) : answer;
        response.writeHead(status, headers).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = await openBlobStore(`s3://KEY:SECRET@127.0.0.1:${port}/evidence?tls=0&region=eu-south-1`, { stagingDir });
  });
  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const storeHere = async () => (await client.stage(chunks('evidence'), 1024)).store();
  const sha256 = sha256Of('evidence');

  it('is the plain body, its length, and its hash under the signature', async () => {
    await storeHere();
    const put = seen.at(-1);
    expect(put).toMatchObject({ method: 'PUT' });
    expect(put?.url).toMatch(`/evidence/blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`);
    expect(put?.body.toString()).toBe('evidence');
    expect(put?.headers).toMatchObject({ 'content-length': '8', 'x-amz-content-sha256': sha256 });
    expect(put?.headers.authorization).toMatch(/Credential=KEY\/\d+\/eu-south-1\/s3\/.*x-amz-content-sha256/);
  });

  it('is nothing when the same content is stored', async () => {
    answer = { status: 200, headers: { 'content-length': '8', etag: `"${hash('md5', 'evidence')}"` } };
    await storeHere();
    expect(seen.map(({ method }) => method)).toEqual(['HEAD']);
  });

  it.each([{ etag: `"${hash('md5', 'EVIDENCE')}"` }, { etag: '"d41d8cd98f00b204e9800998ecf8427e-2"' }, { etag: '' }])(
    'is the content again when the entity tag is not that of its bytes: %j',
    async (headers) => {
      answer = { status: 200, headers: { 'content-length': '8', ...headers } };
      await storeHere();
      expect(seen.map(({ method }) => method)).toEqual(['HEAD', 'PUT']);
    },
  );

  it('is the content once where the service gives it an entity tag of its own', async () => {
    stored = { 'content-length': '8', etag: '"encrypted"' };
    const blob = await client.stage(chunks('evidence'), 1024);
    await blob.secure();
    await blob.store();
    expect(seen.map(({ method }) => method)).toEqual(['HEAD', 'PUT', 'HEAD']);
  });

  it('is the content again when it is there but its size is another', async () => {
    answer = { status: 200, headers: { 'content-length': '7' } };
    await storeHere();
    expect(seen.map(({ method }) => method)).toEqual(['HEAD', 'PUT']);
  });

  it('is one request for all of a content before the first of its ranges, and again when the object is another', async () => {
    const files = new VerifiedContent(client);
    answer = { status: 200, headers: { etag: '"first"' }, body: 'evidence' };
    const part = { start: 0, end: 1 };
    await Promise.all([files.open(sha256, part), files.open(sha256, part)]);
    await files.open(sha256, part);
    const ranges = () => seen.splice(0).map(({ method, headers }) => `${method} ${headers.range ?? 'all'}`);
    expect(ranges().filter((request) => request === 'GET all')).toHaveLength(1);
    answer = { status: 200, headers: { etag: '"second"' }, body: 'EVIDENCE' };
    await expect(files.open(sha256, part)).rejects.toThrow('were changed in the storage');
    expect(ranges()).toEqual(['HEAD all', 'GET all']);
    answer = { status: 200, headers: { etag: '"third"' }, body: 'evidence' };
    await files.open(sha256, part);
    expect(ranges()).toEqual(['HEAD all', 'GET all', 'GET bytes=0-1']);
  });

  it('is compared again after it could not be read, and each time where nothing says that it is the same', async () => {
    const files = new VerifiedContent(client);
    const part = { start: 0, end: 1 };
    for (const headers of [{ etag: '"first"' }, {}] as Record<string, string>[]) {
      answer = { status: 200, headers, body: 'EVIDENCE' };
      await expect(files.open(sha256, part)).rejects.toThrow('were changed in the storage');
      answer = { status: 200, headers, body: 'evidence' };
      await files.open(sha256, part);
      seen = [];
      await files.open(sha256, part);
      expect(seen.filter(({ headers }) => headers.range === undefined)).toHaveLength('etag' in headers ? 1 : 2);
    }
  });

  it.each([403, 500, 503])('has no other effect than UNAVAILABLE when the answer is %i', async (status) => {
    answer = { status };
    await expect(client.open(sha256)).rejects.toEqual(away);
    await expect(client.has(sha256)).rejects.toEqual(away);
  });

  it.each([
    [409, 'OperationAborted'],
    [400, 'RequestTimeout'],
    [400, 'IncompleteBody'],
    [400, 'BadDigest'],
    [400, 'XAmzContentSHA256Mismatch'],
    [400, 'ExpiredToken'],
    [507, 'InsufficientStorage'],
  ])('is UNAVAILABLE where the answer of %i is %s, which passes', async (status, code) => {
    answer = refusal = { status, body: `<?xml version="1.0"?><Error><Code>${code}</Code></Error>` };
    await expect(client.open(sha256)).rejects.toEqual(away);
    answer = { status: 404 };
    const blob = await client.stage(chunks('evidence'), 1024);
    await expect(blob.store()).rejects.toEqual(away);
    await blob.discard();
  });

  it('is UNAVAILABLE where HEAD is answered 400, which does not say why', async () => {
    answer = { status: 400 };
    await expect(client.has(sha256)).rejects.toEqual(away);
    const blob = await client.stage(chunks('evidence'), 1024);
    await expect(blob.store()).rejects.toEqual(away);
    await blob.discard();
  });

  it('stays wrong where the answer says that it is', async () => {
    answer = { status: 400, body: '<?xml version="1.0"?><Error><Code>InvalidArgument</Code></Error>' };
    await expect(client.open(sha256)).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  it('returns only the requested part, also from a service without ranges', async () => {
    answer = { status: 200, body: 'evidence' };
    const open = async (start: number, end: number) =>
      (await readAll(await client.open(sha256, { start, end }))).toString();
    expect(await Promise.all([open(0, 1), open(2, 4), open(7, 7), open(0, 7)])).toEqual(['ev', 'ide', 'e', 'evidence']);
    answer = { status: 200, body: 'a'.repeat(1_000_000) + 'b'.repeat(1_000_000) };
    expect(await open(999_999, 1_000_000)).toBe('ab');
    answer = { status: 206, headers: { 'content-range': 'bytes 2-4/8' }, body: 'ide' };
    expect(await open(2, 4)).toBe('ide');
  });

  it('requests the further pages of a list', async () => {
    const key = (content: string) => {
      const hash = sha256Of(content);
      return `<Contents><Key>blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}</Key><LastModified>2026-03-01T00:00:00.000Z</LastModified></Contents>`;
    };
    const page = (inner: string) => `<?xml version="1.0"?><ListBucketResult>${inner}</ListBucketResult>`;
    answer = {
      status: 200,
      body: page(`${key('a')}<IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>`),
    };
    const listed: string[] = [];
    for await (const { sha256 } of client.list()) {
      listed.push(sha256);
      answer = { status: 200, body: page(`${key('b')}<Contents><Key>blobs/other</Key></Contents>`) };
    }
    expect(listed).toEqual([sha256Of('a'), sha256Of('b')]);
    expect(seen.at(-1)?.url).toContain('continuation-token=more');
  });
});

describe('an object on its way', () => {
  /** Milliseconds; more than a busy machine takes for an answer. */
  const SILENCE = 500;
  const part = Buffer.alloc(100_000, 'a');
  const rest = Buffer.alloc(100_000, 'b');
  let server: Server;
  /** One response for each request, of which only `part` is sent. */
  let answers: ServerResponse[];
  let location: S3Location;
  let client: BlobStore;

  beforeEach(async () => {
    answers = [];
    server = createServer((request, response) => {
      if (request.method === 'PUT') return void request.socket.destroy();
      if (request.method === 'HEAD') return void response.writeHead(404).end();
      answers.push(response);
      if (request.url?.includes(sha256Of('never begins'))) return;
      if (request.url?.includes(sha256Of('never ends to refuse')))
        return void response.writeHead(500, { 'content-length': 100 }).write('<Error>');
      response.writeHead(200, { 'content-length': part.length + rest.length }).write(part);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    location = parseStorageUrl(`s3://KEY:SECRET@127.0.0.1:${port}/evidence?tls=0`) as S3Location;
    client = new S3BlobStore(location, stagingDir, SILENCE);
  });
  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const open = () => client.open(sha256Of('evidence'));
  /** Returns when a silence that begins now is over. */
  const silence = async () => expect(readAll(await open())).rejects.toThrow(`said nothing for ${SILENCE} ms`);

  it('waits for a reader that pauses longer than the service may be silent', async () => {
    const body = await open();
    await until('a part is there', () => body.readableLength > 0);
    await silence();
    await silence();
    answers[0]!.end(rest);
    expect(await readAll(body)).toHaveLength(part.length + rest.length);
  });

  it('waits for a reader that pauses when all is there', async () => {
    const body = await open();
    let bytes = 0;
    let pausing = false;
    answers[0]!.end(rest);
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes === part.length + rest.length) pausing = body.pause() === body;
    });
    await until('all was read and the end was not', () => pausing);
    await silence();
    await silence();
    const ended = new Promise((resolve, reject) => body.once('end', resolve).once('error', reject));
    body.resume();
    await ended;
  });

  it('is broken off when the service falls silent, also while its reader pauses', async () => {
    const body = await open();
    await silence();
    await expect(readAll(body)).rejects.toThrow(`said nothing for ${SILENCE} ms`);
  });

  it.each(['never begins', 'never ends to refuse'])(
    'is UNAVAILABLE when the answer is one that %s',
    async (content) => {
      await expect(client.open(sha256Of(content))).rejects.toEqual(away);
    },
  );

  it('leaves nothing on the connection that it came by', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    for (let count = 0; count < 12; count += 1) {
      const body = readAll(await open());
      answers.at(-1)!.end(rest);
      await body;
    }
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('takes no connection from others, however many are read slowly', async () => {
    const patient = new S3BlobStore(location, stagingDir, 8_000);
    const bodies = await Promise.all(Array.from({ length: 60 }, () => patient.open(sha256Of('evidence'))));
    expect(await patient.has(sha256Of('evidence'))).toBe(false);
    for (const body of bodies) body.destroy();
    await patient.close();
  });

  it('leaves no file open here when the service hangs up', async () => {
    const blob = await client.stage(chunks(Buffer.alloc(1024 * 1024)), 1024 * 1024);
    await expect(blob.store()).rejects.toEqual(away);
    await blob.discard();
    await until('all files are closed', async () => (await openFilesBelow(stagingDir)).length === 0);
  });
});
