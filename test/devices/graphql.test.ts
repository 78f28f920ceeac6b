import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { buildCloudDefender, buildThreatBlocker, seedTestData, type TestData } from '../support/test-data.js';
import { dataTwice, errorsTwice } from '../support/twice.js';

const DAY = 24 * 60 * 60 * 1000;
const EDGE = `__typename id: databaseId organization { id: databaseId name logo } email fqdn endpoint services createdAt updatedAt
  check { stat { fqdn proxy endpoint datetime } status webStat { datetime wafProtection totalManagedRequests } }`;
const BLOCKER = `__typename id: databaseId organization { id: databaseId name logo } atbKey type email endpoint privateIP services deviceId
  createdAt updatedAt plugin { name config } check { stat { vpn dnsbl iplist datetime } status
  webStat { datetime wafProtection totalManagedRequests }
  chartStat { bucketStart bucketEnd totalRequests maliciousRequests } }`;

let gateway: TestGateway;
let testData: TestData;

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

const ago = (days: number) => new Date(Math.floor((Date.now() - days * DAY) / 1000) * 1000);

async function edge(): Promise<number> {
  const { database } = gateway.app;
  const id = await buildCloudDefender(database, testData.organizationId);
  await database.rows(
    `update cloud_defender set status = 2, created_at = '2026-01-01T00:00:00Z', updated_at = '2026-01-02T00:00:00Z' where id = $1`,
    [id],
  );
  return id;
}

async function blocker(): Promise<number> {
  const { database } = gateway.app;
  const id = await buildThreatBlocker(database, testData.organizationId);
  await database.rows(
    `update threat_blocker set status = 3, atb_key = ('00000000-0000-4000-8000-' || lpad(id::text, 12, '0'))::uuid,
            created_at = '2026-01-01T00:00:00Z', updated_at = '2026-01-02T00:00:00Z' where id = $1`,
    [id],
  );
  return id;
}

const one = async (field: string, fields: string, id: number) => {
  const query = `query ($id: ID!) { ${field}(id: $id) { ${fields} } }`;
  return (await dataTwice(gateway.graphql, query, { token: testData.manager.token, variables: { id } }))[field];
};

const list = async (field: string, args: string, fields: string) => {
  const query = `query ($id: ID!) { organization(id: $id) { ${field}${args} { ${fields} } } }`;
  const variables = { id: testData.organizationId };
  return (await dataTwice(gateway.graphql, query, { token: testData.manager.token, variables })).organization[field];
};

describe('an edge protection', () => {
  test('shows every field, its newest report, and a week of them oldest first', async () => {
    const id = await edge();
    const days = [8, 6, 1].map(ago);
    for (const [index, datetime] of days.entries()) {
      await gateway.app.database.rows(
        `insert into cloud_defender_check (device_id, datetime, fqdn, proxy, endpoint, waf_protection, total_managed_requests)
         values ($1, $2, 1, 2, $3, $4, $5)`,
        [id, datetime, index, index * 10, index * 100],
      );
    }
    expect(await one('cloudDefender', EDGE, id)).toEqual({
      __typename: 'CloudDefender',
      id,
      organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
      email: 'edge@example.com',
      fqdn: 'www.example.com',
      endpoint: '192.0.2.10',
      services: ['waf', 'proxy'],
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
      check: {
        stat: { fqdn: 'HEALTHY', proxy: 'DEGRADED', endpoint: 'DEGRADED', datetime: days[2]?.toISOString() },
        status: 'DEGRADED',
        webStat: [
          { datetime: days[1]?.toISOString(), wafProtection: 10, totalManagedRequests: 100 },
          { datetime: days[2]?.toISOString(), wafProtection: 20, totalManagedRequests: 200 },
        ],
      },
    });
  });

  test('that was last heard of long ago still shows its newest report', async () => {
    const id = await edge();
    await gateway.app.database.rows(
      `insert into cloud_defender_check (device_id, datetime, fqdn, proxy, endpoint, waf_protection, total_managed_requests)
       values ($1, '2020-01-01T00:00:00Z', 1, 1, 1, 1, 1)`,
      [id],
    );
    const { check } = await one('cloudDefender', 'check { stat { datetime } webStat { datetime } }', id);
    expect(check).toEqual({ stat: { datetime: '2020-01-01T00:00:00.000Z' }, webStat: [] });
  });
});

