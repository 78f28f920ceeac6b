import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UserCaller } from '../../src/auth/caller.js';
import type { Database } from '../../src/database/database.js';
import { NotificationBroadcaster } from '../../src/services/notifications/notification-broadcaster.js';
import { MailDigestService } from '../../src/services/notifications/mail-digests.service.js';
import { NotificationRetention } from '../../src/services/notifications/notification-retention.js';
import { NotificationService } from '../../src/services/notifications/notifications.service.js';
import { OrganizationReader } from '../../src/services/shared/organization-reader.js';
import { UnsubscribeLinks } from '../../src/services/shared/unsubscribe-links.js';
import { anonymousAccess, selecting, userCaller } from '../support/callers.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { planNodes } from '../support/plans.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { buildPerson } from '../support/test-data.js';

/** Notifications of ten organizations each; the caller's are a small part. */
const ORGANIZATIONS = 10;
const USERS = 4_000;
const EACH = 3;

let planned: PlannedDatabase;
let caller: UserCaller;
const organizationId = 1;

const FIELDS = selecting('id', 'title', 'read');

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  caller = userCaller((await buildPerson(planned.database, 'reader')).id);
  await planned.fillOrganizations(ORGANIZATIONS);
  await planned.fill(
    `insert into app_user (id, username, email, first_name, last_name)
     select gen_random_uuid(), 'user-' || n, 'user-' || n || '@example.com', '', '' from generate_series(1, $1::int) n`,
    [USERS],
  );
  await planned.fill(
    `insert into membership (user_id, organization_id, role)
     select u.id, o.id, 'VIEWER' from app_user u cross join organization o`,
  );
  await planned.fill(
    `insert into notification (user_id, organization_id, title, message, type, action, read, created_at)
     select m.user_id, m.organization_id, 'Title', '', (array['INCIDENT', 'DOCUMENT', 'SYSTEM'])[1 + n % 3], 'NONE', n % 3 <> 0,
            now() - make_interval(hours => n)
       from membership m cross join generate_series(1, $1::int) n order by n, m.id`,
    [EACH],
  );
  await planned.fill(
    `insert into notification_revision (user_id, revision) select distinct user_id, 1 from notification`,
  );
  await planned.makeVisible('notification');
  await planned.analyze(['membership', 'notification', 'notification_revision']);
});

afterAll(() => planned?.close());

const service = (recorder: Database) => new NotificationService(recorder, anonymousAccess(), 'http://localhost');

const FILTERS = [{}, { read: true }, { type: 'SYSTEM' as const }, { organizationId }];

describe.each(['custom', 'generic'] as const)('the %s plan of a list', (mode) => {
  test.each(FILTERS)(
    'narrowed to %j finds page and total in order, in the one index that covers them',
    async (filter) => {
      const statements: SentStatement[] = [];
      const page = { first: 10 };
      await service(recording(planned.database, statements)).list(
        caller,
        { page, ...filter },
        { items: FIELDS, total: true },
      );
      const nodes = (await Promise.all(statements.map((one) => planNodes(planned.database, one, mode)))).flat();
      const reads = nodes.filter((node) => node['Relation Name'] === 'notification');
      expect(reads.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
        ['Index Only Scan', 'notification_user_id_created_at_id_index'],
        ['Index Only Scan', 'notification_user_id_created_at_id_index'],
        ['Index Scan', 'notification_pkey'],
      ]);
    },
  );
});

describe('no sequential scan', () => {
  test.each([...FILTERS, { read: false }])('for a list narrowed to %j', (filter) =>
    planned.expectPagesIndexed((recorder, page) =>
      service(recorder).list(caller, { page, ...filter }, { items: FIELDS, total: true }),
    ),
  );

  test('for what is unread, for marking all and for the revision', async () => {
    await planned.expectIndexed((recorder) => service(recorder).unread(caller, null));
    await planned.expectIndexed((recorder) => service(recorder).unread(caller, organizationId));
    await planned.expectIndexed((recorder) => service(recorder).revision(caller));
    await planned.expectIndexed((recorder) => service(recorder).mark(caller, { all: true, organizationId }));
    await planned.expectIndexed((recorder) => service(recorder).mark(caller, { all: true, read: false }));
  });

  test('for what a subscriber has missed', async () => {
    for (const narrowed of [null, organizationId]) {
      const organizations = new OrganizationReader('http://localhost');
      const range = { users: [caller.userId], after: 1_000, organizationId: narrowed, limit: 100 };
      const reader = (recorder: Database) => new NotificationBroadcaster(recorder, organizations, () => undefined);
      await planned.expectIndexed((recorder) => reader(recorder).read(range, FIELDS));
      await planned.expectIndexed((recorder) => reader(recorder).newestId());
    }
  });

  test('for daily mails', async () => {
    const links = new UnsubscribeLinks('http://localhost', 'a key');
    const mails = { post: async () => [] };
    await planned.fill(`update membership set mail_preferences = '{"system": "DAILY"}' where id % 100 = 0`);
    await planned.expectIndexed((recorder) =>
      new MailDigestService(recorder, { mails, links, publicUrl: '', appUrl: '' }, () => new Date()).postDue(),
    );
  });

  test('for letting go of what is old', () =>
    planned.expectIndexed((recorder) => new NotificationRetention(recorder, () => new Date()).purgeOld(), ['custom']));
});
