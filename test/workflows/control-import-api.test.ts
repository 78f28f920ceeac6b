import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, dataOf, expectFailure, uploadThrough } from '../support/apis.js';
import { expectStatus } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { cellsOf, csvOf, type AnsweredRow } from '../support/spreadsheets.js';
import { buildOrganization, buildWorkflow, type Person } from '../support/test-data.js';

const CONTROLS = '/api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}/controls';
const ROWS = 'rows { row key outcome changes { column before after } error { code field message } }';
const IMPORT = mutation(`POST ${CONTROLS}/import`, 'importControls', ROWS);
const workflow_id = 'iso-27001-2022';

const { gateway } = await startSeededGateway();
const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);

let organization_id: number;
let analyst: Person;
let owner: Person;
beforeEach(async () => {
  const { database } = gateway.app;
  organization_id = await buildOrganization(database, 'Another');
  await buildWorkflow(database, organization_id, workflow_id);
  owner = await newMember(database, organization_id, 'ORGANIZATION_OWNER');
  analyst = await newMember(database, organization_id, 'SECURITY_ANALYST');
});

const path = () => CONTROLS.replace('{organization_id}', String(organization_id)).replace('{workflow_id}', workflow_id);
const exported = async (query = '') =>
  (await gateway.rest.get(`${path()}?format=csv${query}`, { token: analyst.token })).text;
type Edits = Readonly<Record<string, Readonly<Record<string, string>>>>;
/** The export with other cells: by control and column. */
async function edited(changes: Edits, query = ''): Promise<string> {
  const [names = [], ...rows] = cellsOf(await exported(query));
  const changed = rows.map((cells) => cells.map((cell, at) => changes[cells[0]!]?.[names[at]!] ?? cell));
  return csvOf([names, ...changed]);
}
const set = (controlId: string, body: object) =>
  gateway.rest.patch(`${path()}/${controlId}`, { token: analyst.token, body });
const control = async (controlId: string) =>
  (await gateway.rest.get(`${path()}/${controlId}`, { token: analyst.token })).body.data;
const entries = async () =>
  (
    await sql(
      `select 1 from audit_entry e join audit_log l on l.id = e.log_id
        where l.organization_id = $1 and action = 'CONTROL_UPDATED'`,
      [organization_id],
    )
  ).length;
const changed = (rows: AnsweredRow[]) => rows.filter(({ outcome }) => outcome !== 'UNCHANGED');
const rowOf = (rows: AnsweredRow[], key: string) => rows.find((row) => row.key === key)!;

