import { operation } from '../documents.js';
import { ifMatch, pathId } from '../parameters.js';
import type { Route } from '../route.js';

const SETTINGS = operation(/* GraphQL */ `
  query OrganizationSettings($id: Int!) {
    organization(id: $id) {
      etag: version
      data: settings {
        ...OrganizationSettings
      }
    }
  }
`);

const UPDATE_SETTINGS = operation(/* GraphQL */ `
  mutation UpdateOrganizationSettings($input: UpdateOrganizationSettingsInput!) {
    updateOrganizationSettings(input: $input) {
      organization {
        etag: version
        data: settings {
          ...OrganizationSettings
        }
      }
    }
  }
`);

const PRIVILEGES = operation(/* GraphQL */ `
  query OrganizationPrivileges($id: Int!) {
    data: organization(id: $id) {
      ...OrganizationPrivileges
    }
  }
`);

const EXAMPLE = { time_zone: 'Europe/Rome', report_weekday: 1, query_token_allowed: true };

export const SETTINGS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/settings',
    operationId: 'getOrganizationSettings',
    source: 'decisions §1 and §2',
    tag: 'Organizations',
    summary: 'Read the settings of an organization',
    description: 'Every member may read them.',
    carrier: 'sofa',
    document: SETTINGS,
    parameters: [pathId('id', 'Whose settings.')],
    errors: ['NOT_FOUND'],
    example: EXAMPLE,
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{id}/settings',
    operationId: 'updateOrganizationSettings',
    source: 'decisions §1 and §2',
    tag: 'Organizations',
    summary: 'Change the settings of an organization',
    description:
      'An absent setting stays as it is, null is what it was at first. Only who manages the organization can.',
    carrier: 'sofa',
    document: UPDATE_SETTINGS,
    parameters: [pathId('id', 'Whose settings.'), ifMatch],
    body: { input: 'UpdateOrganizationSettingsInput', example: { time_zone: 'Europe/Rome', report_weekday: 1 } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: EXAMPLE,
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/privileges',
    operationId: 'getOrganizationPrivileges',
    source: 'decisions §2',
    tag: 'Organizations',
    summary: 'Ask what the caller may do in an organization',
    description: 'The role of the caller, and what it may do with the token of this request.',
    carrier: 'sofa',
    document: PRIVILEGES,
    parameters: [pathId('id', 'Where.')],
    errors: ['NOT_FOUND'],
    example: { role: 'VIEWER', privileges: ['READ_ORGANIZATION', 'READ_WORKFLOWS'] },
  },
];
