import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { expectStatus } from '../support/matchers.js';
import { rawRequest } from '../support/rest.js';
import { buildWorkflow, type Person } from '../support/test-data.js';
import { unzipped } from '../support/unzip.js';

const IMPORT = 'id: workflowId mode name version: edition controls: controlCount';
const IMPORTS = '/api/v1/v-ciso/organizations/{organization_id}/available-workflows';
const OPERATIONS = {
  import: mutation(`POST ${IMPORTS}`, 'importWorkflow', `workflowImport { ${IMPORT} } created`),
  remove: mutation(`DELETE ${IMPORTS}/{workflow_id}`, 'deleteWorkflowImport', `workflowImport { ${IMPORT} }`),
  list: {
    rest: `GET ${IMPORTS}`,
    graphql: `query ($organizationId: ID!) { organization(id: $organizationId) { workflowImports { totalCount nodes { ${IMPORT} } } } }`,
    at: 'organization.workflowImports',
  },
  suggestions: {
    rest: 'GET /api/v1/v-ciso/organizations/{organization_id}/workflows/{workflow_id}/reuse-suggestions',
    graphql: `query ($organizationId: ID!, $workflowId: ID!) { reuseSuggestions(organizationId: $organizationId, workflowId: $workflowId) {
      totalCount nodes { id: controlId documents { via } } } }`,
    at: 'reuseSuggestions',
  },
} satisfies Record<string, Operation>;

