import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { APIS, dataOf, expectFailure, uploadThrough } from '../support/apis.js';
import { sha256Of } from '../support/bytes.js';
import { startGateway } from '../support/gateway.js';
import { mutation } from '../support/operations.js';
import { openFilesBelow } from '../support/open-files.js';
import { newMember } from '../support/people.js';
import { multipart, rawRequest } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildWorkflow, type Person } from '../support/test-data.js';
import { unzipped } from '../support/unzip.js';
import { until } from '../support/until.js';
import { zip, type ZipMember } from '../support/zip.js';

const PATH = '/api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}';
const IMPORT = mutation(
  `POST ${PATH}/documents/import`,
  'importDocuments',
  `rows { row path outcome document_version: documentVersion { id: databaseId artifact_id: artifactId original_name: filename
    source sha256 effective_at: effectiveAt valid_until: validUntil note } error { code field message } }`,
);
const workflow_id = 'iso-27001-2022';
const { gateway } = await startSeededGateway();
const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);

interface Row {
  row: number | null;
  path: string | null;
  outcome: string;
  document_version: Record<string, unknown> | null;
  error: { code: string; field: string | null; message: string } | null;
}

let organization_id: number;
let analyst: Person;
let owner: Person;
/** An organization with the workflow. */
async function newOrganization() {
  const { database } = gateway.app;
  organization_id = await buildOrganization(database, 'Another');
  await buildWorkflow(database, organization_id, workflow_id);
  owner = await newMember(database, organization_id, 'ORGANIZATION_OWNER');
  analyst = await newMember(database, organization_id, 'SECURITY_ANALYST');
}
beforeEach(newOrganization);

const pathOf = (template: string) =>
  template.replace('{organization_id}', String(organization_id)).replace('{workflow_id}', workflow_id);
const stored = () =>
  sql(
    'select artifact_id, original_name, sha256, created_by from document_version where organization_id = $1 order by id',
    [organization_id],
  );
const entries = async () =>
  (
    await sql(
      `select 1 from audit_entry e join audit_log l on l.id = e.log_id
        where l.organization_id = $1 and action = 'DOCUMENT_UPLOADED'`,
      [organization_id],
    )
  ).length;
/** Received files that belong to no document yet. */
const STAGING = joinPath(gateway.config.dataDir, 'files', 'staging');
const staged = () => readdirSync(STAGING);

/** Replaces all occurrences of bytes. */
const patched = (archive: Buffer, from: string | Buffer, to: string | Buffer) => {
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) Buffer.from(to).copy(copy, at);
  return copy;
};

/** Two entries with the same bytes, which are stored once. */
function overlapping(members: ZipMember[]): Buffer {
  const content = 'x'.repeat(100_000);
  const archive = zip([...members, ...['b', 'c'].map((name) => ({ name, content, stored: true as const }))]);
  const end = archive.length - 22;
  const directory = archive.readUInt32LE(end + 16);
  const second = end - 47;
  const [one, other] = [second - 47, second].map((entry) => archive.readUInt32LE(entry + 42));
  archive.writeUInt32LE(one!, second + 42);
  archive.writeUInt32LE(other!, end + 16);
  return Buffer.concat([archive.subarray(0, other), archive.subarray(directory)]);
}

const manifest = (documents: unknown): ZipMember => ({ name: 'manifest.json', content: JSON.stringify({ documents }) });

