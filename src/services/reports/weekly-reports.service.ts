import { DAY } from '../../common/time.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { Listing, type Condition, filter } from '../../database/list-query.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import { Projection, properties, type Shape } from '../../database/projection.js';
import { db, sql, statement, statementPer, table } from '../../database/sql.js';
import type { Contact } from '../../entities/organizations.js';
import { notFound } from '../../errors.js';
import type { Mail, MailQueue } from '../../mail/mailer.js';
import {
  subjectOf,
  type WeeklyReportFacts,
  type WeeklyReportReader,
  weeklyReportText,
  weeklyReportHtml,
} from '../../mail/weekly-report-mail.js';
import type { MailState } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { UnsubscribeLinks } from '../shared/unsubscribe-links.js';
import type { WeeklyReportFactsService } from './weekly-report-facts.js';
import { DateTime } from 'luxon';

/** Organizations that one round posts for: what is left has its turn a minute later. */
const ROUND = 200;
/** Milliseconds that it is known which weeks were posted: far longer than one can still be due. */
const REMEMBERED = 26 * 7 * DAY;

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

const o = table('organization', 'o');
const run = table('weekly_report_run', 'r');
const r = table('weekly_report', 'r');
const m = table('outgoing_mail', 'm');

/** In the words of the partial index on it. */
const HAS_READERS = sql<boolean>`${o.contacts} @> '[{"emailReport": true}]'`;

const calendars = statement()(() =>
  db
    .selectFrom('organization as o')
    .select(['o.time_zone as timeZone', 'o.report_weekday as weekday'])
    .distinct()
    .where('o.deleted_at', 'is', null)
    .where(HAS_READERS),
);

const waiting = statement<{
  timeZones: readonly string[];
  weekdays: readonly number[];
  weeks: readonly string[];
  moments: readonly string[];
}>()(
  (p) => sql<{ id: number; week: string }>`
    select ${o.id}, due.week
      from unnest(${p('timeZones')}::text[], ${p('weekdays')}::int[], ${p('weeks')}::text[], ${p('moments')}::timestamptz[])
             as due(time_zone, weekday, week, at)
      join ${o.table} on ${o.time_zone} = due.time_zone and ${o.report_weekday} = due.weekday
     where ${o.deleted_at} is null and ${HAS_READERS} and ${o.created_at} <= due.at
       and not exists (select 1 from ${run.table} where ${run.organization_id} = ${o.id} and ${run.week} = due.week)
     order by due.at, ${o.id} limit ${ROUND}`,
);

interface OrganizationWeek {
  organizationId: number;
  week: string;
}

/** Changes of the contacts, and the deletion of the organization, come before this or after it. */
const lockContacts = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('organization')
    .select('contacts')
    .where('id', '=', p('organizationId'))
    .where('deleted_at', 'is', null)
    .forShare(),
);

const insertRun = statement<OrganizationWeek & { now: Date }>()((p) =>
  db
    .insertInto('weekly_report_run')
    .values({ organization_id: p('organizationId'), week: p('week'), posted_at: p('now') })
    .onConflict((conflict) => conflict.columns(['organization_id', 'week']).doNothing())
    .returning('id'),
);

/** Names of ISO weeks sort as texts. */
const deleteRunsBefore = statement<OrganizationWeek>()((p) =>
  db.deleteFrom('weekly_report_run').where('organization_id', '=', p('organizationId')).where('week', '<', p('week')),
);

const insertReport = statement<OrganizationWeek & { email: string; mailId: string }>()((p) =>
  db
    .insertInto('weekly_report')
    .values({ organization_id: p('organizationId'), week: p('week'), email: p('email'), mail_id: p('mailId') }),
);

const DELIVERIES = sql`${r.table} join ${m.table} on ${m.id} = ${r.mail_id}`;

const deliveries = new Listing<'NEWEST'>({
  from: DELIVERIES,
  id: { column: r.id, type: 'int' },
  parent: { column: r.organization_id, type: 'int' },
  sorts: { NEWEST: { column: r.id, type: 'int' } },
});

const projection = new Projection('WeeklyReportDelivery', {
  ...properties(r, 'id', 'week', 'email'),
  ...properties(m, 'state', 'attempts', 'created_at', 'sent_at', 'last_error'),
});

const delivery = statementPer<Shape, { id: number }>()(
  (p, { select }) =>
    sql<{ $organization: number }>`
      select ${r.organization_id} as "$organization", ${sql.join(select)} from ${DELIVERIES} where ${r.id} = ${p('id')}`,
);

