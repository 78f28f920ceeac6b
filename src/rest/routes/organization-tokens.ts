import { operation } from '../documents.js';
import { limit, offset, pathId } from '../parameters.js';
import type { Route } from '../route.js';

const ORGANIZATION_TOKENS = operation(/* GraphQL */ `
  query OrganizationTokens($organizationid: Int!, $limit: Int, $offset: Int) {
    organization(id: $organizationid) {
      apiTokens(first: $limit, offset: $offset) {
        data: nodes {
          ...OrganizationApiToken
        }
        total: totalCount
      }
    }
  }
`);

const BLOCK_TOKEN = operation(/* GraphQL */ `
  mutation BlockApiToken($organizationid: Int!, $id: Int!) {
    blockApiToken(input: { organizationId: $organizationid, id: $id }) {
      data: apiToken {
        ...OrganizationApiToken
      }
    }
  }
`);

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

export const ORGANIZATION_TOKENS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/tokens',
    operationId: 'listOrganizationTokens',
    source: 'decisions 1',
    tag: 'Organizations',
    summary: 'List the tokens that act in an organization',
    description: 'Tokens of its users that have not ended, newest first. Only owners may.',
    carrier: 'sofa',
    document: ORGANIZATION_TOKENS,
    parameters: [pathId('organizationid', 'In which organization.'), limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ORGANIZATION_TOKEN_EXAMPLE,
  },
  {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationid}/tokens/{id}',
    operationId: 'blockOrganizationToken',
    source: 'decisions 1',
    tag: 'Organizations',
    summary: 'Block a token in an organization',
    description:
      'Takes away what a user’s token may do in this organization, and nothing that it may do elsewhere. Tokens that it makes from now on are blocked as well. Only owners may.',
    carrier: 'sofa',
    document: BLOCK_TOKEN,
    parameters: [pathId('organizationid', 'In which organization.'), pathId('id', 'Which token.', 8)],
    errors: ['NOT_FOUND'],
    example: { ...ORGANIZATION_TOKEN_EXAMPLE, blocked_at: '2026-11-21T10:00:00.000Z' },
  },
];
