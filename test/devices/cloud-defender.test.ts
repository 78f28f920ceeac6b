import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError } from '../support/matchers.js';
import { buildCloudDefender, buildOrganization, seedTestData, join, type TestData } from '../support/test-data.js';
import { expectExactly, personOf, rolesFrom } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
let id: number;
const path = () => `/api/v1/cloud-defender/${id}`;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  id = await buildCloudDefender(gateway.app.database, testData.organizationId);
});
afterAll(() => gateway.close());

/** Specification 2.6, key for key. */
const record = (check: object, logo = '') => ({
  id,
  organization: { id: testData.organizationId, name: 'First Organization', logo },
  email: 'edge@example.com',
  fqdn: 'www.example.com',
  check,
  endpoint: '192.0.2.10',
  services: ['waf', 'proxy'],
});

const neverChecked = async () => ({
  stat: { fqdn: 0, proxy: 0, endpoint: 0, datetime: await createdAt() },
  status: 0,
  web_stat: [],
});
async function createdAt(): Promise<string> {
  const [row] = await gateway.app.database.rows<{ at: string }>(
    'select created_at as at from cloud_defender where id = $1',
    [id],
  );
  return row!.at;
}
const success = (data: unknown) => ({ error: 0, messages: [], data });

describe('GET /api/v1/cloud-defender/{id}', () => {
  test('answers the record to who manages its organization', async () => {
    for (const role of rolesFrom('ORGANIZATION_MANAGER')) {
      const answer = await gateway.rest.get(path(), { token: personOf(testData, role).token });
      expectExactly(answer, 200, success(record(await neverChecked())));
    }
    expectExactly(
      await gateway.rest.get(path(), { token: testData.tokens.readOnly }),
      200,
      success(record(await neverChecked())),
    );
  });

  test('shows the newest report as stat, and the reports of a week oldest first', async () => {
    const day = 24 * 60 * 60 * 1000;
    const [old, middle, newest] = [8, 2, 1].map((days) => new Date(Date.now() - days * day).toISOString());
    for (const [datetime, fqdn, requests] of [
      [newest, 1, 30],
      [old, 3, 10],
      [middle, 2, 20],
    ] as const) {
      await gateway.app.database.rows(
        `insert into cloud_defender_check (device_id, datetime, fqdn, proxy, endpoint, waf_protection, total_managed_requests)
         values ($1, $2, $3, 2, 3, 4, $4)`,
        [id, datetime, fqdn, requests],
      );
    }
    await gateway.app.database.rows(`update cloud_defender set status = 2 where id = $1`, [id]);
    await gateway.app.database.rows(`update organization set logo = 'https://cdn.example.com/a.png' where id = $1`, [
      testData.organizationId,
    ]);
    const check = {
      stat: { fqdn: 1, proxy: 2, endpoint: 3, datetime: newest },
      status: 2,
      web_stat: [
        { datetime: middle, waf_protection: 4, total_managed_requests: 20 },
        { datetime: newest, waf_protection: 4, total_managed_requests: 30 },
      ],
    };
    const answer = await gateway.rest.get(path(), { token: testData.manager.token });
    expectExactly(answer, 200, success(record(check, 'https://cdn.example.com/a.png')));
  });

  test('is absent in an organization that is deleted', async () => {
    const database = gateway.app.database;
    const organization = await buildOrganization(database, 'Gone');
    await join(database, testData.userWithoutOrganization, organization, 'ORGANIZATION_OWNER');
    const device = await buildCloudDefender(database, organization);
    await database.rows('update organization set deleted_at = now() where id = $1', [organization]);
    for (const method of ['GET', 'DELETE']) {
      const answer = await gateway.rest.call(method, `/api/v1/cloud-defender/${device}`, {
        token: testData.userWithoutOrganization.token,
      });
      expectError(answer, 404, [1004]);
    }
    await database.rows('delete from membership where user_id = $1', [testData.userWithoutOrganization.id]);
  });
});

describe('DELETE /api/v1/cloud-defender/{id}', () => {
  test('answers the record as it was, and from then on it is absent', async () => {
    const before = await gateway.rest.get(path(), { token: testData.owner.token });
    const deleted = await gateway.rest.delete(path(), { token: testData.tokens.writeOnly });
    expect([deleted.status, deleted.text]).toEqual([200, before.text]);
    expectError(await gateway.rest.get(path(), { token: testData.owner.token }), 404, [1004]);
    expectError(await gateway.rest.delete(path(), { token: testData.owner.token }), 404, [1004]);
  });

  test('is soft: the row stays', async () => {
    const rows = await gateway.app.database.rows<{ gone: boolean }>(
      'select deleted_at is not null as gone from cloud_defender where id = $1',
      [id],
    );
    expect(rows).toEqual([{ gone: true }]);
  });

  test('of many who delete at once, one succeeds', async () => {
    const other = await buildCloudDefender(gateway.app.database, testData.organizationId);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        gateway.rest.delete(`/api/v1/cloud-defender/${other}`, { token: testData.manager.token }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404]);
  });

  test('takes a request with a body, and a manager may delete as well', async () => {
    const other = await buildCloudDefender(gateway.app.database, testData.organizationId);
    const answer = await gateway.rest.delete(`/api/v1/cloud-defender/${other}`, {
      token: testData.manager.token,
      body: { reason: 'moved' },
    });
    expect(answer.status).toBe(200);
  });
});
