import type { QueryResultRow } from 'pg';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { rolesWith } from '../../auth/roles.js';
import type { Database, Queryable } from '../../database/database.js';
import { Listing, placeOf } from '../../database/list-query.js';
import type { Page } from '../../database/cursor.js';
import { Projection, properties } from '../../database/projection.js';
import { sql, table } from '../../database/sql.js';
import { notFound, requireVersion } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { changesBetween, record, withoutValues, type AuditFacts } from '../audit/record.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { DeviceChecks, DeviceSeries, type CheckedDevice } from './device-series.js';
import type { DeviceKind, DeviceValues } from './device-kind.js';
import { DeviceReportService } from './device-reports.service.js';
import { DeviceMonitor } from './device-monitor.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { OrganizationLists } from '../shared/organization-records.js';
import { accessibleOrganizations, isRestorable, restorableSince } from '../shared/accessible-organizations.js';
import {
  d,
  hasRole,
  isDeletedSince,
  isLive,
  listedOf,
  MEMBER,
  NOT_DELETED,
  o,
  OF_MEMBERS,
  statementsOf,
  type DeviceQuery,
  type LockedDevice,
} from './device-statements.js';

/** A device, and the expected version; null for any. */
interface DeviceKey {
  id: number;
  version: number | null;
}

/** A device with the facts that its permissions depend on. */
interface ManagedDevice {
  organizationId: number;
  deletedAt: string | null;
}

type DeviceRow = QueryResultRow & CheckedDevice;

/** Devices of one kind. A soft-deleted one is absent, except for those who restore it. */
export class DeviceService extends OrganizationLists<DeviceRow, DeviceQuery> {
  readonly reports: DeviceReportService;
  readonly series: DeviceSeries;
  readonly watch: DeviceMonitor;
  private readonly statements: ReturnType<typeof statementsOf>;
  private readonly ofCaller: Listing<DeviceQuery>;
  private readonly checks: DeviceChecks;

  constructor(
    database: Database,
    access: Access,
    private readonly kind: DeviceKind,
    publicUrl: string,
    private readonly now: () => Date,
    wholeDays: number = LIMITS.check.keptDays,
  ) {
    // The planner drops a left join on a key when no column of the organization is selected.
    const devices = table(kind.table, 'd').table;
    const from = sql`${devices} left join ${o.table} on ${o.id} = ${d.organization_id}`;
    const projection = new Projection(kind.type, {
      ...properties(d, 'id', 'version', 'last_seen_at', 'created_at', 'updated_at', 'deleted_at'),
      organization: { object: organizationColumns(publicUrl) },
      ...kind.columns,
      cursor: placeOf('ID', d.id, d.id),
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
      new Listing({ ...listed, from, parent: { column: d.organization_id, type: 'bigint' } }),
    );
    this.ofCaller = new Listing({ ...listed, from: sql`${devices} ${OF_MEMBERS}`, parent: MEMBER });
    this.checks = new DeviceChecks(database, kind, now);
    this.statements = statementsOf(kind);
    this.reports = new DeviceReportService(database, access, kind, now, wholeDays);
    this.series = new DeviceSeries(database, kind, now);
    this.watch = new DeviceMonitor(database, kind, now);
  }

  /**
   * Devices of each organization; throws for the first that the caller may not list, and BAD_USER_INPUT for a condition on what
   * reported values in a request as of a past instant.
   */
  override ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    query: DeviceQuery,
    selection: ListSelection,
  ): Promise<Map<number, Page<DeviceRow>>> {
    const isReported = query.status != null || REPORTED.has(query.orderBy?.field ?? 'ID');
    if (isReported) this.database.past.refuse('DEVICE_REPORTS');
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
    const user = this.access.authorizeToken(caller, 'read');
    const request = { ...this.requestOf(query), ...this.spec.projection.list(selection) };
    const managed = hasRole({ roles: rolesWith('READ_DEVICES') });
    const conditions = [managed, ...accessibleOrganizations(user), ...request.conditions];
    const page = await this.ofCaller.of<DeviceRow>(this.database, user.userId, { ...request, conditions });
    await this.complete(page.rows, selection.items);
    return page;
  }

