import { DateTime } from 'luxon';
import { join } from 'node:path';
import { FORMATS } from '../../common/formats.js';
import type { EntityType, IncidentReportStage, ReportFieldSource, ReportTrigger } from '../../values/enums.js';
import { CatalogSchema } from '../workflows/catalog-schema.js';
import { PublicHolidays } from './public-holidays.js';
import { asPartial, type CatalogDocument, type CatalogError } from '../workflows/catalog-text.js';
import { readCatalog } from '../workflows/catalog.js';
import { withNationalRules, type NationalRule } from './national-rules.js';
import { loadSignificance, type SignificanceAct } from './significance.js';

/** Facts that a regime's condition may name, of an incident and its organization, with their values. */
export type FactValues = Readonly<Record<string, readonly string[]>>;

/** Each named fact has one of the values. */
export type Condition = Readonly<Record<string, readonly string[]>>;

export type Period = Readonly<Partial<Record<'hours' | 'days' | 'months', number>>>;

interface NextWorkingDay {
  readonly until: string;
  readonly law: string;
}

/** A report is due a period after its trigger; `after` is the stage whose last report is the trigger. */
export interface Deadline {
  readonly trigger: ReportTrigger;
  readonly after: IncidentReportStage | null;
  readonly period: Period;
  /** Hours after awareness at which it is due at the latest, unless its trigger is later. */
  readonly latestAwareHours: number | null;
  /** Extension of a deadline on a Saturday, a Sunday or a public holiday, with provision and calendar. */
  readonly nextWorkingDay: (NextWorkingDay & { readonly holidays: PublicHolidays }) | null;
  /** The provision that extends it to the end of its last day, or of the next working day. */
  readonly wholeDays: { readonly law: string; readonly holidays: PublicHolidays } | null;
}

/** The organizations that a law is for, by their profile. */
export interface Scope {
  /** At least one is met. */
  readonly anyOf: readonly Condition[];
  /** The sentence if none is met. */
  readonly outside: string;
  readonly exceptions: readonly { readonly when: Condition; readonly reason: string }[];
}

/** A requirement of a law for a report. */
export interface ReportField {
  readonly key: string;
  readonly label: string;
  readonly source: ReportFieldSource;
  /** The provision that requires it. */
  readonly law: string;
  /** Only if applicable or known. */
  readonly optional: boolean;
  /** Mandatory after the deadline. */
  readonly requiredWhenLate: boolean;
}

export interface RegimeStage extends Deadline {
  readonly stage: IncidentReportStage;
  readonly recipient: string;
  /** Address of the portal where it is sent; null unless the rule of a country names one. */
  readonly portalUrl: string | null;
  /** Whether it goes to affected persons instead of an authority: no other report waits for it. */
  readonly addressee: 'AUTHORITY' | 'PEOPLE';
  /** The condition as a sentence, if a person decides it. */
  readonly onlyWhere: string | null;
  /** The provision by which it is not due in some cases. */
  readonly notDue: string | null;
  readonly sinceFacts: number;
  /** For MONTHLY_WHILE_OPEN. */
  readonly atMost: number;
  /** Whether updates without a deadline may follow. */
  readonly updates: boolean;
  readonly fields: readonly ReportField[];
  /** Preceding reports that may be sent together with it. */
  readonly mayInclude: readonly IncidentReportStage[];
  /** The provision by which it is not sent if its content was provided already. */
  readonly alreadyProvided: string | null;
  readonly derogations: readonly (Deadline & { readonly when: Condition; readonly reason: string })[];
}

export interface Regime {
  readonly id: string;
  readonly name: string;
  readonly source: { readonly text: string; readonly url: string };
  /** Days, both inclusive. */
  readonly validFrom: string;
  readonly validUntil: string;
  /** The regime that this one replaces. */
  readonly replaces: string | null;
  /** Day of the last comparison with the act. */
  readonly checkedOn: string | null;
  /** Version of stored facts of organizations from which on it applies. */
  readonly sinceFacts: number;
  /** The fact with an individual first day of application, and its reason. */
  readonly begins: { readonly fact: string; readonly reason: string } | null;
  /** Null if it is for every organization. */
  readonly scope: Scope | null;
  readonly when: Condition;
  readonly reason: string;
  readonly categories: readonly { readonly id: string; readonly label: string; readonly entity?: EntityType }[];
  readonly stages: readonly RegimeStage[];
  /** Additions of countries, by day. */
  readonly national: readonly NationalRule<Regime>[];
}

