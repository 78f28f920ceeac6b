import type { QueryResultRow } from 'pg';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { rolesWith, type Privilege } from '../../auth/roles.js';
import type { Database } from '../../database/database.js';
import { filter, Listing, type ListingSpec, type ListQuery } from '../../database/list-query.js';
import type { Page } from '../../database/cursor.js';
import { projected, Projection } from '../../database/projection.js';
import { sql, table, type Expression, type TableReference } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { CheckStatus, Role } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { DeviceChanges } from './device-update.service.js';
import { DeviceChecks, type CheckedDevice } from './device-checks.service.js';
import type { DeviceKind } from './device-kind.js';
import { DeviceReports } from './device-reports.service.js';
import { DeviceSeries } from './device-series.js';
import { DeviceMonitor } from './device-monitor.js';
import { organizationColumns } from '../shared/organization-columns.js';
import {
  ACTIVE_MEMBER,
  accessibleOrganizations,
  isRestorable,
  restorableSince,
} from '../shared/accessible-organizations.js';

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
export class DeviceService {
  readonly changes: DeviceChanges;
  readonly reports: DeviceReports;
  readonly series: DeviceSeries;
  readonly watch: DeviceMonitor;
  private readonly statements: ReturnType<typeof statementsOf>;
  private readonly projection: Projection;
  private readonly ofOrganization: Listing<DeviceQuery>;
  private readonly ofCaller: Listing<DeviceQuery>;
  private readonly checks: DeviceChecks;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    publicUrl: string,
    private readonly now: () => Date,
  ) {
    // The planner drops a left join on a key when no column of the organization is selected.
    const devices = table(kind.table, 'd').table;
    const from = sql`${devices} left join ${o.table} on ${o.id} = ${d.organization_id}`;
    this.statements = statementsOf(from);
    this.projection = new Projection(kind.type, {
      id: d.id,
      organization: { object: organizationColumns(publicUrl) },
      ...kind.columns,
      check: { needs: { status: d.status, stat: d.stat, createdAt: d.created_at } },
      lastSeenAt: d.last_seen_at,
      viewerCan: { needs: { organizationId: d.organization_id, deletedAt: d.deleted_at } },
      history: { needs: { organizationId: d.organization_id } },
      createdAt: d.created_at,
      updatedAt: d.updated_at,
      deletedAt: d.deleted_at,
    });
    const listed = listedOf(kind);
    this.ofOrganization = new Listing({ ...listed, from, parent: { column: d.organization_id, type: 'int' } });
    this.ofCaller = new Listing({ ...listed, from: sql`${devices} ${OF_MEMBERS}`, parent: MEMBER });
    this.checks = new DeviceChecks(database, kind, now);
    this.changes = new DeviceChanges(database, access, kind, this, now);
    this.reports = new DeviceReports(database, access, kind, now);
    this.series = new DeviceSeries(database, kind, now);
    this.watch = new DeviceMonitor(database, kind, now);
  }

  /** Throws NOT_FOUND or FORBIDDEN (rank 4) when the caller may not list the devices of the organization. */
  authorizeList(caller: Caller, organizationId: number): Promise<void> {
    return this.access.authorize(caller, 'READ_DEVICES', organizationId);
  }

  /** Devices of each organization; throws for the first that the caller may not list. */
  async ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    query: DeviceQuery,
    selection: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    for (const id of organizationIds) await this.authorizeList(caller, id);
    const request = this.requestOf(query, selection);
    const pages = await this.ofOrganization.ofMany<DeviceRow, number>(this.database, organizationIds, request);
    await this.complete(
      [...pages.values()].flatMap(({ rows }) => rows),
      selection.items,
    );
    return pages;
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
    const request = this.requestOf(query, selection);
    const managed = hasRole({ roles: rolesWith('READ_DEVICES') });
    const conditions = [managed, ...accessibleOrganizations(user), ...request.conditions];
    const page = await this.ofCaller.of<DeviceRow>(this.database, user.userId, { ...request, conditions });
    await this.complete(page.rows, selection.items);
    return page;
  }

  /** One device; throws NOT_FOUND, or FORBIDDEN below rank 4. */
  read(caller: Caller, id: number, selection: Selection): Promise<object> {
    return this.find(caller, 'READ_DEVICES', id, selection);
  }

  /** As `read`, for any privilege. */
  async find(caller: Caller, privilege: Privilege, id: number, selection: Selection): Promise<object> {
    const device = await this.statements.find(this.projection.of(selection)).first(this.database, { id });
    if (device === undefined) throw notFound();
    await this.access.authorize(caller, privilege, device.$organization);
    await this.complete([device], selection);
    return device;
  }

  /** Reads without authorizing, deleted devices too: for the answer to a write. */
  async byId(id: number, selection: Selection): Promise<object> {
    const device = await this.statements.byId(this.projection.of(selection)).first(this.database, { id });
    if (device === undefined) throw notFound();
    await this.complete([device], selection);
    return device;
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

  private requestOf(query: DeviceQuery, selection: ListSelection) {
    const { deleted, search } = query;
    const conditions = [deleted === true ? isDeletedSince({ since: restorableSince(this.now()) }) : isLive({})];
    return { ...query, search: search || null, conditions, ...this.projection.list(selection) };
  }

  private async complete(rows: DeviceRow[], selection: Selection): Promise<void> {
    if (selection.has('check')) await this.checks.fill(rows, selection.of('check'));
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

function statementsOf(from: Expression) {
  return {
    find: projected<{ id: number }>()(
      (p, { select }) =>
        sql<DeviceRow & { $organization: number }>`
          select ${d.organization_id} as "$organization", ${sql.join(select)} from ${from}
           where ${d.id} = ${p('id')} and ${NOT_DELETED}`,
    ),
    byId: projected<{ id: number }>()(
      (p, { select }) => sql<DeviceRow>`select ${sql.join(select)} from ${from} where ${d.id} = ${p('id')}`,
    ),
  };
}

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
