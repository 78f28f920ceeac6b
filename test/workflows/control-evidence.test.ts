import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { buildWorkflow } from '../support/test-data.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

const { gateway, testData, watch } = await startWatchedGateway();

beforeAll(async () => {
  for (const id of ['nis2-directive', 'iso-27001-2022', 'iso-27017-2015', 'nis2-it-baseline']) {
    await buildWorkflow(gateway.app.database, testData.organizationId, id);
  }
  await buildWorkflow(gateway.app.database, testData.otherOrganizationId, 'iso-27001-2022');
});

beforeEach(() => gateway.app.database.rows('delete from document_version'));

async function store(workflowId: string, controlId: string, count = 1, organizationId = testData.organizationId) {
  await gateway.app.database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     select $1, $2, $3, 'd', 1, 'text/plain', 'attached', $2 || $3 || n, 'y' from generate_series(1, $4::int) n`,
    [organizationId, workflowId, controlId, count],
  );
}

const EVIDENCE = 'evidence { own mapped total sources { workflowId controlId label documents via } }';

async function evidenceOf(workflowId: string, controlId: string) {
  const { organizationControl } = await gateway.graphql.data(
    `query ($id: ID!, $workflow: ID!, $control: ID!) { organizationControl(organizationId: $id, workflowId: $workflow, controlId: $control) { ${EVIDENCE} } }`,
    {
      token: testData.viewer.token,
      variables: { id: testData.organizationId, workflow: workflowId, control: controlId },
    },
  );
  return organizationControl.evidence;
}

test('counts a document of one standard for what requires the same in the others', async () => {
  await store('iso-27001-2022', 'A.8.13', 2);
  await store('nis2-directive', '21.2.c');
  const backups = 'Copy data regularly and test that it can be restored';
  expect(await evidenceOf('iso-27001-2022', 'A.8.13')).toEqual({
    own: 2,
    mapped: 1,
    total: 3,
    sources: [
      {
        workflowId: 'nis2-directive',
        controlId: '21.2.c',
        label: 'Continuity of business: backups, disaster recovery and crisis management',
        documents: 1,
        via: null,
      },
    ],
  });
  expect(await evidenceOf('nis2-it-baseline', 'PR.DS-11')).toEqual({
    own: 0,
    mapped: 3,
    total: 3,
    sources: [
      expect.objectContaining({ workflowId: 'nis2-directive', controlId: '21.2.c', documents: 1 }),
      { workflowId: 'iso-27001-2022', controlId: 'A.8.13', label: backups, documents: 2, via: null },
    ],
  });
});

test('never counts through a third control, nor what another organization has', async () => {
  await store('iso-27017-2015', '12.3.1');
  await store('iso-27001-2022', 'A.8.13', 5, testData.otherOrganizationId);
  expect(await evidenceOf('nis2-directive', '21.2.c')).toMatchObject({ own: 0, mapped: 0, sources: [] });
  expect(await evidenceOf('iso-27001-2022', 'A.8.13')).toMatchObject({ own: 0, mapped: 1 });
});

test('counts nothing of a workflow that was dissociated, until it is associated again', async () => {
  const { database: db } = gateway.app;
  await store('iso-27001-2022', 'A.8.13');
  await db.rows(`delete from organization_workflow where organization_id = $1 and workflow_id = 'iso-27001-2022'`, [
    testData.organizationId,
  ]);
  expect(await evidenceOf('nis2-directive', '21.2.c')).toMatchObject({ total: 0 });
  await buildWorkflow(db, testData.organizationId, 'iso-27001-2022');
  expect(await evidenceOf('nis2-directive', '21.2.c')).toMatchObject({ mapped: 1 });
});

test('takes the same statements for a hundred controls as for one', async () => {
  await store('iso-27001-2022', 'A.8.13');
  const controls = (first: number) => async () => {
    const { organizationWorkflow } = await gateway.graphql.data(
      `query ($id: ID!) { organizationWorkflow(organizationId: $id, workflowId: "iso-27001-2022") { controls(first: ${first}) { nodes { id: databaseId ${EVIDENCE} } } } }`,
      { token: testData.viewer.token, variables: { id: testData.organizationId } },
    );
    return organizationWorkflow.controls.nodes;
  };
  expect(await controls(100)()).toHaveLength(100);
  await controls(1)();
  // One of them may look up the token's owner again.
  const about = async (first: number) =>
    (await watch.during(controls(first))).filter((text) => !/"(?:api_token|membership)"/.test(text));
  const many = await about(100);
  expect(many).toEqual(await about(1));
  expect(many.filter((text) => text.includes('document_version'))).toHaveLength(1);
});
