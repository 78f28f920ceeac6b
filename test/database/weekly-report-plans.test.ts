import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Access } from '../../src/access/access.js';
import { Database } from '../../src/database/database.js';
import { MailOutbox } from '../../src/mail/mail-outbox.js';
import { OrganizationCatalogs } from '../../src/services/organization-catalogs.js';
import { UnsubscribeLinks } from '../../src/services/unsubscribe-links.js';
import { WeeklyReportFactsService } from '../../src/services/weekly-report-facts.js';
import { WeeklyReportService } from '../../src/services/weekly-reports.js';
import { WorkflowCatalog } from '../../src/services/workflow-catalog.js';
import type { Selection } from '../../src/vocabulary/selection.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { CATALOG_DIR } from '../support/gateway.js';

const ORGANIZATIONS = 20_000;
/** Organizations that have had their report; the last one has not. */
const REPORTED = ORGANIZATIONS - 1;
const NOW = new Date('2026-11-23T09:00:00.000Z');
const FIELDS: Selection = { fields: ['id', 'email', 'state', 'sentAt'], has: () => false, of: () => FIELDS };

let testDatabase: TestDatabase;
let database: Database;
let reports: WeeklyReportService;
let mails: MailOutbox;
let organizationId: number;
const statements: SentStatement[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url, 2);
  await database.rows(
    `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips, time_zone, report_weekday, created_at)
     select 'Number ' || n, '{}', '{}', '[]', case when n % 10 = 0 then '[{"name": "", "email": "a@example.com", "emailReport": true}]'::jsonb else '[]' end,
            '{}', '{}', (array['UTC', 'Europe/Rome', 'Asia/Tokyo'])[1 + n % 3], 1 + n % 7, '2026-01-01'
       from generate_series(1, ${ORGANIZATIONS}) n`,
  );
  await database.rows(`
    insert into outgoing_mail (id, recipient, state, created_at)
    select gen_random_uuid(), 'reader-' || n || '@example.com', 'SENT', '2026-11-16' from generate_series(1, ${REPORTED}) n`);
  await database.rows(`
    insert into weekly_report (organization_id, week, email, mail_id)
    select row_number() over (), '2026-W47', recipient, id from outgoing_mail`);
  await database.rows(`
    insert into weekly_report_run (organization_id, week, posted_at)
    select id, week, '2026-11-23' from organization, unnest('{2026-W47,2026-W48}'::text[]) week where id <= ${REPORTED}`);
  await database.rows('analyze');
  [{ id: organizationId } = { id: 0 }] = await database.rows<{ id: number }>('select max(id) as id from organization');

  const noted = recording(database, statements);
  const now = () => NOW;
  mails = new MailOutbox(noted, async () => undefined, now);
  const catalogs = new OrganizationCatalogs(noted, WorkflowCatalog.load(CATALOG_DIR), { isFresh: () => false });
  reports = new WeeklyReportService(noted, {} as Access, {
    facts: new WeeklyReportFactsService(noted, catalogs, 'https://gateway.example'),
    mails,
    links: new UnsubscribeLinks('https://gateway.example', 'a key'),
    publicUrl: 'https://gateway.example',
    now,
  });
}, 60_000);

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** Tables of more than a page of rows that a plan reads from end to end. */
async function scanned(work: () => Promise<unknown>): Promise<string[]> {
  statements.length = 0;
  await work();
  const found: string[] = [];
  for (const { text, values } of statements.filter(({ text }) => /^\s*(?:select|update|delete|insert)/.test(text))) {
    const plan = await database.rows<Record<string, string>>(`explain ${text}`, values);
    const lines = plan.map((row) => Object.values(row)[0] ?? '');
    found.push(
      ...lines.filter((line) => /Seq Scan on "?(organization|outgoing_mail|weekly_report(_run)?)\b/.test(line)),
    );
  }
  return found;
}

test('whose report is due is found without reading every organization, and so is all that it tells', async () => {
  expect(await scanned(() => reports.postDue())).toEqual([]);
  expect(statements.length).toBeGreaterThan(5);
});

test.each([{}, { week: '2026-W47' }, { state: 'SENT' as const }, { week: '2026-W47', state: 'QUEUED' as const }])(
  'deliveries of an organization (%j) are found by index',
  async (filter) => {
    const list = () =>
      reports.deliveriesOf([organizationId], { page: { first: 10 }, ...filter }, { items: FIELDS, total: true });
    expect(await scanned(list)).toEqual([]);
  },
);

test('old mails are found by index', async () => {
  expect(await scanned(() => mails.purgeOld())).toEqual([]);
});
