import { LIMITS } from '../../values/limits.js';
import { TEXT } from '../request/parameters.js';
import type { RouteGroup } from '../route.js';

/** What the routes of incidents, of their reports and of their files have in common. */
const INCIDENTS_PATH = '/api/v1/v-ciso/incidents/{organizationid}';
const INCIDENT_PATH = `${INCIDENTS_PATH}/{incidentid}`;

const INCIDENT_EXAMPLE = {
  id: 12,
  title: 'Phishing wave',
  description: 'Several mailboxes were taken over.',
  severity: 'HIGH',
  status: 'CONTAINED',
  significant: true,
  aware_at: '2026-11-19T08:15:30.000Z',
  suspected_malicious: true,
  affects_trust_service: false,
  impact: 'Mail was read by others.',
  clock: {
    applies: true,
    facts_as_of: '2026-11-19T08:15:30.000Z',
    facts: [{ fact: 'country', values: ['DE'] }],
    stages: [
      {
        regime_id: 'nis2',
        regime_name: 'NIS 2, Germany',
        source: 'BSI-Gesetz (BSIG) as amended by the NIS2UmsuCG (BGBl. 2025 I Nr. 301), section 32.',
        reason: 'The incident is significant in the sense of Article 23(3).',
        stage: 'EARLY_WARNING',
        number: 1,
        state: 'SENT',
        due_at: '2026-11-20T08:15:30.000Z',
        manner: 'SENT',
        sent_at: '2026-11-19T16:00:00.000Z',
        sent_by: 'a.rossi',
        recipient: 'Gemeinsame Meldestelle of BSI and BBK',
        portal_url: 'https://portal.bsi.bund.de',
        reference: 'CSIRT-2026-1184',
      },
    ],
  },
  opened_by: 'l.bianchi',
  created_at: '2026-11-19T08:20:00.000Z',
  updated_at: '2026-11-19T16:00:00.000Z',
};

const REPORT_EXAMPLE = {
  id: 5,
  regime_id: 'nis2',
  stage: 'EARLY_WARNING',
  number: 1,
  sent_at: '2026-11-19T16:00:00.000Z',
  sent_by: 'a.rossi',
  manner: 'SENT',
  due_at: '2026-11-20T08:15:30.000Z',
  source: 'Directive (EU) 2022/2555, Article 23; Member States may ask for more.',
  reference: 'CSIRT-2026-1184',
  recorded_by: 'a.rossi',
  recorded_at: '2026-11-19T16:05:00.000Z',
};

const SIGNIFICANCE_EXAMPLE = {
  services: [{ service: 'cloud', label: 'Cloud computing services (Article 7)' }],
  questions: [
    {
      question: '7-a',
      text: 'Was a cloud computing service completely unavailable for more than 30 minutes?',
      act: 'Implementing Regulation (EU) 2024/2690',
      article: 'Article 7(a)',
      source_url: 'https://eur-lex.europa.eu/eli/reg_impl/2024/2690/oj',
      services: ['cloud'],
    },
  ],
};

