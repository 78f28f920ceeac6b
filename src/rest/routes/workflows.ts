import { operation } from '../documents.js';
import { day, limit, offset, pathText } from '../parameters.js';
import type { Route } from '../route.js';
import {
  ORGANIZATION,
  ORGANIZATION_WORKFLOW_EXAMPLE,
  WORKFLOW,
  WORKFLOW_PATH,
  WORKFLOWS_PATH,
} from './workflow-path.js';

const AVAILABLE_WORKFLOWS = operation(/* GraphQL */ `
  query AvailableWorkflows($limit: Int, $offset: Int) {
    availableWorkflows(first: $limit, offset: $offset) {
      data: nodes {
        ...Workflow
      }
      total: totalCount
    }
  }
`);

const AVAILABLE_WORKFLOW = operation(/* GraphQL */ `
  query AvailableWorkflow($workflowid: ID!) {
    data: workflow(id: $workflowid) {
      ...AvailableWorkflow
    }
  }
`);

const AVAILABLE_CONTROLS = operation(/* GraphQL */ `
  query AvailableControls($workflowid: ID!, $limit: Int, $offset: Int) {
    workflow(id: $workflowid) {
      controls(first: $limit, offset: $offset) {
        data: nodes {
          ...WorkflowControl
        }
        total: totalCount
      }
    }
  }
`);

const ORGANIZATION_WORKFLOWS = operation(/* GraphQL */ `
  query OrganizationWorkflows($organizationid: Int!, $limit: Int, $offset: Int) {
    organization(id: $organizationid) {
      workflows(first: $limit, offset: $offset) {
        data: nodes {
          ...OrganizationWorkflow
        }
        total: totalCount
      }
    }
  }
`);

const ORGANIZATION_WORKFLOW = operation(/* GraphQL */ `
  query OrganizationWorkflow($organizationid: Int!, $workflowid: ID!) {
    data: organizationWorkflow(organizationId: $organizationid, workflowId: $workflowid) {
      ...OrganizationWorkflow
    }
  }
`);

const ASSOCIATE_WORKFLOW = operation(/* GraphQL */ `
  mutation AssociateWorkflow($input: AssociateWorkflowInput!) {
    associateWorkflow(input: $input) {
      created
      data: organizationWorkflow {
        ...OrganizationWorkflow
      }
    }
  }
`);

const DISSOCIATE_WORKFLOW = operation(/* GraphQL */ `
  mutation DissociateWorkflow($organizationid: Int!, $workflowid: ID!) {
    dissociateWorkflow(input: { organizationId: $organizationid, workflowId: $workflowid }) {
      data: organizationWorkflow {
        ...OrganizationWorkflow
      }
    }
  }
`);

const PROGRESS = operation(/* GraphQL */ `
  query WorkflowProgressHistory($organizationid: Int!, $workflowid: ID!, $from: Date, $to: Date) {
    organizationWorkflow(organizationId: $organizationid, workflowId: $workflowid) {
      progressHistory(from: $from, to: $to) {
        data: days {
          ...ProgressDay
        }
        total: totalCount
      }
    }
  }
`);

const AVAILABLE = pathText('workflowid', 'A workflow of the catalogue, or one that was imported.', 'iso-27001-2022');

