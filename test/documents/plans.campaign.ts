import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import {
  DocumentVersionService,
  type DocumentVersionQuery,
} from '../../src/services/documents/document-versions.service.js';
import { IncidentAttachmentService } from '../../src/services/incidents/attachments.service.js';
import { IncidentReminderService } from '../../src/services/incidents/reminders.service.js';
import { IncidentNoteService } from '../../src/services/incidents/notes.service.js';
import { IncidentReportService } from '../../src/services/incidents/reports.service.js';
import { IncidentTimelineService } from '../../src/services/incidents/timeline.service.js';
import { IncidentService, type IncidentQuery } from '../../src/services/incidents/incidents.service.js';
import { anonymousAccess, selecting, SYSTEM } from '../support/callers.js';
import { REGIMES } from '../support/catalog.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { nodesBelow, planNodes } from '../support/plans.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';

const ORGANIZATIONS = 20;
const ROWS_EACH = 1_500;
/** Each incident whose id is divisible by this has files and reports. */
const ROWS_OF_INCIDENT = 50;
const FURNISHED = 30;

let planned: PlannedDatabase;
/** One parent, and more: nested lists are read for all their parents at once. */
const PARENTS = { one: [10], several: [10, 11, 12] };

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  await planned.fillOrganizations(ORGANIZATIONS);
  const rows = `from generate_series(1, ${ORGANIZATIONS}) o cross join generate_series(1, ${ROWS_EACH}) n`;
  const moment = `timestamptz '2026-01-01Z' + make_interval(hours => n)`;
  await planned.fill(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source,
                                   sha256, created_by, created_at, effective_at)
     select o, 'w' || n % 3, 'A.' || n % 100, 'name ' || n, 1, 'text/plain', 'attached', 'content ' || n, 'user ' || n % 40,
            ${moment}, case when n % 5 = 0 then now() end ${rows}`,
  );
  await planned.fill(
    `insert into incident (organization_id, title, severity, status, significant, aware_at, created_at, updated_at)
     select o, 'title ' || n, (array['LOW','MEDIUM','HIGH','CRITICAL'])[1 + n % 4],
            (array['OPEN','CONTAINED','RESOLVED','CLOSED'])[1 + n / 4 % 4], n % 50 = 0, ${moment}, ${moment}, ${moment} ${rows}`,
  );
  const ofIncidents = `from incident cross join generate_series(1, ${ROWS_OF_INCIDENT}) n where id % ${FURNISHED} = 0`;
  await planned.fill(
    `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by)
     select organization_id, id, 'name ' || n, 'text/plain', 1, 'content ' || id || n, 'x' ${ofIncidents}`,
  );
  await planned.fill(
    `insert into incident_report (organization_id, incident_id, regime_id, stage, reason, sent_by, recorded_by)
     select organization_id, id, 'nis2', 'EARLY_WARNING', '', 'x', 'x' ${ofIncidents}`,
  );
  await planned.fill(
    `insert into incident_note (organization_id, incident_id, text, created_by)
     select organization_id, id, 'text ' || n, 'x' ${ofIncidents}`,
  );
  await planned.fill(
    `insert into audit_log (organization_id, position, hash) select o, 2 * ${ROWS_EACH}, '' from generate_series(1, ${ORGANIZATIONS}) o`,
  );
  await planned.fill(
    `insert into audit_entry (log_id, position, entry, hash)
     select l.id, row_number() over (partition by l.id order by n, i.id), jsonb_build_object(
              'at', '2026-11-20T08:15:30.500Z', 'action', 'INCIDENT_UPDATED', 'changes', '{}'::jsonb,
              'actor', jsonb_build_object('type', 'SYSTEM', 'id', 'job'),
              'subject', jsonb_build_object('type', 'INCIDENT', 'id', i.id::text, 'name', ''))::text, ''
       from incident i join audit_log l on l.organization_id = i.organization_id cross join generate_series(1, 2) n`,
  );
  await planned.analyze(['audit_entry']);
  await planned.analyze(['document_version', 'incident', 'incident_attachment', 'incident_note', 'incident_report']);
});

afterAll(() => planned?.close());

const NOTHING = selecting('id');
const now = () => new Date();
const named = <Query extends object>(queries: readonly Query[]) =>
  queries.flatMap((query) => Object.values(PARENTS).map((parents) => [JSON.stringify(query), parents, query] as const));

describe('no sequential scan for documents', () => {
  type Filter = Omit<DocumentVersionQuery, 'page'>;
  const orders = (['CREATED_AT', 'EFFECTIVE_AT', 'FILENAME'] as const).map((field): Filter => ({
    orderBy: { field, direction: 'DESC' },
  }));
  const filters: Filter[] = [
    ...orders,
    {},
    { workflowId: 'w1' },
    { workflowId: 'w1', artifactId: 'A.5' },
    { artifactId: 'A.5' },
    { createdBy: 'user 7' },
    { createdFrom: new Date('2026-02-01'), createdBefore: new Date('2026-02-02') },
  ];

  test.each(named(filters))('%s of %j', (_text, parents, filter) =>
    planned.expectPagesIndexed(async (recorder, page) => {
      const never = {} as never;
      const service = new DocumentVersionService(recorder, anonymousAccess(), never, never, '', () => new Date());
      const pages = await service.ofOrganizations(
        SYSTEM,
        parents,
        { page, ...filter },
        { items: NOTHING, total: true },
      );
      return pages.get(parents[0]!)!;
    }),
  );
});

describe('no sequential scan for documents of controls', () => {
  const keys = { one: ['10/w1/A.7'], several: ['10/w1/A.7', '10/w2/A.8', '11/w1/A.7'] };
  const orders = (['CREATED_AT', 'EFFECTIVE_AT', 'FILENAME'] as const).map((field) => ({
    field,
    direction: 'DESC' as const,
  }));
  const cases = Object.values(keys).flatMap((parents) => orders.map((orderBy) => [parents, orderBy] as const));

  test.each(cases)('of %j by %j', (parents, orderBy) =>
    planned.expectPagesIndexed(async (recorder, page) => {
      const never = {} as never;
      const service = new DocumentVersionService(recorder, anonymousAccess(), never, never, '', now);
      const pages = await service.ofControls(parents, { page, orderBy }, { items: NOTHING, total: true });
      return pages.get(parents[0]!)!;
    }),
  );
});

describe('no sequential scan for incidents', () => {
  type Filter = Omit<IncidentQuery, 'page'>;
  const orders = (['AWARE_AT', 'CREATED_AT', 'SEVERITY', 'UPDATED_AT'] as const).map((field): Filter => ({
    orderBy: { field, direction: 'DESC' },
  }));
  const filters: Filter[] = [
    ...orders,
    {},
    { status: 'CLOSED' },
    { severity: 'HIGH' },
    { significant: true },
    { status: 'OPEN', severity: 'LOW', significant: false, orderBy: { field: 'AWARE_AT', direction: 'DESC' } },
  ];

  test.each(named(filters))('%s of %j', (_text, parents, filter) =>
    planned.expectPagesIndexed(async (recorder, page) => {
      const service = new IncidentService(recorder, anonymousAccess(), { publicUrl: '', regimes: REGIMES, now });
      const pages = await service.ofOrganizations(
        SYSTEM,
        parents,
        { page, ...filter },
        { items: NOTHING, total: true },
      );
      return pages.get(parents[0]!)!;
    }),
  );

  test('reports, of those that an offset leaves out', async () => {
    const statements: SentStatement[] = [];
    const recorder = recording(planned.database, statements);
    const service = new IncidentService(recorder, anonymousAccess(), { publicUrl: '', regimes: REGIMES, now });
    const page = { first: 10, offset: 500 };
    await service.ofOrganizations(SYSTEM, [10], { page }, { items: selecting('id', 'clock'), total: true });
    for (const mode of ['custom', 'generic'] as const) {
      const nodes = await planNodes(planned.database, statements[0]!, mode);
      const limit = nodes.find((node) => node['Node Type'] === 'Limit')!;
      const names = (read: typeof nodes) => new Set(read.flatMap((node) => node['Relation Name'] ?? []));
      expect([mode, names(nodes).has('incident_report'), names(nodesBelow(limit))]).toEqual([
        mode,
        true,
        new Set(['incident']),
      ]);
    }
  });

  test('that owe a report', () =>
    planned.expectIndexed(async (recorder) => {
      // Long before anything is due: only the search is measured.
      await new IncidentReminderService(recorder, REGIMES, () => new Date('2020-01-01')).remind();
    }));
});

describe('no sequential scan for what incidents have', () => {
  const services = {
    attachments: (recorder: Database) =>
      new IncidentAttachmentService(recorder, anonymousAccess(), {} as never, {} as never, () => new Date()),
    notes: (recorder: Database) => new IncidentNoteService(recorder, anonymousAccess(), now),
    timeline: (recorder: Database) => new IncidentTimelineService(recorder, anonymousAccess(), {} as never),
    reports: (recorder: Database) =>
      new IncidentReportService(anonymousAccess(), { database: recorder, regimes: REGIMES, now }),
  };
  const lists = Object.entries(services).flatMap(([name, service]) =>
    Object.values(PARENTS).map((parents) => [name, parents, service] as const),
  );

  test.each(lists)('%s of incidents of %j', async (_name, parents, service) => {
    const incidents = await planned.database.rows<{ id: number; organizationId: number }>(
      `select distinct on (organization_id) id, organization_id as "organizationId" from incident
        where organization_id = any($1) and id % ${FURNISHED} = 0`,
      [parents],
    );
    await planned.expectPagesIndexed(async (recorder, page) => {
      const pages = await service(recorder).ofIncidents(SYSTEM, incidents, { page }, { items: NOTHING, total: true });
      return pages.get(incidents[0]!)!;
    });
  });
});
