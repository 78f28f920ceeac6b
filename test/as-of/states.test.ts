import { expect, test } from '@jest/globals';
import { hash } from 'node:crypto';
import { HISTORY_TABLES, REFUSED_TABLES, TRAIL_TABLES } from '../../src/database/recorded-tables.js';
import { buildAuditEntry, pruneTrail } from '../support/audit.js';
import { TestClock } from '../support/clock.js';
import { lengthenTrail } from '../support/long-trails.js';
import { expectData } from '../support/matchers.js';
import { mailedSecrets } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildPerson, join, type Person } from '../support/test-data.js';

const clock = new TestClock();
const { gateway } = await startSeededGateway({ now: clock.now });
const { database, services } = gateway.app;
const at = (hours: number) => clock.at(hours).toISOString();
const sql = <Row extends object>(text: string, values: unknown[] = []) => database.rows<Row>(text, values);

/** An organization that is renamed every hour, beginning with `Name 0`; then it is two hours later. */
async function renamedTo(last: number): Promise<{ id: number; owner: Person }> {
  const owner = await buildPerson(database, 'owner');
  clock.set(0);
  const made = await gateway.rest.post('/api/v1/organizations', { token: owner.token, body: { name: 'Name 0' } });
  const { id } = made.body.data as { id: number };
  for (let hour = 1; hour <= last; hour += 1) {
    clock.set(hour);
    await rename(id, owner, `Name ${hour}`);
  }
  clock.set(last + 2);
  return { id, owner };
}

const rename = (id: number, { token }: Person, name: string) =>
  gateway.rest.call('PATCH', `/api/v1/organizations/${id}`, { token, body: { name } });

async function nameAt(id: number, { token }: Person, hours: number): Promise<unknown> {
  const { body } = await gateway.rest.get(`/api/v1/organizations/${id}?as_of=${at(hours)}`, { token });
  return body.error === 1 ? body.messages : (body.data as { name: string }).name;
}

test('a stored state is begun with, and one that was changed is passed over', async () => {
  const { id, owner } = await renamedTo(3);
  await database.transaction(async (tx) => {
    const rows = await services.recordedStates.at(id, 2);
    await services.recordedStates.store(tx, id, 2, rows!);
  });
  await sql(`update recorded_state set rows = replace(rows, 'Name 1', 'Forged') where organization_id = $1`, [id]);
  expect(await nameAt(id, owner, 1.5)).toBe('Name 1');
  expect(await nameAt(id, owner, 2.5)).toBe('Name 2');
});

const EARLY = `as_of must not be before ${at(2)}, the time from which the audit trail records the state`;

const UNUSABLE =
  'as_of cannot be answered: the state that the audit trail goes on from was changed, or stored with a key that the gateway does not have, or an entry of an earlier version of the gateway does not record all of it';

/** An organization that was renamed three times, and whose first two entries were pruned after a state was stored. */
async function prunedBehind2() {
  const made = await renamedTo(3);
  const { recordedStates } = services;
  await database.transaction(async (tx) => {
    await recordedStates.store(tx, made.id, 2, (await recordedStates.at(made.id, 2))!);
    await recordedStates.prune(tx, made.id, 3);
  });
  await sql(`alter table audit_entry disable trigger user`);
  await sql(
    `delete from audit_entry e using audit_log l where l.id = e.log_id and l.organization_id = $1 and e.position <= 2`,
    [made.id],
  );
  await sql(`alter table audit_entry enable trigger user`);
  return made;
}

test('of a trail that was pruned, states are known from the first entry that is left', async () => {
  const { id, owner } = await prunedBehind2();
  expect(await nameAt(id, owner, 2.5)).toBe('Name 2');
  expect(await nameAt(id, owner, 3.5)).toBe('Name 3');
  expect(await nameAt(id, owner, 1.5)).toEqual([EARLY]);
  expect(await sql('select position from recorded_state where organization_id = $1', [id])).toEqual([{ position: 3 }]);
});

test('a state that the trail goes on from and that was changed is no reason to say that the instant is too early', async () => {
  const { id, owner } = await prunedBehind2();
  await sql(`update recorded_state set rows = replace(rows, 'Name 2', 'Forged') where organization_id = $1`, [id]);
  expect(await nameAt(id, owner, 2.5)).toEqual([UNUSABLE]);
  expect(await nameAt(id, owner, 3.5)).toEqual([UNUSABLE]);
  expect(await nameAt(id, owner, 1.5)).toEqual([EARLY]);
});

