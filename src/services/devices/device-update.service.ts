import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import type { Database } from '../../database/database.js';
import { insertSelect, sql, statement, statementPerList, table, type Expression } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { notFound } from '../../errors.js';
import type { Selection } from '../../common/selection.js';
import type { DeviceKind, DeviceValues } from './device-kind.js';
import { restorableSince } from '../shared/restorable.js';

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
    const { id } = await this.statements.insert(Object.keys(written)).one(this.database, params);
    return this.devices.byId(id, selection);
  }

  /** Changes what is given and leaves the rest as it is; of two who change one field, the later wins. */
  async update(caller: Caller, id: number, values: DeviceValues, selection: Selection): Promise<object> {
    await this.authorize(caller, await this.statements.live.first(this.database, { id }));
    const fields = Object.keys(values);
    if (fields.length > 0) {
      const updated = await this.statements.update(fields).first(this.database, { ...values, id, now: this.now() });
      if (updated === undefined) throw notFound();
    }
    return this.devices.byId(id, selection);
  }

  /** Deletes softly and answers the device as it was (specification 3). Of two who delete at once, one comes too late. */
  async delete(caller: Caller, id: number, selection: Selection): Promise<object> {
    const device = await this.devices.find(caller, 'MANAGE_DEVICES', id, selection);
    const deleted = await this.statements.remove.first(this.database, { id, now: this.now() });
    if (deleted === undefined) throw notFound();
    return device;
  }

  /**
   * Restores a device that was deleted in the last 30 days; restoring one that is not deleted changes nothing. Throws
   * NOT_FOUND, or FORBIDDEN below rank 4.
   */
  async restore(caller: Caller, id: number, selection: Selection): Promise<object> {
    const since = restorableSince(this.now());
    await this.authorize(caller, await this.statements.restorable.first(this.database, { id, since }));
    await this.statements.restore.all(this.database, { id, now: this.now() });
    return this.devices.byId(id, selection);
  }

  private async authorize(caller: Caller, device: { organizationId: number } | undefined): Promise<void> {
    if (device === undefined) throw notFound();
    await this.access.authorize(caller, 'MANAGE_DEVICES', device.organizationId);
  }
}

type Fields = Record<string, unknown>;

function statementsOf({ table: name, written }: DeviceKind) {
  const d = table(name);
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
    remove: statement<{ id: number; now: Date }>()(
      (p) => sql<{ id: number }>`
        update ${d.table} set ${set('deleted_at', p('now'))}
         where ${d.id} = ${p('id')} and ${d.deleted_at} is null returning ${d.id}`,
    ),
    restore: statement<{ id: number; now: Date }>()(
      (p) => sql`
        update ${d.table} set ${set('deleted_at', sql`null`)}, ${set('restored_at', p('now'))}
         where ${d.id} = ${p('id')} and ${d.deleted_at} is not null`,
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
