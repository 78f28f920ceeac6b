import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Access } from '../../src/access/access.js';
import { Database } from '../../src/database/database.js';
import { ControlChangeService } from '../../src/services/control-changes.js';
import { ControlEvidenceService } from '../../src/services/control-evidence.js';
import { ControlReminderService } from '../../src/services/control-reminders.js';
import { OrganizationCatalogs } from '../../src/services/organization-catalogs.js';
import { OrganizationControlService } from '../../src/services/organization-controls.js';
import { OrganizationWorkflowService } from '../../src/services/organization-workflows.js';
import { WorkflowCatalog } from '../../src/services/workflow-catalog.js';
import { WorkflowRules } from '../../src/services/workflow-file.js';
import { WorkflowImportService } from '../../src/services/workflow-imports.js';
import type { Selection } from '../../src/vocabulary/selection.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { CATALOG_DIR } from '../support/gateway.js';
import { buildOrganization, buildPerson, join } from '../support/world.js';

const ORGANIZATIONS = 150;

let testDatabase: TestDatabase;
let database: Database;
let organizationId: number;
let userId: string;
let statements: SentStatement[];

const catalog = WorkflowCatalog.load(CATALOG_DIR);

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url, 2);
  const workflows = catalog.list().map(({ id }) => id);
  const controls = catalog.list().flatMap(({ id, controls: all }) => all.map((control) => [id, control.id] as const));
  for (let count = 0; count < ORGANIZATIONS; count += 1)
    organizationId = await buildOrganization(database, `No ${count}`);
  const person = await buildPerson(database, 'owner');
  userId = person.id;
  await join(database, person, organizationId, 'ORGANIZATION_OWNER');
  const everywhere = 'from organization o cross join unnest($1::text[], $2::text[]) as c(workflow, control)';
  const [ids, numbers] = [controls.map(([id]) => id), controls.map(([, number]) => number)];
  await database.rows(
    `insert into organization_workflow (organization_id, workflow_id) select o.id, w from organization o cross join unnest($1::text[]) w`,
    [workflows],
  );
  await database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date, reminded_due_date)
     select o.id, c.workflow, c.control, (array['TO_DO', 'DONE', 'DONE', 'NOT_APPLICABLE'])[1 + length(c.control) % 4],
            case when o.id % 10 = 0 then $3::uuid end, date '2026-01-01' + length(c.control), null ${everywhere}`,
    [ids, numbers, userId],
  );
  await database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     select o.id, c.workflow, c.control, 'd', 1, 'text/plain', 'attached', c.workflow || c.control, 'y' ${everywhere} where o.id % 4 = 0`,
    [ids, numbers],
  );
  await database.rows(
    `insert into workflow_progress (organization_id, workflow_id, day, total, to_do, in_progress, done, not_applicable)
     select o.id, w, date '2026-01-01' + n, 1, 1, 0, 0, 0
       from organization o cross join unnest($1::text[]) w cross join generate_series(1, 60) n`,
    [workflows],
  );
  await database.rows(
    `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by)
     select o.id, 'own-' || n, 'WORKFLOW', $1, 'y' from organization o cross join generate_series(1, 20) n`,
    [JSON.stringify({ id: 'own', name: 'Own', version: '1', source: { text: 'Own' }, licence: 'Own', controls: [] })],
  );
  // Many more that have taken up workflows and done nothing yet: the other tables are large as they are.
  await database.rows(
    `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
     select 'Small ' || n, '{}', '{}', '[]', '[]', '{}', '{}' from generate_series(1, 3000) n`,
  );
  await database.rows(
    `insert into organization_workflow (organization_id, workflow_id)
     select o.id, w from organization o cross join unnest($1::text[]) w on conflict do nothing`,
    [workflows],
  );
  await database.rows('analyze');
}, 120_000);

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const TABLES =
  /Seq Scan on (?:organization_workflow|control_state|workflow_progress|workflow_import|document_version)\b/;
const SYSTEM = { kind: 'system', name: 'test' } as const;
const NOTHING: Selection = { fields: ['id'], has: () => false, of: () => NOTHING };
const now = () => new Date('2026-03-01T00:00:00Z');

function services(recorder: Database) {
  const access = new Access({} as never, { isFresh: () => false }, () => undefined);
  const catalogs = new OrganizationCatalogs(recorder, catalog, { isFresh: () => false });
  const workflows = new OrganizationWorkflowService(recorder, access, catalogs, { now });
  return {
    catalogs,
    workflows,
    controls: new OrganizationControlService(recorder, access, workflows, { now }),
    changes: new ControlChangeService(recorder, access, workflows, { now }),
    evidence: new ControlEvidenceService(recorder, catalogs),
    reminders: new ControlReminderService(recorder, catalogs, now),
    imports: new WorkflowImportService(recorder, access, catalogs, { rules: new WorkflowRules(CATALOG_DIR), now }),
  };
}

type Services = ReturnType<typeof services>;
const key = () => ({ organizationId, workflowId: 'iso-27001-2022' });
const page = { first: 10 };

const CASES: Record<string, (of: Services) => Promise<unknown>> = {
  'the workflows of an organization': ({ workflows }) =>
    workflows.ofOrganizations([organizationId], page, { items: NOTHING, total: true }),
  'one workflow': ({ workflows }) => workflows.read(SYSTEM, organizationId, 'iso-27001-2022', NOTHING),
  'its progress': ({ workflows }) => workflows.progress([key()]),
  'its history': ({ workflows }) => workflows.history(key(), { from: '2026-02-01', to: '2026-03-01' }),
  'its controls': ({ controls }) => controls.ofWorkflows([key()], { owner: userId, overdue: true }),
  'the evidence of a page': ({ evidence }) =>
    evidence.of(['A.5.1', 'A.8.13', 'A.8.16'].map((controlId) => ({ ...key(), controlId }))),
  'a change': ({ changes }) => changes.update(SYSTEM, key(), { controlId: 'A.5.1', status: 'DONE', ownerId: userId }),
  'the reminders': ({ reminders }) => reminders.remindOverdue(),
  'the imports': ({ imports }) => imports.ofOrganizations([organizationId], page, { items: NOTHING, total: true }),
  'an import that goes': ({ imports }) => imports.remove(SYSTEM, { organizationId, workflowId: 'own-1' }, NOTHING),
};

test.each(Object.keys(CASES))('%s: no sequential scan', async (name) => {
  statements = [];
  await CASES[name]!(services(recording(database, statements)));
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of statements) {
    const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const scans = plan.map((row) => row['QUERY PLAN']).filter((line) => TABLES.test(line));
    expect([text, scans]).toEqual([text, []]);
  }
});