export const INCIDENTS: RouteGroup = {
  tag: 'Incidents',
  examples: { Incident: INCIDENT_EXAMPLE, IncidentReport: REPORT_EXAMPLE },
  routes: {
    [`GET ${INCIDENTS_PATH}`]: {
      past: true,
      operationId: 'listIncidents',
      data: 'organization.incidents.nodes',
      parameters: 'status severity significant',
      sort: '-created_at',
    },
    [`POST ${INCIDENTS_PATH}`]: {
      operationId: 'openIncident',
      data: 'openIncident.incident',
      body: {
        example: { title: 'Phishing wave', severity: 'HIGH', significant: true, aware_at: '2026-11-19T08:15:30Z' },
      },
      created: `${INCIDENTS_PATH}/{id}`,
    },
    [`GET ${INCIDENT_PATH}`]: {
      past: true,
      operationId: 'getIncident',
      data: 'incident',
    },
    [`PATCH ${INCIDENT_PATH}`]: {
      operationId: 'updateIncident',
      remarks:
        'Such are a later `aware_at`, `significant: false`, and whatever else moves a deadline forward or takes it away. Absent fields stay as they are.',
      data: 'updateIncident.incident',
      body: { example: { status: 'CONTAINED', significant: true } },
      errors: ['CONFLICT'],
    },
    [`GET ${INCIDENT_PATH}/clock`]: {
      past: true,
      operationId: 'getIncidentClock',
      data: 'incident.clock',
      parameters: 'language',
      example: INCIDENT_EXAMPLE.clock,
    },
    [`GET ${INCIDENT_PATH}/significance`]: {
      past: true,
      operationId: 'listSignificanceQuestions',
      data: 'significanceQuestions',
      parameters: 'language',
      example: SIGNIFICANCE_EXAMPLE,
    },
    [`POST ${INCIDENT_PATH}/significance`]: {
      operationId: 'assessIncident',
      data: 'assessIncident.incident',
      body: { example: { services: ['other'], answers: [{ question: '23-3-b', answer: true }] } },
      errors: ['CONFLICT'],
    },
    [`POST ${INCIDENT_PATH}/close`]: {
      operationId: 'closeIncident',
      remarks: 'Closing it again changes nothing.',
      data: 'closeIncident.incident',
      body: { example: { reason: 'The authority took the notification by telephone.' } },
      examples: { incidentid: 4 },
    },
    [`POST ${INCIDENT_PATH}/rejudge`]: {
      operationId: 'rejudgeIncident',
      remarks: 'Takes at least a Security Officer.',
      data: 'rejudgeIncident.incident',
      body: { example: { reason: 'The country was entered after the incident.' } },
      examples: { incidentid: 3 },
      errors: ['CONFLICT'],
    },
    [`POST ${INCIDENT_PATH}/reopen`]: {
      operationId: 'reopenIncident',
      remarks: 'One that is not closed stays as it is. Takes at least a Security Officer.',
      data: 'reopenIncident.incident',
      examples: { incidentid: 1 },
    },
    [`GET ${INCIDENT_PATH}/reports`]: {
      past: true,
      operationId: 'listIncidentReports',
      data: 'incident.reports.nodes',
    },
    [`POST ${INCIDENT_PATH}/reports`]: {
      operationId: 'recordIncidentReport',
      remarks: 'The answer is the incident with its clock.',
      data: 'recordIncidentReport.incident',
      examples: { incidentid: 3 },
      body: { example: { regime_id: 'nis2', stage: 'EARLY_WARNING', reference: 'CSIRT-2026-1184' } },
      created: true,
      errors: ['CONFLICT'],
    },
    [`PATCH ${INCIDENT_PATH}/reports/{regime_id}/{stage}`]: {
      operationId: 'correctIncidentReport',
      remarks: '`sent_at` null takes it back. Takes at least a Security Officer.',
      data: 'correctIncidentReport.incident',
      body: { example: { sent_at: null, reason: 'It was sent to the wrong authority.' } },
      errors: ['CONFLICT'],
    },
  },
};

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

export const INCIDENT_RECORDS: RouteGroup = {
  tag: 'Incidents',
  examples: { IncidentNote: NOTE_EXAMPLE, IncidentAttachment: ATTACHMENT_EXAMPLE },
  routes: {
    [`GET ${INCIDENT_PATH}/notes`]: { past: true, operationId: 'listIncidentNotes', data: 'incident.notes.nodes' },
    [`POST ${INCIDENT_PATH}/notes`]: {
      operationId: 'addIncidentNote',
      data: 'addIncidentNote.note',
      body: { example: { text: NOTE_EXAMPLE.text } },
      created: true,
    },
    [`GET ${INCIDENT_PATH}/timeline`]: {
      past: true,
      operationId: 'listIncidentTimeline',
      remarks: 'The field that `kind` names has the object, the others are null.',
      data: 'incident.timeline.nodes',
      sort: 'at',
      example: {
        at: NOTE_EXAMPLE.created_at,
        kind: 'NOTE',
        actor: NOTE_EXAMPLE.created_by,
        note: {},
      },
    },
    [`GET ${INCIDENT_PATH}/attachments`]: {
      past: true,
      operationId: 'listIncidentAttachments',
      data: 'incident.attachments.nodes',
    },
    [`POST ${INCIDENT_PATH}/attachments`]: {
      operationId: 'uploadIncidentAttachment',
      data: 'uploadIncidentAttachment.attachment',
      costly: 'uploads',
      created: true,
      body: { upload: 'attachment', content: { 'multipart/form-data': { schema: 'UploadIncidentAttachmentForm' } } },
      errors: ['CONFLICT', 'INVALID_DATA', 'FILE_TOO_LARGE'],
    },
    [`GET ${INCIDENT_PATH}/attachments/{id}`]: {
      past: true,
      operationId: 'readIncidentAttachment',
      remarks: '`download_url` leads to them.',
      data: 'incidentAttachment',
    },
    [`DELETE ${INCIDENT_PATH}/attachments/{id}`]: {
      operationId: 'deleteIncidentAttachment',
      data: 'deleteIncidentAttachment.attachment',
      errors: ['CONFLICT'],
    },
  },
};

