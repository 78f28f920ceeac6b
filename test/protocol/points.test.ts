import { expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { HIGH_RATE_LIMITS, startGateway } from '../support/gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { rawRequest } from '../support/rest.js';
import { buildIncident, buildNotifications, buildWorkflow } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const { organizationId } = testData;
const { token } = testData.owner;
await buildWorkflow(gateway.app.database, organizationId);

/** The remaining points of a policy, from a response that it counted. */
async function left(policy: 'reads' | 'graphql'): Promise<number> {
  const { headers } =
    policy === 'reads'
      ? await gateway.rest.get('/api/v1/profile', { token })
      : await gateway.graphql.call('{ viewer { user { id } } }', { token });
  return Number(new RegExp(`"${policy}";r=(\\d+)`).exec(headers.get('ratelimit') ?? '')?.[1]);
}

async function pointsOf(policy: 'reads' | 'graphql', work: () => Promise<unknown>): Promise<number> {
  const before = await left(policy);
  await work();
  // One of them is the point of the second request.
  return before - (await left(policy)) - 1;
}

const get = (path: string) =>
  rawRequest(gateway.url, 'GET', path, { headers: { 'x-service-token': token } }).then((answer) => {
    expect(answer.status).toBe(200);
    return answer;
  });
const ORGANIZATION = `/api/v1/organizations/${organizationId}`;

test.each([
  [`${ORGANIZATION}/weekly-report`, `{ weeklyReportPreview(organizationId: ${organizationId}) { week } }`, 30],
  [`${ORGANIZATION}/audit-trail/verification`, `{ organization(id: ${organizationId}) { auditTrailVerification { valid } } }`, 50], // prettier-ignore
  ['/api/v1/v-ciso/work', '{ work { totalCount } }', 20],
])('%s takes the points of its expensive field through both APIs', async (path, query, points) => {
  const through = [
    await pointsOf('reads', () => get(path)),
    await pointsOf('graphql', () => gateway.graphql.data(query, { token })),
  ];
  for (const each of through) expect([points - 1, points, points + 1]).toContain(each);
});

test('a request that costs more than is left is refused before it is executed, and passes in a fresh window', async () => {
  const rateLimits = { ...HIGH_RATE_LIMITS, perToken: { ...HIGH_RATE_LIMITS.perToken, reads: 20 } };
  const limited = await startGateway({ database: gateway.database, config: { rateLimits } });
  try {
    const report = () => limited.rest.get(`${ORGANIZATION}/weekly-report`, { token });
    expectStatus(await report(), 200);
    const refused = await report();
    expectError(refused, 429, [1029]);
    expect(refused.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=\d+$/);
  } finally {
    await limited.close();
  }
});

test('a list as a file takes a point for each page', async () => {
  await buildNotifications(gateway.app.database, testData.owner, organizationId, 450);
  expect(await pointsOf('reads', () => get('/api/v1/notifications?format=csv'))).toBe(5);
});

test('the head of an evidence pack or of OSCAL takes the points of what is read for it', async () => {
  const workflow = `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022`;
  for (const [path, points] of [
    ['evidence-pack', 50],
    ['oscal/component-definition', 10],
  ] as const) {
    const head = () =>
      rawRequest(gateway.url, 'HEAD', `${workflow}/${path}`, { headers: { 'x-service-token': token } });
    expect(await pointsOf('reads', head)).toBe(points);
  }
});

test('a draft as PDF takes points by its length, and one when it is the same again', async () => {
  await gateway.app.database.rows(`update organization set country = 'IT' where id = $1`, [organizationId]);
  const incident = await buildIncident(gateway.app.database, organizationId);
  await gateway.app.database.rows(
    `update incident set significant = true, aware_at = now(), description = repeat('What happened. ', 600) where id = $1`,
    [incident],
  );
  const path = `/api/v1/v-ciso/incidents/${organizationId}/${incident}/reports/nis2-it/NOTIFICATION/draft.pdf`;
  const documents: Buffer[] = [];
  const draft = async () => documents.push((await get(path)).bytes);
  const first = await pointsOf('reads', draft);
  expect(first).toBeGreaterThan(15);
  const again = await pointsOf('reads', draft);
  expect(again).toBeLessThan(5);
  expect(documents[1]!.equals(documents[0]!)).toBe(true);
  await gateway.app.database.rows(`update incident set impact = 'All of it' where id = $1`, [incident]);
  const head = () => rawRequest(gateway.url, 'HEAD', path, { headers: { 'x-service-token': token } });
  expect(await pointsOf('reads', head)).toBeLessThan(5);
  expect(await pointsOf('reads', draft)).toBeGreaterThan(15);
  expect(documents[2]!.equals(documents[0]!)).toBe(false);
});
