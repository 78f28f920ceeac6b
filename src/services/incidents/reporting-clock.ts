import { HOUR } from '../../common/time.js';
import type { ReportJudgement } from '../../entities/incidents.js';
import { INCIDENT_REPORT_STAGES, type IncidentStageState, type ReportManner } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import {
  applyingRegimes,
  outOfScope,
  valuesOf,
  type ClockFacts,
  type RegimeOutOfScope,
  type ReportKey,
  type SentReport,
} from './applying-regimes.js';
import { dueOf, extensionOf, instantAfter, speedOf, triggerOf } from './deadlines.js';
import { findReport, numberAfter, sentOf } from './report-order.js';
import { meets, type Period, type Regime, type RegimeStage } from './reporting-regimes.js';

export interface IncidentStage extends ReportKey {
  regimeName: string;
  source: string;
  reason: string;
  state: IncidentStageState;
  /** Null without a deadline, not yet or not any more. */
  dueAt: string | null;
  /** Until when it may be sent by a rule on working days or on its last day; it is late afterwards. */
  extendedTo: string | null;
  late: boolean;
  sentAt: string | null;
  sentBy: { username: string } | null;
  recipient: string;
  /** Address of the portal where it is sent; null where none is known, or the regime does not apply. */
  portalUrl: string | null;
  reference: string;
  attachmentId: number | null;
  manner: ReportManner | null;
  /** For a report that was not sent: the earlier report with its content, or why it is not due. */
  mannerReason: string | null;
  /** The judgement of a recorded report by the present facts, if it differs. */
  judgedNow: JudgedNow | null;
  /** The deadline by the present facts; for an outstanding report, `dueAt`. */
  derivedDueAt: string | null;
  /** When the first reminder is sent. */
  soonAt: string | null;
}

interface JudgedNow {
  applies: boolean;
  dueAt: string | null;
  late: boolean;
}

export interface IncidentClock {
  /** Whether a regime applies at all. */
  applies: boolean;
  /** The facts of the organization, and their instant. */
  factsAsOf: string;
  facts: readonly { fact: string; values: readonly string[] }[];
  outOfScope: readonly RegimeOutOfScope[];
  stages: readonly IncidentStage[];
}

/**
 * The expected reports of each regime at `now`, in the order of regimes and stages, and other reports that were sent. A
 * report due at this very instant is not overdue yet. Sent reports have the judgement of their recording.
 */
export function reportingClock(regimes: readonly Regime[], facts: ClockFacts, now: Date): IncidentClock {
  const applying = applyingRegimes(regimes, facts);
  const expected = applying.flatMap((regime) =>
    regime.stages.flatMap((stage) =>
      expectedOf(regime, stage, facts, now).map((report) => stageOf(regime, stage, report, facts, now)),
    ),
  );
  // Reports of a regime that does not apply, or not any more, and those that an applying regime does not require.
  const others = facts.sent
    .filter((report) => findReport(expected, report) === undefined)
    .map((report) => sentStage(report, judge(regimes, facts, report, now).judgement, null));
  const place = ({ regimeId }: ReportKey) => regimes.findIndex(({ id }) => id === regimeId);
  const stages = [...expected, ...others].toSorted(
    (one, other) =>
      place(one) - place(other) ||
      INCIDENT_REPORT_STAGES.indexOf(one.stage) - INCIDENT_REPORT_STAGES.indexOf(other.stage) ||
      one.number - other.number,
  );
  const { factsAsOf } = facts;
  const recorded = Object.entries(facts.organizationFacts.values).map(([fact, values]) => ({ fact, values }));
  return { applies: applying.length > 0, factsAsOf, facts: recorded, outOfScope: outOfScope(regimes, facts), stages };
}

/** The judgement stored with a report that is recorded now: its deadline, and why it applies. */
export function judge(
  regimes: readonly Regime[],
  facts: ClockFacts,
  key: ReportKey,
  now: Date,
): Pick<SentReport, 'dueAt'> & { judgement: ReportJudgement } {
  const applying = applyingRegimes(regimes, facts).find(({ id }) => id === key.regimeId);
  const stage = applying?.stages.find((each) => each.stage === key.stage);
  if (applying === undefined || stage === undefined) return { dueAt: null, judgement: voluntary(regimes, key) };
  const expected = expectedOf(applying, stage, facts, now).find(({ number }) => number === key.number);
  const { name: regimeName, source } = applying;
  const reason = expected?.reason ?? reasonOf(applying, stage);
  return {
    dueAt: expected?.dueAt?.toISOString() ?? null,
    judgement: {
      ...{ applies: true, regimeName, source: source.text, reason, recipient: stage.recipient },
      extendedTo: expected?.extendedTo?.toISOString() ?? null,
    },
  };
}

const VOLUNTARY = { sentence: 'It was sent although the regime did not apply.' };

