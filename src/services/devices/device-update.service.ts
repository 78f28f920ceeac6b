import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { insertSelect, sql, statement, statementPerList, table, type Expression } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { notFound } from '../../errors.js';
import type { Selection } from '../../common/selection.js';
import { changesBetween, record, withoutValues, type AuditFacts } from '../audit/record.js';
import type { DeviceKind, DeviceValues } from './device-kind.js';
import type { OrganizationRecords } from '../shared/organization-records.js';
import { isRestorable } from '../shared/restorable.js';

/** Creating, changing, deleting and restoring devices of one kind (rank 4). */
export class DeviceChanges {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    /** Reads the answers. */
    private readonly devices: OrganizationRecords,
    private readonly now: () => Date,
  ) {
    this.statements = statementsOf(kind);
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
    return this.devices.byId(id, selection);
  }

  /** Changes what is given and leaves the rest as it is; of two who change one field, the later wins. */
  async update(
    caller: Caller,
    id: number,
    values: DeviceValues,
    selection: Selection,
    action: 'DEVICE_UPDATED' | 'DEVICE_KEY_ROTATED' = 'DEVICE_UPDATED',
  ): Promise<object> {
    await this.authorize(caller, id, (deletedAt) => deletedAt === null);
    const fields = Object.keys(values);
    const now = this.now();
    if (fields.length > 0) {
      await this.database.transaction(async (tx) => {
        const device = await this.lockLive(tx, id);
        await this.statements.update(fields).all(tx, { ...values, id, now });
        const changes = changesBetween(device.values, values);
        await this.record(tx, caller, device, { action, at: now, changes });
      });
    }
    return this.devices.byId(id, selection);
  }

  /** Gives the device another key; the one before is dead at once. Throws as `update` does. */
  rotateKey(caller: Caller, id: number, selection: Selection): Promise<object> {
    return this.update(caller, id, this.kind.given(), selection, 'DEVICE_KEY_ROTATED');
  }

  /** Deletes softly and answers the device as it was (specification 3). Of two who delete at once, one comes too late. */
  async delete(caller: Caller, id: number, selection: Selection): Promise<object> {
    const device = await this.devices.read(caller, { id }, selection, 'MANAGE_DEVICES');
    const at = this.now();
    await this.database.transaction(async (tx) => {
      const locked = await this.lockLive(tx, id);
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
      const device = await this.lock(tx, id);
      if (device.deletedAt === null) return;
      await this.statements.restore.all(tx, { id, now: at });
      await this.record(tx, caller, device, { action: 'DEVICE_RESTORED', at });
    });
    return this.devices.byId(id, selection);
  }

  /** Whether `create` would accept the caller. */
  mayCreate(caller: Caller, organizationId: number): Promise<boolean> {
    return this.access.allows(caller, 'MANAGE_DEVICES', organizationId);
  }

  /** Also one that is deleted. Throws NOT_FOUND for one that is gone. */
  private async lock(tx: Queryable, id: number): Promise<LockedDevice> {
    const device = await this.statements.lock.first(tx, { id });
    if (device === undefined) throw notFound();
    return device;
  }

  private async lockLive(tx: Queryable, id: number): Promise<LockedDevice> {
    const device = await this.lock(tx, id);
    if (device.deletedAt !== null) throw notFound();
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

  /** Throws NOT_FOUND for a device that is not as it has to be, and FORBIDDEN below rank 4. */
  private async authorize(caller: Caller, id: number, isGood: (deletedAt: string | null) => boolean): Promise<void> {
    const device = await this.statements.find.first(this.database, { id });
    if (device === undefined || !isGood(device.deletedAt)) throw notFound();
    await this.access.authorize(caller, 'MANAGE_DEVICES', device.organizationId);
  }
}

interface LockedDevice {
  id: number;
  organizationId: number;
  name: string;
  deletedAt: string | null;
  /** What can be written of it. */
  values: DeviceValues;
}

function statementsOf({ table: name, name: shown, written }: DeviceKind) {
  const d = table(name, 'd');
  const values = Object.entries(written).map(
    ([property, column]) => sql`${sql.lit(property)}, ${sql.ref(`d.${column}`)}`,
  );
  const set = (column: keyof Tables[DeviceKind['table']], value: Expression) => sql`${sql.id(column)} = ${value}`;
  const facts = sql`${d.organization_id} as "organizationId", ${d.deleted_at} as "deletedAt"`;
  return {
    insert: statementPerList<string, DeviceValues & { organizationId: number; now: Date }>()((p, fields) => {
      const given = Object.fromEntries(fields.map((field) => [written[field] as string, p(field)]));
      const times = { created_at: p('now'), updated_at: p('now') };
      const values = { organization_id: p('organizationId'), ...times, ...given } as never;
      return sql<{ id: number }>`${insertSelect(name, values)} returning id`;
    }),
    update: statementPerList<string, DeviceValues & { id: number; now: Date }>()((p, fields) => {
      const sets = fields.map((field) => sql`${sql.id(written[field] as string)} = ${p(field)}`);
      return sql`update ${d.table} set ${sql.join([...sets, set('updated_at', p('now'))])} where ${d.id} = ${p('id')}`;
    }),
    lock: statement<{ id: number }>()(
      (p) => sql<LockedDevice>`
        select ${d.id}, ${facts}, ${shown} as name, jsonb_build_object(${sql.join(values)}) as values
          from ${d.table} where ${d.id} = ${p('id')} for no key update`,
    ),
    find: statement<{ id: number }>()(
      (p) => sql<Pick<LockedDevice, 'organizationId' | 'deletedAt'>>`
        select ${facts} from ${d.table} where ${d.id} = ${p('id')}`,
    ),
    remove: statement<{ id: number; now: Date }>()(
      (p) => sql`update ${d.table} set ${set('deleted_at', p('now'))} where ${d.id} = ${p('id')}`,
    ),
    restore: statement<{ id: number; now: Date }>()(
      (p) => sql`
        update ${d.table} set ${set('deleted_at', sql`null`)}, ${set('restored_at', p('now'))} where ${d.id} = ${p('id')}`,
    ),
  };
}
