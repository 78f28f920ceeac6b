import { StartupError } from '../errors.js';
import { sql, statement, type Queryable } from './sql.js';

/** Milliseconds by which the clock of this machine may differ from that of the database, which is the same for all instances. */
const TOLERANCE = 5 * 60_000;

const time = statement()(() => sql<{ now: string }>`select clock_timestamp() as now`);

/** Seconds by which this machine is ahead of the database; 0 where that can be tolerated. */
export async function secondsAhead(database: Queryable, clock = () => Date.now()): Promise<number> {
  const ahead = clock() - Date.parse((await time.one(database, {})).now);
  return Math.abs(ahead) <= TOLERANCE ? 0 : Math.round(ahead / 1000);
}

/** Throws StartupError where this machine would judge wrongly what is late, old or expired. */
export async function requireSameClock(database: Queryable, clock?: () => number): Promise<void> {
  const seconds = await secondsAhead(database, clock);
  if (seconds === 0) return;
  throw new StartupError(
    `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} that of the database: ` +
      'audit trails, deadlines and retention would have wrong times. Set both by the same time server (NTP).',
  );
}