const ISO = 'iso-27001-2022';
const control = (id: string, parent?: string) => ({
  id,
  label: `Do ${id}`,
  kind: 'control',
  ...(parent && { parent }),
});
const terms = { source: { text: 'Our handbook' }, licence: 'Ours' };
const rules = (controls = [control('H1'), control('H1.1', 'H1'), control('H2')], id = 'house-rules') => ({
  ...{ id, name: 'House rules', version: '3', ...terms, controls },
});
const pair = (one: string, ...matches: string[]) => ({ control: one, matches });
const mapping = (pairs = [pair('H1', 'A.8.13'), pair('H2', 'A.5.1')], more: object = {}) => ({
  ...{ mode: 'MAPPING', id: 'house-to-iso', from: 'house-rules', to: ISO, ...terms, pairs, ...more },
});
const KEPT = { id: 'house-to-iso', mode: 'MAPPING', name: `house-rules to ${ISO}`, version: '', controls: 2 };
const inText = ({ mode, ...file }: ReturnType<typeof mapping>) => ({ mode, text: JSON.stringify(file) });
const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n}`);

const { gateway, testData } = await startSeededGateway();
beforeEach(async () => {
  const { database } = gateway.app;
  for (const table of ['organization_workflow', 'workflow_import', 'document_version'])
    await database.rows(`delete from ${table}`);
  for (const organization of [testData.organizationId, testData.otherOrganizationId])
    await buildWorkflow(database, organization, ISO);
});

const pathOf = (rest: string, organization = testData.organizationId) =>
  `/api/v1/v-ciso/organizations/${organization}/workflows${rest}`;
const sourcesOf = async (at: string, organization = testData.organizationId, person = testData.viewer) =>
  (await gateway.rest.get(pathOf(at.replace('/', '/controls/').replace(/^/, '/'), organization), person)).body.data
    .evidence.sources as object[];
const associate = async (organization = testData.organizationId, { token }: Person = testData.manager) =>
  expectStatus(await gateway.rest.post(pathOf('', organization), { token, body: { id: 'house-rules' } }), 201);
async function upload(workflow: string, artifact: string): Promise<void> {
  const body = { filename: 'p.txt', content: 'cG9saWN5', content_type: 'text/plain' };
  const path = pathOf(`/${workflow}/documents/${artifact}/versions`);
  expectStatus(await gateway.rest.post(path, { token: testData.analyst.token, body }), 201);
}
async function mappedRows(workflow: string): Promise<string> {
  const headers = { 'x-service-token': testData.viewer.token };
  const { bytes } = await rawRequest(gateway.url, 'GET', pathOf(`/${workflow}/evidence-pack`), { headers });
  return unzipped(bytes).get('mapped.csv')!.content.toString();
}

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, person: Person, organization: number) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: organization, ...input }, person.token);
  const send = (input: object, person = testData.manager, organization = testData.organizationId) =>
    call('import', input, person, organization);
  const remove = (workflow_id: string) => call('remove', { workflow_id }, testData.manager, testData.organizationId);
  const imported = async () => dataOf(await call('list', {}, testData.viewer, testData.organizationId));
  const refused = async (input: object, messages: string[]) => {
    const before = await imported();
    expectFailure(await send(input), 'BAD_USER_INPUT', messages);
    expect(await imported()).toEqual(before);
  };

  test('a document counts for what its control is mapped to, in both directions, until the mapping is deleted', async () => {
    await send(rules());
    await associate();
    const { created, ...stored } = await send(mapping());
    expect([created, dataOf(stored)]).toMatchObject([true, KEPT]);
    await upload('house-rules', 'H1.1');
    await upload(ISO, 'A.5.1');
    const source = { workflow_id: 'house-rules', control_id: 'H1.1', label: 'Do H1.1', documents: 1, via: 'H1' };
    expect(await sourcesOf(`${ISO}/A.8.13`)).toEqual([source]);
    expect(await sourcesOf('house-rules/H2')).toMatchObject([{ workflow_id: ISO, control_id: 'A.5.1', via: null }]);
    expect(await mappedRows(ISO)).toMatch(/^A\.8\.13,H1,.*,house-rules,H1\.1,/m);
    const suggestions = () =>
      call('suggestions', { workflow_id: ISO }, testData.viewer, testData.organizationId).then(dataOf);
    expect(await suggestions()).toMatchObject([{ id: 'A.8.13', documents: [{ via: 'H1' }] }]);
    expect(dataOf(await remove('house-to-iso'))).toMatchObject(KEPT);
    expect([await sourcesOf(`${ISO}/A.8.13`), await sourcesOf('house-rules/H2')]).toEqual([[], []]);
    expect(await mappedRows(ISO)).not.toContain('house-rules');
    expect(await suggestions()).toEqual([]);
    expectFailure(await remove('house-to-iso'), 'NOT_FOUND');
  });

  test('it counts in its organization only, and is imported by its managers only', async () => {
    const { nonMember, otherOrganizationId } = testData;
    await send(rules());
    await send(rules(), nonMember, otherOrganizationId);
    for (const [organization, person] of [
      [testData.organizationId, testData.manager],
      [otherOrganizationId, nonMember],
    ] as const)
      await associate(organization, person);
    await send(mapping());
    await gateway.app.database.rows(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
       select o, 'house-rules', 'H2', 'd', 1, 'text/plain', 'attached', o::text, 'y' from unnest($1::bigint[]) o`,
      [[testData.organizationId, otherOrganizationId]],
    );
    expect(await sourcesOf(`${ISO}/A.5.1`)).toHaveLength(1);
    expect(await sourcesOf(`${ISO}/A.5.1`, otherOrganizationId, nonMember)).toEqual([]);
    expectFailure(await send(mapping(), nonMember), 'NOT_FOUND');
    expectFailure(await send(mapping(), testData.officer), 'FORBIDDEN');
    // One of the same two workflows replaces that of its own organization alone.
    dataOf(await send(mapping(), nonMember, otherOrganizationId));
    dataOf(await send(mapping(undefined, { id: 'again' })));
    const others = dataOf(await call('list', {}, nonMember, otherOrganizationId)) as { id: string }[];
    expect(others.map(({ id }) => id)).toEqual(['house-rules', 'house-to-iso']);
  });

  test('it is read as YAML, as JSON and field by field, and replaces one of its id or of the same two workflows', async () => {
    await send(rules());
    const yaml = `id: house-to-iso\nfrom: house-rules\nto: ${ISO}\nsource: { text: Ours }\nlicence: Ours\npairs:
  - { control: H1, matches: [A.8.13] }\n  - { control: H2, matches: [A.5.1, A.5.2] }\n`;
    const forms = [{ mode: 'MAPPING', text: yaml }, inText(mapping()), mapping()];
    for (const [index, form] of forms.entries()) {
      const { created, ...stored } = await send(form);
      expect([created, dataOf(stored)]).toMatchObject([index === 0, KEPT]);
    }
    const { created, ...other } = await send(mapping([pair('H2', 'A.5.1')], { id: 'again' }));
    expect([created, dataOf(other)]).toMatchObject([false, { id: 'again', controls: 1 }]);
    expect((await imported()).map(({ id }: { id: string }) => id)).toEqual(['again', 'house-rules']);
    const entries = await gateway.app.database.rows<{ name: string; facts: object }>(
      `select entry::jsonb -> 'subject' ->> 'name' as name, entry::jsonb -> 'changes' as facts from audit_entry
        where entry::jsonb ->> 'action' like 'WORKFLOW_IMPORT%' order by log_id, position desc limit 2`,
    );
    expect(entries).toMatchObject([{ name: `house-rules to ${ISO}` }, { name: 'house-to-iso' }]);
    expect(entries[0]!.facts).toMatchObject({
      mode: { after: 'MAPPING' },
      from: { after: 'house-rules' },
      to: { after: ISO },
      pairs: { after: 1 },
      sha256: { after: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  test('what it says of a control itself goes before what a shipped mapping hands down, and counts once', async () => {
    const BASELINE = 'nis2-it-baseline';
    await buildWorkflow(gateway.app.database, testData.organizationId, BASELINE);
    await upload(BASELINE, 'PR.DS-11.4');
    const source = { workflow_id: BASELINE, control_id: 'PR.DS-11.4', documents: 1 };
    expect(await sourcesOf(`${ISO}/A.8.13`)).toMatchObject([{ ...source, via: 'PR.DS-11' }]);
    dataOf(await send(mapping([pair('PR.DS-11.4', 'A.8.13')], { from: BASELINE })));
    expect(await sourcesOf(`${ISO}/A.8.13`)).toMatchObject([{ ...source, via: null }]);
  });

  test('every error is reported with its place, and nothing is stored', async () => {
    await send(rules());
    const pairs = [pair('H9', 'A.5.1'), pair('H2', 'A.5.1', 'B.1'), pair('H2', 'A.5.2')];
    await refused(mapping(pairs), [
      'pairs[0].control: is no control of house-rules',
      `pairs[1].matches[1]: is no control of ${ISO}`,
      'pairs[2].control: is there twice',
    ]);
    await refused(mapping([pair('H1', 'H2')], { to: 'house-rules' }), ['to: is no other workflow of the catalogue']);
    await refused(mapping([pair('H1', 'A.5.1')], { from: 'unknown' }), ['from: is no workflow of the catalogue']);
    await refused(
      mapping([pair('H1')], { pairs: [{ control: 'H1', matches: [] }], licence: undefined, hue: undefined }),
      ["mapping: must have required property 'licence'", 'pairs[0].matches: must NOT have fewer than 1 items'],
    );
    const text = `id: house-to-iso\nfrom: house-rules\nto: ${ISO}\nsource: { text: Ours }\nlicence: Ours\npairs:\n  - control: H2\n    matches: [A.5.1]\n  - control: H7\n    matches: [A.5.1]\n`;
    await refused({ mode: 'MAPPING', text }, ['pairs[1].control (line 9): is no control of house-rules']);
    await refused({ mode: 'MAPPING', text: 'id: [' }, ['mapping (line 1): is no valid YAML']);
    await refused(mapping([pair('H1', 'A.5.1')], { id: ISO }), [
      'id: belongs to a workflow that is there for everybody',
    ]);
    await refused(mapping([pair('H1', 'A.5.1')], { id: 'house-rules' }), ['id: belongs to an import of another mode']);
    await send(mapping());
    await refused(rules(undefined, 'house-to-iso'), ['id: belongs to an import of another mode']);
  });

  test('the mappings of an organization stand for 20,000 pairs at most, inherited ones included', async () => {
    const tooMany = ['pairs: exceed 20000 pairs of controls, inherited ones and those of other mappings included'];
    const left = numbered('L', 101);
    await send(
      rules(
        left.map((id) => control(id)),
        'left',
      ),
    );
    await send(rules([control('R'), ...numbered('R', 199).map((id) => control(id, 'R'))], 'right'));
    await send(rules());
    const wide = (count: number) =>
      mapping(
        left.slice(0, count).map((id) => pair(id, 'R')),
        { id: 'wide', from: 'left', to: 'right' },
      );
    await refused(wide(101), tooMany);
    dataOf(await send(wide(100)));
    dataOf(await send(wide(100)));
    await refused(mapping(), tooMany);
    dataOf(await send(wide(99)));
    dataOf(await send(mapping()));
  });

  test('it has 2,000 pairs at most, with 200 matches each', async () => {
    const [left, right] = [numbered('L', 2_001), numbered('R', 201)];
    await send(
      rules(
        left.slice(1).map((id) => control(id)),
        'left',
      ),
    );
    await send(
      rules(
        right.map((id) => control(id)),
        'right',
      ),
    );
    const of = (controls: string[], matches: string[]) =>
      mapping(
        controls.map((id) => pair(id, ...matches)),
        { from: 'left', to: 'right' },
      );
    await refused(of(left, ['R1']), ['pairs must not have more than 2000 items']);
    await refused(of(['L1'], right), ['pairs[0].matches must not have more than 200 items']);
    dataOf(await send(of(left.slice(1), ['R1'])));
    dataOf(await send(of(['L1'], right.slice(1))));
  });

  test('pairs of a control that is gone count for nothing until it is imported again', async () => {
    await send(rules());
    await send(mapping());
    await associate();
    await upload('house-rules', 'H2');
    const again = async (controls?: ReturnType<typeof control>[]) => {
      expectStatus(await gateway.rest.delete(pathOf('/house-rules'), testData.manager), 200);
      dataOf(await remove('house-rules'));
      expect(await sourcesOf(`${ISO}/A.5.1`)).toEqual([]);
      dataOf(await send(rules(controls)));
      await associate();
      return (await sourcesOf(`${ISO}/A.5.1`)).length;
    };
    expect(await sourcesOf(`${ISO}/A.5.1`)).toHaveLength(1);
    expect([await again([control('H1')]), await again()]).toEqual([0, 1]);
  });
});
