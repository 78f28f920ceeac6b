import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { newMember, titlesOf } from '../support/people.js';
import {
  buildOrganization,
  buildPerson,
  buildToken,
  seedTestData,
  join,
  type Person,
  type TestData,
} from '../support/test-data.js';
import { pagingCases, personOf, rolesBelow } from '../support/rest.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

const PATH = '/api/v1/tokens';
const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const create = (body: object, token: string) => gateway.rest.post(PATH, { token, body });
async function made(body: object, token: string): Promise<{ token: string; id: number }> {
  const data = expectData(await create({ name: 'made', ...body }, token), 201);
  return { token: data.token as string, id: data.api_token.id as number };
}
async function newestId({ id }: Person): Promise<number> {
  const [row] = await sql('select max(id) as id from api_token where user_id = $1', [id]);
  return row!['id'] as number;
}
const status = async (token: string) => (await gateway.rest.get('/api/v1/profile', { token })).status;

describe('listing tokens', () => {
  describe('in pages', () => {
    let person: Person;
    beforeAll(async () => {
      person = await buildPerson(gateway.app.database, 'paged');
      for (let more = 0; more < 4; more += 1) await buildToken(gateway.app.database, person, {});
    });
    pagingCases((query) => gateway.rest.get(`${PATH}?${query}`, person));
  });

  test('shows one’s own, newest first, and reads the same one by one', async () => {
    const person = await buildPerson(gateway.app.database, 'lister');
    await buildToken(gateway.app.database, person, { scopes: ['telemetry'] });
    const answer = await gateway.rest.get(PATH, person);
    const tokens = expectData(answer) as { id: number; scopes: string[] }[];
    expect([answer.body.total, tokens.map(({ scopes }) => scopes)]).toEqual([2, [['TELEMETRY'], ['READ', 'WRITE']]]);
    for (const token of tokens) {
      // The very request may be its last use.
      const read = expectData(await gateway.rest.get(`${PATH}/${token.id}`, person));
      expect(read).toEqual({ ...token, last_used_at: read.last_used_at });
      expectError(await gateway.rest.get(`${PATH}/${token.id}`, testData.owner), 404, [1004]);
    }
  });
});

describe('making a token', () => {
  test('shows it once, with every fact about it', async () => {
    const answer = await create(
      { name: ' Import ', scopes: ['READ', 'WRITE'], allowed_ips: ['127.0.0.1', '2001:db8::/32', '127.0.0.1'] },
      testData.owner.token,
    );
    const { token, api_token: facts } = expectData(answer, 201);
    expect(answer.text).toBe(
      JSON.stringify({
        error: 0,
        messages: [],
        data: {
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
          },
        },
      }),
    );
    expect(Date.parse(facts.expires_at) - Date.parse(facts.created_at)).toBe(90 * DAY);
    expect(await status(token)).toBe(200);
  });

  test('tells all faults at once', async () => {
    const networks = ['192.0.2.0/33', '192.0.2.1', 'example.com', '::ffff:192.0.2.1'];
    expectError(await create({ name: '', scopes: [], allowed_ips: networks }, testData.owner.token), 400, [
      'name is required',
      'scopes must name at least one scope',
      'allowed_ips[0] must be an IP address or a network such as 192.0.2.0/24',
      'allowed_ips[2] must be an IP address or a network such as 192.0.2.0/24',
      'allowed_ips[3] must be an IP address or a network such as 192.0.2.0/24',
    ]);
    expectError(await create({ name: 'x', scopes: ['read'], expires_at: 'soon', ips: [] }, testData.owner.token), 400, [
      'scopes[0] must be one of READ, WRITE, TELEMETRY',
      'expires_at must be a date-time such as 2026-11-20T08:15:30Z',
      'ips is not a known field',
    ]);
  });

  test('takes 50 networks and no more', async () => {
    const networks = Array.from({ length: 51 }, (_, index) => `192.0.2.${index}`);
    const { token } = testData.owner;
    expectStatus(await create({ name: 'x', allowed_ips: networks.slice(1) }, token), 201);
    expectError(await create({ name: 'x', allowed_ips: networks }, token), 400, [
      'allowed_ips must not have more than 50 items',
    ]);
  });

  test('by one that may come from some addresses only makes none that may come from others', async () => {
    const narrow = await made({ scopes: ['READ', 'WRITE'], allowed_ips: ['127.0.0.0/8', '::1'] }, testData.owner.token);
    for (const allowed_ips of [[], ['0.0.0.0/0'], ['127.0.0.1', '192.0.2.1'], ['::/0']]) {
      expectError(await create({ name: 'wider', allowed_ips }, narrow.token), 403, [1003]);
    }
    for (const [sent, kept] of [
      [undefined, ['127.0.0.0/8', '::1']],
      [['127.0.0.1'], ['127.0.0.1']],
    ] as const) {
      const { id } = await made({ ...(sent && { allowed_ips: sent }) }, narrow.token);
      const [row] = await sql('select allowed_ips from api_token where id = $1', [id]);
      expect(row).toEqual({ allowed_ips: kept });
    }
  });

  test('by one that is blocked in an organization makes none that may act there', async () => {
    const { officer, organizationId } = { ...testData, organizationId: testData.organizationId };
    const maker = await made({ scopes: ['READ', 'WRITE'] }, officer.token);
    expectStatus(
      await gateway.rest.delete(`/api/v1/organizations/${organizationId}/tokens/${maker.id}`, testData.owner),
      200,
    );
    const child = await made({ scopes: ['READ', 'WRITE'] }, maker.token);
    const grandchild = expectData(await gateway.rest.post(`${PATH}/${child.id}/rotate`, { token: officer.token }), 201);
    expect(grandchild.api_token.blocked_in).toEqual([organizationId]);
    for (const token of [maker.token, child.token, grandchild.token as string]) {
      expect(await status(token)).toBe(200);
      expectError(await gateway.rest.get(`/api/v1/organizations/${organizationId}/branding`, { token }), 403, [1003]);
    }
  });

  test('stops at 500 that have not ended, also when many are asked for at once', async () => {
    const person = await buildPerson(gateway.app.database, 'many');
    await sql(
      `insert into api_token (user_id, name, digest, prefix, scopes, expires_at, revoked_at)
       select $1::uuid, 'n', $1::uuid || '-' || n, 'scp_0000', '{read}', now() + interval '1 day', case when n > 496 then now() end
         from generate_series(1, 510) n`,
      [person.id],
    );
    // With the token of the person itself there are 497.
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'one more' }, person.token)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  });
});

