import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseClock } from '../../src/database/clock.js';
import { HOUR } from '../../src/common/time.js';

/** Milliseconds by which it is ahead of the machine. */
const ahead = (clock: DatabaseClock) => clock.now().getTime() - Date.now();

test('the clock of the database is the one of the machine while both agree', async () => {
  const clock = new DatabaseClock();
  const since = performance.now();
  await sleep(20);
  clock.was(performance.timeOrigin + since + 10, since);
  expect(Math.abs(ahead(clock))).toBeLessThanOrEqual(1);
});

test('the clock of the database is within the time of an answer, and a slow answer that agrees changes nothing', async () => {
  const clock = new DatabaseClock();
  for (const moved of [HOUR, -HOUR, HOUR]) {
    clock.was(performance.timeOrigin + performance.now() + moved, performance.now());
    expect(Math.abs(ahead(clock) - moved)).toBeLessThanOrEqual(5);
    clock.was(performance.timeOrigin + performance.now() + moved, performance.now() - 10_000);
    expect(Math.abs(ahead(clock) - moved)).toBeLessThanOrEqual(5);
    expect(clock.machineAhead).toBeCloseTo(-moved / 1000, 1);
  }
});
