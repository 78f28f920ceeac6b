/** Calendar days, as date fields write them (`2026-02-28`), and their instants in a time zone. */

const DAY = 86_400_000;

/** The time zone of the reader's browser. */
export const READER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether a text is a calendar day. */
export function isDay(date: string): boolean {
  const at = beginInUtc(date);
  return /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(at) && dayInUtc(at) === date;
}

export const addDays = (date: string, days: number) => dayInUtc(beginInUtc(date) + days * DAY);

/** Number of days from one day to another. */
export const daysBetween = (from: string, to: string) => (beginInUtc(to) - beginInUtc(from)) / DAY;

/** The day of an instant, given in milliseconds. */
export const dayOf = (at: number, zone: string) => dayInUtc(at + offsetOf(at, zone));

/**
 * The first instant of a day, in milliseconds. If clocks change at midnight, it is at another hour, or the first of
 * two; for a day that a zone skips, that of the next day.
 */
export function beginOf(date: string, zone: string): number {
  const begin = beginInUtc(date);
  // The offsets before and after a change that may be near the beginning of the day.
  const [one, other] = [begin - offsetOf(begin - DAY, zone), begin - offsetOf(begin + DAY, zone)];
  const earlier = Math.min(one, other);
  return dayOf(earlier, zone) >= date ? earlier : Math.max(one, other);
}

/** The last instant of a day, in ISO 8601: a response as of it excludes entries of the next day. */
export const endOf = (date: string, zone: string) => new Date(beginOf(addDays(date, 1), zone) - 1).toISOString();

const beginInUtc = (date: string) => Date.parse(`${date}T00:00:00Z`);
const dayInUtc = (at: number) => new Date(at).toISOString().slice(0, -'T00:00:00.000Z'.length);

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Offset of a zone from UTC, in milliseconds. */
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
  // ISO 8601 writes years after 9999, which the last day of that year ends in, with a sign and six digits.
  const written = year.length > 4 ? `+${year.padStart(6, '0')}` : year.padStart(4, '0');
  return Date.parse(`${written}-${month}-${day}T${hour}:${minute}:${second}Z`) - seconds;
}
