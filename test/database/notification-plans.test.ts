import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Access } from '../../src/access/access.js';
import type { UserCaller } from '../../src/access/caller.js';
import { Database } from '../../src/database/database.js';
import { LiveNotifications } from '../../src/services/live-notifications.js';
import { NotificationMarkService } from '../../src/services/notification-marks.js';
import { NotificationRetention } from '../../src/services/notification-retention.js';
import { NotificationService } from '../../src/services/notifications.js';
import type { Selection } from '../../src/vocabulary/selection.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { buildOrganization, buildPerson } from '../support/world.js';

/** Notifications of ten organizations each; the caller's are few beside all of them. */
const USERS = 4_000;
const EACH = 3;

let testDatabase: TestDatabase;
let database: Database;
let caller: UserCaller;
let organizationId: number;

const FIELDS: Selection = { fields: ['id', 'title', 'read'], has: () => false, of: () => FIELDS };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url, 2);
  const person = await buildPerson(database, 'reader');
  caller = {
    kind: 'user',
    userId: person.id,
    username: person.username,
    tokenId: 1,
    scopes: new Set(['read', 'write'] as const),
    form: 'header',
    blockedIn: new Set<number>(),
  };
  const organizations = [];
  for (let n = 0; n < 10; n += 1) organizations.push(await buildOrganization(database, `Number ${n}`));
  organizationId = organizations[0] as number;
  await database.rows(
    `insert into app_user (id, username, email, first_name, last_name)
     select gen_random_uuid(), 'user-' || n, 'user-' || n || '@example.com', '', '' from generate_series(1, $1::int) n`,
    [USERS],
  );
  await database.rows(
    `insert into membership (user_id, organization_id, role)
     select u.id, o, 'VIEWER' from app_user u cross join unnest($1::int[]) o`,
    [organizations],
  );
  await database.rows(
    `insert into notification (user_id, organization_id, title, message, type, action, read, created_at)
     select m.user_id, m.organization_id, 'Title', '', (array['INCIDENT', 'DOCUMENT', 'SYSTEM'])[1 + n % 3], 'NONE', n % 3 <> 0,
            now() - make_interval(hours => n)
       from membership m cross join generate_series(1, $1::int) n`,
    [EACH],
  );
  await database.rows('analyze');
}, 120_000);

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function expectIndexed(run: (recorder: Database) => Promise<unknown>): Promise<void> {
  const statements: SentStatement[] = [];
  await run(recording(database, statements));
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of statements) {
    const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const scans = plan
      .map((row) => row['QUERY PLAN'])
      .filter((line) => /Seq Scan on (?:notification|membership)/.test(line));
    expect([text, scans]).toEqual([text, []]);
  }
}

const access = () => new Access({} as never, { isFresh: () => false }, () => undefined);
const service = (recorder: Database) => new NotificationService(recorder, access(), 'http://localhost');
const marks = (recorder: Database) => new NotificationMarkService(recorder, access());

describe('no sequential scan', () => {
  test.each([true, false])('for a list, of whatever it is narrowed to (newest first: %s)', async (descending) => {
    for (const filter of [{}, { read: true }, { read: false }, { type: 'SYSTEM' as const }, { organizationId }]) {
      const query = { page: { first: 1 }, descending, ...filter };
      const [after] = (await service(database).list(caller, query, { items: FIELDS, total: false })).cursors;
      for (const page of [{ first: 10 }, { first: 10, after: after as string }, { last: 10 }]) {
        await expectIndexed((recorder) =>
          service(recorder).list(caller, { page, descending, ...filter }, { items: FIELDS, total: true }),
        );
      }
    }
  });

  test('for what is unread, for marking all and for the revision', async () => {
    await expectIndexed((recorder) => marks(recorder).unread(caller, null));
    await expectIndexed((recorder) => marks(recorder).unread(caller, organizationId));
    await expectIndexed((recorder) => marks(recorder).revision(caller));
    await expectIndexed((recorder) => marks(recorder).mark(caller, { all: true, organizationId }));
    await expectIndexed((recorder) => marks(recorder).mark(caller, { all: true, read: false }));
  });

  test('for what a subscriber has missed', async () => {
    for (const narrowed of [null, organizationId]) {
      const range = { users: [caller.userId], after: 1_000, upTo: 1_000_000, organizationId: narrowed, limit: 100 };
      await expectIndexed((recorder) => new LiveNotifications(recorder, 'http://localhost').read(range, FIELDS));
      await expectIndexed((recorder) => new LiveNotifications(recorder, 'http://localhost').newestId());
    }
  });

  test('for letting go of what is old', () =>
    expectIndexed((recorder) => new NotificationRetention(recorder, () => new Date()).purgeOld()));
});
