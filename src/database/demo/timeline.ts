const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Every time of the demo data, told from the moment of seeding: whoever looks at it meets a story of these days. */
export class Timeline {
  constructor(readonly now: Date) {}

  hoursAgo(hours: number): Date {
    return new Date(this.now.getTime() - hours * HOUR);
  }

  daysAgo(days: number): Date {
    return new Date(this.now.getTime() - days * DAY);
  }

  inDays(days: number): Date {
    return this.daysAgo(-days);
  }

  /** The day (in UTC) that is `days` away, as `YYYY-MM-DD`. */
  dayIn(days: number): string {
    return this.inDays(days).toISOString().slice(0, 10);
  }

  /** The begin of the running hour. */
  get hour(): Date {
    return hourOf(this.now);
  }
}

/** The begin of the hour in which an instant lies. */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / HOUR) * HOUR);
}
