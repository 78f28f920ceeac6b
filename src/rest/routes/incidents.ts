import { INCIDENT_STATUSES } from '../../vocabulary/incident-statuses.js';
import { SEVERITIES } from '../../vocabulary/severities.js';
import { operation } from '../documents.js';
import { choice, flag, limit, offset, pathId, sort } from '../parameters.js';
import type { Route } from '../route.js';
import {
  INCIDENT_EXAMPLE,
  INCIDENT_PARAMETERS,
  incidentParameters,
  INCIDENT_PATH,
  INCIDENTS_PATH,
  ORGANIZATION,
} from './incident-path.js';

const INCIDENTS = operation(/* GraphQL */ `
  query Incidents(
    $organizationid: Int!
    $limit: Int
    $offset: Int
    $sort: IncidentOrder
    $status: IncidentStatus
    $severity: IncidentSeverity
    $significant: Boolean
  ) {
    organization(id: $organizationid) {
      incidents(
        first: $limit
        offset: $offset
        orderBy: $sort
        filter: { status: $status, severity: $severity, significant: $significant }
      ) {
        data: nodes {
          ...Incident
        }
        total: totalCount
      }
    }
  }
`);

const INCIDENT = operation(/* GraphQL */ `
  query Incident($organizationid: Int!, $incidentid: Int!) {
    data: incident(organizationId: $organizationid, id: $incidentid) {
      ...Incident
    }
  }
`);

const OPEN_INCIDENT = operation(/* GraphQL */ `
  mutation OpenIncident($input: OpenIncidentInput!) {
    openIncident(input: $input) {
      data: incident {
        ...Incident
      }
    }
  }
`);

const UPDATE_INCIDENT = operation(/* GraphQL */ `
  mutation UpdateIncident($input: UpdateIncidentInput!) {
    updateIncident(input: $input) {
      data: incident {
        ...Incident
      }
    }
  }
`);

const CLOSE_INCIDENT = operation(/* GraphQL */ `
  mutation CloseIncident($organizationid: Int!, $incidentid: Int!) {
    closeIncident(input: { organizationId: $organizationid, incidentId: $incidentid }) {
      data: incident {
        ...Incident
      }
    }
  }
`);

const REOPEN_INCIDENT = operation(/* GraphQL */ `
  mutation ReopenIncident($organizationid: Int!, $incidentid: Int!) {
    reopenIncident(input: { organizationId: $organizationid, incidentId: $incidentid }) {
      data: incident {
        ...Incident
      }
    }
  }
`);

export const INCIDENTS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: INCIDENTS_PATH,
    operationId: 'listIncidents',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'List the incidents of an organization',
    description: 'Incidents with their clocks, newest first unless ordered otherwise.',
    carrier: 'sofa',
    document: INCIDENTS,
    parameters: [
      pathId('organizationid', 'Whose incidents.'),
      limit,
      offset,
      sort(
        { aware_at: 'AWARE_AT', created_at: 'CREATED_AT', severity: 'SEVERITY', updated_at: 'UPDATED_AT' },
        '-created_at',
      ),
      choice('status', INCIDENT_STATUSES, 'Only those of this status.'),
      choice('severity', SEVERITIES, 'Only those exactly this bad.'),
      flag('significant', 'Only significant ones, or only those that are not.'),
    ],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'POST',
    path: INCIDENTS_PATH,
    operationId: 'openIncident',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Open an incident',
    description: 'Opens an incident. When it is significant, the clock of NIS 2 Article 23(4) runs from `aware_at` on.',
    carrier: 'sofa',
    document: OPEN_INCIDENT,
    parameters: [ORGANIZATION],
    body: {
      input: 'OpenIncidentInput',
      example: { title: 'Phishing wave', severity: 'HIGH', significant: true, aware_at: '2026-11-19T08:15:30Z' },
    },
    created: `${INCIDENTS_PATH}/{id}`,
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'GET',
    path: INCIDENT_PATH,
    operationId: 'getIncident',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Read an incident',
    description: 'One incident with its clock.',
    carrier: 'sofa',
    document: INCIDENT,
    parameters: INCIDENT_PARAMETERS,
    errors: ['NOT_FOUND'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: INCIDENT_PATH,
    operationId: 'updateIncident',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Change an incident',
    description:
      'Changes what is given; absent fields stay as they are. An incident that is closed has to be opened again first.',
    carrier: 'sofa',
    document: UPDATE_INCIDENT,
    parameters: INCIDENT_PARAMETERS,
    body: { input: 'UpdateIncidentInput', example: { status: 'CONTAINED', significant: true } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/close`,
    operationId: 'closeIncident',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Close an incident',
    description:
      'Closes an incident; closing it again changes nothing. A significant one stays open until all its reports were sent.',
    carrier: 'sofa',
    document: CLOSE_INCIDENT,
    parameters: incidentParameters(4),
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/reopen`,
    operationId: 'reopenIncident',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Open a closed incident again',
    description: 'Its status is `OPEN` then; one that is not closed stays as it is. Takes at least a Security Officer.',
    carrier: 'sofa',
    document: REOPEN_INCIDENT,
    parameters: incidentParameters(1),
    errors: ['NOT_FOUND'],
    example: INCIDENT_EXAMPLE,
  },
];
