import { DateTime } from 'luxon';

/** The day that it is there at an instant, `YYYY-MM-DD`. */
export function dayOf(instant: string | Date, zone: string): string {
  const date = new Date(instant);
  if (zone === 'UTC') return date.toISOString().slice(0, 10);
  return DateTime.fromJSDate(date, { zone }).toISODate() ?? date.toISOString().slice(0, 10);
}

/** The last millisecond of a day there, as ISO 8601 in UTC. */
export function endOfDay(day: string, zone: string): string {
  return DateTime.fromISO(day, { zone }).endOf('day').toJSDate().toISOString();
}

/** So many days later. */
export function dayAfter(day: string, days: number): string {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate() ?? day;
}
