import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Operation,
  type Result,
} from '../support/apis.js';
import { LIMITS } from '../../src/values/limits.js';
import { TestClock } from '../support/clock.js';
import { inTurnBehind, someoneWaits } from '../support/lock-waits.js';
import { expectStatus } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const ROOT = '/api/v1/v-ciso/organizations/{organization_id}';
const EDITION = 'label parent_id: parentId kind entities is_heading: isHeading';
const CHANGE = `id: controlId before { ${EDITION} } after { ${EDITION} } status justification
  owner { user_id: userId username first_name: firstName last_name: lastName } due_date: dueDate documents`;
const OPERATIONS = {
  preview: mutation(
    `POST ${ROOT}/workflow-import-previews`,
    'previewWorkflowImport',
    `preview { id: workflowId name version: edition replaces is_associated: isAssociated digest
      added { ${CHANGE} } removed { ${CHANGE} } changed { ${CHANGE} } unchanged }`,
  ),
  import: mutation(
    `POST ${ROOT}/available-workflows`,
    'importWorkflow',
    'workflowImport { id: workflowId version: edition controls: controlCount }',
  ),
} satisfies Record<string, Operation>;

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now });

const control = (id: string, more: object = {}) => ({ id, label: `Do ${id}`, kind: 'control', ...more });
const edition = (version: string, controls: object[]) => ({
  ...{ id: 'house-rules', name: 'House rules', version, source: { text: 'Our handbook' }, licence: 'Ours', controls },
});
const FIRST = edition('1', [control('H1'), control('H1.1', { parent: 'H1' }), control('H2'), control('H3')]);
/** H1.1 is removed, H1 becomes work, H2 has another label and a control below it, H2.1 is added. */
const SECOND = edition('2', [
  ...[control('H1'), control('H2', { label: 'Do it' }), control('H2.1', { parent: 'H2' }), control('H3')],
]);

