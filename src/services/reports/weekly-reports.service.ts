import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import type { Page } from '../../database/cursor.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { sql, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import { languageOf } from '../../messages/language.js';
import { weeklyReportContent, type WeeklyReportContent } from '../../mail/weekly-report-mail.js';
import type { MailStatus } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { WeeklyReportFactsService } from './weekly-report-facts.service.js';
import { weekOf } from '../shared/report-week.js';

export interface WeeklyReportPreview extends WeeklyReportContent {
  week: string;
}

export interface DeliveryQuery extends ListQuery<'NEWEST'> {
  week?: string | null;
  status?: MailStatus | null;
}

interface WeeklyReportDeps {
  facts: WeeklyReportFactsService;
  publicUrl: string;
  appUrl: string;
  now: () => Date;
}

const r = table('weekly_report', 'r');
const m = table('outgoing_mail', 'm');

const DELIVERIES = sql`${r.table} join ${m.table} on ${m.id} = ${r.mail_id}`;

const deliveries = new Listing<DeliveryQuery>({
  from: DELIVERIES,
  ...orderedByKey(r.id, 'NEWEST', 'DESC'),
  parent: { column: r.organization_id, type: 'bigint' },
  filters: { week: (week) => sql`${r.week} = ${week}`, status: (status) => sql`${m.state} = ${status}` },
});

const projection = new Projection('WeeklyReportDelivery', {
  ...properties(r, 'id', 'week', 'email'),
  status: m.state,
  attemptCount: m.attempts,
  ...properties(m, 'created_at', 'sent_at', 'last_error'),
});

const delivery = projected<{ id: number }>()(
  (p, { select }) =>
    sql<{ $organization: number }>`
      select ${r.organization_id} as "$organization", ${sql.join(select)} from ${DELIVERIES} where ${r.id} = ${p('id')}`,
);

/** Weekly reports as members see them (specification 2.2 `email_report`). */
export class WeeklyReportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: WeeklyReportDeps,
  ) {}

  /** The report as it would go out now; its link to unsubscribe leads nowhere. */
  async preview(caller: Caller, organizationId: number): Promise<WeeklyReportPreview> {
    await this.access.authorize(caller, 'READ_REPORTS', organizationId);
    const { facts, publicUrl, appUrl, now } = this.deps;
    const at = now();
    const gathered = await facts.gather([organizationId], ({ timeZone }) => weekOf(at, timeZone), at);
    const report = gathered.get(organizationId);
    if (report === undefined) throw notFound();
    const language = languageOf(report.language);
    const reader = { language, appUrl, name: '', unsubscribeUrl: `${publicUrl}/unsubscribe` };
    return { week: report.week, ...weeklyReportContent(report, reader) };
  }

  /** Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async authorizeDeliveries(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_REPORTS', organizationId);
  }

  /** Delivery of one report; throws NOT_FOUND or FORBIDDEN. */
  async delivery(caller: Caller, id: number, selection: Selection): Promise<object> {
    const found = await delivery(projection.of(selection)).first(this.database, { id });
    if (found === undefined) throw notFound();
    await this.authorizeDeliveries(caller, found.$organization);
    return found;
  }

  /** Deliveries of each organization, the newest first, in one statement. */
  deliveriesOf(
    organizationIds: readonly number[],
    query: DeliveryQuery,
    selection: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    return deliveries.ofMany(this.database, organizationIds, { ...query, ...projection.list(selection) });
  }
}
