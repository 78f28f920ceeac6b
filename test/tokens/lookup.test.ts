import { expect, test } from '@jest/globals';
import { Access } from '../../src/auth/access.js';
import type { TokenRecord } from '../../src/auth/token-lookup.js';
import { digestToken, generateToken } from '../../src/auth/token.js';

/** Access records with counted statements; each waits until it is released. */
function slowRecords(known: ReadonlyMap<string, TokenRecord> = new Map()) {
  const statements: { digests: readonly string[]; answer: () => void }[] = [];
  const tokens = (digests: readonly string[]) =>
    new Promise<ReadonlyMap<string, TokenRecord>>((resolve) =>
      statements.push({ digests: [...digests], answer: () => resolve(known) }),
    );
  const records = {
    tokens,
    membership: async () => undefined,
    engagement: async () => undefined,
    seesUncommitted: () => false,
    afterwards: (work: () => void) => work(),
  };
  return { records, statements };
}

const good = (digest: string): [string, TokenRecord] => [
  digest,
  {
    id: 1,
    userId: 'u',
    username: 'u',
    scopes: ['read'],
    expiresAt: '2999-01-01T00:00:00Z',
    revokedAt: null,
    deactivatedAt: null,
    allowedIps: [],
    blockedIn: [],
    personalKey: null,
    origin: 'API',
    providerId: null,
    providerOrganizationId: null,
    serviceOf: null,
    memberships: [],
  },
];

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('one digest that many send at once is read by one statement', async () => {
  const token = generateToken();
  const { records, statements } = slowRecords(new Map([good(digestToken(token))]));
  const access = new Access(records, { isFresh: () => true }, () => undefined);
  const callers = Array.from({ length: 50 }, () => access.authenticate(token));
  await settled();
  expect(statements.map(({ digests }) => digests)).toEqual([[digestToken(token)]]);
  statements[0]?.answer();
  for (const caller of await Promise.all(callers)) expect(caller.kind).toBe('user');
});

test('a request after an announcement does not share a read that began before it', async () => {
  const token = generateToken();
  const { records, statements } = slowRecords(new Map([good(digestToken(token))]));
  const access = new Access(records, { isFresh: () => true }, () => undefined);
  const before = access.authenticate(token);
  await settled();
  access.cache.announced(`t:${digestToken(token)}`);
  const after = access.authenticate(token);
  await settled();
  expect(statements).toHaveLength(2);
  for (const { answer } of statements) answer();
  await Promise.all([before, after]);
});

test('many invented tokens at once take few statements, and a good one among them is found', async () => {
  const token = generateToken();
  const { records, statements } = slowRecords(new Map([good(digestToken(token))]));
  const access = new Access(records, { isFresh: () => true }, () => undefined);
  const invented = Array.from({ length: 400 }, () => access.authenticate(generateToken()));
  const caller = access.authenticate(token);
  await settled();
  expect(statements).toHaveLength(4);
  for (const { answer } of statements.splice(0)) answer();
  await settled();
  expect(statements).toHaveLength(1);
  statements[0]?.answer();
  expect((await caller).kind).toBe('user');
  for (const each of await Promise.all(invented)) expect(each.kind).toBe('anonymous');
});

test('one statement has five hundred tokens at most', async () => {
  const { records, statements } = slowRecords();
  const access = new Access(records, { isFresh: () => true }, () => undefined);
  const invented = Array.from({ length: 4 + 501 }, () => access.authenticate(generateToken()));
  await settled();
  for (const { answer } of statements.splice(0)) answer();
  await settled();
  expect(statements.map(({ digests }) => digests.length)).toEqual([500, 1]);
  for (const { answer } of statements) answer();
  await Promise.all(invented);
});

test('an unknown token is remembered, but not across an announcement that concerns it or its user', async () => {
  const { records, statements } = slowRecords();
  const access = new Access(records, { isFresh: () => true }, () => undefined);
  const token = generateToken();
  const send = async () => {
    const caller = access.authenticate(token);
    await settled();
    for (const { answer } of statements) answer();
    return (await caller).kind;
  };
  expect([await send(), await send(), await send()]).toEqual(['anonymous', 'anonymous', 'anonymous']);
  expect(statements).toHaveLength(1);
  access.cache.announced(`t:${digestToken(token)}`);
  await send();
  expect(statements).toHaveLength(2);
  access.cache.announced('u:somebody');
  await send();
  expect(statements).toHaveLength(3);
  access.cache.missed();
  await send();
  expect(statements).toHaveLength(4);
});

test('an unknown token is read each time while announcements may be late', async () => {
  const { records, statements } = slowRecords();
  const access = new Access(records, { isFresh: () => false }, () => undefined);
  const token = generateToken();
  for (let n = 1; n <= 3; n += 1) {
    const caller = access.authenticate(token);
    await settled();
    statements.at(-1)?.answer();
    await caller;
    expect(statements).toHaveLength(n);
  }
});

test('tokens from an address that has sent many wrong ones share one statement at a time', async () => {
  const token = generateToken();
  const { records, statements } = slowRecords(new Map([good(digestToken(token))]));
  const access = new Access(records, { isFresh: () => true }, () => undefined);
  const origin = { form: 'header', address: '192.0.2.1', isSuspect: true } as const;
  const invented = Array.from({ length: 20 }, () => access.authenticate(generateToken(), origin));
  const caller = access.authenticate(token, origin);
  await settled();
  expect(statements).toHaveLength(1);
  statements[0]?.answer();
  while (statements.length < 2) await settled();
  expect(statements[1]?.digests).toHaveLength(20);
  statements[1]?.answer();
  expect((await caller).kind).toBe('user');
  for (const each of await Promise.all(invented)) expect(each.kind).toBe('anonymous');
});

test('memberships that come with a token are not read again, unless a change was announced meanwhile', async () => {
  const token = generateToken();
  const [digest, record] = good(digestToken(token));
  const found = { role: 'VIEWER', queryTokens: true, requiredProviderId: null } as const;
  const memberships = [{ organizationId: 7, ...found }];
  const { records, statements } = slowRecords(new Map([[digest, { ...record, memberships }]]));
  let read = 0;
  const membership = async () => ((read += 1), undefined);
  const access = new Access({ ...records, membership }, { isFresh: () => true }, () => undefined);
  const first = async (meanwhile = () => undefined as void) => {
    access.cache.missed();
    const caller = access.authenticate(token);
    await settled();
    meanwhile();
    for (const { answer } of statements.splice(0)) answer();
    return caller;
  };
  expect(await access.allows(await first(), 'READ_ORGANIZATION', 7)).toBe(true);
  expect(read).toBe(0);
  expect(await access.allows(await first(() => access.cache.announced('m:u:7')), 'READ_ORGANIZATION', 7)).toBe(false);
  expect(read).toBe(1);
});
