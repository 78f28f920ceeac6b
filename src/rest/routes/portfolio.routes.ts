import { LIMITS } from '../../values/limits.js';
import type { RouteGroup } from '../route.js';

const { maxPageSize } = LIMITS.portfolio;
const pageSize = `must be from ${LIMITS.page.minSize} to ${maxPageSize}`;

const DEADLINE = {
  incident: { id: 12, title: 'Phishing wave in Città di Castello' },
  regime_id: 'nis2-it',
  regime_name: 'NIS 2 in Italy (D.Lgs. 138/2024)',
  stage: 'NOTIFICATION',
  number: 1,
  due_at: '2026-11-23T08:15:30.000Z',
  extended_to: null,
  state: 'DUE_SOON',
};

export const PORTFOLIO: RouteGroup = {
  tag: 'Organizations',
  examples: { ReportDeadline: DEADLINE },
  views: {
    OrganizationOverview: [
      { organization: 'OrganizationSummary' },
      'role',
      { progress: 'WorkflowProgress' },
      'overdueControls',
      { attestations: ['attested countersigned stale'] },
      { incidents: ['open contained resolved closed overdue'], nextDeadline: 'ReportDeadline' },
      'devicesDown',
    ],
    WorkItem: [
      'kind title dueAt overdue',
      {
        organization: 'OrganizationSummary',
        control: ['workflowId controlId label status dueDate'],
        report: 'ReportDeadline',
      },
    ],
    ReportDeadline: [{ incident: ['id title'] }, 'regimeId regimeName stage number dueAt extendedTo state'],
  },
  routes: {
    'GET /api/v1/v-ciso/overview': {
      operationId: 'getOverview',
      remarks:
        '`devices_down` is null below ORGANIZATION_MANAGER. Sorted by `next_deadline`, organizations that owe no report come last either way.',
      data: 'portfolio.nodes',
      parameters: 'language',
      acrossOrganizations: true,
      constraints: {
        limit: { maximum: maxPageSize, sentences: { type: pageSize, minimum: pageSize, maximum: pageSize } },
      },
      sort: 'name',
      example: {
        role: 'SECURITY_OFFICER',
        progress: { total: 93, to_do: 60, in_progress: 12, done: 20, not_applicable: 1 },
        overdue_controls: 3,
        attestations: { attested: 18, countersigned: 15, stale: 2 },
        incidents: { open: 2, contained: 1, resolved: 0, closed: 7, overdue: 1 },
        next_deadline: {},
      },
    },
    'GET /api/v1/v-ciso/work': {
      operationId: 'listWork',
      remarks: 'A control is there for its newest document where `kind` is `REVIEW`.',
      data: 'work.nodes',
      parameters: 'assignee assignee_id due_before organization_id kind language',
      acrossOrganizations: true,
      errors: ['NOT_FOUND'],
      example: {
        kind: 'REPORT',
        title: 'Phishing wave in Città di Castello',
        due_at: '2026-11-23T08:15:30.000Z',
        report: {},
      },
    },
  },
};

const { minCharacters, maxCharacters, maxOffset } = LIMITS.search;

const length = `must have from ${minCharacters} to ${maxCharacters} characters`;

export const SEARCH: RouteGroup = {
  tag: 'Search',
  views: {
    SearchResult: ['type recordId title snippet href', { organization: 'OrganizationSummary' }],
  },
  routes: {
    'GET /api/v1/search': {
      operationId: 'search',
      remarks:
        'Members are found where the caller may list them, and notifications are the newest 5,000 of the caller.',
      data: 'search.nodes',
      arguments: { q: 'query' },
      parameters: 'q organization_id types limit offset',
      costly: 'searches',
      constraints: {
        q: {
          minLength: minCharacters,
          maxLength: maxCharacters,
          text: 'line',
          trim: true,
          sentences: { minLength: length, maxLength: length },
        },
        offset: { maximum: maxOffset, sentences: { maximum: `must be from 0 to ${maxOffset}` } },
      },
      examples: { q: 'supplier', types: 'INCIDENT,DOCUMENT' },
      errors: ['NOT_FOUND'],
      example: {
        type: 'INCIDENT',
        id: '12',
        title: 'Phishing wave in Città di Castello',
        snippet: 'Mails in the name of the city council ask for passwords.',
        href: '/organizations/1/incidents/12',
      },
    },
  },
};
