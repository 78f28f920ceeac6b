import { DateTime } from 'luxon';
import { HOUR } from '../../common/time.js';
import type { RowOf } from '../../database/columns.js';
import type { IncidentReportStage } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import {
  isOptional,
  meets,
  type Condition,
  type Deadline,
  type Period,
  type Regime,
  type RegimeFacts,
  type RegimeStage,
} from './reporting-regimes.js';

/** Which report: the `number` counts those of one stage, from 1. */
export interface ReportKey {
  regimeId: string;
  stage: IncidentReportStage;
  number: number;
}

/** A report as it is recorded now. Instants are ISO 8601 in UTC. */
export interface SentReport extends ReportKey {
  sentAt: string;
  sentBy: string;
  recipient: string;
  reference: string;
  attachmentId: number | null;
  /** The deadline that an authority gave for it. */
  dueAt: string | null;
}

/** What regimes ask about an organization. */
export interface ReportingProfile {
  timeZone: string;
  country: string | null;
  entityType: string | null;
  sectors: readonly string[];
  nis2Sector: string;
  trustServiceProvider: boolean;
}

/** What the deadlines depend on. */
export interface ClockFacts extends Pick<
  RowOf<'incident'>,
  | ('awareAt' | 'handledAt' | 'fixAvailableAt' | 'intermediateReportDueAt')
  | ('significant' | 'personalDataConcerned' | 'affectsTrustService' | 'exploitedVulnerability' | 'productConcerned')
> {
  profile: ReportingProfile;
  sent: readonly SentReport[];
}

export type IncidentStageState = 'PENDING' | 'DUE_SOON' | 'SENT' | 'OVERDUE' | 'NOT_REQUIRED';

export interface IncidentStage extends ReportKey {
  regimeName: string;
  source: string;
  reason: string;
  state: IncidentStageState;
  /** Null where there is no deadline yet, or none any more. */
  dueAt: string | null;
  late: boolean;
  sentAt: string | null;
  sentBy: { username: string } | null;
  recipient: string;
  reference: string;
  attachmentId: number | null;
  /** When the first reminder is given. */
  soonAt: string | null;
}

export interface IncidentClock {
  /** Whether a regime applies at all. */
  applies: boolean;
  stages: readonly IncidentStage[];
}

/**
 * The reports that each regime asks for at `now`, in the order of regimes and stages. A report that is due at this very
 * instant is not overdue yet. Of a regime that does not apply there is only what was sent.
 */
export function reportingClock(regimes: readonly Regime[], facts: ClockFacts, now: Date): IncidentClock {
  const applying = applyingRegimes(regimes, facts);
  const stages = regimes.flatMap((regime) =>
    regime.stages.flatMap((stage) => {
      const expected = applying.includes(regime)
        ? expectedOf(regime, stage, facts, now)
        : sentOnly(regime, stage, facts);
      return expected.map((report) => stageOf(regime, stage, report, facts, now));
    }),
  );
  return { applies: applying.length > 0, stages };
}

export function isOwed({ state }: IncidentStage): boolean {
  return state !== 'SENT' && state !== 'NOT_REQUIRED';
}

/** A report that is owed and has a deadline. */
export interface DueReport extends IncidentStage {
  dueAt: string;
}

/** The reports that are owed and have a deadline, the first one first. */
export function dueReports({ stages }: IncidentClock): DueReport[] {
  return stages.filter((stage): stage is DueReport => isOwed(stage) && stage.dueAt !== null).toSorted(byDeadline);
}

export function byDeadline(one: DueReport, other: DueReport): number {
  return one.dueAt < other.dueAt ? -1 : one.dueAt > other.dueAt ? 1 : 0;
}

/** Those in force when the organization became aware whose conditions are met, without those that others replace. */
export function applyingRegimes(regimes: readonly Regime[], facts: ClockFacts): Regime[] {
  const values = valuesOf(facts);
  const met = inForce(regimes, facts).filter(({ when }) => meets(when, values));
  return met.filter(({ id }) => !met.some(({ replaces }) => replaces === id));
}

/** The facts that a condition names and that do not meet it. */
export function unmetFacts(condition: Condition, facts: ClockFacts): string[] {
  const values = valuesOf(facts);
  return Object.keys(condition).filter((fact) => !meets({ [fact]: condition[fact] ?? [] }, values));
}

export function inForce(regimes: readonly Regime[], { awareAt, profile }: ClockFacts): Regime[] {
  const day = DateTime.fromISO(awareAt, { zone: profile.timeZone }).toISODate() ?? '';
  return regimes.filter(({ validFrom, validUntil }) => validFrom <= day && day <= validUntil);
}

