import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  testData = await seedTestData(database);
  const { organizationId } = testData;
  await buildWorkflow(database, organizationId);
  await database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, 'iso-27001-2022', 'A.5.1', 'policy.txt', 1, 'text/plain', 'attached', $2, 'someone')`,
    [organizationId, '0'.repeat(64)],
  );
  await gateway.graphql.data(IMPORT, { token: testData.manager.token, variables: { id: organizationId } });
});

afterAll(() => gateway?.close());

const IMPORT = `mutation ($id: ID!) { importWorkflow(input: { organizationId: $id, id: "house-rules", name: "House rules",
  version: "1", source: { text: "Ours" }, licence: "Ours", controls: [{ id: "1", label: "Lock", kind: "control" }] }) { created } }`;

const EVERYTHING = `query ($id: ID!) { organization(id: $id) { viewerCan
  workflows { nodes { viewerCan controls(first: 1) { nodes { viewerCan } } } }
  workflowImports { nodes { viewerCan } }
  documentVersions { nodes { viewerCan } }
} }`;

describe('viewerCan', () => {
  test.each(['viewer', 'analyst', 'officer', 'manager', 'owner'] as const)(
    'says the same of every object of an organization, to a %s',
    async (who) => {
      const variables = { id: testData.organizationId };
      const { body } = await gateway.graphql.call(EVERYTHING, { token: testData[who].token, variables });
      expect(body.errors).toBeUndefined();
      const { organization } = body.data;
      const [workflow] = organization.workflows.nodes;
      const notified = [
        workflow.viewerCan,
        workflow.controls.nodes[0].viewerCan,
        organization.workflowImports.nodes[0].viewerCan,
        organization.documentVersions.nodes[0].viewerCan,
      ];
      expect(organization.viewerCan).toContain('READ_ORGANIZATION');
      for (const each of notified) expect(each).toEqual(organization.viewerCan);
      expect(organization.viewerCan.includes('ATTACH_FILES')).toBe(who !== 'viewer');
    },
  );
});
