import { LIMITS } from '../../values/limits.js';
import { TEXT } from '../request/parameters.js';
import type { RouteGroup } from '../route.js';

const REGIME_EXAMPLE = {
  regime_id: 'gdpr',
  name: 'GDPR',
  source: 'Regulation (EU) 2016/679, Articles 33 and 34.',
  source_url: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
  valid_from: '2018-05-25',
  checked_on: '2026-11-25',
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

const DRAFT_PATH = '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regimeid}/{stage}/draft';

/** A draft as a file has the parameters of the draft itself. */
const DRAFT_FILE = {
  data: 'draftIncidentReport',
  parameters: 'number',
  constraints: { regimeid: TEXT },
} as const;

export const REPORT_DRAFTS: RouteGroup = {
  tag: 'Incidents',
  views: {
    ReportingRegime: [
      'regimeId name source sourceUrl validFrom validUntil checkedOn replaces reason',
      {
        scope: [
          'outside',
          { alternatives: [{ conditions: ['fact values'] }], exceptions: [{ conditions: ['fact values'] }, 'reason'] },
        ],
        begins: ['fact reason'],
        conditions: ['fact values'],
        categories: ['category label entity'],
        stages: [
          'stage trigger after period latestAwareHours atMost updates recipient addressee onlyWhere mayInclude',
          'alreadyProvided notDue wholeDays',
          {
            fields: ['key label source law optional'],
            nextWorkingDay: ['until law'],
            derogations: [
              'trigger after period latestAwareHours reason wholeDays',
              { conditions: ['fact values'], nextWorkingDay: ['until law'] },
            ],
          },
        ],
        national: ['country validFrom name source sourceUrl recipient portalUrl remarks checkedOn checked'],
      },
    ],
    IncidentReportDraft: [
      'regimeId regimeName source reason stage number state dueAt extendedTo recipient portalUrl',
      { fields: ['key label value source law optional missing'] },
      'missing language draftedAt sandbox',
    ],
  },
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
      description: `The draft as a PDF document of at most ${LIMITS.incident.draftPages} pages; a longer one is refused (400). The download is recorded.`,
      handler: 'report-draft-pdf',
      costly: 'packs',
    },
  },
};
