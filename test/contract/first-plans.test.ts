import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { nodesBelow, type PlanNode } from '../support/plans.js';
import { allStatements } from '../support/sharding/statements.js';

/** Exceptions from the join rule, with their reasons. */
const MAY = new Map([
  ['services/audit/checkpoints.service movedOn', 'looks at all trails, once a day'],
  ['services/audit/consumer lagging', 'looks at all trails'],
  ['services/notifications/mail-digests.service candidates', 'looks at all users'],
  ['services/shared/idempotent-answers purge', 'looks at all answers'],
  ['services/trusted-documents/registry listDocuments', 'lists all'],
  ['services/trusted-documents/registry removeUnused', 'looks at all'],
  ['services/webhooks/delivery-statements purgeDeletedEndpoints', 'looks at all endpoints that are deleted'],
  ['services/webhooks/delivery-statements purgeSomeOfDeleted', 'looks at all endpoints that are deleted'],
  ['services/webhooks/sending-statements accept', 'reads deliveries under way'],
  ['services/webhooks/sending-statements giveBack', 'reads deliveries under way'],
  ['services/reports/weekly-report-posting.service setNextDue', 'reads a batch of organizations'],
  ['services/reports/weekly-report-posting.service waiting', 'reads a batch of organizations'],
  ['services/workflows/progress statesOfOrganizations', 'reads what is in the organizations'],
  ['services/documents/reuse-suggestions.service newestVersions', 'reads the workflows of one organization'],
  ['services/incidents/rehearsal-report.service firstEntries', 'reads the trail of one organization'],
  ['services/members/personal-data.service rowsOf for SECTIONS', 'engagements are few'],
  ['database/access-records tokens', 'identity providers are few'],
]);

/** Texts with placeholders, which the server can plan without values. */
const EXPLAINED = /^\s*(?:select|with|insert|update|delete)\b/i;

/** Compiled without the columns that its callers pass. */
const INCOMPLETE = 'services/devices/device-series newest ';

let testDatabase: TestDatabase;
let client: Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new Client(testDatabase.url);
  await client.connect();
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan');
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  if (rows[0]!.version < 160_000) MAY.set('services/workflows/due-controls dueOf', 'is joined so by PostgreSQL 15');
});
afterAll(async () => {
  await client?.end();
  await testDatabase?.drop();
});

// A connection retains a plan until a table is analyzed, at the earliest a minute after it has grown.
test('The plans that are made before there is any data look rows up by what they are joined on.', async () => {
  const all = (await allStatements()).filter(({ at, isPart }) => isPart === undefined && !at.startsWith(INCOMPLETE));
  const found = all.filter(({ text }) => EXPLAINED.test(text));
  const joined = new Set<string>();
  for (const { at, text } of found) if (isRead(await planOf(text))) joined.add(at);
  expect(found.length).toBeGreaterThan(800);
  expect([...joined].toSorted()).toEqual([...MAY.keys()].toSorted());
});

test('What is due is found on the index of when it is, not among all incidents.', async () => {
  const due = (await allStatements()).find(({ at }) => at === 'services/incidents/reminders.service due')!;
  const indexes = nodesBelow(await planOf(due.text)).map((node) => node['Index Name'] ?? '');
  expect(indexes.filter((name) => name.startsWith('incident'))).toEqual(['incident_reminder_index']);
});

async function planOf(text: string): Promise<PlanNode> {
  await client.query(`prepare planned as ${text}`);
  const { rows } = await client.query<{ nulls: string }>(
    `select concat_ws(',', variadic array_fill('null'::text, array[cardinality(parameter_types)])) as nulls
       from pg_prepared_statements where name = 'planned'`,
  );
  const nulls = rows[0]!.nulls === '' ? '' : `(${rows[0]!.nulls})`;
  const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (format json) execute planned${nulls}`,
  );
  await client.query('deallocate planned');
  return explained.rows[0]!['QUERY PLAN'][0].Plan;
}

/** Whether a join reads a whole table before it looks for matching rows. */
function isRead(plan: PlanNode): boolean {
  return nodesBelow(plan)
    .filter((node) => /^(?:Hash|Merge) Join$/.test(node['Node Type']))
    .some((join) => nodesBelow(join).some((node) => node['Relation Name'] !== undefined));
}
