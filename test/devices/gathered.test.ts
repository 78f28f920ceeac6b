import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '../../src/common/time.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { KINDS } from '../support/device-kinds.js';
import { someoneWaits } from '../support/lock-waits.js';
import { newMember } from '../support/people.js';
import { startTwoGateways } from '../support/watched-gateway.js';
import { buildOrganization, buildToken, join, seedTestData } from '../support/test-data.js';
import { until } from '../support/until.js';

const gateways = await startTwoGateways();
const [gateway] = gateways;
const db = gateway.app.database;
const testData = await seedTestData(db);
const second = await buildOrganization(db, 'Second');
await join(db, testData.owner, second, 'ORGANIZATION_MANAGER');
const telemetry = await buildToken(db, testData.owner, { scopes: ['telemetry'] });
const rows = (text: string, values: unknown[] = []) => db.rows(text, values);

describe.each(KINDS)('reports of a $one', ({ segment, table, build, stat }) => {
  let ids: number[];
  beforeEach(async () => {
    await rows(`delete from ${table}`);
    await gateway.settled();
    await rows('delete from notification');
    ids = [];
    for (let n = 0; n < 12; n += 1) ids.push(await build(db, n % 2 ? second : testData.organizationId));
  });

  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
  const report = (id: number, state: number, { minutes = 1, ...more }: Record<string, unknown> = {}) =>
    gateway.rest.post(`/api/v1/${segment}/${id}/checks`, {
      token: telemetry,
      body: { reports: [{ datetime: ago(minutes as number), stat: stat(state), ...more }] },
    });
  /** Number of transactions that have stored the present reports. */
  const transactions = async () =>
    (await rows(`select count(distinct xmin::text)::int as count from ${table}_check`))[0]!['count'];
  const titles = async () => {
    await gateway.settled();
    const found = await rows('select title from notification where user_id = $1 order by id', [testData.owner.id]);
    return found.map(({ title }) => (String(title).includes('down') ? 'down' : 'back'));
  };

  test('that come at the same time are stored by few transactions, and each is answered once it is there', async () => {
    const isThere = async (id: number) => {
      expectData(await report(id, 3));
      expect(await rows(`select 1 from ${table}_check where device_id = $1`, [id])).toHaveLength(1);
    };
    await Promise.all(ids.map(isThere));
    expect(await transactions()).toBeLessThanOrEqual(ids.length / 2);
    expect(await titles()).toEqual(ids.map(() => 'down'));
  });

  test('that come often are gathered, also where none is under way when the next one comes', async () => {
    const sent: Promise<unknown>[] = [];
    for (let n = 0; n < 60; n += 1) {
      sent.push(report(ids[n % ids.length]!, 1, { minutes: n + 1 }));
      await sleep(3);
    }
    await Promise.all(sent);
    expect(await rows(`select 1 from ${table}_check`)).toHaveLength(60);
    expect(await transactions()).toBeLessThan(35);
  });

  test('of one device follow each other, and each change of its status is alerted about once', async () => {
    const [id, other] = ids as [number, number];
    const sent: Promise<unknown>[] = [];
    await db.transaction(async (tx) => {
      await tx.rows(`select 1 from ${table} where id = $1 for update`, [id]);
      sent.push(report(id, 3, { minutes: 9 }), report(other, 1));
      await someoneWaits(tx);
      for (const [minutes, state] of [
        [8, 1],
        [7, 3],
        [6, 2],
      ] as const) {
        sent.push(report(id, state, { minutes }));
        // In sending order: each has its own connection.
        await sleep(100);
      }
    });
    await Promise.all(sent);
    expect(await titles()).toEqual(['down', 'back', 'down', 'back']);
    expect((await rows(`select status from ${table} where id = $1`, [id]))[0]).toEqual({ status: 2 });
  });

  test('of one device at two instances and in requests with an Idempotency-Key are stored once', async () => {
    const [id] = ids as [number];
    const body = { reports: [{ datetime: ago(1), stat: stat(3) }] };
    const send = (n: number) =>
      gateways[n % 2]!.rest.post(`/api/v1/${segment}/${id}/checks`, {
        ...{ token: telemetry, body },
        ...(n % 3 === 0 && { headers: { 'idempotency-key': randomUUID() } }),
      });
    for (const answer of await Promise.all(Array.from({ length: 12 }, (_, n) => send(n)))) expectData(answer);
    expect(await titles()).toEqual(['down']);
  });

  test('of a device that another transaction has locked delay no other, and are stored when it is free', async () => {
    const [locked, ...others] = ids as [number, ...number[]];
    let late: ReturnType<typeof report> | undefined;
    await db.transaction(async (tx) => {
      await tx.rows(`select 1 from ${table} where id = $1 for update`, [locked]);
      late = report(locked, 3);
      await someoneWaits(tx);
      for (const answer of await Promise.all(others.map((id) => report(id, 3)))) expectStatus(answer, 200);
      expect(await rows(`select 1 from ${table}_check`)).toHaveLength(others.length);
    });
    // A busy machine may have delayed it beyond the timeout of requests.
    const answer = await late!;
    expectStatus(answer.status === 503 ? await report(locked, 3) : answer, 200);
  });

  test('of a device that is deleted meanwhile are not stored', async () => {
    const [id] = ids as [number];
    let sent: ReturnType<typeof report> | undefined;
    await db.transaction(async (tx) => {
      await tx.rows(`update ${table} set deleted_at = now() where id = $1`, [id]);
      sent = report(id, 3);
      await someoneWaits(tx);
    });
    expectStatus(await sent!, 404);
    expect(await rows(`select 1 from ${table}_check`)).toEqual([]);
    expect(await titles()).toEqual([]);
  });

  test('of a member who is removed meanwhile are not stored, and those of others are', async () => {
    const [locked, other] = ids as [number, number];
    const leaver = await newMember(db, testData.organizationId, 'ORGANIZATION_MANAGER');
    const token = await buildToken(db, leaver, { scopes: ['telemetry'] });
    const send = (id: number, as: string, minutes: number) => {
      const body = { reports: [{ datetime: ago(minutes), stat: stat(1) }] };
      return gateway.rest.post(`/api/v1/${segment}/${id}/checks`, { token: as, body });
    };
    const sent: ReturnType<typeof send>[] = [];
    await db.transaction(async (tx) => {
      await tx.rows(`select 1 from ${table} where id = $1 for update`, [locked]);
      sent.push(send(locked, token, 1), send(other, telemetry, 1));
      await someoneWaits(tx);
      await rows('delete from membership where user_id = $1', [leaver.id]);
      const path = `/api/v1/organizations/${testData.organizationId}`;
      await until(async () => (await gateway.rest.get(path, { token: leaver.token })).status === 404);
    });
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([404, 200]);
    expect(await rows(`select device_id as id from ${table}_check`)).toEqual([{ id: other }]);
  });

  test('with an Idempotency-Key are stored together with their answer, or not at all', async () => {
    await rows('alter table idempotent_answer add constraint refused check (false) not valid');
    try {
      const answer = await gateway.rest.post(`/api/v1/${segment}/${ids[0]}/checks`, {
        ...{ token: telemetry, headers: { 'idempotency-key': randomUUID() } },
        body: { reports: [{ datetime: ago(1), stat: stat(3) }] },
      });
      expectStatus(answer, 500);
      expect(await rows(`select 1 from ${table}_check`)).toEqual([]);
    } finally {
      await rows('alter table idempotent_answer drop constraint refused');
    }
  });

  test('that fail take no other with them', async () => {
    await rows(`alter table ${table}_check add constraint refused check (waf_protection is distinct from 13)`);
    try {
      const web = (waf_protection: number) => ({ web_stat: { waf_protection, total_managed_requests: 20 } });
      const answers = await Promise.all(ids.map((id, n) => report(id, 3, web(n === 5 ? 13 : 1))));
      answers.forEach((answer, n) => expectStatus(answer, n === 5 ? 500 : 200));
      expect(await rows(`select 1 from ${table}_check`)).toHaveLength(ids.length - 1);
      expect(await titles()).toEqual(ids.slice(1).map(() => 'down'));
    } finally {
      await rows(`alter table ${table}_check drop constraint refused`);
    }
  });
});
