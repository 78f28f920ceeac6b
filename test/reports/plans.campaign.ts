import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { MailOutbox } from '../../src/mail/mail-outbox.js';
import { ControlEvidenceService } from '../../src/services/workflows/control-evidence.service.js';
import { ControlService } from '../../src/services/workflows/controls.service.js';
import { WorkflowService } from '../../src/services/workflows/workflows.service.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { UnsubscribeLinks } from '../../src/services/shared/unsubscribe-links.js';
import { WeeklyReportFactsService } from '../../src/services/reports/weekly-report-facts.service.js';
import { WeeklyReportPostingService } from '../../src/services/reports/weekly-report-posting.service.js';
import { WeeklyReportService } from '../../src/services/reports/weekly-reports.service.js';
import { anonymousAccess, selecting, SYSTEM } from '../support/callers.js';
import { CATALOG, REGIMES } from '../support/catalog.js';
import { PlannedDatabase } from '../support/planned-database.js';

const ORGANIZATIONS = 20_000;
/** Organizations with a report; the last one has none. */
const REPORTED = ORGANIZATIONS - 1;
/** Reports of one week for some organizations. */
const READERS = 20;
const NOW = new Date('2026-11-23T09:00:00.000Z');
const now = () => NOW;
const FIELDS = selecting('id', 'email', 'state', 'sentAt');

let planned: PlannedDatabase;
/** One parent, and more: nested lists are read for all their parents at once. */
const PARENTS = [[10], [10, 20, 30]];

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  await planned.fill(
    `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips, time_zone, report_weekday, report_due_at, created_at)
     select 'Number ' || n, '{}', '{}', '[]', case when n % 10 = 0 then '[{"name": "", "email": "a@example.com", "emailReport": true}]'::jsonb else '[]' end,
            '{}', '{}', (array['UTC', 'Europe/Rome', 'Asia/Tokyo'])[1 + n % 3], 1 + n % 7, case when n <= ${REPORTED} then timestamptz '2026-11-30' end, '2026-01-01'
       from generate_series(1, ${ORGANIZATIONS}) n`,
  );
  await planned.fill(
    `insert into outgoing_mail (id, recipient, state, created_at)
     select gen_random_uuid(), 'reader-' || n || '@example.com', 'SENT', '2026-11-16' from generate_series(1, ${ORGANIZATIONS}) n`,
  );
  await planned.fill(
    `insert into weekly_report (organization_id, week, email, mail_id)
     select 10 * (1 + row_number() over () / ${READERS}), '2026-W47', recipient, id from outgoing_mail`,
  );
  await planned.fill(
    `insert into weekly_report_run (organization_id, week, posted_at)
     select id, week, '2026-11-23' from organization, unnest('{2026-W47,2026-W48}'::text[]) week where id <= ${REPORTED}`,
  );
  await planned.analyze(['organization', 'outgoing_mail', 'weekly_report', 'weekly_report_run']);
});

afterAll(() => planned?.close());

const outbox = (recorder: Database) => new MailOutbox(recorder, async () => undefined, now);

function facts(recorder: Database): WeeklyReportFactsService {
  const catalogs = new OrganizationCatalogs(recorder, CATALOG, { isFresh: () => false });
  const workflows = new WorkflowService(recorder, anonymousAccess(), catalogs, () => new Date());
  const controls = new ControlService(recorder, anonymousAccess(), workflows, () => new Date());
  const evidence = new ControlEvidenceService(recorder, catalogs, controls, now);
  const deps = { catalogs, controls, evidence, regimes: REGIMES, publicUrl: 'https://gateway.example' };
  return new WeeklyReportFactsService(recorder, deps);
}

function reports(recorder: Database): WeeklyReportService {
  const publicUrl = 'https://gateway.example';
  return new WeeklyReportService(recorder, anonymousAccess(), {
    facts: facts(recorder),
    publicUrl,
    appUrl: publicUrl,
    now,
  });
}

/** The service that enqueues the reports; it runs their batch at once. */
function posting(recorder: Database): WeeklyReportPostingService {
  return new WeeklyReportPostingService(recorder, {
    facts: facts(recorder),
    mails: outbox(recorder),
    links: new UnsubscribeLinks('https://gateway.example', 'a key'),
    appUrl: 'https://gateway.example',
    enqueue: async (batches) => {
      expect(batches).toHaveLength(1);
      await posting(recorder).postBatch(batches[0]!);
    },
    now,
  });
}

test.each([{}, { week: '2026-W47' }, { state: 'SENT' as const }, { week: '2026-W47', state: 'SENT' as const }])(
  'deliveries of organizations (%j) are found by index',
  async (filter) => {
    for (const parents of PARENTS)
      await planned.expectPagesIndexed(
        async (recorder, page) => {
          const deliveries = await reports(recorder).ofOrganizations(
            SYSTEM,
            parents,
            { page, ...filter },
            { items: FIELDS, total: true },
          );
          return deliveries.get(parents[0]!)!;
        },
        ['custom'],
      );
  },
);

test('whose report is due is found without reading every organization, and so is its content', () =>
  planned.expectIndexed((recorder) => posting(recorder).enqueueDue()));

test('old mails are found by index', () =>
  planned.expectIndexed((recorder) => outbox(recorder).purgeOld(), ['custom']));
