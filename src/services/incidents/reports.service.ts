import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import { person, Projection, properties, type Shape } from '../../database/projection.js';
import { db, sql, statement, statementPer, table } from '../../database/sql.js';
import { conflict, inputError, invalidInput, notFound } from '../../errors.js';
import { INCIDENT_REPORT_STAGES, type IncidentReportStage } from '../../values/enums.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { visibleText } from '../../common/visible-text.js';
import type { IncidentClockFacts } from './deadlines.js';
import {
  IncidentListing,
  lockOpenIncident,
  recordIncident,
  type IncidentKey,
  type IncidentRef,
  type LockedIncident,
} from './incidents.service.js';

export interface NewIncidentReport extends IncidentKey {
  stage: IncidentReportStage;
  /** Now when absent. */
  sentAt?: Date | null;
}

export interface IncidentReportCorrection extends IncidentKey {
  stage: IncidentReportStage;
  /** Null: it was not sent after all. */
  sentAt?: Date | null;
  reason: string;
}

/** The property that says when each stage was sent, and its name in notifications. */
export const STAGES = {
  EARLY_WARNING: { sent: 'earlyWarningSentAt', words: 'early warning' },
  NOTIFICATION: { sent: 'notificationSentAt', words: 'notification' },
  FINAL_REPORT: { sent: 'finalReportSentAt', words: 'final report' },
} as const;

const r = table('incident_report', 'r');
const i = table('incident', 'i');

const FROM = sql`${r.table} join ${i.table} on ${i.id} = ${r.incident_id}`;

const listing = new IncidentListing(FROM, r);

const projection = new Projection('IncidentReport', {
  ...properties(r, 'id', 'stage', 'sent_at', 'reason', 'recorded_at'),
  recordedBy: person(r.recorded_by),
});

const one = statementPer<Shape, { id: number }>()(
  (p, { select }) =>
    sql<{ $organization: number }>`
      select ${i.organization_id} as "$organization", ${sql.join(select)} from ${FROM} where ${r.id} = ${p('id')}`,
);

interface RecordedReport {
  id: number;
  stage: IncidentReportStage;
  sentAt: Date | null;
  reason: string;
  username: string;
  now: Date;
}

/** A correction of the instant keeps the user who sent the report. */
const setSent = {
  EARLY_WARNING: setSentOf('early_warning_sent_at', 'early_warning_sent_by'),
  NOTIFICATION: setSentOf('notification_sent_at', 'notification_sent_by'),
  FINAL_REPORT: setSentOf('final_report_sent_at', 'final_report_sent_by'),
};

function setSentOf<By extends 'early_warning_sent_by' | 'notification_sent_by' | 'final_report_sent_by'>(
  sentAt: 'early_warning_sent_at' | 'notification_sent_at' | 'final_report_sent_at',
  sentBy: By,
) {
  return statement<RecordedReport>()((p) =>
    db
      .updateTable('incident')
      .set({
        [sentAt]: p('sentAt'),
        [sentBy]: sql`case when ${p('sentAt')}::timestamptz is null then null else coalesce(${sql.ref(sentBy)}, ${p('username')}) end`,
        updated_at: p('now'),
      })
      .where('id', '=', p('id')),
  );
}

const addReport = statement<RecordedReport>()((p) =>
  db.insertInto('incident_report').values({
    incident_id: p('id'),
    stage: p('stage'),
    sent_at: p('sentAt'),
    reason: p('reason'),
    recorded_by: p('username'),
    recorded_at: p('now'),
  }),
);

