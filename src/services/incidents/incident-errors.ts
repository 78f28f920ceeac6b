import type { RowOf } from '../../database/columns.js';
import { inputError, type FieldError } from '../../errors.js';
import { applyingRegimes } from './applying-regimes.js';
import type { IncidentFacts } from './incidents.service.js';
import type { Regime } from './reporting-regimes.js';

type Change = Partial<RowOf<'incident'>>;

/** Times on one side of the time of awareness, with the error of each, and that of the time of awareness. */
const AROUND_AWARENESS = [
  ['occurredAt', 'BEFORE', 'must not be after {awareAt}', 'must not be before {occurredAt}'],
  ['classifiedAt', 'AFTER', 'must not be before {awareAt}', 'must not be after {classifiedAt}'],
  ['handledAt', 'AFTER', 'must not be before {awareAt}', 'must not be after {handledAt}'],
  ['intermediateReportDueAt', 'AFTER', 'must not be before {awareAt}', 'must not be after {intermediateReportDueAt}'],
] as const;

/** Errors of given values that contradict each other or stored ones. */
export function contradictions(after: IncidentFacts, change: Change, regimes: readonly Regime[]): FieldError[] {
  return [
    ...errorsOfTimes(after, change),
    ...errorsOfTrustService(after, change),
    ...errorsOfCategory(after, change, regimes),
  ];
}

function errorsOfTimes(after: IncidentFacts, change: Change): FieldError[] {
  const errors: FieldError[] = [];
  const { awareAt } = after;
  const firstSent = after.sent.map(({ sentAt }) => sentAt).toSorted()[0];
  if (change.awareAt !== undefined && firstSent !== undefined && awareAt > firstSent)
    errors.push(inputError('awareAt', 'must not be after the first report was sent'));
  for (const [property, side, sentence, sentenceOfAwareness] of AROUND_AWARENESS) {
    const time = after[property];
    if (time === null || (side === 'BEFORE' ? time <= awareAt : time >= awareAt)) continue;
    if (change[property] !== undefined) errors.push(inputError(property, sentence));
    else if (change.awareAt !== undefined) errors.push(inputError('awareAt', sentenceOfAwareness));
  }
  return errors;
}

function errorsOfTrustService(after: IncidentFacts, change: Change): FieldError[] {
  if (after.affectsQualifiedTrustService !== true || after.affectsTrustService === true) return [];
  if (change.affectsQualifiedTrustService !== undefined)
    return [inputError('affectsQualifiedTrustService', 'must not be true unless {affectsTrustService} is')];
  return change.affectsTrustService === undefined
    ? []
    : [inputError('affectsTrustService', 'must be true where {affectsQualifiedTrustService} is')];
}

function errorsOfCategory(after: IncidentFacts, { category }: Change, regimes: readonly Regime[]): FieldError[] {
  if (!category) return [];
  const entityType = after.organizationFacts.values['entity_type']?.[0];
  const known = applyingRegimes(regimes, after)
    .flatMap(({ categories }) => categories)
    .filter(({ entity }) => entity === undefined || entityType === undefined || entity === entityType)
    .map(({ id }) => id);
  if (known.includes(category)) return [];
  const sentence = `must be one of those of the regimes that apply (${known.join(', ')})`;
  return [inputError('category', known.length > 0 ? sentence : 'must be empty: no regime that applies has any')];
}
