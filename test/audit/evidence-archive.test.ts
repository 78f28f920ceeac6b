import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join as joinPath, resolve } from 'node:path';
import { promisify } from 'node:util';
import { blobPath } from '../resilience/support/evidence.js';
import { APIS, type Api } from '../support/apis.js';
import { sha256Of } from '../support/bytes.js';
import { TestClock } from '../support/clock.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { multipart, rawRequest } from '../support/rest.js';
import { samples } from '../support/sample-files.js';
import { cellsOf as csvCells, sheetOf } from '../support/spreadsheets.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';
import { unzipped } from '../support/unzip.js';
import { verifyArchive, type ArchiveKey, type Violation } from '../../web/archive/verify.js';

const WORKFLOW = 'iso-27001-2022';
const SCRIPT = resolve(import.meta.dirname, '../../scripts/verify-audit-trail.mjs');

const clock = new TestClock();
let organization: string;
let incidents: string;

/**
 * Two days, each with a document, a status, and an incident with a note; the first incident is closed after 30 hours.
 */
const { gateway, testData } = await startSeededGateway({ now: clock.now });

beforeAll(async () => {
  await buildWorkflow(gateway.app.database, testData.organizationId, WORKFLOW);
  await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');
  await buildIncident(gateway.app.database, testData.otherOrganizationId);
  organization = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/${WORKFLOW}`;
  incidents = `/api/v1/v-ciso/incidents/${testData.organizationId}`;
  clock.set(0);
  await upload('A.5.1', 'first');
  await control('A.5.1', { status: 'IN_PROGRESS', inclusion_reason: '=Law', due_date: '2031-01-01' });
  await control('A.5.2', { status: 'NOT_APPLICABLE', justification: 'No staff', inclusion_reason: 'Was needed' });
  const first = await send('POST', incidents, { title: '=First', severity: 'LOW', significant: true });
  await send('POST', `${incidents}/${first.id}/notes`, { text: 'Early' });
  clock.set(30);
  const copy = await attach(first.id, 'Früh/warnung.pdf');
  await attach(first.id, 'screen.pdf');
  Object.assign(attached, { incident: first.id, copy });
  const sent = { regime_id: 'nis2', stage: 'EARLY_WARNING', attachment_id: copy };
  await send('POST', `${incidents}/${first.id}/reports`, sent);
  await send('POST', `${incidents}/${first.id}/notes`, { text: 'Late' });
  await send('POST', `${incidents}/${first.id}/close`, { reason: 'Solved' });
  clock.set(40);
  await upload('A.5.1', 'second', { effective_at: clock.at(-100).toISOString() });
  await control('A.5.1', { status: 'DONE', owner_id: testData.analyst.id, review_interval_months: 1 });
  await send('POST', incidents, { title: 'Second', severity: 'LOW' });
});

/** The incident, and the file of its report's copy. */
const attached = { incident: 0, copy: 0 };

async function attach(incident: number, filename: string): Promise<number> {
  const form = multipart([{ name: 'file', filename, type: 'application/pdf', content: samples.PDF.bytes }]);
  const answer = await gateway.rest.call('POST', `${incidents}/${incident}/attachments`, {
    token: testData.officer.token,
    ...form,
  });
  return answer.body.data.id;
}

async function send(method: 'POST' | 'PATCH', path: string, body: object) {
  const answer = await gateway.rest.call(method, path, { token: testData.officer.token, body });
  expect([path, answer.text, answer.status < 300]).toEqual([path, answer.text, true]);
  return answer.body.data;
}

const control = (id: string, changes: object) => send('PATCH', `${organization}/controls/${id}`, changes);

async function upload(artifact: string, name: string, changes?: object) {
  const body = { filename: `${name}.txt`, content: Buffer.from(name).toString('base64'), content_type: 'text/plain' };
  const { id } = await send('POST', `${organization}/documents/${artifact}/versions`, body);
  const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/documents/${id}`;
  if (changes !== undefined) await send('PATCH', path, changes);
}

type Period = { from?: string; to?: string };

/** The archive with a token, or by an address that GraphQL has signed. */
async function fetched(api: Api, period: Period, token: string) {
  let path = `${organization}/evidence-pack?${new URLSearchParams(period).toString()}`;
  let headers: Record<string, string> = { 'x-service-token': token };
  if (api === 'GraphQL') {
    const query = `query ($organizationId: ID!, $from: DateTime, $to: DateTime) {
      organizationWorkflow(organizationId: $organizationId, workflowId: "${WORKFLOW}") { evidencePackUrl(from: $from, to: $to) } }`;
    const variables = { organizationId: testData.organizationId, ...period };
    const { organizationWorkflow } = await gateway.graphql.data(query, { token, variables });
    path = organizationWorkflow.evidencePackUrl.slice(gateway.url.length);
    headers = {};
  }
  const answer = await rawRequest(gateway.url, 'GET', path, { headers });
  expect([path, answer.status]).toEqual([path, 200]);
  return new Map([...unzipped(answer.bytes)].map(([name, { content }]) => [name, content]));
}

type Files = Awaited<ReturnType<typeof fetched>>;

const textOf = (files: Files, name: string) =>
  files
    .get(name)!
    .toString()
    .replace(/^\ufeff/, '');
const cellsOf = (line: string) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
const rowsOf = (files: Files, name: string) => {
  const [head = '', ...lines] = textOf(files, name).trimEnd().split('\r\n');
  const columns = head.split(',');
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [columns[index]!, cell])));
};
const column = (files: Files, name: string, of: string) => rowsOf(files, name).map((row) => row[of]);
const hour = (hours: number, milliseconds = 0) => new Date(clock.at(hours).getTime() + milliseconds).toISOString();

