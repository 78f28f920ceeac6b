import { ASSESSMENT_RESULTS_ANSWERS, COMPONENT_DEFINITION_ANSWERS } from '../openapi/file-answers.js';
import { ID, TEXT } from '../parameters.js';
import type { Parameter, Route } from '../route.js';

const OSCAL_PATH = '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/oscal';

const PARAMETERS: readonly Parameter[] = [
  { name: 'organizationid', in: 'path', description: 'The organization.', schema: ID, example: 1, required: true },
  {
    name: 'workflowid',
    in: 'path',
    description: 'A workflow that is associated with the organization.',
    schema: { ...TEXT, minLength: 1 },
    example: 'iso-27001-2022',
    required: true,
  },
];

export const OSCAL_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${OSCAL_PATH}/assessment-results`,
    operationId: 'exportAssessmentResults',
    tag: 'Workflows',
    summary: 'Export how a workflow stands, as OSCAL',
    description:
      'OSCAL assessment results (JSON, without envelope): a finding for each control with its status, and an observation for each document that counts for it, with the SHA-256 of its content. A control that does not apply is `not-satisfied` with the implementation status `not-applicable`.',
    handler: 'oscal-assessment-results',
    answers: ASSESSMENT_RESULTS_ANSWERS,
    costly: 'packs',
    parameters: PARAMETERS,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'GET',
    path: `${OSCAL_PATH}/component-definition`,
    operationId: 'exportComponentDefinition',
    tag: 'Workflows',
    summary: 'Export what is done for a workflow, as OSCAL',
    description:
      'An OSCAL component definition (JSON, without envelope): the measures of the organization as one component, with an implemented requirement for each control, its implementation status and its documents.',
    handler: 'oscal-component-definition',
    answers: COMPONENT_DEFINITION_ANSWERS,
    costly: 'packs',
    parameters: PARAMETERS,
    errors: ['NOT_FOUND'],
  },
];
