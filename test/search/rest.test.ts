import { expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectError, expectStatus } from '../support/matchers.js';
import { pagingCases } from '../support/rest.js';
import { buildWorkflow } from '../support/test-data.js';

const search = (q: string, rest = '') =>
  gateway.rest.get(`/api/v1/search?q=${encodeURIComponent(q)}${rest}`, { token: testData.owner.token });

const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');

pagingCases((query) => search('it', `&${query}`), 1_000);

test('refuses invalid parameters with every error at once', async () => {
  const length = 'q must have from 2 to 100 characters';
  expectError(await gateway.rest.get('/api/v1/search', { token: testData.owner.token }), 400, ['q is required']);
  for (const q of ['', 'a', '   ', ' a ', 'x'.repeat(101)]) expectError(await search(q), 400, [length]);
  for (const q of ['ab', 'x'.repeat(100), '💥💥']) expectStatus(await search(q), 200);
  expect((await search('\u0300\u0301\u0302')).body).toMatchObject({ data: [], total: 0 });
  expectError(await search('ab', '&type=FILE&offset=1001&organization_id=x&limit=0'), 400, [
    'organization_id must be an integer of 1 or more',
    'type must be one of ORGANIZATION, MEMBER, CONTROL, DOCUMENT, INCIDENT, NOTIFICATION',
    'limit must be from 1 to 100',
    'offset must be from 0 to 1000',
  ]);
  expectStatus(await search('ab', '&offset=1000'), 200);
  expectError(await search('a\0b'), 400, ['q must not contain control characters']);
});
