import { beforeEach, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { TokenWarningService } from '../../src/services/tokens/token-warnings.service.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { newMember, titlesOf } from '../support/people.js';
import { buildOrganization, buildPerson, buildToken, join, type Person } from '../support/test-data.js';

const NOW = Date.parse('2026-11-20T08:15:30.500Z');
const TITLE = 'One of your tokens expires soon';

const gateway = await startSharedGateway();
const { database } = gateway.app;
const organizationId = await buildOrganization(database, 'Warned');

beforeEach(() => database.rows('delete from api_token'));

const warnAt = (now: number) => new TokenWarningService({ database, now: () => new Date(now) }).warnExpiring();

/** A member with one token that ends then; created 90 days earlier unless given. */
async function memberWithToken(expiresAt: number, days = 90): Promise<Person> {
  const person = await newMember(database, organizationId, 'VIEWER');
  await database.rows('update api_token set expires_at = $2, created_at = $3 where user_id = $1', [
    person.id,
    new Date(expiresAt),
    new Date(expiresAt - days * DAY),
  ]);
  return person;
}

test('notifies the user once, seven days before, to the millisecond', async () => {
  const person = await memberWithToken(NOW + 7 * DAY);
  // The notification belongs to the organization that it joined first.
  await join(database, person, await buildOrganization(database, 'Joined later'), 'VIEWER');
  expect(await warnAt(NOW - 1)).toBe(0);
  expect(await warnAt(NOW)).toBe(1);
  expect(await warnAt(NOW)).toBe(0);
  expect(await warnAt(NOW + 6 * DAY)).toBe(0);
  await gateway.settled();
  const rows = await database.rows(
    'select type, title, message, organization_id from notification where user_id = $1',
    [person.id],
  );
  expect(rows).toEqual([
    {
      type: 'TOKEN',
      title: TITLE,
      message: `Your token “test” (${person.token.slice(0, 8)}…) expires on 27 November 2026, 08:15:30 (UTC), in 7 days. Rotate it to continue without interruption.`,
      organization_id: organizationId,
    },
  ]);
});

test('makes up for what was missed while nothing ran, until the token has ended', async () => {
  const last = await memberWithToken(NOW + 1);
  const over = await memberWithToken(NOW);
  expect(await warnAt(NOW)).toBe(1);
  expect([await titlesOf(database, last), await titlesOf(database, over)]).toEqual([[TITLE], []]);
});

test('says nothing of tokens that were revoked or replaced, or made for seven days or less', async () => {
  for (const change of ['revoked_at = now()', 'replaced_at = now()']) {
    const person = await memberWithToken(NOW + DAY);
    await database.rows(`update api_token set ${change} where user_id = $1`, [person.id]);
  }
  await memberWithToken(NOW + DAY, 7);
  const gone = await memberWithToken(NOW + DAY);
  await database.rows('update app_user set deactivated_at = now() where id = $1', [gone.id]);
  expect(await warnAt(NOW)).toBe(0);
  await memberWithToken(NOW + DAY, 7.001);
  expect(await warnAt(NOW)).toBe(1);
});

test('waits for a user who is no member anywhere to become one', async () => {
  const person = await buildPerson(database, 'alone');
  await database.rows(`update api_token set expires_at = $2, created_at = $3 where user_id = $1`, [
    person.id,
    new Date(NOW + DAY),
    new Date(NOW - 80 * DAY),
  ]);
  expect(await warnAt(NOW)).toBe(0);
  await join(database, person, organizationId, 'VIEWER');
  const set = (column: string) => database.rows(`update membership set ${column} where user_id = $1`, [person.id]);
  await set('deactivated_at = now()');
  expect(await warnAt(NOW)).toBe(0);
  await set('deactivated_at = null');
  expect(await warnAt(NOW)).toBe(1);
});

test('notifies once for each token, with several instances at work and more tokens than one transaction takes', async () => {
  const person = await newMember(database, organizationId, 'VIEWER');
  for (let more = 0; more < 5; more += 1) await buildToken(database, person, {});
  await database.rows(
    `insert into api_token (user_id, name, digest, prefix, scopes, created_at, expires_at)
     select $1, 'n' || n, 'many-' || n, 'scp_0000', '{read}', $2, $3 from generate_series(1, 450) n`,
    [person.id, new Date(NOW - 80 * DAY), new Date(NOW + DAY)],
  );
  const counts = await Promise.all([warnAt(NOW), warnAt(NOW), warnAt(NOW)]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(450);
  await gateway.settled();
  const [row] = await database.rows(
    'select count(distinct message) as notified, count(*) as all from notification where user_id = $1',
    [person.id],
  );
  expect(row).toEqual({ notified: 450, all: 450 });
  expect(await warnAt(NOW)).toBe(0);
});

test('marks no token whose warning could not be recorded', async () => {
  await memberWithToken(NOW + DAY);
  await database.rows('alter table audit_entry rename to audit_entry_away');
  await expect(warnAt(NOW)).rejects.toThrow();
  await database.rows('alter table audit_entry_away rename to audit_entry');
  expect(await warnAt(NOW)).toBe(1);
});
