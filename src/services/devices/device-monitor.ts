import { MINUTE } from '../../common/time.js';
import type { Database, Queryable } from '../../database/database.js';
import { untilFewer } from '../../database/until-fewer.js';
import { column, sql, statement, table } from '../../database/sql.js';
import { CHECK_STATUSES, type CheckStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { record } from '../audit/record.js';
import { english, type Language } from '../../messages/language.js';
import type { KeyBelow } from '../../messages/message-key.js';
import { after, said, subjectName, type NotificationRules } from '../notifications/notifier.js';
import { restorableSince } from '../shared/accessible-organizations.js';
import { CLOUD_DEFENDER, THREAT_BLOCKER, type DeviceKind } from './device-kind.js';

/** Devices marked by one transaction. */
const MARKED_AT_ONCE = 100;
/** Devices removed by one statement of the clean-up, with all their reports. */
const DEVICES_AT_ONCE = 5;

/** Periodic work on devices of one kind. Safe with several instances. */
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
   * Marks silent devices as down and records it, once for each silence across instances. A device
   * that never reported stays unknown. Returns how many were marked.
   */
  markSilent(): Promise<number> {
    const since = new Date(this.now().getTime() - LIMITS.check.silentMinutes * MINUTE);
    return untilFewer(MARKED_AT_ONCE, () => this.database.transaction((tx) => this.markSome(tx, since)));
  }

  /** Removes devices deleted more than 30 days ago with their reports; returns their number. */
  purgeDeleted(): Promise<number> {
    const before = restorableSince(this.now());
    const { purgeDeleted } = this.statements;
    return untilFewer(DEVICES_AT_ONCE, async () => (await purgeDeleted.all(this.database, { before })).length);
  }

  private async markSome(tx: Queryable, since: Date): Promise<number> {
    // A deleted device cannot report, so its silence begins at its restoration.
    const devices = await this.statements.lockSilent.all(tx, { since });
    if (devices.length === 0) return 0;
    const ids = devices.map(({ id }) => id);
    await this.statements.setDown.all(tx, { ids });
    devices.sort((one, other) => one.organizationId - other.organizationId);
    const at = this.now();
    for (const device of devices) await recordStatus(tx, this.kind, device, { isDown: true, reason: SILENT, at });
    return devices.length;
  }
}

function statementsOf({ table: name, name: shown }: DeviceKind) {
  const d = table(name, 'd');
  const o = table('organization', 'o');
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
  };
}

/** A locked device as it was before the change. */
export interface AlertedDevice {
  id: number;
  organizationId: number;
  /** May be empty. */
  name: string;
  status: CheckStatus;
}

const { DOWN } = CHECK_STATUSES;

/** Records only that a device goes down or recovers. Call it last in the transaction. */
export async function recordChange(
  tx: Queryable,
  kind: DeviceKind,
  device: AlertedDevice,
  { status, at }: { status: CheckStatus; at: Date },
): Promise<void> {
  if ((device.status === DOWN) === (status === DOWN)) return;
  await recordStatus(tx, kind, device, { isDown: status === DOWN, reason: REPORTED[status], at });
}

const SILENT = 'SILENT';

type StatusReason = KeyBelow<'device-words.reason'>;

const REPORTED: Readonly<Record<CheckStatus, StatusReason>> = {
  [DOWN]: 'DOWN',
  [CHECK_STATUSES.UNKNOWN]: 'BACK_UNKNOWN',
  [CHECK_STATUSES.HEALTHY]: 'BACK_HEALTHY',
  [CHECK_STATUSES.DEGRADED]: 'BACK_DEGRADED',
};

function reasonIn(language: Language, why: StatusReason): string {
  return language.text(`device-words.reason.${why}`, { minutes: LIMITS.check.silentMinutes });
}

/** Reasons in the wording of audit trails, which is English. */
const REASONS = new Map(([SILENT, ...Object.values(REPORTED)] as const).map((why) => [reasonIn(english, why), why]));

const MONITOR = { kind: 'system', name: 'device-monitor' } as const;

function recordStatus(
  tx: Queryable,
  { subject: type }: DeviceKind,
  { id, organizationId, name }: AlertedDevice,
  { isDown, reason, at }: { isDown: boolean; reason: StatusReason; at: Date },
): Promise<void> {
  return record(tx, MONITOR, {
    ...{ organizationId, action: 'DEVICE_STATUS_CHANGED', at, subject: { type, id, name } },
    reason: reasonIn(english, reason),
    changes: { isDown: { before: !isDown, after: isDown } },
  });
}

/** Notifications of devices: down or recovered. */
export const deviceNotifications: NotificationRules = {
  DEVICE_STATUS_CHANGED: (entry, language) => {
    const { type: subject, databaseId: id } = entry.subject;
    const kind = [CLOUD_DEFENDER, THREAT_BLOCKER].find((each) => each.subject === subject);
    if (kind === undefined) return [];
    const { link, alerts } = kind.notified;
    const isDown = after(entry, 'isDown') === true;
    const name = subjectName(entry, language) || language.text('notice.number', { id });
    const reason = REASONS.get(entry.reason ?? '');
    const texts = said(language, isDown ? 'DEVICE_DOWN' : 'DEVICE_BACK', {
      ...{ kind: kind.subject, name },
      reason: reason === undefined ? (entry.reason ?? '') : reasonIn(language, reason),
    });
    const notice = { type: 'DEVICE', ...texts, href: `${link}/${id}`, alerts } as const;
    return [{ ...notice, to: { privilege: 'READ_DEVICES' }, ...(isDown && { urgentFrom: 'VIEWER' }) }];
  },
};
