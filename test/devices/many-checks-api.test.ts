import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY, MINUTE } from '../../src/common/time.js';
import { APIS, callThrough, dataOf, expectFailure } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { KINDS, operationsOf, type TestedKind } from '../support/device-kinds.js';
import { someoneWaits } from '../support/lock-waits.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildToken, join } from '../support/test-data.js';
import { until } from '../support/until.js';

const clock = new TestClock();
const BLOCKER = KINDS[1] as TestedKind;

const { gateway, testData } = await startSeededGateway({ now: clock.now });
const db = gateway.app.database;
/** Token of the manager, with the scope for reports only. */
const telemetry = await buildToken(db, testData.manager, { scopes: ['telemetry'] });
/** Another organization of the same manager. */
const second = await buildOrganization(db, 'Second');
await join(db, testData.manager, second, 'ORGANIZATION_MANAGER');

const rows = (text: string, values: unknown[] = []) => db.rows(text, values);
const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE).toISOString();

const manyOf = ({ segment, type }: TestedKind) =>
  mutation(
    `POST /api/v1/${segment}/checks/batch`,
    `report${type}Checks`,
    'rows { row outcome error { code field message } }',
  );

beforeEach(() => clock.set(0));

describe.each(APIS.flatMap((api) => KINDS.map((kind) => ({ ...kind, api }))))(
  'reports of many of $many through $api',
  ({ api, ...kind }) => {
    const { table, build, stat } = kind;
    const named = kind.table === 'cloud_defender' ? 'cloud_defender_id' : 'threat_blocker_id';
    const field = api === 'REST' ? named : `${kind.one}Id`;
    let [first, other] = [0, 0];

    beforeEach(async () => {
      await rows(`delete from ${table}`);
      await gateway.settled();
      await rows('delete from notification');
      [first, other] = [await build(db, testData.organizationId), await build(db, second)];
    });

    const report = (id: number, minutesAgo: number, state = 1, more: object = {}) => ({
      ...{ [named]: id, datetime: ago(minutesAgo), stat: stat(state) },
      ...more,
    });
    const send = (reports: object[], token: string = telemetry) =>
      callThrough(api, gateway, manyOf(kind), { reports }, token);
    const outcomes = async (reports: object[], token?: string) =>
      (dataOf(await send(reports, token)) as { outcome: string; error: { code: string } | null }[]).map(
        ({ outcome, error }) => error?.code ?? outcome,
      );
    const stored = async () => (await rows(`select count(*)::int as count from ${table}_check`))[0]!['count'];
    const statusOf = async (id: number) =>
      (await rows(`select status, stat ->> 'datetime' as newest from ${table} where id = $1`, [id]))[0];
    const notified = async () => {
      await gateway.settled();
      const found = await rows('select title from notification where user_id = $1 order by id', [testData.manager.id]);
      return found.map(({ title }) => String(title).includes('down'));
    };

    test('are stored for all organizations that the caller manages, each with its device’s newest state', async () => {
      const sent = [report(first, 3, 1), report(other, 2, 2), report(first, 1, 3), report(first, 2, 1)];
      expect(dataOf(await send(sent))).toEqual([1, 2, 3, 4].map((row) => ({ row, outcome: 'STORED', error: null })));
      expect(await statusOf(first)).toEqual({ status: 3, newest: ago(1) });
      expect(await statusOf(other)).toEqual({ status: 2, newest: ago(2) });
      expect(await stored()).toBe(4);
      expect(await notified()).toEqual([true]);
      const single = operationsOf(kind).report;
      const reports = [{ datetime: ago(1), stat: stat(3) }];
      dataOf(await callThrough(api, gateway, single, { id: first, reports }, telemetry));
      expect(await stored()).toBe(4);
    });

    test('change nothing when they come again, beside what is new, and alert once for each change', async () => {
      const sent = [report(first, 3, 3), report(other, 3, 3)];
      expect(await outcomes(sent)).toEqual(['STORED', 'STORED']);
      expect(await outcomes([...sent, report(first, 2, 1), report(first, 2, 1)])).toEqual([
        ...['UNCHANGED', 'UNCHANGED', 'STORED', 'UNCHANGED'],
      ]);
      expect((await notified()).toSorted()).toEqual([false, true, true]);
      const both = [report(first, 1, 3), report(other, 1, 1)];
      const twice = await Promise.all(Array.from({ length: 6 }, (_, n) => outcomes(n % 2 ? both : both.toReversed())));
      expect(twice.flat().filter((outcome) => outcome === 'STORED')).toHaveLength(2);
      expect((await notified()).slice(3).toSorted()).toEqual([false, true]);
    });

    test('are refused alone, with code and field, and the others are stored', async () => {
      const foreign = await build(db, testData.otherOrganizationId);
      const deleted = await build(db, testData.organizationId);
      await rows(`update ${table} set deleted_at = now() where id = $1`, [deleted]);
      const viewed = await buildOrganization(db, 'Viewed');
      await join(db, testData.manager, viewed, 'VIEWER');
      const unmanaged = await build(db, viewed);
      expect(await outcomes([report(first, 9)])).toEqual(['STORED']);
      const answer = dataOf(
        await send([
          ...[report(foreign, 1), report(2_147_483_647, 1), report(deleted, 1), report(unmanaged, 1)],
          ...[report(first, 9, 2), report(first, -6), report(first, (90 * DAY) / MINUTE + 1), report(first, 1)],
          ...[report(first, 1, 2), report(0, 1), report(-1, 1)],
        ]),
      );
      const refused = (row: number, code: string, place: string) => ({
        ...{ row, outcome: 'REFUSED' },
        error: { code, field: place, message: expect.any(String) },
      });
      expect(answer).toEqual([
        refused(1, 'NOT_FOUND', field),
        refused(2, 'NOT_FOUND', field),
        refused(3, 'NOT_FOUND', field),
        refused(4, 'FORBIDDEN', field),
        refused(5, 'DEVICE_REPORT_DIFFERS', 'datetime'),
        refused(6, 'BAD_USER_INPUT', 'datetime'),
        refused(7, 'BAD_USER_INPUT', 'datetime'),
        { row: 8, outcome: 'STORED', error: null },
        refused(9, 'DEVICE_REPORT_DIFFERS', 'datetime'),
        refused(10, 'NOT_FOUND', field),
        refused(11, 'NOT_FOUND', field),
      ]);
      expect(answer[5].error.message).toBe('datetime must not be more than 5 minutes in the future');
      expect(await stored()).toBe(2);
      expect(await statusOf(first)).toEqual({ status: 1, newest: ago(1) });
      expect(await statusOf(unmanaged)).toEqual({ status: 0, newest: null });
    });

    test('are at most 20,000 of one day and device: those beyond are refused', async () => {
      await rows(
        `insert into ${table}_check (organization_id, device_id, datetime, ${Object.keys(stat(1)).join(', ')})
         select $3, $1, date_trunc('day', $2::timestamptz, 'UTC') + n * interval '1 second', 1, 1, 1 from generate_series(1, 19998) n`,
        [first, ago(48 * 60), testData.organizationId],
      );
      const day = Date.parse(`${ago(48 * 60).slice(0, 10)}T10:00:00Z`);
      const at = (id: number, n: number) => ({ ...report(id, 1), datetime: new Date(day + n).toISOString() });
      const sent = [at(first, 1), at(first, 2), at(other, 1), at(first, 3), report(first, 1)];
      expect(await outcomes(sent)).toEqual(['STORED', 'STORED', 'STORED', 'BAD_USER_INPUT', 'STORED']);
    });

    test('are 1 to 500 in one request, and of the form of a report, or nothing is stored', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, n) => report(n % 2 ? first : other, n + 1));
      expect(await outcomes(many(500))).toEqual(Array<string>(500).fill('STORED'));
      const before = await stored();
      expectFailure(await send(many(501)), 'BAD_USER_INPUT', ['reports must not have more than 500 items']);
      expectFailure(await send([]), 'BAD_USER_INPUT', ['reports must not be empty']);
      expectFailure(await send([report(first, 0.5), { ...report(first, 0.6), stat: stat(4) }]), 'BAD_USER_INPUT', [
        `reports[1].stat.${kind.part} must be one of 0, 1, 2, 3`,
      ]);
      expectFailure(await send([{ datetime: ago(1), stat: stat(1) }]), 'BAD_USER_INPUT', [
        `reports[0].${named} is required`,
      ]);
      expect(await stored()).toBe(before);
    });

    test('need a token for telemetry, and see no organization beyond that of a service account or a non-member', async () => {
      expectFailure(await send([report(first, 1)], testData.manager.token), 'FORBIDDEN');
      const outsider = await buildToken(db, testData.nonMember, { scopes: ['telemetry'] });
      expect(await outcomes([report(first, 1)], outsider)).toEqual(['NOT_FOUND']);
      const analyst = await newMember(db, second, 'SECURITY_ANALYST');
      const ofAnalyst = await buildToken(db, analyst, { scopes: ['telemetry'] });
      expect(await outcomes([report(first, 1), report(other, 1)], ofAnalyst)).toEqual(['NOT_FOUND', 'FORBIDDEN']);
      expect(await stored()).toBe(0);
    });
  },
);

