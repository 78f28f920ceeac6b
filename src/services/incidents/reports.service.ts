import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import { assign, type RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { person, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, found, inputError, invalidInput, refuseErrors, type FieldError } from '../../errors.js';
import type { IncidentReportStage, ReportManner } from '../../values/enums.js';
import { visibleText } from '../../common/visible-text.js';
import { PersonalValue } from '../audit/personal-values.js';
import { changesBetween } from '../audit/record.js';
import { IncidentRecords } from './incident-records.js';
import {
  changeIncident,
  refuseClosed,
  type IncidentChangeDeps,
  type IncidentFacts,
  type ChangedIncidentKey,
  type IncidentKey,
} from './incidents.service.js';
import { findReport, neighboursOf, numberAfter, sentOf, type Neighbours } from './report-order.js';
import { inForce, type ClockFacts, type ReportKey, type SentReport } from './applying-regimes.js';
import { judge } from './reporting-clock.js';
import { isRepeated, type Regime, type RegimeStage, type ReportingRegimes } from './reporting-regimes.js';

/** The details of a report beside its time. */
interface Particulars {
  recipient?: string | null;
  reference?: string | null;
  /** The copy: a file of the same incident. */
  attachmentId?: number | null;
}

export interface NewIncidentReport extends ChangedIncidentKey, Particulars {
  regimeId: string;
  stage: IncidentReportStage;
  /** Now when absent. */
  sentAt?: Date | null;
  /** Preceding reports sent together with it. */
  includes?: readonly IncidentReportStage[] | null;
  /** It was not sent because an earlier report had the same content; `reason` names it. */
  alreadyProvided?: boolean | null;
  /** It is not due in this case; `reason` states why. */
  notDue?: boolean | null;
  reason?: string | null;
}

export interface IncidentReportCorrection extends ChangedIncidentKey, Particulars {
  regimeId: string;
  stage: IncidentReportStage;
  /** The last one of the stage when absent. */
  number?: number | null;
  /** Null withdraws it: it was not sent. */
  sentAt?: Date | null;
  reason: string;
}

const r = table('incident_report', 'r');

const EXTENDED_TO = sql`(${r.judgement} ->> 'extendedTo')::timestamptz`;

const projection = new Projection('IncidentReport', {
  ...properties(r, 'id', 'regime_id', 'stage', 'number', 'sent_at', 'recipient', 'reference', 'attachment_id'),
  ...properties(r, 'manner', 'due_at', 'reason', 'recorded_at'),
  attachment: { needs: { attachmentId: r.attachment_id } },
  extendedTo: EXTENDED_TO,
  late: sql`coalesce(${r.sent_at} > coalesce(${EXTENDED_TO}, ${r.due_at}) and ${r.manner} <> 'NOT_DUE', false)`,
  source: sql`coalesce(${r.judgement} ->> 'source', '')`,
  sentBy: person(r.sent_by),
  recordedBy: person(r.recorded_by),
});

const STORED = [
  ...(['organizationId', 'incidentId', 'regimeId', 'stage', 'number', 'sentAt', 'sentBy', 'recipient'] as const),
  ...(['reference', 'attachmentId', 'dueAt', 'judgement', 'manner', 'reason', 'recordedBy', 'recordedAt'] as const),
];

type RecordedReport = Pick<RowOf<'incident_report'>, (typeof STORED)[number]>;
type StoredReport = Omit<RecordedReport, 'reason' | 'recordedBy' | 'recordedAt'>;
type GivenReport = Omit<NewIncidentReport, keyof ChangedIncidentKey>;

const add = statement<Omit<RecordedReport, 'judgement'> & { judgement: string | null }>()((p) =>
  db
    .insertInto('incident_report')
    .values(assign('incident_report', p, STORED))
    .returning('id'),
);

const touch = statement<{ incidentId: number; now: Date }>()((p) =>
  db
    .updateTable('incident')
    .set({ updated_at: p('now') })
    .where('id', '=', p('incidentId')),
);

const fileOf = statement<IncidentKey & { attachmentId: number }>()((p) =>
  db
    .selectFrom('incident_attachment')
    .select('id')
    .where('organization_id', '=', p('organizationId'))
    .where('incident_id', '=', p('incidentId'))
    .where('id', '=', p('attachmentId')),
);

/** The reports of regimes: sender, time, recipient and corrections (docs/adr/0011). */
export class IncidentReportService extends IncidentRecords {
  constructor(
    access: Access,
    private readonly deps: IncidentChangeDeps,
  ) {
    super(deps.database, access, r, projection);
  }

  /**
   * Records a report as sent, of any regime that was in force, alone or with preceding ones, as already provided, or as
   * not due (rank 3). Its deadline and why it applies are stored with it. Stages are ordered:
   * CONFLICT for a recorded one, for one whose predecessor is missing, and for a closed incident. Throws
   * NOT_FOUND, FORBIDDEN and BAD_USER_INPUT.
   */
  async record(caller: Caller, { organizationId, incidentId, version, ...given }: NewIncidentReport): Promise<void> {
    const key = { organizationId, incidentId };
    const privilege = given.notDue === true ? 'CORRECT_REPORTS' : 'EDIT_INCIDENTS';
    const user = await this.access.authorizeWrite(caller, privilege, organizationId);
    await changeIncident(this.deps, user, { ...key, version }, async (tx, incident, now) => {
      refuseClosed(incident);
      const { regime, stage } = regimeWithStage(this.deps.regimes, incident, given);
      const { manner, reason, errors } = mannerOf(regime, stage, given);
      if (errors.length > 0) {
        const sentAt = manner === 'SENT' ? (given.sentAt?.toISOString() ?? null) : null;
        const said = { ...key, sentAt, attachmentId: given.attachmentId ?? null };
        throw invalidInput([...errors, ...(await this.errorsOf(tx, incident, said))]);
      }
      // In the order of the regime.
      const included = regime.stages.filter((each) => given.includes?.includes(each.stage));
      const sent = [...incident.sent];
      const reports: object[] = [];
      const record = async (which: RegimeStage) => {
        const report = nextOf(regime, sent, which);
        const neighbours = neighboursOf(regime, sent, report);
        if (findReport(sent, report) !== undefined) throw conflict('REPORT_ALREADY_RECORDED');
        const sentAt = (given.sentAt ?? now).toISOString();
        const providedAt = manner === 'ALREADY_PROVIDED' ? neighbours.before : sentAt;
        if (neighbours.waits || providedAt === null) throw conflict('EARLIER_REPORT_MISSING');
        const stored = {
          ...{ ...key, ...report, sentAt: providedAt, sentBy: user.username, manner },
          ...{ recipient: '', reference: '', attachmentId: null, ...particularsOf(given) },
          ...judge(this.deps.regimes.all, { ...incident, sent }, report, now),
        } as const;
        const wrong = await this.errorsOf(tx, incident, stored, neighbours);
        refuseErrors(wrong);
        const { id, by } = await store(tx, stored, { reason, user, now });
        reports.push({ ...withoutKey(stored), id, sentBy: by, recordedBy: by, reason });
        sent.push({ ...stored, reason });
        return stored;
      };
      for (const each of included) await record(each);
      const {
        regimeId,
        stage: recorded,
        number,
        sentAt,
        recipient,
        reference,
        attachmentId,
        dueAt,
      } = await record(stage);
      const changes = changesBetween<object>(
        {},
        {
          ...{ regimeId, regimeName: regime.name, stage: recorded, number, sentAt, recipient, reference, attachmentId },
          ...{ dueAt, ...(included.length > 0 && { includes: included.map((each) => each.stage) }) },
          ...(manner !== 'SENT' && { manner }),
        },
      );
      return { action: 'REPORT_RECORDED', changes, ...(reason !== '' && { reason }), state: { reports } };
    });
  }

  /**
   * Corrects or withdraws a recorded report. Earlier records stay in the history. CONFLICT for a report that
   * was not recorded, for withdrawing one that another follows, and for a closed incident. Throws NOT_FOUND, FORBIDDEN
   * (rank 3) and BAD_USER_INPUT.
   */
  async correct(
    caller: Caller,
    { organizationId, incidentId, version, ...given }: IncidentReportCorrection,
  ): Promise<void> {
    const key = { organizationId, incidentId };
    const user = await this.access.authorizeWrite(caller, 'CORRECT_REPORTS', organizationId);
    const reason = visibleText(given.reason).trim();
    await changeIncident(this.deps, user, { ...key, version }, async (tx, incident, now) => {
      refuseClosed(incident);
      const { regimeId, stage } = given;
      const { regimes } = this.deps;
      const regime = found(inForce(regimes.all, incident).find(({ id }) => id === regimeId) ?? regimes.find(regimeId));
      const last = numberAfter(sentOf(incident, regimeId, stage)) - 1;
      const before = findReport(incident.sent, { regimeId, stage, number: given.number ?? last });
      if (before === undefined) throw conflict('REPORT_NOT_RECORDED');
      const neighbours = neighboursOf(regime, incident.sent, before);
      if (given.sentAt == null && neighbours.isFollowed) throw conflict('REPORT_FOLLOWED');
      const sentAt = given.sentAt?.toISOString() ?? null;
      const after: StoredReport = { ...key, ...before, ...particularsOf(given), sentAt };
      const isNotDue = sentAt !== null && after.manner === 'NOT_DUE';
      const errors = [
        ...(isNotDue ? [inputError('sentAt', 'must be null for a report that is not due')] : []),
        ...(await this.errorsOf(tx, incident, isNotDue ? { ...after, sentAt: null } : after, neighbours)),
      ];
      refuseErrors(errors);
      const { id, by: recordedBy } = await store(tx, after, { reason, user, now });
      const { recipient, reference, attachmentId, number } = after;
      const { regimeName = regime.name } = before.judgement ?? {};
      const changes = {
        ...changesBetween<object>({}, { regimeId, regimeName, stage, number }),
        ...changesBetween<object>(before, { sentAt, recipient, reference, attachmentId }),
      };
      // All else is as in the previous record.
      const corrected = { id, regimeId, stage, number, sentAt, recipient, reference, attachmentId, recordedBy, reason };
      return { action: 'REPORT_CORRECTED', changes, reason, state: { reports: [corrected] } };
    });
  }

  /** Errors that do not depend on neighbouring reports. */
  private async errorsOf(
    tx: Queryable,
    { awareAt }: IncidentFacts,
    report: IncidentKey & Pick<StoredReport, 'sentAt' | 'attachmentId'>,
    between: Pick<Neighbours, 'before' | 'after'> = { before: null, after: null },
  ): Promise<FieldError[]> {
    const { sentAt, attachmentId } = report;
    const errors: FieldError[] = [];
    if (sentAt !== null) {
      if (sentAt > this.deps.now().toISOString()) errors.push(inputError('sentAt', 'must not be in the future'));
      if (sentAt < awareAt) errors.push(inputError('sentAt', 'must not be before {awareAt}'));
      else if (between.before !== null && sentAt < between.before)
        errors.push(inputError('sentAt', 'must not be before the preceding report was sent'));
      if (between.after !== null && sentAt > between.after)
        errors.push(inputError('sentAt', 'must not be after the following report was sent'));
    }
    if (attachmentId !== null && (await fileOf.first(tx, { ...report, attachmentId })) === undefined)
      errors.push(inputError('attachmentId', 'must be a file of the incident'));
    return errors;
  }
}

async function store(
  tx: Queryable,
  report: StoredReport,
  { reason, user: { userId, username }, now }: { reason: string; user: UserCaller; now: Date },
): Promise<{ id: number; by: PersonalValue }> {
  const judgement = report.judgement && JSON.stringify(report.judgement);
  const recorded = { reason, recordedBy: username, recordedAt: now.toISOString() };
  const { id } = await add.one(tx, { ...report, ...recorded, judgement });
  await touch.all(tx, { incidentId: report.incidentId, now });
  return { id, by: new PersonalValue(userId, username) };
}

/** The details that an entry about the incident does not contain otherwise. */
function withoutKey({ organizationId: _organizationId, incidentId: _incidentId, ...report }: StoredReport) {
  return report;
}

/** The regime, which has the stage; it need not apply, because reports may be voluntary. */
export function regimeWithStage(
  { all }: ReportingRegimes,
  facts: ClockFacts,
  { regimeId, stage }: Pick<ReportKey, 'regimeId' | 'stage'>,
  errorOf = inputError,
): { regime: Regime; stage: RegimeStage } {
  const known = inForce(all, facts);
  const regime = known.find(({ id }) => id === regimeId);
  if (regime === undefined) {
    const sentence = `must be one of ${known.map(({ id }) => id).join(', ')}`;
    throw invalidInput([errorOf('regimeId', known.length > 0 ? sentence : NONE_IN_FORCE)]);
  }
  const found = regime.stages.find((each) => each.stage === stage);
  const stages = regime.stages.map((each) => each.stage).join(', ');
  if (found === undefined) throw invalidInput([errorOf('stage', `must be one of ${stages}`)]);
  return { regime, stage: found };
}

const NONE_IN_FORCE = 'must be of a regime in force on the day of awareness: there was none';

/** The next report of a stage; a stage without repetition has only the first. */
function nextOf(regime: Regime, sent: readonly SentReport[], stage: RegimeStage): ReportKey {
  const number = isRepeated(stage) ? numberAfter(sentOf({ sent }, regime.id, stage.stage)) : 1;
  return { regimeId: regime.id, stage: stage.stage, number };
}

/** Reports that are not sent, by the input field that is also the name of the stage's provision. */
const NOT_SENT = {
  alreadyProvided: { manner: 'ALREADY_PROVIDED', where: 'it was already provided' },
  notDue: { manner: 'NOT_DUE', where: 'it is not due' },
} as const;

/** How the duty is met, with the reason if the report is not sent, and errors if the law does not provide for that. */
function mannerOf(
  regime: Regime,
  stage: RegimeStage,
  given: GivenReport,
): { manner: ReportManner; reason: string; errors: FieldError[] } {
  const reason = visibleText(given.reason ?? '').trim();
  const includes = given.includes ?? [];
  const errors: FieldError[] = [];
  const add = (name: string, sentence: string) => errors.push(inputError(name, sentence));
  const [name, other] = (['alreadyProvided', 'notDue'] as const).filter((each) => given[each] === true);
  if (name === undefined) {
    const { mayInclude } = stage;
    const among = mayInclude.length > 0 ? `must be among ${mayInclude.join(', ')}` : `must be empty for ${stage.stage}`;
    if (reason !== '') add('reason', 'is only for what was already provided or is not due');
    if (includes.some((each) => !mayInclude.includes(each))) add('includes', among);
  } else {
    const { where } = NOT_SENT[name];
    if (stage[name] === null) add(name, `is not provided for by the law of ${regime.name} for ${stage.stage}`);
    if (other !== undefined) add(other, 'must be absent where it was already provided');
    if (reason === '') add('reason', `is required where ${where}`);
    if (given.sentAt != null) add('sentAt', `must be absent where ${where}`);
    if (includes.length > 0) add('includes', `must be empty where ${where}`);
  }
  return { manner: name === undefined ? 'SENT' : NOT_SENT[name].manner, reason, errors };
}

/** The given values, as stored. */
function particularsOf({
  recipient,
  reference,
  attachmentId,
}: Particulars): Partial<Pick<SentReport, keyof Particulars>> {
  return {
    ...(recipient !== undefined && { recipient: visibleText(recipient ?? '').trim() }),
    ...(reference !== undefined && { reference: visibleText(reference ?? '').trim() }),
    ...(attachmentId !== undefined && { attachmentId }),
  };
}
