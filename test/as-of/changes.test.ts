import { describe, expect, test } from '@jest/globals';
import { ACTIONS, UNCHANGING } from '../../src/values/audit.js';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { TestClock } from '../support/clock.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { cellsOf, sheetOf } from '../support/spreadsheets.js';
import { buildPerson, join, type Person } from '../support/test-data.js';

const CHANGES: Operation = {
  rest: 'GET /api/v1/organizations/{id}/changes',
  graphql: `query ($id: ID!, $from: DateTime, $to: DateTime, $first: Int, $offset: Int, $filter: RecordedChangeFilter) {
    organization(id: $id) { changes(from: $from, to: $to, first: $first, offset: $offset, filter: $filter) { totalCount nodes {
      position at action actor { type user { username } user_id: userId job } subject { type id: databaseId name }
      field before after reason } } } }`,
  at: 'organization.changes',
};

interface Change {
  position: number;
  action: string;
  actor: { user: string | { username: string } | null; user_id: string };
  subject: { type: string; id: string; name: string | null };
  field: string | null;
  before: unknown;
  after: unknown;
  reason: string | null;
}

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const { database } = gateway.app;
const at = (hours: number) => clock.at(hours).toISOString();

/** Created at the beginning; renamed and described after two hours, by a person who joined, and deleted after four. */
async function changed(): Promise<{ id: number; owner: Person; manager: Person }> {
  const owner = await buildPerson(database, 'owner');
  clock.set(0);
  const made = await gateway.rest.post('/api/v1/organizations', { token: owner.token, body: { name: 'First' } });
  const { id } = made.body.data as { id: number };
  const manager = await buildPerson(database, 'manager');
  await join(database, manager, id, 'ORGANIZATION_MANAGER');
  clock.set(2);
  const body = { name: 'Second', description: 'Described' };
  await gateway.rest.call('PATCH', `/api/v1/organizations/${id}`, { token: manager.token, body });
  await buildAuditEntry(database, id, {
    action: 'DOCUMENT_DOWNLOADED',
    at: clock.now(),
    changes: { times: { after: 2 } },
  });
  clock.set(4);
  await buildAuditEntry(database, id, { action: 'INCIDENT_CLOSED', at: clock.now(), reason: 'It is over.' });
  return { id, owner, manager };
}

