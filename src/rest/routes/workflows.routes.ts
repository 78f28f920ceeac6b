import { LIMITS } from '../../values/limits.js';
import { routesAbout } from '../route.js';

const WORKFLOWS_PATH = '/api/v1/v-ciso/organizations/{organizationid}/workflows';
const WORKFLOW_PATH = `${WORKFLOWS_PATH}/{workflowid}`;
const CONTROLS_PATH = `${WORKFLOW_PATH}/controls`;
const CONTROL_PATH = `${CONTROLS_PATH}/{controlid}`;

const ORGANIZATION_WORKFLOW_EXAMPLE = {
  id: 'iso-27001-2022',
  name: 'ISO/IEC 27001:2022',
  associated_at: '2026-03-04T09:30:00.000Z',
  progress: { total: 118, to_do: 90, in_progress: 16, done: 10, not_applicable: 2 },
  stale_evidence: 1,
};

const CONTROL_EXAMPLE = {
  id: 'A.5.1',
  label: 'Set, approve and publish the security policies',
  parent_id: 'A.5',
  kind: 'CONTROL',
  position: 54,
  status: 'IN_PROGRESS',
  justification: '',
  inclusion_reason: 'Treats the risks of unclear responsibility.',
  owner: {
    user_id: '0b8f2c6e-7d0a-4d44-9a53-5a1a4d6a2f10',
    username: 'elena.santoro',
    first_name: 'Elena',
    last_name: 'Santoro',
  },
  due_date: '2026-12-31',
  overdue: false,
  note: '',
  review_interval_months: 12,
  evidence: {
    own: 1,
    mapped: 2,
    total: 3,
    valid_until: '2027-11-01',
    sources: [
      {
        workflow_id: 'nis2-directive',
        control_id: '21.2.a',
        label: 'Policies for analysing risk and securing information systems',
        documents: 2,
        via: null,
      },
    ],
  },
  evidence_state: 'FRESH',
  updated_at: '2026-11-20T08:15:30.000Z',
};

const IMPORTS_PATH = '/api/v1/v-ciso/organizations/{organizationid}/available-workflows';
const IMPORT_PATH = `${IMPORTS_PATH}/{workflowid}`;

const IMPORT_EXAMPLE = {
  id: 'house-rules',
  mode: 'WORKFLOW',
  name: 'House rules',
  version: '3',
  controls: 2,
  imported_by: 'elena.santoro',
  imported_at: '2026-11-20T08:15:30.000Z',
};

