import type { Database, Queryable } from '../database/database.js';
import { badUserInput } from '../errors.js';
import type { ControlStatus } from '../vocabulary/control-statuses.js';
import { LIMITS } from '../vocabulary/limits.js';
import { leavesOf } from './workflow-catalog.js';
import type { CatalogWorkflow } from './workflow-file.js';

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

type BegunStatus = Exclude<ControlStatus, 'TO_DO'>;

const BEGUN = `
  select asked.place, s.control_id as "controlId", s.status
    from unnest($1::int[], $2::text[]) with ordinality as asked(organization_id, workflow_id, place)
    join control_state s on s.organization_id = asked.organization_id and s.workflow_id = asked.workflow_id
   where s.status <> 'TO_DO'`;

const RECORD = `
  insert into workflow_progress (organization_id, workflow_id, day, total, to_do, in_progress, done, not_applicable)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (organization_id, workflow_id, day)
  do update set total = excluded.total, to_do = excluded.to_do, in_progress = excluded.in_progress, done = excluded.done,
                not_applicable = excluded.not_applicable`;

/** The days of the range on which something changed, and before them how it stood when the range began. */
const HISTORY = `
  select greatest(day, $3::date)::text as day, total, to_do as "toDo", in_progress as "inProgress", done,
         not_applicable as "notApplicable"
    from workflow_progress
   where organization_id = $1 and workflow_id = $2 and day <= $4::date
     and day >= coalesce((select max(day) from workflow_progress
                           where organization_id = $1 and workflow_id = $2 and day <= $3::date), $3::date)
   order by workflow_progress.day`;

const DAY = 24 * 60 * 60 * 1000;
/** The first that a `Date` can say. */
const FIRST_DAY = '0001-01-01';

/** Counts what is to be done: headings are there to group it and do not count. One statement for all. */
export async function progressOf(database: Queryable, seen: readonly SeenWorkflow[]): Promise<WorkflowProgress[]> {
  const begun = await database.rows<{ place: number; controlId: string; status: BegunStatus }>(BEGUN, [
    seen.map(({ key }) => key.organizationId),
    seen.map(({ key }) => key.workflowId),
  ]);
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
  const { total, toDo, inProgress, done, notApplicable } = progress;
  const { organizationId, workflowId } = seen.key;
  await tx.rows(RECORD, [organizationId, workflowId, dayOf(now), total, toDo, inProgress, done, notApplicable]);
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
  if (days < 1) throw badUserInput(['from must not be after to']);
  if (days > maxDays) throw badUserInput([`from and to must not be more than ${maxDays} days apart`]);
  return database.rows<ProgressDay>(HISTORY, [organizationId, workflowId, from, to]);
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
