import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventRetention } from '../../src/services/events/event-records.js';
import { buildAuditEntry } from '../support/audit.js';
import { selecting, userCaller } from '../support/callers.js';
import type { GraphQLResult } from '../support/clients.js';
import { allEvents, readEvents } from '../support/events.js';
import { startGateway } from '../support/gateway.js';
import { follow as followOver, RawSocket, take, TRANSPORTS, webSocketUrl, type Transport } from '../support/live.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';

const { gateway } = await startSeededGateway();
const { database } = gateway.app;

const ADDED = `subscription ($after: String, $types: [EventType!], $organizationId: ID) {
  eventAdded(after: $after, types: $types, organizationId: $organizationId) { cursor node { id type } } }`;

let officer: Person;
let viewer: Person;
/** Both are members of it. */
let one: number;
/** Only the officer is. */
let other: number;
let open: AsyncIterableIterator<GraphQLResult>[] = [];

beforeEach(async () => {
  officer = await buildPerson(database, 'follower');
  viewer = await buildPerson(database, 'looker');
  one = await buildOrganization(database, 'One');
  other = await buildOrganization(database, 'Other');
  await join(database, officer, one, 'SECURITY_OFFICER');
  await join(database, officer, other, 'SECURITY_OFFICER');
  await join(database, viewer, one, 'VIEWER');
});

afterEach(async () => {
  for (const results of open) await results.return?.();
  open = [];
});

interface Added {
  cursor: string;
  node: { id: string; type: string };
}

const record = (organizationId: number, action?: Parameters<typeof buildAuditEntry>[2]) =>
  buildAuditEntry(database, organizationId, action);
const settle = () => settled(database, 'events');
const latest = async ({ token } = officer) => (await readEvents('GraphQL', gateway, { after: 'latest' }, token)).next;
const subscriptions = async () =>
  Number(/gateway_live\{what="subscriptions"\} (\d+)/.exec(await gateway.app.metrics.text())?.[1]);

function follow(transport: Transport, variables: Record<string, unknown>, { token } = officer) {
  const results = followOver(gateway, transport, { query: ADDED, variables, token });
  open.push(results);
  return results;
}

const added = (results: GraphQLResult[]) =>
  results.map(({ data, errors }) => (data?.eventAdded as Added | undefined) ?? (errors?.[0]?.extensions.code as never));
const shortOf = ({ node: { id, type } }: Added) => `${id} ${type}`;
const next = async (results: AsyncIterableIterator<GraphQLResult>, count: number) =>
  added(await take(results, count)).map(shortOf);

