import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { SqlText } from '../database/listing.js';
import type { Database } from '../database/database.js';
import { notFound } from '../errors.js';
import type { Selection } from '../vocabulary/selection.js';
import type { DeviceKind, DeviceValues } from './device-kind.js';
import type { DeviceService } from './devices.js';
import { restorableSince } from './restorable.js';

/** Creating, changing, deleting and restoring devices of one kind (rank 4, decisions §8). */
export class DeviceChanges {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    /** Reads the answers. */
    private readonly devices: Pick<DeviceService, 'find' | 'byId'>,
    private readonly now: () => Date,
  ) {}

  /** Stores a new device of the organization. Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async create(caller: Caller, organizationId: number, values: DeviceValues, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'MANAGE_DEVICES', organizationId);
    const { table, written, given } = this.kind;
    const sql = new SqlText();
    const fields = Object.entries({ ...values, ...given() });
    const columns = ['organization_id', 'created_at', 'updated_at', ...fields.map(([name]) => written[name])];
    const now = this.now();
    const placed = [organizationId, now, now, ...fields.map(([, value]) => value)].map((value) => sql.value(value));
    const [row] = await this.database.rows<{ id: number }>(
      `insert into ${table} (${columns.join(', ')}) values (${placed.join(', ')}) returning id`,
      sql.values,
    );
    return this.devices.byId((row as { id: number }).id, asked);
  }

  /** Changes what is given and leaves the rest as it is; of two who change one field, the later wins. */
  async update(caller: Caller, id: number, values: DeviceValues, asked: Selection): Promise<object> {
    await this.authorize(caller, id, 'is null');
    const fields = Object.entries(values);
    if (fields.length > 0) {
      const sql = new SqlText();
      const sets = fields.map(([name, value]) => `${this.kind.written[name]} = ${sql.value(value)}`);
      const text = `update ${this.kind.table} set ${sets.join(', ')}, updated_at = ${sql.value(this.now())}
                     where id = ${sql.value(id)} and deleted_at is null returning id`;
      await this.oneOf(text, sql.values);
    }
    return this.devices.byId(id, asked);
  }

  /** Deletes softly and answers the device as it was (specification 3). Of two who delete at once, one comes too late. */
  async delete(caller: Caller, id: number, asked: Selection): Promise<object> {
    const device = await this.devices.find(caller, 'MANAGE_DEVICES', id, asked);
    const text = `update ${this.kind.table} set deleted_at = $2 where id = $1 and deleted_at is null returning id`;
    await this.oneOf(text, [id, this.now()]);
    return device;
  }

  /**
   * Brings back a device that was deleted in the last 30 days; one that is not deleted stays as it is, so that who asks
   * again is not told off. Throws NOT_FOUND, or FORBIDDEN below rank 4.
   */
  async restore(caller: Caller, id: number, asked: Selection): Promise<object> {
    await this.authorize(caller, id, 'is null or deleted_at >= $2', restorableSince(this.now()));
    const text = `update ${this.kind.table} set deleted_at = null, restored_at = $2 where id = $1 and deleted_at is not null`;
    await this.database.rows(text, [id, this.now()]);
    return this.devices.byId(id, asked);
  }

  private async authorize(caller: Caller, id: number, deletedAt: string, ...values: unknown[]): Promise<void> {
    const [row] = await this.database.rows<{ organizationId: number }>(
      `select organization_id as "organizationId" from ${this.kind.table} where id = $1 and (deleted_at ${deletedAt})`,
      [id, ...values],
    );
    if (row === undefined) throw notFound();
    await this.access.authorize(caller, 'MANAGE_DEVICES', row.organizationId);
  }

  private async oneOf(text: string, values: readonly unknown[]): Promise<void> {
    const rows = await this.database.rows(text, values);
    if (rows.length === 0) throw notFound();
  }
}
