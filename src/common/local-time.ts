import { DateTime } from 'luxon';

/** `21 November 2026, 14:00 (Europe/Rome, UTC+1)`: to the second where it is no full minute. For people, in every text. */
export function instantText(instant: string | Date, zone: string): string {
  const local = DateTime.fromJSDate(new Date(instant), { zone }).setLocale('en-GB');
  const time = local.toFormat(local.second === 0 ? 'd LLLL yyyy, HH:mm' : 'd LLLL yyyy, HH:mm:ss');
  const offset = `UTC${local.offset === 0 ? '' : local.toFormat('Z')}`;
  return `${time} (${zone === offset ? zone : `${zone}, ${offset}`})`;
}

/** `21 November 2026` */
export function dayText(day: string): string {
  return DateTime.fromISO(day, { zone: 'utc', locale: 'en-GB' }).toFormat('d LLLL yyyy');
}

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
