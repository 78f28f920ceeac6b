import { describe, expect, test } from '@jest/globals';
import { isOperationRoute, isPaged } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { cellsOf, sheetOf } from '../support/spreadsheets.js';
import { unzipped } from '../support/unzip.js';
import { rawRequest } from '../support/rest.js';
import { FIRST_ID, startSeededGateway } from '../support/seeded-gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { until } from '../support/until.js';
import { seedOrganization, UPLOAD_RULES } from '../support/seeded-organization.js';
import { buildIncident, buildNotifications } from '../support/test-data.js';

const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const { gateway, testData } = await startSeededGateway();
const { organizationId } = testData;
// Gives an import another number than its organization.
await gateway.app.database.rows("select setval(pg_get_serial_sequence('import_job', 'id'), $1)", [FIRST_ID + 1000]);
const has = await seedOrganization(gateway.app.database, organizationId, testData.owner);
const names: Record<string, string | number> = {
  organizationid: organizationId,
  incidentid: has.incidentId,
  serviceaccountid: has.serviceAccountId,
  engagementid: has.engagementId,
  controlid: '21.2.a',
  webhookendpointid: has.webhookEndpointId,
  webhookdeliveryid: has.webhookDeliveryId,
  artifactid: '21.2.a',
};
const ownNames: Record<string, number> = {
  webhookendpointid: has.ownWebhookEndpointId,
  webhookdeliveryid: has.ownWebhookDeliveryId,
};
/** `id` is of the organization unless the path names another object. */
const idIn = (path: string, name: string) =>
  name === 'id' ? (path.includes('{organizationid}') ? has.importJobId : organizationId) : names[name];
const download = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(gateway.url, 'GET', path, { headers: { 'x-service-token': testData.owner.token, ...headers } });
const get = (path: string, accept?: string, token = testData.owner.token) =>
  gateway.rest.get(path, { token, ...(accept !== undefined && { headers: { accept } }) });

await buildNotifications(gateway.app.database, testData.owner, organizationId, 230);
// The last use is stored asynchronously: stored any later, it would differ between two responses.
const tokens = async () => (await get('/api/v1/tokens')).body.data as { last_used_at: string | null }[];
await until('the use of the token is noted', async () => (await tokens()).some((token) => token.last_used_at));

/** Fields of items that are present only if true. */
const LEFT_OUT = ['sandbox', 'rehearsal'];

/** A value of the item in the form of its cell. */
function expectedCell(item: object, column: string): string {
  if (LEFT_OUT.includes(column) && !(column in item)) return '';
  const fields = Object.entries(item);
  const own = fields.find(([name]) => name === column);
  if (own !== undefined)
    return own[1] === null ? '' : typeof own[1] === 'object' ? JSON.stringify(own[1]) : `${own[1]}`;
  const [name, value] = fields.find(([key]) => column.startsWith(`${key}_`)) ?? [];
  if (name === undefined) throw new Error(`The item has no ${column}`);
  return value === null ? '' : expectedCell(value as object, column.slice(name.length + 1));
}

/** Lists with the caller's own data only. */
const OWN = [
  '/api/v1/engagements',
  '/api/v1/organizations',
  '/api/v1/profile/audit-trail',
  '/api/v1/profile/webhook-endpoints',
  '/api/v1/profile/webhook-endpoints/{webhookendpointid}/deliveries',
  '/api/v1/profile/webhook-endpoints/{webhookendpointid}/deliveries/{webhookdeliveryid}/attempts',
  '/api/v1/tokens',
  '/api/v1/notifications',
  '/api/v1/v-ciso/available-workflows',
  '/api/v1/v-ciso/available-workflows/{workflowid}/controls',
  '/api/v1/v-ciso/reporting-regimes',
];
const ACROSS = ['/api/v1/cloud-defender', '/api/v1/atb', '/api/v1/v-ciso/overview', '/api/v1/v-ciso/work'];

