import { operation } from '../documents.js';
import { limit, offset, pathId } from '../parameters.js';
import type { Route } from '../route.js';

const TOKENS = operation(/* GraphQL */ `
  query ApiTokens($limit: Int, $offset: Int) {
    apiTokens(first: $limit, offset: $offset) {
      data: nodes {
        ...ApiToken
      }
      total: totalCount
    }
  }
`);

const TOKEN = operation(/* GraphQL */ `
  query ApiToken($id: Int!) {
    data: apiToken(id: $id) {
      ...ApiToken
    }
  }
`);

const CREATE_TOKEN = operation(/* GraphQL */ `
  mutation CreateApiToken($input: CreateApiTokenInput!) {
    data: createApiToken(input: $input) {
      ...NewApiToken
    }
  }
`);

const REVOKE_TOKEN = operation(/* GraphQL */ `
  mutation RevokeApiToken($id: Int!) {
    revokeApiToken(input: { id: $id }) {
      data: apiToken {
        ...ApiToken
      }
    }
  }
`);

const ROTATE_TOKEN = operation(/* GraphQL */ `
  mutation RotateApiToken($input: RotateApiTokenInput!) {
    data: rotateApiToken(input: $input) {
      ...RotatedApiToken
    }
  }
`);

const CURRENT_TOKEN = operation(/* GraphQL */ `
  query CurrentToken {
    data: viewer {
      ...CurrentToken
    }
  }
`);

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

export const TOKENS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/tokens',
    operationId: 'listTokens',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'List one’s tokens',
    description: 'Tokens of the user that the token belongs to, newest first, ended ones as well.',
    carrier: 'sofa',
    document: TOKENS,
    parameters: [limit, offset],
    errors: ['BAD_USER_INPUT'],
    example: TOKEN_EXAMPLE,
  },
  {
    method: 'POST',
    path: '/api/v1/tokens',
    operationId: 'createToken',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'Make a token',
    description:
      'The token itself is in this answer and never again. It may do no more than the token that makes it; whoever manages devices may also make one that reports their checks and does nothing else. A conflict for a user with 500 tokens.',
    carrier: 'sofa',
    document: CREATE_TOKEN,
    parameters: [],
    body: {
      input: 'CreateApiTokenInput',
      example: { name: 'Nightly import', scopes: ['READ', 'WRITE'], allowed_ips: ['192.0.2.0/24'] },
    },
    created: true,
    errors: ['BAD_USER_INPUT', 'CONFLICT'],
    example: { token: SECRET_EXAMPLE, api_token: TOKEN_EXAMPLE },
  },
  {
    method: 'GET',
    path: '/api/v1/tokens/{id}',
    operationId: 'getToken',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'Read one of one’s tokens',
    description: 'Everything but the token itself, which nobody knows any more.',
    carrier: 'sofa',
    document: TOKEN,
    parameters: [pathId('id', 'Which token.', 10)],
    errors: ['NOT_FOUND'],
    example: TOKEN_EXAMPLE,
  },
  {
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    operationId: 'revokeToken',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'Revoke one of one’s tokens',
    description: 'Within a second no instance takes it any more. Revoking it again changes nothing.',
    carrier: 'sofa',
    document: REVOKE_TOKEN,
    parameters: [pathId('id', 'Which token.', 10)],
    errors: ['NOT_FOUND'],
    example: { ...TOKEN_EXAMPLE, revoked_at: '2026-11-21T10:00:00.000Z' },
  },
  {
    method: 'POST',
    path: '/api/v1/tokens/{id}/rotate',
    operationId: 'rotateToken',
    source: 'decisions 1',
    tag: 'Account',
    summary: 'Rotate one of one’s tokens',
    description:
      'Makes a token of the same name, scopes and rules; the old one goes on for a grace period, 24 hours unless asked otherwise. A conflict when the old one has ended or was replaced already.',
    carrier: 'sofa',
    document: ROTATE_TOKEN,
    parameters: [pathId('id', 'Which token.', 10)],
    body: { input: 'RotateApiTokenInput', example: { grace_hours: 48 } },
    created: true,
    errors: ['NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT'],
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
    source: 'decisions 1',
    tag: 'Account',
    summary: 'Read the token of this request',
    description:
      'What the token may be used for and until when, whose it is, and what its user is in which organizations (the first 100 by name) with what this token may do there.',
    carrier: 'sofa',
    document: CURRENT_TOKEN,
    parameters: [],
    errors: [],
    example: {
      token: TOKEN_EXAMPLE,
      user: {
        id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
        username: 'elena.santoro',
        email: 'elena.santoro@example.com',
        first_name: 'Elena',
        last_name: 'Santoro',
        created_at: '2026-01-31T09:30:00.000Z',
      },
      organizations: [
        {
          organization: { id: 1, name: 'Valdoria Energia', logo: 'https://www.example.com/logo.png' },
          role: 'VIEWER',
          privileges: ['READ_ORGANIZATION', 'READ_WORKFLOWS', 'READ_DOCUMENTS', 'READ_INCIDENTS', 'READ_BRANDING'],
        },
      ],
    },
  },
];
