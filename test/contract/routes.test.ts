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

/** Paths beside those of the specification. */
const ADDED = [
  'POST /api/v1/cloud-defender/checks/batch',
  'POST /api/v1/atb/checks/batch',
  'GET /api/v1/organizations/{organizationid}/import-jobs',
  'GET /api/v1/organizations/{organizationid}/import-jobs/{id}',
  'GET /api/v1/organizations/{organizationid}/import-jobs/{id}/rows',
  'POST /api/v1/organizations/{organizationid}/import-jobs/{id}/cancel',
  'POST /api/v1/organizations/{organizationid}/invitations/batch',
  'POST /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/documents/import',
  'POST /api/v1/organizations/{organizationid}/users/import',
  'POST /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/import',
  'GET /api/v1/atb/{id}',
  'GET /api/v1/organizations/{id}/audit-trail',
  'GET /api/v1/organizations/{id}/audit-trail.csv',
  'GET /api/v1/organizations/{id}/audit-trail.ndjson',
  'GET /api/v1/organizations/{id}/audit-trail/verification',
  'GET /api/v1/organizations/{id}/changes',
  'GET /api/v1/organizations/{id}/proof',
  'POST /api/v1/organizations/{id}/audit-trail/checkpoints',
  'GET /api/v1/downloads/{kind}/{id}',
  'GET /api/v1/openapi.json',
  'GET /api/v1/notifications/unread-count',
  'POST /api/v1/notifications/read',
  'GET /api/v1/notifications/{id}',
  'PATCH /api/v1/notifications/{id}',
  'GET /api/v1/search',
  'GET /api/v1/v-ciso/overview',
  'GET /api/v1/v-ciso/work',
  'GET /api/v1/v-ciso/organizations/{organizationid}/documents',
  'GET /api/v1/v-ciso/organizations/{organizationid}/documents/{id}',
  'PATCH /api/v1/v-ciso/organizations/{organizationid}/documents/{id}',
  'DELETE /api/v1/v-ciso/organizations/{organizationid}/documents/{id}',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/documents/{artifactid}/versions',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/reuse-suggestions',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/evidence-pack',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/oscal/assessment-results',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/oscal/component-definition',
  'GET /api/v1/v-ciso/incidents/{organizationid}',
  'POST /api/v1/v-ciso/incidents/{organizationid}',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}',
  'PATCH /api/v1/v-ciso/incidents/{organizationid}/{incidentid}',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/clock',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/significance',
  'POST /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/significance',
  'POST /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/close',
  'POST /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/rejudge',
  'POST /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reopen',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/rehearsal-report',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/rehearsal-report.pdf',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/timeline',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/notes',
  'POST /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/notes',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports',
  'POST /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports',
  'PATCH /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft.html',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft.pdf',
  'GET /api/v1/v-ciso/reporting-regimes',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments',
  'GET /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments/{id}',
  'DELETE /api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments/{id}',
  'GET /api/v1/v-ciso/available-workflows/{workflowid}',
  'GET /api/v1/v-ciso/available-workflows/{workflowid}/controls',
  'GET /api/v1/v-ciso/organizations/{organizationid}/available-workflows',
  'POST /api/v1/v-ciso/organizations/{organizationid}/available-workflows',
  'POST /api/v1/v-ciso/organizations/{organizationid}/workflow-import-previews',
  'GET /api/v1/v-ciso/organizations/{organizationid}/available-workflows/{workflowid}',
  'DELETE /api/v1/v-ciso/organizations/{organizationid}/available-workflows/{workflowid}',
  // Workflows
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows',
  'POST /api/v1/v-ciso/organizations/{organizationid}/workflows',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}',
  'DELETE /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/progress',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls',
  'PATCH /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}',
  'PATCH /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}/attestations',
  'POST /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}/attestations',
  'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}/attestations/{id}',
  'POST /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}/attestations/{id}/countersignature',
  'POST /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}/attestations/{id}/withdrawal',
  // People
  'GET /api/v1/organizations/{organizationid}/users/{userid}',
  'PATCH /api/v1/organizations/{organizationid}/users/{userid}',
  'DELETE /api/v1/organizations/{organizationid}/users/{userid}',
  'GET /api/v1/organizations/{organizationid}/invitations',
  'POST /api/v1/organizations/{organizationid}/invitations',
  'GET /api/v1/organizations/{organizationid}/invitations/{id}',
  'DELETE /api/v1/organizations/{organizationid}/invitations/{id}',
  'POST /api/v1/organizations/{organizationid}/invitations/{id}/resend',
  'GET /api/v1/organizations/{organizationid}/service-accounts',
  'POST /api/v1/organizations/{organizationid}/service-accounts',
  'GET /api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}',
  'PATCH /api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}',
  'DELETE /api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}',
  'GET /api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens',
  'POST /api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens',
  'GET /api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens/{id}',
  'DELETE /api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens/{id}',
  'POST /api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens/{id}/rotate',
  'GET /api/v1/organizations/{organizationid}/identity-providers',
  'POST /api/v1/organizations/{organizationid}/identity-providers',
  'GET /api/v1/organizations/{organizationid}/identity-providers/{id}',
  'PATCH /api/v1/organizations/{organizationid}/identity-providers/{id}',
  'DELETE /api/v1/organizations/{organizationid}/identity-providers/{id}',
  'POST /api/v1/organizations/{organizationid}/identity-providers/{id}/verify-domain',
  'GET /api/v1/organizations/{organizationid}/webhooks',
  'POST /api/v1/organizations/{organizationid}/webhooks',
  'GET /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}',
  'PATCH /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}',
  'DELETE /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}',
  'POST /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/rotate',
  'POST /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/test',
  'POST /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/recover',
  'GET /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/deliveries',
  'GET /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/deliveries/{webhookdeliveryid}',
  'GET /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/deliveries/{webhookdeliveryid}/attempts',
  'POST /api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/deliveries/{webhookdeliveryid}/redeliver',
  'GET /api/v1/organizations/{organizationid}/user-webhooks',
  'GET /api/v1/profile/webhook-endpoints',
  'POST /api/v1/profile/webhook-endpoints',
  'GET /api/v1/profile/webhook-endpoints/{webhookendpointid}',
  'PATCH /api/v1/profile/webhook-endpoints/{webhookendpointid}',
  'DELETE /api/v1/profile/webhook-endpoints/{webhookendpointid}',
  'POST /api/v1/profile/webhook-endpoints/{webhookendpointid}/rotate',
  'POST /api/v1/profile/webhook-endpoints/{webhookendpointid}/test',
  'POST /api/v1/profile/webhook-endpoints/{webhookendpointid}/recover',
  'GET /api/v1/profile/webhook-endpoints/{webhookendpointid}/deliveries',
  'GET /api/v1/profile/webhook-endpoints/{webhookendpointid}/deliveries/{webhookdeliveryid}',
  'GET /api/v1/profile/webhook-endpoints/{webhookendpointid}/deliveries/{webhookdeliveryid}/attempts',
  'POST /api/v1/profile/webhook-endpoints/{webhookendpointid}/deliveries/{webhookdeliveryid}/redeliver',
  'GET /api/v1/organizations/{organizationid}/scim',
  'PATCH /api/v1/organizations/{organizationid}/scim',
  'GET /api/v1/organizations/{organizationid}/scim/tokens',
  'POST /api/v1/organizations/{organizationid}/scim/tokens',
  'GET /api/v1/organizations/{organizationid}/scim/tokens/{id}',
  'DELETE /api/v1/organizations/{organizationid}/scim/tokens/{id}',
  'POST /api/v1/token/exchange',
  'GET /api/v1/engagements',
  'GET /api/v1/organizations/{organizationid}/engagements',
  'POST /api/v1/organizations/{organizationid}/engagements',
  'GET /api/v1/organizations/{organizationid}/engagements/{engagementid}',
  'PATCH /api/v1/organizations/{organizationid}/engagements/{engagementid}',
  'DELETE /api/v1/organizations/{organizationid}/engagements/{engagementid}/auditors/{userid}',
  'GET /api/v1/organizations/{organizationid}/engagements/{engagementid}/controls',
  'GET /api/v1/organizations/{organizationid}/engagements/{engagementid}/documents',
  'GET /api/v1/organizations/{organizationid}/engagements/{engagementid}/incidents',
  'GET /api/v1/organizations/{organizationid}/engagements/{engagementid}/audit-trail',
  'GET /api/v1/organizations/{organizationid}/engagements/{engagementid}/requests',
  'POST /api/v1/organizations/{organizationid}/engagements/{engagementid}/requests',
  'PATCH /api/v1/organizations/{organizationid}/engagements/{engagementid}/requests/{id}',
  'GET /api/v1/organizations/{organizationid}/engagements/{engagementid}/requests/{id}',
  'POST /api/v1/organizations/{organizationid}/engagements/{engagementid}/invitations',
  'GET /api/v1/organizations/{organizationid}/engagements/{engagementid}/sign-offs',
  'POST /api/v1/organizations/{organizationid}/engagements/{engagementid}/sign-offs',
  'POST /api/v1/invitations/preview',
  'POST /api/v1/invitations/accept',
  'POST /api/v1/recovery',
  'POST /api/v1/recovery/accept',
  'GET /api/v1/tokens',
  'POST /api/v1/tokens',
  'GET /api/v1/tokens/{id}',
  'DELETE /api/v1/tokens/{id}',
  'POST /api/v1/tokens/{id}/rotate',
  'GET /api/v1/token',
  'GET /api/v1/organizations/{organizationid}/tokens',
  'DELETE /api/v1/organizations/{organizationid}/tokens/{id}',
  'GET /api/v1/profile',
  'PATCH /api/v1/profile',
  'DELETE /api/v1/profile',
  'GET /api/v1/profile/export',
  'GET /api/v1/profile/audit-trail',
  'GET /api/v1/profile/audit-trail/verification',
  'GET /api/v1/organizations/{organizationid}/alerts',
  'PATCH /api/v1/organizations/{organizationid}/alerts',
  'GET /api/v1/organizations/{organizationid}/mail-preferences',
  'PATCH /api/v1/organizations/{organizationid}/mail-preferences',
  // Devices
  'GET /api/v1/cloud-defender',
  'POST /api/v1/cloud-defender',
  'PATCH /api/v1/cloud-defender/{id}',
  'POST /api/v1/cloud-defender/{id}/restore',
  'GET /api/v1/cloud-defender/{id}/series',
  'POST /api/v1/cloud-defender/{id}/checks',
  'GET /api/v1/atb',
  'POST /api/v1/atb',
  'PATCH /api/v1/atb/{id}',
  'POST /api/v1/atb/{id}/restore',
  'POST /api/v1/atb/{id}/rotate-key',
  'GET /api/v1/atb/{id}/series',
  'POST /api/v1/atb/{id}/checks',
  'POST /api/v1/atb/checks',
  // Organizations
  'GET /api/v1/organizations',
  'GET /api/v1/organizations/{id}',
  'PATCH /api/v1/organizations/{id}',
  'DELETE /api/v1/organizations/{id}',
  'POST /api/v1/organizations/{id}/reset',
  'POST /api/v1/organizations/{id}/restore',
  'POST /api/v1/organizations/{id}/transfer',
  'POST /api/v1/organizations/{id}/leave',
  'PUT /api/v1/organizations/{id}/logo',
  'DELETE /api/v1/organizations/{id}/logo',
  'GET /api/v1/organizations/{id}/settings',
  'PATCH /api/v1/organizations/{id}/settings',
  'GET /api/v1/organizations/{id}/privileges',
  'PUT /api/v1/organizations/{id}/branding',
  'GET /api/v1/options',
  // Weekly report (specification 2.2)
  'GET /api/v1/organizations/{organizationid}/weekly-report',
  'GET /api/v1/organizations/{organizationid}/weekly-report/deliveries',
];

/** Two are of one method and path where one of them answers with a job. */
const served = [...new Set(ROUTES.map(({ method, path }) => `${method} ${path}`))];

test('serves every endpoint of the specification', () => {
  expect(SPECIFIED.filter((route) => !served.includes(route))).toEqual([]);
});

test('serves nothing under /api/v1 but the listed endpoints', () => {
  expect(served.toSorted()).toEqual([...SPECIFIED, ...ADDED].toSorted());
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
  // Paths are written out, or begin with `…` for the path above.
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
