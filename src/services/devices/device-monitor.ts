import type { Database, Queryable } from '../../database/database.js';
import { untilFewer } from '../../database/until-fewer.js';
import { column, sql, statement, table, type Expression } from '../../database/sql.js';
import type { ReportTable } from './device-checks.service.js';
import { CHECK_STATUSES, type CheckStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { record } from '../audit/record.js';
import { notify } from '../notifications/notifier.js';
import { restorableSince } from '../shared/restorable.js';
import type { DeviceKind } from './device-kind.js';

/** Devices that one transaction marks. */
const MARKED_AT_ONCE = 100;
/** What one statement of the clean-up removes: reports, and devices with all that they ever reported. */
const REPORTS_AT_ONCE = 5_000;
const DEVICES_AT_ONCE = 5;

/** What is done about devices of one kind whether or not anybody calls. Safe with several instances. */
export class DeviceMonitor {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    private readonly kind: DeviceKind,
    private readonly now: () => Date,
  ) {
    this.statements = statementsOf(kind);
  }

  /**
   * Marks silent devices as down and alerts those who manage them, once for each silence on all instances. A device
   * that never reported stays unknown. Returns how many were marked.
   */
  markSilent(): Promise<number> {
    const since = this.ago(LIMITS.check.silentMinutes * MINUTE);
    return untilFewer(MARKED_AT_ONCE, () => this.database.transaction((tx) => this.markSome(tx, since)));
  }

  /**
   * Removes reports and traffic of more than 90 days ago and answers how many rows that were. The newest report of a
   * device stays, however old: it is what its `check.stat` shows.
   */
  async purgeOldChecks(): Promise<number> {
    const before = this.ago(LIMITS.check.keptDays * DAY);
    const purged = await this.purge(this.statements.purgeReports, before);
    if (this.statements.purgeTraffic === undefined) return purged;
    return purged + (await this.purge(this.statements.purgeTraffic, Math.floor(before.getTime() / 1000)));
  }

  /** Removes what was deleted more than 30 days ago, with its reports; answers how many devices that were. */
  purgeDeleted(): Promise<number> {
    const before = restorableSince(this.now());
    const { purgeDeleted } = this.statements;
    return untilFewer(DEVICES_AT_ONCE, async () => (await purgeDeleted.all(this.database, { before })).length);
  }

  private async markSome(tx: Queryable, since: Date): Promise<number> {
    // A deleted device cannot report, so that its silence begins when it was restored.
    const devices = await this.statements.lockSilent.all(tx, { since });
    if (devices.length === 0) return 0;
    const ids = devices.map(({ id }) => id);
    await this.statements.setDown.all(tx, { ids });
    // Trails are locked in the order of organizations, and all of them before the lock that notifications share.
    devices.sort((one, other) => one.organizationId - other.organizationId);
    const at = this.now();
    for (const device of devices) await recordStatus(tx, this.kind, device, { event: 'down', at });
    for (const device of devices) await alertOfSilence(tx, this.kind, device, at);
    return devices.length;
  }

  /** Device by device, so that the index of each device's rows finds them. */
  private purge(some: ReturnType<typeof purging>, before: Date | number): Promise<number> {
    return untilFewer(REPORTS_AT_ONCE, async () => (await some.all(this.database, { before })).length);
  }

  private ago(milliseconds: number): Date {
    return new Date(this.now().getTime() - milliseconds);
  }
}