function valuesOf(facts: ClockFacts): RegimeFacts {
  const { country, entityType, sectors, nis2Sector, trustServiceProvider } = facts.profile;
  return {
    country: [country ?? ''],
    entity_type: [entityType ?? ''],
    sector: sectors,
    nis2_sector: [nis2Sector],
    trust_service_provider: [String(trustServiceProvider)],
    significant: [String(facts.significant)],
    personal_data_concerned: [String(facts.personalDataConcerned ?? false)],
    affects_trust_service: [String(facts.affectsTrustService ?? false)],
    exploited_vulnerability: [String(facts.exploitedVulnerability ?? false)],
    product_concerned: [String(facts.productConcerned ?? false)],
  };
}

/** A report that a stage asks for; without a deadline it waits for its trigger, unless it is not required. */
interface Expected {
  number: number;
  dueAt: Date | null;
  reason?: string;
  required?: false;
  /** How long its period is, in hours. */
  hours?: number;
}

const NOT_REQUIRED: Expected = { number: 1, dueAt: null, required: false };

function stageOf(
  regime: Regime,
  { stage, recipient }: RegimeStage,
  { number, dueAt, reason = regime.reason, required, hours = MONTH }: Expected,
  facts: ClockFacts,
  now: Date,
): IncidentStage {
  const key = { regimeId: regime.id, stage, number };
  const sent = findReport(facts.sent, key);
  const soonAt = dueAt && new Date(dueAt.getTime() - aheadOf(hours));
  return {
    ...key,
    ...{ regimeName: regime.name, source: regime.source.text, reason },
    state: sent ? 'SENT' : required === false ? 'NOT_REQUIRED' : stateAt(now, soonAt, dueAt),
    dueAt: dueAt && dueAt.toISOString(),
    late: sent !== undefined && dueAt !== null && Date.parse(sent.sentAt) > dueAt.getTime(),
    sentAt: sent?.sentAt ?? null,
    sentBy: sent ? { username: sent.sentBy } : null,
    recipient: sent?.recipient || recipient,
    reference: sent?.reference ?? '',
    attachmentId: sent?.attachmentId ?? null,
    soonAt: soonAt && soonAt.toISOString(),
  };
}

function stateAt(now: Date, soonAt: Date | null, dueAt: Date | null): IncidentStageState {
  if (dueAt === null || soonAt === null || now < soonAt) return 'PENDING';
  return now > dueAt ? 'OVERDUE' : 'DUE_SOON';
}

/** What was sent of a regime that does not apply, or not any more. */
function sentOnly(regime: Regime, { stage }: RegimeStage, facts: ClockFacts): Expected[] {
  return sentOf(facts, regime.id, stage).map(({ number }) => ({ number, dueAt: null }));
}

function expectedOf(regime: Regime, stage: RegimeStage, facts: ClockFacts, now: Date): Expected[] {
  if (stage.trigger === 'REQUEST') return requested(regime, stage, facts);
  if (stage.trigger === 'MONTHLY_WHILE_OPEN') return monthly(regime, stage, facts, now);
  const dueAt = dueOf(regime, stage, facts);
  const ongoing = dueAt !== null && (facts.handledAt === null || Date.parse(facts.handledAt) > dueAt.getTime());
  const values = { ...valuesOf(facts), ongoing: [String(ongoing)] };
  const derogation = stage.derogations.find(({ when }) => meets(when, values));
  if (derogation === undefined) return [{ number: 1, dueAt, hours: hoursOf(stage.period) }];
  const { reason, period } = derogation;
  return [{ number: 1, dueAt: dueOf(regime, derogation, facts), reason, hours: hoursOf(period) }];
}

/** Each request has its own report: that of the last one is expected unless one was sent for its deadline. */
function requested(regime: Regime, { stage }: RegimeStage, facts: ClockFacts): Expected[] {
  const { intermediateReportDueAt: asked } = facts;
  const sent = sentOf(facts, regime.id, stage);
  const expected: Expected[] = sent.map(({ number, dueAt }) => ({
    number,
    dueAt: dueAt === null ? null : new Date(dueAt),
  }));
  if (asked !== null && !sent.some(({ dueAt }) => dueAt === asked))
    expected.push({ number: numberAfter(sent), dueAt: new Date(asked), hours: DAYS });
  return expected.length === 0 ? [NOT_REQUIRED] : expected;
}

/** One for each month at whose end the incident was not handled and the final report not sent, up to the next one. */
function monthly(regime: Regime, { stage, after, atMost }: RegimeStage, facts: ClockFacts, now: Date): Expected[] {
  const from = triggerOf(regime, { trigger: 'NOTIFIED', after, period: {} }, facts);
  if (from === null) return [NOT_REQUIRED];
  const final = findReport(facts.sent, { regimeId: regime.id, stage: 'FINAL_REPORT', number: 1 })?.sentAt;
  const end = Math.min(...[facts.handledAt, final].map((instant) => (instant ? Date.parse(instant) : Infinity)));
  const expected: Expected[] = [];
  for (let number = 1; number <= atMost; number += 1) {
    const dueAt = instantAfter(from, { months: number }, facts.profile.timeZone);
    const isSent = findReport(facts.sent, { regimeId: regime.id, stage, number }) !== undefined;
    if (!isSent && dueAt.getTime() >= end) break;
    expected.push({ number, dueAt });
    if (!isSent && dueAt > now) break;
  }
  return expected.length === 0 ? [NOT_REQUIRED] : expected;
}

