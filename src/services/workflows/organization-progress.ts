import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { controlOf, leavesOf } from './catalog.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { countBegun, dayOf, nothingBegun, type OrganizationWorkflowKey, type WorkflowProgress } from './progress.js';

/** How far an organization is with all of its workflows together. */
export interface OrganizationProgress {
  progress: WorkflowProgress;
  /** Controls whose due date has passed while they are neither done nor left out. */
  overdueControls: number;
}

interface StatesRow extends OrganizationWorkflowKey {
  inProgress: string[] | null;
  done: string[] | null;
  notApplicable: string[] | null;
  overdue: string[] | null;
}

const s = table('control_state', 's');
const w = table('organization_workflow', 'w');

/** Ids of controls as one JSON text for each workflow: a row for each of them takes several times as long. */
const statesOf = statement<{ ids: readonly number[]; today: string }>()(
  (p) => sql<StatesRow>`
    select ${w.organization_id} as "organizationId", ${w.workflow_id} as "workflowId", states.*
      from unnest(${p('ids')}::int[]) as wanted(id)
      join ${w.table} on ${w.organization_id} = wanted.id
     cross join lateral (
       select json_agg(${s.control_id}) filter (where ${s.status} = 'IN_PROGRESS') as "inProgress",
              json_agg(${s.control_id}) filter (where ${s.status} = 'DONE') as done,
              json_agg(${s.control_id}) filter (where ${s.status} = 'NOT_APPLICABLE') as "notApplicable",
              json_agg(${s.control_id}) filter (where ${s.status} in ('TO_DO', 'IN_PROGRESS')
                                                  and ${s.due_date} < ${p('today')}::date) as overdue
         from ${s.table}
        where ${s.organization_id} = ${w.organization_id} and ${s.workflow_id} = ${w.workflow_id}) as states`,
);

/** By organization, in one statement besides the catalogues; as `progressOf` counts the controls of one workflow. */
export async function progressOfOrganizations(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, OrganizationProgress>> {
  const [catalog, rows] = await Promise.all([catalogs.ofMany(ids), statesOf.all(database, { ids, today: dayOf(now) })]);
  const all = new Map(ids.map((id) => [id, { progress: nothingBegun(0), overdueControls: 0 }]));
  for (const { organizationId, workflowId, overdue, ...begun } of rows) {
    const workflow = catalog.get(organizationId)?.find(workflowId);
    const one = all.get(organizationId);
    if (workflow === undefined || one === undefined) continue;
    const leaves = leavesOf(workflow);
    one.progress.total += leaves.size;
    one.progress.toDo += leaves.size;
    const count = (ids: readonly string[] | null, status: 'IN_PROGRESS' | 'DONE' | 'NOT_APPLICABLE') => {
      for (const id of ids ?? []) if (leaves.has(id)) countBegun(one.progress, status);
    };
    count(begun.inProgress, 'IN_PROGRESS');
    count(begun.done, 'DONE');
    count(begun.notApplicable, 'NOT_APPLICABLE');
    one.overdueControls += (overdue ?? []).filter((id) => controlOf(workflow, id) !== undefined).length;
  }
  return all;
}
