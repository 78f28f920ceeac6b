import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { StatementWatch } from '../support/statements.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildNotifications, seedTestData, join, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

let database: TestDatabase;
let watch: StatementWatch;
let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  database = await createTestDatabase();
  watch = await StatementWatch.before(database.url);
  gateway = await startGateway({ database: { ...database, url: watch.url } });
  testData = await seedTestData(gateway.app.database);
  const { viewer, organizationId, otherOrganizationId } = testData;
  await buildNotifications(gateway.app.database, viewer, organizationId, 14);
  await join(gateway.app.database, viewer, otherOrganizationId, 'VIEWER');
  await buildNotifications(gateway.app.database, viewer, otherOrganizationId, 3);
  await buildNotifications(gateway.app.database, testData.owner, organizationId, 2);
  // The same moment for all of one organization: only the id tells them apart.
  await gateway.app.database.rows(
    `update notification set created_at = '2026-07-08T09:10:11.012Z' where organization_id = $1`,
    [otherOrganizationId],
  );
});

afterAll(async () => {
  await gateway?.close();
  await watch?.close();
  await database?.drop();
});

const list = async (args: string, fields: string, token = testData.viewer.token) =>
  (await dataTwice(gateway.graphql, `{ notifications${args} { ${fields} } }`, { token })).notifications;
const titles = ({ nodes }: { nodes: { title: string }[] }) => nodes.map(({ title }) => title);

test('shows every field of one notification', async () => {
  const { nodes } = await list(
    `(filter: { organizationId: ${testData.otherOrganizationId} }, last: 1)`,
    'nodes { id: databaseId }',
  );
  const { notification } = await dataTwice(
    gateway.graphql,
    `query ($id: ID!) { notification(id: $id) { __typename id: databaseId organization { __typename id: databaseId name logo } title message
       type action read datetime icon extra { __typename href } } }`,
    { token: testData.viewer.token, variables: { id: nodes[0].id } },
  );
  expect(notification).toEqual({
    __typename: 'Notification',
    id: nodes[0].id,
    organization: {
      __typename: 'Organization',
      id: testData.otherOrganizationId,
      name: 'Other Organization',
      logo: '',
    },
    title: 'Title 1',
    message: 'Message 1',
    type: 'DOCUMENT',
    action: 'OPEN',
    read: false,
    datetime: '2026-07-08T09:10:11.012Z',
    icon: 'fa fa-bell',
    extra: { __typename: 'NotificationExtra', href: '/notifications/1' },
  });
});

