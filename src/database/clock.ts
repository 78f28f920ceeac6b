import { StartupError } from '../errors.js';
import { sql, statement, type Queryable } from './sql.js';

/** Tolerated seconds between the clock of this machine and that of the database, which all instances share. */
const TOLERANCE = 5 * 60;

/** Milliseconds since 1970, with their fractions. */
export const databaseTime = sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`;

const time = statement()(() => sql<{ now: number }>`select ${databaseTime} as now`);

/**
 * The time of the database: rows of all instances are compared with one clock. It is read from time to time and
 * advances by a monotonic clock, so that setting the clock of this machine does not change it.
 */
export class DatabaseClock {
  /** Milliseconds by which it is ahead of `performance.now()`. */
  private ahead = performance.timeOrigin;

  readonly now = (): Date => new Date(performance.now() + this.ahead);

  /** Seconds by which the clock of this machine is ahead of it. */
  get machineAhead(): number {
    return (Date.now() - this.now().getTime()) / 1000;
  }

  async read(database: Queryable): Promise<void> {
    const since = performance.now();
    this.was((await time.one(database, {})).now, since);
  }

  /**
   * The database returned `now` between `since` of `performance.now()` and this moment; a consistent offset remains.
   */
  was(now: number, since: number): void {
    this.ahead = Math.min(Math.max(this.ahead, now - performance.now()), now - since);
  }
}

/** The time of the database, for a single use. */
export async function timeOf(database: Queryable): Promise<Date> {
  return new Date((await time.one(database, {})).now);
}

/** Whether the clocks of this machine and the database differ: it is unknown which of them is right. */
export function isClockOff({ machineAhead }: Pick<DatabaseClock, 'machineAhead'>): boolean {
  return Math.abs(machineAhead) > TOLERANCE;
}

/** Throws StartupError where `isClockOff`. */
export function requireSameClock(clock: Pick<DatabaseClock, 'machineAhead'>): void {
  if (!isClockOff(clock)) return;
  const seconds = Math.round(clock.machineAhead);
  throw new StartupError(
    `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} that of the database: ` +
      'audit trails, deadlines and retention would have wrong times. Set both by the same time server (NTP).',
  );
}