describe.each(APIS)('through %s', (api) => {
  const send = (text: string, { dry_run = false, token = analyst.token } = {}) => {
    const operation = { ...IMPORT, rest: `${IMPORT.rest}${dry_run ? '?dry_run=true' : ''}` };
    const file = { filename: 'controls.csv', contentType: 'text/csv', bytes: Buffer.from(text) };
    const input = { organization_id, workflow_id, ...(dry_run && api === 'GraphQL' && { dry_run }) };
    return uploadThrough(api, gateway, operation, input, file, token);
  };
  const rowsOf = async (text: string, options = {}): Promise<AnsweredRow[]> => dataOf(await send(text, options));

  test('what was exported changes nothing when it is sent back, whatever is in its cells and in any language', async () => {
    await set('A.5.1', { status: 'DONE', note: '=1+1\n"quoted", ;-2\r\n\t@x', due_date: '2026-12-31' });
    await set('A.5.2', { status: 'NOT_APPLICABLE', justification: "'=not a formula", owner_id: owner.id });
    const before = await entries();
    for (const text of [
      await exported(),
      await exported('&language=it'),
      (await exported()).replaceAll('\r\n', '\n'),
    ]) {
      const rows = await rowsOf(text);
      expect(rows.length).toBeGreaterThan(100);
      expect(changed(rows)).toEqual([]);
    }
    expect(await entries()).toBe(before);
  });

  test('so do the texts of a workflow of its own', async () => {
    const texts = [
      '=1+1\n"quoted", ;-2\t@x',
      ' - a\n\n- b\u2028c ',
      "'+1",
      'x'.repeat(8_000),
      '\u00a0 e\u0301',
      '6.10',
    ];
    const controls = texts.map((text, at) => ({ id: `H${at}`, label: `=H${at}`, kind: 'control', text }));
    const about = { id: 'house-rules', name: 'House', version: '1', source: { text: 'Ours' }, licence: 'Ours' };
    const { token } = owner;
    const added = `/api/v1/v-ciso/organizations/${organization_id}/available-workflows`;
    expectStatus(
      await gateway.rest.post(added, { token, body: { text: JSON.stringify({ ...about, controls }) } }),
      201,
    );
    await buildWorkflow(gateway.app.database, organization_id, about.id);
    const address = path().replace(workflow_id, about.id);
    const { text } = await gateway.rest.get(`${address}?format=csv`, { token });
    expect(cellsOf(text).map((cells) => cells.includes(texts[3]!))).toContain(true);
    const file = { filename: 'controls.csv', contentType: 'text/csv', bytes: Buffer.from(text) };
    const input = { organization_id, workflow_id: about.id };
    const rows = dataOf(await uploadThrough(api, gateway, IMPORT, input, file, token)) as AnsweredRow[];
    expect(rows.map(({ outcome }) => outcome)).toEqual(texts.map(() => 'UNCHANGED'));
  });

  test('controls become as the cells say, each with an entry, and the same file again changes nothing', async () => {
    await set('A.5.4', { status: 'IN_PROGRESS', due_date: '2026-12-31', owner_id: analyst.id });
    const before = await entries();
    const text = await edited({
      'A.5.1': { status: 'DONE', note: "'=SUM(A1)", review_interval_months: '12', owner_username: owner.username },
      'A.5.2': {
        status: 'NOT_APPLICABLE',
        justification: ' No suppliers. ',
        owner_user_id: owner.id.toUpperCase(),
        owner_username: owner.username,
      },
      'A.5.3': { due_date: '2027-01-31', inclusion_reason: 'A law' },
      'A.5.4': { due_date: '', owner_user_id: '', owner_username: '' },
    });
    const rows = await rowsOf(text);
    expect(
      changed(rows).map(({ key, outcome, changes }) => [key, outcome, ...changes.map((one) => Object.values(one))]),
    ).toEqual([
      [
        'A.5.1',
        'CHANGED',
        ['status', 'TO_DO', 'DONE'],
        ['note', null, '=SUM(A1)'],
        ['review_interval_months', null, '12'],
        ['owner_user_id', null, owner.id],
      ],
      [
        'A.5.2',
        'CHANGED',
        ['status', 'TO_DO', 'NOT_APPLICABLE'],
        ['justification', null, 'No suppliers.'],
        ['owner_user_id', null, owner.id],
      ],
      ['A.5.3', 'CHANGED', ['inclusion_reason', null, 'A law'], ['due_date', null, '2027-01-31']],
      ['A.5.4', 'CHANGED', ['due_date', '2026-12-31', null], ['owner_user_id', analyst.id, null]],
    ]);
    expect(await control('A.5.1')).toMatchObject({
      status: 'DONE',
      note: '=SUM(A1)',
      review_interval_months: 12,
      owner: { user_id: owner.id },
    });
    expect(await control('A.5.4')).toMatchObject({ due_date: null, owner: null, status: 'IN_PROGRESS' });
    expect(await entries()).toBe(before + 4);
    expect(changed(await rowsOf(text))).toEqual([]);
    expect(await entries()).toBe(before + 4);
  });

  test('an edit changes what was edited, also beside apostrophes before signs', async () => {
    const note = "Marks:\n'+' is met;'-' is not";
    await set('A.5.1', { note });
    const [names = [], ...rows] = cellsOf(await exported());
    const cell = rows.find(([id]) => id === 'A.5.1')![names.indexOf('note')]!;
    await rowsOf(await edited({ 'A.5.1': { note: `${cell}, '=' is open` } }));
    expect((await control('A.5.1')).note).toBe(`${note}, '=' is open`);
  });

  test('a dry run says the same and changes nothing', async () => {
    const text = await edited({ 'A.5.1': { status: 'DONE' }, 'A.5.2': { status: 'GONE' } });
    const said = await rowsOf(text, { dry_run: true });
    expect(await entries()).toBe(0);
    expect(await rowsOf(text)).toEqual(said);
    expect(await entries()).toBe(1);
  });

  test('a justification that goes with its status is one of the changes, also where the table has no column of it', async () => {
    await set('A.5.1', { status: 'NOT_APPLICABLE', justification: 'No suppliers.' });
    const text = 'id,status\nA.5.1,DONE\n';
    const said = await rowsOf(text, { dry_run: true });
    expect(said[0]!.changes).toEqual([
      { column: 'status', before: 'NOT_APPLICABLE', after: 'DONE' },
      { column: 'justification', before: 'No suppliers.', after: null },
    ]);
    expect(await rowsOf(text)).toEqual(said);
    expect(await control('A.5.1')).toMatchObject({ status: 'DONE', justification: '' });
  });

  test('a row is refused alone, with the column and the reason', async () => {
    await set('A.5.9', { status: 'NOT_APPLICABLE', justification: 'Because' });
    const nonMember = await newMember(
      gateway.app.database,
      await buildOrganization(gateway.app.database, 'Other'),
      'VIEWER',
    );
    const text = await edited({
      'A.5.1': { status: 'GONE' },
      'A.5.2': { status: 'NOT_APPLICABLE' },
      'A.5.3': { due_date: '31/12/2026' },
      'A.5.4': { owner_username: nonMember.username },
      'A.5.5': { owner_user_id: owner.id, owner_username: analyst.username },
      'A.5.6': { review_interval_months: 'yearly' },
      'A.5.7': { note: 'x'.repeat(5_001) },
      'A.5.8': { status: 'DONE' },
      'A.5.9': { status: 'DONE' },
      // A spreadsheet's conversion of 6.10.
      'A.5.10': { id: 'A.5.11', status: 'DONE' },
      'A.5.12': { label: 'Another', status: 'DONE' },
      'A.5.13': { id: 'A.99', status: 'DONE' },
      'A.5.14': { version: 'x', status: 'DONE' },
      'A.5.15': { status: 'DONE' },
      'A.5.16': { version: '', status: 'DONE' },
      'A.5.17': { text: 'Another requirement' },
    });
    await set('A.5.8', { note: 'Seen' });
    const unnamed = text.split('\r\n')[3]!.replace(/^[^,]*/, '');
    const rows = await rowsOf(`${text.trimEnd()}\r\n${unnamed}\r\n${'x,'.repeat(99)}\r\n`);
    expect(rows.at(-2)).toMatchObject({
      key: '',
      outcome: 'REFUSED',
      error: { field: 'id', message: 'id is required' },
    });
    expect(rows.at(-1)?.error?.message).toBe('The row must have as many cells as there are columns');
    const refused = (key: string) => {
      const { outcome, error } = rowOf(rows, key);
      return [outcome, error?.code, error?.field, error?.message];
    };
    expect(['A.5.1', 'A.5.2', 'A.5.3', 'A.5.4', 'A.5.5', 'A.5.6', 'A.5.7', 'A.5.8', 'A.5.9'].map(refused)).toEqual([
      ['REFUSED', 'BAD_USER_INPUT', 'status', 'status must be one of TO_DO, IN_PROGRESS, DONE, NOT_APPLICABLE'],
      ['REFUSED', 'BAD_USER_INPUT', 'justification', 'justification is required with the status NOT_APPLICABLE'],
      ['REFUSED', 'BAD_USER_INPUT', 'due_date', 'due_date must be a date such as 2026-11-20'],
      ['REFUSED', 'BAD_USER_INPUT', 'owner_username', 'owner_username must be an active member of the organization'],
      [
        'REFUSED',
        'BAD_USER_INPUT',
        'owner_username',
        'owner_username must be that of owner_user_id, which may be empty',
      ],
      [
        'REFUSED',
        'BAD_USER_INPUT',
        'review_interval_months',
        expect.stringMatching(/^review_interval_months must be an integer/),
      ],
      ['REFUSED', 'BAD_USER_INPUT', 'note', 'note must not be longer than 5000 characters'],
      ['REFUSED', 'STALE_VERSION', null, expect.stringMatching(/^Another request has changed the record/)],
      ['REFUSED', 'BAD_USER_INPUT', 'justification', 'justification is allowed with the status NOT_APPLICABLE only'],
    ]);
    expect(['A.5.11', 'A.5.12', 'A.99', 'A.5.14', 'A.5.16', 'A.5.17'].map((key) => refused(key).slice(0, 3))).toEqual([
      ['REFUSED', 'BAD_USER_INPUT', 'id'],
      ['REFUSED', 'BAD_USER_INPUT', 'label'],
      ['REFUSED', 'NOT_FOUND', null],
      ['REFUSED', 'BAD_USER_INPUT', 'version'],
      ['REFUSED', 'BAD_USER_INPUT', 'version'],
      ['REFUSED', 'BAD_USER_INPUT', 'text'],
    ]);
    expect(changed(rows).filter(({ outcome }) => outcome === 'CHANGED')).toMatchObject([{ key: 'A.5.15' }]);
  });

  test('a table with a NUL character, or above 5 MB, is refused, and nothing of it is done', async () => {
    const send = (text: string) =>
      gateway.rest.post(`${path()}/import`, {
        token: analyst.token,
        headers: { 'content-type': 'text/csv' },
        body: Buffer.from(text),
      });
    const answer = await send('id,note,owner_username\nA.5.1,Seen,\nA.5.2,,a\0b\n');
    expect([answer.status, answer.body.messages]).toEqual([400, ['file must not contain a NUL character']]);
    const larger = await send(`id,note\n${'\n'.repeat(5 * 1024 * 1024)}`);
    expect([larger.status, larger.body.messages]).toEqual([413, ['File too large. Maximum size is 5 MB.']]);
    expect(await entries()).toBe(0);
  });

  test('a viewer, another organization and a workflow that is not associated are refused before the file is read', async () => {
    const viewer = await newMember(gateway.app.database, organization_id, 'VIEWER');
    expectFailure(await send('wrong\n', { token: viewer.token }), 'FORBIDDEN');
    const other = await buildOrganization(gateway.app.database, 'Other');
    const nonMember = await newMember(gateway.app.database, other, 'ORGANIZATION_OWNER');
    expectFailure(await send('wrong\n', { token: nonMember.token }), 'NOT_FOUND');
    await sql('delete from organization_workflow where organization_id = $1', [organization_id]);
    expectFailure(await send('wrong\n'), 'NOT_FOUND');
  });
});
