import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectError } from '../support/matchers.js';
import { buildThreatBlocker, seedTestData, type TestData } from '../support/test-data.js';
import { expectExactly, personOf, rolesFrom } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
let id: number;
let key: string;
const path = () => `/api/v1/atb/${id}`;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
  id = await buildThreatBlocker(gateway.app.database, testData.organizationId);
  const rows = await gateway.app.database.rows<{ key: string }>('select atb_key as key from threat_blocker');
  key = rows[0]!.key;
});
afterAll(() => gateway.close());

/** Specification 2.7, key for key. */
const record = (check: object, config: unknown = { snake_key: { camelKey: 1, __proto__x: [true, null] } }) => ({
  error: 0,
  messages: [],
  data: {
    id,
    organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
    atb_key: key,
    type: 'appliance',
    email: 'atb@example.com',
    check,
    plugin: { name: 'pf', config },
    endpoint: '192.0.2.20',
    privateIP: '10.0.0.2',
    services: ['dnsbl', 'iplist'],
    device_id: 'dev-1',
  },
});

const neverChecked = async () => ({
  stat: { vpn: 0, dnsbl: 0, iplist: 0, datetime: await createdAt() },
  status: 0,
  web_stat: [],
  chart_stat: [],
});
async function createdAt(): Promise<string> {
  const [row] = await gateway.app.database.rows<{ at: string }>(
    'select created_at as at from threat_blocker where id = $1',
    [id],
  );
  return row!.at;
}

describe('GET /api/v1/atb/{id}', () => {
  test('answers the record to who manages its organization', async () => {
    for (const role of rolesFrom('ORGANIZATION_MANAGER')) {
      expectExactly(
        await gateway.rest.get(path(), { token: personOf(testData, role).token }),
        200,
        record(await neverChecked()),
      );
    }
  });

  test("passes the customer's own configuration through untouched", async () => {
    const config = JSON.parse(
      '{"a": 1.5, "Id": null, "__proto__": {"x": 1}, "data": {"camelCase": "è", "snake_case": []}, "constructor": "x"}',
    ) as object;
    await gateway.app.database.rows('update threat_blocker set plugin_config = $2 where id = $1', [
      id,
      JSON.stringify(config),
    ]);
    const answer = await gateway.rest.get(path(), { token: testData.owner.token });
    const sent = (JSON.parse(answer.text) as { data: { plugin: { config: object } } }).data.plugin.config;
    expect(Object.keys(sent).toSorted()).toEqual(Object.keys(config).toSorted());
    expect(answer.text).toContain('"__proto__":{"x":1}');
    expect(answer.text).toContain('"camelCase":"è"');
    await gateway.app.database.rows('update threat_blocker set plugin_config = $2 where id = $1', [
      id,
      '{"snake_key": {"camelKey": 1, "__proto__x": [true, null]}}',
    ]);
  });

  test('shows the newest report, the web traffic and the chart of a week, oldest first', async () => {
    const { database } = gateway.app;
    const now = Math.floor(Date.now() / 1000);
    const at = (hours: number) => new Date((now - hours * 3600) * 1000).toISOString();
    for (const hours of [1, 200, 2]) {
      await database.rows(
        `insert into threat_blocker_check (device_id, datetime, vpn, dnsbl, iplist, waf_protection, total_managed_requests)
         values ($1, $2, 1, 2, 3, $3, 7)`,
        [id, at(hours), hours],
      );
      await database.rows(
        `insert into threat_blocker_traffic (device_id, bucket_start, bucket_end, total_requests, malicious_requests)
         values ($1, $2, $3, 900, 9)`,
        [id, now - hours * 3600, now - hours * 3600 + 60],
      );
    }
    await database.rows('update threat_blocker set status = 3 where id = $1', [id]);
    const bucket = (hours: number) => ({
      bucket_start: now - hours * 3600,
      bucket_end: now - hours * 3600 + 60,
      total_requests: 900,
      malicious_requests: 9,
    });
    const check = {
      stat: { vpn: 1, dnsbl: 2, iplist: 3, datetime: at(1) },
      status: 3,
      web_stat: [
        { datetime: at(2), waf_protection: 2, total_managed_requests: 7 },
        { datetime: at(1), waf_protection: 1, total_managed_requests: 7 },
      ],
      chart_stat: [bucket(2), bucket(1)],
    };
    expectExactly(await gateway.rest.get(path(), { token: testData.owner.token }), 200, record(check));
  });
});

describe('DELETE /api/v1/atb/{id}', () => {
  test('answers the record as it was, and from then on it is absent', async () => {
    const before = await gateway.rest.get(path(), { token: testData.owner.token });
    const deleted = await gateway.rest.delete(path(), { token: testData.manager.token });
    expect([deleted.status, deleted.text]).toEqual([200, before.text]);
    expectError(await gateway.rest.get(path(), { token: testData.manager.token }), 404, [1004]);
    expectError(await gateway.rest.delete(path(), { token: testData.manager.token }), 404, [1004]);
    const rows = await gateway.app.database.rows(
      'select 1 from threat_blocker where id = $1 and deleted_at is not null',
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  test('lets the owner delete, and keeps the other kind of device of the same id', async () => {
    const other = await buildThreatBlocker(gateway.app.database, testData.organizationId);
    expectError(
      await gateway.rest.delete(`/api/v1/cloud-defender/${other}`, { token: testData.owner.token }),
      404,
      [1004],
    );
    expect((await gateway.rest.delete(`/api/v1/atb/${other}`, { token: testData.owner.token })).status).toBe(200);
  });
});
