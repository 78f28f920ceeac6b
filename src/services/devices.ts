import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryResultRow } from 'pg';
import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Privilege } from '../access/roles.js';
import type { Database } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection, type ColumnMap } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { Selection } from '../vocabulary/selection.js';
import { DeviceChecks, type CheckedDevice, type CheckTables } from './device-checks.js';
import { organizationColumns } from './organization-columns.js';

export interface DeviceQuery {
  page: PageRequest;
  /** Part of a name or an address, in whatever case. */
  search?: string | null;
}

export interface DeviceSettings {
  /** What addresses of our own logos begin with. */
  publicUrl: string;
  now?: () => Date;
}

/** What tells one kind of device from the other. All texts are ours; the device's alias is `d`. */
export interface DeviceKind {
  table: string;
  columns: ColumnMap;
  searched: readonly string[];
  checks: CheckTables;
  /** Marks a device that is not deleted yet; answers how many there were. */
  markDeleted(em: EntityManager, id: number, at: Date): Promise<number>;
}

type DeviceRow = QueryResultRow & CheckedDevice;

/**
 * What both kinds of devices have in common: who may reach them (decisions §8), and that a soft-deleted one is absent.
 */
export abstract class DeviceService {
  private readonly from: string;
  private readonly projection: Projection;
  private readonly listing: Listing<'ID'>;
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
      check: { needs: { status: 'd.status' } },
      createdAt: 'd.created_at',
      updatedAt: 'd.updated_at',
    });
    this.listing = new Listing({
      from: this.from,
      where: [NOT_DELETED],
      id: { sql: 'd.id', type: 'int' },
      parent: { sql: 'd.organization_id', type: 'int' },
      sorts: { ID: { sql: 'd.id', type: 'int' } },
    });
    this.checks = new DeviceChecks(database, kind.checks, now);
    this.now = now;
  }

  /** Throws NOT_FOUND or FORBIDDEN (rank 4) when the caller may not list the devices of the organization. */
  authorizeList(caller: Caller, organizationId: number): Promise<void> {
    return this.access.authorize(caller, 'READ_DEVICES', organizationId);
  }

  /** Devices of each organization by id; throws for the first that the caller may not list. */
  async ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    query: DeviceQuery,
    asked: Selection,
    total: boolean,
  ): Promise<Map<number, Page<object>>> {
    for (const id of organizationIds) await this.authorizeList(caller, id);
    const shape = this.projection.of(asked);
    const pages = await this.listing.ofMany<DeviceRow, number>(this.database, organizationIds, {
      page: query.page,
      conditions: this.conditionsOf(query),
      sort: 'ID',
      descending: false,
      select: shape.select,
      total,
    });
    const devices = [...pages.values()].flatMap(({ rows }) => shape.nest<DeviceRow>(rows));
    if (asked.has('check')) await this.checks.fill(devices, asked.of('check'));
    return pages;
  }

  /** One device; throws NOT_FOUND, or FORBIDDEN below rank 4. */
  read(caller: Caller, id: number, asked: Selection): Promise<object> {
    return this.find(caller, 'READ_DEVICES', id, asked);
  }

  /** Deletes softly and answers the device as it was (specification 3). Throws as `read` does. */
  async delete(caller: Caller, id: number, asked: Selection): Promise<object> {
    const device = await this.find(caller, 'MANAGE_DEVICES', id, asked);
    const deleted = await this.database.work((em) => this.kind.markDeleted(em, id, this.now()));
    // Of two who delete at once, one comes too late.
    if (deleted === 0) throw notFound();
    return device;
  }

  private async find(caller: Caller, privilege: Privilege, id: number, asked: Selection): Promise<object> {
    const shape = this.projection.of(asked);
    const [device] = await this.database.rows<DeviceRow & { $organization: number }>(
      `select d.organization_id as "$organization", ${shape.select} from ${this.from} where d.id = $1 and ${NOT_DELETED}`,
      [id],
    );
    if (device === undefined) throw notFound();
    await this.access.authorize(caller, privilege, device.$organization);
    shape.nest([device]);
    if (asked.has('check')) await this.checks.fill([device], asked.of('check'));
    return device;
  }

  private conditionsOf({ search }: DeviceQuery): Condition[] {
    if (search == null || search === '') return [];
    const { searched } = this.kind;
    const parts = searched.map((column) => `strpos(lower(${column}), lower(?)) > 0`);
    return [{ sql: `(${parts.join(' or ')})`, values: searched.map(() => search) }];
  }
}

const NOT_DELETED = 'd.deleted_at is null';
