import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/database/database.js';
import { OrganizationPurgeService } from '../../src/services/organizations/purge.service.js';
import { StoredContent } from '../../src/services/files/stored-content.js';
import { OrganizationReader } from '../../src/services/shared/organization-reader.js';
import { OrganizationService, type OrganizationQuery } from '../../src/services/organizations/organizations.service.js';
import { openRecordStore } from '../../src/storage/storage-location.js';
import { checkpointsFor } from '../support/audit.js';
import { anonymousAccess, selecting, userCaller } from '../support/callers.js';
import { KINDS } from '../support/device-kinds.js';
import { testConfig } from '../support/gateway.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { buildPerson } from '../support/test-data.js';

const ORGANIZATIONS = 20_000;
/** Deleted long ago; the first is large. */
const DELETED = 3;
/** Rows of each table that belongs to organizations. */
const ROWS = 30_000;

let planned: PlannedDatabase;
let userId: string;

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  userId = (await buildPerson(planned.database, 'member')).id;
  await planned.fillOrganizations(ORGANIZATIONS);
  await planned.fill(
    `update organization set deleted_at = timestamptz '2026-01-01Z' + make_interval(hours => id::int) where id <= $1`,
    [DELETED],
  );
  await fillMembers();
  await fillBelongings();
  await planned.analyze([
    'organization',
    'membership',
    'incident',
    'incident_attachment',
    'document_version',
    'cloud_defender',
    'cloud_defender_check',
    'threat_blocker',
    'threat_blocker_check',
    'threat_blocker_traffic',
    'notification',
  ]);
});

afterAll(() => planned?.close());

async function fillMembers(): Promise<void> {
  await planned.fill(
    `insert into membership (user_id, organization_id, role)
     select $1, id, (array['ORGANIZATION_OWNER', 'VIEWER'])[1 + id / 500 % 2] from organization where id % 500 = 10`,
    [userId],
  );
  await planned.fill(
    `with people as (
       insert into app_user (id, username, email, first_name, last_name)
       select gen_random_uuid(), 'user-' || n, 'user-' || n || '@example.com', '', '' from generate_series(1, 2000) n
       returning id
     )
     insert into membership (user_id, organization_id, role)
     select p.id, p.n * 10 + each, 'VIEWER' from (select id, row_number() over () - 1 as n from people) p, generate_series(1, 10) each`,
  );
}

async function fillBelongings(): Promise<void> {
  // Half of the rows other than files are the first one's: a sequential scan would find them soon.
  const anywhere = `1 + n % ${ORGANIZATIONS}`;
  const somewhere = `case n % 2 when 0 then 1 else ${anywhere} end`;
  const rows = `from generate_series(1, ${ROWS}) n`;
  await planned.fill(
    `insert into incident (organization_id, title, severity, aware_at) select ${somewhere}, 'title', 'LOW', now() ${rows}`,
  );
  await planned.fill(
    `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by)
     select organization_id, id, 'a', 'text/plain', 1, 'content ' || id, 'x' from incident where organization_id > 1 or id % 100 = 0`,
  );
  await planned.fill(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     select ${anywhere}, 'w', 'a', 'd', 1, 'text/plain', 'attached', 'content ' || n, 'x' ${rows}`,
  );
  await planned.fill(
    `insert into notification (user_id, organization_id, title, message, type, action)
     select $1, ${somewhere}, 'Title', '', 'SYSTEM', 'NONE' ${rows}`,
    [userId],
  );
  await planned.fill(
    `insert into cloud_defender (organization_id, email, fqdn, endpoint, services)
     select ${somewhere}, 'edge@example.com', 'www.example.com', '192.0.2.10', '{waf}' ${rows}`,
  );
  await planned.fill(
    `insert into threat_blocker (organization_id, atb_key, type, email, endpoint, services, device_id, plugin_config)
     select ${somewhere}, gen_random_uuid(), 'gateway', 'atb@example.com', '192.0.2.20', '{vpn}', 'dev', '{}' ${rows}`,
  );
  for (const { table, stat } of KINDS) {
    await planned.fill(
      `insert into ${table}_check (organization_id, device_id, datetime, ${Object.keys(stat(1)).join(', ')}, waf_protection, total_managed_requests)
       select organization_id, id, now(), 1, 1, 1, 1, 1 from ${table}`,
    );
  }
  await planned.fill(
    `insert into threat_blocker_traffic (organization_id, device_id, bucket_start, bucket_end, total_requests, malicious_requests)
     select organization_id, id, 0, 3600, 1, 1 from threat_blocker`,
  );
}

describe('the organizations of a caller: no sequential scan', () => {
  const serviceOf = (recorder: Database) => {
    const config = testConfig('', '');
    const given = {
      database: recorder,
      access: anonymousAccess(),
      content: {} as never,
      config,
      now: () => new Date(),
    };
    return new OrganizationService(given, new OrganizationReader(''));
  };
  const list = (recorder: Database, query: OrganizationQuery) => {
    const items = selecting('id', 'name', 'logo', 'version');
    return serviceOf(recorder).list(userCaller(userId), query, { items, total: true });
  };
  test.each(['NAME', 'CREATED_AT'] as const)('by %s', async (field) => {
    for (const filter of [{}, { role: 'VIEWER' as const }, { search: 'umber 1' }])
      await planned.expectPagesIndexed((recorder, page) => list(recorder, { page, orderBy: { field }, ...filter }));
  });

  test('as the viewer has them', () =>
    planned.expectPagesIndexed((recorder, page) => {
      const items = selecting('id', 'role', 'organization');
      return serviceOf(recorder).ofCaller(userCaller(userId), page, { items, total: true });
    }));
});

test('what belongs to organizations that go for good is found by index', async () => {
  const never = async () => undefined;
  const folder = await mkdtemp(join(tmpdir(), 'purge-'));
  let purged = 0;
  await planned.expectIndexed(async (recorder) => {
    const owner = { agreement: async () => 'agreed' } as never;
    const log = { info: never, warn: never };
    const content = new StoredContent(recorder, { remove: never } as never, owner, { connections: 1, log } as never);
    const now = () => new Date('2026-03-01');
    const records = await openRecordStore(`file:${folder}`);
    const checkpoints = checkpointsFor(recorder, { records, config: { secretKey: 'key' }, now });
    purged = await new OrganizationPurgeService({ database: recorder, content, now }, checkpoints).purgeDeleted();
  });
  await rm(folder, { recursive: true });
  expect(purged).toBe(DELETED);
});

test('what goes with a row that goes is found by index', async () => {
  expect(await planned.database.rows(UNINDEXED)).toEqual([]);
});

/** References without an index that begins with them. Plans do not show them, and users are never deleted. */
const UNINDEXED = `
  select c.conrelid::regclass::text as "table", c.conname as reference from pg_constraint c
   where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confrelid <> 'app_user'::regclass and not exists (
     select from pg_index i where i.indrelid = c.conrelid and i.indpred is null and i.indkey[0] = c.conkey[1])`;
