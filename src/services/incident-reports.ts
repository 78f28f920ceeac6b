import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { badUserInput, conflict } from '../errors.js';
import { INCIDENT_REPORT_STAGES, type IncidentReportStage } from '../vocabulary/incident-reports.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { ListSelection } from '../vocabulary/selection.js';
import { visibleText } from '../vocabulary/visible-text.js';
import { IncidentListing } from './incident-listing.js';
import type { IncidentRef } from './incidents.js';
import { incidentHref, lockOpenIncident, type IncidentKey, type LockedIncident } from './locked-incident.js';
import { notify } from './notifier.js';
import { lineFaults } from './text-rules.js';

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

/** The columns of each stage, and what people call it. */
const STAGES = {
  EARLY_WARNING: { sent: 'earlyWarningSentAt', column: 'early_warning', words: 'early warning' },
  NOTIFICATION: { sent: 'notificationSentAt', column: 'notification', words: 'notification' },
  FINAL_REPORT: { sent: 'finalReportSentAt', column: 'final_report', words: 'final report' },
} as const;

const FROM = 'incident_report r join incident i on i.id = r.incident_id';

const listing = new IncidentListing({ from: FROM, alias: 'r' });

const projection = new Projection({
  id: 'r.id',
  stage: 'r.stage',
  sentAt: 'r.sent_at',
  reason: 'r.reason',
  recordedBy: 'r.recorded_by',
  recordedAt: 'r.recorded_at',
});

/** The reports of NIS 2 Article 23(4): who sent what when, and who corrected it (decisions §7; docs/adr/0011). */
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
      const before = sentBefore(incident, stage);
      if (sentOf(incident, stage) !== null || before === null) throw conflict();
      refuse(instantFaults(incident, stage, sent, now));
      await this.keep(tx, user, incident, { stage, sentAt: sent, reason: '', now });
      const message = `${user.username} has recorded that the ${STAGES[stage].words} on “${incident.title}” was sent.`;
      await tell(tx, user, incident, { title: 'Report recorded', message, at: now });
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
    const faults = lineFaults('reason', why, LIMITS.incident.correctionReasonCharacters);
    if (sentAt === undefined) faults.unshift('sent_at is required; null says that it was not sent');
    refuse(faults);
    await this.database.transaction(async (tx) => {
      const incident = await lockOpenIncident(tx, key);
      const now = this.now();
      const follower = sentAfter(incident, stage);
      if (sentOf(incident, stage) === null || (sentAt == null && follower !== null)) throw conflict();
      if (sentAt != null) refuse(instantFaults(incident, stage, sentAt, now));
      await this.keep(tx, user, incident, { stage, sentAt: sentAt ?? null, reason: why, now });
      const message = `${user.username} has corrected when the ${STAGES[stage].words} on “${incident.title}” was sent.`;
      await tell(tx, user, incident, { title: 'Report corrected', message, at: now });
    });
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not see who sent what. */
  authorizeList(caller: Caller, { organizationId }: IncidentRef): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
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

  /** Who corrects an instant is not who sent the report: the clock keeps its sender. */
  private async keep(
    tx: Queryable,
    { username }: UserCaller,
    { id }: LockedIncident,
    { stage, sentAt, reason, now }: { stage: IncidentReportStage; sentAt: Date | null; reason: string; now: Date },
  ): Promise<void> {
    const { column } = STAGES[stage];
    await tx.rows(
      `update incident
          set ${column}_sent_at = $2, updated_at = $4,
              ${column}_sent_by = case when $2::timestamptz is null then null else coalesce(${column}_sent_by, $3) end
        where id = $1`,
      [id, sentAt, username, now],
    );
    await tx.rows(
      `insert into incident_report (incident_id, stage, sent_at, reason, recorded_by, recorded_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [id, stage, sentAt, reason, username, now],
    );
  }
}

function sentOf(incident: LockedIncident, stage: IncidentReportStage): string | null {
  return incident[STAGES[stage].sent];
}

/** When the stage before was sent, null when it was not; before the first one lies becoming aware. */
function sentBefore(incident: LockedIncident, stage: IncidentReportStage): string | null {
  const before = INCIDENT_REPORT_STAGES[INCIDENT_REPORT_STAGES.indexOf(stage) - 1];
  return before === undefined ? incident.awareAt : sentOf(incident, before);
}

function sentAfter(incident: LockedIncident, stage: IncidentReportStage): string | null {
  const after = INCIDENT_REPORT_STAGES[INCIDENT_REPORT_STAGES.indexOf(stage) + 1];
  return after === undefined ? null : sentOf(incident, after);
}

function instantFaults(incident: LockedIncident, stage: IncidentReportStage, sentAt: Date, now: Date): string[] {
  const faults: string[] = [];
  const before = sentBefore(incident, stage);
  const after = sentAfter(incident, stage);
  if (sentAt > now) faults.push('sent_at must not be in the future');
  if (Date.parse(incident.awareAt) > sentAt.getTime()) faults.push('sent_at must not be before aware_at');
  else if (before !== null && Date.parse(before) > sentAt.getTime()) {
    faults.push('sent_at must not be before the preceding report was sent');
  }
  if (after !== null && Date.parse(after) < sentAt.getTime()) {
    faults.push('sent_at must not be after the following report was sent');
  }
  return faults;
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw badUserInput(faults);
}

function tell(
  tx: Queryable,
  user: UserCaller,
  incident: LockedIncident,
  { title, message, at }: { title: string; message: string; at: Date },
): Promise<void> {
  return notify(tx, {
    organizationId: incident.organizationId,
    type: 'INCIDENT',
    title,
    message,
    at,
    href: incidentHref(incident),
    to: { privilege: 'READ_INCIDENTS' },
    alerts: 'v_ciso',
    except: user.userId,
  });
}
