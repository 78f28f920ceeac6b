import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/values/limits.js';
import { TestClock } from '../support/clock.js';
import { KINDS, type TestedKind } from '../support/device-kinds.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError } from '../support/matchers.js';
import { buildToken, seedTestData, type TestData } from '../support/test-data.js';
import { badTokens, expectExactly } from '../support/rest.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const clock = new TestClock();

let gateway: TestGateway;
let testData: TestData;
/** Of the manager; it may report and nothing else. */
let telemetry: string;

beforeAll(async () => {
  gateway = await startGateway({ now: clock.now });
  testData = await seedTestData(gateway.app.database);
  telemetry = await buildToken(gateway.app.database, testData.manager, { scopes: ['telemetry'] });
});
afterAll(() => gateway?.close());
beforeEach(() => clock.set(0));

const rows = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE);
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

describe.each(KINDS)('POST /api/v1/$segment/{id}/checks', (kind: TestedKind) => {
  const { segment, table, build, part, stat } = kind;
  let id: number;

  beforeEach(async () => {
    id = await build(gateway.app.database, testData.organizationId);
  });

  const path = () => `/api/v1/${segment}/${id}/checks`;
  const report = (minutesAgo: number, state = 1, more: object = {}) => ({
    datetime: ago(minutesAgo).toISOString(),
    stat: stat(state),
    ...more,
  });
  const send = (reports: unknown, token = telemetry) => gateway.rest.post(path(), { token, body: { reports } });
  const read = async () =>
    expectData(await gateway.rest.get(`/api/v1/${segment}/${id}`, { token: testData.owner.token }));
  const row = async () =>
    (
      await rows(`select status, last_seen_at as "lastSeenAt", updated_at as "updatedAt" from ${table} where id = $1`, [
        id,
      ])
    )[0]!;

  test('is for tokens of who manages the organization, and for no scope but telemetry', async () => {
    const { database } = gateway.app;
    for (const [name, token] of badTokens(testData)) {
      const answer = await gateway.rest.post(path(), {
        ...(token !== undefined && { token }),
        body: { reports: [report(1)] },
      });
      expect([name, answer.status, answer.text]).toEqual([name, 401, '{"error":1,"messages":[1001]}']);
    }
    for (const person of [testData.owner, testData.manager, testData.viewer])
      expectError(await send([report(1)], person.token), 403, [1003]);
    for (const person of [testData.officer, testData.viewer]) {
      const low = await buildToken(database, person, { scopes: ['telemetry'] });
      expectError(await send([report(1)], low), 403, [1003]);
    }
    for (const person of [testData.nonMember, testData.userWithoutOrganization]) {
      const token = await buildToken(database, person, { scopes: ['read', 'write', 'telemetry'] });
      expectError(await send([report(1)], token), 404, [1004]);
    }
    expectError(
      await gateway.rest.post(`/api/v1/${segment}/999999/checks`, { token: telemetry, body: { reports: [report(1)] } }),
      404,
      [1004],
    );
    const { stat, status } = (await read()).check;
    const parts = Object.entries(stat as object).filter(([name]) => name !== 'datetime');
    expect([status, ...parts.map(([, part]) => part)]).toEqual([0, 0, 0, 0]);
    expectData(await send([report(1)], await buildToken(database, testData.owner, { scopes: ['telemetry'] })));
  });

  test('feeds the newest report, the status and the web traffic', async () => {
    const web = { waf_protection: 3, total_managed_requests: 40 };
    const answer = await send([
      report(2, 2, { web_stat: web }),
      report(1, 1),
      report(3, 3, { web_stat: { ...web, waf_protection: 0 } }),
    ]);
    expectExactly(answer, 200, { error: 0, messages: [], data: { received: 3, newest: ago(1).toISOString() } });
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
  ])('takes the worst part for the status: a part at %i makes %i', async (state, status) => {
    expectData(await send([report(1, state)]));
    expect((await read()).check.status).toBe(status);
  });

  test('says nothing of the status when no part was checked', async () => {
    const unchecked = Object.fromEntries(Object.keys(stat(0)).map((name) => [name, 0]));
    expectData(await send([report(1, 0, { stat: unchecked })]));
    expect((await read()).check.status).toBe(0);
  });

  test('changes nothing when the same reports come again, and answers the same', async () => {
    const reports = [report(2, 2, { web_stat: { waf_protection: 1, total_managed_requests: 2 } }), report(1)];
    const first = await send(reports);
    const [before, rowBefore] = [await read(), await row()];
    clock.set(1);
    for (const again of [reports, reports.toReversed(), [...reports, ...reports]]) {
      const answer = await gateway.rest.post(path(), { token: telemetry, body: { reports: again } });
      expectExactly(answer, 200, { ...first.body, data: { ...first.body.data, received: again.length } });
    }
    expect((await gateway.rest.post(path(), { token: telemetry, body: { reports } })).text).toBe(first.text);
    expect([await read(), await row()]).toEqual([before, rowBefore]);
  });

  test('refuses a report that contradicts one of the same moment, and stores nothing of the request', async () => {
    const kept = report(5, 1, { web_stat: { waf_protection: 1, total_managed_requests: 2 } });
    expectData(await send([kept]));
    const before = await read();
    for (const other of [
      { ...kept, stat: stat(2) },
      { ...kept, web_stat: { waf_protection: 1, total_managed_requests: 3 } },
      { ...kept, web_stat: null },
    ]) {
      expectError(await send([report(1, 3), other]), 409, [1009]);
    }
    expectError(await send([report(1, 1), report(1, 2)]), 409, [1009]);
    expect(await read()).toEqual(before);
  });

  test('keeps late reports without letting them speak for the present', async () => {
    expectData(await send([report(10, 1)]));
    const seen = (await row())['lastSeenAt'];
    clock.set(0.1);
    const late = {
      ...report(0, 3, { web_stat: { waf_protection: 0, total_managed_requests: 9 } }),
      datetime: new Date(clock.at(0).getTime() - 20 * MINUTE).toISOString(),
    };
    expectData(await send([late]));
    const { check } = await read();
    expect(check.status).toBe(1);
    expect(check.stat.datetime).toBe(new Date(clock.at(0).getTime() - 10 * MINUTE).toISOString());
    expect(check.web_stat).toHaveLength(1);
    expect((await row())['lastSeenAt']).toBe(seen);
  });

  test('takes moments of the last 90 days, and five minutes ahead of our clock', async () => {
    const at = (milliseconds: number) => ({
      ...report(0),
      datetime: new Date(clock.now().getTime() + milliseconds).toISOString(),
    });
    expectData(await send([at(-90 * DAY), at(5 * MINUTE)]));
    expectError(await send([at(-90 * DAY - 1), at(0), at(5 * MINUTE + 1)]), 400, [
      'reports[0].datetime must not be more than 90 days ago',
      'reports[2].datetime must not be more than 5 minutes in the future',
    ]);
  });

  test('takes up to 100 reports, and one without a list', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => report(index));
    expect(expectData(await send(many(LIMITS.check.reports))).received).toBe(100);
    expectError(await send(many(LIMITS.check.reports + 1)), 400, ['reports must not have more than 100 items']);
    expectError(await send([]), 400, ['reports must not be empty']);
    const single = await gateway.rest.call('POST', path(), {
      token: telemetry,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reports: report(0.5) }),
    });
    expect(expectData(single).received).toBe(1);
  });

  test('tells all errors at once, each by its path', async () => {
    const wrong = {
      ...report(1),
      stat: { ...stat(1), [part]: 4 },
      web_stat: { waf_protection: -1, total_managed_requests: 1 },
    };
    expectError(await send([report(1), wrong]), 400, [
      'reports[1].web_stat.waf_protection must be an integer of 0 or more',
      `reports[1].stat.${part} must be one of 0, 1, 2, 3`,
    ]);
    expectError(await send([{ stat: { [part]: 'x' } }]), 400, [
      'reports[0].datetime is required',
      ...Object.keys(stat(1))
        .toSorted((one, other) => partOrder(kind, one) - partOrder(kind, other))
        .map((name) =>
          name === part
            ? `reports[0].stat.${name} must be an integer of 32 bits`
            : `reports[0].stat.${name} is required`,
        ),
    ]);
    expectError(await send([{ ...report(1), chart: 1 }]), 400, ['reports[0].chart is not a known field']);
  });

  test('finds no deleted device', async () => {
    await rows(`update ${table} set deleted_at = now() where id = $1`, [id]);
    expectError(await send([report(1)]), 404, [1004]);
  });

  test('leaves when the configuration was changed', async () => {
    const { updatedAt } = await row();
    expectData(await send([report(1)]));
    expect((await row())['updatedAt']).toBe(updatedAt);
  });

  test('lets a token for telemetry do nothing else', async () => {
    const one = `/api/v1/${segment}/${id}`;
    for (const answer of [
      await gateway.rest.get(one, { token: telemetry }),
      await gateway.rest.get(`${one}/series`, { token: telemetry }),
      await gateway.rest.get(`/api/v1/${segment}`, { token: telemetry }),
      await gateway.rest.patch(one, { token: telemetry, body: { services: [] } }),
      await gateway.rest.delete(one, { token: telemetry }),
      await gateway.rest.post(`${one}/restore`, { token: telemetry }),
    ]) {
      expectError(answer, 403, [1003]);
    }
  });

  test('takes 20,000 reports of one day, also from many at once, and no more', async () => {
    const begin = new Date(Math.floor(ago(48 * 60).getTime() / DAY) * DAY);
    const at = (milliseconds: number) => ({
      ...report(1),
      datetime: new Date(begin.getTime() + milliseconds).toISOString(),
    });
    await rows(
      `insert into ${table}_check (device_id, datetime, ${Object.keys(stat(1)).join(', ')})
       select $1, $2::timestamptz + n * interval '1 second', ${Object.values(stat(1)).join(', ')} from generate_series(1, 19995) n`,
      [id, begin],
    );
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => send([at(n + 1)])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 400, 400, 400]);
    const error = [`reports of ${begin.toISOString().slice(0, 10)} must not be more than 20000 of one device`];
    expectError(await send([at(0), report(1)]), 400, error);
    expectData(await send([at(-1), at(DAY), report(1)]));
  });

  test('is for a token that a manager has made for the device', async () => {
    const { createApiToken } = await gateway.graphql.data(
      'mutation { createApiToken(input: { name: "device", scopes: [TELEMETRY] }) { token } }',
      { token: testData.manager.token },
    );
    expectData(await send([report(1)], createApiToken.token as string));
  });
});

