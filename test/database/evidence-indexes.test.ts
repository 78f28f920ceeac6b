import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Access } from '../../src/access/access.js';
import { Database } from '../../src/database/database.js';
import { DocumentVersionService, type DocumentVersionQuery } from '../../src/services/document-versions.js';
import { IncidentReminderService } from '../../src/services/incident-reminders.js';
import { IncidentService, type IncidentQuery } from '../../src/services/incidents.js';
import type { Selection } from '../../src/vocabulary/selection.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { buildOrganization } from '../support/world.js';

const ORGANIZATIONS = 20;
const ROWS_EACH = 1_500;

let testDatabase: TestDatabase;
let database: Database;
let organizationId: number;
let statements: SentStatement[];

const SYSTEM = { kind: 'system', name: 'test' } as const;
const NOTHING: Selection = { fields: ['id'], has: () => false, of: () => NOTHING };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url, 2);
  for (let count = 0; count < ORGANIZATIONS; count += 1) {
    organizationId = await buildOrganization(database, `Number ${count}`);
    await database.rows(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source,
                                     sha256, created_by, created_at, effective_at)
       select $1, 'w' || n % 3, 'A.' || n % 100, 'name ' || n, 1, 'text/plain', 'attached', 'content ' || n, 'user ' || n % 40,
              timestamptz '2026-01-01Z' + make_interval(hours => n), case when n % 5 = 0 then now() end
         from generate_series(1, $2::int) n`,
      [organizationId, ROWS_EACH],
    );
    await database.rows(
      `insert into incident (organization_id, title, severity, status, significant, aware_at, created_at, updated_at)
       select $1, 'title ' || n, (array['LOW','MEDIUM','HIGH','CRITICAL'])[1 + n % 4],
              (array['OPEN','CONTAINED','RESOLVED','CLOSED'])[1 + n % 4], n % 50 = 0,
              timestamptz '2026-01-01Z' + make_interval(hours => n), timestamptz '2026-01-01Z' + make_interval(hours => n),
              timestamptz '2026-01-01Z' + make_interval(hours => n)
         from generate_series(1, $2::int) n`,
      [organizationId, ROWS_EACH],
    );
  }
  await database.rows('analyze');
}, 120_000);

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function expectIndexed(run: (recorder: Database) => Promise<unknown>): Promise<void> {
  statements = [];
  await run(recording(database, statements));
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of statements) {
    const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const lines = plan.map((row) => row['QUERY PLAN']);
    const scans = lines.filter((line) => /Seq Scan on (?:document_version|incident)\b/.test(line));
    expect([text, scans]).toEqual([text, []]);
  }
}

const access = () => new Access({} as never, { isFresh: () => false }, () => undefined);
const page = { first: 10 };

describe('no sequential scan for documents', () => {
  const orders = (['CREATED_AT', 'EFFECTIVE_AT', 'ORIGINAL_NAME'] as const).flatMap((field) =>
    [true, false].map((descending): DocumentVersionQuery => ({ page, order: { field, descending } })),
  );
  const queries: DocumentVersionQuery[] = [
    ...orders,
    { page },
    { page, workflowId: 'w1' },
    { page, workflowId: 'w1', artifactId: 'A.5' },
    { page, artifactId: 'A.5' },
    { page, createdBy: 'user 7' },
    { page, createdFrom: new Date('2026-02-01'), createdBefore: new Date('2026-02-02') },
  ];

  test.each(queries.map((query) => [JSON.stringify(query), query] as const))('%s', (_text, query) =>
    expectIndexed((recorder) => {
      const never = {} as never;
      const service = new DocumentVersionService(recorder, access(), never, never, never, '', never);
      return service.ofOrganizations([organizationId], query, { items: NOTHING, total: true });
    }),
  );
});

describe('no sequential scan for incidents', () => {
  const orders = (['AWARE_AT', 'CREATED_AT', 'SEVERITY', 'UPDATED_AT'] as const).flatMap((field) =>
    [true, false].map((descending): IncidentQuery => ({ page, order: { field, descending } })),
  );
  const queries: IncidentQuery[] = [
    ...orders,
    { page },
    { page, status: 'CLOSED' },
    { page, severity: 'HIGH' },
    { page, significant: true },
    { page, status: 'OPEN', severity: 'LOW', significant: false, order: { field: 'AWARE_AT', descending: true } },
  ];

  test.each(queries.map((query) => [JSON.stringify(query), query] as const))('%s', (_text, query) =>
    expectIndexed((recorder) => {
      const service = new IncidentService(recorder, access(), { publicUrl: '' });
      return service.ofOrganizations(SYSTEM, [organizationId], query, { items: NOTHING, total: true });
    }),
  );

  test('that owe a report', () =>
    expectIndexed(async (recorder) => {
      // Long before anything is due: only the looking is of interest here.
      await new IncidentReminderService(recorder, () => new Date('2020-01-01')).remind();
    }));
});
