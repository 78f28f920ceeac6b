import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import type { Contact } from '../entities/organization.js';
import { notFound } from '../errors.js';
import type { Mail, MailQueue } from '../mail/mail.js';
import { subjectOf } from '../mail/weekly-report/phrases.js';
import { weeklyReportHtml } from '../mail/weekly-report/weekly-report-html.js';
import { weeklyReportText } from '../mail/weekly-report/weekly-report-text.js';
import type { WeeklyReportFacts, WeeklyReportReader } from '../mail/weekly-report/weekly-report.js';
import type { MailState } from '../vocabulary/mail-states.js';
import type { ListSelection } from '../vocabulary/selection.js';
import { newestDue, type ReportWeek, weekOf } from './report-week.js';
import type { UnsubscribeLinks } from './unsubscribe-links.js';
import type { WeeklyReportFactsService } from './weekly-report-facts.js';

/** Organizations that one round posts for: what is left has its turn a minute later. */
const ROUND = 200;
/** Milliseconds that it is known which weeks were posted: far longer than one can still be due. */
const REMEMBERED = 26 * 7 * 24 * 60 * 60 * 1000;

export interface WeeklyReportPreview {
  week: string;
  subject: string;
  html: string;
  text: string;
}

export interface DeliveryQuery {
  page: PageRequest;
  week?: string | null;
  state?: MailState | null;
}

export interface WeeklyReportDeps {
  facts: WeeklyReportFactsService;
  mails: MailQueue;
  links: UnsubscribeLinks;
  publicUrl: string;
  now: () => Date;
}

interface Calendar {
  timeZone: string;
  weekday: number;
}
type DueCalendar = Calendar & ReportWeek;

const CALENDARS = `
  select distinct time_zone as "timeZone", report_weekday as weekday from organization
   where deleted_at is null and contacts @> '[{"emailReport": true}]'`;

const WAITING = `
  select o.id, due.week
    from unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[]) as due(time_zone, weekday, week, at)
    join organization o on o.time_zone = due.time_zone and o.report_weekday = due.weekday
   where o.deleted_at is null and o.contacts @> '[{"emailReport": true}]' and o.created_at <= due.at
     and not exists (select 1 from weekly_report_run r where r.organization_id = o.id and r.week = due.week)
   order by due.at, o.id limit ${ROUND}`;

// Whoever changes the contacts, or deletes the organization, does it before this or after it.
const CONTACTS = `select contacts from organization where id = $1 and deleted_at is null for share`;

const RUN = `
  insert into weekly_report_run (organization_id, week, posted_at) values ($1, $2, $3)
  on conflict (organization_id, week) do nothing returning id`;

// Names of ISO weeks sort as texts.
const FORGET = `delete from weekly_report_run where organization_id = $1 and week < $2`;

const REPORT = `
  insert into weekly_report (organization_id, week, email, mail_id) values ($1, $2, $3, $4)`;

const deliveries = new Listing<'NEWEST'>({
  from: 'weekly_report r join outgoing_mail m on m.id = r.mail_id',
  id: { sql: 'r.id', type: 'int' },
  parent: { sql: 'r.organization_id', type: 'int' },
  sorts: { NEWEST: { sql: 'r.id', type: 'int' } },
});

const projection = new Projection({
  id: 'r.id',
  week: 'r.week',
  email: 'r.email',
  state: 'm.state',
  attempts: 'm.attempts',
  createdAt: 'm.created_at',
  sentAt: 'm.sent_at',
  lastError: 'm.last_error',
});

