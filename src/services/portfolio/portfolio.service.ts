import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { rolesWith } from '../../auth/roles.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import type { Database, Queryable } from '../../database/database.js';
import { Listing } from '../../database/list-query.js';
import { Projection } from '../../database/projection.js';
import { sql, table, type Expression, type TableReference } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';
import type { DueReportService, ReportDeadline } from '../incidents/due-reports.js';
import { ACTIVE_MEMBER, accessibleOrganizations } from '../shared/accessible-organizations.js';
import { organizationColumns } from '../shared/organization-columns.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { progressOfOrganizations, type OrganizationProgress } from '../workflows/organization-progress.js';

export interface PortfolioQuery {
  page: PageRequest;
  sort: 'NAME' | 'CREATED';
  descending: boolean;
}

/** An organization of the caller with its figures, as far as they are selected. */
interface OverviewRow extends Partial<OrganizationProgress> {
  organization: { id: number };
  incidents?: { overdue: number };
  nextDeadline?: ReportDeadline | null;
}

const m = table('membership', 'm');
const o = table('organization', 'o');
const i = table('incident', 'i');

const organizations = new Listing<PortfolioQuery['sort']>({
  from: sql`${m.table} join ${o.table} on ${o.id} = ${m.organization_id}`,
  where: [ACTIVE_MEMBER, sql`${o.deleted_at} is null`],
  id: { column: o.id, type: 'int' },
  parent: { column: m.user_id, type: 'uuid' },
  sorts: { NAME: { column: o.name, type: 'text' }, CREATED: { column: o.created_at, type: 'timestamptz' } },
  maxPageSize: LIMITS.portfolio.maxPageSize,
});

const incidents = (status: Expression) =>
  sql`(select count(*) from ${i.table} where ${i.organization_id} = ${o.id} and ${i.status} = ${status})`;

const down = (d: TableReference<'cloud_defender' | 'threat_blocker'>) =>
  sql`(select count(*) from ${d.table} where ${d.organization_id} = ${o.id} and ${d.status} = 3 and ${d.deleted_at} is null)`;

const mayReadDevices = sql`${m.role} in (${sql.join(rolesWith('READ_DEVICES').map((role) => sql.lit(role)))})`;

const COLUMNS = {
  role: m.role,
  incidents: {
    object: {
      open: incidents(sql.lit('OPEN')),
      contained: incidents(sql.lit('CONTAINED')),
      resolved: incidents(sql.lit('RESOLVED')),
      closed: incidents(sql.lit('CLOSED')),
      overdue: { needs: {} },
    },
  },
  devicesDown: sql`case when ${mayReadDevices} then ${down(table('cloud_defender'))} + ${down(table('threat_blocker'))} end`,
  progress: { needs: {} },
  overdueControls: { needs: {} },
  nextDeadline: { needs: {} },
};

/** The organizations of a caller at a glance. */
export class PortfolioService {
  private readonly projection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: {
      catalogs: OrganizationCatalogs;
      dueReports: DueReportService;
      publicUrl: string;
      now: () => Date;
    },
  ) {
    const organization = { object: organizationColumns(deps.publicUrl) };
    this.projection = new Projection('OrganizationOverview', { organization, ...COLUMNS }, ['organization']);
  }

  /** A page of the organizations that the caller belongs to, in at most four statements. */
  async list(
    caller: Caller,
    { page, sort, descending }: PortfolioQuery,
    { items, total }: ListSelection,
  ): Promise<Page<object>> {
    const user = this.access.authorizeSelf(caller, 'read');
    const reads = await this.database.longReads();
    const found = await organizations.of<OverviewRow>(reads, user.userId, {
      ...{ page, sort, descending, total },
      conditions: accessibleOrganizations(user),
      shape: this.projection.of(items),
    });
    await Promise.all([this.addProgress(reads, found.rows, items), this.addReports(reads, found.rows, items)]);
    return found;
  }

  private async addProgress(reads: Queryable, rows: readonly OverviewRow[], selection: Selection): Promise<void> {
    if (rows.length === 0 || !(selection.has('progress') || selection.has('overdueControls'))) return;
    const { catalogs, now } = this.deps;
    const progress = await progressOfOrganizations(reads, catalogs, rows.map(idOf), now());
    for (const row of rows) Object.assign(row, progress.get(idOf(row)));
  }

  private async addReports(reads: Queryable, rows: readonly OverviewRow[], selection: Selection): Promise<void> {
    const wantsDeadline = selection.has('nextDeadline');
    if (rows.length === 0 || !(wantsDeadline || selection.of('incidents').has('overdue'))) return;
    const incident = selection.of('nextDeadline').of('incident');
    const due = await this.deps.dueReports.ofOrganizations(reads, rows.map(idOf), incident);
    for (const row of rows) {
      const reports = due.get(idOf(row)) ?? [];
      if (wantsDeadline) row.nextDeadline = reports[0] ?? null;
      if (row.incidents) row.incidents.overdue = incidentsOverdue(reports);
    }
  }
}

const idOf = ({ organization }: OverviewRow) => organization.id;

function incidentsOverdue(reports: readonly ReportDeadline[]): number {
  return new Set(reports.filter(({ state }) => state === 'OVERDUE').map(({ incident }) => incident.id)).size;
}
