import { insertRows, jsonRows, selectAll } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import { db, sql, statement } from '../../database/sql.js';
import type { ReminderKind } from '../../values/enums.js';
import {
  firstReminder,
  incidentFacts,
  lockedFacts,
  lockIncident,
  recordIncident,
  setReminder,
  type IncidentFacts,
  type LockedIncident,
} from './incidents.service.js';
import { isOwed, reportingClock, type IncidentClock, type IncidentStage } from './reporting-clock.js';
import type { ReportingRegimes } from './reporting-regimes.js';

/** Incidents looked up in one statement. */
const BATCH = 200;

const REMINDERS = { kind: 'system', name: 'incident-reminders' } as const;

interface Reminder extends IncidentStage {
  dueAt: string;
  /** Those that are due. Only the last one is sent: after the deadline no reminder says that it is near. */
  kinds: readonly ReminderKind[];
}

interface Batch {
  last: number;
  now: Date;
}

/** Those whose next reminder is due, on the partial index on it. */
const due = statement<Batch>()((p) =>
  db
    .selectFrom('incident as i')
    .innerJoin('organization as o', 'o.id', 'i.organization_id')
    .select(selectAll('incident', 'i'))
    .where('o.deleted_at', 'is', null)
    .where('i.next_reminder_at', '<=', p('now'))
    .where('i.id', '>', p('last'))
    .orderBy('i.id')
    .limit(BATCH),
);

const open = statement<Batch>()((p) =>
  db
    .selectFrom('incident as i')
    .select('i.id')
    .where('i.status', '<>', 'CLOSED')
    .where('i.id', '>', p('last'))
    .orderBy('i.id')
    .limit(BATCH),
);

const MARKED = ['organizationId', 'incidentId', 'regimeId', 'stage', 'number', 'kind', 'dueAt', 'createdAt'] as const;

const mark = statement<{ rows: string }>()(
  (p) => sql<{ kind: ReminderKind }>`
    ${insertRows('incident_reminder', MARKED, p('rows'))} on conflict do nothing returning kind`,
);

/**
 * Reminders of the reports that are owed: one before each deadline and one at it. Each is marked in the transaction that
 * records it, so that it is sent once, also after a crash and by several instances.
 */
export class IncidentReminderService {
  private isScheduled = false;

  constructor(
    private readonly database: Database,
    private readonly regimes: ReportingRegimes,
    private readonly now: () => Date,
  ) {}

  /**
   * Sends every reminder that is due and returns their number; safe to repeat. A reminder that fails does not keep the
   * others back: the first error is thrown when all were tried.
   */
  async remind(): Promise<number> {
    if (!this.isScheduled) await this.scheduleAll();
    this.isScheduled = true;
    let given = 0;
    const errors: unknown[] = [];
    for (let last = 0, size = BATCH; size === BATCH;) {
      const batch = await due.all(this.database, { last, now: this.now() });
      for (const incident of batch) {
        const count = await this.remindOf(incident).catch((error: unknown) => void errors.push(error));
        given += count ?? 0;
      }
      last = batch.at(-1)?.id ?? 0;
      size = batch.length;
    }
    if (errors.length > 0) throw errors[0];
    return given;
  }

  /** Once in each process: its regimes may differ from those by which the reminders were scheduled. */
  private async scheduleAll(): Promise<void> {
    const now = this.now();
    for (let last = 0, size = BATCH; size === BATCH;) {
      const ids = (await open.all(this.database, { last, now })).map(({ id }) => id);
      for (const incident of await incidentFacts(this.database, ids)) {
        const next = firstReminder(this.clock(incident, now));
        const isEarlier = next !== null && (incident.nextReminderAt === null || next < incident.nextReminderAt);
        if (isEarlier) await setReminder(this.database, incident, next);
      }
      last = ids.at(-1) ?? 0;
      size = ids.length;
    }
  }

  /** What is due is decided again under the lock: a report may have been recorded since. */
  private remindOf({ organizationId, id: incidentId }: LockedIncident): Promise<number> {
    return this.database.transaction(async (tx) => {
      const locked = await lockIncident(tx, { organizationId, incidentId });
      if (locked.status === 'CLOSED') return 0;
      const incident = await lockedFacts(tx, locked);
      const now = this.now();
      const clock = this.clock(incident, now);
      await setReminder(tx, incident, firstReminder(clock, now.toISOString()));
      let given = 0;
      for (const reminder of remindersOf(clock, now)) {
        const { regimeId, stage, number, dueAt, kinds } = reminder;
        const report = { organizationId, incidentId, regimeId, stage, number, dueAt, createdAt: now.toISOString() };
        const marks = kinds.map((kind) => ({ ...report, kind }));
        const marked = await mark.all(tx, { rows: jsonRows<'incident_reminder'>(marks) });
        const latest = kinds.at(-1) as ReminderKind;
        if (!marked.some(({ kind }) => kind === latest)) continue;
        await recordIncident(tx, REMINDERS, incident, {
          action: latest === 'AHEAD' ? 'REPORT_DUE_SOON' : 'REPORT_OVERDUE',
          at: now,
          changes: {
            regimeId: { after: regimeId },
            stage: { after: stage },
            number: { after: number },
            dueAt: { after: dueAt },
          },
        });
        given += 1;
      }
      return given;
    });
  }

  private clock(incident: IncidentFacts, now: Date): IncidentClock {
    return reportingClock(this.regimes.all, incident, now);
  }
}

function remindersOf({ stages }: IncidentClock, now: Date): Reminder[] {
  return stages.filter(isOwed).flatMap((stage) => {
    const { dueAt, soonAt } = stage;
    if (dueAt === null || soonAt === null || now.toISOString() < soonAt) return [];
    return [{ ...stage, dueAt, kinds: now.getTime() < Date.parse(dueAt) ? ['AHEAD'] : ['AHEAD', 'DUE'] } as const];
  });
}
