import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ChangesService, type ChangesQuery } from '../../src/services/as-of/changes.service.js';
import { AuditTrailService, type AuditTrailQuery } from '../../src/services/audit/audit-trail.service.js';
import { entriesAbout } from '../../src/services/audit/trails.js';
import { openRecordStore } from '../../src/storage/storage-location.js';
import { checkpointsFor } from '../support/audit.js';
import { anonymousAccess, selecting } from '../support/callers.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { planNodes } from '../support/plans.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';

const TRAILS = 3_000;
const ENTRIES = 30_000;
const LONG_TRAIL = TRAILS + 1;
const LENGTH = 20_000;

let planned: PlannedDatabase;

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  await planned.fill(
    `insert into audit_log (organization_id, position, hash) select n, $1::int / $2::int, '' from generate_series(1, $2::int) n`,
    [ENTRIES, TRAILS],
  );
  await planned.fill(
    `insert into audit_entry (log_id, position, entry, hash)
     select 1 + n % $2::int, 1 + n / $2::int, jsonb_build_object(
              'at', '2026-11-20T08:15:30.500Z', 'action', (array['INCIDENT_OPENED', 'INCIDENT_CLOSED'])[1 + n % 7 / 6],
              'actor', jsonb_build_object('type', 'SYSTEM', 'id', 'job'), 'changes', '{}'::jsonb,
              'subject', jsonb_build_object('type', 'INCIDENT', 'id', (n % 5)::text, 'name', ''))::text, ''
       from generate_series(0, $1::int - 1) n`,
    [ENTRIES, TRAILS],
  );
  await planned.fill(`insert into audit_log (organization_id, position, hash) values ($1, $2, '')`, [
    LONG_TRAIL,
    LENGTH,
  ]);
  await planned.fill(
    `insert into audit_entry (log_id, position, entry, hash)
     select l.id, 1 + n, jsonb_build_object('at', '2026-11-20T08:15:30.500Z', 'action', (array['INCIDENT_OPENED', 'INCIDENT_CLOSED'])[1 + n % 2],
              'actor', jsonb_build_object('type', 'SYSTEM', 'id', 'job'), 'changes', '{}'::jsonb,
              'subject', jsonb_build_object('type', 'INCIDENT', 'id', n::text, 'name', ''))::text, ''
       from audit_log l cross join generate_series(0, $2::int - 1) n where l.organization_id = $1`,
    [LONG_TRAIL, LENGTH],
  );
  await planned.analyze(['audit_log', 'audit_entry']);
});

afterAll(() => planned?.close());

test('trails whose checkpoint is due are found by index', async () => {
  // Without storage nothing is signed, which would follow each chain.
  const records = await openRecordStore('file:/dev/null/away');
  return planned.expectIndexed((recorder) =>
    checkpointsFor(recorder, { records, config: { secretKey: 'key' }, now: () => new Date() })
      .createDue()
      .catch(() => undefined),
  );
});

/** One parent, and more: nested lists are read for all their parents at once. */
const PARENTS = [[10], [10, 20, 30]];

const FILTERS: Omit<AuditTrailQuery, 'page'>[] = [
  {},
  { orderBy: { field: 'POSITION', direction: 'ASC' } },
  { actorJob: 'job' },
  { action: 'INCIDENT_OPENED' },
  { subjectType: 'INCIDENT' },
  { subjectType: 'INCIDENT', subjectId: '4' },
  { from: new Date('2026-11-20'), to: new Date('2026-11-21') },
  { orderBy: { field: 'POSITION', direction: 'ASC' }, afterPosition: 2 },
];

test.each(FILTERS)('entries of audit trails (%j) are found by index', async (filter) => {
  for (const parents of PARENTS)
    await planned.expectPagesIndexed(async (recorder, page) => {
      const trails = new AuditTrailService(recorder, anonymousAccess());
      const query = { page, ...filter };
      const found = await trails.ofOrganizations(parents, query, { items: selecting('id', 'actor'), total: true });
      return found.get(parents[0]!)!;
    });
});