const isOfWeek = filter<{ week: string }>((p) => sql`${r.week} = ${p('week')}`);
const hasState = filter<{ state: MailState }>((p) => sql`${m.state} = ${p('state')}`);

/** Weekly reports to the contacts with `email_report` (specification 2.2, docs/adr/0014). */
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
    const notified = await facts.gather(organization, week, now());
    return { week, ...written(notified, { name: '', unsubscribeUrl: `${publicUrl}/unsubscribe` }) };
  }

  /** Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async authorizeDeliveries(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_REPORTS', organizationId);
  }

  /** What became of one report; throws NOT_FOUND or FORBIDDEN. */
  async delivery(caller: Caller, id: number, selection: Selection): Promise<object> {
    const found = await delivery(projection.of(selection)).first(this.database, { id });
    if (found === undefined) throw notFound();
    await this.authorizeDeliveries(caller, found.$organization);
    return found;
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
   * Posts the reports that are due, on many instances and after a crash: an organization's reports of a week are posted
   * once, together or not at all. An error for one organization does not delay others, and is retried.
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
    for (const calendar of await calendars.all(this.database)) {
      try {
        due.push({ ...calendar, ...newestDue(now, calendar.timeZone, calendar.weekday) });
      } catch (error) {
        failed.push(error);
      }
    }
    return { due, failed };
  }

  private waiting(due: readonly DueCalendar[]): Promise<{ id: number; week: string }[]> {
    return waiting.all(this.database, {
      timeZones: due.map(({ timeZone }) => timeZone),
      weekdays: due.map(({ weekday }) => weekday),
      weeks: due.map(({ week }) => week),
      moments: due.map(({ dueAt }) => dueAt.toISOString()),
    });
  }

  private async post(organizationId: number, week: string, now: Date): Promise<void> {
    const organization = await this.deps.facts.organization(organizationId);
    if (organization === undefined) return;
    const notified = await this.deps.facts.gather(organization, week, now);
    await this.database.transaction(async (tx) => {
      const found = await lockContacts.first(tx, { organizationId });
      if (found === undefined) return;
      if ((await insertRun.first(tx, { organizationId, week, now })) === undefined) return;
      const oldest = weekOf(new Date(now.getTime() - REMEMBERED), organization.timeZone);
      await deleteRunsBefore.all(tx, { organizationId, week: oldest });
      for (const contact of readersAmong(found.contacts)) await this.postTo(tx, organizationId, contact, notified);
    });
  }

  private async postTo(
    tx: Queryable,
    organizationId: number,
    contact: Contact,
    notified: WeeklyReportFacts,
  ): Promise<void> {
    const { name, email } = contact;
    const unsubscribeUrl = this.deps.links.address({ organizationId, email });
    const mail: Mail = {
      to: email,
      ...written(notified, { name, unsubscribeUrl }),
      headers: this.deps.links.headers(unsubscribeUrl),
    };
    const mailId = await this.deps.mails.post(tx, mail);
    await insertReport.all(tx, { organizationId, week: notified.week, email, mailId });
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
  if (week != null) conditions.push(isOfWeek({ week }));
  if (state != null) conditions.push(hasState({ state }));
  return conditions;
}

/** Hour of the day, local time, at which weekly reports go out (docs/adr/0014). */
const HOUR = 8;

export interface ReportWeek {
  /** ISO 8601 week, such as `2026-W47`. */
  week: string;
  /** When its report is due. */
  dueAt: Date;
}

/**
 * The newest report that was due at `now`, by the calendar of a time zone and on an ISO weekday (1 is Monday). A report
 * belongs to the ISO week in which it is due, also when it is late: what was missed over a Sunday is still sent on
 * Monday, and the next one comes in its own week. Throws a RangeError for a time zone that is none.
 */
export function newestDue(now: Date, timeZone: string, weekday: number): ReportWeek {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  if (!local.isValid) throw new RangeError(`${timeZone} is no time zone`);
  const dueIn = (week: DateTime) =>
    week
      .set({ weekday: weekday as 1 })
      .startOf('day')
      .set({ hour: HOUR });
  const thisWeek = dueIn(local);
  const due = thisWeek <= local ? thisWeek : dueIn(local.minus({ weeks: 1 }));
  return { week: weekName(due), dueAt: due.toJSDate() };
}

/** The ISO week that `now` falls into. */
export function weekOf(now: Date, timeZone: string): string {
  return weekName(DateTime.fromJSDate(now, { zone: timeZone }));
}

function weekName(day: DateTime): string {
  return `${String(day.weekYear).padStart(4, '0')}-W${String(day.weekNumber).padStart(2, '0')}`;
}
