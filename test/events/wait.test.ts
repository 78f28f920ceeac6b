import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/values/limits.js';
import { buildAuditEntry } from '../support/audit.js';
import { readEvents, type EventRequest, type ReadEvent } from '../support/events.js';
import { startGateway } from '../support/gateway.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';

const { gateway } = await startSeededGateway();
const { database, services } = gateway.app;
const { maxWaitSeconds, waitingPerUser } = LIMITS.events;

let officer: Person;
let viewer: Person;
/** Both are members of it. */
let one: number;
/** Only the officer is. */
let other: number;

beforeEach(async () => {
  officer = await buildPerson(database, 'follower');
  viewer = await buildPerson(database, 'looker');
  one = await buildOrganization(database, 'One');
  other = await buildOrganization(database, 'Other');
  await join(database, officer, one, 'SECURITY_OFFICER');
  await join(database, officer, other, 'SECURITY_OFFICER');
  await join(database, viewer, one, 'VIEWER');
});

const waiting = () => services.eventWakes.figures.waiting;
const untilWaiting = (count: number) => until(async () => waiting() === count);
afterEach(() => untilWaiting(0));

const shortOf = ({ id, type }: ReadEvent) => `${id} ${type}`;
const read = (request: EventRequest = {}, { token } = officer) => readEvents('REST', gateway, request, token);

/** A request with the maximum wait. */
async function waitFor(request: EventRequest = {}, person = officer, from = gateway) {
  const { next } = await readEvents('REST', from, { after: 'latest' }, person.token);
  const before = from.app.services.eventWakes.figures.waiting;
  const answer = readEvents('REST', from, { after: next, wait: maxWaitSeconds, ...request }, person.token);
  await until(async () => from.app.services.eventWakes.figures.waiting > before);
  return { answer, next };
}

test('a request that waits is answered at once when there is something behind its cursor', async () => {
  await buildAuditEntry(database, one);
  await settled(database, 'events');
  const { events } = await read({ wait: maxWaitSeconds });
  expect(events.map(shortOf)).toEqual([`${one}/1 incident.opened`]);
});

test('a request that waits is answered with the first event that comes, and the next request goes on behind it', async () => {
  const { answer } = await waitFor();
  await buildAuditEntry(database, other);
  const { events, next } = await answer;
  expect(events.map(shortOf)).toEqual([`${other}/1 incident.opened`]);
  const further = read({ after: next, wait: maxWaitSeconds });
  await untilWaiting(1);
  await buildAuditEntry(database, one);
  expect((await further).events.map(shortOf)).toEqual([`${one}/1 incident.opened`]);
});

test('a request that waits for types of one organization passes over everything else', async () => {
  const { answer } = await waitFor({ types: ['incident.closed'], organization_id: one });
  await buildAuditEntry(database, one);
  await buildAuditEntry(database, other, { action: 'INCIDENT_CLOSED' });
  await settled(database, 'events');
  await buildAuditEntry(database, one, { action: 'INCIDENT_CLOSED' });
  expect((await answer).events.map(shortOf)).toEqual([`${one}/2 incident.closed`]);
});

test('however much of other types is before an event, the first answer has it, with a wait and without', async () => {
  const { next: after } = await read({ after: 'latest' });
  // More events than a single read for a page of one includes.
  await database.rows(
    `insert into event (seq, organization_id, log_id, position, action)
     select (select coalesce(max(seq), 0) from event) + n, $1, $1, 1000 + n, 'NOTE_ADDED' from generate_series(1, 20000) n`,
    [one],
  );
  await buildAuditEntry(database, other, { action: 'INCIDENT_CLOSED' });
  await settled(database, 'events');
  for (const wait of [undefined, maxWaitSeconds]) {
    const { events } = await read({ after, limit: 1, types: ['incident.closed'], ...(wait && { wait }) });
    expect(events.map(shortOf)).toEqual([`${other}/1 incident.closed`]);
  }
});

