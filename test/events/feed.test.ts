import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { lockConsumer } from '../../src/services/audit/consumer.js';
import { appendEvents, EventRetention } from '../../src/services/events/event-records.js';
import { PersonalValue } from '../../src/services/audit/personal-values.js';
import { APIS } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { allEvents, readEvents, type EventRequest, type ReadEvent } from '../support/events.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization, buildPerson, buildToken, join, type Person } from '../support/test-data.js';

const { gateway } = await startSeededGateway();
const { database } = gateway.app;

let officer: Person;
let viewer: Person;
let nonMember: Person;
/** Both are members of it. */
let one: number;
/** Only the officer is. */
let other: number;

beforeEach(async () => {
  officer = await buildPerson(database, 'follower');
  viewer = await buildPerson(database, 'looker');
  nonMember = await buildPerson(database, 'passer');
  one = await buildOrganization(database, 'One');
  other = await buildOrganization(database, 'Other');
  await join(database, officer, one, 'SECURITY_OFFICER');
  await join(database, officer, other, 'SECURITY_OFFICER');
  await join(database, viewer, one, 'VIEWER');
});

const settle = () => settled(database, 'events');
const shortOf = ({ id, type }: ReadEvent) => `${id} ${type}`;

/** The position of each event in the sequence. */
const sequence = async () =>
  (await database.rows<{ seq: number }>('select seq from event order by seq')).map(({ seq }) => seq);

