import { describe, expect, test } from '@jest/globals';
import { firstDueAt, newestDue, weekOf } from '../../src/services/shared/report-week.js';

const MONDAY = 1;
const FRIDAY = 5;
const SUNDAY = 7;

/** The report that is due at an instant, as `week dueAt`. */
function due(now: string, timeZone: string, weekday: number): string {
  const { week, dueAt } = newestDue(new Date(now), timeZone, weekday);
  return `${week} ${dueAt.toISOString()}`;
}

describe('a weekly report', () => {
  test('is due at eight in the morning where the organization is, to the millisecond', () => {
    expect(due('2026-11-23T06:59:59.999Z', 'Europe/Rome', MONDAY)).toBe('2026-W47 2026-11-16T07:00:00.000Z');
    expect(due('2026-11-23T07:00:00.000Z', 'Europe/Rome', MONDAY)).toBe('2026-W48 2026-11-23T07:00:00.000Z');
  });

  test.each([
    ['Pacific/Kiritimati', '2026-11-22T18:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-23T02:15:00.000Z'],
    ['UTC', '2026-11-23T08:00:00.000Z'],
    ['America/St_Johns', '2026-11-23T11:30:00.000Z'],
    ['Pacific/Pago_Pago', '2026-11-23T19:00:00.000Z'],
  ])('comes by the calendar of %s', (timeZone, dueAt) => {
    expect(due(dueAt, timeZone, MONDAY)).toBe(`2026-W48 ${dueAt}`);
    const before = new Date(Date.parse(dueAt) - 1).toISOString();
    expect(due(before, timeZone, MONDAY)).toMatch(/^2026-W47 /);
  });

  test('that is late still belongs to its own week, also over a Sunday', () => {
    expect(due('2026-11-23T03:00:00Z', 'Europe/Rome', SUNDAY)).toBe('2026-W47 2026-11-22T07:00:00.000Z');
    expect(due('2026-11-28T23:00:00Z', 'Europe/Rome', SUNDAY)).toBe('2026-W47 2026-11-22T07:00:00.000Z');
  });

  test.each([
    // Clocks go forward on Sunday 29 March 2026, back on Sunday 25 October 2026.
    ['2026-03-29T12:00:00Z', SUNDAY, '2026-W13 2026-03-29T06:00:00.000Z'],
    ['2026-03-28T12:00:00Z', FRIDAY, '2026-W13 2026-03-27T07:00:00.000Z'],
    ['2026-03-30T06:00:00Z', MONDAY, '2026-W14 2026-03-30T06:00:00.000Z'],
    ['2026-10-25T06:59:59Z', SUNDAY, '2026-W42 2026-10-18T06:00:00.000Z'],
    ['2026-10-25T07:00:00Z', SUNDAY, '2026-W43 2026-10-25T07:00:00.000Z'],
  ])('keeps its hour when the clocks are changed (%s)', (now, weekday, expected) => {
    expect(due(now, 'Europe/Rome', weekday)).toBe(expected);
  });

  test('has a fifty-third week in the years that have one, and none in the others', () => {
    expect(due('2026-12-28T12:00:00Z', 'UTC', MONDAY)).toBe('2026-W53 2026-12-28T08:00:00.000Z');
    expect(due('2027-01-02T12:00:00Z', 'UTC', FRIDAY)).toBe('2026-W53 2027-01-01T08:00:00.000Z');
    expect(due('2027-01-04T12:00:00Z', 'UTC', MONDAY)).toBe('2027-W01 2027-01-04T08:00:00.000Z');
    expect(due('2027-01-03T12:00:00Z', 'UTC', MONDAY)).toBe('2026-W53 2026-12-28T08:00:00.000Z');
    expect(due('2027-12-31T12:00:00Z', 'UTC', FRIDAY)).toBe('2027-W52 2027-12-31T08:00:00.000Z');
    expect(due('2025-12-29T12:00:00Z', 'UTC', MONDAY)).toBe('2026-W01 2025-12-29T08:00:00.000Z');
  });

  test('is due once in each ISO week, whatever the weekday, the zone and the year', () => {
    const zones = ['UTC', 'Europe/Rome', 'America/Sao_Paulo', 'Australia/Lord_Howe'];
    for (const weekday of [1, 2, 3, 4, 5, 6, 7]) {
      const timeZone = zones[weekday % zones.length]!;
      const weeks: string[] = [];
      for (let day = 0; day < 1_500; day += 1) {
        const { week } = newestDue(new Date(Date.UTC(2025, 0, 6 + day, 23)), timeZone, weekday);
        if (week !== weeks.at(-1)) weeks.push(week);
      }
      expect(new Set(weeks).size).toBe(weeks.length);
      expect(weeks.length).toBeGreaterThanOrEqual(214);
      expect(weeks).toEqual(weeks.toSorted());
    }
  });
});

test('a week is that of the zone', () => {
  const now = new Date('2026-12-27T23:30:00Z');
  expect(weekOf(now, 'UTC')).toBe('2026-W52');
  expect(weekOf(now, 'Europe/Rome')).toBe('2026-W53');
});

test('The first report of a new organization is due when the next one is in the calendar that it begins with.', () => {
  for (let hour = 0; hour < 3 * 7 * 24; hour += 1)
    for (const now of [Date.UTC(2026, 11, 20, hour), Date.UTC(2026, 11, 20, hour) - 1].map((time) => new Date(time)))
      expect(firstDueAt(now)).toEqual(newestDue(now, 'UTC', 1).nextDueAt);
});
