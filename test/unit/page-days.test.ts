import { describe, expect, test } from '@jest/globals';
import { addDays, beginOf, dayOf, daysBetween, endOf, isDay } from '../../web/days.js';

const HOUR = 3_600_000;
const at = (date: string, zone: string) => new Date(beginOf(date, zone)).toISOString().replace('.000', '');

describe('the days of the pages', () => {
  // The length in hours of days on which clocks are changed, and of those beside them.
  test.each([
    ['Europe/Rome', '2026-03-28', '2026-03-27T23:00:00Z', 24],
    ['Europe/Rome', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Rome', '2026-03-30', '2026-03-29T22:00:00Z', 24],
    ['Europe/Rome', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    ['Europe/Rome', '2026-10-26', '2026-10-25T23:00:00Z', 24],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    ['Pacific/Auckland', '2026-04-05', '2026-04-04T11:00:00Z', 25],
    ['Pacific/Auckland', '2026-09-27', '2026-09-26T12:00:00Z', 23],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00Z', 24],
    ['UTC', '2024-02-29', '2024-02-29T00:00:00Z', 24],
    // Midnight is skipped, and repeated: the day before ends with a repeated hour, or the day begins with one.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
    ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00Z', 25],
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z', 24],
    ['America/Havana', '2018-11-04', '2018-11-04T04:00:00Z', 25],
    // The last supported day ends in a year of five digits.
    ['UTC', '9999-12-31', '9999-12-31T00:00:00Z', 24],
    ['America/New_York', '9999-12-31', '9999-12-31T05:00:00Z', 24],
    // Samoa moved across the date line.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
  ])('in %s, %s begins at %s and has %d hours', (zone, date, begin, hours) => {
    expect(at(date, zone)).toBe(begin);
    expect((beginOf(addDays(date, 1), zone) - beginOf(date, zone)) / HOUR).toBe(hours);
  });

  test.each([
    'Europe/Rome',
    'America/Sao_Paulo',
    'America/Havana',
    'Asia/Beirut',
    'Africa/Casablanca',
    'Pacific/Chatham',
  ])('each day in %s begins with its first instant, and the one before it is of the day before', (zone) => {
    for (let date = '2018-01-01'; date < '2019-01-01'; date = addDays(date, 1)) {
      const begin = beginOf(date, zone);
      expect([dayOf(begin - 1, zone), dayOf(begin, zone)]).toEqual([addDays(date, -1), date]);
      expect(Date.parse(endOf(date, zone)) + 1).toBe(beginOf(addDays(date, 1), zone));
    }
  });

  test('are counted by the calendar, over changes of clocks and leap days', () => {
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect([addDays('2024-02-28', 1), addDays('2026-03-01', -1)]).toEqual(['2024-02-29', '2026-02-28']);
  });

  test.each(['2026-02-30', '2026-2-3', '2026-13-01', '+12026-01-01', 'soon', ''])('are no %j', (text) => {
    expect(isDay(text)).toBe(false);
  });

  test('are those that fields of days write', () => expect(isDay('2024-02-29')).toBe(true));
});
