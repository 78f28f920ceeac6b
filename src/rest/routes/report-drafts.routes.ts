import { INCIDENT_REPORT_STAGES } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { ID, pathParameter, queryParameter, TEXT } from '../parameters.js';
import { routesAbout } from '../route.js';

const REGIME_EXAMPLE = {
  regime_id: 'gdpr',
  name: 'GDPR',
  source: 'Regulation (EU) 2016/679, Article 33.',
  source_url: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
  valid_from: '2018-05-25',
  valid_until: null,
  replaces: null,
  reason: 'Personal data are concerned.',
  conditions: [{ fact: 'personal_data_concerned', values: ['true'] }],
  categories: [],
  stages: [
    {
      stage: 'NOTIFICATION',
      trigger: 'AWARE',
      after: null,
      period: 'PT72H',
      at_most: null,
      recipient: 'Supervisory authority for data protection',
      fields: [
        {
          key: 'description',
          label: 'Nature of the personal data breach',
          source: 'INCIDENT',
          law: 'Article 33(3)(a)',
          optional: false,
        },
      ],
      derogations: [],
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
      optional: false,
      missing: false,
    },
    {
      key: 'cross_border',
      label: 'Whether the incident could have a cross-border impact',
      value: null,
      source: 'INCIDENT',
      law: 'Article 25(5)(a)',
      optional: false,
      missing: true,
    },
  ],
  missing: ['cross_border'],
  drafted_at: '2026-11-20T06:00:00.000Z',
};

const DRAFT_PATH = '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft';

const FILE_PARAMETERS = [
  pathParameter('organizationid', { description: 'The organization.', schema: ID, example: 1 }),
  pathParameter('incidentid', { description: 'Which incident.', schema: ID, example: 2 }),
  pathParameter('regime_id', {
    description: 'The regime that asks for it, such as `nis2`.',
    schema: TEXT,
    example: 'nis2-it',
  }),
  pathParameter('stage', {
    description: 'Which report.',
    schema: { type: 'string', enum: INCIDENT_REPORT_STAGES },
    example: 'EARLY_WARNING',
  }),
  queryParameter('number', {
    description: 'Which of the reports of the stage; the last one when absent.',
    schema: { type: 'integer', format: 'int32' },
    example: 1,
  }),
];

export const REPORT_DRAFTS_ROUTES = routesAbout({ tag: 'Incidents' }, [
  {
    method: 'GET',
    path: '/api/v1/v-ciso/reporting-regimes',
    operationId: 'listReportingRegimes',
    summary: 'List the reporting regimes',
    description:
      'The laws that ask for reports after an incident: when each applies, its stages with deadline and recipient, and what each report says.',
    data: 'reportingRegimes.nodes',
    view: 'ReportingRegime',
    parameters: 'limit offset',
    example: REGIME_EXAMPLE,
  },
  {
    method: 'GET',
    path: DRAFT_PATH,
    operationId: 'draftIncidentReport',
    summary: 'Draft a report of an incident',
    description:
      'The report as it would be sent now, filled from the incident, its notes and the organization, and what is still missing in it. It changes nothing.',
    data: 'draftIncidentReport',
    view: 'IncidentReportDraft',
    parameters: 'number',
    example: DRAFT_EXAMPLE,
  },
  {
    method: 'GET',
    path: `${DRAFT_PATH}.html`,
    operationId: 'printIncidentReportDraft',
    summary: 'Draft a report of an incident for printing',
    description: 'The draft as a page that can be printed, or saved as PDF, by a browser. The download is recorded.',
    handler: 'report-draft-html',
    parameters: FILE_PARAMETERS,
    errors: ['BAD_USER_INPUT'],
  },
  {
    method: 'GET',
    path: `${DRAFT_PATH}.pdf`,
    operationId: 'downloadIncidentReportDraft',
    summary: 'Draft a report of an incident as PDF',
    description: `The draft as a PDF document of at most ${LIMITS.incident.draftPages} pages. The download is recorded.`,
    handler: 'report-draft-pdf',
    costly: 'packs',
    parameters: FILE_PARAMETERS,
    errors: ['BAD_USER_INPUT'],
  },
]);
