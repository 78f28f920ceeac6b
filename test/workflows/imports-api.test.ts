import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Operation,
  type Result,
} from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { startGateway } from '../support/gateway.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';
import { until } from '../support/until.js';
import { join, type Person } from '../support/test-data.js';

const IMPORT = `id: workflowId mode name version: edition controls: controlCount imported_by: importedBy { username } imported_at: importedAt
  source source_url: sourceUrl licence remarks`;
const IMPORTS = '/api/v1/v-ciso/organizations/{organization_id}/available-workflows';

const OPERATIONS = {
  list: {
    rest: `GET ${IMPORTS}`,
    graphql: `query ($organizationId: ID!, $first: Int) {
      organization(id: $organizationId) { workflowImports(first: $first) { totalCount nodes { ${IMPORT} } } } }`,
    at: 'organization.workflowImports',
  },
  read: {
    rest: `GET ${IMPORTS}/{workflow_id}`,
    graphql: `query ($organizationId: ID!, $workflowId: ID!) {
      workflowImport(organizationId: $organizationId, workflowId: $workflowId) { ${IMPORT} } }`,
    at: 'workflowImport',
  },
  import: mutation(`POST ${IMPORTS}`, 'importWorkflow', `workflowImport { ${IMPORT} }`),
  remove: mutation(`DELETE ${IMPORTS}/{workflow_id}`, 'deleteWorkflowImport', `workflowImport { ${IMPORT} }`),
  catalogue: {
    rest: 'GET /api/v1/v-ciso/available-workflows',
    graphql: 'query ($first: Int) { availableWorkflows(first: $first) { totalCount nodes { id: databaseId name } } }',
    at: 'availableWorkflows',
  },
  ofCatalogue: {
    rest: 'GET /api/v1/v-ciso/available-workflows/{id}',
    graphql: 'query ($id: ID!) { workflow(id: $id) { id: databaseId name version: edition } }',
    at: 'workflow',
  },
} satisfies Record<string, Operation>;

const control = (id: string, more: object = {}) => ({ id, label: `Do ${id}`, kind: 'control', ...more });
const rules = (more: object = {}) => ({
  id: 'house-rules',
  name: 'House rules',
  version: '3',
  source: { text: 'Our handbook' },
  licence: 'Ours',
  controls: [control('H1'), control('H1.1', { parent: 'H1' }), control('H2', { kind: 'task' })],
  ...more,
});
const titles = (more: object = {}) => ({
  ...rules({ mode: 'TITLES', id: 'iso-27001-2022', name: 'ISO/IEC 27001:2022, official titles' }),
  controls: [control('A.5.1', { label: 'Official title of A.5.1' })],
  ...more,
});
const RULES = { id: 'house-rules', mode: 'WORKFLOW', name: 'House rules', version: '3', controls: 3 };
const YAML = `\ufeffid: house-rules\nname: House rules\nversion: 3\nsource: { text: Our handbook }\nlicence: Ours\ncontrols:
  - { id: H1, label: Do H1, kind: control }
  - { id: H1.1, label: Do H1.1, kind: control, parent: H1 }
  - { id: H2, label: Do H2, kind: task }\n`;

const clock = new TestClock();

const { gateway, testData } = await startSeededGateway({ now: clock.now });
beforeEach(async () => {
  for (const table of ['organization_workflow', 'workflow_import', 'control_state']) {
    await gateway.app.database.rows(`delete from ${table}`);
  }
});

/** A member of an organization as the caller in it. */
interface Member {
  organization: number;
  person: Person;
}
const manager = (): Member => ({ organization: testData.organizationId, person: testData.manager });
const elsewhere = (): Member => ({ organization: testData.otherOrganizationId, person: testData.nonMember });
const pathOf = (rest: string, { organization } = manager()) =>
  `/api/v1/v-ciso/organizations/${organization}/workflows${rest}`;
const get = async (rest: string, member = manager()) =>
  (await gateway.rest.get(pathOf(rest, member), member.person)).body;
const associate = (id: string, member = manager()) =>
  gateway.rest.post(pathOf('', member), { token: member.person.token, body: { id } });
