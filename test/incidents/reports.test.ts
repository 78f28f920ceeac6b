import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { TestClock } from '../support/clock.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { pagingCases } from '../support/rest.js';

const clock = new TestClock();
let gateway: TestGateway;
let testData: TestData;
let id: number;

beforeAll(async () => {
  gateway = await startGateway({ now: clock.now });
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());
beforeEach(async () => {
  clock.set(0);
  id = await open();
  clock.set(30);
});

const path = (tail = '') => `/api/v1/v-ciso/incidents/${testData.organizationId}/${id}${tail}`;
const at = (hours: number) => clock.at(hours).toISOString();
const post = (body: object, token = testData.analyst.token) => gateway.rest.post(path('/reports'), { token, body });
const record = (stage: string, hours?: number) => post({ stage, ...(hours !== undefined && { sent_at: at(hours) }) });
const correct = (stage: string, body: object, token = testData.officer.token) =>
  gateway.rest.patch(path(`/reports/${stage}`), { token, body });
const history = async () =>
  expectData(await gateway.rest.get(path('/reports'), { token: testData.viewer.token })) as Record<string, unknown>[];
const clockNow = async () => expectData(await gateway.rest.get(path(), { token: testData.viewer.token })).clock;

async function open(): Promise<number> {
  const body = { title: 'Breach', severity: 'HIGH', significant: true, aware_at: at(0) };
  const organization = `/api/v1/v-ciso/incidents/${testData.organizationId}`;
  return expectData(await gateway.rest.post(organization, { token: testData.analyst.token, body }), 201).id;
}

async function titles(): Promise<string[]> {
  const { data } = (
    await gateway.rest.get('/api/v1/notifications?type=INCIDENT&limit=100', { token: testData.owner.token })
  ).body;
  const href = `/organizations/${testData.organizationId}/incidents/${id}`;
  return data
    .filter(({ extra }: { extra: { href: string } }) => extra.href === href)
    .map(({ title, message }: { title: string; message: string }) => `${title}: ${message}`);
}

describe('recording', () => {
  test('tells who sent what when, and gives the final report its deadline', async () => {
    clock.set(30.5);
    const sent = { state: 'SENT', sent_by: testData.analyst.username };
    const early = expectData(await record('EARLY_WARNING', 20), 201);
    expect(early.clock.early_warning).toEqual({ ...sent, due_at: at(24), sent_at: at(20) });
    expect(early.updated_at).toBe(clock.now().toISOString());
    const { clock: after } = expectData(await record('NOTIFICATION'), 201);
    expect(after.notification).toEqual({ ...sent, due_at: at(72), sent_at: at(30.5) });
    const monthLater = DateTime.fromJSDate(clock.now(), { zone: 'utc' }).plus({ months: 1 });
    expect(after.final_report).toEqual({
      state: 'PENDING',
      due_at: monthLater.toISO(),
      sent_at: null,
      sent_by: null,
    });
    expect(await history()).toEqual([
      {
        id: expect.any(Number),
        stage: 'NOTIFICATION',
        sent_at: at(30.5),
        reason: '',
        recorded_by: testData.analyst.username,
        recorded_at: at(30.5),
      },
      expect.objectContaining({ stage: 'EARLY_WARNING', sent_at: at(20), recorded_at: at(30.5) }),
    ]);
    expect((await titles()).slice(0, 2)).toEqual([
      `Report recorded: ${testData.analyst.username} has recorded that the notification on “Breach” was sent.`,
      `Report recorded: ${testData.analyst.username} has recorded that the early warning on “Breach” was sent.`,
    ]);
  });

  test('is overdue one millisecond after its deadline, and sent all the same when it comes too late', async () => {
    clock.set(24);
    expect((await clockNow()).early_warning.state).toBe('PENDING');
    clock.set(24, 1);
    expect((await clockNow()).early_warning.state).toBe('OVERDUE');
    const { clock: after } = expectData(await record('EARLY_WARNING'), 201);
    expect(after.early_warning).toMatchObject({ state: 'SENT', sent_at: clock.now().toISOString() });
  });

  test('keeps the order of the stages, each once', async () => {
    expectError(await record('NOTIFICATION'), 409, [1009]);
    expectError(await record('FINAL_REPORT'), 409, [1009]);
    expectStatus(await record('EARLY_WARNING', 5), 201);
    expectError(await record('EARLY_WARNING', 6), 409, [1009]);
    expectError(await record('FINAL_REPORT'), 409, [1009]);
    expectStatus(await record('NOTIFICATION', 5), 201);
    expectStatus(await record('FINAL_REPORT', 5), 201);
    expect(await history()).toHaveLength(3);
  });

  test('refuses instants that cannot be, to the millisecond', async () => {
    const sentAt = (instant: number) => post({ stage: 'EARLY_WARNING', sent_at: new Date(instant).toISOString() });
    const [aware, now] = [clock.at(0).getTime(), clock.now().getTime()];
    expectError(await sentAt(now + 1), 400, ['sent_at must not be in the future']);
    expectError(await sentAt(aware - 1), 400, ['sent_at must not be before aware_at']);
    expectStatus(await sentAt(aware), 201);
    expectStatus(await post({ stage: 'NOTIFICATION', sent_at: at(10) }), 201);
    expectError(await post({ stage: 'FINAL_REPORT', sent_at: at(9) }), 400, [
      'sent_at must not be before the preceding report was sent',
    ]);
    expectError(await post({ stage: 'LAST', sent_at: 1, incident_id: id }), 400, [
      'stage must be one of EARLY_WARNING, NOTIFICATION, FINAL_REPORT',
      'sent_at must be a date-time such as 2026-11-20T08:15:30Z',
      'incident_id is not a known field',
    ]);
  });

  test('of one stage by many at once is done once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, hours) => record('EARLY_WARNING', hours)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await history()).toHaveLength(1);
    expect((await titles()).filter((title) => title.startsWith('Report recorded'))).toHaveLength(1);
  });
});

