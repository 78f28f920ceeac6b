import { INCIDENT_REPORT_STAGES, INCIDENT_STATUSES, SEVERITIES } from '../../values/enums.js';
import { exampleOrganization } from '../openapi/examples.js';
import { choice, flag, limit, offset, pathChoice, pathId, sort } from '../parameters.js';
import type { Route } from '../route.js';

/** What the routes of incidents, of their reports and of their files have in common. */
const INCIDENTS_PATH = '/api/v1/v-ciso/incidents/{organizationid}';
const INCIDENT_PATH = `${INCIDENTS_PATH}/{incidentid}`;

export const ORGANIZATION = pathId('organizationid', 'Whose incident it is.');
const incidentParameters = (example: number) => [ORGANIZATION, pathId('incidentid', 'The incident.', example)];
const INCIDENT_PARAMETERS = incidentParameters(2);

const INCIDENT_EXAMPLE = {
  id: 12,
  organization: exampleOrganization,
  title: 'Phishing wave',
  description: 'Several mailboxes were taken over.',
  severity: 'HIGH',
  status: 'CONTAINED',
  significant: true,
  aware_at: '2026-11-19T08:15:30.000Z',
  clock: {
    applies: true,
    early_warning: {
      state: 'SENT',
      due_at: '2026-11-20T08:15:30.000Z',
      sent_at: '2026-11-19T16:00:00.000Z',
      sent_by: 'a.rossi',
    },
    notification: { state: 'PENDING', due_at: '2026-11-22T08:15:30.000Z', sent_at: null, sent_by: null },
    final_report: { state: 'PENDING', due_at: null, sent_at: null, sent_by: null },
  },
  opened_by: 'l.bianchi',
  created_at: '2026-11-19T08:20:00.000Z',
  updated_at: '2026-11-19T16:00:00.000Z',
  closed_at: null,
  closed_by: null,
};

