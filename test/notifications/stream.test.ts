import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Access } from '../../src/auth/access.js';
import type { Caller } from '../../src/auth/caller.js';
import { accessRecords } from '../../src/database/access-records.js';
import { setImmediate as turn } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import { Database, type Queryable } from '../../src/database/database.js';
import { NotificationBroadcaster } from '../../src/services/notifications/notification-broadcaster.js';
import { LiveNotificationService } from '../../src/services/notifications/live-notifications.service.js';
import { OrganizationReader } from '../../src/services/shared/organization-reader.js';
import type { Selection } from '../../src/common/selection.js';
import { Link } from '../resilience/support/link.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';

const NOTHING: Selection = { fields: [], has: () => false, of: () => NOTHING };

let testDatabase: TestDatabase;
let database: Database;
let access: Access;
let broadcaster: NotificationBroadcaster;
let live: LiveNotificationService;
let person: Person;
let caller: Caller;
let home: number;
let elsewhere: number;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url, 4);
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

beforeEach(async () => {
  // Nothing is cached, as while the feed is unavailable.
  access = new Access(accessRecords(database), { isFresh: () => false }, () => undefined);
  const organizations = new OrganizationReader('https://gateway.example');
  broadcaster = new NotificationBroadcaster(database, organizations, () => undefined);
  live = new LiveNotificationService(access, broadcaster);
  person = await buildPerson(database, 'follower');
  home = await buildOrganization(database, 'Home');
  elsewhere = await buildOrganization(database, 'Elsewhere');
  await join(database, person, home, 'VIEWER');
  await join(database, person, elsewhere, 'VIEWER');
  caller = await access.authenticate(person.token);
});

async function notify(count: number, organizationId = home, { id } = person): Promise<number[]> {
  const rows = await database.rows<{ id: number }>(
    `insert into notification (user_id, organization_id, title, message, type, action)
     select $1, $2, n::text, '', 'SYSTEM', 'NONE' from generate_series(1, $3::int) n returning id`,
    [id, organizationId, count],
  );
  return rows.map(({ id }) => id);
}

test('an announcement that comes while the one before it ends is not lost', async () => {
  const stream = await live.follow(() => caller, {}, NOTHING);
  const position = await broadcaster.newestId();
  const [made] = await notify(1);
  broadcaster.announced(String(position));
  broadcaster.announced(String(made));
  expect((await stream.next()).value?.id).toBe(made);
  await stream.return();
});

// The limit of one read, and fewer.
test.each([1, 500])(
  'a stream that begins while %i others are read for misses nothing that is made before that read',
  async (count) => {
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    // The statement of the first read waits, like for a connection.
    let reads = 0;
    const slow: Queryable = {
      ...{ appended: () => undefined },
      async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
        if (text.includes('limit') && (reads += 1) === 1) await released;
        return database.rows<Row>(text, values);
      },
    };
    broadcaster = new NotificationBroadcaster(slow, new OrganizationReader('https://gateway.example'), () => undefined);
    live = new LiveNotificationService(access, broadcaster);
    const other = await buildPerson(database, 'other');
    await join(database, other, home, 'VIEWER');
    const otherCaller = await access.authenticate(other.token);
    const others = await live.follow(() => otherCaller, {}, NOTHING);
    const [first] = await notify(1, home, other);
    broadcaster.announced(String(first));
    while (reads === 0) await turn();
    const stream = await live.follow(() => caller, {}, NOTHING);
    const [missed] = await notify(1);
    const made = await notify(count, home, other);
    release();
    broadcaster.announced(String(made.at(-1)));
    const taken: (number | undefined)[] = [];
    while (taken.length < 1 + count) taken.push((await others.next()).value?.id);
    expect(taken).toEqual([first, ...made]);
    const [later] = await notify(1);
    broadcaster.announced(String(later));
    expect((await stream.next()).value?.id).toBe(missed);
    expect((await stream.next()).value?.id).toBe(later);
    await Promise.all([stream.return(), others.return()]);
  },
);

test('what has no place is neither stored nor lost, and comes in order with what is made meanwhile', async () => {
  const stream = await live.follow(() => caller, {}, NOTHING);
  const ids = await notify(450);
  broadcaster.announced(String(ids.at(-1)));
  const taken: (number | undefined)[] = [];
  for (let count = 0; count < 200; count += 1) taken.push((await stream.next()).value?.id);
  const more = await notify(150);
  broadcaster.announced(String(more.at(-1)));
  while (taken.length < 600) taken.push((await stream.next()).value?.id);
  expect(taken).toEqual([...ids, ...more]);
  await stream.return();
});

