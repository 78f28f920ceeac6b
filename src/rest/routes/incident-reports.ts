import { INCIDENT_REPORT_STAGES } from '../../vocabulary/incident-reports.js';
import { operation } from '../documents.js';
import { limit, offset, pathChoice } from '../parameters.js';
import type { Route } from '../route.js';
import { INCIDENT_EXAMPLE, INCIDENT_PARAMETERS, INCIDENT_PATH, incidentParameters } from './incident-path.js';

const INCIDENT_REPORTS = operation(/* GraphQL */ `
  query IncidentReports($organizationid: Int!, $incidentid: Int!, $limit: Int, $offset: Int) {
    incident(organizationId: $organizationid, id: $incidentid) {
      reports(first: $limit, offset: $offset) {
        data: nodes {
          ...IncidentReport
        }
        total: totalCount
      }
    }
  }
`);

const RECORD_INCIDENT_REPORT = operation(/* GraphQL */ `
  mutation RecordIncidentReport($input: RecordIncidentReportInput!) {
    recordIncidentReport(input: $input) {
      data: incident {
        ...Incident
      }
    }
  }
`);

const CORRECT_INCIDENT_REPORT = operation(/* GraphQL */ `
  mutation CorrectIncidentReport($input: CorrectIncidentReportInput!) {
    correctIncidentReport(input: $input) {
      data: incident {
        ...Incident
      }
    }
  }
`);

const REPORT_EXAMPLE = {
  id: 5,
  stage: 'EARLY_WARNING',
  sent_at: '2026-11-19T16:00:00.000Z',
  reason: '',
  recorded_by: 'a.rossi',
  recorded_at: '2026-11-19T16:05:00.000Z',
};

export const INCIDENT_REPORTS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/reports`,
    operationId: 'listIncidentReports',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'List what was recorded about the reports of an incident',
    description: 'Who sent what when, and each correction of it, newest first.',
    carrier: 'sofa',
    document: INCIDENT_REPORTS,
    parameters: [...INCIDENT_PARAMETERS, limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: REPORT_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/reports`,
    operationId: 'recordIncidentReport',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Record that a report was sent',
    description:
      'Records a report of NIS 2 Article 23(4) and answers the incident with its clock. Stages follow each other, each once.',
    carrier: 'sofa',
    document: RECORD_INCIDENT_REPORT,
    parameters: incidentParameters(3),
    body: {
      input: 'RecordIncidentReportInput',
      example: { stage: 'EARLY_WARNING' },
    },
    created: true,
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: `${INCIDENT_PATH}/reports/{stage}`,
    operationId: 'correctIncidentReport',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Correct when a report was sent',
    description:
      'Corrects a report, or takes it back with `sent_at` null. What was recorded before stays in the history. Takes at least a Security Officer.',
    carrier: 'sofa',
    document: CORRECT_INCIDENT_REPORT,
    parameters: [...INCIDENT_PARAMETERS, pathChoice('stage', INCIDENT_REPORT_STAGES, 'Which report.')],
    body: {
      input: 'CorrectIncidentReportInput',
      example: { sent_at: null, reason: 'It was sent to the wrong authority.' },
    },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
    example: INCIDENT_EXAMPLE,
  },
];