describe('the list', () => {
  test("has the caller's own, newest first, or oldest first", async () => {
    const filter = `filter: { organizationId: ${testData.organizationId} }`;
    const newest = await list(`(${filter})`, 'totalCount nodes { title }');
    expect(newest.totalCount).toBe(14);
    expect(titles(newest)).toEqual(Array.from({ length: 14 }, (_, index) => `Title ${index + 1}`));
    for (const order of ['{ field: DATETIME, direction: ASC }']) {
      expect(titles(await list(`(${filter}, orderBy: ${order})`, 'nodes { title }'))).toEqual(
        titles(newest).toReversed(),
      );
    }
    expect(titles(await list(`(${filter}, orderBy: { field: DATETIME })`, 'nodes { title }'))).toEqual(titles(newest));
  });

  test.each([
    ['{ read: true }', 8],
    ['{ read: false }', 9],
    ['{ type: SYSTEM }', 2],
    ['{ type: SYSTEM, read: true }', 1],
    ['{}', 17],
    ['{ read: null, type: null, organizationId: null }', 17],
    ['{ organizationId: 2147483647 }', 0],
  ])('keeps the filter %s', async (filter, count) => {
    const found = await list(`(filter: ${filter})`, 'totalCount nodes { id: databaseId }');
    expect([found.totalCount, found.nodes.length]).toEqual([count, count]);
  });

  test('ends where the caller has left an organization', async () => {
    const { userWithoutOrganization, otherOrganizationId } = testData;
    await buildNotifications(gateway.app.database, userWithoutOrganization, otherOrganizationId, 1);
    expect(await list('', 'totalCount nodes { id: databaseId }', userWithoutOrganization.token)).toEqual({
      totalCount: 0,
      nodes: [],
    });
    const [row] = await gateway.app.database.rows('select id from notification where user_id = $1', [
      userWithoutOrganization.id,
    ]);
    const errors = await errorsTwice(gateway.graphql, 'query ($id: ID!) { notification(id: $id) { id: databaseId } }', {
      token: userWithoutOrganization.token,
      variables: { id: row?.['id'] },
    });
    expect(errors[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
  });
});

describe('pages', () => {
  const FIELDS =
    'totalCount edges { cursor node { id: databaseId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

  test.each(['first: SIZE, after', 'last: SIZE, before'])(
    'by (%s) neither drop nor repeat a row, also where moments are the same',
    async (args) => {
      const whole = (await list('(first: 100)', 'nodes { id: databaseId }')).nodes.map(({ id }: { id: number }) => id);
      for (const size of [1, 2, 5, 17, 18]) {
        const seen: number[] = [];
        let cursor = 'null';
        const forwards = args.startsWith('first');
        for (let turn = 0; turn < 20; turn += 1) {
          const page = await list(`(${args.replace('SIZE', String(size))}: ${cursor})`, FIELDS);
          const ids = page.edges.map(({ node }: { node: { id: number } }) => node.id);
          expect(page.totalCount).toBe(17);
          expect(page.pageInfo.startCursor).toBe(page.edges[0].cursor);
          expect(page.pageInfo.endCursor).toBe(page.edges.at(-1).cursor);
          if (forwards) seen.push(...ids);
          else seen.unshift(...ids);
          expect(forwards ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage).toBe(turn > 0);
          cursor = JSON.stringify(forwards ? page.pageInfo.endCursor : page.pageInfo.startCursor);
          if (!(forwards ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage)) break;
        }
        expect(seen).toEqual(whole);
      }
    },
  );

  test('may be counted', async () => {
    const whole = (await list('(first: 100)', 'nodes { id: databaseId }')).nodes;
    expect((await list('(first: 4, offset: 15)', 'nodes { id: databaseId }')).nodes).toEqual(whole.slice(15));
    const beyond = await list('(offset: 100)', 'totalCount nodes { id: databaseId } pageInfo { hasNextPage }');
    expect(beyond).toEqual({ totalCount: 17, nodes: [], pageInfo: { hasNextPage: false } });
  });

  test.each([
    ['first: 0', 'first must be from 1 to 100'],
    ['first: 101', 'first must be from 1 to 100'],
    ['last: 0', 'last must be from 1 to 100'],
    ['last: 101', 'last must be from 1 to 100'],
    ['offset: -1', 'offset must be 0 or more'],
    ['first: 1, last: 1', 'first and last must not be given together'],
    ['last: 1, after: "x"', 'after must not be given together with last or before'],
    ['first: 1, before: "x"', 'before must not be given together with first'],
    ['last: 1, offset: 1', 'offset must not be given together with a cursor or last'],
    ['after: "bm8"', 'after must be a cursor of this list in the same order'],
    ['before: ""', 'before must be a cursor of this list in the same order'],
  ])('refuse (%s)', async (args, message) => {
    const errors = await errorsTwice(gateway.graphql, `{ notifications(${args}) { totalCount } }`, {
      token: testData.viewer.token,
    });
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', messages: [message] });
  });

  test('may have 100 items', async () => {
    expect((await list('(first: 100)', 'nodes { id: databaseId }')).nodes).toHaveLength(17);
    expect((await list('(last: 100)', 'nodes { id: databaseId }')).nodes).toHaveLength(17);
  });
});

describe('the total', () => {
  const statements = (fields: string) =>
    watch.during(() =>
      gateway.graphql.data(`{ notifications(first: 2) { ${fields} } }`, { token: testData.viewer.token }),
    );

  test('is counted only when it is asked for', async () => {
    await statements('nodes { id: databaseId }');
    const without = await statements('nodes { id: databaseId } edges { cursor } pageInfo { hasNextPage }');
    expect(without.filter((text) => text.includes('count('))).toEqual([]);
    const within = await statements('totalCount nodes { id: databaseId }');
    expect(within.filter((text) => text.includes('count('))).toHaveLength(1);
  });

  test('comes with the page, not in a statement of its own', async () => {
    const texts = await statements('totalCount nodes { id: databaseId }');
    expect(texts.filter((text) => text.includes('from "notification"'))).toHaveLength(1);
  });
});
