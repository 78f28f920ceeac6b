import type { QueryResultRow } from 'pg';
import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { rolesWith, type Privilege } from '../access/roles.js';
import type { Database } from '../database/database.js';
import { Listing, type Condition, type ListingRequest, type ListingSpec } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { CheckStatus } from '../vocabulary/check-statuses.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { DeviceChanges } from './device-changes.js';
import { DeviceChecks, type CheckedDevice } from './device-checks.js';
import type { DeviceKind } from './device-kind.js';
import { DeviceReports } from './device-reports.js';
import { DeviceSeries } from './device-series.js';
import { DeviceWatch } from './device-watch.js';
import { organizationColumns } from './organization-columns.js';
import { restorableSince } from './restorable.js';
import { ACTIVE_MEMBER, withinReach } from './reach.js';

/** By id, by what people know the device by, by `check.status`, or by when it was last seen, else created. */
export type DeviceSort = 'ID' | 'NAME' | 'STATUS' | 'LAST_SEEN';

export interface DeviceQuery {
  page: PageRequest;
  /** Part of a name or an address, in whatever case. */
  search?: string | null;
  status?: CheckStatus | null;
  /** Only deleted ones that may still be restored; those that are not deleted otherwise. */
  deleted?: boolean | null;
  sort?: DeviceSort | null;
  descending?: boolean;
}

export interface DeviceSettings {
  /** What addresses of our own logos begin with. */
  publicUrl: string;
  now?: () => Date;
}

type DeviceRow = QueryResultRow & CheckedDevice;

/**
 * What both kinds of devices have in common: who may reach them (decisions §8), and that a soft-deleted one is absent
 * except for who wants to restore it.
 */
export abstract class DeviceService {
  readonly changes: DeviceChanges;
  readonly reports: DeviceReports;
  readonly series: DeviceSeries;
  readonly watch: DeviceWatch;
  private readonly from: string;
  private readonly projection: Projection;
  private readonly ofOrganization: Listing<DeviceSort>;
  private readonly ofCaller: Listing<DeviceSort>;
  private readonly checks: DeviceChecks;
  private readonly now: () => Date;

