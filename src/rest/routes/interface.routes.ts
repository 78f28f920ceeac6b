import { DESCRIPTION_ANSWERS, IF_NONE_MATCH } from '../openapi/file-answers.js';
import type { Route } from '../route.js';

export const OPTIONS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/options',
    operationId: 'getFormOptions',
    source: 'specification 2.2',
    tag: 'Interface',
    summary: 'Read what forms can offer',
    description:
      'Value lists in exact spelling, roles with their privileges, types and limits. They are the same for every caller and change only with a new version of the gateway: keep them for an hour, and ask with `If-None-Match` from then on.',
    data: 'formOptions',
    view: 'FormOptions',
    revision: 'formOptions.revision',
    cacheControl: 'private, max-age=3600',
    errors: [],
    example: {
      sectors: ['Agriculture'],
      industries: ['Accounting'],
      nis2_sectors: ['', 'Acqua potabile'],
      compliance_frameworks: [{ value: 'NIS2', extensions: [], entity_types: ['important', 'essential'] }],
      infrastructures: ['cloud', 'on-prem', 'hybrid'],
      roles: [{ role: 'VIEWER', rank: 1, privileges: ['READ_ORGANIZATION'] }],
      token_scopes: ['READ', 'WRITE', 'TELEMETRY'],
      notification_types: ['INCIDENT', 'DOCUMENT'],
      notification_actions: ['OPEN', 'NONE'],
      severities: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'],
      incident_statuses: ['OPEN', 'CONTAINED', 'RESOLVED', 'CLOSED'],
      incident_report_stages: ['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT'],
      control_statuses: ['TO_DO', 'IN_PROGRESS', 'DONE', 'NOT_APPLICABLE'],
      device_kinds: ['cloud-defender', 'atb'],
      check_statuses: [{ name: 'HEALTHY', value: 1 }],
      document_sources: ['attached', 'generated', 'imported'],
      file_types: [{ name: 'PDF', media_types: ['application/pdf'], extensions: ['pdf'] }],
      logo_types: [{ name: 'PNG', media_types: ['image/png'], extensions: ['png'] }],
      time_zones: ['UTC', 'Europe/Rome'],
      settings: {
        time_zone: 'UTC',
        country: null,
        trust_service_provider: false,
        report_weekday: 1,
        query_token_allowed: true,
        audit_retention_days: null,
      },
      branding: {
        palette: 'default',
        custom_colors: { primary: '#1F6FEB', primary_hover: '#1A5FCC', primary_dark: '#0D3A80' },
      },
      limits: [{ name: 'organization.name_characters', value: 200 }],
    },
  },
];

export const INTERFACE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/openapi.json',
    operationId: 'getInterfaceDescription',
    source: 'specification 9',
    tag: 'Interface',
    summary: 'Read this description',
    description: 'This very document, as JSON.',
    handler: 'description',
    answers: DESCRIPTION_ANSWERS,
    conditions: [IF_NONE_MATCH],
    parameters: [],
    errors: [],
    open: true,
  },
];
