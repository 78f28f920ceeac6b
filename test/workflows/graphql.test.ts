import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  testData = await seedTestData(database);
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

afterAll(() => gateway?.close());

test('lists the catalogue by id to whoever calls', async () => {
  const { availableWorkflows } = await dataTwice(
    gateway.graphql,
    '{ availableWorkflows { totalCount nodes { id: databaseId name version kind } } }',
    { token: testData.userWithoutOrganization.token },
  );
  expect(availableWorkflows).toEqual({
    totalCount: 6,
    nodes: [
      { id: 'incident-readiness', name: 'Incident readiness', version: '1.0', kind: 'TASK_SET' },
      { id: 'iso-27001-2022', name: 'ISO/IEC 27001:2022', version: '2022', kind: 'FRAMEWORK' },
      { id: 'iso-27017-2015', name: 'ISO/IEC 27017:2015', version: '2015', kind: 'FRAMEWORK' },
      { id: 'iso-27018-2019', name: 'ISO/IEC 27018:2019', version: '2019', kind: 'FRAMEWORK' },
      { id: 'nis2-directive', name: 'NIS 2 Directive', version: '2022/2555', kind: 'FRAMEWORK' },
      {
        id: 'nis2-it-baseline',
        name: 'NIS 2 baseline measures, Italy',
        version: '379907/2025',
        kind: 'FRAMEWORK',
      },
    ],
  });
});

test('pages the catalogue forwards, backwards and by counting', async () => {
  const page = async (args: string) => {
    const query = `{ availableWorkflows${args} { totalCount edges { cursor node { id: databaseId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    return (await dataTwice(gateway.graphql, query, { token: testData.userWithoutOrganization.token }))
      .availableWorkflows;
  };
  const first = await page('(first: 4)');
  expect(first.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual([
    'incident-readiness',
    'iso-27001-2022',
    'iso-27017-2015',
    'iso-27018-2019',
  ]);
  expect(first.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: first.edges[0].cursor,
    endCursor: first.edges[3].cursor,
  });
  const second = await page(`(first: 4, after: "${first.pageInfo.endCursor}")`);
  expect(second.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual([
    'nis2-directive',
    'nis2-it-baseline',
  ]);
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const back = await page(`(last: 1, before: "${second.pageInfo.startCursor}")`);
  expect(back.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(['iso-27018-2019']);
  expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  const counted = await page('(first: 1, offset: 4)');
  expect(counted.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(['nis2-directive']);
  expect([first, second, back, counted].map(({ totalCount }) => totalCount)).toEqual([6, 6, 6, 6]);
});

test('shows one workflow with its source, and its controls in reading order', async () => {
  const { workflow } = await dataTwice(
    gateway.graphql,
    `{ workflow(id: "incident-readiness") { __typename id name version kind source sourceUrl licence remarks
        controls(first: 2) { totalCount nodes { id controlId label parentId kind position } } } }`,
    { token: testData.userWithoutOrganization.token },
  );
  expect(workflow).toEqual({
    __typename: 'Workflow',
    id: 'Workflow:incident-readiness',
    name: 'Incident readiness',
    version: '1.0',
    kind: 'TASK_SET',
    source: 'Our own list of tasks for an organization that has to handle and report security incidents.',
    sourceUrl: null,
    licence: 'The tasks are our own work and are under the terms of this project.',
    remarks: null,
    controls: {
      totalCount: 24,
      nodes: [
        {
          id: 'WorkflowControl:incident-readiness/IR-PREP',
          controlId: 'IR-PREP',
          label: 'Prepare before anything happens',
          parentId: null,
          kind: 'TASK',
          position: 1,
        },
        {
          id: 'WorkflowControl:incident-readiness/IR-01',
          controlId: 'IR-01',
          label: 'Write the incident response plan and have management approve it',
          parentId: 'IR-PREP',
          kind: 'TASK',
          position: 2,
        },
      ],
    },
  });
});

test.each(['nothing', '__proto__', 'constructor', ''])('has no workflow %j', async (id) => {
  const errors = await errorsTwice(gateway.graphql, 'query ($id: ID!) { workflow(id: $id) { name } }', {
    token: testData.userWithoutOrganization.token,
    variables: { id },
  });
  expect(errors[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
});

test('lists what an organization has taken up, by id, with how far it is; headings do not count', async () => {
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

test('shows the controls of an organization with their state', async () => {
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
    justification: '',
    dueDate: '2026-12-31',
  });
  const states = controls.nodes.map((node: { controlId: string; status: string; justification: string }) => [
    node.controlId,
    node.status,
    node.justification,
  ]);
  expect(states).toEqual([
    ['IR-PREP', 'DONE', ''],
    ['IR-01', 'DONE', ''],
    ['IR-02', 'IN_PROGRESS', ''],
    ['IR-03', 'NOT_APPLICABLE', 'No authority asks for it'],
  ]);
});

test('a workflow that was not taken up is absent', async () => {
  const query = `query ($id: ID!) { organizationWorkflow(organizationId: $id, workflowId: "iso-27001-2022") { name } }`;
  const errors = await errorsTwice(gateway.graphql, query, {
    token: testData.owner.token,
    variables: { id: testData.organizationId },
  });
  expect(errors[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
});
