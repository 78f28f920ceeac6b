import { dayAfter, dayOf } from '../../common/local-time.js';
import { HOUR } from '../../common/time.js';
import type { Database, Queryable } from '../../database/database.js';
import { column, sql, statement, table } from '../../database/sql.js';
import { untilFewer } from '../../database/until-fewer.js';
import { LIMITS } from '../../values/limits.js';
import { record } from '../audit/record.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { todayOf, type OrganizationWorkflowKey } from './progress.js';
import { IS_OPEN, newestOf } from './due-controls.js';

const s = table('control_state', 's');
const w = table('organization_workflow', 'w');
const o = table('organization', 'o');
const m = table('membership', 'm');
const u = table('app_user', 'u');
const r = table('control_state', 'r');
const v = table('document_version', 'v');

/** A control that its owner is reminded of, and the day that is about to pass or has passed. */
interface Reminder extends OrganizationWorkflowKey {
  controlId: string;
  ownerId: string;
  day: string;
}

const REMINDERS = { kind: 'system', name: 'control-reminders' } as const;

/** Days around today in which evidence is about to expire, or became stale. */
const SPAN = sql.lit(LIMITS.document.expiringDays);

/** Controls in one transaction: so many are locked together, and repeated after a crash. */
const BATCH = 100;

/** Dissociated workflows, deleted organizations and deactivated members wait. */
const OF_ACTIVE_OWNERS = sql`
         join ${w.table} on ${w.organization_id} = ${s.organization_id} and ${w.workflow_id} = ${s.workflow_id}
         join ${o.table} on ${o.id} = ${s.organization_id} and ${o.deleted_at} is null
         join ${m.table} on ${m.organization_id} = ${s.organization_id} and ${m.user_id} = ${s.owner_id} and ${ACTIVE_MEMBER}
         join ${u.table} on ${u.id} = ${s.owner_id} and ${u.deactivated_at} is null`;

/**
 * Marks what is due and returns it, skipping rows of another instance. Another due date is due again. `latest` is the day
 * that it is anywhere.
 */
const takeOverdue = statement<{ now: Date; latest: string }>()((p) => {
  const state = table('control_state');
  return sql<Reminder>`
    update ${state.table} set ${column('control_state', 'reminded_due_date')} = ${state.due_date}
     where ${state.id} in (
       select ${s.id} from ${s.table}
         ${OF_ACTIVE_OWNERS}
        where ${s.owner_id} is not null and ${IS_OPEN} and ${s.due_date} < ${p('latest')}
          and ${s.due_date} < ${todayOf(p('now'))}
          and ${s.reminded_due_date} is distinct from ${s.due_date}
        order by ${s.due_date}, ${s.id} limit ${BATCH} for update of s skip locked)
    returning ${state.organization_id} as "organizationId", ${state.workflow_id} as "workflowId",
              ${state.control_id} as "controlId", ${state.owner_id} as "ownerId", ${state.due_date} as day`;
});

/**
 * The same for evidence that is about to expire, or became stale no longer ago: another last day is another reminder. Only
 * a review interval or a document with a last day near today can be the reason.
 */
const takeExpiring = statement<{ now: Date; from: string; to: string }>()((p) => {
  const state = table('control_state');
  return sql<Reminder>`
    update ${state.table} set ${column('control_state', 'reminded_last_day')} = due.day
      from (
       select ${s.id}, newest.day from ${s.table}
         ${OF_ACTIVE_OWNERS}
         ${newestOf(s, s.control_id)}
        where ${s.id} in (
          select ${r.id} from ${r.table} where ${r.owner_id} is not null and ${r.review_interval_months} is not null
           union
          select ${r.id} from ${v.table}
            join ${r.table} on ${r.organization_id} = ${v.organization_id} and ${r.workflow_id} = ${v.workflow_id}
                           and ${r.control_id} = ${v.artifact_id}
           where ${v.valid_until} between ${p('from')}::date and ${p('to')}::date)
          and ${s.owner_id} is not null and ${s.status} <> 'NOT_APPLICABLE'
          and newest.day between ${todayOf(p('now'))} - ${SPAN} and ${todayOf(p('now'))} + ${SPAN}
          and ${s.reminded_last_day} is distinct from newest.day
        order by newest.day, ${s.id} limit ${BATCH} for update of s skip locked) due
     where ${state.id} = due.id
    returning ${state.organization_id} as "organizationId", ${state.workflow_id} as "workflowId",
              ${state.control_id} as "controlId", ${state.owner_id} as "ownerId", due.day::text as day`;
});

/** Reminds members of the controls that they answer for. */
export class ControlReminderService {
  constructor(
    private readonly database: Database,
    private readonly catalogs: OrganizationCatalogs,
    private readonly now: () => Date,
  ) {}

  /**
   * Notifies each responsible member once that the due date of a control has passed; returns the number of controls.
   * Safe to repeat and to run on several instances.
   */
  remindOverdue(): Promise<number> {
    return this.remindAll('CONTROL_OVERDUE', 'dueDate', (tx, now) =>
      takeOverdue.all(tx, { now, latest: daysAnywhere(now).last }),
    );
  }

  /** The same once for each last day of the newest document of a control, from 30 days before it on. */
  remindExpiring(): Promise<number> {
    const { expiringDays } = LIMITS.document;
    return this.remindAll('CONTROL_EVIDENCE_EXPIRING', 'validUntil', (tx, now) => {
      const { first, last } = daysAnywhere(now);
      return takeExpiring.all(tx, { now, from: dayAfter(first, -expiringDays), to: dayAfter(last, expiringDays) });
    });
  }

  private remindAll(action: 'CONTROL_OVERDUE' | 'CONTROL_EVIDENCE_EXPIRING', field: string, take: Take) {
    return untilFewer(BATCH, () =>
      this.database.transaction(async (tx) => {
        const now = this.now();
        const due = await take(tx, now);
        due.sort((one, other) => one.organizationId - other.organizationId);
        const ids = due.map(({ organizationId }) => organizationId);
        const catalogs = await this.catalogs.ofMany(ids, tx);
        for (const { organizationId, workflowId, controlId, ownerId, day } of due) {
          const catalog = catalogs.get(organizationId);
          const control = catalog?.control(workflowId, controlId);
          // It no longer binds the organization: there is nothing to do, and nothing to open.
          if (control === undefined) continue;
          const parent = { type: 'WORKFLOW', id: workflowId, name: catalog?.find(workflowId)?.name ?? '' } as const;
          await record(tx, REMINDERS, {
            ...{ organizationId, action, at: now },
            subject: { type: 'CONTROL', id: `${workflowId}/${controlId}`, name: control.label, parent },
            changes: { ownerId: { after: ownerId }, [field]: { after: day } },
          });
        }
        return due.length;
      }),
    );
  }
}

/** The first and the last day that it is anywhere on earth. */
function daysAnywhere(now: Date): { first: string; last: string } {
  const [first, last] = [-12, 14].map((hours) => dayOf(new Date(now.getTime() + hours * HOUR), 'UTC'));
  return { first: first as string, last: last as string };
}

type Take = (tx: Queryable, now: Date) => Promise<Reminder[]>;