describe.each(APIS)('through %s', (api) => {
  const list = (id: number, input: object, { token }: { token: string }) =>
    callThrough(api, gateway, CHANGES, { id, ...input }, token);
  const changes = async (...request: Parameters<typeof list>) => {
    const rows = dataOf(await list(...request)) as Change[];
    return rows.map(({ actor, action, subject, field = null, before = null, after = null }) => {
      const { user } = actor;
      const by = typeof user === 'object' ? user?.username : user;
      return [by ?? null, action, `${subject.type} ${subject.id}`, field, before, after];
    });
  };

  test('each changed field between two instants is a row, and a change without fields is one', async () => {
    const { id, owner, manager } = await changed();
    const renamed = [
      [manager.username, 'ORGANIZATION_UPDATED', `ORGANIZATION ${id}`, 'description', '', 'Described'],
      [manager.username, 'ORGANIZATION_UPDATED', `ORGANIZATION ${id}`, 'name', 'First', 'Second'],
    ];
    const closed = [null, 'INCIDENT_CLOSED', 'INCIDENT 1', null, null, null];
    expect(await changes(id, { from: at(0), to: at(2) }, owner)).toEqual(renamed);
    expect(await changes(id, { from: at(2), to: at(4) }, owner)).toEqual([closed]);
    expect(await changes(id, { from: at(1), to: at(4) }, owner)).toEqual([...renamed, closed]);
    expect(await changes(id, { from: at(4), to: at(4) }, owner)).toEqual([]);
    expect(await changes(id, { from: at(1) }, owner)).toEqual([...renamed, closed]);
    const all = dataOf(await list(id, {}, owner)) as Change[];
    expect([all[0]?.action, all.at(-1)?.reason]).toEqual(['ORGANIZATION_CREATED', 'It is over.']);
  });

  test('pages follow each other within an entry, and filters select actors, objects and fields', async () => {
    const { id, owner, manager } = await changed();
    const { total, data } = await list(id, { from: at(1), limit: 1, offset: 1 }, owner);
    expect([total, (data as Change[]).map(({ field }) => field)]).toEqual([3, ['name']]);
    const rows = (input: object) => changes(id, { from: at(1), ...input }, owner);
    for (const actor_id of [manager.id, manager.id.toUpperCase()])
      expect((await rows({ actor_id })).map((row) => row[3])).toEqual(['description', 'name']);
    expect((await rows({ field: 'name' })).map((row) => row[5])).toEqual(['Second']);
    expect(await rows({ subject_type: 'INCIDENT', subject_id: '1' })).toHaveLength(1);
    expect(await rows({ subject_type: 'INCIDENT', subject_id: '2' })).toHaveLength(0);
    expect(await rows({ subject_type: 'ORGANIZATION' })).toHaveLength(2);
    const reads = await rows({ action: 'DOCUMENT_DOWNLOADED' });
    expect(reads.map((row) => row.slice(3))).toEqual([['times', null, 2]]);
    const alone = await list(id, { subject_id: '1' }, owner);
    expect(alone.code).toBe('BAD_USER_INPUT');
  });

  test('instants that cannot be answered are refused as those of an answer about the past are', async () => {
    const { id, owner } = await changed();
    const refused = async (input: object, ...messages: string[]) =>
      expectFailure(await list(id, input, owner), 'BAD_USER_INPUT', messages);
    const early = `must not be before ${at(0)}, the time from which the audit trail records the state`;
    await refused({ from: at(-1) }, `from ${early}`);
    await refused({ to: at(-1) }, `to ${early}`);
    await refused({ from: at(1), to: at(5) }, 'to must not be in the future');
    await refused({ from: at(5) }, 'from must not be in the future');
    await refused({ from: at(2), to: at(1) }, 'to must not be before from');
    expect((await list(id, { from: '2026-11-20T00:00:00' }, owner)).code).toBe('BAD_USER_INPUT');
  });

  test('changes are for who may read the audit trail', async () => {
    const { organizationId, analyst, officer, nonMember } = testData;
    expectFailure(await list(organizationId, {}, analyst), 'FORBIDDEN');
    expectFailure(await list(organizationId, {}, nonMember), 'NOT_FOUND');
    dataOf(await list(organizationId, {}, officer));
  });

  test('a person who was erased is not named any more', async () => {
    const { id, owner, manager } = await changed();
    await gateway.rest.call('DELETE', `/api/v1/profile?username=${manager.username}`, { token: manager.token });
    const rows = dataOf(await list(id, { from: at(1), field: 'name' }, owner)) as Change[];
    expect(rows.map(({ actor }) => [actor.user ?? null, actor.user_id])).toEqual([[null, manager.id]]);
  });
});

test('what was only read is no change', () => {
  const reads = Object.entries(ACTIONS).filter(
    ([action, kind]) => 'type' in kind && /_(DOWNLOADED|EXPORTED|READ|TESTED)$/.test(action),
  );
  expect(reads.map(([action]) => action).filter((action) => !(UNCHANGING as string[]).includes(action))).toEqual([]);
});

test('as a table, each row says when, who, what, before and after, with and without a total', async () => {
  const { id, owner, manager } = await changed();
  const path = `/api/v1/organizations/${id}/changes?from=${at(1)}&to=${at(2)}`;
  const { text } = await gateway.rest.get(path, { token: owner.token, headers: { accept: 'text/csv' } });
  const [names = [], ...rows] = cellsOf(text);
  const shown = ['position', 'at', 'actor_user', 'subject_type', 'subject_id', 'field', 'before', 'after'];
  const said = rows.map((row) => shown.map((name) => row[names.indexOf(name)]));
  const renamed = [said[0]?.[0], at(2), manager.username, 'ORGANIZATION', String(id)];
  expect(said).toEqual([
    [...renamed, 'description', '', 'Described'],
    [...renamed, 'name', 'First', 'Second'],
  ]);
  const workbook = await fetch(`${gateway.url}${path}&format=xlsx`, { headers: { 'X-Service-Token': owner.token } });
  expect(sheetOf(Buffer.from(await workbook.arrayBuffer()))).toEqual([names, ...rows]);
});
