import { dayAfter } from '../../common/local-time.js';
import { DAY } from '../../common/time.js';
import { assign } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';
import { badUserInput, invalidInput } from '../../errors.js';
import type { ControlStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { controlOf, leavesOf } from './catalog.js';
import type { CatalogWorkflow } from './catalog-file.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';

export interface WorkflowProgress {
  total: number;
  toDo: number;
  inProgress: number;
  done: number;
  notApplicable: number;
}

/** How far an organization is with all of its workflows together. */
export interface OrganizationProgress {
  progress: WorkflowProgress;
  /** Controls whose due date has passed while they are neither done nor left out. */
  overdueControls: number;
}

export interface ProgressDay extends WorkflowProgress {
  /** `YYYY-MM-DD`, of the organization. */
  day: string;
}

/** A workflow of an organization; the key of what is loaded for many of them at once. */
export interface OrganizationWorkflowKey {
  organizationId: number;
  workflowId: string;
}

/** A workflow of an organization, as that organization sees it. */
export interface SeenWorkflow {
  key: OrganizationWorkflowKey;
  workflow: CatalogWorkflow;
  /** Of the organization. */
  timeZone: string;
}

/** Days of a history, both included. */
export interface ProgressRange {
  from?: string | null;
  to?: string | null;
}

const associated = statement<{ ids: readonly number[] }>()((p) =>
  db
    .selectFrom('organization_workflow')
    .select(['organization_id as organizationId', 'workflow_id as workflowId'])
    .where('organization_id', '=', ({ fn }) => fn.any(p('ids')))
    .orderBy('organization_id')
    .orderBy('workflow_id'),
);

/** The workflows of organizations that are in their catalogues, by organization and id. */
export async function associatedWorkflows(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  ids: readonly number[],
): Promise<SeenWorkflow[]> {
  const [catalog, keys] = await Promise.all([catalogs.ofMany(ids), associated.all(database, { ids })]);
  return keys.flatMap((key) => {
    const own = catalog.get(key.organizationId);
    const workflow = own?.find(key.workflowId);
    return own === undefined || workflow === undefined ? [] : [{ key, workflow, timeZone: own.timeZone }];
  });
}

/** Rows of a table that are of one workflow of an organization. */
export function isOf(
  rows: { organization_id: Expression; workflow_id: Expression },
  p: Placeholders<OrganizationWorkflowKey>,
) {
  return sql<boolean>`${rows.organization_id} = ${p('organizationId')} and ${rows.workflow_id} = ${p('workflowId')}`;
}

type BegunStatus = Exclude<ControlStatus, 'TO_DO'>;
const COUNTER = {
  IN_PROGRESS: 'inProgress',
  DONE: 'done',
  NOT_APPLICABLE: 'notApplicable',
} as const satisfies Record<BegunStatus, keyof WorkflowProgress>;

const s = table('control_state', 's');
const w = table('workflow_progress');
const o = table('organization', 'o');

/** Workflows as the lists of a statement. */
export interface WorkflowLists {
  organizationIds: readonly number[];
  workflowIds: readonly string[];
}

export function listsOf(keys: readonly OrganizationWorkflowKey[]): WorkflowLists {
  return {
    organizationIds: keys.map(({ organizationId }) => organizationId),
    workflowIds: keys.map(({ workflowId }) => workflowId),
  };
}

/** The lists as rows `wanted`; `place` counts them from 1. */
export function wantedWorkflows(p: Placeholders<WorkflowLists>): Expression {
  return sql`unnest(${p('organizationIds')}::bigint[], ${p('workflowIds')}::text[])
             with ordinality as wanted(organization_id, workflow_id, place)`;
}

interface States extends OrganizationWorkflowKey, Partial<Record<BegunStatus | 'OVERDUE', string[] | null>> {}

const wanted = table('organization_workflow', 'wanted');

/** The day that it is where the organization `o` is. */
export const todayOf = (now: Expression) => sql`(${now}::timestamptz at time zone ${o.time_zone})::date`;

/** Ids of controls as one JSON text for each workflow: a row for each of them takes several times as long. */
const statesIn = (workflows: Expression, now: Expression) => sql<States>`
    select ${wanted.organization_id} as "organizationId", ${wanted.workflow_id} as "workflowId", states.*
      from ${workflows}
      join ${o.table} on ${o.id} = ${wanted.organization_id}
     cross join lateral (
       select json_agg(${s.control_id}) filter (where ${s.status} = 'IN_PROGRESS') as "IN_PROGRESS",
              json_agg(${s.control_id}) filter (where ${s.status} = 'DONE') as "DONE",
              json_agg(${s.control_id}) filter (where ${s.status} = 'NOT_APPLICABLE') as "NOT_APPLICABLE",
              json_agg(${s.control_id}) filter (where ${s.status} in ('TO_DO', 'IN_PROGRESS')
                                                  and ${s.due_date} < ${todayOf(now)}) as "OVERDUE"
         from ${s.table}
        where ${s.organization_id} = ${wanted.organization_id} and ${s.workflow_id} = ${wanted.workflow_id}) as states`;

const statesOfWorkflows = statement<WorkflowLists & { now: Date }>()(
  (p) => sql<States>`${statesIn(wantedWorkflows(p), p('now'))} order by wanted.place`,
);

const statesOfOrganizations = statement<{ ids: readonly number[]; now: Date }>()((p) =>
  statesIn(
    sql`unnest(${p('ids')}::bigint[]) as own(id) join ${wanted.table} on ${wanted.organization_id} = own.id`,
    p('now'),
  ),
);

/** Days to come have figures where the time zone was one in which it is later: they are older than these. */
const record = statement<WorkflowProgress & OrganizationWorkflowKey & { now: Date }>()((p) => {
  const key = assign('workflow_progress', p, ['organizationId', 'workflowId']);
  const timeZone = sql`(select ${o.time_zone} from ${o.table} where ${o.id} = ${p('organizationId')})`;
  const day = sql<string>`(${p('now')}::timestamptz at time zone ${timeZone})::date`;
  const counts = assign('workflow_progress', p, ['total', 'toDo', 'inProgress', 'done', 'notApplicable']);
  return db
    .with('later', (eb) =>
      eb
        .deleteFrom('workflow_progress')
        .where(isOf(w, p))
        .where(sql<boolean>`${w.day} > ${day}`),
    )
    .insertInto('workflow_progress')
    .values({ ...key, day, ...counts })
    .onConflict((conflict) => conflict.columns(['organization_id', 'workflow_id', 'day']).doUpdateSet(counts));
});

/** The days of the range on which something changed, and before them how it stood when the range began. */
const historyOf = statement<OrganizationWorkflowKey & { from: string; to: string }>()((p) => {
  const isOfWorkflow = isOf(w, p);
  return sql<ProgressDay>`
    select greatest(${w.day}, ${p('from')}::date)::text as day, ${w.total}, ${w.to_do} as "toDo",
           ${w.in_progress} as "inProgress", ${w.done}, ${w.not_applicable} as "notApplicable"
      from ${w.table}
     where ${isOfWorkflow} and ${w.day} <= ${p('to')}::date
       and ${w.day} >= coalesce((select max(${w.day}) from ${w.table} where ${isOfWorkflow} and ${w.day} <= ${p('from')}::date),
                                ${p('from')}::date)
     order by ${w.day}`;
});

const FUTURE = 'must not be in the future';

/** How far an organization is with each workflow, in one statement. */
export async function progressOf(
  database: Queryable,
  seen: readonly SeenWorkflow[],
  now: Date,
): Promise<WorkflowProgress[]> {
  const lists = listsOf(seen.map(({ key }) => key));
  const rows = await statesOfWorkflows.all(database, { ...lists, now });
  return seen.map(({ workflow }, index) => counted(nothing(), workflow, rows[index] as States).progress);
}

/** Progress of each organization in all of its workflows, in one statement besides the catalogues. */
export async function progressOfOrganizations(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, OrganizationProgress>> {
  const [catalog, rows] = await Promise.all([catalogs.ofMany(ids), statesOfOrganizations.all(database, { ids, now })]);
  const all = new Map(ids.map((id) => [id, nothing()]));
  for (const row of rows) {
    const workflow = catalog.get(row.organizationId)?.find(row.workflowId);
    if (workflow !== undefined) counted(all.get(row.organizationId) as OrganizationProgress, workflow, row);
  }
  return all;
}

function nothing(): OrganizationProgress {
  return { progress: nothingBegun(0), overdueControls: 0 };
}

/** Adds the controls of a workflow: headings group controls and do not count. */
function counted(sum: OrganizationProgress, workflow: CatalogWorkflow, states: States): OrganizationProgress {
  const leaves = leavesOf(workflow);
  sum.progress.total += leaves.size;
  sum.progress.toDo += leaves.size;
  for (const status of Object.keys(COUNTER) as BegunStatus[])
    for (const id of states[status] ?? []) if (leaves.has(id)) countBegun(sum.progress, status);
  sum.overdueControls += (states.OVERDUE ?? []).filter((id) => controlOf(workflow, id) !== undefined).length;
  return sum;
}

/** Progress with none of so many controls begun. */
export function nothingBegun(total: number): WorkflowProgress {
  return { total, toDo: total, inProgress: 0, done: 0, notApplicable: 0 };
}

/** Moves one control from open to its present status. */
export function countBegun(progress: WorkflowProgress, status: BegunStatus): void {
  progress[COUNTER[status]] += 1;
  progress.toDo -= 1;
}

/**
 * Stores the organization's present progress as that of the day. Call it in the transaction of
 * each change, after locking the association: two concurrent counts would each miss the other's change.
 */
export async function recordProgress(tx: Queryable, seen: SeenWorkflow, now: Date): Promise<void> {
  const [progress] = await progressOf(tx, [seen], now);
  await record.all(tx, { ...seen.key, ...(progress as WorkflowProgress), now });
}

/**
 * The organization's progress on each day of the range with a change, oldest first, beginning with its state
 * on the first. Defaults to 90 days until today; a year at most, beginning today at the latest. Throws BAD_USER_INPUT.
 */
export async function progressHistory(
  database: Database,
  { organizationId, workflowId }: OrganizationWorkflowKey,
  range: ProgressRange,
  today: string,
): Promise<ProgressDay[]> {
  const { defaultDays, maxDays } = LIMITS.progress;
  const to = range.to ?? today;
  const from = range.from ?? dayAfter(to, 1 - defaultDays);
  // Its first day would have the figures of today.
  if (from > today) throw invalidInput([{ path: [range.from == null ? 'to' : 'from'], sentence: FUTURE }]);
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1;
  if (days < 1) throw invalidInput([{ path: ['from'], sentence: 'must not be after to' }]);
  if (days > maxDays) throw badUserInput([`from and to must not be more than ${maxDays} days apart`]);
  return historyOf.all(database, { organizationId, workflowId, from, to });
}
