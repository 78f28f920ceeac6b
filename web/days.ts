/** Days of the calendar, as fields of days write them (`2026-02-28`), and what they are in a time zone. */

const DAY = 86_400_000;

/** The time zone of the reader's browser. */
export const READER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether a text is a day of the calendar. */
export function isDay(date: string): boolean {
  const at = beginInUtc(date);
  return /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(at) && dayInUtc(at) === date;
}

export const addDays = (date: string, days: number) => dayInUtc(beginInUtc(date) + days * DAY);

/** How many days there are from one day to another. */
export const daysBetween = (from: string, to: string) => (beginInUtc(to) - beginInUtc(from)) / DAY;

/** The day that an instant, in milliseconds, lies in. */
export const dayOf = (at: number, zone: string) => dayInUtc(at + offsetOf(at, zone));

/**
 * The first instant of a day, in milliseconds. Where clocks are changed at midnight it begins at another hour, or at the first
 * of two; a day that a zone has left out begins with the next one.
 */
export function beginOf(date: string, zone: string): number {
  const begin = beginInUtc(date);
  // The offsets before and after a change that may lie near the day's begin.
  const [one, other] = [begin - offsetOf(begin - DAY, zone), begin - offsetOf(begin + DAY, zone)];
  const earlier = Math.min(one, other);
  return dayOf(earlier, zone) >= date ? earlier : Math.max(one, other);
}

/** The last instant of a day, in ISO 8601: an answer as of it has no entry of the next day. */
export const endOf = (date: string, zone: string) => new Date(beginOf(addDays(date, 1), zone) - 1).toISOString();

const beginInUtc = (date: string) => Date.parse(`${date}T00:00:00Z`);
const dayInUtc = (at: number) => new Date(at).toISOString().slice(0, -'T00:00:00.000Z'.length);

const clocks = new Map<string, Intl.DateTimeFormat>();

/** By how many milliseconds the clocks of a zone are ahead of UTC. */
function offsetOf(at: number, zone: string): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    const [two, numeric] = ['2-digit', 'numeric'] as const;
    const parts = { year: numeric, month: two, day: two, hour: two, minute: two, second: two } as const;
    clock = new Intl.DateTimeFormat('en', { ...parts, timeZone: zone, hourCycle: 'h23' });
    clocks.set(zone, clock);
  }
  const shown = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year = '', month, day, hour, minute, second } = shown;
  const seconds = Math.floor(at / 1000) * 1000;
  // ISO 8601 has years behind 9999, in which the last day of that one ends, with a sign and six digits.
  const written = year.length > 4 ? `+${year.padStart(6, '0')}` : year.padStart(4, '0');
  return Date.parse(`${written}-${month}-${day}T${hour}:${minute}:${second}Z`) - seconds;
}
