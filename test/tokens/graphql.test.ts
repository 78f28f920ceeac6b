import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Access } from '../../src/auth/access.js';
import { accessRecords } from '../../src/database/access-records.js';
import { ApiTokenService, type NewApiToken } from '../../src/services/tokens/tokens.service.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { withStory } from '../support/matchers.js';
import { buildPerson, buildToken, seedTestData, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

const DAY = 24 * 60 * 60 * 1000;
const CREATE = `mutation ($input: CreateApiTokenInput!) {
  createApiToken(input: $input) { token apiToken { id: databaseId name prefix scopes createdAt expiresAt lastUsedAt revokedAt } } }`;
const REVOKE = 'mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { apiToken { id: databaseId revokedAt } } }';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

const create = (input: object, token = testData.owner.token) =>
  gateway.graphql.call(CREATE, { token, variables: { input } });

describe('a new token', () => {
  test('only reads and lasts 90 days unless asked otherwise', async () => {
    const before = Date.now();
    const { body } = await create({ name: '  Reports  ' });
    const { token, apiToken } = body.data.createApiToken;
    expect(token).toMatch(/^scp_[0-9A-Za-z]{36}$/);
    expect(apiToken).toEqual({
      id: expect.any(Number),
      name: 'Reports',
      prefix: token.slice(0, 8),
      scopes: ['READ'],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expiresAt: expect.any(String),
      lastUsedAt: null,
      revokedAt: null,
    });
    const lasts = Date.parse(apiToken.expiresAt) - 90 * DAY;
    expect(lasts).toBeGreaterThanOrEqual(before);
    expect(lasts).toBeLessThanOrEqual(Date.now());
  });

  test('works at once, with the scopes that it was given', async () => {
    const { body } = await create({ name: 'Writer', scopes: ['WRITE', 'READ', 'WRITE'] });
    const { token, apiToken } = body.data.createApiToken;
    expect(apiToken.scopes).toEqual(['WRITE', 'READ']);
    const { viewer } = await gateway.graphql.data('{ viewer { token { id: databaseId scopes } } }', { token });
    expect(viewer.token).toEqual({ id: apiToken.id, scopes: ['WRITE', 'READ'] });
  });

  test('is nowhere in the database; its SHA-256 is', async () => {
    const { body } = await create({ name: 'Secret' });
    const { token } = body.data.createApiToken;
    const rows = await gateway.app.database.rows('select * from api_token');
    expect(JSON.stringify(rows)).not.toContain(token.slice(8));
    const digests = rows.map(({ digest }) => digest as string);
    expect(digests).toContain(createHash('sha256').update(token).digest('hex'));
  });

  test('is shown in no list', async () => {
    await create({ name: 'Once' });
    const answer = await gateway.graphql.call('{ apiTokens { nodes { id: databaseId name prefix } } }', {
      token: testData.owner.token,
    });
    withStory(answer, () => expect(answer.text).not.toMatch(/scp_[0-9A-Za-z]{5,}/));
  });
});

describe('a name', () => {
  test('may have 100 characters, counted as people count', async () => {
    for (const name of ['n'.repeat(100), '🔑'.repeat(100), ` ${'n'.repeat(100)} `]) {
      const answer = await create({ name });
      withStory(answer, () => expect(answer.body.data.createApiToken.apiToken.name).toBe(name.trim()));
    }
  });

  test.each([
    ['of 101 characters', 'n'.repeat(101), 'name must not be longer than 100 characters'],
    ['of white space', '   ', 'name is required'],
    ['of two lines', 'a\nb', 'name must not contain control characters'],
    ['with DEL', 'a\u007fb', 'name must not contain control characters'],
  ])('%s is refused', async (_what, name, message) => {
    const { body } = await create({ name });
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', messages: [message] });
  });
});

test('tells all faults at once, by their names on the wire', async () => {
  const { body } = await create({ name: '', scopes: [], expiresAt: '2020-01-01T00:00:00Z' });
  expect(body.errors?.[0]?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    messages: ['name is required', 'scopes must name at least one scope'],
  });
});

