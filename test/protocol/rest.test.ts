import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startGateway } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildCloudDefender, buildNotifications, buildOrganization, buildToken, join } from '../support/test-data.js';
import { ROUTES } from '../../src/rest/routes.js';
import { badTokens, rawRequest, type RawAnswer } from '../support/rest.js';
import { until } from '../support/until.js';

const { gateway, testData } = await startSeededGateway();
const device = await buildCloudDefender(gateway.app.database, testData.organizationId);
await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 3);

const NOT_FOUND = '{"error":1,"messages":[1004]}';
/** Branding and attachments respond without integer codes. */
const envelopeAt = (path: string, code: number) =>
  JSON.stringify({ error: 1, messages: /\/(?:branding|attachments)$/.test(path) ? [] : [code] });
const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  rawRequest(gateway.url, method, path, { headers, ...(body === undefined ? {} : { body }) });
const asOwner = (method: string, path: string, headers: Record<string, string> = {}) =>
  send(method, path, { 'X-Service-Token': testData.owner.token, ...headers });

function expectEnvelopeHeaders({ headers, bytes }: RawAnswer, length = bytes.length): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['content-length']).toBe(String(length));
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['x-powered-by']).toBeUndefined();
  expect(headers['server']).toBeUndefined();
  expect(headers['etag']).toBeUndefined();
}

describe('paths', () => {
  const unknown = () => [
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v1/docs',
    '/api/v1/docs/',
    '/api/v1/swagger.json',
    '/api/v1/openapi',
    '/api/v1/openapi.yaml',
    '/api/v1/webhook',
    '/api/v1/webhook/1',
    '/api/v1/graphql',
    '/api/v1/viewer',
    '/api/v1/roles',
    '/api/v1/organization/1',
    '/api/v1/cloud-defenders',
    '/api/v1/atbs',
    '/api/v1/Notifications',
    '/api/v1/notifications/',
    '/api/v1//notifications',
    '/api/v1/./notifications',
    '/api/v1/notifications;x=1',
    '/api/v1/notifications%2F',
    `/api/v1/cloud-defender/${device}/`,
    `/api/v1/cloud-defender/${device}/x`,
    '/api/v1/__proto__',
    '/api/v1/%',
    '/api/v1/constructor',
    '/api/v1/getBranding',
    '/api/v1/Cloud-Defender/1',
    '/api/v1/%6Eotifications',
    '/api/v1/organizations//users',
    '/api/v1/openapi.json#x',
  ];

  test('that do not exist are not found, for every caller and method', async () => {
    for (const path of unknown()) {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND']) {
        const answer = method === 'GET' ? await asOwner(method, path) : await send(method, path);
        expect([method, path, answer.status, answer.text]).toEqual([method, path, 404, NOT_FOUND]);
        expectEnvelopeHeaders(answer);
      }
    }
  });

  test('do not have the webhook, which SOFA would serve', async () => {
    const body = JSON.stringify({ subscription: 'x', url: 'http://127.0.0.1:1/' });
    const headers = { 'X-Service-Token': testData.owner.token, 'content-type': 'application/json' };
    for (const path of ['/api/v1/webhook', '/webhook']) {
      expect((await send('POST', path, headers, body)).status).toBe(404);
    }
  });
});

describe('a parameter that a path does not have', () => {
  const { paths } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { parameters?: { name: string; example?: unknown }[] }>>;
  };
  // A file at a signed address: a changed address is like one that never existed.
  const others = Object.entries(paths).filter(([path]) => !path.startsWith('/api/v1/downloads/'));

  test('is refused and named by every operation', async () => {
    for (const [path, operations] of others)
      for (const [method, { parameters = [] }] of Object.entries(operations)) {
        const valueOf = (_braces: string, name: string) =>
          encodeURIComponent(String(parameters.find((each) => each.name === name)?.example));
        const answer = await asOwner(method.toUpperCase(), `${path.replaceAll(/\{(\w+)\}/g, valueOf)}?misspelt=1`);
        expect([method, path, answer.status]).toEqual([method, path, 400]);
        expect(answer.text).toContain('misspelt is not a parameter of this path');
      }
  });
});