describe.each(APIS)('through %s', (api) => {
  const send = (bytes: Buffer, token = analyst.token) => {
    const file = { filename: 'documents.zip', contentType: 'application/zip', bytes };
    return uploadThrough(api, gateway, IMPORT, { organization_id, workflow_id }, file, token);
  };
  const rowsOf = async (bytes: Buffer): Promise<Row[]> => dataOf(await send(bytes));
  const outcomes = (rows: Row[]) => rows.map(({ path, outcome, error }) => [path, outcome, error?.code ?? null]);

  test('documents become versions of their controls, each with its entry, and the same archive again changes nothing', async () => {
    const archive = zip([
      manifest([
        {
          ...{
            path: 'policies/access.txt',
            control_id: 'A.5.15',
            original_name: 'Access policy.txt',
            note: 'Approved.',
          },
          ...{
            effective_at: '2026-01-31T00:00:00Z',
            valid_until: '2027-01-31',
            sha256: sha256Of('Keys.').toUpperCase(),
          },
        },
        { path: 'policies/access.txt', control_id: 'A.5.16', content_type: 'text/plain', note: '' },
      ]),
      { name: 'policies/', content: '' },
      { name: 'policies/access.txt', content: 'Keys.' },
    ]);
    const rows = await rowsOf(archive);
    expect(outcomes(rows)).toEqual([
      ['policies/access.txt', 'ADDED', null],
      ['policies/access.txt', 'ADDED', null],
    ]);
    expect(rows[0]!.document_version).toMatchObject({
      ...{ artifact_id: 'A.5.15', original_name: 'Access policy.txt', source: 'imported', sha256: sha256Of('Keys.') },
      ...{ effective_at: '2026-01-31T00:00:00.000Z', valid_until: '2027-01-31', note: 'Approved.' },
    });
    expect(rows[1]!.document_version).toMatchObject({ artifact_id: 'A.5.16', original_name: 'access.txt', note: null });
    const ids = (each: Row[]) => each.map(({ document_version: version }) => version!['id']);
    const again = await rowsOf(archive);
    expect(again.map(({ outcome }) => outcome)).toEqual(['UNCHANGED', 'UNCHANGED']);
    expect(ids(again)).toEqual(ids(rows));
    expect([(await stored()).length, await entries()]).toEqual([2, 2]);
    // A file of a form is removed at the end of its request, after the response.
    await until('nothing is staged any more', () => staged().length === 0);
  });

  test('a document has the content of its sha256 also where the control has that already', async () => {
    const one = { path: 'a.txt', control_id: 'A.5.1', sha256: sha256Of('First') };
    const named = (...members: ZipMember[]) => zip([manifest([one]), ...members]);
    expect(outcomes(await rowsOf(named({ name: 'a.txt', content: 'First' })))[0]).toEqual(['a.txt', 'ADDED', null]);
    for (const archive of [named({ name: 'a.txt', content: 'Second' }), named()])
      expect(outcomes(await rowsOf(archive))[0]).toEqual(['a.txt', 'REFUSED', 'BAD_USER_INPUT']);
    const large = { name: 'a.txt', content: Buffer.alloc(10 * 1024 * 1024 + 1, 'x'), stored: true };
    expect(outcomes(await rowsOf(named(large)))[0]).toEqual(['a.txt', 'REFUSED', 'FILE_TOO_LARGE']);
    expect([(await stored()).length, await entries()]).toEqual([1, 1]);
  });

  test('a document of which another date or note is on record is refused with the column, named by its sum or not', async () => {
    const archive = (about: object) =>
      zip([
        manifest([
          { path: 'a.txt', control_id: 'A.5.1', ...about },
          { path: 'a.txt', control_id: 'A.5.2', sha256: sha256Of('First'), ...about },
        ]),
        { name: 'a.txt', content: 'First' },
      ]);
    const facts = { valid_until: '2027-01-31', note: 'Approved.' };
    await rowsOf(archive(facts));
    for (const same of [facts, {}, { note: 'Approved.' }])
      expect((await rowsOf(archive(same))).map(({ outcome }) => outcome)).toEqual(['UNCHANGED', 'UNCHANGED']);
    for (const [field, other] of Object.entries({
      ...{ valid_until: '2028-01-31', note: 'Another.', effective_at: '2026-01-31T00:00:00Z' },
    })) {
      const rows = await rowsOf(archive({ ...facts, [field]: other }));
      expect(rows.map(({ outcome, error }) => [outcome, error?.code, error?.field])).toEqual(
        Array(2).fill(['REFUSED', 'BAD_USER_INPUT', field]),
      );
      expect(rows[0]!.error!.message).toMatch(`${field} differs from that of document `);
    }
  });

  test('a document is refused alone, with the field and the reason, and the rest goes on', async () => {
    const lie = sha256Of('Something else');
    const members: ZipMember[] = [
      manifest([
        { path: 'a.txt', control_id: 'A.5.1' },
        { path: 'missing.txt', control_id: 'A.5.1' },
        { path: 'a.txt', control_id: 'A.99' },
        { path: 'a.txt' },
        { control_id: 'A.5.1' },
        { path: 'empty.txt', control_id: 'A.5.1' },
        { path: 'page.html', control_id: 'A.5.1' },
        { path: 'large.txt', control_id: 'A.5.1' },
        { path: 'a.txt', control_id: 'A.5.2', sha256: lie },
        { path: 'a.txt', control_id: 'A.5.2', valid_until: 'soon' },
        { path: 'a.txt', control_id: 'A.5.2', colour: 'red' },
        { path: 'a.txt', control_id: 'A.5.2', colour: null },
        { path: 'a.txt', control_id: 2 },
        'a.txt',
        { path: 'b.txt', control_id: 'A.5.3', original_name: 'b.pdf' },
        { path: 'b.txt', control_id: 'A.5.3' },
      ]),
      { name: 'a.txt', content: 'First' },
      { name: 'b.txt', content: 'Second' },
      { name: 'empty.txt', content: '' },
      { name: 'page.html', content: '<!doctype html><script>alert(1)</script>' },
      { name: 'large.txt', content: 'x\n'.repeat(5 * 1024 * 1024 + 1), stored: true },
      { name: 'not-named.txt', content: 'Left out' },
    ];
    const rows = await rowsOf(zip(members));
    expect(rows.map(({ outcome, error }) => [outcome, error?.code, error?.field])).toEqual([
      ['ADDED', undefined, undefined],
      ['REFUSED', 'BAD_USER_INPUT', 'path'],
      ['REFUSED', 'NOT_FOUND', null],
      ['REFUSED', 'BAD_USER_INPUT', 'control_id'],
      ['REFUSED', 'BAD_USER_INPUT', 'path'],
      ['REFUSED', 'MISSING_CONTENT', null],
      ['REFUSED', 'UNSUPPORTED_FILE_TYPE', null],
      ['REFUSED', 'FILE_TOO_LARGE', null],
      ['REFUSED', 'BAD_USER_INPUT', 'sha256'],
      ['REFUSED', 'BAD_USER_INPUT', 'valid_until'],
      ['REFUSED', 'BAD_USER_INPUT', null],
      ['REFUSED', 'BAD_USER_INPUT', null],
      ['REFUSED', 'BAD_USER_INPUT', 'control_id'],
      ['REFUSED', 'BAD_USER_INPUT', 'control_id'],
      ['REFUSED', 'UNSUPPORTED_FILE_TYPE', null],
      ['ADDED', undefined, undefined],
      ['REFUSED', 'BAD_USER_INPUT', 'path'],
    ]);
    expect(rows.at(-1)).toMatchObject({
      row: null,
      path: 'not-named.txt',
      error: { message: 'path is not in manifest.json' },
    });
    expect((await stored()).map(({ artifact_id: id }) => id)).toEqual(['A.5.1', 'A.5.3']);
    expect(await entries()).toBe(2);
    await until('nothing is staged any more', () => staged().length === 0);
  });

  test('entries that are encrypted, damaged or of another size than they say are refused alone', async () => {
    const three = zip([
      manifest(['a', 'b', 'c', 'd'].map((name) => ({ path: `${name}.txt`, control_id: 'A.5.1' }))),
      { name: 'a.txt', content: 'First' },
      { name: 'b.txt', content: 'Second'.repeat(100) },
      { name: 'c.txt', content: 'Third', stored: true },
      { name: 'd.txt', content: 'Fourth', stored: true },
    ]);
    const directory = (name: string) => three.lastIndexOf(name) - 46;
    const damaged = Buffer.from(three);
    damaged.writeUInt16LE(1, directory('a.txt') + 8);
    // Its unpacked size exceeds the declared one.
    damaged.writeUInt32LE(10, directory('b.txt') + 24);
    damaged.write('Thirt', damaged.indexOf('Third'));
    const rows = await rowsOf(damaged);
    expect(rows.map(({ outcome, error }) => [outcome, error?.message])).toEqual([
      ['REFUSED', 'path is encrypted'],
      ['REFUSED', 'path cannot be unpacked'],
      ['REFUSED', 'path cannot be unpacked'],
      ['ADDED', undefined],
    ]);
    expect((await stored()).map(({ original_name: name }) => name)).toEqual(['d.txt']);
  });

  test('names match in any form of Unicode, as a Mac packs them and as it writes them', async () => {
    const [packed, written] = ['perche\u0301.txt', 'citt\u00e0.txt'];
    const archive = zip([
      manifest([
        { path: packed.normalize('NFC'), control_id: 'A.5.1' },
        { path: written.normalize('NFD'), control_id: 'A.5.2' },
      ]),
      { name: packed, content: 'First' },
      { name: written, content: 'Second' },
    ]);
    expect((await rowsOf(archive)).map(({ path, outcome }) => [path, outcome])).toEqual([
      ['perch\u00e9.txt', 'ADDED'],
      ['citt\u00e0.txt', 'ADDED'],
    ]);
  });

  test('what is no file is refused alone: a link, and a folder that has content', async () => {
    const archive = zip([
      manifest([{ path: 'link.txt', control_id: 'A.5.1' }]),
      { name: 'link.txt', content: '../a.txt' },
      { name: 'folder/', content: 'Hidden' },
      { name: 'empty/', content: '' },
    ]);
    archive.writeUInt32LE((0o120777 << 16) >>> 0, archive.lastIndexOf('link.txt') - 46 + 38);
    expect((await rowsOf(archive)).map(({ path, error }) => [path, error?.message])).toEqual([
      ['link.txt', 'path is a link, not a file'],
      ['folder/', 'path is not in manifest.json'],
    ]);
    expect(await stored()).toEqual([]);
  });

  test('an archive that is made to do harm is refused as a whole, and nothing of it is stored', async () => {
    const good = [manifest([{ path: 'a.txt', control_id: 'A.5.1' }]), { name: 'a.txt', content: 'First' }];
    const many = Array.from({ length: 1_001 }, () => ({ path: 'a.txt', control_id: 'A.5.1' }));
    const wrong: [bytes: Buffer, message: string][] = [
      [zip([...good, { name: '../up.txt', content: 'x' }]), 'file has an entry whose path leads out of the archive'],
      [zip([...good, { name: '/etc/passwd', content: 'x' }]), 'file has an entry whose path leads out of the archive'],
      [zip([...good, { name: 'a\\b.txt', content: 'x' }]), 'file has an entry whose path leads out of the archive'],
      [zip([...good, { name: 'a.txt', content: 'Other' }]), 'file has two entries of the same path'],
      [
        zip([...good, ...['\u00e9.txt', 'e\u0301.txt'].map((name) => ({ name, content: 'x' }))]),
        'file has two entries of the same path',
      ],
      [
        zip([...good, { name: 'bomb.txt', content: Buffer.alloc(30 * 1024 * 1024) }]),
        'file must not have more than 1 GB when it is unpacked, nor 100 times what it has packed',
      ],
      [
        zip([...good, ...Array.from({ length: 4_999 }, (_, at) => ({ name: `${at}`, content: '' }))]),
        'file must not have more than 5000 entries',
      ],
      [Buffer.from('not an archive'), 'file is no ZIP archive that can be read'],
      [zip(good).subarray(0, -30), 'file is no ZIP archive that can be read'],
      [patched(zip(good), 'PK\x01\x02', 'PK\x01\x03'), 'file is no ZIP archive that can be read'],
      [zip([{ name: 'a.txt', content: 'First' }]), 'file must have manifest.json in it'],
      [zip([{ name: 'manifest.json', content: '{"documents": [' }]), 'manifest.json is not valid JSON'],
      [
        zip([{ name: 'manifest.json', content: '[]' }]),
        'manifest.json must have either documents or, of an evidence pack, files',
      ],
      [
        zip([{ name: 'manifest.json', content: '{"documents": [], "workflow_id": "nis2-directive"}' }]),
        'workflow_id is not a known field of manifest.json',
      ],
      [zip([manifest(many)]), 'manifest.json must not name more than 1000 documents'],
    ];
    for (const [bytes, message] of wrong) expectFailure(await send(bytes), 'BAD_USER_INPUT', [message]);
    expectFailure(await send(overlapping(good)), 'BAD_USER_INPUT', ['file has entries that overlap']);
    const fewer = zip([...good, { name: 'b.txt', content: 'Second' }]);
    // It has three entries.
    for (const at of [8, 10]) fewer.writeUInt16LE(2, fewer.length - 22 + at);
    expectFailure(await send(fewer), 'BAD_USER_INPUT', ['file is no ZIP archive that can be read']);
    // Together they have fewer bytes than the archive.
    const shared = zip([
      ...good,
      { name: 'b.txt', content: 'First' },
      { name: 'large.txt', content: randomBytes(1_000) },
    ]);
    const [a, b] = ['a.txt', 'b.txt'].map((name) => shared.lastIndexOf(name) - 46 + 42) as [number, number];
    shared.writeUInt32LE(shared.readUInt32LE(a), b);
    expectFailure(await send(shared), 'BAD_USER_INPUT', ['file has entries that overlap']);
    expect([await stored(), await entries()]).toEqual([[], 0]);
    await until('nothing is staged any more', () => staged().length === 0);
    await until('no archive is open', async () => (await openFilesBelow(STAGING)).length === 0);
  });

  test('the ten newest of a control are retained, so that older ones of the archive are refused', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `${at}.txt`);
    const rows = await rowsOf(
      zip([
        manifest(names.map((path) => ({ path, control_id: 'A.5.1' }))),
        ...names.map((name) => ({ name, content: `Version ${name}` })),
      ]),
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual([...Array(2).fill('REFUSED'), ...Array(10).fill('ADDED')]);
    expect(rows[0]!.error!.message).toBe('control_id has more than 10 documents');
  });

  test('an evidence pack is imported into another organization with names, dates and notes, as old as it was', async () => {
    const upload = (control: string, name: string, content: string, more: object = {}) =>
      gateway.rest.post(`${pathOf(PATH)}/documents/${control}/versions`, {
        token: analyst.token,
        body: { filename: name, content: Buffer.from(content).toString('base64'), ...more },
      });
    const first = (await upload('A.5.1', '=1+1.txt', 'One')).body.data;
    await upload('A.5.1', "'+'.txt", 'Two');
    await upload('A.5.2', 'third.txt', 'Three');
    const facts = {
      ...{ effective_at: '2026-01-31T00:00:00Z', valid_until: '2027-01-31' },
      note: "=A note\n'+' is met\n'-' is not",
    };
    await gateway.rest.patch(`/api/v1/v-ciso/organizations/${organization_id}/documents/${first.id}`, {
      token: analyst.token,
      body: facts,
    });
    const pack = await rawRequest(gateway.url, 'GET', `${pathOf(PATH)}/evidence-pack`, {
      headers: { 'x-service-token': owner.token },
    });
    expect(pack.status).toBe(200);
    const [exporter, before] = [organization_id, await stored()];
    await newOrganization();
    expect(organization_id).not.toBe(exporter);
    const rows = await rowsOf(pack.bytes);
    expect(outcomes(rows).map(([, outcome]) => outcome)).toEqual(['ADDED', 'ADDED', 'ADDED']);
    const shown = (each: Awaited<ReturnType<typeof stored>>) =>
      each.map(({ created_by: _by, ...document }) => document);
    expect(shown(await stored())).toEqual(shown(before));
    expect(rows[0]!.document_version).toMatchObject({
      ...facts,
      effective_at: '2026-01-31T00:00:00.000Z',
      original_name: '=1+1.txt',
      source: 'imported',
    });
    // Without a date, it is dated by its first upload.
    expect(rows[1]!.document_version!['effective_at']).toMatch(/^20/);
    const again = await rowsOf(pack.bytes);
    expect(again.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'UNCHANGED'));
    await buildWorkflow(gateway.app.database, organization_id, 'nis2-directive');
    const file = { filename: 'pack.zip', contentType: 'application/zip', bytes: pack.bytes };
    const other = await uploadThrough(
      api,
      gateway,
      IMPORT,
      { organization_id, workflow_id: 'nis2-directive' },
      file,
      analyst.token,
    );
    expectFailure(other, 'BAD_USER_INPUT', ['manifest.json is of another workflow']);
    await newOrganization();
    const altered = (name: RegExp, content: string) =>
      zip(
        [...unzipped(pack.bytes)].map(([path, file]) => ({
          name: path,
          content: name.test(path) ? content : file.content,
        })),
      );
    const { files, ...others } = JSON.parse(String(unzipped(pack.bytes).get('manifest.json')!.content)) as {
      files: object[];
    };
    const twice = JSON.stringify({ ...others, files: [...files, { ...files[0], sha256: '0'.repeat(64) }] });
    expectFailure(await send(altered(/^manifest\.json$/, twice)), 'BAD_USER_INPUT', [
      'manifest.json must not name a file twice',
    ]);
    expectFailure(await send(altered(/^documents\.csv$/, 'path,control_id')), 'BAD_USER_INPUT', [
      'documents.csv is not as manifest.json says',
    ]);
    expect(outcomes(await rowsOf(altered(/\+'\.txt$/, 'Other'))).map(([, outcome]) => outcome)).toEqual([
      'ADDED',
      'REFUSED',
      'ADDED',
    ]);
  });

  test('a viewer and another organization are refused before the archive is read', async () => {
    const viewer = await newMember(gateway.app.database, organization_id, 'VIEWER');
    expectFailure(await send(Buffer.from('x'), viewer.token), 'FORBIDDEN');
    const nonMember = await newMember(
      gateway.app.database,
      await buildOrganization(gateway.app.database, 'Other'),
      'ORGANIZATION_OWNER',
    );
    expectFailure(await send(Buffer.from('x'), nonMember.token), 'NOT_FOUND');
  });
});

