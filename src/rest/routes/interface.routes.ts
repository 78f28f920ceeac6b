import type { RouteGroup } from '../route.js';

// Specification 2.2.
export const INTERFACE: RouteGroup = {
  tag: 'Interface',
  routes: {
    'GET /api/v1/options': {
      operationId: 'getFormOptions',
      remarks:
        'They are the same for every caller and change only with a new version of the gateway: keep them for an hour, and ask with `If-None-Match` from then on.',
      data: 'formOptions',
      parameters: 'language',
      revision: 'formOptions.revision',
      cacheControl: 'private, max-age=3600',
      example: {
        sectors: ['Agriculture'],
        industries: ['Accounting'],
        nis2_sectors: ['', 'Acqua potabile'],
        compliance_frameworks: [{ value: 'NIS2', entity_types: ['important', 'essential'] }],
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
          query_token_allowed: true,
          audit_retention_days: null,
          audit_witness_email: null,
        },
        limits: [{ name: 'organization.name_characters', value: 200 }],
      },
    },
    'GET /api/v1/openapi.json': {
      operationId: 'getInterfaceDescription',
      // Specification 9.
      description: 'The OpenAPI document that describes these paths, as JSON.',
      handler: 'description',
      open: true,
    },
  },
};