  protected constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    { publicUrl, now = () => new Date() }: DeviceSettings,
  ) {
    // A left join on a key is dropped by the planner where no column of the organization is asked for.
    this.from = `${kind.table} d left join organization o on o.id = d.organization_id`;
    this.projection = new Projection({
      id: 'd.id',
      organization: { object: organizationColumns('o', publicUrl) },
      ...kind.columns,
      check: { needs: { status: 'd.status', createdAt: 'd.created_at' } },
      lastSeenAt: 'd.last_seen_at',
      viewerCan: { needs: { organizationId: 'd.organization_id' } },
      createdAt: 'd.created_at',
      updatedAt: 'd.updated_at',
      deletedAt: 'd.deleted_at',
    });
    const listed = { id: ID, sorts: sortsOf(kind) };
    this.ofOrganization = new Listing({
      ...listed,
      from: this.from,
      parent: { sql: 'd.organization_id', type: 'int' },
    });
    this.ofCaller = new Listing({ ...listed, from: `${kind.table} d ${OF_MEMBERS}`, parent: MEMBER });
    this.checks = new DeviceChecks(database, kind.checks, now);
    this.changes = new DeviceChanges(database, access, kind, this, now);
    this.reports = new DeviceReports(database, access, kind, now);
    this.series = new DeviceSeries(database, kind.checks, now);
    this.watch = new DeviceWatch(database, kind, now);
    this.now = now;
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
    asked: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    for (const id of organizationIds) await this.authorizeList(caller, id);
    const request = this.requestOf(query, asked);
    const pages = await this.ofOrganization.ofMany<DeviceRow, number>(this.database, organizationIds, request);
    await this.complete(
      [...pages.values()].flatMap(({ rows }) => rows),
      asked.items,
    );
    return pages;
  }

  /** Devices of one organization, or of all that the caller manages (rank 4). */
  async list(
    caller: Caller,
    organizationId: number | null,
    query: DeviceQuery,
    asked: ListSelection,
  ): Promise<Page<object>> {
    if (organizationId !== null) {
      const pages = await this.ofOrganizations(caller, [organizationId], query, asked);
      return pages.get(organizationId) as Page<object>;
    }
    const user = this.access.authorizeSelf(caller, 'read');
    const request = this.requestOf(query, asked);
    const managed: Condition = { sql: 'm.role = any(?)', values: [rolesWith('READ_DEVICES')] };
    const conditions = [managed, ...withinReach(user), ...(request.conditions ?? [])];
    const page = await this.ofCaller.of<DeviceRow>(this.database, user.userId, { ...request, conditions });
    await this.complete(page.rows, asked.items);
    return page;
  }

  /** One device; throws NOT_FOUND, or FORBIDDEN below rank 4. */
  read(caller: Caller, id: number, asked: Selection): Promise<object> {
    return this.find(caller, 'READ_DEVICES', id, asked);
  }

  /** As `read`, for whoever has another privilege as well. */
  async find(caller: Caller, privilege: Privilege, id: number, asked: Selection): Promise<object> {
    const [device] = await this.database.rows<DeviceRow & { $organization: number }>(
      `select d.organization_id as "$organization", ${this.projection.of(asked).select} from ${this.from}
        where d.id = $1 and ${NOT_DELETED}`,
      [id],
    );
    if (device === undefined) throw notFound();
    await this.access.authorize(caller, privilege, device.$organization);
    await this.complete(this.projection.of(asked).nest([device]), asked);
    return device;
  }

  /** Reads without asking whether the caller may, and whether the device is deleted: for the answer to a write. */
  async byId(id: number, asked: Selection): Promise<object> {
    const rows = await this.database.rows<DeviceRow>(
      `select ${this.projection.of(asked).select} from ${this.from} where d.id = $1`,
      [id],
    );
    await this.complete(this.projection.of(asked).nest(rows), asked);
    if (rows[0] === undefined) throw notFound();
    return rows[0];
  }

  private requestOf(query: DeviceQuery, { items, total }: ListSelection): ListingRequest<DeviceSort> {
    return {
      page: query.page,
      conditions: this.conditionsOf(query),
      sort: query.sort ?? 'ID',
      descending: query.descending ?? false,
      shape: this.projection.of(items),
      total,
    };
  }

  private conditionsOf({ search, status, deleted }: DeviceQuery): Condition[] {
    const { searched } = this.kind;
    const conditions: Condition[] = [deleted === true ? deletedSince(restorableSince(this.now())) : LIVE];
    if (status != null) conditions.push({ sql: 'd.status = ?', values: [status] });
    if (search != null && search !== '') {
      const parts = searched.map((column) => `strpos(lower(${column}), lower(?)) > 0`);
      conditions.push({ sql: `(${parts.join(' or ')})`, values: searched.map(() => search) });
    }
    return conditions;
  }

  private async complete(rows: DeviceRow[], asked: Selection): Promise<void> {
    if (asked.has('check')) await this.checks.fill(rows, asked.of('check'));
  }
}

const ID = { sql: 'd.id', type: 'int' } as const;
const MEMBER = { sql: 'm.user_id', type: 'uuid' } as const;
const OF_MEMBERS = `
  join membership m on m.organization_id = d.organization_id and ${ACTIVE_MEMBER}
  join organization o on o.id = d.organization_id and o.deleted_at is null`;
const NOT_DELETED = 'd.deleted_at is null';
const LIVE: Condition = { sql: NOT_DELETED, values: [] };

function sortsOf({ name }: DeviceKind): ListingSpec<DeviceSort>['sorts'] {
  return {
    ID,
    NAME: { sql: name, type: 'text' },
    STATUS: { sql: 'd.status', type: 'int' },
    LAST_SEEN: { sql: 'coalesce(d.last_seen_at, d.created_at)', type: 'timestamptz' },
  };
}

function deletedSince(since: Date): Condition {
  return { sql: 'd.deleted_at >= ?', values: [since] };
}
