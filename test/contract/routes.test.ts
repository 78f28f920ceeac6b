import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSchema } from '../../src/resolvers/index.js';
import { parametersOf } from '../../src/rest/request/parameters.js';
import { isOperationRoute, namesInPath, type Route } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { compileRoutes } from '../../src/rest/view/core-path.js';

/** Specification 4.1 to 4.10, letter for letter. */
const SPECIFIED = [
  'POST /api/v1/organizations',
  'POST /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/documents/{artifactid}/versions',
  'POST /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments',
  'GET /api/v1/cloud-defender/{id}',
  'DELETE /api/v1/cloud-defender/{id}',
  'DELETE /api/v1/atb/{id}',
  'GET /api/v1/organizations/{organizationid}/users',
  'GET /api/v1/v-ciso/available-workflows',
  'GET /api/v1/organizations/{id}/branding',
  'GET /api/v1/events',
  'GET /api/v1/notifications',
];

/** Two routes share method and path if one of them responds with a job. */
const served = [...new Set(ROUTES.map(({ method, path }) => `${method} ${path}`))];

test('serves every endpoint of the specification', () => {
  expect(SPECIFIED.filter((route) => !served.includes(route))).toEqual([]);
});

test('describes exactly what it serves', () => {
  const { paths } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8')) as {
    paths: Record<string, object>;
  };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(served.toSorted());
});

test('opens only files with a signed address, invitations, recovery and the description itself to callers without a token', () => {
  const signed = ROUTES.filter((route) => route.open === 'when signed').map(({ path }) => path);
  expect(signed).toEqual([
    '/api/v1/profile/export',
    '/api/v1/organizations/{id}/proof',
    '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/evidence-pack',
  ]);
  const open = ROUTES.filter((route) => route.open === true).map(({ path }) => path);
  expect(open).toEqual([
    '/api/v1/invitations/preview',
    '/api/v1/invitations/accept',
    '/api/v1/recovery',
    '/api/v1/recovery/accept',
    '/api/v1/token/exchange',
    '/api/v1/downloads/{kind}/{id}',
    '/api/v1/openapi.json',
  ]);
});

test('describes each path parameter of a file as the path names it', async () => {
  for (const route of compileRoutes(await createSchema(), ROUTES)) {
    if (isOperationRoute(route)) continue;
    const inPath = parametersOf(route).filter((each) => each.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(namesInPath(route));
  }
});

test('lists every route in the table of docs/rest.md', () => {
  const guide = readFileSync(resolve(import.meta.dirname, '../../docs/rest.md'), 'utf8');
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
  // Paths are complete, or begin with `…` for the path above.
  const listed = rows.map((row) => {
    const cell = row.split('|')[1] ?? '';
    const methods: string[] = cell.match(/[A-Z]{3,}/g) ?? [];
    const paths: string[] = cell.match(/…?\/[^`\s,]+/g) ?? [];
    return { methods, paths };
  });
  const isListed = ({ method, path }: Route) =>
    listed.some(
      ({ methods, paths }) =>
        methods.includes(method) &&
        paths.some((each) => (each.startsWith('…') ? path.endsWith(each.slice(1)) : path === each)),
    );
  expect(ROUTES.filter((route) => !isListed(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
