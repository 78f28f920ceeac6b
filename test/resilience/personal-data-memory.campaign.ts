import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildNotifications, seedTestData, type TestData } from '../support/test-data.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { peakDuring, residentBytes } from './support/memory.js';

const MEGABYTE = 1024 * 1024;
const NOTIFICATIONS = 20_000;

let installation: Installation;
let testData: TestData;
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('personal-data');
  testData = await seedTestData(installation.database);
  const { viewer, organizationId } = testData;
  await buildNotifications(installation.database, viewer, organizationId, NOTIFICATIONS);
  // Together they exceed the memory of the gateway by far.
  await installation.database.rows(`update notification set href = repeat('x', 6000)`);
  gateway = await installation.start();
});

afterAll(() => installation?.clear());

async function exported(): Promise<string[]> {
  const answer = await fetch(`${gateway.url}/api/v1/profile/export`, {
    headers: { 'x-service-token': testData.viewer.token },
  });
  const { notifications } = JSON.parse(await answer.text()) as { notifications: { id: number }[] };
  return notifications.map(({ id }) => String(id));
}

test('an export of 120 megabytes of notifications is passed on and never buffered', async () => {
  const before = residentBytes(gateway.pid);
  const ids = exported();
  const peak = await peakDuring(gateway.pid, ids);
  expect(new Set(await ids).size).toBe(NOTIFICATIONS);
  expect(Math.round((peak - before) / MEGABYTE)).toBeLessThan(250);
});
