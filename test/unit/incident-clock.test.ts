import { describe, expect, test } from '@jest/globals';
import { mock } from 'node:test';
import { incidentClock, type IncidentClockFacts } from '../../src/services/incidents/deadlines.js';

const AWARE_AT = '2026-03-10T08:15:30.250Z';

function clock(facts: Partial<IncidentClockFacts>, now: string) {
  const nothingSent: IncidentClockFacts = {
    awareAt: AWARE_AT,
    significant: true,
    earlyWarningSentAt: null,
    earlyWarningSentBy: null,
    notificationSentAt: null,
    notificationSentBy: null,
    finalReportSentAt: null,
    finalReportSentBy: null,
  };
  return incidentClock({ ...nothingSent, ...facts }, new Date(now));
}

/** What the final report's stage is when the notification was sent at `sentAt`. */
function report(sentAt: string, now = sentAt) {
  return clock({ notificationSentAt: sentAt, notificationSentBy: 'ada' }, now).finalReport;
}

describe('the early warning', () => {
  test.each([
    ['one millisecond before it is due', '2026-03-11T08:15:30.249Z', 'PENDING'],
    ['at the very instant it is due', '2026-03-11T08:15:30.250Z', 'PENDING'],
    ['one millisecond after it was due', '2026-03-11T08:15:30.251Z', 'OVERDUE'],
  ])('%s', (_when, now, state) => {
    const { earlyWarning } = clock({}, now);
    expect(earlyWarning).toEqual({ state, dueAt: '2026-03-11T08:15:30.250Z', sentAt: null, sentBy: null });
  });

  test('is pending at the moment of becoming aware', () => {
    expect(clock({}, AWARE_AT).earlyWarning.state).toBe('PENDING');
  });
});

describe('the notification', () => {
  test.each([
    ['one millisecond before it is due', '2026-03-13T08:15:30.249Z', 'PENDING'],
    ['at the very instant it is due', '2026-03-13T08:15:30.250Z', 'PENDING'],
    ['one millisecond after it was due', '2026-03-13T08:15:30.251Z', 'OVERDUE'],
  ])('%s', (_when, now, state) => {
    const { notification } = clock({}, now);
    expect(notification).toEqual({ state, dueAt: '2026-03-13T08:15:30.250Z', sentAt: null, sentBy: null });
  });

  test('counts real hours where the local clock changes', () => {
    const { notification } = clock({ awareAt: '2026-03-28T12:00:00.000Z' }, '2026-03-28T12:00:00Z');
    expect(notification.dueAt).toBe('2026-03-31T12:00:00.000Z');
  });
});