const NARROWED: Omit<AuditTrailQuery, 'page'>[] = [
  { action: 'INCIDENT_OPENED' },
  { action: 'INCIDENT_OPENED', actorJob: 'job' },
  { action: 'INCIDENT_OPENED', from: new Date('2026-11-20'), to: new Date('2026-11-21') },
  { actorJob: 'job', from: new Date('2026-11-20') },
  { subjectType: 'INCIDENT', action: 'INCIDENT_OPENED' },
  { subjectType: 'INCIDENT', actorJob: 'job', to: new Date('2026-11-21') },
];

test.each(NARROWED)('an index alone finds and counts what a long trail is narrowed to (%j)', async (filter) => {
  await planned.makeVisible('audit_entry');
  const statements: SentStatement[] = [];
  const trails = new AuditTrailService(recording(planned.database, statements), anonymousAccess());
  const query = { page: { first: 10 }, ...filter };
  const found = await trails.ofOrganizations([LONG_TRAIL], query, { items: selecting('id', 'actor'), total: true });
  expect(found.get(LONG_TRAIL)?.total).toBe(filter.action === undefined ? LENGTH : LENGTH / 2);
  for (const mode of ['custom', 'generic'] as const) {
    const nodes = await planNodes(planned.database, statements.at(-1) as SentStatement, mode);
    const scans = nodes.filter((node) => node['Relation Name'] === 'audit_entry');
    // Except for the entries of the page, which are read by key; others are filtered by their time.
    const found = scans.filter((node) => node['Index Name'] !== 'audit_entry_pkey');
    expect([mode, scans.length - found.length]).toEqual([mode, 1]);
    expect([mode, new Set(found.map((node) => node['Node Type']))]).toEqual([mode, new Set(['Index Only Scan'])]);
    for (const { Filter: rest } of found) expect(rest ?? '(at').toMatch(/^\(+at\b/);
  }
});

const CHANGES: Omit<ChangesQuery, 'page'>[] = [
  {},
  { actorJob: 'job' },
  { action: 'INCIDENT_OPENED' },
  { subjectType: 'INCIDENT', subjectId: '4' },
];

test.each(CHANGES)('changes of an organization (%j) are found by index', (filter) =>
  planned.expectPagesIndexed((recorder, page) => {
    const changes = new ChangesService(recorder, { authorize: async () => undefined } as never, undefined as never);
    const selection = { items: selecting('position', 'field', 'before'), total: true };
    return changes.list(undefined as never, 10, { page, ...filter }, selection);
  }),
);

test('a page of the changes of a long trail reads no more than its entries', async () => {
  const statements: SentStatement[] = [];
  const access = { authorize: async () => undefined } as never;
  const changes = new ChangesService(recording(planned.database, statements), access, undefined as never);
  const selection = { items: selecting('position', 'field', 'before'), total: false };
  const { rows } = await changes.list(undefined as never, LONG_TRAIL, { page: { first: 10 } }, selection);
  expect(rows).toHaveLength(10);
  const nodes = await planNodes(planned.database, statements.at(-1) as SentStatement, 'custom');
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
});

test('the history of objects is found by index', async () => {
  for (const objects of [['10/INCIDENT/4'], ['10/INCIDENT/4', '10/INCIDENT/2', '20/INCIDENT/4']] as const)
    await planned.expectPagesIndexed(async (recorder, page) => {
      const trails = new AuditTrailService(recorder, anonymousAccess());
      const found = await trails.histories(objects, page, { items: selecting('id', 'actor'), total: true });
      return found.get(objects[0])!;
    });
});

test('the entries about a workflow are found by index', async () => {
  const objects = ['INCIDENT/4', ...Array.from({ length: 150 }, (_, number) => `CONTROL/nis2-directive/${number}`)];
  await planned.expectIndexed(async (recorder) => {
    const head = { id: 10, log: 'organization/9', position: 10, hash: Buffer.alloc(0) };
    let count = 0;
    for await (const rows of entriesAbout(recorder, head, objects)) count += rows.length;
    expect(count).toBeGreaterThan(0);
  });
});
