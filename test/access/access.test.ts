import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Access } from '../../src/auth/access.js';
import { ANONYMOUS, type UserCaller } from '../../src/auth/caller.js';
import { PRIVILEGES, type Privilege } from '../../src/auth/roles.js';
import { accessRecords, TokenUsage } from '../../src/database/access-records.js';
import { Database } from '../../src/database/database.js';
import { ROLE_RANKS, ROLES, type Role, type Scope } from '../../src/values/enums.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildOrganization, buildPerson, buildToken, join } from '../support/test-data.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase();
  database = await Database.open(server.url, 4);
});

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

/** Access like in the gateway, with a settable time; `fresh` says whether NOTIFY messages arrive. */
function accessAt(now: () => number, { fresh = true } = {}) {
  const used: number[] = [];
  const access = new Access(
    accessRecords(database),
    { isFresh: () => fresh },
    ({ tokenId }) => used.push(tokenId),
    now,
  );
  return { access, used };
}

function callerOf(userId: string, scopes: readonly Scope[]): UserCaller {
  return {
    kind: 'user',
    userId,
    username: '',
    tokenId: 0,
    scopes: new Set(scopes),
    form: 'header',
    blockedIn: new Set(),
    personalKey: null,
  };
}

describe('expiry', () => {
  const END = Date.parse('2026-11-20T08:15:30.500Z');

  test.each([
    ['read from the database each time', false],
    ['remembered', true],
  ])('is exact to the millisecond, %s', async (_how, fresh) => {
    const person = await buildPerson(database, 'expiring');
    const token = await buildToken(database, person, { expiresAt: new Date(END) });
    let now = END - 1;
    const { access, used } = accessAt(() => now, { fresh });
    expect(await access.authenticate(token)).toMatchObject({ kind: 'user', userId: person.id });
    expect(await access.authenticate(token)).toMatchObject({ kind: 'user' });
    expect(used).toHaveLength(2);
    now = END;
    expect(await access.authenticate(token)).toBe(ANONYMOUS);
    expect(used).toHaveLength(2);
  });
});