/** Whether the report is conditional, so that following ones do not wait for it. */
export function isOptional({ trigger, addressee, onlyWhere }: RegimeStage): boolean {
  return trigger === 'MONTHLY_WHILE_OPEN' || trigger === 'REQUEST' || addressee === 'PEOPLE' || onlyWhere !== null;
}

/** Whether it can be repeated. */
export function isRepeated({ trigger, updates }: RegimeStage): boolean {
  return trigger === 'MONTHLY_WHILE_OPEN' || trigger === 'REQUEST' || updates;
}

/** In a condition: any value of the fact. */
const ANY = '*';

export function meets(condition: Condition, facts: FactValues): boolean {
  return Object.entries(condition).every(([fact, allowed]) =>
    facts[fact]?.some((value) => allowed.includes(value) || allowed.includes(ANY)),
  );
}

/** Why the law is not for an organization with these facts; undefined if it is. */
export function outsideScope(scope: Scope | null, facts: FactValues): string | undefined {
  if (scope === null) return undefined;
  const exception = scope.exceptions.find(({ when }) => meets(when, facts));
  if (exception !== undefined) return exception.reason;
  return scope.anyOf.some((condition) => meets(condition, facts)) ? undefined : scope.outside;
}

/** The laws that require reports, as data: `catalog/regimes`. */
export class ReportingRegimes {
  private constructor(
    readonly all: readonly Regime[],
    /** The acts that define when an incident is significant. */
    readonly significance: readonly SignificanceAct[],
  ) {}

  /** Throws one Error that lists all errors of all files, each as `file:line place: what is wrong`. */
  static load(directory: string): ReportingRegimes {
    const schema = new CatalogSchema(join(directory, 'regime.schema.json'));
    const errorsOf = (document: CatalogDocument) =>
      document.syntaxErrors.length > 0
        ? document.syntaxErrors
        : [...schema.errorsOf(document), ...triggerErrors(document), ...countryErrors(document)];
    const files = readCatalog<RegimeFile>(directory, 'Reporting regimes', errorsOf);
    const ids = new Set(files.map(({ id }) => id));
    const lost = files.find(({ replaces }) => replaces !== undefined && !ids.has(replaces));
    if (lost)
      throw new Error(`Reporting regimes ${directory}: ${lost.id}.yaml replaces ${lost.replaces}, which is not there`);
    const holidays = PublicHolidays.load(directory);
    const all = files.map((file) => toRegime(file, holidays));
    const regimes = new ReportingRegimes(
      withNationalRules(all, join(directory, 'national')),
      loadSignificance(join(directory, 'significance')),
    );
    const errors = [...ids].flatMap((id) => versionErrors(regimes.versionsOf(id)));
    if (errors.length > 0) throw new Error(`Reporting regimes ${directory} has errors:\n  ${errors.join('\n  ')}`);
    return regimes;
  }

  /** The newest version of a regime. */
  find(id: string): Regime | undefined {
    return this.versionsOf(id).at(-1);
  }

  /** Its versions, oldest first. */
  versionsOf(id: string): Regime[] {
    return this.all
      .filter((regime) => regime.id === id)
      .toSorted((one, other) => (one.validFrom < other.validFrom ? -1 : 1));
  }
}

/** A day has one version of a regime: two would contradict each other, and a gap would hide a law. */
function versionErrors(versions: readonly Regime[]): string[] {
  return versions.flatMap(({ id, validFrom }, index) => {
    const before = versions[index - 1];
    if (before === undefined) return [];
    const file = `${id}@${validFrom}.yaml valid_from: `;
    if (before.validUntil >= validFrom) return [`${file}two versions of ${id} are valid on ${validFrom}`];
    const next = DateTime.fromISO(before.validUntil).plus({ days: 1 }).toISODate();
    return next === validFrom ? [] : [`${file}no version of ${id} is valid from ${next} until then`];
  });
}

interface DeadlineFile {
  trigger: ReportTrigger;
  after?: IncidentReportStage;
  period?: Record<string, string>;
  latest_aware_hours?: string;
  next_working_day?: NextWorkingDay;
  whole_days?: string;
}

/** The content of a file that is valid by its JSON Schema. */
interface RegimeFile extends Pick<Regime, 'id' | 'name' | 'source' | 'when' | 'reason'> {
  valid_from: string;
  valid_until?: string;
  replaces?: string;
  checked?: string;
  since_facts?: string;
  begins?: Regime['begins'];
  scope?: { any_of: Condition[]; outside: string; exceptions?: Scope['exceptions'] };
  categories?: Regime['categories'];
  stages: (DeadlineFile & {
    stage: IncidentReportStage;
    recipient: string;
    addressee?: RegimeStage['addressee'];
    only_where?: string;
    not_due?: string;
    since_facts?: string;
    at_most?: string;
    updates?: string;
    may_include?: IncidentReportStage[];
    already_provided?: string;
    fields: (Omit<ReportField, 'optional' | 'requiredWhenLate'> & { optional?: string; required_when_late?: string })[];
    derogations?: (DeadlineFile & { when: Condition; reason: string })[];
  })[];
}

