import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Queryable } from '../../src/database/sql.js';
import { KINDS } from '../support/device-kinds.js';
import { expectStatus } from '../support/matchers.js';
import { withoutTriggers } from '../support/planned-database.js';
import { planNodes, wholeReads } from '../support/plans.js';
import { buildOrganization, buildToken, join } from '../support/test-data.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

/** Organizations, and devices of each kind in each of them. */
const ORGANIZATIONS = 60;
const DEVICES = 50;
/** Reports of each device, one an hour. */
const REPORTS = 30;

const { gateway, testData, watch } = await startWatchedGateway({ config: { deviceReportsWholeDays: 1 } });
const telemetry = await buildToken(gateway.app.database, testData.manager, { scopes: ['telemetry'] });

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

/** Sequential scans of small tables are justified; these are not small. */
const LARGE = /^(?:cloud_defender|threat_blocker)/;
/** Empty tables of months, and the default one. */
async function emptyTables(): Promise<Set<string>> {
  const rows = await gateway.app.database.rows<{ name: string }>(
    `select relname as name from pg_class where reltuples = 0 and relnamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function expectIndexes(work: () => Promise<unknown>): Promise<void> {
  const texts = (await watch.during(work)).filter((text) => /cloud_defender|threat_blocker/.test(text));
  expect(texts.length).toBeGreaterThan(0);
  const empty = await emptyTables();
  for (const text of new Set(texts)) {
    // The values of a captured statement are unknown.
    const nodes = await planNodes(gateway.app.database, { text }, 'generic');
    expect([text, wholeReads(nodes).filter((table) => LARGE.test(table) && !empty.has(table))]).toEqual([text, []]);
  }
}

describe.each(KINDS)(
  'on a large table, no statement reads it whole: $many',
  ({ segment, many, nameField, ...kind }) => {
    const get = (path: string) => async () =>
      expectStatus(await gateway.rest.get(`/api/v1/${segment}${path}`, { token: testData.manager.token }), 200);
    const orders = ['id', nameField, 'status', 'last_seen_at'].flatMap((field) => [field, `-${field}`]);

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
      const request = (args: string) => gateway.graphql.data(page(args), { token: testData.manager.token });
      for (const field of ['ID', 'NAME', 'STATUS', 'LAST_SEEN_AT']) {
        const first = await request(`first: 2, orderBy: { field: ${field} }`);
        const { endCursor } = first.organization[many].pageInfo;
        await expectIndexes(() => request(`first: 2, orderBy: { field: ${field} }, after: "${endCursor}"`));
      }
    });

    test('periodic jobs for devices', async () => {
      for (const name of ['markSilent', 'purgeDeleted'])
        await expectIndexes(() => gateway.app.jobs.run(`${many}.${name}`));
      const { table } = kind;
      await gateway.app.database.rows(
        `update ${table} set thinned_until = now() - interval '4 days' where id % 50 = 0`,
      );
      await expectIndexes(() => gateway.app.jobs.run('reportThinnings.thin'));
    });

    test('what one device reports, and what many do', async () => {
      const { table, build, stat } = kind;
      const id = await build(gateway.app.database, testData.organizationId);
      const named = table === 'cloud_defender' ? 'cloud_defender_id' : 'threat_blocker_id';
      const send = (path: string, report: object) => async () => {
        const reports = [{ datetime: new Date().toISOString(), stat: stat(1), ...report }];
        const answer = await gateway.rest.post(`/api/v1/${segment}/${path}`, { token: telemetry, body: { reports } });
        expectStatus(answer, 200);
      };
      await expectIndexes(send(`${id}/checks`, {}));
      await expectIndexes(send('checks/batch', { [named]: id }));
    });
  },
);