/** The reports of NIS 2 Article 23(4): who sent what when, and who corrected it (docs/adr/0011). */
export class IncidentReportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date,
  ) {}

  /**
   * Records that a report was sent. Stages follow each other, each once: CONFLICT for one that was recorded, for one
   * whose predecessor was not, and for a closed incident. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT.
   */
  async record(caller: Caller, { stage, sentAt, ...key }: NewIncidentReport): Promise<void> {
    await this.access.authorize(caller, 'EDIT_INCIDENTS', key.organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    await this.database.transaction(async (tx) => {
      const incident = await lockOpenIncident(tx, key);
      const now = this.now();
      const sent = sentAt ?? now;
      if (!isRecordable(incident, stage)) throw conflict();
      refuse(instantErrors(incident, stage, sent, now));
      await this.store(tx, { id: incident.id, stage, sentAt: sent, reason: '', username: user.username, now });
      const changes = { [STAGES[stage].sent]: { before: null, after: sent } };
      await recordIncident(tx, user, incident, { action: 'REPORT_RECORDED', at: now, changes });
    });
  }

  /**
   * Corrects when a recorded report was sent, or takes it back. What was said before stays in the history. CONFLICT for
   * a report that was not recorded, for taking one back that another follows, and for a closed incident. Throws
   * NOT_FOUND, FORBIDDEN (rank 3) and BAD_USER_INPUT.
   */
  async correct(caller: Caller, { stage, sentAt, reason, ...key }: IncidentReportCorrection): Promise<void> {
    await this.access.authorize(caller, 'CORRECT_REPORTS', key.organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    const why = visibleText(reason).trim();
    await this.database.transaction(async (tx) => {
      const incident = await lockOpenIncident(tx, key);
      const now = this.now();
      const follower = sentAfter(incident, stage);
      if (!isRecorded(incident, stage) || (sentAt == null && follower !== null)) throw conflict();
      if (sentAt != null) refuse(instantErrors(incident, stage, sentAt, now));
      await this.store(tx, {
        ...{ id: incident.id, stage, sentAt: sentAt ?? null, reason: why, username: user.username, now },
      });
      const changes = { [STAGES[stage].sent]: { before: sentOf(incident, stage), after: sentAt ?? null } };
      await recordIncident(tx, user, incident, { action: 'REPORT_CORRECTED', at: now, changes, reason: why });
    });
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not see who sent what. */
  authorizeList(caller: Caller, { organizationId }: IncidentRef): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /** One record of a report; throws NOT_FOUND or FORBIDDEN. */
  async read(caller: Caller, id: number, selection: Selection): Promise<object> {
    const shape = projection.of(selection);
    const rows = await one(shape).all(this.database, { id });
    const [report] = shape.nest<(typeof rows)[number]>(rows);
    if (report === undefined) throw notFound();
    await this.access.authorize(caller, 'READ_INCIDENTS', report.$organization);
    return report;
  }

  /** What was recorded of each incident, newest first; throws for the first that the caller may not list. */
  async ofIncidents(
    caller: Caller,
    incidents: readonly IncidentRef[],
    query: { page: PageRequest },
    { items, total }: ListSelection,
  ): Promise<Map<IncidentRef, Page<object>>> {
    for (const incident of incidents) await this.authorizeList(caller, incident);
    return listing.of(this.database, incidents, { page: query.page, shape: projection.of(items), total });
  }

  private async store(tx: Queryable, report: RecordedReport): Promise<void> {
    await setSent[report.stage].all(tx, report);
    await addReport.all(tx, report);
  }
}

/** Whether the report is the next one to be recorded: not recorded yet, and its predecessor is. */
export function isRecordable(incident: IncidentClockFacts, stage: IncidentReportStage): boolean {
  return !isRecorded(incident, stage) && sentBefore(incident, stage) !== null;
}

export function isRecorded(incident: IncidentClockFacts, stage: IncidentReportStage): boolean {
  return sentOf(incident, stage) !== null;
}

function sentOf(incident: IncidentClockFacts, stage: IncidentReportStage): string | null {
  return incident[STAGES[stage].sent];
}

/** When the stage before was sent, null when it was not; before the first one lies becoming aware. */
function sentBefore(incident: IncidentClockFacts, stage: IncidentReportStage): string | null {
  const before = INCIDENT_REPORT_STAGES[INCIDENT_REPORT_STAGES.indexOf(stage) - 1];
  return before === undefined ? incident.awareAt : sentOf(incident, before);
}

function sentAfter(incident: LockedIncident, stage: IncidentReportStage): string | null {
  const after = INCIDENT_REPORT_STAGES[INCIDENT_REPORT_STAGES.indexOf(stage) + 1];
  return after === undefined ? null : sentOf(incident, after);
}

function instantErrors(incident: LockedIncident, stage: IncidentReportStage, sentAt: Date, now: Date): string[] {
  const sentences: string[] = [];
  const before = sentBefore(incident, stage);
  const after = sentAfter(incident, stage);
  if (sentAt > now) sentences.push('must not be in the future');
  if (Date.parse(incident.awareAt) > sentAt.getTime()) sentences.push('must not be before {awareAt}');
  else if (before !== null && Date.parse(before) > sentAt.getTime()) {
    sentences.push('must not be before the preceding report was sent');
  }
  if (after !== null && Date.parse(after) < sentAt.getTime()) {
    sentences.push('must not be after the following report was sent');
  }
  return sentences;
}

function refuse(sentences: readonly string[]): void {
  if (sentences.length > 0) throw invalidInput(sentences.map((sentence) => inputError('sentAt', sentence)));
}