/** The recorded downloads, with list and format. */
const recorded = async () => {
  const entries = await gateway.app.database.rows<{ id: string | number; entry: string }>(
    `select coalesce(l.organization_id::text, l.user_id::text) as id, e.entry from audit_entry e
     join audit_log l on l.id = e.log_id where e.action = 'LIST_DOWNLOADED' order by e.log_id, e.position`,
  );
  return entries.map(({ id, entry }) => {
    const { actor, changes } = JSON.parse(entry) as {
      actor: { id: string };
      changes: Record<'list' | 'format', { after: string }>;
    };
    return [id, actor.id, changes.list.after, changes.format.after].join(' ');
  });
};

/** Columns of tables only: for imports of rows (test/members/member-import-api.test.ts), and for reviews of access. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  listOrganizationUsers: ['active', 'version', 'joined_at'],
  listControls: ['version'],
};

const unsigned = (text: string) => text.replaceAll(/expires=\d+&signature=[\w-]+/g, '');

describe('as a table', () => {
  test.each(
    ROUTES.filter(isOperationRoute)
      .filter(isPaged)
      .map(({ path, operationId }) => [path, operationId] as const),
  )('%s has its items, and its downloads are recorded', async (path, list) => {
    const before = await recorded();
    const workflow = path.includes('available-workflows/{') ? UPLOAD_RULES.id : 'nis2-directive';
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String(name === 'workflowid' ? workflow : (path.includes('/profile/') && ownNames[name]) || idIn(path, name)),
    );
    const json = await get(`${target}?limit=20`);
    expectStatus(json, 200);
    const table = await get(`${target}?limit=20`, CSV);
    expectStatus(table, 200);
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const added = ADDED[list] ?? [];
    const [header = []] = cellsOf(table.text);
    expect(header).toEqual(expect.arrayContaining([...added]));
    const ofItems = (cells: string[]) => cells.filter((_cell, at) => !added.includes(header[at]!));
    const [columns = [], ...rows] = cellsOf(table.text).map(ofItems);
    expect([columns.length > 0, new Set(columns).size]).toEqual([true, columns.length]);
    const items = json.body.data as object[];
    const cells = items.map((item) => columns.map((column) => unsigned(expectedCell(item, column))));
    expect(rows.map((row) => row.map(unsigned))).toEqual(
      cells.map((row) => row.map((text) => text.replace(/^(?=[-+=@])/, "'"))),
    );
    const workbook = await download(
      // After the entry of the first download.
      `${target}?limit=20&format=xlsx${path.endsWith('{id}/audit-trail') ? '&offset=1' : ''}`,
    );
    expect([workbook.status, workbook.headers['content-type']]).toEqual([200, XLSX]);
    expect(workbook.headers['content-disposition']).toMatch(/^attachment; filename="[a-z-]+\.xlsx"/);
    expect(sheetOf(workbook.bytes).map((row) => ofItems(row).map(unsigned))).toEqual([columns, ...cells]);
    for (const { headers } of [json, table]) expect(headers.get('vary')).toContain('Accept');
    const { id: userId } = testData.owner;
    const trail = ACROSS.includes(path) ? userId : organizationId;
    const expected = OWN.includes(path) ? [] : ['csv', 'xlsx'].map((format) => [trail, userId, list, format].join(' '));
    expect((await recorded()).filter((entry) => !before.includes(entry))).toEqual(expected);
  });

  test('a list is written whole, page by page, unless a limit is given', async () => {
    const path = '/api/v1/notifications';
    const rowsOf = async (query: string) => cellsOf((await get(`${path}${query}`, CSV)).text).slice(1);
    const { total } = (await get(path)).body;
    expect(total).toBeGreaterThan(230);
    const all = await rowsOf('');
    expect(new Set(all.map(([id]) => id)).size).toBe(total);
    expect(await rowsOf('?offset=3')).toEqual(all.slice(3));
    expect(await rowsOf('?limit=100&offset=3')).toEqual(all.slice(3, 103));
    expect(await rowsOf('?limit=1')).toEqual(all.slice(0, 1));
    expect(await rowsOf('?type=SYSTEM')).toEqual(all.filter((row) => row[6] === 'SYSTEM'));
    expect(await rowsOf('?organization_id=2147483647')).toEqual([]);
    const { bytes } = await download(`${path}?type=SYSTEM&format=xlsx`);
    expect(sheetOf(bytes).length).toBe(all.filter((row) => row[6] === 'SYSTEM').length + 1);
  });

  test('no cell is a formula', async () => {
    const title = '=HYPERLINK("http://evil.example","x")';
    const id = await buildIncident(gateway.app.database, organizationId);
    await gateway.app.database.rows('update incident set title = $1 where id = $2', [title, id]);
    const path = `/api/v1/v-ciso/incidents/${organizationId}`;
    const { text } = await get(path, CSV);
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
    const { bytes } = await download(path, { accept: XLSX });
    expect(sheetOf(bytes).flat()).toContain(title);
    expect(unzipped(bytes).get('xl/worksheets/sheet1.xml')!.content.toString()).not.toContain('<f');
  });

  test('a list across organizations that is narrowed to one is recorded there, and what is not sent is not', async () => {
    const before = (await recorded()).length;
    const path = `/api/v1/atb?organization_id=${organizationId}&format=csv`;
    await rawRequest(gateway.url, 'HEAD', path, { headers: { 'x-service-token': testData.owner.token } });
    expectError(await get(path, CSV, testData.viewer.token), 403, [1003]);
    expect(await recorded()).toHaveLength(before);
    expectStatus(await get(path), 200);
    const after = await recorded();
    expect(after).toHaveLength(before + 1);
    expect(after).toContain([organizationId, testData.owner.id, 'listThreatBlockers', 'csv'].join(' '));
  });

  test('a file of CSV begins with a byte order mark, but where a program wants none', async () => {
    const path = '/api/v1/notifications?limit=1';
    const begins = async (query: string, accept = '*/*') =>
      (await download(`${path}${query}`, { accept })).bytes.subarray(0, 5).toString();
    for (const answer of [begins('&format=csv'), begins('', CSV), begins('&format=csv&bom=1')])
      expect(await answer).toBe('\ufeffid');
    for (const answer of [begins('&format=csv&bom=0'), begins('&bom=0', CSV)]) expect(await answer).toMatch(/^id,/);
    const { bytes } = await download('/api/v1/v-ciso/work?limit=1&format=csv');
    expect(bytes.toString().lastIndexOf('\ufeff')).toBe(0);
    for (const query of ['&bom=0', '&format=xlsx&bom=0'])
      expectError(await get(`${path}${query}`), 400, ['bom is for CSV only']);
    expectError(await get(`${path}&format=csv&bom=no`), 400, ['bom must be one of 0, 1']);
  });

  test('what is refused is answered in the envelope', async () => {
    expectError(await get('/api/v1/v-ciso/incidents/2147483647', CSV), 404, [1004]);
    expectError(await get('/api/v1/notifications?limit=101', CSV), 400, ['limit must be from 1 to 100']);
    expectError(await get('/api/v1/notifications?format=pdf'), 400, ['format must be one of csv, xlsx']);
    expectError(await gateway.rest.get('/api/v1/notifications', { headers: { accept: CSV } }), 401, [1001]);
  });
});

test.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'json'],
  ['application/json, text/csv', 'json'],
  ['text/csv;q=0', 'json'],
  ['text/csv;q=0.5, application/json;q=0.4', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['Text/CSV; charset=utf-8', 'csv'],
  [XLSX, XLSX],
  [`text/csv;q=0.8, ${XLSX}`, XLSX],
  [`${XLSX}, text/csv`, 'csv'],
  [XLSX, 'csv', '?format=csv'],
  ['application/json', XLSX, '?format=xlsx'],
])('Accept: %s is answered with %s', async (accept, format, query = '') => {
  const answer = await get(`/api/v1/tokens${query}`, accept);
  expect(answer.headers.get('content-type')).toContain(format);
});

test('what is no list is JSON, whatever is accepted', async () => {
  expect((await get('/api/v1/profile', CSV)).headers.get('content-type')).toContain('application/json');
});