const REGIME_EXAMPLE = {
  regime_id: 'gdpr',
  name: 'GDPR',
  source: 'Regulation (EU) 2016/679, Articles 33 and 34.',
  source_url: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
  valid_from: '2018-05-25',
  checked: '2026-11-25',
  reason: 'Personal data are concerned.',
  conditions: [{ fact: 'personal_data_concerned', values: ['true'] }],
  stages: [
    {
      stage: 'NOTIFICATION',
      trigger: 'AWARE',
      period: 'PT72H',
      recipient: 'Supervisory authority for data protection',
      addressee: 'AUTHORITY',
      not_due: 'Article 33(1)',
      fields: [
        {
          key: 'description',
          label: 'Nature of the personal data breach',
          source: 'INCIDENT',
          law: 'Article 33(3)(a)',
        },
      ],
    },
  ],
};

const DRAFT_EXAMPLE = {
  regime_id: 'nis2-it',
  regime_name: 'NIS 2, Italy',
  source: 'Legislative Decree 138/2024, Article 25',
  reason: 'The incident is significant, and the organization is subject to Italian law.',
  stage: 'EARLY_WARNING',
  number: 1,
  state: 'DUE_SOON',
  due_at: '2026-11-20T08:15:30.000Z',
  recipient: 'CSIRT Italia',
  fields: [
    {
      key: 'suspected_malicious',
      label: 'Whether unlawful or malicious acts are suspected as the cause',
      value: 'Yes',
      source: 'INCIDENT',
      law: 'Article 25(5)(a)',
    },
    {
      key: 'cross_border',
      label: 'Whether the incident could have a cross-border impact',
      source: 'INCIDENT',
      law: 'Article 25(5)(a)',
      missing: true,
    },
  ],
  missing: ['cross_border'],
  drafted_at: '2026-11-20T06:00:00.000Z',
};

const DRAFT_PATH = '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft';

/** A draft as a file takes what the draft itself takes. */
const DRAFT_FILE = {
  data: 'draftIncidentReport',
  parameters: 'number',
  constraints: { regime_id: TEXT },
  errors: ['BAD_USER_INPUT'],
} as const;

const REHEARSAL_PATH = `${INCIDENT_PATH}/rehearsal-report`;

export const REHEARSALS: RouteGroup = {
  tag: 'Incidents',
  routes: {
    [`GET ${REHEARSAL_PATH}`]: {
      past: true,
      operationId: 'getRehearsalReport',
      etag: 'none',
      data: 'rehearsalReport',
      example: {
        incident_id: 12,
        title: 'Ransomware on two workstations',
        opened_at: '2026-11-20T09:00:00.000Z',
        closed_at: '2026-11-20T11:30:00.000Z',
        speed: 60,
        first_note_at: '2026-11-20T09:06:00.000Z',
        stages: [
          {
            ...{ regime_id: 'nis2', regime_name: 'NIS 2', stage: 'EARLY_WARNING', number: 1, state: 'SENT' },
            due_at: '2026-11-20T09:24:00.000Z',
            sent_at: '2026-11-20T09:26:30.000Z',
            sent_by: 'a.rossi',
            late_seconds: 150,
          },
        ],
        reactions: [
          { user: 'a.rossi', action: 'NOTE_ADDED', at: '2026-11-20T09:06:00.000Z', seconds_after_opening: 360 },
        ],
      },
    },
    [`GET ${REHEARSAL_PATH}.pdf`]: {
      data: 'rehearsalReport',
      past: 'DRAFTS',
      operationId: 'downloadRehearsalReport',
      description: 'The report as a PDF document, the same once the rehearsal is closed. The download is recorded.',
      handler: 'rehearsal-report-pdf',
      costly: 'packs',
    },
  },
};

export const REPORT_DRAFTS: RouteGroup = {
  tag: 'Incidents',
  routes: {
    'GET /api/v1/v-ciso/reporting-regimes': {
      operationId: 'listReportingRegimes',
      data: 'reportingRegimes.nodes',
      parameters: 'as_of language',
      example: REGIME_EXAMPLE,
    },
    [`GET ${DRAFT_PATH}`]: {
      past: 'DRAFTS',
      operationId: 'draftIncidentReport',
      data: 'draftIncidentReport',
      parameters: 'number',
      example: DRAFT_EXAMPLE,
    },
    [`GET ${DRAFT_PATH}.html`]: {
      ...DRAFT_FILE,
      past: 'DRAFTS',
      operationId: 'printIncidentReportDraft',
      description: 'The draft as a page that can be printed, or saved as PDF, by a browser. The download is recorded.',
      handler: 'report-draft-html',
    },
    [`GET ${DRAFT_PATH}.pdf`]: {
      ...DRAFT_FILE,
      past: 'DRAFTS',
      operationId: 'downloadIncidentReportDraft',
      description: `The draft as a PDF document of at most ${LIMITS.incident.draftPages} pages. The download is recorded.`,
      handler: 'report-draft-pdf',
      costly: 'packs',
    },
  },
};
