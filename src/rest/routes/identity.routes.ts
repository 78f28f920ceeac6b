import type { RouteGroup } from '../route.js';

const PROVIDER = {
  id: 3,
  name: 'valdoria',
  issuer: 'https://login.example.com/realms/valdoria',
  client_id: 'compliance-gateway',
  has_secret: true,
  domains: ['example.com'],
  domain_proofs: [
    {
      domain: 'example.com',
      status: 'VERIFIED',
      record_name: '_compliance-gateway.example.com',
      record_text: 'compliance-gateway-verification=5f0c9a41d87b2e6630ab91f4c2d7e85a1b3c4d6e',
    },
  ],
  required: false,
  default_role: 'VIEWER',
  groups_claim: 'groups',
  group_roles: [{ group: 'security', role: 'SECURITY_OFFICER' }],
  redirect_uris: ['https://app.example.com/signed-in'],
  created_at: '2026-11-20T08:15:30.500Z',
  updated_at: '2026-11-20T08:15:30.500Z',
};

const PATH = '/api/v1/organizations/{organizationid}/identity-providers';
const NAMED = { arguments: { id: 'identityProviderId' } };

export const IDENTITY: RouteGroup = {
  tag: 'Organizations',
  examples: { IdentityProvider: PROVIDER },
  views: {
    IdentityProvider: [
      'id name issuer clientId hasSecret domains',
      { domainProofs: ['domain status recordName recordText'] },
      'required defaultRole groupsClaim',
      { groupRoles: ['group role'] },
      'redirectUris createdAt updatedAt',
    ],
  },
  routes: {
    [`GET ${PATH}`]: {
      past: 'PROVIDERS',
      operationId: 'listIdentityProviders',
      data: 'organization.identityProviders.nodes',
    },
    [`POST ${PATH}`]: {
      operationId: 'createIdentityProvider',
      data: 'createIdentityProvider.identityProvider',
      body: {
        example: {
          name: 'valdoria',
          issuer: PROVIDER.issuer,
          client_id: PROVIDER.client_id,
          client_secret: 'what the provider shows for this client',
          domains: ['example.com'],
          default_role: 'VIEWER',
        },
      },
      created: `${PATH}/{id}`,
      errors: ['CONFLICT'],
      example: { domain_proofs: PROVIDER.domain_proofs.map((proof) => ({ ...proof, status: 'PENDING' })) },
    },
    [`GET ${PATH}/{id}`]: { past: 'PROVIDERS', operationId: 'getIdentityProvider', data: 'identityProvider' },
    [`PATCH ${PATH}/{id}`]: {
      operationId: 'updateIdentityProvider',
      ...NAMED,
      data: 'updateIdentityProvider.identityProvider',
      body: { example: { default_role: 'SECURITY_ANALYST' } },
      example: { default_role: 'SECURITY_ANALYST' },
      errors: ['CONFLICT'],
    },
    [`DELETE ${PATH}/{id}`]: {
      operationId: 'deleteIdentityProvider',
      ...NAMED,
      data: 'deleteIdentityProvider.identityProvider',
    },
    [`POST ${PATH}/{id}/verify-domain`]: {
      operationId: 'verifyIdentityDomain',
      ...NAMED,
      data: 'verifyIdentityDomain.identityProvider',
      body: { example: { domain: 'example.com' } },
      errors: ['CONFLICT'],
    },
  },
};

export const SIGN_IN: RouteGroup = {
  tag: 'Account',
  views: {
    SignInToken: { of: 'ExchangeSignInCodePayload', fields: ['token tokenExpiresAt userId organizationId'] },
  },
  routes: {
    'POST /api/v1/token/exchange': {
      operationId: 'exchangeSignInCode',
      data: 'exchangeSignInCode',
      view: 'SignInToken',
      body: {
        example: {
          code: 'q3f0JkqG0m2u7p9m3yW9kM1n4oXc5vB6a7s8d9f0g1h',
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          redirect_uri: 'https://app.example.com/signed-in',
        },
      },
      created: true,
      errors: ['NOT_FOUND'],
      example: {
        token: 'scp_Zt4kW9qPz0rYc1xVb7nMd3sLf6hJa20b5Q1Xy',
        token_expires_at: '2026-11-20T16:15:30.500Z',
        user_id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
        organization_id: 1,
      },
      open: true,
    },
  },
};
