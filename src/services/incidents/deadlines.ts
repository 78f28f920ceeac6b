import { HOUR } from '../../common/time.js';
import type { RowOf } from '../../database/columns.js';
import { LIMITS } from '../../values/limits.js';

/** What the deadlines depend on. Instants are ISO 8601 in UTC; only a `significant` incident owes reports (Article 23(3)). */
export type IncidentClockFacts = Pick<
  RowOf<'incident'>,
  'awareAt' | 'significant' | `${'earlyWarning' | 'notification' | 'finalReport'}Sent${'At' | 'By'}`
>;

export interface IncidentStage {
  state: 'PENDING' | 'SENT' | 'OVERDUE';
  /** ISO 8601 in UTC; null where no report is owed, and for a final report before its notification was sent. */
  dueAt: string | null;
  sentAt: string | null;
  sentBy: { username: string } | null;
}

export interface IncidentClock {
  /** Whether the reports are owed at all. */
  applies: boolean;
  earlyWarning: IncidentStage;
  notification: IncidentStage;
  finalReport: IncidentStage;
}

/**
 * The deadlines of NIS 2 Article 23(4) at `now`, counted from `awareAt` even when the incident became significant later.
 * A report that was sent late is SENT; one that is due at this very instant is not overdue yet.
 */
export function incidentClock(facts: IncidentClockFacts, now: Date): IncidentClock {
  const { earlyWarningHours, notificationHours, finalReportMonths } = LIMITS.incident;
  const { awareAt, significant, notificationSentAt } = facts;
  const reportDueAt = notificationSentAt === null ? null : monthsAfter(notificationSentAt, finalReportMonths);
  return {
    applies: significant,
    earlyWarning: stage(hoursAfter(awareAt, earlyWarningHours), facts.earlyWarningSentAt, facts.earlyWarningSentBy),
    notification: stage(hoursAfter(awareAt, notificationHours), notificationSentAt, facts.notificationSentBy),
    finalReport: stage(reportDueAt, facts.finalReportSentAt, facts.finalReportSentBy),
  };

  function stage(deadline: Date | null, sentAt: string | null, sentBy: string | null): IncidentStage {
    const due = significant ? deadline : null;
    const dueAt = due === null ? null : due.toISOString();
    if (sentAt !== null) return { state: 'SENT', dueAt, sentAt, sentBy: sentBy === null ? null : { username: sentBy } };
    return { state: due !== null && now > due ? 'OVERDUE' : 'PENDING', dueAt, sentAt: null, sentBy: null };
  }
}

function hoursAfter(instant: string, hours: number): Date {
  return new Date(Date.parse(instant) + hours * HOUR);
}

/** The same day and time of a later month in UTC, or the last day of a month that is too short for it. */
function monthsAfter(instant: string, months: number): Date {
  const later = new Date(instant);
  const day = later.getUTCDate();
  // From the first day, or the months would be counted from a day that the next month may not have.
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  later.setUTCDate(Math.min(day, daysInMonth(later)));
  return later;
}

function daysInMonth(instant: Date): number {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 0)).getUTCDate();
}
