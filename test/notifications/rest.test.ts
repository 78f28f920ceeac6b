import { beforeEach, describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { pagingCases } from '../support/rest.js';
import { buildNotifications, buildOrganization, join } from '../support/test-data.js';

const PATH = '/api/v1/notifications';
const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

const { gateway, testData } = await startSeededGateway();
const second = await buildOrganization(gateway.app.database, 'Second');

beforeEach(async () => {
  const { database } = gateway.app;
  await sql('delete from notification');
  await sql('delete from membership where user_id = $1', [viewer().id]);
  await join(database, viewer(), testData.organizationId, 'VIEWER');
  await join(database, viewer(), second, 'VIEWER');
  await buildNotifications(database, viewer(), testData.organizationId, 6);
  await buildNotifications(database, viewer(), second, 4);
});

const { viewer, owner } = { viewer: () => testData.viewer, owner: () => testData.owner };
const idsOf = async (where = 'true') =>
  (
    await sql<{ id: number }>(`select id from notification where user_id = $1 and ${where} order by id`, [viewer().id])
  ).map(({ id }) => id);
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

test('a body with the id, with a name of GraphQL or with a wrong type is refused', async () => {
  const [id] = await idsOf();
  const { token } = viewer();
  expectError(await gateway.rest.patch(`${PATH}/${id}`, { token, body: { read: true, id } }), 400, [
    'id is not a known field',
  ]);
  expectError(await mark({ ids: ['1'], all: 'yes' }), 400, [
    'ids[0] must be an integer of 32 bits',
    'all must be true or false',
  ]);
  expectError(await mark({ organizationId: 1 }), 400, [
    'ids or all must be given',
    'organizationId is not a known field',
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
      expect(answer.headers.get('vary')).toBe('X-Service-Token, Accept');
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
    ['one that was read', async () => mark({ ids: (await idsOf('not read')).slice(0, 1) })],
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
    await mark({ all: true }, owner());
    await sql(`update organization set name = name || '?' where id = $1`, [testData.otherOrganizationId]);
    expectStatus(await poll(etag), 304);
  });

  test('never keeps an old tag for a new list, however many change it at once', async () => {
    const ids = await idsOf();
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
