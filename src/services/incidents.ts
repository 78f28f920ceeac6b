import type { QueryResultRow } from 'pg';
import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { IncidentStatus } from '../vocabulary/incident-statuses.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import type { Severity } from '../vocabulary/severities.js';
import { incidentClock, type IncidentClockFacts } from './incident-clock.js';
import { organizationColumns } from './organization-columns.js';

export interface IncidentQuery {
  page: PageRequest;
  status?: IncidentStatus | null;
  severity?: Severity | null;
  significant?: boolean | null;
  order?: { field: IncidentSort; descending: boolean };
}

export type IncidentSort = 'AWARE_AT' | 'CREATED_AT' | 'SEVERITY' | 'UPDATED_AT';

/** What every incident that is read carries: its files are reached by it. */
export interface IncidentRef {
  id: number;
  organizationId: number;
}

type IncidentRow = QueryResultRow & IncidentRef & IncidentClockFacts;

// A left join on a key is dropped by the planner where no column of the organization is asked for.
const FROM = 'incident i left join organization o on o.id = i.organization_id';

const listing = new Listing<IncidentSort>({
  from: FROM,
  id: { sql: 'i.id', type: 'int' },
  parent: { sql: 'i.organization_id', type: 'int' },
  sorts: {
    AWARE_AT: { sql: 'i.aware_at', type: 'timestamptz' },
    CREATED_AT: { sql: 'i.created_at', type: 'timestamptz' },
    // In the words of the index on it.
    SEVERITY: { sql: `array_position('{LOW,MEDIUM,HIGH,CRITICAL}'::text[], i.severity)`, type: 'int' },
    UPDATED_AT: { sql: 'i.updated_at', type: 'timestamptz' },
  },
});

const NEWEST_FIRST = { field: 'CREATED_AT', descending: true } as const;

/** Security incidents of organizations (decisions §7). */
export class IncidentService {
  private readonly projection: Projection;
  private readonly now: () => Date;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    { publicUrl, now = () => new Date() }: { publicUrl: string; now?: () => Date },
  ) {
    this.projection = new Projection({ ...COLUMNS, organization: { object: organizationColumns('o', publicUrl) } }, [
      'id',
      'organizationId',
    ]);
    this.now = now;
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not list the incidents of the organization. */
  authorizeList(caller: Caller, organizationId: number): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /** Incidents of each organization, newest first unless ordered otherwise; throws for the first that the caller may not list. */
  async ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    query: IncidentQuery,
    { items, total }: ListSelection,
  ): Promise<Map<number, Page<IncidentRef>>> {
    for (const id of organizationIds) await this.authorizeList(caller, id);
    const { field: sort, descending } = query.order ?? NEWEST_FIRST;
    const pages = await listing.ofMany<IncidentRow, number>(this.database, organizationIds, {
      page: query.page,
      conditions: conditionsOf(query),
      sort,
      descending,
      shape: this.projection.of(items),
      total,
    });
    for (const page of pages.values()) this.complete(page.rows, items);
    return pages;
  }

  /** One incident; an incident of another organization is NOT_FOUND, whatever the caller may do there. */
  async read(caller: Caller, organizationId: number, id: number, asked: Selection): Promise<IncidentRef> {
    await this.authorizeList(caller, organizationId);
    return this.record(organizationId, id, asked);
  }

  /** Reads without asking whether the caller may: for the answer to a write. */
  async record(organizationId: number, id: number, asked: Selection): Promise<IncidentRef> {
    const shape = this.projection.of(asked);
    const rows = await this.database.rows<IncidentRow>(
      `select ${shape.select} from ${FROM} where i.id = $1 and i.organization_id = $2`,
      [id, organizationId],
    );
    const [incident] = this.complete(shape.nest<IncidentRow>(rows), asked);
    if (incident === undefined) throw notFound();
    return incident;
  }

  private complete(incidents: IncidentRow[], asked: Selection): IncidentRow[] {
    if (!asked.has('clock')) return incidents;
    const now = this.now();
    return incidents.map((incident) => Object.assign(incident, { clock: incidentClock(incident, now) }));
  }
}

const COLUMNS = {
  id: 'i.id',
  organizationId: 'i.organization_id',
  title: 'i.title',
  description: 'i.description',
  severity: 'i.severity',
  status: 'i.status',
  awareAt: 'i.aware_at',
  significant: 'i.significant',
  openedBy: 'i.opened_by',
  createdAt: 'i.created_at',
  updatedAt: 'i.updated_at',
  closedAt: 'i.closed_at',
  closedBy: 'i.closed_by',
  clock: {
    needs: {
      awareAt: 'i.aware_at',
      significant: 'i.significant',
      earlyWarningSentAt: 'i.early_warning_sent_at',
      earlyWarningSentBy: 'i.early_warning_sent_by',
      notificationSentAt: 'i.notification_sent_at',
      notificationSentBy: 'i.notification_sent_by',
      finalReportSentAt: 'i.final_report_sent_at',
      finalReportSentBy: 'i.final_report_sent_by',
    },
  },
} as const;

function conditionsOf({ status, severity, significant }: IncidentQuery): Condition[] {
  const conditions: Condition[] = [];
  if (status != null) conditions.push({ sql: 'i.status = ?', values: [status] });
  if (severity != null) conditions.push({ sql: 'i.severity = ?', values: [severity] });
  if (significant != null) conditions.push({ sql: 'i.significant = ?', values: [significant] });
  return conditions;
}