describe('the final report', () => {
  test('is pending without a due date while the notification is not sent, however late it is', () => {
    const { finalReport } = clock({}, '2031-01-01T00:00:00Z');
    expect(finalReport).toEqual({ state: 'PENDING', dueAt: null, sentAt: null, sentBy: null });
  });

  test.each([
    ['one millisecond before it is due', '2026-04-12T16:00:00.999Z', 'PENDING'],
    ['at the very instant it is due', '2026-04-12T16:00:01.000Z', 'PENDING'],
    ['one millisecond after it was due', '2026-04-12T16:00:01.001Z', 'OVERDUE'],
  ])('%s', (_when, now, state) => {
    const stage = report('2026-03-12T16:00:01.000Z', now);
    expect(stage).toEqual({ state, dueAt: '2026-04-12T16:00:01.000Z', sentAt: null, sentBy: null });
  });

  test.each([
    ['31 January to 28 February', '2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['31 January to 29 February of a leap year', '2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
    ['30 January to 29 February of a leap year', '2028-01-30T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
    ['29 January to 28 February', '2026-01-29T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['31 January to 28 February of a century that leaps not', '2100-01-31T10:00:00.000Z', '2100-02-28T10:00:00.000Z'],
    ['31 January to 29 February of a century that leaps', '2000-01-31T10:00:00.000Z', '2000-02-29T10:00:00.000Z'],
    ['29 February to 29 March', '2028-02-29T23:59:59.999Z', '2028-03-29T23:59:59.999Z'],
    ['28 February to 28 March, not to the last day', '2026-02-28T00:00:00.000Z', '2026-03-28T00:00:00.000Z'],
    ['31 March to 30 April', '2026-03-31T23:30:00.000Z', '2026-04-30T23:30:00.000Z'],
    ['31 December to 31 January of the next year', '2026-12-31T10:00:00.000Z', '2027-01-31T10:00:00.000Z'],
  ])('goes from %s', (_title, sentAt, dueAt) => {
    expect(report(sentAt).dueAt).toBe(dueAt);
  });

  test('is due by the calendar of UTC, whatever zone the machine is in', () => {
    const local = ['getDate', 'getMonth', 'getFullYear', 'setDate', 'setMonth', 'setFullYear'] as const;
    const spies = local.map((name) => mock.method(Date.prototype, name));
    try {
      expect(report('2026-01-31T23:30:00.000Z').dueAt).toBe('2026-02-28T23:30:00.000Z');
      for (const spy of spies) expect(spy.mock.callCount()).toBe(0);
    } finally {
      for (const spy of spies) spy.mock.restore();
    }
  });
});

describe('what was sent', () => {
  test('is sent, by whom and when, also when it was sent too late', () => {
    const sent = { earlyWarningSentAt: '2026-03-20T00:00:00.000Z', earlyWarningSentBy: 'ada' };
    expect(clock(sent, '2026-04-01T00:00:00Z').earlyWarning).toEqual({
      state: 'SENT',
      dueAt: '2026-03-11T08:15:30.250Z',
      sentAt: '2026-03-20T00:00:00.000Z',
      sentBy: { username: 'ada' },
    });
  });

  test('stays with its own stage', () => {
    const { earlyWarning, notification, finalReport } = clock(
      {
        earlyWarningSentAt: '2026-03-10T09:00:00.000Z',
        earlyWarningSentBy: 'ada',
        notificationSentAt: '2026-03-11T09:00:00.000Z',
        notificationSentBy: 'bob',
        finalReportSentAt: '2026-03-12T09:00:00.000Z',
        finalReportSentBy: 'cleo',
      },
      '2027-01-01T00:00:00Z',
    );
    expect([earlyWarning, notification, finalReport]).toEqual([
      {
        state: 'SENT',
        dueAt: '2026-03-11T08:15:30.250Z',
        sentAt: '2026-03-10T09:00:00.000Z',
        sentBy: { username: 'ada' },
      },
      {
        state: 'SENT',
        dueAt: '2026-03-13T08:15:30.250Z',
        sentAt: '2026-03-11T09:00:00.000Z',
        sentBy: { username: 'bob' },
      },
      {
        state: 'SENT',
        dueAt: '2026-04-11T09:00:00.000Z',
        sentAt: '2026-03-12T09:00:00.000Z',
        sentBy: { username: 'cleo' },
      },
    ]);
  });

  test('keeps its state when a final report went out before any notification', () => {
    const { finalReport } = clock({ finalReportSentAt: AWARE_AT, finalReportSentBy: 'ada' }, AWARE_AT);
    expect(finalReport).toEqual({ state: 'SENT', dueAt: null, sentAt: AWARE_AT, sentBy: { username: 'ada' } });
  });
});

describe('an incident that is not significant', () => {
  test('owes nothing: no report has a deadline, and none is overdue however late it is', () => {
    const nothing = { state: 'PENDING', dueAt: null, sentAt: null, sentBy: null };
    expect(clock({ significant: false }, '2031-01-01T00:00:00Z')).toEqual({
      applies: false,
      earlyWarning: nothing,
      notification: nothing,
      finalReport: nothing,
    });
  });

  test('shows what was sent all the same', () => {
    const sent = { significant: false, notificationSentAt: '2026-03-11T09:00:00.000Z', notificationSentBy: 'ada' };
    expect(clock(sent, '2031-01-01T00:00:00Z')).toMatchObject({
      notification: { state: 'SENT', dueAt: null, sentAt: '2026-03-11T09:00:00.000Z', sentBy: { username: 'ada' } },
      finalReport: { state: 'PENDING', dueAt: null },
    });
  });

  test('has its deadlines from the beginning once it turns out to be significant', () => {
    expect(clock({}, '2026-03-12T00:00:00Z')).toMatchObject({ applies: true, earlyWarning: { state: 'OVERDUE' } });
  });
});
