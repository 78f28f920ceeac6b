import { Duration } from 'luxon';
import { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import { toCamelCase } from '../../common/naming.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { RowOf } from '../../database/columns.js';
import { pageOfItems, type Page, type PageRequest } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { invalidInput, notFound, type FieldError } from '../../errors.js';
import { languageOf, type Language } from '../../messages/language.js';
import type { MessageKey } from '../../messages/message-key.js';
import type { IncidentReportStage } from '../../values/enums.js';
import type { ReadRecorder } from '../audit/read-recorder.js';
import { changesBetween } from '../audit/record.js';
import { incidentEvent, incidentFacts, type IncidentFacts, type IncidentKey } from './incidents.service.js';
import { translatedStage } from './clock-language.js';
import { DraftPdfs } from './draft-pdfs.js';
import { gapHeaders } from './report-print-gaps.js';
import { draftHtml, pdfGaps, printedDraft, type DraftField, type IncidentReportDraft } from './report-print.js';
import { regimeWithStage } from './reports.service.js';
import { applyingRegimes, metRegimes, scopeError, unmetFacts } from './applying-regimes.js';
import { reportingClock, type IncidentStage } from './reporting-clock.js';
import type { Condition, Deadline, Regime, RegimeStage, ReportingRegimes } from './reporting-regimes.js';

/** The report to draft; defaults to the last one of the stage in the clock. */
export interface ReportDraftKey extends IncidentKey {
  regimeId: string;
  stage: IncidentReportStage;
  number?: number | null;
}

interface RegimeQuery {
  /** A day. */
  asOf?: string | null | undefined;
  language: Language;
}

type Background = Pick<RowOf<'organization'>, 'name' | 'contacts' | 'timeZone' | 'language' | 'sandbox'>;

const backgroundOf = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('organization')
    .select(['name', 'contacts', 'time_zone as timeZone', 'language', 'sandbox'])
    .where('id', '=', p('organizationId')),
);

/** Maximum number of notes in a draft. */
const NOTES = 50;

const newestNotes = statement<IncidentKey & { since: string }>()((p) =>
  db
    .selectFrom('incident_note')
    .select(['text', 'created_at as createdAt'])
    .select(({ fn }) => fn.countAll<number>().over().as('total'))
    .where('organization_id', '=', p('organizationId'))
    .where('incident_id', '=', p('incidentId'))
    .where('created_at', '>', p('since'))
    .orderBy('id', 'desc')
    .limit(NOTES),
);

/** The fields at the beginning of every report, whether or not a law names them. */
const IDENTIFICATION: readonly (Omit<DraftField, 'value' | 'missing'> & { label: MessageKey })[] = [
  { key: 'organization', source: 'ORGANIZATION', label: 'drafts.field.organization', law: null, optional: false },
  { key: 'contacts', source: 'ORGANIZATION', label: 'drafts.field.contacts', law: null, optional: false },
  { key: 'title', source: 'INCIDENT', label: 'drafts.field.title', law: null, optional: false },
  { key: 'aware_at', source: 'INCIDENT', label: 'drafts.field.awareAt', law: null, optional: false },
  { key: 'reference', source: 'REPORTS', label: 'drafts.field.reference', law: null, optional: true },
];

const FACTS_NOT_RECORDED = 'is judged by facts that were not recorded yet when the incident was opened';

