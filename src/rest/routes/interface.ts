import type { Route } from '../route.js';

export const INTERFACE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/openapi.json',
    operationId: 'getInterfaceDescription',
    source: 'specification 9, decisions 11',
    tag: 'Interface',
    summary: 'Read this description',
    description: 'This very document, as JSON.',
    carrier: 'openapi',
    parameters: [],
    errors: [],
    open: true,
  },
];