test('a viewer who waits gets what every member may read, and waits on when there is only something else', async () => {
  const { answer } = await waitFor({}, viewer);
  await buildAuditEntry(database, one, { action: 'ACCESS_REFUSED' });
  await buildAuditEntry(database, other);
  await settled(database, 'events');
  await buildAuditEntry(database, one);
  expect((await answer).events.map(shortOf)).toEqual([`${one}/2 incident.opened`]);
});

test('without an event the answer at the end of the time is empty, and loses nothing', async () => {
  const { next } = await read({ after: 'latest' });
  const empty = await read({ after: next, wait: 1 });
  expect(empty).toMatchObject({ code: 'OK', events: [] });
  await buildAuditEntry(database, one);
  await settled(database, 'events');
  expect((await read({ after: empty.next })).events.map(shortOf)).toEqual([`${one}/1 incident.opened`]);
});

test('who waits from “latest” misses nothing that comes after the request', async () => {
  const answer = read({ after: 'latest', wait: maxWaitSeconds });
  await untilWaiting(1);
  // The cursor is taken before the first read.
  await until(async () => database.connections().idle === database.connections().total);
  await buildAuditEntry(database, one);
  await answer;
});

test('requests that wait occupy no connection to the database', async () => {
  const waits = await Promise.all(Array.from({ length: 5 }, () => waitFor()));
  await until(async () => database.connections().idle === database.connections().total);
  await buildAuditEntry(database, one);
  for (const { answer } of waits) expect((await answer).events).toHaveLength(1);
});

test('one user has so many waiting requests and no more, and others are not concerned', async () => {
  const { next } = await read({ after: 'latest' });
  const request = { after: next, wait: maxWaitSeconds };
  const waits = Array.from({ length: waitingPerUser }, () => read(request));
  await untilWaiting(waitingPerUser);
  const refused = await gateway.rest.call('GET', `/api/v1/events?after=${next}&wait=${maxWaitSeconds}`, officer);
  expect([refused.status, refused.body.messages, refused.headers.get('retry-after')]).toEqual([429, [1029], '1']);
  // A wait of zero is no long poll.
  expect(await read({ after: next })).toMatchObject({ code: 'OK', events: [] });
  const { answer } = await waitFor({}, viewer);
  await buildAuditEntry(database, one);
  expect((await answer).events).toHaveLength(1);
  await Promise.all(waits);
  await untilWaiting(0);
  expect((await read({ wait: maxWaitSeconds })).events).toHaveLength(1);
});

test('a client that goes away waits no longer', async () => {
  const { next } = await read({ after: 'latest' });
  const leaving = new AbortController();
  const url = `${gateway.url}/api/v1/events?after=${next}&wait=${maxWaitSeconds}`;
  const request = fetch(url, { headers: { 'X-Service-Token': officer.token }, signal: leaving.signal });
  await untilWaiting(1);
  leaving.abort();
  await expect(request).rejects.toThrow();
  await untilWaiting(0);
});

/** Changes that end a wait for events of an organization, with the response; `$1` is the member. */
const ENDS: readonly (readonly [statement: string, code: string])[] = [
  ['update api_token set revoked_at = now() where user_id = $1', 'UNAUTHENTICATED'],
  ['update app_user set deactivated_at = now() where id = $1', 'UNAUTHENTICATED'],
  ['delete from membership where user_id = $1', 'NOT_FOUND'],
  ['update membership set deactivated_at = now() where user_id = $1', 'NOT_FOUND'],
  [
    'update organization set deleted_at = now() where id = (select organization_id from membership where user_id = $1)',
    'NOT_FOUND',
  ],
  [
    `with provider as (
       insert into identity_provider (organization_id, name, issuer, client_id, group_roles, redirect_uris)
       select organization_id, 'P', 'https://p.example', 'c', '[]', '{}' from membership where user_id = $1
       returning id, organization_id)
     update organization o set required_provider_id = p.id from provider p where o.id = p.organization_id`,
    'NOT_FOUND',
  ],
];

