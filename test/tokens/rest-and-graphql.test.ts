import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { Access } from '../../src/auth/access.js';
import { accessRecords } from '../../src/database/access-records.js';
import { TokenService, type NewApiToken } from '../../src/services/tokens/tokens.service.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { personOf, rolesBelow, pagingCases } from '../support/rest.js';
import { buildPerson, buildToken } from '../support/test-data.js';
import { dataTwice } from '../support/twice.js';
import { until } from '../support/until.js';

const { gateway, testData } = await startSeededGateway();

test('white space around a name does not count for its length', async () => {
  const name = 'n'.repeat(100);
  const document = 'mutation ($name: String!) { createApiToken(input: { name: $name }) { apiToken { name } } }';
  const options = { token: testData.owner.token, variables: { name: ` ${name} ` } };
  expect((await gateway.graphql.data(document, options)).createApiToken.apiToken).toEqual({ name });
});

describe('the time of expiry', () => {
  const NOW = Date.parse('2026-11-20T08:15:30.500Z');

  async function createAt(expiresAt: number): Promise<Date> {
    const { database } = gateway.app;
    const access = new Access(
      accessRecords(database),
      { isFresh: () => false },
      () => undefined,
      () => NOW,
    );
    const service = new TokenService({ database, access, now: () => new Date(NOW) });
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

describe('the list', () => {
  test('has the tokens of the caller only, newest first, revoked ones as well', async () => {
    const person = await buildPerson(gateway.app.database, 'lister');
    await buildToken(gateway.app.database, person, { scopes: ['write'] });
    await buildToken(gateway.app.database, person, { scopes: ['telemetry'] });
    await gateway.app.database.rows(
      `update api_token set revoked_at = '2026-03-04T05:06:07Z', last_used_at = '2026-03-04T05:00:00Z',
              created_at = '2026-01-01T00:00:00Z', expires_at = '2026-12-01T00:00:00Z'
        where user_id = $1 and scopes = '{write}'`,
      [person.id],
    );
    await gateway.graphql.data('{ apiTokens { totalCount } }', { token: person.token });
    await until('the use of the token is noted', async () => {
      const used = 'select from api_token where user_id = $1 and revoked_at is null and last_used_at is not null';
      return (await gateway.app.database.rows(used, [person.id])).length > 0;
    });
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

test('tokens and invitations of an organization are null beside an error for roles that may not list them', async () => {
  const query =
    'query ($id: ID!) { organization(id: $id) { name apiTokens { totalCount } invitations { totalCount } } }';
  for (const role of rolesBelow('ORGANIZATION_MANAGER')) {
    const { body } = await gateway.graphql.call(query, {
      token: personOf(testData, role).token,
      variables: { id: testData.organizationId },
    });
    expect(body.data).toEqual({ organization: { name: 'First Organization', apiTokens: null, invitations: null } });
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  }
});

const person = await buildPerson(gateway.app.database, 'paged');
for (let more = 0; more < 4; more += 1) await buildToken(gateway.app.database, person, {});
// The use of a token is recorded only occasionally, and pages of one list are compared.
await gateway.app.database.rows('update api_token set last_used_at = now()');

describe('the list of tokens of the caller', () => {
  pagingCases((query) => gateway.rest.get(`/api/v1/tokens?${query}`, person));
});

describe('the list of tokens of an organization', () => {
  pagingCases((query) =>
    gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/tokens?${query}`, testData.owner),
  );
});
