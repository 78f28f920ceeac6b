import { dayAfter, dayOf } from '../../common/local-time.js';
import { HOUR } from '../../common/time.js';
import type { Database, Queryable } from '../../database/database.js';
import { column, db, sql, statement, table } from '../../database/sql.js';
import { inBatches, untilFewer } from '../../database/until-fewer.js';
import { LIMITS } from '../../values/limits.js';
import { record } from '../audit/record.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { isOf, todayOf, type OrganizationWorkflowKey } from './progress.js';
import { IS_OPEN, newestOf } from './due-controls.js';

const s = table('control_state', 's');
const w = table('organization_workflow', 'w');
const o = table('organization', 'o');
const m = table('membership', 'm');
const u = table('app_user', 'u');
const v = table('document_version', 'v');

/** A control with its day that is about to pass or has passed. */
interface Reminder extends OrganizationWorkflowKey {
  controlId: string;
  ownerId: string;
  day: string;
}

const REMINDERS = { kind: 'system', name: 'control-reminders' } as const;

/** Days around today in which evidence is about to expire, or became stale. */
const SPAN = sql.lit(LIMITS.document.expiringDays);

/** Controls in one transaction: locked together, and repeated after a crash. */
const BATCH = 100;
/** Controls read by one statement, due or not, which bounds its duration. */
const LOOKED_AT = 1000;

/** Cursor; `id` is that of a control's state or document. */
interface Place {
  id: number;
  day: string;
}

type Candidate = Place & { stateId: number };

/** Controls whose due date has passed in some time zone, and whose owners were not reminded. */
const overdue = statement<Place & { latest: string }>()(
  (p) => sql<Candidate>`
    select ${s.id}, ${s.due_date}::text as day, ${s.id} as "stateId" from ${s.table}
     where ${s.owner_id} is not null and ${IS_OPEN} and ${s.due_date} < ${p('latest')}
       and ${s.reminded_due_date} is distinct from ${s.due_date} and (${s.due_date}, ${s.id}) > (${p('day')}::date, ${p('id')})
     order by ${s.due_date}, ${s.id} limit ${LOOKED_AT}`,
);

/** Controls whose documents have a last day by a review interval. */
const reviewed = statement<Place>()(
  (p) => sql<Candidate>`
    select ${s.id}, '' as day, ${s.id} as "stateId" from ${s.table}
     where ${s.owner_id} is not null and ${s.review_interval_months} is not null and ${s.id} > ${p('id')}
     order by ${s.id} limit ${LOOKED_AT}`,
);

/** Controls that have documents with a last day near today. */
const dated = statement<Place & { to: string }>()(
  (p) => sql<Candidate>`
    select ${v.id}, ${v.valid_until}::text as day, ${s.id} as "stateId" from ${v.table}
      join ${s.table} on ${s.organization_id} = ${v.organization_id} and ${s.workflow_id} = ${v.workflow_id}
                     and ${s.control_id} = ${v.artifact_id}
     where ${v.valid_until} between ${p('day')}::date and ${p('to')}::date and (${v.valid_until}, ${v.id}) > (${p('day')}::date, ${p('id')})
     order by ${v.valid_until}, ${v.id} limit ${LOOKED_AT}`,
);

/** Dissociated workflows, deleted organizations and deactivated members are skipped. */
const OF_ACTIVE_OWNERS = sql`
         join ${w.table} on ${w.organization_id} = ${s.organization_id} and ${w.workflow_id} = ${s.workflow_id}
         join ${o.table} on ${o.id} = ${s.organization_id} and ${o.deleted_at} is null
         join ${m.table} on ${m.organization_id} = ${s.organization_id} and ${m.user_id} = ${s.owner_id} and ${ACTIVE_MEMBER}
         join ${u.table} on ${u.id} = ${s.owner_id} and ${u.deactivated_at} is null`;

interface Looked {
  ids: readonly number[];
  now: Date;
}

/** Marks due ones and returns them, skipping rows of another instance. A new due date is due again. */
const takeOverdue = statement<Looked>()((p) => {
  const state = table('control_state');
  return sql<Reminder>`
    update ${state.table} set ${column('control_state', 'reminded_due_date')} = ${state.due_date}
     where ${state.id} in (
       select ${s.id} from ${s.table}
         ${OF_ACTIVE_OWNERS}
        where ${s.id} = any(${p('ids')}::bigint[]) and ${s.owner_id} is not null and ${IS_OPEN}
          and ${s.due_date} < ${todayOf(p('now'))}
          and ${s.reminded_due_date} is distinct from ${s.due_date}
        order by ${s.due_date}, ${s.id} limit ${BATCH} for update of s skip locked)
    returning ${state.organization_id} as "organizationId", ${state.workflow_id} as "workflowId",
              ${state.control_id} as "controlId", ${state.owner_id} as "ownerId", ${state.due_date} as day`;
});

