import { throwFailures } from '../../common/failures.js';
import { DAY } from '../../common/time.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { column, db, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';
import type { Contact } from '../../entities/organizations.js';
import type { Mail, MailQueue } from '../../mail/mailer.js';
import { languageOf } from '../../messages/language.js';
import { weeklyReportContent } from '../../mail/weekly-report-mail.js';
import type { WeeklyReportFacts } from '../../mail/weekly-report.js';
import { newestDue, weekOf } from '../shared/report-week.js';
import type { UnsubscribeLinks } from '../shared/unsubscribe-links.js';
import type { WeeklyReportFactsService } from './weekly-report-facts.service.js';

/** Organizations of one job, at most: those whose ids have the same quotient by this. */
const BATCH = 50;
/** Minutes over which simultaneous batches are spread. */
const SPREAD = 60;
/** Milliseconds for which posted weeks are cached: far longer than one can be due. */
const REMEMBERED = 26 * 7 * DAY;

interface WeeklyReportPostingDeps {
  facts: WeeklyReportFactsService;
  mails: MailQueue;
  links: UnsubscribeLinks;
  /** Base address of links in reports. */
  appUrl: string;
  /** Enqueues a job for each of these batches without one. */
  enqueue: (batches: readonly number[]) => Promise<void>;
  now: () => Date;
}

/** Range of organizations' ids, inclusive. */
interface Range {
  first: number;
  last: number;
}

const o = table('organization', 'o');
const u = table('app_user', 'u');
const run = table('weekly_report_run', 'r');

/** The condition of the partial index. Sandboxes have no reports. */
const HAS_READERS = sql<boolean>`${o.deleted_at} is null and ${o.contacts} @> '[{"emailReport": true}]' and not ${o.sandbox}`;

const mayBeDue = (p: Placeholders<{ now: Date }>) =>
  sql<boolean>`(${o.report_due_at} is null or ${o.report_due_at} <= ${p('now')}) and ${HAS_READERS}`;

const dueBatches = statement<{ now: Date }>()(
  (p) => sql<{ batch: number }>`
    select ${o.id} / ${BATCH} as batch from ${o.table} where ${mayBeDue(p)}
     group by batch order by min(${o.report_due_at}) nulls first, batch`,
);

const calendars = statement<Range & { now: Date }>()((p) =>
  db
    .selectFrom('organization as o')
    .select(['o.time_zone as timeZone', 'o.report_weekday as weekday'])
    .distinct()
    .where(mayBeDue(p))
    .where((eb) => eb.between('o.id', p('first'), p('last'))),
);

interface Due extends Range {
  /** JSON of calendars, each with its newest week. */
  weeks: string;
  now: Date;
}

/** Organizations with the newest week of their calendar, and their own minutes for it and the next one. */
const fromDue = (p: Placeholders<Due>): Expression => sql`
      from json_to_recordset(${p('weeks')}) as due("timeZone" text, weekday int, week text, "dueAt" timestamptz, "nextDueAt" timestamptz)
      join ${o.table} on ${o.time_zone} = due."timeZone" and ${o.report_weekday} = due.weekday
     cross join lateral (select ${o.id} / ${BATCH} % ${SPREAD} * interval '1 minute' as wait) as turn
     where ${mayBeDue(p)} and ${o.id} between ${p('first')} and ${p('last')}`;

const isPosted = sql`exists (select 1 from ${run.table} where ${run.organization_id} = ${o.id} and ${run.week} = due.week)`;

/** Organizations whose minute has passed and whose reports of that week were not posted. */
const waiting = statement<Due>()(
  (p) => sql<WaitingReport>`
    select ${o.id}, due.week ${fromDue(p)}
       and ${o.created_at} <= due."dueAt" and due."dueAt" + turn.wait <= ${p('now')} and not ${isPosted}
     order by ${o.id}`,
);

/** Next due times of organizations without a pending report. Rows are locked in the order of posting. */
const setNextDue = statement<Due>()(
  (p) => sql`
    with settled as (
      select ${o.id}, case when due."dueAt" + turn.wait > ${p('now')} then due."dueAt" else due."nextDueAt" end + turn.wait as due_at
             ${fromDue(p)}
         and (${o.created_at} > due."dueAt" or due."dueAt" + turn.wait > ${p('now')} or ${isPosted})
       order by ${o.id} for no key update of o)
    update ${o.table} set ${column('organization', 'report_due_at')} = settled.due_at
      from settled where ${o.id} = settled.id`,
);

/** Languages by contact addresses that are verified mailboxes of users with a chosen language. */
const languagesOfContacts = sql<Readonly<Record<string, string>> | null>`(
  select jsonb_object_agg(${u.email}, ${u.language})
    from jsonb_array_elements(organization.contacts) contact
   cross join lateral (
     select ${u.email}, ${u.language} from ${u.table}
      where ${u.email} = lower(contact ->> 'email') and ${u.language} is not null and ${u.email_verified_at} is not null
        and ${u.deactivated_at} is null offset 0) u)`;

/** Serializes with changes of the contacts and the deletion of the organization. */
const lockContacts = statement<{ ids: readonly number[] }>()((p) =>
  db
    .selectFrom('organization')
    .select(['id', 'contacts', languagesOfContacts.as('languages')])
    .where('id', '=', ({ fn }) => fn.any(p('ids')))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare(),
);

const insertRuns = statement<{ rows: string }>()(
  (p) => sql<{ id: number }>`${insertRows('weekly_report_run', ['organizationId', 'week', 'postedAt'], p('rows'))}
      on conflict (organization_id, week) do nothing returning organization_id as id`,
);