export const WORKFLOWS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/v-ciso/available-workflows',
    operationId: 'listAvailableWorkflows',
    source: 'specification 4.8',
    tag: 'Workflows',
    summary: 'List the available workflows',
    description:
      'The compliance frameworks and task sets that can be enabled for an organization. The `id` of an item is used to associate the workflow with an organization. What an organization has imported is listed for its members only.',
    carrier: 'sofa',
    document: AVAILABLE_WORKFLOWS,
    parameters: [limit, offset],
    errors: ['BAD_USER_INPUT'],
  },
  {
    method: 'GET',
    path: '/api/v1/v-ciso/available-workflows/{workflowid}',
    operationId: 'readAvailableWorkflow',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Read an available workflow',
    description: 'What it is, where its controls come from, and under which terms its data is given.',
    carrier: 'sofa',
    document: AVAILABLE_WORKFLOW,
    parameters: [AVAILABLE],
    errors: ['NOT_FOUND'],
    example: {
      id: 'iso-27001-2022',
      name: 'ISO/IEC 27001:2022',
      version: '1',
      kind: 'FRAMEWORK',
      source: 'ISO/IEC 27001:2022',
      source_url: 'https://www.iso.org/standard/27001',
      licence: 'Labels in our own words',
      remarks: null,
    },
  },
  {
    method: 'GET',
    path: '/api/v1/v-ciso/available-workflows/{workflowid}/controls',
    operationId: 'listAvailableControls',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'List the controls of an available workflow',
    description: 'Its controls and tasks in reading order, before any organization has taken it up.',
    carrier: 'sofa',
    document: AVAILABLE_CONTROLS,
    parameters: [AVAILABLE, limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: {
      id: 'A.5.1',
      label: 'Policies for information security',
      parent_id: 'A.5',
      kind: 'CONTROL',
      position: 35,
      entities: null,
    },
  },
  {
    method: 'GET',
    path: WORKFLOWS_PATH,
    operationId: 'listOrganizationWorkflows',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'List the workflows of an organization',
    description: 'What it has taken up, by id, with how far it is.',
    carrier: 'sofa',
    document: ORGANIZATION_WORKFLOWS,
    parameters: [ORGANIZATION, limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ORGANIZATION_WORKFLOW_EXAMPLE,
  },
  {
    method: 'POST',
    path: WORKFLOWS_PATH,
    operationId: 'associateWorkflow',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Associate a workflow with an organization',
    description: 'Makes its controls and tasks available. One that is associated already is returned with status 200.',
    carrier: 'sofa',
    document: ASSOCIATE_WORKFLOW,
    parameters: [ORGANIZATION],
    body: { input: 'AssociateWorkflowInput', example: { id: 'iso-27001-2022' } },
    created: `${WORKFLOWS_PATH}/{id}`,
    createdWhen: 'created',
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ORGANIZATION_WORKFLOW_EXAMPLE,
  },
  {
    method: 'GET',
    path: WORKFLOW_PATH,
    operationId: 'getOrganizationWorkflow',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Read a workflow of an organization',
    description: 'One that it has taken up, with how far it is.',
    carrier: 'sofa',
    document: ORGANIZATION_WORKFLOW,
    parameters: [ORGANIZATION, WORKFLOW],
    errors: ['NOT_FOUND'],
    example: ORGANIZATION_WORKFLOW_EXAMPLE,
  },
  {
    method: 'DELETE',
    path: WORKFLOW_PATH,
    operationId: 'dissociateWorkflow',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Dissociate a workflow from an organization',
    description:
      'Returns the workflow as it was. Documents and the states of controls stay, and are there again when it is associated again.',
    carrier: 'sofa',
    document: DISSOCIATE_WORKFLOW,
    parameters: [ORGANIZATION, WORKFLOW],
    errors: ['NOT_FOUND'],
    example: ORGANIZATION_WORKFLOW_EXAMPLE,
  },
  {
    method: 'GET',
    path: `${WORKFLOW_PATH}/progress`,
    operationId: 'getWorkflowProgress',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Read how a workflow has progressed',
    description:
      'How far the organization was at the end of each day (UTC) on which that changed, oldest first, beginning with how it stood on the first day. The last 90 days when nothing is said; 366 days at most.',
    carrier: 'sofa',
    document: PROGRESS,
    parameters: [
      ORGANIZATION,
      WORKFLOW,
      day('from', 'First day.', '2026-09-01'),
      day('to', 'Last day; today when absent.', '2026-11-20'),
    ],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: { day: '2026-11-20', total: 118, to_do: 90, in_progress: 16, done: 10, not_applicable: 2 },
  },
];