function voluntary(regimes: readonly Regime[], { regimeId, stage }: ReportKey): ReportJudgement {
  const regime = regimes.findLast(({ id }) => id === regimeId);
  const recipient = regime?.stages.find((each) => each.stage === stage)?.recipient ?? '';
  const source = regime?.source.text ?? '';
  return { applies: false, regimeName: regime?.name ?? regimeId, source, reason: VOLUNTARY.sentence, recipient };
}

export function isOwed({ state }: IncidentStage): boolean {
  return state !== 'SENT' && state !== 'NOT_REQUIRED' && state !== 'TO_BE_DECIDED';
}

/** An outstanding report (`isOwed`) with a deadline. */
export interface DueReport extends IncidentStage {
  dueAt: string;
}

/** The outstanding reports with a deadline, the first one first. */
export function dueReports({ stages }: IncidentClock): DueReport[] {
  return stages.filter((stage): stage is DueReport => isOwed(stage) && stage.dueAt !== null).toSorted(byDeadline);
}

/** The end of the extension, or else the deadline: it is not overdue before. */
export function endOf({ dueAt, extendedTo }: Pick<DueReport, 'dueAt' | 'extendedTo'>): string {
  return extendedTo ?? dueAt;
}

export function byDeadline(one: DueReport, other: DueReport): number {
  return endOf(one) < endOf(other) ? -1 : endOf(one) > endOf(other) ? 1 : 0;
}

/** An expected report of a stage; without a deadline it waits for its trigger, unless it is not required. */
interface Expected {
  number: number;
  dueAt: Date | null;
  extendedTo?: Date | null;
  reason?: string;
  required?: false;
  /** How long its period is, in hours. */
  hours?: number;
}

const NOT_REQUIRED: Expected = { number: 1, dueAt: null, required: false };

function stageOf(
  regime: Regime,
  regimeStage: RegimeStage,
  { number, dueAt, required, hours = MONTH, ...expected }: Expected,
  facts: ClockFacts,
  now: Date,
): IncidentStage {
  const { stage, recipient, portalUrl, onlyWhere } = regimeStage;
  const reason = expected.reason ?? reasonOf(regime, regimeStage);
  const key = { regimeId: regime.id, stage, number };
  const sent = findReport(facts.sent, key);
  const derivedDueAt = dueAt && dueAt.toISOString();
  const extendedTo = expected.extendedTo?.toISOString() ?? null;
  const judgement = {
    applies: true,
    regimeName: regime.name,
    source: regime.source.text,
    reason,
    recipient,
    extendedTo,
  };
  if (sent !== undefined) return { ...sentStage(sent, judgement, derivedDueAt), portalUrl };
  const soonAt = dueAt && new Date(dueAt.getTime() - aheadOf(hours) / speedOf(facts));
  return {
    ...key,
    ...{ regimeName: judgement.regimeName, source: judgement.source, reason, recipient, portalUrl },
    state:
      required === false
        ? 'NOT_REQUIRED'
        : onlyWhere
          ? 'TO_BE_DECIDED'
          : stateAt(now, soonAt, expected.extendedTo ?? dueAt),
    ...{ dueAt: derivedDueAt, extendedTo, derivedDueAt, late: false, judgedNow: null },
    ...{ sentAt: null, sentBy: null, reference: '', attachmentId: null, manner: null, mannerReason: null },
    soonAt: soonAt && soonAt.toISOString(),
  };
}

function reasonOf({ reason }: Regime, { onlyWhere }: RegimeStage): string {
  return onlyWhere === null ? reason : `${reason} ${onlyWhere}`;
}

/** A report as judged at its recording, with the present judgement. */
function sentStage(report: SentReport, derived: ReportJudgement, derivedDueAt: string | null): IncidentStage {
  const { regimeId, stage, number, sentAt, sentBy, reference, attachmentId, manner } = report;
  const isJudged = report.judgement !== null;
  const { regimeName, source, reason, recipient, applies, extendedTo = null } = report.judgement ?? derived;
  const dueAt = isJudged ? report.dueAt : derivedDueAt;
  const isAfter = (deadline: string | null) => deadline !== null && Date.parse(sentAt) > Date.parse(deadline);
  const isNotDue = manner === 'NOT_DUE';
  const late = isAfter(extendedTo ?? dueAt);
  const lateNow = isAfter(derived.extendedTo ?? derivedDueAt);
  const isSame = isNotDue || (applies === derived.applies && dueAt === derivedDueAt && late === lateNow);
  return {
    ...{ regimeId, stage, number, regimeName, source, reason, recipient: report.recipient || recipient },
    ...{ state: isNotDue ? 'NOT_REQUIRED' : 'SENT', dueAt, extendedTo, derivedDueAt, soonAt: null, portalUrl: null },
    late: !isNotDue && late,
    judgedNow: isSame ? null : { applies: derived.applies, dueAt: derivedDueAt, late: lateNow },
    ...{ sentAt, sentBy: { username: sentBy }, reference, attachmentId, manner },
    mannerReason: manner === 'SENT' ? null : report.reason,
  };
}