function dueOf(regime: Regime, deadline: Deadline, facts: ClockFacts): Date | null {
  const from = triggerOf(regime, deadline, facts);
  return from === null ? null : instantAfter(from, deadline.period, facts.profile.timeZone);
}

function triggerOf({ id: regimeId }: Regime, { trigger, after }: Deadline, facts: ClockFacts): string | null {
  if (trigger === 'AWARE') return facts.awareAt;
  if (trigger === 'HANDLED') return facts.handledAt;
  if (trigger === 'FIX_AVAILABLE') return facts.fixAvailableAt;
  return after && (findReport(facts.sent, { regimeId, stage: after, number: 1 })?.sentAt ?? null);
}

/** Hours are exact. Days and months are the calendar's in the zone: a month too short for the day ends with its last. */
function instantAfter(instant: string, period: Period, zone: string): Date {
  if (period.hours !== undefined) return new Date(Date.parse(instant) + period.hours * HOUR);
  return DateTime.fromISO(instant, { zone }).plus(period).toJSDate();
}

const DAYS = 72;
const MONTH = 30 * 24;

function hoursOf({ hours = 0, days = 0, months = 0 }: Period): number {
  return hours + days * 24 + months * MONTH;
}

/** How long before its deadline a report is due soon. */
function aheadOf(hours: number): number {
  const { dayReminderHours, daysReminderHours, monthReminderHours } = LIMITS.incident;
  return HOUR * (hours <= 24 ? dayReminderHours : hours <= DAYS ? daysReminderHours : monthReminderHours);
}

export function findReport<Report extends ReportKey>(reports: readonly Report[], key: ReportKey): Report | undefined {
  return reports.find(
    ({ regimeId, stage, number }) => regimeId === key.regimeId && stage === key.stage && number === key.number,
  );
}

/** What was sent of a stage. */
export function sentOf({ sent }: Pick<ClockFacts, 'sent'>, regimeId: string, stage: IncidentReportStage): SentReport[] {
  return sent.filter((report) => report.regimeId === regimeId && report.stage === stage);
}

/** The number of the report after those that were sent of a stage. */
export function numberAfter(sent: readonly SentReport[]): number {
  return Math.max(0, ...sent.map(({ number }) => number)) + 1;
}

export interface Neighbours {
  /** Whether a report is missing that has to be sent first. */
  waits: boolean;
  /** Whether a report was sent that waits for this one. */
  isFollowed: boolean;
  /** When the last one before it and the first one after it were sent. */
  before: string | null;
  after: string | null;
}

/** What a report of a regime stands between. Optional stages have no order among each other. */
export function neighboursOf(regime: Regime, sent: readonly SentReport[], key: ReportKey): Neighbours {
  const place = (stage: IncidentReportStage) => regime.stages.findIndex((each) => each.stage === stage);
  const own = regime.stages[place(key.stage)] as RegimeStage;
  const others = sent
    .filter(({ regimeId }) => regimeId === regime.id)
    .map((report) => ({ ...report, distance: place(report.stage) - place(key.stage) || report.number - key.number }))
    .filter(({ stage, distance }) => {
      const other = regime.stages[place(stage)];
      return distance !== 0 && other !== undefined && (stage === key.stage || !isOptional(own) || !isOptional(other));
    });
  const required = regime.stages.slice(0, place(key.stage)).filter((stage) => !isOptional(stage));
  const missing = required.some(({ stage }) => !others.some((report) => report.stage === stage));
  const previous = others.some(({ stage, number }) => stage === key.stage && number === key.number - 1);
  const before = others.filter(({ distance }) => distance < 0);
  const after = others.filter(({ distance }) => distance > 0);
  const instants = (reports: readonly SentReport[]) => reports.map(({ sentAt }) => sentAt).toSorted();
  return {
    waits: missing || (key.number > 1 && !previous),
    isFollowed: after.some(({ stage }) => stage === key.stage || !isOptional(own)),
    before: instants(before).at(-1) ?? null,
    after: instants(after)[0] ?? null,
  };
}

/** Whether a change lets a report be sent later or never. Progress that the end of the handling spares is none. */
export function relaxes(before: IncidentClock, after: IncidentClock, now: Date): boolean {
  return before.stages.some((stage) => {
    if (!isOwed(stage) || stage.dueAt === null) return false;
    if (stage.stage === 'PROGRESS_REPORT' && Date.parse(stage.dueAt) > now.getTime()) return false;
    const same = findReport(after.stages, stage);
    return same === undefined || same.state === 'NOT_REQUIRED' || same.dueAt === null || same.dueAt > stage.dueAt;
  });
}
