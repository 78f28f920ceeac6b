import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RestRequest } from '../support/clients.js';
import { TestClock } from '../support/clock.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { buildIncident, seedTestData, type TestData } from '../support/test-data.js';
import { collectPages, expectExactly, pagingCases, personOf, rolesFrom } from '../support/rest.js';

const clock = new TestClock();
let gateway: TestGateway;
let testData: TestData;
let incident: number;

beforeAll(async () => {
  gateway = await startGateway({ now: clock.now });
  testData = await seedTestData(gateway.app.database);
  incident = await buildIncident(gateway.app.database, testData.organizationId);
});
afterAll(() => gateway.close());
beforeEach(() => clock.set(0));

const listPath = (organization = testData.organizationId) => `/api/v1/v-ciso/incidents/${organization}`;
const path = (id = incident, tail = '', organization = testData.organizationId) =>
  `${listPath(organization)}/${id}${tail}`;
const by = (body?: object): RestRequest => ({ token: testData.analyst.token, ...(body && { body }) });

async function open(body: object = {}): Promise<number> {
  return expectData(await gateway.rest.post(listPath(), by({ title: 'Phish', severity: 'LOW', ...body })), 201).id;
}

const change = (id: number, body: object) => gateway.rest.patch(path(id), by(body));
const read = async (id: number) => expectData(await gateway.rest.get(path(id), by()));
const close = (id: number) => gateway.rest.post(path(id, '/close'), by());
const reopen = (id: number) => gateway.rest.post(path(id, '/reopen'), { token: testData.officer.token });

async function notifications(token: string): Promise<{ title: string; message: string; href: string }[]> {
  const { data } = (await gateway.rest.get('/api/v1/notifications?type=INCIDENT&limit=100', { token })).body;
  return data.map(({ title, message, extra }: { title: string; message: string; extra: { href: string } }) => ({
    title,
    message,
    href: extra.href,
  }));
}

