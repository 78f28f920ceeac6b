import { DAY, MINUTE } from '../../common/time.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import type { DeviceStat } from '../../entities/devices.js';
import { column, sql, statement, table, type Expression } from '../../database/sql.js';
import { invalidInput, notFound, type FieldError } from '../../errors.js';
import type { CheckStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { recordChange, type AlertedDevice } from './device-monitor.js';
import type { DeviceKind } from './device-kind.js';
import { inOrder, ReportStore, type DeviceReport } from './device-report-store.js';

/** How a device is addressed: by its number, or by the key that it knows itself. */
export type DeviceAddress = { id: number } | { atbKey: string };

/** The same for equal reports. */
export interface ReportReceipt {
  received: number;
  /** The `datetime` of the newest report of the request. */
  newest: Date;
}

/** Takes what devices of one kind report. */
export class DeviceReports {
  private readonly rows: ReportStore;
  private readonly byId: ReturnType<typeof finding>;
  private readonly byKey: ReturnType<typeof finding>;
  private readonly become: ReturnType<typeof becoming>;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    private readonly now: () => Date,
  ) {
    this.rows = new ReportStore(kind.checks);
    this.byId = finding(kind, table(kind.table, 'd').id);
    this.byKey = finding(kind, table('threat_blocker', 'd').atb_key);
    this.become = becoming(kind);
  }

  /**
   * Stores reports in any order; known ones change nothing. Throws NOT_FOUND, FORBIDDEN (rank 4, scope `telemetry`),
   * BAD_USER_INPUT for too many of one day, and CONFLICT for contradicting reports of one moment; then none is stored.
   */
  async report(caller: Caller, address: DeviceAddress, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    const id = await this.authorize(caller, address);
    const errors = momentErrors(reports, this.now().getTime());
    if (errors.length > 0) throw invalidInput(errors);
    return this.store(id, address, reports);
  }

  /** Stores reports without authorization, for the demo's devices. */
  take(id: number, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    return this.store(id, { id }, reports);
  }

  private async store(id: number, address: DeviceAddress, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    const sent = inOrder(reports, this.kind.checks);
    await this.database.transaction(async (tx) => {
      const device = await this.lock(tx, id, address);
      const fresh = await this.rows.unknown(tx, device, sent);
      const newest = fresh.at(-1);
      if (newest === undefined) return;
      await this.rows.requireCapacity(tx, device, fresh);
      await this.rows.insert(tx, device, fresh);
      const status = statusOf(newest);
      const at = this.now();
      if (await this.becomes(tx, id, newest, { status, at })) await recordChange(tx, this.kind, device, { status, at });
    });
    return { received: reports.length, newest: sent.at(-1)!.datetime };
  }

  private statementsOf(address: DeviceAddress) {
    return 'id' in address ? this.byId : this.byKey;
  }

  private async authorize(caller: Caller, address: DeviceAddress): Promise<number> {
    const { find } = this.statementsOf(address);
    const device = await find.first(this.database, { key: keyOf(address) });
    if (device === undefined) throw notFound();
    await this.access.authorize(caller, 'REPORT_CHECKS', device.organizationId);
    return device.id;
  }

  /** Reports of one device are taken one request at a time. A key that was rotated in between is a key no more. */
  private async lock(tx: Queryable, id: number, address: DeviceAddress): Promise<AlertedDevice> {
    const { lock } = this.statementsOf(address);
    const device = await lock.first(tx, { id, key: keyOf(address) });
    if (device === undefined) throw notFound();
    return device;
  }

  /** Only the newest report says how the device is: false when a newer one is there, which has said it. */
  private async becomes(
    tx: Queryable,
    id: number,
    { datetime, stat }: DeviceReport,
    { status, at }: { status: CheckStatus; at: Date },
  ): Promise<boolean> {
    const newest: DeviceStat = { ...stat, datetime: datetime.toISOString() };
    const values = { id, status, at, stat: JSON.stringify(newest), reportedAt: datetime };
    return (await this.become.first(tx, values)) !== undefined;
  }
}

/** The worst part decides. A part that was not checked is 0 and says nothing; so does a report of such parts only. */
function statusOf({ stat }: DeviceReport): CheckStatus {
  return Math.max(...Object.values(stat)) as CheckStatus;
}

function keyOf(address: DeviceAddress): number | string {
  return 'id' in address ? address.id : address.atbKey;
}

/** Statements that find a device by its number or its key. */
function finding({ table: name, name: shown }: DeviceKind, key: Expression) {
  const d = table(name, 'd');
  const facts = sql`${d.id}, ${d.organization_id} as "organizationId"`;
  return {
    find: statement<{ key: number | string }>()(
      (p) => sql<{ id: number; organizationId: number }>`
        select ${facts} from ${d.table} where ${key} = ${p('key')} and ${d.deleted_at} is null`,
    ),
    lock: statement<{ id: number; key: number | string }>()(
      (p) => sql<AlertedDevice>`
        select ${facts}, ${shown} as name, ${d.status} from ${d.table}
         where ${d.id} = ${p('id')} and ${key} = ${p('key')} and ${d.deleted_at} is null for no key update`,
    ),
  };
}

/** Writes the status and the report itself, unless a newer report is there. */
function becoming({ table: name }: DeviceKind) {
  const d = table(name);
  return statement<NewStatus>()(
    (p) => sql<{ id: number }>`
      update ${d.table} set ${column(name, 'status')} = ${p('status')}, ${column(name, 'last_seen_at')} = ${p('at')},
             ${column(name, 'stat')} = ${p('stat')}
       where ${d.id} = ${p('id')} and ((${d.stat} ->> 'datetime')::timestamptz > ${p('reportedAt')}) is not true
       returning ${d.id}`,
  );
}

interface NewStatus {
  id: number;
  status: CheckStatus;
  at: Date;
  /** JSON of a DeviceStat. */
  stat: string;
  reportedAt: Date;
}

/** Reports are of moments for as long as reports are kept, and as far ahead as clocks differ. */
function momentErrors(reports: readonly DeviceReport[], now: number): FieldError[] {
  const { keptDays, clockSkewMinutes } = LIMITS.check;
  const errorsOf = (moment: number, path: FieldError['path']): FieldError[] => {
    if (moment < now - keptDays * DAY) return [{ path, sentence: `must not be more than ${keptDays} days ago` }];
    if (moment <= now + clockSkewMinutes * MINUTE) return [];
    return [{ path, sentence: `must not be more than ${clockSkewMinutes} minutes in the future` }];
  };
  return reports.flatMap(({ datetime, chartStat = [] }, index) => [
    ...errorsOf(datetime.getTime(), ['input', 'reports', index, 'datetime']),
    ...chartStat.flatMap(({ bucketStart }, at) =>
      errorsOf(bucketStart * 1000, ['input', 'reports', index, 'chartStat', at, 'bucketStart']),
    ),
  ]);
}
