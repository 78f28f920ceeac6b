import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { Projection, properties } from '../../database/projection.js';
import { sql, table } from '../../database/sql.js';
import { found } from '../../errors.js';
import { languageOf } from '../../messages/language.js';
import { weeklyReportContent, type WeeklyReportContent } from '../../mail/weekly-report-mail.js';
import type { MailStatus } from '../../values/enums.js';
import type { WeeklyReportFactsService } from './weekly-report-facts.service.js';
import { OrganizationLists } from '../shared/organization-records.js';
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

/** Weekly reports and their deliveries for members (specification 2.2 `email_report`). */
export class WeeklyReportService extends OrganizationLists<{ id: number }, DeliveryQuery> {
  constructor(
    database: Database,
    access: Access,
    private readonly deps: WeeklyReportDeps,
  ) {
    const parents = { organizationId: r.organization_id };
    super(database, access, { from: DELIVERIES, id: r.id, parents, projection, privilege: 'READ_REPORTS' }, deliveries);
  }

  /** Preview of the report at this time, with an invalid link to unsubscribe. */
  async preview(caller: Caller, organizationId: number): Promise<WeeklyReportPreview> {
    await this.access.authorize(caller, 'READ_REPORTS', organizationId);
    const { facts, publicUrl, appUrl, now } = this.deps;
    const at = now();
    const gathered = await facts.gather([organizationId], ({ timeZone }) => weekOf(at, timeZone), at);
    const report = found(gathered.get(organizationId));
    const language = languageOf(report.language);
    const reader = { language, appUrl, name: '', unsubscribeUrl: `${publicUrl}/unsubscribe` };
    return { week: report.week, ...weeklyReportContent(report, reader) };
  }
}
