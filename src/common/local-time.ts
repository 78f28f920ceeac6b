import { DateTime } from 'luxon';
import { LAST_INSTANT } from '../values/limits.js';

/** The days that a `Date` can say, both included. */
export const [MIN_DAY, MAX_DAY] = ['0001-01-01', '9999-12-31'] as const;

/** The day that it is there at an instant, `YYYY-MM-DD`. */
export function dayOf(instant: string | Date, zone: string): string {
  const date = new Date(instant);
  if (zone === 'UTC') return date.toISOString().slice(0, 10);
  return dayText(DateTime.fromJSDate(date, { zone })) ?? date.toISOString().slice(0, 10);
}

/** The last millisecond of a day there, as ISO 8601 in UTC; of the last day of all no later than it ends in UTC. */
export function endOfDay(day: string, zone: string): string {
  const end = DateTime.fromISO(day, { zone }).endOf('day').toMillis();
  return new Date(Math.min(end, LAST_INSTANT)).toISOString();
}

/** So many days later. */
export function dayAfter(day: string, days: number): string {
  return dayText(DateTime.fromISO(day, { zone: 'utc' }).plus({ days })) ?? day;
}

/** So many months later; a month too short for the day ends with its last. */
export function monthsAfter(day: string, months: number): string {
  return dayText(DateTime.fromISO(day, { zone: 'utc' }).plus({ months })) ?? day;
}

/** Beyond the days that can be said, the nearest that can. */
function dayText(date: DateTime): string | null {
  return date.year < 1 ? MIN_DAY : date.year > 9999 ? MAX_DAY : date.toISODate();
}
