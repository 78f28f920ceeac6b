import { DAY } from '../../common/time.js';
import type { Database, Queryable } from '../../database/database.js';
import { column, sql, statement, table } from '../../database/sql.js';
import { untilFewer } from '../../database/until-fewer.js';
import { LIMITS } from '../../values/limits.js';
import { record } from '../audit/record.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { LAST_DAY } from './freshness.js';
import { dayOf } from './progress.js';

const s = table('control_state', 's');
const w = table('organization_workflow', 'w');
const o = table('organization', 'o');
const m = table('membership', 'm');
const u = table('app_user', 'u');
const d = table('document_version', 'd');
const r = table('control_state', 'r');
const v = table('document_version', 'v');

/** A control that its owner is reminded of, and the day that is about to pass or has passed. */
interface DueControl {
  organizationId: number;
  workflowId: string;
  controlId: string;
  ownerId: string;
  day: string;
}

const REMINDERS = { kind: 'system', name: 'control-reminders' } as const;

/** Controls in one transaction: so many are locked together, and repeated after a crash. */
const BATCH = 100;

/** Dissociated workflows, deleted organizations and deactivated members wait. */
const OF_ACTIVE_OWNERS = sql`
         join ${w.table} on ${w.organization_id} = ${s.organization_id} and ${w.workflow_id} = ${s.workflow_id}
         join ${o.table} on ${o.id} = ${s.organization_id} and ${o.deleted_at} is null
         join ${m.table} on ${m.organization_id} = ${s.organization_id} and ${m.user_id} = ${s.owner_id} and ${ACTIVE_MEMBER}
         join ${u.table} on ${u.id} = ${s.owner_id} and ${u.deactivated_at} is null`;

/**
 * Marks what is due and returns it, skipping rows of another instance. Another due date is due again.
 */
const takeOverdue = statement<{ today: string }>()((p) => {
  const state = table('control_state');
  return sql<DueControl>`
    update ${state.table} set ${column('control_state', 'reminded_due_date')} = ${state.due_date}
     where ${state.id} in (
       select ${s.id} from ${s.table}
         ${OF_ACTIVE_OWNERS}
        where ${s.owner_id} is not null and ${s.status} in ('TO_DO', 'IN_PROGRESS') and ${s.due_date} < ${p('today')}
          and ${s.reminded_due_date} is distinct from ${s.due_date}
        order by ${s.due_date}, ${s.id} limit ${BATCH} for update of s skip locked)
    returning ${state.organization_id} as "organizationId", ${state.workflow_id} as "workflowId",
              ${state.control_id} as "controlId", ${state.owner_id} as "ownerId", ${state.due_date} as day`;
});

/**
 * The same for evidence that is about to expire, or became stale no longer ago: another last day is another reminder. Only
 * a review interval or a document with a last day near today can be the reason.
 */
const takeExpiring = statement<{ from: string; to: string }>()((p) => {
  const state = table('control_state');
  return sql<DueControl>`
    update ${state.table} set ${column('control_state', 'reminded_last_day')} = due.last_day
      from (
       select ${s.id}, newest.last_day from ${s.table}
         ${OF_ACTIVE_OWNERS}
        cross join lateral (
          select ${LAST_DAY} as last_day from ${d.table}
           where ${d.organization_id} = ${s.organization_id} and ${d.workflow_id} = ${s.workflow_id}
             and ${d.artifact_id} = ${s.control_id}
           order by ${d.id} desc limit 1) newest
        where ${s.id} in (
          select ${r.id} from ${r.table} where ${r.owner_id} is not null and ${r.review_interval_months} is not null
           union
          select ${r.id} from ${v.table}
            join ${r.table} on ${r.organization_id} = ${v.organization_id} and ${r.workflow_id} = ${v.workflow_id}
                           and ${r.control_id} = ${v.artifact_id}
           where ${v.valid_until} between ${p('from')}::date and ${p('to')}::date)
          and ${s.owner_id} is not null and ${s.status} <> 'NOT_APPLICABLE'
          and newest.last_day between ${p('from')}::date and ${p('to')}::date
          and ${s.reminded_last_day} is distinct from newest.last_day
        order by newest.last_day, ${s.id} limit ${BATCH} for update of s skip locked) due
     where ${state.id} = due.id
    returning ${state.organization_id} as "organizationId", ${state.workflow_id} as "workflowId",
              ${state.control_id} as "controlId", ${state.owner_id} as "ownerId", due.last_day::text as day`;
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
    return this.remindAll('CONTROL_OVERDUE', 'dueDate', (tx, today) => takeOverdue.all(tx, { today: dayOf(today) }));
  }

  /** The same once for each last day of the newest document of a control, from 30 days before it on. */
  remindExpiring(): Promise<number> {
    const span = LIMITS.document.expiringDays * DAY;
    return this.remindAll('CONTROL_EVIDENCE_EXPIRING', 'validUntil', (tx, today) => {
      const [from, to] = [today.getTime() - span, today.getTime() + span].map((time) => dayOf(new Date(time)));
      return takeExpiring.all(tx, { from: from as string, to: to as string });
    });
  }

  private remindAll(action: Reminder, field: string, take: Take): Promise<number> {
    return untilFewer(BATCH, () => this.remindSome(action, field, take));
  }

  private remindSome(action: Reminder, field: string, take: Take): Promise<number> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const due = await take(tx, now);
      const catalogs = await this.catalogs.ofMany(
        due.map(({ organizationId }) => organizationId),
        tx,
      );
      due.sort((one, other) => one.organizationId - other.organizationId);
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
    });
  }
}

type Reminder = 'CONTROL_OVERDUE' | 'CONTROL_EVIDENCE_EXPIRING';
type Take = (tx: Queryable, now: Date) => Promise<DueControl[]>;
