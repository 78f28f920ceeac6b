import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { DAY, HOUR } from '../../src/common/time.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectError } from '../support/matchers.js';
import { newMember, titlesOf } from '../support/people.js';
import { buildOrganization, buildPerson, buildToken, join, type Person } from '../support/test-data.js';

const TOKEN = `id: databaseId name prefix scopes created_at: createdAt expires_at: expiresAt last_used_at: lastUsedAt
  revoked_at: revokedAt replaced_at: replacedAt allowed_ips: allowedIps blocked_in: blockedIn origin`;
const OF_ORGANIZATION = `id: tokenId user_id: userId username name prefix scopes created_at: createdAt expires_at: expiresAt
  last_used_at: lastUsedAt blocked_at: blockedAt`;

const OPERATIONS = {
  list: {
    rest: 'GET /api/v1/tokens',
    graphql: `query ($first: Int, $offset: Int) { apiTokens(first: $first, offset: $offset) { totalCount nodes { ${TOKEN} } } }`,
    at: 'apiTokens',
  },
  read: {
    rest: 'GET /api/v1/tokens/{id}',
    graphql: `query ($id: ID!) { apiToken(id: $id) { ${TOKEN} } }`,
    at: 'apiToken',
  },
  create: {
    rest: 'POST /api/v1/tokens',
    graphql: `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token api_token: apiToken { ${TOKEN} } } }`,
    at: 'createApiToken',
  },
  revoke: mutation('DELETE /api/v1/tokens/{id}', 'revokeApiToken', `apiToken { ${TOKEN} }`, { id: 'tokenId' }),
  rotate: {
    rest: 'POST /api/v1/tokens/{id}/rotate',
    graphql: `mutation ($input: RotateApiTokenInput!) {
      rotateApiToken(input: $input) { token api_token: apiToken { ${TOKEN} } replaced { ${TOKEN} } } }`,
    at: 'rotateApiToken',
    names: { id: 'tokenId' },
  },
  current: {
    rest: 'GET /api/v1/token',
    graphql: `{ viewer { token { ${TOKEN} } user { id: databaseId username }
      organizations: organizationRoles { organization { id: databaseId name logo } role privileges } } }`,
    at: 'viewer',
  },
  listOfOrganization: {
    rest: 'GET /api/v1/organizations/{organization_id}/tokens',
    graphql: `query ($organizationId: ID!, $first: Int) {
      organization(id: $organizationId) { apiTokens(first: $first) { totalCount nodes { ${OF_ORGANIZATION} } } } }`,
    at: 'organization.apiTokens',
  },
  block: mutation(
    'DELETE /api/v1/organizations/{organization_id}/tokens/{id}',
    'blockApiToken',
    `apiToken { ${OF_ORGANIZATION} }`,
    { id: 'tokenId' },
  ),
} satisfies Record<string, Operation>;

const { gateway, testData } = await startSeededGateway();