describe('the time of expiry', () => {
  const NOW = Date.parse('2026-11-20T08:15:30.500Z');

  async function createAt(expiresAt: number): Promise<Date> {
    const { database } = gateway.app;
    const now = () => NOW;
    const access = new Access(accessRecords(database), { isFresh: () => false }, () => undefined, now);
    const service = new ApiTokenService(database, access, now);
    const caller = await access.authenticate(testData.owner.token);
    const input: NewApiToken = { name: 'edge', expiresAt: new Date(expiresAt) };
    const { id } = await service.create(caller, input);
    const [row] = await database.rows<{ at: string }>('select expires_at as at from api_token where id = $1', [id]);
    return new Date(row!.at);
  }

  test('may be 365 days away to the millisecond', async () => {
    await expect(createAt(NOW + 365 * DAY)).resolves.toEqual(new Date(NOW + 365 * DAY));
  });

  test('may be the next millisecond', async () => {
    await expect(createAt(NOW + 1)).resolves.toEqual(new Date(NOW + 1));
  });

  test('must not be one millisecond more than 365 days away', async () => {
    await expect(createAt(NOW + 365 * DAY + 1)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      messages: ['expiresAt must not be more than 365 days away'],
    });
  });

  test('must not be this very moment', async () => {
    await expect(createAt(NOW)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      messages: ['expiresAt must be in the future'],
    });
  });
});

test('a token makes none that may do more than itself', async () => {
  const { writeOnly } = testData.tokens;
  for (const scopes of [undefined, ['READ'], ['WRITE', 'READ'], ['WRITE', 'TELEMETRY']]) {
    const { body } = await create({ name: 'more', ...(scopes && { scopes }) }, writeOnly);
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN', messages: [1003] });
  }
  const { body } = await create({ name: 'same', scopes: ['WRITE'] }, writeOnly);
  expect(body.errors).toBeUndefined();
});

describe('the list', () => {
  test('has the tokens of the caller and of nobody else, newest first, revoked ones as well', async () => {
    const person = await buildPerson(gateway.app.database, 'lister');
    await buildToken(gateway.app.database, person, { scopes: ['write'] });
    await buildToken(gateway.app.database, person, { scopes: ['telemetry'] });
    await gateway.app.database.rows(
      `update api_token set revoked_at = '2026-03-04T05:06:07Z', last_used_at = '2026-03-04T05:00:00Z',
              created_at = '2026-01-01T00:00:00Z', expires_at = '2026-12-01T00:00:00Z'
        where user_id = $1 and scopes = '{write}'`,
      [person.id],
    );
    const { apiTokens } = await dataTwice(
      gateway.graphql,
      '{ apiTokens { totalCount nodes { id: databaseId name scopes createdAt expiresAt lastUsedAt revokedAt } } }',
      { token: person.token },
    );
    expect(apiTokens.totalCount).toBe(3);
    expect(apiTokens.nodes.map(({ scopes }: { scopes: string[] }) => scopes)).toEqual([
      ['TELEMETRY'],
      ['WRITE'],
      ['READ', 'WRITE'],
    ]);
    expect(apiTokens.nodes[1]).toEqual({
      id: expect.any(Number),
      name: 'test',
      scopes: ['WRITE'],
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-12-01T00:00:00.000Z',
      lastUsedAt: '2026-03-04T05:00:00.000Z',
      revokedAt: '2026-03-04T05:06:07.000Z',
    });
  });
});

describe('revoking', () => {
  async function issued(token = testData.owner.token) {
    const { body } = await create({ name: 'to revoke' }, token);
    const { token: secret, apiToken } = body.data.createApiToken;
    return { secret: secret as string, id: apiToken.id as number };
  }

  test('ends a token of the caller at once', async () => {
    const { secret, id } = await issued();
    await gateway.graphql.data('{ roles { rank } }', { token: secret });
    const { revokeApiToken } = await gateway.graphql.data(REVOKE, { token: testData.owner.token, variables: { id } });
    expect(revokeApiToken.apiToken).toEqual({ id, revokedAt: expect.stringMatching(/Z$/) });
    const refused = await gateway.graphql.call('{ roles { rank } }', { token: secret });
    withStory(refused, () => expect(refused.status).toBe(401));
  });

  test('again changes nothing', async () => {
    const { id } = await issued();
    const options = { token: testData.owner.token, variables: { id } };
    const first = await gateway.graphql.data(REVOKE, options);
    expect(await gateway.graphql.data(REVOKE, options)).toEqual(first);
  });

  test('a token may end itself', async () => {
    const { body } = await create({ name: 'own end', scopes: ['READ', 'WRITE'] });
    const { token, apiToken } = body.data.createApiToken;
    await gateway.graphql.data(REVOKE, { token, variables: { id: apiToken.id } });
    expect((await gateway.graphql.call('{ roles { rank } }', { token })).status).toBe(401);
  });

  test("finds nobody else's token, like one that never was", async () => {
    const { id, secret } = await issued(testData.manager.token);
    const errors = await errorsTwice(gateway.graphql, REVOKE, { token: testData.owner.token, variables: { id } });
    expect(errors[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
    const never = await errorsTwice(gateway.graphql, REVOKE, {
      token: testData.owner.token,
      variables: { id: 2147483647 },
    });
    expect(never).toEqual(errors);
    await gateway.graphql.data('{ roles { rank } }', { token: secret });
  });
});
