import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database, Queryable } from '../../src/database/database.js';
import { DocumentVersionService } from '../../src/services/documents/document-versions.service.js';
import { ReuseSuggestionService } from '../../src/services/documents/reuse-suggestions.service.js';
import { evidenceSnapshot } from '../../src/services/files/evidence-snapshot.js';
import { AttestationWatch } from '../../src/services/workflows/attestation-watch.js';
import { ControlUpdateService } from '../../src/services/workflows/control-update.service.js';
import { ControlEvidenceService } from '../../src/services/workflows/control-evidence.service.js';
import { ControlReminderService } from '../../src/services/workflows/control-reminders.service.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { ControlService } from '../../src/services/workflows/controls.service.js';
import { WorkflowService } from '../../src/services/workflows/workflows.service.js';
import { WorkflowImportService } from '../../src/services/workflows/imports.service.js';
import { LIMITS } from '../../src/values/limits.js';
import { anonymousAccess, selecting, SYSTEM } from '../support/callers.js';
import { CATALOG } from '../support/catalog.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { nodesBelow, type PlanNode } from '../support/plans.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { buildPerson, join } from '../support/test-data.js';

const ORGANIZATIONS = 250;

let planned: PlannedDatabase;
let userId: string;
const organizationId = 100;
/** One parent, and more: nested lists are read for all their parents at once. */
const PARENTS = [[organizationId], [organizationId, 101, 102]];

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  await planned.fillOrganizations(ORGANIZATIONS);
  const workflows = CATALOG.list().map(({ id }) => id);
  const controls = CATALOG.list().flatMap(({ id, controls: all }) => all.map((control) => [id, control.id] as const));
  const person = await buildPerson(planned.database, 'owner');
  userId = person.id;
  await join(planned.database, person, organizationId, 'ORGANIZATION_OWNER');
  const everywhere = 'from organization o cross join unnest($1::text[], $2::text[]) as c(workflow, control)';
  const [ids, numbers] = [controls.map(([id]) => id), controls.map(([, number]) => number)];
  await planned.fill(
    `insert into organization_workflow (organization_id, workflow_id) select o.id, w from organization o cross join unnest($1::text[]) w`,
    [workflows],
  );
  await planned.fill(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date, reminded_due_date)
     select o.id, c.workflow, c.control, (array['TO_DO', 'DONE', 'DONE', 'NOT_APPLICABLE'])[1 + length(c.control) % 4],
            case when o.id % 10 = 0 then $3::uuid end, date '2026-01-01' + length(c.control), null ${everywhere}`,
    [ids, numbers, userId],
  );
  await planned.fill(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     select o.id, c.workflow, c.control, 'd', 1, 'text/plain', 'attached', c.workflow || c.control, 'y' ${everywhere} where o.id % 4 = 0`,
    [ids, numbers],
  );
  await planned.fill(
    `insert into workflow_progress (organization_id, workflow_id, day, total, to_do, in_progress, done, not_applicable)
     select o.id, w, date '2026-01-01' + n, 1, 1, 0, 0, 0
       from organization o cross join unnest($1::text[]) w cross join generate_series(1, 60) n`,
    [workflows],
  );
  await planned.fill(
    `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by)
     select o.id, 'own-' || n, 'WORKFLOW', $1, 'y' from organization o cross join generate_series(1, ${LIMITS.workflowImport.perOrganization}) n`,
    [JSON.stringify({ id: 'own', name: 'Own', version: '1', source: { text: 'Own' }, licence: 'Own', controls: [] })],
  );
  // Many more that have associated workflows without work: the other tables are large already.
  await planned.fillOrganizations(3_000);
  await planned.fill(
    `insert into organization_workflow (organization_id, workflow_id)
     select o.id, w from organization o cross join unnest($1::text[]) w on conflict do nothing`,
    [workflows],
  );
  await planned.analyze([
    'organization_workflow',
    'control_state',
    'workflow_progress',
    'workflow_import',
    'document_version',
  ]);
});

afterAll(() => planned?.close());

const NOTHING = selecting('id');
const now = () => new Date('2026-03-01T00:00:00Z');

function services(recorder: Database) {
  const access = anonymousAccess();
  const catalogs = new OrganizationCatalogs(recorder, CATALOG, { isFresh: () => false });
  const workflows = new WorkflowService(recorder, access, catalogs, now);
  const controls = new ControlService(recorder, access, workflows, now);
  const documents = new DocumentVersionService(recorder, access, workflows, {} as never, '', now);
  return {
    database: recorder,
    reuse: new ReuseSuggestionService(recorder, access, catalogs, controls, documents),
    catalogs,
    workflows,
    controls,
    changes: new ControlUpdateService(recorder, access, workflows, now),
    evidence: new ControlEvidenceService(recorder, catalogs, controls, now),
    reminders: new ControlReminderService(recorder, catalogs, now),
    imports: new WorkflowImportService(recorder, access, catalogs, now),
  };
}

type Services = ReturnType<typeof services>;
const key = () => ({ organizationId, workflowId: 'iso-27001-2022' });

describe('no sequential scan for lists', () => {
  test('of the workflows of organizations', async () => {
    for (const parents of PARENTS)
      await planned.expectPagesIndexed(
        async (recorder, page) => {
          const { workflows } = services(recorder);
          return (await workflows.ofOrganizations(parents, page, { items: NOTHING, total: true })).get(organizationId)!;
        },
        ['custom'],
      );
  });

  test('of the imports of organizations', async () => {
    for (const parents of PARENTS)
      await planned.expectPagesIndexed(async (recorder, page) => {
        const { imports } = services(recorder);
        return (await imports.ofOrganizations(parents, page, { items: NOTHING, total: true })).get(organizationId)!;
      });
  });
});

