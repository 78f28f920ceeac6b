import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { TestClock } from '../support/clock.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { newMember, titlesOf } from '../support/people.js';
import { buildOrganization, buildWorkflow, seedTestData, join, type TestData } from '../support/test-data.js';
import { collectPages, expectExactly, pagingCases } from '../support/rest.js';

const clock = new TestClock();
let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway({ now: clock.now });
  testData = await seedTestData(gateway.app.database);
  await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
  await buildWorkflow(gateway.app.database, testData.organizationId, 'iso-27001-2022');
  await buildWorkflow(gateway.app.database, testData.otherOrganizationId, 'nis2-directive');
});
afterAll(() => gateway.close());

beforeEach(async () => {
  await gateway.app.database.rows('delete from control_state');
  await gateway.app.database.rows('delete from notification');
  clock.set(0);
});

const pathOf = (organizationId: number, rest = '') =>
  `/api/v1/v-ciso/organizations/${organizationId}/workflows/nis2-directive/controls${rest}`;
const path = (rest = '') => pathOf(testData.organizationId, rest);
const day = (hours: number) => clock.at(hours).toISOString().slice(0, 10);

const get = (rest = '', token = testData.viewer.token) => gateway.rest.get(path(rest), { token });
const patch = (rest: string, body: unknown, token = testData.analyst.token) =>
  gateway.rest.call('PATCH', path(rest), { token, body });
const ids = async (query: string) => {
  const { body } = await get(query);
  return body.data.map(({ id }: { id: string }) => id);
};

const untouched = {
  status: 'TO_DO',
  justification: '',
  owner: null,
  due_date: null,
  overdue: false,
  note: '',
  evidence: { own: 0, mapped: 0, total: 0, sources: [] },
  updated_at: null,
};
const second = {
  id: '20.2',
  label: 'Management bodies are trained in cyber risk, and staff are offered the same regularly',
  parent_id: '20',
  kind: 'CONTROL',
  position: 3,
};

describe('GET …/controls', () => {
  pagingCases((query) => get(`?${query}`));

  test('lists every control in reading order, whatever the page', async () => {
    const whole = await get('?limit=100');
    expect(whole.body.total).toBe(31);
    expect(whole.body.data[2]).toEqual({ ...second, ...untouched });
    const collected = await collectPages((query) => get(`?${query}`), '', 7);
    expect(collected).toEqual(whole.body.data);
  });

  test('finds them by status, owner, overdue and parent, all conditions at once', async () => {
    const { analyst } = testData;
    await patch('/20.1', { status: 'DONE', owner_id: analyst.id, due_date: day(-48) });
    await patch('/20.2', { status: 'IN_PROGRESS', owner_id: analyst.id, due_date: day(-24) });
    await patch('/21.1', { owner_id: analyst.id, due_date: day(0) });
    await patch('/21.3', { due_date: day(-24) });
    await patch('/23.2', { status: 'NOT_APPLICABLE', justification: 'No customers', due_date: day(-24) });
    expect(await ids('?status=DONE')).toEqual(['20.1']);
    expect(await ids(`?owner=${analyst.id}`)).toEqual(['20.1', '20.2', '21.1']);
    expect(await ids('?overdue=true')).toEqual(['20.2', '21.3']);
    expect(await ids('?overdue=false&parent=20')).toEqual(['20.1']);
    expect(await ids('?parent=20')).toEqual(['20.1', '20.2']);
    expect(await ids(`?owner=${analyst.id}&overdue=true&status=IN_PROGRESS&parent=20`)).toEqual(['20.2']);
    for (const query of [
      '?owner=nobody',
      `?owner=${randomUUID()}`,
      '?parent=99',
      '?parent=',
      '?status=DONE&overdue=true',
    ]) {
      expect(await ids(query)).toEqual([]);
    }
    expect((await get('?status=DONE&limit=1')).body.total).toBe(1);
    expectError(await get('?status=done&overdue=yes'), 400, [
      'status must be one of TO_DO, IN_PROGRESS, DONE, NOT_APPLICABLE',
      'overdue must be true or false',
    ]);
  });

  test('finds a control overdue when its day has passed in UTC, and not before', async () => {
    const midnight = Date.parse(`${day(24)}T00:00:00Z`) - clock.at(0).getTime();
    await patch('/20.2', { due_date: day(0) });
    clock.set(0, midnight - 1);
    expect(await ids('?overdue=true')).toEqual([]);
    clock.set(0, midnight);
    expect(await ids('?overdue=true')).toEqual(['20.2']);
  });
});

