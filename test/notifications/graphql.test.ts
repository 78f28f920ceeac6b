import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildNotifications, join } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

const { gateway, testData, watch } = await startWatchedGateway();

beforeAll(async () => {
  const { viewer, organizationId, otherOrganizationId } = testData;
  await buildNotifications(gateway.app.database, viewer, organizationId, 14);
  await join(gateway.app.database, viewer, otherOrganizationId, 'VIEWER');
  await buildNotifications(gateway.app.database, viewer, otherOrganizationId, 3);
  await buildNotifications(gateway.app.database, testData.owner, organizationId, 2);
  // One instant for all of one organization: only the id distinguishes them.
  await gateway.app.database.rows(
    `update notification set created_at = '2026-07-08T09:10:11.012Z' where organization_id = $1`,
    [otherOrganizationId],
  );
});

const cursorAt = (instant: string) => Buffer.from(JSON.stringify(['DATETIME', instant, 1])).toString('base64url');

const list = async (args: string, fields: string, token = testData.viewer.token) =>
  (await dataTwice(gateway.graphql, `{ notifications${args} { ${fields} } }`, { token })).notifications;

test.each([
  ['{ type: SYSTEM, read: true }', 1],
  ['{}', 17],
  ['{ read: null, type: null, organizationId: null }', 17],
])('the filter %s has its notifications', async (filter, count) => {
  const found = await list(`(filter: ${filter})`, 'totalCount nodes { id: databaseId }');
  expect([found.totalCount, found.nodes.length]).toEqual([count, count]);
});

test('the newest notifications are first in the order by time without a direction', async () => {
  const fields = 'nodes { id: databaseId }';
  const newestFirst = await list('', fields);
  expect(await list('(orderBy: { field: DATETIME })', fields)).toEqual(newestFirst);
  const query = `query ($order: NotificationOrder) { notifications(orderBy: $order) { ${fields} } }`;
  for (const order of [{ field: 'DATETIME' }, { field: 'DATETIME', direction: null }]) {
    const options = { token: testData.viewer.token, variables: { order } };
    expect((await dataTwice(gateway.graphql, query, options)).notifications).toEqual(newestFirst);
  }
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
    // Positions that a list cannot have: the 30th of February, and the year 0.
    [`after: "${cursorAt('2026-02-30T00:00:00.000Z')}"`, 'after must be a cursor of this list in the same order'],
    [`after: "${cursorAt('0000-01-01T00:00:00.000Z')}"`, 'after must be a cursor of this list in the same order'],
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

  test('is counted only when it is requested', async () => {
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

test('those that were marked by their ids are answered as they are now, and none where all are', async () => {
  const { token } = testData.viewer;
  const nodes: { id: string; databaseId: number }[] = (await list('(first: 3)', 'nodes { id databaseId }')).nodes;
  const [first, second, third] = nodes.map(({ databaseId }) => databaseId);
  const mark = async (input: object) => {
    const query = `mutation ($input: MarkNotificationsReadInput!) {
      markNotificationsRead(input: $input) { marks { unread } notifications { id databaseId read organization { name } } } }`;
    return (await gateway.graphql.data(query, { token, variables: { input } })).markNotificationsRead;
  };
  for (const read of [true, false]) {
    const { notifications } = await mark({ notificationIds: [third, first, second, third], read });
    const organization = { name: expect.any(String) };
    expect(notifications).toEqual([2, 0, 1].map((place) => ({ ...nodes[place], read, organization })));
  }
  expect((await mark({ all: true })).notifications).toBeNull();
});
