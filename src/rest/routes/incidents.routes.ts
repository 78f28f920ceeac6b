import { exampleOrganization } from '../openapi/examples.js';
import { routesAbout } from '../route.js';

/** What the routes of incidents, of their reports and of their files have in common. */
const INCIDENTS_PATH = '/api/v1/v-ciso/incidents/{organizationid}';
const INCIDENT_PATH = `${INCIDENTS_PATH}/{incidentid}`;

const INCIDENT_EXAMPLE = {
  id: 12,
  organization: exampleOrganization,
  title: 'Phishing wave',
  description: 'Several mailboxes were taken over.',
  severity: 'HIGH',
  status: 'CONTAINED',
  significant: true,
  aware_at: '2026-11-19T08:15:30.000Z',
  handled_at: null,
  suspected_malicious: true,
  cross_border: null,
  affects_trust_service: false,
  personal_data_concerned: null,
  exploited_vulnerability: null,
  product_concerned: null,
  fix_available_at: null,
  intermediate_report_due_at: null,
  category: '',
  indicators: '',
  impact: 'Mail was read by others.',
  root_cause: '',
  mitigation: '',
  clock: {
    applies: true,
    stages: [
      {
        regime_id: 'nis2',
        regime_name: 'NIS 2',
        source: 'Directive (EU) 2022/2555, Article 23(4); Member States may ask for more.',
        reason: 'The incident is significant in the sense of Article 23(3).',
        stage: 'EARLY_WARNING',
        number: 1,
        state: 'SENT',
        due_at: '2026-11-20T08:15:30.000Z',
        late: false,
        sent_at: '2026-11-19T16:00:00.000Z',
        sent_by: 'a.rossi',
        recipient: 'CSIRT or competent authority',
        reference: 'CSIRT-2026-1184',
        attachment_id: null,
      },
    ],
  },
  opened_by: 'l.bianchi',
  created_at: '2026-11-19T08:20:00.000Z',
  updated_at: '2026-11-19T16:00:00.000Z',
  closed_at: null,
  closed_by: null,
};

const REPORT_EXAMPLE = {
  id: 5,
  regime_id: 'nis2',
  stage: 'EARLY_WARNING',
  number: 1,
  sent_at: '2026-11-19T16:00:00.000Z',
  sent_by: 'a.rossi',
  recipient: '',
  reference: 'CSIRT-2026-1184',
  attachment_id: null,
  reason: '',
  recorded_by: 'a.rossi',
  recorded_at: '2026-11-19T16:05:00.000Z',
};

const INCIDENT_EXAMPLES = { Incident: INCIDENT_EXAMPLE, IncidentReport: REPORT_EXAMPLE };

export const INCIDENTS_ROUTES = routesAbout({ tag: 'Incidents', examples: INCIDENT_EXAMPLES }, [
  {
    method: 'GET',
    path: INCIDENTS_PATH,
    operationId: 'listIncidents',
    summary: 'List the incidents of an organization',
    description: 'Incidents with their clocks, newest first unless ordered otherwise.',
    data: 'organization.incidents.nodes',
    view: 'Incident',
    parameters: 'limit offset sort status severity significant',
    sort: '-created_at',
  },
  {
    method: 'POST',
    path: INCIDENTS_PATH,
    operationId: 'openIncident',
    summary: 'Open an incident',
    description:
      'Opens an incident. Which reports it owes follows from its facts and the settings of the organization.',
    data: 'openIncident.incident',
    view: 'Incident',
    body: {
      example: { title: 'Phishing wave', severity: 'HIGH', significant: true, aware_at: '2026-11-19T08:15:30Z' },
    },
    created: `${INCIDENTS_PATH}/{id}`,
  },
  {
    method: 'GET',
    path: INCIDENT_PATH,
    operationId: 'getIncident',
    summary: 'Read an incident',
    description: 'One incident with its clock.',
    data: 'incident',
    view: 'Incident',
  },
  {
    method: 'PATCH',
    path: INCIDENT_PATH,
    operationId: 'updateIncident',
    summary: 'Change an incident',
    description:
      'Changes what is given; absent fields stay as they are. An incident that is closed has to be opened again first. A later `aware_at`, `significant: false`, and whatever else moves a deadline forward or takes it away take at least a Security Officer and a `reason`.',
    data: 'updateIncident.incident',
    view: 'Incident',
    body: { example: { status: 'CONTAINED', significant: true } },
    errors: ['CONFLICT'],
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/close`,
    operationId: 'closeIncident',
    summary: 'Close an incident',
    description:
      'Closes an incident; closing it again changes nothing. While reports are owed, it takes at least a Security Officer and a `reason`.',
    data: 'closeIncident.incident',
    view: 'Incident',
    body: { example: { reason: 'The authority took the notification by telephone.' } },
    examples: { incidentid: 4 },
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/reopen`,
    operationId: 'reopenIncident',
    summary: 'Open a closed incident again',
    description: 'Its status is `OPEN` then; one that is not closed stays as it is. Takes at least a Security Officer.',
    data: 'reopenIncident.incident',
    view: 'Incident',
    examples: { incidentid: 1 },
  },
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/reports`,
    operationId: 'listIncidentReports',
    summary: 'List what was recorded about the reports of an incident',
    description: 'Who sent what when, and each correction of it, newest first.',
    data: 'incident.reports.nodes',
    view: 'IncidentReport',
    parameters: 'limit offset',
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/reports`,
    operationId: 'recordIncidentReport',
    summary: 'Record that a report was sent',
    description:
      'Records a report and answers the incident with its clock. The reports of a regime follow each other, each once.',
    data: 'recordIncidentReport.incident',
    view: 'Incident',
    examples: { incidentid: 3 },
    body: { example: { regime_id: 'nis2', stage: 'EARLY_WARNING', reference: 'CSIRT-2026-1184' } },
    created: true,
    errors: ['CONFLICT'],
  },
  {
    method: 'PATCH',
    path: `${INCIDENT_PATH}/reports/{regime_id}/{stage}`,
    operationId: 'correctIncidentReport',
    summary: 'Correct what is recorded of a report',
    description:
      'Corrects a report, or takes it back with `sent_at` null. What was recorded before stays in the history. Takes at least a Security Officer.',
    data: 'correctIncidentReport.incident',
    view: 'Incident',
    body: { example: { sent_at: null, reason: 'It was sent to the wrong authority.' } },
    errors: ['CONFLICT'],
  },
]);

