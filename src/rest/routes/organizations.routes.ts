import { BRANDING_DEFAULTS } from '../../values/enums.js';
import { ORGANIZATION_EXAMPLE, SENT_ORGANIZATION } from '../openapi/examples.js';
import { routesAbout } from '../route.js';

const SETTINGS_EXAMPLE = {
  time_zone: 'Europe/Rome',
  country: 'IT',
  trust_service_provider: false,
  report_weekday: 1,
  query_token_allowed: true,
  audit_retention_days: 3_650,
};

const EXAMPLES = { Organization: ORGANIZATION_EXAMPLE, OrganizationSettings: SETTINGS_EXAMPLE };

export const ORGANIZATIONS_ROUTES = routesAbout({ tag: 'Organizations', examples: EXAMPLES }, [
  {
    method: 'GET',
    path: '/api/v1/organizations',
    operationId: 'listOrganizations',
    summary: 'List the organizations of the authenticated user',
    description: 'The organizations that the caller belongs to; with `deleted=true`, those that it may restore.',
    data: 'organizations.nodes',
    view: 'Organization',
    parameters: 'limit offset sort role search deleted',
    sort: 'name',
    sortNames: { CREATED: 'created_at' },
  },
  {
    method: 'POST',
    path: '/api/v1/organizations',
    operationId: 'createOrganization',
    source: 'specification 4.1',
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
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}',
    operationId: 'getOrganization',
    summary: 'Read an organization',
    description: 'Every member may read it. `ETag` names its state.',
    data: 'organization',
    view: 'Organization',
    etag: true,
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{id}',
    operationId: 'updateOrganization',
    summary: 'Change the profile of an organization',
    description:
      'An absent field stays as it is, null empties it; a list is replaced as a whole. Each field has the rules that it has on creation. Only who manages the organization can.',
    data: 'updateOrganization.organization',
    view: 'Organization',
    etag: true,
    parameters: 'If-Match',
    body: { example: { number_employees: 250, website: null } },
  },
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{id}',
    operationId: 'deleteOrganization',
    summary: 'Delete an organization',
    description:
      'Deletes the organization softly and returns it. It looks absent to everybody; an owner may restore it for 30 days, and then it goes for good. Only an owner can.',
    data: 'deleteOrganization.organization',
    view: 'Organization',
    parameters: 'If-Match',
  },
  {
    method: 'POST',
    path: '/api/v1/organizations/{id}/restore',
    operationId: 'restoreOrganization',
    summary: 'Restore a deleted organization',
    description:
      'Brings back an organization that was deleted in the last 30 days; one that is not deleted stays as it is. Only an owner can, and to others it looks absent.',
    data: 'restoreOrganization.organization',
    view: 'Organization',
    etag: true,
    examples: { id: 3 },
  },
  {
    method: 'POST',
    path: '/api/v1/organizations/{id}/transfer',
    operationId: 'transferOwnership',
    summary: 'Transfer the ownership to another member',
    description:
      'The member becomes ORGANIZATION_OWNER and the caller ORGANIZATION_MANAGER, both at once. Only an owner can.',
    data: 'transferOwnership.organization',
    view: 'Organization',
    etag: true,
    body: { example: { user_id: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d' } },
    errors: ['CONFLICT'],
  },
  {
    method: 'POST',
    path: '/api/v1/organizations/{id}/leave',
    operationId: 'leaveOrganization',
    summary: 'Leave an organization',
    description: 'Ends the membership of the caller and returns the organization. The last owner cannot leave: 409.',
    data: 'leaveOrganization.organization',
    view: 'Organization',
    errors: ['CONFLICT'],
  },
  {
    method: 'PUT',
    path: '/api/v1/organizations/{id}/logo',
    operationId: 'setOrganizationLogo',
    summary: 'Store the logo of an organization',
    description: 'Its URL becomes `logo`. Only who manages the organization can.',
    costly: 'uploads',
    body: { upload: 'logo', content: { 'multipart/form-data': { schema: 'SetOrganizationLogoForm' } } },
    data: 'setOrganizationLogo.organization',
    view: 'Organization',
    etag: true,
    parameters: 'If-Match',
    errors: ['CONFLICT', 'INVALID_DATA', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
  },
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{id}/logo',
    operationId: 'removeOrganizationLogo',
    summary: 'Remove the logo of an organization',
    description: '`logo` becomes empty, wherever it was stored. Only who manages the organization can.',
    data: 'removeOrganizationLogo.organization',
    view: 'Organization',
    etag: true,
    parameters: 'If-Match',
    example: { ...ORGANIZATION_EXAMPLE, logo: '' },
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/settings',
    operationId: 'getOrganizationSettings',
    summary: 'Read the settings of an organization',
    description: 'Every member may read them.',
    data: 'organization.settings',
    view: 'OrganizationSettings',
    etag: true,
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{id}/settings',
    operationId: 'updateOrganizationSettings',
    summary: 'Change the settings of an organization',
    description:
      'An absent setting stays as it is, null is what it was at first. Only who manages the organization can; `audit_retention_days` takes an owner.',
    data: 'updateOrganizationSettings.organization.settings',
    view: 'OrganizationSettings',
    etag: true,
    parameters: 'If-Match',
    body: { example: { time_zone: 'Europe/Rome', report_weekday: 1 } },
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/privileges',
    operationId: 'getOrganizationPrivileges',
    summary: 'Ask what the caller may do in an organization',
    description: 'The role of the caller, and what it may do with the token of this request.',
    data: 'organization',
    view: 'OrganizationPrivileges',
    example: { role: 'VIEWER', privileges: ['READ_ORGANIZATION', 'READ_WORKFLOWS'] },
  },
]);

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

export const BRANDING_ROUTES = routesAbout({ tag: 'Organizations' }, [
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/branding',
    operationId: 'getBranding',
    source: 'specification 4.9',
    summary: 'Read the branding of an organization',
    description: 'Default values are returned when no branding is configured.',
    data: 'organization.branding',
    view: 'Branding',
    etag: true,
    example: BRANDING_EXAMPLE,
  },
  {
    method: 'PUT',
    path: '/api/v1/organizations/{id}/branding',
    operationId: 'updateBranding',
    summary: 'Change the branding of an organization',
    description:
      'An absent field stays as it is, null is the default. Hover and dark shade are derived from the primary colour where they are absent. White text must have a contrast of at least 4.5 to each colour. Only who manages the organization can.',
    data: 'updateBranding.organization.branding',
    view: 'Branding',
    etag: true,
    parameters: 'If-Match',
    body: { example: { palette: 'ocean', custom_colors: { primary: '#1F6FEB' } } },
    example: {
      palette: 'ocean',
      custom_colors: { primary: '#1F6FEB', primary_hover: '#1A5FCA', primary_dark: '#103B7E' },
    },
  },
]);
