import type { components } from '@compliance-gateway/client';
import { UsageError } from '../errors.js';
import type { Given, Option } from '../given.js';
import { minute } from '../output.js';
import { timeIn } from './work.js';

type Incident = components['schemas']['Incident'];

const TIMES = {
  occurred_at: 'when it occurred',
  classified_at: 'when it was classified as major (DORA)',
  fix_available_at: 'when a corrective or mitigating measure was there (CRA)',
  handled_at: 'when its handling ended: final reports are due after it',
  intermediate_report_due_at: 'until when an authority has requested an intermediate report',
};

const ANSWERS = {
  personal_data_concerned: 'whether it is a personal data breach (GDPR)',
  affects_trust_service: 'whether it affects a trust service (eIDAS)',
  affects_qualified_trust_service: 'whether that is a qualified one',
  exploited_vulnerability: 'whether a vulnerability of your product is exploited (CRA)',
  product_concerned: 'whether it is severe for the security of your product (CRA)',
  suspected_malicious: 'whether malicious acts are suspected',
  cross_border: 'whether other countries may be affected',
};

const TEXTS = {
  category: 'a category of a regime that applies, such as IS-1',
  indicators: 'indicators of compromise',
  impact: 'what harm it does, and to whom',
  root_cause: 'what caused it',
  mitigation: 'what is done against it',
};

type Facts = { [Field in keyof typeof TIMES | keyof typeof TEXTS]?: string | null } & {
  [Field in keyof typeof ANSWERS]?: boolean | null;
};

/** `occurred_at` is `--occurred-at`. */
const optionOf = (field: string) => field.replaceAll('_', '-');

const optionsOf = (fields: object, value: string): [string, Option][] =>
  Object.entries(fields).map(([field, help]: [string, string]) => [optionOf(field), { value, help }]);

/** An option for each fact that may become known or be corrected later. */
export const FACT_OPTIONS: Readonly<Record<string, Option>> = Object.fromEntries([
  ...optionsOf(TIMES, 'TIME'),
  ...optionsOf(ANSWERS, 'ANSWER'),
  ...optionsOf(TEXTS, 'TEXT'),
]);

export const FACT_DETAILS = `ANSWER is yes, no or unknown. TIME may be "unknown" as well, and an empty TEXT empties: that is how a fact is taken back.`;

/** The given facts; null for one that is not known. */
export function factsIn(given: Given): Facts {
  const facts: Facts = {};
  for (const field of keysOf(TIMES)) {
    const text = given.text(optionOf(field));
    if (text !== undefined) facts[field] = text === 'unknown' ? null : timeIn(text, `--${optionOf(field)}`);
  }
  for (const field of keysOf(ANSWERS)) {
    const text = given.text(optionOf(field));
    if (text !== undefined) facts[field] = answerIn(text, `--${optionOf(field)}`);
  }
  for (const field of keysOf(TEXTS)) {
    const text = given.text(optionOf(field));
    if (text !== undefined) facts[field] = text === '' ? null : text;
  }
  return facts;
}

const answerIn = (text: string, name: string) => (text === 'unknown' ? null : isYes(text, name, 'yes, no or unknown'));

export function isYes(text: string, name: string, answers = 'yes or no'): boolean {
  if (text !== 'yes' && text !== 'no') throw new UsageError(`${name} is ${answers}, not "${text}"`);
  return text === 'yes';
}

/** A line for each fact that is known. */
export function factLines(incident: Incident): string[] {
  const line = (field: string, value: string) => `  ${field.replaceAll('_', ' ')}: ${value}`;
  return [
    ...keysOf(TIMES).map((field) => [field, minute(incident[field])] as const),
    ...keysOf(ANSWERS).map((field) => [field, incident[field] === null ? '' : incident[field] ? 'yes' : 'no'] as const),
    ...keysOf(TEXTS).map((field) => [field, incident[field]] as const),
  ]
    .filter(([, value]) => value !== '')
    .map(([field, value]) => line(field, value));
}

const keysOf = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields)[];
