import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError } from '../support/matchers.js';
import { buildOrganization, seedTestData, join, type TestData } from '../support/test-data.js';
import { expectExactly, personOf, rolesFrom } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
const path = (id = testData.organizationId) => `/api/v1/organizations/${id}/branding`;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

/** The branding of an organization that never set one. */
const DEFAULT = {
  error: 0,
  messages: [],
  data: {
    palette: 'default',
    custom_colors: { primary: '#1F6FEB', primary_hover: '#1A5FCC', primary_dark: '#0D3A80' },
  },
};

describe('GET /api/v1/organizations/{id}/branding', () => {
  test('answers the default values to every member when none are configured', async () => {
    for (const role of rolesFrom('VIEWER')) {
      expectExactly(await gateway.rest.get(path(), { token: personOf(testData, role).token }), 200, DEFAULT);
    }
  });

  test('answers what is configured', async () => {
    await gateway.app.database.rows(`update organization set palette = 'ocean', custom_colors = $2 where id = $1`, [
      testData.organizationId,
      JSON.stringify({ primary: '#000001', primaryHover: '#000002', primaryDark: '#000003' }),
    ]);
    expectExactly(await gateway.rest.get(path(), { token: testData.viewer.token }), 200, {
      error: 0,
      messages: [],
      data: {
        palette: 'ocean',
        custom_colors: { primary: '#000001', primary_hover: '#000002', primary_dark: '#000003' },
      },
    });
    expectExactly(
      await gateway.rest.get(path(testData.otherOrganizationId), { token: testData.nonMember.token }),
      200,
      DEFAULT,
    );
  });

  test('is absent when the organization is deleted', async () => {
    const { database } = gateway.app;
    const gone = await buildOrganization(database, 'Gone');
    await join(database, testData.owner, gone, 'ORGANIZATION_OWNER');
    await database.rows('update organization set deleted_at = now() where id = $1', [gone]);
    expectError(await gateway.rest.get(path(gone), { token: testData.owner.token }), 404, [1004]);
  });
});
