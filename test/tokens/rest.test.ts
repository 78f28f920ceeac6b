import { afterAll, beforeAll, describe } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { pagingCases } from '../support/rest.js';
import { buildPerson, buildToken, seedTestData, type Person, type TestData } from '../support/test-data.js';

let gateway: TestGateway;
let testData: TestData;
let person: Person;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  person = await buildPerson(gateway.app.database, 'paged');
  for (let more = 0; more < 4; more += 1) await buildToken(gateway.app.database, person, {});
  // The use of a token is recorded once in a while, and pages of one list are compared.
  await gateway.app.database.rows('update api_token set last_used_at = now()');
});
afterAll(() => gateway?.close());

describe('the list of tokens of the caller', () => {
  pagingCases((query) => gateway.rest.get(`/api/v1/tokens?${query}`, person));
});

describe('the list of tokens of an organization', () => {
  pagingCases((query) =>
    gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/tokens?${query}`, testData.owner),
  );
});
