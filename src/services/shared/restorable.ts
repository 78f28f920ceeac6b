import { DAY } from '../../common/time.js';
import { LIMITS } from '../../values/limits.js';

/** Whether a record that was deleted at this instant (ISO 8601) may be restored. */
export function isRestorable(deletedAt: string, now: Date): boolean {
  return Date.parse(deletedAt) >= restorableSince(now).getTime();
}

/** What was deleted before this moment is gone. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - LIMITS.softDelete.restoreDays * DAY);
}
