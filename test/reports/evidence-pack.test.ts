import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { promisify } from 'node:util';
import type { Queryable } from '../../src/database/database.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { CATALOG } from '../support/catalog.js';
import { TestClock } from '../support/clock.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';
import { newMember } from '../support/people.js';
import { openFilesBelow } from '../support/open-files.js';
import { sample, samples } from '../support/sample-files.js';
import { unzipped, type UnzippedFile } from '../support/unzip.js';
import { buildOrganization, buildWorkflow, join } from '../support/test-data.js';
import { rawRequest, type RawAnswer } from '../support/rest.js';
import { until } from '../support/until.js';

const WORKFLOW = 'iso-27001-2022';
const clock = new TestClock();

const { gateway, testData } = await startSeededGateway({ now: clock.now });
await buildWorkflow(gateway.app.database, testData.organizationId, WORKFLOW);

const path = (organization = testData.organizationId, workflow = WORKFLOW) =>
  `/api/v1/v-ciso/organizations/${organization}/workflows/${workflow}/evidence-pack`;

const fetchPack = (from = path(), token: string | null = testData.viewer.token) =>
  rawRequest(gateway.url, 'GET', from, { headers: token === null ? {} : { 'x-service-token': token } });

async function upload(
  artifact: string,
  { filename, contentType, bytes }: typeof samples.TXT,
  name = filename,
): Promise<number> {
  const body = { filename: name, content: Buffer.from(bytes).toString('base64'), content_type: contentType };
  const versions = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/${WORKFLOW}/documents/${artifact}/versions`;
  const answer = await gateway.rest.post(versions, { token: testData.analyst.token, body });
  expectStatus(answer, 201);
  return answer.body.data.id;
}

const text = (content: string) => sample('notes.txt', 'text/plain', content);

async function address(token = testData.viewer.token): Promise<string> {
  const query = `{ organizationWorkflow(organizationId: ${testData.organizationId}, workflowId: "${WORKFLOW}") { evidencePackUrl } }`;
  return (await gateway.graphql.data(query, { token })).organizationWorkflow.evidencePackUrl;
}

const local = (url: string) => url.slice(gateway.url.length);
const contentOf = (files: Map<string, UnzippedFile>, name: string) =>
  files
    .get(name)!
    .content.toString()
    .replace(/^\ufeff/, '');

describe('who may have it', () => {
  test('is every member, and who has a signed address', async () => {
    for (const { token } of [testData.viewer, testData.analyst, testData.officer, testData.manager, testData.owner]) {
      expect((await fetchPack(path(), token)).status).toBe(200);
    }
    expect((await fetchPack(local(await address()), null)).status).toBe(200);
    expect((await fetchPack(`${path()}?X-Service-Token=${testData.viewer.token}`, null)).status).toBe(200);
  });

  test('the pack of a workflow that is not associated, or of a deleted organization, is not found', async () => {
    const { database } = gateway.app;
    for (const workflow of ['nis2-directive', 'nothing', '__proto__']) {
      const answer = await fetchPack(path(testData.organizationId, workflow));
      expect([answer.status, answer.text]).toEqual([404, '{"error":1,"messages":[1004]}']);
    }
    const gone = await buildOrganization(database, 'Gone');
    await join(database, testData.owner, gone, 'ORGANIZATION_OWNER');
    await buildWorkflow(database, gone, WORKFLOW);
    await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    expect((await fetchPack(path(gone), testData.owner.token)).status).toBe(404);
  });

  test('a pack of a period that ends before it begins is refused', async () => {
    const period = 'from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z';
    expect(await fetchPack(`${path()}?${period}`)).toMatchObject({
      status: 400,
      text: '{"error":1,"messages":["from must be before to"]}',
    });
    const query = `{ organizationWorkflow(organizationId: ${testData.organizationId}, workflowId: "${WORKFLOW}") {
      evidencePackUrl(from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z") } }`;
    const { body } = await gateway.graphql.call(query, { token: testData.viewer.token });
    expect(body.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      messages: ['from must be before to'],
    });
  });

  test('gets only the headers for a HEAD request', async () => {
    const answer = await rawRequest(gateway.url, 'HEAD', path(), {
      headers: { 'x-service-token': testData.viewer.token },
    });
    expect([answer.status, answer.headers['content-type'], answer.bytes.length]).toEqual([200, 'application/zip', 0]);
  });
});