const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
async function newestId({ id }: Person): Promise<number> {
  const [row] = await sql('select max(id) as id from api_token where user_id = $1', [id]);
  return row!['id'] as number;
}
const status = async (token: string) => (await gateway.rest.get('/api/v1/profile', { token })).status;

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, token: string) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);
  const create = (input: object, token: string) => call('create', input, token);
  const rotate = (id: number, token: string, input: object = {}) => call('rotate', { id, ...input }, token);
  const block = (id: number) => call('block', { organization_id: testData.organizationId, id }, testData.owner.token);
  async function made(input: object, token: string): Promise<{ token: string; id: number }> {
    const data = dataOf(await create({ name: 'made', ...input }, token));
    return { token: data.token, id: data.api_token.id };
  }

  describe('listing tokens', () => {
    test('shows the tokens of the caller, newest first, each as it is read by itself', async () => {
      const person = await buildPerson(gateway.app.database, 'lister');
      await buildToken(gateway.app.database, person, { scopes: ['telemetry'] });
      const answer = await call('list', {}, person.token);
      const tokens = dataOf(answer) as { id: number; scopes: string[] }[];
      expect([answer.total, tokens.map(({ scopes }) => scopes)]).toEqual([2, [['TELEMETRY'], ['READ', 'WRITE']]]);
      for (const token of tokens) {
        // This request may be its last use.
        const read = dataOf(await call('read', { id: token.id }, person.token));
        expect(read).toEqual({ ...token, last_used_at: read.last_used_at });
        expectFailure(await call('read', { id: token.id }, testData.owner.token), 'NOT_FOUND');
      }
    });
  });

  describe('making a token', () => {
    test('makes one that only reads and lasts 90 days when nothing else is said', async () => {
      const { token, api_token: made } = dataOf(await create({ name: '  Reports  ' }, testData.owner.token));
      expect(token).toMatch(/^scp_[0-9A-Za-z]{36}$/);
      expect(made).toMatchObject({ name: 'Reports', prefix: token.slice(0, 8), scopes: ['READ'] });
      expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(90 * DAY);
    });

    test('stores the scopes in their order, each once, and the token works at once', async () => {
      const { token, id } = await made({ scopes: ['WRITE', 'READ', 'WRITE'] }, testData.owner.token);
      expect(dataOf(await call('current', {}, token)).token).toMatchObject({ id, scopes: ['WRITE', 'READ'] });
    });

    test('stores the SHA-256 of the token, never the token itself', async () => {
      const { token } = await made({}, testData.owner.token);
      const rows = await sql('select * from api_token');
      expect(JSON.stringify(rows)).not.toContain(token.slice(8));
      expect(rows.map(({ digest }) => digest)).toContain(createHash('sha256').update(token).digest('hex'));
      const { story } = await call('list', {}, testData.owner.token);
      expect(story.slice(story.indexOf('\n< '))).not.toMatch(/scp_[0-9A-Za-z]{5,}/);
    });

    test('accepts a name of 100 characters, counted as code points', async () => {
      for (const name of ['n'.repeat(100), '🔑'.repeat(100)]) {
        expect(dataOf(await create({ name }, testData.owner.token)).api_token.name).toBe(name);
      }
    });

    test.each([
      ['n'.repeat(101), 'name must not be longer than 100 characters'],
      ['   ', 'name is required'],
      ['a\nb', 'name must not contain control characters'],
      ['a\u007fb', 'name must not contain control characters'],
    ])('refuses the name %j', async (name, message) => {
      expectFailure(await create({ name }, testData.owner.token), 'BAD_USER_INPUT', [message]);
    });

    test('makes no token with a scope that the calling token lacks', async () => {
      const { writeOnly } = testData.tokens;
      for (const scopes of [undefined, ['READ'], ['WRITE', 'READ'], ['WRITE', 'TELEMETRY']]) {
        expectFailure(await create({ name: 'more', ...(scopes && { scopes }) }, writeOnly), 'FORBIDDEN');
      }
      dataOf(await create({ name: 'same', scopes: ['WRITE'] }, writeOnly));
    });

    test('answers the token once, with every field of its record', async () => {
      const answer = await create(
        { name: ' Import ', scopes: ['READ', 'WRITE'], allowed_ips: ['127.0.0.1', '2001:db8::/32', '127.0.0.1'] },
        testData.owner.token,
      );
      const { token, api_token: facts } = dataOf(answer);
      expect(JSON.stringify(answer.data)).toBe(
        JSON.stringify({
          token,
          api_token: {
            id: facts.id,
            name: 'Import',
            prefix: token.slice(0, 8),
            scopes: ['READ', 'WRITE'],
            created_at: facts.created_at,
            expires_at: facts.expires_at,
            last_used_at: null,
            revoked_at: null,
            replaced_at: null,
            allowed_ips: ['127.0.0.1', '2001:db8::/32'],
            blocked_in: [],
            origin: 'API',
          },
        }),
      );
      expect(Date.parse(facts.expires_at) - Date.parse(facts.created_at)).toBe(90 * DAY);
      expect(await status(token)).toBe(200);
    });

    test('reports every error at once', async () => {
      const networks = ['192.0.2.0/33', '192.0.2.1', 'example.com', '::ffff:192.0.2.1'];
      expectFailure(
        await create({ name: '', scopes: [], allowed_ips: networks }, testData.owner.token),
        'BAD_USER_INPUT',
        [
          'name is required',
          'scopes must name at least one scope',
          'allowed_ips[0] must be an IP address or a network such as 192.0.2.0/24',
          'allowed_ips[2] must be an IP address or a network such as 192.0.2.0/24',
          'allowed_ips[3] must be an IP address or a network such as 192.0.2.0/24',
        ],
      );
      expectFailure(
        await create({ name: 'x', scopes: ['read'], expires_at: 'soon', ips: [] }, testData.owner.token),
        'BAD_USER_INPUT',
        [
          'scopes[0] must be one of READ, WRITE, TELEMETRY, DOCUMENTS',
          'expires_at must be a date-time such as 2026-11-20T08:15:30Z',
          'ips is not a known field',
        ],
      );
    });

    test('accepts 50 networks and no more', async () => {
      const networks = Array.from({ length: 51 }, (_, index) => `192.0.2.${index}`);
      const { token } = testData.owner;
      dataOf(await create({ name: 'x', allowed_ips: networks.slice(1) }, token));
      expectFailure(await create({ name: 'x', allowed_ips: networks }, token), 'BAD_USER_INPUT', [
        'allowed_ips must not have more than 50 items',
      ]);
    });

    test('makes no token for more addresses than the calling token may come from', async () => {
      const narrow = await made(
        { scopes: ['READ', 'WRITE'], allowed_ips: ['127.0.0.0/8', '::1'] },
        testData.owner.token,
      );
      for (const allowed_ips of [[], ['0.0.0.0/0'], ['127.0.0.1', '192.0.2.1'], ['::/0']]) {
        expectFailure(await create({ name: 'wider', allowed_ips }, narrow.token), 'FORBIDDEN');
      }
      for (const [sent, stored] of [
        [undefined, ['127.0.0.0/8', '::1']],
        [['127.0.0.1'], ['127.0.0.1']],
      ] as const) {
        const { id } = await made({ ...(sent && { allowed_ips: sent }) }, narrow.token);
        const [row] = await sql('select allowed_ips from api_token where id = $1', [id]);
        expect(row).toEqual({ allowed_ips: stored });
      }
    });

    test('makes no token that may act where the calling token is blocked', async () => {
      const { officer, organizationId } = { ...testData, organizationId: testData.organizationId };
      const maker = await made({ scopes: ['READ', 'WRITE'] }, officer.token);
      dataOf(await block(maker.id));
      const child = await made({ scopes: ['READ', 'WRITE'] }, maker.token);
      const grandchild = dataOf(await rotate(child.id, officer.token));
      expect(grandchild.api_token.blocked_in).toEqual([organizationId]);
      const free = await made({ scopes: ['READ', 'WRITE'] }, officer.token);
      const rotated = dataOf(await rotate(free.id, maker.token));
      for (const token of [maker.token, child.token, grandchild.token as string, rotated.token as string]) {
        expect(await status(token)).toBe(200);
        expectError(await gateway.rest.get(`/api/v1/organizations/${organizationId}/branding`, { token }), 403, [1003]);
      }
    });

    test('stops at 500 tokens that have not ended, also when many are created at once', async () => {
      const person = await buildPerson(gateway.app.database, 'many');
      await sql(
        `insert into api_token (user_id, name, digest, prefix, scopes, expires_at, revoked_at)
       select $1::uuid, 'n', $1::uuid || '-' || n, 'scp_0000', '{read}',
              now() + interval '1 day' * case when n > 503 then -1 else 1 end, case when n between 497 and 503 then now() end
         from generate_series(1, 510) n`,
        [person.id],
      );
      // Together with the person's own token there are 497.
      const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'one more' }, person.token)));
      expect(answers.map(({ code }) => code).toSorted()).toEqual([
        ...Array<string>(5).fill('CONFLICT'),
        ...Array<string>(3).fill('OK'),
      ]);
      expectConflict(await create({ name: 'one more' }, person.token), 'TOKEN_LIMIT');
    });
  });

  describe('the first token that reports checks', () => {
    const telemetry = (token: string, scopes = ['TELEMETRY']) => create({ name: 'device', scopes }, token);

    test('is made by a manager of devices, and does nothing but report', async () => {
      for (const { token } of [testData.owner, testData.manager, testData.nonMember]) {
        const data = dataOf(await telemetry(token));
        expectError(await gateway.rest.get('/api/v1/profile', { token: data.token }), 403, [1003]);
        expectFailure(await telemetry(data.token), 'FORBIDDEN');
      }
    });

    test('is refused to a user who manages no devices', async () => {
      for (const person of [testData.officer, testData.analyst, testData.viewer, testData.userWithoutOrganization]) {
        expectFailure(await telemetry(person.token), 'FORBIDDEN');
      }
      expectFailure(await telemetry(testData.tokens.readOnly), 'FORBIDDEN');
    });

    test('has no other scope', async () => {
      expectFailure(await telemetry(testData.owner.token, ['TELEMETRY', 'READ']), 'FORBIDDEN');
      dataOf(await telemetry(testData.tokens.writeOnly));
    });

    test('requires an organization that the calling token reaches: not blocked, deleted, left or closed to its form', async () => {
      const organizationId = await buildOrganization(gateway.app.database, 'Only one');
      const manager = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_MANAGER');
      const attempt = async (token = manager.token) => (await telemetry(token)).code;
      expect(await attempt()).toBe('OK');
      await sql('update organization set query_token_allowed = false where id = $1', [organizationId]);
      expect(await attempt()).toBe('OK');
      const inAddress = await gateway.rest.post(`/api/v1/tokens?X-Service-Token=${manager.token}`, {
        body: { name: 'device', scopes: ['TELEMETRY'] },
      });
      expectError(inAddress, 403, [1003]);
      await sql('update membership set deactivated_at = now() where user_id = $1', [manager.id]);
      expect(await attempt()).toBe('FORBIDDEN');
      await sql('update membership set deactivated_at = null where user_id = $1', [manager.id]);
      await sql('update organization set deleted_at = now() where id = $1', [organizationId]);
      expect(await attempt()).toBe('FORBIDDEN');
      await sql('update organization set deleted_at = null where id = $1', [organizationId]);
      const blocked = await made({ scopes: ['READ', 'WRITE'] }, manager.token);
      await sql('insert into token_block (token_id, organization_id) values ($1, $2)', [blocked.id, organizationId]);
      expect(await attempt(blocked.token)).toBe('FORBIDDEN');
    });
  });

  describe('revoking a token', () => {
    test('lets a token revoke itself', async () => {
      const { token, id } = await made({ scopes: ['READ', 'WRITE'] }, testData.owner.token);
      dataOf(await call('revoke', { id }, token));
      expect(await status(token)).toBe(401);
    });

    test('ends it at once, changes nothing the second time, and finds no token of another user', async () => {
      const { token, id } = await made({}, testData.manager.token);
      expectFailure(await call('revoke', { id }, testData.owner.token), 'NOT_FOUND');
      const first = await call('revoke', { id }, testData.manager.token);
      expect(dataOf(first)).toMatchObject({ id, revoked_at: expect.stringMatching(/Z$/) });
      expect((await call('revoke', { id }, testData.manager.token)).data).toEqual(first.data);
      expect(await status(token)).toBe(401);
    });
  });

  describe('rotating a token', () => {
    test('makes one of the same name, scopes and rules, and the old one lasts for one more day', async () => {
      const person = await buildPerson(gateway.app.database, 'rotating');
      const old = await made(
        { name: 'Nightly', scopes: ['WRITE', 'READ'], allowed_ips: ['127.0.0.0/8'] },
        person.token,
      );
      const before = Date.now();
      const data = dataOf(await rotate(old.id, person.token));
      expect(data.api_token).toMatchObject({
        name: 'Nightly',
        scopes: ['WRITE', 'READ'],
        allowed_ips: ['127.0.0.0/8'],
        revoked_at: null,
        replaced_at: null,
      });
      const { created_at: createdAt, expires_at: expiresAt } = data.api_token;
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * DAY);
      expect(data.replaced).toMatchObject({ id: old.id, replaced_at: createdAt });
      const goesOn = Date.parse(data.replaced.expires_at) - 24 * HOUR;
      expect(goesOn).toBeGreaterThanOrEqual(before);
      expect(goesOn).toBeLessThanOrEqual(Date.now());
      expect([await status(old.token), await status(data.token)]).toEqual([200, 200]);
      const [row] = await sql('select count(*) as found from api_token where digest = $1', [data.token]);
      expect(row).toEqual({ found: 0 });
    });

    test('ends the old one at once with no grace, on a warm instance as well', async () => {
      const { token, id } = await made({}, testData.owner.token);
      expect(await status(token)).toBe(200);
      dataOf(await rotate(id, testData.owner.token, { grace_hours: 0 }));
      expect(await status(token)).toBe(401);
    });

    test('never makes the old one last longer', async () => {
      const soon = new Date(Date.now() + HOUR).toISOString();
      const { id } = await made({ expires_at: soon }, testData.owner.token);
      const data = dataOf(await rotate(id, testData.owner.token, { grace_hours: 168 }));
      expect(data.replaced.expires_at).toBe(soon);
      const lifetime = Date.parse(data.api_token.expires_at) - Date.parse(data.api_token.created_at);
      expect(Math.abs(lifetime - HOUR)).toBeLessThan(10_000);
    });

    test('takes a grace of 0 to 168 hours and an end within 365 days', async () => {
      const { token } = testData.owner;
      const error = ['grace_hours must be from 0 to 168'];
      const { id } = await made({}, token);
      expectFailure(await rotate(id, token, { grace_hours: -1 }), 'BAD_USER_INPUT', error);
      const late = new Date(Date.now() + 366 * DAY).toISOString();
      expectFailure(await rotate(id, token, { grace_hours: 169, expires_at: late }), 'BAD_USER_INPUT', error);
      expectFailure(await rotate(id, token, { grace_hours: 168, expires_at: late }), 'BAD_USER_INPUT', [
        'expires_at must not be more than 365 days away',
      ]);
      const end = new Date(Date.now() + 10 * DAY).toISOString();
      const data = dataOf(await rotate(id, token, { grace_hours: 168, expires_at: end }));
      expect(data.api_token.expires_at).toBe(end);
    });

    test('happens once when many requests are sent at once', async () => {
      const { id } = await made({}, testData.owner.token);
      const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(id, testData.owner.token)));
      expect(answers.map(({ code }) => code).toSorted()).toEqual([...Array<string>(7).fill('CONFLICT'), 'OK']);
    });

    test('is refused for tokens that have ended, and finds no token of another user', async () => {
      const { token } = testData.owner;
      const revoked = await made({}, token);
      await call('revoke', { id: revoked.id }, token);
      expectConflict(await rotate(revoked.id, token), 'TOKEN_NOT_ROTATABLE');
      const expired = await made({}, token);
      await sql(`update api_token set expires_at = now() - interval '1 second' where id = $1`, [expired.id]);
      expectConflict(await rotate(expired.id, token), 'TOKEN_NOT_ROTATABLE');
      expectFailure(await rotate(await newestId(testData.manager), token), 'NOT_FOUND');
    });

    test('gives no token with more scopes or addresses than the calling token', async () => {
      const { token } = testData.owner;
      const wide = await made({ scopes: ['READ', 'WRITE'] }, token);
      expectFailure(await rotate(wide.id, testData.tokens.writeOnly), 'FORBIDDEN');
      const narrow = await made({ scopes: ['READ', 'WRITE'], allowed_ips: ['127.0.0.1'] }, token);
      expectFailure(await rotate(wide.id, narrow.token), 'FORBIDDEN');
      dataOf(await rotate(narrow.id, narrow.token));
      const [row] = await sql('select replaced_at from api_token where id = $1', [wide.id]);
      expect(row).toEqual({ replaced_at: null });
    });

    test('renews a token that only reports for a user who may make one', async () => {
      const data = dataOf(await create({ name: 'device', scopes: ['TELEMETRY'] }, testData.manager.token));
      const rotated = dataOf(await rotate(data.api_token.id, testData.manager.token));
      expect(rotated.api_token.scopes).toEqual(['TELEMETRY']);
    });
  });

  describe('the current token', () => {
    test('shows its record, its user, and its privileges in each organization', async () => {
      const person = await buildPerson(gateway.app.database, 'introspecting');
      await join(gateway.app.database, person, testData.organizationId, 'SECURITY_OFFICER');
      await join(gateway.app.database, person, testData.otherOrganizationId, 'VIEWER');
      const token = await buildToken(gateway.app.database, person, { scopes: ['read'] });
      const data = dataOf(await call('current', {}, token));
      expect(data.token).toMatchObject({ id: await newestId(person), scopes: ['READ'], prefix: token.slice(0, 8) });
      expect(data.user).toMatchObject({ id: person.id, username: person.username });
      expect(data.organizations).toEqual([
        {
          organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
          role: 'SECURITY_OFFICER',
          privileges: expect.arrayContaining(['READ_ORGANIZATION', 'LIST_MEMBERS']),
        },
        {
          organization: { id: testData.otherOrganizationId, name: 'Other Organization', logo: '' },
          role: 'VIEWER',
          privileges: expect.not.arrayContaining(['LIST_MEMBERS', 'SET_OWN_ALERTS']),
        },
      ]);
    });
  });

  describe('tokens that act in an organization', () => {
    test('are the tokens of its members that have not ended, without fields about other organizations', async () => {
      const organizationId = await buildOrganization(gateway.app.database, 'Overseen');
      const owner = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
      const member = await newMember(gateway.app.database, organizationId, 'VIEWER');
      const gone = await newMember(gateway.app.database, organizationId, 'VIEWER');
      await sql('update membership set deactivated_at = now() where user_id = $1', [gone.id]);
      for (const change of [`revoked_at = now()`, `expires_at = now()`]) {
        await buildToken(gateway.app.database, member, {});
        await sql(`update api_token set ${change} where id = $1`, [await newestId(member)]);
      }
      const answer = await call('listOfOrganization', { organization_id: organizationId }, owner.token);
      const tokens = dataOf(answer) as { username: string }[];
      expect([answer.total, tokens.map(({ username }) => username)]).toEqual([2, [member.username, owner.username]]);
      expect(JSON.stringify(tokens[0])).toBe(
        JSON.stringify({
          id: (tokens[0] as never)['id'],
          user_id: member.id,
          username: member.username,
          name: 'test',
          prefix: member.token.slice(0, 8),
          scopes: ['READ', 'WRITE'],
          created_at: (tokens[0] as never)['created_at'],
          expires_at: (tokens[0] as never)['expires_at'],
          last_used_at: (tokens[0] as never)['last_used_at'],
          blocked_at: null,
        }),
      );
    });

    test('are no tokens of sign-ins to other organizations, whose providers they name', async () => {
      const { database } = gateway.app;
      const [own, other] = [await buildOrganization(database, 'Own'), await buildOrganization(database, 'Elsewhere')];
      const owner = await newMember(database, own, 'ORGANIZATION_OWNER');
      const member = await newMember(database, own, 'VIEWER');
      await join(database, member, other, 'VIEWER');
      const signedIn = async (organizationId: number) => {
        await buildToken(database, member, {});
        const id = await newestId(member);
        const name = `Sign-in through ${organizationId}`;
        await sql(
          `with provider as (
             insert into identity_provider (organization_id, name, issuer, client_id, group_roles, redirect_uris)
             values ($2, $3::text, 'https://login.example', 'gateway', '[]', '{}') returning id)
           update api_token set origin = 'SIGN_IN', name = $3::text, provider_id = (select id from provider) where id = $1`,
          [id, organizationId, name],
        );
        return { id, name };
      };
      const [here, elsewhere] = [await signedIn(own), await signedIn(other)];
      const { total, data } = await call('listOfOrganization', { organization_id: own }, owner.token);
      const names = (data as { name: string }[]).map(({ name }) => name);
      expect([total, names]).toEqual([3, [here.name, 'test', 'test']]);
      expectFailure(await call('block', { organization_id: own, id: elsewhere.id }, owner.token), 'NOT_FOUND');
      expect(dataOf(await call('block', { organization_id: own, id: here.id }, owner.token)).id).toBe(here.id);
    });

    describe('blocking one', () => {
      test('ends its access here at once, and none in other organizations', async () => {
        const member = await newMember(gateway.app.database, testData.organizationId, 'SECURITY_OFFICER');
        await join(gateway.app.database, member, testData.otherOrganizationId, 'SECURITY_OFFICER');
        const users = async (organizationId: number, token = member.token) =>
          (await gateway.rest.get(`/api/v1/organizations/${organizationId}/users`, { token })).status;
        expect([await users(testData.organizationId), await users(testData.otherOrganizationId)]).toEqual([200, 200]);
        const token = await newestId(member);
        const first = dataOf(await block(token));
        expect(first).toMatchObject({ id: token, blocked_at: expect.stringMatching(/Z$/) });
        // Its last use is stored a little later.
        const again = { ...dataOf(await block(token)), last_used_at: null };
        expect(again).toEqual({ ...first, last_used_at: null });
        expect([await users(testData.organizationId), await users(testData.otherOrganizationId)]).toEqual([403, 200]);
        const permissions = `{ organization(id: ${testData.organizationId}) {
          apiTokens { nodes { username viewerCan { block } } } } }`;
        const { organization } = await gateway.graphql.data(permissions, { token: testData.owner.token });
        expect(organization.apiTokens.nodes).toContainEqual({ username: member.username, viewerCan: { block: false } });
        const other = await buildToken(gateway.app.database, member, {});
        expect(await users(testData.organizationId, other)).toBe(200);
        expect(dataOf(await call('current', {}, member.token))).toMatchObject({
          token: { blocked_in: [testData.organizationId] },
          organizations: [{ organization: { id: testData.otherOrganizationId } }],
        });
        expect(await titlesOf(gateway.app.database, member)).toEqual(['One of your tokens was blocked']);
      });

      test('finds no token of a non-member, none that has ended, and none that never existed', async () => {
        const member = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
        const ended = await newestId(member);
        await sql('update api_token set revoked_at = now() where id = $1', [ended]);
        await buildToken(gateway.app.database, member, { expiresAt: new Date(0) });
        for (const token of [
          ended,
          await newestId(member),
          await newestId(testData.nonMember),
          await newestId(testData.userWithoutOrganization),
          2147483647,
        ]) {
          expectFailure(await block(token), 'NOT_FOUND');
        }
      });

      test.each([
        ['revoked', 'update api_token set revoked_at = now() where user_id = $1'],
        ['taken from the organization', 'delete from membership where user_id = $1'],
      ])('finds none that is %s while it is being blocked', async (_how, change) => {
        const { database } = gateway.app;
        const member = await newMember(database, testData.organizationId, 'VIEWER');
        const token = await newestId(member);
        const { answer } = await database.transaction(async (tx) => {
          // The request waits for this row when it has found the token.
          await tx.rows('insert into token_block (token_id, organization_id) values ($1, $2)', [
            token,
            testData.organizationId,
          ]);
          const waiting = block(token);
          await someoneWaits(tx);
          await tx.rows(change, [member.id]);
          return { answer: waiting };
        });
        expectFailure(await answer, 'NOT_FOUND');
      });

      test('happens once when many requests are sent at once', async () => {
        const member = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
        const token = await newestId(member);
        const answers = await Promise.all(Array.from({ length: 6 }, () => block(token)));
        expect(answers.map(({ code }) => code)).toEqual(Array<string>(6).fill('OK'));
        expect(await titlesOf(gateway.app.database, member)).toEqual(['One of your tokens was blocked']);
      });
    });
  });
});
