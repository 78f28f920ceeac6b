import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { buildNotifications, buildOrganization, seedTestData, join, type TestData } from '../support/test-data.js';

let gateway: TestGateway;
let testData: TestData;
let second: number;
const PATH = '/api/v1/notifications';
const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  second = await buildOrganization(gateway.app.database, 'Second');
});
afterAll(() => gateway.close());

/** Every second notification is unread: 3 and 2 of the viewer, 1 of the owner. */
beforeEach(async () => {
  const { database } = gateway.app;
  await sql('delete from notification');
  await sql('delete from membership where user_id = $1', [testData.viewer.id]);
  await join(database, testData.viewer, testData.organizationId, 'VIEWER');
  await join(database, testData.viewer, second, 'VIEWER');
  await buildNotifications(database, testData.viewer, testData.organizationId, 6);
  await buildNotifications(database, testData.viewer, second, 4);
  await buildNotifications(database, testData.owner, testData.organizationId, 2);
});

const { viewer, owner } = { viewer: () => testData.viewer, owner: () => testData.owner };
const idsOf = async (userId: string, where = 'true') =>
  (await sql<{ id: number }>(`select id from notification where user_id = $1 and ${where} order by id`, [userId])).map(
    ({ id }) => id,
  );
const unreadOf = (userId: string) => idsOf(userId, 'not read');
const mark = (body: unknown, token = viewer().token) => gateway.rest.post(`${PATH}/read`, { token, body });

describe('PATCH /api/v1/notifications/{id}', () => {
  let id: number;
  beforeEach(async () => {
    [id] = (await unreadOf(owner().id)) as [number];
  });
  const patch = (body: unknown, token = owner().token) => gateway.rest.call('PATCH', `${PATH}/${id}`, { token, body });

  test('marks it read and unread, and answers it as it is now', async () => {
    for (const read of [true, true, false, false]) {
      const data = expectData(await patch({ read }));
      expect(data).toMatchObject({ id, read, organization: { id: testData.organizationId } });
      expect(expectData(await gateway.rest.get(`${PATH}/${id}`, { token: owner().token }))).toEqual(data);
    }
  });

  test("looks absent when it is somebody else's, and stays as it is", async () => {
    for (const { token } of [viewer(), testData.nonMember, testData.userWithoutOrganization])
      expectError(await patch({ read: true }, token), 404, [1004]);
    expect(await unreadOf(owner().id)).toEqual([id]);
  });

  test('tells what is wrong with the body', async () => {
    expectError(await patch({}), 400, ['read is required']);
    expectError(await patch({ read: 1, title: 'x' }), 400, [
      'read must be true or false',
      'title is not a known field',
    ]);
    expectError(await patch({ read: true, id }), 400, ['id is not a known field']);
  });
});

describe('POST /api/v1/notifications/read', () => {
  test('marks these, and says how many have changed and how many are left', async () => {
    const ids = await idsOf(viewer().id);
    const unread = await unreadOf(viewer().id);
    expect(expectData(await mark({ ids: [unread[0], unread[0], unread[1]] }))).toEqual({ changed: 2, unread: 3 });
    expect(expectData(await mark({ ids: unread.slice(0, 2), read: true }))).toEqual({ changed: 0, unread: 3 });
    expect(expectData(await mark({ ids, read: false }))).toEqual({ changed: 7, unread: 10 });
    expect(await unreadOf(viewer().id)).toEqual(ids);
    expect(await unreadOf(owner().id)).toHaveLength(1);
  });

  test('marks all, or all of one organization, read or unread', async () => {
    expect(expectData(await mark({ all: true, organization_id: second }))).toEqual({ changed: 2, unread: 3 });
    expect(expectData(await mark({ all: true }))).toEqual({ changed: 3, unread: 0 });
    expect(expectData(await mark({ all: true, organization_id: second, read: false }))).toEqual({
      changed: 4,
      unread: 4,
    });
    expect(expectData(await mark({ all: true, read: false }))).toEqual({ changed: 6, unread: 10 });
    expect(expectData(await mark({ all: true, organization_id: 2147483647 }))).toEqual({ changed: 0, unread: 10 });
    expect(await unreadOf(owner().id)).toHaveLength(1);
  });

  test("changes nothing when one is somebody else's or never existed", async () => {
    const mine = await unreadOf(viewer().id);
    for (const foreign of [(await unreadOf(owner().id))[0], 2147483647, -1]) {
      expectError(await mark({ ids: [...mine, foreign] }), 404, [1004]);
      expect(await unreadOf(viewer().id)).toEqual(mine);
    }
  });

  test('neither finds nor counts what an organization said that the caller has left', async () => {
    const [there] = await idsOf(viewer().id, `organization_id = ${second} and not read`);
    await sql('delete from membership where user_id = $1 and organization_id = $2', [viewer().id, second]);
    expectError(await mark({ ids: [there] }), 404, [1004]);
    expectError(await gateway.rest.get(`${PATH}/${there}`, { token: viewer().token }), 404, [1004]);
    expect(expectData(await mark({ all: true }))).toEqual({ changed: 3, unread: 0 });
    expect(await unreadOf(viewer().id)).toHaveLength(2);
  });

  test('takes 100 ids and no more', async () => {
    const { id } = viewer();
    await buildNotifications(gateway.app.database, viewer(), testData.organizationId, 95);
    const ids = await idsOf(id);
    expect(expectData(await mark({ ids: ids.slice(0, 100) })).unread).toBeLessThan(10);
    expectError(await mark({ ids: ids.slice(0, 101) }), 400, ['ids must not name more than 100 notifications']);
  });

  test.each([
    [{}, ['ids or all must be given']],
    [{ all: false }, ['ids or all must be given']],
    [{ ids: [] }, ['ids must name at least one notification']],
    [{ ids: [1], all: true }, ['ids and all must not be given together']],
    [{ ids: [1], organization_id: 1 }, ['organization_id must not be given together with ids']],
    [{ ids: ['1'], all: 'yes' }, ['ids[0] must be an integer of 32 bits', 'all must be true or false']],
    [{ organizationId: 1 }, ['ids or all must be given', 'organizationId is not a known field']],
  ])('refuses %j', async (body, messages) => {
    const before = await unreadOf(viewer().id);
    expectError(await mark(body), 400, messages);
    expect(await unreadOf(viewer().id)).toEqual(before);
  });

  test('lets many requests mark the same ones at once', async () => {
    const ids = await idsOf(viewer().id);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, turn) =>
        mark(turn % 3 === 0 ? { all: true } : { ids: turn % 2 === 0 ? ids : ids.toReversed(), read: turn % 3 === 1 }),
      ),
    );
    for (const answer of answers) expectStatus(answer, 200);
  });
});