test('a wait ends with an error soon when the token is revoked, the membership ends, or the organization requires a sign-in', async () => {
  const begun = await Promise.all(
    ENDS.map(async ([statement]) => {
      const member = await buildPerson(database, 'member');
      const id = await buildOrganization(database, 'Left');
      await join(database, member, id, 'VIEWER');
      const { next } = await read({ after: 'latest' }, member);
      const answer = read({ after: next, wait: maxWaitSeconds, organization_id: id }, member);
      return { answer, end: () => database.rows(statement, [member.id]) };
    }),
  );
  await untilWaiting(ENDS.length);
  await Promise.all(begun.map(({ end }) => end()));
  const codes = await Promise.all(begun.map(async ({ answer }) => (await answer).code));
  expect(codes).toEqual(ENDS.map(([, code]) => code));
});

test.each(['-1', String(maxWaitSeconds + 1), '1.5', 'x', ''])('wait=%s is refused', async (wait) => {
  const { status, body } = await gateway.rest.call('GET', `/api/v1/events?wait=${wait}`, officer);
  expect([status, body.messages]).toEqual([400, [`wait must be from 0 to ${maxWaitSeconds}`]]);
});

test('an answer that the client has already is 304 with the place to go on, also after a wait', async () => {
  await buildAuditEntry(database, one);
  await settled(database, 'events');
  const get = (path: string, tag: string) =>
    gateway.rest.call('GET', path, { token: officer.token, headers: { 'If-None-Match': tag } });
  const full = await get('/api/v1/events', '"x"');
  const tag = full.headers.get('etag')!;
  const same = await get('/api/v1/events', tag);
  expect([full.status, same.status, same.text]).toEqual([200, 304, '']);
  expect([same.headers.get('etag'), same.headers.get('link')]).toEqual([tag, full.headers.get('link')]);
  const path = /<([^>]+)>/.exec(full.headers.get('link')!)![1]!;
  const empty = await get(path, tag);
  expect([empty.status, empty.body.data]).toEqual([200, []]);
  const unchanged = await get(`${path}&wait=1`, empty.headers.get('etag')!);
  expect([unchanged.status, unchanged.headers.get('link')]).toEqual([304, expect.stringContaining('rel="next"')]);
  const waits = get(`${path}&wait=${maxWaitSeconds}`, empty.headers.get('etag')!);
  await untilWaiting(1);
  await buildAuditEntry(database, one, { action: 'INCIDENT_CLOSED' });
  const { status, body } = await waits;
  expect([status, body.data.map(shortOf)]).toEqual([200, [`${one}/2 incident.closed`]]);
});

test('a wait is over before its connection counts as stalled', async () => {
  const connections = { ...gateway.config.connections, stallSeconds: 2 };
  const instance = await startGateway({ database: gateway.database, config: { connections } });
  try {
    const { next } = await read({ after: 'latest' });
    const answer = await readEvents('REST', instance, { after: next, wait: maxWaitSeconds }, officer.token);
    expect(answer).toMatchObject({ code: 'OK', events: [] });
  } finally {
    await instance.close();
  }
});

test('an event wakes those who wait on another instance, and an instance that goes away answers with what it has', async () => {
  const instance = await startGateway({ database: gateway.database });
  try {
    const { answer } = await waitFor({}, officer, instance);
    await buildAuditEntry(database, one);
    expect((await answer).events.map(shortOf)).toEqual([`${one}/1 incident.opened`]);
    const { answer: last, next } = await waitFor({}, officer, instance);
    instance.app.drain();
    expect(await last).toMatchObject({ code: 'OK', events: [], next });
    // One that arrives on an open connection does not wait.
    expect(await readEvents('REST', instance, { after: next, wait: maxWaitSeconds }, officer.token)).toMatchObject({
      code: 'OK',
      events: [],
    });
  } finally {
    await instance.close();
  }
});
