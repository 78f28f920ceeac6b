import { LIMITS } from '../../values/limits.js';
import { TEXT } from '../parameters.js';
import type { RouteGroup } from '../route.js';

const REGIME_EXAMPLE = {
  regime_id: 'gdpr',
  name: 'GDPR',
  source: 'Regulation (EU) 2016/679, Article 33.',
  source_url: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
  valid_from: '2018-05-25',
  reason: 'Personal data are concerned.',
  conditions: [{ fact: 'personal_data_concerned', values: ['true'] }],
  stages: [
    {
      stage: 'NOTIFICATION',
      trigger: 'AWARE',
      period: 'PT72H',
      recipient: 'Supervisory authority for data protection',
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

export const REPORT_DRAFTS: RouteGroup = {
  tag: 'Incidents',
  paths: {
    '/api/v1/v-ciso/reporting-regimes': {
      GET: {
        operationId: 'listReportingRegimes',
        data: 'reportingRegimes.nodes',
        parameters: 'limit offset',
        example: REGIME_EXAMPLE,
      },
    },
    [DRAFT_PATH]: {
      GET: {
        operationId: 'draftIncidentReport',
        data: 'draftIncidentReport',
        parameters: 'number',
        example: DRAFT_EXAMPLE,
      },
    },
    [`${DRAFT_PATH}.html`]: {
      GET: {
        ...DRAFT_FILE,
        operationId: 'printIncidentReportDraft',
        description:
          'The draft as a page that can be printed, or saved as PDF, by a browser. The download is recorded.',
        handler: 'report-draft-html',
      },
    },
    [`${DRAFT_PATH}.pdf`]: {
      GET: {
        ...DRAFT_FILE,
        operationId: 'downloadIncidentReportDraft',
        description: `The draft as a PDF document of at most ${LIMITS.incident.draftPages} pages. The download is recorded.`,
        handler: 'report-draft-pdf',
        costly: 'packs',
      },
    },
  },
};
