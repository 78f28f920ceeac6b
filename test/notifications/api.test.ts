import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { buildNotifications, buildOrganization, join, type Person } from '../support/test-data.js';

const NOTIFICATION = `id: databaseId organization { id: databaseId name logo } title message type action read datetime icon extra { href }`;

const OPERATIONS = {
  list: {
    rest: 'GET /api/v1/notifications',
    graphql: `query ($first: Int, $offset: Int, $orderBy: NotificationOrder, $filter: NotificationFilter) {
      notifications(first: $first, offset: $offset, orderBy: $orderBy, filter: $filter) { totalCount nodes { ${NOTIFICATION} } } }`,
    at: 'notifications',
  },
  read: {
    rest: 'GET /api/v1/notifications/{id}',
    graphql: `query ($id: ID!) { notification(id: $id) { ${NOTIFICATION} } }`,
    at: 'notification',
  },
  update: mutation('PATCH /api/v1/notifications/{id}', 'updateNotification', `notification { ${NOTIFICATION} }`, {
    id: 'notificationId',
  }),
  mark: mutation('POST /api/v1/notifications/read', 'markNotificationsRead', 'marks { changed unread }', {
    ids: 'notificationIds',
  }),
  count: {
    rest: 'GET /api/v1/notifications/unread-count',
    graphql: 'query ($organizationId: ID) { unreadNotificationCount(organizationId: $organizationId) { count } }',
    at: 'unreadNotificationCount',
  },
} satisfies Record<string, Operation>;

const CATEGORIES = ['INCIDENT', 'DOCUMENT', 'DEVICE', 'WORKFLOW', 'MEMBER', 'TOKEN', 'SYSTEM'];

const { gateway, testData } = await startSeededGateway();
/** An organization of the viewer beside the first. */
const second = await buildOrganization(gateway.app.database, 'Second');

const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);
const viewer = () => testData.viewer;
const owner = () => testData.owner;
const idsOf = async ({ id }: Person, where = 'true') =>
  (await sql<{ id: number }>(`select id from notification where user_id = $1 and ${where} order by id`, [id])).map(
    ({ id }) => id,
  );
const unreadOf = (person: Person) => idsOf(person, 'not read');

/** Of the viewer so many in both organizations, and two of the owner; every second one is unread. */
async function seed(inFirst: number, inSecond: number) {
  const { database } = gateway.app;
  await sql('delete from notification');
  await sql('delete from membership where user_id = $1', [viewer().id]);
  await sql('update organization set deleted_at = null where id = $1', [second]);
  await join(database, viewer(), testData.organizationId, 'VIEWER');
  await join(database, viewer(), second, 'VIEWER');
  await buildNotifications(database, viewer(), testData.organizationId, inFirst);
  await buildNotifications(database, viewer(), second, inSecond);
  await buildNotifications(database, owner(), testData.organizationId, 2);
}