describe('what is remembered', () => {
  test('is not believed while announcements may be late', async () => {
    const person = await buildPerson(database, 'remembered');
    const token = await buildToken(database, person, {});
    let fresh = true;
    const access = new Access(accessRecords(database), { isFresh: () => fresh }, () => undefined);
    await access.authenticate(token);
    await database.rows('update api_token set revoked_at = now() where user_id = $1', [person.id]);
    expect((await access.authenticate(token)).kind).toBe('user');
    fresh = false;
    expect(await access.authenticate(token)).toBe(ANONYMOUS);
  });

  test('is dropped by the announcement that concerns it, and by no other', async () => {
    const person = await buildPerson(database, 'announced');
    const token = await buildToken(database, person, {});
    const { access } = accessAt(Date.now);
    await access.authenticate(token);
    await database.rows('update api_token set revoked_at = now() where user_id = $1', [person.id]);
    access.cache.announced('u:00000000-0000-0000-0000-000000000000');
    expect((await access.authenticate(token)).kind).toBe('user');
    access.cache.announced(`u:${person.id}`);
    expect(await access.authenticate(token)).toBe(ANONYMOUS);
  });

  test('is dropped when the change is committed, whatever others have read until then', async () => {
    const person = await buildPerson(database, 'committed');
    const organizationId = await buildOrganization(database, 'Committed late');
    await join(database, person, organizationId, 'ORGANIZATION_OWNER');
    const { access } = accessAt(Date.now);
    const role = () => access.roleIn(callerOf(person.id, ['read']), organizationId);
    const changed = Promise.withResolvers<void>();
    const read = changed.promise.then(role);
    await database.request.share(
      async () => undefined,
      async (share) => {
        await database.change(`update membership set role = 'VIEWER' where user_id = $1`, [person.id]);
        access.cache.announced(`m:${person.id}:${organizationId}`);
        expect(await role()).toBe('VIEWER');
        changed.resolve();
        expect(await read).toBe('ORGANIZATION_OWNER');
        await share.commit(async () => undefined);
      },
    );
    expect(await role()).toBe('VIEWER');
  });

  test('has nothing of a change that was not committed, though its request renews its caller meanwhile', async () => {
    const person = await buildPerson(database, 'uncommitted');
    const organizationId = await buildOrganization(database, 'Not committed');
    await join(database, person, organizationId, 'ORGANIZATION_OWNER');
    const caller = (await accessAt(Date.now).access.authenticate(await buildToken(database, person, {}))) as UserCaller;
    const { access } = accessAt(Date.now);
    await database.request.share(
      async () => undefined,
      async () => {
        await database.change(`update membership set role = 'VIEWER' where user_id = $1`, [person.id]);
        await access.renewed(caller);
        expect(await access.roleIn(caller, organizationId)).toBe('VIEWER');
      },
    );
    expect(await access.roleIn(caller, organizationId)).toBe('ORGANIZATION_OWNER');
  });

  test('is read once for several connections with the same token, and not again', async () => {
    const person = await buildPerson(database, 'connected');
    const records = accessRecords(database);
    const reads: (readonly string[])[] = [];
    const tokens = (digests: readonly string[]) => {
      reads.push(digests);
      return records.tokens(digests);
    };
    const access = new Access({ ...records, tokens }, { isFresh: () => true }, () => undefined);
    const caller = (await accessAt(Date.now).access.authenticate(await buildToken(database, person, {}))) as UserCaller;
    const credentials = [{ ...caller.credential! }, { ...caller.credential! }];
    for (let count = 0; count < 2; count += 1) expect((await access.revalidateTokens(credentials)).size).toBe(2);
    expect(reads).toEqual([[caller.credential!.digest]]);
  });

  test('is not what was read before an announcement and arrives after it', async () => {
    const person = await buildPerson(database, 'overtaken');
    const organization = await buildOrganization(database, 'Overtaken');
    await join(database, person, organization, 'ORGANIZATION_OWNER');
    const caller = (await accessAt(Date.now).access.authenticate(await buildToken(database, person, {}))) as UserCaller;
    const { access } = accessAt(Date.now);
    const reading = access.roleIn(caller, organization);
    access.cache.announced(`m:${person.id}:${organization}`);
    await reading;
    await database.rows('delete from membership where user_id = $1', [person.id]);
    expect(await access.roleIn(caller, organization)).toBeUndefined();
  });

  test('is no absence: a new member is let in at once, without an announcement', async () => {
    const person = await buildPerson(database, 'newcomer');
    const organization = await buildOrganization(database, 'Joined later');
    const { access } = accessAt(Date.now);
    const role = () => access.roleIn(callerOf(person.id, ['read']), organization);
    expect(await role()).toBeUndefined();
    await join(database, person, organization, 'VIEWER');
    expect(await role()).toBe('VIEWER');
  });

  test('with a token is every role of its user, however many there are, but none that is over', async () => {
    const person = await buildPerson(database, 'manifold');
    const organizations: number[] = [];
    for (let n = 0; n < 25; n += 1) {
      organizations.push(await buildOrganization(database, `Manifold ${n}`));
      await join(database, person, organizations[n]!, 'VIEWER');
    }
    const [deactivated, deleted] = organizations as [number, number];
    await database.rows('update membership set deactivated_at = now() where organization_id = $1', [deactivated]);
    await database.rows('update organization set deleted_at = now() where id = $1', [deleted]);
    const { access } = accessAt(Date.now);
    const caller = (await access.authenticate(await buildToken(database, person, {}))) as UserCaller;
    const roles = await Promise.all(organizations.map((id) => access.roleIn(caller, id)));
    expect(roles).toEqual([undefined, undefined, ...Array.from({ length: 23 }, () => 'VIEWER')]);
  });

  test('is forgotten as a whole after an announcement that is not understood', async () => {
    const person = await buildPerson(database, 'forgotten');
    const token = await buildToken(database, person, {});
    const { access } = accessAt(Date.now);
    await access.authenticate(token);
    await database.rows('update api_token set revoked_at = now() where user_id = $1', [person.id]);
    access.cache.announced('something new');
    expect(await access.authenticate(token)).toBe(ANONYMOUS);
  });
});

