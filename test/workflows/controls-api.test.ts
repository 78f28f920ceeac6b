import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { APIS, callThrough, dataOf, expectFailure, type Operation, type Result } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { newMember, titlesOf } from '../support/people.js';
import { buildOrganization, buildWorkflow, join } from '../support/test-data.js';

const CONTROL = `id: controlId label parent_id: parentId kind position status justification inclusion_reason: inclusionReason
  owner { user_id: userId username first_name: firstName last_name: lastName } due_date: dueDate overdue note
  review_interval_months: reviewIntervalMonths evidence { own mapped total valid_until: validUntil
  sources { workflow_id: workflowId control_id: controlId label documents via } } evidence_state: evidenceState updated_at: updatedAt text attestation { id: databaseId }`;
const CONTROLS = '/api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}/controls';

const OPERATIONS = {
  list: {
    rest: `GET ${CONTROLS}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!, $first: Int, $offset: Int, $filter: OrganizationControlFilter) {
      organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
        controls(first: $first, offset: $offset, filter: $filter) { totalCount nodes { ${CONTROL} } } } }`,
    at: 'organizationWorkflow.controls',
  },
  read: {
    rest: `GET ${CONTROLS}/{control_id}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!, $controlId: ID!) {
      organizationControl(organizationId: $organizationId, workflowId: $workflowId, controlId: $controlId) { ${CONTROL} } }`,
    at: 'organizationControl',
  },
  update: mutation(`PATCH ${CONTROLS}/{control_id}`, 'updateControl', `control { ${CONTROL} }`),
  updateMany: mutation(`PATCH ${CONTROLS}`, 'updateControls', `controls { ${CONTROL} }`),
} satisfies Record<string, Operation>;

const clock = new TestClock();

const { gateway, testData } = await startSeededGateway({ now: clock.now });
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
await buildWorkflow(gateway.app.database, testData.organizationId, 'iso-27001-2022');
beforeEach(async () => {
  await sql('delete from control_state');
  await gateway.settled();
  await sql('delete from notification');
  clock.set(0);
});

const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const day = (hours: number) => clock.at(hours).toISOString().slice(0, 10);
const titles = (person: { id: string }) => titlesOf(gateway.app.database, person);
const newViewer = () => newMember(gateway.app.database, testData.organizationId, 'VIEWER');

const UNTOUCHED = {
  status: 'TO_DO',
  justification: '',
  inclusion_reason: '',
  owner: null,
  due_date: null,
  overdue: false,
  note: '',
  review_interval_months: null,
  evidence: { own: 0, mapped: 0, total: 0, valid_until: null, sources: [] },
  evidence_state: null,
  updated_at: null,
  text: null,
  attestation: null,
};
const SECOND = {
  id: '20.2',
  label: 'Management bodies are trained in cyber risk, and staff are offered the same regularly',
  parent_id: '20',
  kind: 'CONTROL',
  position: 3,
};