describe('the first token that reports checks', () => {
  const telemetry = (token: string, scopes = ['TELEMETRY']) => create({ name: 'device', scopes }, token);

  test('is made by whoever manages devices somewhere, and does nothing but report', async () => {
    for (const { token } of [testData.owner, testData.manager, testData.nonMember]) {
      const data = expectData(await telemetry(token), 201);
      expectError(await gateway.rest.get('/api/v1/profile', { token: data.token }), 403, [1003]);
      expectError(await telemetry(data.token), 403, [1003]);
    }
  });

  test('is refused to everybody else', async () => {
    for (const person of [testData.officer, testData.analyst, testData.viewer, testData.userWithoutOrganization]) {
      expectError(await telemetry(person.token), 403, [1003]);
    }
    expectError(await telemetry(testData.tokens.readOnly), 403, [1003]);
  });

  test('has no other scope', async () => {
    expectError(await telemetry(testData.owner.token, ['TELEMETRY', 'READ']), 403, [1003]);
    expectStatus(await telemetry(testData.tokens.writeOnly), 201);
  });

  test('asks for an organization that the token reaches: not blocked, not deleted, not left, not closed to its form', async () => {
    const organizationId = await buildOrganization(gateway.app.database, 'Only one');
    const manager = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_MANAGER');
    const attempt = async (path = PATH, token: string | undefined = manager.token) =>
      (
        await gateway.rest.post(path, {
          ...(token === undefined ? {} : { token }),
          body: { name: 'device', scopes: ['TELEMETRY'] },
        })
      ).status;
    expect(await attempt()).toBe(201);
    const inAddress = `${PATH}?X-Service-Token=${manager.token}`;
    await sql('update organization set query_token_allowed = false where id = $1', [organizationId]);
    expect([await attempt(), await attempt(inAddress)]).toEqual([201, 403]);
    await sql('update membership set deactivated_at = now() where user_id = $1', [manager.id]);
    expect(await attempt()).toBe(403);
    await sql('update membership set deactivated_at = null where user_id = $1', [manager.id]);
    await sql('update organization set deleted_at = now() where id = $1', [organizationId]);
    expect(await attempt()).toBe(403);
    await sql('update organization set deleted_at = null where id = $1', [organizationId]);
    const blocked = await made({ scopes: ['READ', 'WRITE'] }, manager.token);
    await sql('insert into token_block (token_id, organization_id) values ($1, $2)', [blocked.id, organizationId]);
    expect(await attempt(PATH, blocked.token)).toBe(403);
  });
});