/** Weekly reports to the contacts that asked for them (specification 2.2 `email_report`, docs/adr/0014). */
export class WeeklyReportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: WeeklyReportDeps,
  ) {}

  /** The report as it would go out now; its link to unsubscribe leads nowhere. */
  async preview(caller: Caller, organizationId: number): Promise<WeeklyReportPreview> {
    await this.access.authorize(caller, 'READ_REPORTS', organizationId);
    const { facts, publicUrl, now } = this.deps;
    const organization = await facts.organization(organizationId);
    if (organization === undefined) throw notFound();
    const week = weekOf(now(), organization.timeZone);
    const told = await facts.gather(organization, week, now());
    return { week, ...written(told, { name: '', unsubscribeUrl: `${publicUrl}/unsubscribe` }) };
  }

  /** Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async authorizeDeliveries(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_REPORTS', organizationId);
  }

  /** What became of the reports of each organization, the newest first, in one statement. */
  deliveriesOf(
    organizationIds: readonly number[],
    query: DeliveryQuery,
    { items, total }: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    return deliveries.ofMany<object, number>(this.database, organizationIds, {
      page: query.page,
      conditions: conditionsOf(query),
      sort: 'NEWEST',
      descending: true,
      shape: projection.of(items),
      total,
    });
  }

  /**
   * Posts the reports that are due and were not posted yet. Safe on many instances at once, and after a crash: an
   * organization's reports of a week are posted together or not at all, and once. What fails for one organization,
   * or for the calendar of some, keeps no other waiting, and is tried again.
   */
  async postDue(): Promise<void> {
    const now = this.deps.now();
    const { due, failed } = await this.calendars(now);
    for (const { id, week } of await this.waiting(due)) {
      try {
        await this.post(id, week, now);
      } catch (error) {
        failed.push(error);
      }
    }
    if (failed.length > 0)
      throw new AggregateError(failed, `The reports of ${failed.length} organizations or calendars failed`, {
        cause: failed[0],
      });
  }

  /** Time zones are stored for years, and what is one may change with the runtime. */
  private async calendars(now: Date): Promise<{ due: DueCalendar[]; failed: unknown[] }> {
    const due: DueCalendar[] = [];
    const failed: unknown[] = [];
    for (const calendar of await this.database.rows<Calendar>(CALENDARS)) {
      try {
        due.push({ ...calendar, ...newestDue(now, calendar.timeZone, calendar.weekday) });
      } catch (error) {
        failed.push(error);
      }
    }
    return { due, failed };
  }

  private waiting(due: readonly DueCalendar[]): Promise<{ id: number; week: string }[]> {
    return this.database.rows(WAITING, [
      due.map(({ timeZone }) => timeZone),
      due.map(({ weekday }) => weekday),
      due.map(({ week }) => week),
      due.map(({ dueAt }) => dueAt.toISOString()),
    ]);
  }

  private async post(organizationId: number, week: string, now: Date): Promise<void> {
    const organization = await this.deps.facts.organization(organizationId);
    if (organization === undefined) return;
    const told = await this.deps.facts.gather(organization, week, now);
    await this.database.transaction(async (tx) => {
      const [found] = await tx.rows<{ contacts: Contact[] }>(CONTACTS, [organizationId]);
      if (found === undefined) return;
      const mine = await tx.rows(RUN, [organizationId, week, now.toISOString()]);
      if (mine.length === 0) return;
      await tx.rows(FORGET, [organizationId, weekOf(new Date(now.getTime() - REMEMBERED), organization.timeZone)]);
      for (const contact of readersAmong(found.contacts)) await this.postTo(tx, organizationId, contact, told);
    });
  }

  private async postTo(
    tx: Queryable,
    organizationId: number,
    contact: Contact,
    told: WeeklyReportFacts,
  ): Promise<void> {
    const { name, email } = contact;
    const unsubscribeUrl = this.deps.links.address({ organizationId, email });
    const mail: Mail = {
      to: email,
      ...written(told, { name, unsubscribeUrl }),
      headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    };
    const mailId = await this.deps.mails.post(tx, mail);
    await tx.rows(REPORT, [organizationId, told.week, email, mailId]);
  }
}

function written(
  facts: WeeklyReportFacts,
  reader: WeeklyReportReader,
): { subject: string; html: string; text: string } {
  return { subject: subjectOf(facts), html: weeklyReportHtml(facts, reader), text: weeklyReportText(facts, reader) };
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

function conditionsOf({ week, state }: DeliveryQuery): Condition[] {
  const conditions: Condition[] = [];
  if (week != null) conditions.push({ sql: 'r.week = ?', values: [week] });
  if (state != null) conditions.push({ sql: 'm.state = ?', values: [state] });
  return conditions;
}
