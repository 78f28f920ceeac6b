import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { rolesWith } from '../../auth/roles.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { pageOfItems, type Page, type PageRequest } from '../../database/cursor.js';
import type { Database, Queryable } from '../../database/database.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { projected, Projection } from '../../database/projection.js';
import { db, sql, table, type Expression, type TableReference } from '../../database/sql.js';
import type { PortfolioSort, Role } from '../../values/enums.js';
import { FIRST_INSTANT, LAST_INSTANT, LIMITS } from '../../values/limits.js';
import type { IncidentService, ReportDeadline } from '../incidents/incidents.service.js';
import { endOf } from '../incidents/reporting-clock.js';
import {
  ACTIVE_MEMBER,
  accessibleOrganizations,
  reachable,
  reachOf,
  type Reach,
} from '../shared/accessible-organizations.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { attestationCounts, type AttestationCounts } from '../workflows/attestation-states.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { progressOfOrganizations, type OrganizationProgress } from '../workflows/progress.js';

export type PortfolioQuery = ListQuery<PortfolioSort>;

/** An organization of the caller with its selected figures. */
interface OverviewRow extends Partial<OrganizationProgress> {
  organization: { id: number };
  incidents?: { overdue: number };
  nextDeadline?: ReportDeadline | null;
  attestations?: AttestationCounts;
}

const m = table('membership', 'm');
const o = table('organization', 'o');
const i = table('incident', 'i');

const BY_NAME = { field: 'NAME', direction: 'ASC' } as const;

const organizations = new Listing<ListQuery<'NAME' | 'CREATED_AT'>>({
  from: sql`${m.table} join ${o.table} on ${o.id} = ${m.organization_id}`,
  where: [ACTIVE_MEMBER, sql`${o.deleted_at} is null and not ${o.sandbox}`],
  id: { column: o.id, type: 'bigint' },
  parent: { column: m.user_id, type: 'uuid' },
  sorts: { NAME: { column: o.name, type: 'text' }, CREATED_AT: { column: o.created_at, type: 'timestamptz' } },
  order: BY_NAME,
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
  attestations: { needs: {} },
  nextDeadline: { needs: {} },
};

/**
 * All organizations `o` of a user except for sandboxes, or a named one, with its membership `m` and the role of an active
 * assignee there, unordered.
 */
export const reached = projected<
  Reach & { userId: string; assigneeId: string | null; organizationId: number | null }
>()((p, { select }) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(select)
    .select('m.role as $role')
    .select((eb) =>
      eb
        .selectFrom('membership as a')
        .select('a.role')
        .whereRef('a.organization_id', '=', 'o.id')
        .where('a.user_id', '=', p('assigneeId'))
        .where('a.deactivated_at', 'is', null)
        .as('$assigneeRole'),
    )
    .where('o.deleted_at', 'is', null)
    .where(
      sql<boolean>`case when ${p('organizationId')}::bigint is null then not ${o.sandbox} else ${o.id} = ${p('organizationId')} end`,
    )
    .where('m.user_id', '=', p('userId'))
    .where(ACTIVE_MEMBER)
    .where(reachable(p))
    .$castTo<{ id: number; organization: { id: number }; $role: Role; $assigneeRole: Role | null }>(),
);

export interface PortfolioDeps {
  catalogs: OrganizationCatalogs;
  incidents: IncidentService;
  publicUrl: string;
  now: () => Date;
}

/** Overview of a caller's organizations, without sandboxes. */
export class PortfolioService {
  private readonly projection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: PortfolioDeps,
  ) {
    const organization = { object: organizationColumns(deps.publicUrl) };
    this.projection = new Projection('OrganizationOverview', { organization, ...COLUMNS }, ['organization']);
  }

  /** A page of the organizations that the caller belongs to, in at most six statements. */
  async list(caller: Caller, query: PortfolioQuery, { items, total }: ListSelection): Promise<Page<object>> {
    const user = this.access.authorizeToken(caller, 'read');
    const reads = await this.database.longReads();
    const shape = this.projection.of(items);
    const { page, orderBy } = query;
    const { field, direction } = orderBy ?? BY_NAME;
    if (field === 'NEXT_DEADLINE' || field === 'OVERDUE_CONTROLS') {
      const descending = direction === 'DESC';
      const all: OverviewRow[] = await reached(shape).all(reads, {
        userId: user.userId,
        assigneeId: null,
        organizationId: null,
        ...reachOf(user),
      });
      await this.addFigures(reads, all, items, field);
      return pageByFigure(all, FIGURES[field], { ...page, order: `${field} ${descending}` }, descending);
    }
    const conditions = accessibleOrganizations(user);
    const request = { page, orderBy: { field, direction }, conditions, total, shape };
    const found = await organizations.of<OverviewRow>(reads, user.userId, request);
    await this.addFigures(reads, found.rows, items, field);
    return found;
  }

  /** The selected figures, and those required by the order. */
  private async addFigures(
    reads: Queryable,
    rows: readonly OverviewRow[],
    items: Selection,
    sort: PortfolioSort,
  ): Promise<void> {
    if (rows.length === 0) return;
    const progress = items.has('progress') || items.has('overdueControls') || sort === 'OVERDUE_CONTROLS';
    const reports = items.has('nextDeadline') || items.of('incidents').has('overdue') || sort === 'NEXT_DEADLINE';
    const incident = items.of('nextDeadline').of('incident');
    await Promise.all([
      progress && this.addProgress(reads, rows),
      reports && this.addReports(reads, rows, incident),
      items.has('attestations') && this.addAttestations(reads, rows),
    ]);
  }

  private async addAttestations(reads: Queryable, rows: readonly OverviewRow[]): Promise<void> {
    const counts = await attestationCounts(reads, this.deps.catalogs, rows.map(idOf));
    for (const row of rows) row.attestations = counts.get(idOf(row)) as AttestationCounts;
  }

  private async addProgress(reads: Queryable, rows: readonly OverviewRow[]): Promise<void> {
    const { catalogs, now } = this.deps;
    const progress = await progressOfOrganizations(reads, catalogs, rows.map(idOf), now());
    for (const row of rows) Object.assign(row, progress.get(idOf(row)));
  }

  private async addReports(reads: Queryable, rows: readonly OverviewRow[], incident: Selection): Promise<void> {
    const due = await this.deps.incidents.dueReports(reads, rows.map(idOf), incident);
    for (const row of rows) {
      const reports = due.get(idOf(row)) ?? [];
      row.nextDeadline = reports[0] ?? null;
      if (row.incidents) row.incidents.overdue = incidentsOverdue(reports);
    }
  }
}