test('the archive is also the body itself, and is answered again by its key', async () => {
  const archive = zip([manifest([{ path: 'a.txt', control_id: 'A.5.1' }]), { name: 'a.txt', content: 'First' }]);
  const request = {
    token: analyst.token,
    headers: { 'content-type': 'application/zip', 'idempotency-key': 'one-archive' },
    body: archive,
  };
  const path = `${pathOf(PATH)}/documents/import`;
  const first = await gateway.rest.post(path, request);
  expect(first.body.data).toMatchObject([{ outcome: 'ADDED' }]);
  const second = await gateway.rest.post(path, request);
  expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
  expect(await entries()).toBe(1);
  const none = await gateway.rest.post(path, { token: analyst.token, ...multipart([{ name: 'other', content: 'x' }]) });
  expect(none.status).toBe(400);
});

test('a request that takes too long leaves the rest of the documents, and says so', async () => {
  const connections = { ...gateway.config.connections, stallSeconds: 0 };
  const hurried = await startGateway({ database: gateway.database, dataDir: gateway.dataDir, config: { connections } });
  try {
    const documents = ['A.5.1', 'A.5.2'].map((control) => ({ path: `${control}.txt`, control_id: control }));
    const files = ['A.5.1.txt', 'A.5.2.txt', 'unnamed.txt'].map((name) => ({ name, content: name }));
    const bytes = zip([manifest(documents), ...files]);
    const file = { filename: 'documents.zip', contentType: 'application/zip', bytes };
    for (const api of APIS) {
      const answer = await uploadThrough(api, hurried, IMPORT, { organization_id, workflow_id }, file, analyst.token);
      expect((dataOf(answer) as Row[]).map(({ path, outcome, error }) => [path, outcome, error?.code])).toEqual([
        ['A.5.1.txt', 'NOT_DONE', undefined],
        ['A.5.2.txt', 'NOT_DONE', undefined],
        ['unnamed.txt', 'REFUSED', 'BAD_USER_INPUT'],
      ]);
    }
    expect([await stored(), await entries()]).toEqual([[], 0]);
  } finally {
    await hurried.close();
  }
});
