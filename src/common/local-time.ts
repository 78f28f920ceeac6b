import { DateTime } from 'luxon';
import { LAST_INSTANT } from '../values/limits.js';

/** The first and the last day of a `Date`. */
export const [MIN_DAY, MAX_DAY] = ['0001-01-01', '9999-12-31'] as const;

/** The local day at an instant, `YYYY-MM-DD`. */
export function dayOf(instant: string | Date, zone: string): string {
  const date = new Date(instant);
  if (zone === 'UTC') return date.toISOString().slice(0, 10);
  return dayText(DateTime.fromJSDate(date, { zone })) ?? date.toISOString().slice(0, 10);
}

/** The last millisecond of a local day, as ISO 8601 in UTC; of the last day at most its end in UTC. */
export function endOfDay(day: string, zone: string): string {
  const end = DateTime.fromISO(day, { zone }).endOf('day').toMillis();
  return new Date(Math.min(end, LAST_INSTANT)).toISOString();
}

/** The day this many days later. */
export function dayAfter(day: string, days: number): string {
  return dayText(DateTime.fromISO(day, { zone: 'utc' }).plus({ days })) ?? day;
}

/** The day this many months later; the last day of a shorter month. */
export function monthsAfter(day: string, months: number): string {
  return dayText(DateTime.fromISO(day, { zone: 'utc' }).plus({ months })) ?? day;
}

/** The nearest day within the range. */
function dayText(date: DateTime): string | null {
  return date.year < 1 ? MIN_DAY : date.year > 9999 ? MAX_DAY : date.toISODate();
}
