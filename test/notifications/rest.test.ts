import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError } from '../support/matchers.js';
import { buildNotifications, buildOrganization, seedTestData, join, type TestData } from '../support/test-data.js';
import { collectPages, expectExactly, pagingCases } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
let second: number;
const PATH = '/api/v1/notifications';
const list = (query: string) => gateway.rest.get(`${PATH}?${query}`, { token: testData.viewer.token });

interface Item {
  id: number;
  organization: { id: number };
  type: string;
  read: boolean;
  datetime: string;
}

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  testData = await seedTestData(database);
  second = await buildOrganization(database, 'Second');
  await join(database, testData.viewer, second, 'VIEWER');
  await buildNotifications(database, testData.viewer, testData.organizationId, 14);
  await buildNotifications(database, testData.viewer, second, 6);
  await buildNotifications(database, testData.owner, testData.organizationId, 3);
});
afterAll(() => gateway.close());

describe('GET /api/v1/notifications', () => {
  test('shows exactly the fields of the specification, newest first', async () => {
    const { database } = gateway.app;
    await database.rows(`update notification set created_at = '2030-01-02T03:04:05.678Z' where title = 'Title 1'`);
    const rows = await database.rows<{ id: number }>(
      `select max(id) as id from notification where title = 'Title 1' and user_id = $1`,
      [testData.viewer.id],
    );
    await database.rows(`update notification set created_at = created_at + interval '1 hour' where id = $1`, [
      rows[0]!.id,
    ]);
    expectExactly(await list('limit=1'), 200, {
      error: 0,
      messages: [],
      data: [
        {
          id: rows[0]!.id,
          organization: { id: second, name: 'Second', logo: '' },
          title: 'Title 1',
          message: 'Message 1',
          type: 'DOCUMENT',
          action: 'OPEN',
          read: false,
          datetime: '2030-01-02T04:04:05.678Z',
          icon: 'fa fa-bell',
          extra: { href: '/notifications/1' },
        },
      ],
      total: 20,
    });
  });

  test("shows the caller's own only, to a newcomer none", async () => {
    expect((await gateway.rest.get(PATH, { token: testData.owner.token })).body.total).toBe(3);
    expectExactly(await gateway.rest.get(PATH, { token: testData.userWithoutOrganization.token }), 200, {
      error: 0,
      messages: [],
      data: [],
      total: 0,
    });
  });

  pagingCases(list);

  test('is ordered by time, both ways', async () => {
    const newest = (await list('sort=-datetime')).body.data as Item[];
    const oldest = (await list('sort=datetime')).body.data as Item[];
    expect((await list('')).body.data).toEqual(newest);
    expect(oldest).toEqual(newest.toReversed());
    const times = newest.map(({ datetime }) => datetime);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const sort of ['id', 'DATETIME', '']) {
      expectError(await list(`sort=${sort}`), 400, ['sort must be one of datetime, -datetime']);
    }
  });

  test('filters by what was read, by category and by organization, and counts what meets the filter', async () => {
    const all = (await list('limit=100')).body.data as Item[];
    for (const [query, meets] of [
      ['read=true', (item: Item) => item.read],
      ['read=false', (item: Item) => !item.read],
      ['type=INCIDENT', (item: Item) => item.type === 'INCIDENT'],
      [`organization_id=${second}`, (item: Item) => item.organization.id === second],
      [
        `organization_id=${second}&read=true&type=DEVICE`,
        (item: Item) => item.organization.id === second && item.read && item.type === 'DEVICE',
      ],
      ['organization_id=2147483647', () => false],
    ] as const) {
      const { body } = await list(`${query}&limit=100`);
      expect([query, body.data, body.total]).toEqual([query, all.filter(meets), all.filter(meets).length]);
      expect((await list(`${query}&limit=1`)).body.total).toBe(all.filter(meets).length);
    }
  });

  test('takes each category of the list, and no other', async () => {
    for (const type of ['INCIDENT', 'DOCUMENT', 'DEVICE', 'WORKFLOW', 'MEMBER', 'TOKEN', 'SYSTEM']) {
      expect((await list(`type=${type}`)).status).toBe(200);
    }
    expectError(await list('type=incident'), 400, [
      'type must be one of INCIDENT, DOCUMENT, DEVICE, WORKFLOW, MEMBER, TOKEN, SYSTEM',
    ]);
  });

  test('tells every filter that is wrong at once', async () => {
    for (const read of ['1', 'TRUE', '', 'yes']) {
      expectError(await list(`read=${read}`), 400, ['read must be true or false']);
    }
    expectError(await list('organization_id=-1&read=maybe'), 400, [
      'read must be true or false',
      'organization_id must be an integer of 1 or more',
    ]);
    expectError(await list('read=true&read=false'), 400, ['read must not be given twice']);
  });

  test('neither drops nor repeats one where many have one time', async () => {
    await gateway.app.database.rows(
      `update notification set created_at = '2029-01-01T00:00:00Z' where user_id = $1 and title <> 'Title 1'`,
      [testData.viewer.id],
    );
    for (const sort of ['datetime', '-datetime']) {
      const whole = (await list(`sort=${sort}&limit=100`)).body.data as Item[];
      expect(new Set(whole.map(({ id }) => id)).size).toBe(20);
      for (const size of [1, 3, 7]) expect(await collectPages(list, `sort=${sort}`, size)).toEqual(whole);
    }
  });

  test('hides what a deleted organization said', async () => {
    await gateway.app.database.rows('update organization set deleted_at = now() where id = $1', [second]);
    const { body } = await list('limit=100');
    expect([body.total, body.data.every((item: Item) => item.organization.id === testData.organizationId)]).toEqual([
      14,
      true,
    ]);
  });

  test('hides what an organization said that the caller has left', async () => {
    await gateway.app.database.rows('delete from membership where user_id = $1', [testData.viewer.id]);
    expect((await list('')).body).toEqual({ error: 0, messages: [], data: [], total: 0 });
  });
});
