import { LIMITS } from '../../values/limits.js';
import type { RouteGroup, ViewFields } from '../route.js';
import { TABLE_BODY } from './imports.routes.js';
import { IMPORTED } from './members.routes.js';

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
  inclusion_reason: 'Treats the risks of unclear responsibility.',
  owner: {
    user_id: '0b8f2c6e-7d0a-4d44-9a53-5a1a4d6a2f10',
    username: 'elena.santoro',
    first_name: 'Elena',
    last_name: 'Santoro',
  },
  due_date: '2026-12-31',
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
      },
    ],
  },
  evidence_state: 'FRESH',
  attestation: {
    ...{ id: 4, state: 'COUNTERSIGNED', attested_by: 'elena.santoro', attested_at: '2026-11-20T08:15:30.000Z' },
    ...{ countersigned_by: 'marco.deluca', countersigned_at: '2026-11-21T10:00:00.000Z' },
  },
  updated_at: '2026-11-20T08:15:30.000Z',
};

const IMPORTS_PATH = '/api/v1/v-ciso/organizations/{organizationid}/available-workflows';
const PREVIEWS_PATH = '/api/v1/v-ciso/organizations/{organizationid}/workflow-import-previews';
const IMPORT_PATH = `${IMPORTS_PATH}/{workflowid}`;

const IMPORT_EXAMPLE = {
  id: 'house-rules',
  mode: 'WORKFLOW',
  name: 'House rules',
  version: '3',
  controls: 2,
  imported_by: 'elena.santoro',
  imported_at: '2026-11-20T08:15:30.000Z',
  source: 'Security handbook of the group, third edition',
  source_url: null,
  licence: 'For use within the group',
  remarks: null,
};

