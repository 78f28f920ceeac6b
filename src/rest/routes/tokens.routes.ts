import { exampleUser } from '../openapi/examples.js';
import { routesAbout } from '../route.js';

const TOKEN_EXAMPLE = {
  id: 31,
  name: 'Nightly import',
  prefix: 'scp_Zt4k',
  scopes: ['READ', 'WRITE'],
  created_at: '2026-11-20T08:15:30.500Z',
  expires_at: '2027-02-18T08:15:30.500Z',
  last_used_at: null,
  revoked_at: null,
  replaced_at: null,
  allowed_ips: ['192.0.2.0/24'],
  blocked_in: [],
};
const SECRET_EXAMPLE = 'scp_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy';

export const TOKENS_ROUTES = routesAbout({ tag: 'Account', examples: { ApiToken: TOKEN_EXAMPLE } }, [
  {
    method: 'GET',
    path: '/api/v1/tokens',
    operationId: 'listTokens',
    summary: 'List one’s tokens',
    description: 'Tokens of the user that the token belongs to, newest first, ended ones as well.',
    data: 'apiTokens.nodes',
    view: 'ApiToken',
    parameters: 'limit offset',
  },
  {
    method: 'POST',
    path: '/api/v1/tokens',
    operationId: 'createToken',
    summary: 'Make a token',
    description:
      'The token itself is in this answer and never again. It may do no more than the token that makes it; a caller who manages devices may also make one that reports their checks and does nothing else. A conflict for a user with 500 tokens.',
    data: 'createApiToken',
    view: 'NewApiToken',
    body: { example: { name: 'Nightly import', scopes: ['READ', 'WRITE'], allowed_ips: ['192.0.2.0/24'] } },
    created: true,
    errors: ['CONFLICT'],
    example: { token: SECRET_EXAMPLE, api_token: TOKEN_EXAMPLE },
  },
  {
    method: 'GET',
    path: '/api/v1/tokens/{id}',
    operationId: 'getToken',
    summary: 'Read one of one’s tokens',
    description: 'All of its properties except the token itself, which is stored nowhere.',
    data: 'apiToken',
    view: 'ApiToken',
    examples: { id: 10 },
  },
  {
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    operationId: 'revokeToken',
    summary: 'Revoke one of one’s tokens',
    description: 'Within a second no instance takes it any more. Revoking it again changes nothing.',
    data: 'revokeApiToken.apiToken',
    view: 'ApiToken',
    examples: { id: 10 },
    example: { ...TOKEN_EXAMPLE, revoked_at: '2026-11-21T10:00:00.000Z' },
  },
  {
    method: 'POST',
    path: '/api/v1/tokens/{id}/rotate',
    operationId: 'rotateToken',
    summary: 'Rotate one of one’s tokens',
    description:
      'Makes a token of the same name, scopes and rules; the old one goes on for a grace period, 24 hours unless asked otherwise. A conflict when the old one has ended or was replaced already.',
    data: 'rotateApiToken',
    view: 'RotatedApiToken',
    examples: { id: 10 },
    body: { example: { grace_hours: 48 } },
    created: true,
    errors: ['CONFLICT'],
    example: {
      token: SECRET_EXAMPLE,
      api_token: TOKEN_EXAMPLE,
      replaced: {
        ...TOKEN_EXAMPLE,
        id: 17,
        prefix: 'scp_8Chf',
        created_at: '2026-08-24T08:15:30.500Z',
        expires_at: '2026-11-22T08:15:30.500Z',
        replaced_at: '2026-11-20T08:15:30.500Z',
      },
    },
  },
  {
    method: 'GET',
    path: '/api/v1/token',
    operationId: 'getCurrentToken',
    summary: 'Read the token of this request',
    description:
      'What the token may be used for and until when, whose it is, and what its user is in which organizations (the first 100 by name) with what this token may do there.',
    data: 'viewer',
    view: 'CurrentToken',
    example: {
      token: TOKEN_EXAMPLE,
      user: { ...exampleUser, created_at: '2026-01-31T09:30:00.000Z' },
      organizations: [
        {
          organization: { id: 1, name: 'Valdoria Energia', logo: 'https://www.example.com/logo.png' },
          role: 'VIEWER',
          privileges: ['READ_ORGANIZATION', 'READ_WORKFLOWS', 'READ_DOCUMENTS', 'READ_INCIDENTS', 'READ_BRANDING'],
        },
      ],
    },
  },
  {
    method: 'POST',
    path: '/api/v1/recovery',
    operationId: 'requestTokenRecovery',
    summary: 'Request a link for a new token',
    description:
      'For who has lost every token: mails a link to the verified e-mail address of a user, which can be used once within 30 minutes. Needs no token. The answer is the same whether the address is known or not. One address gets three mails in an hour, and one caller may make ten requests in an hour.',
    data: 'requestTokenRecovery',
    view: 'RequestedTokenRecovery',
    body: { example: { email: 'luca.moretti@example.com' } },
    example: { accepted: true, link_minutes: 30 },
    open: true,
  },
  {
    method: 'POST',
    path: '/api/v1/recovery/accept',
    operationId: 'recoverToken',
    summary: 'Make a new token by a recovery link',
    description:
      'Exchanges the secret of the link for one token with the scopes `READ` and `WRITE`, and notifies the owners of the organizations of the user. Needs no token. Whatever is wrong with the secret, it is not found.',
    data: 'recoverToken',
    view: 'RecoveredToken',
    body: { example: { secret: 'rec_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy' } },
    created: true,
    errors: ['NOT_FOUND'],
    example: {
      token: 'scp_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy',
      token_expires_at: '2027-02-18T08:15:30.500Z',
      user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
      username: 'luca.moretti',
      email: 'luca.moretti@example.com',
    },
    open: true,
  },
]);

const ORGANIZATION_TOKEN_EXAMPLE = {
  id: 31,
  user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
  username: 'elena.santoro',
  name: 'Nightly import',
  prefix: 'scp_Zt4k',
  scopes: ['READ', 'WRITE'],
  created_at: '2026-11-20T08:15:30.500Z',
  expires_at: '2027-02-18T08:15:30.500Z',
  last_used_at: '2026-11-20T09:00:00.000Z',
  blocked_at: null,
};

export const ORGANIZATION_TOKENS_ROUTES = routesAbout({ tag: 'Organizations' }, [
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/tokens',
    operationId: 'listOrganizationTokens',
    summary: 'List the tokens that act in an organization',
    description: 'Tokens of its users that have not ended, newest first. Only owners may.',
    data: 'organization.apiTokens.nodes',
    view: 'OrganizationApiToken',
    parameters: 'limit offset',
    example: ORGANIZATION_TOKEN_EXAMPLE,
  },
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationid}/tokens/{id}',
    operationId: 'blockOrganizationToken',
    summary: 'Block a token in an organization',
    description:
      'Takes away what a user’s token may do in this organization, and nothing that it may do elsewhere. Tokens that it makes from now on are blocked as well. Only owners may.',
    data: 'blockApiToken.apiToken',
    view: 'OrganizationApiToken',
    examples: { id: 8 },
    example: { ...ORGANIZATION_TOKEN_EXAMPLE, blocked_at: '2026-11-21T10:00:00.000Z' },
  },
]);
