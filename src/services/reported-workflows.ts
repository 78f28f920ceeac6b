import type { Queryable } from '../database/database.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { progressOf, type SeenWorkflow, type WorkflowProgress } from './workflow-progress.js';

const TAKEN_UP = `
  select workflow_id as "workflowId" from organization_workflow where organization_id = $1 order by workflow_id`;

/** The last word of that day, or of the last one before it on which something changed. */
const PROGRESS_ON = `
  select past.total, past.to_do as "toDo", past.in_progress as "inProgress", past.done,
         past.not_applicable as "notApplicable"
    from unnest($2::text[]) with ordinality as asked(workflow_id, place)
    left join lateral (
      select * from workflow_progress p
       where p.organization_id = $1 and p.workflow_id = asked.workflow_id and p.day <= $3::date
       order by p.day desc limit 1) as past on true
   order by asked.place`;

export interface ReportedWorkflow {
  seen: SeenWorkflow;
  progress: WorkflowProgress;
  /** How it stood on the day that was asked for; undefined when it was not taken up then. */
  before: WorkflowProgress | undefined;
}

/** The organization's workflows as it sees them, by id, with how far they are and how far they were on a day (in UTC). */
export async function reportedWorkflows(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  organizationId: number,
  day: string,
): Promise<ReportedWorkflow[]> {
  const catalog = await catalogs.of(organizationId);
  const rows = await database.rows<{ workflowId: string }>(TAKEN_UP, [organizationId]);
  const seen = rows.flatMap(({ workflowId }) => {
    const workflow = catalog.find(workflowId);
    return workflow === undefined ? [] : [{ key: { organizationId, workflowId }, workflow }];
  });
  const ids = seen.map(({ key }) => key.workflowId);
  const [now, before] = await Promise.all([
    progressOf(database, seen),
    database.rows<WorkflowProgress | Nothing>(PROGRESS_ON, [organizationId, ids, day]),
  ]);
  return seen.map((one, index) => {
    const past = before[index];
    return { seen: one, progress: now[index]!, before: past === undefined || past.total === null ? undefined : past };
  });
}

/** A row of the join that found nothing. */
interface Nothing {
  total: null;
}
