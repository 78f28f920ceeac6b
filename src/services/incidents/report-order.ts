import type { IncidentReportStage } from '../../values/enums.js';
import type { ClockFacts, ReportKey, SentReport } from './applying-regimes.js';
import { isOptional, type Regime, type RegimeStage } from './reporting-regimes.js';

export interface Neighbours {
  /** Whether a report is missing that must be sent first. */
  waits: boolean;
  /** Whether a report was sent that must wait for this one. */
  isFollowed: boolean;
  /** When the last preceding and the first following report were sent. */
  before: string | null;
  after: string | null;
}

/**
 * The reports before and after one. Optional stages are not ordered among each other, and reports to persons are sent
 * at any time.
 */
export function neighboursOf(regime: Regime, sent: readonly SentReport[], key: ReportKey): Neighbours {
  const place = (stage: IncidentReportStage) => regime.stages.findIndex((each) => each.stage === stage);
  const own = regime.stages[place(key.stage)] as RegimeStage;
  const others = sent
    .filter(({ regimeId }) => regimeId === regime.id)
    .map((report) => ({ ...report, distance: place(report.stage) - place(key.stage) || report.number - key.number }))
    .filter(({ stage, distance }) => {
      const other = regime.stages[place(stage)];
      if (distance === 0 || other === undefined) return false;
      return stage === key.stage || (isOrdered(own) && isOrdered(other) && !(isOptional(own) && isOptional(other)));
    });
  const required = isOrdered(own) ? regime.stages.slice(0, place(key.stage)).filter((each) => !isOptional(each)) : [];
  const missing = required.some(({ stage }) => !others.some((report) => report.stage === stage));
  const previous = others.some(({ stage, number }) => stage === key.stage && number === key.number - 1);
  const before = others.filter(({ distance }) => distance < 0);
  const after = others.filter(({ distance }) => distance > 0);
  const instants = (reports: readonly SentReport[]) =>
    reports.flatMap(({ sentAt, manner }) => (manner === 'NOT_DUE' ? [] : [sentAt])).toSorted();
  return {
    waits: missing || (key.number > 1 && !previous),
    isFollowed: after.some(({ stage }) => stage === key.stage || !isOptional(own)),
    before: instants(before).at(-1) ?? null,
    after: instants(after)[0] ?? null,
  };
}

const isOrdered = ({ addressee }: RegimeStage) => addressee === 'AUTHORITY';

export function findReport<Report extends ReportKey>(reports: readonly Report[], key: ReportKey): Report | undefined {
  return reports.find(
    ({ regimeId, stage, number }) => regimeId === key.regimeId && stage === key.stage && number === key.number,
  );
}

/** The reports of a stage that were sent. */
export function sentOf({ sent }: Pick<ClockFacts, 'sent'>, regimeId: string, stage: IncidentReportStage): SentReport[] {
  return sent.filter((report) => report.regimeId === regimeId && report.stage === stage);
}

export const byNumber = (one: ReportKey, other: ReportKey) => one.number - other.number;

/** The next number in a stage. */
export function numberAfter(sent: readonly SentReport[]): number {
  return Math.max(0, ...sent.map(({ number }) => number)) + 1;
}
