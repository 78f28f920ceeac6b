import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY, MINUTE } from '../../src/common/time.js';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { KINDS, operationsOf, type TestedKind } from '../support/device-kinds.js';
import { someoneWaits } from '../support/lock-waits.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { buildToken } from '../support/test-data.js';

const clock = new TestClock();
const BLOCKER = KINDS[1] as TestedKind;

const { gateway, testData } = await startSeededGateway({ now: clock.now });
/** Token of the manager, with the scope for reports only. */
const telemetry = await buildToken(gateway.app.database, testData.manager, { scopes: ['telemetry'] });
beforeEach(() => clock.set(0));

const rows = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE);
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

describe.each(APIS.flatMap((api) => KINDS.map((kind) => ({ ...kind, api }))))(
  'reports of a $one through $api',
  ({ api, ...kind }) => {
    const { table, build, part, stat } = kind;
    const OPERATIONS = operationsOf(kind);
    let id: number;

    beforeEach(async () => {
      id = await build(gateway.app.database, testData.organizationId);
    });

    const report = (minutesAgo: number, state = 1, more: object = {}) => ({
      datetime: ago(minutesAgo).toISOString(),
      stat: stat(state),
      ...more,
    });
    const send = (reports: unknown, token = telemetry) =>
      callThrough(api, gateway, OPERATIONS.report, { id, reports }, token);
    const read = async () => dataOf(await callThrough(api, gateway, OPERATIONS.read, { id }, testData.owner.token));
    const row = async () =>
      (
        await rows(
          `select status, last_seen_at as "lastSeenAt", updated_at as "updatedAt" from ${table} where id = $1`,
          [id],
        )
      )[0]!;

    test('feed the newest report, the status and the web traffic', async () => {
      const web = { waf_protection: 3, total_managed_requests: 40 };
      const answer = await send([
        report(2, 2, { web_stat: web }),
        report(1, 1),
        report(3, 3, { web_stat: { ...web, waf_protection: 0 } }),
      ]);
      expect(JSON.stringify(dataOf(answer))).toBe(JSON.stringify({ received: 3, newest: ago(1).toISOString() }));
      const { check } = await read();
      expect(check).toMatchObject({
        stat: { ...stat(1), datetime: ago(1).toISOString() },
        status: 1,
        web_stat: [
          { datetime: ago(3).toISOString(), waf_protection: 0, total_managed_requests: 40 },
          { datetime: ago(2).toISOString(), ...web },
        ],
      });
      expect(await row()).toMatchObject({ lastSeenAt: clock.now().toISOString() });
    });

    test.each([
      [0, 1],
      [1, 1],
      [2, 2],
      [3, 3],
    ])('take the worst part for the status: a part at %i makes %i', async (state, status) => {
      dataOf(await send([report(1, state)]));
      expect((await read()).check.status).toBe(status);
    });

    test('leave the status unknown when no part was checked', async () => {
      const unchecked = Object.fromEntries(Object.keys(stat(0)).map((name) => [name, 0]));
      dataOf(await send([report(1, 0, { stat: unchecked })]));
      expect((await read()).check.status).toBe(0);
    });

    test('change nothing when the same reports come again, and are answered the same', async () => {
      const reports = [report(2, 2, { web_stat: { waf_protection: 1, total_managed_requests: 2 } }), report(1)];
      const first = dataOf(await send(reports));
      const [before, rowBefore] = [await read(), await row()];
      clock.set(1);
      for (const again of [reports, reports.toReversed(), [...reports, ...reports]])
        expect(dataOf(await send(again))).toEqual({ ...first, received: again.length });
      expect([await read(), await row()]).toEqual([before, rowBefore]);
    });

    test('are refused with a report that contradicts one of the same moment, and nothing of the request is stored', async () => {
      const stored = report(5, 1, { web_stat: { waf_protection: 1, total_managed_requests: 2 } });
      dataOf(await send([stored]));
      const before = await read();
      for (const other of [
        { ...stored, stat: stat(2) },
        { ...stored, web_stat: { waf_protection: 1, total_managed_requests: 3 } },
        { ...stored, web_stat: null },
      ]) {
        expectConflict(await send([report(1, 3), other]), 'DEVICE_REPORT_DIFFERS');
      }
      expectConflict(await send([report(1, 1), report(1, 2)]), 'DEVICE_REPORT_DIFFERS');
      expect(await read()).toEqual(before);
    });

    test('are stored when they are late, and do not change the present state', async () => {
      dataOf(await send([report(10, 1)]));
      const seen = (await row())['lastSeenAt'];
      clock.set(0.1);
      const late = {
        ...report(0, 3, { web_stat: { waf_protection: 0, total_managed_requests: 9 } }),
        datetime: new Date(clock.at(0).getTime() - 20 * MINUTE).toISOString(),
      };
      dataOf(await send([late]));
      const { check } = await read();
      expect(check.status).toBe(1);
      expect(check.stat.datetime).toBe(new Date(clock.at(0).getTime() - 10 * MINUTE).toISOString());
      expect(check.web_stat).toHaveLength(1);
      expect((await row())['lastSeenAt']).toBe(seen);
    });

    test('are of the last 90 days, or at most five minutes ahead of the clock of the gateway', async () => {
      const at = (milliseconds: number) => ({
        ...report(0),
        datetime: new Date(clock.now().getTime() + milliseconds).toISOString(),
      });
      dataOf(await send([at(-90 * DAY), at(5 * MINUTE)]));
      expectFailure(await send([at(-90 * DAY - 1), at(0), at(5 * MINUTE + 1)]), 'BAD_USER_INPUT', [
        'reports[0].datetime must not be more than 90 days ago',
        'reports[2].datetime must not be more than 5 minutes in the future',
      ]);
    });

    test('are at most 100 in one request, and one may come without a list', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => report(index));
      expect(dataOf(await send(many(LIMITS.check.reports))).received).toBe(100);
      expectFailure(await send(many(LIMITS.check.reports + 1)), 'BAD_USER_INPUT', [
        'reports must not have more than 100 items',
      ]);
      expectFailure(await send([]), 'BAD_USER_INPUT', ['reports must not be empty']);
      expect(dataOf(await send(report(0.5))).received).toBe(1);
    });

    test('are refused with every error at once, each by its path', async () => {
      const wrong = {
        ...report(1),
        stat: { ...stat(1), [part]: 4 },
        web_stat: { waf_protection: -1, total_managed_requests: 1 },
      };
      expectFailure(await send([report(1), wrong]), 'BAD_USER_INPUT', [
        'reports[1].web_stat.waf_protection must be an integer of 0 or more',
        `reports[1].stat.${part} must be one of 0, 1, 2, 3`,
      ]);
      expectFailure(await send([{ stat: stat(1) }]), 'BAD_USER_INPUT', ['reports[0].datetime is required']);
      expectFailure(await send([{ ...report(1), chart: 1 }]), 'BAD_USER_INPUT', [
        'reports[0].chart is not a known field',
      ]);
    });

    test('find no deleted device', async () => {
      await rows(`update ${table} set deleted_at = now() where id = $1`, [id]);
      expectFailure(await send([report(1)]), 'NOT_FOUND');
    });

    test('do not change when the configuration was changed', async () => {
      const { updatedAt } = await row();
      dataOf(await send([report(1)]));
      expect((await row())['updatedAt']).toBe(updatedAt);
    });

    test('are at most 20,000 of one day, also when many requests are sent at once', async () => {
      const begin = new Date(Math.floor(ago(48 * 60).getTime() / DAY) * DAY);
      const at = (milliseconds: number) => ({
        ...report(1),
        datetime: new Date(begin.getTime() + milliseconds).toISOString(),
      });
      await rows(
        `insert into ${table}_check (organization_id, device_id, datetime, ${Object.keys(stat(1)).join(', ')})
       select $3, $1, $2::timestamptz + n * interval '1 second', ${Object.values(stat(1)).join(', ')} from generate_series(1, 19995) n`,
        [id, begin, testData.organizationId],
      );
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => send([at(n + 1)])));
      expect(answers.map(({ code }) => code).toSorted()).toEqual([
        ...Array<string>(3).fill('BAD_USER_INPUT'),
        ...Array<string>(5).fill('OK'),
      ]);
      const error = [`reports of ${begin.toISOString().slice(0, 10)} must not be more than 20000 of one device`];
      expectFailure(await send([at(0), report(1)]), 'BAD_USER_INPUT', error);
      dataOf(await send([at(-1), at(DAY), report(1)]));
    });

    test('are accepted with a token that a manager has made for the device', async () => {
      const { createApiToken } = await gateway.graphql.data(
        'mutation { createApiToken(input: { name: "device", scopes: [TELEMETRY] }) { token } }',
        { token: testData.manager.token },
      );
      dataOf(await send([report(1)], createApiToken.token as string));
    });
  },
);

