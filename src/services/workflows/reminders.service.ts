import type { Database } from '../../database/database.js';
import { column, sql, statement, table } from '../../database/sql.js';
import { record } from '../audit/record.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { dayOf } from './progress.js';

const s = table('control_state', 's');
const w = table('organization_workflow', 'w');
const o = table('organization', 'o');
const m = table('membership', 'm');
const u = table('app_user', 'u');

interface OverdueRow {
  organizationId: number;
  workflowId: string;
  controlId: string;
  ownerId: string;
  dueDate: string;
}

const REMINDERS = { kind: 'system', name: 'control-reminders' } as const;

/** Controls in one transaction: so many are locked together, and repeated after a crash. */
const BATCH = 100;

/**
 * Marks what is due and returns it, skipping rows of another instance. Another due date is due again. Dissociated
 * workflows, deleted organizations and deactivated members wait.
 */
const take = statement<{ today: string }>()((p) => {
  const state = table('control_state');
  return sql<OverdueRow>`
    update ${state.table} set ${column('control_state', 'reminded_due_date')} = ${state.due_date}
     where ${state.id} in (
       select ${s.id} from ${s.table}
         join ${w.table} on ${w.organization_id} = ${s.organization_id} and ${w.workflow_id} = ${s.workflow_id}
         join ${o.table} on ${o.id} = ${s.organization_id} and ${o.deleted_at} is null
         join ${m.table} on ${m.organization_id} = ${s.organization_id} and ${m.user_id} = ${s.owner_id} and ${ACTIVE_MEMBER}
         join ${u.table} on ${u.id} = ${s.owner_id} and ${u.deactivated_at} is null
        where ${s.owner_id} is not null and ${s.status} in ('TO_DO', 'IN_PROGRESS') and ${s.due_date} < ${p('today')}
          and ${s.reminded_due_date} is distinct from ${s.due_date}
        order by ${s.due_date}, ${s.id} limit ${BATCH} for update of s skip locked)
    returning ${state.organization_id} as "organizationId", ${state.workflow_id} as "workflowId",
              ${state.control_id} as "controlId", ${state.owner_id} as "ownerId", ${state.due_date} as "dueDate"`;
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
  async remindOverdue(): Promise<number> {
    let notified = 0;
    for (let taken = BATCH; taken === BATCH; notified += taken) taken = await this.remindSome();
    return notified;
  }

  private remindSome(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const overdue = await take.all(tx, { today: dayOf(now) });
      const catalogs = await this.catalogs.ofMany(
        overdue.map(({ organizationId }) => organizationId),
        tx,
      );
      overdue.sort((one, other) => one.organizationId - other.organizationId);
      for (const { organizationId, workflowId, controlId, ownerId, dueDate } of overdue) {
        const catalog = catalogs.get(organizationId);
        const control = catalog?.control(workflowId, controlId);
        // It no longer binds the organization: there is nothing to do, and nothing to open.
        if (control === undefined) continue;
        const parent = { type: 'WORKFLOW', id: workflowId, name: catalog?.find(workflowId)?.name ?? '' } as const;
        await record(tx, REMINDERS, {
          ...{ organizationId, action: 'CONTROL_OVERDUE', at: now },
          subject: { type: 'CONTROL', id: `${workflowId}/${controlId}`, name: control.label, parent },
          changes: { ownerId: { after: ownerId }, dueDate: { after: dueDate } },
        });
      }
      return overdue.length;
    });
  }
}
