import { LIMITS } from '../../values/limits.js';

const DAY = 24 * 60 * 60 * 1000;

/** What was deleted before this moment is gone. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - LIMITS.softDelete.restoreDays * DAY);
}
