import { operation } from '../documents.js';
import { ifMatch, pathId } from '../parameters.js';
import type { Route } from '../route.js';

const BRANDING = operation(/* GraphQL */ `
  query Branding($id: Int!) {
    organization(id: $id) {
      etag: version
      data: branding {
        ...Branding
      }
    }
  }
`);

const UPDATE_BRANDING = operation(/* GraphQL */ `
  mutation UpdateBranding($input: UpdateBrandingInput!) {
    updateBranding(input: $input) {
      organization {
        etag: version
        data: branding {
          ...Branding
        }
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
  {
    method: 'PUT',
    path: '/api/v1/organizations/{id}/branding',
    operationId: 'updateBranding',
    source: 'decisions §10',
    tag: 'Organizations',
    summary: 'Change the branding of an organization',
    description:
      'An absent field stays as it is, null is the default. Hover and dark shade are derived from the primary colour where they are absent. White text must have a contrast of at least 4.5 to each colour. Only who manages the organization can.',
    carrier: 'sofa',
    document: UPDATE_BRANDING,
    parameters: [pathId('id', 'Whose branding.'), ifMatch],
    body: { input: 'UpdateBrandingInput', example: { palette: 'ocean', custom_colors: { primary: '#1F6FEB' } } },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: {
      palette: 'ocean',
      custom_colors: { primary: '#1F6FEB', primary_hover: '#1A5FCA', primary_dark: '#103B7E' },
    },
  },
];
