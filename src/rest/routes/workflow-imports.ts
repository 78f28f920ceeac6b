import { operation } from '../documents.js';
import { limit, offset, pathText } from '../parameters.js';
import type { Route } from '../route.js';
import { ORGANIZATION } from './workflow-path.js';

const IMPORTS_PATH = '/api/v1/v-ciso/organizations/{organizationid}/available-workflows';
const IMPORT_PATH = `${IMPORTS_PATH}/{workflowid}`;
const IMPORTED = pathText('workflowid', 'What it has imported under this id.', 'house-rules');

const EXAMPLE = {
  id: 'house-rules',
  mode: 'WORKFLOW',
  name: 'House rules',
  version: '3',
  controls: 2,
  imported_by: 'elena.santoro',
  imported_at: '2026-11-20T08:15:30.000Z',
};

const BODY_EXAMPLE = {
  id: 'house-rules',
  name: 'House rules',
  version: '3',
  source: { text: 'Security handbook of the group, third edition' },
  licence: 'For use within the group',
  controls: [
    { id: 'H1', label: 'Desk and screen', kind: 'control' },
    { id: 'H1.1', label: 'Lock the screen when leaving', parent: 'H1', kind: 'control' },
  ],
};

const IMPORTS = operation(/* GraphQL */ `
  query WorkflowImports($organizationid: Int!, $limit: Int, $offset: Int) {
    organization(id: $organizationid) {
      workflowImports(first: $limit, offset: $offset) {
        data: nodes {
          ...WorkflowImport
        }
        total: totalCount
      }
    }
  }
`);

const IMPORT = operation(/* GraphQL */ `
  query WorkflowImport($organizationid: Int!, $workflowid: ID!) {
    data: workflowImport(organizationId: $organizationid, workflowId: $workflowid) {
      ...WorkflowImport
    }
  }
`);

const IMPORT_WORKFLOW = operation(/* GraphQL */ `
  mutation ImportWorkflow($input: ImportWorkflowInput!) {
    importWorkflow(input: $input) {
      created
      data: workflowImport {
        ...WorkflowImport
      }
    }
  }
`);

const DELETE_WORKFLOW_IMPORT = operation(/* GraphQL */ `
  mutation DeleteWorkflowImport($organizationid: Int!, $workflowid: ID!) {
    deleteWorkflowImport(input: { organizationId: $organizationid, workflowId: $workflowid }) {
      data: workflowImport {
        ...WorkflowImport
      }
    }
  }
`);

export const WORKFLOW_IMPORTS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: IMPORTS_PATH,
    operationId: 'listWorkflowImports',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'List what an organization has imported',
    description: 'Workflows of its own and official titles, by id. Nobody but its members sees them.',
    carrier: 'sofa',
    document: IMPORTS,
    parameters: [ORGANIZATION, limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: EXAMPLE,
  },
  {
    method: 'POST',
    path: IMPORTS_PATH,
    operationId: 'importWorkflow',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Import a workflow or official titles',
    description:
      'A workflow of the organization’s own, or with `mode` `TITLES` official titles for one that is there for everybody: its fields, or all of it as YAML or JSON in `text`. 1 MB and 2,000 controls at most; every fault is told with its place. What was imported under that id before is replaced, with status 200; 409 while that workflow is associated, except for titles.',
    carrier: 'sofa',
    document: IMPORT_WORKFLOW,
    parameters: [ORGANIZATION],
    body: { input: 'ImportWorkflowInput', example: BODY_EXAMPLE },
    created: IMPORT_PATH.replace('{workflowid}', '{id}'),
    createdWhen: 'created',
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'FILE_TOO_LARGE', 'CONFLICT'],
    example: EXAMPLE,
  },
  {
    method: 'GET',
    path: IMPORT_PATH,
    operationId: 'getWorkflowImport',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Read what an organization has imported under an id',
    description: 'A workflow of its own, or official titles.',
    carrier: 'sofa',
    document: IMPORT,
    parameters: [ORGANIZATION, IMPORTED],
    errors: ['NOT_FOUND'],
    example: EXAMPLE,
  },
  {
    method: 'DELETE',
    path: IMPORT_PATH,
    operationId: 'deleteWorkflowImport',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Remove an import',
    description: 'Returns it as it was; 409 while that workflow is associated, except for titles.',
    carrier: 'sofa',
    document: DELETE_WORKFLOW_IMPORT,
    parameters: [ORGANIZATION, IMPORTED],
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: EXAMPLE,
  },
];