function toRegime(file: RegimeFile, holidays: PublicHolidays): Regime {
  const { id, name, source, when, reason } = file;
  return {
    ...{ id, name, source, when, reason },
    validFrom: file.valid_from,
    validUntil: file.valid_until ?? '9999-12-31',
    ...{ replaces: file.replaces ?? null, checkedOn: file.checked ?? null, begins: file.begins ?? null },
    sinceFacts: Number(file.since_facts ?? 1),
    scope: file.scope
      ? { anyOf: file.scope.any_of, outside: file.scope.outside, exceptions: file.scope.exceptions ?? [] }
      : null,
    categories: file.categories ?? [],
    national: [],
    stages: file.stages.map((stage) => ({
      ...{ ...deadlineOf(stage, holidays), stage: stage.stage, recipient: stage.recipient, portalUrl: null },
      atMost: stage.at_most === undefined ? Infinity : Number(stage.at_most),
      updates: stage.updates !== undefined,
      ...{ mayInclude: stage.may_include ?? [], alreadyProvided: stage.already_provided ?? null },
      ...{ addressee: stage.addressee ?? 'AUTHORITY', onlyWhere: stage.only_where ?? null },
      ...{ notDue: stage.not_due ?? null, sinceFacts: Number(stage.since_facts ?? 1) },
      fields: stage.fields.map(({ required_when_late: late, ...field }) => ({
        ...field,
        ...{ optional: field.optional !== undefined, requiredWhenLate: late !== undefined },
      })),
      derogations: (stage.derogations ?? []).map((each) => ({ ...each, ...deadlineOf(each, holidays) })),
    })),
  };
}

function deadlineOf(file: DeadlineFile, holidays: PublicHolidays): Deadline {
  const { trigger, after, period = {}, latest_aware_hours: hours, next_working_day: next } = file;
  const { whole_days: wholeDays } = file;
  const numbers = Object.entries(period).map(([unit, number]) => [unit, Number(number)]);
  return {
    ...{ trigger, after: after ?? null, period: Object.fromEntries(numbers) },
    latestAwareHours: hours === undefined ? null : Number(hours),
    nextWorkingDay: next ? { ...next, holidays } : null,
    wholeDays: wholeDays === undefined ? null : { law: wholeDays, holidays },
  };
}

/** Each stage is unique and triggered by earlier ones only: so there is no gap and no cycle. */
function triggerErrors(document: CatalogDocument): CatalogError[] {
  const { stages } = asPartial(document.data);
  if (!Array.isArray(stages)) return [];
  const before = new Set<unknown>();
  return stages.flatMap((each: unknown, index) => {
    const { stage, after, derogations, may_include: included } = asPartial(each);
    const errors: CatalogError[] = [];
    const add = (path: CatalogError['path'], sentence: string) =>
      errors.push({ path: ['stages', index, ...path], line: document.lineOf(['stages', index, ...path]), sentence });
    const check = (trigger: unknown, path: CatalogError['path']) => {
      if (trigger !== undefined && !before.has(trigger)) add([...path, 'after'], 'must be a stage before this one');
    };
    check(after, []);
    if (Array.isArray(included))
      for (const [place, name] of included.entries())
        if (!before.has(name)) add(['may_include', place], 'must be a stage before this one');
    if (Array.isArray(derogations))
      for (const [place, derogation] of derogations.entries())
        check(asPartial(derogation).after, ['derogations', place]);
    if (before.has(stage)) add(['stage'], 'is there twice');
    before.add(stage);
    return errors;
  });
}

/** Countries of a file are among those of organizations. */
function countryErrors(document: CatalogDocument): CatalogError[] {
  const errors: CatalogError[] = [];
  const visit = (value: unknown, path: CatalogError['path']) => {
    if (typeof value !== 'object' || value === null) {
      const sentence = path.at(-2) === 'country' && value !== ANY ? FORMATS.country(String(value)) : undefined;
      if (sentence !== undefined) errors.push({ path, line: document.lineOf(path), sentence });
    } else
      for (const [key, each] of Object.entries(value)) visit(each, [...path, Array.isArray(value) ? Number(key) : key]);
  };
  visit(document.data, []);
  return errors;
}
