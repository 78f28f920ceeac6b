import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../../src/common/time.js';
import { TestClock } from '../support/clock.js';
import { KINDS } from '../support/device-kinds.js';
import { expectData } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildToken } from '../support/test-data.js';

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now, config: { deviceReportsWholeDays: 7 } });
const db = gateway.app.database;
const telemetry = await buildToken(db, testData.manager, { scopes: ['telemetry'] });
const rows = (text: string, values: unknown[] = []) => db.rows(text, values);

beforeEach(() => clock.set(0));

describe.each(KINDS)('old reports of a $one', ({ segment, table, build, store, stat }) => {
  let id: number;
  /** Nine days ago, at midnight. */
  let begin: number;

  beforeEach(async () => {
    await rows(`delete from ${table}`);
    id = await build(db, testData.organizationId);
    begin = Math.floor((clock.now().getTime() - 9 * DAY) / DAY) * DAY;
    await rows(`update ${table} set thinned_until = $2 where id = $1`, [id, new Date(begin)]);
  });

  const at = (minutes: number) => new Date(begin + minutes * MINUTE);
  const report = (minutes: number, state: number, web?: [number, number]) =>
    store(db, id, {
      ...{ datetime: at(minutes), stat: stat(state) },
      ...(web && { webStat: { wafProtection: web[0], totalManagedRequests: web[1] } }),
    });
  const thin = () => gateway.app.jobs.run('reportThinnings.thin');
  const left = async () => {
    const found = await rows(
      `select datetime, reports, waf_protection as stopped, total_managed_requests as handled from ${table}_check
        where device_id = $1 order by datetime`,
      [id],
    );
    return found.map(({ datetime, reports, stopped, handled }) => [
      ...[(Date.parse(datetime as string) - begin) / MINUTE, reports, stopped, handled],
    ]);
  };
  const series = async (bucket: string) => {
    const query = `from=${at(-60).toISOString()}&to=${new Date(begin + 10 * DAY).toISOString()}&bucket=${bucket}`;
    const path = `/api/v1/${segment}/${id}/series?${query}`;
    return expectData(await gateway.rest.get(path, { token: testData.owner.token }));
  };

  test('of a day whose last ones may still be on their way are left alone until an hour later', async () => {
    for (const minutes of [1, 11, 21, 31]) await report(DAY / MINUTE + minutes, 1);
    const afterMidnight = (time: number) => clock.set(0, begin + 9 * DAY + time - clock.at(0).getTime());
    afterMidnight(HOUR - 1);
    await thin();
    expect(await left()).toHaveLength(4);
    afterMidnight(HOUR);
    await thin();
    expect(await left()).toHaveLength(2);
  });

  test('are thinned to the last one of each hour and those where the status changed, and series stay as they are', async () => {
    for (const [minutes, state, web] of [
      ...[
        // At the beginning of the day whose reports are thinned.
        [0, 1, [1, 10]],
        [1, 1],
        [11, 1, [2, 20]],
        [21, 3, [3, 30]],
        [31, 3],
        [41, 3, [4, 40]],
        [51, 1, [5, 50]],
      ],
      ...[
        [61, 1],
        [71, 1],
        [81, 1],
        [121, 3],
        [131, 1, [6, 60]],
        [141, 1, [7, 70]],
        [151, 1],
      ],
    ] as [number, number, [number, number]?][])
      await report(minutes, state, web);
    const before = [await series('HOUR'), await series('DAY')];
    await thin();
    expect(await left()).toEqual([
      ...[
        [0, 1, 1, 10],
        [11, 2, 2, 20],
        [21, 1, 3, 30],
        [41, 2, 4, 40],
        [51, 1, 5, 50],
      ],
      ...[
        [81, 3, null, null],
        [121, 1, null, null],
        [131, 1, 6, 60],
        [151, 2, 7, 70],
      ],
    ]);
    expect([await series('HOUR'), await series('DAY')]).toEqual(before);
    const once = await left();
    await thin();
    expect(await left()).toEqual(once);
  });

  test('stay whole for seven days, and are refused when they come later', async () => {
    const hour = Math.floor((clock.now().getTime() - 6 * DAY) / HOUR) * HOUR;
    for (const minutes of [1, 2, 3]) await report((hour - begin) / MINUTE + minutes, 1);
    await thin();
    expect(await left()).toHaveLength(3);
    const send = (milliseconds: number) =>
      gateway.rest.post(`/api/v1/${segment}/${id}/checks`, {
        token: telemetry,
        body: { reports: [{ datetime: new Date(clock.now().getTime() - milliseconds).toISOString(), stat: stat(1) }] },
      });
    expectData(await send(7 * DAY));
    expect((await send(7 * DAY + 1)).body).toMatchObject({
      messages: ['reports[0].datetime must not be more than 7 days ago'],
    });
  });

  test('of the first hours of the seven days stay whole, whatever the hour until which the device was thinned', async () => {
    const whole = Math.floor((clock.now().getTime() - 7 * DAY - HOUR) / DAY) * DAY;
    const minutes = (whole - begin) / MINUTE;
    await rows(`update ${table} set thinned_until = $2 where id = $1`, [id, new Date(whole - 5 * HOUR)]);
    for (const after of [-3, -2, -1, 1, 2, 3]) await report(minutes + after, 1);
    await thin();
    expect((await left()).map(([at]) => at)).toEqual([-3, -1, 1, 2, 3].map((after) => minutes + after));
  });

  test('of several devices are thinned for each by itself', async () => {
    const other = await build(db, testData.organizationId);
    await rows(`update ${table} set thinned_until = $2 where id = $1`, [other, new Date(begin)]);
    for (const minutes of [1, 11, 21]) await store(db, other, { datetime: at(minutes), stat: stat(3) });
    for (const minutes of [2, 12, 22]) await report(minutes, 1);
    await thin();
    expect(await left()).toEqual([
      [2, 1, null, null],
      [22, 2, null, null],
    ]);
  });

  test('whose sums exceed every column stay as they are, and other devices are thinned', async () => {
    for (const minutes of [1, 2, 3]) await report(minutes, 1, [2_000_000_000, 2_000_000_000]);
    const other = await build(db, testData.otherOrganizationId);
    await rows(`update ${table} set thinned_until = $2 where id = $1`, [other, new Date(begin)]);
    for (const minutes of [1, 2, 3, 4]) await store(db, other, { datetime: at(minutes), stat: stat(1) });
    const before = await series('DAY');
    await thin();
    expect(await left()).toHaveLength(3);
    expect(await series('DAY')).toEqual(before);
    expect(await rows(`select reports from ${table}_check where device_id = $1 order by datetime`, [other])).toEqual([
      { reports: 1 },
      { reports: 3 },
    ]);
  });
});