/** Requirements of reporting regimes, and reports prefilled with stored facts. */
export class ReportDraftService {
  private readonly pdfs = new DraftPdfs();

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: { regimes: ReportingRegimes; readings: ReadRecorder; now: () => Date },
  ) {}

  /** The regimes by id, those of a day where one is given. Throws UNAUTHENTICATED, or FORBIDDEN without the scope `read`. */
  list(caller: Caller, page: PageRequest, { asOf, language }: RegimeQuery): Page<ReturnType<typeof publishedRegime>> {
    this.access.authorizeToken(caller, 'read');
    const { all } = this.deps.regimes;
    const shown = asOf == null ? all : all.filter((each) => each.validFrom <= asOf && asOf <= each.validUntil);
    const regimes = shown.map((regime) => language.translatedTexts(publishedRegime(regime)));
    const place = ({ regimeId, validFrom }: (typeof regimes)[number]) => `${regimeId} ${validFrom}`;
    const sorted = regimes.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
    return pageOfItems(sorted, 'text', place, page);
  }

  /** Throws NOT_FOUND, FORBIDDEN, and BAD_USER_INPUT for a regime that does not apply. */
  async draft(caller: Caller, { organizationId, incidentId, ...given }: ReportDraftKey): Promise<IncidentReportDraft> {
    await this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
    const [incident] = await incidentFacts(this.database, [incidentId]);
    if (incident?.organizationId !== organizationId || this.deps.regimes.find(given.regimeId) === undefined)
      throw notFound();
    const { regime, stage } = regimeWithStage(this.deps.regimes, incident, given, argumentError);
    this.refuseRegimeThatDoesNotApply(regime, incident);
    const now = this.deps.now();
    const report = this.reportOf(regime, incident, given, now);
    const preceding = precedingReport(regime, incident, report);
    const [background, notes] = await Promise.all([
      backgroundOf.one(this.database, { organizationId }),
      stage.fields.some(({ source }) => source === 'NOTES')
        ? newestNotes.all(this.database, { organizationId, incidentId, since: preceding?.sentAt ?? '-infinity' })
        : [],
    ]);
    const reference = preceding?.reference ?? '';
    const language = languageOf(background.language);
    const late = report.late || report.state === 'OVERDUE';
    const fields = fieldsOf(stage, language, late).map((field) => {
      const value = valueOf(field.key, { incident, regime, background, notes, reference, language }) || null;
      return { ...field, value, missing: value === null && !field.optional };
    });
    const missing = fields.filter((field) => field.missing).map(({ key }) => key);
    return {
      ...{ ...report, fields, missing, draftedAt: now.toISOString(), timeZone: background.timeZone },
      ...{ ...translatedStage(report, language), language: language.tag, sandbox: background.sandbox },
    };
  }

  /** The same as a file for printing. The download is recorded. */
  async prepare(caller: Caller, key: ReportDraftKey, format: 'html' | 'pdf'): Promise<PreparedFile> {
    const draft = await this.draft(caller, key);
    const { regimeId, stage, number } = draft;
    const { userId } = caller as UserCaller;
    const printed = printedDraft(draft);
    const headers = format === 'pdf' ? gapHeaders(await pdfGaps(printed)) : {};
    const points = format === 'pdf' ? this.pdfs.points(draft) : 1;
    const open = async () => {
      const content = format === 'pdf' ? await this.pdfs.of(draft, userId) : draftHtml(printed);
      const changes = changesBetween<object>({}, { regimeId, stage, number, format });
      const facts = { action: 'REPORT_DRAFT_DOWNLOADED', at: this.deps.now(), changes } as const;
      const [incident] = await incidentFacts(this.database, [key.incidentId]);
      if (incident === undefined) throw notFound();
      await this.deps.readings.read(caller, incidentEvent(incident, facts));
      return Readable.from([content]);
    };
    const name = `incident-${key.incidentId}-${regimeId}-${stage.toLowerCase()}-${number}.${format}`;
    return { name, headers, points, open };
  }

  private refuseRegimeThatDoesNotApply(regime: Regime, incident: IncidentFacts): void {
    const { all } = this.deps.regimes;
    if (applyingRegimes(all, incident).includes(regime)) return;
    // Also a regime that is not for the organization, or not yet: it replaces the other all the same.
    const replacing = metRegimes(all, incident).find(({ replaces }) => replaces === regime.id);
    const outside = scopeError(regime, incident);
    if (outside !== undefined) throw invalidInput([argumentError('regimeId', `does not apply. ${outside}`)]);
    const unmet = unmetFacts(regime.when, incident).map(
      (fact) => `{${toCamelCase(fact)}} has to be ${regime.when[fact]?.join(' or ')}`,
    );
    if (replacing === undefined && unmet.length === 0)
      throw invalidInput([argumentError('regimeId', FACTS_NOT_RECORDED)]);
    const why = replacing && unmet.length === 0 ? `${replacing.id} replaces it` : unmet.join(', and ');
    throw invalidInput([argumentError('regimeId', `does not apply: ${why}`)]);
  }

  private reportOf(
    regime: Regime,
    incident: IncidentFacts,
    { stage, number }: Pick<ReportDraftKey, 'stage' | 'number'>,
    now: Date,
  ) {
    // The clock contains reports sent under other regimes as well.
    const reports = reportingClock([regime], incident, now).stages.filter(
      (each) => each.regimeId === regime.id && each.stage === stage,
    );
    const report = number == null ? reports.at(-1) : reports.find((each) => each.number === number);
    const numbers = reports.map((each) => each.number).join(', ');
    if (numbers === '') throw invalidInput([argumentError('stage', FACTS_NOT_RECORDED)]);
    if (report === undefined) throw invalidInput([argumentError('number', `must be one of ${numbers}`)]);
    return report;
  }
}

const argumentError = (name: string, sentence: string): FieldError => ({ path: [name], sentence });