const PROGRESS = `{ organizationWorkflow(organizationId: ${testData.organizationId}, workflowId: "nis2-directive") {
  progress { toDo inProgress done } } }`;

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, { token }: { token: string }) => {
    const defaults = { organization_id: testData.organizationId, workflow_id: 'nis2-directive' };
    return callThrough(api, gateway, OPERATIONS[name], { ...defaults, ...input }, token);
  };
  const list = (input: object = {}) => call('list', input, testData.viewer);
  const read = (control_id: string) => call('read', { control_id }, testData.viewer);
  const update = (control_id: string, changes: object) => call('update', { control_id, ...changes }, testData.analyst);
  const updateMany = (input: object) => call('updateMany', input, testData.analyst);
  const refused = (result: Result, messages: string[]) => expectFailure(result, 'BAD_USER_INPUT', messages);
  const ids = async (filter: object) => dataOf(await list(filter)).map(({ id }: { id: string }) => id);

  describe('the list of controls', () => {
    test('has every control in reading order, whatever the size of the page', async () => {
      const { data: whole, total } = await list({ limit: 100 });
      expect([total, whole.length]).toEqual([31, 31]);
      expect(JSON.stringify(whole[2])).toBe(JSON.stringify({ ...SECOND, ...UNTOUCHED }));
      const pages: unknown[] = [];
      for (let offset = 0; offset < 31; offset += 7) pages.push(...dataOf(await list({ limit: 7, offset })));
      expect(pages).toEqual(whole);
    });

    test('has by each status as many as the progress, without headings', async () => {
      await update('20', { status: 'IN_PROGRESS' });
      await update('20.1', { status: 'DONE' });
      const { progress } = (await gateway.graphql.data(PROGRESS, testData.viewer)).organizationWorkflow;
      for (const [status, count] of [
        ['TO_DO', progress.toDo],
        ['IN_PROGRESS', progress.inProgress],
        ['DONE', progress.done],
      ])
        expect([status, (await list({ status })).total]).toEqual([status, count]);
      expect([progress.inProgress, progress.done]).toEqual([0, 1]);
      expect(await ids({ status: 'TO_DO', parent_id: '20' })).toEqual(['20.2']);
    });

    test('is filtered by status, owner, overdue and parent, all conditions at once', async () => {
      const { id: owner } = testData.analyst;
      await update('20.1', { status: 'DONE', owner_id: owner, due_date: day(-48) });
      await update('20.2', { status: 'IN_PROGRESS', owner_id: owner, due_date: day(-24) });
      await update('21.1', { owner_id: owner, due_date: day(0) });
      await update('21.3', { due_date: day(-24) });
      await update('23.2', { status: 'NOT_APPLICABLE', justification: 'No customers', due_date: day(-24) });
      expect(await ids({ status: 'DONE' })).toEqual(['20.1']);
      for (const owner_id of [owner, owner.toUpperCase()])
        expect(await ids({ owner_id })).toEqual(['20.1', '20.2', '21.1']);
      expect(await ids({ overdue: true })).toEqual(['20.2', '21.3']);
      expect(await ids({ overdue: false, parent_id: '20' })).toEqual(['20.1']);
      expect(await ids({ parent_id: '20' })).toEqual(['20.1', '20.2']);
      expect(await ids({ owner_id: owner, overdue: true, status: 'IN_PROGRESS', parent_id: '20' })).toEqual(['20.2']);
      for (const filter of [
        { owner_id: 'unknown' },
        { owner_id: randomUUID() },
        { parent_id: '99' },
        { parent_id: '' },
        { status: 'DONE', overdue: true },
      ]) {
        expect([filter, await ids(filter)]).toEqual([filter, []]);
      }
      expect((await list({ status: 'DONE', limit: 1 })).total).toBe(1);
    });

    test('shows a control as overdue when its day has passed in UTC, and not before', async () => {
      const midnight = Date.parse(`${day(24)}T00:00:00Z`) - clock.at(0).getTime();
      await update('20.2', { due_date: day(0) });
      clock.set(0, midnight - 1);
      expect(await ids({ overdue: true })).toEqual([]);
      clock.set(0, midnight);
      expect(await ids({ overdue: true })).toEqual(['20.2']);
    });
  });

  describe('a control', () => {
    test('is read with its state, and is not found where the workflow does not have it', async () => {
      expect(JSON.stringify(dataOf(await read('20.2')))).toBe(JSON.stringify({ ...SECOND, ...UNTOUCHED }));
      for (const id of ['99', 'A.5.1', '__proto__']) expectFailure(await read(id), 'NOT_FOUND');
    });

    test('is changed where a field is sent, not where one is absent, and is emptied where null is sent', async () => {
      const { analyst } = testData;
      const changes = {
        status: 'IN_PROGRESS',
        due_date: '2031-02-03',
        inclusion_reason: 'Law',
        note: 'First\nsecond line',
      };
      const owner = { user_id: analyst.id, username: analyst.username, first_name: 'analyst', last_name: 'Person' };
      const state = { ...SECOND, ...UNTOUCHED, ...changes, owner, updated_at: clock.now().toISOString() };
      const changed = await update('20.2', { ...changes, owner_id: analyst.id });
      expect(JSON.stringify(dataOf(changed))).toBe(JSON.stringify(state));
      expect(dataOf(await update('20.2', {}))).toEqual(state);
      const emptied = { ...state, inclusion_reason: '', note: '', due_date: null };
      const nothing = { inclusion_reason: null, note: null, due_date: null };
      expect(dataOf(await update('20.2', nothing))).toEqual(emptied);
      expect(dataOf(await update('20.2', { owner_id: null }))).toEqual({ ...emptied, owner: null });
    });

    test('has a justification with the status NOT_APPLICABLE, and with no other', async () => {
      const required = ['justification is required with the status NOT_APPLICABLE'];
      refused(await update('20.2', { status: 'NOT_APPLICABLE' }), required);
      refused(await update('20.2', { status: 'NOT_APPLICABLE', justification: '  ' }), required);
      refused(await update('20.2', { justification: 'Why not' }), [
        'justification is allowed with the status NOT_APPLICABLE only',
      ]);
      const justified = await update('20.2', { status: 'NOT_APPLICABLE', justification: ' No staff ' });
      expect(dataOf(justified)).toMatchObject({ status: 'NOT_APPLICABLE', justification: 'No staff' });
      expect(dataOf(await update('20.2', { justification: 'None' })).justification).toBe('None');
      refused(await update('20.2', { justification: null }), required);
      expect(dataOf(await update('20.2', { status: 'TO_DO' })).justification).toBe('');
      refused(await update('20.2', { status: 'NOT_APPLICABLE' }), required);
    });

    test('has an owner who is an active member of the organization', async () => {
      const error = ['owner_id must be an active member of the organization'];
      const { nonMember, userWithoutOrganization } = testData;
      for (const owner_id of [nonMember.id, userWithoutOrganization.id, randomUUID(), 'unknown', '', "' or true"]) {
        refused(await update('20.2', { owner_id }), error);
      }
      const member = await newViewer();
      dataOf(await update('20.2', { owner_id: member.id.toUpperCase() }));
      await sql('update membership set deactivated_at = now() where user_id = $1', [member.id]);
      refused(await update('20.1', { owner_id: member.id }), error);
      // A deactivated member stays the owner where it is.
      const changed = dataOf(await update('20.2', { owner_id: member.id, note: 'Other' }));
      expect(changed).toMatchObject({ note: 'Other', owner: { user_id: member.id } });
      await sql('update membership set deactivated_at = null where user_id = $1', [member.id]);
      await sql('update app_user set deactivated_at = now() where id = $1', [member.id]);
      refused(await update('20.1', { owner_id: member.id }), error);
    });

    test('has no owner when its owner leaves this organization; those of other controls remain', async () => {
      const { database } = gateway.app;
      const member = await newViewer();
      const elsewhere = await buildOrganization(database, 'Elsewhere');
      await join(database, member, elsewhere, 'VIEWER');
      await join(database, testData.manager, elsewhere, 'ORGANIZATION_MANAGER');
      await buildWorkflow(database, elsewhere, 'nis2-directive');
      const there = { organization_id: elsewhere, control_id: '20.1' };
      dataOf(await call('update', { ...there, owner_id: member.id }, testData.manager));
      await update('20.1', { owner_id: member.id });
      await update('20.2', { owner_id: testData.viewer.id });
      await sql('delete from membership where user_id = $1 and organization_id = $2', [
        member.id,
        testData.organizationId,
      ]);
      expect(dataOf(await read('20.1')).owner).toBeNull();
      expect(dataOf(await read('20.2')).owner).toMatchObject({ user_id: testData.viewer.id });
      expect(dataOf(await call('read', there, testData.manager)).owner).toMatchObject({ user_id: member.id });
    });

    test('does not get its owner back who leaves while something else of it is changed', async () => {
      const { database } = gateway.app;
      const member = await newViewer();
      await update('20.1', { owner_id: member.id });
      const { noted } = await database.transaction(async (tx) => {
        await tx.rows('delete from membership where user_id = $1', [member.id]);
        const waiting = update('20.1', { note: 'Seen' });
        await someoneWaits(tx);
        return { noted: waiting };
      });
      expect(dataOf(await noted)).toMatchObject({ note: 'Seen', owner: null });
    });

    test('that several are changed of whose owner leaves meanwhile are changed, and have none', async () => {
      const { database } = gateway.app;
      const { organizationId } = testData;
      const member = await newViewer();
      // Not stored in the order of their ids.
      for (const id of ['20.2', '20.1']) await update(id, { owner_id: member.id });
      const first = [`select from control_state where control_id = '20.1' for update`, []] as const;
      const [noted, left] = await inTurnBehind<object>(database, first, [
        () => updateMany({ control_ids: ['20.1', '20.2'], changes: { note: 'Seen' } }),
        () => gateway.rest.post(`/api/v1/organizations/${organizationId}/leave`, member),
      ]);
      dataOf(noted as Result);
      expect(left).toMatchObject({ status: 200 });
      for (const id of ['20.1', '20.2']) expect(dataOf(await read(id))).toMatchObject({ note: 'Seen', owner: null });
    });

    test.each([
      ['another one is named', () => testData.viewer.id],
      ['it is taken out', () => null],
    ])('whose owner leaves while %s has lost it once, as the trail tells', async (_how, ownerId) => {
      const { database } = gateway.app;
      const { organizationId, officer } = testData;
      const member = await newViewer();
      await update('20.1', { owner_id: member.id });
      const head = ['select from audit_log where organization_id = $1 for update', [organizationId]] as const;
      const owner_id = ownerId();
      // The first waits for the head of the trail, and has locked the control.
      await inTurnBehind<unknown>(database, head, [
        () => gateway.rest.post(`/api/v1/organizations/${organizationId}/leave`, member),
        () => update('20.1', { owner_id }),
      ]);
      expect(dataOf(await read('20.1')).owner).toEqual(owner_id && expect.objectContaining({ user_id: owner_id }));
      const path = `/api/v1/organizations/${organizationId}/changes?action=CONTROL_UPDATED&subject_type=CONTROL`;
      const { body } = await gateway.rest.get(`${path}&subject_id=nis2-directive/20.1&field=ownerId`, officer);
      const changes = body.data as { before: string | null; after: string | null }[];
      const place = changes.findIndex(({ after }) => after === member.id);
      expect(changes.slice(place).map(({ before, after }) => [before, after])).toEqual([
        [null, member.id],
        [member.id, null],
        ...(owner_id === null ? [] : [[null, owner_id]]),
      ]);
    });

    test('has texts up to their limits, and is refused with every error at once', async () => {
      const longest = {
        justification: '💡'.repeat(2_000),
        inclusion_reason: '💡'.repeat(2_000),
        note: '💡'.repeat(5_000),
      };
      dataOf(await update('20.2', { status: 'NOT_APPLICABLE', ...longest }));
      const tooLong = {
        status: null,
        justification: 'x'.repeat(2_001),
        inclusion_reason: 'x'.repeat(2_001),
        note: 'x'.repeat(5_001),
      };
      refused(await update('20.2', { ...tooLong, owner_id: testData.nonMember.id }), [
        'status must not be null',
        'justification must not be longer than 2000 characters',
        'inclusion_reason must not be longer than 2000 characters',
        'note must not be longer than 5000 characters',
      ]);
      refused(await update('20.2', { note: 'a\u0001b' }), ['note must not contain control characters']);
      refused(await update('20.2', { status: 'done', due_date: '2026-02-30', hue: 1 }), [
        'status must be one of TO_DO, IN_PROGRESS, DONE, NOT_APPLICABLE',
        'due_date must be a date such as 2026-11-20',
        'hue is not a known field',
      ]);
    });

    test('is announced to its new owner once, unless the owner assigned it or wants no such alerts', async () => {
      const { viewer, analyst, officer } = testData;
      await update('20.2', { owner_id: viewer.id });
      await update('20.2', { owner_id: viewer.id, note: 'Again' });
      expect(await titles(viewer)).toEqual(['Control assigned to you']);
      await update('20.1', { owner_id: analyst.id });
      expect(await titles(analyst)).toEqual([]);
      await sql('update membership set alert_v_ciso = false where user_id = $1', [officer.id]);
      await update('20.1', { owner_id: officer.id });
      expect(await titles(officer)).toEqual([]);
      await sql('update membership set alert_v_ciso = true where user_id = $1', [officer.id]);
      await gateway.settled();
      const [row] = await sql('select type, message, href from notification where user_id = $1', [viewer.id]);
      expect(row).toEqual({
        type: 'WORKFLOW',
        message: `NIS 2 Directive, 20.2: ${SECOND.label}.`,
        href: `/organizations/${testData.organizationId}/workflows/nis2-directive/controls/20.2`,
      });
    });
  });

  describe('many controls', () => {
    test('take one set of changes, and are answered in the order in which they are named', async () => {
      const changes = { status: 'DONE', owner_id: testData.viewer.id };
      const data = dataOf(await updateMany({ control_ids: ['23.1', '20.1'], changes }));
      expect(data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
        ['23.1', 'DONE'],
        ['20.1', 'DONE'],
      ]);
      expect(await titles(testData.viewer)).toEqual(['Controls assigned to you']);
    });

    test('take a change of its own for each', async () => {
      const updates = [
        { control_id: '20.1', status: 'DONE' },
        { control_id: '20.2', status: 'NOT_APPLICABLE', justification: 'No staff' },
        { control_id: '21.1', due_date: '2031-01-01', owner_id: null },
      ];
      expect(dataOf(await updateMany({ updates }))).toMatchObject([
        { id: '20.1', status: 'DONE' },
        { id: '20.2', justification: 'No staff' },
        { id: '21.1', due_date: '2031-01-01', status: 'TO_DO' },
      ]);
    });

    test('stay as they are when there is any error, which is reported at its place', async () => {
      const { id: owner_id } = testData.nonMember;
      const updates = [
        { control_id: '20.1', status: 'DONE' },
        { control_id: '99', status: 'DONE' },
        { control_id: '20.1', note: 'Twice' },
        { control_id: '20.2', status: 'NOT_APPLICABLE', owner_id },
      ];
      refused(await updateMany({ updates }), [
        'updates[1].control_id is no control of this workflow',
        'updates[2].control_id is named twice',
        'updates[3].justification is required with the status NOT_APPLICABLE',
        'updates[3].owner_id must be an active member of the organization',
      ]);
      const control_ids = ['20.1', '__proto__', '20.1'];
      refused(await updateMany({ control_ids, changes: { justification: 'x', owner_id } }), [
        'control_ids[1] is no control of this workflow',
        'control_ids[2] is named twice',
        'changes.justification is allowed with the status NOT_APPLICABLE only',
        'changes.owner_id must be an active member of the organization',
      ]);
      expect(await ids({ status: 'DONE' })).toEqual([]);
      expect(await sql('select 1 from control_state')).toEqual([]);
      expect(await titles(testData.viewer)).toEqual([]);
    });

    test('are changed in exactly one of two forms, which must be complete', async () => {
      const either = ['either control_ids with changes or updates must be given'];
      const updates = [{ control_id: '20.1', status: 'DONE' }];
      refused(await updateMany({}), either);
      refused(await updateMany({ control_ids: ['20.1'], changes: {}, updates }), either);
      refused(await updateMany({ control_ids: ['20.1'] }), ['changes is required']);
      refused(await updateMany({ changes: { status: 'DONE' } }), ['control_ids is required']);
    });

    test('are 1 to 200 in a request', async () => {
      const iso = { workflow_id: 'iso-27001-2022' };
      const control_ids = await ids({ ...iso, limit: 100 });
      dataOf(await updateMany({ ...iso, control_ids, changes: { status: 'DONE' } }));
      const many = (count: number) => Array.from({ length: count }, (_, index) => `no-${index}`);
      expect((await updateMany({ ...iso, control_ids: many(200), changes: {} })).messages).toHaveLength(50);
      for (const count of [0, 201]) {
        refused(await updateMany({ ...iso, control_ids: many(count), changes: {} }), [
          'control_ids must have from 1 to 200 items',
        ]);
        refused(await updateMany({ ...iso, updates: many(count).map((control_id) => ({ control_id })) }), [
          'updates must have from 1 to 200 items',
        ]);
      }
    });

    test('are all counted when many requests change them at once', async () => {
      const all: string[] = await ids({ limit: 100 });
      for (const result of await Promise.all(all.map((id) => update(id, { status: 'DONE' })))) dataOf(result);
      const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/nis2-directive/progress`;
      const { body } = await gateway.rest.get(path, testData.viewer);
      expect(body.data.at(-1)).toMatchObject({ total: 25, done: 25, to_do: 0 });
    });
  });
});
