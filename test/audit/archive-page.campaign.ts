import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brokenRules, HAS_CHROMIUM, overflowOf, startChromium, WINDOWS, type Chromium } from '../support/chromium.js';
import { expectStatus } from '../support/matchers.js';
import { multipart } from '../support/rest.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';
import { unzipped } from '../support/unzip.js';

const WORKFLOW = 'iso-27001-2022';
/** Malicious text in a page, and in a table. */
const JUSTIFICATION = '- No suppliers;\n- no staff of others.';
const NAME = "=<img src=x onerror=alert(1)>'.pdf";

const inBrowser = HAS_CHROMIUM ? describe : describe.skip;

const { gateway, testData } = await startSeededGateway();
let folder: string;
let chromium: Chromium;

beforeAll(async () => {
  const id = testData.organizationId;
  await buildWorkflow(gateway.app.database, id, WORKFLOW);
  const versions = `/api/v1/v-ciso/organizations/${id}/workflows/${WORKFLOW}/documents/A.5.1/versions`;
  const form = multipart([{ name: 'file', filename: NAME, type: 'application/pdf', content: samples.PDF.bytes }]);
  const uploaded = await gateway.rest.call('POST', versions, { token: testData.officer.token, ...form });
  expectStatus(uploaded, 201);
  // At a heading, and at a control that the workflow has no more.
  for (const artifact of ['A.5', 'A.5.2']) {
    const at = versions.replace('A.5.1', artifact);
    const text = { filename: `of ${artifact}.txt`, content: Buffer.from(artifact).toString('base64') };
    expectStatus(await gateway.rest.post(at, { token: testData.officer.token, body: text }), 201);
  }
  await gateway.app.database.rows(`update document_version set artifact_id = 'A.9.9' where artifact_id = 'A.5.2'`);
  const excluded = { status: 'NOT_APPLICABLE', justification: JUSTIFICATION };
  const control = versions.replace('documents/A.5.1/versions', 'controls/A.5.3');
  expectStatus(await gateway.rest.patch(control, { token: testData.officer.token, body: excluded }), 200);
  await gateway.rest.patch(`/api/v1/organizations/${id}/settings`, {
    token: testData.owner.token,
    body: { time_zone: 'Pacific/Auckland' },
  });
  const incident = await buildIncident(gateway.app.database, id);
  await gateway.app.database.rows('update incident set personal_data_concerned = true where id = $1', [incident]);
  const notDue = { regime_id: 'gdpr', stage: 'NOTIFICATION', not_due: true, reason: 'The laptop was encrypted.' };
  const reports = `/api/v1/v-ciso/incidents/${id}/${incident}/reports`;
  expectStatus(await gateway.rest.post(reports, { token: testData.officer.token, body: notDue }), 201);
  const path = `/api/v1/v-ciso/organizations/${id}/workflows/${WORKFLOW}/evidence-pack`;
  const headers = { 'x-service-token': testData.officer.token };
  const archive = Buffer.from(await (await fetch(gateway.url + path, { headers })).arrayBuffer());
  folder = await mkdtemp(join(tmpdir(), 'archive-page-'));
  for (const [name, { content }] of unzipped(archive)) {
    await mkdir(dirname(join(folder, 'pack', name)), { recursive: true });
    await writeFile(join(folder, 'pack', name), content);
  }
  const keys = await fetch(`${gateway.url}/.well-known/audit-keys.json`);
  await writeFile(join(folder, 'keys.json'), await keys.text());
  if (HAS_CHROMIUM) chromium = await startChromium();
});

afterAll(async () => {
  await chromium?.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (options?: Parameters<Chromium['open']>[1]) =>
  chromium.open(pathToFileURL(join(folder, 'pack/index.html')).href, options);

inBrowser('the page of an unpacked archive', () => {
  test.each(Object.entries(WINDOWS))('verifies it offline and shows it (%s)', async (_window, options) => {
    const { page, errors } = await open({ ...options, locale: 'en-GB' });
    await page.getByLabel('The folder').setInputFiles(join(folder, 'pack'));
    await page.getByRole('heading', { name: /files are exactly as signed by the gateway/ }).waitFor();
    await page.getByText('compare its name with').waitFor();
    await page.getByText('A.5.1', { exact: false }).first().waitFor();
    expect(await page.getByRole('link', { name: NAME }).count()).toBe(1);
    for (const name of ['of A.5.txt', 'of A.5.2.txt'])
      expect([name, await page.getByRole('link', { name, exact: true }).count()]).toEqual([name, 1]);
    expect(await page.getByText(JUSTIFICATION).count()).toBe(1);
    await page.getByLabel('The keys').setInputFiles(join(folder, 'keys.json'));
    await page.getByText('from your file of keys').waitFor();
    // In the zone of the organization, with UTC beside it.
    const both = /, \d\d:\d\d GMT\+1[23] \(\d+ \w+ \d+, \d\d:\d\d UTC\)/;
    const report = page.locator('li', { hasText: 'Phishing wave' }).getByText('NIS 2 ·');
    expect(await report.first().innerText()).toMatch(new RegExp(`due [^]*${both.source}`));
    expect(await page.getByText('GDPR · Notification').innerText()).toMatch(/Not due: \d/);
    expect(await page.getByText(both).count()).toBeGreaterThanOrEqual(4);
    expect(await brokenRules(page)).toEqual([]);
    expect(errors).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  });

  test('names what was changed, and says of other keys that nothing can be believed', async () => {
    await writeFile(join(folder, 'pack/controls.csv'), 'control_id,label\r\nA.5.1,Other\r\n');
    const { page } = await open({ locale: 'it-IT' });
    await page.getByLabel('La cartella').setInputFiles(join(folder, 'pack'));
    await page.getByText('controls.csv è stato modificato.').waitFor();
    await writeFile(join(folder, 'other.json'), '{"keys":[]}');
    await page.getByLabel('Le chiavi').setInputFiles(join(folder, 'other.json'));
    await page.getByText('manifest.json non è firmato').waitFor();
    expect(await page.getByText('Other').count()).toBe(0);
  });
});
