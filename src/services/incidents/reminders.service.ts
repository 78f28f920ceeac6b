import { HOUR } from '../../common/time.js';
import { selectAll } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import { db, sql, statement } from '../../database/sql.js';
import type { IncidentReportStage, ReminderKind } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { incidentClock, type IncidentStage } from './deadlines.js';
import { lockIncident, recordIncident, type LockedIncident } from './incidents.service.js';

/** Incidents looked up in one statement. */
const BATCH = 200;

const { earlyWarningReminderHours, notificationReminderHours, finalReportReminderHours } = LIMITS.incident;

/** The reports that are reminded of, and their names in notifications. */
export const REMINDED = [
  { stage: 'EARLY_WARNING', clock: 'earlyWarning', ahead: earlyWarningReminderHours * HOUR, words: 'Early warning' },
  { stage: 'NOTIFICATION', clock: 'notification', ahead: notificationReminderHours * HOUR, words: 'Notification' },
  { stage: 'FINAL_REPORT', clock: 'finalReport', ahead: finalReportReminderHours * HOUR, words: 'Final report' },
] as const;

const REMINDERS = { kind: 'system', name: 'incident-reminders' } as const;

interface Reminder {
  stage: IncidentReportStage;
  dueAt: string;
  /** Those that are due. Only the last one is sent: after the deadline no reminder says that it is near. */
  kinds: readonly ReminderKind[];
}

/** In the words of the partial index on it: incidents that still owe a report. */
const owing = statement<{ last: number }>()((p) =>
  db
    .selectFrom('incident as i')
    .innerJoin('organization as o', 'o.id', 'i.organization_id')
    .select(selectAll('incident', 'i'))
    .where('o.deleted_at', 'is', null)
    .where('i.significant', '=', true)
    .where('i.status', '<>', 'CLOSED')
    .where('i.final_report_sent_at', 'is', null)
    .where('i.id', '>', p('last'))
    .orderBy('i.id')
    .limit(BATCH),
);

const mark = statement<{
  incidentId: number;
  stage: IncidentReportStage;
  kinds: readonly ReminderKind[];
  dueAt: string;
  now: Date;
}>()((p) =>
  db
    .insertInto('incident_reminder')
    .columns(['incident_id', 'stage', 'kind', 'due_at', 'created_at'])
    .expression(
      sql`select ${p('incidentId')}, ${p('stage')}, kind, ${p('dueAt')}, ${p('now')} from unnest(${p('kinds')}::text[]) as kind`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('kind'),
);

const remindersGiven = statement<{ ids: number[] }>()((p) =>
  db
    .selectFrom('incident_reminder')
    .select(['incident_id as incidentId', 'stage', 'kind', 'due_at as dueAt'])
    .where('incident_id', '=', sql<number>`any(${p('ids')}::int[])`),
);

/**
 * Reminders of the reports that significant incidents owe: one before each deadline and one at it. Each is marked in the
 * transaction that records it, so that it is sent once, also after a crash and by several instances.
 */
export class IncidentReminderService {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /**
   * Sends every reminder that is due and returns their number; safe to repeat. A reminder that fails does not keep the
   * others back: the first error is thrown when all were tried.
   */
  async remind(): Promise<number> {
    let given = 0;
    const errors: unknown[] = [];
    for await (const incident of this.due()) {
      const count = await this.remindOf(incident).catch((error: unknown) => void errors.push(error));
      given += count ?? 0;
    }
    if (errors.length > 0) throw errors[0];
    return given;
  }

  private async *due(): AsyncGenerator<LockedIncident> {
    let batch: LockedIncident[] = [];
    do {
      const last = batch.at(-1)?.id ?? 0;
      batch = await owing.all(this.database, { last });
      yield* await this.toRemindOf(batch);
    } while (batch.length === BATCH);
  }

  /** Most incidents have no reminder due: they cost a share of one statement and no transaction. */
  private async toRemindOf(incidents: readonly LockedIncident[]): Promise<LockedIncident[]> {
    const now = this.now();
    const due = incidents.filter((incident) => remindersOf(incident, now).length > 0);
    if (due.length === 0) return [];
    const rows = await remindersGiven.all(this.database, { ids: due.map(({ id }) => id) });
    const given = new Set(rows.map((row) => keyOf(row.incidentId, row.stage, row.kind, row.dueAt)));
    const isGiven = (id: number, { stage, dueAt, kinds }: Reminder) =>
      kinds.every((kind) => given.has(keyOf(id, stage, kind, dueAt)));
    return due.filter((incident) => !remindersOf(incident, now).every((each) => isGiven(incident.id, each)));
  }

  /** What is due is decided again under the lock: a report may have been recorded since. */
  private remindOf({ organizationId, id: incidentId }: LockedIncident): Promise<number> {
    return this.database.transaction(async (tx) => {
      const incident = await lockIncident(tx, { organizationId, incidentId });
      if (incident.status === 'CLOSED') return 0;
      const now = this.now();
      let given = 0;
      for (const reminder of remindersOf(incident, now)) {
        const { stage, kinds, dueAt } = reminder;
        const marked = await mark.all(tx, { incidentId, stage, kinds, dueAt, now });
        const latest = reminder.kinds.at(-1) as ReminderKind;
        if (!marked.some(({ kind }) => kind === latest)) continue;
        await recordIncident(tx, REMINDERS, incident, {
          action: latest === 'AHEAD' ? 'REPORT_DUE_SOON' : 'REPORT_OVERDUE',
          at: now,
          changes: { stage: { after: stage }, dueAt: { after: dueAt } },
        });
        given += 1;
      }
      return given;
    });
  }
}

function keyOf(id: number, stage: IncidentReportStage, kind: ReminderKind, dueAt: string): string {
  return `${id} ${stage} ${kind} ${dueAt}`;
}

function remindersOf(incident: LockedIncident, now: Date): Reminder[] {
  const clock = incidentClock(incident, now);
  return REMINDED.flatMap(({ stage, clock: field, ahead }) => {
    const { state, dueAt }: IncidentStage = clock[field];
    if (state === 'SENT' || dueAt === null) return [];
    const left = Date.parse(dueAt) - now.getTime();
    if (left > ahead) return [];
    return [{ stage, dueAt, kinds: left > 0 ? ['AHEAD'] : ['AHEAD', 'DUE'] } as const];
  });
}