  /** Stores a new device of the organization. Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async create(caller: Caller, organizationId: number, values: DeviceValues, selection: Selection): Promise<object> {
    await this.access.authorize(caller, 'MANAGE_DEVICES', organizationId);
    const written = { ...values, ...this.kind.given() };
    const params = { ...written, organizationId, now: this.now() };
    const id = await this.database.transaction(async (tx) => {
      const { id } = await this.statements.insert(Object.keys(written)).one(tx, params);
      const changes = changesBetween<DeviceValues>({}, written);
      await this.record(tx, caller, await this.lock(tx, id), { action: 'DEVICE_CREATED', at: params.now, changes });
      return id;
    });
    return this.byId(id, selection);
  }

  /**
   * Changes what is given and leaves the rest as it is; of two who change one field, the later wins. Throws NOT_FOUND,
   * FORBIDDEN, and PRECONDITION_FAILED for another version.
   */
  async update(
    caller: Caller,
    { id, version }: DeviceKey,
    values: DeviceValues,
    selection: Selection,
    action: 'DEVICE_UPDATED' | 'DEVICE_KEY_ROTATED' = 'DEVICE_UPDATED',
  ): Promise<object> {
    await this.authorize(caller, id, (deletedAt) => deletedAt === null);
    const fields = Object.keys(values);
    const now = this.now();
    if (fields.length > 0 || version !== null) {
      await this.database.transaction(async (tx) => {
        const device = await this.lock(tx, id);
        requireVersion(device, version);
        const changes = changesBetween(device.values, values);
        // Values that are sent back unchanged change nothing.
        if (Object.keys(changes).length === 0) return;
        await this.statements.update(fields).all(tx, { ...values, id, now });
        await this.record(tx, caller, device, { action, at: now, changes });
      });
    }
    return this.byId(id, selection);
  }

  /** Replaces the device's key; the previous one is invalid immediately. Throws as `update` does. */
  rotateKey(caller: Caller, key: DeviceKey, selection: Selection): Promise<object> {
    return this.update(caller, key, this.kind.given(), selection, 'DEVICE_KEY_ROTATED');
  }

  /** Deletes softly and returns the device as it was (specification 3). Of two concurrent deletions, one throws. */
  async delete(caller: Caller, { id, version }: DeviceKey, selection: Selection): Promise<object> {
    const device = await this.read(caller, { id }, selection, 'MANAGE_DEVICES');
    const at = this.now();
    await this.database.transaction(async (tx) => {
      const locked = await this.lock(tx, id);
      requireVersion(locked, version);
      await this.statements.remove.all(tx, { id, now: at });
      await this.record(tx, caller, locked, { action: 'DEVICE_DELETED', at });
    });
    return device;
  }

  /**
   * Restores a device that was deleted in the last 30 days; restoring one that is not deleted changes nothing. Throws
   * NOT_FOUND, or FORBIDDEN below rank 4.
   */
  async restore(caller: Caller, id: number, selection: Selection): Promise<object> {
    const at = this.now();
    await this.authorize(caller, id, (deletedAt) => deletedAt === null || isRestorable(deletedAt, at));
    await this.database.transaction(async (tx) => {
      const device = await this.lock(tx, id, true);
      if (device.deletedAt === null) return;
      await this.statements.restore.all(tx, { id, now: at });
      await this.record(tx, caller, device, { action: 'DEVICE_RESTORED', at });
    });
    return this.byId(id, selection);
  }

  /** Changes and `reports` of a device that this caller may make and that would have an effect. */
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

  /** Throws NOT_FOUND for a purged device, and for a deleted one unless it is to be restored. */
  private async lock(tx: Queryable, id: number, isDeleted = false): Promise<LockedDevice> {
    const device = await this.statements.lock.first(tx, { id });
    if (device === undefined || (device.deletedAt !== null && !isDeleted)) throw notFound();
    return device;
  }

  private record(
    tx: Queryable,
    caller: Caller,
    { id, organizationId, name }: LockedDevice,
    { changes, ...facts }: AuditFacts,
  ): Promise<void> {
    const { subject: type, secret } = this.kind;
    return record(tx, caller, {
      ...{ ...facts, organizationId, subject: { type, id, name } },
      ...(changes && { changes: withoutValues(changes, ...secret) }),
    });
  }

  /** Throws NOT_FOUND for a device in another state, and FORBIDDEN below rank 4. */
  private async authorize(caller: Caller, id: number, isGood: (deletedAt: string | null) => boolean): Promise<void> {
    const device = await this.statements.find.first(this.database, { id });
    if (device === undefined || !isGood(device.deletedAt)) throw notFound();
    await this.access.authorize(caller, 'MANAGE_DEVICES', device.organizationId);
  }

  private requestOf({ deleted, search, ...query }: DeviceQuery) {
    const conditions = [deleted === true ? isDeletedSince({ since: restorableSince(this.now()) }) : isLive({})];
    return { ...query, search: search || null, conditions };
  }
}

/** Orders by values that entries of the audit trail lack. */
const REPORTED: ReadonlySet<string> = new Set(['STATUS', 'LAST_SEEN_AT']);