const NOTE_EXAMPLE = {
  id: 3,
  text: 'The provider has confirmed that **no** mailbox was forwarded.',
  created_by: 'l.bianchi',
  created_at: '2026-11-19T17:10:00.000Z',
};

const ATTACHMENT_EXAMPLE = {
  id: 12,
  original_name: 'phishing-mail.eml',
  content_type: 'message/rfc822',
  size: 20_480,
  created_at: '2026-11-20T09:30:00.000Z',
  download_url:
    'https://gateway.example/api/v1/downloads/attachments/12?expires=1795167900&signature=k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE',
};

const RECORD_EXAMPLES = { IncidentNote: NOTE_EXAMPLE, IncidentAttachment: ATTACHMENT_EXAMPLE };

export const INCIDENT_RECORDS_ROUTES = routesAbout({ tag: 'Incidents', examples: RECORD_EXAMPLES }, [
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/notes`,
    operationId: 'listIncidentNotes',
    summary: 'List the notes on an incident',
    description: 'Notes on the incident, newest first.',
    data: 'incident.notes.nodes',
    view: 'IncidentNote',
    parameters: 'limit offset',
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/notes`,
    operationId: 'addIncidentNote',
    summary: 'Add a note to an incident',
    description: 'Adds a note, also to a closed incident. Notes are neither changed nor deleted.',
    data: 'addIncidentNote.note',
    view: 'IncidentNote',
    body: { example: { text: NOTE_EXAMPLE.text } },
    created: true,
  },
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/timeline`,
    operationId: 'listIncidentTimeline',
    summary: 'List what has happened to an incident',
    description:
      'Records about reports, files and notes, oldest first unless ordered otherwise; for a Security Officer and above also what else the audit trail has about the incident. The field that `kind` names has the object, the others are null.',
    data: 'incident.timeline.nodes',
    view: 'IncidentTimelineItem',
    parameters: 'limit offset sort',
    sort: 'at',
    example: {
      at: NOTE_EXAMPLE.created_at,
      kind: 'NOTE',
      actor: NOTE_EXAMPLE.created_by,
      ...{ entry: null, report: null, attachment: null },
      note: NOTE_EXAMPLE,
    },
  },
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/attachments`,
    operationId: 'listIncidentAttachments',
    summary: 'List the files of an incident',
    description: 'Files that are attached to the incident, newest first.',
    data: 'incident.attachments.nodes',
    view: 'IncidentAttachment',
    parameters: 'limit offset',
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/attachments`,
    operationId: 'uploadIncidentAttachment',
    source: 'specification 4.3',
    summary: 'Attach a file to an incident',
    description: 'Uploads a file, 25 MB at most, and attaches it to an incident of the organization.',
    costly: 'uploads',
    created: true,
    success: { created: 'The new attachment.' },
    body: { upload: 'attachment', content: { 'multipart/form-data': { schema: 'UploadIncidentAttachmentForm' } } },
    data: 'uploadIncidentAttachment.attachment',
    view: 'IncidentAttachment',
    errors: ['CONFLICT', 'INVALID_DATA', 'FILE_TOO_LARGE'],
  },
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/attachments/{id}`,
    operationId: 'readIncidentAttachment',
    summary: 'Read a file of an incident',
    description: 'What the file is, and where it can be downloaded.',
    data: 'incidentAttachment',
    view: 'IncidentAttachment',
  },
  {
    method: 'DELETE',
    path: `${INCIDENT_PATH}/attachments/{id}`,
    operationId: 'deleteIncidentAttachment',
    summary: 'Delete a file of an incident',
    description:
      'Deletes the file and answers what it was. A member who may attach files may delete their own; those of others take at least a Security Officer.',
    data: 'deleteIncidentAttachment.attachment',
    view: 'IncidentAttachment',
    errors: ['CONFLICT'],
  },
]);
