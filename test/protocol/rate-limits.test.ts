import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { generateToken } from '../../src/auth/token.js';
import type { RateLimitSettings } from '../../src/auth/rate-limits.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HIGH_RATE_LIMITS, startGateway, type TestGateway } from '../support/gateway.js';
import { follow, take, TRANSPORTS } from '../support/live.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { samples } from '../support/sample-files.js';
import { buildIncident, buildToken, seedTestData, type TestData } from '../support/test-data.js';

let database: TestDatabase;
let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => void (database = await createTestDatabase()));
afterEach(() => gateway?.close());
afterAll(() => database?.drop());

async function start(limits: Partial<RateLimitSettings['perToken']>, others: Partial<RateLimitSettings> = {}) {
  const perToken = { ...HIGH_RATE_LIMITS.perToken, ...limits };
  const rateLimits = { ...HIGH_RATE_LIMITS, ...others, perToken };
  gateway = await startGateway({ database, config: { rateLimits, trustProxy: 1 } });
  testData = await seedTestData(gateway.app.database);
}

const from = (address: string) => ({ 'X-Forwarded-For': address });
const RETRY = /^([1-9]|[1-5]\d|60)$/;

describe('REST', () => {
  test('shows what is left, refuses the request after the last one, and leaves other policies and callers alone', async () => {
    await start({ reads: 2 });
    const { owner, viewer } = testData;
    const read = (token: string) => gateway.rest.get('/api/v1/profile', { token });
    const first = await read(owner.token);
    expectStatus(first, 200);
    expect(first.headers.get('ratelimit-policy')).toBe('"reads";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"reads";r=1;t=([1-9]|[1-5]\d|60)$/);
    expect((await read(owner.token)).headers.get('ratelimit')).toMatch(/^"reads";r=0;t=/);
    const refused = await read(owner.token);
    expectError(refused, 429, [1029]);
    expect(refused.headers.get('retry-after')).toMatch(RETRY);
    expect(refused.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=/);
    const marked = await gateway.rest.post('/api/v1/notifications/read', { token: owner.token, body: { ids: [] } });
    expect(marked.status).not.toBe(429);
    expect(marked.headers.get('ratelimit-policy')).toMatch(/^"writes";/);
    expectStatus(await read(viewer.token), 200);
  });

  test('counts all tokens of a user together, and all callers of an address together', async () => {
    await start({ reads: 2 }, { perUser: 2, perAddress: 3 });
    const tokens = await Promise.all([1, 2, 3].map(() => buildToken(gateway.app.database, testData.owner, {})));
    const read = async (token: string, address: string) =>
      (await gateway.rest.get('/api/v1/profile', { token, headers: from(address) })).status;
    for (const token of [tokens[0]!, tokens[0]!, tokens[1]!, tokens[1]!])
      expect(await read(token, '192.0.2.1')).toBe(200);
    expect(await read(tokens[2]!, '192.0.2.2')).toBe(429);
    expect(await read(testData.viewer.token, '192.0.2.1')).toBe(200);
    expect(await read(testData.viewer.token, '192.0.2.1')).toBe(200);
    expect(await read(testData.officer.token, '192.0.2.1')).toBe(429);
    expect(await read(testData.officer.token, '192.0.2.3')).toBe(200);
  });

  test('takes the addresses of one IPv6 network for one', async () => {
    await start({ reads: 2 });
    const read = async (address: string) =>
      (await gateway.rest.get('/api/v1/openapi.json', { headers: from(address) })).status;
    expect([await read('2001:db8:1:2::1'), await read('2001:db8:1:2:3::4')]).toEqual([200, 200]);
    expect([await read('2001:db8:1:2::5'), await read('2001:db8:1:3::1')]).toEqual([429, 200]);
  });

  test('counts uploads and searches apart, before the body is read', async () => {
    await start({ uploads: 1, searches: 1 });
    const { token } = testData.owner;
    const incident = await buildIncident(gateway.app.database, testData.organizationId);
    const upload = () => {
      const body = new FormData();
      body.set('file', new File([Buffer.from(samples.TXT.bytes)], 'a.txt', { type: 'text/plain' }));
      return gateway.rest.post(`/api/v1/v-ciso/incidents/${testData.organizationId}/${incident}/attachments`, {
        token,
        body,
      });
    };
    expectStatus(await upload(), 201);
    const refused = await upload();
    expectStatus(refused, 429);
    expect(refused.headers.get('ratelimit-policy')).toBe('"uploads";q=1;w=60');
    const search = () => gateway.rest.get('/api/v1/search?q=organization', { token });
    expect([(await search()).status, (await search()).status]).toEqual([200, 429]);
    expectError(await search(), 429, [1029]);
  });

  test('shows nothing and refuses nothing where a limit is off', async () => {
    await start({ reads: Infinity });
    const answer = await gateway.rest.get('/api/v1/profile', { token: testData.owner.token });
    expectStatus(answer, 200);
    expect([answer.headers.get('ratelimit'), answer.headers.get('ratelimit-policy')]).toEqual([null, null]);
  });
});

describe('GraphQL', () => {
  const USERS = (id: number) =>
    `{ organization(id: ${id}) { users(first: 100) { nodes { id: databaseId username email role } } } }`;

  test('takes a point for each 100 of the cost, and rateLimit alone nothing, even when nothing is left', async () => {
    await start({ graphql: 10 });
    const { token } = testData.owner;
    const left = async () =>
      (
        await gateway.graphql.data(
          '{ rateLimit { cost policies { name limit remaining resetInSeconds windowSeconds resetAt } } }',
          { token },
        )
      ).rateLimit;
    expect(await left()).toMatchObject({
      cost: 0,
      policies: expect.arrayContaining([
        {
          name: 'GRAPHQL',
          limit: 10,
          remaining: 10,
          resetInSeconds: expect.any(Number),
          windowSeconds: 60,
          resetAt: expect.stringMatching(/Z$/),
        },
      ]),
    });
    const answer = await gateway.graphql.call(USERS(testData.organizationId), { token });
    expectStatus(answer, 200);
    expect(answer.headers.get('ratelimit-policy')).toBe('"graphql";q=10;w=60');
    const remaining = Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    expect(remaining).toBeLessThan(8);
    for (let spent = remaining; spent > 0; spent -= 1)
      expectStatus(await gateway.graphql.call('{ __typename }', { token }), 200);
    const refused = await gateway.graphql.call('{ __typename }', { token });
    expectStatus(refused, 429);
    expect(refused.body.errors?.map(({ extensions }) => extensions)).toEqual([
      { code: 'RATE_LIMITED', messages: [1029] },
    ]);
    expect(refused.headers.get('retry-after')).toMatch(RETRY);
    expect(refused.headers.get('ratelimit')).toMatch(/^"graphql";r=0;t=/);
    // An unseen document is executed by Apollo.
    const unseen = await gateway.graphql.call('{ other: __typename }', { token });
    expectStatus(unseen, 429);
    expect(unseen.headers.get('retry-after')).toMatch(RETRY);
    expect(await left()).toMatchObject({ cost: 0 });
  });

  test('refuses a larger body unread when nothing is left', async () => {
    await start({ graphql: 1 });
    const { token } = testData.owner;
    await gateway.graphql.call('{ __typename }', { token });
    const answer = await gateway.graphql.call(`{ __typename } ${'#'.repeat(2_000)}\nno document`, { token });
    expectStatus(answer, 429);
  });

  test('counts each field of a mutation as a write and each search as a search', async () => {
    await start({ writes: 3, searches: 3 });
    const { token } = testData.owner;
    const create = 'createOrganization(input: { name: "N" }) { organization { id: databaseId } }';
    const three = (field: string) => [1, 2, 3].map((n) => `f${n}: ${field}`).join(' ');
    expectStatus(await gateway.graphql.call(`mutation { ${three(create)} }`, { token }), 200);
    expectStatus(await gateway.graphql.call(`mutation { ${create} }`, { token }), 429);
    const search = 'search(query: "first") { totalCount }';
    const searched = await gateway.graphql.call(`{ ...S } fragment S on Query { ${three(search)} }`, { token });
    expect(searched.headers.get('ratelimit-policy')).toContain('"searches";q=3;w=60');
    expect([searched.status, (await gateway.graphql.call(`{ ${search} }`, { token })).status]).toEqual([200, 429]);
  });

  test('counts each verification of an audit trail as a search, as REST does', async () => {
    await start({ searches: 2 });
    const { organizationId, owner } = testData;
    const { token } = owner;
    const left = ({ headers }: { headers: Headers }) => /"searches";r=(\d)/.exec(headers.get('ratelimit') ?? '')?.[1];
    const through = [
      await gateway.rest.get(`/api/v1/organizations/${organizationId}/audit-trail/verification`, { token }),
      await gateway.graphql.call('{ viewer { auditTrailVerification { valid } } }', { token }),
      await gateway.graphql.call('{ viewer { auditTrailVerification { valid } } }', { token }),
    ];
    expect(through.map((answer) => [answer.status, left(answer)])).toEqual([
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
  });

  test('counts as many verifications as a list may have, wherever they are', async () => {
    await start({ searches: 3 });
    const { token } = testData.owner;
    const verified = (first: number) =>
      `{ viewer { organizations(first: ${first}) { nodes { ...V } } } } fragment V on ViewerOrganization { organization { auditTrailVerification { valid } } }`;
    const count = async (query: string) => {
      const { headers } = await gateway.graphql.call(query, { token });
      return headers.get('ratelimit-policy')?.includes('searches') ? headers.get('ratelimit') : undefined;
    };
    expect(await count('{ viewer { organizations(first: 2) { nodes { organization { id } } } } }')).toBeUndefined();
    expect(await count(verified(2))).toContain('"searches";r=1;');
    expectStatus(await gateway.graphql.call(verified(2), { token }), 429);
    expectStatus(await gateway.graphql.call(verified(1), { token }), 200);
  });

  test('counts a search for which there is no place, as REST does', async () => {
    await start({ searches: 3 }, { concurrent: { ...HIGH_RATE_LIMITS.concurrent, searches: 0 } });
    const { token } = testData.owner;
    const through = [
      await gateway.rest.get('/api/v1/search?q=first', { token }),
      await gateway.graphql.call('{ search(query: "first") { totalCount } }', { token }),
    ];
    expect(through.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [429, '1'],
      [429, '1'],
    ]);
    expect(through.map(({ headers }) => /"searches";r=(\d)/.exec(headers.get('ratelimit') ?? '')?.[1])).toEqual([
      '2',
      '1',
    ]);
  });

  test('counts documents that are refused, so that guessing is not free', async () => {
    await start({ graphql: 2 });
    const { token } = testData.owner;
    for (let n = 0; n < 2; n += 1) expectStatus(await gateway.graphql.call(`{ nothing${n} }`, { token }), 400);
    expectStatus(await gateway.graphql.call('{ __typename }', { token }), 429);
  });

  test.each(TRANSPORTS)('counts subscriptions over %s', async (transport) => {
    await start({ graphql: 1 });
    const subscribe = () => {
      const query = 'subscription { notificationAdded { id: databaseId } }';
      return follow(gateway, transport, { query, token: testData.owner.token });
    };
    const first = subscribe();
    const waiting = take(first, 1);
    for (;;) {
      const { policies } = (
        await gateway.graphql.data('{ rateLimit { policies { name remaining } } }', { token: testData.owner.token })
      ).rateLimit;
      if (
        policies.some(
          (policy: { name: string; remaining: number }) => policy.name === 'GRAPHQL' && policy.remaining === 0,
        )
      )
        break;
    }
    const [refused] = await take(subscribe(), 1).catch((errors: unknown) => [{ errors: errors as never }]);
    expect(refused?.errors?.[0]?.extensions).toEqual({ code: 'RATE_LIMITED', messages: [1029] });
    await first.return?.();
    await waiting;
  });
});

describe('a wrong token', () => {
  test('is 401 until its address has sent many, then 429, and a good token of that address is always accepted', async () => {
    await start({}, { failedAuthentication: 3 });
    const read = (token: string, address: string) =>
      gateway.rest.get('/api/v1/profile', { token, headers: from(address) });
    for (const token of ['nonsense', generateToken(), testData.tokens.expired])
      expectError(await read(token, '192.0.2.1'), 401, [1001]);
    const refused = await read(generateToken(), '192.0.2.1');
    expectError(refused, 429, [1029]);
    expect(refused.headers.get('retry-after')).toMatch(RETRY);
    const graphql = await gateway.graphql.call('{ __typename }', {
      token: generateToken(),
      headers: from('192.0.2.1'),
    });
    expectStatus(graphql, 429);
    expect(graphql.body.errors?.[0]?.extensions.code).toBe('RATE_LIMITED');
    const asDirectory = async (address: string) => {
      const headers = { ...from(address), authorization: `Bearer ${generateToken('scim')}` };
      const answer = await fetch(`${gateway.url}/scim/v2/organizations/1/Users`, { headers });
      expect(answer.headers.get('retry-after') ?? '').toMatch(answer.status === 429 ? RETRY : /^$/);
      return answer.status;
    };
    expect(await asDirectory('192.0.2.1')).toBe(429);
    for (const status of [401, 401, 401, 429]) expect(await asDirectory('192.0.2.3')).toBe(status);
    // Cached or not.
    expectStatus(await read(testData.owner.token, '192.0.2.1'), 200);
    expectStatus(await read(await buildToken(gateway.app.database, testData.viewer, {}), '192.0.2.1'), 200);
    expectError(await read(generateToken(), '192.0.2.2'), 401, [1001]);
    await expect(take(follow(gateway, 'SSE', { query: 'subscription { x }', token: 'no' }), 1)).rejects.toBeDefined();
  });

  test('is refused before the document is looked at', async () => {
    await start({});
    const answer = await gateway.graphql.call('{ nothing of this is valid', { token: generateToken() });
    expectStatus(answer, 401);
    expect(answer.text).toBe(
      JSON.stringify({
        errors: [
          { message: 'A valid X-Service-Token is required', extensions: { code: 'UNAUTHENTICATED', messages: [1001] } },
        ],
      }),
    );
  });
});