/** Figures without a column: ordering by one needs it for every organization. Null is last in both directions. */
const FIGURES = {
  NEXT_DEADLINE: ({ nextDeadline }: OverviewRow) =>
    nextDeadline ? Date.parse(endOf(nextDeadline)) - FIRST_INSTANT : null,
  OVERDUE_CONTROLS: ({ overdueControls = 0 }: OverviewRow) => overdueControls,
};

const LARGEST = LAST_INSTANT - FIRST_INSTANT;

function pageByFigure(
  rows: readonly OverviewRow[],
  figureOf: (row: OverviewRow) => number | null,
  page: PageRequest & { order: string },
  descending: boolean,
): Page<object> {
  const keyed = rows.map((row) => {
    const figure = figureOf(row);
    const place = figure === null ? LARGEST : descending ? LARGEST - figure : figure;
    return { row, key: [place, idOf(row)].map((part) => String(part).padStart(16, '0')).join() };
  });
  const sorted = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const { maxPageSize } = LIMITS.portfolio;
  const found = pageOfItems<(typeof sorted)[number], string>(sorted, 'text', ({ key }) => key, {
    ...page,
    maxPageSize,
  });
  return Object.assign(found, { rows: found.rows.map(({ row }) => row) });
}

const idOf = ({ organization }: OverviewRow) => organization.id;

/** Organizations with a stored deadline; at the start after an upgrade, until it is stored, those of the computed clocks. */
function incidentsOverdue(reports: readonly ReportDeadline[]): number {
  const late = new Set(reports.filter(({ state }) => state === 'OVERDUE').map(({ incident }) => incident.id));
  return Math.max(late.size, reports[0]?.incident.$overdue ?? 0);
}
