import type { RouteGroup } from '../route.js';

const TOKEN = {
  id: 31,
  name: 'Nightly import',
  prefix: 'scp_Zt4k',
  scopes: ['READ', 'WRITE'],
  created_at: '2026-11-20T08:15:30.500Z',
  expires_at: '2027-02-18T08:15:30.500Z',
  allowed_ips: ['192.0.2.0/24'],
  origin: 'API',
};
export const SECRET = 'scp_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy';

export const ROTATED = {
  token: SECRET,
  replaced: {
    id: 17,
    prefix: 'scp_8Chf',
    created_at: '2026-08-24T08:15:30.500Z',
    expires_at: '2026-11-22T08:15:30.500Z',
    replaced_at: '2026-11-20T08:15:30.500Z',
  },
};

export const TOKENS: RouteGroup = {
  tag: 'Account',
  examples: { ApiToken: TOKEN },
  views: {
    ApiToken: ['id name prefix scopes createdAt expiresAt lastUsedAt revokedAt replacedAt allowedIps blockedIn origin'],
    NewApiToken: { of: 'CreateApiTokenPayload', fields: ['token', { apiToken: 'ApiToken' }] },
    RotatedApiToken: { of: 'RotateApiTokenPayload', fields: ['token', { apiToken: 'ApiToken', replaced: 'ApiToken' }] },
    CurrentToken: {
      of: 'Viewer',
      fields: [{ token: 'ApiToken', user: 'Profile', organizationRoles: 'TokenOrganization' }],
    },
    TokenOrganization: {
      of: 'ViewerOrganization',
      fields: [{ organization: 'OrganizationSummary' }, 'role privileges'],
    },
    RequestedTokenRecovery: { of: 'RequestTokenRecoveryPayload', fields: ['accepted linkMinutes'] },
    RecoveredToken: { of: 'RecoverTokenPayload', fields: ['token tokenExpiresAt userId username email'] },
  },
  routes: {
    'GET /api/v1/tokens': { operationId: 'listTokens', data: 'apiTokens.nodes' },
    'POST /api/v1/tokens': {
      operationId: 'createToken',
      remarks:
        'It may do no more than the token that makes it; a caller who manages devices may also make one that reports their checks and does nothing else. A conflict for a user with 500 tokens.',
      data: 'createApiToken',
      view: 'NewApiToken',
      body: { example: { name: 'Nightly import', scopes: ['READ', 'WRITE'], allowed_ips: ['192.0.2.0/24'] } },
      created: true,
      errors: ['CONFLICT'],
      example: { token: SECRET },
    },
    'GET /api/v1/tokens/{id}': {
      operationId: 'getToken',
      remarks: 'The token itself is stored nowhere.',
      data: 'apiToken',
    },
    'DELETE /api/v1/tokens/{id}': {
      operationId: 'revokeToken',
      etag: 'version and hash',
      remarks: 'Revoking it again changes nothing.',
      data: 'revokeApiToken.apiToken',
      example: { revoked_at: '2026-11-21T10:00:00.000Z' },
    },
    'POST /api/v1/tokens/{id}/rotate': {
      operationId: 'rotateToken',
      remarks: 'The grace period is 24 hours unless asked otherwise.',
      data: 'rotateApiToken',
      view: 'RotatedApiToken',
      body: { example: { grace_hours: 48 } },
      created: true,
      errors: ['CONFLICT'],
      example: ROTATED,
    },
    'GET /api/v1/token': {
      operationId: 'getCurrentToken',
      remarks: 'Of the organizations, the first 100 by name, each with what this token may do there.',
      data: 'viewer',
      view: 'CurrentToken',
      example: {
        organizations: [
          {
            organization: { id: 1, name: 'Valdoria Energia', logo: 'https://www.example.com/logo.png' },
            role: 'VIEWER',
            privileges: ['READ_ORGANIZATION', 'READ_WORKFLOWS', 'READ_DOCUMENTS', 'READ_INCIDENTS', 'READ_BRANDING'],
          },
        ],
      },
    },
    'POST /api/v1/recovery': {
      operationId: 'requestTokenRecovery',
      remarks:
        'The link can be used within 30 minutes. One address gets three mails in an hour, and one caller may make ten requests in an hour.',
      data: 'requestTokenRecovery',
      view: 'RequestedTokenRecovery',
      body: { example: { email: 'luca.moretti@example.com' } },
      example: { accepted: true, link_minutes: 30 },
      open: true,
    },
    'POST /api/v1/recovery/accept': {
      operationId: 'recoverToken',
      remarks: 'The new token has the scopes `READ` and `WRITE`.',
      data: 'recoverToken',
      view: 'RecoveredToken',
      body: { example: { secret: 'rec_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy' } },
      created: true,
      errors: ['NOT_FOUND'],
      example: {
        token: SECRET,
        token_expires_at: '2027-02-18T08:15:30.500Z',
        user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
        username: 'luca.moretti',
        email: 'luca.moretti@example.com',
      },
      open: true,
    },
  },
};

const ORGANIZATION_TOKEN = {
  ...TOKEN,
  user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
  username: 'elena.santoro',
  last_used_at: '2026-11-20T09:00:00.000Z',
};

export const ORGANIZATION_TOKENS: RouteGroup = {
  tag: 'Organizations',
  examples: { OrganizationApiToken: ORGANIZATION_TOKEN },
  views: {
    OrganizationApiToken: ['tokenId userId username name prefix scopes createdAt expiresAt lastUsedAt blockedAt'],
  },
  routes: {
    'GET /api/v1/organizations/{organizationid}/tokens': {
      past: 'TOKENS',
      operationId: 'listOrganizationTokens',
      data: 'organization.apiTokens.nodes',
    },
    'DELETE /api/v1/organizations/{organizationid}/tokens/{id}': {
      operationId: 'blockOrganizationToken',
      etag: 'version and hash',
      remarks: 'Only owners may.',
      data: 'blockApiToken.apiToken',
      examples: { id: 8 },
      example: { blocked_at: '2026-11-21T10:00:00.000Z' },
    },
  },
};
