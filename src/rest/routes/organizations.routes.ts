import { BRANDING_DEFAULTS } from '../../values/defaults.js';
import { ORGANIZATION_EXAMPLE, SENT_ORGANIZATION } from '../openapi/examples.js';
import type { Route } from '../route.js';

export const ORGANIZATIONS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations',
    operationId: 'listOrganizations',
    tag: 'Organizations',
    summary: 'List the organizations of the authenticated user',
    description: 'The organizations that the caller belongs to; with `deleted=true`, those that it may restore.',
    data: 'organizations.nodes',
    view: 'Organization',
    parameters: 'limit offset sort role search deleted',
    sort: 'name',
    sortNames: { CREATED: 'created_at' },
    errors: ['BAD_USER_INPUT'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'POST',
    path: '/api/v1/organizations',
    operationId: 'createOrganization',
    source: 'specification 4.1',
    tag: 'Organizations',
    summary: 'Create an organization',
    description: 'Creates an organization. The authenticated user becomes its Organization Owner.',
    data: 'createOrganization.organization',
    view: 'Organization',
    created: '/api/v1/organizations/{id}',
    body: {
      upload: 'organization',
      content: {
        'application/json': { schema: 'CreateOrganizationInput', example: SENT_ORGANIZATION },
        'multipart/form-data': {
          schema: 'CreateOrganizationForm',
          encoding: {
            data: { contentType: 'application/json' },
            logo: { contentType: 'image/png, image/jpeg, image/webp, application/octet-stream' },
          },
        },
      },
    },
    errors: ['BAD_USER_INPUT', 'CONFLICT', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}',
    operationId: 'getOrganization',
    tag: 'Organizations',
    summary: 'Read an organization',
    description: 'Every member may read it. `ETag` names its state.',
    data: 'organization',
    view: 'Organization',
    etag: true,
    errors: ['NOT_FOUND'],
    example: ORGANIZATION_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{id}',
    operationId: 'updateOrganization',
    tag: 'Organizations',
    summary: 'Change the profile of an organization',
    description:
      'An absent field stays as it is, null empties it; a list is replaced as a whole. Each field has the rules that it has on creation. Only who manages the organization can.',
    data: 'updateOrganization.organization',
    view: 'Organization',
    etag: true,
    parameters: 'If-Match',
    body: { input: 'UpdateOrganizationInput', example: { number_employees: 250, website: null } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ORGANIZATION_EXAMPLE,
  },
];

const SETTINGS_EXAMPLE = {
  time_zone: 'Europe/Rome',
  country: 'IT',
  trust_service_provider: false,
  report_weekday: 1,
  query_token_allowed: true,
  audit_retention_days: 3_650,
};

export const SETTINGS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/settings',
    operationId: 'getOrganizationSettings',
    tag: 'Organizations',
    summary: 'Read the settings of an organization',
    description: 'Every member may read them.',
    data: 'organization.settings',
    view: 'OrganizationSettings',
    etag: true,
    errors: ['NOT_FOUND'],
    example: SETTINGS_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{id}/settings',
    operationId: 'updateOrganizationSettings',
    tag: 'Organizations',
    summary: 'Change the settings of an organization',
    description:
      'An absent setting stays as it is, null is what it was at first. Only who manages the organization can; `audit_retention_days` takes an owner.',
    data: 'updateOrganizationSettings.organization.settings',
    view: 'OrganizationSettings',
    etag: true,
    parameters: 'If-Match',
    body: { input: 'UpdateOrganizationSettingsInput', example: { time_zone: 'Europe/Rome', report_weekday: 1 } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: SETTINGS_EXAMPLE,
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/privileges',
    operationId: 'getOrganizationPrivileges',
    tag: 'Organizations',
    summary: 'Ask what the caller may do in an organization',
    description: 'The role of the caller, and what it may do with the token of this request.',
    data: 'organization',
    view: 'OrganizationPrivileges',
    errors: ['NOT_FOUND'],
    example: { role: 'VIEWER', privileges: ['READ_ORGANIZATION', 'READ_WORKFLOWS'] },
  },
];

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

export const BRANDING_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/branding',
    operationId: 'getBranding',
    source: 'specification 4.9',
    tag: 'Organizations',
    summary: 'Read the branding of an organization',
    description: 'Default values are returned when no branding is configured.',
    data: 'organization.branding',
    view: 'Branding',
    etag: true,
    errors: ['NOT_FOUND'],
    example: BRANDING_EXAMPLE,
  },
  {
    method: 'PUT',
    path: '/api/v1/organizations/{id}/branding',
    operationId: 'updateBranding',
    tag: 'Organizations',
    summary: 'Change the branding of an organization',
    description:
      'An absent field stays as it is, null is the default. Hover and dark shade are derived from the primary colour where they are absent. White text must have a contrast of at least 4.5 to each colour. Only who manages the organization can.',
    data: 'updateBranding.organization.branding',
    view: 'Branding',
    etag: true,
    parameters: 'If-Match',
    body: { input: 'UpdateBrandingInput', example: { palette: 'ocean', custom_colors: { primary: '#1F6FEB' } } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: {
      palette: 'ocean',
      custom_colors: { primary: '#1F6FEB', primary_hover: '#1A5FCA', primary_dark: '#103B7E' },
    },
  },
];
