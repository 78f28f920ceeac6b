import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../src/values/limits.js';
import { Link } from '../resilience/support/link.js';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, uploadThrough, type Api } from '../support/apis.js';
import { HIGH_QUOTAS, startGateway } from '../support/gateway.js';
import { follow, take, TRANSPORTS } from '../support/live.js';
import { someoneWaits } from '../support/lock-waits.js';
import { expectStatus } from '../support/matchers.js';
import { mutation } from '../support/operations.js';
import { newMember } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { cellsOf, csvOf } from '../support/spreadsheets.js';
import { buildOrganization, buildPerson, buildWorkflow, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';
import { zip } from '../support/zip.js';

const JOB = `id: databaseId kind workflow_id: workflowId status failure row_count: rowCount done_count: doneCount changed_count: changedCount
  unchanged_count: unchangedCount refused_count: refusedCount created_by: createdBy { username } created_at: createdAt started_at: startedAt
  ended_at: endedAt kept_until: keptUntil`;
const WORKFLOW = '/api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}';
const JOBS = '/api/v1/organizations/{organization_id}/import-jobs';
const headers = { prefer: 'wait=5, Respond-Async; x=1' };
const started = (rest: string, name: string) => ({ ...mutation(rest, name, `importJob { ${JOB} }`), headers });
const START = {
  members: started('POST /api/v1/organizations/{organization_id}/users/import', 'startMemberImport'),
  invitations: started('POST /api/v1/organizations/{organization_id}/invitations/batch', 'startInvitations'),
  controls: started(`POST ${WORKFLOW}/controls/import`, 'startControlImport'),
  documents: started(`POST ${WORKFLOW}/documents/import`, 'startDocumentImport'),
};
const READ = {
  rest: `GET ${JOBS}/{id}`,
  graphql: `query ($organizationId: ID!, $id: ID!) { importJob(organizationId: $organizationId, id: $id) { ${JOB} } }`,
  at: 'importJob',
};
const ROWS = {
  rest: `GET ${JOBS}/{id}/rows`,
  graphql: `query ($organizationId: ID!, $id: ID!, $first: Int, $filter: ImportJobRowFilter) {
    importJob(organizationId: $organizationId, id: $id) { rows(first: $first, filter: $filter) { totalCount nodes {
      number row key outcome record_id: recordId changes { column before after } error { code field message } } } } }`,
  at: 'importJob.rows',
};
const LIST = {
  rest: `GET ${JOBS}`,
  graphql: `query ($organizationId: ID!, $first: Int) {
    organization(id: $organizationId) { importJobs(first: $first) { totalCount nodes { ${JOB} } } } }`,
  at: 'organization.importJobs',
};
const CANCEL = mutation(`POST ${JOBS}/{id}/cancel`, 'cancelImportJob', `importJob { ${JOB} }`, { id: 'importJobId' });

const workflow_id = 'iso-27001-2022';
const MAILS = 4;
const { gateway } = await startSeededGateway({ config: { quotas: { ...HIGH_QUOTAS, mailsPerSender: 200 } } });
const { database, services } = gateway.app;
const sql = (text: string, values: unknown[] = []) => database.rows(text, values);

let organization_id: number;
let owner: Person;
let manager: Person;
let analyst: Person;
let other: Person;
let viewer: Person;
beforeEach(async () => {
  organization_id = await buildOrganization(database, 'Another');
  await buildWorkflow(database, organization_id, workflow_id);
  owner = await newMember(database, organization_id, 'ORGANIZATION_OWNER');
  manager = await newMember(database, organization_id, 'ORGANIZATION_MANAGER');
  analyst = await newMember(database, organization_id, 'SECURITY_ANALYST');
  other = await newMember(database, organization_id, 'SECURITY_ANALYST');
  viewer = await newMember(database, organization_id, 'VIEWER');
});

/** One attempt, like those of the queue. */
const work = (id: number, signal = new AbortController().signal) => {
  const data = { organizationId: organization_id, importJobId: id };
  return gateway.app.jobs.work('import', { id: randomUUID(), data } as never, signal);
};
const actions = async () =>
  (
    await sql(
      `select action from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position`,
      [organization_id],
    )
  ).map(({ action }) => action as string);
const notes = async () =>
  (
    await sql('select control_id, note from control_state where organization_id = $1 order by 1', [organization_id])
  ).map((row) => [row['control_id'], row['note']]);
const controlTable = (controls: readonly string[], note = 'Seen.') =>
  csvOf([['id', 'note'], ...controls.map((control) => [control, note])]);
const table = (text: string) => ({ filename: 'table.csv', contentType: 'text/csv', bytes: Buffer.from(text) });
const archive = (documents: object[], files: Record<string, string>) => ({
  ...{ filename: 'documents.zip', contentType: 'application/zip' },
  bytes: zip([
    { name: 'manifest.json', content: JSON.stringify({ documents }) },
    ...Object.entries(files).map(([name, content]) => ({ name, content })),
  ]),
});
const stored = () =>
  readdirSync(joinPath(gateway.config.dataDir, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  ).length;

/** Also in GraphQL: for tests of the processing, not of the request. */
const startControls = async (text: string, { token } = analyst, api: Api = 'GraphQL'): Promise<number> =>
  dataOf(await uploadThrough(api, gateway, START.controls, { organization_id, workflow_id }, table(text), token)).id;
const read = async (id: number, { token } = owner, api: Api = 'REST') =>
  dataOf(await callThrough(api, gateway, READ, { organization_id, id }, token));
const outcomes = async (id: number, api: Api = 'REST') =>
  (dataOf(await callThrough(api, gateway, ROWS, { organization_id, id, limit: 100 }, owner.token)) as Row[]).map(
    ({ outcome }) => outcome,
  );

interface Row {
  number: number;
  outcome: string;
  error: { code: string } | null;
}

describe.each(APIS)('through %s', (api) => {
  test('a table is stored, and done later row by row, with its results and its entries in the trail', async () => {
    const path = `/api/v1/organizations/${organization_id}/users?format=csv`;
    const [names = [], ...members] = cellsOf((await gateway.rest.get(path, { token: owner.token })).text);
    const role = names.indexOf('role');
    const edited = members.map((cells) =>
      cells.map((cell, at) => (cells[0] === viewer.id && at === role ? 'SECURITY_OFFICER' : cell)),
    );
    const wrong = ['2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d', ...(members[0] ?? []).slice(1)];
    const text = csvOf([names, ...edited, wrong, ['too', 'few']]);
    const result = await uploadThrough(api, gateway, START.members, { organization_id }, table(text), manager.token);
    const { id, ...job } = dataOf(result);
    expect(job).toMatchObject({
      ...{ kind: 'MEMBERS', workflow_id: null, status: 'WAITING', row_count: 7, done_count: 1, refused_count: 1 },
      ...{ created_by: manager.username, started_at: null, ended_at: null, kept_until: null },
    });
    expect(await actions()).not.toContain('MEMBER_UPDATED');
    await work(id);
    expect(await read(id, manager, api)).toMatchObject({
      ...{
        status: 'DONE',
        failure: null,
        row_count: 7,
        done_count: 7,
        changed_count: 1,
        unchanged_count: 4,
        refused_count: 2,
      },
      kept_until: expect.any(String),
    });
    const rows = dataOf(await callThrough(api, gateway, ROWS, { organization_id, id, limit: 100 }, manager.token));
    expect(rows.find((row: { key: string }) => row.key === viewer.id)).toMatchObject({
      ...{ outcome: 'CHANGED', error: null },
      changes: [{ column: 'role', before: 'VIEWER', after: 'SECURITY_OFFICER' }],
    });
    expect(rows.slice(5)).toMatchObject([
      { number: 6, row: 7, outcome: 'REFUSED', changes: [], error: { code: 'NOT_FOUND' } },
      { number: 7, row: 8, outcome: 'REFUSED', error: { code: 'BAD_USER_INPUT' } },
    ]);
    const refused = { organization_id, id, outcome: 'REFUSED', limit: 1 };
    expect((await callThrough(api, gateway, ROWS, refused, manager.token)).total).toBe(2);
    expect(await actions()).toEqual(expect.arrayContaining(['IMPORT_STARTED', 'MEMBER_UPDATED', 'IMPORT_ENDED']));
    expect(await sql('select input from import_row where import_job_id = $1 and input is not null', [id])).toEqual([]);
  });

  test('more people are invited than a request may have, and no address is stored', async () => {
    const emails = Array.from({ length: LIMITS.invitation.atOnce + 1 }, () => `${randomUUID()}@example.com`);
    const invitations = [...emails, emails[0], 'nobody'].map((email) => ({ email, role: 'VIEWER' }));
    const job = dataOf(
      await callThrough(api, gateway, START.invitations, { organization_id, invitations }, manager.token),
    );
    await work(job.id);
    expect(await read(job.id, manager, api)).toMatchObject({
      ...{ kind: 'INVITATIONS', status: 'DONE', changed_count: emails.length, unchanged_count: 1, refused_count: 1 },
    });
    const remaining = await sql('select import_row::text as text from import_row where import_job_id = $1', [job.id]);
    expect(remaining.filter(({ text }) => String(text).includes('@'))).toEqual([]);
    const [row] = dataOf(await callThrough(api, gateway, ROWS, { organization_id, id: job.id, limit: 1 }, owner.token));
    const [invited] = await sql('select email from invitation where id = $1', [row.record_id]);
    expect(invited).toEqual({ email: emails[0] });
  });

  test('who has another role than the row says, or is deactivated, is refused; who has that role is as before', async () => {
    const away = await newMember(database, organization_id, 'VIEWER');
    await sql('update membership set deactivated_at = now() where user_id = $1', [away.id]);
    const address = `${randomUUID()}@example.com`;
    const invitations = [
      ...[viewer, analyst, away].map(({ username }) => ({ email: `${username}@Example.com`, role: 'VIEWER' })),
      ...['VIEWER', 'VIEWER', 'SECURITY_ANALYST'].map((role) => ({ email: address, role })),
    ];
    const { id } = dataOf(
      await callThrough(api, gateway, START.invitations, { organization_id, invitations }, manager.token),
    );
    await work(id);
    const rows: Row[] = dataOf(await callThrough(api, gateway, ROWS, { organization_id, id, limit: 100 }, owner.token));
    expect(rows.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
      ['UNCHANGED', undefined],
      ...Array(2).fill(['REFUSED', 'ALREADY_MEMBER']),
      ['CHANGED', undefined],
      ['UNCHANGED', undefined],
      ['REFUSED', 'ALREADY_INVITED'],
    ]);
  });

  test('documents are uploaded from an archive, which is stored until the job ends or is cancelled', async () => {
    const before = stored();
    const file = archive(
      [
        { path: 'a.txt', control_id: 'A.5.15', note: 'One.' },
        { path: 'b.txt', control_id: 'A.5.99' },
        { path: 'c.txt', control_id: 'A.5.16', wrong: 1 },
      ],
      { 'a.txt': `A ${randomUUID()}`, 'b.txt': 'B', 'c.txt': 'C', 'd.txt': 'D' },
    );
    const job = dataOf(
      await uploadThrough(api, gateway, START.documents, { organization_id, workflow_id }, file, analyst.token),
    );
    expect([stored() - before, job.refused_count]).toEqual([1, 2]);
    await work(job.id);
    expect(await read(job.id, viewer, api)).toMatchObject({ status: 'DONE', changed_count: 1, refused_count: 3 });
    const rows = dataOf(await callThrough(api, gateway, ROWS, { organization_id, id: job.id }, viewer.token));
    expect(rows.map((row: Row & { key: string }) => [row.key, row.outcome, row.error?.code ?? null])).toEqual([
      ['a.txt', 'CHANGED', null],
      ['b.txt', 'REFUSED', 'NOT_FOUND'],
      ['c.txt', 'REFUSED', 'BAD_USER_INPUT'],
      ['d.txt', 'REFUSED', 'BAD_USER_INPUT'],
    ]);
    // The document, without the archive.
    expect(stored() - before).toBe(1);
    const second = archive([{ path: 'e.txt', control_id: 'A.5.17' }], { 'e.txt': `E ${randomUUID()}` });
    const { id } = dataOf(
      await uploadThrough(api, gateway, START.documents, { organization_id, workflow_id }, second, analyst.token),
    );
    expect(stored() - before).toBe(2);
    dataOf(await callThrough(api, gateway, CANCEL, { organization_id, id }, analyst.token));
    expect(stored() - before).toBe(1);
  });

  test('it is cancelled by its author and by who manages, and by no other; what was done stays, and no input', async () => {
    const id = await startControls(controlTable(['A.5.1', 'A.5.2']), analyst, api);
    expectFailure(await callThrough(api, gateway, CANCEL, { organization_id, id }, other.token), 'FORBIDDEN');
    const cancelled = await callThrough(api, gateway, CANCEL, { organization_id, id }, analyst.token);
    expect(dataOf(cancelled)).toMatchObject({ status: 'CANCELLED', done_count: 0, ended_at: expect.any(String) });
    expect(dataOf(await callThrough(api, gateway, CANCEL, { organization_id, id }, owner.token))).toEqual(
      dataOf(cancelled),
    );
    await work(id);
    expect([await notes(), await outcomes(id, api)]).toEqual([[], ['NOT_DONE', 'NOT_DONE']]);
    const [left] = await sql(
      `select j.origin, (select count(r.input)::int from import_row r where r.import_job_id = j.id) as inputs
         from import_job j where j.id = $1`,
      [id],
    );
    expect(left).toEqual({ origin: null, inputs: 0 });
    const second = await startControls(controlTable(['A.5.1']), analyst, api);
    const path = `/api/v1/organizations/${organization_id}/users/${analyst.id}`;
    await gateway.rest.call('PATCH', path, { token: owner.token, body: { role: 'VIEWER' } });
    expectFailure(await callThrough(api, gateway, CANCEL, { organization_id, id: second }, analyst.token), 'FORBIDDEN');
    dataOf(await callThrough(api, gateway, CANCEL, { organization_id, id: second }, manager.token));
    expect((await actions()).filter((action) => action.startsWith('IMPORT_'))).toEqual([
      'IMPORT_STARTED',
      'IMPORT_CANCELLED',
      'IMPORT_STARTED',
      'IMPORT_CANCELLED',
    ]);
  });

  test('a table that has the names of its columns alone is done with no row', async () => {
    const id = await startControls('id,note\n', analyst, api);
    await work(id);
    expect(await read(id, analyst, api)).toMatchObject({ status: 'DONE', row_count: 0, done_count: 0 });
    expect(await outcomes(id, api)).toEqual([]);
  });

  test('a job that is done is not cancelled', async () => {
    const id = await startControls(controlTable(['A.5.1']), analyst, api);
    await work(id);
    expectConflict(await callThrough(api, gateway, CANCEL, { organization_id, id }, analyst.token), 'IMPORT_JOB_ENDED');
    expect((await read(id)).status).toBe('DONE');
  });

  test('jobs of members are seen by who manages members, the others by all members, and none beside another organization', async () => {
    const controls = await startControls(controlTable(['A.5.1']), analyst, api);
    const invitations = [{ email: 'many@example.com', role: 'VIEWER' }];
    const { id } = dataOf(
      await callThrough(api, gateway, START.invitations, { organization_id, invitations }, manager.token),
    );
    const members = dataOf(
      await uploadThrough(api, gateway, START.members, { organization_id }, table('id,role\n'), manager.token),
    ).id;
    const seenBy = async ({ token }: Person) =>
      (dataOf(await callThrough(api, gateway, LIST, { organization_id }, token)) as { id: number }[]).map(
        (job) => job.id,
      );
    expect([await seenBy(manager), await seenBy(viewer)]).toEqual([[members, id, controls], [controls]]);
    expectFailure(await callThrough(api, gateway, READ, { organization_id, id }, viewer.token), 'FORBIDDEN');
    const elsewhere = { organization_id: await buildOrganization(database, 'Elsewhere'), id };
    await join(database, manager, elsewhere.organization_id, 'ORGANIZATION_MANAGER');
    for (const operation of [READ, CANCEL])
      expectFailure(await callThrough(api, gateway, operation, elsewhere, manager.token), 'NOT_FOUND');
    expectFailure(await callThrough(api, gateway, ROWS, { organization_id, id }, viewer.token), 'FORBIDDEN');
  });

  test('what cannot be read as a whole is refused at once, and an organization has not many jobs', async () => {
    const input = { organization_id, workflow_id };
    const bad = await uploadThrough(api, gateway, START.controls, input, table('id,colour\n'), analyst.token);
    expectFailure(bad, 'BAD_USER_INPUT', ['colour is not a known column']);
    const denied = await uploadThrough(api, gateway, START.controls, input, table('id\n'), viewer.token);
    expectFailure(denied, 'FORBIDDEN');
    const started = await Promise.all(
      Array.from({ length: LIMITS.importJob.perOrganization + 2 }, () =>
        uploadThrough(api, gateway, START.controls, input, table('id\n'), analyst.token),
      ),
    );
    const refused = started.filter(({ code }) => code !== 'OK');
    expect(refused).toHaveLength(2);
    for (const answer of refused) expectConflict(answer, 'IMPORT_JOB_LIMIT');
    expect(await sql('select 1 from import_job where organization_id = $1', [organization_id])).toHaveLength(
      LIMITS.importJob.perOrganization,
    );
  });
});

test('REST answers 202 with the address of the job where that is preferred, and 200 otherwise; a dry run is no job', async () => {
  const path = `/api/v1/organizations/${organization_id}/users/import`;
  const send = (query: string, prefer: string) =>
    gateway.rest.call('POST', `${path}${query}`, {
      ...{ token: manager.token, body: Buffer.from('id\n') },
      headers: { 'content-type': 'text/csv', prefer },
    });
  const answer = await send('', 'respond-async');
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
  const at = answer.headers.get('location') ?? '';
  expect(at).toBe(`/api/v1/organizations/${organization_id}/import-jobs/${answer.body.data.id}`);
  expect((await gateway.rest.get(at, { token: manager.token })).body.data).toEqual(answer.body.data);
  for (const prefer of ['return=minimal', 'respond-asynchronously', ''])
    expect([(await send('', prefer)).status, prefer]).toEqual([200, prefer]);
  const dry = await send('?dry_run=true', 'respond-async');
  expect([dry.status, dry.body.messages]).toEqual([
    400,
    ['dry_run must not be given together with Prefer: respond-async'],
  ]);
});

test('a request that is sent again with its key starts no other job, and is answered as before', async () => {
  const send = (prefer: string) =>
    gateway.rest.call('POST', `/api/v1/organizations/${organization_id}/users/import`, {
      ...{ token: manager.token, body: Buffer.from('id\n') },
      headers: { 'content-type': 'text/csv', 'idempotency-key': `"${organization_id}"`, prefer },
    });
  const [first, second] = [await send('respond-async'), await send('respond-async')];
  expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([202, 202, 'true']);
  for (const name of ['location', 'preference-applied']) expect(second.headers.get(name)).toBe(first.headers.get(name));
  expect(await sql('select id from import_job where organization_id = $1', [organization_id])).toHaveLength(1);
  const other = await send('');
  expect([other.status, other.headers.get('conflict-reason')]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
});

describe('the rights of a row are those of its moment', () => {
  test('a job whose author has lost the role ends with what it had done', async () => {
    const id = await startControls(controlTable(['A.5.1', 'A.5.2']));
    const path = `/api/v1/organizations/${organization_id}/users/${analyst.id}`;
    await gateway.rest.call('PATCH', path, { token: owner.token, body: { role: 'VIEWER' } });
    await work(id);
    expect(await read(id)).toMatchObject({ status: 'FAILED', failure: 'RIGHT_LOST', done_count: 0 });
    expect([await notes(), await outcomes(id)]).toEqual([[], ['NOT_DONE', 'NOT_DONE']]);
    expect(await actions()).not.toContain('ACCESS_REFUSED');
  });

  const MAY = `query ($organizationId: ID!, $workflowId: ID!) {
    organizationControl(organizationId: $organizationId, workflowId: $workflowId, controlId: "A.5.1") { viewerCan { update } } }`;

  test('a row that waits for a lock is not done when its author loses the role meanwhile', async () => {
    const { token } = analyst;
    const change = { body: { note: 'Before.' }, token };
    await gateway.rest.call(
      'PATCH',
      `/api/v1/v-ciso/organizations/${organization_id}/workflows/${workflow_id}/controls/A.5.1`,
      change,
    );
    const id = await startControls(controlTable(['A.5.1', 'A.5.2']));
    let working: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await tx.rows('select 1 from control_state where organization_id = $1 for update', [organization_id]);
      working = work(id);
      await someoneWaits(tx);
      const path = `/api/v1/organizations/${organization_id}/users/${analyst.id}`;
      await gateway.rest.call('PATCH', path, { token: owner.token, body: { role: 'VIEWER' } });
      await until(async () => {
        const variables = { organizationId: organization_id, workflowId: workflow_id };
        return (await gateway.graphql.call(MAY, { token, variables })).text.includes('"update":false');
      });
    });
    await working;
    expect(await read(id)).toMatchObject({ status: 'FAILED', failure: 'RIGHT_LOST', done_count: 0 });
    expect([await notes(), await outcomes(id)]).toEqual([[['A.5.1', 'Before.']], ['NOT_DONE', 'NOT_DONE']]);
  });

  test('rows of a workflow whose import was deleted meanwhile are refused', async () => {
    const send = (method: string, path: string, body?: object) =>
      gateway.rest.call(method, `/api/v1/v-ciso/organizations/${organization_id}${path}`, {
        ...{ token: manager.token, ...(body && { body }) },
      });
    const controls = ['H1', 'H2'].map((id) => ({ id, label: `Do ${id}`, kind: 'control' }));
    const custom = { id: 'house', name: 'House', version: '1', source: { text: 'Us' }, licence: 'Ours', controls };
    expectStatus(await send('POST', '/available-workflows', custom), 201);
    expectStatus(await send('POST', '/workflows', { id: 'house' }), 201);
    const input = { organization_id, workflow_id: 'house' };
    const sent = table(controlTable(['H1', 'H2']));
    const { id } = dataOf(await uploadThrough('REST', gateway, START.controls, input, sent, analyst.token));
    expectStatus(await send('DELETE', '/workflows/house'), 200);
    expectStatus(await send('DELETE', '/available-workflows/house'), 200);
    await work(id);
    expect(await read(id)).toMatchObject({ status: 'DONE', failure: null, refused_count: 2 });
    const rows = dataOf(await callThrough('REST', gateway, ROWS, { organization_id, id, limit: 100 }, owner.token));
    expect(rows.map(({ error }: Row) => error?.code)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });

  test('a job ends with its token', async () => {
    const id = await startControls(controlTable(['A.5.1']));
    const [token] = (await gateway.rest.get('/api/v1/tokens', { token: analyst.token })).body.data;
    await gateway.rest.call('DELETE', `/api/v1/tokens/${token.id}`, { token: analyst.token });
    await work(id);
    expect(await read(id)).toMatchObject({ status: 'FAILED', failure: 'TOKEN_ENDED', done_count: 0 });
  });
});

describe('nothing is done twice', () => {
  const CONTROLS = Array.from({ length: 30 }, (_each, index) => `A.5.${index + 1}`);

  test('by attempts at the same time', async () => {
    const id = await startControls(controlTable(CONTROLS));
    await Promise.all([work(id), work(id), work(id)]);
    expect(await read(id)).toMatchObject({ status: 'DONE', done_count: 30, changed_count: 30, refused_count: 0 });
    expect((await actions()).filter((action) => action === 'CONTROL_UPDATED')).toHaveLength(30);
    expect((await actions()).filter((action) => action === 'IMPORT_ENDED')).toHaveLength(1);
  });

  test('by an attempt after one that was cut off, which goes on behind it', async () => {
    const id = await startControls(controlTable(CONTROLS));
    const cut = new AbortController();
    const watching = (async () => {
      while ((await read(id)).done_count < 5);
      cut.abort();
    })();
    await work(id, cut.signal);
    await watching;
    const { done_count: done, status } = await read(id);
    expect([status, done > 0 && done < 30]).toEqual(['RUNNING', true]);
    await work(id);
    expect(await read(id)).toMatchObject({ status: 'DONE', done_count: 30, changed_count: 30, refused_count: 0 });
    expect((await actions()).filter((action) => action === 'CONTROL_UPDATED')).toHaveLength(30);
  });

  test('a result that cannot be written undoes its row, and what was done before it allows all attempts again', async () => {
    const id = await startControls(controlTable(CONTROLS.slice(0, 3)));
    await sql('update import_job set attempts = $2 where id = $1', [id, LIMITS.importJob.attempts - 1]);
    await sql(`alter table import_row add constraint broken check (number <> 2 or outcome = 'WAITING') not valid`);
    try {
      await work(id);
    } finally {
      await sql('alter table import_row drop constraint broken');
    }
    expect([(await notes()).length, await outcomes(id)]).toEqual([1, ['CHANGED', 'WAITING', 'WAITING']]);
    await work(id);
    expect(await outcomes(id)).toEqual(['CHANGED', 'CHANGED', 'CHANGED']);
    expect((await actions()).filter((action) => action === 'CONTROL_UPDATED')).toHaveLength(3);
  });
});

test('rows that have reached a limit of mails wait until it has passed', async () => {
  const send = (count: number) => {
    const invitations = Array.from({ length: count }, () => ({ email: `${randomUUID()}@example.com`, role: 'VIEWER' }));
    return callThrough('GraphQL', gateway, START.invitations, { organization_id, invitations }, manager.token);
  };
  const { id } = dataOf(await send(200 + MAILS));
  await work(id);
  expect(await read(id)).toMatchObject({ status: 'RUNNING', changed_count: 200, refused_count: 0 });
  // The limit is reset in a day; it rests an hour at most.
  const [{ minutes }] = (await sql(
    'select round(extract(epoch from due_at - now()) / 60)::int as minutes from import_job where id = $1',
    [id],
  )) as [{ minutes: number }];
  expect([59, 60]).toContain(minutes);
  // A run before its time is no attempt: it does not even find the limit.
  const rest = () => sql('select status, attempts, due_at from import_job where id = $1', [id]);
  const before = await rest();
  await work(id);
  expect(await rest()).toEqual(before);
  expect(before).toMatchObject([{ status: 'RUNNING', attempts: 0 }]);
  // However often it rests.
  const makeDue = () => sql(`update import_job set due_at = now() - interval '1 second' where id = $1`, [id]);
  await sql('update import_job set attempts = $2 where id = $1', [id, LIMITS.importJob.attempts - 1]);
  for (let rests = 0; rests < 2; rests += 1) {
    await makeDue();
    await work(id);
    expect(await read(id)).toMatchObject({ status: 'RUNNING', changed_count: 200 });
  }
  await sql(`update invitation set sent_at = array[now() - interval '2 days'] where organization_id = $1`, [
    organization_id,
  ]);
  await makeDue();
  await work(id);
  expect(await read(id)).toMatchObject({ status: 'DONE', changed_count: 200 + MAILS });
});

test.each(APIS)(
  'a person who is erased through %s is invited by no row that waits, and stands in none',
  async (api) => {
    const [erased, invited] = [await buildPerson(database, 'erased'), await buildPerson(database, 'invited')];
    const addressOf = async ({ id }: Person) =>
      (await sql('select email from app_user where id = $1', [id]))[0]!['email'] as string;
    const [address, other] = [await addressOf(erased), await addressOf(invited)];
    const invitations = [address.toUpperCase(), other].map((email) => ({ email, role: 'VIEWER' }));
    const { id } = dataOf(
      await callThrough(api, gateway, START.invitations, { organization_id, invitations }, manager.token),
    );
    const erase = mutation('DELETE /api/v1/profile?username={username}', 'eraseMe', 'pseudonym');
    dataOf(await callThrough(api, gateway, erase, { username: erased.username }, erased.token));
    expect(
      await sql('select outcome, input is null as empty from import_row where import_job_id = $1 order by number', [
        id,
      ]),
    ).toEqual([
      { outcome: 'NOT_DONE', empty: true },
      { outcome: 'WAITING', empty: false },
    ]);
    await work(id);
    expect(await read(id)).toMatchObject({ status: 'DONE', row_count: 2, done_count: 1, changed_count: 1 });
    expect(await sql('select email from invitation where organization_id = $1', [organization_id])).toEqual([
      { email: other },
    ]);
  },
);

test('a job that many attempts do not bring forward is given up, and one that has ended is deleted after its days', async () => {
  const id = await startControls(controlTable(['A.5.1']));
  await sql('update import_job set attempts = $2 where id = $1', [id, LIMITS.importJob.attempts]);
  await work(id);
  expect(await read(id)).toMatchObject({ status: 'FAILED', failure: 'GIVEN_UP' });
  await services.importJobs.purgeOld();
  expect((await read(id)).status).toBe('FAILED');
  await sql(`update import_job set ended_at = now() - interval '7 days 1 minute' where id = $1`, [id]);
  await services.importJobs.purgeOld();
  expect(await sql('select 1 from import_row where import_job_id = $1', [id])).toEqual([]);
});

test.each(TRANSPORTS)('its progress is followed through %s until it ends', async (transport) => {
  const id = await startControls(controlTable(['A.5.1', 'A.5.2']));
  const query = `subscription ($organizationId: ID!, $id: ID!) {
    importJobChanged(organizationId: $organizationId, importJobId: $id) { status doneCount } }`;
  const results = follow(gateway, transport, {
    ...{ query, token: analyst.token },
    variables: { organizationId: organization_id, id },
  });
  const [first] = await take(results, 1);
  expect(first?.data).toEqual({ importJobChanged: { status: 'WAITING', doneCount: 0 } });
  await work(id);
  const [last] = await take(results, 1);
  expect(last?.data).toEqual({ importJobChanged: { status: 'DONE', doneCount: 2 } });
  expect((await results.next()).done).toBe(true);
});

test('its progress is followed on although the database is away for a while', async () => {
  const link = await Link.to(gateway.database.url);
  const dataDir = await mkdtemp(joinPath(tmpdir(), 'import-watched-'));
  const linked = await startGateway({ database: { ...gateway.database, url: link.url }, dataDir });
  const id = await startControls(controlTable(['A.5.1', 'A.5.2']));
  const query = `subscription ($organizationId: ID!, $id: ID!) {
    importJobChanged(organizationId: $organizationId, importJobId: $id) { status } }`;
  const variables = { organizationId: organization_id, id };
  const results = follow(linked, 'SSE', { query, token: analyst.token, variables });
  await take(results, 1);
  link.cut();
  await work(id);
  const coming = results.next();
  // A poll and some more.
  await sleep(LIMITS.live.checkSeconds * 1000 + 500);
  link.restore();
  expect((await coming).value?.data).toEqual({ importJobChanged: { status: 'DONE' } });
  await results.return?.();
  await linked.close();
  await link.close();
  await rm(dataDir, { recursive: true });
});