describe.each(APIS)('through %s', (api) => {
  const read = (request: EventRequest = {}, token: string | undefined = officer.token) =>
    readEvents(api, gateway, request, token);
  const all = async (request: EventRequest = {}, token = officer.token) =>
    (await allEvents(api, gateway, request, token)).events.map(shortOf);

  test('an event says what it is about and which fields were changed, and no value of them', async () => {
    await buildAuditEntry(database, one, {
      action: 'MEMBER_UPDATED',
      at: new Date('2026-11-20T08:15:30.500Z'),
      subject: { type: 'MEMBER', id: viewer.id, name: new PersonalValue(viewer.id, 'A name') },
      changes: { role: { before: 'VIEWER', after: 'SECURITY_ANALYST' }, firstName: { after: 'A name' } },
      reason: 'A reason',
    });
    await settle();
    const { events } = await read();
    expect(events).toEqual([
      {
        id: `${one}/1`,
        type: 'member.updated',
        organization_id: one,
        subject: { type: 'MEMBER', id: viewer.id },
        position: 1,
        changed_fields: ['firstName', 'role'],
        at: '2026-11-20T08:15:30.500Z',
        url: expect.stringMatching(new RegExp(`/api/v1/organizations/${one}/users/${viewer.id}$`)),
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('A name');
  });

  test('a reader follows several organizations in one order by the cursor of the answer before, page by page', async () => {
    for (const id of [one, other, one, other, one]) {
      await buildAuditEntry(database, id);
      await settle();
    }
    const order = [`${one}/1`, `${other}/1`, `${one}/2`, `${other}/2`, `${one}/3`].map((id) => `${id} incident.opened`);
    expect(await all({ limit: 2 })).toEqual(order);
    expect(await all({ limit: 100 })).toEqual(order);
    const first = await read({ limit: 2 });
    expect(first.events.map(shortOf)).toEqual(order.slice(0, 2));
    const { next } = await allEvents(api, gateway, {}, officer.token);
    expect((await read({ after: next })).events).toEqual([]);
    await buildAuditEntry(database, other, { action: 'INCIDENT_CLOSED' });
    await settle();
    expect(await all({ after: next })).toEqual([`${other}/3 incident.closed`]);
  });

  test('the late events of an organization with many are not passed over for one of another that came after them', async () => {
    for (let count = 0; count < 40; count += 1) await buildAuditEntry(database, one);
    await buildAuditEntry(database, one, { action: 'INCIDENT_CLOSED' });
    await settle();
    await buildAuditEntry(database, other, { action: 'INCIDENT_CLOSED' });
    await settle();
    expect(await all({ types: ['incident.closed'], limit: 1 })).toEqual([
      `${one}/41 incident.closed`,
      `${other}/1 incident.closed`,
    ]);
  });

  test('the cursor “latest” begins behind the newest event', async () => {
    await buildAuditEntry(database, one);
    await settle();
    const { events, next } = await read({ after: 'latest' });
    expect(events).toEqual([]);
    await buildAuditEntry(database, one, { action: 'INCIDENT_CLOSED' });
    await settle();
    expect(await all({ after: next })).toEqual([`${one}/2 incident.closed`]);
  });

  test('types and an organization narrow the feed', async () => {
    await buildAuditEntry(database, one);
    await buildAuditEntry(database, one, { action: 'INCIDENT_CLOSED' });
    await buildAuditEntry(database, one, { action: 'NOTE_ADDED' });
    await buildAuditEntry(database, other, { action: 'INCIDENT_CLOSED' });
    await settle();
    expect(await all({ types: ['incident.closed', 'incident.note_added'], organization_id: one })).toEqual([
      `${one}/2 incident.closed`,
      `${one}/3 incident.note_added`,
    ]);
    expect(await all({ types: ['incident.closed'], organization_id: other })).toEqual([`${other}/1 incident.closed`]);
    for (const types of [['incident.closed', 'incident.eaten'], []])
      expect((await read({ types })).code).toBe('BAD_USER_INPUT');
  });

  test('a viewer gets what every member may read, and only who may read the audit trail gets the rest', async () => {
    await buildAuditEntry(database, one, { action: 'ACCESS_REFUSED' });
    await buildAuditEntry(database, one);
    await buildAuditEntry(database, one, { action: 'TOKEN_BLOCKED', subject: { type: 'TOKEN', id: 1, name: 'T' } });
    await buildAuditEntry(database, other);
    await settle();
    expect(await all({}, viewer.token)).toEqual([`${one}/2 incident.opened`]);
    expect(await all({ organization_id: one })).toEqual([
      `${one}/1 access.refused`,
      `${one}/2 incident.opened`,
      `${one}/3 token.blocked`,
    ]);
  });

  test('a non-member gets nothing, and an organization of others is absent', async () => {
    await buildAuditEntry(database, one);
    await settle();
    expect(await read({}, nonMember.token)).toMatchObject({ code: 'OK', events: [] });
    expect((await read({ organization_id: one }, nonMember.token)).code).toBe('NOT_FOUND');
    expect((await read({ organization_id: other }, viewer.token)).code).toBe('NOT_FOUND');
    const telemetry = await buildToken(database, officer, { scopes: ['telemetry'] });
    expect((await read({}, telemetry)).code).toBe('FORBIDDEN');
    expect((await readEvents(api, gateway)).code).toBe('UNAUTHENTICATED');
  });

  test('a member who is deactivated or removed gets nothing of the organization any more', async () => {
    await buildAuditEntry(database, one);
    await settle();
    await database.rows('update membership set deactivated_at = now() where user_id = $1', [viewer.id]);
    expect(await all({}, viewer.token)).toEqual([]);
    await database.rows('delete from membership where user_id = $1 and organization_id = $2', [officer.id, one]);
    expect(await all()).toEqual([]);
  });

  test('members of a deleted organization learn of the deletion alone, and no caller reads events of one that is gone for good', async () => {
    await buildAuditEntry(database, one);
    await buildAuditEntry(database, one, {
      action: 'ORGANIZATION_DELETED',
      subject: { type: 'ORGANIZATION', id: one, name: 'One' },
    });
    await settle();
    await database.rows('update organization set deleted_at = now() where id = $1', [one]);
    expect(await all()).toEqual([`${one}/2 organization.deleted`]);
    expect((await read({ organization_id: one })).code).toBe('NOT_FOUND');
    await buildAuditEntry(database, one, {
      action: 'ORGANIZATION_PURGED',
      subject: { type: 'ORGANIZATION', id: one, name: 'One' },
    });
    await settle();
    await database.rows('delete from organization where id = $1', [one]);
    expect(await all()).toEqual([]);
  });

  test('the making of an organization is its first event', async () => {
    const { body } = await gateway.graphql.call(
      `mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { databaseId } } }`,
      {
        token: nonMember.token,
        variables: { input: { name: 'Made', sectors: ['AGRICULTURE'], industries: ['ACCOUNTING'], contacts: [] } },
      },
    );
    const id = body.data?.createOrganization?.organization?.databaseId as number;
    expect(body.errors ?? []).toEqual([]);
    await settle();
    expect(await all({}, nonMember.token)).toEqual([`${id}/1 organization.created`]);
  });

  test('a cursor is refused when its event is no longer stored, and the newest event is retained whatever its age', async () => {
    for (let number = 0; number < 3; number += 1) await buildAuditEntry(database, one);
    await settle();
    const old = await read({ limit: 1 });
    const { next } = await allEvents(api, gateway, {}, officer.token);
    await database.rows(`update event set created_at = created_at - interval '91 days'`);
    // Its own time is part of a cursor, for a database that was restored and has diverged.
    expect((await read({ after: next })).code).toBe('GONE');
    const { next: latest } = await read({ after: 'latest' });
    await new EventRetention(database).purgeOld();
    expect(await read({ after: latest })).toMatchObject({ code: 'OK', events: [] });
    expect(await read({ after: old.next })).toMatchObject({
      code: 'GONE',
      messages: [
        expect.stringMatching(
          /^The cursor is older than the events that are stored.*: begin with the cursor latest, and then read /,
        ),
      ],
    });
    expect(await all()).toEqual([`${one}/3 incident.opened`]);
  });

  test('a cursor that was given when there was no event is followed by the first one, whatever its number', async () => {
    const numbersBegin = async (at: number) => {
      await database.rows('delete from event');
      const { next, events } = await read();
      expect([events, (await read({ after: next })).code, (await read({ after: 'latest' })).code]).toEqual([
        [],
        'OK',
        'OK',
      ]);
      await buildAuditEntry(database, one);
      await settle();
      await database.rows('update event set seq = seq + $1', [at - 1]);
      return next;
    };
    const first = await numbersBegin(1);
    expect(await all({ after: first })).toEqual([`${one}/1 incident.opened`]);
    const high = await numbersBegin(1_000);
    expect(await all({ after: high })).toEqual([`${one}/2 incident.opened`]);
    // It is so old that earlier events may have been deleted.
    const at = new Date(Date.now() - 91 * DAY).toISOString();
    const old = Buffer.from(JSON.stringify(['EVENT', at, 0])).toString('base64url');
    expect((await read({ after: old })).code).toBe('GONE');
    await database.rows('update event set seq = 1');
    expect((await read({ after: old })).code).toBe('OK');
  });

  test.each([
    ['an empty cursor', { after: '' }],
    ['a cursor that is none', { after: 'x' }],
    ['a cursor of a list', { after: Buffer.from('["NAME","a",1]').toString('base64url') }],
    ['no event', { limit: 0 }],
    ['more than a page', { limit: 101 }],
  ])('%s is refused', async (_what, request) => {
    expect((await read(request)).code).toBe('BAD_USER_INPUT');
  });
});

test('the sequence has no gap and no event twice when an instance is cut off between the event and its position', async () => {
  await buildAuditEntry(database, one);
  await settle();
  const before = await sequence();
  const killed = database.transaction(async (tx) => {
    await lockConsumer(tx, 'events');
    await buildAuditEntry(tx as never, other);
    const [row] = await tx.rows<{ logId: number }>('select id as "logId" from audit_log where organization_id = $1', [
      other,
    ]);
    const entry = { logId: row!.logId, organizationId: other, position: 1, timeZone: 'UTC', sandbox: false, entry: '' };
    await appendEvents(tx, [entry]);
    await tx.rows('select pg_terminate_backend(pg_backend_pid())');
  });
  await expect(killed).rejects.toThrow('UNAVAILABLE');
  await buildAuditEntry(database, other);
  await buildAuditEntry(database, one);
  await settle();
  const after = await sequence();
  expect(after).toHaveLength(before.length + 2);
  expect(after.map((seq) => seq - (after[0] as number))).toEqual(after.map((_, index) => index));
});

test('REST repeats the other parameters in the address at which to go on, and leaves the token out', async () => {
  await buildAuditEntry(database, one);
  await settle();
  const path = `/api/v1/events?types=incident.opened,incident.closed&X-Service-Token=${officer.token}`;
  const { headers, body } = await gateway.rest.call('GET', path);
  expect(Object.keys(body)).toEqual(['error', 'messages', 'data']);
  expect(headers.get('link')).toMatch(
    /^<\/api\/v1\/events\?types=incident\.opened%2Cincident\.closed&after=[\w-]+>; rel="next"$/,
  );
});

test('REST says whether more follows, which an empty page alone does not', async () => {
  await buildAuditEntry(database, one);
  await buildAuditEntry(database, one);
  await settle();
  const said: unknown[] = [];
  let path = '/api/v1/events?limit=1';
  for (let pages = 0; pages < 3; pages += 1) {
    const { headers, body } = await gateway.rest.call('GET', path, { token: officer.token });
    said.push([body.data.length, headers.get('has-next-page')]);
    path = /<([^>]+)>/.exec(headers.get('link')!)![1]!;
  }
  expect(said).toEqual([
    [1, 'true'],
    [1, 'false'],
    [0, 'false'],
  ]);
});

test('GraphQL has a cursor for each event, and says whether there are more', async () => {
  for (let number = 0; number < 3; number += 1) await buildAuditEntry(database, one);
  await settle();
  const { page } = await readEvents('GraphQL', gateway, { limit: 2 }, officer.token);
  const cursors = page.edges.map(({ cursor }: { cursor: string }) => cursor);
  expect(page.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: cursors[0],
    endCursor: cursors[1],
  });
  const rest = await readEvents('GraphQL', gateway, { after: cursors[0] }, officer.token);
  expect(rest.events.map(({ position }) => position)).toEqual([2, 3]);
  expect(rest.page.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
});