describe.each(TRANSPORTS)('over %s', (transport) => {
  test('events of all organizations of the caller come in their order, first those behind the cursor', async () => {
    const after = await latest();
    await record(one);
    await settle();
    await record(other);
    await settle();
    const results = follow(transport, { after });
    expect(await next(results, 2)).toEqual([`${one}/1 INCIDENT_OPENED`, `${other}/1 INCIDENT_OPENED`]);
    await record(one, { action: 'INCIDENT_CLOSED' });
    expect(await next(results, 1)).toEqual([`${one}/2 INCIDENT_CLOSED`]);
  });

  test('without a cursor it begins with what comes next', async () => {
    await record(one);
    await settle();
    const before = await subscriptions();
    const results = follow(transport, {});
    const first = next(results, 1);
    await until(async () => (await subscriptions()) > before);
    // It has its cursor once nothing is read for it any more.
    await until(async () => database.connections().idle === database.connections().total);
    await record(one, { action: 'INCIDENT_CLOSED' });
    expect(await first).toEqual([`${one}/2 INCIDENT_CLOSED`]);
  });

  test('types and an organization narrow it', async () => {
    const after = await latest();
    await record(one);
    await record(other, { action: 'INCIDENT_CLOSED' });
    const results = follow(transport, { after, types: ['INCIDENT_CLOSED'], organizationId: one });
    const first = next(results, 1);
    await record(one, { action: 'NOTE_ADDED' });
    await settle();
    await record(one, { action: 'INCIDENT_CLOSED' });
    expect(await first).toEqual([`${one}/3 INCIDENT_CLOSED`]);
  });

  test('types of which there is none are refused: nothing would ever come', async () => {
    expect(added(await take(follow(transport, { types: [] }), 1))).toEqual(['BAD_USER_INPUT']);
  });

  test('a client that comes back with its last cursor misses none and gets none twice', async () => {
    let after = await latest();
    const seen: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let entry = 0; entry < 3; entry += 1) await record(one);
      const results = follow(transport, { after });
      // It disconnects in the middle of the events.
      const taken = added(await take(results, 2));
      await results.return?.();
      seen.push(...taken.map(({ node }) => node.id));
      after = taken.at(-1)!.cursor;
    }
    const rest = follow(transport, { after });
    seen.push(...added(await take(rest, 3)).map(({ node }) => node.id));
    expect(seen).toEqual(Array.from({ length: 9 }, (_, index) => `${one}/${index + 1}`));
  });

  test('a viewer gets what every member may read, and nothing else', async () => {
    const after = await latest(viewer);
    const results = follow(transport, { after }, viewer);
    const first = next(results, 1);
    await record(one, { action: 'ACCESS_REFUSED' });
    await record(other);
    await settle();
    await record(one);
    expect(await first).toEqual([`${one}/2 INCIDENT_OPENED`]);
  });

  test('a cursor that is no longer stored, and one that is none, are refused', async () => {
    await record(one);
    await settle();
    const old = await latest();
    await record(one);
    await settle();
    await database.rows(`update event set created_at = created_at - interval '91 days' where created_at < now()`);
    await new EventRetention(database).purgeOld();
    expect(added(await take(follow(transport, { after: old }), 1))).toEqual(['GONE']);
    expect(added(await take(follow(transport, { after: 'x' }), 1))).toEqual(['BAD_USER_INPUT']);
    expect(added(await take(follow(transport, { organizationId: other }, viewer), 1))).toEqual(['NOT_FOUND']);
  });

  test('a member who was removed gets nothing more of the organization, and all of the others', async () => {
    await join(database, viewer, other, 'VIEWER');
    const results = follow(transport, { after: await latest(viewer) }, viewer);
    const first = next(results, 1);
    await record(other);
    expect(await first).toEqual([`${other}/1 INCIDENT_OPENED`]);
    await database.rows('delete from membership where user_id = $1 and organization_id = $2', [viewer.id, one]);
    const second = next(results, 1);
    await record(one);
    await settle();
    await record(other);
    expect(await second).toEqual([`${other}/2 INCIDENT_OPENED`]);
  });

  test('a stream of one organization ends with the membership, and says so', async () => {
    const results = follow(transport, { after: await latest(viewer), organizationId: one }, viewer);
    const first = next(results, 1);
    await record(one);
    expect(await first).toEqual([`${one}/1 INCIDENT_OPENED`]);
    await database.rows('delete from membership where user_id = $1 and organization_id = $2', [viewer.id, one]);
    expect(added(await take(results, 1))).toEqual(['NOT_FOUND']);
    expect((await results.next()).done).toBe(true);
  });

  test('who may read the audit trail no longer gets what every member gets from then on', async () => {
    const results = follow(transport, { after: await latest() });
    const first = next(results, 1);
    await record(one, { action: 'ACCESS_REFUSED' });
    expect(await first).toEqual([`${one}/1 ACCESS_REFUSED`]);
    await database.rows(`update membership set role = 'VIEWER' where user_id = $1`, [officer.id]);
    const second = next(results, 1);
    await record(one, { action: 'ACCESS_REFUSED' });
    await settle();
    await record(one);
    expect(await second).toEqual([`${one}/3 INCIDENT_OPENED`]);
  });

  test('a token that an organization blocks gets nothing more of it, and all of the others', async () => {
    const results = follow(transport, { after: await latest() });
    const first = next(results, 1);
    await record(one);
    expect(await first).toEqual([`${one}/1 INCIDENT_OPENED`]);
    await database.rows(
      'insert into token_block (token_id, organization_id) select id, $2 from api_token where user_id = $1',
      [officer.id, one],
    );
    const second = next(results, 1);
    await record(one);
    await settle();
    await record(other);
    expect(await second).toEqual([`${other}/1 INCIDENT_OPENED`]);
  });

  test('a revoked token ends it', async () => {
    const results = follow(transport, { after: await latest() });
    const first = next(results, 1);
    await record(one);
    await first;
    await database.rows('update api_token set revoked_at = now() where user_id = $1', [officer.id]);
    const end = await take(results, 1).catch((closed: { code: number }) => closed);
    if (transport === 'WebSocket') expect(end).toMatchObject({ code: 4401 });
    else expect(added(end as GraphQLResult[])).toEqual(['UNAUTHENTICATED']);
  });
});