function statementsOf({ table: name, name: shown, checks: { reports, traffic } }: DeviceKind) {
  const d = table(name, 'd');
  const o = table('organization', 'o');
  const c = table(reports, 'c');
  const n = table(reports, 'n');
  const newest = sql`(select max(${n.datetime}) from ${n.table} where ${n.device_id} = ${d.id})`;
  return {
    lockSilent: statement<{ since: Date }>()(
      (p) => sql<AlertedDevice>`
        select ${d.id}, ${d.organization_id} as "organizationId", ${shown} as name, ${d.status}
          from ${d.table} join ${o.table} on ${o.id} = ${d.organization_id} and ${o.deleted_at} is null
         where ${d.last_seen_at} < ${p('since')} and ${d.deleted_at} is null
           and (greatest(${d.restored_at}, ${o.restored_at}) < ${p('since')}) is not false
           and ${d.status} <> ${CHECK_STATUSES.DOWN}
         limit ${MARKED_AT_ONCE} for no key update of d skip locked`,
    ),
    setDown: statement<{ ids: readonly number[] }>()(
      (p) => sql`
        update ${d.table} set ${column(name, 'status')} = ${CHECK_STATUSES.DOWN} where ${d.id} = any(${p('ids')})`,
    ),
    purgeDeleted: statement<{ before: Date }>()(
      (p) => sql<{ id: number }>`
        delete from ${d.table} where ${d.id} = any(array(
          select ${d.id} from ${d.table} where ${d.deleted_at} < ${p('before')}
           order by ${d.deleted_at} limit ${DEVICES_AT_ONCE} for update skip locked)) returning ${d.id}`,
    ),
    purgeReports: purging(name, reports, (before) => sql`${c.datetime} < ${before} and ${c.datetime} < ${newest}`),
    purgeTraffic: traffic && purging(name, traffic, (before) => sql`${table(traffic, 'c').bucket_start} < ${before}`),
  };
}

/** Deletes rows device by device, so that the index of each device's rows finds them. */
function purging(
  devices: DeviceKind['table'],
  name: ReportTable | 'threat_blocker_traffic',
  where: (before: Expression) => Expression,
) {
  const d = table(devices, 'd');
  const c = table(name, 'c');
  const { table: target, id } = table(name);
  return statement<{ before: Date | number }>()(
    (p) => sql<{ id: number }>`
      delete from ${target} where ${id} = any(array(
        select old.id from ${d.table} cross join lateral (
          select ${c.id} from ${c.table} where ${c.device_id} = ${d.id} and ${where(p('before'))}
           limit ${REPORTS_AT_ONCE} for update skip locked
        ) old limit ${REPORTS_AT_ONCE})) returning ${id}`,
  );
}

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** A device whose row is locked, as it was before. */
export interface AlertedDevice {
  id: number;
  organizationId: number;
  /** May be empty. */
  name: string;
  status: CheckStatus;
}

const { DOWN } = CHECK_STATUSES;

/** Records and alerts of going down and of coming back, and of nothing between the two. Call it last in the transaction. */
export async function alertOfChange(
  tx: Queryable,
  kind: DeviceKind,
  device: AlertedDevice,
  { status, at }: { status: CheckStatus; at: Date },
): Promise<void> {
  if ((device.status === DOWN) === (status === DOWN)) return;
  const event = status === DOWN ? 'down' : 'back';
  await recordStatus(tx, kind, device, { event, at });
  await alert(tx, kind, device, { event, what: status === DOWN ? 'it reports that it is down.' : BACK[status], at });
}

function alertOfSilence(tx: Queryable, kind: DeviceKind, device: AlertedDevice, at: Date): Promise<void> {
  return alert(tx, kind, device, { event: 'down', what: `no report for ${LIMITS.check.silentMinutes} minutes.`, at });
}

const BACK: Readonly<Record<Exclude<CheckStatus, typeof DOWN>, string>> = {
  [CHECK_STATUSES.UNKNOWN]: 'it reports again, and has checked nothing yet.',
  [CHECK_STATUSES.HEALTHY]: 'it reports again and is healthy.',
  [CHECK_STATUSES.DEGRADED]: 'it reports again and is degraded.',
};

const MONITOR = { kind: 'system', name: 'device-monitor' } as const;

interface StatusEvent {
  event: 'down' | 'back';
  at: Date;
}

function recordStatus(
  tx: Queryable,
  { subject: type }: DeviceKind,
  { id, organizationId, name }: AlertedDevice,
  { event, at }: StatusEvent,
): Promise<void> {
  return record(tx, MONITOR, {
    ...{ organizationId, action: 'DEVICE_STATUS_CHANGED', at, subject: { type, id, name } },
    changes: { isDown: { before: event === 'back', after: event === 'down' } },
  });
}

function alert(
  tx: Queryable,
  { noun, href, alerts }: DeviceKind,
  { id, organizationId, name }: AlertedDevice,
  { event, what, at }: StatusEvent & { what: string },
): Promise<void> {
  return notify(tx, {
    organizationId,
    type: 'DEVICE',
    at,
    title: `${noun} ${event}`,
    message: `${name || `Number ${id}`}: ${what}`,
    href: `${href}/${id}`,
    to: { privilege: 'READ_DEVICES' },
    alerts,
  });
}
