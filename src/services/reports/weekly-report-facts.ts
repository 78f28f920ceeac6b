import { DAY } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import { selectAll } from '../../database/columns.js';
import { db, sql, statement, statementPer, table, type Expression, type TableReference } from '../../database/sql.js';
import type { CustomColors } from '../../entities/organizations.js';
import type {
  DeviceFacts,
  OpenIncident,
  OverdueControl,
  Shortened,
  WeeklyReportFacts,
  WorkflowFact,
} from '../../mail/weekly-report-mail.js';
import { BRANDING_DEFAULTS } from '../../values/defaults.js';
import { incidentClock, type IncidentClockFacts } from '../incidents/deadlines.js';
import { organizationColumns } from '../shared/organization-columns.js';
import type { CatalogWorkflow } from '../workflows/catalog-file.js';
import { controlOf } from '../workflows/catalog.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { dayOf, type WorkflowProgress, progressOf, type SeenWorkflow } from '../workflows/progress.js';

/** Items of one list that are shown. */
const SHOWN = 10;
/** Open incidents that are read; the next deadline follows from their clocks. */
const LOOKED_AT = 500;

export interface ReportedOrganization {
  id: number;
  name: string;
  logo: string;
  customColors: CustomColors | null;
  timeZone: string;
}

const s = table('control_state', 's');
const p = table('workflow_progress', 'p');

const overdueOf = statement<{
  organizationId: number;
  today: string;
  workflowIds: readonly string[];
  controlIds: readonly string[];
}>()(
  (param) => sql<{ workflowId: string; controlId: string; dueDate: string; total: number }>`
    select ${s.workflow_id} as "workflowId", ${s.control_id} as "controlId", ${s.due_date} as "dueDate",
           count(*) over () as total
      from unnest(${param('workflowIds')}::text[], ${param('controlIds')}::text[]) as seen(workflow_id, control_id)
      join ${s.table} on ${s.workflow_id} = seen.workflow_id and ${s.control_id} = seen.control_id
     where ${s.organization_id} = ${param('organizationId')} and ${s.due_date} < ${param('today')}::date
       and ${s.status} in ('TO_DO', 'IN_PROGRESS')
     order by ${s.due_date}, ${s.workflow_id}, ${s.control_id} limit ${SHOWN}`,
);

const openIncidents = statement<{ organizationId: number }>()((param) =>
  db
    .selectFrom('incident as i')
    .select(selectAll('incident', 'i'))
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('i.organization_id', '=', param('organizationId'))
    .where('i.status', '<>', 'CLOSED')
    .orderBy('i.significant', 'desc')
    .orderBy('i.id', 'desc')
    .limit(LOOKED_AT),
);

const edge = table('cloud_defender');
const blocker = table('threat_blocker');

const DEVICES = [
  { kind: 'Edge protection', count: countDevices(edge, edge.fqdn) },
  {
    kind: 'Threat blockers',
    count: countDevices(blocker, sql`coalesce(nullif(${blocker.device_id}, ''), ${blocker.endpoint})`),
  },
];

function countDevices(d: TableReference<'cloud_defender' | 'threat_blocker'>, name: Expression) {
  return statement<{ organizationId: number }>()(
    (param) => sql<Omit<DeviceFacts, 'kind'>>`
      select count(*) filter (where ${d.status} = 1) as healthy, count(*) filter (where ${d.status} = 2) as degraded,
             count(*) filter (where ${d.status} = 3) as down, count(*) filter (where ${d.status} not in (1, 2, 3)) as unknown,
             coalesce((array_agg(${name} order by ${d.status} desc, ${d.id}) filter (where ${d.status} in (2, 3)))[1:${SHOWN}], '{}')
               as troubled
        from ${d.table} where ${d.organization_id} = ${param('organizationId')} and ${d.deleted_at} is null`,
  );
}

const organizationOf = statementPer<{ logo: Expression }, { id: number }>()((param, { logo }) =>
  db
    .selectFrom('organization as o')
    .select(['o.id', 'o.name', 'o.custom_colors as customColors', 'o.time_zone as timeZone'])
    .select(logo.$castTo<string>().as('logo'))
    .where('o.id', '=', param('id'))
    .where('o.deleted_at', 'is', null),
);

/** Gathers the content of a weekly report, without authorizing: jobs call it after that was decided. */
export class WeeklyReportFactsService {
  private readonly columns: { logo: Expression };

  constructor(
    private readonly database: Queryable,
    private readonly catalogs: OrganizationCatalogs,
    publicUrl: string,
  ) {
    this.columns = organizationColumns(publicUrl);
  }

  /** Undefined when there is no such organization, or it was deleted. */
  async organization(id: number): Promise<ReportedOrganization | undefined> {
    return organizationOf(this.columns).first(this.database, { id });
  }