describe.each(APIS)('the chart of a threat blocker through %s', (api) => {
  const { build, stat } = BLOCKER;
  const OPERATIONS = operationsOf(BLOCKER);
  let id: number;

  beforeEach(async () => {
    id = await build(gateway.app.database, testData.organizationId);
  });

  const bucket = (hoursAgo: number, total: number, malicious = 0) => {
    const start = Math.floor(seconds(clock.at(0)) / 3600) * 3600 - hoursAgo * 3600;
    return { bucket_start: start, bucket_end: start + 3600, total_requests: total, malicious_requests: malicious };
  };
  const report = (minutesAgo: number, chart_stat: object[]) => ({
    datetime: ago(minutesAgo).toISOString(),
    stat: stat(1),
    chart_stat,
  });
  const send = (...reports: object[]) => callThrough(api, gateway, OPERATIONS.report, { id, reports }, telemetry);
  const chart = async () =>
    dataOf(await callThrough(api, gateway, OPERATIONS.read, { id }, testData.owner.token)).check.chart_stat;

  test('shows each bucket as the newest report has it, in whatever order reports come', async () => {
    dataOf(await send(report(30, [bucket(0, 20, 2), bucket(1, 90)]), report(40, [bucket(0, 10, 1)])));
    expect(await chart()).toEqual([bucket(1, 90), bucket(0, 20, 2)]);
    dataOf(await send(report(50, [bucket(0, 5), bucket(2, 70)])));
    // The same report with another order of its buckets.
    dataOf(await send(report(50, [bucket(2, 70), bucket(0, 5)])));
    expect(await chart()).toEqual([bucket(2, 70), bucket(1, 90), bucket(0, 20, 2)]);
    dataOf(await send(report(10, [bucket(0, 40, 3)])));
    expect((await chart()).at(-1)).toEqual(bucket(0, 40, 3));
    expectConflict(await send(report(10, [bucket(0, 41, 3)])), 'DEVICE_REPORT_DIFFERS');
  });

  test('shows every hour of a week at any time of an hour', async () => {
    const week = Array.from({ length: 168 }, (_, index) => bucket(168 - index, index));
    for (let from = 0; from < 168; from += 48) dataOf(await send(report(from + 1, week.slice(from, from + 48))));
    for (const hours of [0, 0.25, 0.99]) {
      clock.set(hours - (clock.at(0).getTime() % (60 * MINUTE)) / (60 * MINUTE));
      expect(await chart()).toEqual(week);
    }
  });

  test('accepts buckets of a day at most, 48 of them, each once, with no more malicious requests than requests', async () => {
    const day = { ...bucket(24, 1, 1), bucket_end: bucket(24, 1).bucket_start + 86_400 };
    dataOf(await send(report(1, [day])));
    const long = { ...day, bucket_end: day.bucket_end + 1 };
    const empty = { ...bucket(3, 0), bucket_end: bucket(3, 0).bucket_start };
    expectFailure(await send(report(2, [long, empty, bucket(2, 1, 2), bucket(2, 0)])), 'BAD_USER_INPUT', [
      'reports[0].chart_stat[0].bucket_end must not be more than 86400 seconds after bucket_start',
      'reports[0].chart_stat[1].bucket_start must not lie in another bucket',
      'reports[0].chart_stat[1].bucket_end must be after bucket_start',
      'reports[0].chart_stat[2].bucket_start must not lie in another bucket',
      'reports[0].chart_stat[2].malicious_requests must not be greater than total_requests',
      'reports[0].chart_stat[3].bucket_start must not be given twice',
    ]);
    const half = { ...bucket(2, 1), bucket_start: bucket(2, 1).bucket_start + 1800 };
    expectFailure(await send(report(2, [half, bucket(2, 1)])), 'BAD_USER_INPUT', [
      'reports[0].chart_stat[0].bucket_start must not lie in another bucket',
    ]);
    const many = (count: number) => Array.from({ length: count }, (_, index) => bucket(index, 1));
    dataOf(await send(report(3, many(48))));
    expectFailure(await send(report(4, many(49))), 'BAD_USER_INPUT', [
      'reports[0].chart_stat must not have more than 48 items',
    ]);
    expectFailure(await send(report(5, [bucket(90 * 24 + 2, 1)])), 'BAD_USER_INPUT', [
      'reports[0].chart_stat[0].bucket_start must not be more than 90 days ago',
    ]);
  });
});

