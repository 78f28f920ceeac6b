import { expect, test } from '@jest/globals';
import { dayAfter, dayOf, endOfDay } from '../../src/common/local-time.js';
import { english } from '../../src/messages/language.js';

test.each([
  ['2026-11-24T17:49:56.789Z', 'Europe/Rome', '24 November 2026, 18:49:56 (Europe/Rome, UTC+1)'],
  ['2026-07-01T07:00:00.000Z', 'Europe/Rome', '1 July 2026, 09:00 (Europe/Rome, UTC+2)'],
  ['2026-11-24T17:49:00.000Z', 'UTC', '24 November 2026, 17:49 (UTC)'],
  ['2026-11-24T17:49:00.000Z', 'Asia/Kolkata', '24 November 2026, 23:19 (Asia/Kolkata, UTC+5:30)'],
  ['2026-11-24T05:00:00.000Z', 'Pacific/Honolulu', '23 November 2026, 19:00 (Pacific/Honolulu, UTC-10)'],
])('the instant %s is written in %s as %s', (instant, zone, text) => {
  expect(english.instant(instant, zone)).toBe(text);
});

test('a day begins and ends where it is', () => {
  expect(dayOf('2026-11-24T09:59:59.999Z', 'Pacific/Honolulu')).toBe('2026-11-23');
  expect(dayOf(new Date('2026-11-24T10:00:00.000Z'), 'Pacific/Honolulu')).toBe('2026-11-24');
  expect(dayOf('2026-11-24T10:00:00.000Z', 'UTC')).toBe('2026-11-24');
  expect(endOfDay('2026-11-24', 'Pacific/Honolulu')).toBe('2026-11-25T09:59:59.999Z');
  // The day on which the clocks go back is longer.
  expect(endOfDay('2026-10-25', 'Europe/Rome')).toBe('2026-10-25T22:59:59.999Z');
  expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
  expect(english.day('2026-11-04')).toBe('4 November 2026');
});