describe('opening', () => {
  test('answers the whole record, its clock running from when the organization became aware', async () => {
    clock.set(1);
    const answer = await gateway.rest.post(
      listPath(),
      by({
        title: '  Breach  ',
        description: 'Line one\nLine two',
        severity: 'CRITICAL',
        significant: true,
        aware_at: clock.at(-2).toISOString().replace('Z', '+00:00'),
      }),
    );
    const { id } = expectData(answer, 201);
    expectExactly(answer, 201, {
      error: 0,
      messages: [],
      data: {
        id,
        organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
        title: 'Breach',
        description: 'Line one\nLine two',
        severity: 'CRITICAL',
        status: 'OPEN',
        significant: true,
        aware_at: clock.at(-2).toISOString(),
        clock: {
          applies: true,
          early_warning: { state: 'PENDING', due_at: clock.at(22).toISOString(), sent_at: null, sent_by: null },
          notification: { state: 'PENDING', due_at: clock.at(70).toISOString(), sent_at: null, sent_by: null },
          final_report: { state: 'PENDING', due_at: null, sent_at: null, sent_by: null },
        },
        opened_by: testData.analyst.username,
        created_at: clock.at(1).toISOString(),
        updated_at: clock.at(1).toISOString(),
        closed_at: null,
        closed_by: null,
      },
    });
    expect(answer.headers.get('location')).toBe(path(id));
    expect(await read(id)).toEqual(answer.body.data);
  });

  test('takes now for the time of becoming aware, and nothing for granted', async () => {
    expect(await read(await open())).toMatchObject({
      description: '',
      significant: false,
      aware_at: clock.now().toISOString(),
      clock: { applies: false, early_warning: { state: 'PENDING', due_at: null } },
    });
  });

  test('tells all errors at once, each by its name', async () => {
    const late = new Date(clock.now().getTime() + 1).toISOString();
    const refused = (body: object) => gateway.rest.post(listPath(), by(body));
    expectError(await refused({}), 400, ['title is required', 'severity is required']);
    expectError(await refused({ title: 'x', severity: 'LOW', aware_at: late }), 400, [
      'aware_at must not be in the future',
    ]);
    expectError(await refused({ title: ' ', description: 'a\u0007', severity: 'LOW', aware_at: late }), 400, [
      'title is required',
      'description must not contain control characters',
    ]);
    expectError(await refused({ title: 1, severity: 'SEVERE', aware_at: 'soon', status: 'OPEN' }), 400, [
      'title must be a string',
      'severity must be one of LOW, MEDIUM, HIGH, CRITICAL',
      'aware_at must be a date-time such as 2026-11-20T08:15:30Z',
      'status is not a known field',
    ]);
    expectError(await refused({ title: 'x', severity: 'LOW', organization_id: 1 }), 400, [
      'organization_id is not a known field',
    ]);
  });

  test.each([
    ['title', 200],
    ['description', 10_000],
  ])('takes a %s of %i characters and not one more', async (field, most) => {
    const id = await open({ [field]: '💥'.repeat(most) });
    expect((await read(id))[field]).toBe('💥'.repeat(most));
    const error = `${field} must not be longer than ${most} characters`;
    const longer = { title: 'x', severity: 'LOW', [field]: 'a'.repeat(most + 1) };
    expectError(await gateway.rest.post(listPath(), by(longer)), 400, [error]);
    expectError(await change(id, { [field]: 'a'.repeat(most + 1) }), 400, [error]);
  });

  test('is told to the members who want alerts of it, and not to who opened it', async () => {
    const { database } = gateway.app;
    await database.rows('update membership set alert_v_ciso = false where user_id = $1', [testData.manager.id]);
    const id = await open({ title: 'Told to all' });
    const notified = {
      title: 'Incident opened',
      message: `${testData.analyst.username} has opened “Told to all”.`,
      href: `/organizations/${testData.organizationId}/incidents/${id}`,
    };
    for (const role of rolesFrom('VIEWER')) {
      const heard = (await notifications(personOf(testData, role).token)).filter(({ href }) => href === notified.href);
      expect([role, heard]).toEqual([
        role,
        ['SECURITY_ANALYST', 'ORGANIZATION_MANAGER'].includes(role) ? [] : [notified],
      ]);
    }
  });
});