describe('revoking a token', () => {
  test('ends it at once; again changes nothing; nobody else’s is found', async () => {
    const { token, id } = await made({}, testData.manager.token);
    expectError(await gateway.rest.delete(`${PATH}/${id}`, testData.owner), 404, [1004]);
    const first = await gateway.rest.delete(`${PATH}/${id}`, testData.manager);
    expect(expectData(first)).toMatchObject({ id, revoked_at: expect.stringMatching(/Z$/) });
    expect((await gateway.rest.delete(`${PATH}/${id}`, testData.manager)).text).toBe(first.text);
    expect(await status(token)).toBe(401);
  });
});

describe('rotating a token', () => {
  const rotate = (id: number, token: string, body?: object) =>
    gateway.rest.post(`${PATH}/${id}/rotate`, { token, ...(body && { body }) });

  test('makes one of the same name, scopes and rules, and lets the old one go on for a day', async () => {
    const person = await buildPerson(gateway.app.database, 'rotating');
    const old = await made({ name: 'Nightly', scopes: ['WRITE', 'READ'], allowed_ips: ['127.0.0.0/8'] }, person.token);
    const before = Date.now();
    const data = expectData(await rotate(old.id, person.token), 201);
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
    expectStatus(await rotate(id, testData.owner.token, { grace_hours: 0 }), 201);
    expect(await status(token)).toBe(401);
  });

  test('never makes the old one last longer', async () => {
    const soon = new Date(Date.now() + HOUR).toISOString();
    const { id } = await made({ expires_at: soon }, testData.owner.token);
    const data = expectData(await rotate(id, testData.owner.token, { grace_hours: 168 }), 201);
    expect(data.replaced.expires_at).toBe(soon);
    const lifetime = Date.parse(data.api_token.expires_at) - Date.parse(data.api_token.created_at);
    expect(Math.abs(lifetime - HOUR)).toBeLessThan(10_000);
  });

  test('takes a grace of 0 to 168 hours and an end within 365 days', async () => {
    const { token } = testData.owner;
    const fault = ['grace_hours must be from 0 to 168'];
    const { id } = await made({}, token);
    expectError(await rotate(id, token, { grace_hours: -1 }), 400, fault);
    const late = new Date(Date.now() + 366 * DAY).toISOString();
    expectError(await rotate(id, token, { grace_hours: 169, expires_at: late }), 400, fault);
    expectError(await rotate(id, token, { grace_hours: 168, expires_at: late }), 400, [
      'expires_at must not be more than 365 days away',
    ]);
    const end = new Date(Date.now() + 10 * DAY).toISOString();
    const data = expectData(await rotate(id, token, { grace_hours: 168, expires_at: end }), 201);
    expect(data.api_token.expires_at).toBe(end);
  });

  test('happens once, however often it is asked for at once', async () => {
    const { id } = await made({}, testData.owner.token);
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(id, testData.owner.token)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  test('is refused for tokens that have ended, and finds nobody else’s', async () => {
    const { token } = testData.owner;
    const revoked = await made({}, token);
    await gateway.rest.delete(`${PATH}/${revoked.id}`, { token });
    expectError(await rotate(revoked.id, token), 409, [1009]);
    const expired = await made({}, token);
    await sql(`update api_token set expires_at = now() - interval '1 second' where id = $1`, [expired.id]);
    expectError(await rotate(expired.id, token), 409, [1009]);
    expectError(await rotate(await newestId(testData.manager), token), 404, [1004]);
  });

  test('is no way to a token that may do more: neither in scope nor from elsewhere', async () => {
    const { token } = testData.owner;
    const wide = await made({ scopes: ['READ', 'WRITE'] }, token);
    expectError(await rotate(wide.id, testData.tokens.writeOnly), 403, [1003]);
    const narrow = await made({ scopes: ['READ', 'WRITE'], allowed_ips: ['127.0.0.1'] }, token);
    expectError(await rotate(wide.id, narrow.token), 403, [1003]);
    expectStatus(await rotate(narrow.id, narrow.token), 201);
    const [row] = await sql('select replaced_at from api_token where id = $1', [wide.id]);
    expect(row).toEqual({ replaced_at: null });
  });

  test('renews a token that only reports, for who may make one', async () => {
    const data = expectData(await create({ name: 'device', scopes: ['TELEMETRY'] }, testData.manager.token), 201);
    const rotated = expectData(await rotate(data.api_token.id, testData.manager.token), 201);
    expect(rotated.api_token.scopes).toEqual(['TELEMETRY']);
  });
});

describe('what a token says of itself', () => {
  test('are its facts, its user, and what it may do where', async () => {
    const person = await buildPerson(gateway.app.database, 'introspecting');
    await join(gateway.app.database, person, testData.organizationId, 'SECURITY_OFFICER');
    await join(gateway.app.database, person, testData.otherOrganizationId, 'VIEWER');
    const token = await buildToken(gateway.app.database, person, { scopes: ['read'] });
    const data = expectData(await gateway.rest.get('/api/v1/token', { token }));
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
  const path = () => `/api/v1/organizations/${testData.organizationId}/tokens`;

  describe('listing them', () => {
    pagingCases((query) => gateway.rest.get(`${path()}?${query}`, testData.owner));
  });

  test('are those of its members that have not ended, and tell nothing of elsewhere', async () => {
    const organizationId = await buildOrganization(gateway.app.database, 'Overseen');
    const owner = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
    const member = await newMember(gateway.app.database, organizationId, 'VIEWER');
    const gone = await newMember(gateway.app.database, organizationId, 'VIEWER');
    await sql('update membership set deactivated_at = now() where user_id = $1', [gone.id]);
    for (const change of [`revoked_at = now()`, `expires_at = now()`]) {
      await buildToken(gateway.app.database, member, {});
      await sql(`update api_token set ${change} where id = $1`, [await newestId(member)]);
    }
    const answer = await gateway.rest.get(`/api/v1/organizations/${organizationId}/tokens`, owner);
    const tokens = expectData(answer) as { username: string }[];
    expect([answer.body.total, tokens.map(({ username }) => username)]).toEqual([2, [member.username, owner.username]]);
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

  describe('blocking one', () => {
    test('ends what it does here at once, and nothing that it does elsewhere', async () => {
      const member = await newMember(gateway.app.database, testData.organizationId, 'SECURITY_OFFICER');
      await join(gateway.app.database, member, testData.otherOrganizationId, 'SECURITY_OFFICER');
      const users = async (organizationId: number, token = member.token) =>
        (await gateway.rest.get(`/api/v1/organizations/${organizationId}/users`, { token })).status;
      expect([await users(testData.organizationId), await users(testData.otherOrganizationId)]).toEqual([200, 200]);
      const token = await newestId(member);
      const first = await gateway.rest.delete(`${path()}/${token}`, testData.owner);
      expect(expectData(first)).toMatchObject({ id: token, blocked_at: expect.stringMatching(/Z$/) });
      expect((await gateway.rest.delete(`${path()}/${token}`, testData.owner)).text).toBe(first.text);
      expect([await users(testData.organizationId), await users(testData.otherOrganizationId)]).toEqual([403, 200]);
      const other = await buildToken(gateway.app.database, member, {});
      expect(await users(testData.organizationId, other)).toBe(200);
      expect(expectData(await gateway.rest.get('/api/v1/token', member))).toMatchObject({
        token: { blocked_in: [testData.organizationId] },
        organizations: [{ organization: { id: testData.otherOrganizationId } }],
      });
      expect(await titlesOf(gateway.app.database, member)).toEqual(['A token of yours was blocked']);
    });

    test('finds no token of who is no member, none that has ended, and none that never was', async () => {
      const member = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
      const ended = await newestId(member);
      await sql('update api_token set revoked_at = now() where id = $1', [ended]);
      for (const token of [
        ended,
        await newestId(testData.nonMember),
        await newestId(testData.userWithoutOrganization),
        2147483647,
      ]) {
        expectError(await gateway.rest.delete(`${path()}/${token}`, testData.owner), 404, [1004]);
      }
    });

    test('happens once, however often it is asked for at once', async () => {
      const member = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
      const token = await newestId(member);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => gateway.rest.delete(`${path()}/${token}`, testData.owner)),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array<number>(6).fill(200));
      expect(await titlesOf(gateway.app.database, member)).toEqual(['A token of yours was blocked']);
    });
  });

  test('are null beside an error in GraphQL for lower ranks', async () => {
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
});
