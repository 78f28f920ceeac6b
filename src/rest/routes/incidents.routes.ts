import type { RouteGroup } from '../route.js';

/** The common beginning of the routes of incidents, of their reports and of their files. */
const INCIDENTS_PATH = '/api/v1/v-ciso/incidents/{organizationid}';
export const INCIDENT_PATH = `${INCIDENTS_PATH}/{incidentid}`;

const INCIDENT_EXAMPLE = {
  id: 12,
  title: 'Phishing wave',
  description: 'Several mailboxes were taken over.',
  severity: 'HIGH',
  status: 'CONTAINED',
  significant: true,
  aware_at: '2026-11-19T08:15:30.000Z',
  occurred_at: '2026-11-18T21:40:00.000Z',
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
  source: 'Directive (EU) 2022/2555, Article 23; Member States may require more.',
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
  views: {
    Incident: [
      'id',
      { organization: 'OrganizationSummary' },
      'title description severity status significant awareAt occurredAt handledAt suspectedMalicious crossBorder',
      'affectsTrustService affectsQualifiedTrustService personalDataConcerned exploitedVulnerability productConcerned',
      'classifiedAt fixAvailableAt',
      'intermediateReportDueAt category indicators impact rootCause mitigation',
      { clock: 'IncidentClock' },
      'openedBy.username createdAt updatedAt closedAt closedBy.username rehearsal',
    ],
    IncidentClock: [
      'applies',
      { stages: 'IncidentStage' },
      'factsAsOf',
      { facts: ['fact values'] },
      { outOfScope: ['regimeId regimeName source reason'] },
    ],
    IncidentStage: [
      'regimeId regimeName source reason stage number state dueAt late sentAt sentBy.username recipient reference',
      'attachmentId manner mannerReason extendedTo portalUrl',
      { judgedNow: ['applies dueAt late'] },
    ],
    IncidentReport: [
      'id regimeId stage number sentAt sentBy.username recipient reference attachmentId reason recordedBy.username',
      'recordedAt manner dueAt late source extendedTo',
    ],
    SignificanceQuestions: [
      { services: ['service label'], questions: ['question text act article sourceUrl services together exempts'] },
    ],
  },
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
      example: { status: 'OPEN' },
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
      example: { status: 'CLOSED', closed_at: '2026-11-24T09:00:00.000Z', closed_by: 'a.rossi' },
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
      example: { status: 'OPEN' },
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
    [`PATCH ${INCIDENT_PATH}/reports/{regimeid}/{stage}`]: {
      operationId: 'correctIncidentReport',
      remarks: '`sent_at` null takes it back. Takes at least a Security Officer.',
      data: 'correctIncidentReport.incident',
      body: { example: { sent_at: null, reason: 'It was sent to the wrong authority.' } },
      errors: ['CONFLICT'],
    },
  },
};