describe('changing', () => {
  test('leaves what is absent as it is, and empties a description that is null', async () => {
    const id = await open({ description: 'Long', significant: true });
    const before = await read(id);
    clock.set(2);
    const after = expectData(await change(id, { severity: 'HIGH', status: 'CONTAINED' }));
    expect(after).toEqual({
      ...before,
      severity: 'HIGH',
      status: 'CONTAINED',
      updated_at: clock.now().toISOString(),
    });
    expect(expectData(await change(id, { description: null })).description).toBe('');
  });

  test('changes nothing, and tells nobody, when nothing is new', async () => {
    const id = await open();
    const before = await read(id);
    const count = (await notifications(testData.owner.token)).length;
    clock.set(3);
    expect(expectData(await change(id, {}))).toEqual(before);
    const same = { title: ' Phish ', severity: 'LOW', status: 'OPEN', aware_at: before.aware_at };
    expect(expectData(await change(id, same))).toEqual(before);
    expectData(await gateway.rest.patch(path(id), by()));
    expect(await notifications(testData.owner.token)).toHaveLength(count);
  });

  test('refuses null where nothing can be nothing, a status that closes, and a future', async () => {
    const id = await open();
    const nothing = { title: null, severity: null, status: null, significant: null, aware_at: null };
    expectError(await change(id, nothing), 400, [
      'title must not be null',
      'severity must not be null',
      'status must not be null',
      'significant must not be null',
      'aware_at must not be null',
    ]);
    expectError(await change(id, { status: 'CLOSED' }), 400, ['status must be one of OPEN, CONTAINED, RESOLVED']);
    expectError(await change(id, { aware_at: clock.at(1).toISOString() }), 400, ['aware_at must not be in the future']);
    expectError(await change(id, { incident_id: 1 }), 400, ['incident_id is not a known field']);
  });

  test('moves the clock with the time of becoming aware, never past a report that was sent', async () => {
    const id = await open({ significant: true, aware_at: clock.at(-10).toISOString() });
    const moved = expectData(await change(id, { aware_at: clock.at(-30).toISOString() }));
    expect(moved.clock.early_warning).toMatchObject({ state: 'OVERDUE', due_at: clock.at(-6).toISOString() });
    const sent = { stage: 'EARLY_WARNING', sent_at: clock.at(-20).toISOString() };
    expectData(await gateway.rest.post(path(id, '/reports'), by(sent)), 201);
    expectData(await change(id, { aware_at: clock.at(-20).toISOString() }));
    const late = new Date(clock.at(-20).getTime() + 1).toISOString();
    expectError(await change(id, { aware_at: late }), 400, ['aware_at must not be after the first report was sent']);
  });

  test('owes reports from the moment on that it is significant, as if it always had been', async () => {
    const id = await open({ aware_at: clock.at(-25).toISOString() });
    expect((await read(id)).clock.early_warning).toMatchObject({ state: 'PENDING', due_at: null });
    const { clock: running } = expectData(await change(id, { significant: true }));
    expect(running).toMatchObject({ applies: true, early_warning: { state: 'OVERDUE' } });
  });

  test('by two at once keeps what each of them said', async () => {
    const id = await open();
    await Promise.all([
      change(id, { title: 'New title' }),
      change(id, { severity: 'HIGH' }),
      change(id, { description: 'New words' }),
      change(id, { status: 'RESOLVED' }),
    ]);
    expect(await read(id)).toMatchObject({
      title: 'New title',
      severity: 'HIGH',
      description: 'New words',
      status: 'RESOLVED',
    });
  });

  test('is told with what was changed', async () => {
    const id = await open({ title: 'Told' });
    await change(id, { severity: 'HIGH', significant: true });
    const href = `/organizations/${testData.organizationId}/incidents/${id}`;
    // Others of this file are dated later: the clock was put back since.
    const [latest] = (await notifications(testData.owner.token)).filter((notification) => notification.href === href);
    expect(latest).toEqual({
      title: 'Incident updated',
      message: `${testData.analyst.username} has changed of “Told”: severity, significance.`,
      href,
    });
  });
});

describe('closing', () => {
  test('says when and by whom; again it changes nothing, and what is closed is not changed', async () => {
    const id = await open();
    clock.set(4);
    const closed = expectData(await close(id));
    expect(closed).toMatchObject({
      status: 'CLOSED',
      closed_at: clock.now().toISOString(),
      closed_by: testData.analyst.username,
      updated_at: clock.now().toISOString(),
    });
    clock.set(5);
    const count = (await notifications(testData.owner.token)).length;
    expect(expectData(await close(id))).toEqual(closed);
    expect(await notifications(testData.owner.token)).toHaveLength(count);
    expectError(await change(id, { title: 'x' }), 409, [1009]);
    expectError(await gateway.rest.post(path(id, '/reports'), by({ stage: 'EARLY_WARNING' })), 409, [1009]);
  });

  test('waits for every report that a significant incident owes', async () => {
    const id = await open({ significant: true });
    for (const stage of ['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT']) {
      expectError(await close(id), 409, [1009]);
      expectData(await gateway.rest.post(path(id, '/reports'), by({ stage })), 201);
    }
    expect(expectData(await close(id)).status).toBe('CLOSED');
  });

  test('is undone by an officer, to whom the incident is open again', async () => {
    const id = await open();
    const untouched = await read(id);
    expect(expectData(await reopen(id))).toEqual(untouched);
    await close(id);
    clock.set(6);
    expect(expectData(await reopen(id))).toEqual({ ...untouched, updated_at: clock.now().toISOString() });
    expectData(await change(id, { title: 'Once more' }));
    const notified = (await notifications(testData.owner.token)).slice(0, 3).map(({ title }) => title);
    expect(notified).toEqual(['Incident updated', 'Incident reopened', 'Incident closed']);
  });

  test('by many at once is told once', async () => {
    const id = await open({ title: 'Closed by many' });
    const answers = await Promise.all(Array.from({ length: 6 }, () => close(id)));
    for (const answer of answers) expectStatus(answer, 200);
    const notified = (await notifications(testData.owner.token)).filter(({ message }) =>
      message.includes('Closed by many'),
    );
    expect(notified.map(({ title }) => title)).toEqual(['Incident closed', 'Incident opened']);
  });
});