function partOrder({ type }: TestedKind, name: string): number {
  return (type === 'CloudDefender' ? ['fqdn', 'proxy', 'endpoint'] : ['vpn', 'dnsbl', 'iplist']).indexOf(name);
}

describe('the chart of a threat blocker', () => {
  const { build, stat } = KINDS[1]!;
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
  const send = (...reports: object[]) =>
    gateway.rest.post(`/api/v1/atb/${id}/checks`, { token: telemetry, body: { reports } });
  const chart = async () =>
    expectData(await gateway.rest.get(`/api/v1/atb/${id}`, { token: testData.owner.token })).check.chart_stat;

  test('shows of each bucket what the newest report said of it, in whatever order reports come', async () => {
    expectData(await send(report(30, [bucket(0, 20, 2), bucket(1, 90)]), report(40, [bucket(0, 10, 1)])));
    expect(await chart()).toEqual([bucket(1, 90), bucket(0, 20, 2)]);
    expectData(await send(report(50, [bucket(0, 5), bucket(2, 70)])));
    expect(await chart()).toEqual([bucket(2, 70), bucket(1, 90), bucket(0, 20, 2)]);
    expectData(await send(report(10, [bucket(0, 40, 3)])));
    expect((await chart()).at(-1)).toEqual(bucket(0, 40, 3));
    expectError(await send(report(10, [bucket(0, 41, 3)])), 409, [1009]);
  });

  test('shows a week of hours whole, whenever one looks', async () => {
    const week = Array.from({ length: 168 }, (_, index) => bucket(168 - index, index));
    for (let from = 0; from < 168; from += 48) expectData(await send(report(from + 1, week.slice(from, from + 48))));
    for (const hours of [0, 0.25, 0.99]) {
      clock.set(hours - (clock.at(0).getTime() % (60 * MINUTE)) / (60 * MINUTE));
      expect(await chart()).toEqual(week);
    }
  });

  test('takes buckets of a day at most, 48 of them, each once, with no more malicious requests than requests', async () => {
    const day = { ...bucket(24, 1, 1), bucket_end: bucket(24, 1).bucket_start + 86_400 };
    expectData(await send(report(1, [day])));
    const long = { ...day, bucket_end: day.bucket_end + 1 };
    const empty = { ...bucket(3, 0), bucket_end: bucket(3, 0).bucket_start };
    expectError(await send(report(2, [long, empty, bucket(2, 1, 2), bucket(2, 0)])), 400, [
      'reports[0].chart_stat[0].bucket_end must not be more than 86400 seconds after bucket_start',
      'reports[0].chart_stat[1].bucket_start must not lie in another bucket',
      'reports[0].chart_stat[1].bucket_end must be after bucket_start',
      'reports[0].chart_stat[2].bucket_start must not lie in another bucket',
      'reports[0].chart_stat[2].malicious_requests must not be greater than total_requests',
      'reports[0].chart_stat[3].bucket_start must not be given twice',
    ]);
    const half = { ...bucket(2, 1), bucket_start: bucket(2, 1).bucket_start + 1800 };
    expectError(await send(report(2, [half, bucket(2, 1)])), 400, [
      'reports[0].chart_stat[0].bucket_start must not lie in another bucket',
    ]);
    const many = (count: number) => Array.from({ length: count }, (_, index) => bucket(index, 1));
    expectData(await send(report(3, many(48))));
    expectError(await send(report(4, many(49))), 400, ['reports[0].chart_stat must not have more than 48 items']);
    expectError(await send(report(5, [bucket(90 * 24 + 2, 1)])), 400, [
      'reports[0].chart_stat[0].bucket_start must not be more than 90 days ago',
    ]);
  });
});

