import { afterAll, expect, test } from '@jest/globals';
import { followed } from '../resilience/support/interrupted-runs.js';
import { followSteps } from '../resilience/support/stepped-requests.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
afterAll(followSteps());
const { organizationId, owner } = testData;

test('a file of which nothing was sent yet is answered with the error', async () => {
  const path = `/api/v1/organizations/${organizationId}/audit-trail.ndjson`;
  const call = (headers: Record<string, string>) => gateway.rest.get(path, { token: owner.token, headers });
  await call({});
  const { statements } = await followed(gateway, undefined, call);
  const page = statements.findLastIndex((text) => text.startsWith('select "position", "entry", "hash"'));
  expect(page).toBeGreaterThan(0);
  const { answer, broken } = await followed(gateway, { before: page, interruption: 'statement failed' }, call);
  expect([broken, answer?.status, answer?.body]).toEqual([undefined, 503, { error: 1, messages: [] }]);
});
