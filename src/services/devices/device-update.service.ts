import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import type { Database, Queryable } from '../../database/database.js';
import { insertSelect, sql, statement, statementPerList, table, type Expression } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { notFound } from '../../errors.js';
import type { Selection } from '../../common/selection.js';
import { changesBetween, record, withoutValues, type AuditFacts } from '../audit/record.js';
import type { DeviceKind, DeviceValues } from './device-kind.js';
import { restorableSince } from '../shared/accessible-organizations.js';

/** Reads the answers to changes. */
interface DeviceReader {
  find(caller: Caller, privilege: Privilege, id: number, selection: Selection): Promise<object>;
  byId(id: number, selection: Selection): Promise<object>;
}

/** Creating, changing, deleting and restoring devices of one kind (rank 4). */
export class DeviceChanges {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    private readonly devices: DeviceReader,
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
      const made = await this.statements.insert(Object.keys(written)).one(tx, params);
      const device = await this.lock(tx, made.id);
      const changes = changesBetween<DeviceValues>({}, written);
      await this.record(tx, caller, device, { action: 'DEVICE_CREATED', at: params.now, changes });
      return made.id;
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
    await this.authorize(caller, await this.statements.live.first(this.database, { id }));
    const fields = Object.keys(values);
    const now = this.now();
    if (fields.length > 0) {
      await this.database.transaction(async (tx) => {
        const device = await this.lock(tx, id);
        const updated = await this.statements.update(fields).first(tx, { ...values, id, now });
        if (updated === undefined) throw notFound();
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
    const device = await this.devices.find(caller, 'MANAGE_DEVICES', id, selection);
    const at = this.now();
    await this.database.transaction(async (tx) => {
      const locked = await this.lock(tx, id);
      const deleted = await this.statements.remove.first(tx, { id, now: at });
      if (deleted === undefined) throw notFound();
      await this.record(tx, caller, locked, { action: 'DEVICE_DELETED', at });
    });
    return device;
  }

  /**
   * Restores a device that was deleted in the last 30 days; restoring one that is not deleted changes nothing. Throws
   * NOT_FOUND, or FORBIDDEN below rank 4.
   */
  async restore(caller: Caller, id: number, selection: Selection): Promise<object> {
    const since = restorableSince(this.now());
    await this.authorize(caller, await this.statements.restorable.first(this.database, { id, since }));
    const at = this.now();
    await this.database.transaction(async (tx) => {
      const device = await this.lock(tx, id);
      const restored = await this.statements.restore.first(tx, { id, now: at });
      if (restored !== undefined) await this.record(tx, caller, device, { action: 'DEVICE_RESTORED', at });
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

  private async authorize(caller: Caller, device: { organizationId: number } | undefined): Promise<void> {
    if (device === undefined) throw notFound();
    await this.access.authorize(caller, 'MANAGE_DEVICES', device.organizationId);
  }
}

type Fields = Record<string, unknown>;

interface LockedDevice {
  id: number;
  organizationId: number;
  name: string;
  /** What can be written of it. */
  values: DeviceValues;
}

function statementsOf({ table: name, name: shown, written }: DeviceKind) {
  const d = table(name);
  const locked = table(name, 'd');
  const values = Object.entries(written).map(
    ([property, column]) => sql`${sql.lit(property)}, ${sql.ref(`d.${column}`)}`,
  );
  const set = (column: keyof Tables[DeviceKind['table']], value: Expression) => sql`${sql.id(column)} = ${value}`;
  const owner = sql<{ organizationId: number }>`select ${d.organization_id} as "organizationId" from ${d.table}`;
  return {
    insert: statementPerList<string, Fields & { organizationId: number; now: Date }>()((p, fields) => {
      const given = Object.fromEntries(fields.map((field) => [written[field] as string, p(field)]));
      const times = { created_at: p('now'), updated_at: p('now') };
      const values = { organization_id: p('organizationId'), ...times, ...given } as never;
      return sql<{ id: number }>`${insertSelect(name, values)} returning ${d.id}`;
    }),
    update: statementPerList<string, Fields & { id: number; now: Date }>()((p, fields) => {
      const sets = fields.map((field) => sql`${sql.id(written[field] as string)} = ${p(field)}`);
      return sql<{ id: number }>`
        update ${d.table} set ${sql.join([...sets, set('updated_at', p('now'))])}
         where ${d.id} = ${p('id')} and ${d.deleted_at} is null returning ${d.id}`;
    }),
    lock: statement<{ id: number }>()(
      (p) => sql<LockedDevice>`
        select ${locked.id}, ${locked.organization_id} as "organizationId", ${shown} as name, jsonb_build_object(${sql.join(values)}) as values
          from ${locked.table} where ${locked.id} = ${p('id')} for no key update`,
    ),
    remove: statement<{ id: number; now: Date }>()(
      (p) => sql<{ id: number }>`
        update ${d.table} set ${set('deleted_at', p('now'))}
         where ${d.id} = ${p('id')} and ${d.deleted_at} is null returning ${d.id}`,
    ),
    restore: statement<{ id: number; now: Date }>()(
      (p) => sql<{ id: number }>`
        update ${d.table} set ${set('deleted_at', sql`null`)}, ${set('restored_at', p('now'))}
         where ${d.id} = ${p('id')} and ${d.deleted_at} is not null returning ${d.id}`,
    ),
    live: statement<{ id: number }>()(
      (p) => sql<{ organizationId: number }>`${owner} where ${d.id} = ${p('id')} and ${d.deleted_at} is null`,
    ),
    restorable: statement<{ id: number; since: Date }>()(
      (p) => sql<{ organizationId: number }>`
        ${owner} where ${d.id} = ${p('id')} and (${d.deleted_at} is null or ${d.deleted_at} >= ${p('since')})`,
    ),
  };
}