describe('a signed address', () => {
  test('is absolute, expires after fifteen minutes, and is made out to the caller', async () => {
    clock.set(0);
    const url = new URL(await address());
    expect(url.href.startsWith(gateway.url + path())).toBe(true);
    expect(url.searchParams.get('for')).toBe(testData.viewer.username);
    expect(Number(url.searchParams.get('expires'))).toBe(clock.now().getTime() / 1000 + 900);
    clock.set(0.25);
    expect((await fetchPack(local(url.href), null)).status).toBe(200);
    clock.set(0.25, 1);
    expect((await fetchPack(local(url.href), null)).status).toBe(404);
    clock.set(0);
  });

  test('that was changed anywhere, or is not whole, leads nowhere', async () => {
    // The user of the address may read these packs as well: only the signature is wrong.
    const { database } = gateway.app;
    const other = await buildOrganization(database, 'Of the same officer');
    await join(database, testData.officer, other, 'SECURITY_OFFICER');
    await buildWorkflow(database, other, WORKFLOW);
    await buildWorkflow(database, testData.organizationId, 'soc-2-2017');
    const url = new URL(await address(testData.officer.token));
    const changed = (change: (copy: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return local(copy.href);
    };
    for (const bad of [
      changed(({ searchParams }) => searchParams.set('for', testData.owner.username)),
      changed(({ searchParams }) => searchParams.set('expires', '9999999999')),
      changed(({ searchParams }) => searchParams.set('expires', 'never')),
      changed(({ searchParams }) => searchParams.set('from', '2026-01-01T00:00:00Z')),
      changed(({ searchParams }) => searchParams.set('names', 'false')),
      changed(({ searchParams }) => searchParams.set('signature', 'x'.repeat(43))),
      changed(({ searchParams }) => searchParams.set('signature', '')),
      changed(({ searchParams }) => searchParams.append('signature', 'twice')),
      changed(({ searchParams }) => searchParams.delete('for')),
      changed(({ searchParams }) => searchParams.delete('expires')),
      changed((copy) => (copy.pathname = path(other))),
      changed((copy) => (copy.pathname = path(testData.organizationId, 'soc-2-2017'))),
    ]) {
      const answer = await fetchPack(bad, null);
      expect([bad, answer.status, answer.text]).toEqual([bad, 404, '{"error":1,"messages":[1004]}']);
    }
    // A token does not help, and the signature of a file is not that of a pack.
    const broken = changed(({ searchParams }) => searchParams.set('for', 'somebody'));
    expect((await fetchPack(broken, testData.owner.token)).status).toBe(404);
    // Without a signature, only the token counts.
    const unsigned = changed(({ searchParams }) => searchParams.delete('signature'));
    expect((await fetchPack(unsigned, null)).status).toBe(401);
  });

  test.each([
    ['a pack', path(), 'names=false&for=another&expires=9999999999', ['names', 'for', 'expires']],
    ['a proof', `/api/v1/organizations/${testData.organizationId}/proof`, 'for=another', ['for']],
    ['the data of a person', '/api/v1/profile/export', `for=${testData.viewer.id}&expires=1`, ['for', 'expires']],
  ])('%s by a token is refused with what a signature alone gives a meaning', async (_what, file, query, names) => {
    const answer = await gateway.rest.get(`${file}?${query}`, { token: testData.officer.token });
    expectStatus(answer, 400);
    expect(answer.body.messages).toEqual(names.map((name) => `${name} must be given together with signature`));
  });

  test('ends with the rights of the member whom it was made out to, though it needs no token', async () => {
    const { database } = gateway.app;
    const member = await newMember(database, testData.organizationId, 'SECURITY_OFFICER');
    const url = local(await address(member.token));
    expect((await fetchPack(url, null)).status).toBe(200);
    const user = `/api/v1/organizations/${testData.organizationId}/users/${member.id}`;
    expectStatus(await gateway.rest.patch(user, { token: testData.owner.token, body: { role: 'VIEWER' } }), 200);
    // Names of persons in it are those of the audit trail.
    await until(async () => (await fetchPack(url, null)).status === 404);
    const without = local(await address(member.token));
    expect((await fetchPack(without, null)).status).toBe(200);
    expectStatus(await gateway.rest.delete(user, { token: testData.owner.token }), 200);
    await until(async () => (await fetchPack(without, null)).status === 404);
  });

  test('is given to who may read, whatever brought them to the workflow', async () => {
    const query = `{ organizationWorkflow(organizationId: ${testData.organizationId}, workflowId: "${WORKFLOW}") { evidencePackUrl } }`;
    for (const token of [testData.tokens.writeOnly, testData.tokens.telemetry]) {
      expect((await gateway.graphql.error(query, { token })).code).toBe('FORBIDDEN');
    }
  });
});

const both = (names: string) => names.split(' ').flatMap((name) => [`${name}.csv`, `${name}.xlsx`]);
const EXPLAINED = [
  ...[
    'README.txt',
    'index.html',
    'audit-keys.json',
    ...both('statement-of-applicability controls documents mapped attestations'),
    'audit-trail.ndjson',
  ],
  ...both('status-history incidents incident-reports incident-notes'),
  ...['manifest.json', 'manifest.json.sig', 'manifest.sha256'],
];

describe('the archive', () => {
  let answer: RawAnswer;
  let files: Map<string, UnzippedFile>;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    clock.set(0);
    const { database } = gateway.app;
    ids['pdf'] = await upload('A.5.1', samples.PDF, '安全 "Maßnahmen": Teil 1?.pdf');
    ids['first'] = await upload('A.5.1', text('first version'), 'CON.txt');
    ids['second'] = await upload('A.5.1', text('second version'), 'CON.txt');
    ids['text'] = await upload('A.8.2', text('again and again '.repeat(500)), `${'ä'.repeat(250)}.txt`);
    ids['png'] = await upload('A.5.9', samples.PNG);
    await database.rows(
      `insert into control_state (organization_id, workflow_id, control_id, status, justification, owner_id, due_date)
       values ($1, $2, 'A.5.1', 'NOT_APPLICABLE', '=cmd|'' /C calc''!A0, said "no"', $3, '2026-12-24')`,
      [testData.organizationId, WORKFLOW, testData.officer.id],
    );
    await database.rows(`update document_version set note = $2, effective_at = '2026-01-01Z' where id = $1`, [
      ids['pdf'],
      '@note\nof two lines',
    ]);
    answer = await fetchPack();
    files = unzipped(answer.bytes);
  });

  test('is sent as a file to save, under a name that says what it is', () => {
    const day = clock.now().toISOString().slice(0, 10);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="First Organization ${WORKFLOW} evidence ${day}.zip"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'transfer-encoding': 'chunked',
    });
  });

  test('contains what explains it, then every stored version below its control, in the order of the controls', () => {
    expect([...files.keys()]).toEqual([
      ...EXPLAINED,
      `documents/A.5.1/${ids['pdf']}-安全 _Maßnahmen__ Teil 1_.pdf`,
      `documents/A.5.1/${ids['first']}-_CON.txt`,
      `documents/A.5.1/${ids['second']}-_CON.txt`,
      `documents/A.5.9/${ids['png']}-diagram.png`,
      `documents/A.8.2/${ids['text']}-${'ä'.repeat(88)}.txt`,
    ]);
    expect(contentOf(files, `documents/A.5.1/${ids['first']}-_CON.txt`)).toBe('first version');
    expect(files.get(`documents/A.5.9/${ids['png']}-diagram.png`)!.content.equals(samples.PNG.bytes)).toBe(true);
  });

  test('compresses text, and leaves alone what is compressed already', () => {
    expect(files.get(`documents/A.8.2/${ids['text']}-${'ä'.repeat(88)}.txt`)!.packed).toBeLessThan(200);
    expect(files.get(`documents/A.5.9/${ids['png']}-diagram.png`)!.packed).toBe(samples.PNG.bytes.length);
  });

  test('says what it is, as of when, and for whom', () => {
    const readme = contentOf(files, 'README.txt');
    for (const said of [
      `Organization:  First Organization (id ${testData.organizationId})`,
      `Workflow:      ISO/IEC 27001:2022 (${WORKFLOW})`,
      `As of:         ${clock.now().toISOString()} (UTC)`,
      `Prepared for:  ${testData.viewer.username}`,
      'Documents:     5 (',
      'sha256sum -c manifest.sha256',
    ]) {
      expect(readme).toContain(said);
    }
  });

  test('has a table of all controls in which nothing is a formula', () => {
    const [head, ...rows] = contentOf(files, 'controls.csv').split('\r\n');
    expect(head).toBe(
      'control_id,label,kind,parent_id,status,justification,owner,due_date,documents,mapped_documents,attestation',
    );
    const row = (id: string) => rows.find((line) => line.startsWith(`${id},`));
    expect(row('A.5.1')?.replace(/^A\.5\.1,.*?,CONTROL,/, '')).toBe(
      `A.5,NOT_APPLICABLE,"'=cmd|' /C calc'!A0, said ""no""",${testData.officer.username},2026-12-24,3,0,`,
    );
    expect(row('A.5.2')).toMatch(/,CONTROL,A\.5,TO_DO,,,,0,0,$/);
    // A heading has no status of its own.
    expect(row('A.5')).toMatch(/,CONTROL,[^,]*,,,,,0,0,$/);
    expect(rows.filter((line) => line !== '').length).toBeGreaterThan(93);
  });

  test('has a table of all documents, with their names as they were uploaded', () => {
    const table = contentOf(files, 'documents.csv');
    expect(table.split('\r\n')[0]).toBe(
      'path,control_id,version_id,original_name,content_type,size,sha256,uploaded_by,uploaded_at,effective_at,note,valid_until',
    );
    expect(table).toContain(`A.5.1,${ids['pdf']},"安全 ""Maßnahmen"": Teil 1?.pdf",application/pdf,`);
    expect(table).toContain(`,2026-01-01T00:00:00.000Z,"'@note\nof two lines",\r\n`);
  });

  test('has a manifest that is true of every other file', () => {
    const lines = contentOf(files, 'manifest.sha256').trimEnd().split('\n');
    const named = lines.map((line) => [line.slice(66), line.slice(0, 64)]);
    const others = [...files].filter(([name]) => name !== 'manifest.sha256');
    const sums = others.map(
      ([name, { content }]) => [name, createHash('sha256').update(content).digest('hex')] as const,
    );
    expect(named.toSorted()).toEqual(sums.toSorted());
    const listed = others.filter(([name]) => !name.startsWith('manifest.'));
    const manifest = JSON.parse(contentOf(files, 'manifest.json'));
    expect(manifest.files).toEqual(
      listed.map(([name, { content }]) => ({ path: name, size: content.length, sha256: new Map(sums).get(name) })),
    );
    const last = contentOf(files, 'audit-trail.ndjson').trimEnd().split('\n').at(-1)!;
    expect(JSON.parse(last)).toEqual({ checkpoint: manifest.checkpoint });
  });

  test('is unpacked and verified by the tools that strangers have', async () => {
    if (!isInstalled('unzip') || !isInstalled('sha256sum')) return;
    const folder = await mkdtemp(joinPath(tmpdir(), 'evidence-pack-'));
    try {
      await writeFile(joinPath(folder, 'pack.zip'), answer.bytes);
      const run = (program: string, ...args: string[]) =>
        promisify(execFile)(program, args, { cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
      await run('unzip', '-q', 'pack.zip');
      const { stdout } = await run('sha256sum', '-c', 'manifest.sha256');
      expect(stdout.trimEnd().split('\n')).toHaveLength(EXPLAINED.length - 1 + 5);
      expect(stdout).not.toContain('FAILED');
      // A manipulation is detected.
      await writeFile(joinPath(folder, 'controls.csv'), 'changed');
      await expect(run('sha256sum', '-c', 'manifest.sha256')).rejects.toThrow('1 computed checksum did NOT match');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('has documents of a control that the workflow has no more behind all others', async () => {
    const { database } = gateway.app;
    const id = await upload('A.5.1', text('of a control that is gone'));
    await database.rows(`update document_version set artifact_id = 'A.0' where id = $1`, [id]);
    const packed = await fetchPack();
    await database.rows('delete from document_version where id = $1', [id]);
    expect([...unzipped(packed.bytes).keys()].at(-1)).toBe(`documents/A.0/${id}-notes.txt`);
  });

  test('of an organization without documents is an archive as well', async () => {
    const { database } = gateway.app;
    const empty = await buildOrganization(database, 'Ärzte & Söhne: "Leer"');
    await join(database, testData.owner, empty, 'VIEWER');
    await buildWorkflow(database, empty, 'nis2-directive');
    const pack = await fetchPack(path(empty, 'nis2-directive'), testData.owner.token);
    expect([...unzipped(pack.bytes).keys()]).toEqual([...EXPLAINED]);
    expect(pack.headers['content-disposition']).toContain("filename*=UTF-8''%C3%84rzte%20%26%20S%C3%B6hne_%20_Leer_");
  });
});

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('bytes that are gone', () => {
  const blobOf = async (id: number) => {
    const [row] = await gateway.app.database.rows<{ sha256: string }>(
      'select sha256 from document_version where id = $1',
      [id],
    );
    const { sha256 } = row!;
    return joinPath(gateway.dataDir, 'files', 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  };

  test('are an error before the first byte', async () => {
    const id = await upload('A.5.20', text('soon gone'));
    const blob = await blobOf(id);
    await rm(blob);
    const answer = await fetchPack();
    expect([answer.status, answer.text]).toEqual([500, '{"error":1,"messages":[]}']);
    await gateway.app.database.rows('delete from document_version where id = $1', [id]);
    expect((await fetchPack()).status).toBe(200);
  });

  test('or fewer than they should be, or other ones, break the answer off', async () => {
    const id = await upload('A.5.21', text('cut off later'));
    const blob = await blobOf(id);
    const content = await readFile(blob);
    await writeFile(blob, content.subarray(0, 5));
    await expect(fetchPack()).rejects.toThrow(/aborted|hang up|reset/);
    await writeFile(blob, content.toString().replace('off', 'OFF'));
    await expect(fetchPack()).rejects.toThrow(/aborted|hang up|reset/);
    await writeFile(blob, content);
    expect((await fetchPack()).status).toBe(200);
  });
});

test('a client that goes away stops the reading', async () => {
  const content = Buffer.alloc(8_000_000, 'x');
  content.write('%PDF-1.7\n');
  content.write('\n%%EOF\n', content.length - 7);
  const pdfs = ['A.8.10', 'A.8.11', 'A.8.12'];
  for (const artifact of pdfs) {
    content.write(artifact, 100);
    await upload(artifact, sample('large.pdf', 'application/pdf', content));
  }
  // Open files of this gateway: earlier tests in this process may have left theirs open.
  const blobs = joinPath(gateway.dataDir, 'files', 'blobs');
  const openFiles = async () => (await openFilesBelow(blobs)).length;
  if (process.platform !== 'linux') return;
  const leaving = get(gateway.url + path(), { headers: { 'x-service-token': testData.viewer.token }, agent: false });
  leaving.on('error', () => undefined);
  const response = await new Promise<IncomingMessage>((done) => leaving.on('response', done));
  response.pause();
  await until(async () => (await openFiles()) === 1);
  leaving.destroy();
  await until(async () => (await openFiles()) === 0);
});

test('takes nothing up that is imported after its moment', async () => {
  const { database } = gateway.app;
  const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => true });
  const content =
    'id: late\nname: Late\nversion: "1"\nsource: { text: Ours }\nlicence: Ours\ncontrols: [{ id: "1", label: One, kind: control }]\n';
  const imports = `/api/v1/v-ciso/organizations/${testData.organizationId}/available-workflows`;
  await database.transaction(async (tx) => {
    await tx.rows('set transaction isolation level repeatable read, read only');
    await tx.rows('select 1');
    expectStatus(await gateway.rest.post(imports, { token: testData.manager.token, body: { text: content } }), 201);
    expect((await catalogs.of(testData.organizationId)).find('late')).toBeDefined();
    expect((await catalogs.inSnapshot(tx, testData.organizationId)).find('late')).toBeUndefined();
  });
});

test('what a snapshot or a standby says of a catalogue is not remembered: a change may have been announced before', async () => {
  const { database } = gateway.app;
  const { organizationId } = testData;
  const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => true });
  const zoneIn = async (reads?: Queryable) =>
    (await catalogs.ofMany([organizationId], reads)).get(organizationId)?.timeZone;
  await database.transaction(async (tx) => {
    await tx.rows('set transaction isolation level repeatable read, read only');
    await tx.rows('select 1');
    await database.rows(`update organization set time_zone = 'Asia/Tokyo' where id = $1`, [organizationId]);
    catalogs.announced(`c:${organizationId}`);
    expect(await zoneIn(tx)).toBe('UTC');
    expect(await zoneIn()).toBe('Asia/Tokyo');
  });
  await database.rows(`update organization set time_zone = 'UTC' where id = $1`, [organizationId]);
});
