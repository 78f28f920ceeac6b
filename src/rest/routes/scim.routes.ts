import type { RouteGroup } from '../route.js';

const SETTINGS = {
  enabled: true,
  default_role: 'VIEWER',
  group_roles: [{ group: 'Security', role: 'SECURITY_OFFICER' }],
  link_members: false,
  url: 'https://gateway.example.com/scim/v2/organizations/1',
  updated_at: '2026-11-20T08:15:30.500Z',
};

const TOKEN = {
  id: 5,
  name: 'Entra ID',
  prefix: 'scim_8Ch',
  created_at: '2026-11-20T08:15:30.500Z',
  expires_at: '2027-11-20T08:15:30.500Z',
};

const PATH = '/api/v1/organizations/{organizationid}/scim';

export const SCIM: RouteGroup = {
  tag: 'Organizations',
  examples: { ScimSettings: SETTINGS, ScimToken: TOKEN },
  views: {
    ScimSettings: ['enabled defaultRole', { groupRoles: ['group role'] }, 'linkMembers url updatedAt'],
    ScimToken: ['id name prefix createdAt expiresAt lastUsedAt revokedAt'],
    NewScimToken: { of: 'CreateScimTokenPayload', fields: ['token', { scimToken: 'ScimToken' }] },
  },
  routes: {
    [`GET ${PATH}`]: { past: 'PROVIDERS', operationId: 'getScimSettings', data: 'scimSettings', etag: 'version' },
    [`PATCH ${PATH}`]: {
      operationId: 'updateScimSettings',
      remarks: 'Members whose groups have another role now get it.',
      data: 'updateScimSettings.scimSettings',
      etag: 'version',
      body: { example: { enabled: true, default_role: 'VIEWER', group_roles: SETTINGS.group_roles } },
    },
    [`GET ${PATH}/tokens`]: { past: 'PROVIDERS', operationId: 'listScimTokens', data: 'organization.scimTokens.nodes' },
    [`POST ${PATH}/tokens`]: {
      operationId: 'createScimToken',
      data: 'createScimToken',
      view: 'NewScimToken',
      body: { example: { name: TOKEN.name } },
      created: true,
      errors: ['CONFLICT'],
      example: { token: 'scim_8ChfW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy' },
    },
    [`GET ${PATH}/tokens/{id}`]: { past: 'PROVIDERS', operationId: 'getScimToken', data: 'scimToken' },
    [`DELETE ${PATH}/tokens/{id}`]: {
      operationId: 'revokeScimToken',
      etag: 'version and hash',
      arguments: { id: 'scimTokenId' },
      remarks: 'Revoking it again changes nothing.',
      data: 'revokeScimToken.scimToken',
      example: { revoked_at: '2026-11-21T10:00:00.000Z' },
    },
  },
};