test('a state that was changed is passed over for the one before it', async () => {
  const { id, owner } = await prunedBehind2();
  const { recordedStates } = services;
  await database.transaction(async (tx) => recordedStates.store(tx, id, 4, (await recordedStates.at(id, 4))!));
  await sql(
    `update recorded_state set rows = replace(rows, 'Name 3', 'Forged') where organization_id = $1 and position = 4`,
    [id],
  );
  clock.set(6);
  await rename(id, owner, 'Name 6');
  clock.set(8);
  expect(await nameAt(id, owner, 7)).toBe('Name 6');
});

test('the entry about a pruning has the SHA-256 of the state that is stored', async () => {
  clock.set(-402 * 24);
  const owner = await buildPerson(database, 'owner');
  const made = await gateway.rest.post('/api/v1/organizations', { token: owner.token, body: { name: 'Aged' } });
  const { id } = made.body.data as { id: number };
  await gateway.rest.post(`/api/v1/organizations/${id}/audit-trail/checkpoints`, { token: owner.token });
  clock.set(0);
  await rename(id, owner, 'Younger');
  await pruneTrail(gateway, id);
  const [stored] = await sql<{ rows: string }>('select rows from recorded_state where organization_id = $1', [id]);
  const [pruned] = await sql<{ digest: string }>(
    `select e.entry::jsonb #>> '{changes,stateSha256,after}' as digest from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = $1 and e.action = 'AUDIT_TRAIL_PRUNED'`,
    [id],
  );
  expect(pruned!.digest).toBe(hash('sha256', stored!.rows));
});

test('states that are stored every thousand entries change no answer', async () => {
  const { id, owner } = await renamedTo(2);
  await sql(
    `with log as (select id, position from audit_log where organization_id = $1)
     insert into audit_entry (log_id, position, entry, hash)
     select log.id, log.position + n, json_build_object('action', 'LIST_DOWNLOADED', 'actor', json_build_object('type', 'SYSTEM', 'id', 'job'), 'at', $2::text,
              'subject', json_build_object('type', 'ORGANIZATION', 'id', $1::text))::text, sha256(n::text::bytea)
       from log, generate_series(1, 1000) n`,
    [id, at(3)],
  );
  await sql('alter table audit_log disable trigger user');
  await sql('update audit_log set position = position + 1000 where organization_id = $1', [id]);
  await sql('alter table audit_log enable trigger user');
  await services.recordedStates.keepDue();
  expect(await sql('select position from recorded_state where organization_id = $1', [id])).toEqual([
    { position: 1003 },
  ]);
  expect([await nameAt(id, owner, 0), await nameAt(id, owner, 1.5), await nameAt(id, owner, 4)]).toEqual([
    'Name 0',
    'Name 1',
    'Name 2',
  ]);
});

/** Records a sign-off like an earlier version: only its id, without its fields. */
async function signOffIncompletely(id: number, hours: number) {
  await sql(
    `with log as (select id, position from audit_log where organization_id = $1)
     insert into audit_entry (log_id, position, entry, hash)
     select log.id, log.position + 1, json_build_object('action', 'SIGNED_OFF', 'actor', json_build_object('type', 'SYSTEM', 'id', 'job'), 'at', $2::text,
              'changes', json_build_object('signOff', json_build_object('after', 1)),
              'subject', json_build_object('type', 'ENGAGEMENT', 'id', '1'))::text, sha256('earlier'::bytea)
       from log`,
    [id, at(hours)],
  );
  await sql('alter table audit_log disable trigger user');
  await sql('update audit_log set position = position + 1 where organization_id = $1', [id]);
  await sql('alter table audit_log enable trigger user');
}

const positionsOf = async (id: number) =>
  (
    await sql<{ position: number }>(
      'select position from recorded_state where organization_id = $1 order by position',
      [id],
    )
  ).map(({ position }) => position);

test('an organization with statements that an earlier version did not record is recorded as a whole', async () => {
  const { id, owner } = await renamedTo(2);
  await signOffIncompletely(id, 3);
  await services.recordedStates.recordMissing();
  const early = `as_of must not be before ${at(4)}, the time from which the audit trail records the state`;
  expect(await nameAt(id, owner, 3.5)).toEqual([early]);
  clock.set(5);
  expect(await nameAt(id, owner, 4.5)).toBe('Name 2');
  expect((await services.recordedStates.at(id, 5))?.sign_off).toEqual([]);
});

