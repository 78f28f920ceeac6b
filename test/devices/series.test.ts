import { beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR } from '../../src/common/time.js';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, callThrough, dataOf, expectFailure } from '../support/apis.js';
import { KINDS } from '../support/device-kinds.js';
import { expectError } from '../support/matchers.js';
import { dataTwice, errorsTwice } from '../support/twice.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

const NOW = new Date('2026-03-04T10:23:00.000Z');

const { gateway, testData, watch } = await startWatchedGateway({ now: () => NOW });

const rows = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const token = () => testData.manager.token;

describe.each(KINDS)('the series of a $one', ({ segment, table, one, many, build, stat }) => {
  const blocker = one === 'threatBlocker';
  const POINT = `begin reports status waf_protection: wafProtection total_managed_requests: totalManagedRequests
    ${blocker ? 'total_requests: totalRequests malicious_requests: maliciousRequests' : ''}`;
  const SERIES = {
    rest: `GET /api/v1/${segment}/{id}/series`,
    graphql: `query ($id: ID!, $from: DateTime, $to: DateTime, $bucket: SeriesSize) {
      ${one}(id: $id) { check { series(from: $from, to: $to, bucket: $bucket) { from to bucket points { ${POINT} } } } } }`,
    at: `${one}.check.series`,
  };
  const nothing = {
    reports: 0,
    status: 0,
    waf_protection: 0,
    total_managed_requests: 0,
    ...(blocker && { total_requests: 0, malicious_requests: 0 }),
  };
  const traffic = (total_requests: number, malicious_requests: number) =>
    blocker ? { total_requests, malicious_requests } : {};
  let id: number;

  beforeAll(async () => {
    id = await build(gateway.app.database, testData.organizationId);
    const parts = Object.keys(stat(1));
    const report = (at: string, state: number, waf: number | null, managed: number | null) =>
      rows(
        `insert into ${table}_check (organization_id, device_id, datetime, ${parts.join(', ')}, waf_protection, total_managed_requests)
         values ($1, $2, $3, ${Object.values(stat(state)).join(', ')}, $4, $5)`,
        [testData.organizationId, id, at, waf, managed],
      );
    await report('2026-03-03T23:59:59.999Z', 1, 1, 10);
    await report('2026-03-04T00:00:00.000Z', 2, 2, 2_000_000_000);
    await report('2026-03-04T00:30:00.000Z', 3, 3, 2_000_000_000);
    await report('2026-03-04T00:59:59.999Z', 1, null, null);
    await report('2026-03-04T02:00:00.000Z', 1, 5, 50);
    if (!blocker) return;
    await rows(
      `insert into threat_blocker_traffic (organization_id, device_id, bucket_start, bucket_end, total_requests, malicious_requests)
       select $1, $2, extract(epoch from start)::int, extract(epoch from start)::int + 900, 100, 7
         from unnest($3::timestamptz[]) start`,
      [testData.organizationId, id, ['2026-03-04T00:00:00Z', '2026-03-04T00:45:00Z', '2026-03-04T01:00:00Z']],
    );
  });

  describe.each(APIS)('through %s', (api) => {
    const call = (query: object) => callThrough(api, gateway, SERIES, { id, ...query }, token());
    const series = async (query: object) => dataOf(await call(query));

    test('sums each hour, shows its worst state, and shows hours in which nothing was reported', async () => {
      const first = { reports: 1, status: 1, waf_protection: 1, total_managed_requests: 10 };
      const worst = { reports: 3, status: 3, waf_protection: 5, total_managed_requests: 4_000_000_000 };
      const last = { reports: 1, status: 1, waf_protection: 5, total_managed_requests: 50 };
      const found = await series({ from: '2026-03-03T23:10:00Z', to: '2026-03-04T02:01:00Z', bucket: 'HOUR' });
      expect(JSON.stringify(found)).toBe(
        JSON.stringify({
          from: '2026-03-03T23:00:00.000Z',
          to: '2026-03-04T03:00:00.000Z',
          bucket: 'HOUR',
          points: [
            { begin: '2026-03-03T23:00:00.000Z', ...nothing, ...first },
            { begin: '2026-03-04T00:00:00.000Z', ...nothing, ...worst, ...traffic(200, 14) },
            { begin: '2026-03-04T01:00:00.000Z', ...nothing, ...traffic(100, 7) },
            { begin: '2026-03-04T02:00:00.000Z', ...nothing, ...last },
          ],
        }),
      );
    });

    test('sums days of UTC', async () => {
      const first = { reports: 1, status: 1, waf_protection: 1, total_managed_requests: 10 };
      const second = { reports: 4, status: 3, waf_protection: 10, total_managed_requests: 4_000_000_050 };
      const { points } = await series({ from: '2026-03-03T12:00:00Z', to: '2026-03-04T12:00:00Z', bucket: 'DAY' });
      expect(points).toEqual([
        { begin: '2026-03-03T00:00:00.000Z', ...nothing, ...first },
        { begin: '2026-03-04T00:00:00.000Z', ...nothing, ...second, ...traffic(300, 21) },
      ]);
    });

    test('is of the last seven days by the hour unless it is said otherwise', async () => {
      const { from, to, bucket, points } = await series({});
      expect({ from, to, bucket }).toEqual({
        from: '2026-02-25T11:00:00.000Z',
        to: '2026-03-04T11:00:00.000Z',
        bucket: 'HOUR',
      });
      expect(points).toHaveLength(168);
      expect(await series({ to: '2026-03-04T01:00:00Z' })).toMatchObject({
        from: '2026-02-25T01:00:00.000Z',
        to: '2026-03-04T01:00:00.000Z',
      });
    });

    test('has 2,200 buckets at most, and one at least', async () => {
      const to = NOW.getTime() - (NOW.getTime() % HOUR);
      const of = (buckets: number) => ({
        from: new Date(to - buckets * HOUR).toISOString(),
        to: new Date(to).toISOString(),
      });
      expect((await series(of(LIMITS.check.seriesBuckets))).points).toHaveLength(2_200);
      expectFailure(await call(of(LIMITS.check.seriesBuckets + 1)), 'BAD_USER_INPUT', [
        'a series must not have more than 2200 buckets',
      ]);
      expect((await series(of(1))).points).toHaveLength(1);
      for (const buckets of [0, -1])
        expectFailure(await call(of(buckets)), 'BAD_USER_INPUT', ['from must be before to']);
    });

    test('answers the edges of the calendar, and refuses what lies beyond', async () => {
      for (const day of ['0001-01-01', '2050-01-01', '9999-12-30']) {
        const from = `${day}T00:00:00.000Z`;
        const to = new Date(Date.parse(from) + 24 * HOUR).toISOString();
        expect((await series({ from, to, bucket: 'DAY' })).points).toEqual([{ begin: from, ...nothing }]);
      }
      for (const to of ['9999-12-31T23:30:00Z', '0001-01-02T00:00:00Z'])
        expectFailure(await call({ to }), 'BAD_USER_INPUT', [
          'the buckets of a series must lie in the years 1 to 9999',
        ]);
    });
  });

  test('names every error of its parameters through REST', async () => {
    const path = `/api/v1/${segment}/${id}/series?from=yesterday&to=2026-03-04&bucket=hour`;
    expectError(await gateway.rest.get(path, { token: token() }), 400, [
      'from must be a date-time such as 2026-11-20T08:15:30Z',
      'to must be a date-time such as 2026-11-20T08:15:30Z',
      'bucket must be one of HOUR, DAY',
    ]);
  });

  test('shows the fields that are selected through GraphQL', async () => {
    const args = '(from: "2026-03-04T02:00:00Z", to: "2026-03-04T02:00:01Z")';
    for (const [field, value] of [
      ['wafProtection', 5],
      ['begin', '2026-03-04T02:00:00.000Z'],
    ] as const) {
      const query = `{ ${one}(id: ${id}) { check { series${args} { points { ${field} } } } } }`;
      const { check } = (await dataTwice(gateway.graphql, query, { token: token() }))[one];
      expect(check.series.points).toEqual([{ [field]: value }]);
    }
  });

  test('of many devices takes the statements of one, and is bounded over all of them', async () => {
    const list = (first: number, args = '') =>
      `{ organization(id: ${testData.organizationId}) { ${many}(first: ${first}) { nodes { check { series${args} { points { ${POINT} } } } } } } }`;
    while ((await rows(`select 1 from ${table}`)).length < 12)
      await build(gateway.app.database, testData.organizationId);
    const statements = async (query: string) => {
      await dataTwice(gateway.graphql, query, { token: token() });
      const sent = await watch.during(() => gateway.graphql.data(query, { token: token() }));
      // The caller is looked up again after some time.
      return sent.filter((text) => text.includes(table));
    };
    expect(await statements(list(10))).toHaveLength((await statements(list(1))).length);
    const whole = '(from: "2025-12-03T00:00:00Z", to: "2026-03-04T00:00:00Z")';
    expect(await gateway.graphql.error(list(12, whole), { token: token() })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['the buckets of all series of an operation must not be more than 22000'],
    });
    expect(
      (await dataTwice(gateway.graphql, list(10, whole), { token: token() })).organization[many].nodes,
    ).toHaveLength(10);
  });

  test('is bounded over all fields of an operation, whatever their names', async () => {
    const whole = 'series(from: "2025-12-04T10:00:00Z", to: "2026-03-04T10:00:00Z") { points { begin } }';
    const aliases = (count: number) =>
      `{ ${one}(id: ${id}) { check { ${Array.from({ length: count }, (_, n) => `a${n}: ${whole}`).join(' ')} } } }`;
    expect(Object.keys((await dataTwice(gateway.graphql, aliases(10), { token: token() }))[one].check)).toHaveLength(
      10,
    );
    expect((await errorsTwice(gateway.graphql, aliases(11), { token: token() }))[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      messages: ['the buckets of all series of an operation must not be more than 22000'],
    });
  });

  test('of its `check` has 100,000 rows at most in one operation', async () => {
    const devices = await rows(`select id from ${table} where organization_id = $1 order by id limit 5`, [
      testData.organizationId,
    ]);
    await rows(
      `insert into ${table}_check (organization_id, device_id, datetime, ${Object.keys(stat(1)).join(', ')}, waf_protection, total_managed_requests)
       select $3, id, $2::timestamptz - n * interval '20 minutes' - interval '1 second', ${Object.values(stat(1)).join(', ')}, 1, 1
         from unnest($1::bigint[]) id, generate_series(1, 500) n`,
      [devices.map((device) => device['id']), NOW, testData.organizationId],
    );
    const list = (
      first: number,
    ) => `{ organization(id: ${testData.organizationId}) { ${many}(first: ${first}) { nodes { check {
      ${Array.from({ length: 50 }, (_, n) => `a${n}: webStat { datetime }`).join(' ')} } } } } }`;
    const { nodes } = (await dataTwice(gateway.graphql, list(4), { token: token() })).organization[many];
    expect(nodes[3].check.a49).toHaveLength(LIMITS.check.statRows);
    expect(await gateway.graphql.error(list(5), { token: token() })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: ['the rows of all web_stat and chart_stat of an operation must not be more than 100000'],
    });
  });
});