describe('a threat blocker', () => {
  test('shows every field, and its configuration key for key as the customer wrote it', async () => {
    const id = await blocker();
    const at = ago(2);
    const start = Math.floor(at.getTime() / 1000);
    const { database } = gateway.app;
    await database.rows(
      `insert into threat_blocker_check (device_id, datetime, vpn, dnsbl, iplist, waf_protection, total_managed_requests)
       values ($1, $2, 1, 2, 3, 4, 5)`,
      [id, at],
    );
    await database.rows(
      `insert into threat_blocker_traffic (device_id, bucket_start, bucket_end, total_requests, malicious_requests)
       values ($1, $2::int + 3600, $2::int + 7200, 30, 3), ($1, $2::int, $2::int + 3600, 20, 2), ($1, $2::int - 864000, $2::int - 860400, 10, 1)`,
      [id, start],
    );
    expect(await one('threatBlocker', BLOCKER, id)).toEqual({
      __typename: 'ThreatBlocker',
      id,
      organization: { id: testData.organizationId, name: 'First Organization', logo: '' },
      atbKey: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
      type: 'appliance',
      email: 'atb@example.com',
      endpoint: '192.0.2.20',
      privateIP: '10.0.0.2',
      services: ['dnsbl', 'iplist'],
      deviceId: 'dev-1',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
      plugin: { name: 'pf', config: { snake_key: { camelKey: 1, __proto__x: [true, null] } } },
      check: {
        stat: { vpn: 'HEALTHY', dnsbl: 'DEGRADED', iplist: 'DOWN', datetime: at.toISOString() },
        status: 'DOWN',
        webStat: [{ datetime: at.toISOString(), wafProtection: 4, totalManagedRequests: 5 }],
        chartStat: [
          { bucketStart: start, bucketEnd: start + 3600, totalRequests: 20, maliciousRequests: 2 },
          { bucketStart: start + 3600, bucketEnd: start + 7200, totalRequests: 30, maliciousRequests: 3 },
        ],
      },
    });
  });

  test('that never reported has zeros and no series', async () => {
    const { check } = await one(
      'threatBlocker',
      'check { stat { vpn } webStat { datetime } chartStat { bucketStart } }',
      await blocker(),
    );
    expect(check).toEqual({ stat: { vpn: 'UNKNOWN' }, webStat: [], chartStat: [] });
  });
});

describe.each([
  ['cloudDefender', 'cloudDefenders', 'deleteCloudDefender', 'WWW.Example', () => edge()],
  ['threatBlocker', 'threatBlockers', 'deleteThreatBlocker', 'DEV-1', () => blocker()],
] as const)('%s', (field, lists, remove, search, build) => {
  const REMOVE = `mutation ($id: ID!) { ${remove}(input: { ${field}Id: $id }) { ${field} { id: databaseId email organization { id: databaseId } } } }`;

  test('is listed by id, and searched in any case', async () => {
    const ids = [await build(), await build()];
    const all = await list(lists, '', 'totalCount nodes { id: databaseId }');
    const listed = all.nodes.map(({ id }: { id: number }) => id);
    expect(listed).toEqual(listed.toSorted((a: number, b: number) => a - b));
    expect(listed).toEqual(expect.arrayContaining(ids));
    const found = await list(
      lists,
      `(first: 100, filter: { search: "${search}" })`,
      'totalCount nodes { id: databaseId }',
    );
    expect(found).toEqual(all);
    expect(await list(lists, '(filter: { search: "%" })', 'totalCount nodes { id: databaseId }')).toEqual({
      totalCount: 0,
      nodes: [],
    });
  });

  test('is shown when it is deleted, and absent from then on everywhere', async () => {
    const id = await build();
    const options = { token: testData.manager.token, variables: { id } };
    const deleted = await gateway.graphql.data(REMOVE, options);
    const email = field === 'cloudDefender' ? 'edge@example.com' : 'atb@example.com';
    expect(deleted[remove][field]).toEqual({ id, email, organization: { id: testData.organizationId } });
    const absent = { code: 'NOT_FOUND', messages: [1004] };
    expect((await errorsTwice(gateway.graphql, REMOVE, options))[0]?.extensions).toEqual(absent);
    const query = `query ($id: ID!) { ${field}(id: $id) { id: databaseId } }`;
    expect((await errorsTwice(gateway.graphql, query, options))[0]?.extensions).toEqual(absent);
    const { nodes } = await list(lists, '(last: 100)', 'nodes { id: databaseId }');
    expect(nodes).not.toContainEqual({ id });
    const table = field === 'cloudDefender' ? 'cloud_defender' : 'threat_blocker';
    const rows = await gateway.app.database.rows(`select 1 from ${table} where id = $1 and deleted_at is not null`, [
      id,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('is null in the organization of a member of lower rank, with an error beside it', async () => {
    const answer = await gateway.graphql.call(
      `query ($id: ID!) { organization(id: $id) { id: databaseId ${lists} { totalCount } } }`,
      { token: testData.officer.token, variables: { id: testData.organizationId } },
    );
    expect(answer.body.data).toEqual({ organization: { id: testData.organizationId, [lists]: null } });
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN', messages: [1003] });
  });
});
