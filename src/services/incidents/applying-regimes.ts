import { DateTime } from 'luxon';
import type { RowOf } from '../../database/columns.js';
import type { ReportJudgement } from '../../entities/incidents.js';
import type { IncidentReportStage, ReportManner } from '../../values/enums.js';
import { nationalRegime } from './national-rules.js';
import { meets, outsideScope, type Condition, type FactValues, type Regime } from './reporting-regimes.js';

/** Identifies a report: `number` counts those of one stage, from 1. */
export interface ReportKey {
  regimeId: string;
  stage: IncidentReportStage;
  number: number;
}

/** A report by its last record. Instants are ISO 8601 in UTC. */
export interface SentReport extends ReportKey {
  sentAt: string;
  sentBy: string;
  recipient: string;
  reference: string;
  attachmentId: number | null;
  manner: ReportManner;
  /** Its deadline and why it applied, fixed when it was recorded. */
  dueAt: string | null;
  judgement: ReportJudgement | null;
  /** For a report that was not sent, the recorded reason; else why it was corrected, or empty. */
  reason: string;
}

/** The facts that the deadlines depend on. */
export interface ClockFacts extends Pick<
  RowOf<'incident'>,
  | ('awareAt' | 'occurredAt' | 'classifiedAt' | 'handledAt' | 'fixAvailableAt' | 'intermediateReportDueAt')
  | ('significant' | 'personalDataConcerned' | 'affectsTrustService' | 'affectsQualifiedTrustService')
  | ('exploitedVulnerability' | 'productConcerned')
  | ('organizationFacts' | 'factsAsOf' | 'rehearsal')
> {
  sent: readonly SentReport[];
}

/** A regime that would apply by the facts of the incident, but not by the organization's profile. */
export interface RegimeOutOfScope {
  regimeId: string;
  regimeName: string;
  source: string;
  reason: string;
}

/** Regimes in force at awareness whose conditions are met, without replaced ones. */
export function applyingRegimes(regimes: readonly Regime[], facts: ClockFacts): Regime[] {
  return metRegimes(regimes, facts).filter((regime) => scopeError(regime, facts) === undefined);
}

/** By the facts of the incident alone, for any organization. */
export function metRegimes(regimes: readonly Regime[], facts: ClockFacts): Regime[] {
  const values = valuesOf(facts);
  const { version } = facts.organizationFacts;
  const met = inForce(regimes, facts).filter(({ when, sinceFacts }) => sinceFacts <= version && meets(when, values));
  return met.filter(({ id }) => !met.some(({ replaces }) => replaces === id));
}

/** Why a regime is not for the organization. Facts stored before scopes existed are judged without them. */
export function scopeError({ scope, begins }: Regime, facts: ClockFacts): string | undefined {
  if (facts.organizationFacts.version < 2) return undefined;
  const outside = outsideScope(scope, valuesOf(facts));
  const from = begins && facts.organizationFacts.values[begins.fact]?.[0];
  if (outside !== undefined || !begins || !from || from <= awarenessDay(facts)) return outside;
  return `Does not apply before ${dayText(from)}, because ${begins.reason}`;
}

/** The facts of a condition that do not meet it. */
export function unmetFacts(condition: Condition, facts: ClockFacts): string[] {
  const values = valuesOf(facts);
  return Object.keys(condition).filter((fact) => !meets({ [fact]: condition[fact] ?? [] }, values));
}

function dayText(day: string): string {
  return DateTime.fromISO(day, { locale: 'en-GB' }).toFormat('d MMMM yyyy');
}

/** The regimes of the day of awareness, as they are in the organization's country. */
export function inForce(regimes: readonly Regime[], facts: ClockFacts): Regime[] {
  const country = facts.organizationFacts.values['country']?.[0];
  const day = awarenessDay(facts);
  return regimes
    .filter(({ validFrom, validUntil }) => validFrom <= day && day <= validUntil)
    .map((regime) => nationalRegime(regime, country, day));
}

/** The day of awareness, by the calendar of the organization. */
export function awarenessDay(facts: Pick<ClockFacts, 'awareAt' | 'organizationFacts'>): string {
  return DateTime.fromISO(facts.awareAt, { zone: zoneOf(facts) }).toISODate() ?? '';
}

/** The time zone of the calendar that deadlines are counted by. */
export const zoneOf = ({ organizationFacts }: Pick<ClockFacts, 'organizationFacts'>) =>
  organizationFacts.values['time_zone']?.[0] ?? 'UTC';

export function valuesOf(facts: ClockFacts): FactValues {
  return {
    ...facts.organizationFacts.values,
    significant: [String(facts.significant)],
    personal_data_concerned: [String(facts.personalDataConcerned ?? false)],
    affects_trust_service: [String(facts.affectsTrustService ?? false)],
    affects_qualified_trust_service: [String(facts.affectsQualifiedTrustService ?? 'unknown')],
    exploited_vulnerability: [String(facts.exploitedVulnerability ?? false)],
    product_concerned: [String(facts.productConcerned ?? false)],
    occurrence_known: [String(facts.occurredAt !== null)],
    classified_as_major: [String(facts.classifiedAt !== null)],
  };
}

export function outOfScope(regimes: readonly Regime[], facts: ClockFacts): RegimeOutOfScope[] {
  return metRegimes(regimes, facts).flatMap((regime) => {
    const { id: regimeId, name: regimeName, source } = regime;
    const reason = scopeError(regime, facts);
    return reason === undefined ? [] : [{ regimeId, regimeName, source: source.text, reason }];
  });
}