describe('GET /api/v1/notifications/unread-count', () => {
  const count = async (query = '', token = viewer().token) =>
    expectData(await gateway.rest.get(`${PATH}/unread-count${query}`, { token }));

  test('counts what is unread, in all or of one organization', async () => {
    expect(await count()).toEqual({ count: 5 });
    expect(await count(`?organization_id=${second}`)).toEqual({ count: 2 });
    expect(await count(`?organization_id=${testData.otherOrganizationId}`)).toEqual({ count: 0 });
    expect(await count('', testData.userWithoutOrganization.token)).toEqual({ count: 0 });
  });

  test('does not count what is no longer shown', async () => {
    await sql('update organization set deleted_at = now() where id = $1', [second]);
    expect(await count()).toEqual({ count: 3 });
    await sql('update organization set deleted_at = null where id = $1', [second]);
    await sql('delete from membership where user_id = $1', [viewer().id]);
    expect(await count()).toEqual({ count: 0 });
  });
});

describe('polling GET /api/v1/notifications', () => {
  const poll = (etag?: string, query = '', token = viewer().token) =>
    gateway.rest.get(`${PATH}${query}`, { token, ...(etag && { headers: { 'if-none-match': etag } }) });
  const tag = async (query = '', token = viewer().token) => (await poll(undefined, query, token)).headers.get('etag')!;

  test('answers a strong tag, and 304 without a body to who has it', async () => {
    const etag = await tag();
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const header of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const answer = await poll(header);
      expectStatus(answer, 304);
      expect([answer.text, answer.headers.get('etag')]).toEqual(['', etag]);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      expect(answer.headers.get('vary')).toBe('X-Service-Token');
    }
    expectStatus(await poll('"other"'), 200);
  });

  test('tells parameters that are wrong all the same', async () => {
    expectError(await poll(await tag(), '?limit=0'), 400, ['limit must be from 1 to 100']);
  });

  test('differs between callers', async () => {
    expect(await tag('', owner().token)).not.toBe(await tag());
    expect(await tag('', testData.userWithoutOrganization.token)).not.toBe(await tag());
  });

  test.each([
    ['one more', () => buildNotifications(gateway.app.database, viewer(), second, 1)],
    ['one that was read', async () => mark({ ids: (await unreadOf(viewer().id)).slice(0, 1) })],
    ['two that changed places', () => sql('update notification set read = not read where user_id = $1', [viewer().id])],
    [
      'one that is gone',
      () =>
        sql('delete from notification where id = (select max(id) from notification where user_id = $1)', [viewer().id]),
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
    await mark({ all: true }, owner().token);
    await sql(`update organization set name = name || '?' where id = $1`, [testData.otherOrganizationId]);
    expectStatus(await poll(etag), 304);
  });

  test('never keeps an old tag for a new list, however many change it at once', async () => {
    const ids = await idsOf(viewer().id);
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
    // The same texts are the same answer, whatever was written in between.
    expect(await tag()).toBe(last);
  });
});
