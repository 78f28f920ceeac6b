import { expect, test } from '@jest/globals';
import { DatabaseClock } from '../../src/database/clock.js';
import { HOUR } from '../../src/common/time.js';

/** The monotonic time, which does not change when the machine's clock is set. */
const passed = () => performance.timeOrigin + performance.now();
/** Offset of the database's clock in milliseconds. */
const ahead = (clock: DatabaseClock) => clock.now().getTime() - passed();
/** Milliseconds: longer than delays of a test, and shorter than a slow response. */
const MOMENT = 1_000;

test('the clock of the database is the one of the machine while both agree', () => {
  const clock = new DatabaseClock();
  clock.was(passed() - 5 * MOMENT, performance.now() - 10 * MOMENT);
  expect(Math.abs(ahead(clock))).toBeLessThan(MOMENT);
});

test('the clock of the database is within the time of an answer, and a slow answer that agrees changes nothing', () => {
  const clock = new DatabaseClock();
  for (const moved of [HOUR, -HOUR, HOUR]) {
    clock.was(passed() + moved, performance.now());
    expect(Math.abs(ahead(clock) - moved)).toBeLessThan(MOMENT);
    clock.was(passed() + moved - 5 * MOMENT, performance.now() - 10 * MOMENT);
    expect(Math.abs(ahead(clock) - moved)).toBeLessThan(MOMENT);
    expect(Math.abs(clock.machineAhead * 1000 - (Date.now() - passed() - moved))).toBeLessThan(MOMENT);
  }
});