/** The same for evidence that is about to expire or recently became stale: another last day is another reminder. */
const takeExpiring = statement<Looked>()((p) => {
  const state = table('control_state');
  return sql<Reminder>`
    update ${state.table} set ${column('control_state', 'reminded_last_day')} = due.day
      from (
       select ${s.id}, newest.day from ${s.table}
         ${OF_ACTIVE_OWNERS}
         ${newestOf(s, s.control_id)}
        where ${s.id} = any(${p('ids')}::bigint[])
          and ${s.owner_id} is not null and ${s.status} <> 'NOT_APPLICABLE'
          and newest.day between ${todayOf(p('now'))} - ${SPAN} and ${todayOf(p('now'))} + ${SPAN}
          and ${s.reminded_last_day} is distinct from newest.day
        order by newest.day, ${s.id} limit ${BATCH} for update of s skip locked) due
     where ${state.id} = due.id
    returning ${state.organization_id} as "organizationId", ${state.workflow_id} as "workflowId",
              ${state.control_id} as "controlId", ${state.owner_id} as "ownerId", due.day::text as day`;
});

/** Lets owners be reminded of controls that an edition brings back: while they were gone, they were passed over. */
export const forgetReminders = statement<OrganizationWorkflowKey & { controlIds: readonly string[] }>()((p) =>
  db
    .updateTable('control_state as s')
    .set({ reminded_due_date: null, reminded_last_day: null })
    .where(isOf(s, p))
    .where('s.control_id', '=', ({ fn }) => fn.any(p('controlIds'))),
);

/** Reminds owners of controls. */
export class ControlReminderService {
  constructor(
    private readonly database: Database,
    private readonly catalogs: OrganizationCatalogs,
    private readonly now: () => Date,
  ) {}

  /**
   * Notifies each owner once that the due date of a control has passed; returns the number of controls.
   * Idempotent, also on several instances.
   */
  remindOverdue(): Promise<number> {
    const { database } = this;
    const latest = daysAnywhere(this.now()).last;
    const overdueAfter = (place: Place = FIRST) => overdue.all(database, { ...place, latest });
    return this.remindAll('CONTROL_OVERDUE', 'dueDate', takeOverdue, overdueAfter);
  }

  /**
   * The same once for each last day of the newest document of a control, from 30 days before it. Only a review interval or a
   * document with a last day near today can be the reason.
   */
  async remindExpiring(): Promise<number> {
    const { database } = this;
    const { expiringDays } = LIMITS.document;
    const { first, last } = daysAnywhere(this.now());
    const from = { id: 0, day: dayAfter(first, -expiringDays) };
    const to = dayAfter(last, expiringDays);
    const remind = (candidatesAfter: (place?: Place) => Promise<Candidate[]>) =>
      this.remindAll('CONTROL_EVIDENCE_EXPIRING', 'validUntil', takeExpiring, candidatesAfter);
    return (
      (await remind((place = FIRST) => reviewed.all(database, place))) +
      (await remind((place = from) => dated.all(database, { ...place, to })))
    );
  }

  private async remindAll(
    action: 'CONTROL_OVERDUE' | 'CONTROL_EVIDENCE_EXPIRING',
    field: string,
    take: typeof takeOverdue,
    candidatesAfter: (place?: Place) => Promise<Candidate[]>,
  ): Promise<number> {
    let reminded = 0;
    for await (const candidates of inBatches(LOOKED_AT, candidatesAfter)) {
      const ids = candidates.map(({ stateId }) => stateId);
      const remindSome = async (tx: Queryable) => {
        const now = this.now();
        const due = await take.all(tx, { ids, now });
        await this.record(tx, due, { action, field, now });
        return due.length;
      };
      reminded += await untilFewer(BATCH, () => this.database.transaction(remindSome));
    }
    return reminded;
  }

  private async record(
    tx: Queryable,
    due: Reminder[],
    { action, field, now }: { action: 'CONTROL_OVERDUE' | 'CONTROL_EVIDENCE_EXPIRING'; field: string; now: Date },
  ): Promise<void> {
    due.sort((one, other) => one.organizationId - other.organizationId);
    const ids = due.map(({ organizationId }) => organizationId);
    const catalogs = await this.catalogs.ofMany(ids, tx);
    for (const { organizationId, workflowId, controlId, ownerId, day } of due) {
      const catalog = catalogs.get(organizationId);
      const control = catalog?.control(workflowId, controlId);
      // It does not bind the organization any more: there is nothing to do or to open.
      if (control === undefined) continue;
      const parent = { type: 'WORKFLOW', id: workflowId, name: catalog?.find(workflowId)?.name ?? '' } as const;
      await record(tx, REMINDERS, {
        ...{ organizationId, action, at: now },
        subject: { type: 'CONTROL', id: `${workflowId}/${controlId}`, name: control.label, parent },
        changes: { ownerId: { after: ownerId }, [field]: { after: day } },
      });
    }
  }
}

/** Sorts before every control. */
const FIRST: Place = { id: 0, day: '-infinity' };

/** The first and the last day that it is anywhere on earth. */
function daysAnywhere(now: Date): { first: string; last: string } {
  const [first, last] = [-12, 14].map((hours) => dayOf(new Date(now.getTime() + hours * HOUR), 'UTC'));
  return { first: first as string, last: last as string };
}
