import { BRANDING_DEFAULTS } from '../../values/enums.js';
import type { RouteGroup } from '../route.js';

/** The body that creates an organization: the one of all examples. */
const SENT = {
  name: 'Rossi Energia S.p.A.',
  description: 'Distribution of electricity and gas.',
  number_employees: 240,
  website: 'https://www.rossi-energia.example',
  logo: 'https://www.rossi-energia.example/logo.png',
  sectors: ['Energy', 'Utilities'],
  industries: ['Oil/Energy/Solar/Greentech'],
  nis2_sector: 'Energia - Energia elettrica',
  compliance_frameworks: [
    { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2021'] } },
    { value: 'NIS2', fields: { entity_type: 'essential' } },
  ],
  infrastructure: 'hybrid',
  contacts: [{ name: 'Anna Rossi', role: 'CISO', email: 'anna@rossi-energia.example', phone: '', email_report: true }],
  domains: ['rossi-energia.example'],
  ips: ['192.0.2.10'],
};

const EXAMPLES = {
  Organization: {
    id: 1,
    ...SENT,
    created_at: '2026-11-20T09:30:00.000Z',
    updated_at: '2026-11-20T09:30:00.000Z',
    role: 'VIEWER',
    privileges: ['READ_ORGANIZATION', 'READ_WORKFLOWS'],
  },
  OrganizationSettings: {
    time_zone: 'Europe/Rome',
    language: 'it',
    country: 'IT',
    report_weekday: 1,
    query_token_allowed: true,
    user_webhooks_allowed: true,
    audit_retention_days: 3_650,
    audit_witness_email: 'auditor@example.com',
  },
};

export const ORGANIZATIONS: RouteGroup = {
  tag: 'Organizations',
  examples: EXAMPLES,
  views: {
    OrganizationSummary: { of: 'Organization', fields: ['id name logo'] },
    Organization: [
      'id name description numberEmployees website logo sectors industries nis2Sector',
      { complianceFrameworks: 'ComplianceFramework' },
      'infrastructure',
      { contacts: 'Contact' },
      'domains ips createdAt updatedAt sandbox',
    ],
    ComplianceFramework: ['value fields'],
    Contact: ['name role email phone emailReport'],
    OrganizationSettings: [
      'timeZone language country trustServiceProvider reportWeekday queryTokenAllowed userWebhooksAllowed',
      'auditRetentionDays auditWitnessEmail nis2ReportingFrom qualifiedTrustServiceProvider',
    ],
    OrganizationPrivileges: { of: 'Organization', fields: ['viewerRole viewerPrivileges'] },
    FormOptions: [
      'sectors.label industries.label nis2Sectors.label',
      { complianceFrameworks: 'FrameworkOption' },
      'infrastructures.label',
      { roles: 'RoleDescription' },
      'tokenScopes notificationTypes notificationActions severities incidentStatuses incidentReportStages',
      'controlStatuses deviceKinds.label',
      { checkStatuses: 'CheckStatusOption' },
      'documentSources',
      { fileTypes: 'FileTypeOption', logoTypes: 'FileTypeOption' },
      'timeZones',
      { labels: 'ValueLabel', languages: 'LanguageOption' },
      { settings: 'OrganizationSettings', branding: 'Branding', limits: 'LimitOption' },
    ],
    FrameworkOption: ['label extensions entityTypes'],
    RoleDescription: ['role rank privileges'],
    CheckStatusOption: ['name value'],
    LanguageOption: ['tag name'],
    ValueLabel: ['enumeration value label'],
    FileTypeOption: ['name mediaTypes extensions'],
    LimitOption: ['name value'],
  },
  routes: {
    'GET /api/v1/organizations': {
      operationId: 'listOrganizations',
      remarks: 'With `deleted=true`, those that it may restore.',
      data: 'organizations.nodes',
      parameters: 'role search deleted',
      sort: 'name',
    },
    'POST /api/v1/organizations': {
      operationId: 'createOrganization',
      etag: 'none',
      data: 'createOrganization.organization',
      created: '/api/v1/organizations/{id}',
      body: {
        upload: 'organization',
        content: {
          'application/json': { schema: 'CreateOrganizationInput', example: SENT },
          'multipart/form-data': {
            schema: 'CreateOrganizationForm',
            encoding: {
              data: { contentType: 'application/json' },
              logo: { contentType: 'image/png, image/jpeg, image/webp, application/octet-stream' },
            },
          },
        },
      },
      errors: ['CONFLICT', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
    },
    'GET /api/v1/organizations/{id}': {
      past: true,
      operationId: 'getOrganization',
      remarks: 'Every member may read it; `ETag` names its state.',
      data: 'organization',
      etag: 'version',
    },
    'PATCH /api/v1/organizations/{id}': {
      operationId: 'updateOrganization',
      remarks:
        'An absent field stays as it is, null empties it; a list is replaced as a whole. Each field has the rules that it has on creation.',
      data: 'updateOrganization.organization',
      etag: 'version',
      body: { example: { number_employees: 250, website: null } },
      example: { number_employees: 250, website: '' },
    },
    'DELETE /api/v1/organizations/{id}': {
      operationId: 'deleteOrganization',
      remarks: 'After 30 days it goes for good.',
      data: 'deleteOrganization.organization',
    },
    'POST /api/v1/organizations/{id}/restore': {
      operationId: 'restoreOrganization',
      remarks: 'One that is not deleted stays as it is.',
      data: 'restoreOrganization.organization',
      etag: 'version',
      examples: { id: 3 },
    },
    'POST /api/v1/organizations/{id}/reset': {
      operationId: 'resetSandbox',
      remarks: 'Times of the example data count from the reset. `409` with `NOT_A_SANDBOX` for any other organization.',
      data: 'resetSandbox.organization',
      costly: 'packs',
      etag: 'version',
      examples: { id: 3 },
      errors: ['CONFLICT'],
    },
    'POST /api/v1/organizations/{id}/transfer': {
      operationId: 'transferOwnership',
      data: 'transferOwnership.organization',
      etag: 'version',
      body: { example: { user_id: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d' } },
      errors: ['CONFLICT'],
    },
    'POST /api/v1/organizations/{id}/leave': {
      operationId: 'leaveOrganization',
      etag: 'none',
      data: 'leaveOrganization.organization',
      errors: ['CONFLICT'],
    },
    'PUT /api/v1/organizations/{id}/logo': {
      operationId: 'setOrganizationLogo',
      remarks: 'Its URL becomes `logo`.',
      data: 'setOrganizationLogo.organization',
      costly: 'uploads',
      body: { upload: 'logo', content: { 'multipart/form-data': { schema: 'SetOrganizationLogoForm' } } },
      etag: 'version',
      errors: ['CONFLICT', 'INVALID_DATA', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
      example: {
        logo: 'https://gateway.example/logos/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png',
      },
    },
    'DELETE /api/v1/organizations/{id}/logo': {
      operationId: 'removeOrganizationLogo',
      remarks: '`logo` becomes empty, wherever it was stored.',
      data: 'removeOrganizationLogo.organization',
      etag: 'version',
      example: { logo: '' },
    },
    'GET /api/v1/organizations/{id}/settings': {
      past: true,
      operationId: 'getOrganizationSettings',
      remarks: 'Every member may read them.',
      data: 'organization.settings',
      etag: 'version',
    },
    'PATCH /api/v1/organizations/{id}/settings': {
      operationId: 'updateOrganizationSettings',
      remarks:
        'An absent setting stays as it is, null is what it was at first. `audit_retention_days` and `audit_witness_email` take an owner.',
      data: 'updateOrganizationSettings.organization.settings',
      etag: 'version',
      body: { example: { time_zone: 'Europe/Rome', language: 'it', report_weekday: 1 } },
    },
    'GET /api/v1/organizations/{id}/privileges': {
      past: 'CALLER',
      operationId: 'getOrganizationPrivileges',
      etag: 'none',
      description: 'The role of the caller, and what it may do with the token of this request.',
      data: 'organization',
      view: 'OrganizationPrivileges',
    },
  },
};

/** The default in REST's spelling. */
const { palette, customColors } = BRANDING_DEFAULTS;
const BRANDING_EXAMPLE = {
  palette,
  custom_colors: {
    primary: customColors.primary,
    primary_hover: customColors.primaryHover,
    primary_dark: customColors.primaryDark,
  },
};

export const BRANDING: RouteGroup = {
  tag: 'Organizations',
  examples: { Branding: BRANDING_EXAMPLE },
  views: {
    Branding: ['palette', { customColors: ['primary primaryHover primaryDark'] }],
  },
  routes: {
    'GET /api/v1/organizations/{id}/branding': {
      past: true,
      operationId: 'getBranding',
      remarks: 'Default values are returned when no branding is configured.',
      data: 'organization.branding',
      etag: 'version',
    },
    'PUT /api/v1/organizations/{id}/branding': {
      operationId: 'updateBranding',
      remarks:
        'An absent field stays as it is, null is the default. Hover and dark shade are derived from the primary colour where they are absent. White text must have a contrast of at least 4.5 to each colour.',
      data: 'updateBranding.organization.branding',
      etag: 'version',
      body: { example: { palette: 'ocean', custom_colors: { primary: '#1F6FEB' } } },
      example: {
        palette: 'ocean',
        custom_colors: { primary: '#1F6FEB', primary_hover: '#1A5FCA', primary_dark: '#103B7E' },
      },
    },
  },
};

// Specification 2.2.
export const WEEKLY_REPORTS: RouteGroup = {
  tag: 'Organizations',
  views: {
    WeeklyReportPreview: ['week subject html text'],
    WeeklyReportDelivery: ['id week email status attemptCount createdAt sentAt lastError'],
  },
  routes: {
    'GET /api/v1/organizations/{organizationid}/weekly-report': {
      past: 'SUMMARIES',
      operationId: 'previewWeeklyReport',
      remarks: 'It is the mail that contacts with `email_report` get.',
      data: 'weeklyReportPreview',
      example: {
        week: '2026-W47',
        subject: 'Rossi Energia S.p.A.: weekly security report, week 47 of 2026',
        html: '<!doctype html>…',
        text: 'Hello,\n\nthis is the security report of Rossi Energia S.p.A. for week 47 of 2026 …',
      },
    },
    'GET /api/v1/organizations/{organizationid}/weekly-report/deliveries': {
      past: 'SUMMARIES',
      operationId: 'listWeeklyReportDeliveries',
      // Specification 2.2.
      remarks: 'One item for each report to each contact.',
      data: 'organization.weeklyReportDeliveries.nodes',
      parameters: 'week status',
      examples: { week: '2026-W47' },
      example: {
        id: 51,
        week: '2026-W47',
        email: 'anna@rossi-energia.example',
        status: 'SENT',
        attempt_count: 1,
        created_at: '2026-11-16T07:00:20.000Z',
        sent_at: '2026-11-16T07:00:22.000Z',
      },
    },
  },
};
