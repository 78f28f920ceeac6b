import { join } from 'node:path';
import { inputError, type FieldError } from '../../errors.js';
import { NIS2_SECTORS } from '../../values/sectors.js';
import { CatalogSchema } from '../workflows/catalog-schema.js';
import type { CatalogDocument, CatalogError } from '../workflows/catalog-text.js';
import { readCatalog } from '../workflows/catalog.js';

/** A service for which an act has criteria. */
interface ServiceFile {
  id: string;
  label: string;
  nis2_sector?: string[];
  trust_service_provider?: string;
}

/** The content of a file that is valid by its JSON Schema. */
interface ActFile {
  id: string;
  name: string;
  source: { text: string; url: string };
  valid_from: string;
  services: ServiceFile[];
  questions: (Pick<SignificanceQuestion, 'id' | 'article' | 'text'> & {
    services?: string[];
    together?: string;
    exempts?: string;
    malicious?: string;
  })[];
}

/** A criterion as a yes-no question. */
export interface SignificanceQuestion {
  readonly id: string;
  /** The act, and its provision with the criterion. */
  readonly act: string;
  readonly article: string;
  readonly text: string;
  readonly sourceUrl: string;
  /** At least one of these services is affected. */
  readonly services: readonly string[];
  /** Questions of one criterion have the same value. */
  readonly together: string | null;
  /** Yes means that the incident is not significant. */
  readonly exempts: boolean;
  /** Yes contradicts an incident without a suspected malicious act. */
  readonly malicious: boolean;
}

/** An act that defines when an incident is significant. */
export interface SignificanceAct {
  readonly validFrom: string;
  readonly services: readonly ServiceFile[];
  readonly questions: readonly SignificanceQuestion[];
}

/** Throws one Error that lists all errors of all files of `directory`. */
export function loadSignificance(directory: string): SignificanceAct[] {
  const schema = new CatalogSchema(join(directory, 'significance.schema.json'));
  const known = new Set<string>();
  const errorsOf = (document: CatalogDocument) => {
    const errors = schema.errorsOf(document);
    return errors.length > 0 ? errors : nameErrors(document, known);
  };
  return readCatalog<ActFile>(directory, 'Questions of significance', errorsOf).map((file) => ({
    ...{ validFrom: file.valid_from, services: file.services },
    questions: file.questions.map((question) => ({
      ...{
        id: question.id,
        act: file.name,
        article: question.article,
        text: question.text,
        sourceUrl: file.source.url,
      },
      services: question.services ?? file.services.map(({ id }) => id),
      together: question.together ?? null,
      exempts: question.exempts !== undefined,
      malicious: question.malicious !== undefined,
    })),
  }));
}

/** The questions for an organization, by its facts on the day of awareness. */
export interface OfferedQuestions {
  services: readonly { id: string; label: string }[];
  questions: readonly SignificanceQuestion[];
}

/** An organization without a NIS 2 sector may provide any service. */
export function offeredQuestions(
  acts: readonly SignificanceAct[],
  facts: Readonly<Record<string, readonly string[]>>,
  day: string,
): OfferedQuestions {
  const { nis2_sector: sectors = [], trust_service_provider: trust = [] } = facts;
  const mayProvide = ({ nis2_sector: allowed, trust_service_provider: byTrust }: ServiceFile) =>
    allowed === undefined ||
    sectors.length === 0 ||
    sectors.some((sector) => allowed.includes(sector)) ||
    (byTrust !== undefined && trust.includes('true'));
  const inForce = acts.filter(({ validFrom }) => validFrom <= day);
  const services = inForce.flatMap((act) => act.services.filter(mayProvide)).map(({ id, label }) => ({ id, label }));
  const ids = services.map(({ id }) => id);
  return { services, questions: inForce.flatMap((act) => act.questions).filter((question) => concerns(question, ids)) };
}

export interface SignificanceAnswers {
  /** The services of the organization that the incident affects. */
  services: readonly string[];
  answers: readonly { question: string; answer: boolean }[];
}

/** The significance by the answers, and why. */
export interface Assessment {
  significant: boolean;
  reason: string;
}

/**
 * One yes decides. Otherwise each criterion of the services needs a no, except for those of an act that exempts the
 * incident. Errors name what cannot be decided.
 */