const dissociate = (id: string) => gateway.rest.delete(pathOf(`/${id}`), testData.manager);
const setStatus = async (control: string, status: string) =>
  expectStatus(await gateway.rest.patch(pathOf(control), { token: testData.manager.token, body: { status } }), 200);

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, { token }: { token: string }) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);
  const inOrganization = (name: keyof typeof OPERATIONS, input: object, { organization, person } = manager()) =>
    call(name, { organization_id: organization, ...input }, person);
  const send = (input: object, member = manager()) => inOrganization('import', input, member);
  const remove = (workflow_id = 'house-rules') => inOrganization('remove', { workflow_id });
  const refused = (result: Result, messages: string[]) => expectFailure(result, 'BAD_USER_INPUT', messages);
  const available = async (person: { token: string }): Promise<string[]> =>
    dataOf(await call('catalogue', {}, person)).map(({ id }: { id: string }) => id);

  describe('importing a workflow', () => {
    test('stores it, and replaces an earlier one of the same id', async () => {
      const terms = { source: 'Our handbook', source_url: null, licence: 'Ours', remarks: null };
      const by = { imported_by: testData.manager.username, imported_at: clock.now().toISOString(), ...terms };
      expect(JSON.stringify(dataOf(await send(rules())))).toBe(JSON.stringify({ ...RULES, ...by }));
      const replaced = dataOf(await send(rules({ version: '4', controls: [control('H9')] })));
      expect(replaced).toEqual({ ...RULES, version: '4', controls: 1, ...by });
      expect(dataOf(await inOrganization('read', { workflow_id: 'house-rules' }))).toEqual(replaced);
    });

    test.each([
      ['YAML', YAML],
      ['JSON', JSON.stringify(rules())],
    ])('takes the whole as %s in one text', async (_format, text) => {
      expect(dataOf(await send({ text }))).toMatchObject(RULES);
      await associate('house-rules');
      expect((await get('/house-rules/controls')).data).toMatchObject([
        { id: 'H1', kind: 'CONTROL', parent_id: null },
        { id: 'H1.1', label: 'Do H1.1', parent_id: 'H1' },
        { id: 'H2', kind: 'TASK' },
      ]);
    });

    test('stores texts in one Unicode form, also where the file writes letters and accents as escapes', async () => {
      const text = JSON.stringify(rules({ name: 'NAME' })).replace('NAME', 'Re\\u0301gles');
      expect(dataOf(await send({ text })).name).toBe('Régles');
    });

    test('reports every error with its place, and with its line in a text', async () => {
      const controls = [
        control('H1', { entities: ['essential'] }),
        { id: 'H 1', label: '', kind: 'chore', parent: 'H9' },
        control('H1', { parent: 'H1' }),
      ];
      refused(await send(rules({ id: 'House', version: undefined, controls })), [
        "workflow: must have required property 'version'",
        'id: must match pattern "^[a-z0-9]+(-[a-z0-9]+)*$"',
        'controls[1].id: must match pattern "^[\\p{L}\\p{N}_][\\p{L}\\p{N}._-]*$"',
        'controls[1].label: must match pattern "^\\S(.*\\S)?$"',
        'controls[1].kind: must be one of control, task',
        'controls[2].id: is there twice',
        'controls[1].parent: no control before this one has this id',
        'controls[2].entities: must be among those of the heading',
      ]);
      const text = 'id: house\nname: House\nversion: 1\nlicence: Ours\nhue: red\ncontrols:\n  - id: a\n    label: A\n';
      refused(await send({ text }), [
        "workflow (line 1): must have required property 'source'",
        'workflow (line 1): unknown key hue',
        "controls[0] (line 7): must have required property 'kind'",
      ]);
      refused(await send({ text: 'id: [' }), ['workflow (line 1): is no valid YAML']);
      refused(await send({ text: '{"id": ' }), ['workflow: is no valid JSON']);
      // Readers of JSON do not agree on which of two values counts.
      refused(await send({ text: JSON.stringify(rules()).replace('{', '{"id":"other",') }), [
        'workflow: id must not be given twice',
      ]);
      refused(await send(rules({ name: 'a\u0007b' })), ['name: must not contain control characters']);
    });

    test('requires exactly one form', async () => {
      const one = [
        `exactly one of text, ${api === 'REST' ? '' : 'file, '}catalog and the fields of a workflow must be given`,
      ];
      refused(await send({ text: undefined }), one);
      refused(await send({ text: 'id: a', name: 'House' }), one);
      refused(await send({ ...rules(), hue: 'red' }), ['hue is not a known field']);
    });

    test('takes 2,000 controls at most', async () => {
      const many = (count: number) => rules({ controls: Array.from({ length: count }, (_, n) => control(`C${n}`)) });
      expect(dataOf(await send(many(2_000)))).toMatchObject({ controls: 2_000 });
      refused(await send(many(2_001)), ['controls must not have more than 2000 items']);
      refused(await send({ text: JSON.stringify(many(2_001)) }), ['controls: must NOT have more than 2000 items']);
      dataOf(await send({ text: JSON.stringify(many(2_000)) }));
    });

    test('refuses nesting, aliases and repetition before they cost much', async () => {
      for (const opening of ['[', '- ', '? ', 'a: [']) {
        refused(await send({ text: opening.repeat(250_000) }), ['workflow: is nested too deep']);
      }
      const bomb = `a: &a [x, x]\nb: &b [*a, *a]\nid: [*b, *b]\n`;
      refused(await send({ text: bomb }), ['workflow: must not use aliases']);
      const entities = Array.from({ length: 60_000 }, () => 'essential');
      const { code } = await send({ text: JSON.stringify(rules({ controls: [control('H1', { entities })] })) });
      expect(code).toBe('BAD_USER_INPUT');
    });

    test('never replaces a workflow of the catalogue', async () => {
      refused(await send(rules({ id: 'iso-27001-2022' })), ['id: belongs to a workflow that is there for everybody']);
      refused(await send(titles({ id: 'house-rules' })), ['id: belongs to no workflow that is there for everybody']);
      refused(await send(titles({ controls: [control('A.5.1'), control('A.9.1')] })), [
        'controls[1].id: is no control of iso-27001-2022',
      ]);
    });

    test('is a conflict while the workflow is associated and its preview was not read, and titles are not', async () => {
      await send(rules());
      expectStatus(await associate('house-rules'), 201);
      expectConflict(await send(rules()), 'WORKFLOW_ASSOCIATED');
      await associate('iso-27001-2022');
      for (let times = 0; times < 2; times += 1) dataOf(await send(titles()));
    });

    test('stops at 50 imports of an organization, also when they come at once', async () => {
      const results = await Promise.all(
        Array.from({ length: 53 }, (_, n) => send(rules({ id: `house-${n}`, controls: [control('H1')] }))),
      );
      const stored = results.filter(({ code }) => code === 'OK');
      expect(stored).toHaveLength(50);
      for (const result of results.filter(({ code }) => code !== 'OK')) {
        refused(result, ['an organization may keep 50 imports at most']);
      }
      dataOf(await send(rules({ id: stored[0]!.data.id })));
    });
  });

  describe('an imported workflow', () => {
    test('is available to the members of its organization only', async () => {
      const shipped = await available(testData.owner);
      await send(rules());
      for (const member of [testData.owner, testData.viewer]) {
        expect(await available(member)).toEqual(['house-rules', ...shipped].sort());
        const workflow = await call('ofCatalogue', { id: 'house-rules' }, member);
        expect(dataOf(workflow)).toMatchObject({ id: 'house-rules', name: 'House rules', version: '3' });
      }
      for (const person of [testData.nonMember, testData.userWithoutOrganization]) {
        expect(await available(person)).toEqual(shipped);
        expectFailure(await call('ofCatalogue', { id: 'house-rules' }, person), 'NOT_FOUND');
      }
    });

    test('is associated by its organization only, and is not found in another, which may use the same id', async () => {
      await send(rules());
      expectStatus(await associate('house-rules', elsewhere()), 404);
      expectStatus(await associate('house-rules'), 201);
      dataOf(await send(rules({ controls: [control('X1')] }), elsewhere()));
      expectStatus(await associate('house-rules', elsewhere()), 201);
      expect((await get('/house-rules/controls', elsewhere())).data).toMatchObject([{ id: 'X1' }]);
      expect((await get('/house-rules/controls')).total).toBe(3);
    });

    test('is listed once for a member of two organizations that use the same id', async () => {
      await send(rules());
      await send(rules({ name: 'Theirs' }), elsewhere());
      const { officer, otherOrganizationId } = testData;
      await join(gateway.app.database, officer, otherOrganizationId, 'VIEWER');
      expect((await available(officer)).filter((id) => id === 'house-rules')).toHaveLength(1);
      await gateway.app.database.rows('delete from membership where user_id = $1 and organization_id = $2', [
        officer.id,
        otherOrganizationId,
      ]);
    });

    test('takes documents and shows progress as any other workflow', async () => {
      await send(rules());
      await associate('house-rules');
      const body = { filename: 'p.txt', content: 'cG9saWN5', content_type: 'text/plain' };
      const upload = (id: string) =>
        gateway.rest.post(pathOf(`/house-rules/documents/${id}/versions`), { token: testData.analyst.token, body });
      const [artifact, unknown] = [await upload('H1.1'), await upload('H3')];
      expect([artifact.status, unknown.status]).toEqual([201, 404]);
      await setStatus('/house-rules/controls/H2', 'DONE');
      expect((await get('/house-rules')).data.progress).toMatchObject({ total: 2, done: 1 });
      const { evidence } = (await get('/house-rules/controls/H1.1')).data;
      expect(evidence).toEqual({ own: 1, mapped: 0, total: 1, valid_until: null, sources: [] });
      await gateway.app.database.rows('delete from document_version');
    });
  });

  describe('imported titles', () => {
    const OFFICIAL = 'Official title of A.5.1';
    const label = async (member = manager()) =>
      (await get('/iso-27001-2022/controls/A.5.1', member)).data.label as string;
    const text = async () => (await get('/iso-27001-2022/controls/A.5.1', manager())).data.text as string | null;

    test('replace the labels of the catalogue for that organization only, until the import is deleted', async () => {
      await associate('iso-27001-2022');
      await associate('iso-27001-2022', elsewhere());
      const shipped = await label();
      await send(titles());
      expect([await label(), await label(elsewhere())]).toEqual([OFFICIAL, shipped]);
      const workflow = await call('ofCatalogue', { id: 'iso-27001-2022' }, testData.owner);
      expect(dataOf(workflow).name).toBe('ISO/IEC 27001:2022');
      expect(await available(testData.owner)).toEqual(await available(testData.nonMember));
      expect(await text()).toBe(null);
      await send(titles({ controls: [control('A.5.1', { text: 'What is\nrequired.' })] }));
      expect(await text()).toBe('What is\nrequired.');
      dataOf(await remove('iso-27001-2022'));
      expect([await label(), await text()]).toEqual([shipped, null]);
    });

    test('leave parent and entities of a control as they are, also in a file of some controls', async () => {
      await associate('iso-27001-2022');
      const shipped = await get('/iso-27001-2022/controls/A.5.1');
      const sent = control('A.5.1', { label: OFFICIAL, parent: 'A.5', entities: ['essential'] });
      dataOf(await send(titles({ controls: [sent] })));
      expect((await get('/iso-27001-2022/controls/A.5.1')).data).toEqual({ ...shipped.data, label: OFFICIAL });
      refused(await send(titles({ controls: [sent, sent] })), ['controls[1].id: is there twice']);
    });
  });

  describe('the list of imports', () => {
    test('has those of the organization, by id', async () => {
      await send(titles());
      await send(rules());
      const { data, total } = await inOrganization('list', {});
      expect(total).toBe(2);
      expect(data).toMatchObject([RULES, { id: 'iso-27001-2022', mode: 'TITLES', controls: 1 }]);
      expect(await inOrganization('list', {}, elsewhere())).toMatchObject({ data: [], total: 0 });
    });
  });

  describe('deleting an import', () => {
    beforeEach(async () => {
      dataOf(await send(rules()));
    });

    test('is a conflict while the workflow is associated, and retains its states for another time', async () => {
      await associate('house-rules');
      await setStatus('/house-rules/controls/H2', 'DONE');
      expectConflict(await remove(), 'WORKFLOW_ASSOCIATED');
      await dissociate('house-rules');
      expect(dataOf(await remove())).toMatchObject(RULES);
      expectFailure(await remove(), 'NOT_FOUND');
      expectStatus(await associate('house-rules'), 404);
      await send(rules());
      await associate('house-rules');
      expect((await get('/house-rules/controls/H2')).data).toMatchObject({ status: 'DONE' });
    });

    test('finds no workflow of the catalogue, and none that was never imported', async () => {
      for (const id of ['nis2-directive', 'unknown', '__proto__']) expectFailure(await remove(id), 'NOT_FOUND');
    });

    test('never leaves an association without its workflow, in whatever order the requests come', async () => {
      for (let round = 0; round < 8; round += 1) {
        await gateway.app.database.rows('delete from organization_workflow');
        await send(rules());
        await Promise.all([associate('house-rules'), remove(), send(rules()), remove()]);
        const [row] = await gateway.app.database.rows<{ associated: number; imported: number }>(
          `select (select count(*) from organization_workflow) as associated, (select count(*) from workflow_import) as imported`,
        );
        expect(row!.associated <= row!.imported).toBe(true);
      }
    });
  });
});

test('imported titles are shown by another instance as soon as they are announced', async () => {
  const other = await startGateway({ database: gateway.database, dataDir: gateway.dataDir });
  try {
    await associate('iso-27001-2022');
    const there = async () =>
      (await other.rest.get(pathOf('/iso-27001-2022/controls/A.5.1'), testData.owner)).body.data.label;
    const shipped = await there();
    const path = pathOf('').replace('/workflows', '/available-workflows');
    expectStatus(await gateway.rest.post(path, { token: testData.manager.token, body: titles() }), 201);
    await until(async () => (await there()) !== shipped);
    expect(await there()).toBe('Official title of A.5.1');
  } finally {
    await other.close();
  }
});
