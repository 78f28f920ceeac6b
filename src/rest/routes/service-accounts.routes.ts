import type { RouteGroup } from '../route.js';
import { ROTATED, SECRET } from './tokens.routes.js';

const ACCOUNT = {
  id: '5b1d6a90-3f0e-4c55-9f0b-0f6d6f6d1c11',
  username: 'service-account:1:nightly-import',
  name: 'Nightly import',
  description: 'Uploads the backup reports of the data centre.',
  role: 'SECURITY_ANALYST',
  responsible: {
    user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
    username: 'elena.santoro',
    first_name: 'Elena',
    last_name: 'Santoro',
  },
  created_by: 'marco.deluca',
  created_at: '2026-11-20T08:15:30.500Z',
  updated_at: '2026-11-20T08:15:30.500Z',
  last_used_at: '2026-11-21T02:00:00.000Z',
  viewer_can: { update: true, delete: true, manage_tokens: true },
};

const TOKEN = {
  id: 31,
  name: 'Data centre',
  prefix: 'scp_Zt4k',
  scopes: ['READ', 'WRITE'],
  created_at: '2026-11-20T08:15:30.500Z',
  expires_at: '2027-02-18T08:15:30.500Z',
  allowed_ips: ['192.0.2.0/24'],
};

const ACCOUNTS_PATH = '/api/v1/organizations/{organizationid}/service-accounts';
const ACCOUNT_PATH = `${ACCOUNTS_PATH}/{serviceaccountid}`;
const TOKENS_PATH = `${ACCOUNT_PATH}/tokens`;

export const SERVICE_ACCOUNTS: RouteGroup = {
  tag: 'Organizations',
  examples: { ServiceAccount: ACCOUNT, ServiceAccountToken: TOKEN },
  views: {
    ServiceAccount: [
      'id username name description role',
      { responsible: ['userId username firstName lastName'] },
      'createdBy.username createdAt updatedAt lastUsedAt',
      { viewerCan: ['update delete manageTokens'] },
    ],
    ServiceAccountToken: ['tokenId name prefix scopes createdAt expiresAt lastUsedAt revokedAt replacedAt allowedIps'],
    NewServiceAccountToken: {
      of: 'CreateServiceAccountTokenPayload',
      fields: ['token', { serviceAccountToken: 'ServiceAccountToken' }],
    },
    RotatedServiceAccountToken: {
      of: 'RotateServiceAccountTokenPayload',
      fields: ['token', { serviceAccountToken: 'ServiceAccountToken', replaced: 'ServiceAccountToken' }],
    },
  },
  routes: {
    [`GET ${ACCOUNTS_PATH}`]: {
      past: 'ACCOUNTS',
      operationId: 'listServiceAccounts',
      data: 'organization.serviceAccounts.nodes',
    },
    [`POST ${ACCOUNTS_PATH}`]: {
      operationId: 'createServiceAccount',
      data: 'createServiceAccount.serviceAccount',
      body: { example: { name: ACCOUNT.name, description: ACCOUNT.description, role: ACCOUNT.role } },
      example: { last_used_at: null },
      created: `${ACCOUNTS_PATH}/{id}`,
      errors: ['CONFLICT'],
    },
    [`GET ${ACCOUNT_PATH}`]: {
      past: 'ACCOUNTS',
      operationId: 'getServiceAccount',
      data: 'serviceAccount',
    },
    [`PATCH ${ACCOUNT_PATH}`]: {
      operationId: 'updateServiceAccount',
      remarks: 'What is absent stays as it is.',
      data: 'updateServiceAccount.serviceAccount',
      body: { example: { role: 'SECURITY_ANALYST', responsible_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37' } },
    },
    [`DELETE ${ACCOUNT_PATH}`]: {
      operationId: 'deleteServiceAccount',
      remarks: 'What it did keeps its user name.',
      data: 'deleteServiceAccount.serviceAccount',
    },
    [`GET ${TOKENS_PATH}`]: {
      past: 'TOKENS',
      operationId: 'listServiceAccountTokens',
      data: 'serviceAccount.tokens.nodes',
    },
    [`POST ${TOKENS_PATH}`]: {
      operationId: 'createServiceAccountToken',
      remarks: 'It may do no more than the token that makes it.',
      data: 'createServiceAccountToken',
      view: 'NewServiceAccountToken',
      body: { example: { name: TOKEN.name, scopes: TOKEN.scopes, allowed_ips: TOKEN.allowed_ips } },
      created: true,
      errors: ['CONFLICT'],
      example: { token: SECRET },
    },
    [`GET ${TOKENS_PATH}/{id}`]: {
      past: 'TOKENS',
      operationId: 'getServiceAccountToken',
      examples: { id: 14 },
      remarks: 'The token itself is stored nowhere.',
      data: 'serviceAccountToken',
    },
    [`DELETE ${TOKENS_PATH}/{id}`]: {
      operationId: 'revokeServiceAccountToken',
      etag: 'version and hash',
      examples: { id: 14 },
      remarks: 'Revoking it again changes nothing.',
      data: 'revokeServiceAccountToken.serviceAccountToken',
      example: { revoked_at: '2026-11-21T10:00:00.000Z' },
    },
    [`POST ${TOKENS_PATH}/{id}/rotate`]: {
      operationId: 'rotateServiceAccountToken',
      examples: { id: 14 },
      remarks: 'The grace period is 24 hours unless asked otherwise.',
      data: 'rotateServiceAccountToken',
      view: 'RotatedServiceAccountToken',
      body: { example: { grace_hours: 48 } },
      created: true,
      errors: ['CONFLICT'],
      example: ROTATED,
    },
  },
};