describe('correcting', () => {
  const reason = 'The receipt of the authority says so';

  test('moves the instant, and the deadline that hangs on it; the sender and the history stay', async () => {
    await record('EARLY_WARNING', 5);
    await record('NOTIFICATION', 20);
    const due = (await clockNow()).final_report.due_at;
    const { clock: after } = expectData(await correct('NOTIFICATION', { sent_at: at(19), reason: ` ${reason} ` }));
    expect(after.notification).toMatchObject({ sent_at: at(19), sent_by: testData.analyst.username });
    expect(Date.parse(due) - Date.parse(after.final_report.due_at)).toBe(60 * 60 * 1000);
    expect(
      (await history()).map(({ stage, sent_at, reason: why, recorded_by }) => [stage, sent_at, why, recorded_by]),
    ).toEqual([
      ['NOTIFICATION', at(19), reason, testData.officer.username],
      ['NOTIFICATION', at(20), '', testData.analyst.username],
      ['EARLY_WARNING', at(5), '', testData.analyst.username],
    ]);
    expect((await titles())[0]).toBe(
      `Report corrected: ${testData.officer.username} has corrected when the notification on “Breach” was sent.`,
    );
  });

  test('takes back what was not sent, the last first; then it can be recorded again', async () => {
    await record('EARLY_WARNING', 5);
    await record('NOTIFICATION', 20);
    expectError(await correct('EARLY_WARNING', { sent_at: null, reason }), 409, [1009]);
    const { clock: after } = expectData(await correct('NOTIFICATION', { sent_at: null, reason }));
    expect(after.notification).toEqual({ state: 'PENDING', due_at: at(72), sent_at: null, sent_by: null });
    expect(after.final_report.due_at).toBeNull();
    expectStatus(await record('NOTIFICATION', 25), 201);
    expect((await history()).map(({ sent_at }) => sent_at)).toEqual([at(25), null, at(20), at(5)]);
  });

  test('asks for an instant between its neighbours, and for a reason', async () => {
    for (const [stage, hours] of [
      ['EARLY_WARNING', 5],
      ['NOTIFICATION', 10],
      ['FINAL_REPORT', 15],
    ] as const)
      await record(stage, hours);
    expectError(await correct('NOTIFICATION', { reason: ' ' }), 400, [
      'sent_at is required; null says that it was not sent',
      'reason is required',
    ]);
    expectError(await correct('NOTIFICATION', { sent_at: at(4), reason }), 400, [
      'sent_at must not be before the preceding report was sent',
    ]);
    expectError(await correct('NOTIFICATION', { sent_at: at(16), reason }), 400, [
      'sent_at must not be after the following report was sent',
    ]);
    expectError(await correct('FINAL_REPORT', { sent_at: at(31), reason }), 400, ['sent_at must not be in the future']);
    expectError(await correct('FINAL_REPORT', { sent_at: at(14), reason: 'a'.repeat(1001) }), 400, [
      'reason must not be longer than 1000 characters',
    ]);
    expectStatus(await correct('FINAL_REPORT', { sent_at: at(14), reason: 'a'.repeat(1000) }), 200);
  });

  test('finds nothing to correct where nothing was recorded, and no stage of another name', async () => {
    expectError(await correct('EARLY_WARNING', { sent_at: at(1), reason }), 409, [1009]);
    for (const name of ['early_warning', 'LAST']) {
      expectError(await correct(name, { sent_at: at(1), reason }), 404, [1004]);
    }
  });
});

describe('the history', () => {
  pagingCases(async (query) => {
    if ((await history()).length === 0) {
      await record('EARLY_WARNING', 5);
      await record('NOTIFICATION', 6);
    }
    return gateway.rest.get(`${path('/reports')}?${query}`, { token: testData.viewer.token });
  });
});
