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
import { expiringUntil, LAST_DAY } from './freshness.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { dayOf, type OrganizationWorkflowKey } from './progress.js';

export interface DueControlQuery {
  /** Whose controls; those of all and of none when null. */
  ownerId: string | null;
  /** Only controls whose day is before this one. */
  before: string | null;
  /** The earliest ones. */
  limit: number;
}

/** A control that is to be done, or whose evidence is to be reviewed. */
export interface DueControl {
  kind: 'CONTROL' | 'REVIEW';
  /** Its due date, or the last day of its newest document. */
  day: string;
  control: OrganizationControlView;
}

const s = table('control_state', 's');
const w = table('organization_workflow', 'w');
const d = table('document_version', 'd');
const r = table('control_state', 'r');
const v = table('document_version', 'v');

interface Due extends OrganizationWorkflowKey, Pick<DueControl, 'kind' | 'day'> {
  id: string;
}

const dueOf = statement<DueControlQuery & { ids: readonly number[]; expiring: string }>()((p) => {
  const associated = sql`unnest(${p('ids')}::int[]) as wanted(id) join ${w.table} on ${w.organization_id} = wanted.id`;
  const isOwned = sql`(${p('ownerId')}::uuid is null or ${s.owner_id} = ${p('ownerId')})`;
  const before = sql`coalesce(${p('before')}::date, 'infinity')`;
  return sql<Due & (StateRow | Record<keyof StateRow, null>)>`
    with due(organization, workflow, control, kind, day) as (
      select ${w.organization_id}, ${w.workflow_id}, ${s.control_id}, 'CONTROL', ${s.due_date}
        from ${associated}
        join ${s.table} on ${s.organization_id} = ${w.organization_id} and ${s.workflow_id} = ${w.workflow_id}
       where ${s.status} in ('TO_DO', 'IN_PROGRESS') and ${s.due_date} < ${before} and ${isOwned}
       union all
      select ${w.organization_id}, ${w.workflow_id}, dated.control, 'REVIEW', newest.day
        from ${associated}
       cross join lateral (
         select ${r.control_id} as control from ${r.table}
          where ${r.organization_id} = ${w.organization_id} and ${r.workflow_id} = ${w.workflow_id}
            and ${r.review_interval_months} is not null
          union
         select ${v.artifact_id} from ${v.table}
          where ${v.organization_id} = ${w.organization_id} and ${v.workflow_id} = ${w.workflow_id}
            and ${v.valid_until} <= ${p('expiring')}::date) dated
        left join ${s.table} on ${s.organization_id} = ${w.organization_id} and ${s.workflow_id} = ${w.workflow_id}
                            and ${s.control_id} = dated.control
       cross join lateral (
         select ${LAST_DAY} as day from ${d.table}
          where ${d.organization_id} = ${w.organization_id} and ${d.workflow_id} = ${w.workflow_id}
            and ${d.artifact_id} = dated.control
          order by ${d.id} desc limit 1) newest
       where ${s.status} is distinct from 'NOT_APPLICABLE' and newest.day <= ${p('expiring')}::date
         and newest.day < ${before} and ${isOwned})
    select due.organization as "organizationId", due.workflow as "workflowId", due.control as id, due.kind,
           due.day::text as day, ${STATE_COLUMNS}
      from (select * from due order by day, organization, workflow, control, kind limit ${p('limit')}) due
      left join ${s.table} on ${s.organization_id} = due.organization and ${s.workflow_id} = due.workflow
                          and ${s.control_id} = due.control
      ${STATE_OWNER}
     order by due.day, due.organization, due.workflow, due.control, due.kind`;
});

/**
 * Controls of organizations that are to be done by a day, or whose newest document is stale or expires soon, without
 * authorizing, in one statement besides the catalogues.
 */
export async function dueControls(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  ids: readonly number[],
  query: DueControlQuery,
  now: Date,
): Promise<DueControl[]> {
  const expiring = expiringUntil(now);
  const [catalog, rows] = await Promise.all([catalogs.ofMany(ids), dueOf.all(database, { ids, expiring, ...query })]);
  return rows.flatMap(({ organizationId, workflowId, id, kind, day, ...row }) => {
    const workflow = catalog.get(organizationId)?.find(workflowId);
    const control = workflow && controlOf(workflow, id);
    if (control === undefined) return [];
    const state = row.controlId === null ? undefined : row;
    return [{ kind, day, control: controlView({ organizationId, workflowId }, control, state, dayOf(now)) }];
  });
}