test('an organization is recorded as a whole again after an earlier version that still runs has left out a change', async () => {
  const { id, owner } = await renamedTo(2);
  await signOffIncompletely(id, 3);
  await services.recordedStates.recordMissing();
  clock.set(6);
  await signOffIncompletely(id, 5);
  expect(await nameAt(id, owner, 4.5)).toBe('Name 2');
  expect(await nameAt(id, owner, 5.5)).toEqual([UNUSABLE]);
  const isComplete = (hours: number) => services.asOf.canAnswer({ organizationId: id, at: clock.at(hours) });
  // An engagement that ends there is shown in its present state.
  expect([await isComplete(4.5), await isComplete(5.5)]).toEqual([true, false]);
  await services.recordedStates.recordMissing();
  await services.recordedStates.recordMissing();
  expect(await positionsOf(id)).toEqual([5, 7]);
  clock.set(7);
  expect(await nameAt(id, owner, 4.5)).toBe('Name 2');
  expect(await nameAt(id, owner, 5.5)).toEqual([UNUSABLE]);
  expect(await nameAt(id, owner, 6.5)).toBe('Name 2');
  expect([await isComplete(4.5), await isComplete(5.5), await isComplete(6.5)]).toEqual([true, false, true]);
});

test('a state that an earlier version stored is passed over', async () => {
  const { id, owner } = await renamedTo(3);
  const rows = (await services.recordedStates.at(id, 2))!;
  const known = Object.fromEntries(Object.entries(rows).filter(([table]) => table !== 'sign_off')) as typeof rows;
  await database.transaction((tx) => services.recordedStates.store(tx, id, 2, known));
  expect(await nameAt(id, owner, 2.5)).toBe('Name 2');
});

test('between two states that are stored there are a thousand entries, or as many as there are rows', async () => {
  const few = await renamedTo(2);
  await lengthenTrail(database, few.id, { entries: 2_500, controls: 3, from: clock.at(3), every: 1 });
  const many = await renamedTo(2);
  await lengthenTrail(database, many.id, { entries: 4_000, controls: 1_500, from: clock.at(3), every: 1 });
  clock.set(5);
  await services.recordedStates.keepDue();
  expect(await positionsOf(few.id)).toEqual([1_000, 2_000, 2_503]);
  // A row of the organization, one of its owner, and those of the controls.
  expect(await positionsOf(many.id)).toEqual([1_000, 1_000 + 1_502, 4_003]);
  const notes = await services.recordedStates.at(few.id, 2_200);
  expect(notes?.control_state.map(({ note }) => note)).toEqual(['Note 2196', 'Note 2194', 'Note 2195']);
});

test('a trail whose state cannot be stored prevents no other from being stored', async () => {
  const [broken, other] = [await renamedTo(2), await renamedTo(2)];
  for (const { id } of [broken, other])
    await lengthenTrail(database, id, { entries: 1_000, controls: 3, from: clock.at(3), every: 1 });
  await sql(`alter table recorded_state add constraint broken check (organization_id <> ${broken.id}) not valid`);
  try {
    await expect(services.recordedStates.keepDue()).rejects.toThrow(
      `no state of theirs was stored: organizations ${broken.id}`,
    );
  } finally {
    await sql('alter table recorded_state drop constraint broken');
  }
  expect(await sql('select from recorded_state where organization_id = $1', [other.id])).not.toEqual([]);
});

test('requests for one state at once wait for it together', async () => {
  const { id } = await renamedTo(2);
  const [one, other] = await Promise.all([services.recordedStates.at(id, 2), services.recordedStates.at(id, 2)]);
  expect(one).toBe(other);
});

test('a state that was seen in what was undone is not remembered', async () => {
  const { id } = await renamedTo(0);
  const named = async (name: string) => {
    const subject = { type: 'ORGANIZATION', id, name } as const;
    const changes = { name: { before: 'Name 0', after: name } };
    await buildAuditEntry(database, id, { action: 'ORGANIZATION_UPDATED', subject, changes });
    return (await services.recordedStates.at(id, 2))?.organization.map((row) => row['name']);
  };
  expect(await database.request.rehearse(() => named('Undone'))).toEqual(['Undone']);
  expect(await named('Done')).toEqual(['Done']);
});

