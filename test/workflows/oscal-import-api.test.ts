import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Result } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { IMPORT, largeCatalog, METADATA, oscalCatalog, oscalControl, WITHDRAWN } from '../support/oscal.js';
import { type Person } from '../support/test-data.js';

const MEBIBYTE = 1024 * 1024;

const { gateway, testData } = await startSeededGateway();
beforeEach(async () => {
  for (const table of ['organization_workflow', 'workflow_import', 'control_state']) {
    await gateway.app.database.rows(`delete from ${table}`);
  }
});

const pathOf = (rest: string) => `/api/v1/v-ciso/organizations/${testData.organizationId}${rest}`;
const imports = async () => (await gateway.rest.get(pathOf('/available-workflows'), testData.manager)).body.data;
const controlsOf = async (id: string) => {
  expectStatus(await gateway.rest.post(pathOf('/workflows'), { token: testData.manager.token, body: { id } }), 201);
  const { body } = await gateway.rest.get(pathOf(`/workflows/${id}/controls?limit=100`), testData.manager);
  return body.data as { id: string; label: string; parent_id: string | null }[];
};
/** Headings are not counted: they are no work themselves. */
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
    const imported = { id: 'house-catalog', mode: 'WORKFLOW', name: 'House Catalog', version: '5.1.1+u4', controls: 9 };
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
      remarks: 'Withdrawn controls are left out: 3.',
    });
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
    await refused(await send({ catalog: oscalCatalog({ groups: [], controls }) }), [
      'catalog.controls[0].controls[1].id: must match pattern "^[A-Za-z0-9]+([.-][A-Za-z0-9]+)*$"',
      'catalog.controls[0].controls[0].id: is there twice',
    ]);
    await refused(await send({ catalog: oscalCatalog({ groups: [], controls: [oscalControl('a', WITHDRAWN)] }) }), [
      'controls: must NOT have fewer than 1 items',
    ]);
    await refused(await send({ catalog: oscalCatalog(), id: 'nis2-directive' }), [
      'id: belongs to a workflow that is there for everybody',
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

  test('XML, entities and all, is refused without being read', async () => {
    const text = '<?xml version="1.0"?><!DOCTYPE catalog [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><catalog>&b;</catalog>';
    await refused(await send({ text }), ['workflow: is XML or HTML; JSON and YAML are read']);
  });

  test('it stands alone: beside fields of a workflow, a text or a null it is refused', async () => {
    const one = ['exactly one of text, file, catalog and the fields of a workflow must be given'];
    await refused(await send({ catalog: oscalCatalog(), name: 'Ours' }), one);
    await refused(await send({ catalog: oscalCatalog(), text: '{}' }), one);
    await refused(await send({ text: 'id: ours', id: 'ours' }), one);
    await refused(await send({ catalog: null, id: 'ours' }), one);
  });
});

describe('the size of a catalog', () => {
  const post = (body: string, token?: string) =>
    gateway.rest.post(pathOf('/available-workflows'), { token, body, headers: { 'content-type': 'application/json' } });

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