const pathOf = (rest: string) => `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows${rest}`;
const read = async (rest: string) => (await gateway.rest.get(pathOf(rest), testData.manager)).body;
const change = async (id: string, body: object) =>
  expectStatus(
    await gateway.rest.patch(pathOf(`/house-rules/controls/${id}`), { token: testData.manager.token, body }),
    200,
  );

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object) => {
    const sent = { organization_id: testData.organizationId, ...input };
    return callThrough(api, gateway, OPERATIONS[name], sent, testData.manager.token);
  };
  const preview = async (input: object) => dataOf(await call('preview', input));

  beforeEach(async () => {
    clock.set(0);
    for (const table of [
      'organization_workflow',
      'workflow_import',
      'control_state',
      'document_version',
      'workflow_progress',
    ])
      await gateway.app.database.rows(`delete from ${table}`);
    dataOf(await call('import', FIRST));
    const body = { id: 'house-rules' };
    expectStatus(await gateway.rest.post(pathOf(''), { token: testData.manager.token, body }), 201);
    await change('H1.1', { status: 'DONE', owner_id: testData.analyst.id });
    await change('H3', { status: 'NOT_APPLICABLE', justification: 'There is none' });
    const document = { filename: 'p.txt', content: 'cG9saWN5', content_type: 'text/plain' };
    const versions = pathOf('/house-rules/documents/H1.1/versions');
    expectStatus(await gateway.rest.post(versions, { token: testData.analyst.token, body: document }), 201);
  });

  test('a preview lists what comes, goes and changes, with what the organization has of it, and stores nothing', async () => {
    const seen = await preview(SECOND);
    expect(seen).toMatchObject({
      ...{ id: 'house-rules', name: 'House rules', version: '2', replaces: true, is_associated: true, unchanged: 1 },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      added: [
        {
          ...{ id: 'H2.1', before: null, status: 'TO_DO', owner: null, documents: 0 },
          after: { label: 'Do H2.1', parent_id: 'H2', kind: 'CONTROL', entities: null, is_heading: false },
        },
      ],
      removed: [
        {
          ...{ id: 'H1.1', before: { label: 'Do H1.1', parent_id: 'H1' }, after: null, status: 'DONE', documents: 1 },
          owner: { user_id: testData.analyst.id, username: testData.analyst.username },
        },
      ],
      changed: [
        { id: 'H1', before: { is_heading: true }, after: { is_heading: false } },
        { id: 'H2', before: { label: 'Do H2', is_heading: false }, after: { label: 'Do it', is_heading: true } },
      ],
    });
    expect((await read('/house-rules/controls')).total).toBe(4);
    expect(await preview(SECOND)).toEqual(seen);
  });

  test('an associated workflow is imported again with the digest of its preview, and statuses stay by the ids', async () => {
    expectConflict(await call('import', SECOND), 'WORKFLOW_ASSOCIATED');
    const { digest } = await preview(SECOND);
    clock.set(24);
    expect(dataOf(await call('import', { ...SECOND, preview_digest: digest }))).toMatchObject({ version: '2' });
    const { data } = await read('/house-rules/controls');
    expect(data).toMatchObject([
      { id: 'H1', status: 'TO_DO', parent_id: null },
      { id: 'H2', label: 'Do it' },
      { id: 'H2.1', status: 'TO_DO', parent_id: 'H2' },
      { id: 'H3', status: 'NOT_APPLICABLE', justification: 'There is none' },
    ]);
    const today = { total: 3, to_do: 2, done: 0, not_applicable: 1 };
    expect((await read('/house-rules')).data.progress).toMatchObject(today);
    const history = (await read('/house-rules/progress')).data;
    expect(history.at(-1)).toMatchObject({ ...today, day: clock.now().toISOString().slice(0, 10) });
    expect(history.at(-2)).toMatchObject({ total: 3, done: 1 });
  });

  test('an owner is reminded of a control whose due date passed while an edition lacked it', async () => {
    const day = (hours: number) => clock.at(hours).toISOString().slice(0, 10);
    await change('H1.1', { status: 'TO_DO', due_date: day(0) });
    await change('H3', { status: 'TO_DO', justification: null, owner_id: testData.analyst.id, due_date: day(0) });
    const replace = async (file: object) => {
      const { digest } = await preview(file);
      dataOf(await call('import', { ...file, preview_digest: digest }));
    };
    const remind = () => gateway.app.services.controlReminders.remindOverdue();
    await replace(SECOND);
    clock.set(48);
    await remind();
    await replace(FIRST);
    expect(await remind()).toBe(1);
    const entries = await gateway.app.database.rows(
      `select entry::jsonb #>> '{subject,id}' as id from audit_entry where action = 'CONTROL_OVERDUE' order by position desc limit 2`,
    );
    expect(entries).toEqual([{ id: 'house-rules/H1.1' }, { id: 'house-rules/H3' }]);
    expect(await remind()).toBe(0);
  });

  test('what was removed stays readable and on record, and counts again when it is there again', async () => {
    const { digest } = await preview(SECOND);
    dataOf(await call('import', { ...SECOND, preview_digest: digest }));
    expectStatus(await gateway.rest.get(pathOf('/house-rules/controls/H1.1'), testData.manager), 404);
    const versions = await read('/house-rules/documents/H1.1/versions');
    expect(versions).toMatchObject({ total: 1, data: [{ original_name: 'p.txt' }] });
    const download = await fetch(versions.data[0].download_url.replace(/^http:\/\/[^/]+/, gateway.url));
    expect(await download.text()).toBe('policy');
    const [entry] = await gateway.app.database.rows<{ changes: object }>(
      `select entry::jsonb -> 'changes' as changes from audit_entry
        where entry::jsonb ->> 'action' = 'WORKFLOW_IMPORTED' order by position desc limit 1`,
    );
    expect(entry!.changes).toMatchObject({
      added: { after: ['H2.1'] },
      removed: { before: [{ id: 'H1.1', status: 'DONE', ownerId: testData.analyst.id, documents: 1 }] },
      changed: { after: ['H1', 'H2'] },
    });
    const back = await preview(FIRST);
    expect(back.added).toMatchObject([{ id: 'H1.1', status: 'DONE', documents: 1 }]);
    dataOf(await call('import', { ...FIRST, preview_digest: back.digest }));
    expect((await read('/house-rules/controls/H1.1')).data).toMatchObject({ status: 'DONE', evidence: { own: 1 } });
  });

  test('is refused when it would do anything else than its preview said', async () => {
    const { digest } = await preview(SECOND);
    const third = edition('3', [control('H1')]);
    expectConflict(await call('import', { ...third, preview_digest: digest }), 'STALE_PREVIEW');
    await change('H1.1', { status: 'IN_PROGRESS' });
    expectConflict(await call('import', { ...SECOND, preview_digest: digest }), 'STALE_PREVIEW');
    const shown = (await preview(SECOND)).digest;
    const reissued = { ...FIRST, version: '1b' };
    dataOf(await call('import', { ...reissued, preview_digest: (await preview(reissued)).digest }));
    expectConflict(await call('import', { ...SECOND, preview_digest: shown }), 'STALE_PREVIEW');
    // Remaining controls are not lost, whatever their status.
    const again = (await preview(SECOND)).digest;
    await change('H3', { status: 'DONE' });
    dataOf(await call('import', { ...SECOND, preview_digest: again }));
    expectConflict(await call('import', { ...SECOND, preview_digest: again }), 'STALE_PREVIEW');
  });

  test('a preview of a new workflow adds all of it, and that of a wrong one says what is wrong', async () => {
    const seen = await preview({ ...FIRST, id: 'other-rules' });
    expect(seen).toMatchObject({ replaces: false, is_associated: false, removed: [], changed: [], unchanged: 0 });
    expect(seen.added).toHaveLength(4);
    dataOf(await call('import', { ...FIRST, id: 'other-rules', preview_digest: seen.digest }));
    expectFailure(await call('preview', { ...FIRST, controls: [control('a'), control('a')] }), 'BAD_USER_INPUT', [
      'controls[1].id: is there twice',
    ]);
    const { messages } = await call('import', { ...FIRST, mode: 'TITLES', preview_digest: 'x' });
    expect(messages).toEqual([expect.stringContaining('is allowed with the mode WORKFLOW only')]);
  });

  test('a preview is refused as its import is where the id is that of a mapping, and beyond as many as there may be', async () => {
    const mapping = {
      ...{ id: 'house-to-iso', from: 'house-rules', to: 'iso-27001-2022', source: { text: 'Ours' }, licence: 'Ours' },
      pairs: [{ control: 'H2', matches: ['A.5.1'] }],
    };
    dataOf(await call('import', { mode: 'MAPPING', text: JSON.stringify(mapping) }));
    const refused = async (id: string, message: string) => {
      for (const name of ['preview', 'import'] as const)
        expectFailure(await call(name, { ...FIRST, id }), 'BAD_USER_INPUT', [message]);
    };
    await refused('house-to-iso', 'id: belongs to an import of another mode');
    await gateway.app.database.rows(
      `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by, imported_at)
       select i.organization_id, i.workflow_id || '-' || n, i.mode, i.content, i.imported_by, i.imported_at
         from workflow_import i, generate_series(3, $1::int) n where i.workflow_id = 'house-rules'`,
      [LIMITS.workflowImport.perOrganization],
    );
    await refused('other-rules', 'an organization may keep 50 imports at most');
  });

  test('progress is that of the new edition where associating has waited for its import', async () => {
    const { database } = gateway.app;
    await database.rows('delete from organization_workflow');
    await database.rows('delete from workflow_progress');
    const { answer } = await database.transaction(async (tx) => {
      await tx.rows('select from workflow_import for update');
      const answer = gateway.rest.post(pathOf(''), { token: testData.manager.token, body: { id: 'house-rules' } });
      await someoneWaits(tx);
      await tx.rows('update workflow_import set content = $1', [JSON.stringify(edition('3', [control('H3')]))]);
      return { answer };
    });
    expectStatus(await answer, 201);
    expect((await read('/house-rules/progress')).data).toMatchObject([{ total: 1, to_do: 0, not_applicable: 1 }]);
  });

  test('a document is refused that an import has taken the control of while it was uploaded', async () => {
    const { database } = gateway.app;
    const key = `${testData.organizationId}/house-rules/H1.1`;
    const { answer } = await database.transaction(async (tx) => {
      await tx.rows('select pg_advisory_xact_lock(hashtextextended($1, 1))', [key]);
      const body = { filename: 'l.txt', content: 'bGF0ZQ==', content_type: 'text/plain' };
      const answer = gateway.rest.post(pathOf('/house-rules/documents/H1.1/versions'), {
        token: testData.analyst.token,
        body,
      });
      await someoneWaits(tx);
      await tx.rows('update workflow_import set content = $1', [JSON.stringify(SECOND)]);
      return { answer };
    });
    expectStatus(await answer, 404);
    expect(await database.rows('select original_name as name from document_version')).toEqual([{ name: 'p.txt' }]);
  });

  test('an import waits for a document of a control that it takes away, and is not what its preview has counted', async () => {
    const { database } = gateway.app;
    const { organizationId, analyst } = testData;
    const { digest } = await preview(SECOND);
    const body = { filename: 'l.txt', content: 'bGF0ZQ==', content_type: 'text/plain' };
    const upload = { token: analyst.token, body };
    // The document exists by then, and waits to be recorded.
    const head = ['select from audit_log where organization_id = $1 for update', [organizationId]] as const;
    const [uploaded, imported] = await inTurnBehind<object>(database, head, [
      () => gateway.rest.post(pathOf('/house-rules/documents/H1.1/versions'), upload),
      () => call('import', { ...SECOND, preview_digest: digest }),
    ]);
    expect(uploaded).toMatchObject({ status: 201 });
    expectConflict(imported as Result, 'STALE_PREVIEW');
  });

  test('a change that has waited for an import is one of the new edition', async () => {
    const { database } = gateway.app;
    const { answer } = await database.transaction(async (tx) => {
      await tx.rows('select from organization_workflow for update');
      const path = pathOf('/house-rules/controls/H1.1');
      const answer = gateway.rest.patch(path, { token: testData.manager.token, body: { status: 'TO_DO' } });
      await someoneWaits(tx);
      await tx.rows('update workflow_import set content = $1', [JSON.stringify(SECOND)]);
      return { answer };
    });
    expectStatus(await answer, 400);
    const stored = await database.rows(`select status from control_state where control_id = 'H1.1'`);
    expect(stored).toEqual([{ status: 'DONE' }]);
  });
});