describe.each(APIS)('reports of many threat blockers through %s', (api) => {
  const { build, stat } = BLOCKER;
  const send = (reports: object[], token = telemetry) => callThrough(api, gateway, manyOf(BLOCKER), { reports }, token);
  const report = (more: object) => ({ datetime: ago(1), stat: stat(1), ...more });
  const keyOf = async (id: number) =>
    (await rows('select atb_key as key from threat_blocker where id = $1', [id]))[0]!['key'] as string;

  test('name a device by its number or by its key, and by one of them', async () => {
    const [id, other] = [await build(db, testData.organizationId), await build(db, second)];
    const key = await keyOf(id);
    const answer = dataOf(
      await send([
        report({ threat_blocker_id: id }),
        report({ atb_key: key.toUpperCase() }),
        report({ atb_key: await keyOf(other) }),
        report({ atb_key: randomUUID() }),
      ]),
    );
    expect(answer).toMatchObject([
      ...[{ outcome: 'STORED' }, { outcome: 'UNCHANGED' }, { outcome: 'STORED' }],
      { outcome: 'REFUSED', error: { code: 'NOT_FOUND', field: api === 'REST' ? 'atb_key' : 'atbKey' } },
    ]);
    expectFailure(await send([report({ atb_key: key, threat_blocker_id: id })]), 'BAD_USER_INPUT', [
      'reports[0].atb_key must not be given beside threat_blocker_id',
    ]);
    expectFailure(await send([report({})]), 'BAD_USER_INPUT', ['reports[0].threat_blocker_id is required']);
  });

  test('find no device by a key that is rotated meanwhile', async () => {
    const id = await build(db, testData.organizationId);
    const key = await keyOf(id);
    let sent: ReturnType<typeof send> | undefined;
    await db.transaction(async (tx) => {
      await tx.rows('update threat_blocker set atb_key = gen_random_uuid() where id = $1', [id]);
      sent = send([report({ atb_key: key })]);
      await someoneWaits(tx);
    });
    expect(dataOf(await sent!)).toMatchObject([{ outcome: 'REFUSED', error: { code: 'NOT_FOUND' } }]);
    expect(await rows('select 1 from threat_blocker_check where device_id = $1', [id])).toEqual([]);
  });

  test('are refused for an organization alone that the caller is removed from meanwhile', async () => {
    const left = await buildOrganization(db, 'Left');
    const leaver = await newMember(db, left, 'ORGANIZATION_MANAGER');
    await join(db, leaver, second, 'ORGANIZATION_MANAGER');
    const [id, other] = [await build(db, left), await build(db, second)];
    let sent: ReturnType<typeof send> | undefined;
    await db.transaction(async (tx) => {
      await tx.rows('select 1 from threat_blocker where id = $1 for update', [id]);
      const reports = [report({ threat_blocker_id: id }), report({ threat_blocker_id: other })];
      sent = send(reports, await buildToken(db, leaver, { scopes: ['telemetry'] }));
      await someoneWaits(tx);
      await rows('delete from membership where organization_id = $1 and user_id = $2', [left, leaver.id]);
      const path = `/api/v1/organizations/${left}`;
      await until(async () => (await gateway.rest.get(path, { token: leaver.token })).status === 404);
    });
    expect(dataOf(await sent!)).toMatchObject([
      { outcome: 'REFUSED', error: { code: 'NOT_FOUND' } },
      { outcome: 'STORED' },
    ]);
    expect(await rows('select 1 from threat_blocker_check where device_id = $1', [id])).toEqual([]);
  });

  test('show each bucket as the newest report of its device has it', async () => {
    const [id, other] = [await build(db, testData.organizationId), await build(db, second)];
    const bucket_start = Math.floor(clock.now().getTime() / 3_600_000) * 3600;
    const chart = (total_requests: number) => ({
      chart_stat: [{ bucket_start, bucket_end: bucket_start + 3600, total_requests, malicious_requests: 0 }],
    });
    dataOf(
      await send([
        report({ threat_blocker_id: id, ...chart(9) }),
        report({ threat_blocker_id: other, ...chart(1) }),
        report({ threat_blocker_id: id, datetime: ago(2), ...chart(4) }),
      ]),
    );
    const traffic = await rows(
      'select device_id as id, total_requests as total from threat_blocker_traffic where device_id = any($1)',
      [[id, other]],
    );
    expect(new Map(traffic.map((row) => [row['id'], row['total']]))).toEqual(
      new Map([
        [id, 9],
        [other, 1],
      ]),
    );
  });
});

test('with an Idempotency-Key the same request is answered again as it was', async () => {
  const id = await BLOCKER.build(db, testData.organizationId);
  const body = { reports: [{ threat_blocker_id: id, datetime: ago(1), stat: BLOCKER.stat(3) }] };
  const request = { token: telemetry, headers: { 'idempotency-key': randomUUID() }, body };
  const first = await gateway.rest.post('/api/v1/atb/checks/batch', request);
  const again = await gateway.rest.post('/api/v1/atb/checks/batch', request);
  expect(first.body).toMatchObject({ error: 0, total: 1, data: [{ row: 1, outcome: 'STORED', error: null }] });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});
