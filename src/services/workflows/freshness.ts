import { DateTime } from 'luxon';
import { DAY } from '../../common/time.js';
import { sql, table } from '../../database/sql.js';
import type { EvidenceState } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { dayOf } from './progress.js';

/** Until which day evidence counts as fresh; null means without end. Days are `YYYY-MM-DD` in UTC. */
export type LastDay = string | null;

/** What the last day of a version follows from. */
export interface Dated {
  validUntil: LastDay;
  /** When it was true or, without that, uploaded. */
  day: string;
}

/** Its own last day or, without one, the next review of its control. */
export function lastDayOf({ validUntil, day }: Dated, reviewIntervalMonths: number | null): LastDay {
  if (validUntil !== null || reviewIntervalMonths === null) return validUntil;
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ months: reviewIntervalMonths }).toISODate();
}

const d = table('document_version', 'd');
const s = table('control_state', 's');

/** The same of a document `d` of the control with the state `s`. */
export const LAST_DAY = sql`coalesce(${d.valid_until}, ((coalesce(${d.effective_at}, ${d.created_at}) at time zone 'UTC')::date
  + make_interval(months => ${s.review_interval_months}))::date)`;

/** The last day that evidence may have to be looked at again soon. */
export function expiringUntil(now: Date): string {
  return dayOf(new Date(now.getTime() + LIMITS.document.expiringDays * DAY));
}

/** Whether something of this last day still counts, as of `now`. */
export function evidenceStateOf(lastDay: LastDay, now: Date): EvidenceState {
  if (lastDay === null) return 'FRESH';
  if (lastDay < dayOf(now)) return 'STALE';
  return lastDay <= expiringUntil(now) ? 'EXPIRING' : 'FRESH';
}

export interface Freshness {
  /** Null without documents. */
  state: EvidenceState | null;
  /** Null without documents, and when they count without end. */
  validUntil: LastDay;
}

/** Of the newest version of each control that has documents, the one that counts for longest. */
export function freshnessOf(newest: readonly Dated[], reviewIntervalMonths: number | null, now: Date): Freshness {
  if (newest.length === 0) return { state: null, validUntil: null };
  const lastDays = newest.map((version) => lastDayOf(version, reviewIntervalMonths));
  const validUntil = lastDays.reduce((one, other) =>
    one === null || other === null ? null : one > other ? one : other,
  );
  return { state: evidenceStateOf(validUntil, now), validUntil };
}
