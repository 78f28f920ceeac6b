import type { Database, Queryable } from '../database/database.js';
import { untilFewer } from '../database/until-fewer.js';
import { CHECK_STATUSES } from '../vocabulary/check-statuses.js';
import { LIMITS } from '../vocabulary/limits.js';
import { alertOfSilence, type AlertedDevice } from './device-alerts.js';
import type { DeviceKind } from './device-kind.js';
import { restorableSince } from './restorable.js';

/** Devices that one transaction marks. */
const MARKED_AT_ONCE = 100;
/** What one statement of the clean-up removes: reports, and devices with all that they ever reported. */
const REPORTS_AT_ONCE = 5_000;
const DEVICES_AT_ONCE = 5;

/** What is done about devices of one kind whether or not anybody calls. Safe with several instances. */
export class DeviceWatch {
  constructor(
    private readonly database: Database,
    private readonly kind: DeviceKind,
    private readonly now: () => Date,
  ) {}

  /**
   * Marks devices as down that have been silent for too long, and alerts those who manage them: each silence once,
   * however many instances look at it. A device that never reported stays unknown. Answers how many were marked.
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
    const { reports, traffic } = this.kind.checks;
    const before = this.ago(LIMITS.check.keptDays * DAY);
    const newest = `select max(n.datetime) from ${reports} n where n.device_id = d.id`;
    const purged = await this.purge(reports, `c.datetime < $1 and c.datetime < (${newest})`, before);
    if (traffic === undefined) return purged;
    return purged + (await this.purge(traffic, 'c.bucket_start < $1', Math.floor(before.getTime() / 1000)));
  }

  /** Removes what was deleted more than 30 days ago, with its reports; answers how many devices that were. */
  purgeDeleted(): Promise<number> {
    const { table } = this.kind;
    const text = `delete from ${table} where id = any(array(
      select id from ${table} where deleted_at < $1 order by deleted_at limit ${DEVICES_AT_ONCE} for update skip locked)) returning id`;
    const before = restorableSince(this.now());
    return untilFewer(DEVICES_AT_ONCE, async () => (await this.database.rows(text, [before])).length);
  }

  private async markSome(tx: Queryable, since: Date): Promise<number> {
    // What was deleted is not heard, so that its silence begins when it was restored.
    const devices = await tx.rows<AlertedDevice & { id: number }>(
      `select d.id, d.organization_id as "organizationId", ${this.kind.name} as name, d.status
         from ${this.kind.table} d join organization o on o.id = d.organization_id and o.deleted_at is null
        where d.last_seen_at < $1 and d.deleted_at is null and (greatest(d.restored_at, o.restored_at) < $1) is not false
          and d.status <> ${CHECK_STATUSES.DOWN}
        limit ${MARKED_AT_ONCE} for no key update of d skip locked`,
      [since],
    );
    if (devices.length === 0) return 0;
    const ids = devices.map(({ id }) => id);
    await tx.rows(`update ${this.kind.table} set status = ${CHECK_STATUSES.DOWN} where id = any($1)`, [ids]);
    for (const device of devices) await alertOfSilence(tx, this.kind, device, this.now());
    return devices.length;
  }

  /** Device by device, so that the index of each device's rows finds them. */
  private purge(table: string, where: string, before: unknown): Promise<number> {
    const text = `delete from ${table} where id = any(array(
      select old.id from ${this.kind.table} d cross join lateral (
        select c.id from ${table} c where c.device_id = d.id and ${where} limit ${REPORTS_AT_ONCE} for update skip locked
      ) old limit ${REPORTS_AT_ONCE})) returning id`;
    return untilFewer(REPORTS_AT_ONCE, async () => (await this.database.rows(text, [before])).length);
  }

  private ago(milliseconds: number): Date {
    return new Date(this.now().getTime() - milliseconds);
  }
}

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