describe('POST /api/v1/atb/checks', () => {
  const { build, stat } = KINDS[1]!;
  const PATH = '/api/v1/atb/checks';
  let id: number;
  let key: string;

  beforeEach(async () => {
    id = await build(gateway.app.database, testData.organizationId);
    key = (await rows('select atb_key as key from threat_blocker where id = $1', [id]))[0]!['key'] as string;
  });

  const reports = () => [{ datetime: ago(1).toISOString(), stat: stat(2) }];
  const send = (atb_key: string, token = telemetry) =>
    gateway.rest.post(PATH, { token, body: { atb_key, reports: reports() } });

  test('is the same as reporting by number, whichever comes first', async () => {
    const byKey = await send(key);
    expectExactly(byKey, 200, { error: 0, messages: [], data: { received: 1, newest: ago(1).toISOString() } });
    const byNumber = await gateway.rest.post(`/api/v1/atb/${id}/checks`, {
      token: telemetry,
      body: { reports: reports() },
    });
    expect(byNumber.text).toBe(byKey.text);
    expect(await rows('select 1 from threat_blocker_check where device_id = $1', [id])).toHaveLength(1);
    expectData(await send(key.toUpperCase()));
  });

  test('asks for the same rights', async () => {
    const stranger = await buildToken(gateway.app.database, testData.nonMember, { scopes: ['telemetry'] });
    expectError(await send(key, stranger), 404, [1004]);
    expectError(await send('00000000-0000-4000-8000-000000000000'), 404, [1004]);
    expectError(await send(key, testData.owner.token), 403, [1003]);
    expectError(await send('a key'), 400, ['atb_key must be a UUID']);
    expectError(await gateway.rest.post(PATH, { token: telemetry, body: { id, reports: reports() } }), 400, [
      'atb_key is required',
      'id is not a known field',
    ]);
  });

  test('knows another key at once when it was rotated, and the one before no more', async () => {
    const rotate = `/api/v1/atb/${id}/rotate-key`;
    for (const { token } of [testData.officer, testData.viewer])
      expectError(await gateway.rest.post(rotate, { token }), 403, [1003]);
    expectError(await gateway.rest.post(rotate, { token: testData.tokens.readOnly }), 403, [1003]);
    expectError(await gateway.rest.post(rotate, { token: testData.nonMember.token }), 404, [1004]);
    const rotated = expectData(await gateway.rest.post(rotate, { token: testData.manager.token }));
    expect(rotated.atb_key).not.toBe(key);
    expect(rotated).toEqual(expectData(await gateway.rest.get(`/api/v1/atb/${id}`, { token: testData.owner.token })));
    expectError(await send(key), 404, [1004]);
    expectData(await send(rotated.atb_key as string));
  });
});