test('a person who was erased is a pseudonym then, too', async () => {
  const { id, owner } = await renamedTo(1);
  const analyst = await buildPerson(database, 'analyst');
  await join(database, analyst, id, 'SECURITY_ANALYST');
  const incidents = `/api/v1/v-ciso/incidents/${id}`;
  const body = { title: 'Breach', severity: 'HIGH' };
  const opened = await gateway.rest.post(incidents, { token: analyst.token, body });
  const incident = `${incidents}/${(opened.body.data as { id: number }).id}/notes`;
  await gateway.rest.post(incident, { token: analyst.token, body: { text: 'Seen' } });
  const then = at(3);
  const authorOf = async () => {
    const { body: found } = await gateway.rest.get(`${incident}?as_of=${then}`, { token: owner.token });
    return (found.data as { created_by: string }[])[0]?.created_by;
  };
  expect(await authorOf()).toBe(analyst.username);
  clock.set(4);
  await gateway.rest.call('DELETE', `/api/v1/profile?username=${analyst.username}`, { token: analyst.token });
  expect(await authorOf()).toMatch(/^erased-/);
});

test('a member who was deactivated and is then removed, erased or comes back was so only meanwhile', async () => {
  const { id, owner } = await renamedTo(0);
  const users = `/api/v1/organizations/${id}/users`;
  const member = async (name: string) => {
    const person = await buildPerson(database, name);
    const email = `${person.username}@example.com`;
    const body = { email, role: 'VIEWER' };
    await gateway.rest.post(`/api/v1/organizations/${id}/invitations`, { token: owner.token, body });
    const [secret] = await mailedSecrets(database, email);
    await gateway.rest.post('/api/v1/invitations/accept', { token: person.token, body: { secret } });
    return person;
  };
  const people = [await member('removed'), await member('erased'), await member('left')] as const;
  const [removed, erased, left] = people;
  const setActive = (person: Person, active: boolean) =>
    gateway.rest.call('PATCH', `${users}/${person.id}`, { token: owner.token, body: { active } });
  const activeAt = (hours: number) =>
    Promise.all(
      people.map(async ({ id: userId }) => {
        const { body } = await gateway.rest.get(`${users}/${userId}?as_of=${at(hours)}`, { token: owner.token });
        return body.error === 1 ? body.messages[0] : (body.data as { active: boolean }).active;
      }),
    );
  clock.set(3);
  for (const person of people) await setActive(person, false);
  clock.set(5);
  expectData(await gateway.rest.delete(`${users}/${removed.id}`, { token: owner.token }), 200);
  const ownName = `/api/v1/profile?username=${erased.username}`;
  expectData(await gateway.rest.call('DELETE', ownName, { token: erased.token }), 200);
  await setActive(left, true);
  clock.set(7);
  expectData(await gateway.rest.post(`/api/v1/organizations/${id}/leave`, { token: left.token }), 200);
  clock.set(9);
  expect(await Promise.all([2.5, 4, 6, 8].map(activeAt))).toEqual([
    [true, true, true],
    [false, false, false],
    [1004, 1004, true],
    [1004, 1004, 1004],
  ]);
});

test('of who has left there is the user name alone then, and not what was changed since', async () => {
  const { id, owner } = await renamedTo(0);
  const member = await buildPerson(database, 'member');
  const email = `${member.username}@example.com`;
  const one = `/api/v1/organizations/${id}`;
  await gateway.rest.post(`${one}/invitations`, { token: owner.token, body: { email, role: 'VIEWER' } });
  const [secret] = await mailedSecrets(database, email);
  await gateway.rest.post('/api/v1/invitations/accept', { token: member.token, body: { secret } });
  const then = at(2);
  const readThen = async () =>
    (await gateway.rest.get(`${one}/users/${member.id}?as_of=${then}`, { token: owner.token })).body.data;
  clock.set(3);
  const { username } = member;
  expect(await readThen()).toMatchObject({ username, email, first_name: 'member', last_name: 'Person' });
  await gateway.rest.call('DELETE', `${one}/users/${member.id}`, { token: owner.token });
  clock.set(4);
  await gateway.rest.call('PATCH', '/api/v1/profile', { token: member.token, body: { first_name: 'Renamed' } });
  expect(await readThen()).toMatchObject({ username, email: 'former@member.invalid', first_name: '', last_name: '' });
});

