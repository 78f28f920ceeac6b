import { beforeEach, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { NotificationRetention } from '../../src/services/notifications/notifications.service.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildNotifications } from '../support/test-data.js';

const NOW = new Date();

const { gateway, testData } = await startSeededGateway();
const retention = new NotificationRetention(gateway.app.database, () => NOW);
beforeEach(() => gateway.app.database.rows('delete from notification'));

async function made({ read, age }: { read: boolean; age: number }): Promise<void> {
  await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 1);
  await gateway.app.database.rows(
    `update notification set read = $1, created_at = $2, title = $3 where id = (select max(id) from notification)`,
    [read, new Date(NOW.getTime() - age).toISOString(), `${read ? 'read' : 'unread'} ${age}`],
  );
}

const kept = async () =>
  (await gateway.app.database.rows<{ title: string }>('select title from notification')).map(({ title }) => title);

test('keeps a read one for 90 days and an unread one for 365, to the millisecond', async () => {
  for (const read of [true, false])
    for (const days of [90, 365]) for (const late of [0, 1]) await made({ read, age: days * DAY + late });
  expect(await retention.purgeOld()).toBe(4);
  expect((await kept()).toSorted()).toEqual(
    [`read ${90 * DAY}`, `unread ${90 * DAY}`, `unread ${90 * DAY + 1}`, `unread ${365 * DAY}`].toSorted(),
  );
  expect(await retention.purgeOld()).toBe(0);
});

test('lets several instances purge at once while notifications are made, and each row goes once', async () => {
  await buildNotifications(gateway.app.database, testData.owner, testData.organizationId, 2_500);
  await buildNotifications(gateway.app.database, testData.viewer, testData.organizationId, 2_500);
  await gateway.app.database.rows(`update notification set read = true, created_at = '2026-01-01T00:00:00Z'`);
  const purges = [retention, retention, retention].map((each) => each.purgeOld());
  const making = [testData.owner, testData.viewer, testData.manager].map((person) =>
    buildNotifications(gateway.app.database, person, testData.organizationId, 5),
  );
  const purged = await Promise.all(purges);
  await Promise.all(making);
  await gateway.app.database.rows(`update notification set created_at = $1`, [NOW.toISOString()]);
  expect(purged.reduce((sum, count) => sum + count, 0)).toBe(5_000);
  expect(await kept()).toHaveLength(15);
});
