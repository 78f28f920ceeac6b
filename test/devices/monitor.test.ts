import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY } from '../../src/common/time.js';
import { LIMITS } from '../../src/values/limits.js';
import { record } from '../../src/services/audit/record.js';
import { SYSTEM } from '../support/callers.js';
import { TestClock } from '../support/clock.js';
import { startTwoGateways } from '../support/watched-gateway.js';
import { KINDS } from '../support/device-kinds.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectData } from '../support/matchers.js';
import { buildToken, seedTestData } from '../support/test-data.js';

const SILENT_HOURS = LIMITS.check.silentMinutes / 60;
const clock = new TestClock();

const gateways = await startTwoGateways({ now: clock.now });
const testData = await seedTestData(gateways[0].app.database);
const telemetry = await buildToken(gateways[0].app.database, testData.owner, { scopes: ['telemetry'] });

beforeEach(() => clock.set(0));

const db = () => gateways[0].app.database;
const rows = (text: string, values: unknown[] = []) => db().rows(text, values);

describe.each(KINDS)('$one', ({ segment, table, many, build, store, stat, alert, noun }) => {
  let id: number;

  beforeEach(async () => {
    await rows(`delete from ${table}`);
    await gateways[0].settled();
    await rows('delete from notification');
    await rows('update organization set restored_at = null');
    id = await build(db(), testData.organizationId);
  });

  const job = (name: string, instance = 0) => gateways[instance]!.app.jobs.run(`${many}.${name}`);
  const at = (hours: number) => clock.at(hours).toISOString();
  const report = (hours: number, state: number, instance = 0) =>
    gateways[instance]!.rest.post(`/api/v1/${segment}/${id}/checks`, {
      token: telemetry,
      body: { reports: [{ datetime: at(hours), stat: stat(state) }] },
    });
  const status = async () => (await rows(`select status from ${table} where id = $1`, [id]))[0]?.['status'];
  /** Notifications of the owner, oldest first. */
  const notified = async (person = testData.owner) => {
    await gateways[0].settled();
    const found = await rows('select title, message from notification where user_id = $1 order by id', [person.id]);
    return found.map(({ title, message }) => `${title}: ${message.replace(/^[^:]+: /, '')}`);
  };

  const DOWN = `${noun} down: it reports that it is down.`;
  const SILENT = `${noun} down: no report for 90 minutes.`;
  const BACK = `${noun} back online: it reports again and is healthy.`;

  describe('alerts', () => {
    test('are sent for going down and for coming back, once each, and for nothing between the two', async () => {
      for (const [hours, state] of [
        [-9, 1],
        [-8, 2],
        [-7, 3],
        [-6, 3],
        [-5, 2],
        [-4, 1],
        [-3, 3],
        [-2, 1],
      ] as const) {
        expectData(await report(hours, state));
      }
      expect(await notified()).toEqual([DOWN, `${noun} back online: it reports again and is degraded.`, DOWN, BACK]);
    });

    test('of several organizations wait for a change in one of them', async () => {
      const later = testData.otherOrganizationId;
      const other = await build(db(), later);
      await rows(`update ${table} set last_seen_at = $1, status = 1`, [at(-SILENT_HOURS - 1)]);
      let marked: Promise<unknown> | undefined;
      await db().transaction(async (tx) => {
        const subject = { type: 'ORGANIZATION', id: later, name: 'Other' } as const;
        await record(tx, SYSTEM, { organizationId: later, action: 'ORGANIZATION_RESTORED', at: clock.now(), subject });
        marked = job('markSilent');
        await someoneWaits(tx);
      });
      await marked;
      expect(await rows(`select status from ${table} where id = any($1)`, [[id, other]])).toEqual([
        { status: 3 },
        { status: 3 },
      ]);
    });

    test('are sent for a first report that is bad, and for no late one', async () => {
      expectData(await report(-1, 3));
      expectData(await report(-2, 1));
      expect([await status(), await notified()]).toEqual([3, [DOWN]]);
    });

    test('reach those who manage devices and want alerts of them, with a link', async () => {
      await rows(`update membership set ${alert} = false where user_id = $1`, [testData.manager.id]);
      expectData(await report(-1, 3));
      await gateways[0].settled();
      const [notification] = await rows(
        'select type, action, href, organization_id as organization from notification where user_id = $1',
        [testData.owner.id],
      );
      expect(notification).toEqual({
        type: 'DEVICE',
        action: 'OPEN',
        href: `/${segment}/${id}`,
        organization: testData.organizationId,
      });
      for (const person of [testData.manager, testData.officer, testData.viewer, testData.nonMember])
        expect(await notified(person)).toEqual([]);
      await rows(`update membership set ${alert} = true where user_id = $1`, [testData.manager.id]);
      expectData(await report(0, 1));
      expect(await notified(testData.manager)).toEqual([BACK]);
    });

    test('are sent once for what many reports say at the same time, through two instances', async () => {
      expectData(await report(-10, 1));
      await Promise.all(Array.from({ length: 16 }, (_, index) => report(-9 + index / 100, 3, index % 2)));
      expect(await notified()).toEqual([DOWN]);
      await Promise.all(Array.from({ length: 16 }, (_, index) => report(-8 + index / 100, 1, index % 2)));
      expect(await notified()).toEqual([DOWN, BACK]);
      expect(await status()).toBe(1);
    });

    test('and rows stay single when the same report comes many times at once', async () => {
      const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => report(-1, 3, index % 2)));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await notified()).toEqual([DOWN]);
      expect(await rows(`select 1 from ${table}_check where device_id = $1`, [id])).toHaveLength(1);
    });

    test('leave the status of the newest of reports that come at once in any order', async () => {
      const states = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2];
      await Promise.all(states.map((state, index) => report(-index, state, index % 2)));
      expect(await status()).toBe(states[0]);
    });
  });

  describe('silence', () => {
    test('makes a device down after 90 minutes, not at them, and once', async () => {
      expectData(await report(0, 1));
      clock.set(SILENT_HOURS);
      await job('markSilent');
      expect([await status(), await notified()]).toEqual([1, []]);
      clock.set(SILENT_HOURS, 1);
      await job('markSilent');
      await job('markSilent');
      expect([await status(), await notified()]).toEqual([3, [SILENT]]);
      expectData(await report(SILENT_HOURS, 1));
      expect([await status(), await notified()]).toEqual([1, [SILENT, BACK]]);
      clock.set(2 * SILENT_HOURS, 2);
      await job('markSilent');
      expect(await notified()).toEqual([SILENT, BACK, SILENT]);
    });

    test('is counted from when a report came in, whatever moment it was of', async () => {
      expectData(await report(-50, 1));
      clock.set(SILENT_HOURS);
      await job('markSilent');
      expect(await status()).toBe(1);
    });

    test('is not broken by a repetition, nor by a late report', async () => {
      expectData(await report(0, 1));
      clock.set(SILENT_HOURS - 0.1);
      expectData(await report(0, 1));
      expectData(await report(-1, 1));
      clock.set(SILENT_HOURS, 1);
      await job('markSilent');
      expect(await status()).toBe(3);
    });

    test('sends nothing new for a device that is down, and nothing for one that never reported', async () => {
      clock.set(100);
      await job('markSilent');
      expect([await status(), await notified()]).toEqual([0, []]);
      expectData(await report(100, 3));
      clock.set(200);
      await job('markSilent');
      expect(await notified()).toEqual([DOWN]);
    });

    test('is sent for no deleted device and for no device of a deleted organization', async () => {
      expectData(await report(0, 1));
      clock.set(SILENT_HOURS, 1);
      await rows(`update ${table} set deleted_at = $2 where id = $1`, [id, clock.now()]);
      await job('markSilent');
      await rows(`update ${table} set deleted_at = null where id = $1`, [id]);
      await rows('update organization set deleted_at = $2 where id = $1', [testData.organizationId, clock.now()]);
      await job('markSilent');
      await rows('update organization set deleted_at = null where id = $1', [testData.organizationId]);
      expect([await status(), await notified()]).toEqual([1, []]);
    });

    test('begins anew when the device or its organization is restored', async () => {
      expectData(await report(0, 1));
      await rows(`update ${table} set deleted_at = $2 where id = $1`, [id, clock.now()]);
      clock.set(24);
      const { token } = testData.owner;
      expectData(await gateways[0].rest.post(`/api/v1/${segment}/${id}/restore`, { token }));
      clock.set(24 + SILENT_HOURS);
      await job('markSilent');
      expect(await notified()).toEqual([]);
      await rows('update organization set deleted_at = $2 where id = $1', [testData.organizationId, clock.now()]);
      clock.set(48);
      const organization = `/api/v1/organizations/${testData.organizationId}`;
      expectData(await gateways[0].rest.post(`${organization}/restore`, { token }));
      clock.set(48 + SILENT_HOURS);
      await job('markSilent');
      expect(await status()).toBe(1);
      clock.set(48 + SILENT_HOURS, 1);
      await job('markSilent');
      expect([await status(), await notified()]).toEqual([3, [SILENT]]);
    });

    test('of many devices is sent once each, by two instances at once', async () => {
      await rows(`update ${table} set last_seen_at = $1, status = 1`, [clock.now()]);
      for (let count = 1; count < 130; count += 1) await build(db(), testData.organizationId);
      await rows(`update ${table} set last_seen_at = $1, status = 2`, [clock.now()]);
      clock.set(SILENT_HOURS, 1);
      await Promise.all([job('markSilent', 0), job('markSilent', 1), job('markSilent', 0), job('markSilent', 1)]);
      await gateways[0].settled();
      const hrefs = await rows('select href from notification where user_id = $1', [testData.owner.id]);
      expect([hrefs.length, new Set(hrefs.map(({ href }) => href)).size]).toEqual([130, 130]);
      expect(await rows(`select 1 from ${table} where status <> 3`)).toEqual([]);
    });
  });

  describe('what is old', () => {
    const ofDevice = (columns: string) =>
      rows(`select ${columns} from ${table}_check where device_id = $1 order by 1`, [id]);
    const stored = async () => (await ofDevice('datetime')).map(({ datetime }) => Date.parse(datetime as string));
    const places = async () =>
      [
        ...(await ofDevice('tableoid::regclass as place')),
        ...(await rows('select tableoid::regclass as place from threat_blocker_traffic')),
      ].map(({ place }) => place);

    test('goes by the month when all of it is more than 90 days ago, but for what `check.stat` shows', async () => {
      const since = new Date(clock.at(-90 * 24));
      const first = Date.UTC(since.getUTCFullYear(), since.getUTCMonth());
      const applyRetention = () => Promise.all(gateways.map(({ app }) => app.jobs.run('reportRetention.keepMonths')));
      const reportOf = async (moment: number) => {
        const bucketStart = Math.floor(moment / 1000);
        const bucket = { bucketStart, bucketEnd: bucketStart + 60, totalRequests: 1, maliciousRequests: 0 };
        await store(db(), id, { datetime: new Date(moment), stat: stat(1), chartStat: [bucket] });
      };
      for (const moment of [first - 1, first, clock.now().getTime()]) await reportOf(moment);
      await applyRetention();
      const remaining = [first, clock.now().getTime()];
      expect(await stored()).toEqual(remaining);
      expect(await places()).not.toContainEqual(expect.stringMatching(/_other$/));
      // No job ran for two months, and then for years.
      clock.set(62 * 24);
      await reportOf(clock.now().getTime());
      expect(await places()).toContainEqual(`${table}_check_other`);
      await applyRetention();
      expect(await places()).not.toContainEqual(expect.stringMatching(/_other$/));
      const newest = clock.now();
      expect(await stored()).toEqual([...remaining.slice(-1), newest.getTime()]);
      clock.set(2 * 365 * 24);
      await applyRetention();
      expect(await stored()).toEqual([]);
      expect(await rows(`select stat from ${table} where id = $1`, [id])).toEqual([
        { stat: { ...stat(1), datetime: newest.toISOString() } },
      ]);
    });

    test('goes whole with a device that was deleted more than 30 days ago', async () => {
      await store(db(), id, { datetime: new Date(at(-24)), stat: stat(1) });
      const remaining = await build(db(), testData.organizationId);
      for (let count = 0; count < 12; count += 1) await build(db(), testData.organizationId);
      await rows(`update ${table} set deleted_at = $1`, [new Date(clock.now().getTime() - 30 * DAY - 1)]);
      await rows(`update ${table} set deleted_at = $2 where id = $1`, [
        remaining,
        new Date(clock.now().getTime() - 30 * DAY),
      ]);
      await Promise.all([job('purgeDeleted', 0), job('purgeDeleted', 1)]);
      expect(await rows(`select id from ${table}`)).toEqual([{ id: remaining }]);
      expect(await stored()).toEqual([]);
    });
  });
});
