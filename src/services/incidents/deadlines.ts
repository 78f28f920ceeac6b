import { DateTime } from 'luxon';
import { HOUR } from '../../common/time.js';
import { LIMITS } from '../../values/limits.js';
import { zoneOf, type ClockFacts } from './applying-regimes.js';
import { byNumber, sentOf } from './report-order.js';
import type { Deadline, Period, Regime } from './reporting-regimes.js';

/** Null until its trigger has happened. */
export function dueOf(regime: Regime, deadline: Deadline, facts: ClockFacts): Date | null {
  const from = triggerOf(regime, deadline, facts);
  if (from === null) return null;
  const dueAt = instantAfter(from, deadline.period, facts);
  const { latestAwareHours } = deadline;
  if (latestAwareHours === null) return dueAt;
  const latest = instantAfter(facts.awareAt, { hours: latestAwareHours }, facts);
  return dueAt > latest && Date.parse(from) <= latest.getTime() ? latest : dueAt;
}

export function triggerOf(
  { id: regimeId }: Regime,
  { trigger, after }: Pick<Deadline, 'trigger' | 'after'>,
  facts: ClockFacts,
): string | null {
  if (trigger === 'AWARE') return facts.awareAt;
  // Awareness is the latest possible time.
  if (trigger === 'OCCURRED') return facts.occurredAt ?? facts.awareAt;
  if (trigger === 'CLASSIFIED') return facts.classifiedAt;
  if (trigger === 'HANDLED') return facts.handledAt;
  if (trigger === 'FIX_AVAILABLE') return facts.fixAvailableAt;
  if (after === null) return null;
  const sent = sentOf(facts, regimeId, after).filter(({ manner }) => manner !== 'NOT_DUE');
  return sent.toSorted(byNumber).at(-1)?.sentAt ?? null;
}

/**
 * Hours are exact. Days and months are calendar periods in the zone: in a shorter month they end on its last day, and of an
 * ambiguous time, when clocks are set back, the first one counts. The periods of a rehearsal are shorter.
 */
export function instantAfter(instant: string, period: Period, facts: ClockFacts): Date {
  const from = Date.parse(instant);
  const onCalendar = () =>
    DateTime.fromISO(instant, { zone: zoneOf(facts) })
      .plus(period)
      .getPossibleOffsets()[0]!;
  const due = period.hours === undefined ? onCalendar().toMillis() : from + period.hours * HOUR;
  return new Date(from + Math.round((due - from) / speedOf(facts)));
}

/** Factor by which periods of a rehearsal are shorter than the law's. */
export function speedOf({ rehearsal }: ClockFacts): number {
  return rehearsal ? LIMITS.incident.rehearsalSpeed : 1;
}

/** The end of the extension of a deadline by rules on its last day and on working days; a rehearsal has none. */
export function extensionOf(deadline: Deadline, dueAt: Date | null, facts: ClockFacts): Date | null {
  const { nextWorkingDay, wholeDays } = deadline;
  if (dueAt === null || facts.rehearsal) return null;
  const calendar = { country: facts.organizationFacts.values['country']?.[0] ?? '', zone: zoneOf(facts) };
  if (wholeDays !== null) return wholeDays.holidays.endOfWorkingDay(dueAt, calendar);
  return nextWorkingDay && nextWorkingDay.holidays.nextWorkingDay(dueAt, nextWorkingDay.until, calendar);
}
