import { operation } from '../documents.js';
import { pathId } from '../parameters.js';
import type { Route } from '../route.js';

const BRANDING = operation(/* GraphQL */ `
  query Branding($id: Int!) {
    organization(id: $id) {
      data: branding {
        ...Branding
      }
    }
  }
`);

export const BRANDING_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/branding',
    operationId: 'getBranding',
    source: 'specification 4.9',
    tag: 'Organizations',
    summary: 'Read the branding of an organization',
    description: 'Default values are returned when no branding is configured.',
    carrier: 'sofa',
    document: BRANDING,
    parameters: [pathId('id', 'Whose branding.')],
    errors: ['NOT_FOUND'],
  },
];
