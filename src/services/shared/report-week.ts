import { DateTime } from 'luxon';
import { DAY } from '../../common/time.js';

/** Hour of the day, local time, at which weekly reports go out (docs/adr/0014). */
const HOUR = 8;
const WEEK = 7 * DAY;
/** A Monday. */
const FIRST = Date.UTC(1970, 0, 5, HOUR);

interface ReportWeek {
  /** ISO 8601 week, such as `2026-W47`. */
  week: string;
  /** When its report is due, and when the next one is. */
  dueAt: Date;
  nextDueAt: Date;
}

/**
 * The newest report that was due at `now`, by the calendar of a time zone and on an ISO weekday (1 is Monday). A report
 * belongs to the ISO week in which it is due, also if it is late: one missed over a Sunday is still sent on
 * Monday, and the next one in its own week. Throws a RangeError for an invalid time zone.
 */
export function newestDue(now: Date, timeZone: string, weekday: number): ReportWeek {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  if (!local.isValid) throw new RangeError(`${timeZone} is no time zone`);
  const dueIn = (week: DateTime) =>
    week
      .set({ weekday: weekday as 1 })
      .startOf('day')
      .set({ hour: HOUR });
  const thisWeek = dueIn(local);
  const due = thisWeek <= local ? thisWeek : dueIn(local.minus({ weeks: 1 }));
  return { week: weekName(due), dueAt: due.toJSDate(), nextDueAt: dueIn(due.plus({ weeks: 1 })).toJSDate() };
}

/** The ISO week of `now`. */
export function weekOf(now: Date, timeZone: string): string {
  return weekName(DateTime.fromJSDate(now, { zone: timeZone }));
}

function weekName(day: DateTime): string {
  return `${String(day.weekYear).padStart(4, '0')}-W${String(day.weekNumber).padStart(2, '0')}`;
}

/** When the first report of a new organization is due, by its initial calendar: Mondays in UTC. */
export function firstDueAt(now: Date): Date {
  return new Date(FIRST + (Math.floor((now.getTime() - FIRST) / WEEK) + 1) * WEEK);
}
