import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { pagingCases } from '../support/rest.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildImport } from '../support/seeded-organization.js';
import { buildWorkflow } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';
import { until } from '../support/until.js';

const { gateway, testData } = await startSeededGateway();

beforeAll(async () => {
  const { database } = gateway.app;
  await buildWorkflow(database, testData.organizationId, 'nis2-directive');
  await buildWorkflow(database, testData.organizationId, 'incident-readiness');
  await buildWorkflow(database, testData.otherOrganizationId, 'iso-27001-2022');
  await database.rows(`update organization_workflow set created_at = '2026-05-06T07:08:09.010Z'`);
  await database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, justification, due_date)
     select $1, 'incident-readiness', control, status, justification, due::date
       from (values ('IR-01', 'DONE', '', null), ('IR-02', 'IN_PROGRESS', '', '2026-12-31'),
                    ('IR-03', 'NOT_APPLICABLE', 'No authority asks for it', null), ('IR-PREP', 'DONE', '', null))
         as given(control, status, justification, due)`,
    [testData.organizationId],
  );
});

test('the catalogue is paged forwards and backwards by cursor, and by offset', async () => {
  const page = async (args: string) => {
    const query = `{ availableWorkflows${args} { totalCount edges { cursor node { id: databaseId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    return (await dataTwice(gateway.graphql, query, { token: testData.userWithoutOrganization.token }))
      .availableWorkflows;
  };
  const first = await page('(first: 6)');
  expect(first.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual([
    'eu-ai-act',
    'incident-readiness',
    'iso-27001-2022',
    'iso-27017-2015',
    'iso-27018-2019',
    'iso-27701-2025',
  ]);
  expect(first.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: first.edges[0].cursor,
    endCursor: first.edges[5].cursor,
  });
  const second = await page(`(first: 6, after: "${first.pageInfo.endCursor}")`);
  expect(second.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual([
    'nis2-directive',
    'nis2-it-baseline',
    'nis2-regulation-2024-2690',
    'nist-csf-2-0',
    'pci-dss-4-0-1',
    'soc-2-2017',
  ]);
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const back = await page(`(last: 1, before: "${second.pageInfo.startCursor}")`);
  expect(back.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(['iso-27701-2025']);
  expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  const counted = await page('(first: 1, offset: 6)');
  expect(counted.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(['nis2-directive']);
  expect([first, second, back, counted].map(({ totalCount }) => totalCount)).toEqual([12, 12, 12, 12]);
});

test('an empty id is that of no workflow', async () => {
  const errors = await errorsTwice(gateway.graphql, 'query { workflow(id: "") { name } }', {
    token: testData.viewer.token,
  });
  expect(errors[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
});

test('the workflows of an organization have global ids and lead to their workflow in the catalogue', async () => {
  const { organizationId } = testData;
  const { organization } = await dataTwice(
    gateway.graphql,
    `query ($id: ID!) { organization(id: $id) { workflows { totalCount nodes { __typename id workflowId name associatedAt
        workflow { kind } progress { total toDo inProgress done notApplicable } } } } }`,
    { token: testData.viewer.token, variables: { id: organizationId } },
  );
  expect(organization.workflows).toEqual({
    totalCount: 2,
    nodes: [
      {
        __typename: 'OrganizationWorkflow',
        id: `OrganizationWorkflow:${organizationId}/incident-readiness`,
        workflowId: 'incident-readiness',
        name: 'Incident readiness',
        associatedAt: '2026-05-06T07:08:09.010Z',
        workflow: { kind: 'TASK_SET' },
        progress: { total: 19, toDo: 16, inProgress: 1, done: 1, notApplicable: 1 },
      },
      {
        __typename: 'OrganizationWorkflow',
        id: `OrganizationWorkflow:${organizationId}/nis2-directive`,
        workflowId: 'nis2-directive',
        name: 'NIS 2 Directive',
        associatedAt: '2026-05-06T07:08:09.010Z',
        workflow: { kind: 'FRAMEWORK' },
        progress: { total: 25, toDo: 25, inProgress: 0, done: 0, notApplicable: 0 },
      },
    ],
  });
});

test('the controls of an organization have global ids, and their page says whether there are more', async () => {
  const { organizationId } = testData;
  const { organizationWorkflow } = await dataTwice(
    gateway.graphql,
    `query ($id: ID!) { organizationWorkflow(organizationId: $id, workflowId: "incident-readiness") { name
        controls(first: 4) { totalCount pageInfo { hasNextPage }
          nodes { id workflowId controlId label parentId kind position status justification dueDate } } } }`,
    { token: testData.viewer.token, variables: { id: organizationId } },
  );
  const { controls } = organizationWorkflow;
  expect(controls.totalCount).toBe(24);
  expect(controls.pageInfo).toEqual({ hasNextPage: true });
  expect(controls.nodes[2]).toEqual({
    id: `OrganizationControl:${organizationId}/incident-readiness/IR-02`,
    workflowId: 'incident-readiness',
    controlId: 'IR-02',
    label: 'Name the response team with deputies and round-the-clock contacts',
    parentId: 'IR-PREP',
    kind: 'TASK',
    position: 3,
    status: 'IN_PROGRESS',
    justification: null,
    dueDate: '2026-12-31',
  });
  const states = controls.nodes.map((node: { controlId: string; status: string; justification: string }) => [
    node.controlId,
    node.status,
    node.justification,
  ]);
  expect(states).toEqual([
    ['IR-PREP', 'DONE', null],
    ['IR-01', 'DONE', null],
    ['IR-02', 'IN_PROGRESS', null],
    ['IR-03', 'NOT_APPLICABLE', 'No authority asks for it'],
  ]);
});

test('an association without a workflow is refused with the name that GraphQL has for it', async () => {
  const error = await gateway.graphql.error(
    'mutation ($input: AssociateWorkflowInput!) { associateWorkflow(input: $input) { created } }',
    {
      token: testData.owner.token,
      variables: { input: { organizationId: testData.organizationId, workflowId: null } },
    },
  );
  expect(error).toEqual({ code: 'BAD_USER_INPUT', messages: ['workflowId is required'] });
});

const IMPORT = `mutation ($input: ImportWorkflowInput!) { importWorkflow(input: $input) { created
  workflowImport { __typename id workflowId mode name edition controlCount importedBy { username } } } }`;
const YAML = `id: house-rules\nname: House rules\nversion: '1'\nsource:\n  text: Ours\nlicence: Ours\ncontrols:\n  - id: '7.10'\n    label: Lock the door\n    kind: control\n`;

const upload = (content: Uint8Array | string, more: object = {}) =>
  gateway.graphql.upload(
    IMPORT,
    { input: { organizationId: testData.organizationId, file: null, ...more } },
    'variables.input.file',
    { bytes: Buffer.from(content), name: 'house-rules.yaml', type: 'application/yaml' },
    testData.manager.token,
  );

test('an import takes a file of a multipart request', async () => {
  const { body } = await upload(YAML);
  expect(body.data.importWorkflow).toEqual({
    created: true,
    workflowImport: {
      __typename: 'WorkflowImport',
      id: `WorkflowImport:${testData.organizationId}/house-rules`,
      workflowId: 'house-rules',
      mode: 'WORKFLOW',
      name: 'House rules',
      edition: '1',
      controlCount: 1,
      importedBy: { username: testData.manager.username },
    },
  });
  const { organization } = await gateway.graphql.data(
    'query ($id: ID!) { organization(id: $id) { workflowImports { totalCount nodes { name } } } }',
    { token: testData.viewer.token, variables: { id: testData.organizationId } },
  );
  expect(organization.workflowImports).toEqual({ totalCount: 1, nodes: [{ name: 'House rules' }] });
});

test('an import refuses a file that is no text, too large or faulty, and a file beside a text', async () => {
  const errorOf = async (content: Uint8Array | string, more?: object) =>
    (await upload(content, more)).body.errors?.[0]?.extensions;
  expect(await errorOf(Buffer.from([0xff, 0xfe, 0x00]))).toEqual({
    code: 'BAD_USER_INPUT',
    messages: ['file must be text in UTF-8'],
    fields: [{ path: ['input', 'file'], message: 'file must be text in UTF-8' }],
  });
  expect(await errorOf('#'.repeat(1024 * 1024 + 1))).toEqual({
    code: 'FILE_TOO_LARGE',
    messages: ['File too large. Maximum size is 1 MB.'],
  });
  expect(await errorOf(YAML.replace('kind: control', 'kind: chore'))).toEqual({
    code: 'BAD_USER_INPUT',
    messages: ['controls[0].kind (line 10): must be one of control, task'],
    fields: [{ path: ['input', 'file'], message: 'controls[0].kind (line 10): must be one of control, task' }],
  });
  expect(await errorOf(YAML, { text: YAML })).toEqual({
    code: 'BAD_USER_INPUT',
    messages: ['exactly one of text, file, catalog and the fields of a workflow must be given'],
    fields: [
      { path: ['input'], message: 'exactly one of text, file, catalog and the fields of a workflow must be given' },
    ],
  });
});

test('an import takes a text of 1 MB and not a byte more', async () => {
  const errorOf = async (bytes: number) => {
    const input = { organizationId: testData.organizationId, text: `# ${'x'.repeat(bytes - 2)}` };
    const { body } = await gateway.graphql.call(IMPORT, { token: testData.manager.token, variables: { input } });
    return body.errors?.[0]?.extensions;
  };
  expect(await errorOf(1024 * 1024)).toEqual({
    code: 'BAD_USER_INPUT',
    messages: ['workflow (line 1): must be object'],
    fields: [{ path: ['input', 'text'], message: 'workflow (line 1): must be object' }],
  });
  expect(await errorOf(1024 * 1024 + 1)).toEqual({
    code: 'FILE_TOO_LARGE',
    messages: ['File too large. Maximum size is 1 MB.'],
  });
});

test('an import shifts no page of the catalogue behind a cursor', async () => {
  const page = async (after: string | null) => {
    const query =
      'query ($after: String) { availableWorkflows(first: 1, after: $after) { edges { cursor node { id: databaseId } } } }';
    const options = { token: testData.manager.token, variables: { after } };
    return (await gateway.graphql.data(query, options)).availableWorkflows.edges[0];
  };
  const first = await page(null);
  const second = await page(first.cursor);
  expect((await upload(YAML.replace('id: house-rules', 'id: a-first-one'))).body.data.importWorkflow.created).toBe(
    true,
  );
  expect(await page(first.cursor)).toEqual(second);
  expect((await page(null)).node.id).toBe('a-first-one');
});

describe('REST', () => {
  beforeAll(async () => {
    await gateway.app.database.rows('delete from workflow_import');
    for (const id of ['rules-1', 'rules-2', 'rules-3'])
      await buildImport(gateway.app.database, testData.organizationId, id);
    // The catalogue is cached until the NOTIFY message of the change.
    await until('the last import is seen', async () => (await get(`${CATALOGUE}?limit=100`)).text.includes('rules-3'));
  });

  const CATALOGUE = '/api/v1/v-ciso/available-workflows';
  const path = (rest: string) => `/api/v1/v-ciso/organizations/${testData.organizationId}${rest}`;
  const get = (target: string) => gateway.rest.get(target, testData.viewer);
  const send = (method: string, target: string, body: object) =>
    gateway.rest.call(method, target, { token: testData.manager.token, body });

  describe('the parameters of the list of available workflows', () => {
    pagingCases((query) => get(`${CATALOGUE}?${query}`));
  });

  describe('the parameters of the list of controls of an available workflow', () => {
    pagingCases((query) => get(`${CATALOGUE}/nis2-directive/controls?${query}`));
  });

  describe('the parameters of the list of workflows of an organization', () => {
    pagingCases((query) => get(path(`/workflows?${query}`)));
  });

  describe('the parameters of the list of imports', () => {
    pagingCases((query) => get(path(`/available-workflows?${query}`)));
  });

  describe('the parameters of the list of controls', () => {
    const list = (query: string) => get(path(`/workflows/nis2-directive/controls?${query}`));
    pagingCases(list);

    test('are refused when they are no status and no boolean', async () => {
      expectError(await list('status=done&overdue=yes'), 400, [
        'status must be one of TO_DO, IN_PROGRESS, DONE, NOT_APPLICABLE',
        'overdue must be true or false',
      ]);
    });
  });

  test('a range of progress is of days of the calendar', async () => {
    expectError(await get(path('/workflows/nis2-directive/progress?from=2026-02-29&to=tomorrow')), 400, [
      'from must be a day of the calendar, such as 2026-01-31',
      'to must be a day of the calendar, such as 2026-01-31',
    ]);
  });

  test('an id of another form is not found', async () => {
    for (const id of ['..%2f', '%00']) {
      expectError(await get(path(`/workflows/${id}`)), 404, [1004]);
      expectError(await get(path(`/workflows/nis2-directive/controls/${id}`)), 404, [1004]);
    }
  });

  test.each([
    ['/workflows', { id: 'iso-27018-2019' }],
    [
      '/available-workflows',
      {
        id: 'house-rules',
        name: 'House rules',
        version: '3',
        source: { text: 'Our handbook' },
        licence: 'Ours',
        controls: [{ id: 'H1', label: 'Lock the door', kind: 'control' }],
      },
    ],
  ])('POST %s answers 201 with Location for what is new, and 200 for what existed', async (list, body) => {
    const first = await send('POST', path(list), body);
    expectStatus(first, 201);
    expect(first.headers.get('location')).toBe(path(`${list}/${body.id}`));
    const again = await send('POST', path(list), body);
    expectStatus(again, 200);
    expect(again.headers.get('location')).toBeNull();
    expect((await get(path(`${list}/${body.id}`))).text).toBe(again.text);
  });

  test('bodies have no fields for what is in the path', async () => {
    const { status, body } = await send('POST', path('/workflows'), { hue: 1, organization_id: 2 });
    expect([status, body.messages]).toEqual([
      400,
      ['id is required', 'hue is not a known field', 'organization_id is not a known field'],
    ]);
    expectError(await send('POST', path('/available-workflows'), { text: 'a', organization_id: 1 }), 400, [
      'organization_id is not a known field',
    ]);
    const control = path('/workflows/nis2-directive/controls/20.2');
    expectError(await send('PATCH', control, { control_id: '20.1' }), 400, ['control_id is not a known field']);
  });

  test('the changed controls are counted in the total', async () => {
    const body = { control_ids: ['23.1', '20.1'], changes: { note: 'Seen' } };
    const answer = await send('PATCH', path('/workflows/nis2-directive/controls'), body);
    expect(expectData(answer)).toHaveLength(2);
    expect(answer.body.total).toBe(2);
  });
});
