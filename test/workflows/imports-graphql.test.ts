import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seedTestData, type TestData } from '../support/test-data.js';

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

const IMPORT = `mutation ($input: ImportWorkflowInput!) { importWorkflow(input: $input) { created
  workflowImport { __typename id workflowId mode name version controlCount importedBy { username } } } }`;
const YAML = `id: house-rules\nname: House rules\nversion: '1'\nsource:\n  text: Ours\nlicence: Ours\ncontrols:\n  - id: '7.10'\n    label: Lock the door\n    kind: control\n`;

const upload = (content: Uint8Array | string, more: object = {}) =>
  gateway.graphql.upload(
    IMPORT,
    { input: { organizationId: testData.organizationId, file: null, ...more } },
    'variables.input.file',
    { bytes: Buffer.from(content), name: 'house-rules.yaml', type: 'application/yaml' },
    testData.manager.token,
  );

test('takes a file of a multipart request', async () => {
  const { body } = await upload(YAML);
  expect(body.data.importWorkflow).toEqual({
    created: true,
    workflowImport: {
      __typename: 'WorkflowImport',
      id: `WorkflowImport:${testData.organizationId}/house-rules`,
      workflowId: 'house-rules',
      mode: 'WORKFLOW',
      name: 'House rules',
      version: '1',
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

test('refuses a file that is no text, too large, faulty, or one form too many', async () => {
  const toDomainError = async (content: Uint8Array | string, more?: object) =>
    (await upload(content, more)).body.errors?.[0]?.extensions;
  expect(await toDomainError(Buffer.from([0xff, 0xfe, 0x00]))).toEqual({
    code: 'BAD_USER_INPUT',
    messages: ['file must be text in UTF-8'],
  });
  expect(await toDomainError('#'.repeat(1024 * 1024 + 1))).toEqual({
    code: 'FILE_TOO_LARGE',
    messages: ['File too large. Maximum size is 1 MB.'],
  });
  expect(await toDomainError(YAML.replace('kind: control', 'kind: chore'))).toEqual({
    code: 'BAD_USER_INPUT',
    messages: ['controls[0].kind (line 10): must be one of control, task'],
  });
  expect(await toDomainError(YAML, { text: YAML })).toEqual({
    code: 'BAD_USER_INPUT',
    messages: ['exactly one of text, file and the fields of a workflow must be given'],
  });
});

test('shifts no page of the catalogue that somebody is leafing through', async () => {
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
