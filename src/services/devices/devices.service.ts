import type { QueryResultRow } from 'pg';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { rolesWith } from '../../auth/roles.js';
import type { Database } from '../../database/database.js';
import { filter, Listing, type ListingSpec, type ListQuery } from '../../database/list-query.js';
import type { Page } from '../../database/cursor.js';
import { Projection, properties } from '../../database/projection.js';
import { sql, table, type TableReference } from '../../database/sql.js';
import type { CheckStatus, Role } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { DeviceChanges } from './device-update.service.js';
import { DeviceChecks, DeviceSeries, type CheckedDevice } from './device-series.js';
import type { DeviceKind } from './device-kind.js';
import { DeviceReports } from './device-reports.service.js';
import { DeviceMonitor } from './device-monitor.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { OrganizationLists } from '../shared/organization-records.js';
import { isRestorable, restorableSince } from '../shared/restorable.js';
import { ACTIVE_MEMBER, accessibleOrganizations } from '../shared/accessible-organizations.js';

/** By id, by what people know the device by, by `check.status`, or by when it was last seen, else created. */
type DeviceSort = 'ID' | 'NAME' | 'STATUS' | 'LAST_SEEN';

export interface DeviceQuery extends ListQuery<DeviceSort> {
  /** Part of a name or an address, in whatever case. */
  search?: string | null;
  status?: CheckStatus | null;
  /** Only deleted ones that may still be restored; those that are not deleted otherwise. */
  deleted?: boolean | null;
}

/** A device with the facts that its permissions depend on. */
interface ManagedDevice {
  organizationId: number;
  deletedAt: string | null;
}

type DeviceRow = QueryResultRow & CheckedDevice;

/** Devices of one kind. A soft-deleted one is absent, except for those who restore it. */
export class DeviceService extends OrganizationLists<DeviceRow, DeviceQuery> {
  readonly changes: DeviceChanges;
  readonly reports: DeviceReports;
  readonly series: DeviceSeries;
  readonly watch: DeviceMonitor;
  private readonly ofCaller: Listing<DeviceQuery>;
  private readonly checks: DeviceChecks;

  constructor(
    database: Database,
    access: Access,
    kind: DeviceKind,
    publicUrl: string,
    private readonly now: () => Date,
  ) {
    // The planner drops a left join on a key when no column of the organization is selected.
    const devices = table(kind.table, 'd').table;
    const from = sql`${devices} left join ${o.table} on ${o.id} = ${d.organization_id}`;
    const projection = new Projection(kind.type, {
      ...properties(d, 'id', 'last_seen_at', 'created_at', 'updated_at', 'deleted_at'),
      organization: { object: organizationColumns(publicUrl) },
      ...kind.columns,
      check: { needs: { status: d.status, stat: d.stat, createdAt: d.created_at } },
      viewerCan: { needs: { organizationId: d.organization_id, deletedAt: d.deleted_at } },
      history: { needs: { organizationId: d.organization_id } },
    });
    const listed = listedOf(kind);
    const parents = { organizationId: d.organization_id };
    super(
      database,
      access,
      { from, id: d.id, parents, where: NOT_DELETED, projection, privilege: 'READ_DEVICES' },
      new Listing({ ...listed, from, parent: { column: d.organization_id, type: 'int' } }),
    );
    this.ofCaller = new Listing({ ...listed, from: sql`${devices} ${OF_MEMBERS}`, parent: MEMBER });
    this.checks = new DeviceChecks(database, kind, now);
    this.changes = new DeviceChanges(database, access, kind, this, now);
    this.reports = new DeviceReports(database, access, kind, now);
    this.series = new DeviceSeries(database, kind, now);
    this.watch = new DeviceMonitor(database, kind, now);
  }

  /** Devices of each organization; throws for the first that the caller may not list. */
  override ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    query: DeviceQuery,
    selection: ListSelection,
  ): Promise<Map<number, Page<DeviceRow>>> {
    return super.ofOrganizations(caller, organizationIds, this.requestOf(query), selection);
  }

  /** Devices of one organization, or of all that the caller manages (rank 4). */
  async list(
    caller: Caller,
    organizationId: number | null,
    query: DeviceQuery,
    selection: ListSelection,
  ): Promise<Page<object>> {
    if (organizationId !== null) {
      const pages = await this.ofOrganizations(caller, [organizationId], query, selection);
      return pages.get(organizationId) as Page<object>;
    }
    const user = this.access.authorizeSelf(caller, 'read');
    const request = { ...this.requestOf(query), ...this.spec.projection.list(selection) };
    const managed = hasRole({ roles: rolesWith('READ_DEVICES') });
    const conditions = [managed, ...accessibleOrganizations(user), ...request.conditions];
    const page = await this.ofCaller.of<DeviceRow>(this.database, user.userId, { ...request, conditions });
    await this.complete(page.rows, selection.items);
    return page;
  }

  /** What `changes` and `reports` would accept from this caller, and not find done already. */
  async permissions(caller: Caller, { organizationId, deletedAt }: ManagedDevice) {
    const may = await this.access.granted(caller, organizationId);
    const manages = may('MANAGE_DEVICES');
    if (deletedAt !== null) {
      const restore = manages && isRestorable(deletedAt, this.now());
      return { update: false, delete: false, restore, report: false };
    }
    return { update: manages, delete: manages, restore: false, report: may('REPORT_CHECKS') };
  }

  protected override async complete(rows: readonly DeviceRow[], selection: Selection): Promise<void> {
    if (selection.has('check')) await this.checks.fill(rows, selection.of('check'));
  }

  private requestOf({ deleted, search, ...query }: DeviceQuery) {
    const conditions = [deleted === true ? isDeletedSince({ since: restorableSince(this.now()) }) : isLive({})];
    return { ...query, search: search || null, conditions };
  }
}

/** The columns that both kinds have. */
const d: TableReference<DeviceKind['table']> = table('cloud_defender', 'd');
const o = table('organization', 'o');
const m = table('membership', 'm');

const ID = { column: d.id, type: 'int' } as const;
const MEMBER = { column: m.user_id, type: 'uuid' } as const;
const OF_MEMBERS = sql`
  join ${m.table} on ${m.organization_id} = ${d.organization_id} and ${ACTIVE_MEMBER}
  join ${o.table} on ${o.id} = ${d.organization_id} and ${o.deleted_at} is null`;
const NOT_DELETED = sql`${d.deleted_at} is null`;

const isLive = filter(() => NOT_DELETED);
const isDeletedSince = filter<{ since: Date }>((p) => sql`${d.deleted_at} >= ${p('since')}`);
const hasRole = filter<{ roles: readonly Role[] }>((p) => sql`${m.role} = any(${p('roles')})`);

function listedOf({ name, searched }: DeviceKind): Omit<ListingSpec<DeviceQuery>, 'from' | 'parent'> {
  return {
    id: ID,
    sorts: {
      ID,
      NAME: { column: name, type: 'text' },
      STATUS: { column: d.status, type: 'int' },
      LAST_SEEN: { column: sql`coalesce(${d.last_seen_at}, ${d.created_at})`, type: 'timestamptz' },
    },
    order: { field: 'ID', direction: 'ASC' },
    filters: {
      status: (status) => sql`${d.status} = ${status}`,
      search: (text) => {
        const parts = searched.map((column) => sql`strpos(lower(${column}), lower(${text})) > 0`);
        return sql`(${sql.join(parts, sql` or `)})`;
      },
    },
  };
}
