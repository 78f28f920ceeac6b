import type { Route } from '../route.js';
import { CONTROL_EXAMPLE, CONTROL_PATH, CONTROLS_PATH } from './workflows.routes.js';

export const CONTROLS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: CONTROLS_PATH,
    operationId: 'listControls',
    tag: 'Workflows',
    summary: 'List the controls of a workflow of an organization',
    description:
      'Controls and tasks in reading order with how far the organization is. Of the Italian NIS 2 baseline, those that bind its `entity_type`; all when it has not said which it is.',
    data: 'organizationWorkflow.controls.nodes',
    view: 'OrganizationControl',
    parameters: 'limit offset status owner overdue parent',
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: CONTROL_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: CONTROLS_PATH,
    operationId: 'updateControls',
    tag: 'Workflows',
    summary: 'Change many controls at once',
    description:
      'Either `control_ids` with one set of `changes`, or `updates`; 200 controls at most. All are changed or none, and all errors are reported at once.',
    data: 'updateControls.controls',
    view: 'OrganizationControl',
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
    tag: 'Workflows',
    summary: 'Read a control of a workflow of an organization',
    description: 'One control with how far the organization is.',
    data: 'organizationControl',
    view: 'OrganizationControl',
    errors: ['NOT_FOUND'],
    example: CONTROL_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: CONTROL_PATH,
    operationId: 'updateControl',
    tag: 'Workflows',
    summary: 'Change a control',
    description:
      'Changes what is given: an absent field stays as it is, null clears. `NOT_APPLICABLE` needs a justification; who answers for the control is an active member.',
    data: 'updateControl.control',
    view: 'OrganizationControl',
    body: { input: 'UpdateControlInput', example: { status: 'IN_PROGRESS', due_date: '2026-12-31' } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: CONTROL_EXAMPLE,
  },
];
