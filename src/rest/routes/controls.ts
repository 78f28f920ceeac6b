import { CONTROL_STATUSES } from '../../vocabulary/control-statuses.js';
import { operation } from '../documents.js';
import { choice, flag, limit, offset, text } from '../parameters.js';
import type { Route } from '../route.js';
import { CONTROL, CONTROL_EXAMPLE, CONTROL_PATH, CONTROLS_PATH, ORGANIZATION, WORKFLOW } from './workflow-path.js';

const CONTROLS = operation(/* GraphQL */ `
  query OrganizationControls(
    $organizationid: Int!
    $workflowid: ID!
    $limit: Int
    $offset: Int
    $status: ControlStatus
    $owner: ID
    $overdue: Boolean
    $parent: ID
  ) {
    organizationWorkflow(organizationId: $organizationid, workflowId: $workflowid) {
      controls(
        first: $limit
        offset: $offset
        filter: { status: $status, owner: $owner, overdue: $overdue, parent: $parent }
      ) {
        data: nodes {
          ...OrganizationControl
        }
        total: totalCount
      }
    }
  }
`);

const CONTROL_OF_WORKFLOW = operation(/* GraphQL */ `
  query OrganizationControl($organizationid: Int!, $workflowid: ID!, $controlid: ID!) {
    data: organizationControl(organizationId: $organizationid, workflowId: $workflowid, controlId: $controlid) {
      ...OrganizationControl
    }
  }
`);

const UPDATE_CONTROL = operation(/* GraphQL */ `
  mutation UpdateControl($input: UpdateControlInput!) {
    updateControl(input: $input) {
      data: control {
        ...OrganizationControl
      }
    }
  }
`);

const UPDATE_CONTROLS = operation(/* GraphQL */ `
  mutation UpdateControls($input: UpdateControlsInput!) {
    updateControls(input: $input) {
      data: controls {
        ...OrganizationControl
      }
      total: totalCount
    }
  }
`);

export const CONTROLS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: CONTROLS_PATH,
    operationId: 'listControls',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'List the controls of a workflow of an organization',
    description:
      'Controls and tasks in reading order with how far the organization is. Of the Italian NIS 2 baseline, those that bind its `entity_type`; all when it has not said which it is.',
    carrier: 'sofa',
    document: CONTROLS,
    parameters: [
      ORGANIZATION,
      WORKFLOW,
      limit,
      offset,
      choice('status', CONTROL_STATUSES, 'Only those of this status.'),
      text('owner', 'Only those that the user of this id answers for.', '0b8f2c6e-7d0a-4d44-9a53-5a1a4d6a2f10'),
      flag('overdue', 'Only overdue ones, or only those that are not.'),
      text('parent', 'Only those directly below this control.', 'A.5'),
    ],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: CONTROL_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: CONTROLS_PATH,
    operationId: 'updateControls',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Change many controls at once',
    description:
      'Either `control_ids` with one set of `changes`, or `updates`; 200 controls at most. All are changed or none, and all faults are told at once.',
    carrier: 'sofa',
    document: UPDATE_CONTROLS,
    parameters: [ORGANIZATION, WORKFLOW],
    body: {
      input: 'UpdateControlsInput',
      example: { control_ids: ['A.5.1', 'A.5.2'], changes: { status: 'DONE', due_date: null } },
    },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: CONTROL_EXAMPLE,
  },
  {
    method: 'GET',
    path: CONTROL_PATH,
    operationId: 'getControl',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Read a control of a workflow of an organization',
    description: 'One control with how far the organization is.',
    carrier: 'sofa',
    document: CONTROL_OF_WORKFLOW,
    parameters: [ORGANIZATION, WORKFLOW, CONTROL],
    errors: ['NOT_FOUND'],
    example: CONTROL_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: CONTROL_PATH,
    operationId: 'updateControl',
    source: 'decisions 9',
    tag: 'Workflows',
    summary: 'Change a control',
    description:
      'Changes what is given: an absent field stays as it is, null clears. `NOT_APPLICABLE` needs a justification; who answers for the control is an active member.',
    carrier: 'sofa',
    document: UPDATE_CONTROL,
    parameters: [ORGANIZATION, WORKFLOW, CONTROL],
    body: { input: 'UpdateControlInput', example: { status: 'IN_PROGRESS', due_date: '2026-12-31' } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: CONTROL_EXAMPLE,
  },
];