const EDITION = {
  ...{ id: 'own-1', name: 'Own', version: '2', source: { text: 'Own' }, licence: 'Own' },
  controls: [{ id: 'a', label: 'A', kind: 'control' }],
};

const CASES: Record<string, (of: Services) => Promise<unknown>> = {
  'one workflow': ({ workflows }) => workflows.read(SYSTEM, organizationId, 'iso-27001-2022', NOTHING),
  'its progress': ({ workflows }) => workflows.progress([key()]),
  'its history': ({ workflows }) => workflows.history(key(), { from: '2026-02-01', to: '2026-03-01' }),
  'its controls': ({ controls }) => controls.ofWorkflows([key()], { ownerId: userId, overdue: true }),
  'the evidence of a page': ({ evidence }) =>
    evidence.of(
      ['A.5.1', 'A.8.13', 'A.8.16'].map((controlId) => ({ ...key(), controlId, reviewIntervalMonths: null })),
    ),
  'the controls that are done on stale evidence': ({ evidence }) => evidence.stale([key()]),
  'an evidence pack': ({ database, catalogs }) => evidenceSnapshot({ reads: database, catalogs, now }, key()),
  'the suggestions of documents': ({ reuse }) =>
    reuse.ofWorkflow(SYSTEM, { organizationId, workflowId: 'nis2-directive' }, { first: 50 }, NOTHING),
  'a change': ({ changes }) => changes.update(SYSTEM, key(), { controlId: 'A.5.1', status: 'DONE', ownerId: userId }),
  'the reminders': ({ reminders }) => reminders.remindOverdue(),
  'the reminders of evidence': ({ reminders }) => reminders.remindExpiring(),
  'a preview of an import': ({ imports }) => imports.preview(SYSTEM, { organizationId, fields: EDITION }),
  'an import that goes': ({ imports }) => imports.remove(SYSTEM, { organizationId, workflowId: 'own-1' }, NOTHING),
};

test.each(Object.keys(CASES))('%s: no sequential scan', (name) =>
  planned.expectIndexed((recorder) => CASES[name]!(services(recorder))),
);

describe('a job reads on behind what it has handled', () => {
  const owned = "organization_id % 50 = 0 and status = 'TO_DO'";

  test('reminders of controls', async () => {
    const { database } = planned;
    await planned.fill(`update control_state set reminded_due_date = null, owner_id = $1 where ${owned}`, [userId]);
    await planned.fill(
      `insert into membership (user_id, organization_id, role)
       select $1, id, 'VIEWER' from organization where id % 50 = 0 on conflict do nothing`,
      [userId],
    );
    await planned.fill('analyze');
    let reminded = 0;
    const read = await rowsRead(database, 'control_state', async (counting) => {
      reminded = await services(counting).reminders.remindOverdue();
    });
    expect(reminded).toBeGreaterThan(1000);
    expect(read).toBeLessThan(40 * reminded);
  });

  test('reminders of evidence', async () => {
    const { database } = planned;
    await planned.fill(`update control_state set review_interval_months = 12, owner_id = $1 where ${owned}`, [userId]);
    await planned.fill(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, created_at)
       select organization_id, workflow_id, control_id, 'd', 1, 'text/plain', 'attached', 'due', 'y', $1::timestamptz - interval '1 year'
         from control_state where ${owned}`,
      [now()],
    );
    await planned.fill('analyze');
    let reminded = 0;
    const read = await rowsRead(database, 'control_state', async (counting) => {
      reminded = await services(counting).reminders.remindExpiring();
    });
    expect(reminded).toBeGreaterThan(1000);
    expect(read).toBeLessThan(20 * reminded);
  });

  test('attestations whose evidence may have changed', async () => {
    const { database } = planned;
    await planned.fill(
      `insert into audit_log (organization_id, position, hash) select id, 9, '' from organization on conflict do nothing`,
    );
    await planned.fill(
      `insert into control_attestation (organization_id, workflow_id, control_id, statement, evidence, position, attested_by, attested_by_id, attested_at, compared_up_to)
       select organization_id, workflow_id, control_id, '', '{"status": "TO_DO", "documents": [], "equivalents": []}', 1, '', $1, now(), 0
         from control_state where status = 'TO_DO' and organization_id <= 5`,
      [userId],
    );
    await planned.fill('analyze control_attestation');
    const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => false });
    const sent: SentStatement[] = [];
    const compared = await new AttestationWatch(recording(database, sent), catalogs, now).noticeStale();
    expect(compared).toBeGreaterThan(1000);
    const organizations = sent.filter(({ text }) => text.includes('for update of a')).map(({ values }) => values[0]);
    expect(new Set(organizations)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });
});

interface Analyzed extends PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
}

/** Number of rows of a table that the statements of `run` read. */
async function rowsRead(
  database: Database,
  table: string,
  run: (counting: Database) => Promise<void>,
): Promise<number> {
  let sum = 0;
  const counting = (tx: Queryable): Queryable => ({
    rows: async (text, values) => {
      if (text.includes(table)) {
        await tx.rows('savepoint analyzed');
        const [row] = await tx.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, format json) ${text}`,
          values,
        );
        await tx.rows('rollback to savepoint analyzed');
        for (const node of nodesBelow(row!['QUERY PLAN'][0].Plan) as Analyzed[])
          if (node['Relation Name'] === table && node['Node Type'].includes('Scan'))
            sum += node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
      }
      return tx.rows(text, values);
    },
  });
  const transaction = <Result>(work: (tx: Queryable) => Promise<Result>) =>
    database.transaction((tx) => work(counting(tx)));
  await run({
    ...{ transaction, rows: (text: string, values?: unknown[]) => transaction((tx) => tx.rows(text, values)) },
  } as Partial<Database> as Database);
  return sum;
}