describe('GET …/controls/{controlid}', () => {
  test('answers one control, and nothing for what the workflow does not have', async () => {
    expectExactly(await get('/20.2'), 200, { error: 0, messages: [], data: { ...second, ...untouched } });
    for (const id of ['99', 'A.5.1', '__proto__', '%00']) expectError(await get(`/${id}`), 404, [1004]);
  });
});

describe('PATCH …/controls/{controlid}', () => {
  test('changes what is given, keeps what is absent and clears what is null', async () => {
    const { analyst } = testData;
    const set = { status: 'IN_PROGRESS', owner_id: analyst.id, due_date: '2031-02-03', note: 'First\nsecond line' };
    const owner = { user_id: analyst.id, username: analyst.username, first_name: 'analyst', last_name: 'Person' };
    const now = { updated_at: clock.now().toISOString() };
    const state = { ...untouched, ...now, status: 'IN_PROGRESS', owner, due_date: '2031-02-03', note: set.note };
    expectExactly(await patch('/20.2', set), 200, { error: 0, messages: [], data: { ...second, ...state } });
    expect((await patch('/20.2', {})).body.data).toEqual({ ...second, ...state });
    expect((await patch('/20.2', { note: null, due_date: null })).body.data).toEqual({
      ...second,
      ...state,
      note: '',
      due_date: null,
    });
    expect((await patch('/20.2', { owner_id: null })).body.data).toMatchObject({ owner: null, status: 'IN_PROGRESS' });
  });

  test('asks for a justification with NOT_APPLICABLE and drops it when the control applies after all', async () => {
    const required = ['justification is required with the status NOT_APPLICABLE'];
    expectError(await patch('/20.2', { status: 'NOT_APPLICABLE' }), 400, required);
    expectError(await patch('/20.2', { status: 'NOT_APPLICABLE', justification: '  ' }), 400, required);
    expectError(await patch('/20.2', { justification: 'Why not' }), 400, [
      'justification goes with the status NOT_APPLICABLE only',
    ]);
    const left = await patch('/20.2', { status: 'NOT_APPLICABLE', justification: ' No staff ' });
    expect(left.body.data).toMatchObject({ status: 'NOT_APPLICABLE', justification: 'No staff' });
    expect((await patch('/20.2', { justification: 'None' })).body.data).toMatchObject({ justification: 'None' });
    expectError(await patch('/20.2', { justification: null }), 400, required);
    expect((await patch('/20.2', { status: 'TO_DO' })).body.data).toMatchObject({ justification: '' });
    expectError(await patch('/20.2', { status: 'NOT_APPLICABLE' }), 400, required);
  });

  test('lets only an active member of this organization answer for a control', async () => {
    const { database } = gateway.app;
    const error = ['owner_id must be an active member of the organization'];
    for (const owner_id of [
      testData.nonMember.id,
      testData.userWithoutOrganization.id,
      randomUUID(),
      'nobody',
      '',
      "' or true",
    ]) {
      expectError(await patch('/20.2', { owner_id }), 400, error);
    }
    const member = await newMember(database, testData.organizationId, 'VIEWER');
    expectStatus(await patch('/20.2', { owner_id: member.id.toUpperCase() }), 200);
    await database.rows('update membership set deactivated_at = now() where user_id = $1', [member.id]);
    expectError(await patch('/20.1', { owner_id: member.id }), 400, error);
    await database.rows('update membership set deactivated_at = null where user_id = $1', [member.id]);
    await database.rows('update app_user set deactivated_at = now() where id = $1', [member.id]);
    expectError(await patch('/20.1', { owner_id: member.id }), 400, error);
  });

  test('frees the controls of who leaves the organization, and of nobody else', async () => {
    const { database } = gateway.app;
    const member = await newMember(database, testData.organizationId, 'VIEWER');
    const elsewhere = await buildOrganization(database, 'Elsewhere');
    await join(database, member, elsewhere, 'VIEWER');
    await join(database, testData.manager, elsewhere, 'ORGANIZATION_MANAGER');
    await buildWorkflow(database, elsewhere, 'nis2-directive');
    const there = pathOf(elsewhere, '/20.1');
    await gateway.rest.call('PATCH', there, { token: testData.manager.token, body: { owner_id: member.id } });
    await patch('/20.1', { owner_id: member.id });
    await patch('/20.2', { owner_id: testData.viewer.id });
    await database.rows('delete from membership where user_id = $1 and organization_id = $2', [
      member.id,
      testData.organizationId,
    ]);
    expect((await get('/20.1')).body.data.owner).toBeNull();
    expect((await get('/20.2')).body.data.owner).toMatchObject({ user_id: testData.viewer.id });
    const kept = await gateway.rest.get(there, { token: testData.manager.token });
    expect(kept.body.data.owner).toMatchObject({ user_id: member.id });
  });

  test('does not give a control back to who leaves while something else of it is changed', async () => {
    const { database } = gateway.app;
    const member = await newMember(database, testData.organizationId, 'VIEWER');
    await patch('/20.1', { owner_id: member.id });
    const { noted } = await database.transaction(async (tx) => {
      await tx.rows('delete from membership where user_id = $1', [member.id]);
      const waiting = patch('/20.1', { note: 'Seen' });
      await someoneWaits(database);
      return { noted: waiting };
    });
    expect((await noted).body.data).toMatchObject({ note: 'Seen', owner: null });
  });

  test('takes texts up to their limits and tells all errors at once', async () => {
    const full = { status: 'NOT_APPLICABLE', justification: '💡'.repeat(2_000), note: '💡'.repeat(5_000) };
    expectStatus(await patch('/20.2', full), 200);
    const over = {
      status: null,
      justification: 'x'.repeat(2_001),
      note: 'x'.repeat(5_001),
      owner_id: testData.nonMember.id,
    };
    expectError(await patch('/20.2', over), 400, [
      'status must not be null',
      'justification must not be longer than 2000 characters',
      'note must not be longer than 5000 characters',
    ]);
    expectError(await patch('/20.2', { note: 'a\u0001b' }), 400, ['note must not contain control characters']);
    expectError(await patch('/20.2', { status: 'done', due_date: '2026-02-30', hue: 1, control_id: '20.1' }), 400, [
      'status must be one of TO_DO, IN_PROGRESS, DONE, NOT_APPLICABLE',
      'due_date must be a date such as 2026-11-20',
      'hue is not a known field',
      'control_id is not a known field',
    ]);
  });

  test('tells a member of what was assigned to it, once, and not who assigned it to itself', async () => {
    const { database } = gateway.app;
    await patch('/20.2', { owner_id: testData.viewer.id });
    await patch('/20.2', { owner_id: testData.viewer.id, note: 'Again' });
    expect(await titlesOf(database, testData.viewer)).toEqual(['Control assigned to you']);
    await patch('/20.1', { owner_id: testData.analyst.id });
    expect(await titlesOf(database, testData.analyst)).toEqual([]);
    await database.rows('update membership set alert_v_ciso = false where user_id = $1', [testData.officer.id]);
    await patch('/20.1', { owner_id: testData.officer.id });
    expect(await titlesOf(database, testData.officer)).toEqual([]);
    await database.rows('update membership set alert_v_ciso = true where user_id = $1', [testData.officer.id]);
    const [row] = await database.rows('select type, message, href from notification where user_id = $1', [
      testData.viewer.id,
    ]);
    expect(row).toEqual({
      type: 'WORKFLOW',
      message: `NIS 2 Directive, 20.2: ${second.label}.`,
      href: `/organizations/${testData.organizationId}/workflows/nis2-directive/controls/20.2`,
    });
  });
});