const SENT_IMPORT = {
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

const EDITION_EXAMPLE = {
  label: 'Lock the screen',
  parent_id: 'H1',
  kind: 'CONTROL',
  entities: null,
  is_heading: false,
  text: 'Lock the screen whenever you leave your desk.',
};
const CHANGE_EXAMPLE = {
  id: 'H1.1',
  before: EDITION_EXAMPLE,
  after: null,
  status: 'DONE',
  justification: '',
  owner: CONTROL_EXAMPLE.owner,
  due_date: null,
  documents: 2,
};

const EXAMPLES = {
  Workflow: {
    id: 'iso-27001-2022',
    name: 'ISO/IEC 27001:2022',
    version: '1',
    kind: 'FRAMEWORK',
    source: 'ISO/IEC 27001:2022',
    source_url: 'https://www.iso.org/standard/27001',
    licence: 'Labels in our own words',
  },
  OrganizationWorkflow: ORGANIZATION_WORKFLOW_EXAMPLE,
  OrganizationControl: CONTROL_EXAMPLE,
  WorkflowImport: IMPORT_EXAMPLE,
  WorkflowControlEdition: EDITION_EXAMPLE,
  WorkflowControlChange: CHANGE_EXAMPLE,
  WorkflowImportPreview: {
    id: 'house-rules',
    name: 'House rules',
    version: '4',
    replaces: true,
    is_associated: true,
    digest: '8d5b1fd3a2c64b0f9b7d2f3f0d9f0b5c1a7e6a4d3c2b1a09f8e7d6c5b4a39281',
    added: [],
    removed: [CHANGE_EXAMPLE],
    changed: [],
    unchanged: 1,
  },
};

const CONTROL: ViewFields = [
  'controlId label parentId kind position status justification inclusionReason',
  { owner: ['userId username firstName lastName'] },
  'dueDate overdue note reviewIntervalMonths',
  { evidence: ['own mapped total validUntil', { sources: ['workflowId controlId label documents via'] }] },
  'evidenceState updatedAt text',
  { attestation: ['id state attestedBy.username attestedAt countersignedBy.username countersignedAt'] },
];

export const WORKFLOWS: RouteGroup = {
  tag: 'Workflows',
  examples: EXAMPLES,
  views: {
    Workflow: ['workflowId name'],
    AvailableWorkflow: { of: 'Workflow', fields: ['workflowId name edition kind source sourceUrl licence remarks'] },
    WorkflowControl: ['controlId label parentId kind position entities text'],
    OrganizationWorkflow: ['workflowId name associatedAt', { progress: 'WorkflowProgress' }, 'staleEvidence'],
    WorkflowImport: [
      'workflowId mode name edition controlCount importedBy.username importedAt source sourceUrl licence remarks',
    ],
    WorkflowImportPreview: [
      'workflowId name edition replaces isAssociated digest',
      { added: 'WorkflowControlChange', removed: 'WorkflowControlChange', changed: 'WorkflowControlChange' },
      'unchanged',
    ],
    WorkflowControlChange: [
      'controlId',
      { before: 'WorkflowControlEdition', after: 'WorkflowControlEdition' },
      'status justification',
      { owner: ['userId username firstName lastName'] },
      'dueDate documents',
    ],
    WorkflowControlEdition: ['label parentId kind entities isHeading text'],
    WorkflowProgress: ['total toDo inProgress done notApplicable'],
    ProgressDay: ['day total toDo inProgress done notApplicable'],
    OrganizationControl: CONTROL,
    OrganizationControlRow: { of: 'OrganizationControl', fields: [...CONTROL, 'version'] },
  },
  routes: {
    'GET /api/v1/v-ciso/available-workflows': {
      operationId: 'listAvailableWorkflows',
      remarks: 'The `id` of an item is used to associate the workflow with an organization.',
      data: 'availableWorkflows.nodes',
    },
    'GET /api/v1/v-ciso/available-workflows/{workflowid}': {
      operationId: 'readAvailableWorkflow',
      remarks: 'What it is, where its controls come from, and under which terms its data is given.',
      data: 'workflow',
      view: 'AvailableWorkflow',
    },
    'GET /api/v1/v-ciso/available-workflows/{workflowid}/controls': {
      operationId: 'listAvailableControls',
      data: 'workflow.controls.nodes',
      parameters: 'language',
      example: {
        id: 'A.5.1',
        label: 'Policies for information security',
        parent_id: 'A.5',
        kind: 'CONTROL',
        position: 35,
      },
    },
    [`GET ${WORKFLOWS_PATH}`]: {
      past: true,
      operationId: 'listOrganizationWorkflows',
      remarks: 'Each with its progress.',
      data: 'organization.workflows.nodes',
    },
    [`POST ${WORKFLOWS_PATH}`]: {
      operationId: 'associateWorkflow',
      remarks: 'Its controls and tasks become available; the status is 200 for one that is associated already.',
      data: 'associateWorkflow.organizationWorkflow',
      body: { example: { id: 'iso-27001-2022' } },
      created: `${WORKFLOWS_PATH}/{id}`,
      createdWhen: 'created',
    },
    [`GET ${WORKFLOW_PATH}`]: { past: true, operationId: 'getOrganizationWorkflow', data: 'organizationWorkflow' },
    [`DELETE ${WORKFLOW_PATH}`]: { operationId: 'dissociateWorkflow', data: 'dissociateWorkflow.organizationWorkflow' },
    [`GET ${WORKFLOW_PATH}/progress`]: {
      past: 'PROGRESS',
      operationId: 'getWorkflowProgress',
      remarks: 'Days are those of the time zone of the organization: the last 90 when nothing is said, 366 at most.',
      data: 'organizationWorkflow.progressHistory.days',
      parameters: 'from to',
      examples: { from: '2026-09-01', to: '2026-11-20' },
      example: { day: '2026-11-20', total: 118, to_do: 90, in_progress: 16, done: 10, not_applicable: 2 },
    },
    [`GET ${CONTROLS_PATH}`]: {
      past: true,
      operationId: 'listControls',
      tableView: 'OrganizationControlRow',
      remarks:
        'Of the Italian NIS 2 baseline, those that bind its `entity_type`; all when it has not said which it is.',
      data: 'organizationWorkflow.controls.nodes',
      parameters: 'status owner_id overdue parent_id language',
    },
    [`PATCH ${CONTROLS_PATH}`]: {
      operationId: 'updateControls',
      remarks:
        'Either `control_ids` with one set of `changes`, or `updates`; 200 controls at most. All errors are reported at once.',
      data: 'updateControls.controls',
      body: { example: { control_ids: ['A.5.1', 'A.5.2'], changes: { status: 'DONE', due_date: null } } },
    },
    [`POST ${CONTROLS_PATH}/import`]: {
      operationId: 'importControls',
      remarks: IMPORTED,
      data: 'importControls.rows',
      parameters: 'dry_run',
      body: TABLE_BODY,
      costly: 'packs',
      errors: ['FILE_TOO_LARGE', 'INVALID_DATA', 'MISSING_CONTENT'],
      example: {
        ...{ row: 2, key: 'A.5.1', outcome: 'CHANGED' },
        ...{ changes: [{ column: 'status', before: 'IN_PROGRESS', after: 'DONE' }], error: null },
      },
    },
    [`GET ${CONTROL_PATH}`]: {
      past: true,
      operationId: 'getControl',
      data: 'organizationControl',
    },
    [`PATCH ${CONTROL_PATH}`]: {
      operationId: 'updateControl',
      remarks:
        'An absent field stays as it is, null clears. `NOT_APPLICABLE` needs a justification; who answers for the control is an active member.',
      data: 'updateControl.control',
      body: { example: { status: 'IN_PROGRESS', due_date: '2026-12-31' } },
    },
    [`GET ${IMPORTS_PATH}`]: {
      past: 'CATALOGUE',
      operationId: 'listWorkflowImports',
      remarks: 'These are its own workflows, official titles and mappings; only its members see them.',
      data: 'organization.workflowImports.nodes',
    },
    [`POST ${IMPORTS_PATH}`]: {
      operationId: 'importWorkflow',
      description:
        'A workflow of the organization’s own, with `mode` `TITLES` official titles for one that is there for everybody, or with `mode` `MAPPING` which controls of two workflows require the same: its fields, or all of it as YAML or JSON in `text`, 1 MB at most; or an OSCAL catalog (JSON) as it is published, 5 MB at most, with `id` beside `catalog` where its title shall not be the id; or a library of CISO Assistant in `text`, 5 MB at most. 2,000 controls at most; every error is reported with its place. What was imported under that id before is replaced, with status 200, and so is a mapping of the same two workflows. While that workflow is associated, `preview_digest` of a preview is required (409 `WORKFLOW_ASSOCIATED`), and has to be of what the import does (409 `STALE_PREVIEW`); statuses and documents stay by the ids of the controls.',
      data: 'importWorkflow.workflowImport',
      arguments: { 'If-Match': 'replacesVersion' },
      body: { example: SENT_IMPORT, maxBytes: LIMITS.workflowImport.maxCatalogBytes },
      created: IMPORT_PATH.replace('{workflowid}', '{id}'),
      createdWhen: 'created',
      errors: ['FILE_TOO_LARGE', 'CONFLICT'],
    },
    [`POST ${PREVIEWS_PATH}`]: {
      operationId: 'previewWorkflowImport',
      remarks:
        'The body is that of an import of a workflow, without `mode`. Send its `digest` as `preview_digest` with the import to have exactly that done.',
      data: 'previewWorkflowImport.preview',
      body: {
        example: { ...SENT_IMPORT, version: '4', controls: SENT_IMPORT.controls.slice(0, 1) },
        maxBytes: LIMITS.workflowImport.maxCatalogBytes,
      },
      errors: ['FILE_TOO_LARGE'],
    },
    [`GET ${IMPORT_PATH}`]: {
      past: 'CATALOGUE',
      operationId: 'getWorkflowImport',
      remarks: 'It is a workflow of its own, official titles or a mapping.',
      data: 'workflowImport',
      examples: { workflowid: 'house-rules' },
    },
    [`DELETE ${IMPORT_PATH}`]: {
      operationId: 'deleteWorkflowImport',
      data: 'deleteWorkflowImport.workflowImport',
      examples: { workflowid: 'house-rules' },
      errors: ['CONFLICT'],
    },
  },
};
