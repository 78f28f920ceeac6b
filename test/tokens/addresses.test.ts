import { describe, expect, test } from '@jest/globals';
import type { UserCaller } from '../../src/auth/caller.js';
import { Database } from '../../src/database/database.js';
import { REQUEST_LIMITS } from '../../src/database/time-limits.js';
import { createLogger } from '../../src/logger.js';
import { TokenAddresses } from '../../src/services/tokens/token-addresses.js';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, callThrough, dataOf, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { inTurnBehind } from '../support/lock-waits.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { until } from '../support/until.js';
import { buildPerson, type Person } from '../support/test-data.js';

const OWN_TRAIL: Operation = {
  rest: 'GET /api/v1/profile/audit-trail',
  graphql: `query ($filter: AuditEntryFilter) { viewer { auditTrail(filter: $filter) {
    totalCount nodes { action actor { address } subject { type name } changes { field before after } } } } }`,
  at: 'viewer.auditTrail',
};
const MINUTE = 60_000;

const clock = new TestClock();

const gateway = await startSharedGateway({ config: { trustProxy: 1 } });

const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

const stored = ({ id }: Person) =>
  sql<{ digest: Buffer }>(
    'select a.digest from token_address a join api_token t on t.id = a.token_id where t.user_id = $1',
    [id],
  );

describe.each(APIS)('through %s', (api) => {
  test('a user reads that a token is used from another address than before, once for each', async () => {
    const person = await buildPerson(gateway.app.database, 'travelling');
    const { token } = person;
    const entries = async () => {
      const input = { action: 'TOKEN_USED_FROM_NEW_ADDRESS' };
      return dataOf(await callThrough(api, gateway, OWN_TRAIL, input, token)) as object[];
    };
    const useFrom = (address: string) =>
      gateway.rest.get('/api/v1/profile', { token, headers: { 'x-forwarded-for': address } });
    expect(await entries()).toEqual([]);
    await until(async () => (await stored(person)).length === 1);
    expect(await entries()).toEqual([]);
    await useFrom('198.51.100.7');
    await useFrom('198.51.100.7');
    await until(async () => (await entries()).length > 0);
    expect(await entries()).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ address: '198.51.100.7' }),
        subject: expect.objectContaining({ type: 'TOKEN', name: 'test' }),
        changes: [{ field: 'addresses', before: null, after: ['198.51.100.7'] }],
      }),
    ]);
  });
});

/** A person's token as after authentication, without a gateway. */
async function callerOf({ id: userId, username }: Person): Promise<(address: string) => UserCaller> {
  const [row] = await sql<{ id: number; key: Buffer }>(
    'select t.id, u.personal_key as key from api_token t join app_user u on u.id = t.user_id where u.id = $1',
    [userId],
  );
  const { id: tokenId, key: personalKey } = row!;
  const fixed = { kind: 'user', form: 'header', userId, username, tokenId, personalKey } as const;
  return (address) => ({ ...fixed, scopes: new Set(), blockedIn: new Set(), origin: { address, requestId: 'a-use' } });
}

const instance = () => new TokenAddresses(gateway.app.database, createLogger('silent'), clock.now);

async function use(caller: (address: string) => UserCaller, ...addresses: string[]): Promise<void> {
  const addressesOfInstance = instance();
  for (const address of addresses) addressesOfInstance.used(caller(address));
  await addressesOfInstance.close();
}

/** Number of addresses in each entry of the user. */
async function recorded({ id }: Person): Promise<number[]> {
  const rows = await sql<{ entry: string }>(
    `select entry from audit_entry where action = 'TOKEN_USED_FROM_NEW_ADDRESS' and actor = $1 order by position`,
    [id],
  );
  return rows.map(({ entry }) => JSON.parse(entry).changes.addresses.after.length);
}

const person = () => buildPerson(gateway.app.database, 'using');

test('an instance knows the addresses that others have seen', async () => {
  const user = await person();
  const caller = await callerOf(user);
  await use(caller, '192.0.2.1');
  await use(caller, '192.0.2.1', '192.0.2.2');
  await use(caller, '192.0.2.2', '192.0.2.1');
  expect(await recorded(user)).toEqual([1]);
});

test('instances that see an address at the same time record it once', async () => {
  const user = await person();
  const caller = await callerOf(user);
  await use(caller, '192.0.2.1');
  await Promise.all(Array.from({ length: 4 }, () => use(caller, '192.0.2.2')));
  expect(await recorded(user)).toEqual([1]);
});