describe('a privilege', () => {
  const callers = new Map<Role, { organization: number; person: { id: string; username: string } }>();

  beforeAll(async () => {
    for (const role of ROLES) {
      const person = await buildPerson(database, role.toLowerCase());
      const organization = await buildOrganization(database, role);
      await join(database, person, organization, role);
      callers.set(role, { organization, person });
    }
  });

  const attempt = (role: Role, scopes: Scope[], privilege: Privilege) => {
    const { organization, person } = callers.get(role)!;
    const caller = callerOf(person.id, scopes);
    return accessAt(Date.now)
      .access.authorize(caller, privilege, organization)
      .then(
        () => 'allowed',
        (error: { code: string }) => error.code,
      );
  };

  test.each(Object.keys(PRIVILEGES) as Privilege[])(
    '%s needs its role and its scope, and nothing more',
    async (privilege) => {
      const { role: lowest, scope } = PRIVILEGES[privilege];
      const others = (['read', 'write', 'telemetry'] as Scope[]).filter((each) => each !== scope);
      for (const role of ROLES) {
        const high = ROLE_RANKS[role] >= ROLE_RANKS[lowest];
        expect([role, await attempt(role, [scope], privilege)]).toEqual([role, high ? 'allowed' : 'FORBIDDEN']);
        expect([role, await attempt(role, others, privilege)]).toEqual([role, 'FORBIDDEN']);
      }
    },
  );

  test('is refused to the anonymous, and looks absent to strangers', async () => {
    const { access } = accessAt(Date.now);
    const { organization } = callers.get('VIEWER')!;
    await expect(access.authorize(ANONYMOUS, 'READ_ORGANIZATION', organization)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    const { person } = callers.get('ORGANIZATION_OWNER')!;
    const nonMember = callerOf(person.id, ['read', 'write']);
    for (const id of [organization, 2147483647]) {
      await expect(access.authorize(nonMember, 'READ_ORGANIZATION', id)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        messages: [1004],
      });
    }
  });
});

describe('the last use of a token', () => {
  const START = Date.parse('2026-11-20T08:00:00Z');
  // Longer than any test: only `flush` writes.
  const NEVER = 1_000_000;
  const lines: unknown[][] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line) };

  async function issued(): Promise<number> {
    const person = await buildPerson(database, 'used');
    await buildToken(database, person, {});
    const [row] = await database.rows<{ id: number }>('select max(id) as id from api_token where user_id = $1', [
      person.id,
    ]);
    return row!.id;
  }

  const lastUse = async (id: number) =>
    (await database.rows<{ at: string | null }>('select last_used_at as at from api_token where id = $1', [id]))[0]?.at;

  test('is written at most once a minute, by one instance or by several', async () => {
    const id = await issued();
    let now = START;
    const one = new TokenUsage(database, log, () => now, NEVER);
    const other = new TokenUsage(database, log, () => now, NEVER);
    const useAt = async (usage: TokenUsage, seconds: number) => {
      now = START + seconds * 1000;
      usage.used(id);
      await usage.flush();
      return lastUse(id);
    };
    expect(await useAt(one, 0)).toBe('2026-11-20T08:00:00.000Z');
    expect(await useAt(one, 59.999)).toBe('2026-11-20T08:00:00.000Z');
    expect(await useAt(other, 30)).toBe('2026-11-20T08:00:00.000Z');
    expect(await useAt(one, 61)).toBe('2026-11-20T08:01:01.000Z');
    expect(await useAt(other, 100)).toBe('2026-11-20T08:01:01.000Z');
    await one.close();
    await other.close();
  });

  test('that could not be written is written later', async () => {
    const id = await issued();
    const usage = new TokenUsage(database, log, () => START, NEVER);
    usage.used(id);
    await database.rows('alter table api_token rename to api_token_away');
    await expect(usage.flush()).rejects.toThrow();
    await database.rows('alter table api_token_away rename to api_token');
    await usage.flush();
    expect(await lastUse(id)).toBe('2026-11-20T08:00:00.000Z');
    await usage.close();
  });

  test('that cannot be written is in the log', async () => {
    const usage = new TokenUsage(database, log, () => START, NEVER);
    usage.used(await issued());
    await database.rows('alter table api_token rename to api_token_away');
    await usage.close();
    await database.rows('alter table api_token_away rename to api_token');
    expect(lines).toEqual([[{ err: expect.any(Error) }, 'uses of tokens cannot be written at the moment']]);
  });

  test('is not written once it was revoked, so that an erasure that has deleted it is not undone', async () => {
    const id = await issued();
    const usage = new TokenUsage(database, log, () => START, NEVER);
    usage.used(id);
    await database.rows('update api_token set revoked_at = now() where id = $1', [id]);
    await usage.flush();
    expect(await lastUse(id)).toBeNull();
    await usage.close();
  });

  test('is not lost when the gateway stops', async () => {
    const id = await issued();
    const usage = new TokenUsage(database, log, () => START, NEVER);
    usage.used(id);
    await usage.close();
    expect(await lastUse(id)).toBe('2026-11-20T08:00:00.000Z');
  });
});
