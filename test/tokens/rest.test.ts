import { describe } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { pagingCases } from '../support/rest.js';
import { buildPerson, buildToken } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const person = await buildPerson(gateway.app.database, 'paged');
for (let more = 0; more < 4; more += 1) await buildToken(gateway.app.database, person, {});
// The use of a token is recorded once in a while, and pages of one list are compared.
await gateway.app.database.rows('update api_token set last_used_at = now()');

describe('the list of tokens of the caller', () => {
  pagingCases((query) => gateway.rest.get(`/api/v1/tokens?${query}`, person));
});

describe('the list of tokens of an organization', () => {
  pagingCases((query) =>
    gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/tokens?${query}`, testData.owner),
  );
});