test('a client that does not read gets everything in order later, however much there was', async () => {
  const after = await latest();
  const raw = await RawSocket.as(webSocketUrl(gateway.url), officer.token);
  raw.send({ type: 'subscribe', id: '1', payload: { query: ADDED, variables: { after } } });
  await record(one);
  await raw.message('next', '1');
  raw.socket.pause();
  await database.rows(
    `with log as (select id from audit_log where organization_id = $1), last as (select max(seq) as seq from event),
          entries as (insert into audit_entry (log_id, position, entry, hash)
            select log.id, 1 + n, (select entry from audit_entry e where e.log_id = log.id and position = 1), ''
              from log, generate_series(1, 6000) n returning log_id, position)
     insert into event (seq, organization_id, log_id, position, action)
     select last.seq + position - 1, $1, log_id, position, 'INCIDENT_OPENED' from entries, last`,
    [one],
  );
  gateway.app.services.eventWakes.missed();
  // Another one reads all of it meanwhile.
  const { events } = await allEvents('GraphQL', gateway, { after, limit: 100 }, officer.token);
  raw.socket.resume();
  await until(async () => raw.messages.filter(({ type }) => type === 'next').length === events.length);
  const seen = raw.messages.flatMap(({ type, payload }) => (type === 'next' ? added([payload as GraphQLResult]) : []));
  expect(seen.map(({ node }) => node.id)).toEqual(events.map(({ id }) => id));
  expect(events).toHaveLength(6_001);
  raw.socket.close();
});

test('what was read for a slow subscriber is read anew once it may have lost the right to it', async () => {
  const after = await latest();
  for (const id of [one, one, other]) {
    await record(id);
    await settle();
  }
  const caller = userCaller(officer.id);
  const stream = await gateway.app.services.eventFeed.follow(() => caller, { after }, selecting('id'));
  const take = async () => (await stream.next()).value?.node;
  expect(await take()).toMatchObject({ id: `${one}/1` });
  await gateway.rest.call('POST', `/api/v1/organizations/${one}/leave`, { token: officer.token });
  expect(await take()).toMatchObject({ id: `${other}/1` });
  await stream.return();
});

test('an instance that goes away ends a stream of events once, and says nothing more on it', async () => {
  const instance = await startGateway({ database: gateway.database });
  try {
    const query = encodeURIComponent('subscription { eventAdded { cursor } }');
    const headers = { 'X-Service-Token': officer.token };
    const stream = await fetch(`${instance.url}/graphql/stream?query=${query}`, { headers });
    await until(async () => (await instance.app.metrics.text()).includes('{what="subscriptions"} 1'));
    instance.app.drain();
    await instance.app.services.eventWakes.close();
    expect(await stream.text()).not.toContain('event:');
  } finally {
    await instance.close();
  }
});

test('nothing stays behind of what was followed', async () => {
  await until(async () => (await subscriptions()) === 0);
  expect(gateway.app.services.eventWakes.figures).toEqual({ waiting: 0 });
});