test('an answer about the past is the same whatever is changed meanwhile, and leaves nothing behind', async () => {
  const { id, owner } = await renamedTo(2);
  const reads = Array.from({ length: 12 }, (_, n) => nameAt(id, owner, n % 3));
  const writes = Array.from({ length: 6 }, (_, n) => rename(id, owner, `Later ${n}`));
  expect(await Promise.all(reads)).toEqual(reads.map((_, n) => `Name ${n % 3}`));
  await Promise.all(writes);
  expect(await sql('select count(*)::int as rows from history.organization')).toEqual([{ rows: 0 }]);
  const present = await gateway.rest.get(`/api/v1/organizations/${id}`, { token: owner.token });
  expect((present.body.data as { name: string }).name).toMatch(/^Later/);
});

test('an instant ends before the first entry that is later, however much earlier those are that were recorded after it', async () => {
  const { id, owner } = await renamedTo(0);
  for (const [hour, name] of [
    [10, 'Tenth'],
    [9, 'Ninth'],
    [4, 'Fourth'],
  ] as const) {
    clock.set(hour);
    await rename(id, owner, name);
  }
  clock.set(12);
  for (const hour of [3.5, 5, 9.5]) expect([hour, await nameAt(id, owner, hour)]).toEqual([hour, 'Name 0']);
  expect(await nameAt(id, owner, 11)).toBe('Fourth');
});

test('a list is a file of that day as well, with the entry that it is made of', async () => {
  const { id, owner } = await renamedTo(1);
  const path = `/api/v1/organizations/${id}/users?format=csv&bom=0&as_of=`;
  const file = await gateway.rest.get(`${path}${at(0.5)}`, { token: owner.token });
  expect(file.text).toContain(owner.username);
  expect(file.headers.get('as-of-position')).toBe('1');
  expect((await gateway.rest.get(`${path}${at(9)}`, { token: owner.token })).body.messages).toEqual([
    'as_of must not be in the future',
  ]);
});

test('the schema of the past has the columns of the present', async () => {
  const columnsIn = async (schema: string) => {
    const names = [...HISTORY_TABLES, ...REFUSED_TABLES, ...TRAIL_TABLES];
    const found = await sql<{ name: string; columns: string[] }>(
      `select c.relname as name, array_agg(a.attname || ' ' || format_type(a.atttypid, null) order by a.attname) as columns
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = $1::regnamespace and c.relname = any($2) group by c.relname order by 1`,
      [schema, names],
    );
    expect(found).toHaveLength(names.length);
    return found;
  };
  expect(await columnsIn('history')).toEqual(await columnsIn('public'));
});

test('a time zone that was recorded under a name that PostgreSQL takes for none or another is the one that it stood for', async () => {
  const { id, owner } = await renamedTo(0);
  const { token } = owner;
  const workflows = `/api/v1/v-ciso/organizations/${id}/workflows`;
  expectData(await gateway.rest.post(workflows, { token, body: { id: 'nis2-directive' } }), 201);
  const file = { filename: 'policy.txt', content: Buffer.from('Policy').toString('base64') };
  const versions = `${workflows}/nis2-directive/documents/21.2.a/versions`;
  expectData(await gateway.rest.post(versions, { token, body: file }), 201);
  const names = ['AGT', 'bst', 'CET', 'US/Pacific-New', 'EST', 'europe/rome'];
  const subject = { type: 'ORGANIZATION', id, name: 'Name 0' } as const;
  for (const [hour, after] of names.entries())
    await buildAuditEntry(database, id, {
      ...{ action: 'ORGANIZATION_UPDATED', subject, at: clock.at(hour + 3) },
      changes: { timeZone: { before: 'UTC', after } },
    });
  clock.set(20);
  const zones = [];
  for (const [hour] of names.entries()) {
    const query = `as_of=${at(hour + 3.5)}`;
    const { body } = await gateway.rest.get(`/api/v1/organizations/${id}/settings?${query}`, { token });
    zones.push(body.data.time_zone);
    expectData(await gateway.rest.get(`${workflows}/nis2-directive/controls?${query}`, { token }));
  }
  const stoodFor = ['America/Argentina/Buenos_Aires', 'Asia/Dhaka', 'Europe/Brussels', 'America/Los_Angeles'];
  expect(zones).toEqual([...stoodFor, 'EST', 'europe/rome']);
});
