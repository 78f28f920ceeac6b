import { operation } from '../documents.js';
import { pathId } from '../parameters.js';
import type { Route } from '../route.js';

const PROFILE = operation(/* GraphQL */ `
  query Profile {
    viewer {
      data: user {
        ...Profile
      }
    }
  }
`);

const UPDATE_PROFILE = operation(/* GraphQL */ `
  mutation UpdateProfile($input: UpdateProfileInput!) {
    updateProfile(input: $input) {
      data: user {
        ...Profile
      }
    }
  }
`);

const ALERTS = operation(/* GraphQL */ `
  query Alerts($organizationid: Int!) {
    organization(id: $organizationid) {
      data: alerts {
        ...Alerts
      }
    }
  }
`);

const UPDATE_ALERTS = operation(/* GraphQL */ `
  mutation UpdateAlerts($input: UpdateAlertsInput!) {
    updateAlerts(input: $input) {
      data: alerts {
        ...Alerts
      }
    }
  }
`);

const PROFILE_EXAMPLE = {
  id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
  username: 'elena.santoro',
  email: 'elena.santoro@example.com',
  first_name: 'Elena',
  last_name: 'Santoro',
  created_at: '2026-01-31T09:30:00.000Z',
};
const ALERTS_EXAMPLE = { atb: true, cloud_defender: true, v_ciso: false };

export const PROFILE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/profile',
    operationId: 'getProfile',
    source: 'specification 2.8',
    tag: 'Account',
    summary: 'Read who is calling',
    description: 'The user that the token belongs to.',
    carrier: 'sofa',
    document: PROFILE,
    parameters: [],
    errors: [],
    example: PROFILE_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: '/api/v1/profile',
    operationId: 'updateProfile',
    source: 'specification 2.8',
    tag: 'Account',
    summary: 'Change what one is called',
    description: 'What is absent stays as it is.',
    carrier: 'sofa',
    document: UPDATE_PROFILE,
    parameters: [],
    body: { input: 'UpdateProfileInput', example: { first_name: 'Elena', last_name: 'Santoro' } },
    errors: ['BAD_USER_INPUT'],
    example: PROFILE_EXAMPLE,
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/alerts',
    operationId: 'getAlerts',
    source: 'specification 2.8',
    tag: 'Account',
    summary: 'Read which alerts one wants from an organization',
    description: 'The preferences of the caller, by product.',
    carrier: 'sofa',
    document: ALERTS,
    parameters: [pathId('organizationid', 'From which organization.')],
    errors: ['NOT_FOUND'],
    example: ALERTS_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: '/api/v1/organizations/{organizationid}/alerts',
    operationId: 'updateAlerts',
    source: 'specification 2.8',
    tag: 'Account',
    summary: 'Choose which alerts one wants from an organization',
    description: 'The preferences of the caller, by product. What is absent stays as it is.',
    carrier: 'sofa',
    document: UPDATE_ALERTS,
    parameters: [pathId('organizationid', 'From which organization.')],
    body: { input: 'UpdateAlertsInput', example: { v_ciso: false } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ALERTS_EXAMPLE,
  },
];
