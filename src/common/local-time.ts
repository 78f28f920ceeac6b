import { DateTime } from 'luxon';
import { LAST_INSTANT } from '../values/limits.js';

/** The day that it is there at an instant, `YYYY-MM-DD`. */
export function dayOf(instant: string | Date, zone: string): string {
  const date = new Date(instant);
  if (zone === 'UTC') return date.toISOString().slice(0, 10);
  return DateTime.fromJSDate(date, { zone }).toISODate() ?? date.toISOString().slice(0, 10);
}

/** The last millisecond of a day there, as ISO 8601 in UTC; of the last day of all no later than it ends in UTC. */
export function endOfDay(day: string, zone: string): string {
  const end = DateTime.fromISO(day, { zone }).endOf('day').toMillis();
  return new Date(Math.min(end, LAST_INSTANT)).toISOString();
}

/** So many days later. */
export function dayAfter(day: string, days: number): string {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate() ?? day;
}