test('of instances that see the first uses of a token at once, one has its first address and others record theirs', async () => {
  const user = await person();
  const caller = await callerOf(user);
  const rowLock = ['select from api_token where user_id = $1 for no key update', [user.id]] as const;
  await inTurnBehind(gateway.app.database, rowLock, [
    () => use(caller, '192.0.2.1'),
    () => use(caller, '198.51.100.1'),
  ]);
  expect(await recorded(user)).toEqual([1]);
  expect(await stored(user)).toHaveLength(2);
});

test('addresses that come in one minute are one entry, and one more the minute after', async () => {
  const user = await person();
  const caller = await callerOf(user);
  await use(caller, '192.0.2.1');
  const one = instance();
  for (let number = 2; number < 7; number += 1) one.used(caller(`192.0.2.${number}`));
  await until(async () => (await recorded(user)).length === 1);
  for (let number = 7; number < 9; number += 1) one.used(caller(`192.0.2.${number}`));
  await new Promise((done) => setTimeout(done, 2_500));
  expect(await recorded(user)).toEqual([5]);
  clock.set(0, MINUTE);
  await one.close();
  expect(await recorded(user)).toEqual([5, 2]);
});

test('the addresses of one customer of an IPv6 network are one address', async () => {
  const user = await person();
  const caller = await callerOf(user);
  await use(caller, '192.0.2.1');
  await use(caller, '2001:db8:1:2::1', '2001:db8:1:2::2');
  await use(caller, '2001:db8:1:2:3:4:5:6');
  expect(await recorded(user)).toEqual([1]);
});

test('of a token the addresses that were used last are stored, and nothing of them can be read', async () => {
  const user = await person();
  const caller = await callerOf(user);
  const limit = LIMITS.token.rememberedAddresses;
  for (let number = 0; number <= limit; number += 1) {
    clock.set(1, number);
    await use(caller, '192.0.2.1', `198.51.100.${number}`);
  }
  const rows = await stored(user);
  expect(rows).toHaveLength(limit);
  expect(rows.map(({ digest }) => digest.length)).toEqual(rows.map(() => 32));
  const before = (await recorded(user)).length;
  await use(caller, '192.0.2.1');
  expect(await recorded(user)).toHaveLength(before);
  await use(caller, '198.51.100.0');
  expect(await recorded(user)).toHaveLength(before + 1);
});

test('a use is not remembered when it cannot be recorded, and is recorded at the next one', async () => {
  const user = await person();
  const caller = await callerOf(user);
  await use(caller, '192.0.2.1');
  await sql('alter table audit_entry add constraint refused check (false) not valid');
  await use(caller, '192.0.2.2');
  await sql('alter table audit_entry drop constraint refused');
  expect(await recorded(user)).toEqual([]);
  await use(caller, '192.0.2.2');
  expect(await recorded(user)).toEqual([1]);
});

test('addresses that come faster than they are stored are recorded at a later use, and the log says how many', async () => {
  const [caller, other] = [await callerOf(await person()), await callerOf(await person())];
  const lines: unknown[][] = [];
  const warn = (...line: unknown[]) => void lines.push(line);
  const crowded = new TokenAddresses(gateway.app.database, { warn } as never, clock.now, 1);
  for (let last = 1; last <= LIMITS.token.rememberedAddresses + 1; last += 1) crowded.used(caller(`192.0.2.${last}`));
  crowded.used(caller('192.0.2.1'));
  crowded.used(other('192.0.2.1'));
  await crowded.close();
  expect(lines).toEqual([[{ missed: 2 }, 'more addresses of tokens than are stored at a time']]);
});

test('a use that cannot be recorded while its token is locked is recorded afterwards, without another use', async () => {
  const user = await person();
  const caller = await callerOf(user);
  await use(caller, '192.0.2.1');
  const impatient = await Database.open(gateway.database.url, 2, { ...REQUEST_LIMITS, lock: 50 });
  const { promise: failed, resolve: warn } = Promise.withResolvers<unknown>();
  const one = new TokenAddresses(impatient, { warn } as never, clock.now);
  one.used(caller('192.0.2.2'));
  await gateway.app.database.transaction(async (tx) => {
    await tx.rows('select from api_token where user_id = $1 for update', [user.id]);
    await failed;
  });
  await one.close();
  await impatient.close();
  expect(await recorded(user)).toEqual([1]);
});
