import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Queryable } from '../../src/database/sql.js';
import { KINDS } from '../support/device-kinds.js';
import { expectStatus } from '../support/matchers.js';
import { withoutTriggers } from '../support/planned-database.js';
import { planNodes, wholeReads } from '../support/plans.js';
import { buildOrganization, join } from '../support/test-data.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

/** Organizations, and devices of each kind in each of them. */
const ORGANIZATIONS = 60;
const DEVICES = 50;
/** Reports of each device, one an hour. */
const REPORTS = 30;

const { gateway, testData, watch } = await startWatchedGateway();

beforeAll(async () => {
  await join(
    gateway.app.database,
    testData.manager,
    await buildOrganization(gateway.app.database, 'Second'),
    'ORGANIZATION_MANAGER',
  );
  await withoutTriggers(gateway.app.database, fill);
  await gateway.app.database.rows('analyze');
});

async function fill(tx: Queryable): Promise<void> {
  await tx.rows(
    `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
     select 'Organization ' || n, '{}', '{}', '[]', '[]', '{}', '{}' from generate_series(1, $1::int) n`,
    [ORGANIZATIONS],
  );
  await tx.rows(
    `insert into cloud_defender (organization_id, email, fqdn, endpoint, services, status, last_seen_at)
     select o.id, 'edge@example.com', 'www' || n || '.example.com', '192.0.2.10', '{waf}', n % 4, now() - make_interval(secs => n)
       from organization o, generate_series(1, $1::int) n`,
    [DEVICES],
  );
  await tx.rows(
    `insert into threat_blocker (organization_id, atb_key, type, email, endpoint, services, device_id, plugin_config, status, last_seen_at)
     select o.id, gen_random_uuid(), 'gateway', 'atb@example.com', '192.0.2.20', '{vpn}', 'dev-' || n, '{}', n % 4, now() - make_interval(secs => n)
       from organization o, generate_series(1, $1::int) n`,
    [DEVICES],
  );
  for (const { table, stat } of KINDS) {
    await tx.rows(
      `insert into ${table}_check (organization_id, device_id, datetime, ${Object.keys(stat(1)).join(', ')}, waf_protection, total_managed_requests)
       select d.organization_id, d.id, date_trunc('second', now()) - make_interval(hours => n), 1, 1, 1, 1, 1 from ${table} d, generate_series(1, $1::int) n`,
      [REPORTS],
    );
  }
  await tx.rows(
    `insert into threat_blocker_traffic (organization_id, device_id, bucket_start, bucket_end, total_requests, malicious_requests)
     select d.organization_id, d.id, extract(epoch from now())::int - n * 3600, extract(epoch from now())::int - n * 3600 + 3600, 1, 1
       from threat_blocker d, generate_series(1, $1::int) n`,
    [REPORTS],
  );
}

/** Small tables are read whole with good reason; these are not small. */
const LARGE = /^(?:cloud_defender|threat_blocker)/;

async function expectIndexes(work: () => Promise<unknown>): Promise<void> {
  const texts = (await watch.during(work)).filter((text) => /cloud_defender|threat_blocker/.test(text));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of new Set(texts)) {
    // What passes by is known without its values.
    const nodes = await planNodes(gateway.app.database, { text }, 'generic');
    expect([text, wholeReads(nodes).filter((table) => LARGE.test(table))]).toEqual([text, []]);
  }
}

describe.each(KINDS)('on a large table, no statement reads it whole: $many', ({ segment, many, nameField }) => {
  const get = (path: string) => async () =>
    expectStatus(await gateway.rest.get(`/api/v1/${segment}${path}`, { token: testData.manager.token }), 200);
  const orders = ['id', nameField, 'status', 'last_seen'].flatMap((field) => [field, `-${field}`]);

  test.each(orders)('a list of one organization by %s', async (order) => {
    await expectIndexes(get(`?organization_id=${testData.organizationId}&sort=${order}`));
    await expectIndexes(get(`?organization_id=${testData.organizationId}&sort=${order}&status=2&offset=3&search=1`));
  });

  test.each(orders)('a list of all that the caller manages by %s', async (order) => {
    await expectIndexes(get(`?sort=${order}`));
    await expectIndexes(get(`?sort=${order}&status=2&deleted=true`));
  });

  test('the pages of a connection, and what devices reported', async () => {
    const traffic = many === 'threatBlockers' ? 'chartStat { bucketStart }' : '';
    const page = (args: string) =>
      `{ organization(id: ${testData.organizationId}) { ${many}(${args}) { totalCount pageInfo { endCursor }
         nodes { check { stat { datetime } webStat { wafProtection } ${traffic} series { points { reports wafProtection } } } } } } }`;
    const ask = (args: string) => gateway.graphql.data(page(args), { token: testData.manager.token });
    for (const field of ['ID', 'NAME', 'STATUS', 'LAST_SEEN']) {
      const first = await ask(`first: 2, orderBy: { field: ${field} }`);
      const { endCursor } = first.organization[many].pageInfo;
      await expectIndexes(() => ask(`first: 2, orderBy: { field: ${field} }, after: "${endCursor}"`));
    }
  });

  test('what is done about devices without being asked', async () => {
    for (const name of ['markSilent', 'purgeDeleted'])
      await expectIndexes(() => gateway.app.jobs.run(`${many}.${name}`));
  });
});