export const INCIDENTS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: INCIDENTS_PATH,
    operationId: 'listIncidents',
    tag: 'Incidents',
    summary: 'List the incidents of an organization',
    description: 'Incidents with their clocks, newest first unless ordered otherwise.',
    data: 'organization.incidents.nodes',
    view: 'Incident',
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
    tag: 'Incidents',
    summary: 'Open an incident',
    description: 'Opens an incident. When it is significant, the clock of NIS 2 Article 23(4) runs from `aware_at` on.',
    data: 'openIncident.incident',
    view: 'Incident',
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
    tag: 'Incidents',
    summary: 'Read an incident',
    description: 'One incident with its clock.',
    data: 'incident',
    view: 'Incident',
    parameters: INCIDENT_PARAMETERS,
    errors: ['NOT_FOUND'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: INCIDENT_PATH,
    operationId: 'updateIncident',
    tag: 'Incidents',
    summary: 'Change an incident',
    description:
      'Changes what is given; absent fields stay as they are. An incident that is closed has to be opened again first.',
    data: 'updateIncident.incident',
    view: 'Incident',
    parameters: INCIDENT_PARAMETERS,
    body: { input: 'UpdateIncidentInput', example: { status: 'CONTAINED', significant: true } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/close`,
    operationId: 'closeIncident',
    tag: 'Incidents',
    summary: 'Close an incident',
    description:
      'Closes an incident; closing it again changes nothing. A significant one stays open until all its reports were sent.',
    data: 'closeIncident.incident',
    view: 'Incident',
    parameters: incidentParameters(4),
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: INCIDENT_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/reopen`,
    operationId: 'reopenIncident',
    tag: 'Incidents',
    summary: 'Open a closed incident again',
    description: 'Its status is `OPEN` then; one that is not closed stays as it is. Takes at least a Security Officer.',
    data: 'reopenIncident.incident',
    view: 'Incident',
    parameters: incidentParameters(1),
    errors: ['NOT_FOUND'],
    example: INCIDENT_EXAMPLE,
  },
];

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
    tag: 'Incidents',
    summary: 'List what was recorded about the reports of an incident',
    description: 'Who sent what when, and each correction of it, newest first.',
    data: 'incident.reports.nodes',
    view: 'IncidentReport',
    parameters: [...INCIDENT_PARAMETERS, limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: REPORT_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/reports`,
    operationId: 'recordIncidentReport',
    tag: 'Incidents',
    summary: 'Record that a report was sent',
    description:
      'Records a report of NIS 2 Article 23(4) and answers the incident with its clock. Stages follow each other, each once.',
    data: 'recordIncidentReport.incident',
    view: 'Incident',
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
    tag: 'Incidents',
    summary: 'Correct when a report was sent',
    description:
      'Corrects a report, or takes it back with `sent_at` null. What was recorded before stays in the history. Takes at least a Security Officer.',
    data: 'correctIncidentReport.incident',
    view: 'Incident',
    parameters: [...INCIDENT_PARAMETERS, pathChoice('stage', INCIDENT_REPORT_STAGES, 'Which report.')],
    body: {
      input: 'CorrectIncidentReportInput',
      example: { sent_at: null, reason: 'It was sent to the wrong authority.' },
    },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
    example: INCIDENT_EXAMPLE,
  },
];

const ATTACHMENT_EXAMPLE = {
  id: 12,
  original_name: 'phishing-mail.eml',
  content_type: 'message/rfc822',
  size: 20_480,
  created_at: '2026-11-20T09:30:00.000Z',
  download_url:
    'https://gateway.example/api/v1/downloads/attachments/12?expires=1795167900&signature=k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE',
};

const FILE = pathId('id', 'Which file.');

export const INCIDENT_ATTACHMENTS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/attachments`,
    operationId: 'listIncidentAttachments',
    tag: 'Incidents',
    summary: 'List the files of an incident',
    description: 'Files that are attached to the incident, newest first.',
    data: 'incident.attachments.nodes',
    view: 'IncidentAttachment',
    parameters: [...INCIDENT_PARAMETERS, limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ATTACHMENT_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/attachments`,
    operationId: 'uploadIncidentAttachment',
    source: 'specification 4.3',
    tag: 'Incidents',
    summary: 'Attach a file to an incident',
    description: 'Uploads a file, 25 MB at most, and attaches it to an incident of the organization.',
    limit: 'uploads',
    costly: 'uploads',
    created: true,
    success: { created: 'The new attachment.' },
    body: { upload: 'attachment', content: { 'multipart/form-data': { schema: 'UploadIncidentAttachmentForm' } } },
    data: 'uploadIncidentAttachment.attachment',
    view: 'IncidentAttachment',
    parameters: INCIDENT_PARAMETERS,
    errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_DATA', 'FILE_TOO_LARGE'],
    example: ATTACHMENT_EXAMPLE,
  },
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/attachments/{id}`,
    operationId: 'readIncidentAttachment',
    tag: 'Incidents',
    summary: 'Read a file of an incident',
    description: 'What the file is, and where it can be downloaded.',
    data: 'incidentAttachment',
    view: 'IncidentAttachment',
    parameters: [...INCIDENT_PARAMETERS, FILE],
    errors: ['NOT_FOUND'],
    example: ATTACHMENT_EXAMPLE,
  },
  {
    method: 'DELETE',
    path: `${INCIDENT_PATH}/attachments/{id}`,
    operationId: 'deleteIncidentAttachment',
    tag: 'Incidents',
    summary: 'Delete a file of an incident',
    description:
      'Deletes the file and answers what it was. Whoever may attach files may delete their own; those of others take at least a Security Officer.',
    data: 'deleteIncidentAttachment.attachment',
    view: 'IncidentAttachment',
    parameters: [...INCIDENT_PARAMETERS, FILE],
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: ATTACHMENT_EXAMPLE,
  },
];
