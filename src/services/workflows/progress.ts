import { DAY } from '../../common/time.js';
import { assign } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';
import { badUserInput, invalidInput } from '../../errors.js';
import type { ControlStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { leavesOf } from './catalog.js';
import type { CatalogWorkflow } from './catalog-file.js';

export interface WorkflowProgress {
  total: number;
  toDo: number;
  inProgress: number;
  done: number;
  notApplicable: number;
}

export interface ProgressDay extends WorkflowProgress {
  /** `YYYY-MM-DD`, in UTC. */
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
}

/** Days of a history, both included. */
export interface ProgressRange {
  from?: string | null;
  to?: string | null;
}

/** Rows of a table that are of one workflow of an organization. */
export function isOf(
  rows: { organization_id: Expression; workflow_id: Expression },
  p: Placeholders<OrganizationWorkflowKey>,
) {
  return sql<boolean>`${rows.organization_id} = ${p('organizationId')} and ${rows.workflow_id} = ${p('workflowId')}`;
}

type BegunStatus = Exclude<ControlStatus, 'TO_DO'>;

const s = table('control_state', 's');
const w = table('workflow_progress');

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
  return sql`unnest(${p('organizationIds')}::int[], ${p('workflowIds')}::text[])
             with ordinality as wanted(organization_id, workflow_id, place)`;
}

const begunIn = statement<WorkflowLists>()(
  (p) => sql<{ place: number; controlId: string; status: BegunStatus }>`
    select wanted.place, ${s.control_id} as "controlId", ${s.status}
      from ${wantedWorkflows(p)}
      join ${s.table} on ${s.organization_id} = wanted.organization_id and ${s.workflow_id} = wanted.workflow_id
     where ${s.status} <> 'TO_DO'`,
);

const record = statement<ProgressDay & OrganizationWorkflowKey>()((p) => {
  const key = assign('workflow_progress', p, ['organizationId', 'workflowId', 'day']);
  const counts = assign('workflow_progress', p, ['total', 'toDo', 'inProgress', 'done', 'notApplicable']);
  return db
    .insertInto('workflow_progress')
    .values({ ...key, ...counts })
    .onConflict((conflict) => conflict.columns(['organization_id', 'workflow_id', 'day']).doUpdateSet(counts));
});

/** The days of the range on which something changed, and before them how it stood when the range began. */
const historyOf = statement<OrganizationWorkflowKey & { from: string; to: string }>()((p) => {
  const isOfWorkflow = sql`${w.organization_id} = ${p('organizationId')} and ${w.workflow_id} = ${p('workflowId')}`;
  return sql<ProgressDay>`
    select greatest(${w.day}, ${p('from')}::date)::text as day, ${w.total}, ${w.to_do} as "toDo",
           ${w.in_progress} as "inProgress", ${w.done}, ${w.not_applicable} as "notApplicable"
      from ${w.table}
     where ${isOfWorkflow} and ${w.day} <= ${p('to')}::date
       and ${w.day} >= coalesce((select max(${w.day}) from ${w.table} where ${isOfWorkflow} and ${w.day} <= ${p('from')}::date),
                                ${p('from')}::date)
     order by ${w.day}`;
});

/** The first that a `Date` can say. */
const FIRST_DAY = '0001-01-01';

/** Counts what is to be done: headings are there to group it and do not count. One statement for all. */
export async function progressOf(database: Queryable, seen: readonly SeenWorkflow[]): Promise<WorkflowProgress[]> {
  const begun = await begunIn.all(database, listsOf(seen.map(({ key }) => key)));
  const all = seen.map(({ workflow }) => {
    const leaves = leavesOf(workflow);
    return { leaves, counts: nothingBegun(leaves.size) };
  });
  for (const { place, controlId, status } of begun) {
    const one = all[place - 1];
    if (!one?.leaves.has(controlId)) continue;
    countBegun(one.counts, status);
  }
  return all.map(({ counts }) => counts);
}

/** How far one is who has begun none of so many. */
export function nothingBegun(total: number): WorkflowProgress {
  return { total, toDo: total, inProgress: 0, done: 0, notApplicable: 0 };
}

/** Counts one that was to do as what it is now. */
export function countBegun(progress: WorkflowProgress, status: BegunStatus): void {
  progress[COUNTER[status]] += 1;
  progress.toDo -= 1;
}

/**
 * Writes down how far the organization is at this moment, as the last word of its day. Belongs into the transaction of
 * each change, behind a lock on the association: two that count at once would each miss what the other has changed.
 */
export async function recordProgress(tx: Queryable, seen: SeenWorkflow, now: Date): Promise<void> {
  const [progress] = await progressOf(tx, [seen]);
  if (progress === undefined) return;
  await record.all(tx, { ...seen.key, ...progress, day: dayOf(now) });
}

/**
 * How far the organization was on each day of the range on which that changed, oldest first, beginning with how it stood
 * on the first. 90 days until today when nothing is said; a year at most. Throws BAD_USER_INPUT.
 */
export async function progressHistory(
  database: Database,
  { organizationId, workflowId }: OrganizationWorkflowKey,
  range: ProgressRange,
  now: Date,
): Promise<ProgressDay[]> {
  const { defaultDays, maxDays } = LIMITS.progress;
  const to = range.to ?? (range.from == null ? dayOf(now) : laterOf(range.from, dayOf(now)));
  const from = range.from ?? laterOf(FIRST_DAY, dayOf(new Date(Date.parse(to) - (defaultDays - 1) * DAY)));
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1;
  if (days < 1) throw invalidInput([{ path: ['from'], sentence: 'must not be after to' }]);
  if (days > maxDays) throw badUserInput([`from and to must not be more than ${maxDays} days apart`]);
  return historyOf.all(database, { organizationId, workflowId, from, to });
}

/** The day in UTC, `YYYY-MM-DD`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

const COUNTER = {
  IN_PROGRESS: 'inProgress',
  DONE: 'done',
  NOT_APPLICABLE: 'notApplicable',
} as const satisfies Record<BegunStatus, keyof WorkflowProgress>;
