import { beforeEach, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildWorkflow } from '../support/test-data.js';
import { until } from '../support/until.js';

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-it-baseline');
beforeEach(() => gateway.app.database.rows('delete from control_state'));

const FRAMEWORKS = {
  important: [{ value: 'NIS2', fields: { entity_type: 'important' } }],
  essential: [
    { value: 'ISO 27001:2023', fields: { entity_type: 'important' } },
    { value: 'NIS2', fields: { entity_type: 'essential', more: [1] } },
  ],
  unsaid: [{ value: 'ISO 27001:2023', fields: {} }],
};

const declare = (kind: keyof typeof FRAMEWORKS) =>
  gateway.app.database.rows('update organization set compliance_frameworks = $2 where id = $1', [
    testData.organizationId,
    JSON.stringify(FRAMEWORKS[kind]),
  ]);

/** Reads until the NOTIFY message has arrived: cached data is used for less than a second. */
async function seen(total: number) {
  const query = `query ($id: ID!) { organizationWorkflow(organizationId: $id, workflowId: "nis2-it-baseline") {
    progress { total done } workflow { controls { totalCount } } controls(last: 100) { totalCount nodes { controlId } } } }`;
  const options = { token: testData.viewer.token, variables: { id: testData.organizationId } };
  return until(async () => {
    const { organizationWorkflow } = await gateway.graphql.data(query, options);
    return organizationWorkflow.progress.total === total && organizationWorkflow;
  });
}

test.each([
  ['important', 87, 37, 23],
  ['essential', 116, 43, 24],
  ['unsaid', 116, 43, 24],
] as const)(
  'an organization whose kind of entity is %s has %i requirements of %i measures to meet',
  async (kind, requirements, measures, headings) => {
    await declare(kind);
    const { progress, controls, workflow } = await seen(requirements);
    expect(progress.total).toBe(requirements);
    expect(workflow.controls.totalCount).toBe(controls.totalCount);
    // Six functions with their categories, none of them without a measure below.
    expect(controls.totalCount).toBe(requirements + measures + headings);
  },
);

test('a workflow as an organization has it is another thing to a cache than that of the catalogue', async () => {
  const query = `query ($id: ID!) { catalogue: workflow(id: "nis2-it-baseline") { ...Cached }
    organizationWorkflow(organizationId: $id, workflowId: "nis2-it-baseline") { workflow { ...Cached } } }
    fragment Cached on Workflow { id workflowId controls(first: 1) { nodes { id controlId } } }`;
  const options = { token: testData.viewer.token, variables: { id: testData.organizationId } };
  const { catalogue, organizationWorkflow } = await gateway.graphql.data(query, options);
  const cached = (key: string) => ({
    id: `Workflow:${key}`,
    workflowId: 'nis2-it-baseline',
    controls: { nodes: [{ id: `WorkflowControl:${key}/GV`, controlId: 'GV' }] },
  });
  expect(catalogue).toEqual(cached('nis2-it-baseline'));
  expect(organizationWorkflow.workflow).toEqual(cached(`${testData.organizationId}/nis2-it-baseline`));
});

test('what does not bind an organization is none of its controls, and its state waits', async () => {
  await declare('essential');
  await seen(116);
  const { database } = gateway.app;
  await database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status) values ($1, 'nis2-it-baseline', 'PR.DS-11.4', 'DONE')`,
    [testData.organizationId],
  );
  expect((await seen(116)).progress).toEqual({ total: 116, done: 1 });
  await declare('important');
  expect((await seen(87)).progress).toEqual({ total: 87, done: 0 });
  const control = `/api/v1/v-ciso/organizations/${testData.organizationId}/workflows/nis2-it-baseline/controls/PR.DS-11.4`;
  expect((await gateway.rest.get(control, { token: testData.viewer.token })).status).toBe(404);
  const changed = await gateway.rest.call('PATCH', control, {
    token: testData.analyst.token,
    body: { status: 'TO_DO' },
  });
  expect(changed.status).toBe(404);
  await declare('essential');
  expect((await seen(116)).progress).toEqual({ total: 116, done: 1 });
});

test('the catalogue shows every control with the entities that it binds', async () => {
  const query = `{ workflow(id: "nis2-it-baseline") { controls(first: 100, offset: 100) { nodes { controlId entities } } } }`;
  const { workflow } = await gateway.graphql.data(query, { token: testData.viewer.token });
  const entities = new Map(
    workflow.controls.nodes.map((node: { controlId: string; entities: unknown }) => [node.controlId, node.entities]),
  );
  expect(entities.get('PR.DS-11.2')).toBeNull();
  expect(entities.get('PR.DS-11.3')).toEqual(['ESSENTIAL']);
});
