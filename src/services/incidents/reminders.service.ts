import { throwFailures } from '../../common/failures.js';
import { HOUR } from '../../common/time.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { inBatches } from '../../database/until-fewer.js';
import { ifFound } from '../../errors.js';
import type { ReminderKind } from '../../values/enums.js';
import { changesBetween } from '../audit/record.js';
import {
  incidentFacts,
  lockIncident,
  recordIncident,
  reportTimes,
  setReportTimes,
  type IncidentFacts,
  type IncidentRef,
} from './incidents.service.js';
import { isOwed, reportingClock, type IncidentClock } from './reporting-clock.js';
import type { ReportingRegimes } from './reporting-regimes.js';

/** Incidents looked up in one statement. */
const BATCH = 200;
/** Milliseconds between two schedulings of all incidents; the first is at the start. */
const SCHEDULED_EVERY = HOUR;

const REMINDERS = { kind: 'system', name: 'incident-reminders' } as const;

const i = table('incident', 'i');
const o = table('organization', 'o');

/** Sort position of an incident by its next reminder. */
interface Place {
  nextReminderAt: string;
  id: number;
}

/** In the order of the partial index on due reminders, so that no other plan is cheaper for any content of the tables. */
const due = statement<{ now: Date } & Place>()(
  (p) => sql<IncidentRef & Place>`
    select ${i.id}, ${i.organization_id} as "organizationId", ${i.next_reminder_at} as "nextReminderAt" from ${i.table}
     cross join lateral (select from ${o.table} where ${o.id} = ${i.organization_id} and ${o.deleted_at} is null offset 0) present
     where ${i.next_reminder_at} <= ${p('now')} and (${i.next_reminder_at}, ${i.id}) > (${p('nextReminderAt')}, ${p('id')})
     order by ${i.next_reminder_at}, ${i.id} limit ${sql.lit(BATCH)}`,
);

const open = statement<{ id: number }>()((p) =>
  db
    .selectFrom('incident as i')
    .select('i.id')
    .where('i.status', '<>', 'CLOSED')
    .where('i.id', '>', p('id'))
    .orderBy('i.id')
    .limit(BATCH),
);

/** Locked ones are skipped: their change schedules them, and waiting for several at once could deadlock. */
const lockOpen = statement<{ ids: readonly number[] }>()((p) =>
  db
    .selectFrom('incident as i')
    .select('i.id')
    .where('i.id', '=', ({ fn }) => fn.any(p('ids')))
    .where('i.status', '<>', 'CLOSED')
    .forNoKeyUpdate()
    .skipLocked(),
);

const MARKED = ['organizationId', 'incidentId', 'regimeId', 'stage', 'number', 'kind', 'dueAt', 'createdAt'] as const;

const mark = statement<{ rows: string }>()(
  (p) => sql<{ kind: ReminderKind }>`
    ${insertRows('incident_reminder', MARKED, p('rows'))} on conflict do nothing returning kind`,
);

/**
 * Reminders of outstanding reports: one before each deadline and one at it. Each is marked in the transaction that
 * records it, so that it is sent once, also after a crash and by several instances.
 */
export class IncidentReminderService {
  private scheduledAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly regimes: ReportingRegimes,
    private readonly now: () => Date,
  ) {}

  /**
   * Sends every due reminder and returns their number; idempotent. After an error, the others are still tried: it is
   * thrown afterwards.
   */
  async remind(): Promise<number> {
    const begunAt = this.now().getTime();
    if (Math.abs(begunAt - this.scheduledAt) >= SCHEDULED_EVERY) {
      await this.scheduleAll();
      this.scheduledAt = begunAt;
    }
    let given = 0;
    const failures = new Map<number, unknown>();
    const dueAfter = ({ nextReminderAt, id }: Place = { nextReminderAt: '-infinity', id: 0 }) =>
      due.all(this.database, { now: this.now(), nextReminderAt, id });
    for await (const batch of inBatches(BATCH, dueAfter)) {
      for (const incident of batch) {
        const count = await this.remindOf(incident).catch((error: unknown) => void failures.set(incident.id, error));
        given += count ?? 0;
      }
    }
    throwFailures(failures, 'not reminded of', 'incidents');
    return given;
  }

  /** The regimes may differ from those of the last scheduling, for example during an upgrade. */
  private async scheduleAll(): Promise<void> {
    const openAfter = ({ id } = { id: 0 }) => open.all(this.database, { id });
    for await (const batch of inBatches(BATCH, openAfter)) {
      const read = await incidentFacts(this.database, batch.map(idOf));
      const ids = read.filter((incident) => this.changedTimesOf(incident) !== undefined).map(idOf);
      if (ids.length > 0) await this.database.transaction((tx) => this.reschedule(tx, ids));
    }
  }

  private async reschedule(tx: Queryable, ids: readonly number[]): Promise<void> {
    const locked = await lockOpen.all(tx, { ids });
    for (const incident of await incidentFacts(tx, locked.map(idOf))) {
      const times = this.changedTimesOf(incident);
      if (times) await setReportTimes(tx, incident, times);
    }
  }

  /** Another first deadline, or an earlier reminder than stored; a later one was sent. */
  private changedTimesOf(incident: IncidentFacts) {
    const { nextReminderAt, nextDeadlineAt } = reportTimes(this.clock(incident, this.now()));
    const noted = incident.nextReminderAt;
    const isEarlier = nextReminderAt !== null && (noted === null || nextReminderAt < noted);
    if (!isEarlier && nextDeadlineAt === incident.nextDeadlineAt) return undefined;
    return { nextReminderAt: isEarlier ? nextReminderAt : noted, nextDeadlineAt };
  }

  /** Checks again under the lock: a report may have been recorded, or the incident deleted. */
  private remindOf({ organizationId, id: incidentId }: IncidentRef): Promise<number> {
    return this.database.transaction(async (tx) => {
      const locked = await ifFound(() => lockIncident(tx, { organizationId, incidentId }));
      if (locked === undefined || locked.status === 'CLOSED') return 0;
      const [incident] = (await incidentFacts(tx, [incidentId])) as [IncidentFacts];
      const now = this.now();
      const createdAt = now.toISOString();
      const clock = this.clock(incident, now);
      await setReportTimes(tx, incident, reportTimes(clock, createdAt));
      let given = 0;
      for (const { regimeId, regimeName, stage, number, dueAt, extendedTo, soonAt } of clock.stages.filter(isOwed)) {
        if (dueAt === null || soonAt === null || createdAt < soonAt) continue;
        // Only the last one is sent: after the deadline, no advance reminder follows.
        const kinds: ReminderKind[] = createdAt < (extendedTo ?? dueAt) ? ['AHEAD'] : ['AHEAD', 'DUE'];
        const report = { regimeId, stage, number, dueAt };
        const marks = kinds.map((kind) => ({ organizationId, incidentId, ...report, createdAt, kind }));
        const marked = await mark.all(tx, { rows: jsonRows<'incident_reminder'>(marks) });
        const latest = kinds.at(-1);
        if (!marked.some(({ kind }) => kind === latest)) continue;
        const changes = changesBetween<object>({}, { ...report, extendedTo: extendedTo ?? undefined, regimeName });
        const action = latest === 'AHEAD' ? 'REPORT_DUE_SOON' : 'REPORT_OVERDUE';
        await recordIncident(tx, REMINDERS, incident, { action, at: now, changes });
        given += 1;
      }
      return given;
    });
  }

  private clock(incident: IncidentFacts, now: Date): IncidentClock {
    return reportingClock(this.regimes.all, incident, now);
  }
}

const idOf = ({ id }: { id: number }) => id;