describe('ids', () => {
  const odd = () => [
    '0',
    '-1',
    `+${device}`,
    `%2B${device}`,
    `0${device}`,
    `${device}.0`,
    `${device}e0`,
    '0x1',
    '2147483648',
    '4294967297',
    '9'.repeat(400),
    'abc',
    'null',
    'undefined',
    '__proto__',
    `${device}%20`,
    `%20${device}`,
    `${device}%00`,
    `${device}%0A`,
    `${device},${device}`,
    '%2e',
    '%2E%2e',
    '..%2f',
    `%2e%2e%2fcloud-defender%2f${device}`,
    `${device}%2F`,
    `${device}%3Fx=1`,
    `${device}%23x`,
    '%zz',
    '%',
    '%ff',
    '%c3%28',
    '%E0%A4%A',
    '%F0%9F%98%80',
    "'%20or%201=1",
    '%D9%A1',
  ];
  const places = [
    (id: string) => ['GET', `/api/v1/cloud-defender/${id}`],
    (id: string) => ['DELETE', `/api/v1/cloud-defender/${id}`],
    (id: string) => ['GET', `/api/v1/atb/${id}`],
    (id: string) => ['DELETE', `/api/v1/atb/${id}`],
    (id: string) => ['GET', `/api/v1/organizations/${id}/users`],
    (id: string) => ['GET', `/api/v1/organizations/${id}/branding`],
    (id: string) => ['POST', `/api/v1/v-ciso/organizations/${id}/workflows/iso-27001-2022/documents/A.5.1/versions`],
    (id: string) => ['POST', `/api/v1/v-ciso/incidents/${id}/1/attachments`],
    (id: string) => ['POST', `/api/v1/v-ciso/incidents/${testData.organizationId}/${id}/attachments`],
  ] as const;

  /** If the id cannot be decoded, the path is none of those without codes. */
  const isNotFound = (path: string, { status, text }: { status: number; text: string }) =>
    status === 404 && [NOT_FOUND, envelopeAt(path, 1004)].includes(text);

  test('that are none are not found, in the same bytes everywhere', async () => {
    const wrong: unknown[] = [];
    for (const place of places) {
      for (const id of odd()) {
        const [method = '', path = ''] = place(id);
        const answer = await asOwner(method, path);
        if (!isNotFound(path, answer)) wrong.push([method, path, answer.status, answer.text]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('with signs that address parsers tidy up are not found either', async () => {
    const wrong: unknown[] = [];
    const { organizationId: id } = testData;
    for (const path of [
      `/api/v1/cloud-defender/${device}#x`,
      `/api/v1/cloud-defender/${device}\\`,
      `/api/v1/cloud-defender/x\\..\\${device}`,
      `/api/v1/organizations/x\\..\\${id}/branding`,
      `/api/v1/organizations/${id}\\x\\..\\/branding`,
      `/api/v1/organizations/x\\..\\${id}/users`,
    ]) {
      const answer = await asOwner('GET', path);
      if (!isNotFound(path, answer)) wrong.push([path, answer.status, answer.text]);
    }
    expect(wrong).toEqual([]);
  });

  test('spelled with percent signs are the ids they spell', async () => {
    const spelled = [...String(device)].map((digit) => `%3${digit}`).join('');
    const plain = await asOwner('GET', `/api/v1/cloud-defender/${device}`);
    expect((await asOwner('GET', `/api/v1/cloud-defender/${spelled}`)).text).toBe(plain.text);
  });
});

/** Paths with an id, and with an invalid one. */
const concrete = (path: string, id = '1') => path.replaceAll(/\{\w+\}/g, id);
const NEEDING_TOKEN = ROUTES.filter(({ open }) => !open);

describe('methods', () => {
  const PLACES = [...Map.groupBy(ROUTES, ({ path }) => path)].map(([path, routes]) => {
    const has = (method: string) => routes.some((route) => route.method === (method === 'HEAD' ? 'GET' : method));
    return { path, allow: [...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(has), 'OPTIONS'] };
  });

  test.each(PLACES)(
    'that $path does not have are refused, with those that it has in Allow',
    async ({ path, allow }) => {
      const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'];
      for (const method of all.filter((each) => !allow.includes(each))) {
        const answer = await send(method, concrete(path));
        expect([method, answer.status, answer.text]).toEqual([method, 405, envelopeAt(path, 1005)]);
        expect(answer.headers.allow).toBe(allow.join(', '));
        expectEnvelopeHeaders(answer);
      }
    },
  );

  test('are answered by OPTIONS, to every caller and without a body', async () => {
    for (const { path, allow } of PLACES) {
      const answer = await send('OPTIONS', concrete(path));
      expect([path, answer.status, answer.text, answer.headers.allow]).toEqual([path, 204, '', allow.join(', ')]);
      expect(answer.headers['x-request-id']).toBeDefined();
    }
  });

  test('HEAD has the headers of GET and no body, whatever the answer', async () => {
    for (const [token, path] of [
      [testData.owner.token, `/api/v1/cloud-defender/${device}`],
      [testData.owner.token, '/api/v1/notifications?limit=2'],
      [testData.owner.token, '/api/v1/notifications?limit=0'],
      [testData.owner.token, `/api/v1/organizations/${testData.organizationId}/users`],
      [testData.owner.token, '/api/v1/v-ciso/available-workflows'],
      [testData.owner.token, '/api/v1/openapi.json'],
      [testData.viewer.token, `/api/v1/cloud-defender/${device}`],
      [testData.nonMember.token, `/api/v1/cloud-defender/${device}`],
      ['none', '/api/v1/nothing'],
      ...NEEDING_TOKEN.filter(({ method }) => method === 'GET').map(({ path }) => ['none', concrete(path)] as const),
    ] as const) {
      const headers = { 'X-Service-Token': token, 'X-Request-Id': 'one-and-the-same' };
      const get = await send('GET', path, headers);
      const head = await send('HEAD', path, headers);
      expect([path, head.status, head.bytes.length]).toEqual([path, get.status, 0]);
      const changing = { date: '', ratelimit: '' };
      expect({ ...head.headers, ...changing }).toEqual({ ...get.headers, ...changing });
    }
  });
});

describe('tokens', () => {
  test('are taken from the query as from the header, and the same in both is one', async () => {
    const plain = await asOwner('GET', '/api/v1/notifications');
    expect(plain.status).toBe(200);
    const { token } = testData.owner;
    for (const answer of [
      await send('GET', `/api/v1/notifications?X-Service-Token=${token}`),
      await send('GET', `/api/v1/notifications?limit=50&X-Service-Token=${token}`),
      await send('GET', `/api/v1/notifications?X-Service-Token=${token}&X-Service-Token=${token}`),
      await asOwner('GET', `/api/v1/notifications?X-Service-Token=${token}`),
      await send('GET', '/api/v1/notifications', { 'x-SERVICE-token': token }),
      await send('GET', '/api/v1/notifications', { Authorization: `Bearer ${token}` }),
      await send('GET', '/api/v1/notifications', { AUTHORIZATION: `bearer   ${token} ` }),
      await asOwner('GET', '/api/v1/notifications', { Authorization: `Bearer ${token}` }),
      await send('GET', `/api/v1/notifications?X-Service-Token=${token}`, { Authorization: `Bearer ${token}` }),
      // A password that a proxy in front requires.
      await asOwner('GET', '/api/v1/notifications', { Authorization: 'Basic dXNlcjpwYXNz' }),
    ]) {
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
    }
  });

  test('that differ between header and query, or within either, are refused', async () => {
    const second = await buildToken(gateway.app.database, testData.owner, {});
    const { token } = testData.owner;
    const header = { 'X-Service-Token': token };
    for (const answer of [
      await send('GET', `/api/v1/notifications?X-Service-Token=${second}`, header),
      await send('GET', '/api/v1/notifications?X-Service-Token=', header),
      await send('GET', '/api/v1/notifications?X-Service-Token=x', header),
      await send('GET', `/api/v1/notifications?X-Service-Token=${token}&X-Service-Token=${second}`),
      await send('GET', `/api/v1/notifications?x-service-token=${token}`),
      await send('GET', '/api/v1/notifications', { 'X-Service-Token': `${token}, ${second}` }),
      await send('GET', '/api/v1/notifications', { ...header, Authorization: `Bearer ${second}` }),
      await send('GET', '/api/v1/notifications', { ...header, Authorization: 'Bearer' }),
      await send('GET', `/api/v1/notifications?X-Service-Token=${token}`, { Authorization: `Bearer ${second}` }),
      await send('GET', '/api/v1/notifications', { Authorization: `Bearer ${token} ${token}` }),
      await send('GET', '/api/v1/notifications', { Authorization: `Basic ${token}` }),
      await send('GET', '/api/v1/notifications', { Authorization: token }),
      await send('GET', '/api/v1/notifications', { Cookie: `X-Service-Token=${token}` }),
    ]) {
      expect([answer.status, answer.text]).toEqual([401, '{"error":1,"messages":[1001]}']);
    }
  });

  test('come before everything else that a request says', async () => {
    for (const [name, token] of badTokens(testData)) {
      const headers = {
        ...(token === undefined ? {} : { 'X-Service-Token': token }),
        'content-type': 'application/json',
      };
      for (const [method, path, body] of [
        ['GET', '/api/v1/notifications?limit=0', undefined],
        ['GET', '/api/v1/cloud-defender/abc', undefined],
        ['POST', '/api/v1/organizations', '{not json'],
        ['POST', '/api/v1/v-ciso/organizations/x/workflows/y/documents/z/versions', '{'],
        ['POST', '/api/v1/v-ciso/incidents/x/y/attachments', '{'],
      ] as const) {
        const answer = await send(method, path, headers, body);
        expect([name, path, answer.status, answer.text]).toEqual([name, path, 401, envelopeAt(path, 1001)]);
      }
    }
  });

  test('are required of every route that needs one, whatever is sent to it', async () => {
    for (const { method, path } of NEEDING_TOKEN) {
      for (const target of [concrete(path), concrete(path, '-1'), `${concrete(path, '-1')}?limit=0`]) {
        const answer = await send(method, target, { 'content-type': 'text/html' }, method === 'POST' ? '{' : undefined);
        expect([method, target, answer.status, answer.text]).toEqual([method, target, 401, envelopeAt(path, 1001)]);
      }
    }
  });

  test('are taken as Bearer tokens by every route that takes them as a header', async () => {
    for (const { method, path } of NEEDING_TOKEN) {
      const target = concrete(path, '-1');
      const body = method === 'POST' ? '{' : undefined;
      const plain = await send(method, target, { 'X-Service-Token': testData.owner.token }, body);
      const bearer = await send(method, target, { Authorization: `Bearer ${testData.owner.token}` }, body);
      expect([method, target, bearer.status, bearer.text]).toEqual([method, target, plain.status, plain.text]);
      expect(bearer.status).not.toBe(401);
    }
  });

  test('that are sent twice as Bearer are one where they are equal, and none where they differ', async () => {
    const second = await buildToken(gateway.app.database, testData.owner, {});
    const { token } = testData.owner;
    const twice = (one: string, other: string) =>
      send('GET', '/api/v1/token', { Authorization: [`Bearer ${one}`, `Bearer ${other}`] as never });
    expect((await twice(token, token)).status).toBe(200);
    expect((await twice(token, second)).status).toBe(401);
  });

  test('are never repeated, neither in a header nor in a body', async () => {
    const { token } = testData.owner;
    const query = `X-Service-Token=${token}`;
    for (const [method, path] of [
      ['GET', `/api/v1/notifications?${query}`],
      ['GET', `/api/v1/notifications?${query}&limit=${token}`],
      ['GET', `/api/v1/notifications?${query}&type=${token}`],
      ['GET', `/api/v1/nothing/${token}?${query}`],
      ['GET', `/api/v1/cloud-defender/${token}?${query}`],
      ['PUT', `/api/v1/notifications?${query}`],
      ['POST', `/api/v1/organizations?${query}`],
      ['OPTIONS', `/api/v1/notifications?${query}`],
    ] as const) {
      const { headers, text } = await send(method, path);
      expect(JSON.stringify(headers) + text).not.toContain(token);
    }
  });
});

describe('a POST that takes no body', () => {
  const path = `/api/v1/cloud-defender/${device}`;
  const post = (body: string, type = 'application/json') =>
    send(
      'POST',
      `${path}/restore`,
      { 'X-Service-Token': testData.owner.token, 'Content-Type': type, 'Content-Length': `${body.length}` },
      body,
    );

  test('refuses what one says, by name, and changes nothing', async () => {
    expect((await asOwner('DELETE', path)).status).toBe(200);
    const refused = await post('{"version": 1, "dry_run": true}');
    expect([refused.status, JSON.parse(refused.text).messages]).toEqual([
      400,
      ['version is not a known field', 'dry_run is not a known field'],
    ]);
    expect((await post('version=1', 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await post('[]')).status).toBe(400);
    expect((await post(`{"a": "${'x'.repeat(5_000)}"}`)).status).toBe(400);
    expect((await asOwner('GET', path)).status).toBe(404);
    expect((await post('')).status).toBe(200);
    expect((await asOwner('GET', path)).status).toBe(200);
  });
});

describe('a DELETE', () => {
  const remove = (path: string, body: string, type = 'application/json') =>
    send(
      'DELETE',
      path,
      { 'X-Service-Token': testData.owner.token, 'Content-Type': type, 'Content-Length': `${body.length}` },
      body,
    );

  test('refuses what a body says, by name, and deletes nothing; an empty one is none', async () => {
    const id = await buildOrganization(gateway.app.database, 'Kept');
    await join(gateway.app.database, testData.owner, id, 'ORGANIZATION_OWNER');
    const path = `/api/v1/organizations/${id}`;
    const refused = await remove(path, '{"version": 99}');
    expect([refused.status, JSON.parse(refused.text).messages]).toEqual([400, ['version is not a known field']]);
    expect((await remove(path, 'version=99', 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await asOwner('GET', path)).status).toBe(200);
    expect((await remove(path, '{}')).status).toBe(200);
    expect((await asOwner('GET', path)).status).toBe(404);
  });

  test('of a device takes no notice of one', async () => {
    const id = await buildCloudDefender(gateway.app.database, testData.organizationId);
    const answer = await remove(`/api/v1/cloud-defender/${id}`, 'reason=moved', 'application/x-www-form-urlencoded');
    expect(answer.status).toBe(200);
  });
});

describe('the links between pages', () => {
  test('repeat the other parameters, and never the token', async () => {
    const { token } = testData.owner;
    const { headers } = await send(
      'GET',
      `/api/v1/notifications?X-Service-Token=${token}&sort=datetime&limit=1&offset=1`,
    );
    expect(headers['link']).toBe(
      '</api/v1/notifications?sort=datetime&limit=1&offset=0>; rel="prev", ' +
        '</api/v1/notifications?sort=datetime&limit=1&offset=2>; rel="next"',
    );
  });

  test('repeat no row where the page before is shorter than this one', async () => {
    const linksOf = async (query: string) => (await asOwner('GET', `/api/v1/notifications?${query}`)).headers['link'];
    const page = (query: string, rel: string) => `</api/v1/notifications?${query}>; rel="${rel}"`;
    expect(await linksOf('offset=2&limit=10')).toBe(page('offset=0&limit=2', 'prev'));
    expect(await linksOf('offset=1')).toBe(page('offset=0&limit=1', 'prev'));
    expect(await linksOf('offset=2&limit=2')).toBe(page('offset=0&limit=2', 'prev'));
    expect(await linksOf('offset=0&limit=2')).toBe(page('offset=2&limit=2', 'next'));
  });

  test('are absent where there is one page', async () => {
    expect((await asOwner('GET', '/api/v1/notifications')).headers['link']).toBeUndefined();
    const { headers } = await asOwner('GET', '/api/v1/notifications?offset=90');
    expect(headers['link']).toBe('</api/v1/notifications?offset=0>; rel="prev"');
  });
});

describe('request ids', () => {
  test('that a proxy gave are used, others are made', async () => {
    const given = (id: string) => asOwner('GET', '/api/v1/notifications', { 'X-Request-Id': id });
    for (const id of ['0f8fad5b-d9cb-469f-a165-70867728950e', 'a:b.c+d/e=f-g_h', 'x'.repeat(128)]) {
      expect((await given(id)).headers['x-request-id']).toBe(id);
    }
    for (const id of ['short', 'x'.repeat(129), 'has spaces in it', '<script>alert(1)</script>']) {
      expect((await given(id)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('are on an answer of every status', async () => {
    const big = 'x'.repeat(1024 * 1024 + 1);
    const headers = { 'X-Service-Token': testData.owner.token };
    const statuses: number[] = [];
    for (const answer of [
      await send('GET', '/api/v1/cloud-defender', headers),
      await send('GET', '/api/v1/notifications'),
      await send('GET', '/api/v1/notifications?limit=0', headers),
      await send('GET', '/api/v1/nothing', headers),
      await send('PUT', '/api/v1/notifications', headers),
      await send('POST', '/api/v1/organizations', { ...headers, 'content-type': 'application/json' }, big),
    ]) {
      statuses.push(answer.status);
      expectEnvelopeHeaders(answer);
    }
    expect(statuses).toEqual([200, 401, 400, 404, 405, 400]);
  });
});

describe('other origins', () => {
  const origin = { Origin: 'https://app.example.com' };

  test('get no CORS headers when none is configured', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await asOwner(method, '/api/v1/notifications', {
        ...origin,
        'Access-Control-Request-Method': 'GET',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('may call when they are configured, and others may not', async () => {
    const open = await startGateway({
      database: gateway.database,
      config: { corsOrigins: ['https://app.example.com', 'https://second.example.com'] },
    });
    try {
      const preflight = await rawRequest(open.url, 'OPTIONS', '/api/v1/organizations', {
        headers: {
          ...origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'x-service-token',
        },
      });
      expect([preflight.status, preflight.text]).toEqual([204, '']);
      expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example.com');
      expect(preflight.headers['access-control-allow-methods']).toBe('GET,HEAD,POST,PUT,PATCH,DELETE');
      expect(preflight.headers['access-control-allow-headers']).toMatch(/(^|,)X-Service-Token(,|$)/);
      expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
      for (const path of ['/api/v1/notifications', '/api/v1/nothing']) {
        const { headers } = await rawRequest(open.url, 'GET', path, { headers: origin });
        expect(headers['access-control-allow-origin']).toBe('https://app.example.com');
        expect(headers['access-control-expose-headers']).toMatch(/(^|,)X-Request-Id(,|$)/);
        expect(headers.vary).toMatch(/Origin/);
      }
      for (const foreign of ['https://evil.example.com', 'https://app.example.com.evil.example', 'null']) {
        const { headers } = await rawRequest(open.url, 'GET', '/api/v1/notifications', {
          headers: { Origin: foreign },
        });
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
    } finally {
      await open.close();
    }
  });
});

test('counts requests by the patterns of their paths', async () => {
  const expected = [...NEEDING_TOKEN, ...ROUTES.map(({ path }) => ({ method: 'OPTIONS', path }))];
  await until(async () => {
    const figures = await gateway.app.metrics.text();
    return expected.every(({ method, path }) => figures.includes(`route="${method} ${path}"`));
  });
});

test('publishes its description to every caller, with its own address', async () => {
  const answer = await send('GET', '/api/v1/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const described = JSON.parse(answer.text) as {
    openapi: string;
    info: { version: string };
    servers: { url: string }[];
  };
  expect([described.openapi, described.info.version, described.servers[0]?.url]).toEqual([
    '3.1.0',
    '1.0.5',
    gateway.url,
  ]);
});
