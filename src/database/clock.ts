import { StartupError } from '../errors.js';
import { sql, statement, type Queryable } from './sql.js';

/** Seconds by which the clock of this machine may differ from that of the database, which is the same for all instances. */
const TOLERANCE = 5 * 60;

/** Milliseconds since 1970, with their fractions. */
export const databaseTime = sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`;

const time = statement()(() => sql<{ now: number }>`select ${databaseTime} as now`);

/**
 * The time of the database, as this instance knows it: rows of all instances are compared with one clock. It is read now and then
 * and goes on by the time that passes, so that setting the clock of this machine does not move it.
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

  /** The database said `now` between the moment `since` of `performance.now()` and this one: what agrees with that stays. */
  was(now: number, since: number): void {
    this.ahead = Math.min(Math.max(this.ahead, now - performance.now()), now - since);
  }
}

/** The time of the database, for what asks once. */
export async function timeOf(database: Queryable): Promise<Date> {
  return new Date((await time.one(database, {})).now);
}

/** Whether this machine and the database do not agree, so that it is not known which of both is right. */
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