function stateAt(now: Date, soonAt: Date | null, dueAt: Date | null): IncidentStageState {
  if (dueAt === null || soonAt === null || now < soonAt) return 'PENDING';
  return now > dueAt ? 'OVERDUE' : 'DUE_SOON';
}

function expectedOf(regime: Regime, stage: RegimeStage, facts: ClockFacts, now: Date): Expected[] {
  if (stage.sinceFacts > facts.organizationFacts.version) return [];
  if (stage.trigger === 'REQUEST') return requested(regime, stage, facts);
  if (stage.trigger === 'MONTHLY_WHILE_OPEN') return monthly(regime, stage, facts, now);
  const dueAt = dueOf(regime, stage, facts);
  const ongoing = dueAt !== null && (facts.handledAt === null || Date.parse(facts.handledAt) > dueAt.getTime());
  const values = { ...valuesOf(facts), ongoing: [String(ongoing)] };
  const derogation = stage.derogations.find(({ when }) => meets(when, values));
  const updates = updatesOf(regime, stage, facts);
  if (derogation === undefined)
    return [
      { number: 1, dueAt, extendedTo: extensionOf(stage, dueAt, facts), hours: hoursOf(stage.period) },
      ...updates,
    ];
  const { reason, period } = derogation;
  const derogated = dueOf(regime, derogation, facts);
  const extendedTo = extensionOf(derogation, derogated, facts);
  return [{ number: 1, dueAt: derogated, extendedTo, reason, hours: hoursOf(period) }, ...updates];
}

/** Sent updates of a report. */
function updatesOf({ id }: Regime, { stage, updates }: RegimeStage, facts: ClockFacts): Expected[] {
  const sent = updates ? sentOf(facts, id, stage).filter(({ number }) => number > 1) : [];
  return sent.map(({ number }) => ({ number, dueAt: null }));
}

/** Each request has its own report: that of the last request is expected unless one was sent for its deadline. */
function requested(regime: Regime, { stage }: RegimeStage, facts: ClockFacts): Expected[] {
  const { intermediateReportDueAt: requestedFor } = facts;
  const sent = sentOf(facts, regime.id, stage);
  const expected: Expected[] = sent.map(({ number, dueAt }) => ({
    number,
    dueAt: dueAt === null ? null : new Date(dueAt),
  }));
  if (requestedFor !== null && !sent.some(({ dueAt }) => dueAt === requestedFor))
    expected.push({ number: numberAfter(sent), dueAt: new Date(requestedFor), hours: DAYS });
  return expected.length === 0 ? [NOT_REQUIRED] : expected;
}

/** One for each month at whose end handling had not ended and the final report was not sent, up to the next one. */
function monthly(regime: Regime, { stage, after, atMost }: RegimeStage, facts: ClockFacts, now: Date): Expected[] {
  const from = triggerOf(regime, { trigger: 'NOTIFIED', after }, facts);
  if (from === null) return [NOT_REQUIRED];
  const final = findReport(facts.sent, { regimeId: regime.id, stage: 'FINAL_REPORT', number: 1 })?.sentAt;
  const end = Math.min(...[facts.handledAt, final].map((instant) => (instant ? Date.parse(instant) : Infinity)));
  const expected: Expected[] = [];
  for (let number = 1; number <= atMost; number += 1) {
    const dueAt = instantAfter(from, { months: number }, facts);
    const sent = findReport(facts.sent, { regimeId: regime.id, stage, number });
    const isRequired = dueAt.getTime() < end;
    if (sent === undefined && !isRequired) break;
    // A report recorded without being required has no deadline.
    const isExtra = !isRequired && sent?.dueAt === null && sent.judgement !== null;
    expected.push({ number, dueAt: isExtra ? null : dueAt });
    if (sent === undefined && dueAt > now) break;
  }
  return expected.length === 0 ? [NOT_REQUIRED] : expected;
}

const DAYS = 72;
const MONTH = 30 * 24;

function hoursOf({ hours = 0, days = 0, months = 0 }: Period): number {
  return hours + days * 24 + months * MONTH;
}

/** Period before its deadline in which a report is due soon. */
function aheadOf(hours: number): number {
  const { dayReminderHours, daysReminderHours, monthReminderHours } = LIMITS.incident;
  return HOUR * (hours <= 24 ? dayReminderHours : hours <= DAYS ? daysReminderHours : monthReminderHours);
}

/**
 * Whether a change postpones or removes a report, or makes the judgement of a sent report milder. Progress reports that
 * become unnecessary by the end of handling do not count.
 */
export function relaxes(before: IncidentClock, after: IncidentClock, now: Date): boolean {
  return before.stages.some((stage) => {
    const { derivedDueAt: dueAt, state } = stage;
    if (state === 'NOT_REQUIRED' || state === 'TO_BE_DECIDED' || dueAt === null) return false;
    if (stage.stage === 'PROGRESS_REPORT' && state !== 'SENT' && Date.parse(dueAt) > now.getTime()) return false;
    const same = findReport(after.stages, stage);
    return same === undefined || same.derivedDueAt === null || same.derivedDueAt > dueAt;
  });
}
