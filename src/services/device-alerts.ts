import type { Queryable } from '../database/database.js';
import { CHECK_STATUSES, type CheckStatus } from '../vocabulary/check-statuses.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { DeviceKind } from './device-kind.js';
import { notify } from './notifier.js';

/** A device whose row is locked, as it was before. */
export interface AlertedDevice {
  id: number;
  organizationId: number;
  /** May be empty. */
  name: string;
  status: CheckStatus;
}

const { DOWN } = CHECK_STATUSES;

/** Alerts of going down and of coming back, and of nothing between the two. Call it last in the transaction. */
export async function alertOfChange(
  tx: Queryable,
  kind: DeviceKind,
  device: AlertedDevice,
  { status, at }: { status: CheckStatus; at: Date },
): Promise<void> {
  if (device.status !== DOWN && status === DOWN)
    await alert(tx, kind, device, { event: 'down', what: 'it reports that it is down.', at });
  if (device.status === DOWN && status !== DOWN)
    await alert(tx, kind, device, { event: 'back', what: BACK[status], at });
}

/** Alerts of a device that goes down because nothing is heard of it. Call it last in the transaction. */
export function alertOfSilence(tx: Queryable, kind: DeviceKind, device: AlertedDevice, at: Date): Promise<void> {
  return alert(tx, kind, device, { event: 'down', what: `no report for ${LIMITS.check.silentMinutes} minutes.`, at });
}

const BACK: Readonly<Record<Exclude<CheckStatus, typeof DOWN>, string>> = {
  [CHECK_STATUSES.UNKNOWN]: 'it reports again, and has checked nothing yet.',
  [CHECK_STATUSES.HEALTHY]: 'it reports again and is healthy.',
  [CHECK_STATUSES.DEGRADED]: 'it reports again and is degraded.',
};

function alert(
  tx: Queryable,
  { noun, href, alerts }: DeviceKind,
  { id, organizationId, name }: AlertedDevice,
  { event, what, at }: { event: 'down' | 'back'; what: string; at: Date },
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
