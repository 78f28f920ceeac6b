import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { controlOf } from './catalog.js';
import {
  controlView,
  STATE_COLUMNS,
  STATE_OWNER,
  type OrganizationControlView,
  type StateRow,
} from './controls.service.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { dayOf, type OrganizationWorkflowKey } from './progress.js';

export interface DueControlQuery {
  /** Whose controls; those of all and of none when null. */
  ownerId: string | null;
  /** Only controls whose due date is before this day. */
  before: string | null;
  /** The earliest ones. */
  limit: number;
}

/** A control with a due date. */
export interface DueControl extends OrganizationControlView {
  dueDate: string;
}

const s = table('control_state', 's');
const w = table('organization_workflow', 'w');

const dueOf = statement<DueControlQuery & { ids: readonly number[] }>()(
  (p) => sql<StateRow & OrganizationWorkflowKey>`
    select ${w.organization_id} as "organizationId", ${w.workflow_id} as "workflowId", ${STATE_COLUMNS}
      from unnest(${p('ids')}::int[]) as wanted(id)
      join ${w.table} on ${w.organization_id} = wanted.id
      join ${s.table} on ${s.organization_id} = ${w.organization_id} and ${s.workflow_id} = ${w.workflow_id}
      ${STATE_OWNER}
     where ${s.status} in ('TO_DO', 'IN_PROGRESS') and ${s.due_date} < coalesce(${p('before')}::date, 'infinity')
       and (${p('ownerId')}::uuid is null or ${s.owner_id} = ${p('ownerId')})
     order by ${s.due_date}, ${s.id} limit ${p('limit')}`,
);

/** Controls of organizations that are to be done by a day, without authorizing, in one statement besides the catalogues. */
export async function dueControls(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  ids: readonly number[],
  query: DueControlQuery,
  now: Date,
): Promise<DueControl[]> {
  const [catalog, rows] = await Promise.all([catalogs.ofMany(ids), dueOf.all(database, { ids, ...query })]);
  return rows.flatMap(({ organizationId, workflowId, ...row }) => {
    const workflow = catalog.get(organizationId)?.find(workflowId);
    const control = workflow && controlOf(workflow, row.controlId);
    if (control === undefined) return [];
    return [controlView({ organizationId, workflowId }, control, row, dayOf(now)) as DueControl];
  });
}