describe('PATCH …/controls', () => {
  test('gives one set of changes to many controls, in the order in which they were named', async () => {
    const answer = await patch('', {
      control_ids: ['23.1', '20.1'],
      changes: { status: 'DONE', owner_id: testData.viewer.id },
    });
    expectStatus(answer, 200);
    expect(answer.body.total).toBe(2);
    expect(answer.body.data).toMatchObject([
      { id: '23.1', status: 'DONE' },
      { id: '20.1', status: 'DONE' },
    ]);
    expect(await titlesOf(gateway.app.database, testData.viewer)).toEqual(['Controls assigned to you']);
  });

  test('takes a change of its own for each control', async () => {
    const updates = [
      { control_id: '20.1', status: 'DONE' },
      { control_id: '20.2', status: 'NOT_APPLICABLE', justification: 'No staff' },
      { control_id: '21.1', due_date: '2031-01-01', owner_id: null },
    ];
    expect((await patch('', { updates })).body.data).toMatchObject([
      { id: '20.1', status: 'DONE' },
      { id: '20.2', justification: 'No staff' },
      { id: '21.1', due_date: '2031-01-01', status: 'TO_DO' },
    ]);
  });

  test('changes nothing when there is any error, and tells each where it was said', async () => {
    const updates = [
      { control_id: '20.1', status: 'DONE' },
      { control_id: '99', status: 'DONE' },
      { control_id: '20.1', note: 'Twice' },
      { control_id: '20.2', status: 'NOT_APPLICABLE', owner_id: testData.nonMember.id },
    ];
    expectError(await patch('', { updates }), 400, [
      'updates[1].control_id is no control of this workflow',
      'updates[2].control_id is named twice',
      'updates[3].justification is required with the status NOT_APPLICABLE',
      'updates[3].owner_id must be an active member of the organization',
    ]);
    const control_ids = ['20.1', '__proto__', '20.1'];
    expectError(
      await patch('', { control_ids, changes: { justification: 'x', owner_id: testData.nonMember.id } }),
      400,
      [
        'control_ids[1] is no control of this workflow',
        'control_ids[2] is named twice',
        'changes.justification goes with the status NOT_APPLICABLE only',
        'changes.owner_id must be an active member of the organization',
      ],
    );
    expect(await ids('?status=DONE')).toEqual([]);
    expect(await gateway.app.database.rows('select 1 from control_state')).toEqual([]);
    expect(await titlesOf(gateway.app.database, testData.viewer)).toEqual([]);
  });

  test('wants exactly one of its two forms, whole', async () => {
    const either = ['either control_ids with changes or updates must be given'];
    const update = { control_id: '20.1', status: 'DONE' };
    expectError(await patch('', {}), 400, either);
    expectError(await patch('', { control_ids: ['20.1'], changes: {}, updates: [update] }), 400, either);
    expectError(await patch('', { control_ids: ['20.1'] }), 400, ['changes is required']);
    expectError(await patch('', { changes: { status: 'DONE' } }), 400, ['control_ids is required']);
  });

  test('takes 200 controls at most', async () => {
    const iso = path().replace('nis2-directive', 'iso-27001-2022');
    const send = (body: unknown) => gateway.rest.call('PATCH', iso, { token: testData.analyst.token, body });
    const { body } = await gateway.rest.get(`${iso}?limit=100`, { token: testData.viewer.token });
    const known = body.data.map(({ id }: { id: string }) => id);
    expectStatus(await send({ control_ids: known, changes: { status: 'DONE' } }), 200);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `no-${index}`);
    const notified = await send({ control_ids: many(200), changes: {} });
    expect(notified.body.messages).toHaveLength(50);
    for (const count of [0, 201]) {
      expectError(await send({ control_ids: many(count), changes: {} }), 400, [
        'control_ids must have from 1 to 200 items',
      ]);
      const updates = many(count).map((control_id) => ({ control_id }));
      expectError(await send({ updates }), 400, ['updates must have from 1 to 200 items']);
    }
  });

  test('counts what many callers change at once without missing any', async () => {
    const all = (await get('?limit=100')).body.data.map(({ id }: { id: string }) => id);
    const answers = await Promise.all(all.map((id: string) => patch(`/${id}`, { status: 'DONE' })));
    for (const answer of answers) expectStatus(answer, 200);
    const progress = path().replace('/controls', '/progress');
    const { body } = await gateway.rest.get(progress, { token: testData.viewer.token });
    expect(body.data.at(-1)).toMatchObject({ total: 25, done: 25, to_do: 0 });
  });
});