/** The contents of an archive by kind: the name, status, title, text or action of each object. */
const contents = (files: Files) => ({
  documents: column(files, 'documents.csv', 'original_name'),
  statuses: column(files, 'status-history.csv', 'status'),
  incidents: column(files, 'incidents.csv', 'title'),
  notes: column(files, 'incident-notes.csv', 'text'),
  entries: new Set(textOf(files, 'audit-trail.ndjson').match(/(?<="action":")(?:CONTROL|DOCUMENT|EVIDENCE)\w+/g)),
});

const PACKED = 'EVIDENCE_PACK_DOWNLOADED';
const CHANGES = ['DOCUMENT_UPLOADED', 'DOCUMENT_UPDATED', 'CONTROL_UPDATED', 'CONTROLS_ASSIGNED'];

describe.each(APIS)('an archive through %s', (api) => {
  test.each<[string, () => Period, object]>([
    [
      'everything without a period',
      () => ({}),
      {
        documents: ['first.txt', 'second.txt'],
        statuses: ['IN_PROGRESS', 'NOT_APPLICABLE', 'DONE'],
        incidents: ["'=First", 'Second'],
        notes: ['Early', 'Late'],
        entries: new Set([...CHANGES, PACKED]),
      },
    ],
    [
      'what was known or closed at the first instant of a period, and not what began at its end',
      () => ({ from: hour(30), to: hour(40) }),
      { documents: [], statuses: [], incidents: ["'=First"], notes: ['Late'], entries: new Set([PACKED]) },
    ],
    [
      'what began at the first instant of a period, and not what was closed before',
      () => ({ from: hour(40) }),
      {
        documents: ['second.txt'],
        statuses: ['DONE'],
        incidents: ['Second'],
        notes: [],
        entries: new Set([...CHANGES, PACKED]),
      },
    ],
    [
      'a document by the time at which it was true',
      () => ({ from: hour(-100), to: hour(-99) }),
      { documents: ['second.txt'], statuses: [], incidents: [], notes: [], entries: new Set([PACKED]) },
    ],
    [
      'nothing that happened a millisecond after its end',
      () => ({ from: hour(0, 1), to: hour(30) }),
      { documents: [], statuses: [], incidents: ["'=First"], notes: [], entries: new Set([PACKED]) },
    ],
  ])('has %s', async (_, period, expected) => {
    const files = await fetched(api, period(), testData.officer.token);
    expect(contents(files)).toEqual(expected);
    const { from = null, to = null } = period();
    expect(JSON.parse(textOf(files, 'manifest.json'))).toMatchObject({ period: { from, to } });
    const changes = from === null && to === null ? undefined : { from: { after: from }, to: { after: to } };
    const [download = ''] = textOf(files, 'audit-trail.ndjson').trimEnd().split('\n').slice(-2);
    expect(JSON.parse(download).entry.changes).toEqual(changes);
  });

  test('has the statement of applicability as of now, whatever the period', async () => {
    const files = await fetched(api, { to: hour(-99) }, testData.officer.token);
    const rows = rowsOf(files, 'statement-of-applicability.csv');
    expect(rows.find(({ control_id }) => control_id === 'A.5.1')).toMatchObject({
      ...{ applicable: 'yes', reason_for_inclusion: "'=Law", reason_for_exclusion: '', status: 'DONE' },
      ...{ implemented: 'yes', owner: testData.analyst.username, due_date: '2031-01-01', documents: '2' },
      evidence_state: 'EXPIRING',
    });
    expect(rows.find(({ control_id }) => control_id === 'A.5.2')).toMatchObject({
      ...{ applicable: 'no', reason_for_inclusion: '', reason_for_exclusion: 'No staff', implemented: 'no' },
      ...{ documents: '0', evidence_state: '' },
    });
    expect(rows.some(({ control_id }) => control_id === 'A.5')).toBe(false);
  });

  test('says when each report was sent, and which one was late', async () => {
    const files = await fetched(api, {}, testData.viewer.token);
    const reports = rowsOf(files, 'incident-reports.csv');
    expect(reports.filter(({ regime_id }) => regime_id === 'nis2').slice(0, 1)).toEqual([
      expect.objectContaining({
        stage: 'EARLY_WARNING',
        state: 'SENT',
        late: 'true',
        sent_at: hour(30),
        due_at: hour(24),
      }),
    ]);
    expect(rowsOf(files, 'incidents.csv')[0]).toMatchObject({ status: 'CLOSED' });
    expect(JSON.stringify(Object.fromEntries([...files].map(([name, text]) => [name, text.toString()])))).not.toContain(
      'Phishing wave',
    );
  });

  test('has the files that are copies of reports, and names each in the table of reports', async () => {
    const files = await fetched(api, {}, testData.viewer.token);
    const path = `incident-reports/${attached.incident}/${attached.copy}-warnung.pdf`;
    expect([...files.keys()].filter((name) => name.startsWith('incident-reports/'))).toEqual([path]);
    expect(files.get(path)!.equals(samples.PDF.bytes)).toBe(true);
    expect(column(files, 'incident-reports.csv', 'copy').filter((cell) => cell !== '')).toEqual([path]);
    expect(textOf(files, 'manifest.sha256')).toContain(`  ${path}\n`);
    const later = await fetched(api, { from: hour(35) }, testData.viewer.token);
    expect([...later.keys()].some((name) => name.startsWith('incident-reports/'))).toBe(false);
  });

  test('has each table as a workbook as well, whose cells are the same', async () => {
    const files = await fetched(api, {}, testData.officer.token);
    const tables = [...files.keys()].filter((name) => name.endsWith('.csv'));
    expect(tables).toHaveLength(9);
    for (const name of tables) {
      expect(files.get(name)!.toString().charCodeAt(0)).toBe(0xfeff);
      const cells = sheetOf(files.get(name.replace(/csv$/, 'xlsx'))!).map((row) =>
        row.map((cell) => cell.replace(/^(?=[-+=@])/, "'")),
      );
      expect(cells).toEqual(csvCells(textOf(files, name)));
    }
  });

  test('names who set a status to those alone who may read the audit trail', async () => {
    const names = async (token: string) => column(await fetched(api, {}, token), 'status-history.csv', 'changed_by');
    expect(new Set(await names(testData.officer.token))).toEqual(new Set([testData.officer.username]));
    expect(new Set(await names(testData.analyst.token))).toEqual(new Set(['']));
  });
});

test('a period that is no instant is refused', async () => {
  const headers = { 'x-service-token': testData.viewer.token };
  const answer = await rawRequest(gateway.url, 'GET', `${organization}/evidence-pack?from=2026-02-30`, { headers });
  expect([answer.status, answer.text]).toEqual([
    400,
    '{"error":1,"messages":["from must be a date-time such as 2026-11-20T08:15:30Z"]}',
  ]);
});

describe('an unpacked archive', () => {
  let files: Files;
  let folder: string;

  beforeAll(async () => {
    files = await fetched('REST', {}, testData.viewer.token);
    folder = await mkdtemp(joinPath(tmpdir(), 'evidence-archive-'));
    for (const [name, content] of files) {
      await mkdir(dirname(joinPath(folder, 'pack', name)), { recursive: true });
      await writeFile(joinPath(folder, 'pack', name), content);
    }
    const keys = await fetch(`${gateway.url}/.well-known/audit-keys.json`);
    await writeFile(joinPath(folder, 'keys.json'), await keys.text());
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (program: string, args: string[], cwd = folder): Promise<[number, string]> =>
    promisify(execFile)(program, args, { cwd }).then(
      ({ stdout }) => [0, stdout],
      ({ code, stdout, stderr }) => [code, stdout + stderr],
    );
  const verify = (...args: string[]) =>
    run(process.execPath, [SCRIPT, ...args, '--archive', 'pack', '--key', 'keys.json']);

  /** The violations that the page of the archive finds. */
  async function violationsIn(
    changed: ReadonlyMap<string, Buffer> = files,
    keys = publishedKeys(),
  ): Promise<Violation[]> {
    const all = [...changed].map(([path, bytes]) => {
      return { path, size: bytes.length, bytes: async () => new Uint8Array(bytes) };
    });
    return (await verifyArchive(all, keys)).violations;
  }

  const publishedKeys = () => (JSON.parse(files.get('audit-keys.json')!.toString()) as { keys: ArchiveKey[] }).keys;

  test('brings the keys that the gateway publishes', async () => {
    expect({ keys: publishedKeys() }).toEqual(JSON.parse(await readFile(joinPath(folder, 'keys.json'), 'utf8')));
  });

  test('is verified by sha256sum and by the script, alone and with an export, and by its page', async () => {
    expect(await violationsIn()).toEqual([]);
    expect(await run('sha256sum', ['--quiet', '-c', 'manifest.sha256'], joinPath(folder, 'pack'))).toEqual([0, '']);
    expect(await verify()).toEqual([0, expect.stringMatching(/^valid archive of iso-27001-2022 .*: 25 files, check/)]);
    const path = `/api/v1/organizations/${testData.organizationId}/audit-trail.ndjson`;
    const headers = { 'x-service-token': testData.officer.token };
    await writeFile(joinPath(folder, 'export'), (await rawRequest(gateway.url, 'GET', path, { headers })).text);
    expect(await verify('export')).toEqual([
      0,
      expect.stringMatching(/^valid archive .*\nthe export has .*\nvalid up/),
    ]);
  });

  test('is compared with no checkpoint and no other part, and the script says so', async () => {
    const unused = [2, expect.stringMatching(/^usage: /)];
    expect(await verify('--checkpoint', `${'0'.repeat(64)}@1`)).toEqual(unused);
    expect(await verify('export', '--part', 'pack/audit-trail.ndjson')).toEqual(unused);
  });

  test.each([[['--key', 'other.json']], [['--archive', 'other']], [['--keys', 'keys.json']], [['--part']]])(
    'is verified with options that are known and given once alone, not with %j',
    async (args) => expect(await verify(...args)).toEqual([2, expect.stringMatching(/^usage: /)]),
  );

  test.each([
    ['manifest.json', [2, 'nothing was verified: pack is no evidence pack: it has no manifest.json\n']],
    ['manifest.json.sig', [1, 'not valid: manifest.json.sig is missing\n']],
  ])('says so where %s is missing', async (name, outcome) => {
    await rm(joinPath(folder, 'pack', name));
    expect(await verify()).toEqual(outcome);
    await writeFile(joinPath(folder, 'pack', name), files.get(name)!);
  });

  test('names each file of which one byte is another', async () => {
    for (const [name, content] of files) {
      const changed = Buffer.from(content);
      const at = Math.floor(changed.length / 2);
      changed[at] = changed[at]! ^ 1;
      await writeFile(joinPath(folder, 'pack', name), changed);
      const [code, output] = await verify();
      await writeFile(joinPath(folder, 'pack', name), content);
      expect([name, code, output.startsWith('not valid: ')]).toEqual([name, 1, true]);
      expect(output).toContain(name);
      if (!name.startsWith('manifest')) expect(output).toBe(`not valid: ${name} was changed\n`);
      const path = name === 'manifest.json.sig' ? 'manifest.json' : name;
      const kind = path === 'manifest.json' ? 'UNSIGNED' : 'CHANGED';
      expect(await violationsIn(new Map([...files, [name, changed]]), publishedKeys())).toEqual([{ kind, path }]);
    }
  });

  test('names every file that is missing, longer or not of it, and one that was signed with another key', async () => {
    const own = await readFile(joinPath(folder, 'keys.json'), 'utf8');
    await rm(joinPath(folder, 'pack', 'mapped.csv'));
    await writeFile(joinPath(folder, 'pack', 'controls.csv'), 'x');
    await writeFile(joinPath(folder, 'pack', 'documents', 'more.txt'), 'x');
    const [, output] = await verify();
    expect(output.split('\n')).toEqual([
      expect.stringMatching(/^not valid: controls.csv was changed: it has 1 bytes, not \d+$/),
      'not valid: mapped.csv is missing',
      'not valid: documents/more.txt is no file of the archive',
      '',
    ]);
    const others = [...files].filter(([name]) => name !== 'mapped.csv');
    const x = Buffer.from('x');
    expect(await violationsIn(new Map([...others, ['controls.csv', x], ['documents/more.txt', x]]))).toEqual([
      { kind: 'CHANGED', path: 'controls.csv' },
      { kind: 'MISSING', path: 'mapped.csv' },
      { kind: 'UNKNOWN', path: 'documents/more.txt' },
    ]);
    expect(await violationsIn(files, [])).toEqual([{ kind: 'UNSIGNED', path: 'manifest.json' }]);
    expect(await violationsIn(new Map([['other.txt', x]]))).toEqual([{ kind: 'NO_MANIFEST', path: 'manifest.json' }]);
    await writeFile(joinPath(folder, 'keys.json'), JSON.stringify({ keys: [] }));
    expect((await verify())[1]).toContain('manifest.json was changed, or manifest.json.sig');
    await writeFile(joinPath(folder, 'keys.json'), own);
  });
});

test('the copy of a report whose bytes are gone is an error before the first byte', async () => {
  const path = blobPath(joinPath(gateway.dataDir, 'files'), sha256Of(samples.PDF.bytes));
  const head = async () => {
    const headers = { 'x-service-token': testData.viewer.token };
    return (await rawRequest(gateway.url, 'HEAD', `${organization}/evidence-pack`, { headers })).status;
  };
  await rm(path);
  expect(await head()).toBe(500);
  await writeFile(path, samples.PDF.bytes);
  expect(await head()).toBe(200);
});
