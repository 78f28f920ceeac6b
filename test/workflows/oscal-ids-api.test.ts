import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf } from '../support/apis.js';
import { expectStatus } from '../support/matchers.js';
import { IMPORT, METADATA, oscalCatalog, oscalControl } from '../support/oscal.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { unzipped } from '../support/unzip.js';

const { gateway, testData } = await startSeededGateway();
beforeEach(async () => {
  for (const table of ['organization_workflow', 'workflow_import', 'control_state', 'document_version'])
    await gateway.app.database.rows(`delete from ${table}`);
});

const pathOf = (rest: string) => `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows${rest}`;
const manager = () => testData.manager;
const associate = async (id: string) =>
  expectStatus(await gateway.rest.post(pathOf(''), { token: manager().token, body: { id } }), 201);

interface Results {
  results: [{ findings: { target: { 'target-id': string } }[] }];
}

describe.each(APIS)('a catalog imported through %s', (api) => {
  const send = async (catalog: object) => {
    const input = { organization_id: testData.organizationId, catalog };
    return dataOf(await callThrough(api, gateway, IMPORT, input, manager().token));
  };
  const controlsOf = async (catalog: object) => {
    const { id } = await send(catalog);
    await associate(id);
    const { body } = await gateway.rest.get(pathOf(`/${id}/controls?limit=100`), manager());
    return body.data as { id: string; label: string; parent_id: string | null }[];
  };
  const group = (title: string, ...ids: string[]) => ({ title, controls: ids.map((id) => oscalControl(id)) });

  test('has ids of groups made of titles: in whole words, of any script, and each once', async () => {
    const long = 'Guidelines for the secure procurement of outsourced cloud services and their suppliers';
    const groups = [
      ...[group(long, 'a-1'), group(long, 'a-2'), group('x'.repeat(200), 'a-3'), group('アクセス制御', 'a-4')],
      ...[group('Règles générales', 'a-5'), group('!!', 'a-6'), group('Taken', 'taken')],
    ];
    const controls = await controlsOf(oscalCatalog({ groups }));
    expect(controls.filter(({ parent_id }) => parent_id === null).map(({ id }) => id)).toEqual(
      [
        ...[
          'guidelines-for-the-secure-procurement-of-outsourced-cloud',
          'x'.repeat(58),
          'アクセス制御',
          'règles-générales',
        ],
        ...['group', 'taken-2'],
      ].toSpliced(1, 0, 'guidelines-for-the-secure-procurement-of-outsourced-cloud-2'),
    );
    expect(controls.map(({ id }) => id)).toContain('taken');
  });

  test('has an id of its own where no letter of its title can be one', async () => {
    const { id } = await send(oscalCatalog({ metadata: { ...METADATA, title: '情報保護' } }));
    expect(id).toMatch(/^catalog-[0-9a-f]{8}$/);
    expect((await send(oscalCatalog({ metadata: { ...METADATA, title: '情報保護', version: '2' } }))).id).toBe(id);
  });

  test('retains the ids of tokens as OSCAL has them', async () => {
    const ids = ['SP_800_171_03.01.01', '_4.1', 'Maßnahme-1', '統制.2', 'a..b-'];
    const catalog = oscalCatalog({ groups: [], controls: ids.map((id) => oscalControl(id)) });
    expect((await controlsOf(catalog)).map(({ id }) => id)).toEqual(ids);
    const decomposed = oscalCatalog({ groups: [], controls: [oscalControl('e\u0301-1')] });
    await gateway.app.database.rows('delete from organization_workflow');
    expect((await controlsOf(decomposed)).map(({ id }) => id)).toEqual(['é-1']);
  });

  test('labels a control by its statement where the title only repeats the id', async () => {
    const statement = (prose: string, more: object = {}) => ({ parts: [{ name: 'statement', prose, ...more }] });
    const items = (id: string) => ({
      parts: [{ name: 'item', prose: `Define the types of accounts for {{ insert: param, ${id} }}.` }],
    });
    const controls = [
      { id: 'GV.OC-01', title: 'GV.OC-01', ...statement('The mission is understood') },
      { id: 'ism-1997', title: 'Control: ism-1997', ...statement('The [board](#1f) defines roles.\n') },
      { id: 'SR_03.1', title: '03.1', props: [{ name: 'label', value: '03.1' }], ...statement('', items('p.0')) },
      { id: 'b', title: 'B', params: [{ id: 'p.1', label: 'staff' }], ...statement('', items('p.1')) },
      { id: 'c', title: 'C', ...statement('long '.repeat(100)) },
      { id: 'd', title: 'D', parts: [{ name: 'overview', prose: 'Not what is asked for' }] },
      { id: 'e', title: 'Logging', ...statement('Events are logged') },
    ];
    const labels = (await controlsOf(oscalCatalog({ groups: [], controls }))).map(({ label }) => label);
    expect(labels).toEqual([
      ...['The mission is understood', 'The board defines roles.', 'Define the types of accounts for [p.0].'],
      ...['Define the types of accounts for [staff].', `${'long '.repeat(24).trim()}…`, 'D', 'Logging'],
    ]);
  });
});

describe('a control whose id is not of ASCII letters and digits', () => {
  const IDS = ['SP_800_171_03.01.01', '_4.1', 'Maßnahme-1', '統制.2', 'a..b-'];

  beforeEach(async () => {
    const catalog = oscalCatalog({ groups: [], controls: IDS.map((id) => oscalControl(id)) });
    const path = `/api/v1/v-ciso/organizations/${testData.organizationId}/available-workflows`;
    expectStatus(await gateway.rest.post(path, { token: manager().token, body: { catalog, id: 'odd' } }), 201);
    await associate('odd');
  });

  test('is read, changed and shown by documents at its address, percent-encoded', async () => {
    const token = manager().token;
    for (const id of IDS) {
      const place = encodeURIComponent(id);
      const control = pathOf(`/odd/controls/${place}`);
      expectStatus(await gateway.rest.patch(control, { token, body: { status: 'DONE' } }), 200);
      expect((await gateway.rest.get(control, manager())).body.data).toMatchObject({ id, status: 'DONE' });
      const versions = pathOf(`/odd/documents/${place}/versions`);
      const body = { filename: 'p.txt', content: 'cG9saWN5', content_type: 'text/plain' };
      expectStatus(await gateway.rest.post(versions, { token, body }), 201);
      expect((await gateway.rest.get(versions, manager())).body.data).toHaveLength(1);
    }
  });

  test('has a folder of its own in an evidence pack, and stands in the exports of OSCAL', async () => {
    const token = manager().token;
    const body = { filename: 'p.txt', content: 'cG9saWN5', content_type: 'text/plain' };
    for (const id of IDS)
      await gateway.rest.post(pathOf(`/odd/documents/${encodeURIComponent(id)}/versions`), { token, body });
    const pack = await fetch(`${gateway.url}${pathOf('/odd/evidence-pack')}`, {
      headers: { 'X-Service-Token': token },
    });
    const names = [...unzipped(Buffer.from(await pack.arrayBuffer())).keys()];
    for (const id of IDS)
      expect(names).toContainEqual(expect.stringMatching(new RegExp(`^documents/${id}/\\d+-p\\.txt$`)));
    const results = await gateway.rest.get(pathOf('/odd/oscal/assessment-results'), manager());
    const { results: found } = (results.body as unknown as Record<'assessment-results', Results>)['assessment-results'];
    expect(found[0].findings.map(({ target }) => target['target-id'])).toEqual(IDS.map((id) => `${id}_smt`));
  });
});
