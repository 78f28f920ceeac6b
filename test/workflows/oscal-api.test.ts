import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { APIS, type Api, callThrough, dataOf, expectFailure, type Result } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import {
  ENHANCEMENT,
  IMPORT,
  largeCatalog,
  METADATA,
  oscalCatalog,
  oscalControl,
  WITHDRAWN,
} from '../support/oscal.js';
import { lowBaseline, oscalErrors } from '../support/oscal-rules.js';
import { samples } from '../support/sample-files.js';
import { buildOrganization, buildWorkflow, join, type Person } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const pathOf = (rest: string) => `/api/v1/v-ciso/organizations/${testData.organizationId}${rest}`;

describe('an import', () => {
  const MEBIBYTE = 1024 * 1024;

  beforeEach(async () => {
    for (const table of ['organization_workflow', 'workflow_import', 'control_state']) {
      await gateway.app.database.rows(`delete from ${table}`);
    }
  });

  const imports = async () => (await gateway.rest.get(pathOf('/available-workflows'), testData.manager)).body.data;
  const controlsOf = async (id: string) => {
    expectStatus(await gateway.rest.post(pathOf('/workflows'), { token: testData.manager.token, body: { id } }), 201);
    const { body } = await gateway.rest.get(pathOf(`/workflows/${id}/controls?limit=100`), testData.manager);
    return body.data as { id: string; label: string; text: string | null; parent_id: string | null }[];
  };
  /** Headings are not counted: they are not work themselves. */
  const leafCount = async (id: string) =>
    (await gateway.rest.get(pathOf(`/workflows/${id}`), testData.viewer)).body.data.progress.total;

  describe.each(APIS)('through %s', (api) => {
    const send = (input: object, person: Person = testData.manager) =>
      callThrough(api, gateway, IMPORT, { organization_id: testData.organizationId, ...input }, person.token);
    const refused = async (result: Result, messages: string[]) => {
      expectFailure(result, 'BAD_USER_INPUT', messages);
      expect(await imports()).toEqual([]);
    };

    test('a catalog becomes a workflow: groups are its headings, enhancements stand beside their controls', async () => {
      const imported = {
        id: 'house-catalog',
        mode: 'WORKFLOW',
        name: 'House Catalog',
        version: '5.1.1+u4',
        controls: 9,
      };
      expect(dataOf(await send({ catalog: oscalCatalog() }))).toMatchObject(imported);
      const controls = await controlsOf('house-catalog');
      expect(controls.map(({ id, label, parent_id }) => [id, label, parent_id])).toEqual([
        ['ac', 'Access Control', null],
        ['ac-net', 'Network access', 'ac'],
        ['ac-4', 'Title of ac-4', 'ac-net'],
        ['ac-1', 'Title of ac-1', 'ac'],
        ['ac-2', 'Title of ac-2', 'ac'],
        ['ac-2.1', 'Title of ac-2.1', 'ac'],
        ['no-id', 'No id', null],
        ['ca-1', 'Title of ca-1', 'no-id'],
        ['ca-1.a', 'Title of ca-1.a', 'ca-1'],
      ]);
      expect(await leafCount('house-catalog')).toBe(5);
    });

    test('what it is and what was left out is said beside its controls', async () => {
      dataOf(await send({ catalog: oscalCatalog(), id: 'ours' }));
      const { body } = await gateway.rest.get('/api/v1/v-ciso/available-workflows/ours', testData.viewer);
      expect(body.data).toMatchObject({
        source: 'OSCAL catalog: House Catalog, version 5.1.1+u4.',
        licence: expect.stringContaining('publisher'),
        remarks: 'Withdrawn controls are left out: 3. Not stored: back-matter.',
      });
      // With its enhancements, as SA-12 of SP 800-53.
      const inner = [oscalControl('sa-12.1', WITHDRAWN), oscalControl('sa-12.2')];
      const controls = [oscalControl('sa-12', { ...WITHDRAWN, controls: inner })];
      dataOf(await send({ catalog: oscalCatalog({ controls }), id: 'theirs' }));
      const again = await gateway.rest.get('/api/v1/v-ciso/available-workflows/theirs', testData.viewer);
      expect(again.body.data).toMatchObject({
        remarks: 'Withdrawn controls are left out: 6. Not stored: back-matter.',
      });
    });

    const remarksOf = async (catalog: object) => {
      dataOf(await send({ catalog: oscalCatalog({ 'back-matter': undefined, ...catalog }), id: 'ours' }));
      const { body } = await gateway.rest.get(pathOf('/available-workflows/ours'), testData.viewer);
      return body.data.remarks as unknown;
    };

    test('parts that are not stored are named, by their keys or as parts of prose', async () => {
      const params = [{ id: 'p', label: 'hours', guidelines: [{ prose: 'A few.' }] }];
      const props = ['label', 'priority'].map((name) => ({ name, value: 'P1' }));
      const statement = {
        name: 'statement',
        title: 'Sessions',
        prose: 'Log in.',
        parts: [
          { name: 'item', prose: 'Twice.', parts: [{ name: 'example', prose: 'In the morning.' }] },
          { name: 'statement', prose: 'Log out.' },
        ],
      };
      const parts = [statement, { name: 'guidance', prose: 'Slowly.' }, { name: 'two words', prose: 'Fast.' }];
      const links = [{ href: '#' }];
      const empty = { annotations: [], remarks: '', properties: {} };
      const control = oscalControl('a-1', {
        parts,
        params,
        props,
        links,
        ...empty,
        controls: [oscalControl('a-1.1', { remark: 'No.' })],
      });
      const group = {
        id: 'a',
        title: 'A',
        parts: [{ name: 'overview', prose: 'All.' }],
        controls: [control],
        'house-note': 1,
      };
      expect(await remarksOf({ groups: [group], 'back-mater': { resources: [] } })).toBe(
        'Not stored: back-mater, example, guidance, guidelines, house-note, links, others, overview, props, remark, statement, title.',
      );
      const many = Array.from({ length: 200 }, (_, n) => ({ name: `part-${n}`, prose: 'One of many.' }));
      const remarks = await remarksOf({ groups: [], controls: [oscalControl('a-1', { parts: many })] });
      expect(remarks).toMatch(/^Not stored: others, part-0, part-1, .{600,}…\.$/);
      const short = Array.from({ length: 101 }, (_, n) => ({ name: `p${n}`, prose: 'One of many.' }));
      const named = await remarksOf({ groups: [], controls: [oscalControl('a-1', { parts: short })] });
      expect(named).toMatch(/^Not stored: others, p0, p1, .* p99\.$/);
    });

    test('titles and texts are counted that are shortened', async () => {
      const prose = (characters: number) => ({ parts: [{ name: 'statement', prose: 'x'.repeat(characters) }] });
      const controls = (title: number, text: number) => [
        oscalControl('a-1', { title: 't'.repeat(title), ...prose(text) }),
      ];
      expect(await remarksOf({ groups: [], controls: controls(120, 8_000) })).toBeNull();
      expect(await remarksOf({ groups: [], controls: controls(121, 8_001) })).toBe(
        'Titles and texts that are shortened: 2.',
      );
      const inserted = { parts: [{ name: 'statement', prose: `{{ insert: param, p }}${'x'.repeat(8_000)}` }] };
      const params = [{ id: 'p', label: 'a name that is longer than its place' }];
      expect(await remarksOf({ groups: [], controls: [oscalControl('a-1', { ...inserted, params })] })).toBe(
        'Titles and texts that are shortened: 1.',
      );
      // Its label is the beginning of its text, which is stored whole.
      expect(
        await remarksOf({ groups: [], controls: [oscalControl('a-1', { title: 'a-1', ...prose(200) })] }),
      ).toBeNull();
      const metadata = { ...METADATA, title: 'n'.repeat(121), version: '1'.repeat(41) };
      expect(await remarksOf({ metadata, groups: [], controls: controls(1, 1) })).toBe(
        'Titles and texts that are shortened: 2.',
      );
    });

    test('characters of titles, texts and made ids are counted, which may have two units of UTF-16', async () => {
      const letters = (count: number) => '\u{10428}'.repeat(count);
      const prose = (count: number) => ({ parts: [{ name: 'statement', prose: `x${letters(count)}` }] });
      const group = (title: string) => ({ title, controls: [oscalControl(`in-${title.length}`)] });
      const whole = [oscalControl('a-1', { title: letters(120), ...prose(7_999) })];
      expect(await remarksOf({ groups: [group(letters(58))], controls: whole })).toBeNull();
      const longer = [oscalControl('a-1', { title: `t${letters(120)}`, ...prose(8_000) })];
      expect(await remarksOf({ groups: [group(`g${letters(58)}`)], controls: longer })).toBe(
        'Titles and texts that are shortened: 2.',
      );
      const controls = await controlsOf('ours');
      expect(controls.map(({ id, label, text }) => [id, label, text])).toEqual([
        [`g${letters(57)}`, `g${letters(58)}`, null],
        ['in-117', 'Title of in-117', null],
        ['a-1', `t${letters(118)}…`, `x${letters(7_998)}…`],
      ]);
    });

    test('a text may be the whole file, and is stored by the id that is given beside it', async () => {
      const text = JSON.stringify({ catalog: oscalCatalog() });
      expect(dataOf(await send({ text }))).toMatchObject({ id: 'house-catalog' });
      expect(dataOf(await send({ text, id: 'ours' }))).toMatchObject({ id: 'ours', controls: 9 });
    });

    test('a long title is shortened to a name, and to whole words for the id', async () => {
      const title = `Controls of the ${'very '.repeat(30)}large house`;
      const shown = dataOf(await send({ catalog: oscalCatalog({ metadata: { ...METADATA, title } }) }));
      expect(shown.name).toBe(`${title.slice(0, 119).trim()}…`);
      expect(shown.id).toBe(`controls-of-the${'-very'.repeat(9)}`);
    });

    test('its controls are 2,000 at most', async () => {
      const many = (count: number) =>
        oscalCatalog({ groups: [], controls: Array.from({ length: count }, (_, n) => oscalControl(`c-${n}`)) });
      await refused(await send({ catalog: many(2_001) }), ['controls: must NOT have more than 2000 items']);
      expect(dataOf(await send({ catalog: many(2_000) }))).toMatchObject({ controls: 2_000 });
    });

    test('every error is reported with its place in the catalog, and nothing is stored', async () => {
      const groups = [
        { id: 'a', title: 'A', controls: [oscalControl('a-1'), oscalControl('a-1'), { id: 'a-2' }, 'a-3'] },
        { title: 7, controls: {} },
      ];
      await refused(await send({ catalog: oscalCatalog({ metadata: {}, groups }) }), [
        'catalog.metadata.title: must be a text',
        'catalog.metadata.version: must be a text',
        'catalog.groups[0].controls[2].title: must be a text',
        'catalog.groups[0].controls[3].id: must be a text',
        'catalog.groups[0].controls[3].title: must be a text',
        'catalog.groups[1].title: must be a text',
        'catalog.groups[1].controls: must be a list',
      ]);
      const controls = [oscalControl('a-1', { controls: [oscalControl('a-1'), oscalControl('a 2')] })];
      // After an omitted group: it shifts no position.
      const emptied = [{ title: 'Gone', controls: [oscalControl('g-1', WITHDRAWN)] }];
      await refused(await send({ catalog: oscalCatalog({ groups: emptied, controls }) }), [
        'catalog.controls[0].controls[1].id: must match pattern "^[\\p{L}\\p{N}_][\\p{L}\\p{N}._-]*$"',
        'catalog.controls[0].controls[0].id: is there twice',
      ]);
      await refused(await send({ catalog: oscalCatalog({ groups: [], controls: [oscalControl('a', WITHDRAWN)] }) }), [
        'controls: must NOT have fewer than 1 items',
      ]);
      await refused(await send({ catalog: oscalCatalog(), id: 'nis2-directive' }), [
        'id: belongs to a workflow that is there for everybody',
      ]);
    });

    test('words that are objects say nothing, also such that cannot be converted to texts', async () => {
      const odd = { toString: 1 };
      const control = oscalControl('ac-1', {
        class: odd,
        props: ['status', 'label'].map((name) => ({ name, value: odd })),
        params: [{ id: 'p-1', values: [odd] }],
      });
      const catalog = oscalCatalog({ groups: [], controls: [control] });
      expect(dataOf(await send({ catalog }))).toMatchObject({ controls: 1 });
      const removes = [{ 'by-item-name': odd }];
      const profile = {
        metadata: METADATA,
        imports: [{ href: 'catalog.json', 'include-all': {} }],
        modify: { alters: [{ 'control-id': 'ac-1', removes }] },
      };
      await gateway.app.database.rows('delete from workflow_import');
      await refused(await send({ catalog, profile }), [
        'profile.modify.alters[0]: changes what a control says: resolve the profile first',
      ]);
      const resources = [{ uuid: odd, rlinks: [{ href: odd }] }];
      const named = { metadata: METADATA, imports: [{ href: '#', 'include-all': {} }], 'back-matter': { resources } };
      await refused(await send({ profile: named }), [
        'profile.imports[0].href: is of no catalog that is at hand: send that beside the profile, or resolve the profile first',
      ]);
    });

    test('a control that is within itself is refused', async () => {
      const text = `{"catalog": ${JSON.stringify(oscalCatalog({ groups: [], controls: '#' }))}}`;
      const nested = (levels: number) =>
        text.replace('"#"', `${'[{"id":"a","title":"A","controls":'.repeat(levels)}[]${'}]'.repeat(levels)}`);
      await refused(await send({ text: nested(40_000) }), ['catalog: is nested too deep']);
      await refused(await send({ text: nested(17) }), ['catalog: is nested too deep']);
      await refused(
        await send({ text: nested(3) }),
        [1, 2].map((levels) => `catalog.controls[0]${'.controls[0]'.repeat(levels)}.id: is there twice`),
      );
      const cycle =
        'catalog:\n  metadata: { title: A, version: "1" }\n  controls: &all [{ id: a, title: A, controls: *all }]';
      await refused(await send({ text: cycle }), ['workflow: must not use aliases']);
    });

    describe('a profile', () => {
      const profile = (more: object = {}) => ({
        uuid: '5f0c5a1e-0000-4000-8000-000000000009',
        metadata: { ...METADATA, title: 'House Baseline', version: '2' },
        imports: [{ href: 'house.json', 'include-controls': [{ 'with-ids': ['ac-2.1', 'ac-4', 'ca-1'] }] }],
        ...more,
      });
      const imports = (...lists: object[]) =>
        profile({ imports: lists.map((list) => ({ href: 'house.json', ...list })) });
      const STATEMENT = {
        name: 'statement',
        prose: 'Wait {{ insert: param, p-1 }}:',
        parts: [
          { name: 'item', props: [{ name: 'label', value: 'a.' }], prose: 'once;' },
          { name: 'guidance', prose: 'Not kept.' },
        ],
      };

      test('is resolved by the catalog that is sent beside it', async () => {
        const alters = [{ 'control-id': 'ac-4', adds: [{ props: [{ name: 'priority', value: 'P1' }] }] }];
        const sent = { profile: profile({ modify: { alters } }), catalog: oscalCatalog() };
        const stored = { id: 'house-baseline', name: 'House Baseline', version: '2', controls: 6 };
        expect(dataOf(await send(sent))).toMatchObject(stored);
        expect(dataOf(await send({ text: JSON.stringify(sent), id: 'ours' }))).toMatchObject({ ...stored, id: 'ours' });
        const { body } = await gateway.rest.get(pathOf('/available-workflows/ours'), testData.viewer);
        expect(body.data.source).toBe('OSCAL profile: House Baseline, version 2, of House Catalog, version 5.1.1+u4.');
        expect(body.data.remarks).toBe('Not stored: alters, back-matter.');
        // The children of a control that is not selected replace it.
        expect((await controlsOf('ours')).map(({ id, parent_id }) => [id, parent_id])).toEqual([
          ['ac', null],
          ['ac-net', 'ac'],
          ['ac-4', 'ac-net'],
          ['ac-2.1', 'ac'],
          ['no-id', null],
          ['ca-1', 'no-id'],
        ]);
      });

      test('selects all controls, those within others, and leaves some out', async () => {
        const catalog = oscalCatalog();
        const ids = async (sent: object) => {
          const { id } = dataOf(await send({ profile: sent, catalog })) as { id: string };
          const [row] = await gateway.app.database.rows<{ ids: string[] }>(
            `select array(select c ->> 'id' from jsonb_array_elements(content -> 'controls') c) as ids from workflow_import where workflow_id = $1`,
            [id],
          );
          return row?.ids.filter((each) => /\d/.test(each));
        };
        expect(await ids(imports({ 'include-all': {} }))).toEqual(['ac-4', 'ac-1', 'ac-2', 'ac-2.1', 'ca-1', 'ca-1.a']);
        const within = [{ 'with-ids': ['ac-2', 'ca-1'], 'with-child-controls': 'yes' }];
        const without = [{ 'with-ids': ['ca-1.a'] }];
        expect(await ids(imports({ 'include-controls': within, 'exclude-controls': without }))).toEqual([
          'ac-2',
          'ac-2.1',
          'ca-1',
        ]);
        const both = imports(
          { 'include-controls': [{ 'with-ids': ['ac-1'] }] },
          { 'include-controls': [{ 'with-ids': ['ac-4'] }] },
        );
        expect(await ids(both)).toEqual(['ac-4', 'ac-1']);
      });

      test('gives parameters their values in the text of a statement', async () => {
        const control = oscalControl('ac-1', { params: [{ id: 'p-1', label: 'a time' }], parts: [STATEMENT] });
        const catalog = oscalCatalog({ groups: [], controls: [control] });
        const own = imports({ 'include-all': {} });
        dataOf(await send({ catalog, id: 'plain' }));
        const modify = {
          'set-parameters': [{ 'param-id': 'p-1', values: ['30 days'] }],
          alters: [{ 'control-id': 'ac-1', adds: [{ props: [{ name: 'priority', value: 'P1' }] }] }],
        };
        dataOf(await send({ profile: { ...own, modify }, catalog, id: 'set' }));
        expect(await controlsOf('plain')).toMatchObject([{ text: 'Wait [a time]:\na. once;' }]);
        expect(await controlsOf('set')).toMatchObject([{ text: 'Wait [30 days]:\na. once;' }]);
        // As written into the catalog by a tool that has resolved the profile, and if the profile has no other values.
        const params = [{ id: 'p-1', label: 'a time', values: ['30 days'] }];
        const resolved = oscalCatalog({ groups: [], controls: [{ ...control, params }] });
        dataOf(await send({ catalog: resolved, id: 'resolved' }));
        dataOf(await send({ profile: own, catalog: resolved, id: 'selected' }));
        for (const id of ['resolved', 'selected'])
          expect([id, await controlsOf(id)]).toMatchObject([id, [{ text: 'Wait [30 days]:\na. once;' }]]);
      });

      test('names what it sets of parameters beside values and labels, and a label replaces no value', async () => {
        const parts = ['p-1', 'p-2'].map((id) => ({ name: 'item', prose: `Wait {{ insert: param, ${id} }}.` }));
        const params = [{ id: 'p-1', label: 'a time', values: ['30 days'] }, { id: 'p-2' }];
        const control = oscalControl('ac-1', { params, parts: [{ name: 'statement', parts }] });
        const set = [
          { 'param-id': 'p-1', class: 'time', label: 'a period', constraints: [{ description: 'Short.' }] },
          { 'param-id': 'p-2', values: ['a day', 'a night'], guidelines: [{ prose: 'Soon.' }], props: [] },
          { 'param-id': 'p-2', label: 'never', select: { choice: ['once', 'twice'] } },
        ];
        const own = { ...imports({ 'include-all': {} }), modify: { 'set-parameters': set } };
        const catalog = oscalCatalog({ groups: [], controls: [control] });
        dataOf(await send({ profile: own, catalog, id: 'named' }));
        expect(await controlsOf('named')).toMatchObject([{ text: 'Wait [30 days].\nWait [a day, a night].' }]);
        const { body } = await gateway.rest.get(pathOf('/available-workflows/named'), testData.viewer);
        expect(body.data.remarks).toBe('Not stored: back-matter, constraints, guidelines, select.');
      });

      test('parameters of the catalog, of groups and of other controls are shown as well, in titles too', async () => {
        const insert = (id: string) => `{{ insert: param, ${id} }}`;
        const statement = (id: string) => ({ parts: [{ name: 'statement', prose: `Wait ${insert(id)}.` }] });
        const inner = oscalControl('ac-1.a', statement('p-3'));
        const catalog = oscalCatalog({
          params: [{ id: 'p-1', label: 'a house' }],
          groups: [
            {
              title: `Access to ${insert('p-1')}`,
              params: [{ id: 'p-2', values: ['a day'] }],
              controls: [
                {
                  ...{ id: 'ac-1', title: `Access within ${insert('p-2')}`, ...statement('p-2') },
                  params: [{ id: 'p-3', label: 'an hour' }],
                  controls: [inner],
                },
              ],
            },
          ],
        });
        const headings = new Set<string>();
        const shown = async (id: string) => {
          const controls = await controlsOf(id);
          headings.add(controls[0]!.id);
          return controls.map(({ label, text }) => [label, text]);
        };
        dataOf(await send({ catalog, id: 'plain' }));
        expect(await shown('plain')).toEqual([
          ['Access to [a house]', null],
          ['Access within [a day]', 'Wait [a day].'],
          ['Title of ac-1.a', 'Wait [an hour].'],
        ]);
        const modify = { 'set-parameters': [{ 'param-id': 'p-1', values: ['A'] }] };
        const own = imports({ 'include-controls': [{ 'with-ids': ['ac-1.a'] }] });
        dataOf(await send({ profile: { ...own, modify }, catalog, id: 'selected' }));
        expect(await shown('selected')).toEqual([
          ['Access to [A]', null],
          ['Title of ac-1.a', 'Wait [an hour].'],
        ]);
        // The id generated from a title does not depend on the values in it.
        expect(headings.size).toBe(1);
      });

      test('of several parameters with one id, it shows the one that the catalog shows', async () => {
        const parts = [{ name: 'statement', prose: 'Wait {{ insert: param, p-1 }}.' }];
        const params = (value: string) => [{ id: 'p-1', values: [value] }];
        const catalog = oscalCatalog({
          params: params('a day'),
          groups: [],
          controls: [oscalControl('ac-1', { parts }), oscalControl('ac-2', { params: params('an hour') })],
        });
        dataOf(await send({ catalog, id: 'plain' }));
        dataOf(await send({ profile: imports({ 'include-all': {} }), catalog, id: 'selected' }));
        const [plain, selected] = [await controlsOf('plain'), await controlsOf('selected')];
        expect(plain[0]).toMatchObject({ text: 'Wait [a day].' });
        expect(selected).toEqual(plain);
      });

      test('a large parameter that stands many times in titles and texts is cut as these are', async () => {
        const inserts = '{{insert:param,p-1}} '.repeat(350);
        const control = { id: 'ac-1', title: inserts, parts: [{ name: 'statement', prose: inserts }] };
        const params = [{ id: 'p-1', values: ['x'.repeat(2_000_000)] }];
        dataOf(await send({ catalog: oscalCatalog({ params, groups: [], controls: [control] }), id: 'large' }));
        expect(await controlsOf('large')).toMatchObject([
          { label: `[${'x'.repeat(118)}…`, text: `[${'x'.repeat(7_998)}…` },
        ]);
      });

      test('is resolved by an imported or shipped workflow that it names', async () => {
        dataOf(await send({ catalog: oscalCatalog(), id: 'house' }));
        const leaves = imports({ 'include-controls': [{ 'with-ids': ['ac-2.1', 'ac-4', 'ca-1.a'] }] });
        expect(dataOf(await send({ profile: leaves }))).toMatchObject({ id: 'house-baseline', controls: 7 });
        const resource = { uuid: 'abc', rlinks: [{ href: 'https://example.org/NIST_CSF_2.0.json?raw#x' }] };
        const shipped = profile({
          imports: [{ href: '#abc', 'include-controls': [{ 'with-ids': ['GV.OC-01'] }] }],
          'back-matter': { resources: [resource] },
        });
        expect(dataOf(await send({ profile: shipped, id: 'csf' }))).toMatchObject({ id: 'csf', controls: 3 });
      });

      const PLACE = 'profile.imports[0]';
      test.each<[string, () => object, string[]]>([
        [
          'of a catalog that is not at hand',
          () => ({ profile: profile() }),
          [
            `${PLACE}.href: is of no catalog that is at hand: send that beside the profile, or resolve the profile first`,
          ],
        ],
        [
          'of two catalogs',
          () => ({ profile: profile({ imports: [{ href: 'a' }, { href: 'b' }] }), catalog: oscalCatalog() }),
          ['profile.imports: are of more than one catalog: resolve the profile first'],
        ],
        [
          'of nothing',
          () => ({ profile: profile({ imports: [] }) }),
          ['profile.imports: must be a list of what it imports'],
        ],
        [
          'of a catalog that is no text',
          () => ({ profile: profile({ imports: [{ href: 7, 'include-all': {} }] }), catalog: oscalCatalog() }),
          [`${PLACE}.href: must be a text`],
        ],
        [
          'of controls with those within them, of which a catalog that is at hand says nothing',
          () => {
            const lists = [{ 'with-ids': ['GV.OC-01'], 'with-child-controls': 'yes' }];
            return { profile: profile({ imports: [{ href: 'nist-csf-2.0.json', 'include-controls': lists }] }) };
          },
          [
            `${PLACE}.include-controls[0].with-child-controls: needs the catalog beside the profile, or resolve the profile first`,
          ],
        ],
        [
          'that selects the same again and again, with what is within it',
          () => {
            const controls = Array.from({ length: 99 }, (_, at) => oscalControl(`ac-1.${at + 1}`));
            const again = Array.from({ length: 1_001 }, () => 'ac-1');
            return {
              profile: imports({ 'include-controls': [{ 'with-ids': again, 'with-child-controls': 'yes' }] }),
              catalog: oscalCatalog({ groups: [], controls: [oscalControl('ac-1', { controls })] }),
            };
          },
          ['profile.imports: must not select controls more than 100000 times'],
        ],
        [
          'that selects all again and again',
          () => ({
            profile: imports(...Array.from({ length: 20_001 }, () => ({ 'include-all': {} }))),
            catalog: oscalCatalog({
              groups: [],
              controls: Array.from({ length: 5 }, (_, at) => oscalControl(`ac-${at + 1}`)),
            }),
          }),
          ['profile.imports: must not select controls more than 100000 times'],
        ],
        [
          'that sets what is not there, and says yes or no in other words',
          () => ({
            profile: {
              ...imports({ 'include-controls': [{ 'with-ids': ['ac-1'], 'with-child-controls': 'true' }] }),
              modify: { 'set-parameters': [{ 'param-id': 'p-9', values: '30 days' }] },
            },
            catalog: oscalCatalog(),
          }),
          [
            `${PLACE}.include-controls[0].with-child-controls: must be yes or no`,
            'profile.modify.set-parameters[0].param-id: is no parameter of the catalog',
            'profile.modify.set-parameters[0].values: must be a list',
          ],
        ],
        [
          'that selects nothing by rule, unknown controls and patterns',
          () => ({
            profile: imports(
              {},
              { 'include-controls': [{ 'with-ids': ['ac-1', 'zz-1'] }, { matching: [{ pattern: 'ac-*' }] }] },
            ),
            catalog: oscalCatalog(),
          }),
          [
            `${PLACE}: must have either include-all or include-controls`,
            'profile.imports[1].include-controls[0].with-ids[1]: is no control of the catalog',
            'profile.imports[1].include-controls[1].matching: selects by patterns: resolve the profile first',
          ],
        ],
        [
          'that changes what controls say, or their order',
          () => ({
            profile: profile({
              merge: { custom: {} },
              modify: {
                alters: [
                  { 'control-id': 'ac-1', removes: [{ 'by-name': 'statement' }] },
                  { 'control-id': 'ac-4', adds: [{ parts: [{ name: 'item', prose: 'And more.' }] }] },
                  { 'control-id': 'ca-1', removes: [{ 'by-name': 'statement' }] },
                  { 'control-id': 'ac-4', adds: [{ params: [{ id: 'p-9', label: 'nine' }] }] },
                  { 'control-id': 'ac-4', adds: [{ title: 'Another title' }] },
                ],
              },
            }),
            catalog: oscalCatalog(),
          }),
          [
            'profile.merge.custom: orders controls anew: resolve the profile first',
            'profile.modify.alters[1]: changes what a control says: resolve the profile first',
            'profile.modify.alters[2]: changes what a control says: resolve the profile first',
            'profile.modify.alters[3]: changes what a control says: resolve the profile first',
            'profile.modify.alters[4]: changes what a control says: resolve the profile first',
          ],
        ],
        [
          'with keys that OSCAL does not have, at every level',
          () => ({
            profile: {
              ...imports({
                'include-controls': [{ 'with-ids': ['ac-1'], 'with-id': ['ac-4'] }],
                'exclude-control': [],
              }),
              merge: { order: {} },
              modify: {
                'set-parameter': [],
                'set-parameters': [{ 'param-id': 'ac-1_prm_1', value: '30 days' }],
                alters: [{ 'control-id': 'ca-1', add: [] }],
              },
              'two words': 1,
            },
            catalog: oscalCatalog(),
          }),
          [
            'profile: unknown key',
            'profile.merge: unknown key order',
            'profile.modify: unknown key set-parameter',
            `${PLACE}: unknown key exclude-control`,
            `${PLACE}.include-controls[0]: unknown key with-id`,
            'profile.modify.set-parameters[0]: unknown key value',
            'profile.modify.alters[0]: unknown key add',
          ],
        ],
        [
          'with a catalog that has errors',
          () => ({ profile: profile({ metadata: {} }), catalog: oscalCatalog({ metadata: {} }) }),
          ['catalog.metadata.title: must be a text', 'catalog.metadata.version: must be a text'],
        ],
        [
          'without a title',
          () => ({ profile: profile({ metadata: { version: '1' } }), catalog: oscalCatalog() }),
          ['profile.metadata.title: must be a text'],
        ],
      ])('%s is refused', async (_title, sent, messages) => {
        await refused(await send(sent()), messages);
      });
    });

    test('XML, entities and all, is refused without being read', async () => {
      const text =
        '<?xml version="1.0"?><!DOCTYPE catalog [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><catalog>&b;</catalog>';
      await refused(await send({ text }), ['workflow: is XML or HTML; JSON and YAML are read']);
    });

    test('it stands alone: beside fields of a workflow, a text or a null it is refused', async () => {
      const one = [
        `exactly one of text, ${api === 'REST' ? '' : 'file, '}catalog and the fields of a workflow must be given`,
      ];
      await refused(await send({ catalog: oscalCatalog(), name: 'Ours' }), one);
      await refused(await send({ catalog: oscalCatalog(), text: '{}' }), one);
      await refused(await send({ text: 'id: ours', id: 'ours' }), one);
      await refused(await send({ catalog: null, id: 'ours' }), one);
    });
  });

  describe('the size of a catalog', () => {
    const post = (body: string, token?: string) =>
      gateway.rest.post(pathOf('/available-workflows'), {
        token,
        body,
        headers: { 'content-type': 'application/json' },
      });

    test('REST takes a body of 5 MB as it is published, and not a byte more', async () => {
      const file = (bytes: number) => largeCatalog(bytes);
      for (const bytes of [5 * MEBIBYTE + 1, 50 * MEBIBYTE])
        expectError(await post(file(bytes), testData.manager.token), 400, ['The body must not exceed 5 MB']);
      expect(await imports()).toEqual([]);
      expectStatus(await post(file(5 * MEBIBYTE), testData.manager.token), 201);
    });

    test('GraphQL takes a text and a catalog of 5 MB, and not a byte more', async () => {
      const codeOf = async (input: object) => {
        const variables = { input: { organizationId: testData.organizationId, ...input } };
        const { body } = await gateway.graphql.call(IMPORT.graphql, { token: testData.manager.token, variables });
        return body.errors?.[0]?.extensions.messages ?? 'OK';
      };
      const compact = (bytes: number) => {
        const written = (prose: string) => JSON.stringify({ catalog: oscalCatalog({ remarks: prose }) });
        return written('x'.repeat(bytes - written('').length));
      };
      const tooLarge = ['File too large. Maximum size is 5 MB.'];
      expect(await codeOf({ text: compact(5 * MEBIBYTE + 1) })).toEqual(tooLarge);
      expect(await codeOf(JSON.parse(compact(5 * MEBIBYTE + 1)))).toEqual(tooLarge);
      expect(await codeOf({ text: compact(5 * MEBIBYTE) })).toBe('OK');
      expect(await codeOf(JSON.parse(compact(5 * MEBIBYTE)))).toBe('OK');
      expect(await codeOf({ text: `{"id": "${'x'.repeat(MEBIBYTE)}"}` })).toEqual([
        'File too large. Maximum size is 1 MB.',
      ]);
    });

    test('a large body without a token, or without the role, stores nothing', async () => {
      expectError(await post(largeCatalog()), 401, [1001]);
      expectError(await post(largeCatalog(), testData.viewer.token), 403, [1003]);
      expect(await imports()).toEqual([]);
    });
  });
});