/** A field of the law replaces the same one of the identification. */
function fieldsOf({ fields }: RegimeStage, language: Language, late: boolean) {
  const always = IDENTIFICATION.filter(({ key }) => !fields.some((field) => field.key === key));
  return [
    ...always.map((field) => ({ ...field, label: language.text(field.label) })),
    ...fields.map(({ requiredWhenLate, ...field }) => ({
      ...field,
      optional: field.optional && !(late && requiredWhenLate),
      label: language.translated(field.label),
      law: language.translated(field.law),
    })),
  ];
}

/** The last earlier report of the regime that was sent to the authority. */
function precedingReport(
  { id, stages }: Regime,
  { sent }: IncidentFacts,
  { stage, number, sentAt }: Pick<IncidentStage, 'stage' | 'number' | 'sentAt'>,
) {
  const toPeople = stages.filter(({ addressee }) => addressee === 'PEOPLE').map((each) => each.stage);
  return sent
    .filter((report) => report.regimeId === id && !(report.stage === stage && report.number === number))
    .filter((report) => report.manner === 'SENT' && !toPeople.includes(report.stage))
    .filter((report) => sentAt === null || report.sentAt <= sentAt)
    .toSorted((one, other) => (one.sentAt < other.sentAt ? -1 : 1))
    .at(-1);
}

interface DraftFacts {
  incident: IncidentFacts;
  regime: Regime;
  background: Background;
  /** The newest ones; `total` counts the earlier ones as well. */
  notes: readonly { text: string; createdAt: string; total: number }[];
  reference: string;
  language: Language;
}

function valueOf(key: string, { incident, regime, background, notes, reference, language }: DraftFacts): string | null {
  const local = (instant: string) => language.instant(instant, background.timeZone);
  if (key === 'organization') return background.name;
  if (key === 'contacts') return background.contacts.map(contactLine).join('\n');
  if (key === 'reference') return reference;
  if (key === 'updates') {
    const count = (notes[0]?.total ?? 0) - notes.length;
    const earlier = count > 0 ? [language.text('drafts.earlierNotes', { count })] : [];
    const shown = notes.toReversed().map(({ text, createdAt }) => `${local(createdAt)}\n${text}`);
    return [...earlier, ...shown].join('\n\n');
  }
  if (key === 'category') return categoryOf(regime, incident.category, language);
  const value = (incident as unknown as Record<string, unknown>)[toCamelCase(key)];
  if (key === 'severity') return language.text(`enums.IncidentSeverity.${incident.severity}`);
  if (key === 'status') return language.text(`enums.IncidentStatus.${incident.status}`);
  if (typeof value === 'boolean') return language.text(value ? 'drafts.yes' : 'drafts.no');
  if (typeof value !== 'string') return null;
  return key.endsWith('_at') ? local(value) : value;
}

function contactLine({ name, role, email, phone }: Background['contacts'][number]): string {
  return [name, role, email, phone].filter((part) => part).join(', ');
}

function categoryOf({ categories }: Regime, category: string, language: Language): string {
  const known = categories.find(({ id }) => id === category);
  return known ? `${known.id}: ${language.translated(known.label)}` : category;
}

/** A regime as it is published. */
function publishedRegime({ id, source, validUntil, scope, when, categories, stages, national, ...regime }: Regime) {
  return {
    ...regime,
    ...{ regimeId: id, source: source.text, sourceUrl: source.url, conditions: conditionsOf(when) },
    scope: scope && {
      outside: scope.outside,
      alternatives: scope.anyOf.map((condition) => ({ conditions: conditionsOf(condition) })),
      exceptions: scope.exceptions.map((each) => ({ reason: each.reason, conditions: conditionsOf(each.when) })),
    },
    validUntil: validUntil === '9999-12-31' ? null : validUntil,
    categories: categories.map((each) => ({ category: each.id, label: each.label, entity: each.entity ?? null })),
    national: national.map(({ regime: { name, source: act, stages: own }, ...rule }) => ({
      ...{ ...rule, name, source: act.text, sourceUrl: act.url },
      ...{ recipient: own[0]?.recipient ?? '', portalUrl: own[0]?.portalUrl ?? null },
    })),
    stages: stages.map(({ atMost, derogations, ...stage }) => ({
      ...stage,
      ...deadlineOf(stage),
      atMost: Number.isFinite(atMost) ? atMost : null,
      derogations: derogations.map((each) => ({
        ...{ ...each, ...deadlineOf(each) },
        conditions: conditionsOf(each.when),
      })),
    })),
  };
}

function conditionsOf(when: Condition): { fact: string; values: readonly string[] }[] {
  return Object.entries(when).map(([fact, values]) => ({ fact, values }));
}

function deadlineOf({ period, wholeDays }: Deadline): { period: string | null; wholeDays: string | null } {
  const published = Object.keys(period).length === 0 ? null : Duration.fromObject(period).toISO();
  return { period: published, wholeDays: wholeDays?.law ?? null };
}