describe('the list', () => {
  const list = (query: string) => gateway.rest.get(`${listPath(testData.otherOrganizationId)}?${query}`, reader());
  const reader = () => ({ token: testData.nonMember.token });
  let ids: number[];

  beforeAll(async () => {
    const severities = ['LOW', 'CRITICAL', 'MEDIUM', 'HIGH', 'LOW'];
    const statuses = ['OPEN', 'CLOSED', 'OPEN', 'RESOLVED', 'CLOSED'];
    const rows = await gateway.app.database.rows<{ id: number }>(
      `insert into incident (organization_id, title, severity, status, significant, aware_at, created_at, updated_at)
       select $1, 'Listed ' || n, ($2::text[])[n], ($3::text[])[n], n % 2 = 0,
              timestamptz '2026-01-01Z' - make_interval(days => n), timestamptz '2026-02-01Z' + make_interval(days => n / 2),
              timestamptz '2026-03-01Z' + make_interval(days => n * n % 5)
         from generate_series(1, 5) n returning id`,
      [testData.otherOrganizationId, severities, statuses],
    );
    ids = rows.map(({ id }) => id);
  });

  pagingCases((query) => list(query));

  const numbers = async (query: string) =>
    (await collectPages<{ title: string }>(list, query, 2))
      .map(({ title }) => Number(title.split(' ')[1]))
      .filter((number) => !Number.isNaN(number));

  test('goes newest first, the id breaking ties, and in any other order that is asked for', async () => {
    expect(ids).toHaveLength(5);
    await gateway.app.database.rows(`delete from incident where organization_id = $1 and title not like 'Listed%'`, [
      testData.otherOrganizationId,
    ]);
    for (const [query, expected] of [
      ['', [5, 4, 3, 2, 1]],
      ['sort=created_at', [1, 2, 3, 4, 5]],
      ['sort=aware_at', [5, 4, 3, 2, 1]],
      ['sort=-aware_at', [1, 2, 3, 4, 5]],
      ['sort=severity', [1, 5, 3, 4, 2]],
      ['sort=-severity', [2, 4, 3, 5, 1]],
      ['sort=updated_at', [5, 1, 4, 2, 3]],
    ] as const) {
      expect([query, await numbers(query)]).toEqual([query, expected]);
    }
  });

  test('keeps to every filter at once, and counts what meets them', async () => {
    for (const [query, expected] of [
      ['status=CLOSED', [5, 2]],
      ['severity=LOW', [5, 1]],
      ['significant=true', [4, 2]],
      ['significant=false', [5, 3, 1]],
      ['status=CLOSED&severity=LOW&significant=false', [5]],
      ['status=CLOSED&severity=MEDIUM', []],
    ] as const) {
      expect([query, await numbers(query)]).toEqual([query, expected]);
      expect((await list(`${query}&limit=1`)).body.total).toBe(expected.length);
    }
  });

  test('refuses what is no filter and no order', async () => {
    expectError(await list('status=GONE&severity=low&significant=1&sort=title'), 400, [
      'sort must be one of aware_at, -aware_at, created_at, -created_at, severity, -severity, updated_at, -updated_at',
      'status must be one of OPEN, CONTAINED, RESOLVED, CLOSED',
      'severity must be one of LOW, MEDIUM, HIGH, CRITICAL',
      'significant must be true or false',
    ]);
  });
});