describe('exports', () => {
  const ISO = 'iso-27001-2022';
  const DIRECTIVE = 'nis2-directive';
  const WORKFLOWS = [ISO, DIRECTIVE, 'own', 'linked'];

  let version: number;

  beforeAll(async () => {
    const token = testData.manager.token;
    const catalog = oscalCatalog({
      groups: [],
      controls: [oscalControl('own-1', { controls: [oscalControl('own-1.1', ENHANCEMENT)] })],
    });
    const linked = {
      ...{ id: 'linked', name: 'Linked', version: '1', kind: 'framework', licence: 'Ours.' },
      source: { text: 'A page.', url: 'https://exämple.com/ä|%20%zz' },
      controls: [{ id: '1', label: 'Only', kind: 'control' }],
    };
    for (const body of [{ catalog, id: 'own' }, linked]) {
      expectStatus(await gateway.rest.post(pathOf('/available-workflows'), { token, body }), 201);
    }
    for (const id of WORKFLOWS) {
      await buildWorkflow(gateway.app.database, testData.organizationId, id);
    }
    await setStatus('A.5.1', { status: 'DONE' });
    await setStatus('A.5.2', { status: 'IN_PROGRESS' });
    await setStatus('A.5.3', { status: 'NOT_APPLICABLE', justification: 'One person\ndoes it all.' });
    const { contentType, bytes } = samples.PDF;
    const body = { filename: 'Restore "test" è.pdf', content: bytes.toString('base64'), content_type: contentType };
    const uploaded = await gateway.rest.post(pathOf(`/workflows/${ISO}/documents/A.8.13/versions`), { token, body });
    expectStatus(uploaded, 201);
    version = uploaded.body.data.id;
  });

  const setStatus = async (control: string, body: object) =>
    expectStatus(
      await gateway.rest.patch(pathOf(`/workflows/${ISO}/controls/${control}`), {
        token: testData.analyst.token,
        body,
      }),
      200,
    );

  const FIELDS = {
    'assessment-results': 'oscalAssessmentResults',
    'component-definition': 'oscalComponentDefinition',
  } as const;
  type Model = keyof typeof FIELDS;

  // Tests read it and specify their expectation.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function exported(api: Api, model: Model, workflowId: string): Promise<any> {
    if (api === 'REST') {
      const answer = await gateway.rest.get(pathOf(`/workflows/${workflowId}/oscal/${model}`), testData.viewer);
      expectStatus(answer, 200);
      return JSON.parse(answer.text);
    }
    const query = `query ($id: ID!, $workflowId: ID!) {
    organizationWorkflow(organizationId: $id, workflowId: $workflowId) { document: ${FIELDS[model]} } }`;
    const variables = { id: testData.organizationId, workflowId };
    const { body } = await gateway.graphql.call(query, { token: testData.viewer.token, variables });
    expect(body.errors).toBeUndefined();
    return body.data.organizationWorkflow.document;
  }

  test.each([
    ['without a key', {}],
    ['with a key', { 'idempotency-key': '"associated-at-once"' }],
  ])('the answer to a change can have an export of what it has made, %s', async (_how, headers) => {
    const id = await buildOrganization(gateway.app.database, 'Exported at once');
    await join(gateway.app.database, testData.owner, id, 'ORGANIZATION_OWNER');
    const query = `mutation ($input: AssociateWorkflowInput!) { associateWorkflow(input: $input) {
        organizationWorkflow { ${Object.values(FIELDS).join(' ')} } } }`;
    const variables = { input: { organizationId: id, workflowId: ISO } };
    const { body } = await gateway.graphql.call(query, { token: testData.owner.token, variables, headers });
    expect(body.errors).toBeUndefined();
    const made = body.data.associateWorkflow.organizationWorkflow as Record<string, object>;
    for (const [model, field] of Object.entries(FIELDS)) expect(oscalErrors(model as Model, made[field]!)).toEqual([]);
  });

  describe.each(APIS)('through %s', (api) => {
    test.each(Object.keys(FIELDS) as Model[])('%s of every kind of workflow are valid OSCAL', async (model) => {
      for (const workflow of WORKFLOWS) {
        expect([workflow, oscalErrors(model, await exported(api, model, workflow))]).toEqual([workflow, []]);
      }
    });

    test('the LOW baseline of SP 800-53 is imported as NIST publishes it, and its exports are valid', async () => {
      const { catalog } = lowBaseline();
      const controls = catalog.groups
        .flatMap((group) => group.controls)
        .flatMap((each) => [each, ...(each.controls ?? [])]);
      expect([catalog.groups.length, controls.length]).toEqual([18, 149]);
      const id = `low-${api.toLowerCase()}`;
      const input = { organization_id: testData.organizationId, catalog, id };
      expect(dataOf(await callThrough(api, gateway, IMPORT, input, testData.manager.token))).toMatchObject({
        ...{ id, mode: 'WORKFLOW', version: '5.1.1+u4', controls: 18 + 149 },
        name: 'NIST Special Publication 800-53 Revision 5.1.1 LOW IMPACT BASELINE',
      });
      await buildWorkflow(gateway.app.database, testData.organizationId, id);
      const results = await exported(api, 'assessment-results', id);
      const definition = await exported(api, 'component-definition', id);
      expect(oscalErrors('assessment-results', results)).toEqual([]);
      expect(oscalErrors('component-definition', definition)).toEqual([]);
      const [{ 'reviewed-controls': reviewed }] = results['assessment-results'].results;
      const ids = controls.map((control) => ({ 'control-id': control.id }));
      expect(new Set(reviewed['control-selections'][0]['include-controls'])).toEqual(new Set(ids));
      const [component] = definition['component-definition'].components;
      const [{ 'implemented-requirements': requirements }] = component['control-implementations'];
      expect(new Set(requirements.map((each: { description: string }) => each.description))).toEqual(
        new Set(controls.map((control) => `${control.id} ${control.title}`)),
      );
    });

    test('an export is recorded', async () => {
      await exported(api, 'component-definition', ISO);
      const [last] = await gateway.app.database.rows<{ entry: string }>(
        `select entry from audit_entry where subject = $1 order by position desc limit 1`,
        [`WORKFLOW/${ISO}`],
      );
      expect(JSON.parse(last!.entry)).toMatchObject({
        action: 'WORKFLOW_EXPORTED',
        actor: { id: testData.viewer.id },
        changes: { model: { after: 'component-definition' } },
      });
    });

    test('each control that is work has one finding, by its status', async () => {
      const { results } = (await exported(api, 'assessment-results', ISO))['assessment-results'];
      const { findings } = results[0];
      const { body } = await gateway.rest.get(pathOf(`/workflows/${ISO}`), testData.viewer);
      expect(findings).toHaveLength(body.data.progress.total);
      const targets = new Map(
        findings.map(({ target }: { target: object & { 'target-id': string } }) => {
          return [target['target-id'], target];
        }),
      );
      const target = (id: string, status: object, state: string) => ({
        ...{ type: 'statement-id', 'target-id': `${id}_smt`, status, 'implementation-status': { state } },
      });
      const not = (reason: string, more = {}) => ({ state: 'not-satisfied', reason, ...more });
      for (const expected of [
        target('A.5.1', { state: 'satisfied', reason: 'pass' }, 'implemented'),
        target('A.5.2', not('fail'), 'partial'),
        target('A.5.3', not('other', { remarks: 'One person\ndoes it all.' }), 'not-applicable'),
        target('_4.1', not('fail'), 'planned'),
      ])
        expect(targets.get(expected['target-id'])).toEqual(expected);
      expect(results[0]['reviewed-controls']['control-selections'][0]['include-controls']).toHaveLength(
        findings.length,
      );
    });

    test('a finding leads to the evidence, its hash and its address, also where it counts by a mapping', async () => {
      for (const [workflow, control] of [
        [ISO, 'A.8.13'],
        [DIRECTIVE, '21.2.c'],
      ] as const) {
        const results = (await exported(api, 'assessment-results', workflow))['assessment-results'];
        const [{ observations, findings }] = results.results;
        expect(observations).toMatchObject([{ title: 'Restore "test" è.pdf', methods: ['EXAMINE'] }]);
        const found = findings.find(({ props }: { props: { value: string }[] }) => props[0]!.value === control);
        expect(found['related-observations']).toEqual([{ 'observation-uuid': observations[0].uuid }]);
        const href = observations[0]['relevant-evidence'][0].href as string;
        const resources = results['back-matter'].resources as { uuid: string }[];
        const resource = resources.find(({ uuid }) => `#${uuid}` === href);
        const sha256 = createHash('sha256').update(samples.PDF.bytes).digest('hex');
        expect(resource).toMatchObject({
          rlinks: [
            {
              href: `${gateway.url}${pathOf(`/documents/${version}`)}`,
              'media-type': 'application/pdf',
              hashes: [{ algorithm: 'SHA-256', value: sha256 }],
            },
          ],
        });
      }
    });

    test('a component has a requirement for each control, with its status and documents', async () => {
      const { components } = (await exported(api, 'component-definition', ISO))['component-definition'];
      const requirements = components[0]['control-implementations'][0]['implemented-requirements'];
      const requirement = (id: string) =>
        requirements.find((each: { 'control-id': string }) => each['control-id'] === id);
      const statusOf = (id: string) => requirement(id).props[1].value;
      expect(['A.5.1', 'A.5.2', 'A.5.3', '_4.1'].map(statusOf)).toEqual([
        ...['implemented', 'partial', 'not-applicable', 'planned'],
      ]);
      expect(requirement('A.5.3').remarks).toBe('One person\ndoes it all.');
      expect(requirement('A.8.13').links).toHaveLength(1);
      expect(requirement('_4.1').props[0]).toMatchObject({ name: 'control-id', value: '4.1' });
    });

    test('a control of an imported catalog retains its id', async () => {
      const { results } = (await exported(api, 'assessment-results', 'own'))['assessment-results'];
      expect(
        results[0].findings.map(({ target }: { target: object & { 'target-id': string } }) => target['target-id']),
      ).toEqual(['own-1_smt', 'own-1.1_smt']);
    });

    test('the UUIDs of two exports are the same', async () => {
      const uuids = async (model: Model) => JSON.stringify(await exported(api, model, ISO)).match(/[\da-f-]{36}/g);
      for (const model of Object.keys(FIELDS) as Model[]) expect(await uuids(model)).toEqual(await uuids(model));
    });
  });

  test('a file has a name, and none is sent of a workflow that is not associated', async () => {
    const path = (workflow: string) => pathOf(`/workflows/${workflow}/oscal/assessment-results`);
    const answer = await gateway.rest.get(path(ISO), testData.viewer);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; .*iso-27001-2022 assessment-results/);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const workflow of ['nist-csf-2-0', 'unknown', '__proto__'])
      expectError(await gateway.rest.get(path(workflow), testData.viewer), 404, [1004]);
  });

  test('a document that is no valid OSCAL does not pass for one', async () => {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const problems: [Model, error: string, breakIt: (document: any) => void][] = [
      ['assessment-results', 'oscal-version', ({ metadata }) => delete metadata['oscal-version']],
      ['assessment-results', 'start must match', ({ results }) => (results[0].start = '2026-01-02')],
      ['assessment-results', 'target/type', ({ results }) => (results[0].findings[0].target.type = 'control-id')],
      ['assessment-results', 'fewer than 1', ({ results }) => (results[0].findings[0].props = [])],
      ['assessment-results', 'one UUID', ({ results }) => (results[0].findings[1].uuid = results[0].findings[0].uuid)],
      ['assessment-results', 'nothing has', (document) => (document['import-ap'].href = '#none')],
      ['component-definition', 'additional', ({ components }) => (components[0].state = 'operational')],
      ['component-definition', 'uri', (document) => (document['back-matter'].resources[0].rlinks[0].href = '/ä|')],
      ['component-definition', 'props/0/name', ({ components }) => (components[0].props = [{ name: '4', value: '1' }])],
    ];
    for (const [model, error, breakIt] of problems) {
      const document = await exported('REST', model, ISO);
      breakIt(document[model]);
      expect(oscalErrors(model, document)).toContainEqual(expect.stringContaining(error));
    }
  });
});