/** Names of ISO weeks sort as texts. */
const deleteRunsBefore = statement<{ ids: readonly number[]; week: string }>()((p) =>
  db
    .deleteFrom('weekly_report_run')
    .where('organization_id', '=', ({ fn }) => fn.any(p('ids')))
    .where('week', '<', p('week')),
);

const insertReports = statement<{ rows: string }>()(
  (p) => sql`${insertRows('weekly_report', ['organizationId', 'week', 'email', 'mailId'], p('rows'))}`,
);

interface WaitingReport {
  id: number;
  week: string;
}

interface Report {
  organizationId: number;
  contact: Contact;
  facts: WeeklyReportFacts;
  /** Tag of the reader's language. */
  language: string;
}

/** Posts weekly reports to the contacts with `email_report` (specification 2.2, docs/adr/0014). */
export class WeeklyReportPostingService {
  constructor(
    private readonly database: Database,
    private readonly deps: WeeklyReportPostingDeps,
  ) {}

  /** Enqueues a job for each batch of organizations with possibly due reports. A failed batch is enqueued again. */
  async enqueueDue(): Promise<void> {
    const batches = await dueBatches.all(this.database, { now: this.deps.now() });
    await this.deps.enqueue(batches.map(({ batch }) => batch));
  }

  /**
   * Posts due reports of a batch, on many instances and after a crash: an organization's reports of a week are posted
   * once, together or not at all. An error for one organization does not delay others.
   */
  async postBatch(batch: number): Promise<void> {
    const { due, failures } = await this.due({ first: batch * BATCH, last: batch * BATCH + BATCH - 1 });
    const reports = await waiting.all(this.database, due);
    try {
      await this.post(reports, due.now);
    } catch {
      for (const report of reports)
        await this.post([report], due.now).catch((error: unknown) => failures.set(report.id, error));
    }
    await setNextDue.all(this.database, due);
    throwFailures(failures, 'no weekly reports', 'organizations or time zones');
  }

  /** Time zones are stored for years, and valid ones may change with the runtime. */
  private async due(range: Range): Promise<{ due: Due; failures: Map<number | string, unknown> }> {
    const now = this.deps.now();
    const weeks: object[] = [];
    const failures = new Map<number | string, unknown>();
    for (const calendar of await calendars.all(this.database, { ...range, now })) {
      try {
        weeks.push({ ...calendar, ...newestDue(now, calendar.timeZone, calendar.weekday) });
      } catch (error) {
        failures.set(calendar.timeZone, error);
      }
    }
    return { due: { ...range, now, weeks: JSON.stringify(weeks) }, failures };
  }

  private async post(waitingReports: readonly WaitingReport[], now: Date): Promise<void> {
    if (waitingReports.length === 0) return;
    const { facts, mails } = this.deps;
    const weeks = new Map(waitingReports.map(({ id, week }) => [id, week]));
    const gathered = await facts.gather([...weeks.keys()], ({ id }) => weeks.get(id)!, now);
    await this.database.transaction(async (tx) => {
      const locked = await lockContacts.all(tx, { ids: [...gathered.keys()] });
      const ids = locked.map(({ id }) => id);
      const posted = await claim(
        tx,
        ids.map((id) => ({ id, week: weeks.get(id)! })),
        now,
      );
      const reports = locked
        .filter(({ id }) => posted.has(id))
        .flatMap(({ id: organizationId, contacts, languages }) =>
          readersAmong(contacts).map((contact) => {
            const own = gathered.get(organizationId)!;
            const language = languages?.[contact.email.toLowerCase()] ?? own.language;
            return { organizationId, contact, facts: own, language };
          }),
        );
      const mailIds = await mails.post(tx, ...reports.map((report) => this.mailOf(report)));
      const rows = reports.map(({ organizationId, facts: { week }, contact: { email } }, index) => {
        return { organizationId, week, email, mailId: mailIds[index]! };
      });
      await insertReports.all(tx, { rows: jsonRows<'weekly_report'>(rows) });
    });
  }

  private mailOf({ organizationId, contact: { name, email }, facts, language: tag }: Report): Mail {
    const { appUrl } = this.deps;
    const language = languageOf(tag);
    const unsubscribeUrl = this.deps.links.address({ organizationId, email });
    return {
      to: email,
      ...weeklyReportContent(facts, { language, appUrl, name, unsubscribeUrl }),
      headers: this.deps.links.headers(unsubscribeUrl),
    };
  }
}

/** Records that reports are posted; returns the organizations that no other instance has recorded. */
async function claim(tx: Queryable, reports: readonly WaitingReport[], now: Date): Promise<ReadonlySet<number>> {
  const postedAt = now.toISOString();
  const runs = reports.map(({ id: organizationId, week }) => ({ organizationId, week, postedAt }));
  const rows = await insertRuns.all(tx, { rows: jsonRows<'weekly_report_run'>(runs) });
  const ids = reports.map(({ id }) => id);
  await deleteRunsBefore.all(tx, { ids, week: weekOf(new Date(now.getTime() - REMEMBERED), 'utc') });
  return new Set(rows.map(({ id }) => id));
}

/** Contacts that want the report, each mailbox once. */
function readersAmong(contacts: readonly Contact[]): Contact[] {
  const readers = new Map<string, Contact>();
  for (const contact of contacts) {
    const mailbox = contact.email.toLowerCase();
    if (contact.emailReport && mailbox !== '' && !readers.has(mailbox)) readers.set(mailbox, contact);
  }
  return [...readers.values()];
}
