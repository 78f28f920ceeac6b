import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { pagingCases } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildNotifications, buildOrganization, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';

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

/** Notifications of the viewer in both organizations, and two of the owner; every second one is unread. */
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
      expectFailure(await call('update', { id, read: 1, colour: 'x' }, owner()), 'BAD_USER_INPUT', [
        'read must be true or false',
        'colour is not a known field',
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

    test('neither finds nor marks those of an organization that has blocked the token', async () => {
      const [there] = await idsOf(viewer(), `organization_id = ${second} and not read`);
      await sql(
        `insert into token_block (token_id, organization_id, created_at)
         select id, $2, now() from api_token where user_id = $1`,
        [viewer().id, second],
      );
      try {
        await until('the token is blocked', async () => (await call('read', { id: there })).code === 'NOT_FOUND');
        expectFailure(await call('mark', { ids: [there] }), 'NOT_FOUND');
        await data('mark', { all: true });
        expect(await unreadOf(viewer())).toContain(there);
      } finally {
        await sql('delete from token_block where organization_id = $1', [second]);
        // Changes of access alone send no NOTIFY message, and the cache is unchanged.
        await sql(`select pg_notify('access', $1)`, [`u:${viewer().id}`]);
        await until('the token reaches it again', async () => (await call('read', { id: there })).code === 'OK');
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

describe('through REST alone', () => {
  const PATH = '/api/v1/notifications';
  beforeEach(() => seed(6, 4));

  const list = (query: string) => gateway.rest.get(`${PATH}?${query}`, { token: viewer().token });
  const mark = (body: unknown, { token } = viewer()) => gateway.rest.post(`${PATH}/read`, { token, body });

  describe('the parameters of GET /api/v1/notifications', () => {
    pagingCases(list);

    test('are refused with every error at once', async () => {
      for (const sort of ['id', 'DATETIME', '']) {
        expectError(await list(`sort=${sort}`), 400, ['sort must be one of datetime, -datetime']);
      }
      for (const read of ['1', 'TRUE', '', 'yes']) {
        expectError(await list(`read=${read}`), 400, ['read must be true or false']);
      }
      expectError(await list('type=incident'), 400, [
        'type must be one of INCIDENT, DOCUMENT, DEVICE, WORKFLOW, MEMBER, TOKEN, SYSTEM',
      ]);
      expectError(await list('organization_id=-1&read=maybe'), 400, [
        'read must be true or false',
        'organization_id must be an integer of 1 or more',
      ]);
      expectError(await list('read=true&read=false'), 400, ['read must not be given twice']);
    });
  });

  test('a body with another id, with a name of GraphQL or with a wrong type is refused', async () => {
    const [id] = await idsOf(viewer());
    const { token } = viewer();
    expectError(await gateway.rest.patch(`${PATH}/${id}`, { token, body: { read: true, id: 0 } }), 400, [
      'id cannot be changed',
    ]);
    expectError(await mark({ ids: ['1'], all: 'yes' }), 400, [
      'ids[0] must be an integer from -9007199254740991 to 9007199254740991',
      'all must be true or false',
    ]);
    expectError(await mark({ organizationId: 1 }), 400, [
      'ids or all must be given',
      'organizationId is not a known field. Did you mean organization_id?',
    ]);
  });

  describe('polling GET /api/v1/notifications', () => {
    const poll = (etag?: string, query = '', { token } = viewer()) =>
      gateway.rest.get(`${PATH}${query}`, { token, ...(etag && { headers: { 'if-none-match': etag } }) });
    const tag = async (query = '', person = viewer()) => (await poll(undefined, query, person)).headers.get('etag')!;

    test('answers a strong tag, and 304 without a body to who has it', async () => {
      const etag = await tag();
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      for (const header of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const answer = await poll(header);
        expectStatus(answer, 304);
        expect([answer.text, answer.headers.get('etag')]).toEqual(['', etag]);
        expect(answer.headers.get('cache-control')).toBe('private, no-cache');
        expect(answer.headers.get('vary')).toBe('X-Service-Token, Authorization, Accept-Encoding, Accept');
      }
      expectStatus(await poll('"other"'), 200);
    });

    test('names wrong parameters all the same', async () => {
      expectError(await poll(await tag(), '?limit=0'), 400, ['limit must be from 1 to 100']);
    });

    test('differs between callers', async () => {
      expect(await tag('', owner())).not.toBe(await tag());
      expect(await tag('', testData.userWithoutOrganization)).not.toBe(await tag());
    });

    test.each([
      ['one more', () => buildNotifications(gateway.app.database, viewer(), second, 1)],
      ['one that was read', async () => mark({ ids: (await idsOf(viewer(), 'not read')).slice(0, 1) })],
      [
        'two that changed places',
        () => sql('update notification set read = not read where user_id = $1', [viewer().id]),
      ],
      [
        'one that is gone',
        () =>
          sql('delete from notification where id = (select max(id) from notification where user_id = $1)', [
            viewer().id,
          ]),
      ],
      [
        'an organization that is called otherwise',
        () => sql(`update organization set name = name || '!' where id = $1`, [second]),
      ],
      ['another logo', () => sql(`update organization set logo = logo || '/x' where id = $1`, [second])],
      [
        'an organization that the caller has left',
        () => sql('delete from membership where user_id = $1 and organization_id = $2', [viewer().id, second]),
      ],
    ])('sees %s', async (_what, change) => {
      const before = await poll();
      await change();
      const after = await poll(before.headers.get('etag')!);
      expectStatus(after, 200);
      expect(after.text).not.toBe(before.text);
    });

    test('sees nothing in what happens to others', async () => {
      const etag = await tag();
      await buildNotifications(gateway.app.database, owner(), testData.organizationId, 1);
      await mark({ all: true }, owner());
      await sql(`update organization set name = name || '?' where id = $1`, [testData.otherOrganizationId]);
      expectStatus(await poll(etag), 304);
    });

    test('never leaves an old tag for a new list, however many change it at once', async () => {
      const ids = await idsOf(viewer());
      const seen = new Map<string, string>();
      const watch = async () => {
        for (let turn = 0; turn < 20; turn += 1) {
          const etag = await tag();
          if ((await poll(etag)).status === 304) seen.set(etag, '');
        }
      };
      await Promise.all([
        watch(),
        ...ids.map((id) => mark({ ids: [id] })),
        ...Array.from({ length: 5 }, () => buildNotifications(gateway.app.database, viewer(), second, 1)),
      ]);
      const last = await tag();
      await sql('update notification set read = read where user_id = $1 and id = $2', [viewer().id, ids[0]]);
      // The same texts give the same response, also after writes in between.
      expect(await tag()).toBe(last);
    });
  });
});

const PREFERENCES = 'mailPreferences { incident document device workflow member token system }';

const CHOICES = {
  read: {
    rest: 'GET /api/v1/organizations/{organization_id}/mail-preferences',
    graphql: `query ($organizationId: ID!) { organization(id: $organizationId) { ${PREFERENCES} } }`,
    at: 'organization.mailPreferences',
  },
  update: mutation(
    'PATCH /api/v1/organizations/{organization_id}/mail-preferences',
    'updateMailPreferences',
    PREFERENCES,
  ),
} satisfies Record<string, Operation>;

const DEFAULTS = {
  ...{ incident: 'URGENT_ONLY', document: 'URGENT_ONLY', device: 'URGENT_ONLY', workflow: 'URGENT_ONLY' },
  ...{ member: 'URGENT_ONLY', token: 'URGENT_ONLY', system: 'URGENT_ONLY' },
};

describe.each(APIS)('mail preferences through %s', (api) => {
  const call = (name: keyof typeof CHOICES, token: string, organization_id: number, input: object = {}) =>
    callThrough(api, gateway, CHOICES[name], { organization_id, ...input }, token);

  test('urgent notifications of every category are mailed until a member chooses', async () => {
    const person = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
    expect(dataOf(await call('read', person.token, testData.organizationId))).toEqual(DEFAULTS);
  });

  test('a member chooses for itself, category by category, in one organization and in no other', async () => {
    const { organizationId, otherOrganizationId } = testData;
    const person = await newMember(gateway.app.database, organizationId, 'VIEWER');
    const colleague = await newMember(gateway.app.database, organizationId, 'VIEWER');
    await join(gateway.app.database, person, otherOrganizationId, 'VIEWER');
    dataOf(await call('update', person.token, organizationId, { incident: 'IMMEDIATELY', system: 'NEVER' }));
    const chosen = { ...DEFAULTS, incident: 'DAILY', system: 'NEVER' };
    const second = await call('update', person.token, organizationId, { incident: 'DAILY', system: null });
    expect(dataOf(second)).toEqual(chosen);
    expect(dataOf(await call('read', person.token, organizationId))).toEqual(chosen);
    expect(dataOf(await call('read', person.token, otherOrganizationId))).toEqual(DEFAULTS);
    expect(dataOf(await call('read', colleague.token, organizationId))).toEqual(DEFAULTS);
  });

  test('anything but the four words is refused, and nothing changes', async () => {
    const person = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
    const refused = await call('update', person.token, testData.organizationId, { incident: 'WEEKLY', token: 'DAILY' });
    expectFailure(refused, 'BAD_USER_INPUT', ['incident must be one of IMMEDIATELY, DAILY, URGENT_ONLY, NEVER']);
    const unknown = await call('update', person.token, testData.organizationId, { invoices: 'DAILY' });
    expectFailure(unknown, 'BAD_USER_INPUT', ['invoices is not a known field']);
    expect(dataOf(await call('read', person.token, testData.organizationId))).toEqual(DEFAULTS);
  });
});

test('an update answers its organization, so that a cache which has it has the preferences at once', async () => {
  const person = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
  const { updateMailPreferences } = await gateway.graphql.data(
    `mutation ($id: ID!) { updateMailPreferences(input: { organizationId: $id, device: NEVER }) {
      organization { id: databaseId mailPreferences { device token } } } }`,
    { token: person.token, variables: { id: testData.organizationId } },
  );
  expect(updateMailPreferences).toEqual({
    organization: { id: testData.organizationId, mailPreferences: { device: 'NEVER', token: 'URGENT_ONLY' } },
  });
});