const IMPORT_BODY_EXAMPLE = {
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

const EXAMPLES = {
  OrganizationWorkflow: ORGANIZATION_WORKFLOW_EXAMPLE,
  OrganizationControl: CONTROL_EXAMPLE,
  WorkflowImport: IMPORT_EXAMPLE,
};

export const WORKFLOWS_ROUTES = routesAbout({ tag: 'Workflows', examples: EXAMPLES }, [
  {
    method: 'GET',
    path: '/api/v1/v-ciso/available-workflows',
    operationId: 'listAvailableWorkflows',
    source: 'specification 4.8',
    summary: 'List the available workflows',
    description:
      'The compliance frameworks and task sets that can be enabled for an organization. The `id` of an item is used to associate the workflow with an organization. What an organization has imported is listed for its members only.',
    data: 'availableWorkflows.nodes',
    view: 'Workflow',
    parameters: 'limit offset',
    example: { id: 'iso-27001-2022', name: 'ISO/IEC 27001:2022' },
  },
  {
    method: 'GET',
    path: '/api/v1/v-ciso/available-workflows/{workflowid}',
    operationId: 'readAvailableWorkflow',
    summary: 'Read an available workflow',
    description: 'What it is, where its controls come from, and under which terms its data is given.',
    data: 'workflow',
    view: 'AvailableWorkflow',
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
    summary: 'List the controls of an available workflow',
    description: 'Its controls and tasks in reading order, before any organization has taken it up.',
    data: 'workflow.controls.nodes',
    view: 'WorkflowControl',
    parameters: 'limit offset',
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
    summary: 'List the workflows of an organization',
    description: 'Its workflows, by id, with their progress.',
    data: 'organization.workflows.nodes',
    view: 'OrganizationWorkflow',
    parameters: 'limit offset',
  },
  {
    method: 'POST',
    path: WORKFLOWS_PATH,
    operationId: 'associateWorkflow',
    summary: 'Associate a workflow with an organization',
    description: 'Makes its controls and tasks available. One that is associated already is returned with status 200.',
    data: 'associateWorkflow.organizationWorkflow',
    view: 'OrganizationWorkflow',
    body: { example: { id: 'iso-27001-2022' } },
    created: `${WORKFLOWS_PATH}/{id}`,
    createdWhen: 'created',
  },
  {
    method: 'GET',
    path: WORKFLOW_PATH,
    operationId: 'getOrganizationWorkflow',
    summary: 'Read a workflow of an organization',
    description: 'One of its workflows, with its progress.',
    data: 'organizationWorkflow',
    view: 'OrganizationWorkflow',
  },
  {
    method: 'DELETE',
    path: WORKFLOW_PATH,
    operationId: 'dissociateWorkflow',
    summary: 'Dissociate a workflow from an organization',
    description:
      'Returns the workflow as it was. Documents and the states of controls stay, and are there again when it is associated again.',
    data: 'dissociateWorkflow.organizationWorkflow',
    view: 'OrganizationWorkflow',
  },
  {
    method: 'GET',
    path: `${WORKFLOW_PATH}/progress`,
    operationId: 'getWorkflowProgress',
    summary: 'Read how a workflow has progressed',
    description:
      'How far the organization was at the end of each day (UTC) on which that changed, oldest first, beginning with how it stood on the first day. The last 90 days when nothing is said; 366 days at most.',
    data: 'organizationWorkflow.progressHistory.days',
    view: 'ProgressDay',
    parameters: 'from to',
    examples: { from: '2026-09-01', to: '2026-11-20' },
    example: { day: '2026-11-20', total: 118, to_do: 90, in_progress: 16, done: 10, not_applicable: 2 },
  },
  {
    method: 'GET',
    path: CONTROLS_PATH,
    operationId: 'listControls',
    summary: 'List the controls of a workflow of an organization',
    description:
      'Controls and tasks in reading order with how far the organization is. Of the Italian NIS 2 baseline, those that bind its `entity_type`; all when it has not said which it is.',
    data: 'organizationWorkflow.controls.nodes',
    view: 'OrganizationControl',
    parameters: 'limit offset status owner overdue parent',
  },
  {
    method: 'PATCH',
    path: CONTROLS_PATH,
    operationId: 'updateControls',
    summary: 'Change many controls at once',
    description:
      'Either `control_ids` with one set of `changes`, or `updates`; 200 controls at most. All are changed or none, and all errors are reported at once.',
    data: 'updateControls.controls',
    view: 'OrganizationControl',
    body: {
      example: { control_ids: ['A.5.1', 'A.5.2'], changes: { status: 'DONE', due_date: null } },
    },
  },
  {
    method: 'GET',
    path: CONTROL_PATH,
    operationId: 'getControl',
    summary: 'Read a control of a workflow of an organization',
    description: 'One control with how far the organization is.',
    data: 'organizationControl',
    view: 'OrganizationControl',
  },
  {
    method: 'PATCH',
    path: CONTROL_PATH,
    operationId: 'updateControl',
    summary: 'Change a control',
    description:
      'Changes what is given: an absent field stays as it is, null clears. `NOT_APPLICABLE` needs a justification; who answers for the control is an active member.',
    data: 'updateControl.control',
    view: 'OrganizationControl',
    body: { example: { status: 'IN_PROGRESS', due_date: '2026-12-31' } },
  },
  {
    method: 'GET',
    path: IMPORTS_PATH,
    operationId: 'listWorkflowImports',
    summary: 'List what an organization has imported',
    description: 'Its own workflows, official titles and mappings, by id. Only its members see them.',
    data: 'organization.workflowImports.nodes',
    view: 'WorkflowImport',
    parameters: 'limit offset',
  },
  {
    method: 'POST',
    path: IMPORTS_PATH,
    operationId: 'importWorkflow',
    summary: 'Import a workflow, official titles or a mapping',
    description:
      'A workflow of the organization’s own, with `mode` `TITLES` official titles for one that is there for everybody, or with `mode` `MAPPING` which controls of two workflows require the same: its fields, or all of it as YAML or JSON in `text`, 1 MB at most; or an OSCAL catalog (JSON) as it is published, 5 MB at most, with `id` beside `catalog` where its title shall not be the id. 2,000 controls at most; every error is reported with its place. What was imported under that id before is replaced, with status 200, and so is a mapping of the same two workflows; 409 while that workflow is associated.',
    data: 'importWorkflow.workflowImport',
    view: 'WorkflowImport',
    body: {
      example: IMPORT_BODY_EXAMPLE,
      maxBytes: LIMITS.workflowImport.maxCatalogBytes,
    },
    created: IMPORT_PATH.replace('{workflowid}', '{id}'),
    createdWhen: 'created',
    errors: ['FILE_TOO_LARGE', 'CONFLICT'],
  },
  {
    method: 'GET',
    path: IMPORT_PATH,
    operationId: 'getWorkflowImport',
    summary: 'Read what an organization has imported under an id',
    description: 'A workflow of its own, official titles or a mapping.',
    data: 'workflowImport',
    view: 'WorkflowImport',
    examples: { workflowid: 'house-rules' },
  },
  {
    method: 'DELETE',
    path: IMPORT_PATH,
    operationId: 'deleteWorkflowImport',
    summary: 'Remove an import',
    description: 'Returns it as it was; 409 while it is a workflow that is associated.',
    data: 'deleteWorkflowImport.workflowImport',
    view: 'WorkflowImport',
    examples: { workflowid: 'house-rules' },
    errors: ['CONFLICT'],
  },
]);