export function assess(
  offered: OfferedQuestions,
  { services, answers }: SignificanceAnswers,
  { suspectedMalicious }: { suspectedMalicious: boolean | null },
): Assessment | { errors: FieldError[] } {
  const names = offered.services.map(({ id }) => id);
  if (services.some((id) => !names.includes(id)))
    return { errors: [inputError('services', names.length > 0 ? `must be among ${names.join(', ')}` : NONE_IN_FORCE)] };
  const applicable = offered.questions.filter((question) => concerns(question, services));
  const given = new Map(answers.map(({ question, answer }) => [question, answer]));
  const exempting = applicable.filter(({ id, exempts }) => exempts && given.get(id));
  const criteria = criteriaOf(applicable.filter(({ exempts }) => !exempts));
  const met = criteria.filter((criterion) => criterion.every(({ id }) => given.get(id) === true)).flat();
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { question: id, answer }] of answers.entries()) {
    const question = applicable.find((each) => each.id === id);
    const add = (field: 'question' | 'answer', sentence: string) =>
      errors.push({ path: ['input', 'answers', index, field], sentence });
    if (question === undefined) add('question', `must be a question about ${services.join(', ')}`);
    else if (seen.has(id)) add('question', 'is answered twice');
    else if (answer && question.malicious && suspectedMalicious === false)
      add('answer', 'contradicts {suspectedMalicious}, which is false');
    else if (answer && question.exempts && met.length > 0)
      add('answer', `contradicts the answer to ${met.map(({ id }) => id).join(', ')}`);
    seen.add(id);
  }
  const isOpen = (criterion: readonly SignificanceQuestion[]) =>
    criterion.every(({ id, act }) => given.get(id) !== false && exempting.every((one) => one.act !== act));
  const missing = criteria
    .filter(isOpen)
    .flat()
    .filter(({ id }) => !given.has(id));
  if (met.length === 0 && missing.length > 0)
    errors.push(
      inputError('answers', `must answer ${missing.map(({ id }) => id).join(', ')} as well while none is yes`),
    );
  return errors.length > 0 ? { errors } : { significant: met.length > 0, reason: reasonOf(met, exempting, applicable) };
}

const NONE_IN_FORCE = 'must be of an act in force on the day of awareness: there was none';

/** Each with its questions. */
function criteriaOf(questions: readonly SignificanceQuestion[]): SignificanceQuestion[][] {
  return [
    ...Map.groupBy(questions, ({ id, act, together }) => (together === null ? id : `${act} ${together}`)).values(),
  ];
}

function reasonOf(
  met: readonly SignificanceQuestion[],
  exempting: readonly SignificanceQuestion[],
  applicable: readonly SignificanceQuestion[],
): string {
  if (met.length > 0) return `Significant by ${provisions(met)}.`;
  if (exempting.length > 0) return `Not significant by ${provisions(exempting)}.`;
  return `Not significant: no criterion is met, of ${[...new Set(applicable.map(({ act }) => act))].join(' or ')}.`;
}

/** `Article 3(1)(e), Article 7(c) of Implementing Regulation (EU) 2024/2690` */
function provisions(questions: readonly SignificanceQuestion[]): string {
  const acts = [...Map.groupBy(questions, ({ act }) => act)];
  return acts.map(([act, of]) => `${of.map(({ article }) => article).join(', ')} of ${act}`).join(' and ');
}

function concerns({ services }: Pick<SignificanceQuestion, 'services'>, ids: readonly string[]): boolean {
  return services.some((id) => ids.includes(id));
}

/** Services and questions are unique in all files, and name existing sectors and services. */
function nameErrors({ data, lineOf }: CatalogDocument, known: Set<string>): CatalogError[] {
  const { services, questions } = data as ActFile;
  const errors: CatalogError[] = [];
  const add = (path: CatalogError['path'], sentence: string) => errors.push({ path, line: lineOf(path), sentence });
  const once = (kind: 'services' | 'questions', index: number, id: string) => {
    if (known.has(`${kind} ${id}`)) add([kind, index, 'id'], 'is there twice');
    known.add(`${kind} ${id}`);
  };
  for (const [index, { id, nis2_sector: sectors = [] }] of services.entries()) {
    once('services', index, id);
    for (const [place, sector] of sectors.entries())
      if (!NIS2_SECTORS.includes(sector)) add(['services', index, 'nis2_sector', place], 'is no NIS 2 sector');
  }
  for (const [index, { id, services: own = [] }] of questions.entries()) {
    once('questions', index, id);
    for (const [place, name] of own.entries())
      if (services.every((service) => service.id !== name))
        add(['questions', index, 'services', place], 'is no service');
  }
  return errors;
}