const BY_KEY = mutation('POST /api/v1/atb/checks', 'reportThreatBlockerCheckByKey', 'receipt { received newest }');
const ROTATE = mutation('POST /api/v1/atb/{id}/rotate-key', 'rotateAtbKey', 'threatBlocker { atb_key: atbKey }', {
  id: 'threatBlockerId',
});

describe.each(APIS)('reports by the key of a threat blocker through %s', (api) => {
  const { build, stat } = BLOCKER;
  const OPERATIONS = operationsOf(BLOCKER);
  let id: number;
  let key: string;

  beforeEach(async () => {
    id = await build(gateway.app.database, testData.organizationId);
    key = (await rows('select atb_key as key from threat_blocker where id = $1', [id]))[0]!['key'] as string;
  });

  const reports = () => [{ datetime: ago(1).toISOString(), stat: stat(2) }];
  const send = (atb_key: unknown, token = telemetry) =>
    callThrough(api, gateway, BY_KEY, { atb_key, reports: reports() }, token);

  test('are the same as reports by id, whichever comes first', async () => {
    const byKey = dataOf(await send(key));
    expect(JSON.stringify(byKey)).toBe(JSON.stringify({ received: 1, newest: ago(1).toISOString() }));
    const byId = await callThrough(api, gateway, OPERATIONS.report, { id, reports: reports() }, telemetry);
    expect(dataOf(byId)).toEqual(byKey);
    expect(await rows('select 1 from threat_blocker_check where device_id = $1', [id])).toHaveLength(1);
    dataOf(await send(key.toUpperCase()));
  });

  test('require a known key and a token of a manager of the device', async () => {
    const other = await buildToken(gateway.app.database, testData.nonMember, { scopes: ['telemetry'] });
    expectFailure(await send(key, other), 'NOT_FOUND');
    expectFailure(await send('00000000-0000-4000-8000-000000000000'), 'NOT_FOUND');
    expectFailure(await send(key, testData.owner.token), 'FORBIDDEN');
    expectFailure(await send('a key'), 'BAD_USER_INPUT', ['atb_key must be a UUID']);
    // GraphQL takes a number for any ID, as its text.
    const kind = api === 'REST' ? 'a string' : 'a UUID';
    expectFailure(await send(-2147483649), 'BAD_USER_INPUT', [`atb_key must be ${kind}`]);
    const withId = await callThrough(api, gateway, BY_KEY, { id, reports: reports() }, telemetry);
    expectFailure(withId, 'BAD_USER_INPUT', ['atb_key is required', 'id is not a known field']);
  });

  test('are accepted by a rotated key at once, and by the one before no more', async () => {
    const rotated = dataOf(await callThrough(api, gateway, ROTATE, { id }, testData.manager.token)).atb_key as string;
    expect(rotated).not.toBe(key);
    const read = dataOf(await callThrough(api, gateway, OPERATIONS.read, { id }, testData.owner.token));
    expect(read.atb_key).toBe(rotated);
    expectFailure(await send(key), 'NOT_FOUND');
    dataOf(await send(rotated));
  });

  test('are not accepted by a key that is rotated meanwhile', async () => {
    let sent: ReturnType<typeof send> | undefined;
    await gateway.app.database.transaction(async (tx) => {
      await tx.rows('update threat_blocker set atb_key = gen_random_uuid() where id = $1', [id]);
      sent = send(key);
      await someoneWaits(tx);
    });
    expectFailure(await sent!, 'NOT_FOUND');
    expect(await rows('select 1 from threat_blocker_check where device_id = $1', [id])).toEqual([]);
  });
});