test.each([
  [100, 0],
  [101, 1],
])(
  'of %i that are made for a subscriber that takes none a hundred wait for it, and the others are read again',
  async (count, pages) => {
    let read = 0;
    const watched: Queryable = {
      ...{ appended: () => undefined },
      async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
        // The limit of a page of earlier notifications.
        if (values.includes(100)) read += 1;
        return database.rows<Row>(text, values);
      },
    };
    broadcaster = new NotificationBroadcaster(
      watched,
      new OrganizationReader('https://gateway.example'),
      () => undefined,
    );
    live = new LiveNotificationService(access, broadcaster);
    const stream = await live.follow(() => caller, {}, NOTHING);
    const ids = await notify(count);
    broadcaster.announced(String(ids.at(-1)));
    await broadcaster.close();
    const taken: (number | undefined)[] = [];
    while (taken.length < count) taken.push((await stream.next()).value?.id);
    expect(taken).toEqual(ids);
    expect(read).toBe(pages);
    await stream.return();
  },
);

// A page that is not full, and one that is.
test.each([2, 150])(
  'what is made while a page of the past is read comes behind it and what follows it, of %i',
  async (count) => {
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    const slow: Queryable = {
      ...{ appended: () => undefined },
      async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
        const rows = await database.rows<Row>(text, values);
        if (values.includes(100) && (reads += 1) === 1) await released;
        return rows;
      },
    };
    broadcaster = new NotificationBroadcaster(slow, new OrganizationReader('https://gateway.example'), () => undefined);
    live = new LiveNotificationService(access, broadcaster);
    const ids = await notify(count);
    const stream = await live.follow(() => caller, { afterDatabaseId: ids[0]! - 1 }, NOTHING);
    const first = stream.next();
    while (reads === 0) await turn();
    ids.push(...(await notify(1)));
    broadcaster.announced(String(ids.at(-1)));
    // It was dispatched then.
    await broadcaster.close();
    release();
    const taken = [(await first).value?.id];
    while (taken.length < ids.length) taken.push((await stream.next()).value?.id);
    expect(taken).toEqual(ids);
    await stream.return();
  },
);

test('what waits is not delivered to who was removed meanwhile', async () => {
  const stream = await live.follow(() => caller, {}, NOTHING);
  await notify(1, elsewhere);
  const [, shown] = await notify(2);
  broadcaster.announced(String(shown));
  const [first] = [await stream.next()];
  expect(first?.value?.organizationId).toBe(elsewhere);
  // A notification dispatched to another stream is dispatched to this one at the same time.
  const witness = await live.follow(() => caller, {}, NOTHING);
  const [hidden] = await notify(1, elsewhere);
  const [last] = await notify(1);
  broadcaster.announced(String(last));
  expect([(await witness.next()).value?.id, (await witness.next()).value?.id]).toEqual([hidden, last]);
  await database.rows('delete from membership where user_id = $1 and organization_id = $2', [person.id, elsewhere]);
  const rest = [await stream.next(), await stream.next(), await stream.next()];
  expect(rest.map(({ value }) => value?.organizationId)).toEqual([home, home, home]);
  expect(rest.at(-1)?.value?.id).toBe(last);
  await Promise.all([stream.return(), witness.return()]);
});

test('a database that goes away is waited for, in the past and where something is delivered, until the stream is ended', async () => {
  const link = await Link.to(testDatabase.url);
  const linked = await Database.open(link.url, 4);
  access = new Access(accessRecords(linked), { isFresh: () => false }, () => undefined);
  broadcaster = new NotificationBroadcaster(linked, new OrganizationReader('https://gateway.example'), () => undefined);
  live = new LiveNotificationService(access, broadcaster);
  const witness = await live.follow(() => caller, {}, NOTHING);
  const stream = await live.follow(() => caller, { afterDatabaseId: await broadcaster.newestId() }, NOTHING);
  /** Requests while the database is unavailable. */
  const nextWithout = async () => {
    link.cut();
    const next = stream.next();
    await expect(linked.rows('select 1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    return { next };
  };
  const [old] = await notify(1);
  const { next: past } = await nextWithout();
  link.restore();
  expect((await past).value?.id).toBe(old);

  const made = await notify(2);
  broadcaster.announced(String(made[1]));
  while ((await witness.next()).value?.id !== made[1]);
  const { next: delivered } = await nextWithout();
  link.restore();
  expect((await delivered).value?.id).toBe(made[0]);

  const { next: ended } = await nextWithout();
  await Promise.all([stream.return(), witness.return()]);
  expect(await ended).toEqual({ done: true, value: undefined });
  await linked.close();
  await link.close();
});