interface Item {
  id: number;
  organization: { id: number };
  type: string;
  read: boolean;
  datetime: string;
}

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object = {}, { token }: { token: string } = viewer()) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);
  const data = async (name: keyof typeof OPERATIONS, input: object = {}, person: { token: string } = viewer()) =>
    dataOf(await call(name, input, person));

  describe('the list of notifications', () => {
    beforeAll(() => seed(14, 6));

    test('shows every field, newest first', async () => {
      await sql(`update notification set created_at = '2030-01-02T03:04:05.678Z' where title = 'Title 1'`);
      const id = (await idsOf(viewer(), `title = 'Title 1'`)).at(-1);
      await sql(`update notification set created_at = created_at + interval '1 hour' where id = $1`, [id]);
      const { data: items, total } = await call('list', { limit: 1 });
      const record = {
        id,
        organization: { id: second, name: 'Second', logo: '' },
        title: 'Title 1',
        message: 'Message 1',
        type: 'DOCUMENT',
        action: 'OPEN',
        read: false,
        datetime: '2030-01-02T04:04:05.678Z',
        icon: 'fa fa-bell',
        extra: { href: '/notifications/1' },
      };
      expect([JSON.stringify(items), total]).toEqual([JSON.stringify([record]), 20]);
      expect(JSON.stringify(await data('read', { id }))).toBe(JSON.stringify(record));
    });

    test('has only notifications of the caller', async () => {
      expect((await call('list', {}, owner())).total).toBe(2);
      expect(await call('list', {}, testData.userWithoutOrganization)).toMatchObject({ data: [], total: 0 });
    });

    test('is ordered by time in both directions', async () => {
      const newest: Item[] = await data('list', { sort: '-datetime' });
      expect(await data('list')).toEqual(newest);
      expect(await data('list', { sort: 'datetime' })).toEqual(newest.toReversed());
      const times = newest.map(({ datetime }) => datetime);
      expect(times).toEqual(times.toSorted().toReversed());
    });

    test('is filtered by all conditions at once and counts what meets them', async () => {
      const all: Item[] = await data('list', { limit: 100 });
      expect(all).toHaveLength(20);
      const filters: [object, (item: Item) => boolean][] = [
        [{ read: true }, (item) => item.read],
        [{ read: false }, (item) => !item.read],
        ...CATEGORIES.map((type): [object, (item: Item) => boolean] => [{ type }, (item) => item.type === type]),
        [{ organization_id: second }, (item) => item.organization.id === second],
        [
          { organization_id: second, read: true, type: 'DEVICE' },
          (item) => item.organization.id === second && item.read && item.type === 'DEVICE',
        ],
        [{ organization_id: 2147483647 }, () => false],
      ];
      for (const [filter, meets] of filters) {
        const found = await call('list', { ...filter, limit: 100 });
        const expected = all.filter(meets);
        expect([filter, found.data, found.total]).toEqual([filter, expected, expected.length]);
        expect((await call('list', { ...filter, limit: 1 })).total).toBe(expected.length);
      }
    });

    test('neither drops nor repeats a notification where many have the same time', async () => {
      await sql(`update notification set created_at = '2029-01-01T00:00:00Z' where title <> 'Title 1'`);
      for (const sort of ['datetime', '-datetime']) {
        const whole: Item[] = await data('list', { sort, limit: 100 });
        expect(new Set(whole.map(({ id }) => id)).size).toBe(20);
        for (const size of [1, 3, 7]) {
          const pages: Item[] = [];
          for (let offset = 0; offset < 20; offset += size) {
            pages.push(...(await data('list', { sort, limit: size, offset })));
          }
          expect(pages).toEqual(whole);
        }
      }
    });

    test('hides notifications of an organization that was deleted or that the caller has left', async () => {
      await sql('update organization set deleted_at = now() where id = $1', [second]);
      const items: Item[] = await data('list', { limit: 100 });
      expect(items.map(({ organization }) => organization.id)).toEqual(Array(14).fill(testData.organizationId));
      await sql('delete from membership where user_id = $1', [viewer().id]);
      expect(await call('list')).toMatchObject({ data: [], total: 0 });
      expectFailure(await call('read', { id: items[0]!.id }), 'NOT_FOUND');
    });
  });

  describe('marking notifications', () => {
    beforeEach(() => seed(6, 4));

    test('marks one read and unread, and answers it as it is now', async () => {
      const [id] = await unreadOf(owner());
      for (const read of [true, true, false, false]) {
        const updated = await data('update', { id, read }, owner());
        expect(updated).toMatchObject({ id, read, organization: { id: testData.organizationId } });
        expect(await data('read', { id }, owner())).toEqual(updated);
      }
    });

    test('does not find or change a notification of another user', async () => {
      const [id] = await unreadOf(owner());
      for (const person of [viewer(), testData.nonMember, testData.userWithoutOrganization]) {
        expectFailure(await call('update', { id, read: true }, person), 'NOT_FOUND');
        expectFailure(await call('read', { id }, person), 'NOT_FOUND');
      }
      expect(await unreadOf(owner())).toEqual([id]);
    });

    test('refuses to update one without read, with a wrong type and with unknown fields', async () => {
      const [id] = await unreadOf(owner());
      expectFailure(await call('update', { id }, owner()), 'BAD_USER_INPUT', ['read is required']);
      expectFailure(await call('update', { id, read: 1, title: 'x' }, owner()), 'BAD_USER_INPUT', [
        'read must be true or false',
        'title is not a known field',
      ]);
    });

    test('marks those that are named, and answers how many changed and how many are unread', async () => {
      const ids = await idsOf(viewer());
      const unread = await unreadOf(viewer());
      expect(await data('mark', { ids: [unread[0], unread[0], unread[1]] })).toEqual({ changed: 2, unread: 3 });
      expect(await data('mark', { ids: unread.slice(0, 2), read: true })).toEqual({ changed: 0, unread: 3 });
      expect(await data('mark', { ids, read: false })).toEqual({ changed: 7, unread: 10 });
      expect(await unreadOf(viewer())).toEqual(ids);
      expect(await unreadOf(owner())).toHaveLength(1);
    });

    test('marks all, or all of one organization, read or unread', async () => {
      expect(await data('mark', { all: true, organization_id: second })).toEqual({ changed: 2, unread: 3 });
      expect(await data('mark', { all: true })).toEqual({ changed: 3, unread: 0 });
      expect(await data('mark', { all: true, organization_id: second, read: false })).toEqual({
        changed: 4,
        unread: 4,
      });
      expect(await data('mark', { all: true, read: false })).toEqual({ changed: 6, unread: 10 });
      expect(await data('mark', { all: true, organization_id: 2147483647 })).toEqual({ changed: 0, unread: 10 });
      expect(await unreadOf(owner())).toHaveLength(1);
    });

    test('changes nothing when one of the ids is of another user or never existed', async () => {
      const own = await unreadOf(viewer());
      for (const foreign of [(await unreadOf(owner()))[0], 2147483647, -1]) {
        expectFailure(await call('mark', { ids: [...own, foreign] }), 'NOT_FOUND');
        expect(await unreadOf(viewer())).toEqual(own);
      }
    });

    test('neither finds nor counts notifications of an organization that the caller has left', async () => {
      const [there] = await idsOf(viewer(), `organization_id = ${second} and not read`);
      await sql('delete from membership where user_id = $1 and organization_id = $2', [viewer().id, second]);
      expectFailure(await call('mark', { ids: [there] }), 'NOT_FOUND');
      expectFailure(await call('read', { id: there }), 'NOT_FOUND');
      expect(await data('mark', { all: true })).toEqual({ changed: 3, unread: 0 });
      expect(await unreadOf(viewer())).toHaveLength(2);
    });

    test('accepts 100 ids and no more', async () => {
      await buildNotifications(gateway.app.database, viewer(), testData.organizationId, 95);
      const ids = await idsOf(viewer());
      expect((await data('mark', { ids: ids.slice(0, 100) })).unread).toBeLessThan(10);
      expectFailure(await call('mark', { ids: ids.slice(0, 101) }), 'BAD_USER_INPUT', [
        'ids must not name more than 100 notifications',
      ]);
    });

    test.each([
      [{}, ['ids or all must be given']],
      [{ all: false }, ['ids or all must be given']],
      [{ ids: [] }, ['ids must name at least one notification']],
      [{ ids: [1], all: true }, ['ids and all must not be given together']],
      [{ ids: [1], organization_id: 1 }, ['organization_id must not be given together with ids']],
      [{ ids: [1], all: 'yes' }, ['all must be true or false']],
    ])('refuses to mark %j', async (input, messages) => {
      const before = await unreadOf(viewer());
      expectFailure(await call('mark', input), 'BAD_USER_INPUT', messages);
      expect(await unreadOf(viewer())).toEqual(before);
    });

    test('lets many requests mark the same notifications at once', async () => {
      const ids = await idsOf(viewer());
      const inputs = Array.from({ length: 24 }, (_, turn) =>
        turn % 3 === 0 ? { all: true } : { ids: turn % 2 === 0 ? ids : ids.toReversed(), read: turn % 3 === 1 },
      );
      for (const result of await Promise.all(inputs.map((input) => call('mark', input)))) dataOf(result);
    });

    test('counts unread notifications of all organizations or of one', async () => {
      expect(await data('count')).toEqual({ count: 5 });
      expect(await data('count', { organization_id: second })).toEqual({ count: 2 });
      expect(await data('count', { organization_id: testData.otherOrganizationId })).toEqual({ count: 0 });
      expect(await data('count', {}, testData.userWithoutOrganization)).toEqual({ count: 0 });
    });

    test('does not count notifications that are no longer shown', async () => {
      await sql('update organization set deleted_at = now() where id = $1', [second]);
      expect(await data('count')).toEqual({ count: 3 });
      await sql('update organization set deleted_at = null where id = $1', [second]);
      await sql('delete from membership where user_id = $1', [viewer().id]);
      expect(await data('count')).toEqual({ count: 0 });
    });
  });
});