  /** The content of a report, as of `now`; `week` is an ISO week such as `2026-W47`. Does not authorize. */
  async gather(organization: ReportedOrganization, week: string, now: Date): Promise<WeeklyReportFacts> {
    const { id, name, logo, customColors, timeZone } = organization;
    // The state at the end of the day before the last report: later changes of its own day belong to this one.
    const dayBefore = dayOf(new Date(now.getTime() - 8 * DAY));
    const workflows = await reportedWorkflows(this.database, this.catalogs, id, dayBefore);
    return {
      brand: { name, logo, primary: customColors?.primary ?? BRANDING_DEFAULTS.customColors.primary },
      timeZone,
      week,
      asOf: now.toISOString(),
      workflows: workflows.map(workflowFact),
      overdue: await this.overdue(id, workflows, dayOf(now)),
      incidents: await this.incidents(id, now),
      devices: await Promise.all(
        DEVICES.map(async ({ kind, count }) => ({ kind, ...(await count.one(this.database, { organizationId: id })) })),
      ),
    };
  }

  private async overdue(
    organizationId: number,
    workflows: readonly ReportedWorkflow[],
    today: string,
  ): Promise<Shortened<OverdueControl>> {
    const known = new Map(workflows.map(({ seen }) => [seen.key.workflowId, seen.workflow]));
    // What an organization does not see, because it binds others only, cannot be overdue for it.
    const controls = [...known].flatMap(([id, workflow]) => workflow.controls.map((control) => [id, control.id]));
    const rows = await overdueOf.all(this.database, {
      organizationId,
      today,
      workflowIds: controls.map(([workflowId = '']) => workflowId),
      controlIds: controls.map(([, controlId = '']) => controlId),
    });
    const items = rows.map(({ workflowId, controlId, dueDate }) => {
      const workflow = known.get(workflowId) as CatalogWorkflow;
      return { controlId, label: controlOf(workflow, controlId)?.label ?? '', workflow: workflow.name, dueDate };
    });
    return { total: rows[0]?.total ?? 0, items };
  }

  private async incidents(organizationId: number, now: Date): Promise<Shortened<OpenIncident>> {
    const rows = await openIncidents.all(this.database, { organizationId });
    const items = rows.map((row) => ({
      id: row.id,
      title: row.title,
      severity: row.severity,
      status: row.status,
      deadline: nextDeadline(row, now),
    }));
    return { total: rows[0]?.total ?? 0, items: items.toSorted(byDeadline).slice(0, SHOWN) };
  }
}

function workflowFact({ seen, progress, before }: ReportedWorkflow): WorkflowFact {
  const { total, notApplicable, done, inProgress } = progress;
  const percent = percentOf(progress);
  return {
    name: seen.workflow.name,
    applicable: total - notApplicable,
    done,
    inProgress,
    percent,
    change: before === undefined ? null : percent - percentOf(before),
  };
}

/** Of what applies; where nothing does, nothing is left to be done. */
function percentOf({ total, notApplicable, done }: WorkflowProgress): number {
  const applicable = total - notApplicable;
  return applicable === 0 ? 100 : Math.floor((100 * done) / applicable);
}

function nextDeadline(facts: IncidentClockFacts, now: Date): OpenIncident['deadline'] {
  const { earlyWarning, notification, finalReport } = incidentClock(facts, now);
  const stages = [
    { stage: 'early warning', ...earlyWarning },
    { stage: 'notification', ...notification },
    { stage: 'final report', ...finalReport },
  ] as const;
  for (const { stage, state, dueAt } of stages)
    if (state !== 'SENT' && dueAt !== null) return { stage, dueAt, overdue: state === 'OVERDUE' };
  return null;
}

/** Instants in one spelling sort as texts; who owes nothing comes last. */
function byDeadline(a: OpenIncident, b: OpenIncident): number {
  const [first, second] = [a, b].map(({ deadline }) => deadline?.dueAt ?? '9999');
  if (first === second) return a.id - b.id;
  return first! < second! ? -1 : 1;
}

const workflowsOf = statement<{ organizationId: number }>()((param) =>
  db
    .selectFrom('organization_workflow')
    .select('workflow_id as workflowId')
    .where('organization_id', '=', param('organizationId'))
    .orderBy('workflow_id'),
);

/** The last counts of that day, or of the last one before it on which something changed. */
const progressOn = statement<{ organizationId: number; workflowIds: readonly string[]; day: string }>()(
  (param) => sql<WorkflowProgress | Nothing>`
    select past.*
      from unnest(${param('workflowIds')}::text[]) with ordinality as wanted(workflow_id, place)
      left join lateral (
        select ${p.total}, ${p.to_do} as "toDo", ${p.in_progress} as "inProgress", ${p.done},
               ${p.not_applicable} as "notApplicable"
          from ${p.table}
         where ${p.organization_id} = ${param('organizationId')} and ${p.workflow_id} = wanted.workflow_id
           and ${p.day} <= ${param('day')}::date
         order by ${p.day} desc limit 1) as past on true
     order by wanted.place`,
);

export interface ReportedWorkflow {
  seen: SeenWorkflow;
  progress: WorkflowProgress;
  /** Progress of that day; undefined when the workflow was not associated then. */
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
  const rows = await workflowsOf.all(database, { organizationId });
  const seen = rows.flatMap(({ workflowId }) => {
    const workflow = catalog.find(workflowId);
    return workflow === undefined ? [] : [{ key: { organizationId, workflowId }, workflow }];
  });
  const ids = seen.map(({ key }) => key.workflowId);
  const [now, before] = await Promise.all([
    progressOf(database, seen),
    progressOn.all(database, { organizationId, workflowIds: ids, day }),
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
