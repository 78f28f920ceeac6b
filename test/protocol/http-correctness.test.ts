import { describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startGateway } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { rawRequest } from '../support/rest.js';

const { gateway, testData } = await startSeededGateway();

const UNAUTHENTICATED = '{"error":1,"messages":[1001]}';

/** Sends lines as they are and returns all that comes back until the connection is closed. */
function requestContext(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.on('data', (bytes) => (heard += bytes.toString())).once('close', () => resolve(heard));
    socket.once('error', reject).write([...lines, 'Host: gateway', 'Connection: close', '', ''].join('\r\n'));
  });
}

describe('a client that accepts JSON and no page', () => {
  test.each([
    ['GET', '/nothing', 404, '{"error":1,"messages":[1004]}'],
    ['GET', '/docs/nothing', 404, '{"error":1,"messages":[1004]}'],
    ['GET', '/logos/nothing', 404, '{"error":1,"messages":[1004]}'],
    ['GET', '/unsubscribe?token=none', 404, '{"error":1,"messages":[1004]}'],
    ['POST', '/docs', 405, '{"error":1,"messages":[1005]}'],
    ['DELETE', '/', 405, '{"error":1,"messages":[1005]}'],
  ])('gets the error of %s %s in the envelope', async (method, path, status, body) => {
    for (const accept of ['application/json', 'application/json; q=0.9, */*;q=0.1']) {
      const answer = await rawRequest(gateway.url, method, path, { headers: { accept } });
      expect([answer.status, answer.text]).toEqual([status, body]);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      if (status === 405) expect(answer.headers.allow).toBe('GET, HEAD');
    }
  });

  test('is no browser, which gets a page', async () => {
    const accept = 'text/html,application/json;q=0.9,*/*;q=0.8';
    const answer = await rawRequest(gateway.url, 'GET', '/nothing', { headers: { accept } });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

describe('a request with two Host headers', () => {
  test.each(['GET /health/live', 'GET /graphql', 'GET /'])('is refused: %s', async (line) => {
    for (const host of ['Host: gateway', 'HOST: elsewhere'])
      expect(await requestContext(`${line} HTTP/1.1`, host)).toMatch(
        /^HTTP\/1\.1 400 .+The request is not valid HTTP/s,
      );
  });

  test('opens no WebSocket', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const answer = await requestContext('GET /graphql HTTP/1.1', 'Host: gateway', ...upgrade, key);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test('Strict-Transport-Security is on every answer where the operator has set it, and on none otherwise', async () => {
  const secure = await startGateway({ config: { hstsSeconds: 31_536_000 } });
  try {
    for (const path of ['/', '/graphql', '/api/v1/profile', '/health/live', '/nothing']) {
      expect((await rawRequest(secure.url, 'GET', path)).headers['strict-transport-security']).toBe('max-age=31536000');
      expect((await rawRequest(gateway.url, 'GET', path)).headers['strict-transport-security']).toBe(undefined);
    }
  } finally {
    await secure.close();
  }
});

describe('a 304', () => {
  const organization = `/api/v1/organizations/${testData.organizationId}`;
  test.each([
    organization,
    `${organization}/settings`,
    `${organization}/branding`,
    '/api/v1/notifications',
    '/api/v1/options',
    '/api/v1/openapi.json',
    '/docs',
    '/schema.graphql',
    '/favicon.svg',
  ])('of %s has the headers of the 200 but for those of its content', async (path) => {
    const send = (headers: Record<string, string> = {}) =>
      rawRequest(gateway.url, 'GET', path, { headers: { 'x-service-token': testData.owner.token, ...headers } });
    const whole = await send();
    expect(whole.headers.etag).toBeDefined();
    const unchanged = await send({ 'if-none-match': String(whole.headers.etag) });
    expect(unchanged.status).toBe(304);
    expect(lasting(unchanged.headers)).toEqual(lasting(whole.headers));
    // Again, where the revision is remembered.
    expect(lasting((await send({ 'if-none-match': String(whole.headers.etag) })).headers)).toEqual(
      lasting(whole.headers),
    );
  });

  /** Those that neither belong to the content nor differ from answer to answer. */
  function lasting(headers: object): object {
    const others = /^(content-(type|length|encoding)|date|x-request-id|ratelimit|connection|keep-alive)$/;
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !others.test(name)));
  }
});

describe('a request target in absolute form', () => {
  test('is answered as the path in it', async () => {
    const token = `X-Service-Token: ${testData.owner.token}`;
    expect(await requestContext('GET http://gateway.example/api/v1/profile HTTP/1.1', token)).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    const query = `HTTPS://gateway.example:8443/api/v1/profile?X-Service-Token=${testData.owner.token}`;
    expect(await requestContext(`GET ${query} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await requestContext('GET http://gateway.example/graphql?query={__typename} HTTP/1.1', token)).toContain(
      '"Query"',
    );
    expect(await requestContext('GET http://gateway.example/health/live HTTP/1.1')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await requestContext('GET http://gateway.example HTTP/1.1')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('is not found when its path is unknown', async () => {
    const answer = await requestContext('GET http://gateway.example/api/v1/nothing HTTP/1.1');
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('{"error":1,"messages":[1004]}');
  });
});

describe('application/merge-patch+json', () => {
  const headers = { 'content-type': 'application/merge-patch+json; charset=utf-8' };
  const path = () => `/api/v1/organizations/${testData.otherOrganizationId}/settings`;
  const token = () => testData.nonMember.token;

  test('is taken by PATCH: null empties a field, an absent one stays', async () => {
    const change = (body: object) =>
      gateway.rest.patch(path(), { token: token(), headers, body: JSON.stringify(body) });
    expectData(await change({ report_weekday: 3, time_zone: 'Europe/Rome' }));
    expect(expectData(await change({ time_zone: null }))).toMatchObject({ report_weekday: 3, time_zone: 'UTC' });
  });

  test('is refused where nothing is patched', async () => {
    const answer = await gateway.rest.post('/api/v1/tokens', { token: token(), headers, body: '{"name":"x"}' });
    expectError(answer, 400, ['Content-Type must be application/json']);
  });

  test('is named beside JSON when a PATCH has another type', async () => {
    const other = { 'content-type': 'text/plain' };
    const answer = await gateway.rest.patch(path(), { token: token(), headers: other, body: '{}' });
    expectError(answer, 400, ['Content-Type must be application/json or application/merge-patch+json']);
  });
});

describe('a 401', () => {
  const CHALLENGE = 'Bearer realm="compliance-gateway", ApiKey realm="compliance-gateway", header="X-Service-Token"';

  test.each(['/api/v1/profile', '/api/v1/v-ciso/organizations/1/workflows/x/evidence-pack'])(
    'of %s names the scheme, and its body stays',
    async (path) => {
      const answer = await rawRequest(gateway.url, 'GET', path, { headers: { 'X-Service-Token': 'scp_wrong' } });
      expect([answer.status, answer.text]).toEqual([401, UNAUTHENTICATED]);
      expect(answer.headers['www-authenticate']).toBe(CHALLENGE);
    },
  );

  test.each(['/graphql', '/graphql/stream'])('of %s names the scheme', async (path) => {
    for (const query of ['{ viewer { user { id: databaseId } } }', '{ organizations { totalCount } }']) {
      const answer = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, CHALLENGE]);
    }
  });

  test('is the only answer that names it', async () => {
    const answer = await gateway.rest.get('/api/v1/profile', { token: testData.owner.token });
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });
});

test('a known caller that listens only after sending gets the answer to a large body that is refused', async () => {
  const size = 12 * 1024 * 1024;
  const { token } = testData.owner;
  const answer = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
      .once('error', reject)
      .pause();
    socket.on('data', (bytes) => (received += bytes.toString())).once('close', () => resolve(received));
    const head = ['POST /api/v1/organizations HTTP/1.1', 'Host: gateway', `X-Service-Token: ${token}`];
    socket.write([...head, 'Content-Type: application/json', `Content-Length: ${size}`, '', ''].join('\r\n'));
    socket.write(Buffer.alloc(size, ' '), () => socket.resume());
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('The body must not exceed 1 MB');
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
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
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

  test.each(['/api/v1/organizations', '/api/v1/nothing', '/graphql', '/docs', '/nothing', '/health/live'])(
    'is cut off when it does not end: %s',
    async (path) => {
      const { sent } = await push({ announced: 500_000_000, sent: 500_000_000, listens: false, path });
      expect(sent).toBeLessThan(8_000_000);
    },
  );

  test('is waited for no longer than a moment', async () => {
    const { received } = await push({ announced: 100, sent: 0, listens: true });
    expect(received).toContain(UNAUTHENTICATED);
    // Less than a slow body is given.
  }, 12_000);
});

describe('a token in two header lines', () => {
  const get = async (...tokens: string[]) => {
    const lines = tokens.map((token) => `X-Service-Token: ${token}`);
    const answer = await requestContext('GET /api/v1/profile HTTP/1.1', ...lines);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  };

  test('is one token when both are equal, and none when they differ', async () => {
    const [one, other] = [testData.owner.token, testData.viewer.token];
    expect([await get(one, one), await get(`${one}, ${one}`)]).toEqual([200, 200]);
    expect([await get(one, other), await get(one, '')]).toEqual([401, 401]);
  });
});

describe('the interface description', () => {
  const get = (headers: Record<string, string> = {}) =>
    rawRequest(gateway.url, 'GET', '/api/v1/openapi.json', { headers });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is sent compressed with %s to who takes that, and is the same', async (encoding, decompress) => {
    const plain = await get();
    const answer = await get({ 'accept-encoding': encoding });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('Accept-Encoding');
    expect(decompress(answer.bytes).equals(plain.bytes)).toBe(true);
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(answer.headers.etag).not.toBe(plain.headers.etag);
  });

  test('is sent as it is to who takes no compression', async () => {
    for (const accepted of ['', 'identity', 'br;q=0, gzip;q=0.0']) {
      const answer = await get(accepted === '' ? {} : { 'accept-encoding': accepted });
      expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
      expect(JSON.parse(answer.text)).toMatchObject({ openapi: '3.1.0' });
    }
  });

  test('is 304 to who has it in the same encoding', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { headers } = await get({ 'accept-encoding': encoding });
      const again = await get({ 'accept-encoding': encoding, 'if-none-match': String(headers.etag) });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
      expect(again.headers.vary).toBe('Accept-Encoding');
    }
  });
});

test.each(['/graphql', '/graphql?query={__typename}', '/nothing'])(
  'caches know that the form of GET %s depends on Accept',
  async (path) => {
    for (const accept of ['text/html', 'application/json']) {
      const { headers } = await rawRequest(gateway.url, 'GET', path, { headers: { accept } });
      expect(headers.vary).toMatch(/\bAccept\b(?!-)/);
    }
  },
);
