import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { contractSchema } from '../../scripts/contracts.js';
import { Access } from '../../src/auth/access.js';
import { RateLimits } from '../../src/auth/rate-limits.js';
import { GraphQLExecutor } from '../../src/graphql/executor.js';
import { notFound, unavailable } from '../../src/errors.js';
import { LargeBodies } from '../../src/http/request-body.js';
import { beginRequest, requestContextOf } from '../../src/http/request-context.js';
import { createLogger } from '../../src/logger.js';
import { createRestHandler } from '../../src/rest/router.js';
import { hasCodes } from '../../src/rest/envelope.js';
import { ROUTES } from '../../src/rest/routes.js';
import { HIGH_RATE_LIMITS } from '../support/gateway.js';

const CONTENT = Buffer.from('0123456789');
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const SIGNED = '/api/v1/downloads/documents/1?expires=1&signature=good';

let server: Server;
let port: number;
let lastRoute: string;

/** The REST layer alone: no request of these tests gets past it. */
beforeAll(async () => {
  const log = createLogger('silent');
  const records = {
    tokens: async () => new Map(),
    membership: async () => undefined,
    seesUncommitted: () => false,
    afterwards: (work: () => void) => work(),
  };
  const access = new Access(records, { isFresh: () => false }, () => undefined);
  const limits = new RateLimits(HIGH_RATE_LIMITS);
  const app = await createRestHandler({
    executor: new GraphQLExecutor(await contractSchema()),
    idempotency: { run: () => Promise.reject(notFound()) },
    largeBodies: new LargeBodies(),
    log,
    publicUrl: 'https://gateway.example',
    evidencePacks: {
      forCaller: () => Promise.reject(notFound()),
      bySignature: () => Promise.reject(notFound()),
    },
    oscalExports: { prepare: () => Promise.reject(notFound()) },
    auditExports: { prepare: () => Promise.reject(notFound()) },
    listDownloads: { record: () => Promise.reject(notFound()) },
    personalData: {
      forCaller: () => Promise.reject(notFound()),
      bySignature: () => Promise.reject(notFound()),
    },
    reportDrafts: { prepare: () => Promise.reject(notFound()) },
    downloads: {
      find: async ({ kind, id, expires, signature }) => {
        if (kind !== 'documents' || expires !== 1 || signature !== 'good') throw notFound();
        const name = 'perché "no".txt';
        const open = async (range?: { start: number; end: number }) => {
          if (id === 2) throw unavailable(7);
          return Readable.from([CONTENT.subarray(range?.start ?? 0, (range?.end ?? CONTENT.length) + 1)]);
        };
        return { name, mediaType: 'text/plain', size: CONTENT.length, sha256: SHA256, open };
      },
    },
  });
  server = createServer((request, response) => {
    beginRequest(request, response, { access, limits, log });
    response.once('close', () => (lastRoute = requestContextOf(request).route));
    app(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => void server.close());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return new Promise((done, fail) => {
    const sent = httpRequest({ port, method, path, headers: { connection: 'close', ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', fail).end(body);
  });
}

const NOT_FOUND = '{"error":1,"messages":[1004]}';
const UNAUTHENTICATED = '{"error":1,"messages":[1001]}';
const concrete = (path: string) => path.replaceAll(/\{\w+\}/g, '1');

describe('a path that is not in the table', () => {
  test.each([
    '/api/v1',
    '/api/v1/',
    '/api/v1/webhook',
    '/api/v1/webhook/1',
    '/api/v1/docs',
    '/api/v1/graphql',
    '/api/v1/getBranding',
    '/api/v1/cloud-defenders',
    '/api/v1/cloud-defender/1/',
    '/api/v1/Cloud-Defender/1',
    '/api/v1//notifications',
    '/api/v1/notifications%2F',
    '/api/v1/cloud-defender/%E0%A4%A',
    '/api/v1/%6Eotifications',
    '/api/v1/organizations//users',
    '/api/v1/__proto__',
    '/api/v1/openapi.json#x',
  ])('is not found for any caller: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body, headers } = await send(method, path);
      expect([status, body]).toEqual([404, NOT_FOUND]);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });
});

const NO_CODE = '{"error":1,"messages":[]}';

describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  const path = concrete(route.path);

  test('refuses every other method and names the allowed ones', async () => {
    const methods = ROUTES.filter((other) => other.path === route.path).map(({ method }) => method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !methods.includes(each as 'GET'))) {
      const { status, body, headers } = await send(method, path);
      expect([status, body]).toEqual([405, hasCodes(route.path) ? '{"error":1,"messages":[1005]}' : NO_CODE]);
      expect(headers['allow']?.split(', ')).toEqual(expect.arrayContaining([...methods, 'OPTIONS']));
      expect(headers['allow']?.includes('HEAD')).toBe(methods.includes('GET'));
    }
  });

  test('answers OPTIONS with its methods, and is logged by its pattern', async () => {
    const { status, body, headers } = await send('OPTIONS', path);
    expect([status, body]).toEqual([204, '']);
    expect(headers['allow']).toContain(route.method);
    expect(lastRoute).toBe(`OPTIONS ${route.path}`);
  });

  if (route.open) return;

  test('requires a token before it reads what was sent', async () => {
    const hostile = route.path.replaceAll(/\{\w+\}/g, '-1');
    for (const each of [path, hostile, `${hostile}?limit=0`]) {
      const body = route.method === 'POST' ? '{' : undefined;
      expect(await send(route.method, each, { 'content-type': 'text/html' }, body)).toMatchObject({
        status: 401,
        body: hasCodes(route.path) ? UNAUTHENTICATED : NO_CODE,
      });
    }
    expect(lastRoute).toBe(name);
  });

  if (route.method !== 'GET') return;

  test('answers HEAD with the headers of GET and no body', async () => {
    const got = await send('GET', path);
    const headed = await send('HEAD', path);
    expect([headed.status, headed.body]).toEqual([got.status, '']);
    for (const key of ['content-type', 'content-length', 'cache-control', 'x-content-type-options']) {
      expect(headed.headers[key]).toBe(got.headers[key]);
    }
  });
});

describe('an answer', () => {
  test('is not cached, not sniffed, and names no software', async () => {
    const { headers } = await send('GET', '/api/v1/notifications');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers).toHaveProperty('x-request-id');
    for (const key of ['x-powered-by', 'etag', 'server']) expect(headers).not.toHaveProperty(key);
  });

  test('describes the interface under its public address to every caller', async () => {
    const { status, body } = await send('GET', '/api/v1/openapi.json');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://gateway.example' }] });
  });
});

describe('a body that is refused', () => {
  interface Push {
    announced: number;
    sent: number;
    path?: string;
    /** Stops sending when the answer begins, as well-behaved clients do. */
    listens: boolean;
  }

  function push({ announced, sent: size, listens, path = '/api/v1/organizations' }: Push) {
    return new Promise<{ received: string; sent: number; error?: Error }>((done) => {
      const socket = connect(port, '127.0.0.1');
      const chunk = Buffer.alloc(64 * 1024);
      let sent = 0;
      let received = '';
      let error: Error | undefined;
      const send = () => {
        if (socket.destroyed || sent >= size || (listens && received !== '')) return;
        sent += chunk.length;
        socket.write(chunk, () => setTimeout(send, 1));
      };
      socket.setEncoding('utf8').on('data', (text: string) => (received += text));
      socket.on('error', (reason) => (error = reason));
      socket.on('close', () => done({ received, sent, ...(error && { error }) }));
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${announced}\r\n\r\n`, send);
    });
  }

  test('is answered without waiting for it, and the connection is closed in order', async () => {
    const { received, error } = await push({ announced: 50_000_000, sent: 50_000_000, listens: true });
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(received).toContain('\r\nConnection: close\r\n');
    expect(received).toContain(UNAUTHENTICATED);
    expect(error).toBeUndefined();
  });

  test('is taken to its end when it is short, so that a client that does not listen gets the answer', async () => {
    const { received, error } = await push({ announced: 256 * 1024, sent: 256 * 1024, listens: false });
    expect(received).toContain(UNAUTHENTICATED);
    expect(error).toBeUndefined();
  });

  test.each(['/api/v1/organizations', '/api/v1/nothing'])('is cut off when it does not end: %s', async (path) => {
    const { sent } = await push({ announced: 500_000_000, sent: 500_000_000, listens: false, path });
    expect(sent).toBeLessThan(8_000_000);
  });

  test('is waited for no longer than a moment', async () => {
    const { received } = await push({ announced: 100, sent: 0, listens: true });
    expect(received).toContain(UNAUTHENTICATED);
    // Less than a slow body is given.
  }, 12_000);
});

describe('a download', () => {
  test('comes whole under its own name', async () => {
    const { status, body, headers } = await send('GET', SIGNED);
    expect([status, body]).toEqual([200, '0123456789']);
    expect(headers).toMatchObject({
      etag: `"${SHA256}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private',
      'content-type': 'text/plain',
      'content-length': '10',
      'content-disposition': `attachment; filename="perch_ _no_.txt"; filename*=UTF-8''perch%C3%A9%20%22no%22.txt`,
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=8-', '89', 'bytes 8-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=9-999', '9', 'bytes 9-9/10'],
    ['BYTES=0-0', '0', 'bytes 0-0/10'],
  ])('comes in part for %s', async (range, part, contentRange) => {
    const { status, body, headers } = await send('GET', SIGNED, { range });
    expect([status, body, headers['content-range']]).toEqual([206, part, contentRange]);
    expect(headers['content-length']).toBe(String(part.length));
  });

  test.each(['bytes=3-1', 'bytes=0-1,3-4', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes=0', ''])(
    'comes whole for a range that is none: %j',
    async (range) => {
      expect(await send('GET', SIGNED, { range })).toMatchObject({ status: 200, body: '0123456789' });
    },
  );

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('has no such range as %s', async (range) => {
    const { status, headers } = await send('GET', SIGNED, { range });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */10']);
  });

  test('comes in part only while it is the same file (If-Range)', async () => {
    const range = 'bytes=0-0';
    expect((await send('GET', SIGNED, { range, 'if-range': `"${SHA256}"` })).status).toBe(206);
    expect((await send('GET', SIGNED, { range, 'if-range': '"other"' })).status).toBe(200);
    expect((await send('GET', SIGNED, { range, 'if-range': `W/"${SHA256}"` })).status).toBe(200);
  });

  test.each([`"${SHA256}"`, `"x", W/"${SHA256}"`, '*'])('is not sent again to who has it: %s', async (tags) => {
    const { status, body, headers } = await send('GET', SIGNED, { 'if-none-match': tags });
    expect([status, body, headers['etag']]).toEqual([304, '', `"${SHA256}"`]);
  });

  test('answers HEAD with the whole length, whatever range is requested', async () => {
    const { status, body, headers } = await send('HEAD', SIGNED, { range: 'bytes=0-0' });
    expect([status, body, headers['content-length']]).toEqual([200, '', '10']);
  });

  test.each([
    SIGNED.replace('good', 'bad'),
    SIGNED.replace('expires=1', 'expires=2'),
    SIGNED.replace('expires=1&', ''),
    SIGNED.replace('&signature=good', ''),
    `${SIGNED}&signature=good`,
    SIGNED.replace('expires=1', 'expires=x'),
    SIGNED.replace('/1?', '/x?'),
    SIGNED.replace('documents', 'constructor'),
  ])('is not found at an address that was not signed: %s', async (path) => {
    expect(await send('GET', path)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  test('answers an outage of the storage as an error and not as a file', async () => {
    const { status, body, headers } = await send('GET', SIGNED.replace('/1?', '/2?'));
    expect([status, body, headers['retry-after']]).toEqual([503, '{"error":1,"messages":[]}', '7']);
    for (const key of ['etag', 'content-disposition']) expect(headers).not.toHaveProperty(key);
  });
});
