import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { notFound } from '../errors.js';
import type { CheckStatus } from '../vocabulary/check-statuses.js';
import { LIMITS } from '../vocabulary/limits.js';
import { alertOfChange, type AlertedDevice } from './device-alerts.js';
import type { DeviceKind } from './device-kind.js';
import { inOrder, ReportStore, type DeviceReport } from './report-store.js';

/** How a device is addressed: by its number, or by the key that it knows itself. */
export type DeviceAddress = { id: number } | { atbKey: string };

/** The same for the same reports, however often they are sent. */
export interface ReportReceipt {
  received: number;
  /** The `datetime` of the newest report of the request. */
  newest: Date;
}

/** Takes what devices of one kind report (decisions §8). */
export class DeviceReports {
  private readonly rows: ReportStore;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    private readonly now: () => Date,
  ) {
    this.rows = new ReportStore(kind.checks);
  }

  /** Moments that a report may be of: for as long as reports are kept, and as far ahead as clocks differ. */
  window(): { from: Date; to: Date } {
    const now = this.now().getTime();
    const { keptDays, clockSkewMinutes } = LIMITS.check;
    return { from: new Date(now - keptDays * DAY), to: new Date(now + clockSkewMinutes * MINUTE) };
  }

  /**
   * Stores one report or more, in whatever order they come; what is known already changes nothing. Throws NOT_FOUND,
   * FORBIDDEN (rank 4, scope `telemetry`), BAD_USER_INPUT for too many of one day, and CONFLICT for a report that contradicts another of the same device and
   * moment; then nothing of the request is stored.
   */
  async report(caller: Caller, address: DeviceAddress, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    return this.store(await this.authorize(caller, address), address, reports);
  }

  /** The same of a device that nobody calls for, and so asks nobody for leave: what the demo's devices report. */
  take(id: number, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    return this.store(id, { id }, reports);
  }

  private async store(id: number, address: DeviceAddress, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    const sent = inOrder(reports, this.kind.checks);
    await this.database.transaction(async (tx) => {
      const device = await this.lock(tx, id, address);
      const fresh = await this.rows.unknown(tx, id, sent);
      const newest = fresh.at(-1);
      if (newest === undefined) return;
      await this.rows.requireRoom(tx, id, fresh);
      await this.rows.insert(tx, id, fresh);
      const status = statusOf(newest);
      const at = this.now();
      if (await this.becomes(tx, id, status, { at, reportedAt: newest.datetime }))
        await alertOfChange(tx, this.kind, device, { status, at });
    });
    return { received: reports.length, newest: sent.at(-1)!.datetime };
  }

  private async authorize(caller: Caller, address: DeviceAddress): Promise<number> {
    const [device] = await this.database.rows<{ id: number; organizationId: number }>(
      `select d.id, d.organization_id as "organizationId" from ${this.kind.table} d
        where ${keyOf(address)} = $1 and d.deleted_at is null`,
      [valueOf(address)],
    );
    if (device === undefined) throw notFound();
    await this.access.authorize(caller, 'REPORT_CHECKS', device.organizationId);
    return device.id;
  }

  /** Reports of one device are taken one request at a time. A key that was rotated in between is a key no more. */
  private async lock(tx: Queryable, id: number, address: DeviceAddress): Promise<AlertedDevice> {
    const [device] = await tx.rows<AlertedDevice & { id: number }>(
      `select d.id, d.organization_id as "organizationId", ${this.kind.name} as name, d.status from ${this.kind.table} d
        where d.id = $1 and ${keyOf(address)} = $2 and d.deleted_at is null for no key update`,
      [id, valueOf(address)],
    );
    if (device === undefined) throw notFound();
    return device;
  }

  /** Only the newest report says how the device is: false when a newer one is there, which has said it. */
  private async becomes(
    tx: Queryable,
    id: number,
    status: CheckStatus,
    { at, reportedAt }: { at: Date; reportedAt: Date },
  ): Promise<boolean> {
    const rows = await tx.rows(
      `update ${this.kind.table} set status = $2, last_seen_at = $3 where id = $1
          and not exists (select from ${this.kind.checks.reports} where device_id = $1 and datetime > $4) returning id`,
      [id, status, at, reportedAt],
    );
    return rows.length > 0;
  }
}

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** The worst part decides. A part that was not checked is 0 and says nothing; so does a report of such parts only. */
function statusOf({ stat }: DeviceReport): CheckStatus {
  return Math.max(...Object.values(stat)) as CheckStatus;
}

function keyOf(address: DeviceAddress): string {
  return 'id' in address ? 'd.id' : 'd.atb_key';
}

function valueOf(address: DeviceAddress): number | string {
  return 'id' in address ? address.id : address.atbKey;
}
