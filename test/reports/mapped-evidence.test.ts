import { beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';
import { rawRequest } from '../support/rest.js';
import { sample, samples } from '../support/sample-files.js';
import { buildWorkflow } from '../support/test-data.js';
import { unzipped, type UnzippedFile } from '../support/unzip.js';

const ISO = 'iso-27001-2022';
const DIRECTIVE = 'nis2-directive';
const BASELINE = 'nis2-it-baseline';

let restoreTest: number;

const { gateway, testData } = await startSeededGateway();

beforeAll(async () => {
  for (const id of [ISO, DIRECTIVE, BASELINE]) await buildWorkflow(gateway.app.database, testData.organizationId, id);
  restoreTest = await upload(ISO, 'A.8.13', samples.PDF, 'Restore test.pdf');
});

const workflowPath = (workflow: string) =>
  `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/${workflow}`;

async function upload(workflow: string, control: string, { contentType, bytes }: typeof samples.PDF, filename: string) {
  const body = { filename, content: Buffer.from(bytes).toString('base64'), content_type: contentType };
  const path = `${workflowPath(workflow)}/documents/${control}/versions`;
  const answer = await gateway.rest.post(path, { token: testData.analyst.token, body });
  expectStatus(answer, 201);
  return answer.body.data.id as number;
}

async function packOf(workflow: string): Promise<Map<string, UnzippedFile>> {
  const headers = { 'x-service-token': testData.viewer.token };
  return unzipped((await rawRequest(gateway.url, 'GET', `${workflowPath(workflow)}/evidence-pack`, { headers })).bytes);
}

const textOf = (pack: Map<string, UnzippedFile>, name: string) =>
  pack
    .get(name)!
    .content.toString()
    .replace(/^\ufeff/, '');
const filesOf = (pack: Map<string, UnzippedFile>) => [...pack.keys()].filter((name) => name.includes('/'));
/** The first columns of each row of `mapped.csv`. */
const mappedRows = (pack: Map<string, UnzippedFile>) =>
  textOf(pack, 'mapped.csv')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(',').slice(0, 6).join(','));

async function evidenceOf(workflow: string, control: string) {
  const answer = await gateway.rest.get(`${workflowPath(workflow)}/controls/${control}`, {
    token: testData.viewer.token,
  });
  return answer.body.data.evidence;
}

test('one document of a control counts for the measure, each requirement below it and the directive', async () => {
  const source = { workflow_id: ISO, control_id: 'A.8.13', documents: 1 };
  expect(await evidenceOf(ISO, 'A.8.13')).toMatchObject({ own: 1, mapped: 0 });
  expect((await evidenceOf(DIRECTIVE, '21.2.c')).sources).toMatchObject([{ ...source, via: null }]);
  expect((await evidenceOf(BASELINE, 'PR.DS-11')).sources).toMatchObject([{ ...source, via: null }]);
  expect((await evidenceOf(BASELINE, 'PR.DS-11.4')).sources).toMatchObject([{ ...source, via: 'PR.DS-11' }]);
});

test('it is in the archives of all three workflows, each file once', async () => {
  const name = `${restoreTest}-Restore test.pdf`;
  const mapped = `mapped/${ISO}/A.8.13/${name}`;
  const from = `${mapped},${ISO},A.8.13,${restoreTest}`;

  const own = await packOf(ISO);
  expect(filesOf(own)).toEqual([`documents/A.8.13/${name}`]);
  expect(mappedRows(own)).toEqual([]);

  const directive = await packOf(DIRECTIVE);
  expect(filesOf(directive)).toEqual([mapped]);
  expect(directive.get(mapped)!.content.equals(samples.PDF.bytes)).toBe(true);
  expect(mappedRows(directive)).toEqual([`21.2.c,,${from}`]);

  const baseline = await packOf(BASELINE);
  expect(filesOf(baseline)).toEqual([mapped]);
  const requirements = [1, 2, 3, 4, 5].map((number) => `PR.DS-11.${number}`);
  expect(mappedRows(baseline)).toEqual([
    `PR.DS-11,,${from}`,
    ...requirements.map((control) => `${control},PR.DS-11,${from}`),
  ]);
  expect(textOf(baseline, 'controls.csv')).toMatch(/^PR\.DS-11\.4,.*,0,1,\r$/m);
  expect(textOf(baseline, 'README.txt')).toContain('Mapped:        1\n');
  expect(textOf(baseline, 'audit-trail.ndjson')).toContain('"DOCUMENT_UPLOADED"');
  const sum = createHash('sha256').update(samples.PDF.bytes).digest('hex');
  expect(textOf(baseline, 'manifest.sha256').split('\n')).toContain(`${sum}  ${mapped}`);
});

test('the status of a control whose documents count for another is in the history of its own workflow alone', async () => {
  const answer = await gateway.rest.call('PATCH', `${workflowPath(ISO)}/controls/A.8.13`, {
    token: testData.manager.token,
    body: { status: 'DONE' },
  });
  expectStatus(answer, 200);
  const [own, directive] = [await packOf(ISO), await packOf(DIRECTIVE)];
  for (const pack of [own, directive]) expect(textOf(pack, 'audit-trail.ndjson')).toContain('"CONTROL_UPDATED"');
  const histories = [own, directive].map((pack) => textOf(pack, 'status-history.csv').trimEnd().split('\r\n').slice(1));
  expect(histories).toEqual([[expect.stringContaining(',A.8.13,')], []]);
});

test('a document of a requirement counts for what its measure is mapped to', async () => {
  const id = await upload(BASELINE, 'PR.DS-11.4', sample('notes.txt', 'text/plain', 'Restored.'), 'Restored.txt');
  expect(await evidenceOf(ISO, 'A.8.13')).toMatchObject({
    own: 1,
    mapped: 1,
    sources: [{ workflow_id: BASELINE, control_id: 'PR.DS-11.4', documents: 1, via: 'PR.DS-11' }],
  });
  expect((await evidenceOf(BASELINE, 'PR.DS-11.1')).total).toBe(1);
  const pack = await packOf(ISO);
  const path = `mapped/${BASELINE}/PR.DS-11.4/${id}-Restored.txt`;
  expect(mappedRows(pack)).toEqual([`A.8.13,PR.DS-11,${path},${BASELINE},PR.DS-11.4,${id}`]);
});

test('a content that was uploaded to both controls is one file of the archive', async () => {
  const own = await upload(DIRECTIVE, '21.2.c', samples.PDF, 'The same.pdf');
  const pack = await packOf(DIRECTIVE);
  const path = `documents/21.2.c/${own}-The same.pdf`;
  expect(filesOf(pack).filter((name) => name.endsWith('.pdf'))).toEqual([path]);
  expect(mappedRows(pack)).toContain(`21.2.c,,${path},${ISO},A.8.13,${restoreTest}`);
});

test('nothing of a dissociated workflow, or of a control that does not bind, is in an archive', async () => {
  const { database } = gateway.app;
  const sources = async () => [...new Set(mappedRows(await packOf(ISO)).map((row) => row.split(',')[4]))];
  expect(await sources()).toEqual(['PR.DS-11.4', '21.2.c']);
  await database.rows(`update organization set compliance_frameworks = $2 where id = $1`, [
    testData.organizationId,
    JSON.stringify([{ value: 'NIS2', fields: { entity_type: 'important' } }]),
  ]);
  expect(await sources()).toEqual(['21.2.c']);
  await database.rows(`delete from organization_workflow where organization_id = $1 and workflow_id = $2`, [
    testData.organizationId,
    DIRECTIVE,
  ]);
  expect(await sources()).toEqual([]);
});
