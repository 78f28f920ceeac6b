import { describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startGateway } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { rawRequest } from '../support/rest.js';
import { until } from '../support/until.js';

const { gateway, testData } = await startSeededGateway();

const UNAUTHENTICATED = '{"error":1,"messages":[1001]}';

/** Sends raw lines and returns all received data until the connection is closed. */
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

  test('may also be one that sends a token, whatever it accepts', async () => {
    const sent: Record<string, string>[] = [
      { 'x-service-token': 'any' },
      { authorization: 'Bearer any', accept: 'text/html' },
    ];
    for (const headers of sent) {
      const answer = await rawRequest(gateway.url, 'GET', '/never/was', { headers });
      expect([answer.status, answer.text]).toEqual([404, '{"error":1,"messages":[1004]}']);
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

describe('a client that expects 100 Continue', () => {
  const json = (length: number) => [
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
  ];
  const token = `X-Service-Token: ${testData.owner.token}`;

  test.each([
    ['without a token', 'POST /graphql', json(1_000_000), 401],
    ['of a body that is too large', 'POST /graphql', [token, ...json(50_000_000)], 400],
    ['of a body that is too large for REST', 'POST /api/v1/organizations', [token, ...json(50_000_000)], 400],
    ['of another media type', 'POST /graphql', [token, 'Content-Type: text/plain', ...json(9).slice(1)], 400],
    ['of an unknown path', 'POST /nothing', json(9), 404],
  ])('has the answer to a request %s at once', async (_what, line, headers, status) => {
    const answer = await requestContext(`${line} HTTP/1.1`, ...headers);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toContain('100 Continue');
  });

  test('sends its body when it is read, however long that takes, and then another request', async () => {
    const body = '{"query":"{ __typename }"}';
    const connections = { ...gateway.config.connections, minBodyRate: 1_000_000, bodyGraceSeconds: 1 };
    const strict = await startGateway({ database: gateway.database, config: { connections } });
    const socket = connect(Number(new URL(strict.url).port), '127.0.0.1');
    try {
      let heard = '';
      socket.on('data', (bytes) => (heard += bytes.toString()));
      const head = ['POST /graphql HTTP/1.1', 'Host: gateway', token, ...json(body.length), '', ''].join('\r\n');
      await gateway.app.database.transaction(async (tx) => {
        // The sender is looked up.
        await tx.rows('lock table api_token in access exclusive mode');
        socket.write(head);
        await sleep(3_000);
        expect(heard).toBe('');
      });
      await until('the body is awaited', async () => heard === 'HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(body + head.replace('Expect: 100-continue\r\n', '') + body);
      await until('both are answered', async () => heard.split('{"data":{"__typename":"Query"}}').length === 3);
      expect(heard.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    } finally {
      socket.destroy();
      await strict.close();
    }
  });
});

test('a WebSocket that is opened behind a request is refused, after the answer to that', async () => {
  const first = [
    'GET /api/v1/organizations HTTP/1.1',
    `X-Service-Token: ${testData.owner.token}`,
    'Host: gateway',
    '',
    '',
  ];
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const heard = await requestContext(first.join('\r\n') + 'GET /graphql HTTP/1.1', ...upgrade, key);
  expect(heard.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
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
    // Again, with a cached revision.
    expect(lasting((await send({ 'if-none-match': String(whole.headers.etag) })).headers)).toEqual(
      lasting(whole.headers),
    );
  });

  /** Headers that neither belong to the content nor differ between responses. */
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
    /** Stops sending when the response begins, like well-behaved clients. */
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
    // Less than the time limit of a slow body.
  }, 12_000);
});

test.each([
  ['the end of a text in C', '\0'],
  ['a line of headers without end', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`],
])('a change with more behind it than it announced gets its own answer, and no other: %s', async (_what, more) => {
  const body = JSON.stringify({ name: 'More behind' });
  const answer = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.on('data', (bytes) => (received += bytes.toString())).once('close', () => resolve(received));
    const head = ['POST /api/v1/organizations HTTP/1.1', 'Host: gateway', `X-Service-Token: ${testData.owner.token}`];
    const lines = [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body];
    socket.once('error', reject).write(lines.join('\r\n') + more);
  });
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201']);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(answer).toMatch(/"name":"More behind".+\}$/);
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

describe('the sentences of an error', () => {
  const BAD_SETTINGS = { time_zone: 'Rome', language: 'fr', report_weekday: 8 };
  const request = async (api: 'REST' | 'GraphQL', sent: Record<string, string>, token = testData.owner.token) => {
    const { time_zone: timeZone, report_weekday: reportWeekday, language } = BAD_SETTINGS;
    const id = testData.organizationId;
    const input = { organizationId: id, timeZone, language, reportWeekday };
    const query = `mutation ($input: UpdateOrganizationSettingsInput!) { updateOrganizationSettings(input: $input) { __typename } }`;
    const headers = { 'content-type': 'application/json', 'x-service-token': token, ...sent };
    const {
      status,
      headers: received,
      text,
    } = await (api === 'REST'
      ? rawRequest(gateway.url, 'PATCH', `/api/v1/organizations/${id}/settings`, {
          headers,
          body: JSON.stringify(BAD_SETTINGS),
        })
      : rawRequest(gateway.url, 'POST', '/graphql', {
          headers,
          body: JSON.stringify({ query, variables: { input } }),
        }));
    const body = JSON.parse(text);
    const messages = api === 'REST' ? body.messages : body.errors[0].extensions.messages;
    return { status, received, messages, body, text };
  };

  test.each(['REST', 'GraphQL'] as const)(
    'are those of always through %s for a client that names no language of ours',
    async (api) => {
      const plain = await request(api, {});
      expect(plain.messages).toContain('language must be one of the languages de, en, it');
      expect([plain.received['content-language'], plain.received.vary]).toEqual([
        undefined,
        api === 'REST' ? 'Accept-Encoding' : 'Accept',
      ]);
      for (const sent of ['fr', '*', 'it;q=0', 'q=1;it', ';;,', 'x'.repeat(4000)]) {
        const { text, received } = await request(api, { 'accept-language': sent });
        expect([sent, text, received['content-language'], received.vary]).toEqual([
          ...[sent, plain.text, undefined, plain.received.vary],
        ]);
      }
      const english = await request(api, { 'accept-language': 'en-US,en;q=0.9,it;q=0.8' });
      expect([english.text, english.received['content-language']]).toEqual([plain.text, 'en']);
    },
  );

  test.each(['REST', 'GraphQL'] as const)('are in the language that a client prefers through %s', async (api) => {
    const [zone, weekday] = api === 'REST' ? ['time_zone', 'report_weekday'] : ['timeZone', 'reportWeekday'];
    const italian = await request(api, { 'accept-language': 'fr, it-CH;q=0.9, de;q=0.8' });
    expect([italian.status, italian.received['content-language']]).toEqual([api === 'REST' ? 400 : 200, 'it']);
    expect(italian.received.vary).toContain('Accept-Language');
    expect(italian.messages.toSorted()).toEqual([
      'language deve essere una delle lingue de, en, it',
      `${weekday} deve essere compreso tra 1 (lunedì) e 7 (domenica)`,
      `${zone} deve essere un fuso orario IANA come Europe/Rome`,
    ]);
    if (api === 'GraphQL') {
      const [{ message, extensions }] = italian.body.errors;
      expect(italian.messages).toContain(message);
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
      expect(extensions.fields).toContainEqual({
        path: ['input', 'language'],
        message: 'language deve essere una delle lingue de, en, it',
      });
    }
    const read = await rawRequest(
      gateway.url,
      'GET',
      api === 'REST' ? '/api/v1/profile' : '/graphql?query={__typename}',
      {
        headers: { 'accept-language': 'it', 'x-service-token': testData.owner.token },
      },
    );
    expect([read.status, read.headers['content-language']]).toEqual([200, undefined]);
    const german = await request(api, { 'accept-language': 'it;q=0.1,de' });
    expect(german.messages).toContain('language muss eine der Sprachen de, en, it sein');
  });

  test('have no language where they are codes, and in GraphQL a sentence beside the code', async () => {
    const italian = { 'accept-language': 'it' };
    const rest = await request('REST', italian, 'scp_unknown');
    expect([rest.status, rest.text]).toEqual([401, UNAUTHENTICATED]);
    // A response that is equal for every caller still differs by language.
    for (const [sent, message] of [
      [{}, 'A valid X-Service-Token is required'],
      [italian, 'È richiesto un X-Service-Token valido'],
      [{}, 'A valid X-Service-Token is required'],
    ] as const) {
      const { text } = await rawRequest(gateway.url, 'POST', '/graphql', {
        headers: { 'content-type': 'application/json', ...sent },
        body: JSON.stringify({ query: '{ viewer { user { id } } }' }),
      });
      expect(JSON.parse(text).errors).toEqual([{ message, extensions: { code: 'UNAUTHENTICATED', messages: [1001] } }]);
    }
  });

  const DOCUMENT = (fields: string) => JSON.stringify({ query: `{ ${fields} }` });
  test.each<[what: string, method: string, path: string, headers: Record<string, string>, body: string, said: string]>([
    ['no JSON', 'PATCH', '/api/v1/profile', {}, '{', 'Il corpo non è JSON valido'],
    [
      'a body that is too large',
      'PATCH',
      '/api/v1/profile',
      {},
      `"${'a'.repeat(2 ** 21)}"`,
      'Il corpo non deve superare 1 MB',
    ],
    [
      ...(['another media type', 'PATCH', '/api/v1/profile', { 'content-type': 'text/plain' }] as const),
      ...(['{}', 'Content-Type deve essere application/json o application/merge-patch+json'] as const),
    ],
    [
      ...(['a form', 'POST', '/api/v1/organizations', { 'content-type': 'multipart/form-data' }, 'x'] as const),
      'Il corpo non è un modulo multipart valido',
    ],
    ['an unknown parameter', 'GET', '/api/v1/notifications?x=1', {}, '', 'x non è un parametro di questo percorso'],
    ['no document', 'POST', '/graphql', {}, '{}', 'Manca il corpo del POST'],
    ['a field of no type', 'POST', '/graphql', {}, DOCUMENT('nothing'), 'non esiste nel tipo'],
    ['no GraphQL', 'POST', '/graphql', {}, DOCUMENT('x('), 'Il documento non è GraphQL valido'],
    [
      'levels',
      'POST',
      '/graphql',
      {},
      DOCUMENT(`${'a{'.repeat(99)}a${'}'.repeat(99)}`),
      'Il documento supera il limite di',
    ],
    ['a method of REST', 'DELETE', '/graphql', {}, '', 'Questo metodo non è consentito qui'],
    ['a batch of MCP', 'POST', '/mcp', {}, '[]', 'I batch non sono ammessi'],
    ['a directory', 'GET', '/scim/v2/organizations/1/Users', {}, '', 'È richiesto un token SCIM valido'],
  ])('are in Italian where the request is refused for %s', async (_what, method, path, headers, body, said) => {
    const answer = await rawRequest(gateway.url, method, path, {
      headers: {
        ...{ 'content-type': 'application/json', 'x-service-token': testData.owner.token, 'accept-language': 'it' },
        ...headers,
      },
      body: body || undefined,
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).toContain(said);
    expect(answer.headers['content-language']).toBe('it');
  });

  test('that the specification has word by word are the same in every language', async () => {
    const { database } = gateway.app;
    const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/nis2-directive/documents/21.2.a/versions`;
    await database.rows(
      `insert into organization_workflow (organization_id, workflow_id) values ($1, 'nis2-directive') on conflict do nothing`,
      [testData.organizationId],
    );
    for (const [body, message] of [
      [{ filename: 'a.txt' }, 'Missing content'],
      [{ filename: 'a.txt', content: '!' }, 'Invalid base64 content'],
      [{ filename: 'a.html', content: 'PGI+', content_type: 'text/html' }, 'Unsupported file type'],
      [
        {
          filename: 'a.txt',
          content: Buffer.alloc(10 * 1024 * 1024 + 1, 97).toString('base64'),
          content_type: 'text/plain',
        },
        'File too large. Maximum size is 10 MB.',
      ],
    ] as const) {
      const { text, headers } = await rawRequest(gateway.url, 'POST', path, {
        headers: {
          'accept-language': 'it',
          'content-type': 'application/json',
          'x-service-token': testData.owner.token,
        },
        body: JSON.stringify(body),
      });
      expect([JSON.parse(text), headers['content-language']]).toEqual([{ error: 1, messages: [message] }, 'en']);
    }
  });
});
